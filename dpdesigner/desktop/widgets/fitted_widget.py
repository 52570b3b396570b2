"""A widget that asks for the height that its wrapped content needs at its width."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget


class FittedWidget(QWidget):
    """A widget whose least height follows its width, so that no row covers another when text is large or the column narrow.

    Boxes ask a widget for its height at a width, but splitters and scroll areas for a least height only.
    """

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height needed at the width in force."""
        least = super().minimumSizeHint()
        return QSize(least.width(), max(least.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask again when the width is another."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
