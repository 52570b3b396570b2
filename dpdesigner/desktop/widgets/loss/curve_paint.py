"""How the drawn loss looks: where its points are, and its painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.number_text import brief
from dpdesigner.desktop.widgets.plot.plot_layer import Frame, colour, font

_MOST_DOTS = 60
_LABEL_EVERY = (1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class CurveView:
    """What is drawn, and the frame between distances, costs and pixels.

    Attributes
    ----------
    size : QSize
        Of the widget.
    costs, ghost : sequence of float
        The costs at distances 0, 1, ..., and those before the stroke (empty: no stroke).
    top : float
        The cost at the upper edge.
    at : int or None
        The distance that is marked.
    """

    size: QSize
    costs: Sequence[float]
    ghost: Sequence[float]
    top: float
    at: int | None

    @cached_property
    def metrics(self) -> QFontMetricsF:
        """Of the text on the axes."""
        return QFontMetricsF(font())

    @cached_property
    def frame(self) -> Frame:
        """The rectangle of the curve, without the axes: distances across, costs up; a single distance stands in the middle."""
        left = max(self.metrics.horizontalAdvance(brief(self.top)), self.metrics.horizontalAdvance("0")) + 8
        height = self.metrics.height()
        area = QRectF(left, height + 4, self.size.width() - left - 8, self.size.height() - 2 * height - 9)
        longest = len(self.costs) - 1
        return Frame(area, 0.0, longest, 0.0, self.top) if longest else Frame(area, -0.5, 0.5, 0.0, self.top)

    def points(self, costs: Sequence[float]) -> list[QPointF]:
        """Return where costs of distances 0, 1, ... are drawn; what is outside the scale at its end."""
        heights = self.frame.y(np.clip(costs, 0.0, self.top))
        return [QPointF(self.frame.x(float(distance)), y) for distance, y in enumerate(heights.tolist())]

    def distance_at(self, x: float) -> int:
        """Return the distance nearest to a pixel."""
        return min(max(round(self.frame.value_x(x)), 0), len(self.costs) - 1)

    def cost_at(self, y: float) -> float:
        """Return the cost at a pixel, between 0 (which is a pixel wide) and the top."""
        return min(self.frame.value_y(y), self.top) if y <= self.frame.area.bottom() - 1 else 0.0


def paint_curve(painter: QPainter, view: CurveView, readout: str, focused: bool) -> None:
    """Paint axes, the shape before the stroke, the curve, its points, and what the marked one says."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font())
    if focused:
        painter.setPen(colour("accent"))
        painter.drawRoundedRect(QRectF(0.5, 0.5, view.size.width() - 1, view.size.height() - 1), 5, 5)
    _paint_axes(painter, view)
    points = view.points(view.costs)
    _fill(painter, view, points)
    if view.ghost:
        painter.setPen(QPen(colour("muted"), 1, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF(view.points(view.ghost)))
    painter.setPen(QPen(colour("accent"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPolyline(QPolygonF(points))
    painter.setPen(Qt.PenStyle.NoPen)
    if len(points) <= _MOST_DOTS:
        painter.setBrush(colour("accent"))
        for point in points:
            painter.drawEllipse(point, 2.5, 2.5)
    if view.at is not None and view.at < len(points):
        painter.setBrush(colour("selected"))
        painter.drawEllipse(points[view.at], 4.5, 4.5)
    _paint_words(painter, view, readout)


def _paint_words(painter: QPainter, view: CurveView, readout: str) -> None:
    """What the axes are, if there is room for it, and what the marked point says."""
    title = tr("cost by distance")
    above = QRectF(view.frame.area.left(), 2, view.frame.area.width(), view.metrics.height())
    painter.setPen(colour("muted"))
    if view.metrics.horizontalAdvance(f"{title}  {readout}") < above.width():
        painter.drawText(above, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
    if view.at is not None:
        painter.setPen(colour("text"))
    painter.drawText(above, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, readout)


def _fill(painter: QPainter, view: CurveView, points: Sequence[QPointF]) -> None:
    base = view.frame.area.bottom()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour("accent_soft"))
    painter.drawPolygon(QPolygonF([QPointF(points[0].x(), base), *points, QPointF(points[-1].x(), base)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_axes(painter: QPainter, view: CurveView) -> None:
    area, metrics = view.frame.area, view.metrics
    painter.setPen(colour("hairline"))
    for y in (area.top(), area.center().y(), area.bottom()):
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
    painter.setPen(colour("muted"))
    for cost, y in ((view.top, area.top()), (0.0, area.bottom())):
        text = brief(cost)
        painter.drawText(QPointF(area.left() - 5 - metrics.horizontalAdvance(text), y + metrics.ascent() / 2 - 1), text)
    baseline = area.bottom() + 3 + metrics.ascent()
    for distance in _labelled(view):
        text = str(distance)
        width = metrics.horizontalAdvance(text)
        left = min(view.frame.x(float(distance)) - width / 2, view.size.width() - width)
        painter.drawText(QPointF(left, baseline), text)


def _labelled(view: CurveView) -> range:
    longest = len(view.costs) - 1
    needed = view.metrics.horizontalAdvance(f"{longest}  ")
    spacing = view.frame.area.width() / max(1, longest)
    every = next((step for step in _LABEL_EVERY if step * spacing >= needed), max(1, longest))
    return range(0, longest + 1, every)
