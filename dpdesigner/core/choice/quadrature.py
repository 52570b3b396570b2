"""Gauss' rule on [0, 1], and on panels of it that halve towards 0, for products of many factors 1 - t q that fall from 1 at 0."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.gauss import unit_gauss

#: Exact for products of 39 factors, and below rounding for an exponential that falls by exp(-22) within a panel.
_NODES = 20


def falling_rule(slope: float) -> tuple[Floats, Floats, Floats]:
    """Return nodes t in [0, 1], 1 - t, and weights for what falls like exp(-slope t) or as a product of few factors."""
    return _panels(max(0, math.ceil(math.log2(max(slope, 1.0) / 8))))


@lru_cache(maxsize=32)
def _panels(halvings: int) -> tuple[Floats, Floats, Floats]:
    edges = np.concatenate([[0.0], 0.5 ** np.arange(halvings, -1, -1)])
    nodes, weights = unit_gauss(_NODES)
    left, size = edges[:-1, None], np.diff(edges)[:, None]
    rest = (1 - left - size) + size * nodes[::-1]  # the rule is symmetric: no 1 - t is cancelled
    return (left + size * nodes).ravel(), rest.ravel(), (size * weights).ravel()
