"""One gesture, one change: the common part of a drag, a key held down and a turn of the wheel.

A gesture begins with a value, previews others, and ends once: kept (`changed`), or given up (`cancelled`). A gesture that ends
on the value it began with counts as given up, so that it leaves no undo step. Held keys end when they are released or the
focus leaves, a wheel when it rests, a drag when its owner says so; whatever is under way when its widget is hidden is given up.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Property, QEvent, QObject, QRect, QSignalBlocker, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

from dpdesigner.desktop.base.labels import announce
from dpdesigner.desktop.base.theme import theme

_REST = 400  # milliseconds without a turn of the wheel that end its gesture
_NOTCH = 120  # angle units of one step of a mouse wheel


class Gesture(QObject):
    """The state of the current gesture.

    Parameters
    ----------
    parent : QObject
        The widget where keys and wheel work; `watch` names further ones.
    same : callable
        Whether two values are the same.
    """

    changing = Signal(object)  #: a value to preview
    changed = Signal(object)  #: the final value
    cancelled = Signal()  #: cancelled after at least one preview; the initial value is in force again
    ended = Signal()  #: the gesture is over, however it ended; emitted after the other signals

    def __init__(self, parent: QObject, same: Callable[[Any, Any], bool] = operator.eq) -> None:
        super().__init__(parent)
        self.active = False
        self.held = False  #: whether this is a drag with a mouse button down
        self.start: Any = None
        self._same = same
        self._last: Any = None
        self._previewed = False
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.finish)
        self.watch(parent)

    def watch(self, widget: QObject) -> None:
        """End gestures when a widget's keys are released, it loses the focus or it is hidden."""
        widget.installEventFilter(self)

    def begin(self, value: Any, *, held: bool = False) -> None:
        """Begin with a value, as a drag if it is held; a gesture still in progress ends first."""
        self.finish()
        self.active, self.held, self._previewed = True, held, False
        self.start = self._last = value

    def move(self, value: Any) -> None:
        """Preview a value if it differs from the last one."""
        if self.active and not self._same(value, self._last):
            self._last, self._previewed = value, True
            self.changing.emit(value)

    def finish_soon(self) -> None:
        """End when nothing has moved for a moment, because a wheel sends no final event."""
        self._rest.start()

    @Slot()
    def finish(self) -> None:
        """End the gesture and keep its value."""
        if self.active:
            self._end(kept=not self._same(self._last, self.start))

    def cancel(self) -> None:
        """Cancel the gesture."""
        if self.active:
            self._end(kept=False)

    def drop(self) -> None:
        """End the gesture without reporting its result."""
        self._previewed = False
        self.cancel()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End gestures begun by keys or the wheel; pass all events on to the widget."""
        kind = event.type()
        if kind == QEvent.Type.Hide:
            self.cancel()
        elif self.held:
            return False
        elif kind == QEvent.Type.FocusOut or (
            kind == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent) and not event.isAutoRepeat()
        ):
            self.finish()
        return False

    def _end(self, kept: bool) -> None:
        self._rest.stop()
        self.active = self.held = False
        if kept:
            self.changed.emit(self._last)
        elif self._previewed:
            self.cancelled.emit()
        self.ended.emit()


def notches(event: QWheelEvent) -> float:
    """Return the notches by which a wheel was turned: vertically, otherwise horizontally."""
    return (event.angleDelta().y() or event.angleDelta().x()) / _NOTCH


_HEIGHT = 24  # pixels: the handle of the style sheet and the marks under it


class GestureSlider(QSlider):
    """A slider over whole numbers. A click outside the handle jumps to that place; Esc cancels a drag.

    `QSlider.setValue` shows a value and asks for nothing; `moving` and `moved` come from the user alone.
    """

    moving = Signal(int)  #: while a gesture lasts
    moved = Signal(int)  #: once, at the end of a gesture
    cancelled = Signal()  #: the gesture was cancelled and the value restored

    def __init__(self, last: int, fine: int = 1, coarse: int = 10) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, last)
        self.setSingleStep(fine)
        self.setPageStep(coarse)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.says: Callable[[], str] = self.steps_text  #: returns the quantity in words
        self._marks: tuple[int, ...] = ()
        self._turned = 0.0  # fraction of a notch
        self._grab = 0  # distance of the value under the mouse from the slider's when the handle was grabbed
        self._gesture = Gesture(self)
        self._gesture.changing.connect(self._preview)
        self._gesture.changed.connect(self._settle)
        self._gesture.cancelled.connect(self._restore)
        self._gesture.ended.connect(self._let_go)

    @Property(str)
    def spoken(self) -> str:
        """The quantity that the slider represents, in words, for a screen reader."""
        return self.says()

    def steps_text(self) -> str:
        """Return the slider's current step, for sliders without a quantity in words."""
        return str(self.value())

    @property
    def busy(self) -> bool:
        """Whether a gesture is in progress, during which the value must not be set from outside."""
        return self._gesture.active

    def set_marks(self, values: Sequence[int]) -> None:
        """Draw short marks under these values."""
        self._marks = tuple(values)
        self.update()

    def show_value(self, value: int) -> None:
        """Show a value from outside, unless the user is moving the slider."""
        if not self.busy:
            with QSignalBlocker(self):
                self.setValue(value)
            self.update()

    def x_of(self, value: int) -> int:
        """Return the position of the middle of the handle for a value, in pixels from the left."""
        groove, handle = self._parts()
        room = groove.width() - handle.width()
        return groove.left() + handle.width() // 2 + QStyle.sliderPositionFromValue(self.minimum(), self.maximum(), value, room)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Return the least width that the mouse can still hit reliably."""
        return QSize(4 * _HEIGHT, _HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._gesture.begin(self.value(), held=True)
        self.setSliderDown(True)
        held = self._parts()[1].contains(event.position().toPoint())
        self._grab = self._value_at(event.position().x()) - self.value() if held else 0
        self._move_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._gesture.held:
            self._move_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._gesture.held:
            self._gesture.finish()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step by whole notches if the slider has the focus, otherwise let the page scroll; the gesture ends with the wheel."""
        if not self.hasFocus():
            event.ignore()
            return
        event.accept()
        if self._gesture.held:
            return
        self._turned += notches(event)
        whole = int(round(self._turned, 6))
        self._turned -= whole
        if whole:
            self._step(2 * whole * self.singleStep())
            self._gesture.finish_soon()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step with the arrows (fine; with Shift ten at a time), Page Up and Page Down (coarse), Home and End."""
        keys = Qt.Key
        steps = {
            keys.Key_Left: -self.singleStep(),
            keys.Key_Down: -self.singleStep(),
            keys.Key_Right: self.singleStep(),
            keys.Key_Up: self.singleStep(),
            keys.Key_PageDown: -self.pageStep(),
            keys.Key_PageUp: self.pageStep(),
            keys.Key_Home: self.minimum() - self.maximum(),
            keys.Key_End: self.maximum() - self.minimum(),
        }
        key = Qt.Key(event.key())
        if key == keys.Key_Escape and self.busy:
            self._gesture.cancel()
        elif key in steps and not self._gesture.held:
            ten = abs(steps[key]) == self.singleStep() and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._step(10 * steps[key] if ten else steps[key])
            announce(self, self.says())
        else:
            event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._marks:
            return
        handle = self._parts()[1]
        painter = QPainter(self)
        painter.setPen(QColor(theme().colours.muted))
        top = handle.center().y() + 5
        for value in self._marks:
            inside = self.minimum() <= value <= self.maximum()
            if inside and abs(self.x_of(value) - self.x_of(self.value())) > handle.width() // 2:
                painter.drawLine(self.x_of(value), top, self.x_of(value), top + 3)
        painter.end()

    def _step(self, by: int) -> None:
        if not self._gesture.active:
            self._gesture.begin(self.value())
        self._gesture.move(self._bound(self.value() + by))

    def _move_to(self, x: float) -> None:
        self._gesture.move(self._bound(self._value_at(x) - self._grab))

    def _bound(self, value: int) -> int:
        return max(self.minimum(), min(self.maximum(), value))

    def _value_at(self, x: float) -> int:
        groove, handle = self._parts()
        room = groove.width() - handle.width()
        offset = round(x) - groove.left() - handle.width() // 2
        return QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), offset, room)

    def _parts(self) -> tuple[QRect, QRect]:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        control, parts = QStyle.ComplexControl.CC_Slider, QStyle.SubControl
        style = self.style()
        return (
            style.subControlRect(control, option, parts.SC_SliderGroove, self),
            style.subControlRect(control, option, parts.SC_SliderHandle, self),
        )

    @Slot(object)
    def _preview(self, value: int) -> None:
        with QSignalBlocker(self):
            self.setValue(value)
        self.update()
        self.moving.emit(value)

    @Slot(object)
    def _settle(self, value: int) -> None:
        self.moved.emit(value)

    @Slot()
    def _restore(self) -> None:
        with QSignalBlocker(self):
            self.setValue(self._gesture.start)
        self.update()
        self.cancelled.emit()

    @Slot()
    def _let_go(self) -> None:
        self.setSliderDown(False)
