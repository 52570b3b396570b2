"""The one hook for exceptions that nobody handled: a quiet report with details to copy, and the document stays alive."""

from __future__ import annotations

import sys
import threading
import traceback
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from dpdesigner.desktop.widgets.base.layouts import column_of

#: More reports than this are not kept; a defect in a paint event repeats itself at every frame.
MOST = 20


class ErrorHook(QObject):
    """Takes unhandled exceptions of all threads and reports each defect once."""

    caught = Signal(str)  #: the details of a defect not seen before; emitted from the window's event loop
    _raised = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = (sys.excepthook, threading.excepthook)
        self._seen: set[str] = set()
        self._raised.connect(self._report, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Become the hook of Python and of its threads."""
        sys.excepthook = self.handle
        threading.excepthook = self._handle_thread

    def uninstall(self) -> None:
        """Give the hooks back."""
        sys.excepthook, threading.excepthook = self._before

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Print an exception as usual and report it from the event loop, never from where it was raised."""
        self._before[0](kind, error, trace)
        if issubclass(kind, Exception):
            self._raised.emit("".join(traceback.format_exception(kind, error, trace)))

    def _handle_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self.handle(args.exc_type, args.exc_value, args.exc_traceback)

    @Slot(str)
    def _report(self, trace: str) -> None:
        if trace not in self._seen and len(self._seen) < MOST:
            self._seen.add(trace)
            from dpdesigner.files.export.report import versions  # with all that it needs, which the start need not wait for

            self.caught.emit("\n".join([trace, *(f"{name} {number}" for name, number in versions())]))


class ErrorDialog(QDialog):
    """The details of a defect, to be copied into a report; nothing is sent."""

    def __init__(self, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Details of the error"))
        text = QLabel(
            self.tr("This is a defect in dpdesigner. Your design is safe. If you report the defect, please add these details:")
        )
        text.setWordWrap(True)
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setMinimumSize(640, 300)
        self.details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.details.setAccessibleName(self.tr("Details"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        column_of(text, self.details, buttons, on=self, margins=(16, 16, 16, 16), gap=8)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.details.toPlainText())
