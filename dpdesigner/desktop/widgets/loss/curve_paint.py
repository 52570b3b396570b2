"""How the drawn loss looks: where its points are, and its painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPainter, QPen, QPolygonF

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.look.words import tr
from dpdesigner.desktop.widgets.base.number_text import brief

_POINTS = 8.0  # of text
_MOST_DOTS = 60
_LABEL_EVERY = (1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class CurveView:
    """What is drawn, and the map between distances, costs and pixels.

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
        return QFontMetricsF(text_font())

    @cached_property
    def area(self) -> QRectF:
        """Where the curve is, without the axes."""
        left = max(self.metrics.horizontalAdvance(brief(self.top)), self.metrics.horizontalAdvance("0")) + 8
        height = self.metrics.height()
        return QRectF(left, height + 4, self.size.width() - left - 8, self.size.height() - 2 * height - 9)

    def x_of(self, distance: float) -> float:
        """Return the pixel of a distance."""
        longest = len(self.costs) - 1
        return self.area.left() + self.area.width() * (distance / longest if longest else 0.5)

    def y_of(self, cost: float) -> float:
        """Return the pixel of a cost; what is outside the scale is drawn at its end."""
        return self.area.bottom() - self.area.height() * max(0.0, min(cost, self.top)) / self.top

    def point(self, distance: int) -> QPointF:
        """Return where the cost of a distance is drawn."""
        return QPointF(self.x_of(distance), self.y_of(self.costs[distance]))

    def distance_at(self, x: float) -> int:
        """Return the distance nearest to a pixel."""
        longest = len(self.costs) - 1
        return max(0, min(longest, round((x - self.area.left()) / max(1.0, self.area.width()) * longest)))

    def cost_at(self, y: float) -> float:
        """Return the cost at a pixel, between 0 (which is a pixel wide) and the top."""
        height = self.area.bottom() - y
        return self.top * min(1.0, height / max(1.0, self.area.height())) if height >= 1 else 0.0


def text_font() -> QFont:
    """Return the font of the axes."""
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(theme().points(_POINTS))
    return font


def paint_curve(painter: QPainter, view: CurveView, readout: str, focused: bool) -> None:
    """Paint axes, the shape before the stroke, the curve, its points, and what the marked one says."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(text_font())
    colours = theme().colours
    if focused:
        painter.setPen(QPen(QColor(colours.accent), 1))
        painter.drawRoundedRect(QRectF(0.5, 0.5, view.size.width() - 1, view.size.height() - 1), 5, 5)
    _paint_axes(painter, view)
    points = [view.point(distance) for distance in range(len(view.costs))]
    _fill(painter, view, points)
    if view.ghost:
        painter.setPen(QPen(QColor(colours.muted), 1, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF([QPointF(view.x_of(d), view.y_of(cost)) for d, cost in enumerate(view.ghost)]))
    painter.setPen(QPen(QColor(colours.accent), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPolyline(QPolygonF(points))
    painter.setPen(Qt.PenStyle.NoPen)
    if len(points) <= _MOST_DOTS:
        painter.setBrush(QColor(colours.accent))
        for point in points:
            painter.drawEllipse(point, 2.5, 2.5)
    if view.at is not None and view.at < len(points):
        painter.setBrush(QColor(colours.selected))
        painter.drawEllipse(points[view.at], 4.5, 4.5)
    _paint_words(painter, view, readout)


def _paint_words(painter: QPainter, view: CurveView, readout: str) -> None:
    """What the axes are, if there is room for it, and what the marked point says."""
    colours = theme().colours
    title = tr("cost by distance")
    above = QRectF(view.area.left(), 2, view.area.width(), view.metrics.height())
    painter.setPen(QColor(colours.muted))
    if view.metrics.horizontalAdvance(f"{title}  {readout}") < above.width():
        painter.drawText(above, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
    if view.at is not None:
        painter.setPen(QColor(colours.text))
    painter.drawText(above, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, readout)


def _fill(painter: QPainter, view: CurveView, points: Sequence[QPointF]) -> None:
    base = view.area.bottom()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme().colours.accent_soft))
    painter.drawPolygon(QPolygonF([QPointF(points[0].x(), base), *points, QPointF(points[-1].x(), base)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_axes(painter: QPainter, view: CurveView) -> None:
    area, metrics, colours = view.area, view.metrics, theme().colours
    painter.setPen(QColor(colours.hairline))
    for y in (area.top(), area.center().y(), area.bottom()):
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
    painter.setPen(QColor(colours.muted))
    for cost, y in ((view.top, area.top()), (0.0, area.bottom())):
        text = brief(cost)
        painter.drawText(QPointF(area.left() - 5 - metrics.horizontalAdvance(text), y + metrics.ascent() / 2 - 1), text)
    baseline = area.bottom() + 3 + metrics.ascent()
    for distance in _labelled(view):
        text = str(distance)
        left = min(view.x_of(distance) - metrics.horizontalAdvance(text) / 2, view.size.width() - metrics.horizontalAdvance(text))
        painter.drawText(QPointF(left, baseline), text)


def _labelled(view: CurveView) -> range:
    longest = len(view.costs) - 1
    needed = view.metrics.horizontalAdvance(f"{longest}  ")
    spacing = view.area.width() / max(1, longest)
    every = next((step for step in _LABEL_EVERY if step * spacing >= needed), max(1, longest))
    return range(0, longest + 1, every)
