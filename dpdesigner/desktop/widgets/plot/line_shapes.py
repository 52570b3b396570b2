"""What the lines and bars of a plot are in pixels, no more of them than can be seen; and the ends of an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF

from dpdesigner.arrays import Floats
from dpdesigner.studies.panels import Line

#: A line with more points than pixels that goes up and down more often than this is a band rather than a line.
_TURNS = 3.0


def corners(line: Line) -> tuple[Floats, Floats]:
    """Return the corners of a line: its points, two for each step of a staircase, three for each spike with a gap after it."""
    if line.spikes:
        heights = np.column_stack((np.zeros_like(line.y), line.y, np.full_like(line.y, np.nan)))
        return np.repeat(line.x, 3), heights.ravel()
    return stepped(line.x, line.y) if line.steps else (line.x, line.y)


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
    """Return the highest value in each of so many equal parts, at most as many as there are values."""
    return np.maximum.reduceat(values, (np.arange(parts) * len(values)) // parts)


def bar_outline(values: Floats, area: QRectF, tops: Callable[[Floats], Floats], *, footed: bool = True) -> QPolygonF:
    """Return the outline of bars side by side in an area, its steps two pixels wide at least.

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
    """Tell whether a curve in pixels, (k, 2), goes up and down so often that only how far it reaches can be seen."""
    if len(line) <= area.width():
        return False
    travel = np.abs(np.diff(line[:, 1]))
    return bool(np.nansum(np.minimum(travel, area.height())) > _TURNS * area.height())


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
    if np.isfinite(line).all():  # what is level over several columns is seen in each of them
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
