"""The certificate must never be too optimistic: its gap is at least the true one, whatever dual it is given."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import published
import pytest
from core import oracle
from core.strategies import COVERED, matrices, unimodal, users
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign, solve
from dpdesigner.core.basics.prior import PROBABILITY_ERROR
from dpdesigner.core.mechanism.certificate import Costs, _feasible, certified_gap, certify

#: Levels as doubles, from far below what a double's square can hold to the last double before 1.
_ALPHAS = st.one_of(
    st.sampled_from([1e-300, 1e-290, 9e-291, 1e-200, 1e-12, 0.5, 1 - 1e-9, 1 - 1e-12, 1 - 2.0**-53]),
    st.floats(1e-9, 1, exclude_max=True),
)
_SIZES = st.sampled_from([1.0, 1.0, 1e-100, 1e100, 1e-300])


@st.composite
def _costs(draw: st.DrawFn) -> Costs:
    n, m = draw(st.integers(0, 4)), draw(st.integers(1, 3))
    entries = draw(
        st.sampled_from([st.floats(0, 1), st.floats(-1, 1), st.sampled_from([0.0, 1.0, -1.0]), st.integers(0, 3).map(float)])
    )
    loss = np.array(draw(st.lists(entries, min_size=(n + 1) * m, max_size=(n + 1) * m))).reshape(n + 1, m) * draw(_SIZES)
    weights = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1e-12, 5e-324]))
    prior = np.array(draw(st.lists(weights, min_size=n + 1, max_size=n + 1)))
    return Costs(prior, loss, loss.min(axis=1), loss.max(axis=1))


@given(_costs(), _ALPHAS, st.data())
@settings(deadline=None, max_examples=100)
def test_random_duals_are_never_overrated(costs: Costs, alpha: float, data: st.DataObject) -> None:
    """After the shift each c_r - w is in K*, decided ray by ray in fractions, so sum(w) bounds every private mechanism."""
    n, largest = len(costs.prior) - 1, float(np.abs(costs.loss).max()) + 1e-300
    duals = st.one_of(st.floats(-1, 1), st.just(0.0), st.sampled_from([1e-17, -1e-17])).map(lambda w: w * largest)
    dual = np.array(data.draw(st.lists(duals, min_size=n + 1, max_size=n + 1)))
    if data.draw(st.booleans()):
        dual = (costs.prior[:, None] * costs.loss).min(axis=1) * (1 + dual / largest * 1e-15)
    value = float(costs.prior @ costs.loss.max(axis=1))
    certificate = certify(costs, dual, value, alpha)
    lowered = [Fraction(w) - Fraction(certificate.shift) for w in dual]
    for r in range(costs.loss.shape[1]):
        column = [Fraction(p) * Fraction(c) for p, c in zip(costs.prior, costs.loss[:, r], strict=True)]
        assert oracle.in_dual_cone([c - w for c, w in zip(column, lowered, strict=True)], Fraction(alpha))
    # Its gap follows; below sum(p min l) nothing can fall anyway.
    floor = sum(Fraction(p) * Fraction(least) for p, least in zip(costs.prior, costs.low, strict=True))
    assert Fraction(certificate.gap) >= Fraction(value) - max(sum(lowered), floor)


@given(users(largest=5))
@settings(deadline=None, max_examples=60)
def test_gap_is_at_least_the_truth(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    assert design.privacy.exact_alpha is not None
    outcome = solve(design)
    optimum = oracle.optimum(design.prior.exact, design.loss.exact_matrix(design.n), design.privacy.exact_alpha)
    assert Fraction(outcome.certificate.gap) >= Fraction(outcome.value) - optimum
    assert outcome.certificate.gap >= 0


@given(st.integers(0, 5), st.data(), st.floats(1e-9, 700).map(repr))
@settings(deadline=None, max_examples=50)
def test_gap_is_at_least_the_truth_where_alpha_is_irrational(n: int, data: st.DataObject, epsilon: str) -> None:
    loss = data.draw(st.one_of(matrices(n), unimodal(n), st.sampled_from(COVERED)))
    design = CountDesign(n=n, epsilon=epsilon, prior="poisson:1.7", loss=loss)
    outcome = solve(design)
    # A larger cone has a smaller optimum.
    optimum = oracle.optimum(design.prior.exact, design.loss.exact_matrix(n), design.privacy.alpha_below)
    assert Fraction(outcome.certificate.gap) >= Fraction(outcome.value) - optimum


@given(users(largest=6, losses=st.sampled_from(COVERED)))
@settings(deadline=None, max_examples=75)
def test_gap_of_covered_losses_is_rounding(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    if design.privacy.one_minus_alpha < 1e-6:
        return  # there the dual cancels; see test_levels_near_1
    outcome = solve(design)
    scale = float(design.costs.prior @ np.maximum(design.costs.high, -design.costs.low))
    assert outcome.certificate.gap <= 3e-13 * scale * max(1.0, 1e-3 / design.privacy.one_minus_alpha) + 1e-290
    assert outcome.proved


@pytest.mark.parametrize("loss", COVERED)
@pytest.mark.parametrize("epsilon", ["1e-3", "0.1", "ln 2", "5", "40", "800"])
def test_gap_at_n_100(loss: str, epsilon: str) -> None:
    for prior in ("uniform", "binomial:0.3", "spike:100", "two-peak:20,70", "geometric:1/3"):
        design = CountDesign(n=100, epsilon=epsilon, prior=prior, loss=loss)
        outcome = solve(design)
        scale = float(design.costs.prior @ np.maximum(design.costs.high, -design.costs.low))
        # Losses of both signs are charged their size, and a small epsilon makes the dual a difference of near-equals.
        allowed = 5e-12 if epsilon == "1e-3" else 1e-12 if design.costs.low.min() < 0 else 3e-13
        assert outcome.certificate.gap <= allowed * scale, prior
        assert outcome.proved


@pytest.mark.parametrize("epsilon", [1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4])
@pytest.mark.parametrize("loss", ["absolute", "zero-one", "threshold:1", "pinball:1/5", "distance:0,0.1,0.3,0.3,7"])
def test_levels_near_1(epsilon: float, loss: str) -> None:
    """Where readings tie as alpha tends to 1, the dual is a difference of near-equals; yet the gap stays small."""
    for prior in (["3", "1", "3", "3", "1"], ["1", "1", "0", "0.6578806775887092", "0"], "uniform", [3, 3, 1, 3, 3]):
        outcome = solve(CountDesign(n=4, epsilon=epsilon, prior=prior, loss=loss))
        assert outcome.certificate.gap <= 1e-8
        assert outcome.proved or 1e-9 < epsilon < 1e-7


@pytest.mark.parametrize(("loss", "n", "alpha", "remap", "optimum"), published.UNCOVERED)
def test_known_gaps_are_seen(loss: str, n: int, alpha: str, remap: str, optimum: str) -> None:
    design = CountDesign(n=n, alpha=alpha, loss=loss)
    outcome = solve(design)
    truth = Fraction(remap) - Fraction(optimum)
    assert outcome.value == pytest.approx(float(Fraction(remap)), rel=1e-14)
    assert outcome.certificate.gap >= truth and not outcome.proved and not design.covered
    exactly = solve(design, exact=True)
    assert exactly.value == Fraction(remap) and exactly.certificate.gap >= truth and not exactly.proved


@pytest.mark.parametrize("n", [3, 5, 8])
@pytest.mark.parametrize("alpha", ["1/4", "1/2", "3/4"])
def test_circular_distance_is_certified_though_not_covered(n: int, alpha: str) -> None:
    outcome = solve(CountDesign(n=n, alpha=alpha, loss="expression:min(abs(i-r),n+1-abs(i-r))"))
    assert not outcome.design.covered and outcome.proved
    assert solve(outcome.design, exact=True).certificate.gap == 0


@pytest.mark.parametrize("loss", ["threshold:100", "expression:0", "distance:0"])
def test_a_loss_of_nothing_is_proved(loss: str) -> None:
    outcome = solve(CountDesign(n=5, alpha="1/2", loss=loss))
    assert outcome.value == 0 and outcome.proved


@pytest.mark.parametrize("epsilon", [200, 300, 400, 500, 600, 660, 667, 668, 700, 745, 746, 800, 1e6])
@pytest.mark.parametrize(
    "loss", ["absolute", "squared", published.PARITY, "expression:1e90*abs(i-r)-1e90", "expression:1e-90*abs(i-r)"]
)
def test_levels_near_0_do_not_overflow(epsilon: float, loss: str) -> None:
    for n in (1, 9, 40):
        outcome = solve(CountDesign(n=n, epsilon=epsilon, prior="triangular:0,0,1", loss=loss))
        assert 0 <= outcome.certificate.gap < math.inf
        assert outcome.proved


def test_gap_from_costs_multiplied_out() -> None:
    design = CountDesign(**published.FIGURE_2_USER)
    costs = design.prior.probabilities[:, None] * design.loss.matrix(5)
    gap = certified_gap(costs, np.array(published.FIGURE_2_DUAL), float(published.FIGURE_2_VALUE), 0.5)
    assert 0 <= gap < 1e-13
    assert certified_gap(costs, np.zeros(6), float(published.FIGURE_2_VALUE), 0.5) >= float(published.FIGURE_2_VALUE)


def charged(alpha: Fraction, n: int, start: int, units: int) -> tuple[float, Fraction]:
    """What rounding is charged where all that costs is `start` rows away or more, and what may come of it, to 80 digits.

    The user is sure of 0; the entry d rows away is (1 - alpha) alpha^d, and was computed with 3 d roundings, all the same way. A
    sum of n + 1 terms in blocks adds `units` of them, and each probability may be off by its own error.
    """
    loss = np.zeros((n + 1, 1))
    loss[0] = 1.0
    prior = np.zeros(n + 1)
    prior[0] = 1.0
    costs = Costs(prior, loss, loss.min(axis=1), loss.max(axis=1))
    with localcontext() as digits:
        digits.prec = 80
        unit, level = Decimal(2) ** -53, Decimal(alpha.numerator) / alpha.denominator
        value, lower = level**start, level * (1 - unit) ** 3  # the sum of (1 - alpha) alpha^d from d = start on
        rounded = (1 - level) * lower**start / (1 - lower)
        least = Fraction(value - rounded + (units * unit + 2 * Decimal(PROBABILITY_ERROR)) * value)
    return costs.rounding(float(value), float(alpha)), least


@pytest.mark.parametrize(("slope", "n"), [(2, 4000), (2, 200_000), (64, 6000), (1024, 60_000)])
@pytest.mark.parametrize("tenths", [1, 10, 50, 100, 200, 300, 350, 380, 420])
def test_roundings_are_charged_as_far_as_they_reach(slope: int, n: int, tenths: int) -> None:
    """A threshold that is t / (1 - alpha) rows away needs 3 t / (1 - alpha) units; what is further than 37 is below exp(-37)."""
    alpha = Fraction(slope - 1, slope)
    paid, least = charged(alpha, n, tenths * slope // 10, n // 8)
    assert paid >= least
    assert paid <= 60 * least + Fraction(n, 2**53) * Fraction(math.exp(-37)) * 60  # and not so much more that it says nothing


@pytest.mark.parametrize("alpha", [0.0, 0.5, 0.99, 1 - 1e-6, 1.0])
def test_a_single_row_is_charged_for_its_few_operations(alpha: float) -> None:
    """A value of a few terms is still computed by some dozens of operations: the prior, its sum, products and the shift."""
    costs = Costs(np.ones(1), np.ones((1, 1)), np.ones(1), np.ones(1))
    assert costs.rounding(1.0, alpha) >= 96 * 2.0**-53 + 2 * PROBABILITY_ERROR


def test_costs_below_0_are_charged_by_their_size() -> None:
    """The value may be 0 where gains and losses cancel; the errors do not."""
    loss = np.array([[1.0, -1.0], [-1.0, 1.0]])
    costs = Costs(np.full(2, 0.5), loss, loss.min(axis=1), loss.max(axis=1))
    assert costs.rounding(0.0, 0.5) >= 96 * 2.0**-53


#: A unit of rounding, and how far the true alpha may be from the double.
UNIT, NEAR = Fraction(1, 2**53), (-4, 0, 4)


def in_cone(column: list[Fraction], alpha: float) -> bool:
    """Whether a column is in the dual cone at every level whose double may be this one."""
    for level in (Fraction(alpha) * (1 + units * UNIT) for units in NEAR):
        value = column[-1]
        for entry in column[-2::-1]:
            value = entry + min(level * value, value / level)
        if value < 0:
            return False
    return True


def largest_that_passes(test: Any, low: float, high: float) -> float:
    """The last double, nearly, at which a test passes that passes at `low` and not at `high`."""
    assert test(low) and not test(high)
    for _ in range(200):
        middle = low + (high - low) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if test(middle) else (low, middle)
    return low


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("n", [1, 7, 40])
@pytest.mark.parametrize("alpha", [0.5, 0.9, 0.1, 1 - 1e-3, 2 / 3])
def test_a_column_at_the_edge_of_the_cone_is_in_it_for_every_level_near_alpha(alpha: float, n: int, sign: int) -> None:
    """One entry n rows away, carried to row 0 by n products: the rounding of each, and the error of alpha, are charged."""
    if alpha**n < 1e-250:
        return
    loss, weights = np.zeros((n + 1, 1)), np.zeros(n + 1)
    dual = np.zeros(n + 1)
    dual[n] = -sign

    def passes(last: float) -> bool:
        dual[0] = last
        return _feasible(loss, weights, dual, np.abs(dual), alpha, 0.0)

    edge = alpha**n if sign > 0 else -(alpha**-n)
    dual[0] = largest_that_passes(passes, edge * (1 - sign * 1e-9), edge * (1 + sign * 1e-9))
    assert in_cone([-Fraction(entry) for entry in dual.tolist()], alpha)
    assert abs(dual[0] / edge - 1) <= (40 + 20 * n) * 2.0**-53  # and no more is charged than there is to charge


def test_the_sum_of_a_dual_is_charged_for_its_roundings() -> None:
    """Costs of nothing: whatever the dual, the gap is at least what it lacks, summed up exactly."""
    dice = np.random.default_rng(24)
    for size in (3, 20, 130):
        nothing = Costs.of(np.zeros((size, 1)))
        for _ in range(25):
            dual = -np.abs(dice.normal(size=size)) * np.exp(dice.normal(size=size))
            certificate = certify(nothing, dual.copy(), 0.0, 0.5)
            exact = sum(map(Fraction, dual.tolist())) - size * Fraction(certificate.shift)
            assert Fraction(certificate.gap) >= -exact
