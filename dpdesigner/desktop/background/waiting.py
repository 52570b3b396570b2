"""Waiting: for a result with progress and cancel, and between the steps of long work.

Work in steps: some in the window's thread, such as drawing, between which the window stays alive, others in the background.

Such work is a generator. Where it yields a call, that runs in the background, and what it returns is what the ``yield`` gives;
where it yields None, the window has its turn. Without a window `run_now` does the same work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from time import monotonic
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QProgressDialog, QWidget

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.errors import Cancelled, DpDesignerError, passed_over
from dpdesigner.studies.study import Progress, silent

Value = TypeVar("Value")

#: Up to the first time (seconds), a call is simply waited for; after the second, it can be cancelled.
PATIENCE, LONG = 0.03, 0.5
#: How often (seconds) the window is updated meanwhile.
TICK = 0.005
_THREAD = "waited"

_awaited: list[Future[Any]] = []


def waited(call: Callable[[], Value], words: str = "", parent: QWidget | None = None) -> Value:
    """Return the result of a call; it runs in another thread and must touch no widget.

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
    threading.Thread(target=_fulfil, args=(answer, call), name=_THREAD, daemon=True).start()
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
    """Return whether a call is being waited for, so that other input that still arrives, like a dropped file, can be refused."""
    return bool(_awaited)


def ended(seconds: float = 1) -> bool:
    """Return whether calls that were given up end within this time; Python must not be left while one runs."""
    threads = [thread for thread in threading.enumerate() if thread.name == _THREAD]
    for thread in threads:
        thread.join(seconds)
    return not any(thread.is_alive() for thread in threads)


def _fulfil(answer: Future[Value], call: Callable[[], Value]) -> None:
    """Make the call in a thread that does not keep the program from exiting."""
    try:
        answer.set_result(call())
    except BaseException as error:  # the boundary of the thread: raised again in the waiting thread
        answer.set_exception(error)


def _look_after_the_window(answer: Future[Value], words: str, parent: QWidget | None) -> None:
    """Paint and run timers until there is an answer, or until the user may cancel."""
    began = monotonic()
    while not answer.done():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        wait([answer], TICK)
        if words and monotonic() - began > LONG:
            _offer_to_give_up(answer, words, parent)


def _offer_to_give_up(answer: Future[Value], words: str, parent: QWidget | None) -> None:
    """Continue waiting, with a dialog that describes the work and has a button to cancel it."""
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
    """Log the outcome of an abandoned call."""
    if (error := answer.exception()) is not None:
        passed_over("a call that was given up", error)


#: Yields calls for the background, or None; its return value is the result of the work.
Work = Generator[Callable[[Progress], Any] | None, Any, Any]


class Steps(QObject):
    """Does one piece of work at a time."""

    finished = Signal(object)  #: the result of the work
    failed = Signal(object)  #: the `DpDesignerError` that ended it
    progressed = Signal(object, str)  #: a fraction or None, and what is being done

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._work: Work | None = None
        self._answer: Any = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        worker.answered.connect(self._go_on)
        worker.failed.connect(self._fail)
        worker.progressed.connect(self._tell)

    def run(self, work: Work) -> None:
        """Begin this work in place of any other."""
        self.stop()
        self._work, self._answer = work, None
        self._timer.start()

    @Slot()
    def stop(self) -> None:
        """Abandon the remaining steps; no further signal is emitted."""
        self._timer.stop()
        self._worker.cancel(self._is_own)
        self._work = None

    @Slot()
    def _step(self) -> None:
        if (work := self._work) is None:
            return
        answer, self._answer = self._answer, None
        try:
            call = work.send(answer)
        except StopIteration as end:
            self.stop()
            self.finished.emit(end.value)
        except DpDesignerError as error:
            self.stop()
            self.failed.emit(error)
        except BaseException:
            self.stop()
            raise
        else:
            if call is not None and self._work is work:
                self._timer.stop()
                self._worker.submit(self, call, slow=True, live=False)

    def _is_own(self, key: object) -> bool:
        return key is self

    @Slot(object, object)
    def _go_on(self, key: object, answer: Any) -> None:
        if key is self and self._work is not None:
            self._answer = answer
            self._timer.start()

    @Slot(object, object)
    def _fail(self, key: object, error: object) -> None:
        if key is self:
            self.stop()
            self.failed.emit(error)

    @Slot(object, object, str)
    def _tell(self, key: object, fraction: float | None, text: str) -> None:
        if key is self:
            self.progressed.emit(fraction, text)


def run_now(work: Work, progress: Progress = silent) -> Any:
    """Do work without a window and return its result; `progress` is called after every step and may stop it."""
    answer = None
    while True:
        try:
            call = work.send(answer)
        except StopIteration as end:
            return end.value
        progress(None)
        answer = None if call is None else call(progress)
