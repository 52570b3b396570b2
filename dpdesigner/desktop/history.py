"""The history panel: every step since the document was opened, to go back and forth by a click."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QDockWidget, QUndoView, QWidget


class HistoryPanel(QDockWidget):
    """A panel at the window's right that stays docked; only its menu entry shows and hides it."""

    def __init__(self, stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("History"))
        self.setObjectName("history")
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea)
        self.view = QUndoView(stack)
        self.view.setEmptyLabel(self.tr("As opened"))
        self.view.setAccessibleName(self.tr("Steps that can be undone"))
        self.view.setMinimumWidth(180)
        self.setWidget(self.view)
        self.hide()
