"""Curves of noise: densities and costs against gamma at one epsilon, and costs against epsilon.

Costs of noise against epsilon.

Each point is computed once for each cost and kept, so that dragging epsilon or a sensitivity redraws at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.noise import staircase
from dpdesigner.core.noise.best_noise import Noise, best_gamma, gamma_costs, rival_cost
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.noise_cost import LEAST_EPSILON, MOST_EPSILON, NoiseQuery, PowerCost
from dpdesigner.core.noise.several_dimensions import VectorStaircase, vector_laplace_density, vector_large_epsilon_limit
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.progress import Progress, silent

_GAMMAS = np.linspace(0, 1, 101)
_SAME_EDGE = 1e-9  # of the sensitivity: two edges of steps that are nearer are one
_MOST_PERIODS, _MOST_VALUES, _MOST_BARS = 500, 2000, 40
#: Of a picture of the plane: points along a side, periods of Laplace noise and of the staircase to its edge at least, and below
#: which part of the highest density all looks alike.
_SIDE, _SCALES, _LEAST_PERIODS, _DEEPEST = 181, 4.0, 3.0, 1e-12


@dataclass(frozen=True, eq=False)
class Curves:
    """Named arrays of equal length, made read-only."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def columns(self) -> dict[str, Floats]:
        """Return the arrays by name, for a table."""
        return {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}


@dataclass(frozen=True, eq=False)
class DensityCurves(Curves):
    """The densities of both noises; for an integer query, their probabilities.

    Attributes
    ----------
    x : ndarray
        (m,): the amount of noise, increasing; whole numbers for an integer query.
    staircase : ndarray
        (m,): the density from each x up to the next one, so that drawing it as steps is exact.
    laplace : ndarray
        (m,): the density at each x.
    """

    x: Floats
    staircase: Floats
    laplace: Floats


@dataclass(frozen=True, eq=False)
class DistributionCurves(Curves):
    """The distribution functions of both noises, P(noise <= x).

    Attributes
    ----------
    x : ndarray
        (m,): the amount of noise, increasing.
    staircase, laplace : ndarray
        (m,).
    """

    x: Floats
    staircase: Floats
    laplace: Floats


@dataclass(frozen=True, eq=False)
class PlaneDensities(Curves):
    """The densities of both noises for two answers.

    Attributes
    ----------
    reach : float
        Half the side of the square around 0 on which they are given.
    ends : (float, float)
        What the weakest and the strongest colour stand for: below the first all looks alike.
    staircase, laplace : ndarray
        (size, size).
    """

    reach: float
    ends: tuple[float, float]
    staircase: Floats
    laplace: Floats


@dataclass(frozen=True, eq=False)
class GammaCurve(Curves):
    """The cost against gamma at one epsilon.

    Attributes
    ----------
    gamma : ndarray
        (m,): from 0 to 1; for an integer query each split over the sensitivity.
    cost : ndarray
        (m,).
    best : float
        The best gamma.
    least : float
        Its cost.
    half : float
        The cost of gamma = 1/2; for an integer query, of the split nearest to it.
    """

    gamma: Floats
    cost: Floats
    best: float
    least: float
    half: float


def density_curves(asked: NoiseQuery, noise: Noise) -> DensityCurves:
    """Return both densities over most of the mass and at least a few periods; for a vector, against the signed L1 norm."""
    periods = min(max(4 / asked.epsilon, 3.2), _MOST_PERIODS)
    if isinstance(noise, DiscreteStaircase):
        reach = max(min(int(periods * noise.sensitivity), _MOST_VALUES), int(3.2 * noise.sensitivity), 8)
        i = np.arange(-reach, reach + 1)
        t = asked.epsilon / noise.sensitivity
        return DensityCurves(asked.places(i), noise.mass(i), np.tanh(t / 2) * np.exp(-t * np.abs(i)))
    line = noise if isinstance(noise, Staircase) else Staircase(noise.epsilon, noise.gamma, noise.sensitivity)
    edges, _ = line.outline(periods * asked.period)
    x = np.union1d(edges, np.linspace(edges[0], edges[-1], 401))
    steps = noise.density(np.abs(x[1:] + x[:-1]) / 2)
    laplace = vector_laplace_density(np.abs(x), asked.epsilon, asked.dimension, asked.period)
    return DensityCurves(x, np.append(steps, steps[-1]), laplace)


def merged_edges(x: Floats, shift: float, period: float) -> Floats:
    """Return the edges of the steps of two densities, one of them moved, within the ends of the first."""
    edges = np.asarray(np.union1d(x, np.clip(x + shift, x[0], x[-1])), dtype=np.float64)
    return edges[np.diff(edges, prepend=-np.inf) > _SAME_EDGE * period]  # rounding makes two of a single edge


def moved_density(asked: NoiseQuery, noise: Staircase | DiscreteStaircase, x: Floats, shift: float) -> tuple[Floats, Floats]:
    """Return the density of moved noise, or its probabilities, between the ends of x: from each edge up to the next."""
    if isinstance(noise, DiscreteStaircase):
        return x, noise.mass(np.rint((x - shift) / float(asked.step)).astype(np.int64))
    edges = merged_edges(x, shift, noise.sensitivity)
    heights = noise.density(np.abs((edges[1:] + edges[:-1]) / 2 - shift))
    return edges, np.append(heights, heights[-1])


def bar_edges(x: Floats, y: Floats, dimension: int, *, whole: bool) -> tuple[Floats, Floats]:
    """Return the ends of the bars of many draws under a density, one for each step or whole number, and the size of each.

    That of whole numbers, or whole steps, is how many there are. Of several answers, the bars are along the L1 norm, and a size
    is the volume of the vectors between two norms.
    """
    step = x[1] - x[0] if whole else 1.0
    edges = np.append(x - step / 2, x[-1] + step / 2) if whole else x[np.diff(y, prepend=np.nan) != 0]
    edges = edges[:: -(-len(edges) // _MOST_BARS)]
    if dimension == 1:
        return edges, np.diff(edges) / step
    edges = np.append(0.0, edges[edges > 0])
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return edges, np.diff(np.exp(dimension * np.log(2 * edges) - math.lgamma(dimension + 1)))


def plane_densities(asked: NoiseQuery, noise: VectorStaircase) -> PlaneDensities:
    """Return the densities of two answers' noise on a square that shows several periods."""
    reach = max(_SCALES / asked.epsilon, _LEAST_PERIODS) * asked.period
    axis = np.abs(np.linspace(-reach, reach, _SIDE))
    distance = np.add.outer(axis, axis)
    smooth = vector_laplace_density(distance, asked.epsilon, 2, asked.period)
    steps = noise.density(distance)
    top = min(max(float(steps.max()), float(smooth.max())), 1e300)
    least = min(float(values[values > 0].min(initial=top)) for values in (steps, smooth))
    ends = max(least, top * _DEEPEST, 1e-300), top
    return PlaneDensities(reach, ends, np.minimum(steps, top), np.minimum(smooth, top))


def gamma_curve(asked: NoiseQuery) -> GammaCurve:
    """Return the cost against gamma at the query's epsilon."""
    best = best_gamma(asked)
    if asked.integer:
        size = asked.steps
        gammas, half = np.arange(1, size + 1) / size, max(round(size / 2), 1) - 1
    else:
        near = best.gamma * np.geomspace(0.1, 10, 21) if np.isfinite(best.gamma) else _GAMMAS
        gammas = np.unique(np.concatenate((_GAMMAS, near[near <= 1])))
        half = int(np.searchsorted(gammas, 0.5))
    costs = gamma_costs(asked, gammas)
    return GammaCurve(gammas, costs, best.gamma, best.cost, float(costs[half]))


_LEAST, _MOST = 1e-3, 32.0
_PER_DECADE = 18
#: Above this, the limit for small epsilon is no longer close.
_SMALL = 2.0
_SHARED = 8
_ANSWERS = 8


@dataclass(frozen=True, eq=False)
class EpsilonCurves(Curves):
    """Costs against epsilon.

    Attributes
    ----------
    epsilon : ndarray
        (m,): in equal ratios.
    gamma : ndarray
        (m,): the best gamma; for an integer query the best split over the sensitivity.
    least : ndarray
        (m,): the cost of the best gamma.
    staircase : ndarray
        (m,): the cost of the gamma asked for; `least` where that is optimal.
    laplace : ndarray
        (m,): the cost of Laplace noise; for an integer query, of discrete Laplace noise.
    small_limit, large_limit : ndarray or None
        (m,): what the least cost tends to as epsilon tends to 0 and to infinity; None where no closed form is known.
    """

    epsilon: Floats
    gamma: Floats
    least: Floats
    staircase: Floats
    laplace: Floats
    small_limit: Floats | None
    large_limit: Floats | None

    @property
    def ratio(self) -> Floats:
        """The cost of Laplace noise divided by the least cost, (m,); nan where both are infinite."""
        return _ratio(self.laplace, self.least)


@dataclass(frozen=True, eq=False)
class DimensionCurve(Curves):
    """Costs against the number of answers, at one epsilon and one L1 sensitivity.

    Attributes
    ----------
    dimension : ndarray
        (m,): 1, 2, 3, ..., at least as far as the number asked for.
    gamma, least : ndarray
        (m,) each: the best gamma and its cost; see `dpdesigner.core.noise.several_dimensions.is_proved`.
    laplace : ndarray
        (m,): the cost of Laplace noise on each answer.
    """

    dimension: Floats
    gamma: Floats
    least: Floats
    laplace: Floats

    @property
    def ratio(self) -> Floats:
        """The cost of Laplace noise divided by the least cost, (m,); nan where both are infinite."""
        return _ratio(self.laplace, self.least)


def _ratio(laplace: Floats, least: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return laplace / least


class _Point(NamedTuple):
    gamma: float
    least: float
    chosen: float
    laplace: float


def epsilon_curves(asked: NoiseQuery, progress: Progress = silent) -> EpsilonCurves:
    """Return the costs against epsilon over a range that contains the query's epsilon."""
    cost, period, power, share = asked.noise_cost, asked.period, 0.0, 1.0
    if isinstance(cost, PowerCost) and not asked.integer:
        power, share = cost.power, cost.share(asked.dimension)
    # A low power of the noise scales with the sensitivity and stays within doubles: all use the points of sensitivity 1.
    shared = 0 < power <= _SHARED
    alike = replace(asked, period=1.0 if shared else period, delta=None)
    epsilons = epsilon_grid(asked.epsilon)
    points = []
    for j, epsilon in enumerate(epsilons.tolist()):
        progress(j / len(epsilons), "costs against epsilon")
        points.append(_point(replace(alike, epsilon=epsilon)))
    gamma, least, chosen, laplace = np.array(points).T.copy()
    scale = period**power if shared else 1.0
    small = large = None
    if power:
        large = share * vector_large_epsilon_limit(power, epsilons, asked.dimension, period)
        if asked.dimension == 1:
            small = staircase.small_epsilon_limit(epsilons, power, period)
            small[epsilons > _SMALL] = np.nan
    return EpsilonCurves(epsilons, gamma, least * scale, chosen * scale, laplace * scale, small, large)


def dimension_curve(asked: NoiseQuery) -> DimensionCurve:
    """Return the costs against the number of answers; the cost must be a power."""
    dimensions = np.arange(1, max(_ANSWERS, asked.dimension) + 1)
    points = [_point(replace(asked, dimension=d, gamma=None, delta=None)) for d in dimensions.tolist()]
    gamma, least, _, laplace = np.array(points).T.copy()
    return DimensionCurve(dimensions.astype(float), gamma, least, laplace)


def epsilon_grid(within: float) -> Floats:
    """Return the epsilons of every curve, in equal ratios, extended to include the given epsilon; the points are fixed."""
    low, high = min(_LEAST, within), max(_MOST, within)
    first, last = math.floor(_PER_DECADE * math.log10(low)), math.ceil(_PER_DECADE * math.log10(high))
    return np.clip(10.0 ** (np.arange(first, last + 1) / _PER_DECADE), LEAST_EPSILON, MOST_EPSILON)


@lru_cache(maxsize=4096)
def _point(asked: NoiseQuery) -> _Point:
    best = best_gamma(asked)
    chosen = best.cost if asked.gamma is None else float(gamma_costs(asked, asked.gamma))
    return _Point(best.gamma, best.cost, chosen, rival_cost(asked))
