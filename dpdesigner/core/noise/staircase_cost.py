"""Staircase noise and any cost L: E L(X), and the gamma that makes it least.

E L(X) = 2 a (1 - b) sum_k b^k Lambda((k + gamma) Delta) with Lambda the integral of L from 0: [Geng]'s cost, telescoped. Its
derivative in gamma has the sign of -d(gamma) with

    d(gamma) = (1 - b) sum_k b^k Lambda((k + gamma) Delta) / Delta - s sum_k b^k L((k + gamma) Delta),  s = gamma + b (1 - gamma),

and d never rises, since its own derivative is -s sum_k b^k Delta L'((k + gamma) Delta): there is one best gamma for every even
cost that grows, and it is found by its sign. Summing d by parts, cell by cell, leaves no large numbers to subtract.

A cost drawn as straight lines is L(0) plus slopes along its lines: along one from c to c' the expected cost is its slope times
the integral of P(|X| > x), which repeats itself, b times smaller, from each period to the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.cost import NoiseCost
from dpdesigner.core.cost.geometric_sum import Terms, reach, terms
from dpdesigner.core.cost.noise_cost import DrawnCost, PowerCost
from dpdesigner.core.noise import staircase_powers
from dpdesigner.core.numbers.gauss import unit_gauss

_NODES = 8

#: In ln(gamma), by how much the best gamma may lie outside those of |x| and x^2 and still be found at once.
_NEARBY = 0.2


class Optimum(NamedTuple):
    """The best gamma and what it costs."""

    gamma: float
    cost: float


def staircase_cost(cost: NoiseCost, epsilon: float, gamma: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return E L(X) of staircase noise.

    Parameters
    ----------
    cost : NoiseCost
        L.
    epsilon : float
        Positive.
    gamma : array_like
        In [0, 1].
    sensitivity : float
        Delta, in the unit of the cost's x.

    Returns
    -------
    ndarray
        As gamma; infinite where the sum diverges or leaves the range in which L can be computed.
    """
    g = np.asarray(gamma, dtype=float)
    g = np.where(g > 0, g, 1.0)
    if isinstance(cost, PowerCost) and cost.power in (1, 2):
        closed = staircase_powers.absolute_cost if cost.power == 1 else staircase_powers.squared_cost
        return closed(epsilon, g, sensitivity)
    if isinstance(cost, DrawnCost):
        return drawn_cost(cost, epsilon, g, sensitivity)
    series, unit, scale = _scaled(cost, epsilon, sensitivity)
    if series is None:
        return np.full(g.shape, np.inf)
    areas = np.tensordot(series.weights, cost.integral(np.add.outer(series.k, g) * unit), axes=1)
    b = math.exp(-epsilon)
    with np.errstate(over="ignore"):
        return np.asarray((math.expm1(-epsilon) ** 2 / unit) * areas / (g + b * (1 - g)) * scale)


@lru_cache(maxsize=4096)
def optimum(cost: NoiseCost, epsilon: float, sensitivity: float = 1.0) -> Optimum:
    """Return the gamma of least E L(X), and that cost; gamma is nan where the cost is infinite for every gamma.

    Parameters
    ----------
    cost, epsilon, sensitivity
        As for `staircase_cost`.
    """
    if isinstance(cost, PowerCost) and cost.power in (1, 2):
        least, gammas = staircase_powers.least_absolute_cost, staircase_powers.absolute_gamma
        if cost.power == 2:
            least, gammas = staircase_powers.least_squared_cost, staircase_powers.squared_gamma
        return Optimum(float(gammas(epsilon)), float(least(epsilon, sensitivity)))
    if isinstance(cost, DrawnCost):
        drawn = cost
        gamma = _root(epsilon, lambda gamma: drawn_slope(drawn, epsilon, gamma, sensitivity))
    else:
        series, unit, _ = _scaled(cost, epsilon, sensitivity)
        if series is None:
            return Optimum(math.nan, math.inf)
        gamma = _root(epsilon, lambda gamma: _falling(cost, gamma, epsilon, unit, series))
    return Optimum(gamma, float(staircase_cost(cost, epsilon, gamma, sensitivity)))


def optimal_gamma(epsilon: float, power: float = 1) -> float:
    """Return the gamma of least E|X|^power.

    Parameters
    ----------
    epsilon : float
        In [0, inf].
    power : float
        In (0, 100]; closed forms for 1 and 2.

    Returns
    -------
    float
        1/2 at epsilon = 0, and 0 at epsilon = inf.
    """
    if epsilon in (0, math.inf):
        return 0.5 if epsilon == 0 else 0.0
    return optimum(PowerCost(float(power)), epsilon).gamma


def _scaled(cost: NoiseCost, epsilon: float, sensitivity: float) -> tuple[Terms | None, float, float]:
    """The terms to sum, the unit in place of Delta, and what to multiply by: a power is scaled so that it does not overflow."""
    if isinstance(cost, PowerCost):
        unit = min(1.0, epsilon)
        with np.errstate(over="ignore"):
            scale = float(np.power(np.float64(sensitivity / unit), cost.power))
        return terms(epsilon, reach(epsilon, cost.power + 1)), unit, scale
    last = last_term(cost, epsilon, sensitivity)
    if last == math.inf:
        return None, sensitivity, 1.0
    corners = sorted({int(x / sensitivity) for x in cost.corners if x / sensitivity <= last})
    return terms(epsilon, last, tuple(corners)), sensitivity, 1.0


def last_term(cost: NoiseCost, epsilon: float, sensitivity: float) -> float:
    """Return a k beyond which b^k L(k Delta) no longer matters; infinite if no such k lies where L can be computed."""
    if not cost.growth.bounded:
        return math.inf
    k = np.exp2(np.arange(-20, 61) / 4) / epsilon
    k = np.sort(np.append(k, [1.0, 2.0, 3.0, *(x / sensitivity for x in cost.corners[-1:])]))
    inside = (k + 5) * sensitivity <= cost.end
    if not inside.any():
        return math.inf
    with np.errstate(divide="ignore"):
        sizes = np.log(cost.value(k[inside] * sensitivity)) - epsilon * k[inside]
    if not np.isfinite(sizes).any():
        return 800 / epsilon + 4 if inside.all() else math.inf
    last = int(np.flatnonzero(sizes > sizes.max() - 46)[-1])
    return math.inf if last + 2 >= len(sizes) else float(k[last + 1]) + 4


def _root(epsilon: float, falling: Callable[[float], float]) -> float:
    """Where d changes sign, sought in ln(gamma): first about the best gammas of |x| and x^2, where most costs have theirs."""
    from scipy.optimize import brentq

    low = math.log(float(staircase_powers.absolute_gamma(epsilon))) - _NEARBY
    high = min(math.log(float(staircase_powers.squared_gamma(epsilon))) + _NEARBY, 0.0)
    if falling(math.exp(low)) > 0 > falling(math.exp(high)):
        return math.exp(brentq(lambda logarithm: falling(math.exp(logarithm)), low, high, xtol=1e-15, rtol=1e-14))
    low = max(-epsilon - 60, -700.0)
    if falling(math.exp(low)) <= 0:
        return math.exp(low)
    if falling(1.0) >= 0:
        return 1.0
    return math.exp(brentq(lambda logarithm: falling(math.exp(logarithm)), low, 0.0, xtol=1e-15, rtol=1e-14))


def _falling(cost: NoiseCost, g: float, epsilon: float, unit: float, series: Terms) -> float:
    """d at gamma = g: positive where the cost still falls in gamma."""
    first = np.array([g * unit])
    total = float(series.weights[0] * (cost.integral(first) / unit - g * cost.value(first))[0])
    alone = series.single[1:]
    k, weights = series.k[1:], series.weights[1:]
    x = (k - 1 + g) * unit
    lone = x[alone]
    areas = (cost.integral(lone + unit) - cost.integral(lone)) / unit - cost.value(lone)
    total += float(weights[alone] @ (areas - g * cost.rise(lone, np.asarray(unit))))
    rest = x[~alone]
    if len(rest):
        inside, parts = unit_gauss(_NODES)
        areas = cost.rise(rest[:, None], unit * inside) @ parts
        total += float(weights[~alone] @ (areas - g * cost.rise(rest, np.asarray(unit))))
    return total


def drawn_cost(cost: DrawnCost, epsilon: float, gamma: Floats, sensitivity: float) -> Floats:
    """Return E L(X) of staircase noise.

    Parameters
    ----------
    cost : DrawnCost
    epsilon : float
        Positive.
    gamma : ndarray
        In (0, 1].
    sensitivity : float
        Delta.

    Returns
    -------
    ndarray
        As gamma.

    Notes
    -----
    E(|X| - c)_+ for c = (k + f) Delta is b^k Delta times what is left of the period after f and all of the later ones; between
    two points only the difference of that is summed, so that nothing large cancels.
    """
    b, rest = math.exp(-epsilon), -math.expm1(-epsilon)
    c = (np.array([x for x, _ in cost.points]) / sensitivity).reshape(-1, *[1] * gamma.ndim)
    k = np.floor(c)
    f, s = c - k, gamma + b * (1 - gamma)
    end = 1 - np.maximum(f, gamma)
    to_end = b * end * (1 + rest / (2 * s) * end) + np.maximum(gamma - f, 0) * (2 * b + rest * (gamma - f)) / (2 * s)
    excess = to_end + b * staircase_powers.absolute_cost(epsilon, gamma)
    along = to_end[:-1] - to_end[1:] - np.expm1(-epsilon * np.diff(k, axis=0)) * excess[1:]
    tails = np.exp(-epsilon * k) * np.concatenate((along, excess[-1:]))
    return np.asarray(cost.points[0][1] + sensitivity * np.tensordot(cost.slopes, tails, axes=1))


def drawn_slope(cost: DrawnCost, epsilon: float, gamma: float, sensitivity: float) -> float:
    """Return d: positive where the cost still falls in gamma.

    Notes
    -----
    Each change of slope at c adds b^k (t^2 / 2 - gamma t + (1/2 - gamma) b / (1 - b)) times the change, where the cell
    [(k - 1 + gamma) Delta, (k + gamma) Delta) holds c and t is the part of it beyond c.
    """
    b, rest = math.exp(-epsilon), -math.expm1(-epsilon)
    c = np.array([x for x, _ in cost.points]) / sensitivity
    k = np.floor(c)
    later = c - k >= gamma
    t = gamma - (c - k) + later
    weights = np.exp(-epsilon * (k + later)) * np.diff(cost.slopes, prepend=0.0)
    return float(weights @ (t * t / 2 - gamma * t + (0.5 - gamma) * (b / rest)))
