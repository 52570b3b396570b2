"""The cost of each distance |i - r|, drawn as if with a pencil."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.core.basics.rounding import as_typed, brief
from dpdesigner.desktop.base.gesture import Gesture
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.base.translation import tr
from dpdesigner.desktop.editors.loss_shape import extended, number, round_ceiling
from dpdesigner.desktop.plots.plot_layer import Frame, colour, font

_MOST_DOTS = 60
_LABEL_EVERY = (1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class CurveView:
    """The drawn curve, and the frame between distances, costs and pixels.

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
        """The font metrics of the text on the axes."""
        return QFontMetricsF(font())

    @cached_property
    def frame(self) -> Frame:
        """The rectangle of the curve, without the axes: distances across, costs up; a single distance is centred."""
        left = max(self.metrics.horizontalAdvance(brief(self.top)), self.metrics.horizontalAdvance("0")) + 8
        height = self.metrics.height()
        area = QRectF(left, height + 4, self.size.width() - left - 8, self.size.height() - 2 * height - 9)
        longest = len(self.costs) - 1
        return Frame(area, 0.0, longest, 0.0, self.top) if longest else Frame(area, -0.5, 0.5, 0.0, self.top)

    def points(self, costs: Sequence[float]) -> list[QPointF]:
        """Return the positions of the costs of distances 0, 1, ...; costs outside the scale are placed at its end."""
        heights = self.frame.y(np.clip(costs, 0.0, self.top))
        return [QPointF(self.frame.x(float(distance)), y) for distance, y in enumerate(heights.tolist())]

    def distance_at(self, x: float) -> int:
        """Return the distance nearest to a pixel."""
        return min(max(round(self.frame.value_x(x)), 0), len(self.costs) - 1)

    def cost_at(self, y: float) -> float:
        """Return the cost at a pixel, between 0 (which is a pixel wide) and the top."""
        return min(self.frame.value_y(y), self.top) if y <= self.frame.area.bottom() - 1 else 0.0


def paint_curve(painter: QPainter, view: CurveView, readout: str, focused: bool) -> None:
    """Paint axes, the shape before the stroke, the curve, its points, and the value of the marked point."""
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
    """The titles of the axes, if there is room for them, and the text of the marked point."""
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


_SIZE = (300, 112)  # pixels at scale 1
_GRID = 100  # drawn values are whole hundredths of the height


class LossCurve(QWidget):
    """An editor of costs by distance. Values that are not redrawn stay as they were written."""

    changing = Signal(object)  #: the costs as a tuple of texts, during a stroke or while a key is held down
    changed = Signal(object)  #: the costs at the end of a stroke
    cancelled = Signal()  #: cancelled with Esc, or nothing changed in the end

    def __init__(self) -> None:
        super().__init__()
        self._texts: tuple[str, ...] = ("0", "1")
        self._longest = 1
        self._top = 1.0
        self._at: int | None = None
        self._pencil = QPointF()
        self._gesture = Gesture(self)
        self._gesture.changing.connect(self._preview)
        self._gesture.changed.connect(self._settle)
        self._gesture.cancelled.connect(self._restore)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Cost by distance"))
        self.setToolTip(self.tr("Draw with the mouse. Keys: Left and Right choose a distance, Up and Down change its cost."))
        theme().changed.connect(self._restyle)

    @property
    def busy(self) -> bool:
        """Whether a stroke is in progress or a key is held down."""
        return self._gesture.active

    @property
    def texts(self) -> tuple[str, ...]:
        """The costs at distances 0, 1, 2, ..."""
        return self._texts

    @property
    def selected(self) -> int | None:
        """The distance under the mouse or selected with the keys."""
        return self._at

    def set_values(self, texts: Sequence[str], longest: int) -> None:
        """Show costs, unless the user is drawing.

        Parameters
        ----------
        texts : sequence of str
            Nonnegative numbers; the last one holds for all greater distances.
        longest : int
            The largest distance to show.
        """
        if self.busy:
            return
        self._texts, self._longest = tuple(texts), max(0, longest)
        if self._at is not None:
            self._at = min(self._at, self._longest)
        self._rescale()

    def point(self, distance: int) -> QPointF:
        """Return the position at which the cost of a distance is drawn, in pixels of the widget."""
        view = self._view()
        return view.points(view.costs)[distance]

    def sizeHint(self) -> QSize:
        return QSize(round(theme().scale * _SIZE[0]), round(theme().scale * _SIZE[1]))

    def minimumSizeHint(self) -> QSize:
        return QSize(_SIZE[0] // 2, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_curve(painter, self._view(), self._readout(), self.hasFocus())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._gesture.begin(self._texts, held=True)
            self._pencil = event.position()
            self._draw_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._gesture.held:
            self._draw_to(event.position())
        else:
            self._choose(self._view().distance_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._gesture.held:
            self._gesture.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        key = keys(event.key())
        at = self._at or 0
        places = {keys.Key_Left: at - 1, keys.Key_Right: at + 1, keys.Key_Home: 0, keys.Key_End: self._longest}
        steps = {keys.Key_Up: 1, keys.Key_Down: -1, keys.Key_PageUp: _GRID // 10, keys.Key_PageDown: -_GRID // 10}
        if key == keys.Key_Escape and self.busy:
            self._gesture.cancel()
        elif key in places and not self.busy:
            self._choose(max(0, min(self._longest, places[key])))
        elif key in steps and not self._gesture.held:
            self._nudge(at, steps[key])
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._choose(self._at or 0)
        super().focusInEvent(event)

    def _draw_to(self, end: QPointF) -> None:
        """Set the costs of all distances between the last position of the pencil and this one."""
        begin, view = self._pencil, self._view()
        first, last = view.distance_at(begin.x()), view.distance_at(end.x())
        costs = {}
        for distance in range(min(first, last), max(first, last) + 1):
            run = end.x() - begin.x()
            part = (view.frame.x(float(distance)) - begin.x()) / run if run else 1.0
            y = begin.y() + min(1.0, max(0.0, part)) * (end.y() - begin.y())
            costs[distance] = round(view.cost_at(y) / self._top * _GRID) / _GRID * self._top
        self._pencil = end
        self._at = last
        self._change(costs)

    def _nudge(self, at: int, steps: int) -> None:
        if not self.busy:
            self._gesture.begin(self._texts)
        self._at = at
        cost = max(0.0, number(extended(self._texts, at)[at]) + steps * self._top / _GRID)
        self._top = max(self._top, round_ceiling(cost))
        self._change({at: cost})

    def _change(self, costs: dict[int, float]) -> None:
        texts = list(extended(self._texts, self._longest))
        for distance, cost in costs.items():
            texts[distance] = as_typed(cost)
        self._gesture.move(tuple(texts))
        self.update()

    def _choose(self, distance: int) -> None:
        self._at = distance
        self.setAccessibleDescription(self._readout())
        self.update()

    def _readout(self) -> str:
        if self._at is None:
            return self.tr("drag to draw")
        cost = extended(self._texts, self._at)[self._at]
        return self.tr("an error of {size} costs {cost}").format(size=self._at, cost=cost)

    def _view(self) -> CurveView:
        ghost = self._costs(self._gesture.start) if self.busy else ()
        return CurveView(self.size(), self._costs(self._texts), ghost, self._top, self._at)

    def _costs(self, texts: tuple[str, ...]) -> list[float]:
        """Return the costs of all distances that are shown."""
        return [number(text) for text in extended(texts, self._longest)[: self._longest + 1]]

    def _rescale(self) -> None:
        self._top = round_ceiling(1.2 * max(self._costs(self._texts)))
        self.setAccessibleDescription(self._readout())
        self.update()

    @Slot(object)
    def _preview(self, texts: tuple[str, ...]) -> None:
        self._texts = texts
        self.changing.emit(texts)

    @Slot(object)
    def _settle(self, texts: tuple[str, ...]) -> None:
        self._rescale()
        self.changed.emit(texts)

    @Slot()
    def _restore(self) -> None:
        self._texts = self._gesture.start
        self._rescale()
        self.cancelled.emit()

    @Slot()
    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()
