"""Staircase noise [Geng]: the real-valued noise of least expected cost for a query of sensitivity Delta.

With b = exp(-epsilon) the density is a b^k on [k Delta, (k + gamma) Delta) and a b^(k+1) on [(k + gamma) Delta, (k + 1) Delta),
even, with a = (1 - b) / (2 Delta (gamma + b (1 - gamma))) (the factor is missing in [Geng]). gamma = 0 and gamma = 1 give the
same noise.

Costs |x| and x^2
-----------------
They have closed forms, and |x|^m has limits as epsilon tends to 0 and infinity.

[Geng]'s formulas, written so that nothing cancels and nothing overflows for any epsilon. With b = exp(-epsilon) and
s = gamma + b (1 - gamma), the cost of |x|^m is Delta^m (1 - b)^2 / ((m + 1) s) sum_k b^k (k + gamma)^(m + 1).

Any cost L
----------
Computed are E L(X) and the gamma that makes it least.

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
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers, unit_gauss
from dpdesigner.core.noise.cost import NoiseCost, Terms, reach, terms
from dpdesigner.core.noise.noise_cost import DrawnCost, PowerCost, check_noise
from dpdesigner.errors import InputError

#: Replaces a gamma below the range of doubles: 0 itself would mean the noise of gamma = 1.
LEAST_GAMMA = 5e-324


def absolute_cost(epsilon: ArrayLike, gamma: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return E|X|.

    Parameters
    ----------
    epsilon, gamma : array_like
        Positive, and in [0, 1]; broadcast against each other.
    sensitivity : float
        Delta.

    Returns
    -------
    ndarray
        Delta (gamma^2 (1 - b) + 2 gamma b + b (1 + b) / (1 - b)) / (2 s).
    """
    b, rest, g, s = _parts(epsilon, gamma)
    return np.asarray(sensitivity / 2 * (g * (g * rest + 2 * b) + b * (1 + b) / rest) / s)


def squared_cost(epsilon: ArrayLike, gamma: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return E X^2; parameters as in `absolute_cost`."""
    b, rest, g, s = _parts(epsilon, gamma)
    powers = g * g * (g * rest + 3 * b) + 3 * g * b * (1 + b) / rest + b * (1 + 4 * b + b * b) / rest**2
    return np.asarray(sensitivity**2 / 3 * powers / s)


def absolute_gamma(epsilon: ArrayLike) -> Floats:
    """Return the best gamma for |x|: 1 / (1 + exp(epsilon / 2))."""
    root = np.exp(-np.asarray(epsilon, dtype=float) / 2)
    return np.asarray(np.maximum(root / (1 + root), LEAST_GAMMA))


def squared_gamma(epsilon: ArrayLike) -> Floats:
    """Return the best gamma for x^2.

    Notes
    -----
    The published -b / (1 - b) + (b - 2 b^2 + 2 b^4 - b^5)^(1/3) / (2^(1/3) (1 - b)^2) equals (c - b) / (1 - b) with
    c^3 = b (1 + b) / 2, which is b (1 + 2 b) / (2 (c^2 + c b + b^2)); here with t = b^(1/3) divided out.
    """
    e = np.asarray(epsilon, dtype=float)
    t, b = np.exp(-e / 3), np.exp(-e)
    h = np.cbrt((1 + b) / 2)
    return np.asarray(np.maximum(t * (1 + 2 * b) / (2 * (h * h + t * t * h + t**4)), LEAST_GAMMA))


def least_absolute_cost(epsilon: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return the least E|X|: Delta / (2 sinh(epsilon / 2))."""
    e = np.asarray(epsilon, dtype=float)
    return np.asarray(sensitivity * np.exp(-e / 2) / -np.expm1(-e))


def least_squared_cost(epsilon: ArrayLike, sensitivity: float = 1.0) -> Floats:
    """Return the least E X^2: Delta^2 (2^(-2/3) b^(2/3) (1 + b)^(2/3) + b) / (1 - b)^2."""
    e = np.asarray(epsilon, dtype=float)
    b = np.exp(-e)
    return np.asarray(sensitivity**2 * (np.exp(-2 * e / 3) * np.cbrt(((1 + b) / 2) ** 2) + b) / np.expm1(-e) ** 2)


def small_epsilon_limit(epsilon: ArrayLike, power: float, sensitivity: float = 1.0) -> Floats:
    """Return the limit of the least E|X|^m as epsilon tends to 0: m! (Delta / epsilon)^m (1 - epsilon^2 / 24).

    Without the last factor it is the Laplace cost, so the gap to Laplace tends to epsilon / 24 for m = 1 and to 1 / 12 for m = 2
    (Delta = 1).
    """
    e = np.asarray(epsilon, dtype=float)
    with np.errstate(over="ignore"):
        laplace = np.exp(power * np.log(sensitivity / e) + math.lgamma(power + 1))
    return np.asarray(laplace * (1 - e * e / 24))


def _parts(epsilon: ArrayLike, gamma: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
    """Return b, 1 - b, gamma and s, with gamma = 0 replaced by the equivalent 1."""
    e, g = np.asarray(epsilon, dtype=float), np.asarray(gamma, dtype=float)
    b = np.exp(-e)
    g = np.where(g > 0, g, 1.0)
    return b, -np.expm1(-e), g, g + b * (1 - g)


_NODES = 8

#: How far, in ln(gamma), the best gamma may lie outside those of |x| and x^2 and still be found at once.
_NEARBY = 0.2


class Optimum(NamedTuple):
    """The best gamma and its cost."""

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
        closed = absolute_cost if cost.power == 1 else squared_cost
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
        least, gammas = least_absolute_cost, absolute_gamma
        if cost.power == 2:
            least, gammas = least_squared_cost, squared_gamma
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
    """Return the terms to sum, the unit in place of Delta, and a factor: powers are scaled to prevent overflow."""
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
    """Return a k beyond which b^k L(k Delta) is negligible; infinite if there is none where L can be computed."""
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
    """The place where d changes sign, sought in ln(gamma): first near the best gammas of |x| and x^2, mostly the right ones."""
    from scipy.optimize import brentq

    low = math.log(float(absolute_gamma(epsilon))) - _NEARBY
    high = min(math.log(float(squared_gamma(epsilon))) + _NEARBY, 0.0)
    if falling(math.exp(low)) > 0 > falling(math.exp(high)):
        return math.exp(brentq(lambda logarithm: falling(math.exp(logarithm)), low, high, xtol=1e-15, rtol=1e-14))
    low = max(-epsilon - 60, -700.0)
    if falling(math.exp(low)) <= 0:
        return math.exp(low)
    if falling(1.0) >= 0:
        return 1.0
    return math.exp(brentq(lambda logarithm: falling(math.exp(logarithm)), low, 0.0, xtol=1e-15, rtol=1e-14))


def _falling(cost: NoiseCost, g: float, epsilon: float, unit: float, series: Terms) -> float:
    """Return d at gamma = g: positive where the cost still decreases in gamma."""
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
    excess = to_end + b * absolute_cost(epsilon, gamma)
    along = to_end[:-1] - to_end[1:] - np.expm1(-epsilon * np.diff(k, axis=0)) * excess[1:]
    tails = np.exp(-epsilon * k) * np.concatenate((along, excess[-1:]))
    return np.asarray(cost.points[0][1] + sensitivity * np.tensordot(cost.slopes, tails, axes=1))


def drawn_slope(cost: DrawnCost, epsilon: float, gamma: float, sensitivity: float) -> float:
    """Return d: positive where the cost still decreases in gamma.

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


@dataclass(frozen=True)
class Staircase:
    """Staircase noise.

    Attributes
    ----------
    epsilon : float
        In (0, inf).
    gamma : float
        In [0, 1]: where in each period the density steps down.
    sensitivity : float
        Delta > 0, in the unit of the query; the length of a period.

    Raises
    ------
    InputError
        If one of them is out of its range.
    """

    epsilon: float
    gamma: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        check_noise(self.epsilon, self.sensitivity)
        if not 0 <= self.gamma <= 1:
            raise InputError(f"gamma must be between 0 and 1, got {self.gamma}.", "gamma")

    @property
    def height(self) -> float:
        """The density at 0, a."""
        return float(self.density(0.0))

    def step(self, x: ArrayLike) -> Integers:
        """Return how many steps lie between 0 and each x, so that the density there is a b^step."""
        k, f = self._place(x)
        return np.asarray(k + (f >= self._gamma), dtype=np.int64)

    def density(self, x: ArrayLike) -> Floats:
        """Return the density at each x."""
        logarithm = math.log(self._rest) - math.log(2 * self.sensitivity) - math.log(self._share)
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(logarithm - self.epsilon * self.step(x)))

    def log_ratio(self, x: ArrayLike, shift: float) -> Floats:
        """Return ln(f(x) / f(x - shift)), exactly a multiple of epsilon: at most epsilon wherever |shift| <= Delta."""
        x = np.asarray(x, dtype=float)
        return np.asarray(self.epsilon * (self.step(x - shift) - self.step(x)))

    def outline(self, reach: float) -> tuple[Floats, Floats]:
        """Return the steps on [-reach, reach] for drawing: edges, (m + 1,), and the density between them, (m,)."""
        periods = np.arange(math.ceil(reach / self.sensitivity) + 1)
        places = np.union1d(periods, periods + self._gamma) * self.sensitivity
        places = np.append(places[places < reach], reach)
        heights = self.density((places[1:] + places[:-1]) / 2)
        return np.concatenate((-places[:0:-1], places)), np.concatenate((heights[::-1], heights))

    def tail(self, x: ArrayLike) -> Floats:
        """Return P(X >= x), with high relative accuracy in the tail."""
        x = np.asarray(x, dtype=float)
        k, f = self._place(x)
        b, rest, gamma, s = self._b, self._rest, self._gamma, self._share
        inside = np.where(f < gamma, (b + rest * (gamma - f)) / s, b * (1 + rest * (1 - f) / s))
        with np.errstate(over="ignore"):  # far out
            beyond = np.exp(-self.epsilon * k) * inside / 2
        return np.asarray(np.where(x >= 0, beyond, 1 - beyond))

    def cdf(self, x: ArrayLike) -> Floats:
        """Return P(X <= x)."""
        return self.tail(-np.asarray(x, dtype=float))

    def quantile(self, probability: ArrayLike) -> Floats:
        """Return the x with P(X <= x) = probability, for probabilities in [0, 1]; -inf and inf at the ends."""
        p = np.asarray(probability, dtype=float)
        b, rest, gamma, s = self._b, self._rest, self._gamma, self._share
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithm = np.log(2 * np.minimum(p, 1 - p))
            k = np.floor(np.maximum(-logarithm / self.epsilon, 0))
            left = logarithm + self.epsilon * k
            first = -np.expm1(left) * s / rest
            second = 1 - (np.expm1(left + self.epsilon)) * s / rest
            f = np.where(np.exp(left) * s >= b, np.minimum(first, gamma), np.clip(second, gamma, 1))
            size = np.where(np.isinf(logarithm), np.inf, (k + f) * self.sensitivity)
        return np.asarray(np.where(p < 0.5, -size, size))

    def within(self, chance: float) -> float:
        """Return the x with P(|X| <= x) = chance."""
        return -float(self.quantile((1 - chance) / 2))

    @property
    def _gamma(self) -> float:
        return self.gamma if self.gamma > 0 else 1.0

    @property
    def _b(self) -> float:
        return math.exp(-self.epsilon)

    @property
    def _rest(self) -> float:
        return -math.expm1(-self.epsilon)

    @property
    def _share(self) -> float:
        """The sum s = gamma + b (1 - gamma), to which the mass of a period is proportional."""
        return self._gamma + self._b * (1 - self._gamma)

    def _place(self, x: ArrayLike) -> tuple[Floats, Floats]:
        """Return period k and fraction f of |x| = (k + f) Delta, at most the largest number of doubles."""
        with np.errstate(over="ignore"):
            size = np.minimum(np.abs(np.asarray(x, dtype=float)) / self.sensitivity, np.finfo(float).max)
        k = np.floor(size)
        return k, size - k


def rounded(epsilon: float, gamma: float, size: int) -> tuple[Floats, Floats]:
    """Return the distribution of staircase noise of sensitivity 1 rounded to the nearest integer K.

    Parameters
    ----------
    epsilon : float
        In [0, inf]; inf gives no noise.
    gamma : float
        In [0, 1].
    size : int
        The largest integer wanted, at least 0.

    Returns
    -------
    mass, tail : ndarray
        (size + 1,) each: P(K = k) = P(K = -k) and P(K >= k) for k = 0..size, each computed without subtracting near-equals.

    Notes
    -----
    gamma = 1/2 gives the geometric mechanism's noise exactly: each [k - 1/2, k + 1/2) carries a(1/2) b^|k|. At epsilon = 0 the
    limit is given: mass 0 everywhere, tail 1/2.
    """
    if epsilon == math.inf:
        mass, tail = np.zeros(size + 1), np.zeros(size + 1)
        mass[0] = tail[0] = 1.0
        return mass, tail
    step = gamma if gamma > 0 else 1.0
    b, one_minus_b = math.exp(-epsilon), -math.expm1(-epsilon)
    whole = step + b * (1 - step)
    inner = (min(step, 0.5) + b * max(0.5 - step, 0.0)) / whole
    outer = (max(step - 0.5, 0.0) + b * min(1 - step, 0.5)) / whole
    powers = np.exp(-epsilon * np.arange(size + 1))
    mass, tail = np.empty(size + 1), np.empty(size + 1)
    mass[0] = one_minus_b * inner
    mass[1:] = powers[:-1] * (one_minus_b / 2 * (outer + b * inner))
    tail[0] = (1 + mass[0]) / 2
    tail[1:] = powers[:-1] * (b + one_minus_b * outer) / 2
    return mass, tail
