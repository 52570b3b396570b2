"""Runs the jobs of the current design in the background, and reports when one takes long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.study import Job

#: While a drag lasts, the slow jobs rest so long (milliseconds) before they start anew, and do not start before the quick answer
#: is there: they and the painting share one interpreter.
SLOW_EVERY = 50
#: Delays of an answer (seconds) after which the picture is marked as out of date, then progress is shown.
STALE_AFTER, BUSY_AFTER = 0.15, 0.5
_SOON = 5


@dataclass(frozen=True)
class JobKey:
    """The key of a job in the worker: the key of its design and its name."""

    design: int
    name: str


@dataclass
class _Wait:
    """A job without an answer: its start time and its last known progress."""

    since: float
    title: str
    slow: bool
    fraction: float | None = None
    text: str = ""
    stale: bool = False


class Runner(QObject):
    """Submits jobs for one design at a time; answers for other designs are dropped."""

    answered = Signal(str, object)  #: the name of a job and what it returned
    failed = Signal(str, object)  #: the name of a job and its `DpDesignerError`
    late = Signal(str)  #: what the job of this name shows is out of date, and its new answer is not ready
    working = Signal(str, object)  #: text and fraction (or None) of work that has run for more than half a second
    idle = Signal()  #: nothing that has run this long is still running

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._design = 0
        self._waits: dict[str, _Wait] = {}
        self._outdated: set[str] = set()
        self._held: list[Job] = []
        self._names: set[str] = set()  # names of the design's jobs
        self._told = False
        self.long: tuple[str, ...] = ()  #: the jobs that have run for more than half a second
        self._between = QTimer(self, singleShot=True)
        self._between.timeout.connect(self._let_go)
        self._timer = QTimer(self, interval=50)
        self._timer.timeout.connect(self._look)
        worker.answered.connect(self._answered)
        worker.failed.connect(self._failed)
        worker.progressed.connect(self._progressed)
        worker.ended.connect(self._ended)

    def run(self, design: int, jobs: Sequence[Job], *, settled: bool) -> None:
        """Run the jobs of a design; those of any other design are cancelled.

        Parameters
        ----------
        design : int
            The key of the design.
        jobs : sequence of Job
            Those of one study.
        settled : bool
            False while a drag lasts: only the live jobs run then, the slow ones of them now and then, and what the others are
            doing is out of date.
        """
        if design != self._design:
            self.cancel()
            self._outdated.clear()
            self._design = design
        self._held.clear()
        names = {job.name for job in jobs}
        resting = {job.name for job in jobs if not (settled or job.live)}
        outdated = {JobKey(design, name) for name in (self._names - names) | resting}  # the first the design no longer has
        self._worker.cancel(outdated.__contains__)
        self._names = names
        for job in jobs:
            if job.name in resting:
                self._outdate(job.name)
            elif settled or not job.slow:
                self.submit(job)
            else:
                self._held.append(job)
        self._rest()

    def _rest(self) -> None:
        """Let the slow jobs of a drag pause before they start and after they end."""
        if self._held and not self._between.isActive() and not any(wait.slow for wait in self._waits.values()):
            self._between.start(SLOW_EVERY)

    @Slot()
    def _let_go(self) -> None:
        """Run the slow jobs of a drag; while a quick one runs, wait until its answer is painted."""
        if any(not wait.slow for wait in self._waits.values()):
            self._between.start(_SOON)
            return
        held, self._held = self._held, []
        for job in held:
            self.submit(job)

    def submit(self, job: Job) -> None:
        """Run one job of the design."""
        wait = self._waits.setdefault(job.name, _Wait(monotonic(), job.title or self.tr("computing"), job.slow))
        wait.title = job.title or wait.title
        self._worker.submit(JobKey(self._design, job.name), job.run, slow=job.slow, live=job.live)
        self._timer.start()

    @Slot()
    def cancel(self) -> None:
        """Cancel the running and waiting jobs of the design."""
        waiting = [*self._waits, *(job.name for job in self._held)]
        self._held.clear()
        self._worker.cancel(lambda key: isinstance(key, JobKey))
        for name in waiting:
            self._outdate(name)

    @Slot(object, object)
    def _answered(self, key: Any, value: Any) -> None:
        if isinstance(key, JobKey) and key.design == self._design:
            if (wait := self._waits.get(key.name)) is not None:
                wait.since, wait.stale = monotonic(), False
            self._outdated.discard(key.name)
            self.answered.emit(key.name, value)

    @Slot(object, object)
    def _failed(self, key: Any, error: DpDesignerError) -> None:
        if isinstance(key, JobKey) and key.design == self._design:
            self.failed.emit(key.name, error)

    @Slot(object, object, str)
    def _progressed(self, key: Any, fraction: float | None, text: str) -> None:
        if isinstance(key, JobKey) and (wait := self._waits.get(key.name)) is not None:
            wait.fraction, wait.text = fraction, text

    @Slot(object)
    def _ended(self, key: Any) -> None:
        if isinstance(key, JobKey):
            self._waits.pop(key.name, None)
            self._look()
            self._rest()

    def _outdate(self, name: str) -> None:
        """Report that a job's answer is late, once until there is a new one."""
        if name not in self._outdated:
            self._outdated.add(name)
            self.late.emit(name)

    @Slot()
    def _look(self) -> None:
        now = monotonic()
        for name, wait in list(self._waits.items()):
            if not wait.stale and now - wait.since > STALE_AFTER:
                wait.stale = True
                self._outdate(name)
        self.long = tuple(name for name, wait in self._waits.items() if now - wait.since > BUSY_AFTER)
        if long := [self._waits[name] for name in self.long]:
            self._told = True
            text = f"{long[0].title}: {long[0].text}" if long[0].text else f"{long[0].title} …"
            self.working.emit(text, long[0].fraction)
        elif self._told:
            self._told = False
            self.idle.emit()
        if not self._waits:
            self._timer.stop()
