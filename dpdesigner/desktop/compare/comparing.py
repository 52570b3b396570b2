"""Keeps the current design and what was pinned side by side, while the design changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.background.worker import Worker
from dpdesigner.desktop.document.content import Design
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.page_host import PageHost
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.studies.registry import page_of
from dpdesigner.studies.study import Job, Study, design_of


@dataclass(frozen=True)
class ReferenceKey:
    """The key of a job of the reference in the worker: the study it is for, and its name."""

    study: Study
    name: str


def related(one: Study, other: Study) -> bool:
    """Whether the numbers of two designs mean the same: they are on one page, and of the same exhibit if they are of one."""
    exhibits = [getattr(study, "exhibit", "") for study in (one, other)]
    return page_of(one.kind) == page_of(other.kind) and exhibits[0] == exhibits[1]


class Comparing(QObject):
    """Takes the answers that the page has and computes in the background those of a reference that is not shown."""

    changed = Signal(object)  #: a `Comparison`, or None while nothing is pinned

    def __init__(self, document: Document, host: PageHost, runner: Runner, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._host, self._worker = document, host, worker
        self._reference: Study | None = None  #: what `_outcomes` belong to
        self._outcomes: dict[str, Any] = {}  #: by the name of the job; None while it runs
        self._theirs: Portrait | None = None
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._compare)
        for signal in (document.studyChanged, document.studiesChanged, document.referenceChanged, runner.answered):
            signal.connect(self._wait)
        worker.answered.connect(self._take)

    @Slot()
    def _wait(self) -> None:
        """Compare once when all that happens now has happened."""
        self._soon.start(0)

    @Slot()
    def _compare(self) -> None:
        reference, current, page = self._document.reference, self._document.current, self._host.page
        if page is None:
            return
        if reference is None:
            self._forget()
            page.set_before(None, {})
            self.changed.emit(None)
            return
        from dpdesigner.desktop.compare.comparison import Comparison  # the start of the program need not wait for it

        study = self._document.study
        solved = design_of(page.outcomes.get("solve")) or study  # while a drag lasts, what is drawn
        mine = page.portrait(solved, page.outcomes)
        same = reference.study == study
        if same:
            self._keep(study)
        theirs = mine if same else self._portrait(reference)
        page.set_before(reference.study if related(reference.study, study) else None, self._outcomes)
        name = self.tr("before") if reference.key == current.key else reference.title
        self.changed.emit(Comparison((current.title, name), mine, theirs, same, related(reference.study, study)))

    def _portrait(self, reference: Design) -> Portrait:
        page = self._host.page_of(reference.study.kind)
        if self._reference != reference.study:
            self._forget()
            self._reference = reference.study
        self._submit(reference.study, page.jobs(reference.study))
        if self._theirs is None:
            self._theirs = page.portrait(reference.study, self._outcomes)
        return self._theirs

    def _submit(self, study: Study, jobs: Sequence[Job]) -> None:
        for job in jobs:
            key = ReferenceKey(study, job.name)
            if job.name not in self._outcomes and not self._worker.busy(key):
                self._outcomes[job.name] = None
                self._worker.submit(key, job.run, slow=job.slow, live=False)

    def _keep(self, study: Study) -> None:
        """Keep the answers for what was pinned while it is what is shown, for the time when it is not."""
        page = self._host.page
        if page is not None:
            self._forget()
            self._reference = study
            self._outcomes = {name: value for name, value in page.outcomes.items() if design_of(value) == study}

    def _forget(self) -> None:
        self._worker.cancel(lambda key: isinstance(key, ReferenceKey))
        self._reference, self._outcomes, self._theirs = None, {}, None

    @Slot(object, object)
    def _take(self, key: Any, outcome: Any) -> None:
        if isinstance(key, ReferenceKey) and key.study == self._reference:
            self._outcomes[key.name], self._theirs = outcome, None
            if key.name == "solve":
                self._submit(key.study, self._host.page_of(key.study.kind).jobs_beside(outcome))
            self._wait()
