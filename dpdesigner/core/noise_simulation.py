"""Floating-point draws of staircase and Laplace noise, FOR SIMULATION ONLY.

Floating-point noise must never protect real data: which doubles can come out depends on the true answer, and that alone gives it
away (Mironov 2012). Where integers allow it, `dpdesigner.core.discrete_staircase_sampling` draws exactly.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.laplace import Laplace
from dpdesigner.core.staircase import Staircase

Floats = NDArray[np.float64]


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


def simulate_laplace(noise: Laplace, size: int, generator: np.random.Generator) -> Floats:
    """Return Laplace noise for simulation, (size,)."""
    return np.asarray(generator.laplace(0.0, noise.scale, size))
