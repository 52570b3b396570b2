"""Labels for whole sentences: wrapped, never cut off, and gone while they are empty; errors with what mends them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.column import reveal
from dpdesigner.desktop.widgets.base.value_box import ValueBox
from dpdesigner.errors import Cancelled, InputError

_GAP = 8  # pixels before the button that mends


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


class ErrorLine(SentenceLabel):
    """The error of an input; if a valid value is clear, with a button that enters it."""

    _suggestion = ""  #: what the button puts there; empty while it is hidden
    _full = ""  #: the whole sentence

    def __init__(self, parent: QWidget | None = None, *, short: bool = False) -> None:
        """Make a line that takes as many lines as it needs, or, `short`, one, cut at its end; the tooltip has all of it."""
        super().__init__("error", parent)
        self._short = short
        if short:
            self.setWordWrap(False)
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._box: ValueBox | None = None
        self._remedy: Callable[[], object] | None = None  # what the button calls, where it is for no box
        self.fix = QPushButton(self)
        self.fix.setAutoDefault(False)
        self.fix.setStyleSheet("padding: 4px 6px;")
        self.fix.clicked.connect(self._fix)
        self.fix.hide()

    @staticmethod
    def hush(on: bool, window: QWidget) -> None:
        """Before an audience say nothing of what is wrong with an input, and take back what is being typed; or say it again."""
        ValueBox.hushed = on
        if on:
            for box in window.findChildren(ValueBox):
                box.give_up()
            for line in window.findChildren(ErrorLine):
                line.clear()

    def set_error(self, error: InputError, box: ValueBox | None = None, words: str = "") -> None:
        """Say what is wrong, or fewer words than the error has, and outline the box it belongs to.

        Its suggestion, if any, is offered for that box. What was typed there and is taken back takes the error with it.
        """
        if box is not None:
            box.set_invalid(True)
        if ValueBox.hushed:
            return
        if box is not self._box:
            if self._box is not None and isValid(self._box):
                self._box.abandoned.disconnect(self.clear)
            if box is not None:
                box.abandoned.connect(self.clear)
                QWidget.setTabOrder(box, self.fix)
            self._box = box
        self._offer(error.suggestion if box is not None else "")
        super().set_sentence(words or str(error))
        self._take_whole(str(error))
        QTimer.singleShot(0, self, self._reveal)  # once it has its place

    @contextmanager
    def saying(self) -> Iterator[None]:
        """Say what is refused inside; of what the user gave up there is nothing to say."""
        try:
            yield
        except Cancelled:
            pass
        except InputError as error:
            self.set_error(error)

    def set_remedy(self, sentence: str, text: str, call: Callable[[], object]) -> None:
        """Say what is wrong, with a button of this text that calls what mends it."""
        self.set_error(InputError(sentence))
        if not ValueBox.hushed:
            self._remedy = call
            self._offer(text)
            self.fix.setText(text)
            self.fix.setAccessibleName(text)

    def set_sentence(self, text: str, style: str = "") -> None:
        """Show a text as a sentence that is about no box, with nothing to offer; hide when there is none."""
        if ValueBox.hushed:
            text = ""
        if self._box is not None and isValid(self._box):
            self._box.set_invalid(False)
        self._offer("")
        super().set_sentence(text, style)
        self._take_whole(text)

    def _take_whole(self, text: str) -> None:
        self._full = self.text()
        if text and not self.isVisible():
            self._ask_for_room()
        self.setAccessibleDescription(as_sentence(text))
        self.setToolTip(as_sentence(text) if self._short else "")
        self._cut()

    def _ask_for_room(self) -> None:
        """Tell what is around a folded card, which hears nothing of what is hidden in it, that it shall unfold."""
        around = self.parentWidget()
        while around is not None:
            QCoreApplication.postEvent(around, QEvent(QEvent.Type.LayoutRequest))
            around = around.parentWidget()

    def _cut(self) -> None:
        """Show as much of the sentence as one line holds."""
        if self._short and self._full:
            room = self.contentsRect().width()
            self.setText(self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, room))

    def _offer(self, suggestion: str) -> None:
        self._remedy = self._remedy if suggestion else None
        if suggestion == self._suggestion:
            return
        self._suggestion = suggestion
        self.fix.setText(self.tr("Use {value}").format(value=suggestion))
        self.fix.setAccessibleName(self.tr("Fix: use {value}").format(value=suggestion))
        self.fix.setVisible(bool(suggestion))
        self._make_room()

    def _make_room(self) -> None:
        self.setContentsMargins(0, 0, self.fix.sizeHint().width() + _GAP if self._suggestion else 0, 0)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        """Make room for a button of another size of text, which hears of it first."""
        super().changeEvent(event)
        if self._suggestion and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._make_room()

    def _place(self) -> None:
        size = self.fix.sizeHint()
        self.fix.setGeometry(self.width() - size.width(), 0, size.width(), size.height())

    def heightForWidth(self, width: int) -> int:
        """Return the height of the sentence beside the button, and the button's at least."""
        return max(super().heightForWidth(width), self.fix.sizeHint().height() if self._suggestion else 0)

    def sizeHint(self) -> QSize:
        """Return the size of the sentence, and the height of the button at least."""
        return self._with_button(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        """Return the least size of the sentence, and the height of the button at least."""
        return self._with_button(super().minimumSizeHint())

    def _with_button(self, size: QSize) -> QSize:
        return size.expandedTo(QSize(0, self.fix.sizeHint().height())) if self._suggestion else size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the button at the right."""
        self._place()
        super().resizeEvent(event)
        self._cut()

    @Slot()
    def _reveal(self) -> None:
        """Scroll to the sentence."""
        reveal(self, 0, _GAP)

    @Slot()
    def _fix(self) -> None:
        remedy, self._remedy = self._remedy, None
        if remedy is not None:
            self.clear()
            remedy()
        elif self._box is not None and isValid(self._box):
            suggestion = self._suggestion
            self._box.setFocus()  # the button goes with the error
            self._box.enter(suggestion)


def as_sentence(text: str) -> str:
    """Return a text with a capital at its beginning, unless it begins with a symbol such as n or with the name of a file."""
    first = text.partition(" ")[0].rstrip(".,:;")
    return text if len(first) == 1 or "." in first else text[:1].upper() + text[1:]
