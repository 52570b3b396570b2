"""Gauss' rule for integrals, made when it is first wanted: what numpy needs for it takes time that a start need not wait for."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpdesigner.arrays import Floats


@lru_cache(maxsize=16)
def gauss(size: int) -> tuple[Floats, Floats]:
    """Return nodes in [-1, 1] and weights of the rule with so many nodes, exact for polynomials of degree below 2 size."""
    nodes, weights = np.polynomial.legendre.leggauss(size)
    return nodes, weights


@lru_cache(maxsize=16)
def unit_gauss(size: int) -> tuple[Floats, Floats]:
    """Return nodes in [0, 1] and weights of the same rule."""
    nodes, weights = gauss(size)
    return (1 + nodes) / 2, weights / 2
