"""What other ways of releasing a count cost the same user, for losses with structure: in linear time, without a matrix.

Laplace and staircase noise of sensitivity 1, rounded, are geometric but for the chance of no noise: P(K = k + 1) = alpha P(K = k)
for k >= 1. So their posteriors are those of the geometric mechanism with one entry changed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import geometric
from dpdesigner.core.filters import Base
from dpdesigner.core.posteriors import Posteriors
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.structured import Structure

Floats = NDArray[np.float64]

_LEAST_RATIO = 1e-280


def face_value(prior: Floats, given: Structure, privacy: PrivacyLevel) -> float:
    """Return the expected loss of the range-restricted geometric mechanism, its output taken as it is; O(n)."""
    n = len(prior) - 1
    if n == 0 or math.isinf(privacy.epsilon):
        return given.offset
    powers = np.exp(-privacy.epsilon * np.arange(n + 1))
    ends, inner = powers * geometric.weights(privacy, n)[0], powers * (privacy.one_minus_alpha / (1 + privacy.alpha))
    inner[0] = 0.0
    below, above = (np.concatenate(([0.0], np.cumsum(inner * loss)[:-1])) + ends * loss for loss in given.kind.face_value(n))
    return given.offset + math.fsum(given.weights(prior) * (below + above[::-1]))


def remapped_noise(prior: Floats, given: Structure, mass: Floats, tail: Floats) -> float:
    """Return the expected loss of rounded Laplace or staircase noise, clamped to 0..n and remapped; O(n log n) at most.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    given : Structure
        Of the loss.
    mass, tail : ndarray
        (n + 1,): P(K = k) and P(K >= k) of the noise for k = 0..n, both geometric from k = 1 on.
    """
    n = len(prior) - 1
    alpha = float(tail[2] / tail[1]) if n > 1 and tail[1] > 0 else 0.0
    if n < 2 or alpha < _LEAST_RATIO:
        return given.offset + (_of_two(prior, given, tail) if n == 1 else 0.0)
    inner, ends = float(mass[1]) / alpha, float(tail[1]) / alpha
    centre, weights = np.full(n + 1, mass[0] / inner if inner else 1.0), np.full(n + 1, inner)
    centre[[0, n]], weights[[0, n]] = tail[0] / ends, ends
    posteriors = Posteriors.of(given.weights(prior), Base.of(alpha), centre)
    scores = given.kind.score(posteriors, given.kind.readings(posteriors), np.arange(n + 1))
    return given.offset + math.fsum(weights * posteriors.likelihood * scores)


def ignoring_the_data(prior: Floats, given: Structure) -> float:
    """Return the expected loss of the best constant answer; O(n)."""
    weights = given.weights(prior)
    i = np.arange(len(prior))
    return given.offset + math.fsum(weights * given.kind.loss(i, np.full_like(i, given.kind.constant(weights))))


def _of_two(prior: Floats, given: Structure, tail: Floats) -> float:
    """The same with n = 1, where the noise is told by one number."""
    i, r = np.indices((2, 2))
    costs = given.weights(prior)[:, None] * given.kind.loss(i.ravel(), r.ravel()).reshape(2, 2)
    kernel = np.array([[tail[0], tail[1]], [tail[1], tail[0]]])
    return math.fsum((kernel.T @ costs).min(axis=1))
