"""The dialog that writes a report to files or prints it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from dpdesigner.desktop.look.preferences import settings
from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.output.printing import print_illustrated
from dpdesigner.desktop.output.report_maker import ReportMaker
from dpdesigner.desktop.output.reports import Illustrated
from dpdesigner.desktop.output.target_form import TargetForm
from dpdesigner.desktop.work.worker import Worker
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.files.atomic import check_writable
from dpdesigner.files.takeaway.export import file_name
from dpdesigner.studies.study import Study

Purpose = Literal["write", "print"]

_FORMATS = "report/formats"


class ReportDialog(QDialog):
    """Choose which designs, where to and in which formats; the report is made in the background.

    Parameters
    ----------
    worker : Worker
    titles : sequence of str
        What the designs are called, and last the document.
    studies : sequence of Study
        All designs.
    current : int
        The one that is shown.
    """

    def __init__(
        self, worker: Worker, titles: Sequence[str], studies: Sequence[Study], current: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Report"))
        self._titles, self._studies, self._current = titles, studies, current
        self._purpose: Purpose = "write"
        self._paths: list[Path] = []
        self._maker = ReportMaker(worker, self)
        self._maker.made.connect(self._take)
        self._maker.written.connect(self._tell_written)
        self._maker.failed.connect(self._tell_failure)
        self._maker.progressed.connect(self._tell_progress)
        self.finished.connect(self._maker.cancel)
        self.target = TargetForm(self._proposed(current))
        self.all_designs = QCheckBox(self.tr("All {count} designs of the document").format(count=len(studies)))
        self.all_designs.setVisible(len(studies) > 1)
        self.all_designs.toggled.connect(self._propose)
        chosen = str(settings().value(_FORMATS, ".html,.pdf")).split(",")
        self.formats = {".html": QCheckBox(self.tr("HTML, one page with everything in it")), ".pdf": QCheckBox(self.tr("PDF"))}
        for ending, box in self.formats.items():
            box.setChecked(ending in chosen)
        self.progress = QProgressBar()
        self.progress.setMinimumHeight(self.fontMetrics().height() + 4)
        self.progress.hide()
        self.said = QLabel()
        self.said.setTextFormat(Qt.TextFormat.RichText)
        self.said.setWordWrap(True)
        self.said.setOpenExternalLinks(True)
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        for box in self.formats.values():
            row.addWidget(box)
        row.addStretch(1)
        self.target.form.addRow(self.tr("Formats"), row)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self.printed = buttons.addButton(self.tr("Print…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.printed.clicked.connect(self.print_report)
        self.go = buttons.addButton(self.tr("Write the report"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_class(self.go, "primary")
        self.go.clicked.connect(self.write_report)
        about = QLabel(self.tr("Answer, figures, tables, proof, inputs and versions; it says only what was verified."))
        set_class(about, "muted")
        about.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        for widget in (about, self.target, self.all_designs, self.progress, self.said, buttons):
            layout.addWidget(widget)
        self.go.setDefault(True)  # which means something only inside a dialog

    def _proposed(self, place: int) -> str:
        """What to call the report of a design or, at the last place, of all of them."""
        return file_name(f"{self._titles[place]} report")

    @Slot(bool)
    def _propose(self, every: bool) -> None:
        """Name the file after what it will hold, unless the user has named it."""
        old, new = (self._current, -1) if every else (-1, self._current)
        if self.target.name.text() == self._proposed(old):
            self.target.name.setText(self._proposed(new))

    @Slot()
    def write_report(self) -> None:
        """Make the report and write it to the files chosen."""
        endings = [ending for ending, box in self.formats.items() if box.isChecked()]
        target = self.target.target()
        if target is None or not endings:
            self._tell(self.tr("Choose a folder and at least one format."), wrong=True)
            return
        settings().setValue(_FORMATS, ",".join(endings))
        folder, name = target
        self._paths = [folder / f"{name}{ending}" for ending in endings]
        try:
            for path in self._paths:
                check_writable(path)
        except InputError as error:
            self._tell_failure(error)
        else:
            self._make("write")

    @Slot()
    def print_report(self) -> None:
        """Make the report and hand it to the system's print dialog."""
        self._make("print")

    def _make(self, purpose: Purpose) -> None:
        self._purpose = purpose
        self._set_busy(True)
        if self.all_designs.isChecked():
            self._maker.make(self._titles[-1], self._studies)
        else:
            self._maker.make(self._titles[self._current], [self._studies[self._current]])

    @Slot(object)
    def _take(self, report: Illustrated) -> None:
        if self._purpose == "write":
            self._maker.write(report, self._paths)
            return
        self._set_busy(False)
        try:
            self._tell(escape(print_illustrated(report, self)))
        except InputError as error:
            self._tell_failure(error)

    @Slot()
    def _tell_written(self) -> None:
        self._set_busy(False)
        links = [f'<a href="{QUrl.fromLocalFile(str(path)).toString()}">{escape(path.name)}</a>' for path in self._paths]
        words = self.tr("Written to {folder}: {files}")
        self._tell(words.format(folder=escape(str(self._paths[0].parent)), files=", ".join(links)))

    @Slot(object)
    def _tell_failure(self, error: DpDesignerError) -> None:
        self._set_busy(False)
        self._tell(escape(str(error)), wrong=True)

    @Slot(object, str)
    def _tell_progress(self, fraction: float | None, text: str) -> None:
        self.progress.setRange(0, 0 if fraction is None else 100)
        self.progress.setValue(round(100 * (fraction or 0)))
        self.progress.setFormat(text)

    def _set_busy(self, on: bool) -> None:
        self.progress.setVisible(on)
        self.progress.setRange(0, 0)
        self.go.setEnabled(not on)
        self.printed.setEnabled(not on)
        self.adjustSize()

    def _tell(self, text: str, wrong: bool = False) -> None:
        self.said.setText(text[:1].upper() + text[1:])
        set_class(self.said, "error" if wrong else "")
        self.adjustSize()
