"""One dialog that takes a page's tables and pictures away in many formats at once, and says what it verified."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, QStandardPaths, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from dpdesigner.desktop.figures import save_figure
from dpdesigner.desktop.pages.page import Job, Page
from dpdesigner.desktop.preferences import settings
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.files.atomic import make_folder
from dpdesigner.files.export import file_name

_PICTURES = ("png", "svg", "pdf")
#: Pictures are drawn at this size, whatever the window's, so that they look alike everywhere.
_PICTURE_SIZE = QSize(900, 700)


class ExportDialog(QDialog):
    """Choose a folder, a name and formats; the tables are proved and written in the background, pictures at once."""

    def __init__(self, page: Page, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export"))
        self.setMinimumWidth(520)
        self._page = page
        store = settings()
        start = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        self.folder = QLineEdit(str(store.value("export/folder", start)))
        self.name = QLineEdit(file_name(name))
        chosen = str(store.value("export/formats", "csv,png")).split(",")
        self.formats = {key: self._box(text, tip, key in chosen) for key, text, tip in self._offered()}
        self.fractions = self._box(self.tr("Fractions instead of decimals"), self.tr("Exact where alpha is rational"), False)
        self._result = QLabel()
        self._result.setWordWrap(True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._go = self._buttons.addButton(self.tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._go.setProperty("class", "primary")
        self._go.setDefault(True)
        self._buttons.accepted.connect(self._export)
        self._buttons.rejected.connect(self.reject)
        page.exported.connect(self._tell_tables)
        page.exportFailed.connect(self._tell_failure)
        self._lay_out()

    def _offered(self) -> list[tuple[str, str, str]]:
        tables = {
            "csv": (self.tr("CSV with its proof"), self.tr("The table and a JSON file with design, proof and checksum")),
            "tsv": (self.tr("TSV"), self.tr("Tab-separated")),
            "json": (self.tr("JSON"), self.tr("Design, proof and table in one file")),
            "tex": (self.tr("LaTeX"), self.tr("A table for booktabs")),
        }
        pictures = {key: (key.upper(), self.tr("A picture of each plot")) for key in _PICTURES}
        shown = {key: words for key, words in tables.items() if key in self._page.table_formats}
        return [(key, *words) for key, words in {**shown, **pictures}.items()]

    def _box(self, text: str, tip: str, on: bool) -> QCheckBox:
        box = QCheckBox(text)
        box.setToolTip(tip)
        box.setChecked(on)
        return box

    def _lay_out(self) -> None:
        browse = QPushButton(self.tr("Browse…"))
        browse.clicked.connect(self._browse)
        where = QHBoxLayout()
        where.addWidget(self.folder, 1)
        where.addWidget(browse)
        form = QFormLayout()
        form.addRow(self.tr("Folder"), where)
        form.addRow(self.tr("Name"), self.name)
        tables, pictures = QHBoxLayout(), QHBoxLayout()
        for key, box in self.formats.items():
            (pictures if key in _PICTURES else tables).addWidget(box)
        for row in (tables, pictures):
            row.addStretch(1)
        form.addRow(self.tr("Tables"), tables)
        if self._page.table_formats:
            form.addRow("", self.fractions)
        form.addRow(self.tr("Pictures"), pictures)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        layout.addLayout(form)
        layout.addWidget(self._result)
        layout.addWidget(self._buttons)

    @Slot()
    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Export to"), self.folder.text())
        if folder:
            self.folder.setText(folder)

    @Slot()
    def _export(self) -> None:
        chosen = [key for key, box in self.formats.items() if box.isChecked()]
        if not chosen or not self.folder.text().strip():
            self._tell(self.tr("Choose a folder and at least one format."), wrong=True)
            return
        store = settings()
        store.setValue("export/folder", self.folder.text())
        store.setValue("export/formats", ",".join(chosen))
        folder, name = Path(self.folder.text().strip()).expanduser(), file_name(self.name.text())
        self._written: list[str] = []
        try:
            self._draw(folder, name, [key for key in chosen if key in _PICTURES])
        except InputError as error:
            self._tell(str(error), wrong=True)
            return
        tables = [key for key in chosen if key not in _PICTURES]
        if not tables:
            self._tell_tables([])
            return
        self._go.setEnabled(False)
        self._tell(self.tr("Proving and writing…"))
        run = partial(self._page.write_tables, str(folder), name, tables, self.fractions.isChecked())
        self._page.requested.emit(Job("export", run, slow=True, title=self.tr("export")))

    def _draw(self, folder: Path, name: str, endings: list[str]) -> None:
        if endings:
            make_folder(folder)
        for figure in self._page.figures():
            for ending in endings:
                path = folder / f"{name}-{figure.name}.{ending}"
                save_figure(figure.widget, path, _PICTURE_SIZE)
                self._written.append(path.name)

    @Slot(object)
    def _tell_tables(self, sentences: list[str]) -> None:
        lines = [*sentences]
        if self._written:
            lines.append(self.tr("Pictures: {names}").format(names=", ".join(self._written)))
        self._go.setEnabled(True)
        self._tell("\n".join(lines))

    @Slot(object)
    def _tell_failure(self, error: DpDesignerError) -> None:
        self._go.setEnabled(True)
        self._tell(str(error), wrong=True)

    def _tell(self, text: str, wrong: bool = False) -> None:
        self._result.setText(text[:1].upper() + text[1:] if wrong else text)
        self._result.setProperty("class", "error" if wrong else "")
        self._result.style().unpolish(self._result)
        self._result.style().polish(self._result)
        self.adjustSize()
