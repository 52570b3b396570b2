"""Waiting for a call without letting the window freeze: what reads, writes or checks something large."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, QMetaObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressDialog, QWidget

from dpdesigner.errors import Cancelled

Value = TypeVar("Value")

#: What takes no longer (seconds) is simply waited for; after the second time (milliseconds) it can be given up.
PATIENCE, LONG = 0.03, 500


class _Call(Thread, Generic[Value]):
    """A call in a thread of its own, which does not keep the program from ending."""

    def __init__(self, call: Callable[[], Value]) -> None:
        super().__init__(name="waited", daemon=True)
        self._call = call
        self._value: list[Value] = []
        self._error: BaseException | None = None
        self.done = Event()
        self.loop = QEventLoop()

    def run(self) -> None:
        """Call, and end the loop that waits for it, also if that is only about to begin."""
        try:
            self._value.append(self._call())
        except BaseException as error:  # the boundary of the thread: raised again where it is waited for
            self._error = error
        self.done.set()
        QMetaObject.invokeMethod(self.loop, "quit", Qt.ConnectionType.QueuedConnection)

    def result(self) -> Value:
        """Return what the call returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._value[0]


def waited(call: Callable[[], Value], words: str = "", parent: QWidget | None = None) -> Value:
    """Return what a call returns; it runs in another thread and must touch no widget.

    Meanwhile the window is painted and its timers run; mouse and keys are taken up again afterwards.

    Parameters
    ----------
    call : callable
        Takes nothing.
    words : str
        What is under way: after half a second they are shown with a button that gives it up. Without words it cannot be.
    parent : QWidget, optional
        In whose window they are shown.

    Raises
    ------
    Cancelled
        If it was given up; the call goes on, but its answer is forgotten.
    """
    thread = _Call(call)
    thread.start()
    if not thread.done.wait(PATIENCE):
        QGuiApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        try:
            if words:
                QTimer.singleShot(LONG, thread.loop, thread.loop.quit)
            thread.loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
            if not thread.done.is_set():
                _offer_to_give_up(thread, words, parent)
        finally:
            QGuiApplication.restoreOverrideCursor()
    return thread.result()


def _offer_to_give_up(thread: _Call[Value], words: str, parent: QWidget | None) -> None:
    """Wait on, with a window that says for what and has a button to cancel it."""
    cancel = QCoreApplication.translate("Waiting", "Cancel")
    dialog = QProgressDialog(words, cancel, 0, 0, None if parent is None else parent.window())
    dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
    dialog.canceled.connect(thread.loop.quit)
    dialog.show()
    while not thread.done.is_set() and not dialog.wasCanceled():
        thread.loop.exec()
    dialog.close()
    dialog.deleteLater()
    if not thread.done.is_set():
        raise Cancelled("cancelled")
