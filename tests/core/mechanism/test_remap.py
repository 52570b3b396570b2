"""The Bayes remap in doubles against direct sums in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import published
import pytest
from core import oracle
from core.strategies import COVERED, UNCOVERED, unimodal, users
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign, solve
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.remap import Remap, bayes_remap, solve_exactly


def _remap(design: CountDesign) -> Remap:
    return bayes_remap(design.prior.probabilities, design.loss.matrix(design.n), design.privacy)


def _scores(design: CountDesign, j: int) -> list[Fraction]:
    """The cost of each reading of output j, up to the factor D_j."""
    loss, alpha = design.loss.exact_matrix(design.n), design.privacy.exact_alpha
    assert alpha is not None
    return [
        sum((p * alpha ** abs(i - j) * loss[i][r] for i, p in enumerate(design.prior.exact)), Fraction(0))
        for r in range(design.n + 1)
    ]


@given(users(largest=8))
@settings(deadline=None, max_examples=40)
def test_agrees_with_direct_sums(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    assert design.privacy.exact_alpha is not None
    loss = design.loss.exact_matrix(design.n)
    value, _ = oracle.best_remap(design.prior.exact, loss, design.privacy.exact_alpha)
    scale = sum(p * max(map(abs, row)) for p, row in zip(design.prior.exact, loss, strict=True))
    found = _remap(design)
    assert abs(Fraction(found.value) - value) <= scale / 10**12 + Fraction(1, 10**300)
    assert all(0 <= r <= design.n for r in found.outputs)


@given(users(largest=8, losses=st.sampled_from(COVERED)))
@settings(deadline=None, max_examples=35)
def test_every_reading_is_as_good_as_the_best(user: dict[str, Any]) -> None:
    """Also where the output is so unlikely that its costs are too small for a double."""
    design = CountDesign(**user)
    alpha, largest = design.privacy.exact_alpha, max(max(map(abs, row)) for row in design.loss.exact_matrix(design.n))
    assert alpha is not None
    for j, r in enumerate(_remap(design).outputs.tolist()):
        likely = sum(p * alpha ** abs(i - j) for i, p in enumerate(design.prior.exact))
        scores = _scores(design, j)
        assert scores[r] <= min(scores) + likely * largest / 10**12


@pytest.mark.parametrize("n", [31, 32, 33, 63, 64, 65, 100, 200])
@pytest.mark.parametrize("alpha", [0.5, 0.99, 1e-3, 1e-9])
def test_blocks_join(n: int, alpha: float) -> None:
    """Larger than one block of the filters."""
    rng = np.random.default_rng(n)
    prior = rng.random(n + 1) * (rng.random(n + 1) < 0.7)
    prior /= prior.sum()
    loss = rng.random((n + 1, n + 1))
    level = PrivacyLevel.from_alpha(alpha)
    scores = (geometric.matrix(level, n) * prior[:, None]).T @ loss
    found = bayes_remap(prior, loss, level)
    assert found.value == pytest.approx(scores.min(axis=1).sum(), rel=1e-13)
    assert found.outputs.tolist() == scores.argmin(axis=1).tolist()
    assert found.dual.sum() == pytest.approx(found.value, rel=1e-9)
    wide = bayes_remap(prior, np.ascontiguousarray(np.hstack((loss, loss - 0.001))), level)
    assert (wide.outputs > n).all() and wide.value == pytest.approx(found.value - 0.001)


def test_ties_go_to_the_reading_nearest_to_the_output() -> None:
    level = PrivacyLevel.from_alpha("1/2")
    constant = np.ones((4, 4))
    assert bayes_remap(np.full(4, 0.25), constant, level).outputs.tolist() == [0, 1, 2, 3]
    assert bayes_remap(np.full(4, 0.25), constant, PrivacyLevel.from_alpha(1)).outputs.tolist() == [0, 0, 0, 0], "one for all"
    # Prior 1/2 on 0 and on 2: the middle output says nothing, and 0 is the smaller of two equally near.
    binary = 1 - np.eye(3)
    assert bayes_remap(np.array([0.5, 0, 0.5]), binary, level).outputs.tolist() == [0, 0, 2]
    # A tie between costs that cancel: rounding must not break it.
    swings = np.array([[0.1, -0.1, 0.1], [-0.2, 0.2, -0.2], [0.1, -0.1, 0.1]])
    assert bayes_remap(np.array([0.1, 0.2, 0.3]) / 0.6, swings, level).outputs.tolist()[0] in (0, 1)


@pytest.mark.parametrize("n", [200, 401, 2000, 2001, 5000])
def test_the_largest_count_is_not_read_as_another_for_a_rounding_error(n: int) -> None:
    """Reading n as n is better by 2^-n; in doubles n - 1 is as good."""
    found = solve(CountDesign(n, alpha="1/2", prior="uniform", loss="absolute"))
    assert found.remap.tolist() == list(range(n + 1)) and found.proved
    if n == 200:
        exactly = solve(found.design, exact=True)
        assert exactly.remap.tolist() == found.remap.tolist() and exactly.certificate.gap == 0
        assert found.value == pytest.approx(float(exactly.value), rel=1e-13)


def test_ties_are_relative_to_the_costs_not_to_their_difference() -> None:
    """Two readings that cost the same, by sums that round differently, with losses of both signs."""
    design = CountDesign(
        n=2, alpha="1/2", prior=["0.1", "0.7", "0.2"], loss=[["0.7", "0.7", 1], ["-0.2", "-0.2", 1], ["0.35", "0.35", 1]]
    )
    assert _remap(design).outputs.tolist() == [0, 1, 1]
    # At alpha = 1 the costs are 0.1 x 0.7 - 0.7 x 0.1 = 0 for the first reading and exactly 0 for the second.
    design = CountDesign(n=1, alpha=1, prior=["0.3", "0.7"], loss=[["0.7", 0], ["-0.3", 0]])
    assert _remap(design).outputs.tolist() == [0, 0]


@pytest.mark.parametrize("epsilon", [40, 200, 745, 800, 5000])
@pytest.mark.parametrize("at", [0, 7, 20])
def test_certainty_is_read_from_every_output(epsilon: float, at: int) -> None:
    """A user who is certain reads every output alike, however unlikely it is."""
    for loss in ("absolute", "squared", "zero-one", "pinball:1/3"):
        design = CountDesign(n=20, epsilon=epsilon, prior=f"spike:{at}", loss=loss)
        assert _remap(design).outputs.tolist() == [at] * 21


@pytest.mark.parametrize("epsilon", [40, 300, 800])
def test_readings_where_costs_underflow(epsilon: float) -> None:
    """Beliefs at both ends: what lies nearer decides, though the costs are beyond doubles."""
    design = CountDesign(n=21, epsilon=epsilon, prior=[1, *[0] * 20, 1], loss="zero-one")
    assert _remap(design).outputs.tolist() == [0] * 11 + [21] * 11


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 1e300])
def test_weights_of_any_size(weight: float) -> None:
    design = CountDesign(n=3, alpha="1/2", prior=[weight, 0, weight, 0], loss="absolute")
    assert _remap(design).value == _remap(CountDesign(n=3, alpha="1/2", prior=[1, 0, 1, 0], loss="absolute")).value


def test_extreme_levels() -> None:
    prior, loss = np.array([0.2, 0.5, 0.3]), np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    truthful = bayes_remap(prior, loss, PrivacyLevel.from_alpha(0))
    assert truthful.outputs.tolist() == [0, 1, 2] and truthful.value == 0
    ignorant = bayes_remap(prior, loss, PrivacyLevel.from_alpha(1))
    assert ignorant.outputs.tolist() == [1, 1, 1] and ignorant.value == pytest.approx(0.5)
    alone = bayes_remap(np.ones(1), np.array([[3.0, -1.0]]), PrivacyLevel.from_alpha("1/2"))
    assert alone.outputs.tolist() == [1] and alone.value == -1


@pytest.mark.parametrize("n", [23, 24, 25, 49, 120])
@pytest.mark.parametrize("alpha", ["0", "1/1000", "1/2", "999/1000", "1"])
def test_blocks_join_without_a_seam(n: int, alpha: str) -> None:
    """Scores are computed block by block; around and beyond the size of a block they are what direct sums give."""
    design = CountDesign(n, alpha=alpha, prior="binomial:1/3")
    found, level = _remap(design), float(Fraction(alpha))
    kernel = np.power(level, np.abs(np.arange(n + 1)[:, None] - np.arange(n + 1)))
    direct = kernel @ (design.prior.probabilities[:, None] * design.loss.matrix(n))
    assert np.allclose(found.scores, direct.min(axis=1), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("n", [12, 60])
def test_readings_are_told_apart_where_what_tells_them_is_lost_to_doubles(n: int, monotone: bool) -> None:
    """Far from both, only the less likely of two counts speaks against reading 0."""
    design = CountDesign(n, alpha="1/256", prior=[0, 1e300, 1] + [0] * (n - 2), loss="threshold:1")
    found = bayes_remap(design.prior.probabilities, design.loss.matrix(n), design.privacy, monotone)
    assert found.outputs.tolist() == [1, 1] + [2] * (n - 1), "1 and 2 cost nothing, and the nearer is taken"
    assert np.array_equal(found.dual, np.zeros(n + 1))


@given(users(largest=40, losses=st.sampled_from(COVERED)))
@settings(deadline=None, max_examples=30)
def test_fewer_readings_tried_give_the_same(user: dict[str, Any]) -> None:
    """Where Theorem A has it that the best reading does not decrease; blocks of outputs need more than a few of them."""
    design = CountDesign(**user)
    prior, loss = design.prior.probabilities, design.loss.matrix(design.n)
    assert design.covered
    full, few = bayes_remap(prior, loss, design.privacy), bayes_remap(prior, loss, design.privacy, monotone=True)
    scale = float(prior @ np.abs(loss).max(axis=1))
    assert few.value == pytest.approx(full.value, rel=1e-14, abs=1e-15 * scale)
    if 1e-6 < design.privacy.one_minus_alpha < 1:
        places = np.arange(design.n + 1)
        scores = np.power(design.privacy.alpha, np.abs(places[:, None] - places)) @ (prior[:, None] * loss)
        # Readings may differ only where doubles cannot tell their scores apart.
        assert scores[places, few.outputs] == pytest.approx(scores[places, full.outputs], rel=1e-13, abs=0.0)


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "power:1.5", "pinball:1/5", "threshold:30", "relative"])
@pytest.mark.parametrize("epsilon", ["0.001", "0.2", "2", "20"])
def test_fewer_readings_tried_in_many_blocks(loss: str, epsilon: str) -> None:
    weights = np.random.default_rng(7).random(301) ** 3
    design = CountDesign(n=300, epsilon=epsilon, prior=weights, loss=loss)
    prior, matrix = design.prior.probabilities, design.loss.matrix(300)
    full, few = bayes_remap(prior, matrix, design.privacy), bayes_remap(prior, matrix, design.privacy, monotone=True)
    assert (few.outputs == full.outputs).all() and few.value == pytest.approx(full.value, rel=1e-14)
    assert few.dual == pytest.approx(full.dual, rel=1e-7, abs=1e-9 * float(full.dual.max()))


@pytest.mark.parametrize("alpha", ["1e-20", "1e-9", "0.3"])
@pytest.mark.parametrize("seed", range(12))
def test_readings_that_are_equal_but_for_little(alpha: str, seed: int) -> None:
    """Losses that are flat about their least value: among readings that tie, what the neighbours say decides."""
    rng = np.random.default_rng(seed)
    n = 150
    valleys = np.sort(rng.integers(0, n + 1, n + 1))
    rises = rng.integers(1, 5, (n + 1, n + 1)) * (rng.random((n + 1, n + 1)) < 0.02)
    loss = np.zeros((n + 1, n + 1))
    for i, valley in enumerate(valleys):
        loss[i, valley + 1 :] = np.cumsum(rises[i, valley + 1 :])
        loss[i, :valley] = np.cumsum(rises[i, :valley])[::-1]
    prior = rng.random(n + 1) * (rng.random(n + 1) < 0.9)
    level = PrivacyLevel.from_alpha(alpha)
    full, few = (bayes_remap(prior / prior.sum(), loss, level, monotone=monotone) for monotone in (False, True))
    assert few.value == pytest.approx(full.value, rel=1e-12, abs=1e-16)


@pytest.mark.parametrize(
    "user", published.reference_users(), ids=lambda user: f"{user['name']}-{user['n']}-{user['alpha']}-{user['loss']}"
)
def test_reference_users(user: dict[str, Any]) -> None:
    design = CountDesign(n=user["n"], alpha=user["alpha"], prior=user["prior"], loss=user["loss"])
    assert design.prior.exact == CountDesign(n=user["n"], alpha=1, prior=user["named"]).prior.exact
    exactly = solve(design, exact=True)
    assert exactly.value == Fraction(user["value"]) and isinstance(exactly.value, Fraction)
    assert exactly.remap.tolist() == user["remap"]
    if user["dual_w"] is not None:
        assert list(exactly.certificate.dual) == [Fraction(w) for w in user["dual_w"]]
    assert exactly.certificate.gap == exactly.certificate.shift == 0 and exactly.certificate.exact
    prior, loss = design.prior.exact, design.loss.exact_matrix(design.n)
    assert oracle.loss_of(prior, loss, oracle.geometric(design.n, Fraction(user["alpha"]))) == Fraction(
        user["face_value_clamped"]
    )
    nearly = solve(design)
    assert nearly.value == pytest.approx(user["value_float"], rel=1e-13)
    # Beyond n = 50 the last reading beats the one before it by 2^-n only, which doubles take for a tie.
    assert (nearly.remap == user["remap"]).all() or (design.n > 50 and (nearly.remap[:-1] == user["remap"][:-1]).all())
    assert 0 <= nearly.certificate.gap <= 3e-13 * max(map(max, loss)) and nearly.proved


FURTHER = [
    (2, "2/5", [3, 0, 1], "absolute"),
    (2, "5/6", ["1/7", "2/7", "4/7"], "pinball:1/5"),
    (3, "3/7", [0, 1, 1, 0], "zero-one"),
    (3, "1/10", [1, 2, 3, 4], "relative"),
    (3, "99/100", [4, 3, 2, 1], "squared"),
    (4, "1/7", "two-peak:0,4", "absolute"),
    (4, "4/5", [1, 0, 0, 0, 1], "threshold:1"),
    (4, "2/3", "triangular:0,1,4", "distance:0,1,1,5"),
    (4, "1/2", [5, 1, 0, 1, 5], "power:3"),
    (5, "1/4", "poisson:2", "pinball:2/3"),
    (5, "3/4", "geometric:1/3", "relative"),
    (5, "19/20", "uniform", "threshold:2"),
    (5, "2/7", [0, 0, 1, 0, 0, 2], "expression:abs(i-r)*(1+i)"),
    (5, "5/8", "spike:3", "squared"),
    (6, "1/2", [1, 1, 0, 0, 0, 1, 1], "absolute"),
    (6, "1/3", "binomial:2/5", "expression:where(r>i,3,1)*abs(i-r)"),
    (6, "6/7", "quantiles:10%=1,90%=4", "squared"),
    (6, "1/100", "uniform", "pinball:9/10"),
    (7, "1/2", ["0.05", "0.1", "0.2", "0.3", "0.15", "0.1", "5%", "5%"], "absolute"),
    (7, "7/9", "binomial:1/4", "zero-one"),
    (7, "11/13", [1, 2, 4, 8, 16, 32, 64, 128], "relative"),
    (8, "3/5", "two-peak:2,6", "squared"),
    (8, "1/2", [0, 1, 0, 1, 0, 1, 0, 1, 0], "threshold:1"),
    (8, "9/11", "poisson:9/2", "pinball:1/3"),
    (9, "1/2", "uniform", "expression:(i-r)**2 + abs(i-r) - 7"),
    (10, "2/3", "triangular:2,5,9", "power:4"),
    (11, "1/2", "binomial:1/2", "distance:0,0,1,3,3,9"),
    (12, "4/7", "geometric:4/5", "absolute"),
    (12, "17/20", "two-peak:1,11", "expression:max(i-r,(r-i)/2)"),
    (16, "1/2", [i * i % 7 for i in range(17)], "squared"),
]


@pytest.mark.parametrize(("n", "alpha", "prior", "loss"), FURTHER)
def test_further_users(n: int, alpha: str, prior: Any, loss: str) -> None:
    design = CountDesign(n=n, alpha=alpha, prior=prior, loss=loss)
    beliefs, costs, level = design.prior.exact, design.loss.exact_matrix(n), Fraction(alpha)
    value, remap = oracle.best_remap(beliefs, costs, level)
    if n <= 8:
        assert oracle.optimum(beliefs, costs, level) == value
    exactly = solve(design, exact=True)
    assert design.covered and exactly.value == value == sum(exactly.certificate.dual)
    assert exactly.remap.tolist() == remap
    assert exactly.certificate.gap == 0 and exactly.proved
    assert oracle.loss_of(beliefs, costs, exactly.mechanism) == value
    assert oracle.is_private(exactly.mechanism, level)
    nearly = solve(design)
    assert nearly.value == pytest.approx(float(value), rel=1e-13, abs=1e-13) and nearly.remap.tolist() == remap


def test_figures_2_and_3() -> None:
    outcome = solve(CountDesign(**published.FIGURE_2_USER))
    assert outcome.remap.tolist() == published.FIGURE_2_REMAP
    assert list(outcome.induced.exact_rows(Fraction(1, 2))) == published.FIGURE_2
    assert outcome.mechanism == pytest.approx(np.array(published.FIGURE_2, dtype=float), rel=1e-15)
    assert outcome.value == pytest.approx(float(published.FIGURE_2_VALUE), rel=2e-15)
    assert outcome.certificate.dual == pytest.approx(np.array(published.FIGURE_2_DUAL), rel=1e-13)
    assert outcome.certificate.gap < 1e-13 and outcome.proved
    assert outcome.constraints.tolist() == published.FIGURE_3
    assert (outcome.constraints == "S").sum() == (outcome.constraints == "Z").all(axis=0).sum() == 1


@pytest.mark.parametrize(("n", "alpha"), published.EXAMPLE_2_2)
def test_example_2_2(n: int, alpha: str) -> None:
    design = CountDesign(n=n, alpha=alpha, prior=[1, *[0] * (n - 1), 1], loss="zero-one")
    exactly = solve(design, exact=True)
    assert exactly.value == Fraction(published.EXAMPLE_2_2[n, alpha])
    assert exactly.certificate.gap == 0
    middle = (n + 1) // 2 + (n + 1) % 2
    assert exactly.remap.tolist() == [0] * middle + [n] * (n + 1 - middle)
    face = oracle.loss_of(design.prior.exact, design.loss.exact_matrix(n), exactly.geometric)
    assert face == Fraction(alpha) / (1 + Fraction(alpha))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("alpha", ["1/10", "1/2", "9/10"])
def test_theorem_6_1(n: int, alpha: str) -> None:
    """Uniform prior and binary loss: the optimum is G itself, and G alone."""
    exactly = solve(CountDesign(n=n, alpha=alpha, loss="zero-one"), exact=True)
    assert exactly.value == published.uniform_binary(n, Fraction(alpha))
    assert exactly.mechanism.tolist() == exactly.geometric.tolist() == oracle.geometric(n, Fraction(alpha))
    # Nearby users all have G as an optimum too, so no other mechanism is optimal for all of them; for this one the
    # dual is strictly inside on all but one ray of each output: moving along any other ray costs.
    prior, loss = exactly.design.prior.exact, exactly.design.loss.exact_matrix(n)
    for other in range(n + 1):
        nudged = [[entry + (Fraction(1, 10**6) if r == other else 0) for r, entry in enumerate(row)] for row in loss]
        solved = solve_exactly(prior, nudged, Fraction(alpha))
        assert solved.outputs == tuple(range(n + 1)) and solved.certificate.gap == 0


@given(users(largest=5))
@settings(deadline=None, max_examples=40)
def test_random_users(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    assert design.privacy.exact_alpha is not None
    prior, loss, alpha = design.prior.exact, design.loss.exact_matrix(design.n), design.privacy.exact_alpha
    value, remap = oracle.best_remap(prior, loss, alpha)
    exactly = solve(design, exact=True)
    assert exactly.value == value and exactly.remap.tolist() == remap
    truth = value - oracle.optimum(prior, loss, alpha)
    assert exactly.certificate.gap >= truth and (exactly.certificate.gap == 0) == (truth == 0)
    if design.covered:
        assert truth == 0
        size = sum(p * max(map(abs, row)) for p, row in zip(prior, loss, strict=True))
        assert abs(Fraction(solve(design).value) - value) <= (size if min(map(min, loss)) < 0 else value) / 10**12 + Fraction(
            1, 10**285
        )


@given(st.data(), st.integers(0, 7), st.sampled_from([Fraction(0), Fraction(1)]))
@settings(deadline=None, max_examples=30)
def test_exact_extreme_levels(data: st.DataObject, n: int, alpha: Fraction) -> None:
    """alpha = 0: the truth is released and read as well as possible. alpha = 1: nothing is released, so one answer for all."""
    loss = data.draw(st.one_of(unimodal(n), st.sampled_from(COVERED + UNCOVERED)))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=n + 1, max_size=n + 1).filter(any))
    exactly = solve(CountDesign(n=n, alpha=alpha, prior=weights, loss=loss), exact=True)
    prior, costs = exactly.design.prior.exact, exactly.design.loss.exact_matrix(n)
    if alpha == 0:
        assert exactly.value == sum(p * min(row) for p, row in zip(prior, costs, strict=True))
    else:
        assert exactly.value == min(sum(p * row[r] for p, row in zip(prior, costs, strict=True)) for r in range(n + 1))
        assert len(set(exactly.remap.tolist())) == 1
    assert exactly.certificate.gap == 0 and sum(exactly.certificate.dual) == exactly.value
    assert oracle.is_private(exactly.mechanism, alpha)
    nearly = solve(exactly.design)
    assert nearly.value == pytest.approx(float(exactly.value), abs=1e-12) and nearly.proved
