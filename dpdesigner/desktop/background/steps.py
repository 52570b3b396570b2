"""Work in steps: some in the window's thread, such as drawing, between which the window stays alive, others in the background.

Such work is a generator. Where it yields a call, that runs in the background, and what it returns is what the ``yield`` gives;
where it yields None, the window has its turn. Without a window `run_now` does the same work.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from dpdesigner.desktop.background.worker import Worker
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.study import Progress, silent

#: Yields calls for the background, or None; what it returns is what the work gives.
Work = Generator[Callable[[Progress], Any] | None, Any, Any]


class Steps(QObject):
    """Does one piece of work at a time."""

    finished = Signal(object)  #: what the work gives
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
        """Give the rest up; nothing more is told."""
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
    """Do work without a window, and return what it gives; `progress` is called after every step, and may stop it."""
    answer = None
    while True:
        try:
            call = work.send(answer)
        except StopIteration as end:
            return end.value
        progress(None)
        answer = None if call is None else call(progress)
