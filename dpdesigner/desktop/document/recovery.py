"""Recovery: a copy of unsaved work, written every two seconds and offered after an unclean exit.

The shadow file: a copy of unsaved work in the user's data folder, which only an unclean exit leaves behind.

Each process has one shadow and a lock beside it. A shadow whose lock can be taken belongs to a process that is dead; whoever
takes the lock may offer it, so two instances never fight over it.
"""

from __future__ import annotations

import json
import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLockFile, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from dpdesigner.data.grid import read_text
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import Filing
from dpdesigner.errors import InputError, passed_over, passing_over
from dpdesigner.files.atomic import make_folder, write_atomically
from dpdesigner.files.project import Project, dumps_project, loads_project
from dpdesigner.studies.registry import entry

VERSION = 1


@dataclass(frozen=True)
class Unsaved:
    """The unsaved work that a shadow keeps.

    Parameters
    ----------
    project : Project
        The designs, as they were on the screen, and the scenes.
    index : int
        Of the current design.
    title : str
        What the document was called.
    path : Path or None
        The document's file.
    seen : bytes
        Digest of what that file held when the document was last read or saved.
    time : datetime
        When it was written, local time.
    """

    project: Project
    index: int
    title: str
    path: Path | None
    seen: bytes
    time: datetime


class Shadow:
    """A shadow file with its lock and its picture; this object controls how long the lock is held."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.picture = file.with_suffix(".png")  #: picture of the window, some seconds older than the shadow; may be missing
        self._lock = QLockFile(str(file.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)

    def lock(self) -> bool:
        """Take the lock, even from a dead process; return whether it is now held."""
        return self._lock.tryLock(0)

    def release(self) -> None:
        """Release the lock, so that others can use the shadow."""
        self._lock.unlock()

    def write(self, unsaved: Unsaved) -> None:
        """Replace the contents of the shadow atomically.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        data = {
            "version": VERSION,
            "index": unsaved.index,
            "title": unsaved.title,
            "path": None if unsaved.path is None else str(unsaved.path),
            "seen": unsaved.seen.hex(),
            "time": unsaved.time.isoformat(),
            "project": dumps_project(unsaved.project),
        }
        write_atomically(self.file, json.dumps(data))  # in ASCII, because a path may contain bytes that are not text

    def write_picture(self, data: bytes) -> None:
        """Replace the picture; it is written only if there is a shadow, and missing if writing it fails.

        Parameters
        ----------
        data : bytes
            A PNG file.
        """
        if self.file.exists():
            with passing_over("keeping a picture for recovery", InputError):
                write_atomically(self.picture, data)

    def drop_picture(self) -> None:
        """Delete the picture if it exists."""
        _delete(self.picture)

    def read_picture(self) -> bytes:
        """Return the picture as a PNG file; nothing if there is none."""
        try:
            return self.picture.read_bytes()
        except OSError:
            return b""

    def read(self) -> Unsaved:
        """Return the contents of the shadow.

        Raises
        ------
        InputError
            If it is not a shadow of this version, or its project cannot be read.
        """
        try:
            if self.file.is_file():  # another kind of file could keep its reader waiting for ever
                return _unsaved(json.loads(read_text(self.file)))
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, OSError, OverflowError, RecursionError) as error:
            passed_over(f"reading {self.file}", error)
        raise InputError(f"{self.file} is not a recovery file of this version.", "file")

    def remove(self) -> None:
        """Delete the shadow and its picture, if they exist, and release the lock."""
        self.clear()
        self.release()

    def clear(self) -> None:
        """Delete the shadow and its picture, if they exist and deleting is allowed."""
        _delete(self.picture)
        _delete(self.file)


def _unsaved(data: Any) -> Unsaved:
    if data["version"] != VERSION:
        raise ValueError("another version")
    project, time = loads_project(data["project"], data["title"]), datetime.fromisoformat(data["time"]).replace(tzinfo=None)
    time.timestamp()  # rejects years that no clock shows
    return Unsaved(
        project=project,
        index=min(max(int(data["index"]), 0), len(project.studies) - 1),
        title=str(data["title"]),
        path=None if data["path"] is None else Path(data["path"]),
        seen=bytes.fromhex(data["seen"]),
        time=time,
    )


def shadow_folder() -> Path:
    """Return the folder of all shadows, which may not exist yet."""
    return platformdirs.user_data_path("dpdesigner", appauthor=False) / "recovery"


def own_shadow() -> Shadow:
    """Return a new, locked shadow for this process.

    Raises
    ------
    InputError
        If the folder cannot be made, or no lock in it.
    """
    import secrets  # imported late: a window opens without it

    folder = make_folder(shadow_folder())
    shadow = Shadow(folder / f"{os.getpid()}-{secrets.token_hex(4)}.json")
    if not shadow.lock():
        raise InputError(f"the folder {folder} could not be written to.", "file")
    return shadow


def abandoned_shadows() -> list[tuple[Shadow, Unsaved]]:
    """Return the readable shadows of dead processes, newest first, with their locks held."""
    abandoned = []
    _tidy()
    for file in _files("*.json"):
        shadow = Shadow(file)
        if not shadow.lock():
            continue
        try:
            abandoned.append((shadow, shadow.read()))
        except InputError as error:
            passed_over("looking for designs to recover", error)
            shadow.release()
    return sorted(abandoned, key=lambda pair: pair[1].time, reverse=True)


def _files(pattern: str) -> list[Path]:
    with passing_over("looking for designs to recover", OSError):
        return list(shadow_folder().glob(pattern))
    return []


def _delete(file: Path) -> None:
    with passing_over(f"removing {file}", OSError):
        file.unlink(missing_ok=True)


def _tidy() -> None:
    """Remove other remains of killed processes: half-written copies, and pictures or locks without a shadow."""
    for part in _files(".*.part"):
        shadow = Shadow(part.with_name(f"{part.name[1:].split('.')[0]}.json"))
        if shadow.lock():
            _delete(part)
            shadow.release()
    for rest in (*_files("*.lock"), *_files("*.png")):
        shadow = Shadow(rest.with_suffix(".json"))
        if not shadow.file.exists() and shadow.lock():
            shadow.remove()


#: Delay from a change to the start of saving it (milliseconds); writing takes far less than the rest of the two seconds.
DELAY = 1000
#: A picture of the window is taken this long after the last change (milliseconds), at this width (pixels).
IDLE, WIDTH = 3000, 320


class Recovery(QObject):
    """Writes the shadow while there are unsaved changes and removes it when there are none, in its own thread."""

    refused = Signal(str)  #: a sentence on why unsaved work cannot be kept safe; sent once

    def __init__(self, document: Document, filing: Filing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._filing = filing
        self._shadow: Shadow | None = None
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="shadow")
        self._told = self._wrote = self._closed = False
        self._timer = QTimer(self, singleShot=True, interval=DELAY)
        self._timer.timeout.connect(self._write)
        self._pictured: QWidget | None = None
        self._idle = QTimer(self, singleShot=True)
        self._idle.timeout.connect(self._take_picture)
        changes = (document.studyChanged, document.studiesChanged, document.scenesChanged, document.referenceChanged)
        for signal in (*changes, document.releasesChanged, document.modifiedChanged):
            signal.connect(self._schedule)

    def picture(self, widget: QWidget) -> None:
        """Keep a picture of this widget with the shadow to help the user recognise the work, but not of personal data."""
        self._pictured = widget

    @Slot()
    def _schedule(self) -> None:
        if self._closed:
            return
        if self._document.unsaved:
            self._idle.start(IDLE)
            if not self._timer.isActive():
                self._timer.start()
        else:
            self._timer.stop()
            self._idle.stop()
            if self._wrote:
                self._wrote = False
                self._writer.submit(self._drop)

    def _write(self) -> Future[bool]:
        self._wrote = True
        live = self._document.live
        unsaved = Unsaved(
            project=live.project,
            index=live.index,
            title=self._document.title,
            path=self._document.path,
            seen=self._filing.seen,
            time=datetime.now(),
        )
        return self._writer.submit(self._save, unsaved)

    def _save(self, unsaved: Unsaved) -> bool:
        """Write the shadow, in the writer's thread."""
        try:
            if self._shadow is None:
                self._shadow = own_shadow()
            self._shadow.write(unsaved)
        except InputError as error:
            if not self._told:
                self._told = True
                self.refused.emit(self.tr("Unsaved work cannot be backed up: {reason}").format(reason=error))
            return False
        return True

    @Slot()
    def _take_picture(self) -> None:
        """Paint the widget at a small size; the slow part is done in the writer's thread."""
        if self._document.previewing or self._document.playing:
            self._idle.start()  # try again later: the picture must show the saved state
        elif entry(self._document.study.kind).private:
            self._writer.submit(self._drop_picture)
        elif self._pictured is not None and self._pictured.isVisible():
            self._writer.submit(self._save_picture, self._pictured.grab().toImage())

    def _drop_picture(self) -> None:
        """Remove the picture of another design, in the writer's thread."""
        if self._shadow is not None:
            self._shadow.drop_picture()

    def _save_picture(self, image: QImage) -> None:
        """Write the picture next to the shadow, in the writer's thread."""
        if self._shadow is not None:
            buffer = QBuffer()
            buffer.open(QIODevice.OpenModeFlag.WriteOnly)
            small = image.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
            QImageWriter(buffer, QByteArray(b"png")).write(small)
            self._shadow.write_picture(bytes(buffer.data().data()))

    def _drop(self) -> None:
        """Remove the shadow, in the writer's thread."""
        if self._shadow is not None:
            self._shadow.clear()

    def flush(self) -> bool:
        """Write unsaved work now, wait until it is written, and return whether it is safe."""
        self._timer.stop()
        if self._closed or not self._document.unsaved:
            return True
        return self._write().result()

    def restore(self, shadow: Shadow, unsaved: Unsaved) -> None:
        """Load a shadow's work as a document with unsaved changes; delete the shadow once another one holds them."""
        self._document.load(unsaved.project, unsaved.path, title=unsaved.title, modified=True)
        self._document.select(unsaved.index)
        self._filing.seen = unsaved.seen
        if self.flush():
            shadow.remove()
        else:
            shadow.release()

    def close(self) -> None:
        """End cleanly: leave nothing behind, and stop keeping a shadow."""
        self._closed = True
        self._timer.stop()
        self._idle.stop()
        self._writer.shutdown()
        if self._shadow is not None:
            self._shadow.remove()
