"""One gesture, one change: what a drag, a held key or a turn of the wheel has in common.

A gesture begins with a value, previews others, and ends once: kept (`changed`), or given up (`cancelled`). A gesture that ends
on the value it began with counts as given up, so that it leaves no undo step.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

_SETTLE = 400  # milliseconds without a turn of the wheel that end its gesture


class Gesture(QObject):
    """The state of the gesture under way."""

    changing = Signal(object)  #: a value to preview
    changed = Signal(object)  #: the value at the end
    cancelled = Signal()  #: given up after at least one preview; the value at the beginning holds again

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.active = False
        self.start: Any = None
        self._last: Any = None
        self._previewed = False
        self._timer = QTimer(self, singleShot=True, interval=_SETTLE)
        self._timer.timeout.connect(self.finish)

    def begin(self, value: Any) -> None:
        """Begin with a value; a gesture still under way ends first."""
        self.finish()
        self.active, self._previewed = True, False
        self.start = self._last = value

    def move(self, value: Any) -> None:
        """Preview a value, if it is another one."""
        if self.active and value != self._last:
            self._last, self._previewed = value, True
            self.changing.emit(value)

    def finish_soon(self) -> None:
        """End when nothing has moved for a moment: a wheel says no goodbye."""
        self._timer.start()

    @Slot()
    def finish(self) -> None:
        """End the gesture and keep its value."""
        if self.active:
            self._end(kept=self._last != self.start)

    def cancel(self) -> None:
        """Give the gesture up."""
        if self.active:
            self._end(kept=False)

    def _end(self, kept: bool) -> None:
        self._timer.stop()
        self.active = False
        if kept:
            self.changed.emit(self._last)
        elif self._previewed:
            self.cancelled.emit()
