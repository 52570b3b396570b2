"""Other ways of releasing a count, against sums over their noise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import published
import pytest
from core import oracle
from core.strategies import users
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner import CountDesign, solve
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.count import alternatives
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.noise import laplace, staircase


@pytest.mark.parametrize(("n", "alpha"), published.FACE_VALUES)
def test_face_value(n: int, alpha: str) -> None:
    design = CountDesign(n=n, alpha=alpha)
    found = alternatives.face_value(design.prior.probabilities, design.loss.matrix(n), design.privacy)
    assert found == pytest.approx(float(Fraction(published.FACE_VALUES[n, alpha])), rel=1e-14)


@pytest.mark.parametrize(
    "user", published.reference_users(), ids=lambda user: f"{user['name']}-{user['n']}-{user['alpha']}-{user['loss']}"
)
def test_face_values_of_reference_users(user: dict[str, Any]) -> None:
    design = CountDesign(n=user["n"], alpha=user["alpha"], prior=user["prior"], loss=user["loss"])
    found = alternatives.face_value(design.prior.probabilities, design.loss.matrix(design.n), design.privacy)
    assert found == pytest.approx(float(Fraction(user["face_value_clamped"])), rel=1e-13)


@given(users(largest=6))
@settings(deadline=None, max_examples=40)
def test_nothing_beats_the_remap_of_the_geometric_mechanism_where_covered(user: dict[str, Any]) -> None:
    design = CountDesign(**user)
    prior, loss, level = design.prior.probabilities, design.loss.matrix(design.n), design.privacy
    scale = float(prior @ np.abs(loss).max(axis=1)) + 1e-290
    value = float(solve(design).value)
    face = alternatives.face_value(prior, loss, level)
    gammas = (0.5, staircase.optimal_gamma(level.epsilon))
    noises = [*(staircase.rounded(level.epsilon, gamma, 1) for gamma in gammas), laplace.rounded(level.epsilon, 1)]
    plain, half, *others = alternatives.remapped_noises(prior, loss, level, noises)
    assert plain == pytest.approx(value, rel=1e-12, abs=1e-14 * scale)
    # The staircase with gamma = 1/2, rounded, is the geometric mechanism: the same value, whatever the loss.
    assert half == pytest.approx(value, rel=1e-9, abs=1e-11 * scale)
    assert face >= value - 1e-12 * scale
    assert alternatives.ignoring_the_data(prior, loss) >= value - 1e-12 * scale
    if design.covered:
        assert min(others) >= value - 1e-12 * scale


@given(users(largest=5), st.sampled_from([0.0, 0.01, 0.4, 3.0, 40.0]), st.floats(0, 1))
@settings(deadline=None, max_examples=30)
def test_remapped_noise_by_definition(user: dict[str, Any], epsilon: float, gamma: float) -> None:
    """Clamp the sum of count and noise to 0..n, then read every output as well as possible."""
    design = CountDesign(**user).replace(epsilon=epsilon)
    n, prior, loss = design.n, design.prior.probabilities, design.loss.matrix(design.n)
    noises = [staircase.rounded(epsilon, gamma, n), laplace.rounded(epsilon, n)]
    found = alternatives.remapped_noises(prior, loss, design.privacy, noises)
    for value, (mass, tail) in zip(found[1:], noises, strict=True):
        kernel = mass[np.abs(np.arange(n + 1)[:, None] - np.arange(n + 1))]
        kernel[:, -1], kernel[:, 0] = tail[::-1], tail
        kernel = kernel if n else np.ones((1, 1))
        expected = sum(min(float(prior * kernel[:, j] @ loss[:, r]) for r in range(n + 1)) for j in range(n + 1))
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-12 * float(np.abs(loss).max() + 1))


@pytest.mark.parametrize("alpha", published.LAPLACE_RATIOS)
def test_laplace_against_geometric(alpha: str) -> None:
    """[GRS] Section 6.1: by how much Laplace noise loses for a prior of 1/2 on 0 and on 1."""
    for n, loss in [(1, "absolute"), (1, "zero-one"), (4, "zero-one")]:
        design = CountDesign(n=n, alpha=alpha, prior=[1, 1, *[0] * (n - 1)], loss=loss)
        _, noisy = alternatives.remapped_noises(
            design.prior.probabilities, design.loss.matrix(n), design.privacy, [laplace.rounded(design.privacy.epsilon, n)]
        )
        assert noisy == pytest.approx(math.sqrt(float(Fraction(alpha))) / 2, rel=1e-12)
        assert noisy / float(solve(design).value) == pytest.approx(published.LAPLACE_RATIOS[alpha], rel=1e-9)


def test_ignoring_the_data() -> None:
    design = CountDesign(n=4, alpha="1/2", prior=[1, 0, 0, 0, 2])
    assert alternatives.ignoring_the_data(design.prior.probabilities, design.loss.matrix(4)) == pytest.approx(4 / 3)
    assert oracle.best_remap(design.prior.exact, design.loss.exact_matrix(4), Fraction(1))[0] == Fraction(4, 3)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_extreme_levels(n: int) -> None:
    prior, loss = np.full(n + 1, 1 / (n + 1)), np.abs(np.subtract.outer(np.arange(n + 1.0), np.arange(n + 1.0)))
    truthful, silent = PrivacyLevel.from_alpha(0), PrivacyLevel.from_alpha(1)
    ignorant = alternatives.ignoring_the_data(prior, loss)
    for level, expected in ((truthful, 0.0), (silent, ignorant)):
        noises = [laplace.rounded(level.epsilon, n), staircase.rounded(level.epsilon, 0.4, n)]
        assert alternatives.remapped_noises(prior, loss, level, noises) == pytest.approx([expected] * 3)
    assert alternatives.face_value(prior, loss, truthful) == 0
    assert alternatives.face_value(prior, loss, silent) == pytest.approx(n / 2)
    assert geometric.matrix(silent, n).sum() == pytest.approx(n + 1)
