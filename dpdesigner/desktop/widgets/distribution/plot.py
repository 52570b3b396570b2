"""The plot in which a distribution is edited: what the mouse does."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.distribution.edited import EditedView
from dpdesigner.desktop.widgets.distribution.handle_curve import HandleDrag, shaped
from dpdesigner.desktop.widgets.distribution.stroke import Brush, Stroke
from dpdesigner.desktop.widgets.gesture.gesture import notches

_STILL = 3.0  # pixels within which a press is a click
_HIGHEST = 20.0  # how far beyond the upper edge a bar can be dragged


class DistributionPlot(EditedView):
    """Drag to paint, with Shift a straight line, with the right button erase; in curve mode, drag handles.

    A click chooses a bar, the wheel raises or lowers it. While a gesture lasts the scale stands still and the shape before it
    stays as a ghost. Where nothing would be left, an empty frame is shown and nothing asked for: Esc brings the shape back.
    Nothing is emitted for values that come from outside.
    """

    pointed = Signal(object)  #: the bar under the mouse, or None
    menu_wanted = Signal(int, QPoint)  #: a bar was clicked with the right button, there on the screen
    brush_changed = Signal(object)  #: the `Brush`, after Ctrl + wheel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Get ready to paint (left), erase (right) or take a handle."""
        event.accept()
        wanted = event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if not wanted or self._press is not None or self.count_at(event.position()) is None:
            return
        self.gesture.finish()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.set_focused(False)
        self._press = event.position(), event.button()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the gesture, or say which bar is under the mouse."""
        self._point(event.position())
        if self._press is None:
            return
        at, button = self._press
        if self._drag is None and (event.position() - at).manhattanLength() >= _STILL:
            self._drag = self._drag_from(at, button)
            self.bars.ghost = self.weights
        if self._drag is not None:
            straight = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            settled = self._drag.move(*self._values(event.position()), straight=straight)
            if isinstance(self._drag, HandleDrag):
                self.bars.curve = self._drag.curve
            self._follow(settled)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture; a press that did not move chooses a bar, or opens its menu."""
        event.accept()
        if self._press is None or event.button() != self._press[1]:
            return
        count = self.count_at(self._press[0]) if self._drag is None else None
        blank = self.blank and self._drag is not None
        (self.gesture.cancel if blank else self.gesture.finish)()
        self._forget()
        if blank:
            self.set_blank(True)
        if count is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(count)
        elif count is not None:
            self.menu_wanted.emit(count, event.globalPosition().toPoint())
        self._point(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add or remove a handle of the curve; on bars, a second press is a press."""
        curve = self.bars.curve
        if curve is None or event.button() != Qt.MouseButton.LeftButton:
            self.mousePressEvent(event)
            return
        handle = self.bars.handle_at(event.position())
        if handle is None:
            self.bars.curve, self.bars.taken = curve.added(self.frame.value_x(event.position().x()))
            self.bars.update()
        elif curve.removed(handle) != curve:
            self.gesture.begin(self.weights)
            self._words, self.bars.curve = self.tr("Remove handle"), curve.removed(handle)
            self._follow(shaped(self.weights, self.bars.curve, self.rules))
            self.gesture.finish()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Raise or lower the bar under the mouse; with Ctrl, change the width of the brush."""
        count, turned = self.count_at(event.position()), notches(event)
        if not turned:  # the touch of a touchpad begins and ends without a turn
            pass
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            step = max(1, self.brush.reach // 4) * (1 if turned > 0 else -1)
            self.set_brush(replace(self.brush, reach=min(max(self.brush.reach + step, 0), len(self.weights))))
            self.brush_changed.emit(self.brush)
        elif count is not None:
            self.step(count, turned)
            self.gesture.finish_soon()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        if not self.gesture.held:
            self.gesture.finish()
        self._set_hovered(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Forget a press that has not become a gesture."""
        self._forget()
        super().hideEvent(event)

    def _values(self, position: QPointF) -> tuple[float, float]:
        height = self.frame.value_y(position.y())
        return self.frame.value_x(position.x()), min(max(height, 0.0), _HIGHEST * self.frame.top)

    def _drag_from(self, at: QPointF, button: Qt.MouseButton) -> Stroke | HandleDrag | None:
        """Begin the gesture of a press and return it; away from all handles of a curve, a new one is taken."""
        x, y = self._values(at)
        erasing, curve = button == Qt.MouseButton.RightButton, self.bars.curve
        if curve is not None and erasing:
            return None
        self.gesture.begin(self.weights, held=True)
        if curve is None:
            self._words = self.tr("Erase prior") if erasing else self.tr("Paint prior")
            brush = Brush(max(self.brush.reach, self.pixel_reach()), self.brush.softness)
            stroke = Stroke(self.weights, brush, self.rules, erasing=erasing, blank=self.blank)
            stroke.press(x, y)
            return stroke
        self._words, handle = self.tr("Bend prior"), self.bars.handle_at(at)
        if handle is None:
            curve, handle = curve.added(x)
        self.bars.taken = handle
        return HandleDrag(self.weights, curve, handle, self.rules)

    def _point(self, position: QPointF) -> None:
        inside = self.frame.area.adjusted(0, -4, 0, 4).contains(position) or self._drag is not None
        self._set_hovered(self.count_at(position) if inside else None)
        if self._drag is None and self.bars.curve is not None:
            taken = self.bars.handle_at(position)
            if taken != self.bars.taken:
                self.bars.taken = taken
                self.bars.update()

    def _set_hovered(self, count: int | None) -> None:
        if count != self.hovered_count:
            if self._place not in (None, count):
                self.gesture.finish()
            self.hovered_count = count
            self.show_brush()
            self.pointed.emit(count)
