"""What the lines and bars of a plot are in pixels, no more of them than can be seen; and where their names are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from dpdesigner.arrays import Floats
from dpdesigner.studies.plot_parts import Line

_ALONG = 17  # places along each curve; each has twelve spots: left, centre and right of it, near and far above and below
_POINTS, _APART = 150, 8.0  # points that represent a curve: their least number, and their greatest distance (pixels)
_GAP, _FAR = 3.0, 12.0  # pixels between a curve and its name
_ACROSS = 150.0  # penalty of a spot that is crossed by an upright line
_COVERED = 0.5  # pixels between two curves, of which only the upper one is seen
_MISTAKEN = 110.0  # penalty of a spot closer to another curve of the same colour
_CLOSER, _STEP = 2.0, 8.0  # pixels: how much closer another curve is to a name in a legend; between the places that are tried
_LOYALTY = 30.0  # how much better another spot must be for a name to move


class Place(NamedTuple):
    """A place for a name: the spot's number, its pixels, and whether it is in a legend, with a sample of the line before it."""

    spot: int
    box: QRectF
    keyed: bool = False


def place_labels(
    lines: Sequence[Floats],
    sizes: Sequence[tuple[float, float]],
    area: QRectF,
    before: Sequence[int | None] = (),
    blocked: Sequence[QRectF] = (),
    upright: Sequence[float] = (),
    inks: Sequence[str] = (),
    key: float = 0.0,
    keyed: Sequence[bool] = (),
) -> list[Place | None]:
    """Return a place for the name of each curve; None if it is out of sight, or the name is too large for the area.

    A name that would stand by another curve goes into a legend, if it may and there is room.

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
    inks : sequence of str
        The colour of each curve and its name, which should not be closer to another curve of its colour.
    key : float
        The width of a sample of a line in a legend.
    keyed : sequence of bool
        Whether the sample of each line can be told from the others.
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
        alike = [line for line, ink in zip(dense, inks, strict=False) if ink == inks[own] and line is not dense[own]]
        if alike:
            nearest = np.min([_distances(boxes, line) for line in alike], axis=0)
            cost += _MISTAKEN * (nearest < _distances(boxes, dense[own]) + 2)
        best = int(np.argmin(cost))
        here, others = boxes[best : best + 1], dense[:own] + dense[own + 1 :]
        apart = min((_distances(here, line)[0] for line in others), default=np.inf)
        legend = None
        if any(keyed[own : own + 1]) and apart < _distances(here, dense[own])[0] - _CLOSER:
            legend = _legend((size[0] + key, size[1]), dense, taken, area, upright)
        left, top, right, bottom = boxes[best].tolist()
        taken.append(legend or QRectF(left, top, right - left, bottom - top))
        placed.append(Place(int(spots[best]), taken[-1], legend is not None))
    return placed


def _legend(
    size: tuple[float, float], lines: Sequence[Floats], taken: Sequence[QRectF], area: QRectF, upright: Sequence[float]
) -> QRectF | None:
    """Return the box of that size that is highest, then furthest right, of those that touch nothing."""
    lefts = np.arange(area.right() - size[0], area.left(), -_STEP)
    tops = np.arange(area.top() + _GAP, area.bottom() - size[1], _STEP)
    corners = np.array([(left, top) for top in tops for left in lefts]).reshape(-1, 2)
    boxes = np.hstack([corners, corners + size])
    free = (_across(boxes, upright) + sum(_taken(boxes, box) for box in taken)) == 0
    for line in lines:
        free &= _distances(boxes, line) > _GAP
    return next((QRectF(left, top, *size) for left, top in corners[free].tolist()), None)


def touches(box: QRectF, lines: Sequence[Floats]) -> bool:
    """Return whether one of these curves, in pixels, goes through a box."""
    edges = np.array([[box.left(), box.top(), box.right(), box.bottom()]])
    return any(bool(_distances(edges, _resampled(line))[0] <= 0) for line in lines)


def _across(boxes: Floats, upright: Sequence[float]) -> Floats:
    """The penalty for a name that crosses upright lines."""
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
    lefts = at[:, :1] + np.array([-width / 2, _GAP, -width - _GAP] * 4)
    tops = at[:, 1:] + np.repeat([-height - _GAP, _GAP, -height - _FAR, _FAR], 3)
    boxes = np.stack([lefts, tops, lefts + width, tops + height], axis=-1).reshape(-1, 4)
    inside = (boxes[:, 0] >= area.left()) & (boxes[:, 1] >= area.top())
    inside &= (boxes[:, 2] <= area.right()) & (boxes[:, 3] <= area.bottom())
    return np.flatnonzero(inside), boxes[inside]


def _costs(boxes: Floats, own: int, lines: Sequence[Floats], taken: Sequence[QRectF], area: QRectF) -> Floats:
    """Return a penalty for each spot: touching another name, crossing curves, closer to another curve, far to one side."""
    distance = np.array([_distances(boxes, line) for line in lines])
    mine = distance[own]
    others = np.delete(distance, own, axis=0)
    closest = others.min(axis=0, initial=40.0)
    cost = 100.0 * (mine <= 0) + 200.0 * (others <= 0).sum(axis=0)
    cost += 2.0 * (40.0 - closest) + 40.0 * (closest < mine + 2) + mine
    cost += 10.0 * np.abs((boxes[:, ::2].mean(axis=1) - area.left()) / area.width() - 0.6)
    cost += 1000.0 * sum(_taken(boxes, box) for box in taken)
    return np.asarray(cost, dtype=float)


def _taken(boxes: Floats, box: QRectF) -> NDArray[np.bool_]:
    """Return which boxes touch a text."""
    apart = (boxes[:, 0] > box.right() + 4) | (boxes[:, 2] < box.left() - 4)
    apart |= (boxes[:, 1] > box.bottom() + 1) | (boxes[:, 3] < box.top() - 1)
    return np.asarray(~apart)


def _distances(boxes: Floats, line: Floats) -> Floats:
    """Return the pixels between each box and the nearest point of a line; 0 if it crosses the box."""
    if not len(line):
        return np.full(len(boxes), np.inf)
    x, y = line[:, 0], line[:, 1]
    right = np.maximum(np.maximum(boxes[:, :1] - x, x - boxes[:, 2:3]), 0)
    down = np.maximum(np.maximum(boxes[:, 1:2] - y, y - boxes[:, 3:4]), 0)
    return np.asarray(np.sqrt((right * right + down * down).min(axis=1)))


#: A line with more points than pixels that goes up and down more often than this is a band rather than a line.
_TURNS = 3.0


def corners(line: Line) -> tuple[Floats, Floats]:
    """Return the corners of a line: its points, two for each step of a staircase, three for each spike with a gap after it."""
    if line.spikes:
        heights = np.column_stack((np.zeros_like(line.y), line.y, np.full_like(line.y, np.nan)))
        return np.repeat(line.x, 3), heights.ravel()
    return stepped(line.x, line.y) if line.steps else (line.x, line.y)


def outlined(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the corners of the outline of bars around points, each from the middle before it to the middle after it."""
    edges = np.concatenate(([x[0]], (x[1:] + x[:-1]) / 2, [x[-1]]))
    return np.concatenate((edges[:1], np.repeat(edges[1:-1], 2), edges[-1:])), np.repeat(y, 2)


def stepped(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the corners of a staircase on which each y holds until the next x."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def axis_ends(
    fixed: tuple[float, float] | None, parts: Sequence[Floats], logarithmic: bool, *, from_zero: bool
) -> tuple[float, float]:
    """Return the ends of an axis, in decimal logarithms if it is logarithmic.

    Parameters
    ----------
    fixed : (float, float), optional
        The ends asked for; if None, they fit the values.
    parts : sequence of array
        The values to be seen.
    logarithmic : bool
        Whether the axis is logarithmic; values that are not positive then do not count.
    from_zero : bool
        Whether a linear axis includes zero, with a little room beyond the values.

    Returns
    -------
    (float, float)
        The lower end and a higher one.
    """
    values = np.concatenate([np.zeros(0), *parts]) if fixed is None else np.asarray(fixed, dtype=float)
    values = values[np.isfinite(values) & ((values > 0) | (not logarithmic))]
    if logarithmic:
        values = np.log10(values)
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if fixed is None and from_zero and not logarithmic:
        low, high = min(low, 0.0), max(high, 0.0)
        high += 0.04 * (high - low)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def highest(values: Floats, parts: int) -> Floats:
    """Return the highest value in each of this many equal parts, at most as many as there are values."""
    return np.maximum.reduceat(values, (np.arange(parts) * len(values)) // parts)


def bar_outline(values: Floats, area: QRectF, tops: Callable[[Floats], Floats], *, footed: bool = True) -> QPolygonF:
    """Return the outline of bars side by side in an area, with steps at least two pixels wide.

    Parameters
    ----------
    values : array (k,)
        Of the bars.
    area : QRectF
        All of it is taken, in pixels.
    tops : callable
        Gives the pixels of the upper ends for values.
    footed : bool
        Whether it begins and ends at the foot of the area.
    """
    steps = min(len(values), max(int(area.width() / 2), 1))
    x = np.repeat(area.left() + np.arange(steps + 1) * area.width() / steps, 2)
    y = np.concatenate(([area.bottom()], np.repeat(tops(highest(values, steps)), 2), [area.bottom()]))
    seen = slice(None) if footed else slice(1, -1)
    return QPolygonF(list(map(QPointF, x[seen].tolist(), y[seen].tolist())))


def is_band(line: Floats, area: QRectF) -> bool:
    """Return whether a curve in pixels, (k, 2), oscillates so fast that only its range is visible."""
    if len(line) <= area.width():
        return False
    travel = np.abs(np.diff(line[:, 1]))
    return bool(np.nansum(np.minimum(travel, area.height())) > _TURNS * area.height())


def uncovered(line: Floats, above: Sequence[Floats]) -> Floats:
    """Return a curve in pixels with gaps where others cover it, through which it would be seen while they are pale."""
    for other in above:
        if other.shape == line.shape:
            same = np.abs(other - line).max(axis=1) < _COVERED
            kept = ~(same & np.append(True, same[:-1]) & np.append(same[1:], True))
            line = np.where(kept[:, None], line, np.nan)
    return line


def thinned(line: Floats, area: QRectF) -> Floats:
    """Return a curve with at most two points for each column of pixels, its lowest and its highest; gaps are kept as they are."""
    if len(line) <= 2 * area.width() or not np.isfinite(line).all():
        return line
    column = np.floor(line[:, 0]).astype(np.int64)
    starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
    low, high = np.minimum.reduceat(line[:, 1], starts), np.maximum.reduceat(line[:, 1], starts)
    falling = line[starts, 1] > line[np.append(starts[1:], len(line)) - 1, 1]
    corners = np.empty((2 * len(starts) + 2, 2))
    corners[1:-1, 0] = np.repeat(line[starts, 0], 2)
    corners[1:-1:2, 1], corners[2:-1:2, 1] = np.where(falling, high, low), np.where(falling, low, high)
    corners[0], corners[-1] = line[0], line[-1]
    return corners


def band(line: Floats, area: QRectF, thickness: float) -> list[QRectF]:
    """Return a curve as one box for each column of pixels, from its lowest to its highest point there."""
    x, y = line[:, 0], np.clip(line[:, 1], area.top() - thickness, area.bottom() + thickness)
    if np.isfinite(line).all():  # makes a level stretch over several columns visible in each of them
        places = np.arange(area.left(), area.right()) + 0.5
        x, y = np.append(x, places), np.append(y, np.interp(places, x, y))
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
    inside = np.isfinite(x) & np.isfinite(y) & (x >= area.left()) & (x <= area.right())
    if not inside.any():
        return []
    column, y = np.floor(x[inside]).astype(np.int64), y[inside]
    starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
    top, bottom = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    room = np.maximum(thickness - (bottom - top), 0) / 2
    parts = zip(column[starts].tolist(), (top - room).tolist(), (bottom - top + 2 * room).tolist(), strict=True)
    return [QRectF(left, upper, 1.0, height) for left, upper, height in parts]
