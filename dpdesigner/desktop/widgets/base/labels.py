"""Labels: texts that shorten themselves, read-outs under the mouse, and whole sentences that are gone while they are empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.desktop.widgets.base.controls import ValueBox
from dpdesigner.desktop.widgets.base.layouts import reveal
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies import plain_language


def chance(probability: float) -> str:
    """Return a probability in everyday words, such as ``1 in 12`` or ``67%``; empty where words add nothing."""
    return translated(plain_language.chance(probability))


def announce(widget: QWidget, sentence: str) -> None:
    """Have a sentence read out, if anything is there to read it; the focus stays where it is."""
    if sentence and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


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


class ReadOut(QWidget):
    """Holds a label without a layout: a label's new text asks all layouts above it for another size, frame after frame.

    Parameters
    ----------
    longest : str
        A sentence as long as they usually get, for which there is room at the width at hand; empty for a single line.
    style : str
        A class of the theme.
    parent : QWidget, optional
        The parent.
    """

    def __init__(self, longest: str = "", style: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._longest = longest
        self._versions: Sequence[str] = ("",)
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.set_style(style)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(bool(longest))
        self.setSizePolicy(policy)
        if longest:
            self.label.setWordWrap(True)
            self.label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def text(self) -> str:
        return self.label.text()

    def setText(self, *versions: str) -> None:
        """Say something; on a single line the first of some versions, from long to short, that fits, or the last one cut."""
        self._versions = versions
        self._fit()

    def set_style(self, style: str) -> None:
        """Show the text in the style of a class of the theme, such as ``"muted"`` or ``"error"``."""
        set_class(self.label, style)

    def hasHeightForWidth(self) -> bool:
        return bool(self._longest)

    def heightForWidth(self, width: int) -> int:
        metrics = self.label.fontMetrics()
        if not self._longest:
            return metrics.height() + 1
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft
        return metrics.boundingRect(QRect(0, 0, max(width, 1), 10_000), flags, self._longest).height() + 2

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(240))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.label.fontMetrics().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.label.setGeometry(self.rect())
        self._fit()

    def _fit(self) -> None:
        shown = self._versions[0]
        if not self._longest:
            shown = fitting(self.label.fontMetrics(), self._versions, self.width())
            tip = "" if shown in self._versions else self._versions[0]
            if tip != self.toolTip():
                self.setToolTip(tip)
        if shown != self.label.text():
            self.label.setText(shown)


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
        return self._with_button(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._with_button(super().minimumSizeHint())

    def _with_button(self, size: QSize) -> QSize:
        return size.expandedTo(QSize(0, self.fix.sizeHint().height())) if self._suggestion else size

    def resizeEvent(self, event: QResizeEvent) -> None:
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
