"""What other ways of releasing a count would cost the same user: noise of another shape, or no data at all.

Each noise is added to the count, rounded to the nearest integer, clamped to 0..n, and then read as well as the user can (Bayes
remap), so that the comparison with the optimum is as kind to it as possible.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.compare import structured_alternatives
from dpdesigner.core.compare.clamped_noise import ClampedNoise, Rounded
from dpdesigner.core.dense.scores import score_blocks
from dpdesigner.core.large.remap import Structure
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.privacy.level import PrivacyLevel

#: Below it a mechanism tells the count itself, as far as doubles can say.
_LEAST_ALPHA = 1e-280


def face_value(prior: Floats, loss: Floats | Structure, privacy: PrivacyLevel) -> float:
    """Return the expected loss of the range-restricted geometric mechanism, its output taken as it is."""
    if isinstance(loss, Structure):
        return structured_alternatives.face_value(prior, loss, privacy)
    released = geometric.matrix(privacy, len(prior) - 1)
    return math.fsum(prior * np.einsum("ij,ij->i", loss, released))


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
        `dpdesigner.core.compare.clamped_noise`.
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
    each = chain((ClampedNoise.geometric(privacy, n),), (ClampedNoise.of(noise, privacy, n) for noise in noises))
    if isinstance(loss, Structure):
        return structured_alternatives.remapped_noises(prior, loss, privacy, each, before)
    clamped, least = list(each), np.empty((len(noises) + 1, n + 1))
    for block in score_blocks(prior, loss, privacy.alpha, monotone=False, apart=True):
        rows = slice(block.start, block.start + len(block.values))
        others, own = block.values * block.unit, prior[rows, None] * loss[rows]
        for losses, noise in zip(least, clamped, strict=True):
            losses[rows] = (others + (own if noise.centre is None else noise.centre[rows, None] * own)).min(axis=1)
    return [math.fsum(noise.weights * losses) for noise, losses in zip(clamped, least, strict=True)]


def ignoring_the_data(prior: Floats, loss: Floats | Structure) -> float:
    """Return the expected loss of the best constant answer: min_r sum_i p_i l(i, r)."""
    if isinstance(loss, Structure):
        return structured_alternatives.ignoring_the_data(prior, loss)
    return float((prior @ loss).min())


def without_privacy(prior: Floats, loss: Floats | Structure) -> float:
    """Return the expected loss when the count itself is released."""
    return loss.offset if isinstance(loss, Structure) else math.fsum(prior * loss.min(axis=1))
