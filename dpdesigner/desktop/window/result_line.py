"""The line under the header: the result in plain words, following the mouse, and at its right what is pinned."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent, QTextDocumentFragment
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from dpdesigner.desktop.theme.theme import set_class, theme
from dpdesigner.desktop.widgets.base.layouts import row_of, sign

#: So large a part of the width, at most, is what is pinned.
_PINNED = 1 / 4
_BOLD = 1.06  # how much wider a text with bold parts is, about
_GAP = 16  # pixels between the sentence and the chip


class ResultLine(QWidget):
    """A sentence, in as many words as fit, and a chip with a cross.

    It has no layout: another sentence would ask all layouts above it for another size, frame after frame.
    """

    compareRequested = Signal()  #: the chip was clicked
    unpinRequested = Signal()  #: its cross was
    busyClicked = Signal()  #: the button beside what is under way was

    def __init__(self) -> None:
        super().__init__()
        self._versions: Sequence[str] = ("",)
        self._plain: Sequence[str] = ("",)
        self._pinned = ("", "", "")
        self._busy = ""
        self.sentence = QLabel(self)
        self.sentence.setTextFormat(Qt.TextFormat.RichText)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.stop = QPushButton(self)
        set_class(self.stop, "quiet")
        self.stop.setStyleSheet("padding: 4px 8px;")
        self.stop.clicked.connect(self.busyClicked)
        self.stop.hide()
        self.before = QToolButton()
        set_class(self.before, "tab")
        self.unpin = sign("×", self.tr("Unpin"), self.tr("Unpin (Ctrl+B)"), self.unpinRequested.emit)
        for button in (self.before, self.unpin):
            button.setStyleSheet("padding: 4px 5px;")
        self.before.clicked.connect(self.compareRequested)
        self.chip = QFrame(self)
        set_class(self.chip, "pinned")
        row_of(self.before, self.unpin, on=self.chip, margins=(8, 0, 4, 0), gap=0)
        self.chip.hide()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_sentence(self, versions: Sequence[str]) -> None:
        """Show a sentence of simple rich text, given in versions from long to short."""
        if versions != self._versions:
            self._versions = versions or ("",)
            self._plain = [QTextDocumentFragment.fromHtml(version).toPlainText() for version in self._versions]
            self._say()

    @property
    def busy(self) -> bool:
        """Whether something is under way that can be stopped or continued."""
        return not self.stop.isHidden()

    def set_busy(self, words: str, button: str) -> bool:
        """Offer a button for what is under way and say what that is, if anything; return whether that is new."""
        if (words, button) == (self._busy, self.stop.text()):
            return False
        self._busy = words
        self.stop.setText(button)
        self.stop.setVisible(bool(button))
        self._say()
        return True

    @property
    def pinned(self) -> bool:
        """Whether something is pinned."""
        return bool(self._pinned[0])

    def set_pinned(self, text: str, short: str, tip: str) -> bool:
        """Show what is pinned, in short where there is no room for more, or nothing; return whether that is new."""
        if (text, short, tip) == self._pinned:
            return False
        self._pinned = (text, short, tip)
        self.before.setToolTip(f"{text}\n{tip}")
        self.before.setAccessibleName(f"{text}. {tip}")
        self._place()
        return True

    def show_chip(self, on: bool) -> None:
        """Show what is pinned, or leave it away."""
        if on == self.chip.isHidden():
            self.chip.setVisible(on)
            self._place()

    def restyle(self) -> None:
        """Take another size of text."""
        self.sentence.setFont(theme().font(10))
        self.updateGeometry()
        self._place()

    def sizeHint(self) -> QSize:
        """Return the height of the sentence and of the chip, also while that is hidden."""
        return QSize(
            100,
            max(QFontMetrics(self.sentence.font()).height() + 4, self.chip.sizeHint().height(), self.stop.sizeHint().height()),
        )

    def minimumSizeHint(self) -> QSize:
        """Return the same as `sizeHint`."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as the new width allows."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        text, short, _ = self._pinned
        fits = self.before.fontMetrics().horizontalAdvance(text) <= self.width() * _PINNED
        self.before.setText(text if fits else short)
        size = self.chip.sizeHint()
        taken = 0 if self.chip.isHidden() else size.width() + _GAP
        self.chip.setGeometry(self.width() - size.width(), (self.height() - size.height()) // 2, size.width(), size.height())
        self.sentence.setGeometry(0, 0, max(self.width() - taken, 0), self.height())
        self._say()

    def _say(self) -> None:
        metrics, room, size = QFontMetrics(self.sentence.font()), self.sentence.width(), self.stop.sizeHint()
        plain, versions = self._plain, self._versions
        if self.busy:
            room -= size.width() + _GAP
            plain, versions = ([f"{words}  {self._busy}".strip() for words in told] for told in ((*plain, ""), (*versions, "")))
        widths = [metrics.horizontalAdvance(words) * _BOLD for words in plain]
        place = next((place for place, width in enumerate(widths) if width <= room), len(plain) - 1)
        self.stop.setGeometry(round(widths[place]) + 8, (self.height() - size.height()) // 2, size.width(), size.height())
        words, cut = versions[place], widths[place] > room
        if cut:  # not even the shortest fits
            words = escape(metrics.elidedText(plain[place], Qt.TextElideMode.ElideRight, room))
        if (words, plain[0]) != (self.sentence.text(), self.sentence.accessibleName()):
            self.sentence.setText(words)
            self.sentence.setAccessibleName(plain[0])
            self.sentence.setToolTip(plain[0] if place or cut else "")
