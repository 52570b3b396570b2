"""A label that shortens its text instead of forcing the window wider; the tooltip has all of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

#: Advances of texts in parts and as a whole differ by fractions of pixels.
SLACK = 4


def fitting(metrics: QFontMetrics, versions: Sequence[str], room: float) -> str:
    """Return the first of some versions, from long to short, that has room, or the last one cut at its end."""
    fits = (text for text in versions if metrics.horizontalAdvance(text) <= room)
    return next(fits, metrics.elidedText(versions[-1], Qt.TextElideMode.ElideRight, int(room)))


class ElidedLabel(QLabel):
    """One line of plain text; where there is no room, a shorter text if there is one, else the text cut at its end.

    Parameters
    ----------
    yields : bool
        Whether it takes only the room that others leave, rather than its share when room is short.
    """

    def __init__(self, parent: QWidget | None = None, *, yields: bool = True) -> None:
        super().__init__(parent)
        self._full = ""
        self._shorter: tuple[str, ...] = ()
        self._least = 0
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy.Policy.Ignored if yields else QSizePolicy.Policy.Preferred
        self.setSizePolicy(policy, QSizePolicy.Policy.Preferred)

    @property
    def full_text(self) -> str:
        """The text without the cut."""
        return self._full

    def set_full_text(self, text: str, *shorter: str) -> None:
        """Show a text, or the first of some shorter ones that has room; there is always room for the last of those."""
        if (text, shorter) != (self._full, self._shorter):
            self._full, self._shorter = text, shorter
            self.setAccessibleName(text)
            self.updateGeometry()
            self._elide()

    def keep(self, width: int) -> None:
        """Ask for so many pixels at least, or for what the text needs if that is less."""
        if width != self._least:
            self._least = width
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Ask for the whole text's width."""
        return QSize(self._needed(self._full), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Ask for the shortest text, or for what was to be kept if that is more."""
        shortest = self._needed(self._shorter[-1]) if any(self._shorter[-1:]) else 0
        return QSize(max(shortest, min(self._least, self.sizeHint().width())), super().minimumSizeHint().height())

    def _needed(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + self._around + SLACK

    def showEvent(self, event: QShowEvent) -> None:
        """Cut again: what Qt measured before may be of another font."""
        super().showEvent(event)
        self.setText("")
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut again."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Cut again in another font; what is hidden is cut when it is shown."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.isVisible():
            self._elide()

    @property
    def _around(self) -> int:
        """Width of margins, padding and border beside the text."""
        return max(2, super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text()))

    def _elide(self) -> None:
        shown = fitting(self.fontMetrics(), (self._full, *self._shorter), self.width() - self._around)
        self.setText(shown)
        self.setToolTip(self._full if shown != self._full else "")
