"""Arrays: their types for annotations, Gauss quadrature, and sums of numbers stored as logarithms.

Shapes stand in the docstrings: ``(n + 1,)``.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


@lru_cache(maxsize=16)
def gauss(size: int) -> tuple[Floats, Floats]:
    """Return the nodes in [-1, 1] and weights of the `size`-point rule, exact for polynomials of degree below 2 size."""
    nodes, weights = np.polynomial.legendre.leggauss(size)
    return nodes, weights


@lru_cache(maxsize=16)
def unit_gauss(size: int) -> tuple[Floats, Floats]:
    """Return nodes in [0, 1] and weights of the same rule."""
    nodes, weights = gauss(size)
    return (1 + nodes) / 2, weights / 2


def log_sum(logs: Floats) -> Floats:
    """Return ln sum exp(logs) along the last axis; -inf for an empty sum."""
    most = logs.max(axis=-1, keepdims=True, initial=-np.inf)
    most = np.where(np.isfinite(most), most, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(most[..., 0] + np.log(np.exp(logs - most).sum(axis=-1)))


def log_shares(logs: Floats) -> Floats:
    """Return the logarithm of each term's share of the sum along the last axis."""
    return np.asarray(logs - log_sum(logs)[..., None])
