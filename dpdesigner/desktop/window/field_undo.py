"""Lets Ctrl+Z in a text field undo the typing first, and the design once there is no typing left to undo."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QWidget


class FieldUndo(QObject):
    """Watches the text field that has the focus: such fields keep Ctrl+Z to themselves even with nothing to undo."""

    def __init__(self, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        application.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if isinstance(new, (QLineEdit, QAbstractSpinBox)):
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Withhold the undo and redo keys from a field that can't use them, so that they reach the menu."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        field = watched.lineEdit() if isinstance(watched, QAbstractSpinBox) else watched
        if not isinstance(field, QLineEdit):
            return False
        undo = event.matches(QKeySequence.StandardKey.Undo) and not field.isUndoAvailable()
        redo = event.matches(QKeySequence.StandardKey.Redo) and not field.isRedoAvailable()
        if undo or redo:
            event.ignore()
        return undo or redo
