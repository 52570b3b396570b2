"""Ctrl+C in the terminal closes the window as its button does, rather than raise inside Qt, which loses it or crashes."""

from __future__ import annotations

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Slot
from PySide6.QtWidgets import QWidget


class Interrupts(QObject):
    """Takes Ctrl+C from Python until it is told to stop; a second one, while the window asks, ends the program at once.

    Python runs a handler only between its instructions, of which a window that waits has none; so the signal writes a byte to a
    socket that the event loop watches.

    Parameters
    ----------
    window : QWidget
        What is to be closed.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._read, self._written = socket.socketpair()
        for end in (self._read, self._written):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._close)
        self._woken = signal.set_wakeup_fd(self._written.fileno(), warn_on_full_buffer=False)
        self._before = signal.signal(signal.SIGINT, _nothing)

    def stop(self) -> None:
        """Give Ctrl+C back."""
        self._notifier.setEnabled(False)
        signal.signal(signal.SIGINT, self._before)
        signal.set_wakeup_fd(self._woken)
        self._read.close()
        self._written.close()

    @Slot()
    def _close(self) -> None:
        if signal.SIGINT not in self._read.recv(64):
            return
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if not self._window.close():
            signal.signal(signal.SIGINT, _nothing)


def _nothing(number: int, frame: FrameType | None) -> None:
    """Leave it to the event loop."""
