"""A card: a white sheet with a heading that is a sentence, the field's word beside it in grey, and room for content."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel
from dpdesigner.desktop.widgets.base.layouts import column_of, row_of
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine

_ANY_HEIGHT = 16777215  # Qt's own largest
_KEPT = 16  # characters of a heading that there is always room for


class Heading(QLabel):
    """A heading on one line, cut at its end where there is no room for all of it, which the tooltip then says."""

    _whole = ""

    def set_words(self, text: str, whole: str) -> None:
        """Show a text; `whole` is what the tooltip says where that is more than can be read."""
        self._whole = whole
        self.setText(text)
        self._tell()

    def minimumSizeHint(self) -> QSize:
        """Ask for the room of a few words, or of all where they are fewer."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), _KEPT * self.fontMetrics().averageCharWidth()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have a tooltip where the text is cut."""
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint as much of the text as there is room for."""
        shown = self._fitting()
        if shown == self.text():
            super().paintEvent(event)
        else:
            painter = QPainter(self)
            painter.setFont(self.font())
            where, side = self.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            self.style().drawItemText(painter, where, side, self.palette(), self.isEnabled(), shown, self.foregroundRole())

    def _fitting(self) -> str:
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def _tell(self) -> None:
        self.setToolTip(self._whole if self._whole != self.text() or self._fitting() != self.text() else "")


class Card(QFrame):
    """A titled frame.

    Parameters
    ----------
    heading : str
        For newcomers: ``"Your belief"``.
    word : str
        The field's word: ``"prior"``.
    flexible : bool
        Whether its content makes do with any height from its least on, rather than with one that follows from the width.
    foldable : bool
        Whether it can be folded to one line that says what it holds.
    """

    unfoldWanted = Signal()  #: the user wants to see what a folded card holds

    def __init__(self, heading: str = "", word: str = "", *, flexible: bool = False, foldable: bool = False) -> None:
        super().__init__()
        self._flexible = flexible
        self._title, self._line, self.folded = heading, "", False
        self._highest = _ANY_HEIGHT
        set_class(self, "card")
        self._heading, self._word = Heading(self), ElidedLabel(self)
        self._heading.set_words(heading, heading)
        set_class(self._heading, "heading")
        set_class(self._word, "muted")
        self.set_word(word)
        self._word.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.header = row_of(self._heading, (self._word, 1), gap=8)
        self.body = column_of(on=self, margins=(12, 8, 12, 10), gap=6)
        self._content = QWidget(self) if foldable else None
        if heading:
            self.body.addLayout(self.header)
        else:
            self._heading.hide()
            self._word.hide()
        if self._content is not None:
            column_of(on=self._content, gap=6)
            self.body.addWidget(self._content, 1)
        self.error = ErrorLine(self)  #: below the content
        self.setAccessibleName(heading)

    @property
    def foldable(self) -> bool:
        """Whether it can be folded."""
        return self._content is not None

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
        inside = None if self._content is None else self._content.layout()
        self.body.removeWidget(self.error)
        (inside if isinstance(inside, QVBoxLayout) else self.body).addWidget(widget, stretch)
        self.body.addWidget(self.error)

    def set_heading(self, heading: str) -> None:
        """Change the heading."""
        if heading != self._title:
            self._title = heading
            self._show_heading()

    def set_line(self, line: str) -> None:
        """Say in one line what the card holds, for when it is folded."""
        if line != self._line:
            self._line = line
            self._show_heading()

    def set_highest(self, pixels: int) -> None:
        """Let the card be no higher than this; folded it takes one line all the same."""
        self._highest = pixels
        self.setMaximumHeight(_ANY_HEIGHT if self.folded else pixels)

    def set_folded(self, on: bool) -> None:
        """Show one line only, or everything."""
        if self._content is not None and on != self.folded:
            self.folded = on
            self._content.setHidden(on)
            policy = QSizePolicy.Policy.Maximum if on else QSizePolicy.Policy.Preferred
            self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)
            if self._highest < _ANY_HEIGHT:  # or else it would be filled up to that
                self.setMaximumHeight(_ANY_HEIGHT if on else self._highest)
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)
            inside = (part for part in self._content.findChildren(QWidget) if part.focusPolicy() & Qt.FocusPolicy.TabFocus)
            if on and (first := next(inside, None)) is not None:
                QWidget.setTabOrder(first, self)  # where Tab would come to what it holds
            self.setCursor(Qt.CursorShape.PointingHandCursor if on else Qt.CursorShape.ArrowCursor)
            self._show_heading()

    def _show_heading(self) -> None:
        whole = f"{self._title}: {self._line}" if self.folded and self._line else self._title
        self._heading.set_words(f"▸ {self._line or self._title}" if self.folded else self._title, whole)
        self.setAccessibleName(whole)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Unfold a folded card."""
        if self.folded and event.button() == Qt.MouseButton.LeftButton:
            self.unfoldWanted.emit()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Unfold a folded card."""
        if self.folded and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.unfoldWanted.emit()
        else:
            super().keyPressEvent(event)

    def set_word(self, word: str, *shorter: str) -> None:
        """Change the grey word; where it has no room a shorter one is shown, or none."""
        self._word.set_full_text(word, *shorter, "")

    def set_error(self, sentence: str) -> None:
        """Show one sentence below the content, or nothing."""
        self.error.set_sentence(sentence)
