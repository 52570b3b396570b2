"""The Bayes remap in doubles against direct sums in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core import oracle
from core.strategies import COVERED, users
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign
from dpdesigner.core.dense.remap import Remap, bayes_remap
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.privacy.level import PrivacyLevel


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
@settings(deadline=None, max_examples=80)
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
@settings(deadline=None, max_examples=70)
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


def test_ties_go_to_the_smallest() -> None:
    level = PrivacyLevel.from_alpha("1/2")
    constant = np.ones((4, 4))
    assert bayes_remap(np.full(4, 0.25), constant, level).outputs.tolist() == [0, 0, 0, 0]
    # Prior 1/2 on 0 and on 2: the middle output says nothing, so it is read as 0.
    binary = 1 - np.eye(3)
    assert bayes_remap(np.array([0.5, 0, 0.5]), binary, level).outputs.tolist() == [0, 0, 2]
    # A tie between costs that cancel: rounding must not break it.
    swings = np.array([[0.1, -0.1, 0.1], [-0.2, 0.2, -0.2], [0.1, -0.1, 0.1]])
    assert bayes_remap(np.array([0.1, 0.2, 0.3]) / 0.6, swings, level).outputs.tolist()[0] in (0, 1)


def test_ties_are_relative_to_the_costs_not_to_their_difference() -> None:
    """Two readings that cost the same, by sums that round differently, with losses of both signs."""
    design = CountDesign(
        n=2, alpha="1/2", prior=["0.1", "0.7", "0.2"], loss=[["0.7", "0.7", 1], ["-0.2", "-0.2", 1], ["0.35", "0.35", 1]]
    )
    assert set(_remap(design).outputs.tolist()) == {0}
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
    assert found.outputs.tolist() == [1] * (n + 1)
    assert np.array_equal(found.dual, np.zeros(n + 1))


@given(users(largest=40, losses=st.sampled_from(COVERED)))
@settings(deadline=None, max_examples=60)
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
