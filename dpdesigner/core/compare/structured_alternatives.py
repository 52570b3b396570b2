"""What other ways of releasing a count cost the same user, for losses with structure: in linear time, without a matrix.

Three are compared with the optimum. Reading the outputs of the geometric mechanism as they are: the expected loss is a sum over
true results of partial sums of powers of alpha times the loss by distance, with the two ends, which hold all that clamping moves
there, on their own. Answering without looking at the data: the best constant, which is the reading after an output that says
nothing. And other noises of the same level, clamped and then read as well as possible: those of
`dpdesigner.core.compare.clamped_noise` are geometric but for the chance of none, so that their posteriors are those of the
geometric mechanism with one entry changed, `centre`, and the sums made once for it serve them all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.compare.clamped_noise import ClampedNoise
from dpdesigner.core.large.posteriors import Posteriors
from dpdesigner.core.large.remap import Structure, remapped_value
from dpdesigner.core.large.scaled import Base
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.privacy.level import PrivacyLevel


def face_value(prior: Floats, given: Structure, privacy: PrivacyLevel) -> float:
    """Return the expected loss of the range-restricted geometric mechanism, its output taken as it is; O(n)."""
    n = len(prior) - 1
    if n == 0 or math.isinf(privacy.epsilon):
        return given.offset
    powers = np.exp(-privacy.epsilon * np.arange(n + 1))
    ends, inner = powers * geometric.weights(privacy, n)[0], powers * (privacy.one_minus_alpha / (1 + privacy.alpha))
    inner[0] = 0.0
    below, above = (np.concatenate(([0.0], np.cumsum(inner * loss)[:-1])) + ends * loss for loss in given.kind.face_value(n))
    return given.offset + float((given.weights(prior) * (below + above[::-1])).sum())


def remapped_noises(
    prior: Floats, given: Structure, privacy: PrivacyLevel, noises: Iterable[ClampedNoise], before: Callable[[], object]
) -> list[float]:
    """Return the expected losses of noises of one level, clamped to 0..n and remapped; O(n log n) at most.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    given : Structure
        Of the loss.
    privacy : PrivacyLevel
        Its alpha is positive.
    noises : iterable of ClampedNoise
    before : callable
        Called before each noise; may raise to stop.
    """
    posteriors = Posteriors.of(given.weights(prior), Base.of(privacy), given.kind.power)
    values = []
    for noise in noises:
        before()
        # Posteriors without a name: what they remember, as much as they are, goes with each.
        value = remapped_value(posteriors.with_centre(noise.centre), given.kind, noise.weights)
        values.append(given.offset + value)
    return values


def ignoring_the_data(prior: Floats, given: Structure) -> float:
    """Return the expected loss of the best constant answer; O(n)."""
    weights = given.weights(prior)
    i = np.arange(len(prior))
    return given.offset + float((weights * given.kind.loss(i, np.full_like(i, given.kind.constant(weights)))).sum())
