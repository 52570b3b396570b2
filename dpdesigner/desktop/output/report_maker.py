"""Makes reports in the background: computes in the worker's thread, then draws one figure after the other on hidden pages.

Laying out and writing is done in the worker's thread again, since Qt's text engine and its PDF writer need no window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.output.pictures import Call, compute, hidden_page, jobs_of, show
from dpdesigner.desktop.output.reports import Illustrated
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.work.steps import Steps
from dpdesigner.desktop.work.worker import Worker
from dpdesigner.files.report.report import Chapter, chapter
from dpdesigner.files.takeaway.takeaway import takeaway
from dpdesigner.studies.study import Progress, Study


@dataclass(frozen=True)
class _Solved:
    """What a report says of a design, and what its page shows."""

    study: Study
    chapter: Chapter
    outcomes: Mapping[str, Any]


class ReportMaker(QObject):
    """Makes one report at a time.

    Parameters
    ----------
    worker : Worker
    parent : QWidget
        Hidden pages are made inside it.
    """

    made = Signal(object)  #: an `Illustrated` report
    written = Signal()  #: what `write` was asked for is done
    failed = Signal(object)  #: a `DpDesignerError`
    progressed = Signal(object, str)  #: a fraction or None, and what is being done

    def __init__(self, worker: Worker, parent: QWidget) -> None:
        super().__init__(parent)
        self._worker = worker
        self._parent = parent
        self._key, self._writing = object(), object()
        self._pages: dict[str, Page] = {}
        self._report = Illustrated("")
        self._preparing, self._drawing = Steps(self), Steps(self)
        self._drawing.finished.connect(self._finish)
        self._drawing.failed.connect(self.failed)
        worker.answered.connect(self._take)
        worker.failed.connect(self._fail)
        worker.progressed.connect(self._tell)

    def make(self, title: str, studies: Sequence[Study]) -> None:
        """Begin a report of these designs in place of any other; `made` or `failed` tells the end."""
        self.cancel()
        self._report = Illustrated(title)
        self._preparing.run(self._prepare(studies))

    def cancel(self) -> None:
        """Stop; nothing more is told."""
        self._preparing.stop()
        self._worker.cancel(self._is_own)
        self._drawing.stop()

    def write(self, report: Illustrated, paths: Sequence[Path]) -> None:
        """Write a report to files; `written` or `failed` tells the end. Laying out a PDF would stop the window for a second."""
        self._worker.submit(self._writing, partial(_write, report, paths), slow=True, live=False)

    def _prepare(self, studies: Sequence[Study]) -> Iterator[None]:
        """Make the pages, and ask them what is to be computed."""
        calls = []
        for study in studies:
            page = self._page(study.kind)
            yield
            calls.append(jobs_of(page, study))
        self._worker.submit(self._key, partial(_solve, studies, calls), slow=True, live=False)

    def _is_own(self, key: object) -> bool:
        return key is self._key or key is self._writing

    def _page(self, kind: str) -> Page:
        if kind not in self._pages:
            self._pages[kind] = hidden_page(kind, self._parent)
        return self._pages[kind]

    @Slot(object, object)
    def _take(self, key: object, solved: Any) -> None:
        if key is self._key:
            self._drawing.run(self._draw(solved))
        elif key is self._writing:
            self.written.emit()

    def _draw(self, solved: Sequence[_Solved]) -> Iterator[None]:
        for k, design in enumerate(solved):
            page = self._page(design.study.kind)
            show(page, design.study, design.outcomes)
            yield
            for _ in self._report.add(design.chapter, page):
                self.progressed.emit(k / len(solved), self.tr("drawing {title}").format(title=design.chapter.title))
                yield

    @Slot()
    def _finish(self) -> None:
        self.made.emit(self._report)

    @Slot(object, object)
    def _fail(self, key: object, error: object) -> None:
        if self._is_own(key):
            self.failed.emit(error)

    @Slot(object, object, str)
    def _tell(self, key: object, fraction: float | None, text: str) -> None:
        if self._is_own(key):
            self.progressed.emit(fraction, text)


def _solve(studies: Sequence[Study], calls: Sequence[Mapping[str, Call]], progress: Progress) -> list[_Solved]:
    """Compute everything that a report of these designs says and shows."""
    found = []
    for k, (study, jobs) in enumerate(zip(studies, calls, strict=True)):
        solved = takeaway(study, exact=None, progress=progress)
        progress(k / len(studies), solved.title)
        found.append(_Solved(study, chapter(solved), compute(jobs, solved.computed(), progress)))
    return found


def _write(report: Illustrated, paths: Sequence[Path], progress: Progress) -> None:
    report.write(paths, progress)
