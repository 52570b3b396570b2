"""Totals of several releases: against composition enumerated in fractions, and against dp_accounting from above."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from dp_accounting.pld import common, privacy_loss_distribution
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics.accountant import UNBOUNDED, Spent, Total, split_budget, times, together, together_at, total
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.errors import InputError


@given(epsilon=st.fractions(min_value="1/1000", max_value=50), weights=st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=9))
def test_the_parts_sum_to_the_budget_exactly(epsilon: Fraction, weights: list[float]) -> None:
    parts = split_budget(epsilon, weights)
    assert sum(parts) == epsilon
    assert min(parts) > 0


def test_even_and_weighted() -> None:
    assert split_budget("1", [1, 1, 1]) == (Fraction(1, 3),) * 3
    assert split_budget("0.3", ["1/2", 1]) == (Fraction(1, 10), Fraction(1, 5))


def test_laplace_attains_the_sum() -> None:
    """k answers that all differ by their sensitivity: beyond them every log ratio is epsilon."""
    k, epsilon = 4, 0.3
    noise = Laplace(epsilon)
    assert sum(float(noise.log_ratio(5.0, -1.0)) for _ in range(k)) == pytest.approx(k * epsilon)


@given(st.lists(st.floats(1e-6, 700), min_size=1, max_size=50))
def test_answers_together_are_never_said_to_be_more_private_than_they_are(epsilons: list[float]) -> None:
    exact = sum(map(Fraction, epsilons))
    assert exact < Fraction(together(epsilons)) <= exact * (1 + Fraction(1, 10**15))


@pytest.mark.parametrize(("epsilon", "weights"), [(0, [1]), (-1, [1]), (1, []), (1, [1, 0]), (1, [1, -1]), ("x", [1])])
def test_bad_input(epsilon: object, weights: list[int]) -> None:
    with pytest.raises(InputError):
        split_budget(epsilon, weights)  # type: ignore[arg-type]


def delta_of(alpha: Fraction, count: int, ratio: Fraction) -> Fraction:
    """The delta of `count` answers by randomised response at e^epsilon = ratio, by all of its outputs."""
    found, yes = Fraction(0), 1 / (1 + alpha)
    for outputs in itertools.product((True, False), repeat=count):
        one = math.prod(yes if output else 1 - yes for output in outputs)
        other = math.prod(1 - yes if output else yes for output in outputs)
        found += max(one - ratio * other, 0)
    return Fraction(found)


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(9, 10), Fraction(1, 100)])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("delta", [Fraction(1, 10**6), Fraction(1, 50), Fraction(1, 3)])
def test_the_total_is_the_least_at_which_the_worst_case_keeps_to_delta(alpha: Fraction, count: int, delta: Fraction) -> None:
    found = together_at(PrivacyLevel.from_alpha(str(alpha)), count, delta)
    ratio = Fraction(math.exp(found)) * (1 + Fraction(1, 10**12))
    assert delta_of(alpha, count, ratio) <= delta
    if found > 1e-9:
        assert delta_of(alpha, count, Fraction(math.exp(found)) * (1 - Fraction(1, 10**9))) > delta
    assert found <= -count * math.log(alpha) * (1 + 1e-15) + 1e-15


@pytest.mark.parametrize(
    ("epsilon", "count", "delta", "each"),
    [
        ("0.1", 30, "1e-6", "0"),
        ("0.01", 365, "1e-6", "0"),
        ("1", 5, "0.01", "0"),
        ("0.1", 30, "1e-5", "1e-7"),
        ("0.5", 12, "1e-9", "1e-11"),
    ],
)
def test_dp_accounting_is_never_below(epsilon: str, count: int, delta: str, each: str) -> None:
    """Its totals are rounded up on a grid, so they are above ours and near them."""
    found = together_at(PrivacyLevel.from_epsilon(epsilon), count, Fraction(delta), Fraction(each))
    parameters = common.DifferentialPrivacyParameters(float(epsilon), float(each))
    loss = privacy_loss_distribution.from_privacy_parameters(parameters, value_discretization_interval=1e-4)
    above = loss.self_compose(count).get_epsilon_for_delta(float(delta))
    assert found <= above * (1 + 1e-8) and above <= found * (1 + 1e-3)


def test_sums_are_exact() -> None:
    half = Spent(PrivacyLevel.from_epsilon("ln 2"))
    tenth = Spent(PrivacyLevel.from_epsilon("0.1"))
    assert total([half, half]).epsilon == PrivacyLevel.from_epsilon("ln 4").epsilon_above
    assert total([tenth] * 3).epsilon == math.nextafter(0.3, 1) and Fraction(total([tenth] * 3).epsilon) >= Fraction(3, 10)
    assert total([Spent(PrivacyLevel.from_epsilon(1))] * 3) == Total(3.0, Fraction(0), 3)
    assert total([]) == Total(0.0, Fraction(0), 0) and total([half, UNBOUNDED]).epsilon == math.inf
    mixed = total([half, tenth])
    assert 0 <= mixed.epsilon - (math.log(2) + 0.1) < 1e-15


def test_deltas_add_up_and_must_be_allowed() -> None:
    one = Spent(PrivacyLevel.from_epsilon(1), Fraction(1, 100))
    assert total([one, one]) == Total(2.0, Fraction(1, 50), 2)
    with pytest.raises(InputError, match=r"delta must be at least 0\.02, the sum of the designs’ own, got 0\.01"):
        total([one, one], Fraction(1, 100))
    with pytest.raises(InputError, match="delta must be below 1"):
        total([one], Fraction(1))
    assert total([one, one], Fraction(1, 10)).epsilon < 2


def test_equal_releases_among_others_are_composed_exactly() -> None:
    tenth, one = Spent(PrivacyLevel.from_epsilon("0.1")), Spent(PrivacyLevel.from_epsilon(1))
    found = total([tenth] * 30 + [one], Fraction(1, 10**6))
    alone = together_at(tenth.level, 30, Fraction(1, 10**6))
    assert found.composed == 30 and found.releases == 31 and 0 <= found.epsilon - (1 + alone) < 1e-15
    assert total([tenth, one], Fraction(1, 10**6)).composed == 0


def test_who_joins_counts_twice_where_others_are_replaced() -> None:
    joins, replaced = (Spent(PrivacyLevel.from_epsilon("1/2"), adjacency=way) for way in ("add-remove", "replace"))  # type: ignore[arg-type]
    assert total([joins, replaced]) == Total(1.5, Fraction(0), 2, doubled=1)
    assert total([joins, joins]).epsilon == 1 and total([joins, Spent(PrivacyLevel.from_epsilon("1/2"))]).epsilon == 1
    assert times(PrivacyLevel.from_alpha("1/2"), Fraction(2)).exact_alpha == Fraction(1, 4)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["0.1", "0.5", "ln 2", "1"]), min_size=1, max_size=8),
    st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(1, 20)]),
)
def test_a_total_is_never_above_the_sum_nor_below_the_largest_less_delta(levels: list[str], delta: Fraction) -> None:
    spent = [Spent(PrivacyLevel.from_epsilon(level)) for level in levels]
    found, basic = total(spent, delta), total(spent)
    assert found.epsilon <= basic.epsilon
    largest = max(each.level.epsilon for each in spent)
    assert found.epsilon >= together_at(PrivacyLevel.from_epsilon(repr(largest)), 1, delta) - 1e-12
