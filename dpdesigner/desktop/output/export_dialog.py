"""One dialog that takes a design's tables and pictures away in many formats at once, and says what was verified of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from dpdesigner.desktop.background.steps import Work
from dpdesigner.desktop.background.worker import Worker
from dpdesigner.desktop.output.figures import FORMATS as PICTURES
from dpdesigner.desktop.output.files_dialog import FilesDialog, Selection
from dpdesigner.desktop.output.pictures import compute, draw_figures, jobs_of, show
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.files.export.export import Export, WrittenFile, export_of
from dpdesigner.files.export.formatting import PROGRAMS, Format
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Progress, Study


class ExportDialog(FilesDialog):
    """Choose a folder, a name and formats; pictures are drawn one by one, then all files are written in the background.

    Pictures are drawn on a hidden page that shows the same, so that they hold every view and nothing moves in the window. What
    the page has computed is not computed again.

    Parameters
    ----------
    worker : Worker
    page : Page
        Shows the design; knows what was computed, and which view is open.
    study : Study
        What it shows.
    name : str
        What to call the files.
    """

    remembered, usual = "export/formats", "csv"

    def __init__(self, worker: Worker, page: Page, study: Study, name: str, parent: QWidget | None = None) -> None:
        super().__init__(worker, name, parent)
        self.setWindowTitle(self.tr("Export"))
        self._page, self._study = page, study
        kind: type[Export] = entry(study.kind).export_class()
        self.fractions = QCheckBox(self.tr("Fractions instead of decimals"))
        self.fractions.setToolTip(self.tr("Exact if alpha is rational"))
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.buttons.accepted.connect(self._export)
        self.steps.finished.connect(self._tell_written)
        self.offer(self.tr("Tables"), kind.formats)
        self.form.addRow("", self.fractions)
        self.form.setRowVisible(self.fractions, kind.fractions)
        self.offer(self.tr("Programs"), PROGRAMS if kind.programs else {})
        about = self.tr("A picture of each plot, in every view")
        self.offer(self.tr("Pictures"), {key: Format(key.upper(), about) for key in PICTURES})
        self.lay_out(self.tr("Export"), self.target)

    @Slot()
    def _export(self) -> None:
        if (wanted := self.selection()) is not None:
            self.run(self._work(wanted, self.fractions.isChecked()))

    def _work(self, wanted: Selection, fractions: bool) -> Work:
        """Refuse what cannot be had, draw the pictures, then write everything together; gives what was written."""
        view = self._page.view_state()
        tables, pictures = ([key for key in wanted.formats if (key in PICTURES) == drawn] for drawn in (False, True))
        solved = yield partial(_checked, self._study, dict(self._page.outcomes), tables, fractions)
        drawn: dict[str, bytes] = {}
        if pictures:
            page = self.page_of(self._study.kind)
            yield None
            outcomes = yield partial(compute, jobs_of(page, self._study), solved.computed())
            show(page, self._study, outcomes)
            page.set_view_state(view)
            yield None
            for name, picture in draw_figures(page, wanted.name, pictures):
                drawn[name] = picture
                self.tell_progress(None, name)
                yield None
        to = (wanted.folder, wanted.name)
        written = yield lambda progress: solved.write(*to, tables, fractions, beside=drawn.items(), progress=progress)
        return wanted.folder, written, list(drawn)

    @Slot(object)
    def _tell_written(self, done: tuple[Path, Sequence[WrittenFile], Sequence[str]]) -> None:
        folder, written, drawn = done
        lines = [f"{item.path.name}: {item.statement}" if item.statement else item.path.name for item in written]
        if drawn:
            lines.append(self.tr("Pictures: {names}").format(names=", ".join(drawn)))
        count = len(written) + len(drawn)
        words = self.tr("1 file written.") if count == 1 else self.tr("{count} files written.").format(count=count)
        names = [*(item.path.name for item in written), *drawn]
        self.report_written("\n".join((words, *names)), folder, "\n".join(lines))


def _checked(study: Study, done: Mapping[str, Any], tables: Sequence[str], fractions: bool, progress: Progress) -> Export:
    solved = export_of(study, done=done, exact=None, progress=progress)
    solved.check(tables, fractions)
    return solved
