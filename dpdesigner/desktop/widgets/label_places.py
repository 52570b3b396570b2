"""Where the names of curves are written: beside their own curve, away from the others and from each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

Floats = NDArray[np.float64]

_PLACES = 25  # candidates along each curve, each above and below it
_GAP = 3.0  # pixels between a curve and its name


def place_labels(lines: Sequence[Floats], sizes: Sequence[tuple[float, float]], area: QRectF) -> list[QRectF | None]:
    """Return a place for the name of each curve.

    Parameters
    ----------
    lines : sequence of array (k, 2)
        The curves in pixels, from left to right.
    sizes : sequence of (width, height)
        Of the names.
    area : QRectF
        Names stay inside.

    Returns
    -------
    list of QRectF or None
        None for a curve out of sight or a name too large for the area.
    """
    dense = [_resampled(line) for line in lines]
    placed: list[QRectF | None] = []
    for own, size in zip(range(len(lines)), sizes, strict=True):
        best: tuple[float, QRectF] | None = None
        for box in _candidates(dense[own], size, area):
            cost = _cost(box, own, dense, [other for other in placed if other is not None], area)
            if best is None or cost < best[0]:
                best = cost, box
        placed.append(None if best is None else best[1])
    return placed


def _resampled(line: Floats) -> Floats:
    """Return a line with points at equal distances along it, gaps left out."""
    line = line[np.isfinite(line).all(axis=1)]
    if len(line) < 2:
        return line
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    places = np.linspace(0, along[-1], 300)
    return np.column_stack([np.interp(places, along, line[:, 0]), np.interp(places, along, line[:, 1])])


def _candidates(line: Floats, size: tuple[float, float], area: QRectF) -> list[QRectF]:
    width, height = size
    boxes = []
    for place in np.linspace(0, len(line) - 1, _PLACES if len(line) else 0).astype(int):
        x, y = line[place]
        for left in (x - width / 2, x + _GAP, x - width - _GAP):
            for top in (y - height - _GAP, y + _GAP):
                box = QRectF(float(left), float(top), width, height)
                if area.contains(box):
                    boxes.append(box)
    return boxes


def _cost(box: QRectF, own: int, lines: Sequence[Floats], placed: Sequence[QRectF], area: QRectF) -> float:
    """Return how bad a place is: names touching, curves crossed, other curves nearer than its own, and how far to the right."""
    cost = 1000.0 * sum(box.adjusted(-4, -1, 4, 1).intersects(other) for other in placed)
    nearest = [_distance(box, line) for line in lines]
    others = [distance for place, distance in enumerate(nearest) if place != own]
    cost += 100.0 * (nearest[own] <= 0) + 200.0 * sum(distance <= 0 for distance in others)
    closest = min(others, default=40.0)
    cost += 2.0 * max(0.0, 40.0 - closest) + 40.0 * (closest < nearest[own] + 2)
    return cost + nearest[own] + 10.0 * abs((box.center().x() - area.left()) / area.width() - 0.6)


def _distance(box: QRectF, line: Floats) -> float:
    """Return the pixels between a box and the nearest point of a line; 0 if it crosses the box."""
    if not len(line):
        return float("inf")
    right = np.maximum(np.maximum(box.left() - line[:, 0], line[:, 0] - box.right()), 0)
    down = np.maximum(np.maximum(box.top() - line[:, 1], line[:, 1] - box.bottom()), 0)
    return float(np.hypot(right, down).min())
