"""Where the names of curves are written: beside their own curve, away from the others and from each other.

For each curve there is a fixed number of spots, counted from its left end; the cheapest is taken. A name keeps the spot it had
unless another is clearly better, so that names do not hop about while curves change under the mouse.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from dpdesigner.arrays import Floats

_ALONG = 17  # places along each curve; each has six spots: left, centre and right of it, above and below
_POINTS, _APART = 150, 8.0  # points that stand for a curve, at least, and how far apart they are at most (pixels)
_GAP = 3.0  # pixels between a curve and its name
_ACROSS = 150.0  # how bad a spot is that an upright line goes through
_LOYALTY = 30.0  # how much better another spot must be


class Place(NamedTuple):
    """A place for a name: the spot's number, and its pixels."""

    spot: int
    box: QRectF


def place_labels(
    lines: Sequence[Floats],
    sizes: Sequence[tuple[float, float]],
    area: QRectF,
    before: Sequence[int | None] = (),
    blocked: Sequence[QRectF] = (),
    upright: Sequence[float] = (),
) -> list[Place | None]:
    """Return a place for the name of each curve; None for one out of sight, or a name too large for the area.

    Parameters
    ----------
    lines : sequence of array (k, 2)
        The curves in pixels, from left to right; nan in gaps.
    sizes : sequence of (width, height)
        Of the names.
    area : QRectF
        Names stay inside.
    before : sequence of int or None
        The spots taken the last time, as far as known.
    blocked : sequence of QRectF
        Where other texts stand.
    upright : sequence of float
        Where upright lines stand, such as handles, which are better not written across.
    """
    dense, kept = [_resampled(line) for line in lines], dict(enumerate(before))
    placed: list[Place | None] = []
    taken = list(blocked)
    for own, size in enumerate(sizes):
        spots, boxes = _spots(dense[own], size, area)
        if not len(spots):
            placed.append(None)
            continue
        cost = _costs(boxes, own, dense, taken, area) + _across(boxes, upright) - _LOYALTY * (spots == kept.get(own))
        best = int(np.argmin(cost))
        left, top, right, bottom = boxes[best].tolist()
        taken.append(QRectF(left, top, right - left, bottom - top))
        placed.append(Place(int(spots[best]), taken[-1]))
    return placed


def touches(box: QRectF, lines: Sequence[Floats]) -> bool:
    """Return whether one of these curves, in pixels, goes through a box."""
    edges = np.array([[box.left(), box.top(), box.right(), box.bottom()]])
    return any(bool(_distances(edges, _resampled(line))[0] <= 0) for line in lines)


def _across(boxes: Floats, upright: Sequence[float]) -> Floats:
    """What it costs to be written across upright lines."""
    crossed = [(boxes[:, 0] < x + _GAP) & (boxes[:, 2] > x - _GAP) for x in upright]
    return _ACROSS * np.sum(crossed, axis=0) if crossed else np.zeros(len(boxes))


def _resampled(line: Floats) -> Floats:
    """Return a line with points at equal distances along it, gaps left out."""
    line = line[np.isfinite(line).all(axis=1)]
    if len(line) < 2:
        return line
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    places = np.linspace(0, along[-1], max(_POINTS, min(int(along[-1] / _APART), 4 * _POINTS)))
    return np.column_stack([np.interp(places, along, line[:, 0]), np.interp(places, along, line[:, 1])])


def _spots(line: Floats, size: tuple[float, float], area: QRectF) -> tuple[NDArray[np.intp], Floats]:
    """Return the numbers of the spots inside the area, and their left, top, right and bottom."""
    if not len(line):
        return np.zeros(0, dtype=np.intp), np.zeros((0, 4))
    width, height = size
    at = line[np.linspace(0, len(line) - 1, _ALONG).astype(int)]
    lefts = at[:, :1] + np.array([-width / 2, _GAP, -width - _GAP] * 2)
    tops = at[:, 1:] + np.array([-height - _GAP] * 3 + [_GAP] * 3)
    boxes = np.stack([lefts, tops, lefts + width, tops + height], axis=-1).reshape(-1, 4)
    inside = (boxes[:, 0] >= area.left()) & (boxes[:, 1] >= area.top())
    inside &= (boxes[:, 2] <= area.right()) & (boxes[:, 3] <= area.bottom())
    return np.flatnonzero(inside), boxes[inside]


def _costs(boxes: Floats, own: int, lines: Sequence[Floats], taken: Sequence[QRectF], area: QRectF) -> Floats:
    """Return how bad each spot is: touching another name, crossing curves, nearer to another curve, far to one side."""
    distance = np.array([_distances(boxes, line) for line in lines])
    mine = distance[own]
    others = np.delete(distance, own, axis=0)
    closest = others.min(axis=0, initial=40.0)
    cost = 100.0 * (mine <= 0) + 200.0 * (others <= 0).sum(axis=0)
    cost += 2.0 * (40.0 - closest) + 40.0 * (closest < mine + 2) + mine
    cost += 10.0 * np.abs((boxes[:, ::2].mean(axis=1) - area.left()) / area.width() - 0.6)
    for box in taken:
        apart = (boxes[:, 0] > box.right() + 4) | (boxes[:, 2] < box.left() - 4)
        apart |= (boxes[:, 1] > box.bottom() + 1) | (boxes[:, 3] < box.top() - 1)
        cost += 1000.0 * ~apart
    return np.asarray(cost, dtype=float)


def _distances(boxes: Floats, line: Floats) -> Floats:
    """Return the pixels between each box and the nearest point of a line; 0 where it crosses the box."""
    if not len(line):
        return np.full(len(boxes), np.inf)
    x, y = line[:, 0], line[:, 1]
    right = np.maximum(np.maximum(boxes[:, :1] - x, x - boxes[:, 2:3]), 0)
    down = np.maximum(np.maximum(boxes[:, 1:2] - y, y - boxes[:, 3:4]), 0)
    return np.asarray(np.sqrt((right * right + down * down).min(axis=1)))
