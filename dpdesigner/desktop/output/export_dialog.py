"""One dialog that takes a design's tables and pictures away in many formats at once, and says what was verified of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from dpdesigner.desktop.look.preferences import settings
from dpdesigner.desktop.look.words import tr
from dpdesigner.desktop.output.files_dialog import FilesDialog
from dpdesigner.desktop.output.pictures import compute, draw_figures, jobs_of, show
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.work.steps import Work
from dpdesigner.desktop.work.worker import Worker
from dpdesigner.files.takeaway.formats import PROGRAMS, Format
from dpdesigner.files.takeaway.takeaway import Takeaway, Written, takeaway
from dpdesigner.files.takeaway.words import file_name
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Progress, Study

_PICTURES = ("png", "svg", "pdf")
_FORMATS = "export/formats"


@dataclass(frozen=True)
class _Wanted:
    """What is to be written, and where."""

    folder: Path
    name: str
    tables: Sequence[str]
    pictures: Sequence[str]
    fractions: bool


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

    def __init__(self, worker: Worker, page: Page, study: Study, name: str, parent: QWidget | None = None) -> None:
        super().__init__(worker, name, parent)
        self.setWindowTitle(self.tr("Export"))
        self._page, self._study = page, study
        self.folder, self.name = self.target.folder, self.target.name
        kind: type[Takeaway] = entry(study.kind).takeaway_class()
        pictures = {key: Format(key.upper(), self.tr("A picture of each plot, in every view")) for key in _PICTURES}
        chosen = str(settings().value(_FORMATS, "csv,png")).split(",")
        programs = PROGRAMS if kind.programs else {}
        self.formats = {key: _box(*words, key in chosen) for key, words in {**kind.formats, **programs, **pictures}.items()}
        self.fractions = _box(self.tr("Fractions instead of decimals"), self.tr("Exact where alpha is rational"), False)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.buttons.accepted.connect(self._export)
        self.steps.finished.connect(self._tell_written)
        if kind.formats:
            self.add_row(self.tr("Tables"), *(self.formats[key] for key in kind.formats))
        if kind.fractions:
            self.target.form.addRow("", self.fractions)
        else:
            self.fractions.setParent(self)  # so that it goes with the dialog
            self.fractions.hide()
        if programs:
            self.add_row(self.tr("Programs"), *(self.formats[key] for key in programs))
        self.add_row(self.tr("Pictures"), *(self.formats[key] for key in _PICTURES))
        self.lay_out(self.tr("Export"), self.target)

    @Slot()
    def _export(self) -> None:
        chosen = [key for key, box in self.formats.items() if box.isChecked()]
        target = self.target.target()
        if not chosen or target is None:
            self.tell(self.tr("Choose a folder and at least one format."), wrong=True)
            return
        settings().setValue(_FORMATS, ",".join(chosen))
        tables, pictures = ([key for key in chosen if (key in _PICTURES) == drawn] for drawn in (False, True))
        self.run(self._work(_Wanted(*target, tables, pictures, self.fractions.isChecked())))

    def _work(self, wanted: _Wanted) -> Work:
        """Refuse what cannot be had, draw the pictures, then write everything together; gives what was written."""
        view = self._page.view_state()
        solved = yield partial(_checked, self._study, dict(self._page.outcomes), wanted)
        drawn: dict[str, bytes] = {}
        if wanted.pictures:
            page = self.page_of(self._study.kind)
            yield None
            outcomes = yield partial(compute, jobs_of(page, self._study), solved.computed())
            show(page, self._study, outcomes)
            page.set_view_state(view)
            yield None
            for name, picture in draw_figures(page, file_name(wanted.name), wanted.pictures):
                drawn[name] = picture
                self.tell_progress(None, name)
                yield None
        written = yield partial(_write, solved, wanted, drawn)
        return written, list(drawn)

    @Slot(object)
    def _tell_written(self, done: tuple[Sequence[Written], Sequence[str]]) -> None:
        written, drawn = done
        lines = [f"{item.path.name}: {item.said}" if item.said else item.path.name for item in written]
        if drawn:
            lines.append(self.tr("Pictures: {names}").format(names=", ".join(drawn)))
        folder, count = self.target.folder.text().strip(), len(written) + len(drawn)
        words = self.tr("1 file written.") if count == 1 else self.tr("{count} files written.").format(count=count)
        self.tell_written(words, Path(folder).expanduser(), "\n".join(lines))


def _checked(study: Study, done: Mapping[str, Any], wanted: _Wanted, progress: Progress) -> Takeaway:
    solved = takeaway(study, done=done, exact=None, progress=progress)
    solved.check(wanted.tables, wanted.fractions)
    return solved


def _write(solved: Takeaway, wanted: _Wanted, drawn: Mapping[str, bytes], progress: Progress) -> list[Written]:
    pictures = drawn.items()
    return solved.write(wanted.folder, wanted.name, wanted.tables, wanted.fractions, beside=pictures, progress=progress)


def _box(title: str, tip: str, on: bool) -> QCheckBox:
    box = QCheckBox(tr(title))
    box.setToolTip(tr(tip))
    box.setChecked(on)
    return box
