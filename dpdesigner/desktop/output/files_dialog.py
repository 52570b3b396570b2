"""Dialogs that do some work and say what came of it, such as writing files; closing one stops the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import ClassVar, NamedTuple

from PySide6.QtCore import QStandardPaths, Qt, QUrl, Slot
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

from dpdesigner.desktop.background.steps import Steps, Work
from dpdesigner.desktop.background.worker import Worker
from dpdesigner.desktop.output.pictures import hidden_page
from dpdesigner.desktop.theme.preferences import settings
from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.desktop.widgets.base.labels import as_sentence
from dpdesigner.desktop.widgets.base.layouts import row_of, styled
from dpdesigner.errors import DpDesignerError
from dpdesigner.files.export.formatting import Format, file_name

_FOLDER = "export/folder"


class Selection(NamedTuple):
    """The folder, names and formats of files."""

    folder: Path
    name: str
    formats: Sequence[str]


class WorkDialog(QDialog):
    """A button that begins, a bar while the work is under way, and a sentence at its end."""

    def __init__(self, worker: Worker, parent: QWidget | None = None) -> None:
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

    def lay_out(self, go: str, *parts: QWidget) -> None:
        """Put parts below each other; bar, sentence and buttons come last. The first argument is what the button says."""
        self.go.setText(go)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetMinimumSize)
        for widget in (*parts, self.progress, self.said, *self.below(), self.buttons):
            layout.addWidget(widget)
        self.go.setDefault(True)  # which means something only inside a dialog

    def below(self) -> tuple[QWidget, ...]:
        """Return what stands below the sentence."""
        return ()

    def run(self, work: Work) -> None:
        """Begin; the signals of `steps` tell the end."""
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
        """Show how far it is."""
        self.progress.setRange(0, 0 if fraction is None else 100)
        self.progress.setValue(round(100 * (fraction or 0)))
        self.progress.setFormat(text)

    def set_busy(self, on: bool) -> None:
        """Show that work is under way, or at its end."""
        self.progress.setVisible(on)
        self.progress.setRange(0, 0)
        self.go.setEnabled(not on)
        self._ending.setText(self.tr("Cancel") if on else self._closing)
        self.adjustSize()

    def tell(self, text: str, wrong: bool = False) -> None:
        """Say what came of it."""
        self.said.setText(text)
        set_class(self.said, "error" if wrong else "")
        self.adjustSize()

    @Slot(object)
    def tell_failure(self, error: DpDesignerError) -> None:
        """Say why nothing came of it."""
        self.set_busy(False)
        text = as_sentence(str(error))
        self.tell(escape(text) if self.said.textFormat() == Qt.TextFormat.RichText else text, wrong=True)


class FilesDialog(WorkDialog):
    """A dialog that writes files: a folder, a name and formats, and a button that opens the folder afterwards.

    Parameters
    ----------
    worker : Worker
    name : str
        What to call the files.
    """

    remembered: ClassVar[str]  #: where the settings keep which formats were chosen
    usual: ClassVar[str]  #: those that are chosen the first time

    def __init__(self, worker: Worker, name: str, parent: QWidget | None = None) -> None:
        super().__init__(worker, parent)
        self.opener = self.buttons.addButton(self.tr("Open folder"), QDialogButtonBox.ButtonRole.ActionRole)
        self.opener.clicked.connect(self._open_folder)
        self.opener.hide()
        self.checked = QToolButton()
        self.checked.setText(self.tr("Checks"))
        self.checked.setCheckable(True)
        set_class(self.checked, "chip")
        self.details = styled("small", wrapped=True)
        self.details.setTextFormat(Qt.TextFormat.PlainText)
        self.checked.toggled.connect(self._show_details)
        self._folder: Path | None = None
        self.page_of = cache(partial(hidden_page, parent=self))  #: a page that is never shown, to draw on: one a kind
        self._make_form(name)

    def _make_form(self, name: str) -> None:
        start = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        self.folder, self.name = QLineEdit(str(settings().value(_FOLDER, start))), QLineEdit(file_name(name))
        self.folder.setAccessibleName(self.tr("Folder"))
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
        """Add a row of formats; those of the last time are chosen."""
        chosen = str(settings().value(self.remembered, self.usual)).split(",")
        for key, (words, holds) in formats.items():
            box = self.formats[key] = QCheckBox(tr(words))
            box.setToolTip(tr(holds))
            box.setChecked(key in chosen)
        if formats:
            self.form.addRow(title, row_of(*(self.formats[key] for key in formats), None))

    def selection(self) -> Selection | None:
        """Return what is to be written, and remember it for the next time; None, and say so, where something is not chosen."""
        folder, chosen = self.folder.text().strip(), [key for key, box in self.formats.items() if box.isChecked()]
        if not folder or not chosen:
            self.tell(self.tr("Choose a folder and at least one format."), wrong=True)
            return None
        settings().setValue(_FOLDER, folder)
        settings().setValue(self.remembered, ",".join(chosen))
        return Selection(Path(folder).expanduser(), file_name(self.name.text()), chosen)

    def below(self) -> tuple[QWidget, ...]:
        """Return what was checked of the files, hidden until it is asked for."""
        self.checked.hide()
        self.details.hide()
        return self.checked, self.details

    def report_written(self, text: str, folder: Path, details: str = "") -> None:
        """Say in one line what was written, and offer the folder; what was checked of each file is one click away."""
        self.set_busy(False)
        self._folder = folder
        self.details.setText(details)
        self.checked.setVisible(bool(details))
        self.opener.show()
        self.tell(text)

    def set_busy(self, on: bool) -> None:
        """Offer nothing of the last time while work is under way."""
        super().set_busy(on)
        if on:
            self.opener.hide()
            self.checked.setChecked(False)
            self.checked.hide()

    @Slot(bool)
    def _show_details(self, on: bool) -> None:
        self.details.setVisible(on)
        self.adjustSize()

    @Slot()
    def _open_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))
