"""Expected loss as a function of the privacy level, and its inverse."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.remap import bayes_remap
from dpdesigner.core.rounding import rounded_up
from dpdesigner.errors import InputError

Floats = NDArray[np.float64]

_LEAST_EPSILON, _MOST_EPSILON = 1e-6, 745.0


def optimal_losses(prior: Floats, loss: Floats, epsilons: Floats, progress: Callable[[float], None] | None = None) -> Floats:
    """Return the expected loss of geometric + remap at each epsilon.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray
        (n + 1, m): l(i, r).
    epsilons : ndarray
        (k,): epsilon >= 0.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

    Returns
    -------
    ndarray
        (k,).
    """
    found = np.empty(len(epsilons))
    for k, epsilon in enumerate(epsilons):
        found[k] = bayes_remap(prior, loss, PrivacyLevel.from_epsilon(float(epsilon))).value
        if progress is not None:
            progress((k + 1) / len(epsilons))
    return found


def loss_range(prior: Floats, loss: Floats) -> tuple[float, float]:
    """Return the least (no privacy) and the largest (the data ignored) expected loss that a level can give."""
    return math.fsum(prior * loss.min(axis=1)), float((prior @ loss).min())


def epsilon_reaching(prior: Floats, loss: Floats, target: float) -> float:
    """Return the smallest epsilon whose expected loss is at most the target.

    Bisection in ln(epsilon): the expected loss falls as epsilon grows. The answer is rounded up to six significant digits, so
    that its expected loss is at most the target.

    Parameters
    ----------
    prior, loss : ndarray
        As for `optimal_losses`.
    target : float
        An expected loss.

    Returns
    -------
    float
        Epsilon; 0 if the target is met without the data, infinity if only the truth itself meets it.

    Raises
    ------
    InputError
        If the target is below what even no privacy gives, or not a number.
    """
    best, worst = loss_range(prior, loss)
    if not target >= best:
        raise InputError(f"the expected loss cannot be below {best:.6g} for this prior and loss, got {target:.6g}.", "target")
    if target >= worst:
        return 0.0

    def value(epsilon: float) -> float:
        return bayes_remap(prior, loss, PrivacyLevel.from_epsilon(epsilon)).value

    if value(_MOST_EPSILON) > target:
        return math.inf
    low, high = math.log(_LEAST_EPSILON), math.log(_MOST_EPSILON)
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if value(math.exp(middle)) <= target else (middle, high)
    return float(rounded_up(math.exp(high), 6))
