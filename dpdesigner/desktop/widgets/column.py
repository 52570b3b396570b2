"""A column of cards that scrolls only when there is not even room for the least that the cards need."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget


class ColumnLayout(QVBoxLayout):
    """A vertical layout that asks for its least height.

    A scroll area gives a widget whose layout's height depends on its width the height it would like best, and scrolls, where
    the cards could just as well be lower.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(10)
        self._asking = False

    def heightForWidth(self, width: int) -> int:
        """Return the least height at this width."""
        if self._asking:  # Qt computes the least height by way of this method
            return super().heightForWidth(width)
        self._asking = True
        try:
            return self.minimumHeightForWidth(width)
        finally:
            self._asking = False


def scrolling(column: QWidget) -> QScrollArea:
    """Return a scroll area around a column, without a frame or a ground of its own."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(column)
    area.viewport().setAutoFillBackground(False)
    column.setAutoFillBackground(False)
    return area
