"""The base of all plots here: themed, silent, with axes of its own and plain mouse signals.

It is pyqtgraph's view and view box without pyqtgraph's menus, buttons, mouse modes and axes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QFocusEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.base.gesture import notches
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.plots.axis_layer import Axis, AxisLayer
from dpdesigner.desktop.plots.plot_layer import Frame, PixelLayer, colour, px


class StyledPlot(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph has no types
    """A themed plot. Positions in its signals are pixels; `frame` converts them to values."""

    framed = Signal()  #: the frame changed: a new size, range, text size or colour scheme
    pressed = Signal(QPointF)  #: left button down
    dragged = Signal(QPointF)  #: moved with the left button down
    released = Signal(QPointF)  #: left button up
    hovered = Signal(QPointF)  #: moved with no button down
    left = Signal()  #: the mouse left the plot
    double_clicked = Signal(QPointF)
    turned = Signal(QPointF, float)  #: wheel turned by this many notches, only while `takes_wheel`

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
        self._mates: list[StyledPlot] = [self]
        self.add_layer(self.axes, below=True)
        theme().follow(self._restyle)

    def add_layer(self, layer: PixelLayer, *, below: bool = False) -> None:
        """Paint a layer over (or below) the items in the view box, and over the layers added before."""
        layer.setZValue((-1000 if below else 1000) + len(self._layers))
        self._layers.append(layer)
        self.scene().addItem(layer)
        layer.set_frame(self.frame, QRectF(self.rect()))

    def set_axes(self, x: Axis, y: Axis, *, x_on_top: bool = False) -> None:
        self.axes.horizontal, self.axes.vertical, self.axes.x_on_top = x, y, x_on_top
        self.lay_out()

    def set_padding(self, left: float, top: float, right: float, bottom: float) -> None:
        """Keep pixels (at text scale 1) free outside the axes."""
        self._padding = (left, top, right, bottom)
        self.lay_out()

    def align_with(self, mate: StyledPlot) -> None:
        """Align the left edge of the data with that of visible plots above or below."""
        group = [*self._mates, *(other for other in mate._mates if other not in self._mates)]
        for plot in group:
            plot._mates = group

    def set_cells(self, columns: float, rows: float) -> None:
        """Keep the cells of a table of this size roughly square, or as elongated as `set_longest` allows."""
        self._cells = (columns, rows)
        self.lay_out()

    def set_free(self) -> None:
        """Let the data area take any shape again."""
        if self._cells is not None:
            self._cells = None
            self.lay_out()

    def set_longest(self, ratio: float) -> None:
        """Limit the ratio of the longer side of a cell to the shorter one."""
        if ratio != self._longest:
            self._longest = ratio
            self.lay_out()

    def set_focused(self, on: bool) -> None:
        """Show whether the plot has the keyboard focus."""
        self.axes.focused = on
        self.axes.update()

    def set_range(self, left: float, right: float, bottom: float, top: float) -> None:
        """Show these values at the edges of the data area; `top` may be less than `bottom`."""
        frame = self.frame
        if (left, right, bottom, top) == (frame.left, frame.right, frame.bottom, frame.top):
            return
        self.frame = replace(self.frame, left=left, right=right, bottom=bottom, top=top)
        if self.view_box.addedItems:  # the view box of a plot with only layers is empty
            self.view_box.invertY(top < bottom)
            self.view_box.setRange(xRange=(left, right), yRange=(min(bottom, top), max(bottom, top)), padding=0)
        self.lay_out()

    @Slot()
    def lay_out(self) -> None:
        """Place the data area inside the axes, and notify the layers."""
        left, top, right, bottom = map(px, self._padding)
        self.axes.set_frame(self.frame, QRectF(self.rect()))
        axis = self.axes.line_height()
        top, bottom = (top + axis, bottom) if self.axes.x_on_top else (top, bottom + axis)
        height = max(round(self.height() - top - bottom), 0)
        frame = replace(self.frame, area=QRectF(0, round(top), self.width(), height))
        before, self._needed = self._needed, self.axes.left_margin(frame)
        mates = [mate for mate in self._mates if mate is not self and not mate.parentWidget().isHidden()]
        self.axes.margin = max(self._needed, *(mate._needed for mate in mates), 0.0)
        left += self.axes.margin
        area = QRectF(round(left), round(top), max(self.width() - round(left) - round(right), 0), height)
        self.frame = replace(frame, area=self._squared(area))
        self.view_box.setGeometry(self.frame.area)
        for layer in self._layers:
            layer.set_frame(self.frame, QRectF(self.rect()))
        self.framed.emit()
        if before != self._needed:
            for mate in mates:
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
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing below needs to be painted first
        self.lay_out()

    def sizeHint(self) -> QSize:
        return QSize(300, 160)

    def close(self) -> bool:
        """Close as any widget does: pyqtgraph's own method dismantles the scene, and any layout after that crashes."""
        return QWidget.close(self)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_layers"):
            self.lay_out()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report the left button; leave the others to the parent."""
        self._tell(event, self.pressed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._tell(event, self.released)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._tell(event, self.double_clicked)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.position())
        elif event.buttons() == Qt.MouseButton.NoButton:
            self.hovered.emit(event.position())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Report the wheel if it is wanted, otherwise let the page scroll."""
        if not self.takes_wheel:
            event.ignore()
            return
        self.turned.emit(event.position(), notches(event))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.left.emit()

    def _tell(self, event: QMouseEvent, signal: SignalInstance) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            signal.emit(event.position())
            event.accept()
        else:
            event.ignore()


Plot = TypeVar("Plot", bound=StyledPlot)


class PlotHolder(QWidget, Generic[Plot]):
    """A container for a plot that shows a focus frame once the keyboard has reached it.

    Parameters
    ----------
    plot : StyledPlot
        It takes all the room that nothing else in the layout needs.
    parent : QWidget, optional
    """

    def __init__(self, plot: Plot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self._rows = column_of((plot, 1), on=self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def figure(self) -> Plot:
        """Return the part that is saved as a picture."""
        return self._plot

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:  # otherwise as before the window was left
            self._plot.set_focused(event.reason() != Qt.FocusReason.MouseFocusReason)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self._plot.set_focused(False)
        super().focusOutEvent(event)
