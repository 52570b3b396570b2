"""The questions that must be answered before work could be lost, and the file dialogs; all that is modal is here."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from dpdesigner.files.project import SUFFIX

Answer = Literal["save", "discard", "cancel"]
Overwrite = Literal["overwrite", "save as", "cancel"]


class Questions(QObject):
    """Asks over a window and returns what was answered."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def save_changes(self, title: str) -> Answer:
        """Ask what to do with changes that no file holds."""
        box = self._box(
            self.tr("Save the changes to “{title}”?").format(title=title),
            self.tr("Your changes will be lost if you don’t save them."),
        )
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answers: dict[int, Answer] = {buttons.Save.value: "save", buttons.Discard.value: "discard"}
        answer = answers.get(box.exec(), "cancel")
        box.deleteLater()
        return answer

    def overwrite_changed(self, path: Path) -> Overwrite:
        """Ask before a file that another program has changed is overwritten."""
        box = self._box(
            self.tr("“{name}” was changed by another program.").format(name=path.name),
            self.tr("Saving overwrites the changes made by the other program since you last opened or saved the file."),
        )
        replace = box.addButton(self.tr("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        save_as = box.addButton(self.tr("Save under another name…"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(save_as)
        box.exec()
        box.deleteLater()
        if box.clickedButton() is replace:
            return "overwrite"
        return "save as" if box.clickedButton() is save_as else "cancel"

    def path_to_open(self, folder: Path) -> Path | None:
        """Ask which project to open."""
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open"), str(folder), self._filter())
        return Path(name) if name else None

    def path_to_save(self, suggestion: Path) -> Path | None:
        """Ask where to save, and before a file is replaced; a name without an ending gets the project's before that."""
        dialog = QFileDialog(self._window, self.tr("Save as"), str(suggestion.parent), self._filter())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
        dialog.selectFile(suggestion.name)
        chosen = dialog.selectedFiles() if dialog.exec() else []
        dialog.deleteLater()
        return Path(chosen[0]) if chosen else None

    def _box(self, text: str, more: str) -> QMessageBox:
        box = QMessageBox(QMessageBox.Icon.NoIcon, "dpdesigner", text, parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)  # names are shown as they are
        box.setInformativeText(more)
        return box

    def _filter(self) -> str:
        return self.tr("dpdesigner projects (*{suffix})").format(suffix=SUFFIX)
