"""Waiting for a call without letting the window freeze: what reads, writes or checks something large."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressDialog, QWidget

from dpdesigner.errors import Cancelled, passed_over

Value = TypeVar("Value")

#: What takes no longer (seconds) is simply waited for; after the second time it can be given up.
PATIENCE, LONG = 0.03, 0.5
#: So often (seconds) the window is looked after meanwhile.
TICK = 0.005

_awaited: list[Future[Any]] = []


def waited(call: Callable[[], Value], words: str = "", parent: QWidget | None = None) -> Value:
    """Return what a call returns; it runs in another thread and must touch no widget.

    Meanwhile the window is painted and its timers run; mouse and keys are taken up again afterwards. A timer may wait for a call
    of its own: the outer call is then answered after the inner one.

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
    answer: Future[Value] = Future()
    Thread(target=_fulfil, args=(answer, call), name="waited", daemon=True).start()
    wait([answer], PATIENCE)
    if not answer.done():
        QGuiApplication.setOverrideCursor(Qt.CursorShape.BusyCursor)
        _awaited.append(answer)
        try:
            _look_after_the_window(answer, words, parent)
        finally:
            _awaited.remove(answer)
            QGuiApplication.restoreOverrideCursor()
    return answer.result()


def waits() -> bool:
    """Return whether a call is waited for now, so that what comes in all the same, such as a dropped file, can be refused."""
    return bool(_awaited)


def _fulfil(answer: Future[Value], call: Callable[[], Value]) -> None:
    """Call, in a thread that does not keep the program from ending."""
    try:
        answer.set_result(call())
    except BaseException as error:  # the boundary of the thread: raised again where it is waited for
        answer.set_exception(error)


def _look_after_the_window(answer: Future[Value], words: str, parent: QWidget | None) -> None:
    """Paint and let timers run until there is an answer, or until it can be given up."""
    began = monotonic()
    while not answer.done():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        wait([answer], TICK)
        if words and monotonic() - began > LONG:
            _offer_to_give_up(answer, words, parent)


def _offer_to_give_up(answer: Future[Value], words: str, parent: QWidget | None) -> None:
    """Wait on, with a window that says for what and has a button to cancel it."""
    cancel = QCoreApplication.translate("Waiting", "Cancel")
    dialog = QProgressDialog(words, cancel, 0, 0, None if parent is None else parent.window())
    dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
    dialog.show()
    while not answer.done() and not dialog.wasCanceled():
        QCoreApplication.processEvents()
        wait([answer], TICK)
    dialog.close()
    dialog.deleteLater()
    if not answer.done():
        answer.add_done_callback(_pass_over)
        raise Cancelled("cancelled")


def _pass_over(answer: Future[Any]) -> None:
    """Tell the log how a call ended that was given up."""
    if (error := answer.exception()) is not None:
        passed_over("a call that was given up", error)
