"""Folds cards of a column to one line each where room is short, those first that were used longest ago."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine


class GivesWay(Protocol):
    """A part that can take less room."""

    def set_folded(self, on: bool) -> None:
        """Take less room, or all that it wants."""
        ...


class Folding(QObject):
    """Keeps the cards of one column within what can be seen of it.

    A click on a folded card, or Space, unfolds it; another gives way then. The card that was used last, a card that holds the
    focus and a card with an error never fold.

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
        self._folded: list[GivesWay] = []
        self._tried: dict[GivesWay, tuple[int, int]] = {}  # with this height needed and this room it could not come back
        self._on, self._settling = True, False
        self._seen: QWidget | None = None
        self._last_used: GivesWay | None = None
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._settle)
        column.installEventFilter(self)
        for part in parts:
            if isinstance(part, Card):
                part.unfoldWanted.connect(partial(self._unfold, part))
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._note)

    def set_on(self, on: bool) -> None:
        """Fold where room is short, or never."""
        self._on = on
        self._soon.start()

    @property
    def folded(self) -> Sequence[GivesWay]:
        """What gives way now."""
        return self._folded

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Settle anew when the column asks for another height, or has another one."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize, QEvent.Type.Show) and not self._settling:
            self._soon.start()
        return False

    @Slot(QWidget, QWidget)
    def _note(self, old: QWidget | None, new: QWidget | None) -> None:
        """Let what is used give way last."""
        for part in self._order:
            if isinstance(part, Card) and new is not None and part.isAncestorOf(new):
                self._use(part)
                return

    def _use(self, part: GivesWay) -> None:
        if part in self._order:
            self._order.remove(part)
            self._order.append(part)
            self._last_used = part

    def _unfold(self, part: Card) -> None:
        self._use(part)
        self._set(part, False)
        self._settle()
        part.setFocus()

    def _set(self, part: GivesWay, on: bool) -> None:
        if on:
            self._folded.append(part)
        else:
            self._folded.remove(part)
        part.set_folded(on)
        self._flush()
        for card in self._column.findChildren(Card, options=Qt.FindChildOption.FindDirectChildrenOnly):
            card.updateGeometry()  # what is deep inside has changed without a word to the column

    def _needed(self) -> int:
        layout = self._column.layout()
        if layout is None:
            return 0
        needed = layout.heightForWidth(self._column.width())
        return layout.minimumSize().height() if needed < 0 else needed  # nothing that is left depends on the width

    def _room(self) -> int | None:
        """Height of what is seen of the column; None where it has none of its own."""
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
        return None if shared is not None and shared.count() > 1 else viewport.height()

    @Slot()
    def _settle(self) -> None:
        self._settling, room = True, self._room() if self._on else None
        self._fit(room)
        self._flush()
        self._settling = False
        if self._on and self._room() != room:
            self._soon.start()

    def _fit(self, room: int | None) -> None:
        """Fold what has no room, and let come back what has some again."""
        if room is None:
            for part in list(self._folded):
                self._set(part, False)
            return
        if not self._column.isVisible():
            return
        for part in [part for part in self._folded if _in_use(part)]:  # an error there would not be seen
            self._use(part)
            self._set(part, False)
        needed = self._needed()
        kept = (*self._folded, self._last_used)
        for part in [part for part in self._order if part not in kept and not _in_use(part)]:
            if needed <= room:
                break
            self._set(part, True)
            needed = self._needed()
        for part in [part for part in reversed(self._folded) if self._tried.get(part) != (needed, room)]:
            if needed >= room:
                return
            self._set(part, False)
            if self._needed() > room:
                self._set(part, True)
                self._tried[part] = (self._needed(), room)
            needed = self._needed()

    def _flush(self) -> None:
        """Let what is now larger or smaller in the column tell what is around it at once, from the inside out."""
        for widget in (*reversed(self._column.findChildren(QWidget)), self._column):
            QCoreApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest.value)


def _in_use(part: GivesWay) -> bool:
    """Whether a card holds the focus, or says that something is wrong."""
    if not isinstance(part, Card):
        return False
    focused = QApplication.focusWidget()
    holds = focused is not None and focused is not part and part.isAncestorOf(focused)
    return holds or any(error.text() and not error.isHidden() for error in part.findChildren(ErrorLine))
