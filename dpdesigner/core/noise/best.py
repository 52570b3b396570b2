"""The best noise for what is asked, or that of the gamma chosen, and what the noise that most others use costs."""

from __future__ import annotations

import math
from typing import NamedTuple

from dpdesigner.core.noise.asked import Asked
from dpdesigner.core.noise.costs import laplace_cost, least_cost, real_costs, split_of
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase, best_split, discrete_laplace_cost, split_costs
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.core.noise.staircase import Staircase

Noise = Staircase | DiscreteStaircase | VectorStaircase


class Best(NamedTuple):
    """A noise, its gamma (the split over the sensitivity, for whole numbers), its cost, and that of the best gamma."""

    noise: Noise
    gamma: float
    cost: float
    least: float


def best_noise(asked: Asked) -> Best:
    """Return the noise of the gamma chosen, or of the best one."""
    return _whole(asked) if asked.whole else _real(asked)


def rival_cost(asked: Asked) -> float:
    """Return the expected cost of Laplace noise; for whole numbers, of discrete Laplace noise of the same scale."""
    if asked.whole:
        return discrete_laplace_cost(asked.noise_cost, asked.epsilon, int(asked.period))
    return laplace_cost(asked.cost, asked.epsilon, asked.period, asked.dimension)


def _whole(asked: Asked) -> Best:
    cost, epsilon, size, chosen = asked.noise_cost, asked.epsilon, int(asked.period), asked.gamma
    best = best_split(cost, epsilon, size)
    split = best.split if chosen is None else split_of(chosen, size)
    value = best.cost if chosen is None else float(split_costs(cost, epsilon, size)[split - 1])
    return Best(DiscreteStaircase(epsilon, split, size), split / size, value, best.cost)


def _real(asked: Asked) -> Best:
    epsilon, period, dimension, chosen = asked.epsilon, asked.period, asked.dimension, asked.gamma
    best = least_cost(asked.cost, epsilon, period, dimension)
    gamma = best.gamma if chosen is None else chosen
    if math.isnan(gamma):
        gamma = 0.5
    value = best.cost if chosen is None else float(real_costs(asked.cost, epsilon, gamma, period, dimension))
    noise: Noise = Staircase(epsilon, gamma, period)
    if dimension > 1:
        noise = VectorStaircase(epsilon, gamma or 1.0, dimension, period)
    return Best(noise, gamma, value, best.cost)
