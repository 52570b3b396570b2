"""Undo in fields and in the document, and the list of steps."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoStack
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QDockWidget, QLabel, QLineEdit, QListView, QUndoView, QWidget

from dpdesigner.desktop.base.theme import set_class


class FieldUndo(QObject):
    """A filter on the focused text field, because such fields keep Ctrl+Z to themselves even with nothing to undo."""

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
        """Keep the undo and redo keys from a field that cannot use them, so that they reach the menu."""
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


WIDTH = 180


class HistoryPanel(QDockWidget):
    """A panel on the window's right that stays docked; only its menu entry shows and hides it."""

    def __init__(self, stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("History"))
        self.setObjectName("history")
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea)
        title = QLabel(self.windowTitle())  # Qt's own title keeps the text size that it is first shown with
        title.setContentsMargins(12, 8, 12, 8)
        set_class(title, "muted")
        self.setTitleBarWidget(title)
        self.view = QUndoView(stack)
        self.view.setEmptyLabel(self.tr("As opened"))
        self.view.setAccessibleName(self.tr("Steps that can be undone"))
        self.view.setMinimumWidth(WIDTH)
        self.view.setWordWrap(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setResizeMode(QListView.ResizeMode.Adjust)
        self.setWidget(self.view)
        self.hide()

    def sizeHint(self) -> QSize:
        """Return no more room next to the page than the panel needs."""
        return QSize(WIDTH, super().sizeHint().height())
