"""What a stroke does to the weights of a prior: plain arrays in, plain arrays out, no Qt.

A stroke never leaves a distribution without mass: where it would, the highest bar it started from keeps its weight.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Brush:
    """How a stroke paints.

    Attributes
    ----------
    width : int
        Bars painted at each place: 1 paints just the bar under the pointer.
    soft : bool
        Whether the edge of a wide brush fades.
    hold_total : bool
        Whether the bars not painted give or take so that the total mass stays.
    locked : frozenset of int
        Bars that keep their probability.
    """

    width: int = 1
    soft: bool = True
    hold_total: bool = False
    locked: frozenset[int] = field(default_factory=frozenset)


def painted(weights: Floats, before: Floats, start: tuple[float, float], end: tuple[float, float], brush: Brush) -> Floats:
    """Return the weights after one step of a stroke from `start` to `end`.

    Parameters
    ----------
    weights : ndarray
        (n + 1,): as the stroke has left them so far.
    before : ndarray
        (n + 1,): as they were when the stroke began; a soft edge blends with them.
    start, end : (float, float)
        Positions (count, weight); every bar between them is painted, at the height of the straight line.
    brush : Brush

    Returns
    -------
    ndarray
        (n + 1,).
    """
    n = len(weights) - 1
    (x0, y0), (x1, y1) = (start, end) if start[0] <= end[0] else (end, start)
    first, last = (int(np.clip(round(x), 0, n)) for x in (x0, x1))
    bars = np.arange(first, last + 1)
    heights = np.full(len(bars), end[1]) if last == first else np.interp(bars, (x0, x1), (y0, y1))
    goal, strength = weights.copy(), np.zeros(n + 1)
    reach = (brush.width - 1) // 2
    for offset in range(-reach, reach + 1):
        share = 1.0 - abs(offset) / (reach + 1) if brush.soft else 1.0
        places = bars + offset
        inside = (places >= 0) & (places <= n)
        stronger = share > strength[places[inside]]
        chosen = places[inside][stronger]
        goal[chosen], strength[chosen] = np.maximum(heights[inside][stronger], 0.0), share
    found = np.where(strength > 0, strength * goal + (1 - strength) * before, weights)
    return settled(found, weights, strength > 0, brush)


def settled(found: Floats, weights: Floats, touched: NDArray[np.bool_], brush: Brush) -> Floats:
    """Return painted weights with locks, the total and the last mass kept; `weights` is what they were painted over."""
    n = len(weights) - 1
    locked = np.zeros(n + 1, dtype=bool)
    locked[[place for place in brush.locked if place <= n]] = True
    free = ~locked
    found = np.where(locked, weights, found)
    if brush.hold_total:
        others = free & ~touched
        room, have = weights.sum() - found[~others].sum(), found[others].sum()
        if room > 0 and have > 0:
            found = np.where(others, found * (room / have), found)
    if locked.any() and found[free].sum() > 0 and weights[locked].sum() < weights.sum():
        # A locked bar keeps its probability, so the free ones share what is left of the total.
        found = np.where(free, found * (weights[free].sum() / found[free].sum()), found)
    return found if found.max() > 0 else kept(found, weights)


def kept(found: Floats, weights: Floats) -> Floats:
    """Return weights of which the largest old one is kept, so that some mass remains."""
    found = found.copy()
    place = int(weights.argmax())
    found[place] = weights[place]
    return found


def smoothed(weights: Floats, brush: Brush | None = None) -> Floats:
    """Return every bar averaged with its neighbours (1/4, 1/2, 1/4); the mass stays, the ends reflect."""
    padded = np.concatenate((weights[:1], weights, weights[-1:]))
    found = 0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:]
    return settled(found, weights, np.ones(len(weights), dtype=bool), brush or Brush())


def curve(handles: list[tuple[float, float]], n: int) -> Floats:
    """Return the weights along a monotone cubic curve through handles (count, weight), at least two of them."""
    from scipy.interpolate import PchipInterpolator

    x, y = (np.array(values, dtype=float) for values in zip(*sorted(handles), strict=True))
    inside = np.clip(np.arange(n + 1, dtype=float), x[0], x[-1])
    return np.maximum(np.asarray(PchipInterpolator(x, y)(inside), dtype=float), 0.0)


def handles_of(weights: Floats, count: int = 7) -> list[tuple[float, float]]:
    """Return evenly spaced handles on a shape."""
    n = len(weights) - 1
    places = np.unique(np.linspace(0, n, min(count, n + 1)).round().astype(int))
    return [(float(place), float(weights[place])) for place in places]
