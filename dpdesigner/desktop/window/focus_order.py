"""The way of F6 through the window: header, then the cards of the page, column by column, each at what is worked there first."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QScrollArea, QWidget

from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.layouts import reveal

_COLUMN = 40  # pixels within which cards stand in one column


def walk(header: QWidget, stage: QWidget, step: int) -> None:
    """Give the focus to the next pane, or the one before."""
    panes = [(pane, entry) for pane in (header, *_cards(stage)) if (entry := _entry(pane)) is not None]
    if not panes:
        return
    focused = header.window().focusWidget()
    inside = [focused is not None and pane.isAncestorOf(focused) for pane, _ in panes]
    here = inside.index(True) if any(inside) else (-1 if step > 0 else 0)
    _, entry = panes[(here + step) % len(panes)]
    entry.setFocus(Qt.FocusReason.TabFocusReason)
    reveal(entry)


def _cards(stage: QWidget) -> list[Card]:
    """The cards that are shown, from left to right and from top to bottom; those within others are parts of these."""
    shown = [card for card in stage.findChildren(Card) if card.isVisible()]
    outer = [card for card in shown if not any(other is not card and other.isAncestorOf(card) for other in shown)]

    def place(card: Card) -> tuple[int, int]:
        at = card.mapTo(stage, QPoint())
        return at.x() // _COLUMN, at.y()

    return sorted(outer, key=place)


def _entry(pane: QWidget) -> QWidget | None:
    """What has the focus first: a folded card itself, a field of the header, the largest of what a card holds."""
    if isinstance(pane, Card) and pane.folded:
        return pane
    tab = Qt.FocusPolicy.TabFocus
    inside = [part for part in pane.findChildren(QWidget) if part.isVisible() and part.isEnabled() and part.focusPolicy() & tab]
    inside = [part for part in inside if not isinstance(part, QScrollArea)]
    if not isinstance(pane, Card):
        inside = [part for part in inside if isinstance(part, QLineEdit)] or inside
        return inside[0] if inside else None
    return max(inside, key=lambda part: part.width() * part.height(), default=None)
