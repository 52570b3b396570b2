"""A picture of a function on a square of the plane, its colours logarithmic."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.base.layouts import column_of
from dpdesigner.desktop.widgets.matrix.colour import Scale, colour_table
from dpdesigner.desktop.widgets.matrix.image import CellImage
from dpdesigner.desktop.widgets.plot.axis_layer import Axis
from dpdesigner.desktop.widgets.plot.plot_layer import PixelLayer, fade, line
from dpdesigner.desktop.widgets.plot.plot_style import StyledPlot
from dpdesigner.studies.matrices import Plane

_Key = Qt.Key
_STEPS = {_Key.Key_Left: (-1, 0), _Key.Key_Right: (1, 0), _Key.Key_Down: (0, -1), _Key.Key_Up: (0, 1)}
_FINE = 20  #: steps of the arrow keys from the centre to an edge


class _Cross(PixelLayer):
    """The lines through the point that is read."""

    def __init__(self) -> None:
        super().__init__()
        self.at: tuple[float, float] | None = None

    def draw(self, painter: QPainter) -> None:
        """Draw them, if there is such a point."""
        if self.at is not None:
            area, x, y = self.frame.area, self.frame.x(self.at[0]), self.frame.y(self.at[1])
            painter.setPen(line("selected", 1.2))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))


class PlaneImage(QWidget):
    """A square picture; the mouse and the arrow keys point to a place in it."""

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
        """Fade the picture."""
        fade(on, self._image)

    def figure(self) -> StyledPlot:
        """Return the part that is saved as a picture."""
        return self._plot

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the picture square."""
        super().resizeEvent(event)
        self._plot.setMaximumHeight(max(event.size().width(), 1))

    def minimumSizeHint(self) -> QSize:
        """Return the least size at which the diamonds can be told apart."""
        return QSize(120, 120)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the point with the arrow keys."""
        if (step := _STEPS.get(Qt.Key(event.key()))) is None:
            super().keyPressEvent(event)
            return
        x, y = (
            min(max(round(at / self._reach * _FINE) + by, -_FINE), _FINE) * self._reach / _FINE
            for at, by in zip(self._cross.at or (0.0, 0.0), step, strict=True)
        )
        self.pointed.emit((x, y))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Point to the centre first."""
        super().focusInEvent(event)
        self.pointed.emit(self._cross.at or (0.0, 0.0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Point to nothing."""
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
