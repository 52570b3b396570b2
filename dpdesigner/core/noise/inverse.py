"""The other way round: the least epsilon at which noise costs no more than is aimed for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from dpdesigner.core.noise.best_noise import best_noise
from dpdesigner.core.noise.inputs import LEAST_EPSILON, MOST_EPSILON
from dpdesigner.core.noise.query import NoiseQuery
from dpdesigner.core.numbers.rounding import figure, rounded_down, rounded_up
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

_DIGITS = 6
_STEP, _NEAR = math.log(4), 1e-9
_USUAL = 10.0  # epsilon whose cost is offered where none is low enough


def epsilon_for_cost(asked: NoiseQuery, target: float, share: int = 1, progress: Progress = silent) -> Decimal:
    """Return the least epsilon at which the expected cost is at most a target, rounded up to six significant digits.

    Parameters
    ----------
    asked : Asked
        Its epsilon is only where the search begins.
    target : float
    share : int
        How many times the epsilon of the noise the one returned is: the cells of a histogram that one row changes.
    progress : callable, optional
        Told while it searches; may raise to stop.

    Raises
    ------
    InputError
        If no epsilon that noise can have costs so little, or so much; offers the nearest cost.

    Notes
    -----
    The cost falls as epsilon grows. For the best gamma, since all that is private at an epsilon is private at a larger one. For
    a gamma that was chosen the density is proportional to exp(-epsilon k(x)), k a step function that does not fall as |x| grows:
    the ratio of two such densities falls in |x|, so that |X| is stochastically smaller at the larger epsilon.
    """

    def excess(place: float) -> float:
        """The logarithm of the cost over the target, at the logarithm of an epsilon of the noise."""
        progress(0.5, "aiming")
        cost = _cost(asked, math.exp(place))
        return math.log(cost / target) if 0 < cost / target < math.inf else math.copysign(math.inf, cost / target - 1)

    _refuse(asked, target, share)
    most = Decimal(MOST_EPSILON) * share
    epsilon = min(rounded_up(share * math.exp(_crossing(excess, math.log(asked.epsilon))), _DIGITS), most)
    while _cost(asked, float(epsilon) / share) > target * (1 + 1e-12) and epsilon < most:
        epsilon += Decimal(10) ** (epsilon.adjusted() + 1 - _DIGITS)
    return epsilon


def _crossing(excess: Callable[[float], float], start: float) -> float:
    """Where a falling function of the logarithm of epsilon becomes at most 0: stepped to from a start, halved, and searched."""
    least, most = math.log(LEAST_EPSILON), math.log(MOST_EPSILON)
    low = high = min(max(start, least), most)
    while low > least and excess(low) <= 0:
        low, high = max(low - _STEP, least), low
    while high < most and excess(high) > 0:
        low, high = high, min(high + _STEP, most)
    while high - low > _NEAR and not math.isfinite(excess(low) + excess(high)):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    if excess(low) <= 0:
        return low
    from scipy.optimize import brentq

    return float(brentq(excess, low, high, xtol=_NEAR)) if high - low > _NEAR else high


def _cost(asked: NoiseQuery, epsilon: float) -> float:
    return best_noise(replace(asked, epsilon=min(max(epsilon, LEAST_EPSILON), MOST_EPSILON))).cost


def _refuse(asked: NoiseQuery, target: float, share: int) -> None:
    """Refuse a target that no epsilon reaches, or that costs more than the least epsilon does."""
    if not math.isfinite(target):
        raise InputError("the expected cost to aim for must be a number.", "target")
    if not target > 0 or _cost(asked, MOST_EPSILON) > target:
        words = f"No ε up to {share * MOST_EPSILON:g} gives an expected cost as low as {figure(target)}."
        usual = _cost(asked, _USUAL)
        if not math.isfinite(usual):
            raise InputError(words, "target")
        raise InputError(f"{words} With ε = {share * _USUAL:g} it is {figure(usual)}.", "target", _plain(rounded_up(usual, 4)))
    most = _cost(asked, LEAST_EPSILON)
    if target > most:
        least = f"with ε = {share * LEAST_EPSILON:g} it is {figure(most)}"
        words = f"No allowed ε costs as much as {figure(target)}: {least}."
        raise InputError(words, "target", _plain(rounded_down(most, 4)))


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}" if abs(number.adjusted()) < 12 else f"{number:e}"
