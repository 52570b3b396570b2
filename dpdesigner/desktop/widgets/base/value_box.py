"""A text box for one value: it asks once, when the user has finished, and never loses what was typed."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from dpdesigner.desktop.theme.theme import set_state

_FRAME = 18  # pixels of padding and border that the style sheet adds


class ValueBox(QLineEdit):
    """A box that emits `committed` on Enter or when the focus leaves, if its text is another than the value it was given.

    Esc brings the given value back. A value given from outside while the user types waits until the typing is over, unless it
    is another one than before. A box that goes away while the user types asks for nothing: what it asked about may be gone.
    The box is as wide as its sample text.
    """

    hushed: ClassVar[bool] = False  #: whether nothing is wrong with any box: what would be is taken back

    committed = Signal(str)
    abandoned = Signal()  #: what was typed was taken back: with Esc, or since it is the given value again

    def __init__(self, sample: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sample = sample
        self._value = ""
        self._refused: str | None = None  # what stood in it when it was outlined
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.editingFinished.connect(self._commit)

    def show_value(self, text: str) -> None:
        """Show a value; nothing is emitted."""
        if text == self._value and self.text() != text and self.isModified() and self.hasFocus():
            return
        self._value = text
        self.setText(text)
        self.setCursorPosition(0)
        self.set_invalid(False)

    def enter(self, text: str) -> None:
        """Put a text into the box as if the user had typed it and pressed Enter."""
        self.setText(text)
        if text == self._value:
            self._take_back()
        else:
            self.committed.emit(text)

    def begin(self) -> None:
        """Take the focus, so that what is typed next replaces the value."""
        if self.isVisible():
            self.setFocus()
            self.selectAll()

    def give_up(self) -> None:
        """Bring the given value back if another one was typed."""
        if self.text() != self._value:
            self.setText(self._value)
            self._take_back()

    def set_invalid(self, invalid: bool) -> None:
        """Outline the box, or take the outline away; before an audience, bring the given value back instead."""
        if invalid and ValueBox.hushed:
            self.give_up()
            return
        self._refused = self.text() if invalid else None
        set_state(self, "invalid", invalid)

    def sizeHint(self) -> QSize:
        """Return room for the sample text."""
        width = self.fontMetrics().horizontalAdvance(self._sample) + _FRAME
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the same as `sizeHint`."""
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take back what was typed on Esc."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self._value:
            self.give_up()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Take back what was typed, before the focus leaves; a window that is minimized keeps it."""
        if self.hasFocus() and not event.spontaneous():
            self.give_up()
        super().hideEvent(event)

    def _take_back(self) -> None:
        self.set_invalid(False)
        self.abandoned.emit()

    @Slot()
    def _commit(self) -> None:
        if self.text() != self._value:
            self.committed.emit(self.text())
        elif self.property("invalid") and self.text() != self._refused:  # what is in force may be wrong itself
            self._take_back()
