"""What other (epsilon, delta)-private noise costs the same user: rounded to counts, clamped to 0..n, and read in the best way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats

Cumulative = Callable[[Floats], Floats]


class Rivals(NamedTuple):
    """Expected losses with other noise.

    Attributes
    ----------
    truncated_laplace : float or None
        With Laplace noise that is cut off; None for a delta above 1/2 or epsilon 0, for which there is none.
    gaussian : float or None
        With Gaussian noise of the least standard deviation that is private; None for epsilon 0.
    gaussian_sigma : float or None
        That standard deviation, rounded up.
    """

    truncated_laplace: float | None
    gaussian: float | None
    gaussian_sigma: float | None


def costs_of_noise(prior: Floats, loss: Floats, epsilon: float, delta: float) -> Rivals:
    """Return what truncated Laplace and Gaussian noise cost; loss (n + 1, m) is l(i, r)."""
    if not epsilon > 0 or math.isinf(epsilon):
        return Rivals(None, None, None)
    from scipy.special import ndtr  # late: a window opens without them

    from dpdesigner.core.noise.approximate import AnalyticGaussian, TruncatedLaplace

    sigma = AnalyticGaussian(epsilon, delta).sigma
    gaussian = _remapped(prior, loss, lambda x: np.asarray(ndtr(x / sigma), dtype=float))
    if delta > 0.5:
        return Rivals(None, gaussian, sigma)
    width = TruncatedLaplace(epsilon, delta).half_width
    return Rivals(_remapped(prior, loss, lambda x: _truncated(x, epsilon, width)), gaussian, sigma)


def _truncated(x: Floats, epsilon: float, width: float) -> Floats:
    """F of Laplace noise of scale 1 / epsilon that is cut off at +-width."""
    size = np.minimum(np.abs(x), width)
    below = -np.exp(-epsilon * size) * np.expm1(-epsilon * (width - size)) / (-2 * np.expm1(-epsilon * width))
    return np.asarray(np.where(x < 0, below, 1 - below))


def _remapped(prior: Floats, loss: Floats, cumulative: Cumulative) -> float:
    """sum_j min_r sum_i p_i P(j | i) l(i, r), where what is below 0 or above n counts for 0 or n."""
    n = len(prior) - 1
    steps = cumulative(np.arange(-n, n + 1, dtype=np.float64) + 0.5)  # of noise at most k: F(k + 1/2), k = -n..n
    apart = np.arange(n + 1)[None, :] - np.arange(n + 1)[:, None]
    reached = steps[apart + n]
    reached[:, -1] = 1.0
    chances = np.diff(reached, axis=1, prepend=0.0)
    return math.fsum((chances.T @ (prior[:, None] * loss)).min(axis=1).tolist())
