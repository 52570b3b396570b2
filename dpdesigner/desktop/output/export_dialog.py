"""One dialog that takes a page's tables and pictures away in many formats at once, and says what it verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.look.preferences import settings
from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.output.pictures import draw_figures, hidden_page, show
from dpdesigner.desktop.output.target_form import TargetForm
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.work.steps import Steps
from dpdesigner.errors import DpDesignerError
from dpdesigner.studies.job import Job

_PICTURES = ("png", "svg", "pdf")
_FORMATS = "export/formats"


class ExportDialog(QDialog):
    """Choose a folder, a name and formats; pictures are drawn one by one, tables proved and written in the background.

    Pictures are drawn on a hidden page that shows the same, so that they hold every view and nothing moves in the window.

    Parameters
    ----------
    page : Page
        Gives tables and what was computed.
    study : Study
        What it shows.
    name : str
        What to call the files.
    """

    def __init__(self, page: Page, study: Any, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export"))
        self._page, self._study = page, study
        self._hidden: Page | None = None
        self._written: list[str] = []
        self._tables: list[str] = []
        self._target = TargetForm(name)
        self.folder, self.name = self._target.folder, self._target.name
        chosen = str(settings().value(_FORMATS, "csv,png")).split(",")
        self.formats = {key: self._box(text, tip, key in chosen) for key, text, tip in self._offered()}
        self.fractions = self._box(self.tr("Fractions instead of decimals"), self.tr("Exact where alpha is rational"), False)
        self._said = QLabel()
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        self._said.setWordWrap(True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._go = self._buttons.addButton(self.tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        set_class(self._go, "primary")
        self._drawing = Steps(self)
        self._connect()
        self._lay_out()

    def _connect(self) -> None:
        self._buttons.accepted.connect(self._export)
        self._buttons.rejected.connect(self.reject)
        self._drawing.finished.connect(self._write_tables)
        self._drawing.failed.connect(self._tell_failure)
        self.finished.connect(self._drawing.stop)
        self._page.exported.connect(self._tell_tables)
        self._page.exportFailed.connect(self._tell_failure)

    def _offered(self) -> list[tuple[str, str, str]]:
        tables = {
            "csv": (self.tr("CSV"), self.tr("Every table with all its digits")),
            "tsv": (self.tr("TSV"), self.tr("Tab-separated")),
            "json": (self.tr("JSON"), self.tr("Design, results and tables in one file")),
            "tex": (self.tr("LaTeX"), self.tr("Every table rounded for print, for booktabs")),
        }
        if self._page.tables_proved:
            tables |= {
                "csv": (self.tr("CSV with its proof"), self.tr("The table and a JSON file with design, proof and checksum")),
                "json": (self.tr("JSON"), self.tr("Design, proof and table in one file")),
                "tex": (self.tr("LaTeX"), self.tr("A table for booktabs, proved on its own digits")),
            }
        pictures = {key: (key.upper(), self.tr("A picture of each plot, in every view")) for key in _PICTURES}
        shown = {key: words for key, words in tables.items() if key in self._page.table_formats}
        return [(key, *words) for key, words in {**shown, **pictures}.items()]

    def _box(self, text: str, tip: str, on: bool) -> QCheckBox:
        box = QCheckBox(text)
        box.setToolTip(tip)
        box.setChecked(on)
        return box

    def _lay_out(self) -> None:
        form = self._target.form
        tables, pictures = QHBoxLayout(), QHBoxLayout()
        for key, box in self.formats.items():
            (pictures if key in _PICTURES else tables).addWidget(box)
        for row in (tables, pictures):
            row.addStretch(1)
        if self._page.table_formats:
            form.addRow(self.tr("Tables"), tables)
        if self._page.tables_proved:
            form.addRow("", self.fractions)
        else:
            self.fractions.setParent(self)  # so that it goes with the dialog
            self.fractions.hide()
        form.addRow(self.tr("Pictures"), pictures)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        for widget in (self._target, self._said, self._buttons):
            layout.addWidget(widget)
        self._go.setDefault(True)  # which means something only inside a dialog

    @Slot()
    def _export(self) -> None:
        chosen = [key for key, box in self.formats.items() if box.isChecked()]
        target = self._target.target()
        if not chosen or target is None:
            self._tell(self.tr("Choose a folder and at least one format."), wrong=True)
            return
        settings().setValue(_FORMATS, ",".join(chosen))
        self._written = []
        self._tables = [key for key in chosen if key not in _PICTURES]
        self._go.setEnabled(False)
        self._tell(self.tr("Drawing…"))
        self._drawing.run(self._draw(*target, [key for key in chosen if key in _PICTURES]))

    def _draw(self, folder: Path, name: str, endings: Sequence[str]) -> Iterator[None]:
        if not endings:
            return
        if self._hidden is None:
            self._hidden = hidden_page(self._study.kind, self)
            yield
        show(self._hidden, self._study, dict(self._page.outcomes))
        self._hidden.set_view_state(self._page.view_state())
        yield
        for path in draw_figures(self._hidden, folder, name, endings):
            self._written.append(path.name)
            yield

    @Slot()
    def _write_tables(self) -> None:
        target = self._target.target()
        if not self._tables or target is None:
            self._tell_tables([])
            return
        self._tell(self.tr("Proving and writing…"))
        folder, name = target
        run = partial(self._page.write_tables, str(folder), name, self._tables, self.fractions.isChecked())
        self._page.requested.emit(Job("export", run, slow=True, title=self.tr("export")))

    @Slot(object)
    def _tell_tables(self, sentences: list[str]) -> None:
        self._go.setEnabled(True)
        self._tell("\n".join([*sentences, *self._pictures()]))

    @Slot(object)
    def _tell_failure(self, error: DpDesignerError) -> None:
        self._go.setEnabled(True)
        text = str(error)
        self._tell("\n".join([*self._pictures(), text[:1].upper() + text[1:]]), wrong=True)

    def _pictures(self) -> list[str]:
        """What to say of the pictures that were written."""
        return [self.tr("Pictures: {names}").format(names=", ".join(self._written))] if self._written else []

    def _tell(self, text: str, wrong: bool = False) -> None:
        self._said.setText(text)
        set_class(self._said, "error" if wrong else "")
        self.adjustSize()
