"""A card: a white sheet with a heading that is a sentence, the field's word beside it in grey, and room for content."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine


class Card(QFrame):
    """A titled frame.

    Parameters
    ----------
    heading : str
        For newcomers: ``"What you believe"``.
    word : str
        The field's word: ``"prior"``.
    flexible : bool
        Whether its content makes do with any height from its least on, rather than with one that follows from the width.
    """

    def __init__(self, heading: str = "", word: str = "", *, flexible: bool = False) -> None:
        super().__init__()
        self._flexible = flexible
        set_class(self, "card")
        self._heading, self._word = QLabel(heading, self), ElidedLabel(self)
        set_class(self._heading, "heading")
        set_class(self._word, "muted")
        self.set_word(word)
        self._word.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.header = QHBoxLayout()
        self.header.setSpacing(8)
        self.header.addWidget(self._heading)
        self.header.addWidget(self._word, 1)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(12, 8, 12, 10)
        self.body.setSpacing(6)
        if heading:
            self.body.addLayout(self.header)
        else:
            self._heading.hide()
            self._word.hide()
        self.error = ErrorLine(self)  #: below the content
        self.setAccessibleName(heading)

    def hasHeightForWidth(self) -> bool:
        """Return whether a box must give it the height for its width."""
        return not self._flexible and super().hasHeightForWidth()

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height that the sentences need at the width in force."""
        least = super().minimumSizeHint()
        needed = self.body.totalMinimumHeightForWidth(self.width()) if self._flexible else 0
        return QSize(least.width(), max(least.height(), needed))

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        """Put a widget below what the card has."""
        self.body.removeWidget(self.error)
        self.body.addWidget(widget, stretch)
        self.body.addWidget(self.error)

    def set_heading(self, heading: str) -> None:
        """Change the heading."""
        if heading != self._heading.text():
            self._heading.setText(heading)
            self._heading.setToolTip(heading)
            self.setAccessibleName(heading)

    def set_word(self, word: str, *shorter: str) -> None:
        """Change the grey word; where it has no room a shorter one is shown, or none."""
        self._word.set_full_text(word, *shorter, "")

    def set_error(self, sentence: str) -> None:
        """Show one sentence below the content, or nothing."""
        self.error.set_sentence(sentence)
