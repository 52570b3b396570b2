"""Staircase noise [Geng]: the real-valued noise of least expected cost for a query of sensitivity Delta.

With b = exp(-epsilon) the density is a b^k on [k Delta, (k + gamma) Delta) and a b^(k+1) on [(k + gamma) Delta, (k + 1) Delta),
even, with a = (1 - b) / (2 Delta (gamma + b (1 - gamma))) (the factor is missing in [Geng]). gamma = 0 and gamma = 1 give the
same noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.noise.inputs import check_noise
from dpdesigner.core.noise.staircase_cost import optimal_gamma as optimal_gamma
from dpdesigner.errors import InputError


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
            raise InputError(f"gamma must be in [0, 1], got {self.gamma}.", "gamma")

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
        """Return P(X >= x), relatively accurate far out."""
        x = np.asarray(x, dtype=float)
        k, f = self._place(x)
        b, rest, gamma, s = self._b, self._rest, self._gamma, self._share
        inside = np.where(f < gamma, (b + rest * (gamma - f)) / s, b * (1 + rest * (1 - f) / s))
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
        """s = gamma + b (1 - gamma): a period's mass is proportional to it."""
        return self._gamma + self._b * (1 - self._gamma)

    def _place(self, x: ArrayLike) -> tuple[Floats, Floats]:
        """Period k and fraction f of |x| = (k + f) Delta."""
        size = np.abs(np.asarray(x, dtype=float)) / self.sensitivity
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
