"""Expected loss as a function of the privacy level, and its inverse."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import alternatives
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.remap import bayes_remap
from dpdesigner.core.rounding import rounded_up
from dpdesigner.core.structured import Structure, structured_value
from dpdesigner.errors import InputError

Floats = NDArray[np.float64]

_LEAST_EPSILON, _MOST_EPSILON = 1e-6, 745.0
#: The bracket of ln(epsilon) that is good enough.
_NARROW = 1e-7


def optimal_loss(prior: Floats, loss: Floats | Structure, privacy: PrivacyLevel, monotone: bool = False) -> float:
    """Return the expected loss of geometric + remap; parameters as for `optimal_losses`."""
    if isinstance(loss, Structure):
        return structured_value(prior, loss, privacy)
    return bayes_remap(prior, loss, privacy, monotone).value


def optimal_losses(prior: Floats, loss: Floats | Structure, epsilons: Floats, monotone: bool = False) -> Floats:
    """Return the expected loss of geometric + remap at each epsilon.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray or Structure
        (n + 1, m): l(i, r); with a structure, each epsilon takes linear time.
    epsilons : ndarray
        (k,): epsilon >= 0.
    monotone : bool
        Theorem A covers the loss, which takes less time; see `dpdesigner.core.remap.bayes_remap`.

    Returns
    -------
    ndarray
        (k,).
    """
    levels = [PrivacyLevel.from_epsilon(epsilon) for epsilon in epsilons.tolist()]
    return np.array([optimal_loss(prior, loss, level, monotone) for level in levels])


def loss_range(prior: Floats, loss: Floats | Structure) -> tuple[float, float]:
    """Return the least (no privacy) and the largest (the data ignored) expected loss that a level can give."""
    return alternatives.without_privacy(prior, loss), alternatives.ignoring_the_data(prior, loss)


def epsilon_reaching(
    prior: Floats, loss: Floats | Structure, target: float, progress: Callable[[float], None] | None = None
) -> float:
    """Return the smallest epsilon whose expected loss is at most the target.

    The expected loss falls as epsilon grows. The answer is rounded up to six significant digits, so that its expected loss is at
    most the target.

    Parameters
    ----------
    prior, loss
        As for `optimal_losses`.
    target : float
        An expected loss.
    progress : callable, optional
        Called with the fraction done; may raise to stop.

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

    def excess(place: float) -> float:
        return optimal_loss(prior, loss, PrivacyLevel.from_epsilon(math.exp(place))) - target

    low, high = math.log(_LEAST_EPSILON), math.log(_MOST_EPSILON)
    at_high = excess(high)
    if at_high > 0:
        return math.inf
    place = _last_crossing(excess, (low, worst - target), (high, at_high), progress)
    return float(rounded_up(math.exp(place), 6))


def _last_crossing(
    excess: Callable[[float], float],
    low: tuple[float, float],
    high: tuple[float, float],
    progress: Callable[[float], None] | None,
) -> float:
    """A place hardly above where a falling function becomes at most 0, and where it is; by false position and halving."""
    width, steps = high[0] - low[0], 0
    while high[0] - low[0] > _NARROW:
        between = low[1] / (low[1] - high[1]) if steps % 3 else 0.5
        # A little beyond the straight line's zero, so that the bracket closes from above too.
        between = min(between + 0.1 * _NARROW / (high[0] - low[0]), 0.999)
        place = low[0] + between * (high[0] - low[0])
        found = excess(place)
        low, high = ((place, found), high) if found > 0 else (low, (place, found))
        steps += 1
        if progress is not None:
            progress(min(1.0, math.log(width / max(high[0] - low[0], _NARROW)) / math.log(width / _NARROW)))
    return high[0]
