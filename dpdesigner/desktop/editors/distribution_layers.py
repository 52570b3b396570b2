"""Paints a distribution that is being edited: bars, the brush, the shape before a stroke, and other distributions over it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPolygonF

from dpdesigner.core.basics.rounding import brief
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.editors.weight_rules import Floats, HandleCurve
from dpdesigner.desktop.plots.line_shapes import bar_outline, highest
from dpdesigner.desktop.plots.plot_layer import PixelLayer, colour, font, line, px

_HANDLE = 4.5  # pixels, at text scale 1: radius of a handle


class DistributionLayer(PixelLayer):
    """Bars over 0..n with weights as heights; if there are more bars than pixels, each pixel shows its highest bar."""

    def __init__(self) -> None:
        super().__init__()
        self.weights: Floats = np.ones(1)
        self.ghost: Floats | None = None  #: the weights before the current gesture
        self.curve: HandleCurve | None = None
        self.taken: int | None = None  #: the handle under the mouse
        self.locked: frozenset[int] = frozenset()
        self.selected: int | None = None
        self.brushed: tuple[int, int] | None = None  #: first and last bar that the brush would paint
        self.blank = ""  #: text shown when nothing is left to draw

    def bar(self, count: int) -> QRectF:
        """Return the pixels of a bar, as high as it is drawn: at least one pixel unless its weight is 0."""
        lefts, rights, tops = self._columns(np.array([count]))
        return QRectF(QPointF(lefts[0], tops[0]), QPointF(rights[0], self.frame.area.bottom()))

    def draw(self, painter: QPainter) -> None:
        area = self.frame.area
        painter.save()
        painter.setClipRect(area.adjusted(0, -1, 0, 2))
        if self.brushed is not None:
            left, right = self.frame.x(self.brushed[0] - 0.5), self.frame.x(self.brushed[1] + 0.5)
            painter.fillRect(QRectF(left, area.top(), max(right - left, 1), area.height()), colour("hairline", 0.5))
        if self.blank:
            self._draw_blank(painter)
        else:
            self._draw_bars(painter)
        painter.setPen(line("hairline"))
        painter.drawLine(QPointF(area.left(), area.bottom() + 0.5), QPointF(area.right(), area.bottom() + 0.5))
        if not self.blank:
            self._draw_special(painter)
        if self.ghost is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(line("muted", 1.0))
            painter.drawPolyline(bar_outline(self.ghost * (self.weights.sum() / self.ghost.sum()), area, self._tops))
        painter.restore()
        if self.curve is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_curve(painter, self.curve)

    def handle_at(self, position: QPointF) -> int | None:
        """Return the handle of the curve within reach of a pixel."""
        if self.curve is None:
            return None
        points = zip(self.curve.places, self.curve.heights, strict=True)
        away = [(self._dot(x, y) - position).manhattanLength() for x, y in points]
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= px(2.5 * _HANDLE) else None

    def _dot(self, place: float, height: float) -> QPointF:
        """Return the position at which a handle is drawn: at the edge of the area if it is higher."""
        return QPointF(self.frame.x(place), max(self.frame.y(height), self.frame.area.top()))

    def _columns(self, counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[list[float], list[float], list[float]]:
        """Return left, right and upper edges of bars, on whole pixels so that they are sharp and evenly spaced."""
        area, size = self.frame.area, len(self.weights)
        pitch = area.width() / size
        gap = 0.0 if pitch < 3 else 1.0 if pitch < 8 else round(min(2.0 + pitch / 60, 6.0))
        lefts = np.round(area.left() + counts * pitch + gap / 2)
        rights = np.maximum(np.round(area.left() + (counts + 1) * pitch - gap / 2), lefts + 1)
        return lefts.tolist(), rights.tolist(), self._tops(self.weights[counts]).tolist()

    def _tops(self, weights: Floats) -> Floats:
        area = self.frame.area
        heights = np.round(np.minimum(weights / self.frame.top, 1.2) * area.height())
        heights[(weights > 0) & (heights < 1)] = 1.0
        return np.asarray(area.bottom() - heights)

    def _draw_bars(self, painter: QPainter) -> None:
        area, size = self.frame.area, len(self.weights)
        bottom, pixels = area.bottom(), int(area.width())
        if size <= pixels:
            lefts, rights, tops = self._columns(np.arange(size))
        else:
            tops = self._tops(highest(self.weights, pixels)).tolist()
            lefts = [area.left() + pixel for pixel in range(pixels)]
            rights = [left + 1 for left in lefts]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour("accent", 0.5 if self.curve is not None else 1.0))
        columns = zip(lefts, rights, tops, strict=True)
        painter.drawRects([QRectF(left, top, right - left, bottom - top) for left, right, top in columns if top < bottom])

    def _draw_blank(self, painter: QPainter) -> None:
        """Draw a dashed frame with instructions in it."""
        area = self.frame.area
        pen = line("muted", 1.0)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(area.adjusted(1, 1, -1, -1))
        painter.setPen(colour("text"))
        painter.setFont(theme().font(9))
        painter.drawText(area.adjusted(8, 0, -8, 0), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.blank)

    def _draw_special(self, painter: QPainter) -> None:
        """Draw locked bars grey, hatched and underlined, and the selected one in a warm colour."""
        bottom, size = self.frame.area.bottom(), len(self.weights)
        for count in self.locked:
            if count < size:
                bar = self._visible(self.bar(count))
                painter.fillRect(bar, colour("quiet"))
                painter.fillRect(bar, QBrush(colour("card", 0.6), Qt.BrushStyle.BDiagPattern))
                painter.fillRect(QRectF(bar.left(), bottom, bar.width(), 2), colour("text"))
        if self.selected is not None and self.selected < size:
            bar = self._visible(self.bar(self.selected))
            painter.fillRect(bar, colour("selected", 0.6 if self.curve is not None else 1.0))
            if self.selected in self.locked:
                painter.fillRect(bar, QBrush(colour("card", 0.6), Qt.BrushStyle.BDiagPattern))

    @staticmethod
    def _visible(bar: QRectF) -> QRectF:
        """Return a bar widened to both sides and raised so that it is at least two pixels wide and high."""
        more = max(0.0, 2 - bar.width()) / 2
        return bar.adjusted(-more, -max(0.0, 2 - bar.height()), more, 0)

    def _draw_curve(self, painter: QPainter, curve: HandleCurve) -> None:
        area = self.frame.area
        x = np.linspace(0, curve.n, max(2, min(int(area.width()), 4 * (curve.n + 1))))
        points = zip(self.frame.x(x).tolist(), self.frame.y(curve.at(x)).tolist(), strict=True)
        painter.save()
        painter.setClipRect(area.adjusted(0, -2, 0, 2))
        painter.setPen(line("accent", 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))
        painter.restore()
        for handle, (place, height) in enumerate(zip(curve.places, curve.heights, strict=True)):
            taken = handle == self.taken
            painter.setPen(line("card", 1.5))
            painter.setBrush(colour("selected" if taken else "accent"))
            radius = px(_HANDLE) * (1.25 if taken else 1.0)
            painter.drawEllipse(self._dot(place, height), radius, radius)


_SPACING = 2.0  # pixels, the least distance between points of a curve
_PLACES = 25  # positions tried for a name


class Overlay(NamedTuple):
    """A distribution for comparison.

    Attributes
    ----------
    name : str
        Written at its peak.
    probabilities : array (n + 1,)
        Drawn on the same scale as the bars.
    """

    name: str
    probabilities: Floats


class OverlayLayer(PixelLayer):
    """Curves over the bars; `total` is the sum of the weights that the bars show."""

    def __init__(self) -> None:
        super().__init__()
        self.overlays: Sequence[Overlay] = ()
        self.weights: Floats = np.ones(1)  #: heights of the bars, which names avoid
        self.total = 1.0
        self._labels: list[QRectF] | None = None

    def renew(self) -> None:
        """Repaint, and place the names again."""
        self._labels = None
        super().renew()

    def show_overlays(self, overlays: Sequence[Overlay]) -> None:
        """Draw other curves."""
        self.overlays = overlays
        self.renew()

    def draw(self, painter: QPainter) -> None:
        """Draw the curves, then their names, which stay where they are while a gesture changes the bars."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(7.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.save()
        painter.setClipRect(self.frame.area.adjusted(0, -1, 0, 1))
        for overlay in self.overlays:
            painter.setPen(line("muted", dashed=True))
            painter.drawPolyline(self._shape(overlay))
        painter.restore()
        if self._labels is None:
            self._labels = []
            for overlay in self.overlays:
                self._labels.append(self._label(overlay, QFontMetricsF(painter.font()), self._labels))
        for overlay, box in zip(self.overlays, self._labels, strict=True):
            painter.fillRect(box.toAlignedRect(), colour("card", 0.7))
            painter.setPen(colour("muted"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text(overlay))

    def text(self, overlay: Overlay) -> str:
        """Return the name of a curve, with its peak if that does not fit the scale."""
        peak = float(overlay.probabilities.max())
        if peak * self.total <= self.frame.top:
            return overlay.name
        return tr("{name} ↑ up to {percent}%").format(name=overlay.name, percent=brief(100 * peak))

    def _shape(self, overlay: Overlay) -> QPolygonF:
        """Return the outline of bars."""
        return bar_outline(overlay.probabilities, self.frame.area, self._tops, footed=False)

    def _tops(self, probabilities: Floats) -> Floats:
        """Return the heights of probabilities in pixels; those far above the scale may be clipped."""
        return self.frame.y(np.minimum(probabilities * self.total, 20 * self.frame.top))

    def _label(self, overlay: Overlay, metrics: QFontMetricsF, taken: Sequence[QRectF]) -> QRectF:
        """Return a place for a name: above its peak, or to the side if it would cover bars or other names."""
        area, text = self.frame.area, self.text(overlay)
        width, height = metrics.horizontalAdvance(text) + 4, metrics.height()
        peak = int(np.argmax(overlay.probabilities))
        at = self.frame.x(peak) - width / 2
        top = max(self.frame.y(float(overlay.probabilities[peak]) * self.total) - height - 2, area.top())
        best, least = QRectF(at, top, width, height), np.inf
        lefts = np.linspace(area.left(), max(area.left(), area.right() - width), _PLACES).tolist()
        for left, down in product(lefts, (0.0, height)):
            box = QRectF(left, top + down, width, height)
            cost = abs(left - at) / area.width() + down / area.height() + 2 * self._covered(box)
            cost += sum(4.0 for other in taken if box.intersects(other)) + 2 * self._crossed(box)
            if cost < least:
                best, least = box, cost
        return best

    def _covered(self, box: QRectF) -> float:
        """Return the share of a box's height that the highest bar under it covers."""
        summit = self.frame.y(float(self.weights[self._under(box, 0)].max()))
        return min(max((box.bottom() - summit) / box.height(), 0.0), 1.0)

    def _crossed(self, box: QRectF) -> bool:
        """Return whether a curve passes through a box."""
        tops = (self._tops(overlay.probabilities[self._under(box, 1)]) for overlay in self.overlays)
        return any(top.min() < box.bottom() and top.max() > box.top() for top in tops if top.size)

    def _under(self, box: QRectF, more: int) -> slice:
        """Return the counts under a box, and some more on each side."""
        last = len(self.weights) - 1
        low, high = (min(max(round(self.frame.value_x(end)), 0), last) for end in (box.left(), box.right()))
        return slice(max(low - more, 0), high + 1 + more)
