"""Creates pages when first needed and connects them to the document, passing on intents, studies and outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget

from dpdesigner.desktop.background.runner import Runner
from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.base.translation import translated
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.pages.kit.editor_column import Made
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.registry import entry, page_of
from dpdesigner.studies.study import Job

#: How long the picture of another design may wait for its answers (milliseconds).
PATIENCE = 250
#: How long (milliseconds) the first quick answer to a design waits for the others, so that all are painted at once.
GATHER = 6
#: How long the header waits for an answer to a changed design: about a frame.
FRAME = 16


class PageHost(QStackedWidget):
    """Shows the page of the current design and keeps it up to date."""

    pageMade = Signal(object)  #: a `Page` that was just made
    pageChanged = Signal(object)  #: the `Page` now shown
    summaryChanged = Signal()  #: the summary of the shown page has changed
    message = Signal(str)  #: a sentence from the shown page
    whyRequested = Signal()  #: the shown page's "Why?" was pressed
    exportRequested = Signal(object, object)  #: as that of the shown page

    def __init__(self, document: Document, runner: Runner) -> None:
        super().__init__()
        self._document = document
        self._runner = runner
        self._pages: dict[str, Page] = {}
        self._shown = 0
        self._views: dict[int, Mapping[str, Any]] = {}
        self._held: dict[int, dict[str, Any]] = {}
        self._presenting = False
        self._awaited: set[str] = set()
        self._curtain = QTimer(self, singleShot=True)
        self._curtain.timeout.connect(self._open_curtain)
        self._expected: set[str] = set()  # quick jobs that have not answered for the shown design yet
        self._kept: dict[int, Mapping[str, Any]] = {}  # by key of a design: outcomes that its page keeps while another is shown
        self._arrived: dict[str, Any] = {}  # outcomes that have arrived but are not shown yet
        self._gather = QTimer(self, singleShot=True)
        self._gather.timeout.connect(self._show_arrived)
        self._header_due = QTimer(self, singleShot=True)
        self._header_due.timeout.connect(self._sum_up)
        document.studyChanged.connect(self._show_study)
        document.loaded.connect(self._begin)
        document.releasesChanged.connect(self._show_releases)
        runner.answered.connect(self._show_outcome)
        runner.failed.connect(self._show_failure)
        runner.late.connect(self._mark_stale)

    @property
    def page(self) -> Page | None:
        """The page now shown; None before `start` is called."""
        shown = self.currentWidget()
        return shown if isinstance(shown, Page) else None

    def start(self) -> None:
        """Show the document in its current state."""
        self._show_study(self._document.study)

    def set_presenting(self, on: bool) -> None:
        """Tell all pages, including those made later, whether controls are hidden."""
        self._presenting = on
        for page in set(self._pages.values()):
            page.set_presenting(on)

    def reported(self, study: Any) -> Mapping[str, Any]:
        """Return the outcomes that the report of a design takes over from its page."""
        page = self._pages.get(study.kind)
        return {} if page is None else page.reported(study, entry(study.kind).export_class().reported)

    def keep(self, made: Sequence[object], studies: Sequence[Any]) -> None:
        """Take releases that a report of these studies has from those that would be lost with the window."""
        for page in set(self._pages.values()):
            unsaved = [each for each in page.unsaved if each not in made]
            page.unsaved = [each for each in unsaved if not any(_releases(each, study) for study in studies)]

    def views(self) -> dict[int, Mapping[str, Any]]:
        """Return the selection in each design, by key."""
        self._leave()
        return dict(self._views)

    def set_views(self, views: Mapping[int, Mapping[str, Any]]) -> None:
        """Restore the selections that `views` returned."""
        self._views = dict(views)
        if self.page is not None:
            self.page.set_view_state(views.get(self._shown, {}))

    def page_of(self, kind: str) -> Page:
        """Return the page of a kind, made on first use."""
        if kind not in self._pages:
            page: Page = entry(kind).page_class()(self)
            self._pages.update(dict.fromkeys(page_of(kind).kinds, page))
            page.changed.connect(self._change)
            page.visited.connect(self._visit)
            page.previewed.connect(self._preview)
            page.previewCancelled.connect(self._cancel_preview)
            page.requested.connect(self._request)
            page.summaryChanged.connect(self._sum_up)
            page.message.connect(self.message)
            page.whyRequested.connect(self.whyRequested)
            page.exportRequested.connect(self.exportRequested)
            page.designRequested.connect(self._document.add)
            page.open_designs = lambda: [(each.title, each.study) for each in self._document.designs]
            page.set_presenting(self._presenting)
            self.addWidget(page)
            self.pageMade.emit(page)
        return self._pages[kind]

    def unsaved(self, closing: bool = True) -> str:
        """Return the names of designs with a release that no file has; unless `closing`, of releases that end with designs."""
        pages, names = [page for page in dict.fromkeys(self._pages.values()) if closing or page.keeps], list[str]()
        made = [each for page in pages for each in page.unsaved]
        now = [design.study for design in self._document.designs]
        for each in made:  # by the name of its design now
            design = next((study for study in now if _releases(each, study)), each.design)
            names.append(design.name or translated(entry(design.kind).title))
        return ", ".join(dict.fromkeys(names))

    @Slot()
    def _begin(self) -> None:
        for page in set(self._pages.values()):
            page.begin()

    @Slot()
    def _show_releases(self) -> None:
        if self.page is not None:
            self.page.summaryChanged.emit()

    @Slot(object)
    def _show_study(self, study: Any) -> None:
        key, page = self._document.current.key, self.page_of(study.kind)
        moved = key != self._shown
        view: Mapping[str, Any] = {}
        if moved:
            if self._shown not in {design.key for design in self._document.designs}:
                view = page.starting_view(study)
            self._leave()
            self._shown = 0  # a drag that ends because its page is hidden requests nothing more
            if isinstance(box := QApplication.focusWidget(), ValueBox):
                box.give_up()  # nor does text being typed go to another design
            self._arrived.clear()
            self._gather.stop()
            page.outcomes.clear()
            page.outcomes.update(self._kept.get(key, {}))
            self.setCurrentWidget(page)
        page.held = held = self._held.setdefault(key, {})
        if not self._document.previewing:
            held[study.kind] = study
        with page.at_once():
            page.set_study(study)
            if moved:
                page.set_view_state(self._views.get(key, view))
        if moved:
            self.pageChanged.emit(page)
        jobs = page.jobs(study)
        quick = {job.name for job in jobs if not job.slow}
        self._expected = quick if moved else quick & {job.name for job in jobs if job.live or not self._document.previewing}
        self._runner.run(key, jobs, settled=not self._document.previewing)
        self._shown = key
        if moved:
            self._close_curtain(quick)
        if moved or not self._expected:
            self._sum_up()
        elif not self._header_due.isActive():
            self._header_due.start(FRAME)

    @Slot()
    def _sum_up(self) -> None:
        """Announce a changed summary for header and status bar; only once if an answer is expected within a frame."""
        self._header_due.stop()
        self.summaryChanged.emit()

    def _close_curtain(self, awaited: set[str]) -> None:
        """Paint another design only when its quick answers are there, to prevent flicker, but after a short time in any case."""
        if self.isVisible() and awaited:
            self._awaited = awaited
            self.setUpdatesEnabled(False)
            self._curtain.start(PATIENCE)

    @Slot()
    def _open_curtain(self) -> None:
        self._awaited = set()
        self._curtain.stop()
        self.setUpdatesEnabled(True)

    def _answered(self, name: str) -> None:
        if name in self._awaited:
            self._awaited.discard(name)
            if not self._awaited:
                self._open_curtain()

    def _leave(self) -> None:
        """Remember the selection of the design being left, if the document still has it."""
        keys = {design.key for design in self._document.designs}
        self._views = {key: view for key, view in self._views.items() if key in keys}
        self._held = {key: held for key, held in self._held.items() if key in keys}
        self._kept = {key: kept for key, kept in self._kept.items() if key in keys}
        if self.page is not None and self._shown in keys:
            self._views[self._shown] = self.page.view_state()
            self._kept[self._shown] = {name: self.page.outcomes[name] for name in self.page.keeps if name in self.page.outcomes}

    @Slot(object, str)
    def _change(self, study: Any, label: str) -> None:
        if self.page is not None and self._is_current and self.page_of(study.kind) is self.page:
            self._document.change(study, label)

    @Slot(object)
    def _visit(self, study: Any) -> None:
        if self._is_current and self.page_of(study.kind) is self.page:
            designs = self._document.designs
            place = next((place for place, design in enumerate(designs) if type(design.study) is type(study)), None)
            if place is None:
                self._document.visit(study)
            else:
                self._document.select(place)

    @Slot(object)
    def _preview(self, study: Any) -> None:
        if self.page is not None and self._is_current and self.page_of(study.kind) is self.page:
            self._document.preview(study)

    @Slot()
    def _cancel_preview(self) -> None:
        if self._is_current:
            self._document.cancel_preview()

    @Slot(object)
    def _request(self, job: Job) -> None:
        if self._is_current and self.sender() is self.page:  # a hidden page may still end a drag
            self._runner.submit(job)

    @property
    def _is_current(self) -> bool:
        """Whether the page shows the current design, and not briefly the previous one."""
        return self._shown == self._document.current.key

    @Slot(str, object)
    def _show_outcome(self, name: str, outcome: Any) -> None:
        if self.page is not None and isinstance(outcome, Made):
            if self.page.asking is not None:
                self.page.asking.take_made(outcome)
            return
        self._arrived[name] = outcome
        self._expected.discard(name)
        if not self._expected:
            self._show_arrived()
        elif not self._gather.isActive():
            self._gather.start(GATHER)

    @Slot()
    def _show_arrived(self) -> None:
        """Show all outcomes that have arrived, so that each part of the page is painted once."""
        self._gather.stop()
        arrived, self._arrived = self._arrived, {}
        if self.page is not None:
            with self.page.at_once():
                for name, outcome in arrived.items():
                    self.page.outcomes[name] = outcome
                    self.page.show_outcome(name, outcome)
            for name in arrived:
                self._answered(name)
        self._document.note_releases()

    @Slot(str, object)
    def _show_failure(self, name: str, error: DpDesignerError) -> None:
        self._expected.discard(name)
        self._show_arrived()
        if self.page is not None:
            self.page.outcomes.pop(name, None)
            self.page.show_failure(name, error)
            self._answered(name)

    @Slot(str)
    def _mark_stale(self, name: str) -> None:
        if self.page is not None:
            self.page.mark_stale(name)


def _releases(made: Any, study: Any) -> bool:
    """Return whether a release is of this study."""
    return bool(study.kind == made.design.kind and made.releases(study))
