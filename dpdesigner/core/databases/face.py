"""The optimal face of the user with a uniform prior and the loss 0 or 1: how far each entry of a best mechanism can vary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.databases.solver import least
from dpdesigner.progress import Progress

_SLACK = 1e-13  # above the least loss, so that rounding does not empty the face


@dataclass(frozen=True, eq=False)
class Face:
    """The least loss, and the least and largest value of each entry over the mechanisms that attain it."""

    value: float
    low: Floats
    high: Floats


def spread(n: int, alpha: float, progress: Progress) -> Face:
    """Return the face, by two linear programs an entry.

    Parameters
    ----------
    n : int
        Results are 0..n.
    alpha : float
        In (0, 1].
    progress : callable
        Told the share that is done before each entry; may raise to stop.
    """
    size = n + 1
    pairs = np.array([[alpha * (k == i) - (k == j) for k in range(size)] for i in range(n) for i, j in ((i, i + 1), (i + 1, i))])
    private = np.kron(pairs.reshape(-1, size), np.eye(size))
    sums = np.kron(np.eye(size), np.ones(size))
    cost = (1 - np.eye(size)).ravel() / size

    value = least(cost, private, np.zeros(len(private)), sums, np.ones(size)).value
    above, limits = np.vstack([private, cost]), np.append(np.zeros(len(private)), value + _SLACK)
    low, high = np.zeros(size * size), np.zeros(size * size)
    for entry in range(size * size):
        progress(entry / size**2)
        chosen = np.zeros(size * size)
        chosen[entry] = 1
        low[entry] = least(chosen, above, limits, sums, np.ones(size)).value
        high[entry] = -least(-chosen, above, limits, sums, np.ones(size)).value
    return Face(value, low.reshape(size, size), high.reshape(size, size))
