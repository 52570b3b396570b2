"""Losses under (epsilon, delta): the level that reaches an expected error, and other noise for the same user."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.delta.cells import Cells
from dpdesigner.core.numbers.rounding import figure, rounded_down, rounded_up
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

_LARGEST = 20  # epsilon


def error_at(costs: Floats, delta: Fraction, epsilon: float) -> float:
    """Return the expected error of the best reading of the cells.

    Parameters
    ----------
    costs : ndarray
        (n + 1, releases): the prior of each true count times the loss of each release.
    delta : Fraction
    epsilon : float
    """
    cells = Cells.of(len(costs) - 1, PrivacyLevel.from_epsilon(epsilon).alpha_above, delta, exact=False)
    return math.fsum((cells.sizes * (cells.directions @ costs).min(axis=1)).tolist())


def level_for(costs: Floats, delta: Fraction, target: float, least: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose expected error is at most a target, epsilon rounded up.

    Parameters
    ----------
    costs, delta
        As in `error_at`.
    target : float
    least : float
        The loss without privacy.
    progress : Progress

    Raises
    ------
    InputError
        If no epsilon reaches the target, or every epsilon stays below it.
    """

    def error(epsilon: float) -> float:
        progress(None)
        return error_at(costs, delta, epsilon)

    most = error(0.0)
    if target > most * (1 + 1e-4):
        words = f"With δ = {figure(delta, 4)}, no ε gives an error of {figure(target)}: ε = 0 gives {figure(most)}."
        raise InputError(words, "target", f"{rounded_down(most, 4):f}")
    if target >= most:
        return PrivacyLevel.from_epsilon(0)
    if target <= least or error(_LARGEST) > target:
        raise InputError(f"No ε up to {_LARGEST} reaches {figure(target)}.", "target", figure(error(_LARGEST)))
    low, high = 0.0, 1.0
    while error(high) > target:
        low, high = high, min(2 * high, float(_LARGEST))
    while high - low > 2e-7 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if error(middle) > target else (low, middle)
    return PrivacyLevel.from_epsilon(float(rounded_up(high, 6)))


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
    """Return the expected losses of truncated Laplace and Gaussian noise; loss (n + 1, m) is l(i, r)."""
    if not epsilon > 0 or math.isinf(epsilon):
        return Rivals(None, None, None)
    from scipy.special import ndtr  # imported late: a window opens without them

    from dpdesigner.core.noise.approximate import AnalyticGaussian, TruncatedLaplace

    sigma = AnalyticGaussian(epsilon, delta).sigma
    gaussian = _remapped(prior, loss, lambda x: np.asarray(ndtr(x / sigma), dtype=float))
    if delta > 0.5:
        return Rivals(None, gaussian, sigma)
    width = TruncatedLaplace(epsilon, delta).half_width
    return Rivals(_remapped(prior, loss, lambda x: _truncated(x, epsilon, width)), gaussian, sigma)


def _truncated(x: Floats, epsilon: float, width: float) -> Floats:
    """Return F of Laplace noise of scale 1 / epsilon, truncated at +-width."""
    size = np.minimum(np.abs(x), width)
    below = -np.exp(-epsilon * size) * np.expm1(-epsilon * (width - size)) / (-2 * np.expm1(-epsilon * width))
    return np.asarray(np.where(x < 0, below, 1 - below))


def _remapped(prior: Floats, loss: Floats, cumulative: Cumulative) -> float:
    """Return sum_j min_r sum_i p_i P(j | i) l(i, r), with outputs clamped to 0..n."""
    n = len(prior) - 1
    steps = cumulative(np.arange(-n, n + 1, dtype=np.float64) + 0.5)  # P(noise <= k) = F(k + 1/2), k = -n..n
    apart = np.arange(n + 1)[None, :] - np.arange(n + 1)[:, None]
    reached = steps[apart + n]
    reached[:, -1] = 1.0
    chances = np.diff(reached, axis=1, prepend=0.0)
    return math.fsum((chances.T @ (prior[:, None] * loss)).min(axis=1).tolist())
