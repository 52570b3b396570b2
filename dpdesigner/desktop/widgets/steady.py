"""A place of its own size for a text that changes under the mouse, so that nothing around it is laid out anew."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from dpdesigner.desktop.theme import set_class


class SteadyText(QWidget):
    """Holds a label without a layout: a label's new text asks all layouts above it for another size, frame after frame.

    Subclasses say how large the place is.
    """

    def __init__(self, style: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.set_style(style)

    def text(self) -> str:
        """Return what it says."""
        return self.label.text()

    def setText(self, text: str) -> None:
        """Say something else."""
        if text != self.label.text():
            self.label.setText(text)

    def set_style(self, style: str) -> None:
        """Show the text in the style of a class of the theme, such as ``"muted"`` or ``"error"``."""
        set_class(self.label, style)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the label all the room."""
        super().resizeEvent(event)
        self.label.setGeometry(self.rect())
