"""What noise costs, for one answer or several, real or integer."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.noise_cost import PowerCost, noise_cost
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.several_dimensions import vector_cost, vector_laplace_cost, vector_optimum
from dpdesigner.core.noise.staircase_cost import Optimum, optimum, staircase_cost


def least_cost(text: str, epsilon: float, period: float, dimension: int) -> Optimum:
    """Return the best gamma of a real query and its cost.

    Parameters
    ----------
    text : str
        The cost, as `noise_cost` reads it; in several dimensions a power of the L1 norm or the sum of squares.
    epsilon : float
        Positive.
    period : float
        The sensitivity.
    dimension : int
        1 for a single answer.
    """
    cost = noise_cost(text)
    if dimension > 1 and isinstance(cost, PowerCost):
        best = vector_optimum(cost.power, epsilon, dimension, period)
        return Optimum(best.gamma, best.cost * cost.share(dimension))
    return optimum(cost, epsilon, period)


def real_costs(text: str, epsilon: float, gamma: ArrayLike, period: float, dimension: int) -> Floats:
    """Return the cost of staircase noise for a real query, as gamma; parameters as `least_cost`."""
    cost = noise_cost(text)
    if dimension > 1 and isinstance(cost, PowerCost):
        inside = np.asarray(gamma, dtype=float)
        return vector_cost(cost.power, epsilon, np.where(inside > 0, inside, 1.0), dimension, period) * cost.share(dimension)
    return staircase_cost(cost, epsilon, gamma, period)


def laplace_cost(text: str, epsilon: float, period: float, dimension: int) -> float:
    """Return the cost of Laplace noise for a real query; parameters as `least_cost`."""
    cost = noise_cost(text)
    if dimension > 1 and isinstance(cost, PowerCost):
        return vector_laplace_cost(cost.power, epsilon, dimension, period) * cost.share(dimension)
    return Laplace(epsilon, period).cost(cost)


def split_of(gamma: float, sensitivity: int) -> int:
    """Return the split of an integer query that a gamma stands for."""
    return min(max(round(gamma * sensitivity), 1), sensitivity)
