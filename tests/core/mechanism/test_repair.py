"""The repair: exactly private and exactly stochastic, whatever the table was, and close to it."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from core.oracle import geometric, is_private
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.mechanism.repair import least_majorant, repair
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
    with pytest.raises(InputError, match=r"alpha must be in \[0, 1\], got"):
        repair(np.eye(2), alpha)


@pytest.mark.parametrize("entry", [math.nan, math.inf, -math.inf])
def test_entries_that_are_no_numbers_are_refused(entry: float) -> None:
    with pytest.raises(InputError, match="finite"):
        repair([[0.5, entry], [0.5, 0.5]], 0.5)
