"""Laplace noise: density exp(-|x| / s) / (2 s) with scale s = Delta / epsilon.

The CDF printed in [Notes] has a wrong sign (it exceeds 1); the right one is (1/2) (1 + sgn(x) (1 - exp(-|x| / s))).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.noise.cost import NoiseCost, expectation
from dpdesigner.core.noise.noise_cost import DrawnCost, PowerCost, check_noise
from dpdesigner.core.noise.staircase import last_term


@dataclass(frozen=True)
class Laplace:
    """Laplace noise.

    Attributes
    ----------
    epsilon : float
        In (0, inf).
    sensitivity : float
        Delta > 0, in the unit of the query.

    Raises
    ------
    InputError
        If one of them is out of its range.
    """

    epsilon: float
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        check_noise(self.epsilon, self.sensitivity)

    @property
    def scale(self) -> float:
        """Delta / epsilon; the variance is twice its square."""
        return self.sensitivity / self.epsilon

    def density(self, x: ArrayLike) -> Floats:
        """Return the density at each x."""
        return np.asarray(np.exp(-np.abs(np.asarray(x, dtype=float)) / self.scale) / (2 * self.scale))

    def log_ratio(self, x: ArrayLike, shift: float) -> Floats:
        """Return ln(f(x) / f(x - shift)): at most epsilon wherever |shift| <= Delta."""
        x = np.asarray(x, dtype=float)
        return np.asarray((np.abs(x - shift) - np.abs(x)) / self.scale)

    def tail(self, x: ArrayLike) -> Floats:
        """Return P(X >= x), with high relative accuracy in the tail."""
        t = np.asarray(x, dtype=float) / self.scale
        return np.asarray(np.where(t >= 0, np.exp(-np.abs(t)) / 2, 1 - np.exp(-np.abs(t)) / 2))

    def cdf(self, x: ArrayLike) -> Floats:
        """Return P(X <= x)."""
        return self.tail(-np.asarray(x, dtype=float))

    def quantile(self, probability: ArrayLike) -> Floats:
        """Return the x with P(X <= x) = probability, for probabilities in [0, 1]; -inf and inf at the ends."""
        p = np.asarray(probability, dtype=float)
        with np.errstate(divide="ignore"):
            size = -np.log(2 * np.minimum(p, 1 - p)) * self.scale
        return np.asarray(np.where(p < 0.5, -size, size))

    def within(self, chance: float) -> float:
        """Return the x with P(|X| <= x) = chance."""
        return -float(self.quantile((1 - chance) / 2))

    def cost(self, cost: NoiseCost) -> float:
        """Return E L(X); infinite where it diverges or leaves the range in which L can be computed.

        Notes
        -----
        m! s^m for |x|^m. For a drawn cost, L(0) plus each slope times the integral of P(|X| > x) = exp(-x / s) along it.
        """
        if isinstance(cost, PowerCost):
            with np.errstate(over="ignore"):
                return float(math.gamma(cost.power + 1) * np.power(np.float64(self.scale), cost.power))
        if isinstance(cost, DrawnCost):
            places = np.array([x for x, _ in cost.points])
            along = np.append(-np.expm1(-np.diff(places) / self.scale), 1.0)
            return float(cost.points[0][1] + self.scale * (cost.slopes @ (along * np.exp(-places / self.scale))))
        last = last_term(cost, self.epsilon, self.sensitivity) * self.sensitivity
        return expectation(cost, self.density, last, self.scale) if last < math.inf else math.inf


def rounded(epsilon: float, size: int) -> tuple[Floats, Floats]:
    """Return the distribution of Laplace noise of scale 1 / epsilon (sensitivity 1) rounded to the nearest integer K.

    Parameters
    ----------
    epsilon : float
        In [0, inf]; inf gives no noise.
    size : int
        The largest integer wanted, at least 0.

    Returns
    -------
    mass, tail : ndarray
        (size + 1,) each: P(K = k) = P(K = -k) and P(K >= k) for k = 0..size, each computed without subtracting near-equals.

    Notes
    -----
    P(K = 0) = 1 - exp(-epsilon / 2), P(K >= k) = exp(-epsilon (k - 1/2)) / 2 for k >= 1. At epsilon = 0 the limit is given:
    mass 0 everywhere, tail 1/2.
    """
    distances = np.arange(size + 1) - 0.5
    distances[0] = 0.5
    tail = np.exp(-epsilon * distances) / 2
    mass = tail * -np.expm1(-epsilon)
    mass[0] = -np.expm1(-epsilon / 2)
    tail[0] = 1 - tail[0]
    return mass, tail
