"""What may wait until the user sees something."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

#: What may stand in front of the window at the start comes so long (milliseconds) after the window was first painted.
AFTERWARDS = 100


class AfterPaint(QObject):
    """Calls something a moment after a widget was first painted: however slow the machine is, the widget is seen first.

    Parameters
    ----------
    widget : QWidget
    call : Callable
    delay : int
        Milliseconds between the two.
    """

    def __init__(self, widget: QWidget, call: Callable[[], object], delay: int = AFTERWARDS) -> None:
        super().__init__(widget)
        self._call, self._delay = call, delay
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the paint; keep nothing from the widget."""
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(self._delay, self._call)
        return False
