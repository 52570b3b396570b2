"""A card: a white sheet with a sentence as its heading, the technical term in grey next to it, and room for content."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from dpdesigner.desktop.base.labels import ElidedLabel, ErrorLine
from dpdesigner.desktop.base.layouts import column_of, reveal, row_of
from dpdesigner.desktop.base.theme import set_class

_ANY_HEIGHT = 16777215  # Qt's own largest
_KEPT = 16  # characters of a heading that always fit


class Heading(QLabel):
    """A heading on one line, elided where there is no room for all of it; the tooltip then has the full text."""

    _whole = _short = ""

    def set_words(self, text: str, whole: str, short: str = "") -> None:
        """Show a text, or a short one where it does not fit; `whole` is the tooltip then."""
        self._whole, self._short = whole, short
        self.setText(text)
        self._tell()

    def minimumSizeHint(self) -> QSize:
        """Request room for a few words, or for all of them if they are fewer."""
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), _KEPT * self.fontMetrics().averageCharWidth()), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown_text()
        if shown == self.text():
            super().paintEvent(event)
        else:
            painter = QPainter(self)
            painter.setFont(self.font())
            where, side = self.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            self.style().drawItemText(painter, where, side, self.palette(), self.isEnabled(), shown, self.foregroundRole())

    def shown_text(self) -> str:
        """Return the text, its short form, or the part of it that fits."""
        text, metrics, width = self.text(), self.fontMetrics(), self.contentsRect().width()
        text = self._short if self._short and metrics.horizontalAdvance(text) > width else text
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)

    def _tell(self) -> None:
        self.setToolTip(self._whole if self._whole != self.text() or self.shown_text() != self.text() else "")


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
    foldWanted = Signal()  #: the user has seen enough of a card that they opened

    def __init__(self, heading: str = "", word: str = "", *, flexible: bool = False, foldable: bool = False) -> None:
        super().__init__()
        self._flexible = flexible
        self._title, self._line, self._short_line, self.folded = heading, "", "", False
        self.closed = False  #: whether it stays folded until the user opens it, even where there is room
        self.unfolded = False  #: whether the user opened it, and can fold it again by its heading
        self._highest = _ANY_HEIGHT
        set_class(self, "card")
        self.setProperty("aside", bool(heading))  # a card with tabs has the result, and an edge
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
        """Whether the card can be folded."""
        return self._content is not None

    def hasHeightForWidth(self) -> bool:
        return not self._flexible and super().hasHeightForWidth()

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the height that the sentences need at the current width."""
        least = super().minimumSizeHint()
        needed = self.body.totalMinimumHeightForWidth(self.width()) if self._flexible else 0
        return QSize(least.width(), max(least.height(), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._flexible and event.size().width() != event.oldSize().width():
            self.updateGeometry()  # the least height follows the width

    def add(self, widget: QWidget, stretch: int = 0) -> None:
        inside = None if self._content is None else self._content.layout()
        self.body.removeWidget(self.error)
        (inside if isinstance(inside, QVBoxLayout) else self.body).addWidget(widget, stretch)
        self.body.addWidget(self.error)

    def set_heading(self, heading: str) -> None:
        if heading != self._title:
            self._title = heading
            self._show_heading()

    def set_line(self, line: str, short: str = "") -> None:
        """Set the one-line summary that the card shows when folded, and a shorter one."""
        if line != self._line:
            self._line, self._short_line = line, short
            self._show_heading()

    def set_highest(self, pixels: int) -> None:
        """Limit the height of the card; when folded, it still takes one line."""
        self._highest = pixels
        self.setMaximumHeight(_ANY_HEIGHT if self.folded else pixels)

    def hold(self, on: bool) -> None:
        """Fix the height as it is now, or let the layout decide it again."""
        self.setMinimumHeight(self.height() if on else 0)
        self.setMaximumHeight(self.height() if on else _ANY_HEIGHT if self.folded else self._highest)

    def set_folded(self, on: bool) -> None:
        """Show only one line, or everything."""
        if self._content is not None and on != self.folded:
            self.folded = on
            self._content.setHidden(on)
            policy = QSizePolicy.Policy.Maximum if on else QSizePolicy.Policy.Preferred
            self.setSizePolicy(QSizePolicy.Policy.Preferred, policy)
            if self._highest < _ANY_HEIGHT:  # otherwise it would be stretched to that height
                self.setMaximumHeight(_ANY_HEIGHT if on else self._highest)
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)
            inside = (part for part in self._content.findChildren(QWidget) if part.focusPolicy() & Qt.FocusPolicy.TabFocus)
            if on and (first := next(inside, None)) is not None:
                QWidget.setTabOrder(first, self)  # at the position of its contents in the Tab order
            self.setCursor(Qt.CursorShape.PointingHandCursor if on else Qt.CursorShape.ArrowCursor)
            self.unfolded = self.unfolded and not on
            self._show_heading()

    def _show_heading(self) -> None:
        line = self._line if self.folded and self._line else self._title
        whole = line if line.startswith(self._title) else f"{self._title}: {line}"
        sign = "▸ " if self.folded else "▾ " if self.unfolded else ""
        self._heading.set_words(sign + line, whole, sign + self._short_line if self.folded and self._short_line else "")
        self._word.set_full_text(*(self._word_forms[-1:] if self.folded else self._word_forms), "")
        self.setAccessibleName(whole)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self.folded:
            self.unfoldWanted.emit()
        elif left and self.unfolded and event.position().y() <= self.header.geometry().bottom():
            self.foldWanted.emit()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pressed = self.hasFocus() and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if pressed and self.folded:
            self.unfoldWanted.emit()
        elif pressed and self.unfolded:
            self.foldWanted.emit()
        else:
            super().keyPressEvent(event)

    def set_word(self, word: str, *shorter: str) -> None:
        """Change the grey word; if it does not fit, a shorter one is shown, or none; a folded card shows the shortest."""
        self._word_forms = word, *shorter
        self._show_heading()

    def set_error(self, sentence: str) -> None:
        """Show one sentence below the content, or nothing."""
        self.error.set_sentence(sentence)


class Disclosure(QPushButton):
    """A link that shows and hides what is less important; `toggled` says so.

    Parameters
    ----------
    tip : str
    """

    def __init__(self, tip: str = "") -> None:
        super().__init__()
        set_class(self, "link")
        self.setCheckable(True)
        self.setToolTip(tip)
        self.hide()

    def offer(self, more: str, less: str = "") -> None:
        """Say what can be shown, and what hides it again; offer nothing if there is nothing to show."""
        text = f"▾ {less or more}" if self.isChecked() else f"▸ {more}"
        if text != self.text():
            self.setText(text)
        if bool(more) == self.isHidden():
            self.setVisible(bool(more))


class GivesWay(Protocol):
    """A part that can shrink."""

    def set_folded(self, on: bool) -> None:
        """Shrink, or take all the room that the part wants."""
        ...


class Folding(QObject):
    """A filter that keeps one column within its visible part: its parts give way in turn.

    A click on a folded card, or Space, unfolds it; another gives way then, if possible one below it. What is above it stays as it
    is until the mouse leaves the column. The card that was used last, a card that holds the focus or the mouse and a card with an
    error never fold, and while there is an error nothing else folds: the column scrolls. A `closed` card stays folded until it is
    opened, whatever the room.

    Parameters
    ----------
    column : QWidget
        With a `ColumnLayout`, in a scroll area; where it shares that with another column, nothing is folded.
    parts : sequence of Card or GivesWay
        What gives way, in this order at first; cards that cannot be folded are left out.
    """

    def __init__(self, column: QWidget, parts: Sequence[GivesWay]) -> None:
        super().__init__(column)
        self._column = column
        self._order = [part for part in parts if not isinstance(part, Card) or part.foldable]
        self._first = {part: _closed(part) for part in self._order}
        self._folded: list[GivesWay] = []
        self._tried: dict[GivesWay, tuple[int, int]] = {}  # the needed height and the room with which it could not unfold
        self._packed = (0, 0)  # the needed height and the room at the last choice
        self._on, self._settling = True, False
        self._seen: QWidget | None = None
        self._last_used: GivesWay | None = None
        self._held: list[Card] = []  # the cards above one that was opened by the mouse
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._settle)
        column.installEventFilter(self)
        for part in parts:
            if isinstance(part, Card):
                part.unfoldWanted.connect(partial(self._unfold, part))
                part.foldWanted.connect(partial(self._close, part))
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._note)

    def set_on(self, on: bool) -> None:
        """Fold when room is short, or never."""
        self._on = on
        self._soon.start()

    def begin(self) -> None:
        """Fold what folds at first, whatever was opened and closed since."""
        for part in list(self._folded):
            self._set(part, False)
        for part, closed in self._first.items():
            if isinstance(part, Card):
                part.closed, part.unfolded = closed, False
        self._release()
        self._order, self._last_used = list(self._first), None
        self._tried.clear()
        self._settle()

    @property
    def folded(self) -> Sequence[GivesWay]:
        """The card that folds now."""
        return self._folded

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit again when the column requests or gets another height, and when the mouse has left it."""
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Hide) and watched is self._column:
            self._release()
        kinds = (QEvent.Type.LayoutRequest, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Leave)
        if event.type() in kinds and not self._settling:
            self._soon.start()
        return False

    @Slot(QWidget, QWidget)
    def _note(self, old: QWidget | None, new: QWidget | None) -> None:
        """Mark the card in use. The least recently used card folds first."""
        for part in self._order:
            if isinstance(part, Card) and new is not None and part.isAncestorOf(new):
                self._use(part)
                return

    def _use(self, part: GivesWay) -> None:
        if part in self._order:
            if part is not self._last_used and not self._column.underMouse():
                self._release()
            self._order.remove(part)
            self._order.append(part)
            self._last_used = part

    def _close(self, part: Card) -> None:
        part.closed = True
        self._release()
        self._last_used = None
        self._set(part, True)
        self._settle()

    def _unfold(self, part: Card) -> None:
        part.unfolded = True
        self._release()
        self._use(part)
        if self._column.underMouse():
            cards = self._column.findChildren(Card, options=Qt.FindChildOption.FindDirectChildrenOnly)
            self._held = [card for card in cards if card.isVisible() and self._top(card) < self._top(part)]
            for card in self._held:
                card.hold(True)
        self._open(part)
        self._settle()
        part.setFocus()
        QTimer.singleShot(50, part, partial(reveal, part))  # once the column has its new height

    def _release(self) -> None:
        for card in self._held:
            card.hold(False)
        self._held = []

    def _top(self, part: GivesWay | None) -> int:
        return part.mapTo(self._column, QPoint()).y() if isinstance(part, QWidget) else 0

    def _open(self, part: GivesWay) -> None:
        if isinstance(part, Card):
            part.closed = False
        self._use(part)
        self._set(part, False)

    def _set(self, part: GivesWay, on: bool) -> None:
        if on:
            self._folded.append(part)
        else:
            self._folded.remove(part)
        part.set_folded(on)
        self._flush()
        for child in self._column.findChildren(QFrame, options=Qt.FindChildOption.FindDirectChildrenOnly):
            child.updateGeometry()  # the column was not notified of changes deeper inside

    def _needed(self) -> int:
        layout = self._column.layout()
        if layout is None:
            return 0
        needed = layout.heightForWidth(self._column.width())
        return layout.minimumSize().height() if needed < 0 else needed  # nothing that is left depends on the width

    def _room(self) -> int | None:
        """The visible height of the column; None if the column has no scroll area of its own."""
        around = self._column.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if around is None:
            return None
        viewport, whole = around.viewport(), around.widget()
        shared = None if whole is None else whole.layout()
        if viewport is not self._seen:
            self._seen = viewport
            viewport.installEventFilter(self)
        alone = whole is self._column or shared is None or shared.count() <= 1
        return viewport.height() if alone else None

    @Slot()
    def _settle(self) -> None:
        self._settling, room = True, self._room() if self._on else None
        self._fit(room)
        self._flush()
        self._settling = False
        if self._on and self._room() != room:
            self._soon.start()

    def _fit(self, room: int | None) -> None:
        """Fold cards that do not fit, and unfold those that fit again."""
        if room is None:
            for part in list(self._folded):
                self._set(part, False)
            return
        if not self._column.isVisible():
            return
        for part in [part for part in self._order if _closed(part) and part not in self._folded and not _in_use(part)]:
            self._set(part, True)
        for part in [part for part in self._folded if _in_use(part)]:  # an error in a folded part would be invisible
            self._open(part)
        if any(_least(card) > card.height() for card in self._held):
            self._release()
        needed = self._needed()
        if self._folded and needed < room and self._packed != (needed, room):
            for part in self._opening():  # choose anew, so that the same room always folds the same cards
                self._set(part, False)
            self._tried.clear()
            needed = self._needed()
        refused = any(error.refuses for error in self._column.findChildren(ErrorLine))
        kept = self._order if refused else (*self._folded, self._last_used)
        giving = [part for part in self._order if part not in kept and not _in_use(part) and not _pointed(part)]
        above = [part for part in giving if self._top(part) < self._top(self._last_used)]
        for parts in [part for part in giving if part not in above], above:
            for part in parts:
                if needed <= room:
                    break
                self._set(part, True)
                needed = self._needed()
            if needed > room:
                self._release()
                needed = self._needed()
        for part in [part for part in reversed(self._opening()) if self._tried.get(part) != (needed, room)]:
            if needed >= room:
                break
            self._set(part, False)
            if self._needed() > room:
                self._set(part, True)
                self._tried[part] = (self._needed(), room)
            needed = self._needed()
        self._packed = (needed, room)

    def _opening(self) -> list[GivesWay]:
        """Return the folded parts that open where there is room, but none above what is to stay where it is."""
        return [part for part in self._folded if not _closed(part) and part not in self._held]

    def _flush(self) -> None:
        """Deliver pending layout requests in the column immediately, from the inside out."""
        for widget in (*reversed(self._column.findChildren(QWidget)), self._column):
            QCoreApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest.value)


def _least(card: Card) -> int:
    """Return the least height of a card for its contents, whatever height it is held at."""
    return max(card.minimumSizeHint().height(), card.heightForWidth(card.width()) if card.hasHeightForWidth() else 0)


def _closed(part: GivesWay) -> bool:
    return isinstance(part, Card) and part.closed


def _pointed(part: GivesWay) -> bool:
    """Return whether the mouse is over a card."""
    return isinstance(part, Card) and part.underMouse()


def _in_use(part: GivesWay) -> bool:
    """Return whether a card has the focus or shows an error or a note."""
    if not isinstance(part, Card):
        return False
    focused = part.window().focusWidget()
    holds = focused is not None and focused is not part and part.isAncestorOf(focused)
    return holds or any(error.text() and not error.isHidden() for error in part.findChildren(ErrorLine))
