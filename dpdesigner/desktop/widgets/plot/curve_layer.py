"""Paints curves with their names beside them, shaded bands, markers, and the cursor.

No more of a curve is painted than the pixels show: one with thousands of points is painted as quickly as one with a hundred.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.plot.curve import Band, Curve, Floats, Marker
from dpdesigner.desktop.widgets.plot.label_places import Place, place_labels
from dpdesigner.desktop.widgets.plot.plot_layer import Frame, PixelLayer, colour, draw_chip, font, line

#: A curve with more points than pixels that goes up and down more often than this is a band rather than a line.
_TURNS = 3.0
#: A curve as it is painted: a line, or boxes where it is as dense as a band.
Shape = QPainterPath | list[QRectF]


class CurveLayer(PixelLayer):
    """Bands, curves, names and markers: what stays while the cursor moves."""

    def __init__(self) -> None:
        super().__init__()
        self.curves: list[Curve] = []
        self.markers: list[Marker] = []
        self.bands: list[Band] = []
        self.log_x = self.log_y = False
        self._laid_out: tuple[list[Shape], list[Place | None]] | None = None
        self._spots: list[int | None] = []

    def set_frame(self, frame: Frame, bounds: QRectF) -> None:
        """Take a new frame, and forget what was laid out for the last one."""
        self._laid_out = None
        super().set_frame(frame, bounds)

    def renew(self) -> None:
        """Lay out and paint again after a change of contents."""
        self._laid_out = None
        self.update()

    def pixel(self, x: float, y: float) -> QPointF:
        """Return the pixel of a point; nan where an axis is logarithmic and the value is not positive."""
        return QPointF(self.frame.x(_placed(x, self.log_x)), self.frame.y(_placed(y, self.log_y)))

    def pixels(self, curve: Curve) -> Floats:
        """Return the corners of a curve in pixels, an array (k, 2); nan in gaps."""
        return self._across(*curve.points())

    def _across(self, x: Floats, y: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            at_x = np.log10(x) if self.log_x else x
            at_y = np.log10(y) if self.log_y else y
        frame = self.frame
        across = frame.area.left() + (at_x - frame.left) / (frame.right - frame.left) * frame.area.width()
        down = frame.area.bottom() - (at_y - frame.bottom) / (frame.top - frame.bottom) * frame.area.height()
        found = np.column_stack([across, down])
        found[~np.isfinite(found).all(axis=1)] = np.nan
        return found

    def labels(self) -> list[Place | None]:
        """Return where the name of each curve stands."""
        return self._layout()[1]

    def draw(self, painter: QPainter) -> None:
        """Draw bands, then curves, then names and markers."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font())
        for stretch in self.bands:
            self._draw_band(painter, stretch)
        shapes, labels = self._layout()
        painter.save()
        painter.setClipRect(self.frame.area.adjusted(-1, -2, 1, 2))
        pairs = list(zip(reversed(self.curves), reversed(shapes), strict=True))
        for curve, shape in sorted(pairs, key=lambda pair: not isinstance(pair[1], list)):  # lines over bands
            self._draw_curve(painter, curve, shape)
        painter.restore()
        for curve, place in zip(self.curves, labels, strict=True):
            if place is not None:
                painter.setPen(colour(curve.colour_role))
                painter.drawText(place.box, Qt.AlignmentFlag.AlignCenter, curve.name)
        for marker, box in zip(self.markers, self._beside_markers(), strict=True):
            self._draw_marker(painter, marker, box)

    @staticmethod
    def _draw_curve(painter: QPainter, curve: Curve, shape: Shape) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not isinstance(shape, list))
        if isinstance(shape, list):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(curve.colour_role, 0.5 if curve.dashed else 1.0))
            painter.drawRects(shape)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(line(curve.colour_role, _thickness(), dashed=curve.dashed))
            painter.drawPath(shape)

    def _shape(self, part: Floats) -> Shape:
        """Return a curve as a path, or as a band where its ups and downs are closer than pixels."""
        if is_band(part, self.frame.area):
            return band(part, self.frame.area, _thickness())
        part = thinned(part, self.frame.area)
        path: QPainterPath = pg.functions.arrayToQPath(part[:, 0], part[:, 1], connect="finite")
        return path

    def _layout(self) -> tuple[list[Shape], list[Place | None]]:
        if self._laid_out is None:
            lines = [self.pixels(curve) for curve in self.curves]
            shapes = [self._shape(part) for part in lines]
            metrics = QFontMetricsF(font())
            sizes = [(metrics.horizontalAdvance(curve.name) + 2, metrics.height()) for curve in self.curves]
            named = [size if curve.name else (1e9, 1e9) for curve, size in zip(self.curves, sizes, strict=True)]
            blocked = self._beside_markers()
            # The name of upright lines goes along their upper ends, and not between them.
            upright = [place for place, curve in enumerate(self.curves) if curve.upright]
            beside = [*lines, *(lines[place] for place in upright)]
            for place in upright:
                beside[place] = self._across(self.curves[place].x, self.curves[place].y)
            labels = place_labels(beside, named, self.frame.area, self._spots, blocked)
            self._spots = [None if place is None else place.spot for place in labels]
            self._laid_out = shapes, labels
        return self._laid_out

    def _draw_band(self, painter: QPainter, band: Band) -> None:
        area, upright = self.frame.area, band.along == "x"
        low, high = (_placed(end, self.log_x if upright else self.log_y) for end in (band.low, band.high))
        if upright:
            ends = [self._clamped(self.frame.x(end), area.left(), area.right()) for end in (low, high)]
            box = QRectF(QPointF(ends[0], area.top()), QPointF(ends[1], area.bottom()))
        else:
            ends = [self._clamped(self.frame.y(end), area.top(), area.bottom()) for end in (high, low)]
            box = QRectF(QPointF(area.left(), ends[0]), QPointF(area.right(), ends[1]))
        painter.fillRect(box, colour(band.colour_role, 0.12))
        if band.text and box.width() > QFontMetricsF(painter.font()).horizontalAdvance(band.text) + 8:
            painter.setPen(colour(band.colour_role))
            painter.drawText(box.adjusted(4, 2, -4, -2), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, band.text)

    @staticmethod
    def _clamped(value: float, low: float, high: float) -> float:
        """Return a pixel kept within bounds; nan, the logarithm of what has none, counts as the lower end."""
        return low if np.isnan(value) else min(max(value, low), high)

    def _draw_marker(self, painter: QPainter, marker: Marker, box: QRectF) -> None:
        at = self.pixel(marker.x, marker.y)
        if np.isnan(at.x()) or np.isnan(at.y()) or not self.frame.area.adjusted(-1, -1, 1, 1).contains(at):
            return
        draw_dot(painter, at, marker.colour_role)
        painter.setPen(colour(marker.colour_role))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, marker.text)

    def _beside_markers(self) -> list[QRectF]:
        """Return where the texts of the markers stand: above or below their dots, where they touch no other dot and text."""
        metrics, area, found = QFontMetricsF(font()), self.frame.area, list[QRectF]()
        dots = [self.pixel(marker.x, marker.y) for marker in self.markers]
        for marker, at in zip(self.markers, dots, strict=True):
            width, height = metrics.horizontalAdvance(marker.text) + 1, metrics.height()
            tops, lefts = (max(area.top(), at.y() - height - 2), at.y() + 2), (at.x() + 8, at.x() - 8 - width)
            boxes = [QRectF(left, top, width, height) for top in tops for left in lefts]
            taken = [*found, *(QRectF(dot.x() - 5, dot.y() - 5, 10, 10) for dot in dots if dot is not at)]
            free = (box for box in boxes if area.contains(box) and not any(map(box.intersects, taken)))
            found.append(next(free, boxes[0] if boxes[0].right() <= area.right() else boxes[1]))
        return found


class CursorLayer(PixelLayer):
    """The vertical cursor with its label above and its dot, and the read-out under the mouse."""

    def __init__(self, curves: CurveLayer) -> None:
        super().__init__()
        self._curves = curves
        self.place: float | None = None
        self.text = ""
        self.height = float("nan")
        self.hovered: float | None = None
        self.hover_dots: Sequence[tuple[float, str]] = ()
        self.hover_lines: Sequence[str] = ()

    def draw(self, painter: QPainter) -> None:
        """Draw cursor and read-out."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self.frame.area
        if self.place is not None:
            at = self._curves.pixel(self.place, self.height)
            if area.left() - 1 <= at.x() <= area.right() + 1:
                self._draw_cursor(painter, at)
        if self.hovered is not None and self.hover_lines:
            x = self._curves.pixel(self.hovered, 1.0).x()
            painter.setPen(line("muted", opacity=0.6))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            for y, role in self.hover_dots:
                draw_dot(painter, self._curves.pixel(self.hovered, y), role, small=True)
            draw_chip(painter, QPointF(x, area.top() + 0.3 * area.height()), self.hover_lines, self.boundingRect())

    def _draw_cursor(self, painter: QPainter, at: QPointF) -> None:
        area = self.frame.area
        painter.setPen(line("text", opacity=0.75))
        painter.drawLine(QPointF(at.x(), area.top() - 2), QPointF(at.x(), area.bottom()))
        if np.isfinite(at.y()) and area.top() - 1 <= at.y() <= area.bottom() + 1:
            draw_dot(painter, at, self._curves.curves[0].colour_role)
        painter.setFont(font())
        metrics = QFontMetricsF(painter.font())
        width = metrics.horizontalAdvance(self.text)
        left = max(area.left(), min(at.x() - width / 2, self.boundingRect().right() - width))
        painter.setPen(colour("text"))
        painter.drawText(QPointF(left, area.top() - 4 - metrics.descent()), self.text)


def draw_dot(painter: QPainter, at: QPointF, role: str, *, small: bool = False) -> None:
    """Draw a dot with a rim of the card's colour, if its place is a number."""
    if np.isfinite(at.x()) and np.isfinite(at.y()):
        radius = (3.0 if small else 4.5) * theme().scale ** 0.5
        painter.setPen(line("card", 1.5))
        painter.setBrush(colour(role))
        painter.drawEllipse(at, radius, radius)


def _placed(value: float, logarithmic: bool) -> float:
    if not logarithmic:
        return value
    return float(np.log10(value)) if value > 0 else float("nan")


def _thickness() -> float:
    """Pixels of a curve's line."""
    return float(2 * theme().scale**0.5)


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
    found = np.empty((2 * len(starts) + 2, 2))
    found[1:-1, 0] = np.repeat(line[starts, 0], 2)
    found[1:-1:2, 1], found[2:-1:2, 1] = np.where(falling, high, low), np.where(falling, low, high)
    found[0], found[-1] = line[0], line[-1]
    return found


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
