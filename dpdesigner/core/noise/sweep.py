"""Costs of noise against epsilon.

Each point is computed once for each cost and kept, so that dragging epsilon or a sensitivity redraws at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.noise import staircase_powers
from dpdesigner.core.noise.best_noise import best_gamma, gamma_costs, rival_cost
from dpdesigner.core.noise.curves import Curves
from dpdesigner.core.noise.inputs import LEAST_EPSILON, MOST_EPSILON
from dpdesigner.core.noise.query import NoiseQuery
from dpdesigner.core.noise.several_dimensions import vector_large_epsilon_limit
from dpdesigner.progress import Progress, silent

_LEAST, _MOST = 1e-3, 32.0
_PER_DECADE = 18
#: Beyond this the limit for small epsilon is no longer near.
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
        """The cost of Laplace noise relative to the least cost, (m,); nan where both are infinite."""
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
        """The cost of Laplace noise relative to the least cost, (m,); nan where both are infinite."""
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
    """Return the costs against epsilon over a range that contains the one asked for."""
    cost, period, power, share = asked.noise_cost, asked.period, 0.0, 1.0
    if isinstance(cost, PowerCost) and not asked.integer:
        power, share = cost.power, cost.share(asked.dimension)
    # A low power of the noise scales with the sensitivity without leaving the range of doubles: all share the points of 1.
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
            small = staircase_powers.small_epsilon_limit(epsilons, power, period)
            small[epsilons > _SMALL] = np.nan
    return EpsilonCurves(epsilons, gamma, least * scale, chosen * scale, laplace * scale, small, large)


def dimension_curve(asked: NoiseQuery) -> DimensionCurve:
    """Return the costs against the number of answers; the cost must be a power."""
    dimensions = np.arange(1, max(_ANSWERS, asked.dimension) + 1)
    points = [_point(replace(asked, dimension=d, gamma=None, delta=None)) for d in dimensions.tolist()]
    gamma, least, _, laplace = np.array(points).T.copy()
    return DimensionCurve(dimensions.astype(float), gamma, least, laplace)


def epsilon_grid(within: float) -> Floats:
    """Return the epsilons of every curve, in equal ratios, reaching as far as the one given; the points themselves never move."""
    low, high = min(_LEAST, within), max(_MOST, within)
    first, last = math.floor(_PER_DECADE * math.log10(low)), math.ceil(_PER_DECADE * math.log10(high))
    return np.clip(10.0 ** (np.arange(first, last + 1) / _PER_DECADE), LEAST_EPSILON, MOST_EPSILON)


@lru_cache(maxsize=4096)
def _point(asked: NoiseQuery) -> _Point:
    best = best_gamma(asked)
    chosen = best.cost if asked.gamma is None else float(gamma_costs(asked, asked.gamma))
    return _Point(best.gamma, best.cost, chosen, rival_cost(asked))
