"""The best noise for what is asked, or that of the gamma chosen, beside the noise that most others use: one answer or several.

For whole numbers a gamma stands for the split nearest to gamma Delta.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase, best_split, discrete_laplace_cost, split_costs
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.query import NoiseQuery
from dpdesigner.core.noise.several_dimensions import VectorStaircase, vector_cost, vector_laplace_cost, vector_optimum
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.noise.staircase_cost import Optimum, optimum, staircase_cost

Noise = Staircase | DiscreteStaircase | VectorStaircase


class Best(NamedTuple):
    """A noise, its gamma (the split over the sensitivity, for whole numbers), its cost, and that of the best gamma."""

    noise: Noise
    gamma: float
    cost: float
    least: float


def best_gamma(asked: NoiseQuery) -> Optimum:
    """Return the gamma of least expected cost, and that cost; the gamma chosen plays no part."""
    cost, epsilon, period, dimension = asked.noise_cost, asked.epsilon, asked.period, asked.dimension
    if asked.integer:
        split, least = best_split(cost, epsilon, int(period))
        return Optimum(split / int(period), least)
    if dimension > 1 and isinstance(cost, PowerCost):
        gamma, least = vector_optimum(cost.power, epsilon, dimension, period)
        return Optimum(gamma, least * cost.share(dimension))
    return optimum(cost, epsilon, period)


def gamma_costs(asked: NoiseQuery, gamma: ArrayLike) -> Floats:
    """Return the expected cost of the noise of each gamma in [0, 1], as gamma."""
    cost, epsilon, period, dimension = asked.noise_cost, asked.epsilon, asked.period, asked.dimension
    if asked.integer:
        return np.asarray(split_costs(cost, epsilon, int(period))[_splits(gamma, int(period)) - 1])
    if dimension > 1 and isinstance(cost, PowerCost):
        inside = np.asarray(gamma, dtype=float)
        return vector_cost(cost.power, epsilon, np.where(inside > 0, inside, 1.0), dimension, period) * cost.share(dimension)
    return staircase_cost(cost, epsilon, gamma, period)


def rival_cost(asked: NoiseQuery) -> float:
    """Return the expected cost of Laplace noise; for whole numbers, of discrete Laplace noise of the same scale."""
    cost, epsilon, period, dimension = asked.noise_cost, asked.epsilon, asked.period, asked.dimension
    if asked.integer:
        return discrete_laplace_cost(cost, epsilon, int(period))
    if dimension > 1 and isinstance(cost, PowerCost):
        return vector_laplace_cost(cost.power, epsilon, dimension, period) * cost.share(dimension)
    return Laplace(epsilon, period).cost(cost)


def best_noise(asked: NoiseQuery) -> Best:
    """Return the noise of the gamma chosen, or of the best one."""
    epsilon, period, dimension, (gamma, least) = asked.epsilon, asked.period, asked.dimension, best_gamma(asked)
    value = least
    if asked.gamma is not None:
        gamma, value = asked.gamma, float(gamma_costs(asked, asked.gamma))
    elif math.isnan(gamma):
        gamma = 0.5
    if asked.integer:
        split = int(_splits(gamma, int(period)))
        return Best(DiscreteStaircase(epsilon, split, int(period)), split / int(period), value, least)
    if dimension > 1:
        return Best(VectorStaircase(epsilon, gamma or 1.0, dimension, period), gamma, value, least)
    return Best(Staircase(epsilon, gamma, period), gamma, value, least)


def _splits(gamma: ArrayLike, sensitivity: int) -> Integers:
    return np.asarray(np.clip(np.rint(np.asarray(gamma, dtype=float) * sensitivity), 1, sensitivity), dtype=np.int64)
