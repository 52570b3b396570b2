"""The export dialog: files of designs, and tables in keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from glob import escape as escape_pattern
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QStandardPaths, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from dpdesigner.core.basics.parsing import cut
from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.inspection.keys import KeyedTable
from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.background.waiting import Steps, Work
from dpdesigner.desktop.base.labels import as_sentence
from dpdesigner.desktop.base.layouts import BoundedArea, row_of, styled
from dpdesigner.desktop.base.preferences import settings
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import tr, translated
from dpdesigner.desktop.output.pictures import FORMATS as PICTURES
from dpdesigner.desktop.output.pictures import draw_figures, hidden_page, worked_out
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.errors import DpDesignerError
from dpdesigner.files.atomic import write_atomically
from dpdesigner.files.export import Export, WrittenFile, export_of
from dpdesigner.files.formatting import PROGRAMS, Format, file_name, program_name
from dpdesigner.files.verification_report import office_text
from dpdesigner.studies.base import Answer
from dpdesigner.studies.fields import KEPT_RELEASES
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Progress, Study

_MOST_LINES = 8  # of what is told, before it scrolls
_FOLDER = "export/folder"


class Selection(NamedTuple):
    """The folder, names and formats of files."""

    folder: Path
    name: str
    formats: Sequence[str]


class FilesDialog(QDialog):
    """A dialog that writes files: a folder, a name and formats, progress, and afterwards a button that opens the folder.

    Parameters
    ----------
    worker : Worker
    name : str
        What to call the files.
    """

    remembered: str  #: the settings key for the chosen formats
    usual: str  #: the formats chosen the first time

    def __init__(self, worker: Worker, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.progress = QProgressBar()
        self.progress.setMinimumHeight(self.fontMetrics().height() + 4)
        self.progress.hide()
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self._stop_or_close)
        self._ending = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        self._closing = self._ending.text()
        self.go = self.buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        set_class(self.go, "primary")
        self.steps = Steps(worker, self)
        self.steps.failed.connect(self.tell_failure)
        self.steps.progressed.connect(self.tell_progress)
        self.finished.connect(self.steps.stop)
        self.opener = QPushButton(self.tr("Open folder"), autoDefault=False)
        self.opener.clicked.connect(self._open_folder)
        self.opener.hide()
        self.checked = QToolButton()
        self.checked.setText(self.tr("Checks"))
        self.checked.setCheckable(True)
        set_class(self.checked, "chip")
        self.details = styled("small", wrapped=True)
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        self._told, self._checks = BoundedArea(self.said, _MOST_LINES), BoundedArea(self.details, _MOST_LINES)
        self.checked.toggled.connect(self._show_details)
        self._folder: Path | None = None
        self.own = set[Path]()  #: the files that the same design wrote before, which are replaced without a question
        self._asked: Selection | None = None  # what replaces other files, as the button says
        self.page_of = cache(partial(hidden_page, parent=self))  #: hidden pages to draw on, one per kind
        self._make_form(name)

    def _make_form(self, name: str) -> None:
        start = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        self.folder, self.name = QLineEdit(str(settings().value(_FOLDER, start))), QLineEdit(file_name(name))
        self.folder.setAccessibleName(self.tr("Folder"))
        self.name.setAccessibleName(self.tr("Name"))
        self.folder.setMinimumWidth(360)
        browse = QPushButton(self.tr("Browse…"))
        browse.clicked.connect(self._browse)
        self.target = QWidget()
        self.form = QFormLayout(self.target)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.addRow(self.tr("Folder"), row_of((self.folder, 1), browse))
        self.form.addRow(self.tr("Name"), self.name)
        self.formats: dict[str, QCheckBox] = {}

    @Slot()
    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"), self.folder.text())
        if folder:
            self.folder.setText(folder)

    def offer(self, title: str, formats: Mapping[str, Format]) -> None:
        """Add a row of formats; the formats used last time are selected."""
        chosen = str(settings().value(self.remembered, self.usual)).split(",")
        for key, (words, holds) in formats.items():
            box = self.formats[key] = QCheckBox(tr(words))
            box.setToolTip(tr(holds))
            box.setChecked(key in chosen)
        if formats:
            self.form.addRow(title, row_of(*(self.formats[key] for key in formats), None))

    def offer_bare(self, caution: str, pictures: Sequence[str]) -> None:
        """Warn that files hold exact counts, and offer to leave these out, except in formats that are pictures of them."""
        self.caution, self.bare = styled("error", caution, wrapped=True), QCheckBox()
        self.bare.toggled.connect(self.caution.setHidden)
        for key in pictures:
            self.bare.toggled.connect(self.formats[key].setDisabled)

    def show_bare(self, studies: Sequence[Study]) -> bool:
        """Show the warning and the offer if they concern these designs; return whether there are exact counts."""
        kinds = [kind for study in studies if (kind := entry(study.kind).export_class()).counts_data(study)]
        words = kinds[0].leaving if kinds and all(kind.leaving for kind in kinds) else ""
        self.bare.setText(tr(words))
        self.bare.setVisible(bool(words))
        self.bare.setChecked(bool(words) and self.bare.isChecked())
        self.caution.setVisible(bool(kinds) and not self.bare.isChecked())
        return bool(kinds)

    def selection(self) -> Selection | None:
        """Return the selection and remember it for the next time; return None and say so if something is not selected."""
        folder, ticked = self.folder.text().strip(), [key for key, box in self.formats.items() if box.isChecked()]
        chosen = [key for key in ticked if self.formats[key].isEnabled()]
        if not folder or not chosen:
            self.tell(self.tr("Choose a folder and at least one format."), wrong=True)
            return None
        path = Path(folder).expanduser()
        if path.suffix.lower().lstrip(".") in [key.lstrip(".") for key in self.formats] and not path.is_dir():  # a file
            self.folder.setText(str(path.parent))
            self.name.setText(path.stem)
        settings().setValue(_FOLDER, self.folder.text().strip())
        settings().setValue(self.remembered, ",".join(ticked))
        return Selection(Path(self.folder.text().strip()).expanduser(), file_name(self.name.text()), chosen)

    def may_write(self, wanted: Selection, files: Iterable[Path]) -> bool:
        """Return whether to write; ask first, once, if these files are there and another design may have written them."""
        there = [path.name for path in files if path.exists() and path not in self.own]
        if not there or wanted == self._asked:
            self._forget_question()
            return True
        self._asked = wanted
        self.go.setText(self.tr("Replace"))
        words = self.tr("Already there: {names}. Press “Replace” to replace files of the same name.")
        self.tell(words.format(names=cut(", ".join(sorted(there)), 150)), wrong=True)
        return False

    @Slot()
    def _forget_question(self) -> None:
        self._asked = None
        self.go.setText(self._go)

    def lay_out(self, go: str, *parts: QWidget) -> None:
        """Stack parts and buttons, which nothing below them moves. The first argument is the label of the button."""
        self._go = go
        self._forget_question()
        for box in (self.folder, self.name):
            box.textChanged.connect(self._forget_question)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        after = QWidget()
        row_of(self.checked, self.opener, None, on=after)
        for widget in (*parts, self.buttons, self.progress, self._told, after, self._checks):
            layout.addWidget(widget)
        self.checked.hide()
        self.details.hide()
        self._checks.fit()
        self.go.setDefault(True)  # takes effect only inside a dialog

    def run(self, work: Work) -> None:
        """Start the work; the signals of `steps` report its end."""
        self.tell("")
        self.set_busy(True)
        self.steps.run(work)

    @Slot()
    def _stop_or_close(self) -> None:
        if self.go.isEnabled():
            self.reject()
            return
        self.steps.stop()
        self.set_busy(False)
        self.tell(self.tr("Stopped."))

    @Slot(object, str)
    def tell_progress(self, fraction: float | None, text: str = "") -> None:
        """Show the progress."""
        self.progress.setRange(0, 0 if fraction is None else 100)
        self.progress.setValue(round(100 * (fraction or 0)))
        self.progress.setFormat(text)

    def set_busy(self, on: bool) -> None:
        """Show that work has started, without anything from the previous run, or that it has ended."""
        self.progress.setVisible(on)
        self.progress.setRange(0, 0)
        self.go.setEnabled(not on)
        self._ending.setText(self.tr("Cancel") if on else self._closing)
        if on:
            self.opener.hide()
            self.checked.setChecked(False)
            self.checked.hide()
        self.adjustSize()

    def tell(self, text: str, wrong: bool = False) -> None:
        """Report the outcome."""
        self.said.setText(text)
        set_class(self.said, "error" if wrong else "")
        self._told.fit()
        self.adjustSize()

    @Slot(object)
    def tell_failure(self, error: DpDesignerError) -> None:
        """Explain why the work failed."""
        self.set_busy(False)
        text = as_sentence(str(error))
        self.tell(escape(text) if self.said.textFormat() == Qt.TextFormat.RichText else text, wrong=True)

    def report_written(self, text: str, folder: Path, details: str = "") -> None:
        """Report in one line what was written, and offer the folder; the checks of each file are one click away."""
        self.set_busy(False)
        self._folder = folder
        self.details.setText(details)
        self.checked.setVisible(bool(details))
        self.opener.show()
        self.tell(text)

    @Slot(bool)
    def _show_details(self, on: bool) -> None:
        self.details.setVisible(on)
        self._checks.fit()
        self.adjustSize()

    @Slot()
    def _open_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))


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
    only : str
        The format of the one file that is given away; empty: all files can be chosen.
    """

    reportWanted = Signal()  #: a report was asked for instead; the dialog is closed

    remembered, usual = "export/formats", "csv,py"

    def __init__(
        self, worker: Worker, page: Page, study: Study, name: str, parent: QWidget | None = None, only: str = ""
    ) -> None:
        super().__init__(worker, name, parent)
        kind: type[Export] = entry(study.kind).export_class()
        only = "" if kind.alone is None else only
        self.setWindowTitle(self.tr("Save {format}").format(format=only.upper()) if only else self.tr("Export"))
        self._page, self._study, self.only = page, study, only
        self.remembered = "export/alone" if only else self.remembered
        self.fractions = QCheckBox(self.tr("Fractions instead of decimals"))
        self.fractions.setToolTip(self.tr("Exact if alpha is rational"))
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.report = self.buttons.addButton(self.tr("Report…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.report.setToolTip(self.tr("Write a report with the answer, figures and proof instead"))
        self.report.clicked.connect(self.reject)
        self.report.clicked.connect(self.reportWanted)
        self.buttons.accepted.connect(self._export)
        self.steps.finished.connect(self._tell_written)
        self.offer(self.tr("Tables"), kind.formats)
        self.form.addRow("", self.fractions)
        self.form.setRowVisible(self.fractions, kind.fractions)
        self.offer(self.tr("Programs"), PROGRAMS if kind.programs else {})
        self.offers = Steps(worker, self)
        self.offers.finished.connect(self._grey_out)
        self.finished.connect(self.offers.stop)
        if kind.programs:
            self.offers.run(self._refused(dict(page.outcomes)))
        about = self.tr("A picture of each plot, in every view")
        self.offer(self.tr("Pictures"), {key: Format(key.upper(), about) for key in PICTURES})
        self.offer_bare(tr(kind.caution), (*PICTURES, *kind.of_data))
        self.show_bare([study])
        self.lay_out(self.tr("Save") if only else self.tr("Export"), self.target, self.bare, self.caution)
        for row in range(2, self.form.rowCount() if only else 0):  # below the folder and the name
            self.form.setRowVisible(row, False)
        for key, box in self.formats.items() if only else ():
            box.setChecked(key == only)

    def set_busy(self, on: bool) -> None:
        """Disable the report while work is in progress: it would cancel the export."""
        super().set_busy(on)
        self.report.setEnabled(not on)

    def _refused(self, known: Mapping[str, Any]) -> Work:
        """Return the formats that cannot be written, each with the reason."""
        solved = yield lambda progress: export_of(self._study, done=known, exact=None, progress=progress)
        return solved.refused(self.formats)

    @Slot(object)
    def _grey_out(self, refused: Mapping[str, str]) -> None:
        for key, reason in refused.items():
            self.formats[key].setEnabled(False)
            self.formats[key].setToolTip(as_sentence(reason))
        if reasons := {as_sentence(reason) for key, reason in refused.items() if key not in PROGRAMS}:
            self.tell("\n".join(reasons))

    @Slot()
    def _export(self) -> None:
        if (wanted := self.selection()) is None:
            return
        parts = (entry(self._study.kind).export_class().alone,) if self.only else ("", "-*")
        tables = (f"{escape_pattern(wanted.name)}{part}.{key}" for key in wanted.formats if key not in PROGRAMS for part in parts)
        programs = (escape_pattern(program_name(wanted.name, key)) for key in wanted.formats if key in PROGRAMS)
        if self.may_write(wanted, chain.from_iterable(map(wanted.folder.glob, (*tables, *programs)))):
            self.run(self._work(wanted, self.fractions.isChecked(), self.bare.isChecked()))

    def _work(self, wanted: Selection, fractions: bool, bare: bool) -> Work:
        """Leave out programs that there are none of, draw the pictures, then write everything together; return the files."""
        view = self._page.view_state()
        tables, pictures = ([key for key in wanted.formats if (key in PICTURES) == drawn] for drawn in (False, True))
        known = {name: each.selected(view) if isinstance(each, Answer) else each for name, each in self._page.outcomes.items()}
        solved, refused = yield partial(_checked, self._study, known, tables, fractions, bare)
        tables = [key for key in tables if key not in refused]
        drawn: dict[str, bytes] = {}
        if pictures:
            page = self.page_of(self._study.kind)
            yield from worked_out(page, self._study, solved.computed())
            page.set_view_state(view)
            yield None
            for name, picture in draw_figures(page, wanted.name, pictures):
                drawn[name] = picture
                self.tell_progress(None, name)
                yield None
        to = (wanted.folder, wanted.name)
        beside, alone = drawn.items(), bool(self.only)
        written = yield lambda progress: solved.write(*to, tables, fractions, beside=beside, alone=alone, progress=progress)
        told = [*solved.warnings, *dict.fromkeys(map(as_sentence, refused.values()))]
        if (spent := KEPT_RELEASES.save(self._study)) is not None:
            told.append(translated(spent))
        if pictures and not drawn:
            told.append(self.tr("No picture: all show data that stay in the window."))
        return wanted.folder, written, list(drawn), told

    @Slot(object)
    def _tell_written(self, done: tuple[Path, Sequence[WrittenFile], Sequence[str], Sequence[str]]) -> None:
        folder, written, drawn, told = done
        lines = [f"{item.path.name}: {item.statement}" if item.statement else item.path.name for item in written]
        if drawn:
            lines.append(self.tr("Pictures: {names}").format(names=", ".join(drawn)))
        count = len(written) + len(drawn)
        words = self.tr("1 file written.") if count == 1 else self.tr("{count} files written.").format(count=count)
        names = [*(item.path.name for item in written), *drawn]
        if any("-released." in name for name in names):
            self._page.unsaved = [each for each in self._page.unsaved if not each.releases(self._study)]
        self.own.update(folder / name for name in names)
        checks = "\n".join(lines) if any(item.statement for item in written) else ""
        uses = {item.path.name: f": {item.data['use']}" for item in written if "use" in item.data}
        listed = (name + uses.get(name, "") for name in names)
        self.report_written("\n".join((" ".join((words, *told)), *listed)), folder, checks)


def _checked(
    study: Study, done: Mapping[str, Any], tables: Sequence[str], fractions: bool, bare: bool, progress: Progress
) -> tuple[Export, Mapping[str, str]]:
    solved = export_of(study, done=done, exact=None, progress=progress)
    solved.bare = bare
    refused = solved.refused(tables)
    solved.check([key for key in tables if key not in refused], fractions)
    return solved, refused


def save_keyed_table(parent: QWidget, count: Any, form: str, made: KeyedTable) -> str:
    """Ask where to save a table in keys of a count design, and return what was done; empty if nothing was."""
    path, _ = QFileDialog.getSaveFileName(parent, tr("Save a table in keys"), "private.csv", tr("Tables (*.csv *.txt)"))
    if not path:
        return ""
    try:
        write_atomically(Path(path), office_text(made, form))  # read back and verified
    except (DpDesignerError, OSError) as error:
        return str(error)
    text = tr("Verified: {epsilon}, expected error {loss}. {name} is saved.")
    return text.format(epsilon=f"ε = {count.privacy.number}", loss=figure(made.value, 3), name=Path(path).name)


def save_text(parent: QWidget, title: str, name: str, kinds: Sequence[str], made: Callable[[str], str]) -> str:
    """Ask where to save a text that is made for the name chosen, and return what was done; empty if nothing was."""
    path, kind = QFileDialog.getSaveFileName(parent, title, name, ";;".join(map(translated, kinds)))
    if not path:
        return ""
    if not Path(path).suffix:
        path += (re.search(r"\*(\.\w+)", kind) or re.search(r"(\.\w+)$", name) or [""])[0].lstrip("*")
        if Path(path).exists():  # the dialog has not asked whether to replace it
            return tr("{name} exists already.").format(name=Path(path).name)
    name = Path(path).name
    try:
        write_atomically(path, made(name))
    except DpDesignerError as error:
        return str(error)
    return tr("{name} is saved.").format(name=name)
