"""Two pictures of tables: a function on a square of the plane, and a table of probabilities as a small picture."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesigner.arrays import Floats
from dpdesigner.desktop.base.layouts import column_of
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.plots.axis_layer import Axis
from dpdesigner.desktop.plots.matrix_colour import CellImage, Scale, colour_table, draw_image, image_of, scale_for
from dpdesigner.desktop.plots.plot_layer import FADED, PixelLayer, fade, line, px
from dpdesigner.desktop.plots.plot_style import StyledPlot
from dpdesigner.studies.matrices import Plane

_MOST_SIDE = 400  # rows and columns of the picture: larger matrices are sampled


class Thumbnail(QWidget):
    """A table as a small picture; a click, a drag or an arrow key requests the pair of a row and the one above it."""

    rowChosen = Signal(int)  #: the true count in the row that was clicked

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._image: QImage | None = None
        self._seen: Floats | None = None
        self.rows, self._ends = 0, ("0", "0")
        self.pair: tuple[int, int] = (-1, -1)
        self._stale, self._clicked = False, False
        theme().changed.connect(self.updateGeometry)
        theme().changed.connect(self._colour)

    def show_table(self, values: Floats, pair: tuple[int, int], ends: tuple[str, str], stale: bool = False) -> None:
        """Show a matrix of probabilities and frame two rows; `ends` are the first and the last released value."""
        self.rows, self._ends, self.pair, self._stale = len(values), ends, pair, stale
        steps = [max(1, -(-side // _MOST_SIDE)) for side in values.shape]
        self._seen = np.ascontiguousarray(values[:: steps[0], :: steps[1]])
        self._colour()

    @Slot()
    def _colour(self) -> None:
        """Paint the cells in the colours of the theme."""
        if (seen := self._seen) is not None:
            scale = scale_for(seen, "probability")
            table = colour_table(scale).copy()
            cells = np.maximum(scale.bytes_of(seen), (seen > 0).astype(np.uint8))
            table[0] = 0  # values that are never released stay blank
            self._image = image_of(np.where(seen > 0, cells, 0).astype(np.uint8), table)
            self.update()

    def set_stale(self, on: bool) -> None:
        self._stale = on
        self.update()

    @property
    def outlined(self) -> bool:
        """True if the border shows the focus, which a click does not ask for."""
        return self.hasFocus() and not self._clicked

    def area(self) -> QRectF:
        left = self.fontMetrics().horizontalAdvance("0000") + px(4)
        return QRectF(left, px(2), self.width() - left - px(2), self.height() - self.fontMetrics().height() - px(6))

    def sizeHint(self) -> QSize:
        return QSize(round(px(240)), round(px(136)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours, area = QPainter(self), theme().colours, self.area()
        painter.setOpacity(FADED if self._stale else 1.0)
        if self._image is not None:
            draw_image(painter, area, self._image)
        painter.setPen(QPen(QColor(colours.accent if self.outlined else colours.hairline), 1))
        painter.drawRect(area)
        if self._image is None:
            return
        painter.setPen(QColor(colours.muted))
        line, below = self.fontMetrics().height(), area.bottom() + px(2)
        right = Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(0, area.top(), area.left() - px(4), line), right, "0")
        painter.drawText(QRectF(0, area.bottom() - line, area.left() - px(4), line), right, str(self.rows - 1))
        for end, side in zip(self._ends, (Qt.AlignmentFlag.AlignLeft, right), strict=True):
            painter.drawText(QRectF(area.left(), below, area.width(), line), side, end)
        middle = Qt.AlignmentFlag.AlignHCenter
        painter.drawText(QRectF(area.left(), below, area.width(), line), middle, self.tr("released value"))
        painter.save()
        painter.translate(0, area.bottom())
        painter.rotate(-90)
        painter.drawText(QRectF(0, area.left() - px(4) - line, area.height(), line), middle, self.tr("true count"))
        painter.restore()
        if min(self.pair) >= 0:
            high, first, last = area.height() / self.rows, min(self.pair), max(self.pair)
            painter.setPen(QPen(QColor(colours.selected), px(2)))
            frame = QRectF(area.left(), area.top() + first * high, area.width(), max((last - first + 1) * high, px(3)))
            painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5))
            painter.setPen(QPen(QColor(colours.selected), 1))
            painter.setBrush(QColor(colours.card))
            painter.drawRoundedRect(QRectF(frame.center().x() - px(9), frame.bottom() - px(3), px(18), px(6)), px(3), px(3))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._clicked = True
        self.update()
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        area = self.area()
        row = round((event.position().y() - area.top()) / area.height() * self.rows)
        row = min(max(row, 1), self.rows - 1)
        if self.rows > 1 and row != max(self.pair):
            self.rowChosen.emit(row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._clicked = self._clicked and event.reason() == Qt.FocusReason.ActiveWindowFocusReason
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._clicked = False
        self.update()
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None or self.rows < 2:
            super().keyPressEvent(event)
        else:
            self.rowChosen.emit(min(max(max(self.pair) + step, 1), self.rows - 1))


_Key = Qt.Key
_STEPS = {_Key.Key_Left: (-1, 0), _Key.Key_Right: (1, 0), _Key.Key_Down: (0, -1), _Key.Key_Up: (0, 1)}
_FINE = 20  #: steps of the arrow keys from the centre to an edge


class _Cross(PixelLayer):
    """The lines through the point of the read-out."""

    def __init__(self) -> None:
        super().__init__()
        self.at: tuple[float, float] | None = None

    def draw(self, painter: QPainter) -> None:
        if self.at is not None:
            area, x, y = self.frame.area, self.frame.x(self.at[0]), self.frame.y(self.at[1])
            painter.setPen(line("selected", 1.2))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))


class PlaneImage(QWidget):
    """A square picture; the mouse and the arrow keys point to a position in it."""

    pointed = Signal(object)  #: (x, y), or None

    def __init__(self) -> None:
        super().__init__()
        self._plot, self._image, self._cross = StyledPlot(self), CellImage(), _Cross()
        self._plot.view_box.addItem(self._image)
        self._plot.add_layer(self._cross)
        self._plot.set_axes(Axis(), Axis())
        column_of(self._plot, on=self)
        self._plot.hovered.connect(self._hover)
        self._plot.left.connect(self._leave)
        self._reach = 1.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_plane(self, plane: Plane) -> None:
        """Show a function on its square."""
        self._reach = reach = plane.reach
        scale = Scale("probability", top=plane.ends[1], bottom=plane.ends[0], logarithmic=True)
        self._image.setImage(scale.bytes_of(plane.values), levels=None, lut=colour_table(scale), autoLevels=False)
        self._image.setRect(QRectF(-reach, -reach, 2 * reach, 2 * reach))
        self._plot.set_cells(1, 1)
        self._plot.set_range(-reach, reach, -reach, reach)

    def set_point(self, at: tuple[float, float] | None) -> None:
        """Mark a point, or none."""
        self._cross.at = at
        self._cross.update()

    def set_stale(self, on: bool) -> None:
        fade(on, self._image)

    def figure(self) -> StyledPlot:
        """Return the part that is saved as a picture."""
        return self._plot

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._plot.setMaximumHeight(max(event.size().width(), 1))

    def minimumSizeHint(self) -> QSize:
        """Return the least size at which the diamonds can be told apart."""
        return QSize(120, 120)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (step := _STEPS.get(Qt.Key(event.key()))) is None:
            super().keyPressEvent(event)
            return
        x, y = (
            min(max(round(at / self._reach * _FINE) + by, -_FINE), _FINE) * self._reach / _FINE
            for at, by in zip(self._cross.at or (0.0, 0.0), step, strict=True)
        )
        self.pointed.emit((x, y))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.pointed.emit(self._cross.at or (0.0, 0.0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._leave()

    @Slot(QPointF)
    def _hover(self, position: QPointF) -> None:
        frame = self._plot.frame
        inside = frame.area.contains(position)
        self._plot.setCursor(Qt.CursorShape.CrossCursor if inside else Qt.CursorShape.ArrowCursor)
        self.pointed.emit((frame.value_x(position.x()), frame.value_y(position.y())) if inside else None)

    @Slot()
    def _leave(self) -> None:
        self.pointed.emit(None)
