"""Staircase noise in several dimensions: a density that depends on ||x||_1 in steps.

The density is a b^k where k <= ||x||_1 / Delta < k + gamma and a b^(k+1) up to k + 1, with Delta the L1 sensitivity of a vector
query and a = d! / ((2 Delta)^d (1 - b) S_d(gamma)), S_M(gamma) = sum_k b^k (k + gamma)^M. It mixes uniform noise on the L1 balls
of radius (k + gamma) Delta, hence E ||X||_1^m = Delta^m d / (d + m) S_{d+m}(gamma) / S_d(gamma).

Optimality (Geng and Viswanath, "The Optimal Mechanism in Differential Privacy: Multidimensional Setting", 2013) is proved for
d = 2 and the cost ||x||_1; for other powers of it and for more dimensions it was conjectured. Kulesza, Suresh and Wang (AISTATS
2025) and a preprint of January 2026 (arXiv 2601.14597) claim it for all dimensions; their proofs were not checked here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.noise.cost import reach, terms
from dpdesigner.core.noise.noise_cost import PowerCost, check_noise
from dpdesigner.core.noise.staircase import Optimum, optimum
from dpdesigner.errors import InputError

LARGEST_DIMENSION = 50
#: Up to this whole power, moments are computed as products.
_FACTORS = 20
#: Costs closer than this, relatively, are equal as far as doubles can tell.
_FLAT = 1e-13
#: Candidates for the best gamma, as multiples of its limit for large epsilon.
_NEAR = np.geomspace(0.05, 20, 61)
_GRID = np.unique(np.concatenate((np.geomspace(1e-3, 0.05, 12), np.linspace(0.05, 1, 96))))


@dataclass(frozen=True)
class VectorStaircase:
    """Staircase noise for a vector query.

    Attributes
    ----------
    epsilon : float
        In (0, inf).
    gamma : float
        In (0, 1].
    dimension : int
        d, in 1..50.
    sensitivity : float
        Delta > 0: by how much the query changes between neighbours, in the L1 norm.

    Raises
    ------
    InputError
        If one of them is out of its range.
    """

    epsilon: float
    gamma: float
    dimension: int
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        _check_dimension(self.dimension)
        check_noise(self.epsilon, self.sensitivity)
        if not 0 < self.gamma <= 1:
            raise InputError(f"gamma must be in (0, 1] for a vector, got {self.gamma}.", "gamma")

    @property
    def height(self) -> float:
        """The density at 0, a; 0 or infinite outside the range of doubles."""
        return float(self.density(0.0))

    @cached_property
    def _log_height(self) -> float:
        d, unit = self.dimension, _unit(self.epsilon, self.dimension)
        total = float(_sums(self.epsilon, np.asarray(self.gamma), d, unit))
        volume = math.lgamma(d + 1) + d * math.log(unit / (2 * self.sensitivity))
        return volume - math.log(total) - math.log(-math.expm1(-self.epsilon))

    def density(self, norm: ArrayLike) -> Floats:
        """Return the density at points with these L1 norms; for d = 2, pass |x| + |y| for (x, y)."""
        size = np.asarray(norm, dtype=float) / self.sensitivity
        k = np.floor(size)
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self._log_height - self.epsilon * (k + (size - k >= self.gamma))))


def is_proved(dimension: int, power: float = 1.0) -> bool:
    """Return whether the staircase is proved optimal for ||x||_1^power in this dimension; otherwise it is conjectured."""
    return dimension == 1 or (dimension == 2 and power == 1)


def vector_cost(power: float, epsilon: float, gamma: ArrayLike, dimension: int, sensitivity: float = 1.0) -> Floats:
    """Return E ||X||_1^power of staircase noise.

    Parameters
    ----------
    power : float
        m, in (0, 100].
    epsilon : float
        Positive.
    gamma : array_like
        In (0, 1].
    dimension : int
        d.
    sensitivity : float
        Delta, in the L1 norm.

    Returns
    -------
    ndarray
        As gamma.
    """
    _check_dimension(dimension)
    g = np.asarray(gamma, dtype=float)
    unit = _unit(epsilon, dimension + power)
    ratio = _sums(epsilon, g, dimension + power, unit) / _sums(epsilon, g, dimension, unit)
    with np.errstate(over="ignore"):
        return np.asarray(np.power(np.float64(sensitivity / unit), power) * (dimension / (dimension + power) * ratio))


def vector_laplace_cost(power: float, epsilon: float, dimension: int, sensitivity: float = 1.0) -> float:
    """Return E ||X||_1^power when each coordinate gets Laplace noise of scale Delta / epsilon: a Gamma variable's moment."""
    _check_dimension(dimension)
    moment = math.lgamma(dimension + power) - math.lgamma(dimension)
    with np.errstate(over="ignore"):
        if power == int(power) and 0 < power <= _FACTORS:  # d (d + 1) ... (d + power - 1): no digit is lost in logarithms
            factors = np.arange(dimension, dimension + int(power), dtype=float)
            return float(np.prod(factors * (sensitivity / epsilon)))
        return float(np.exp(power * math.log(sensitivity / epsilon) + moment))


def vector_laplace_density(norm: ArrayLike, epsilon: float, dimension: int, sensitivity: float = 1.0) -> Floats:
    """Return the density of coordinate-wise Laplace noise at points with these L1 norms."""
    scale = sensitivity / epsilon
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-np.asarray(norm, dtype=float) / scale - dimension * math.log(2 * scale)))


def vector_optimum(power: float, epsilon: float, dimension: int, sensitivity: float = 1.0) -> Optimum:
    """Return the gamma of least E ||X||_1^power, and that cost; parameters as in `vector_cost`.

    Notes
    -----
    From three dimensions on the cost is nearly flat in gamma and has several valleys where epsilon is small: a grid is scanned
    and every valley found in it is followed to where d ln cost / d gamma = (d + m) S_{d+m-1} / S_{d+m} - d S_{d-1} / S_d is 0.
    Where doubles cannot tell the costs apart, gamma = 1/2 stands for all.
    """
    if dimension == 1:
        return optimum(PowerCost(float(power)), epsilon, sensitivity)
    from scipy.optimize import brentq

    near = float(vector_large_epsilon_limit(power, epsilon, dimension)) ** (1 / power) * _NEAR
    grid = np.unique(np.append(_GRID, near[near < 1]))
    costs = vector_cost(power, epsilon, grid, dimension, sensitivity)
    if not np.isfinite(costs).all() or costs.max() - costs.min() <= _FLAT * costs.min():
        return Optimum(0.5, float(vector_cost(power, epsilon, 0.5, dimension, sensitivity)))

    def slope(logarithm: float) -> float:
        return float(_slope(power, epsilon, np.exp(logarithm), dimension))

    slopes = _slope(power, epsilon, grid, dimension)
    places = [float(grid[np.argmin(costs)])]
    for j in np.flatnonzero((slopes[:-1] < 0) & (slopes[1:] >= 0)):
        low, high = math.log(grid[j]), math.log(grid[j + 1])
        if slope(low) < 0 < slope(high):
            places.append(math.exp(brentq(slope, low, high, xtol=1e-15, rtol=1e-14)))
    values = vector_cost(power, epsilon, np.array(places), dimension, sensitivity)
    return Optimum(places[int(np.argmin(values))], float(values.min()))


def vector_large_epsilon_limit(power: float, epsilon: ArrayLike, dimension: int, sensitivity: float = 1.0) -> Floats:
    """Return the limit of the least E ||X||_1^m for large epsilon: Delta^m gamma^m with gamma = (d b / m)^(1 / (d + m))."""
    share = (math.log(dimension / power) - np.asarray(epsilon, dtype=float)) / (dimension + power)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(power * (math.log(sensitivity) + share)))


def _slope(power: float, epsilon: float, gamma: Floats, dimension: int) -> Floats:
    """Return d ln cost / d gamma, up to a positive factor."""
    m, d = power, dimension
    unit = _unit(epsilon, d + m)
    high = (d + m) * _sums(epsilon, gamma, d + m - 1, unit) / _sums(epsilon, gamma, d + m, unit)
    return np.asarray(high - d * _sums(epsilon, gamma, d - 1, unit) / _sums(epsilon, gamma, d, unit))


def _sums(epsilon: float, gamma: Floats, power: float, unit: float) -> Floats:
    """Return S_power(gamma) times unit^power."""
    series = terms(epsilon, reach(epsilon, power))
    return np.asarray(np.tensordot(series.weights, (np.add.outer(series.k, gamma) * unit) ** power, axes=1))


def _unit(epsilon: float, power: float) -> float:
    """Return a unit of length in which the sums neither overflow nor vanish."""
    return min(1.0, epsilon / power)


def _check_dimension(dimension: int) -> None:
    if not 1 <= dimension <= LARGEST_DIMENSION:
        raise InputError(f"the dimension must be a whole number between 1 and {LARGEST_DIMENSION}, got {dimension}.", "dimension")
