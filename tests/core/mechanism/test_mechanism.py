"""Mechanisms held as a remap: private in exact arithmetic, the same in doubles and in decimals, and readable back."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import published
import pytest
from core import oracle
from core.oracle import geometric, is_private
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import context
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Table, expected_loss, least_majorant, most_moved, repair
from dpdesigner.errors import InputError

ENTRIES = st.one_of(
    st.floats(-1, 2), st.sampled_from([0.0, -0.0, 1e-300, 5e-324, 1e-17, -1e-10, 1.0]), st.floats(0, 1e-9, allow_subnormal=False)
)
LEVELS = st.one_of(
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 10**9), 1 - Fraction(1, 10**12), Fraction(0.3)]),
    st.fractions(0, 1, max_denominator=40),
)


@st.composite
def tables(draw: st.DrawFn) -> list[list[float]]:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return draw(st.lists(st.lists(ENTRIES, min_size=columns, max_size=columns), min_size=rows, max_size=rows))


@given(tables(), LEVELS, st.data())
def test_any_table_becomes_exactly_private_and_stochastic(raw: list[list[float]], alpha: Fraction, data: st.DataObject) -> None:
    filler = data.draw(st.one_of(st.none(), st.integers(0, len(raw[0]) - 1)))
    repaired = repair(raw, alpha, filler=filler)
    assert is_private(repaired, alpha)
    assert all(isinstance(entry, Fraction) for entry in repaired.flat)


@given(tables(), LEVELS)
def test_a_private_table_stays_as_it_is(raw: list[list[float]], alpha: Fraction) -> None:
    once = repair(raw, alpha)
    for entry, again in zip(once.flat, repair(once, alpha).flat, strict=True):
        assert abs(entry - again) <= Fraction(len(raw[0]), 2**70) / (1 - alpha if alpha < 1 else 1)


@given(st.integers(0, 8), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1e-3, 1 - 1e-6, 1.0]), st.integers(0, 2**32 - 1))
def test_a_small_error_costs_little(n: int, alpha: float, seed: int) -> None:
    exact = np.array(geometric(n, Fraction(alpha)), dtype=float)
    error = np.random.default_rng(seed).uniform(-1e-10, 1e-10, exact.shape)
    worst = 1e-10 * (n + 1) * (3 + 2 / (1 - alpha)) if alpha < 1 else 2e-10 * (n + 1)
    assert np.abs(repair(exact + error, alpha) - exact).max() <= worst + 1e-15


@given(tables(), st.one_of(st.sampled_from([0.0, 1.0, 0.5, math.exp(-1), 1e-9, 1 - 1e-12, 1 - 2**-53]), st.floats(0.001, 0.999)))
def test_the_doubles_are_private_as_rationals(raw: list[list[float]], alpha: float) -> None:
    repaired = repair(raw, alpha)
    assert repaired.dtype == np.float64
    assert np.abs(repaired.sum(axis=1) - 1).max() <= 1e-15 * len(raw[0])
    for upper, lower in pairwise(repaired.tolist()):
        for low, high in map(sorted, zip(upper, lower, strict=True)):
            assert high * alpha < 1e-300 or Fraction(low) >= Fraction(alpha) * Fraction(high)


def test_many_rows_of_doubles_are_private_as_rationals() -> None:
    rng = np.random.default_rng(7)
    exact = np.array(geometric(60, Fraction(1, 3)), dtype=float)
    repaired = np.frompyfunc(Fraction, 1, 1)(repair(exact + rng.normal(size=exact.shape) * 1e-9, 1 / 3))
    alpha = Fraction(1 / 3)
    assert (repaired[1:] >= alpha * repaired[:-1]).all()
    assert (repaired[:-1] >= alpha * repaired[1:]).all()


@given(st.lists(ENTRIES, min_size=1, max_size=7), st.fractions(0, 1, max_denominator=20))
def test_the_majorant_is_the_largest_echo_of_any_entry(column: list[float], alpha: Fraction) -> None:
    entries = [max(Fraction(0), Fraction(entry)) for entry in column]
    above = least_majorant(np.array(entries, dtype=object)[:, None], lambda values: values * alpha)[:, 0]
    assert list(above) == [max(alpha ** abs(i - k) * entry for k, entry in enumerate(entries)) for i in range(len(entries))]


def test_what_is_lacking_goes_where_it_is_asked_to() -> None:
    raw = [[0.5, 0.5, 0.0], [0.4, 0.5, 0.0]]
    for column in range(3):
        repaired = repair(raw, Fraction(1, 2), filler=column)
        assert is_private(repaired, Fraction(1, 2))
        assert repaired[1, column] / repaired[1].sum() > Fraction(raw[1][column])
    untouched = repair(raw, Fraction(1, 2), filler=2)
    assert untouched[0, 0] / untouched[0, 1] == 1


def test_entries_below_the_range_of_doubles_are_exact() -> None:
    alpha = Fraction(1, 10**9)
    repaired = repair(np.eye(41), alpha)
    assert is_private(repaired, alpha)
    assert 0 < repaired[40, 0] < Fraction(1, 10**350)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, Fraction(3, 2), Decimal(2), math.nan])
def test_a_level_out_of_range_is_refused(alpha: Any) -> None:
    with pytest.raises(InputError, match=r"alpha must be between 0 and 1, got"):
        repair(np.eye(2), alpha)


@pytest.mark.parametrize("entry", [math.nan, math.inf, -math.inf])
def test_entries_that_are_no_numbers_are_refused(entry: float) -> None:
    with pytest.raises(InputError, match="finite"):
        repair([[0.5, entry], [0.5, 0.5]], 0.5)


_LEVELS = st.one_of(
    st.sampled_from(["0", "1", "1/2", "1/3", "99/100", "1e-12", "0.999999999999", "1e-300"]).map(PrivacyLevel.from_alpha),
    st.sampled_from(["0.7", "1/3", "2/3", "1e-12", "40", "800", "1", "ln 3"]).map(PrivacyLevel.from_epsilon),
)


@st.composite
def _mechanisms(draw: st.DrawFn, monotone: bool = False, largest: int = 8) -> RemappedGeometric:
    n = draw(st.integers(0, largest))
    remap = draw(st.lists(st.integers(0, n), min_size=n + 1, max_size=n + 1))
    return RemappedGeometric(draw(_LEVELS), n, tuple(sorted(remap) if monotone or draw(st.booleans()) else remap))


def _by_definition(mechanism: RemappedGeometric, alpha: Fraction) -> list[list[Fraction]]:
    rows = [[Fraction(0)] * (mechanism.n + 1) for _ in range(mechanism.n + 1)]
    for i, released in enumerate(oracle.geometric(mechanism.n, alpha)):
        for j, probability in enumerate(released):
            rows[i][mechanism.remap[j]] += probability
    return rows


@given(_mechanisms())
@settings(deadline=None, max_examples=50)
def test_exact_rows_are_private(mechanism: RemappedGeometric) -> None:
    """At any level at or above the true one; rows sum to exactly 1."""
    alpha = mechanism.privacy.alpha_above
    for level in (alpha, min(Fraction(1), alpha * (1 + Fraction(1, 10**15)))):
        rows = list(mechanism.exact_rows(level))
        assert oracle.is_private(rows, level) and oracle.is_private(rows, alpha)
        assert rows == _by_definition(mechanism, level)


@given(_mechanisms(), st.sampled_from([5, 17, 40]))
@settings(deadline=None, max_examples=100)
def test_decimal_rows_are_precise(mechanism: RemappedGeometric, precision: int) -> None:
    """Also the entries that are beyond doubles, such as exp(-16000)."""
    alpha = mechanism.privacy.alpha_above
    decimals = list(mechanism.decimal_rows(alpha, precision))
    for row, truths in zip(decimals, _by_definition(mechanism, alpha), strict=True):
        for entry, truth in zip(row, truths, strict=True):
            assert isinstance(entry, Decimal) and len(entry.as_tuple().digits) <= precision
            assert abs(Fraction(entry) - truth) <= truth / 10 ** (precision - 1)


@given(_mechanisms())
@settings(deadline=None, max_examples=50)
def test_doubles_agree(mechanism: RemappedGeometric) -> None:
    truth = np.array(_by_definition(mechanism, mechanism.privacy.alpha_above), dtype=float)
    # Near alpha = 1 the inner entries are 1 - alpha, which the level keeps without cancellation where alpha is given.
    close = {"rel": 1e-12, "abs": 1e-300} if mechanism.privacy.one_minus_alpha > 1e-6 else {"rel": 1e-9, "abs": 1e-15}
    assert mechanism.matrix == pytest.approx(truth, **close)
    for i in range(mechanism.n + 1):
        assert mechanism.row(i) == pytest.approx(mechanism.matrix[i], rel=2e-13, abs=1e-300)
        assert mechanism.column(i) == pytest.approx(mechanism.matrix[:, i], rel=2e-13, abs=1e-300)
    with pytest.raises(ValueError, match="read-only"):
        mechanism.matrix[0, 0] = 0


@given(_mechanisms(largest=6))
@settings(deadline=None, max_examples=75)
def test_constraints_say_where_privacy_binds(mechanism: RemappedGeometric) -> None:
    """By definition, on the exact rows, wherever alpha leaves room between its two bounds."""
    alpha = mechanism.privacy.alpha_above
    if not 0 < alpha < 1:
        return
    rows = _by_definition(mechanism, alpha)
    for i in range(mechanism.n):
        for r in range(mechanism.n + 1):
            above, below = rows[i][r], rows[i + 1][r]
            expected = "Z" if above == below == 0 else "d" if below == alpha * above else "u" if above == alpha * below else "S"
            assert mechanism.constraints[i, r] == expected


def _read_off(constraints: Any) -> tuple[int, ...]:
    """[GRS] Lemma 5.11: column k_i, the i-th that is not Z, stands for the outputs i + S_{i-1} .. i + S_i; S_i counts S."""
    used = np.flatnonzero(~(constraints == "Z").all(axis=0)) if len(constraints) else np.array([0])
    remap: list[int] = []
    for k in used.tolist():
        remap += [k] * (1 + int((constraints[:, k] == "S").sum()))
    return tuple(remap)


@given(_mechanisms(monotone=True, largest=12))
def test_the_remap_can_be_read_off_the_constraints(mechanism: RemappedGeometric) -> None:
    """[GRS] Lemma 5.11, and Lemma 5.8: as many S as columns Z."""
    assert _read_off(mechanism.constraints) == tuple(mechanism.remap)
    unused = mechanism.n + 1 - len(set(mechanism.remap.tolist()))
    assert (mechanism.constraints == "S").sum() == unused
    assert (mechanism.constraints == "Z").sum() == unused * mechanism.n


def test_figure_3() -> None:
    assert _read_off(np.array(published.FIGURE_3)) == tuple(published.FIGURE_2_REMAP)


def test_epsilon_is_what_the_rows_have() -> None:
    level = PrivacyLevel.from_epsilon("0.7")
    assert RemappedGeometric(level, 2, (0, 1, 2)).epsilon >= 0.7
    assert RemappedGeometric(level, 2, (1, 1, 1)).epsilon == 0
    assert RemappedGeometric(level, 0, (0,)).epsilon == 0
    assert RemappedGeometric(PrivacyLevel.from_alpha(0), 1, (0, 1)).epsilon == math.inf
    assert RemappedGeometric(PrivacyLevel.from_alpha(1), 1, (0, 1)).epsilon == 0


@given(_mechanisms(largest=6), st.data())
@settings(deadline=None, max_examples=60)
def test_posterior(mechanism: RemappedGeometric, data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 4), min_size=mechanism.n + 1, max_size=mechanism.n + 1).filter(any))
    prior, rows = [Fraction(weight, sum(weights)) for weight in weights], _by_definition(mechanism, mechanism.privacy.alpha_above)
    for r in range(mechanism.n + 1):
        joint = [p * row[r] for p, row in zip(prior, rows, strict=True)]
        found = mechanism.posterior(np.array(prior, dtype=float), r)
        if not sum(joint):
            assert found is None
        elif sum(joint) > Fraction(1, 10**250):
            assert found == pytest.approx([float(entry / sum(joint)) for entry in joint], rel=1e-5, abs=1e-12)


def test_posterior_of_a_release_too_unlikely_for_doubles() -> None:
    """exp(-1600) is not nothing: whoever sees that release knows what to believe."""
    mechanism = RemappedGeometric(PrivacyLevel.from_epsilon(800), 4, (0, 1, 2, 3, 4))
    found = mechanism.posterior(np.array([0.5, 0.5, 0, 0, 0]), 3)
    assert found is not None and found.tolist() == [0, 1, 0, 0, 0]


@pytest.mark.parametrize(("n", "alpha"), published.FACE_VALUES)
def test_expected_loss_at_face_value(n: int, alpha: str) -> None:
    mechanism = RemappedGeometric(PrivacyLevel.from_alpha(alpha), n, tuple(range(n + 1)))
    loss = np.abs(np.subtract.outer(np.arange(n + 1.0), np.arange(n + 1.0)))
    found = expected_loss(np.full(n + 1, 1 / (n + 1)), loss, mechanism.matrix)
    assert found == pytest.approx(float(Fraction(published.FACE_VALUES[n, alpha])), rel=1e-14)


@pytest.mark.parametrize("level", ["0", "1", "1/2", "99/100", "1e-12", "1e-400"])
@given(seed=st.integers(0, 10**6), n=st.integers(0, 5))
@settings(deadline=None, max_examples=15)
def test_tables_are_private_whatever_the_solver_said(level: str, seed: int, n: int) -> None:
    rng, privacy = np.random.default_rng(seed), PrivacyLevel.from_alpha(level)
    raw = rng.random((n + 1, n + 1)) * (rng.random((n + 1, n + 1)) < 0.6) - 1e-12
    table = Table(privacy, raw, int(rng.integers(n + 1)))
    alpha = privacy.alpha_above
    for at in (alpha, min(Fraction(1), alpha * (1 + Fraction(1, 10**15)))):
        assert oracle.is_private(list(table.exact_rows(at)), at)
    exactly = np.array(list(table.exact_rows(alpha)), dtype=float)
    assert table.n == n and table.matrix == pytest.approx(exactly, abs=1e-9)
    for row, truths in zip(table.decimal_rows(alpha, 30), table.exact_rows(alpha), strict=True):
        assert [float(entry) for entry in row] == pytest.approx([float(truth) for truth in truths], abs=1e-9)
    assert all(0 <= table.draw(i) <= n for i in range(n + 1))


def test_draws_stay_in_range() -> None:
    mechanism = RemappedGeometric(PrivacyLevel.from_epsilon("0.7"), 3, (0, 0, 2, 3))
    assert {mechanism.draw(i) for i in range(4) for _ in range(50)} <= {0, 2, 3}
    certain: dict[str, Any] = {"0": 0, "1": 1, "2": 2}
    truthful = RemappedGeometric(PrivacyLevel.from_alpha(0), 2, (0, 1, 2))
    assert [truthful.draw(int(i)) for i in certain] == list(certain.values())
    assert RemappedGeometric(PrivacyLevel.from_alpha("1/2"), 0, (0,)).draw(0) == 0
    assert {RemappedGeometric(PrivacyLevel.from_alpha(1), 2, (0, 1, 2)).draw(1) for _ in range(60)} == {0, 2}


def test_how_many_releases_differ_is_the_most_of_any_true_result() -> None:
    mine, theirs = np.eye(3), np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0, 0.5]])
    assert most_moved(mine, theirs) == 0.5 and most_moved(mine, mine) == 0
    assert most_moved(mine, mine[::-1]) == 1


@pytest.mark.parametrize(
    "remap",
    [[0, 1, 2, 3, 4, 5, 6], [1, 1, 2, 3, 4, 5, 5], [2, 2, 3, 3, 4, 5, 6], [6, 1, 2, 0, 4, 3, 5], [3] * 7, [0, 2, 3, 4, 5, 6, 6]],
)
def test_decimals_that_several_rows_share_are_those_of_each_row(remap):
    """A release that stands for one output has the same numbers in every row, shifted; they are made once."""
    mechanism, alpha = RemappedGeometric(PrivacyLevel.from_epsilon("0.3"), 6, remap), PrivacyLevel.from_epsilon("0.3").alpha_above
    exact = list(mechanism.exact_rows(alpha))
    for row, truth in zip(mechanism.decimal_rows(alpha, 25), exact, strict=True):
        for entry, value in zip(row, truth, strict=True):
            near = context(25).divide(Decimal(value.numerator), Decimal(value.denominator))
            assert entry == near and (not entry or entry.as_tuple().digits[-1] != 0)
