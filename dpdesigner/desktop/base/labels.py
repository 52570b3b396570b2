"""Labels: texts that shorten themselves, read-outs under the mouse, and whole sentences that are gone while they are empty."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetrics, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget
from shiboken6 import isValid

from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.base.layouts import reveal
from dpdesigner.desktop.base.theme import set_class
from dpdesigner.desktop.base.translation import translated
from dpdesigner.errors import Cancelled, InputError
from dpdesigner.studies import plain_language


def chance(probability: float) -> str:
    """Return a probability in everyday words, like ``1 in 12`` or ``67%``; empty if words add nothing."""
    return translated(plain_language.chance(probability))


def announce(widget: QWidget, sentence: str) -> None:
    """Announce a sentence to screen readers, if any are running; the focus stays where it is."""
    if sentence and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


_NEGATIVE, _NUMBER = re.compile(r"[-\N{MINUS SIGN}][\d./]+"), re.compile(r"[-\d./]+$")
_SHORT = 9  # characters of a kept value that a button has room for
#: Advances of texts in parts and as a whole differ by fractions of pixels.
SLACK = 4


def fitting(metrics: QFontMetrics, versions: Sequence[str], room: float) -> str:
    """Return the first of some versions, from long to short, that fits, or the last one elided."""
    fits = (text for text in versions if metrics.horizontalAdvance(text) <= room)
    return next(fits, metrics.elidedText(versions[-1], Qt.TextElideMode.ElideRight, int(room)))


class ElidedLabel(QLabel):
    """One line of plain text; where there is no room, a shorter text if there is one, otherwise the text elided.

    Parameters
    ----------
    yields : bool
        Whether it takes only the room that others leave, rather than its share when room is short.
    """

    def __init__(self, parent: QWidget | None = None, *, yields: bool = True) -> None:
        super().__init__(parent)
        self._full = self._tip = ""
        self._shorter: tuple[str, ...] = ()
        self._least = 0
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy.Policy.Ignored if yields else QSizePolicy.Policy.Preferred
        self.setSizePolicy(policy, QSizePolicy.Policy.Preferred)

    @property
    def full_text(self) -> str:
        """The full text, not elided."""
        return self._full

    def set_full_text(self, text: str, *shorter: str) -> None:
        """Show a text, or the first of some shorter ones that fits; there is always room for the last of those."""
        if (text, shorter) != (self._full, self._shorter):
            self._full, self._shorter = text, shorter
            self.setAccessibleName(text)
            self.updateGeometry()
            self._elide()

    def set_tip(self, words: str) -> None:
        """Show a tooltip in place of the full text."""
        self._tip = words
        self.setToolTip(words)

    def keep(self, width: int) -> None:
        """Request at least this many pixels, or as many as the text needs if that is less."""
        if width != self._least:
            self._least = width
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._needed(self._full), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Request the width of the shortest text, or the width to keep if that is larger."""
        shortest = self._needed(self._shorter[-1]) if any(self._shorter[-1:]) else 0
        return QSize(max(shortest, min(self._least, self.sizeHint().width())), super().minimumSizeHint().height())

    def _needed(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + self._around + SLACK

    def showEvent(self, event: QShowEvent) -> None:
        """Elide again: Qt may have measured the text in another font."""
        super().showEvent(event)
        self.setText("")
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Elide again in another font; a hidden label waits until it is shown."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.isVisible():
            self._elide()

    @property
    def _around(self) -> int:
        """Width of margins, padding and border around the text."""
        return max(2, super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text()))

    def _elide(self) -> None:
        shown = fitting(self.fontMetrics(), (self._full, *self._shorter), self.width() - self._around)
        self.setText(shown)
        self.setToolTip(self._tip or (self._full if shown != self._full else ""))


class FigureLabel(QWidget):
    """A number that may change in every frame: the layouts above it recompute only if it gets longer or shorter.

    Parameters
    ----------
    style : str
        A class of the theme.
    """

    def __init__(self, style: str) -> None:
        super().__init__()
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._room = QSize()
        set_class(self._label, style)

    def text(self) -> str:
        return self._label.text()

    def setText(self, text: str) -> None:
        self._label.setText(text)
        self._measure()

    def _measure(self) -> None:
        if self.sizeHint() != self._room:
            self._room = self.sizeHint()
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Notice another font of the label, which asks for its room then."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._measure()
        return super().event(event)

    def sizeHint(self) -> QSize:
        """Return the room of the text, with a zero for each digit: a change of digits changes nothing."""
        advance, text = self._label.fontMetrics().horizontalAdvance, self._label.text()
        digits = re.sub(r"\d", "0", text)
        return self._label.sizeHint() + QSize(advance(digits) - advance(text), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label.setGeometry(self.rect())


class ReadOut(QWidget):
    """A label outside any layout: otherwise each new text would make all layouts above it recompute, frame after frame.

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
        """Show a text; on a single line the first of some versions, from long to short, that fits, or the last one elided."""
        self._versions = versions
        self._fit()

    def set_style(self, style: str) -> None:
        """Show the text in the style of a class of the theme, like ``"muted"`` or ``"error"``."""
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


_GAP = 8  # pixels before the fix button
_LEAST_WIDTH = 90  # pixels for a sentence next to a button


class SentenceLabel(QLabel):
    """A wrapped line of text in the style of a class of the theme, like ``"small"`` or ``"error"``.

    Where room is short it is elided to one line, and the tooltip has all of it.
    """

    _full = ""  #: the whole sentence
    _more = ""  #: what the tooltip says if the sentence is only a summary

    def __init__(self, style: str, parent: QWidget | None = None, *, short: bool = False) -> None:
        super().__init__(parent)
        self._short = False
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        set_class(self, style)
        self.set_short(short)
        self.hide()

    @property
    def full_text(self) -> str:
        """The whole sentence, also while it is cut."""
        return self._full

    def set_short(self, on: bool) -> None:
        """Show one line, or all lines that the sentence needs."""
        if on != self._short:
            self._short = on
            self.setWordWrap(not on)
            across = QSizePolicy.Policy.Ignored if on else QSizePolicy.Policy.Preferred
            self.setSizePolicy(across, QSizePolicy.Policy.Preferred)
            policy = self.sizePolicy()
            policy.setHeightForWidth(not on)
            self.setSizePolicy(policy)
            self._cut()

    def set_sentence(self, text: str, style: str = "") -> None:
        """Show a text as a sentence, in another style if one is named; hide the label if the text is empty."""
        if style:
            set_class(self, style)
        self._full = as_sentence(text)
        self._cut()
        self.setVisible(bool(text))

    def _cut(self) -> None:
        """Show as much of the sentence as there is room for."""
        shown = self._full
        if self._short:
            shown = self.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, self.contentsRect().width() - 1)
        if shown != self.text():
            self.setText(shown)
        whole = self._more or self._full
        if self.toolTip() != (tip := whole if shown != whole else ""):
            self.setToolTip(tip)
            self.setAccessibleName(tip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._short:
            self._cut()

    def clear(self) -> None:
        if self._full:
            self.set_sentence("")


def _helpful(suggestion: str, box: ValueBox) -> tuple[str, bool]:
    """Return what to offer for the text of a box, and whether that is the value in force.

    Nobody who types a negative number means the nearest allowed one; nor 1e-9 by 0, nor one number by several; and who types 5
    where percentages stand means 5%.
    """
    typed = box.text().strip()
    if box.value.endswith("%") and _NUMBER.fullmatch(typed) and "%" in suggestion:
        return f"{typed}%", False
    odd = _NEGATIVE.match(typed) or "e-" in suggestion or ("," in typed and _NUMBER.match(suggestion))
    if suggestion and (not odd or suggestion == typed.replace(",", ".")):  # 0,3 is 0.3
        return suggestion, False
    return (box.value, True) if box.value != box.text() else ("", False)


class ErrorLine(SentenceLabel):
    """The error of an input, with a button that enters a valid value if there is an obvious one."""

    said = Signal(bool)  #: whether an error is shown now
    refuses = False  #: the same, as last told

    field: QWidget | None = None  #: gets the focus when a remedy was chosen, since the button goes

    _suggestion = ""  #: what the button enters; empty while it is hidden

    def __init__(self, parent: QWidget | None = None, *, short: bool = False) -> None:
        """Make a line that wraps as needed or, if `short`, is elided to one line; the tooltip has all of it."""
        super().__init__("error", parent, short=short)
        self._box: ValueBox | None = None
        self._remedy: Callable[[], object] | None = None  # what the button calls if the error belongs to no box
        self.fix = QPushButton(self)
        self.fix.setAutoDefault(False)
        self.fix.setStyleSheet("padding: 4px 6px;")
        self.fix.clicked.connect(self._fix)
        self.fix.hide()

    @staticmethod
    def hush(on: bool, window: QWidget) -> None:
        """While presenting, hide errors of inputs and discard unfinished typing; otherwise show errors again."""
        ValueBox.hushed = on
        if on:
            for box in window.findChildren(ValueBox):
                box.give_up()
            for line in window.findChildren(ErrorLine):
                line.clear()

    def set_error(self, error: InputError, box: ValueBox | None = None, words: str = "") -> None:
        """Show an error, or a shorter text for it, and outline the box it belongs to.

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
        self._offer(*("", False) if box is None else _helpful(error.suggestion, box))
        super().set_sentence(words or str(error), "error")
        self._take_whole(str(error))
        self._tell(True)
        QTimer.singleShot(0, self, self._reveal)  # once the line has its place

    @contextmanager
    def saying(self) -> Iterator[None]:
        """Show the error that rejects an input in the block, until it is dismissed; show nothing if the user cancelled."""
        try:
            yield
        except Cancelled:
            pass
        except InputError as error:
            self.set_remedy(str(error), self.tr("Keep"), self.clear)

    def set_remedy(self, sentence: str, text: str, call: Callable[[], object], style: str = "error") -> None:
        """Show an error, or a note in another style, with a button of this text that calls the fix; none for an empty text."""
        if style == "error":
            self.set_error(InputError(sentence))
        else:
            self.set_sentence(sentence, style)
        if not ValueBox.hushed:
            self._remedy = call
            self._offer(text)
            self.fix.setText(text)
            self.fix.setAccessibleName(text)
            self._make_room()

    def set_sentence(self, text: str, style: str = "error") -> None:
        """Show a text as a sentence that belongs to no box and offers nothing; hide the label if the text is empty."""
        if ValueBox.hushed:
            text = ""
        if self._box is not None and isValid(self._box):
            self._box.set_invalid(False)
        self._offer("")
        super().set_sentence(text, style)
        self._take_whole(text)
        self._tell(bool(text) and style == "error")

    def clear(self) -> None:
        if self._full or self._box is not None:
            self.set_sentence("")

    def _tell(self, on: bool) -> None:
        if on != self.refuses:
            self.refuses = on
            self.said.emit(on)

    def _take_whole(self, text: str) -> None:
        if text and not self.isVisible():
            self._ask_for_room()
        self._more = as_sentence(text)
        self.setAccessibleDescription(self._more)
        self._cut()
        self._make_room()

    def _ask_for_room(self) -> None:
        """Ask the parents to unfold a folded card, which gets no events about its hidden contents."""
        around = self.parentWidget()
        while around is not None:
            QCoreApplication.postEvent(around, QEvent(QEvent.Type.LayoutRequest))
            around = around.parentWidget()

    def _offer(self, suggestion: str, kept: bool = False) -> None:
        """Offer to enter a value, which is the one in force if it is to be `kept`; nothing if it is empty."""
        self._remedy = self._remedy if suggestion else None
        cut = kept and len(suggestion) > _SHORT
        words = self.tr("Keep previous") if cut else self.tr("Keep {value}") if kept else self.tr("Use {value}")
        words = words.format(value=suggestion)
        if suggestion == self._suggestion and words == self.fix.text():
            return
        self._suggestion = suggestion
        self.fix.setText(words)
        self.fix.setToolTip(suggestion if cut else "")
        self.fix.setAccessibleName(self.tr("Fix: {words}").format(words=words[:1].lower() + words[1:]))
        self.fix.setVisible(bool(suggestion))

    def _heights(self, width: int) -> tuple[int, int]:
        """Return the height that sentence and button take side by side, and that which they take below each other."""
        now, size, text = self.contentsMargins(), self.fix.sizeHint(), super().heightForWidth
        below = text(width + now.right()) - now.bottom() + _GAP // 2 + size.height()
        left = width - size.width() - _GAP
        if left < _LEAST_WIDTH:  # for less than a word, Qt's height depends on the margins that are there
            return below + 1, below
        return max(text(left + now.right()) - now.bottom(), size.height()), below

    def _make_room(self) -> None:
        """Put the button next to the sentence, or below it if that takes less height."""
        if not self._suggestion:
            self.setContentsMargins(0, 0, 0, 0)
            return
        size, (beside, below) = self.fix.sizeHint(), self._heights(self.width())
        right, bottom = (size.width() + _GAP, 0) if beside <= below else (0, size.height() + _GAP // 2)
        self.setContentsMargins(0, 0, right, bottom)
        x, y = (self.width() - size.width(), 0) if right else (0, self.height() - size.height())
        self.fix.setGeometry(x, y, size.width(), size.height())

    def changeEvent(self, event: QEvent) -> None:
        """Make room for the button in another text size; the button gets the event first."""
        super().changeEvent(event)
        if self._suggestion and event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._make_room()

    def heightForWidth(self, width: int) -> int:
        return min(self._heights(width)) if self._suggestion else super().heightForWidth(width)

    def sizeHint(self) -> QSize:
        return self._with_button(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return self._with_button(super().minimumSizeHint())

    def _with_button(self, size: QSize) -> QSize:
        return size.expandedTo(QSize(0, self.fix.sizeHint().height())) if self._suggestion else size

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._make_room()
        super().resizeEvent(event)

    @Slot()
    def _reveal(self) -> None:
        """Scroll to the sentence."""
        reveal(self, 0, _GAP)

    @Slot()
    def _fix(self) -> None:
        remedy, self._remedy = self._remedy, None
        if remedy is not None:
            if self.field is not None:
                self.field.setFocus()  # otherwise the next card gets the focus, and unfolds
            self.clear()
            remedy()
        elif self._box is not None and isValid(self._box):
            suggestion = self._suggestion
            self._box.setFocus()  # the button disappears with the error
            self._box.enter(suggestion)


def as_sentence(text: str) -> str:
    """Return a text with a capital letter at its start, unless it starts with a symbol like n or a file name."""
    first = text.partition(" ")[0].rstrip(".,:;")
    return text if len(first) == 1 or "." in first else text[:1].upper() + text[1:]
