"""A label for whole sentences: wrapped, never cut off, and gone while it is empty."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from dpdesigner.desktop.theme import set_class


class SentenceLabel(QLabel):
    """A wrapped line of text in the style of a class of the theme, such as ``"small"`` or ``"error"``."""

    def __init__(self, style: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        set_class(self, style)
        self.hide()

    def set_sentence(self, text: str, style: str = "") -> None:
        """Show a text as a sentence, in another style if one is named; hide when there is none."""
        if style:
            set_class(self, style)
        self.setText(as_sentence(text))
        self.setVisible(bool(text))

    def clear(self) -> None:
        """Show nothing."""
        self.set_sentence("")


def as_sentence(text: str) -> str:
    """Return a text with a capital at its beginning, unless it begins with a symbol such as n or with the name of a file."""
    first = text.partition(" ")[0].rstrip(".,:;")
    return text if len(first) == 1 or "." in first else text[:1].upper() + text[1:]
