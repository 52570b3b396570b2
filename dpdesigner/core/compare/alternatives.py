"""What other ways of releasing a count would cost the same user: noise of another shape, or no data at all.

Each noise is added to the count, rounded to the nearest integer, clamped to 0..n, and then read as well as the user can (Bayes
remap), so that the comparison with the optimum is as kind to it as possible. Losses with structure need no matrix.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.dense.scores import score_blocks
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.structured.posteriors import Posteriors
from dpdesigner.core.structured.remap import Structure, remapped_value
from dpdesigner.core.structured.scaled_numbers import Base

#: P(K = k) and P(K >= k) for k = 0, 1.
Rounded = tuple[Floats, Floats]

#: Below it a mechanism tells the count itself, as far as doubles can say.
_LEAST_ALPHA = 1e-280


class ClampedNoise(NamedTuple):
    """Integer noise that is geometric but for the chance of none, clamped to 0..n.

    Such are, rounded to integers, Laplace and staircase noise of sensitivity 1: P(K = k + 1) = alpha P(K = k) for k >= 1. So what
    follows from each output differs from the geometric mechanism in one term only, and the sums made once for it serve all noises
    of one alpha: P(output j | i) = weights_j alpha^|i-j| for j other than i, and weights_j centre_j for j = i.

    Attributes
    ----------
    weights : ndarray
        (n + 1,).
    centre : ndarray or None
        (n + 1,); None where it is 1: the geometric mechanism.
    """

    weights: Floats
    centre: Floats | None

    @classmethod
    def of(cls, rounded: Rounded, privacy: PrivacyLevel, n: int) -> ClampedNoise:
        """Return a noise by its distribution, at least its first two entries; alpha is positive."""
        mass, tail = rounded
        if n == 0:
            return cls(np.ones(1), None)
        inner, ends = float(mass[1]) / privacy.alpha, float(tail[1]) / privacy.alpha
        weights, centre = np.full(n + 1, inner), np.full(n + 1, mass[0] / inner if inner else 1.0)
        weights[[0, n]], centre[[0, n]] = ends, tail[0] / ends
        return cls(weights, centre)


def face_value(prior: Floats, loss: Floats | Structure, privacy: PrivacyLevel) -> float:
    """Return the expected loss of the range-restricted geometric mechanism, its output taken as it is.

    For a loss with structure it is a sum over true results of partial sums of powers of alpha times the loss by distance, with
    the two ends, which hold all that clamping moves there, on their own.
    """
    n = len(prior) - 1
    if not isinstance(loss, Structure):
        return math.fsum(prior * np.einsum("ij,ij->i", loss, geometric.matrix(privacy, n)))
    if n == 0 or math.isinf(privacy.epsilon):
        return loss.offset
    powers = np.exp(-privacy.epsilon * np.arange(n + 1))
    ends, inner = powers * geometric.weights(privacy, n)[0], powers * (privacy.one_minus_alpha / (1 + privacy.alpha))
    inner[0] = 0.0
    below, above = (np.concatenate(([0.0], np.cumsum(inner * far)[:-1])) + ends * far for far in loss.kind.face_value(n))
    return loss.offset + float((loss.weights(prior) * (below + above[::-1])).sum())


def remapped_noises(
    prior: Floats,
    loss: Floats | Structure,
    privacy: PrivacyLevel,
    noises: Sequence[Rounded],
    before: Callable[[], object] = lambda: None,
) -> list[float]:
    """Return the expected losses of the geometric mechanism and of other noises, each clamped to 0..n and remapped.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray or Structure
        (n + 1, m): l(i, r); with a structure it takes O(n log n) at most, with a matrix O(n m) for all together.
    privacy : PrivacyLevel
    noises : sequence of (mass, tail)
        P(K = k) and P(K >= k), at least for k = 0 and 1, of Laplace or staircase noise of this level, rounded to integers; see
        `ClampedNoise`.
    before : callable
        Called before each noise where one takes long; may raise to stop.

    Returns
    -------
    list of float
        sum_j min_r sum_i p_i N_ij l(i, r): first for geometric noise, then for those given.
    """
    n = len(prior) - 1
    if privacy.alpha < _LEAST_ALPHA:
        return [without_privacy(prior, loss)] * (len(noises) + 1)
    clamped = [ClampedNoise(geometric.weights(privacy, n), None), *(ClampedNoise.of(noise, privacy, n) for noise in noises)]
    if isinstance(loss, Structure):
        posteriors = Posteriors.of(loss.weights(prior), Base.of(privacy), loss.kind.power)
        values = []
        for noise in clamped:
            before()
            # Posteriors without a name: what they remember, as much as they are, goes with each.
            values.append(loss.offset + remapped_value(posteriors.with_centre(noise.centre), loss.kind, noise.weights))
        return values
    least = np.empty((len(clamped), n + 1))
    for block in score_blocks(prior, loss, privacy.alpha, monotone=False, apart=True):
        rows = slice(block.start, block.start + len(block.values))
        others, own = block.values * block.unit, prior[rows, None] * loss[rows]
        for losses, noise in zip(least, clamped, strict=True):
            losses[rows] = (others + (own if noise.centre is None else noise.centre[rows, None] * own)).min(axis=1)
    return [math.fsum(noise.weights * losses) for noise, losses in zip(clamped, least, strict=True)]


def ignoring_the_data(prior: Floats, loss: Floats | Structure) -> float:
    """Return the expected loss of the best constant answer: min_r sum_i p_i l(i, r)."""
    if not isinstance(loss, Structure):
        return float((prior @ loss).min())
    weights, i = loss.weights(prior), np.arange(len(prior))
    return loss.offset + float((weights * loss.kind.loss(i, np.full_like(i, loss.kind.constant(weights)))).sum())


def without_privacy(prior: Floats, loss: Floats | Structure) -> float:
    """Return the expected loss when the count itself is released."""
    return loss.offset if isinstance(loss, Structure) else math.fsum(prior * loss.min(axis=1))
