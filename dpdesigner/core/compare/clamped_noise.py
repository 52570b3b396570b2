"""Integer noise on a count that is geometric but for the chance of none, clamped to 0..n.

Such are, rounded to integers, Laplace and staircase noise of sensitivity 1: P(K = k + 1) = alpha P(K = k) for k >= 1. So what
follows from each output differs from the geometric mechanism in one term only, and whatever is known of several such noises of
one alpha is known of all at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.privacy.level import PrivacyLevel

#: P(K = k) and P(K >= k) for k = 0, 1.
Rounded = tuple[Floats, Floats]


class ClampedNoise(NamedTuple):
    """P(output j | i) = weights_j alpha^|i-j| for j other than i, and weights_j centre_j for j = i.

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
    def geometric(cls, privacy: PrivacyLevel, n: int) -> ClampedNoise:
        """Return the noise of the range-restricted geometric mechanism."""
        return cls(geometric.weights(privacy, n), None)

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
