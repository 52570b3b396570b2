"""The plot in which a distribution is edited: what mouse and keys do."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.distribution_gestures import DistributionGestures
from dpdesigner.desktop.widgets.handle_curve import HandleDrag, shaped
from dpdesigner.desktop.widgets.reshaping import replaced
from dpdesigner.desktop.widgets.stroke import Brush, Stroke

_STILL = 3.0  # pixels within which a press is a click
_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
_HIGHEST = 20.0  # how far beyond the upper edge a bar can be dragged


class DistributionPlot(DistributionGestures):
    """Drag to paint, with Shift a straight line, with the right button erase; in curve mode, drag handles.

    A click chooses a bar, the wheel raises or lowers it. Left and Right choose, Up and Down raise and lower, Delete clears, L
    locks, Esc gives the gesture up.
    """

    chosen = Signal(int)  #: a bar was clicked
    pointed = Signal(object)  #: the bar under the mouse, or None
    menu_wanted = Signal(int, QPoint)  #: a bar was clicked with the right button, there on the screen
    lock_wanted = Signal(int)  #: a bar is to be locked, or let go
    brush_changed = Signal(object)  #: the `Brush`, after Ctrl + wheel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Get ready to paint (left), erase (right) or take a handle."""
        event.accept()
        wanted = event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton)
        if not wanted or self._press is not None or self.count_at(event.position()) is None:
            return
        self.end_steps()
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.set_focused(False)
        self._before = self.weights
        self._press = event.position(), event.button()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with the gesture, or say which bar is under the mouse."""
        self._point(event.position())
        if self._press is None:
            return
        at, button = self._press
        if self._drag is None and (event.position() - at).manhattanLength() >= _STILL:
            self._drag = self._drag_from(at, button)
            self.bars.ghost = self._before
        if self._drag is not None:
            straight = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            found = self._drag.move(*self._values(event.position()), straight=straight)
            if isinstance(self._drag, HandleDrag):
                self.bars.curve = self._drag.curve
            self._follow(found)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the gesture; a press that did not move chooses a bar, or opens its menu."""
        event.accept()
        if self._press is None or event.button() != self._press[1]:
            return
        drag, count = self._drag, self.count_at(self._press[0])
        self.abandon()
        if drag is not None:
            self._conclude(self._words(drag))
        elif count is not None and event.button() == Qt.MouseButton.LeftButton:
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
            self._before, self.bars.curve = self.weights, curve.removed(handle)
            self._follow(shaped(self.weights, self.bars.curve, self.rules))
            self._conclude(self.tr("Remove handle"))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Raise or lower the bar under the mouse; with Ctrl, change the width of the brush."""
        count = self.count_at(event.position())
        notches = (event.angleDelta().y() or event.angleDelta().x()) / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            step = max(1, self.brush.reach // 4) * (1 if notches > 0 else -1)
            reach = min(max(self.brush.reach + step, 0), len(self.weights))
            self.set_brush(Brush(reach, self.brush.softness))
            self.brush_changed.emit(self.brush)
        elif count is not None and notches:
            self.step(count, notches)
            self._nudge.end_soon()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        self.end_steps()
        self._set_hovered(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Give up what is under way."""
        self.cancel()
        super().hideEvent(event)

    def _values(self, position: QPointF) -> tuple[float, float]:
        height = self.frame.value_y(position.y())
        return self.frame.value_x(position.x()), min(max(height, 0.0), _HIGHEST * self.frame.top)

    def _drag_from(self, at: QPointF, button: Qt.MouseButton) -> Stroke | HandleDrag | None:
        """Return the gesture that a press began; away from all handles of a curve, a new one is taken."""
        x, y = self._values(at)
        erasing = button == Qt.MouseButton.RightButton
        if self.bars.curve is None:
            brush = Brush(max(self.brush.reach, self.pixel_reach()), self.brush.softness)
            stroke = Stroke(self._before, brush, self.rules, erasing=erasing)
            stroke.press(x, y)
            return stroke
        if erasing:
            return None
        handle, curve = self.bars.handle_at(at), self.bars.curve
        if handle is None:
            curve, handle = curve.added(x)
        self.bars.taken = handle
        return HandleDrag(self._before, curve, handle, self.rules)

    def _words(self, drag: Stroke | HandleDrag) -> str:
        if isinstance(drag, HandleDrag):
            words = self.tr("Bend prior")
        else:
            words = self.tr("Erase prior") if drag.erasing else self.tr("Paint prior")
        return str(words)

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
            if self._nudge.active and count != self._nudge.place:
                self.end_steps()
            self.hovered_count = count
            self.show_brush()
            self.pointed.emit(count)

    # The keyboard ------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose, raise, lower, clear and lock bars, or give the gesture up."""
        keys, key = Qt.Key, Qt.Key(event.key())
        chosen = self.bars.selected
        count = int(np.argmax(self.weights)) if chosen is None else chosen
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        if key == keys.Key_Escape and self.cancel():
            return
        if not plain or self._press is not None:
            event.ignore()
        elif key in (keys.Key_Left, keys.Key_Right):
            self.end_steps()
            step = 0 if chosen is None else 1 if key == keys.Key_Right else -1
            self.chosen.emit(min(max(count + step, 0), len(self.weights) - 1))
        elif key in (keys.Key_Up, keys.Key_Down, keys.Key_Plus, keys.Key_Minus):
            self.step(count, 1 if key in (keys.Key_Up, keys.Key_Plus) else -1)
        elif key in (keys.Key_Delete, keys.Key_Backspace):
            self.commit(replaced(self.weights, count, 0.0, self.rules), self.tr("Clear count {count}").format(count=count))
        elif key == keys.Key_L:
            self.lock_wanted.emit(count)
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """End the steps of a held key."""
        if not event.isAutoRepeat():
            self.end_steps()
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keys work here."""
        self.set_focused(event.reason() in _BY_KEY)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """End the steps, and show no more that the keys work here."""
        self.set_focused(False)
        self.end_steps()
        super().focusOutEvent(event)
