"""The main window, which connects its parts. It depends on no page, and computes and stores nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu

from dpdesigner.data.grid import TABLE_ENDINGS
from dpdesigner.desktop.background.tables import holds_columns
from dpdesigner.desktop.background.waiting import ended
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.recovery import abandoned_shadows
from dpdesigner.desktop.pages.kit.field import copy
from dpdesigner.desktop.pages.kit.page import Page, Summary
from dpdesigner.desktop.pages.kit.summary import read_templates
from dpdesigner.desktop.window.commands import Commands
from dpdesigner.desktop.window.layout import Parts
from dpdesigner.files.project import SUFFIX, Project, examples, read_project
from dpdesigner.studies import registry
from dpdesigner.studies.study import Progress, Study

_NARROW = 1160  # pixels at text scale 1: in narrower windows the rail shows icons alone


@cache
def _first_study(path: Path) -> Study:
    return read_project(path).studies[0]


class MainWindow(Parts):
    """One document with its pages.

    Parameters
    ----------
    studies : sequence of Study
        What to show first, at least one.
    title : str
        What this untitled document is called.
    """

    def __init__(self, studies: Sequence[Study], title: str = "") -> None:
        super().__init__(studies)
        self.setObjectName("main")
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # Qt's menu lists the panels, which the menus toggle
        self.stopped = False
        self._summary: Summary | None = None
        self._examples = {example.title: example for example in examples()}
        self.commands = Commands(self)
        self._connect()
        self.layout_memory.restore_window()
        self.document.load(Project(tuple(studies)), title=title)
        self.worker.submit("pages", _import_pages, slow=True)
        self.menus.history.setChecked(not self.history.isHidden())
        self.setFocus()

    def _connect(self) -> None:
        self.document.studiesChanged.connect(self._show_designs)
        self.document.currentChanged.connect(self._show_designs)
        document = self.document
        for changed in (document.samePeopleChanged, document.studyChanged, document.studiesChanged, document.releasesChanged):
            changed.connect(self._show_account)
        self.document.pathChanged.connect(self._show_title)
        self.document.modifiedChanged.connect(self.setWindowModified)
        for changed in (
            document.modifiedChanged,
            document.loaded,
            document.studiesChanged,
            document.currentChanged,
            document.studyChanged,
        ):
            changed.connect(self._show_question)
        self.host.pageMade.connect(self.layout_memory.restore_splitters)
        self.host.pageChanged.connect(self._show_page)
        self.host.summaryChanged.connect(self._show_summary)
        self.host.message.connect(self.banner.say)
        self.host.exportRequested.connect(self.commands.export_as)
        self.filing.unsaved = partial(self.host.unsaved, closing=False)
        self.filing.said.connect(self.banner.say)
        self.filing.refused.connect(self.banner.ask)
        self.recovery.refused.connect(self.banner.ask)
        self.runner.working.connect(self.status.set_working)
        self.runner.idle.connect(self.status.set_idle)
        self.rail.kindChosen.connect(self.commands.go_to_page)
        self.stage.pinnedChanged.connect(self.header.set_pinned)
        self.header.unpinned.connect(self.commands.unpin)
        self.header.whyRequested.connect(self.host.whyRequested)
        self.header.renamed.connect(self.document.rename)
        self.presenting.changed.connect(self._show_presenting)
        self.presenting.sceneShown.connect(self.header.set_scene)
        self.demonstration.started.connect(self._add_started)
        self.presenting.said.connect(self.banner.say)
        self.presenting.sceneShown.connect(self.banner.forget)
        self.presenting.changed.connect(self.banner.forget)
        self.document.loaded.connect(self.banner.forget)
        preferences().changed.connect(self._show_all)

    @Slot(object)
    def _add_started(self, study: Study) -> None:
        """Add the design that the demonstration ends with, and select the count that is expected."""
        self.document.add(study)
        if self.host.page is not None:
            self.host.page.set_view_state(self.host.page.starting_view(study))

    @Slot()
    def _show_title(self) -> None:
        """Name the document, and before it a design that is only looked at and is no part of it."""
        seen = f"{self.document.current.title} — " if self.document.current.visited else ""
        self.setWindowTitle(f"{seen}{self.document.title}[*] — dpdesigner")
        self.setWindowModified(self.document.modified)

    @Slot()
    def _show_designs(self) -> None:
        self.header.set_name(self.document.current.title, len(self.document.designs) > 1)
        self.rail.set_kind(self.document.study.kind)
        self._show_title()

    @Slot()
    def _show_question(self) -> None:
        """Show what an example asks, until something is changed."""
        document = self.document
        untouched = document.path is None and len(document.designs) == 1 and not document.modified
        if untouched and not document.current.visited:
            example = self._examples.get(document.title)
        else:
            example = self._examples.get(document.current.title)
            own = not (document.modified or document.current.visited)  # a file of one’s own, though with the same design
            if own or (example is not None and _first_study(example.path) != document.study):
                example = None
        self.header.set_question("" if example is None else example.question)

    @Slot()
    def _show_account(self) -> None:
        """Show the total ε of the designs that concern the same people, if the current one is among them."""
        account, now = self.document.visible.same_people, self.document.current
        if account is None or now.key not in account.designs:
            self.header.set_account("", "", False)
            return
        studies = {**{design.key: design.study for design in self.document.designs}, now.key: self.document.study}
        found = account.total([studies[key] for key in account.designs])
        self.header.set_account(account.short(found), " ".join(account.sentences(found)), account.exceeded(found))

    @Slot(object)
    def _show_page(self, page: Page) -> None:
        self.menus.set_page_actions(page.actions())
        self.header.set_fields(page.head)

    @Slot()
    def _show_summary(self) -> None:
        if self.host.page is not None:
            summary = self.host.page.current_summary
            if summary != self._summary:
                before, self._summary = self._summary, summary
                if before is None or replace(before, facts=summary.facts, note=summary.note) != summary:
                    self.header.set_summary(summary)
                self.status.set_summary(summary)

    @Slot()
    def _show_all(self) -> None:
        self._summary = None
        self._show_summary()

    @Slot(bool)
    def _show_presenting(self, on: bool) -> None:
        self.header.set_presenting(on)
        self.host.set_presenting(on)

    def offer_recovery(self) -> None:
        """Offer unsaved work after an unclean exit, and again while some is left after one is discarded."""
        abandoned = abandoned_shadows()
        if not abandoned:
            return
        from dpdesigner.desktop.window.dialogs import RecoveryDialog

        while abandoned:
            dialog = RecoveryDialog([(unsaved, shadow.read_picture()) for shadow, unsaved in abandoned], self)
            dialog.exec()
            chosen, unsaved = abandoned.pop(dialog.row)
            dialog.deleteLater()
            if dialog.choice == "discard":
                chosen.remove()
                continue
            if dialog.choice == "recover":
                self.recovery.restore(chosen, unsaved)
            else:
                chosen.release()
            break
        for other, _ in abandoned:
            other.release()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rail.set_narrow(self.width() < _NARROW * theme().scale)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Stop a long computation on Esc, unless something else takes the key."""
        if event.key() == Qt.Key.Key_Escape and self.runner.long:
            self.solving.stop()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved releases and changes, remember the layout, end the background threads."""
        names = self.host.unsaved()
        if (names and not self.questions.lose_release(names)) or not self.filing.may_leave():
            event.ignore()
            return
        self.demonstration.stop()
        self.presenting.stop()
        self.layout_memory.store()
        self.recovery.close()
        self.stopped = self.worker.stop() and ended()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files, but not over a demonstration; a drop reports which of them can be opened."""
        if _dropped(event) and event.possibleActions() & Qt.DropAction.CopyAction and not self.demonstration.on:
            copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped project, take the table, or say what can be dropped."""
        copy(event)
        paths = _dropped(event)
        endings = [path.suffix.lower() for path in paths]
        if endings in ([SUFFIX], [".json"]):
            self.filing.open_path(paths[0])
        elif len(paths) == 1 and holds_columns(paths[0]):
            self._take_table(paths[0], self.mapToGlobal(event.position().toPoint()))
        else:
            self.banner.ask(self._undroppable(paths))

    def _take_table(self, path: Path, place: QPoint) -> None:
        """Ask how to use dropped data, if there are several ways."""
        uses = [] if self.host.page is None or self.presenting.on else list(self.host.page.takers())
        uses.append((self.tr("A column for a new histogram"), lambda name: self.filing.open_path(Path(name))))
        if path.suffix.lower() in TABLE_ENDINGS:
            uses.append((self.tr("A mechanism to verify"), lambda name: self.commands.verify(Path(name))))
        if len(uses) == 1:
            uses[0][1](str(path))
            return
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Open {name} as").format(name=path.name))
        menu.addSection(menu.accessibleName())
        for words, use in uses:
            menu.addAction(words).triggered.connect(partial(_take, use, str(path)))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _undroppable(self, paths: list[Path]) -> str:
        name = paths[0].name if len(paths) == 1 else self.tr("{count} files").format(count=len(paths))
        words = self.tr("A window opens one project (*{suffix}) or one file of data, not {name}.")
        return words.format(suffix=SUFFIX, name=name)


def _import_pages(progress: Progress) -> None:
    """Import the pages not shown yet while the application is idle, so that nobody waits for them later.

    What they explain is read as well.
    """
    for entry in registry.ENTRIES:
        entry.page_class()
    read_templates()


def _take(call: Callable[[str], object], path: str, checked: bool = False) -> None:
    call(path)


def _dropped(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
