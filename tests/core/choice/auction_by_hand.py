"""An auction computed on a grid, without a thought: another way to the same numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

POINTS = 50_000  # what is computed on them is near to within a few times 1 / POINTS
PRICES: Floats = (np.arange(POINTS) + 0.5) / POINTS

#: For each bidder (price, quantity), by rising price.
Curves = Sequence[Sequence[tuple[float, float]]]


def unit(bids: Sequence[float]) -> Curves:
    """The curves of bids for one item each."""
    return [[(bid, 1.0)] for bid in bids]


def bought(curve: Sequence[tuple[float, float]]) -> Floats:
    """How much a bidder buys at each price."""
    found = np.zeros(POINTS)
    for high, quantity in reversed(curve):
        found = np.where(high >= PRICES, quantity, found)
    return found


def revenue(curves: Curves) -> Floats:
    """What counts at each price."""
    return sum((np.minimum(PRICES * bought(curve), 1) for curve in curves), np.zeros(POINTS))


def weights(curves: Curves, epsilon: float) -> Floats:
    """How likely each price is."""
    q = epsilon * revenue(curves)
    found = np.exp(q - q.max())
    return np.asarray(found / found.sum())


def surplus(curve: Sequence[tuple[float, float]]) -> Floats:
    """The area under a curve above each price."""
    steps, low = np.zeros(POINTS), 0.0
    for high, quantity in curve:
        steps += quantity * np.maximum(high - np.maximum(low, PRICES), 0)
        low = high
    return steps
