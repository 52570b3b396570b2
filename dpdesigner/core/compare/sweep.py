"""Expected loss as a function of the privacy level, and its inverse."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

from dpdesigner.arrays import Floats
from dpdesigner.core.compare import alternatives
from dpdesigner.core.dense.remap import bayes_remap
from dpdesigner.core.numbers.rounding import rounded_down, rounded_up
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.structured.remap import Structure, structured_value
from dpdesigner.errors import InputError

#: Logarithms of the epsilons between which a target is looked for.
_LOW, _HIGH = math.log(1e-6), math.log(745.0)
#: The bracket of ln(epsilon) that is good enough.
_NARROW = 1e-7
#: How far beyond the estimated zero the next point is taken, in distances to the nearer end of the bracket.
_BEYOND = 0.001


def optimal_loss(prior: Floats, loss: Floats | Structure, privacy: PrivacyLevel, monotone: bool = False) -> float:
    """Return the expected loss of geometric + remap.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray or Structure
        (n + 1, m): l(i, r); with a structure it takes linear time.
    privacy : PrivacyLevel
    monotone : bool
        Theorem A covers the loss, which takes less time; see `dpdesigner.core.dense.remap.bayes_remap`.
    """
    if isinstance(loss, Structure):
        return structured_value(prior, loss, privacy)
    return bayes_remap(prior, loss, privacy, monotone).value


def loss_range(prior: Floats, loss: Floats | Structure) -> tuple[float, float]:
    """Return the least (no privacy) and the largest (the data ignored) expected loss that a level can give."""
    return alternatives.without_privacy(prior, loss), alternatives.ignoring_the_data(prior, loss)


def epsilon_reaching(
    prior: Floats,
    loss: Floats | Structure,
    target: float,
    progress: Callable[[float], None] | None = None,
    *,
    monotone: bool = False,
    known: dict[float, float] | None = None,
) -> float:
    """Return the smallest epsilon whose expected loss is at most the target.

    The expected loss falls as epsilon grows. The answer is rounded up to six significant digits, so that its expected loss is at
    most the target.

    Parameters
    ----------
    prior, loss, monotone
        As for `optimal_loss`.
    target : float
        An expected loss.
    progress : callable, optional
        Called with the fraction done; may raise to stop.
    known : dict, optional
        Expected losses by epsilon that are known already for this prior and loss; those found here are added.

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
    _refuse_below(best, target)
    if target >= worst:
        return 0.0
    losses = {} if known is None else known

    def excess(place: float) -> float:
        epsilon = math.exp(place)
        losses[epsilon] = optimal_loss(prior, loss, PrivacyLevel.from_epsilon(epsilon), monotone)
        return losses[epsilon] - target

    points = [(place, value - target) for place, value in _places(losses)]
    if not points or points[-1][1] > 0:
        points.append((_HIGH, excess(_HIGH)))
    if points[-1][1] > 0:
        return math.inf
    place = _last_crossing(excess, [(_LOW, worst - target), *points], progress)
    return float(rounded_up(math.exp(place), 6))


def _refuse_below(best: float, target: float) -> None:
    if not target >= best:
        reachable = f"{best + 1e-5 * abs(best):.6g}"  # not below the best when it is rounded
        least = f"the expected loss cannot be below {rounded_down(best, 6):g} for this prior and loss"
        raise InputError(f"{least}, got {target:.6g}.", "target", reachable)


def _places(losses: dict[float, float]) -> list[tuple[float, float]]:
    """The logarithms of epsilons that are within reach, in their order, with the losses."""
    places = sorted((math.log(epsilon), value) for epsilon, value in list(losses.items()))
    return [place for place in places if _LOW < place[0] < _HIGH]


def _last_crossing(
    excess: Callable[[float], float], points: list[tuple[float, float]], progress: Callable[[float], None] | None
) -> float:
    """A place hardly above where a falling function becomes at most 0, from points of it on either side, in their order."""
    second, slow = max(k for k, point in enumerate(points) if point[1] > 0) + 1, 0
    width = whole = points[second][0] - points[second - 1][0]
    while width > _NARROW:
        low, high = points[second - 1][0], points[second][0]
        place = _zero(points[max(second - 2, 0) : second + 2]) if slow < 2 else None
        if place is None or not low <= place <= high:
            place = (low + high) / 2
        # A little beyond the zero on the side that is further, so that the bracket closes from both.
        beyond = 0.4 * _NARROW + _BEYOND * min(high - place, place - low)
        place += beyond if high - place > place - low else -beyond
        points.insert(second, (place, excess(place)))
        second += points[second][1] > 0
        before, width = width, points[second][0] - points[second - 1][0]
        slow = 0 if width < before / 4 or slow == 2 else slow + 1
        if progress is not None:
            progress(min(1.0, math.log(whole / max(width, _NARROW)) / math.log(whole / _NARROW)))
    return points[second][0]


def _zero(points: list[tuple[float, float]]) -> float | None:
    """Where a curve through a few points is 0, taken as a polynomial of its values; None if these do not fall."""
    if any(first[1] <= second[1] for first, second in pairwise(points)):
        return None
    return sum(x * math.prod(other / (other - y) for _, other in points if other != y) for x, y in points)
