"""Other ways of releasing a count, for structured losses: as with matrices, and where no matrix fits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.count import alternatives
from dpdesigner.core.count.alternatives import epsilon_reaching, loss_range, optimal_loss
from dpdesigner.core.mechanism.structured_remap import structure, structured_value
from dpdesigner.core.noise import laplace, staircase

_LOSSES = [
    *["absolute", "squared", "zero-one", "relative", "threshold:2"],
    *["pinball:1/3", "pinball:0", "pinball:1", "distance:1,1,3,4"],
]


@given(
    st.integers(0, 40),
    st.sampled_from(_LOSSES),
    st.sampled_from([0.0, 1e-6, 0.01, 0.3, 1.0, 5.0, 50.0, 800.0, math.inf]),
    st.integers(0, 2**32),
    st.sampled_from([0.1, 0.7, 1.0]),
)
@settings(deadline=None, max_examples=40)
def test_agree_with_matrices(n: int, loss: str, epsilon: float, seed: int, dense: float) -> None:
    rng = np.random.default_rng(seed)
    weights = rng.random(n + 1) ** 2 * (rng.random(n + 1) < dense)
    weights[rng.integers(n + 1)] += 0.1
    design = CountDesign(n, epsilon=epsilon, prior=weights, loss=loss)
    prior, matrix, made_of = design.prior.probabilities, design.loss.matrix(n), design.structure
    assert made_of is not None
    close = {"rel": 1e-11, "abs": 1e-12 * float(prior @ np.abs(matrix).max(axis=1)) + 1e-290}
    assert alternatives.face_value(prior, made_of, design.privacy) == pytest.approx(
        alternatives.face_value(prior, matrix, design.privacy), **close
    )
    gamma = staircase.optimal_gamma(epsilon) if 0 < epsilon < math.inf else 0.5
    noises = [laplace.rounded(epsilon, 1), staircase.rounded(epsilon, 0.5, 1), staircase.rounded(epsilon, gamma, 1)]
    found = alternatives.remapped_noises(prior, made_of, design.privacy, noises)
    assert found == pytest.approx(alternatives.remapped_noises(prior, matrix, design.privacy, noises), **close)
    assert loss_range(prior, made_of) == pytest.approx(loss_range(prior, matrix), **close)


@pytest.mark.parametrize("loss", ["absolute", "squared", "zero-one", "threshold:3"])
def test_large(loss: str) -> None:
    """The staircase with gamma = 1/2 is the geometric mechanism, nothing is better, and the level of a loss gives the loss."""
    n, level = 20_000, PrivacyLevel.from_epsilon("0.3")
    prior, made_of = Prior("two-peak:3000,9000", n).probabilities, structure(Loss(loss))
    assert made_of is not None
    value = structured_value(prior, made_of, level)
    noises = [staircase.rounded(0.3, 0.5, 1), laplace.rounded(0.3, 1)]
    plain, half, noisy = alternatives.remapped_noises(prior, made_of, level, noises)
    assert plain == value and half == pytest.approx(value, rel=1e-11) and noisy > value
    assert alternatives.face_value(prior, made_of, level) >= value * (1 - 1e-12)
    assert alternatives.ignoring_the_data(prior, made_of) == pytest.approx(
        structured_value(prior, made_of, PrivacyLevel.from_alpha(1)), rel=1e-9
    )
    heard: list[float] = []
    epsilon = epsilon_reaching(prior, made_of, value, heard.append)
    assert 0.3 * (1 - 1e-6) <= epsilon <= 0.3 * (1 + 2e-5) and len(heard) < 40 and heard == sorted(heard)
    assert optimal_loss(prior, made_of, PrivacyLevel.from_epsilon(epsilon)) <= value


@pytest.mark.parametrize("loss", ["absolute", "zero-one", "power:0.5"])
def test_targets_share_what_is_known(loss: str) -> None:
    """A target near those asked before takes fewer levels, and gives the same epsilon."""
    design = CountDesign(60, epsilon=1, prior="binomial:0.3", loss=loss)
    prior, matrix = design.prior.probabilities, design.loss.matrix(60)
    known: dict[float, float] = {}
    spent = []
    for epsilon in (0.5, 2.0, 1.0, 1.01, 0.99):
        target = optimal_loss(prior, matrix, PrivacyLevel.from_epsilon(epsilon))
        before = len(known)
        found = epsilon_reaching(prior, matrix, target, monotone=True, known=known)
        spent.append(len(known) - before)
        assert epsilon * (1 - 1e-6) <= found <= epsilon * (1 + 2e-5)
        assert found == pytest.approx(epsilon_reaching(prior, matrix, target), rel=1e-5)
    assert spent[0] < 30 and max(spent[3:]) < 9
