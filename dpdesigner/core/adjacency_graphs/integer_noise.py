"""The (eps, delta)-private noise on whole numbers of least mean distance, sensitivity 1, by linear programming.

Even noise p is private exactly if sum_i max(0, p(i) - e^eps p(i + 1)) <= delta over all i; by evenness that covers the other
direction. The window is widened until the best noise ends within it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpdesigner.core.adjacency_graphs.solver import least
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress

_FIRST = 16
#: How far noise may reach, at most, that is looked for.
LARGEST = 200


@dataclass(frozen=True)
class IntegerNoise:
    """Chances of 0, 1, 2, ..., those of -1, -2, ... the same, and the mean distance."""

    chances: tuple[float, ...]
    cost: float


def best_integer_noise(epsilon: float, delta: float, progress: Progress) -> IntegerNoise:
    """Return the noise of least E|X|.

    Parameters
    ----------
    epsilon, delta : float
        At least 0; above 0.
    progress : callable
        Told before each program; may raise to stop.

    Raises
    ------
    InputError
        If truncated Laplace noise would reach further than `LARGEST`.
    """
    needed = 1 / (2 * delta) if epsilon == 0 else math.log1p(math.expm1(epsilon) / (2 * delta)) / epsilon
    if needed > LARGEST:
        raise InputError(f"delta must be large enough for noise within ±{LARGEST}, got {delta} at epsilon = {epsilon}.", "delta")
    window = max(_FIRST, math.ceil(needed) + 2)
    while True:
        progress(None)
        noise = _within(window, epsilon, delta)
        if window >= 2 * LARGEST or sum(noise.chances[-3:]) < 1e-12:
            return noise
        window = 2 * window


def _within(window: int, epsilon: float, delta: float) -> IntegerNoise:
    size, steps = window + 1, 2 * window + 2  # p(0..window); from -window - 1 to window + 1 there are so many steps
    ratio = math.exp(epsilon)
    above = np.zeros((steps + 1, size + steps))
    for k in range(steps):
        i = k - window - 1
        for place, weight in ((abs(i), 1.0), (abs(i + 1), -ratio)):
            if place <= window:
                above[k, place] += weight
        above[k, size + k] = -1
    above[steps, size:] = 1
    limits = np.zeros(steps + 1)
    limits[steps] = delta
    twice = np.where(np.arange(size) > 0, 2.0, 1.0)
    sums = np.concatenate([twice, np.zeros(steps)])[None, :]
    objective = np.concatenate([twice * np.arange(size), np.zeros(steps)])
    solution = least(objective, above, limits, sums, np.ones(1))
    return IntegerNoise(tuple(solution.x[:size].tolist()), solution.value)
