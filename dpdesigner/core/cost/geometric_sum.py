"""Sums sum_k b^k F(k) over k = 0, 1, 2, ... with b = exp(-epsilon) and smooth F, in a few hundred terms whatever epsilon is.

The first terms are taken one by one. The rest is cut into blocks, each at most as long as its distance from 0 and at most
16 / epsilon long, and each block is summed by the Gauss rule for the sum over its integers (the discrete Chebyshev, or Gram,
polynomials): with 16 nodes it is exact for polynomials of degree 31.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
    """The places at which a sum is evaluated: sum_k b^k F(k) = sum(weights * F(k)).

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
    k, rule, single = map(np.concatenate, zip(*_pieces(alone, stop, longest), strict=True))
    made = Terms(k, rule * np.exp(-epsilon * k), single)
    for values in (made.k, made.weights, made.single):
        values.flags.writeable = False
    return made


def _pieces(alone: Sequence[int], stop: int, longest: int) -> Iterator[tuple[Floats, Floats, NDArray[np.bool_]]]:
    """Yield places below `stop`, their weights, and whether they stand for themselves: the first, those alone, blocks between."""

    def single(places: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        return places, np.ones(len(places)), np.ones(len(places), dtype=bool)

    start = min(_SINGLE, stop)
    yield single(np.arange(start, dtype=float))
    for end in (*alone, stop):
        while start < end:
            size = min(start, longest, end - start)
            nodes, weights = _rule(size)
            yield start + nodes, weights, np.zeros(len(nodes), dtype=bool)
            start += size
        if end < stop:
            yield single(np.array([float(end)]))
            start = end + 1


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
