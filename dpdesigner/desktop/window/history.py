"""The history panel: every step since the document was opened, to go back and forth by a click."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QDockWidget, QLabel, QListView, QUndoView, QWidget

from dpdesigner.desktop.theme.theme import set_class

WIDTH = 180


class HistoryPanel(QDockWidget):
    """A panel at the window's right that stays docked; only its menu entry shows and hides it."""

    def __init__(self, stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("History"))
        self.setObjectName("history")
        self.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea)
        title = QLabel(self.windowTitle())  # Qt's own keeps the text size that it is first shown with
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
        """Take no more room beside the page than it needs."""
        return QSize(WIDTH, super().sizeHint().height())
