"""Two linear programs over the private mechanisms for a count query with results 0..n: an optimal face, and a worst case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.adjacency_graphs.solver import least, path, private, row_sums
from dpdesigner.progress import Progress

_SLACK = 1e-13  # above the least loss, so that rounding does not empty the face


@dataclass(frozen=True, eq=False)
class Face:
    """The least loss, and the least and largest value of each entry over the mechanisms that attain it."""

    value: float
    low: Floats
    high: Floats


def optimal_face(n: int, alpha: float, progress: Progress) -> Face:
    """Return how far each entry of a best mechanism can vary, of the user with a uniform prior and the loss 0 or 1.

    Parameters
    ----------
    n : int
    alpha : float
        In (0, 1].
    progress : Progress
        Told before each entry, which takes two linear programs.
    """
    size = n + 1
    constraints, sums = private(path(size), size, alpha, np.eye(size)), row_sums(size, size)
    cost = (1 - np.eye(size)).ravel() / size
    value = least(cost, constraints, np.zeros(len(constraints)), sums, np.ones(size)).value
    above, limits = np.vstack([constraints, cost]), np.append(np.zeros(len(constraints)), value + _SLACK)
    low, high = np.zeros(size * size), np.zeros(size * size)
    for entry, chosen in enumerate(np.eye(size * size)):
        progress(entry / size**2)
        low[entry] = least(chosen, above, limits, sums, np.ones(size)).value
        high[entry] = -least(-chosen, above, limits, sums, np.ones(size)).value
    return Face(value, low.reshape(size, size), high.reshape(size, size))


@dataclass(frozen=True, eq=False)
class WorstCase:
    """The least worst mean distance, and a mechanism that has it."""

    value: float
    matrix: Floats


def least_worst_distance(n: int, alpha: float) -> WorstCase:
    """Return the mechanism whose worst mean distance over all results is least; up to n = 24 it takes about a second.

    Notes
    -----
    Gupte and Sundararajan: its value is that of a remap of G; as n grows it tends to 2 alpha/(1 - alpha^2).
    """
    size = n + 1
    constraints = private(path(size), size, alpha, np.eye(size))
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    costs = np.array([np.kron(np.eye(size)[i], distance[i]) for i in range(size)])
    above = np.block([[constraints, np.zeros((len(constraints), 1))], [costs, -np.ones((size, 1))]])
    sums = np.hstack([row_sums(size, size), np.zeros((size, 1))])
    objective = np.append(np.zeros(size * size), 1.0)
    solution = least(objective, above, np.zeros(len(above)), sums, np.ones(size))
    return WorstCase(solution.value, solution.x[:-1].reshape(size, size))
