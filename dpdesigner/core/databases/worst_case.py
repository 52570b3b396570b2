"""The private mechanism for results 0..n whose worst mean distance over all results is least, by linear programming.

Gupte and Sundararajan: its value is that of a remap of G; as n grows it tends to 2 alpha/(1 - alpha^2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.databases.solver import least


@dataclass(frozen=True, eq=False)
class WorstCase:
    """The least worst mean distance, and a mechanism that has it."""

    value: float
    matrix: Floats


def least_worst_distance(n: int, alpha: float) -> WorstCase:
    """Return it for results 0..n; up to n = 24 it takes about a second."""
    size = n + 1
    pairs = np.array([[alpha * (k == i) - (k == j) for k in range(size)] for i in range(n) for i, j in ((i, i + 1), (i + 1, i))])
    private = np.kron(pairs.reshape(-1, size), np.eye(size))
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    costs = np.array([np.kron(np.eye(size)[i], distance[i]) for i in range(size)])
    above = np.block([[private, np.zeros((len(private), 1))], [costs, -np.ones((size, 1))]])
    sums = np.hstack([np.kron(np.eye(size), np.ones(size)), np.zeros((size, 1))])
    objective = np.append(np.zeros(size * size), 1.0)
    solution = least(objective, above, np.zeros(len(above)), sums, np.ones(size))
    return WorstCase(solution.value, solution.x[:-1].reshape(size, size))
