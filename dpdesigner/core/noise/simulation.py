"""Floating-point draws of staircase and Laplace noise, FOR SIMULATION ONLY.

Floating-point noise must never protect real data: which doubles can come out depends on the true answer, and that alone can give
it away (Mironov 2012). The generator is numpy's, which callers seed from the operating system's entropy. Where integers allow it,
`dpdesigner.core.noise.discrete_sampling` draws exactly.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.geometric_sum import reach
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.core.noise.staircase import Staircase

#: From this epsilon on a table of the steps is short.
_TABLE = 0.05


def simulate_staircase(noise: Staircase, size: int, generator: np.random.Generator) -> Floats:
    """Return staircase noise for simulation, by [Geng]'s construction from four independent variables.

    Parameters
    ----------
    noise : Staircase
        Its epsilon, gamma and sensitivity.
    size : int
        How many.
    generator : numpy.random.Generator
        The source of pseudo-randomness.

    Returns
    -------
    ndarray
        (size,): S ((1 - B) (G + gamma U) + B (G + gamma + (1 - gamma) U)) Delta with a random sign S, G geometric on 0, 1, ...,
        U uniform in [0, 1), and B = 0 with probability gamma / (gamma + (1 - gamma) b).
    """
    b = math.exp(-noise.epsilon)
    gamma = noise.gamma or 1.0
    sign = generator.choice((-1.0, 1.0), size)
    period = generator.geometric(-math.expm1(-noise.epsilon), size) - 1.0
    place = generator.random(size)
    second = generator.random(size) * (gamma + (1 - gamma) * b) >= gamma
    inside = np.where(second, gamma + (1 - gamma) * place, gamma * place)
    return np.asarray(sign * (period + inside) * noise.sensitivity)


def simulate_vector(noise: VectorStaircase, size: int, generator: np.random.Generator) -> Floats:
    """Return staircase noise for a vector query, for simulation, (size, dimension).

    Notes
    -----
    The density is a mixture of uniform densities on the L1 balls of radius (k + gamma) Delta, with weights proportional to
    b^k (k + gamma)^d. The first d of d + 1 exponential variables over their sum, with random signs, are uniform on the unit ball.
    """
    d = noise.dimension
    parts = generator.exponential(size=(size, d + 1))
    signs = generator.choice((-1.0, 1.0), (size, d))
    radius = (_balls(noise, size, generator) + noise.gamma) * noise.sensitivity
    return np.asarray(signs * parts[:, :d] / parts.sum(axis=1, keepdims=True) * radius[:, None])


def _balls(noise: VectorStaircase, size: int, generator: np.random.Generator) -> Floats:
    """Draw k with weights b^k (k + gamma)^d: from a table, or where that is long by rejection from the negative binomial.

    b^k (k + gamma)^d is at most b^k (k + 1) ... (k + d), whose sum is that of a negative binomial variable with d + 1 successes.
    """
    d, gamma = noise.dimension, noise.gamma
    if noise.epsilon >= _TABLE:
        k = np.arange(math.ceil(reach(noise.epsilon, d)) + 1.0)
        weights = np.exp(d * (np.log(k + gamma) - math.log(k[-1] + gamma)) - noise.epsilon * k)
        return np.asarray(generator.choice(k, size, p=weights / weights.sum()))
    periods = np.empty(0)
    while len(periods) < size:
        k = generator.negative_binomial(d + 1, -math.expm1(-noise.epsilon), size).astype(float)
        accepted = np.exp(d * np.log(k + gamma) - np.log(np.add.outer(np.arange(1, d + 1), k)).sum(axis=0))
        periods = np.append(periods, k[generator.random(size) < accepted])
    return periods[:size]
