"""Keeps the shadow of the document at most two seconds behind, and brings back what an unclean exit left."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import Filing
from dpdesigner.desktop.document.shadow import Shadow, Unsaved, own_shadow
from dpdesigner.errors import InputError
from dpdesigner.studies.registry import entry

#: From a change to the start of writing it (milliseconds); writing takes far less than the rest of the two seconds.
DELAY = 1000
#: So long after the last change (milliseconds) a picture of the window is taken, and so wide it is (pixels).
IDLE, WIDTH = 3000, 320


class Recovery(QObject):
    """Writes the shadow while there are unsaved changes and removes it when there are none, in a thread of its own."""

    refused = Signal(str)  #: a sentence on why unsaved work cannot be kept safe; said once

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
        for signal in (*changes, document.modifiedChanged):
            signal.connect(self._schedule)

    def picture(self, widget: QWidget) -> None:
        """Keep a picture of this widget beside the shadow, so that the user knows the work again; none with data of people."""
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
        """Paint the widget small; what takes time is done in the writer's thread."""
        if self._document.previewing or self._document.playing:
            self._idle.start()  # the picture is of what is kept: later
        elif entry(self._document.study.kind).private:
            self._writer.submit(self._drop_picture)
        elif self._pictured is not None and self._pictured.isVisible():
            self._writer.submit(self._save_picture, self._pictured.grab().toImage())

    def _drop_picture(self) -> None:
        """Remove the picture of another design, in the writer's thread."""
        if self._shadow is not None:
            self._shadow.drop_picture()

    def _save_picture(self, image: QImage) -> None:
        """Write the picture beside the shadow, in the writer's thread."""
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
        """Write what is unsaved now, wait until it is written, and return whether it is safe."""
        self._timer.stop()
        if self._closed or not self._document.unsaved:
            return True
        return self._write().result()

    def restore(self, shadow: Shadow, unsaved: Unsaved) -> None:
        """Make what a shadow kept the document, with its changes still unsaved; the shadow goes once another one holds them."""
        self._document.load(unsaved.project, unsaved.path, title=unsaved.title, modified=True)
        self._document.select(unsaved.index)
        self._filing.seen = unsaved.seen
        if self.flush():
            shadow.remove()
        else:
            shadow.release()

    def close(self) -> None:
        """End cleanly: nothing is left behind, and nothing is kept any more."""
        self._closed = True
        self._timer.stop()
        self._idle.stop()
        self._writer.shutdown()
        if self._shadow is not None:
            self._shadow.remove()
