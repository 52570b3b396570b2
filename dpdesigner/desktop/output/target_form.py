"""Where files go: a folder that is remembered and a name, for every dialog that writes several files at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Slot
from PySide6.QtWidgets import QFileDialog, QFormLayout, QLineEdit, QPushButton, QWidget

from dpdesigner.desktop.look.preferences import settings
from dpdesigner.desktop.widgets.base.layouts import row_of
from dpdesigner.files.takeaway.words import file_name

_FOLDER = "export/folder"


class TargetForm(QWidget):
    """A folder and a name; `form` takes further rows.

    Parameters
    ----------
    name : str
        What to suggest.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        start = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        self.folder = QLineEdit(str(settings().value(_FOLDER, start)))
        self.folder.setAccessibleName(self.tr("Folder"))
        self.folder.setMinimumWidth(360)
        self.name = QLineEdit(file_name(name))
        browse = QPushButton(self.tr("Browse…"))
        browse.clicked.connect(self._browse)
        where = row_of((self.folder, 1), browse)
        self.form = QFormLayout(self)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.addRow(self.tr("Folder"), where)
        self.form.addRow(self.tr("Name"), self.name)

    def target(self) -> tuple[Path, str] | None:
        """Return the folder and the name, and remember the folder; None if there is no folder."""
        folder = self.folder.text().strip()
        if not folder:
            return None
        settings().setValue(_FOLDER, folder)
        return Path(folder).expanduser(), file_name(self.name.text())

    @Slot()
    def _browse(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"), self.folder.text())
        if folder:
            self.folder.setText(folder)
