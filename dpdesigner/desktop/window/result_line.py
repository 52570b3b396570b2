"""The line under the header: the result in plain words, following the mouse, and at its right what is pinned."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent, QTextDocumentFragment
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from dpdesigner.desktop.look.theme import set_class, theme

#: So large a part of the width, at most, is what is pinned.
_PINNED = 1 / 3
_BOLD = 1.06  # how much wider a text with bold parts is, about


class ResultLine(QWidget):
    """A sentence, in as many words as fit, and a chip with a cross."""

    compareRequested = Signal()  #: the chip was clicked
    unpinRequested = Signal()  #: its cross was

    def __init__(self) -> None:
        super().__init__()
        self._versions: Sequence[str] = ("",)
        self._pinned = ("", "")
        self.sentence = QLabel()
        self.sentence.setTextFormat(Qt.TextFormat.RichText)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.before, self.unpin = QToolButton(), QToolButton()
        for button in (self.before, self.unpin):
            set_class(button, "tab")
            button.setStyleSheet("padding: 4px 5px;")
        self.before.clicked.connect(self.compareRequested)
        self.unpin.setText("×")
        self.unpin.setToolTip(self.tr("Unpin (Ctrl+B)"))
        self.unpin.setAccessibleName(self.tr("Unpin"))
        self.unpin.clicked.connect(self.unpinRequested)
        self.chip = QFrame()
        set_class(self.chip, "pinned")
        inside = QHBoxLayout(self.chip)
        inside.setContentsMargins(8, 0, 4, 0)
        inside.setSpacing(0)
        inside.addWidget(self.before)
        inside.addWidget(self.unpin)
        self.chip.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        layout.addWidget(self.sentence, 1)
        layout.addWidget(self.chip)

    def set_sentence(self, versions: Sequence[str]) -> None:
        """Show a sentence of simple rich text, given in versions from long to short."""
        if versions != self._versions:
            self._versions = versions or ("",)
            self._fit()

    def set_pinned(self, text: str, short: str, tip: str) -> None:
        """Show what is pinned, in short where there is no room for more; or nothing."""
        self._pinned = (text, short)
        self.before.setToolTip(f"{text}\n{tip}")
        self.before.setAccessibleName(f"{text}. {tip}")
        self._fit()

    def _fit(self) -> None:
        text, short = self._pinned
        fits = self.before.fontMetrics().horizontalAdvance(text) <= self.width() * _PINNED
        self.before.setText(text if fits else short)
        taken = self.chip.sizeHint().width() + 16 if self.chip.isVisibleTo(self) else 0
        metrics = QFontMetrics(self.sentence.font())
        plain = [QTextDocumentFragment.fromHtml(version).toPlainText() for version in self._versions]
        fitting = [metrics.horizontalAdvance(words) * _BOLD <= self.width() - taken for words in plain]
        place = fitting.index(True) if any(fitting) else len(plain) - 1
        if self._versions[place] != self.sentence.text():
            self.sentence.setText(self._versions[place])
            self.sentence.setAccessibleName(plain[0])
        self.sentence.setToolTip("" if place == 0 and fitting[0] else plain[0])

    def restyle(self) -> None:
        """Take another size of text."""
        self.sentence.setFont(theme().font(10))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as the new width allows."""
        super().resizeEvent(event)
        self._fit()
