"""The plot that all plots here are made from: themed, silent, with axes of its own and plain mouse signals.

It is pyqtgraph's view and view box without pyqtgraph's menus, buttons, mouse modes and axes. Axes are painted by `AxisLayer`,
in pixels, since pyqtgraph's come with a settings panel each (several milliseconds) and do not survive vector export.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.theme import theme
from dpdesigner.desktop.widgets.plot_layer import Frame, PixelLayer, colour, font, line, px
from dpdesigner.desktop.widgets.plot_ticks import Tick, TickFinder, fitting_ticks, no_ticks, number_ticks

_ROOMY = 200.0  # pixels, at text scale 1, from which on a plot has optional titles
_GAP = 4.0  # pixels, at text scale 1, between tick labels and the data, and around titles


@dataclass(frozen=True)
class Axis:
    """What an axis says: its title, how its ticks are found, and whether grid hairlines run across the plot.

    An optional title is left out of low plots, whose heading says it.
    """

    title: str = ""
    finder: TickFinder = number_ticks
    grid: bool = False
    optional: bool = False


class AxisLayer(PixelLayer):
    """Ticks, titles and grid of a plot; it lies under the data."""

    def __init__(self) -> None:
        super().__init__()
        self.horizontal, self.vertical = Axis(), Axis(grid=True)
        self.x_on_top = False
        self.focused = False
        self.margin = 0.0  #: pixels that the vertical axis takes, as many as it needs or more
        self._found: tuple[list[Tick], list[Tick]] | None = None

    def set_frame(self, frame: Frame, bounds: QRectF) -> None:
        """Take a new frame, and look for its ticks when it is painted."""
        self._found = None
        super().set_frame(frame, bounds)

    def renew(self) -> None:
        """Look for the ticks again after a change of what they say."""
        self._found = None
        self.update()

    def left_margin(self, frame: Frame) -> float:
        """Return the pixels that the vertical axis needs."""
        metrics = QFontMetricsF(font())
        labels = [metrics.horizontalAdvance(tick.text) for tick in self._ticks_y(frame)]
        title = metrics.height() if self._title(self.vertical) else 0.0
        return title + (max(labels) + 2 * px(_GAP) if labels else 0.0)

    def line_height(self) -> float:
        """Return the pixels that the horizontal axis needs."""
        height = QFontMetricsF(font()).height()
        lines = int(self.horizontal.finder is not no_ticks) + int(bool(self._title(self.horizontal)))
        return lines * height + (px(_GAP) if lines else 0.0)

    def draw(self, painter: QPainter) -> None:
        """Draw the focus frame, grid, tick labels and titles."""
        if self.focused:
            painter.setPen(line("accent", 2))
            painter.drawRect(self.frame.area.adjusted(-2, -2, 2, 2))
        painter.setFont(font())
        metrics = QFontMetricsF(painter.font())
        if self._found is None:
            self._found = self._ticks_x(metrics), self._ticks_y(self.frame)
        across, upwards = self._found
        self._draw_x(painter, metrics, across)
        self._draw_y(painter, metrics, upwards)

    def _title(self, axis: Axis) -> str:
        return axis.title if not axis.optional or self.boundingRect().height() >= px(_ROOMY) else ""

    def _ticks_x(self, metrics: QFontMetricsF) -> list[Tick]:
        gap, ends = metrics.horizontalAdvance("0"), (self.frame.left, self.frame.right)
        finder, width = self.horizontal.finder, self.frame.area.width()
        return fitting_ticks(finder, ends, width, lambda text: metrics.horizontalAdvance(text) + gap)

    def _ticks_y(self, frame: Frame) -> list[Tick]:
        room = 1.7 * QFontMetricsF(font()).height()
        return fitting_ticks(self.vertical.finder, (frame.bottom, frame.top), frame.area.height(), lambda text: room)

    def _draw_x(self, painter: QPainter, metrics: QFontMetricsF, ticks: list[Tick]) -> None:
        area, height = self.frame.area, metrics.height()
        label_top = area.top() - px(_GAP) - height if self.x_on_top else area.bottom() + px(_GAP)
        gap, end = metrics.horizontalAdvance("0"), -1.0
        hairline, ink = line("hairline"), colour("muted")
        for tick in ticks:
            at = self.frame.x(tick.at)
            if self.horizontal.grid:
                painter.setPen(hairline)
                painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
            width = metrics.horizontalAdvance(tick.text)
            left = max(0.0, min(at - width / 2, self.boundingRect().right() - width))
            if left < end:  # moved in from the edge onto the one before
                continue
            end = left + width + gap / 2
            painter.setPen(ink)
            painter.drawText(QPointF(left, label_top + metrics.ascent()), tick.text)
        if self._title(self.horizontal):
            top = label_top - height if self.x_on_top else label_top + height * (self.horizontal.finder is not no_ticks)
            painter.setPen(colour("muted"))
            width = metrics.horizontalAdvance(self.horizontal.title) + 2  # may be more than the data have
            left = max(0.0, min(area.center().x() - width / 2, self.boundingRect().right() - width))
            painter.drawText(QRectF(left, top, width, height), Qt.AlignmentFlag.AlignCenter, self.horizontal.title)

    def _draw_y(self, painter: QPainter, metrics: QFontMetricsF, ticks: list[Tick]) -> None:
        area, height = self.frame.area, metrics.height()
        hairline, ink, gap = line("hairline"), colour("muted"), px(_GAP)
        for at, text in ((self.frame.y(tick.at), tick.text) for tick in ticks):
            if self.vertical.grid:
                painter.setPen(hairline)
                painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))
            painter.setPen(ink)
            left = area.left() - gap - metrics.horizontalAdvance(text)
            painter.drawText(QPointF(left, at - height / 2 + metrics.ascent()), text)
        if self._title(self.vertical):
            whole, title = self.boundingRect(), self.vertical.title
            half = metrics.horizontalAdvance(title) / 2
            centre = max(min(area.center().y(), whole.bottom() - half), whole.top() + half)  # longer than the data are high
            painter.setPen(colour("muted"))
            painter.translate(area.left() - self.margin, centre)
            painter.rotate(-90)
            painter.drawText(QRectF(-half - 1, 0, 2 * half + 2, height), Qt.AlignmentFlag.AlignCenter, title)


class StyledPlot(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types
    """A themed plot. Positions in its signals are pixels; `frame` turns them into values."""

    framed = Signal()  #: the frame changed: a new size, range, text size or colour scheme
    pressed = Signal(QPointF)  #: left button down
    dragged = Signal(QPointF)  #: moved with the left button down
    released = Signal(QPointF)  #: left button up
    hovered = Signal(QPointF)  #: moved with no button down
    left = Signal()  #: the mouse left the plot
    double_clicked = Signal(QPointF)
    turned = Signal(QPointF, float)  #: wheel turned by so many notches, only while `takes_wheel`

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCentralItem(None)
        self.view_box = pg.ViewBox(enableMenu=False, enableMouse=False)
        self.view_box.disableAutoRange()
        self.scene().addItem(self.view_box)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.takes_wheel = False
        self.frame = Frame(QRectF())
        self.axes = AxisLayer()
        self._padding = (0.0, 8.0, 8.0, 0.0)
        self._cells: tuple[float, float] | None = None
        self._needed, self._longest = 0.0, 1.35
        self._layers: list[PixelLayer] = []
        self._mate: StyledPlot | None = None
        self.add_layer(self.axes, below=True)
        theme().changed.connect(self._restyle)
        self._restyle()

    def add_layer(self, layer: PixelLayer, *, below: bool = False) -> None:
        """Paint a layer over (or below) the items in the view box, and over the layers added before."""
        layer.setZValue((-1000 if below else 1000) + len(self._layers))
        self._layers.append(layer)
        self.scene().addItem(layer)
        layer.set_frame(self.frame, QRectF(self.rect()))

    def set_axes(self, x: Axis, y: Axis, *, x_on_top: bool = False) -> None:
        """Say what the axes show."""
        self.axes.horizontal, self.axes.vertical, self.axes.x_on_top = x, y, x_on_top
        self.lay_out()

    def set_padding(self, left: float, top: float, right: float, bottom: float) -> None:
        """Keep pixels (at text scale 1) free outside the axes."""
        self._padding = (left, top, right, bottom)
        self.lay_out()

    def align_with(self, mate: StyledPlot) -> None:
        """Let the data begin at the same pixel as those of a plot above or below, while both are shown."""
        self._mate, mate._mate = mate, self

    def set_cells(self, columns: float, rows: float) -> None:
        """Keep the cells of a table of this size roughly square, or as long as `set_longest` allows."""
        self._cells = (columns, rows)
        self.lay_out()

    def set_longest(self, ratio: float) -> None:
        """Let cells be this many times as long one way as the other, at most."""
        if ratio != self._longest:
            self._longest = ratio
            self.lay_out()

    def set_focused(self, on: bool) -> None:
        """Show, or show no more, that the keyboard works here."""
        self.axes.focused = on
        self.axes.update()

    def set_range(self, left: float, right: float, bottom: float, top: float) -> None:
        """Show these values at the edges of the data area; `top` may be less than `bottom`."""
        frame = self.frame
        if (left, right, bottom, top) == (frame.left, frame.right, frame.bottom, frame.top):
            return
        self.frame = replace(self.frame, left=left, right=right, bottom=bottom, top=top)
        self.view_box.invertY(top < bottom)
        self.view_box.setRange(xRange=(left, right), yRange=(min(bottom, top), max(bottom, top)), padding=0)
        self.lay_out()

    @Slot()
    def lay_out(self) -> None:
        """Place the data area inside the axes, and tell the layers."""
        left, top, right, bottom = map(px, self._padding)
        self.axes.set_frame(self.frame, QRectF(self.rect()))
        axis = self.axes.line_height()
        top, bottom = (top + axis, bottom) if self.axes.x_on_top else (top, bottom + axis)
        height = max(self.height() - top - bottom, 0.0)
        frame = replace(self.frame, area=QRectF(0, top, self.width(), height))
        before, self._needed = self._needed, self.axes.left_margin(frame)
        mate = self._mate if self._mate is not None and not self._mate.parentWidget().isHidden() else None
        self.axes.margin = self._needed if mate is None else max(self._needed, mate._needed)
        left += self.axes.margin
        area = QRectF(round(left), round(top), max(self.width() - round(left) - round(right), 0), round(height))
        self.frame = replace(frame, area=self._squared(area))
        self.view_box.setGeometry(self.frame.area)
        for layer in self._layers:
            layer.set_frame(self.frame, QRectF(self.rect()))
        self.framed.emit()
        if mate is not None and before != self._needed:
            mate.lay_out()

    def _squared(self, area: QRectF) -> QRectF:
        if self._cells is None:
            return area
        columns, rows = self._cells
        width = min(area.width(), self._longest * area.height() / rows * columns)
        height = min(area.height(), self._longest * area.width() / columns * rows)
        return QRectF(area.left() + round((area.width() - width) / 2), area.top(), round(width), round(height))

    @Slot()
    def _restyle(self) -> None:
        self.setBackground(colour("card"))
        self.lay_out()

    def sizeHint(self) -> QSize:
        """Return a size that suits a card of the window."""
        return QSize(300, 160)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Follow the widget's size."""
        super().resizeEvent(event)
        if hasattr(self, "_layers"):
            self.lay_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell of the left button; leave the others to the parent."""
        self._tell(event, self.pressed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of the left button; leave the others to the parent."""
        self._tell(event, self.released)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Tell of the left button; leave the others to the parent."""
        self._tell(event, self.double_clicked)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell of every movement, with the button down or not."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.position())
        elif event.buttons() == Qt.MouseButton.NoButton:
            self.hovered.emit(event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Tell of the wheel if it is wanted, else let the page scroll."""
        if not self.takes_wheel:
            event.ignore()
            return
        self.turned.emit(event.position(), event.angleDelta().y() / 120)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the mouse left."""
        self.left.emit()

    def _tell(self, event: QMouseEvent, signal: SignalInstance) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            signal.emit(event.position())
            event.accept()
        else:
            event.ignore()
