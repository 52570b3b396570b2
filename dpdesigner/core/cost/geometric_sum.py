"""Sums sum_k b^k F(k) over k = 0, 1, 2, ... with b = exp(-epsilon) and smooth F, in a few hundred terms whatever epsilon is.

The first terms are taken one by one. The rest is cut into blocks, each at most as long as its distance from 0 and at most
16 / epsilon long, and each block is summed by the Gauss rule for the sum over its integers (the discrete Chebyshev, or Gram,
polynomials): with 16 nodes it is exact for polynomials of degree 31.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats

Flags = NDArray[np.bool_]

_NODES = 16
_SINGLE = 24
_BLOCK = 16.0


@dataclass(frozen=True, eq=False)
class Terms:
    """Where a sum is evaluated: sum_k b^k F(k) = sum(weights * F(k)).

    Attributes
    ----------
    k : ndarray
        (m,): increasing, not always whole.
    weights : ndarray
        (m,): b^k times the weight of the rule.
    single : ndarray of bool
        (m,): whether the term stands for itself alone.
    """

    k: Floats
    weights: Floats
    single: Flags


@lru_cache(maxsize=256)
def terms(epsilon: float, last: float, corners: tuple[int, ...] = ()) -> Terms:
    """Return the terms for 0 <= k <= last.

    Parameters
    ----------
    epsilon : float
        Positive.
    last : float
        Beyond it b^k F(k) is negligible.
    corners : tuple of int
        Increasing k near which F is not smooth; they and the k after them are taken one by one.

    Returns
    -------
    Terms
        Its arrays are read-only.
    """
    longest = max(int(_BLOCK / epsilon), 1) if epsilon > _BLOCK / 2**53 else 2**53
    stop = int(min(last, 2.0**53)) + 1
    alone = sorted({k for corner in corners for k in (corner, corner + 1) if _SINGLE <= k < stop})
    parts = [np.arange(min(_SINGLE, stop), dtype=float)]
    rules = [np.ones(len(parts[0]))]
    singles = [np.ones(len(parts[0]), dtype=bool)]
    start = len(parts[0])
    for end in (*alone, stop):
        while start < end:
            size = min(start, longest, end - start)
            nodes, weights = _rule(size)
            parts.append(start + nodes)
            rules.append(weights)
            singles.append(np.zeros(len(nodes), dtype=bool))
            start += size
        if end < stop:
            parts.append(np.array([float(end)]))
            rules.append(np.ones(1))
            singles.append(np.ones(1, dtype=bool))
            start = end + 1
    k, single = np.concatenate(parts), np.concatenate(singles)
    made = Terms(k, np.concatenate(rules) * np.exp(-epsilon * k), single)
    for values in (made.k, made.weights, made.single):
        values.flags.writeable = False
    return made


@lru_cache(maxsize=4096)
def _rule(size: int) -> tuple[Floats, Floats]:
    """Nodes in [0, size - 1] and weights summing to size, exact for sum_{k < size} p(k) with p of degree below 32."""
    if size <= _NODES:
        return np.arange(size, dtype=float), np.ones(size)
    j = np.arange(1.0, _NODES)
    off = np.sqrt(j * j * (1 - (j / size) ** 2) / (4 * (4 * j * j - 1)))
    nodes, vectors = np.linalg.eigh(np.diag(off, 1) + np.diag(off, -1))
    return (size - 1) / 2 + size * nodes, size * vectors[0] ** 2


def reach(epsilon: float, power: float) -> float:
    """Return a k beyond which the terms b^k (k + 1)^power no longer matter to the sum in double precision."""
    x = 46.0 + power
    for _ in range(60):
        x = 46.0 + power * (1 + math.log(max(x / max(power, 1e-9), 1.0)))
    return x / epsilon + 4
