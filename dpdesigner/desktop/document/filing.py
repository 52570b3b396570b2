"""The commands of the File menu with their questions: new, open, recent, examples, save, save as."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QCoreApplication, QObject, QStandardPaths, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from dpdesigner.data.grid import LARGEST_BYTES
from dpdesigner.desktop.background.tables import data_endings, holds_columns
from dpdesigner.desktop.background.waiting import waited, waits
from dpdesigner.desktop.base.preferences import settings
from dpdesigner.desktop.document.document import Document
from dpdesigner.errors import Cancelled, InputError, passed_over
from dpdesigner.files.project import SUFFIX, Example, Project, read_project, write_project
from dpdesigner.studies.registry import entry
from dpdesigner.studies.study import Study

MOST = 10
_KEY = "recent/files"


def recent_files() -> list[Path]:
    """Return the recent files, newest first."""
    try:
        names = json.loads(str(settings().value(_KEY, "[]")))
    except json.JSONDecodeError as error:
        passed_over("reading the list of recent files", error)
        return []
    return [Path(name) for name in names if isinstance(name, str)] if isinstance(names, list) else []


def note_recent(path: Path) -> None:
    """Put a file at the top of the list."""
    path = path.absolute()
    _store([path, *(other for other in recent_files() if other != path)])


def forget_recent(path: Path | None = None) -> None:
    """Remove a file from the list; None removes all."""
    _store([other for other in recent_files() if path is not None and other != path.absolute()])


def _store(paths: list[Path]) -> None:
    settings().setValue(_KEY, json.dumps([str(path) for path in paths[:MOST]]))


Answer = Literal["save", "discard", "cancel"]
Overwrite = Literal["overwrite", "save as", "cancel"]


class Questions(QObject):
    """Asks questions over a window and returns the answers."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def save_changes(self, title: str) -> Answer:
        """Ask what to do with unsaved changes."""
        box = self._box(
            self.tr("Save the changes to “{title}”?").format(title=title),
            self.tr("Your changes and releases will be lost if you don’t save them."),
        )
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answers: dict[int, Answer] = {buttons.Save.value: "save", buttons.Discard.value: "discard"}
        answer = answers.get(box.exec(), "cancel")
        box.deleteLater()
        return answer

    def lose_release(self, names: str) -> bool:
        """Ask whether to close a design or the window although no file has a release."""
        told = self.tr("No file has the release of {names}.").format(names=names)
        box = self._box(told, self.tr("Closing loses it, and another one spends ε again. A report or an export keeps it."))
        box.setStandardButtons(QMessageBox.StandardButton.Discard | QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        discards = box.exec() == QMessageBox.StandardButton.Discard
        box.deleteLater()
        return discards

    def overwrite_changed(self, path: Path) -> Overwrite:
        """Ask before overwriting a file that another program has changed."""
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
        """Ask which project, or which file with columns, to open."""
        data = " ".join(f"*{ending}" for ending in data_endings())
        every = self.tr("Projects and data (*{suffix} {data})").format(suffix=f"{SUFFIX} *.json", data=data)
        kinds = f"{every};;{self._filter(' *.json')};;" + self.tr("Data ({data})").format(data=data)
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open"), str(folder), kinds)
        return Path(name) if name else None

    def path_to_save(self, suggestion: Path) -> Path | None:
        """Ask where to save, and again before replacing a file; a name without an extension first gets the project's."""
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

    def _filter(self, more: str = "") -> str:
        return self.tr("dpdesigner projects (*{suffix})").format(suffix=SUFFIX + more)


class Filing(QObject):
    """Moves the document between the window and files."""

    said = Signal(str)  #: a sentence on what was done
    refused = Signal(str)  #: a sentence on why something was refused
    dataChosen = Signal(object)  #: the `Path` of a file with columns, which is no project

    def __init__(self, document: Document, questions: Questions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._questions = questions
        self.unsaved: Callable[[], str] = str  #: names the designs whose release would be lost with them, from the window
        self.seen = b""  #: digest of the file's contents when this program last read or wrote it

    @Slot()
    def new(self) -> None:
        """Start an untitled document with one design of the current kind."""
        self.start(self._document.study.kind)

    @Slot(str)
    def start(self, kind: str, study: Study | None = None, title: str = "") -> bool:
        """Start a document without a file, with a study or the first of a kind; return whether it is now open."""
        if not self._may_replace():
            return False
        self.seen = b""
        study = study or entry(kind).page_class().starting_study(kind)
        self._document.load(Project((study,)), title=title or self.tr("Untitled"))
        return True

    @Slot()
    def open(self) -> None:
        """Ask for a file and open it; ask about unsaved changes only after a file is chosen."""
        if (path := self.chosen()) is not None:
            self.open_path(path)

    def chosen(self) -> Path | None:
        """Ask for a file to open; return None if there is none, or if a file is being read or written."""
        return self._questions.path_to_open(self.folder()) if self._is_free() else None

    def open_path(self, path: Path) -> bool:
        """Open a project, after asking about changes; return whether it is now open. Leave data to `dataChosen`."""
        if not self._is_free():
            return False
        if holds_columns(path):
            self.dataChosen.emit(path)
            return False
        return self._can_be_read(path) and self._may_lose() and self.may_leave() and self._read(path)

    def open_example(self, example: Example) -> bool:
        """Open an example as an untitled copy; return whether it is now open."""
        return self._may_replace() and self._read(example.path, example.title, example.alone)

    @Slot()
    def save(self) -> bool:
        """Save to the document's file, or ask for one; return whether it is saved."""
        path = self._document.path
        if path is None:
            return self.save_as()
        there = os.path.exists(path)
        if there and waited(partial(_digest, path)) != self.seen:
            answer = self._questions.overwrite_changed(path)
            if answer != "overwrite":
                return answer == "save as" and self.save_as()
        again = self.tr("The file no longer existed and was written again: {path}")
        return self._write(path, self.tr("Saved to {path}") if there else again)

    @Slot()
    def save_as(self) -> bool:
        """Ask for a file and save to it, including a design that is only visited; return whether it is saved."""
        suggestion = self._document.path or self.folder() / f"{_file_name(self._document.title)}{SUFFIX}"
        path = self._questions.path_to_save(suggestion)
        if path is not None:
            self._document.keep()
        return path is not None and self._write(path, self.tr("Saved to {path}"))

    def may_leave(self) -> bool:
        """Ask about unsaved changes; return whether the document may be closed."""
        if not self._document.modified:
            return True
        answer = self._questions.save_changes(self._document.title)
        return answer == "discard" or (answer == "save" and self.save())

    def _may_replace(self) -> bool:
        """Whether another document may replace this one, asking the user about changes if necessary."""
        return self._is_free() and self._may_lose() and self.may_leave()

    def _may_lose(self) -> bool:
        names = self.unsaved()
        return not names or self._questions.lose_release(names)

    def _is_free(self) -> bool:
        """Whether the document can be replaced at all, which is not while others play or it is being saved."""
        if waits():
            return False
        if self._document.playing:
            self.said.emit(self.tr("Others are playing with this document. First choose Present > Let others play to end this."))
            return False
        return True

    def _can_be_read(self, path: Path) -> bool:
        """Whether a file is a project, checked before the user is asked about changes in this one."""
        try:
            if self._document.modified:
                waited(lambda: _project(path), self.tr("Opening {name}").format(name=path.name))
        except Cancelled:
            return False
        except InputError as error:
            forget_recent(path)
            self.refused.emit(str(error))
            return False
        return True

    def _read(self, path: Path, copy: str = "", alone: bool = False) -> bool:
        """Read a file into the document, or as an untitled copy with this title; `alone`: without what it is compared with."""
        try:
            words = self.tr("Opening {name}").format(name=path.name)
            digest, project = waited(lambda: (_digest(path), _project(path)), words)
        except Cancelled:
            return False
        except InputError as error:
            forget_recent(path)
            self.refused.emit(str(error))
            return False
        copy = copy or (path.stem if project.imported else "")
        self.seen = b"" if copy else digest
        if alone:
            project = replace(project, reference=None)
        self._document.load(project, None if copy else path, title=copy)
        if not copy:
            note_recent(path)
        return True

    def _write(self, path: Path, words: str) -> bool:
        try:
            written = None
            while written != self._document.content.project:  # an answer may change the content during writing
                written = self._document.content.project
                self.seen = waited(partial(_written, path, written))
        except InputError as error:
            self.refused.emit(str(error))
            return False
        self._document.mark_saved(path)
        note_recent(path)
        sentence, current = words.format(path=path), self._document.content.current
        if current.visited:
            sentence += self.tr(", without “{title}”, which was viewed but not changed").format(title=current.title)
        self.said.emit(sentence)
        return True

    def folder(self) -> Path:
        """Return the first folder to look for files in: that of the document's file, or the user's documents."""
        if self._document.path is not None:
            return self._document.path.parent
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation) or Path.home())


def _project(path: Path) -> Project:
    """Read a project; refuse anything but a regular file, because a pipe would block."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(
            QCoreApplication.translate("Filing", "{path} is not a file that dpdesigner can open.").format(path=path), "file"
        )
    return read_project(path)


def _written(path: Path, project: Project) -> bytes:
    """Write a project and return the digest of the file."""
    write_project(path, project)
    return _digest(path)


def _digest(path: Path) -> bytes:
    """Return a digest that identifies the contents; empty if the file is unreadable or not regular."""
    import hashlib  # imported late: a window opens without it

    if not os.path.isfile(path):
        return b""
    try:
        with path.open("rb") as file:
            return hashlib.sha256(file.read(LARGEST_BYTES + 1)).digest()
    except (OSError, ValueError) as error:
        passed_over(f"comparing {path} with what was read", error)
        return b""


def _file_name(title: str) -> str:
    """Return a title without characters that file names may not contain."""
    letters = ("_" if letter in '<>:"/\\|?*' or not letter.isprintable() else letter for letter in title)
    return "".join(letters).strip(". ") or "design"
