"""One gesture, one change: what a drag, a held key or a turn of the wheel has in common.

A gesture begins with a value, previews others, and ends once: kept (`changed`), or given up (`cancelled`). A gesture that ends
on the value it began with counts as given up, so that it leaves no undo step. Held keys end when they are released or the
focus leaves, a wheel when it rests, a drag when its owner says so; whatever is under way when its widget is hidden is given up.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QWheelEvent

_REST = 400  # milliseconds without a turn of the wheel that end its gesture
_NOTCH = 120  # angle units of one step of a mouse wheel


class Gesture(QObject):
    """The state of the gesture under way.

    Parameters
    ----------
    parent : QObject
        The widget where keys and wheel work; `watch` names further ones.
    same : callable
        Whether two values are the same.
    """

    changing = Signal(object)  #: a value to preview
    changed = Signal(object)  #: the value at the end
    cancelled = Signal()  #: given up after at least one preview; the value at the beginning holds again
    ended = Signal()  #: it is over, however it ended; after the others

    def __init__(self, parent: QObject, same: Callable[[Any, Any], bool] = operator.eq) -> None:
        super().__init__(parent)
        self.active = False
        self.held = False  #: whether it is a drag: a mouse button holds it
        self.start: Any = None
        self._same = same
        self._last: Any = None
        self._previewed = False
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.finish)
        self.watch(parent)

    def watch(self, widget: QObject) -> None:
        """Let a widget's keys, its focus and its hiding end gestures."""
        widget.installEventFilter(self)

    def begin(self, value: Any, *, held: bool = False) -> None:
        """Begin with a value, as a drag if it is held; a gesture still under way ends first."""
        self.finish()
        self.active, self.held, self._previewed = True, held, False
        self.start = self._last = value

    def move(self, value: Any) -> None:
        """Preview a value, if it is another one."""
        if self.active and not self._same(value, self._last):
            self._last, self._previewed = value, True
            self.changing.emit(value)

    def finish_soon(self) -> None:
        """End when nothing has moved for a moment: a wheel says no goodbye."""
        self._rest.start()

    @Slot()
    def finish(self) -> None:
        """End the gesture and keep its value."""
        if self.active:
            self._end(kept=not self._same(self._last, self.start))

    def cancel(self) -> None:
        """Give the gesture up."""
        if self.active:
            self._end(kept=False)

    def drop(self) -> None:
        """End it without a word of what it came to."""
        self._previewed = False
        self.cancel()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End what keys and wheel have begun; keep nothing from the widget."""
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
    """Return by how many notches a wheel was turned, sideways if not up or down."""
    return (event.angleDelta().y() or event.angleDelta().x()) / _NOTCH
