"""A card that is folded for want of room unfolds when something is wrong in it, so that the error can be read."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card, Folding, Heading
from dpdesigner.desktop.base.labels import ElidedLabel, ErrorLine
from dpdesigner.desktop.base.layouts import ColumnArea, ColumnLayout
from dpdesigner.errors import InputError


def test_an_error_in_a_folded_card_is_seen(qtbot: QtBot) -> None:
    column = QWidget()
    layout = ColumnLayout(column)
    cards = [Card(name, foldable=True) for name in ("First", "Second", "Third")]
    for card in cards:
        tall = QLabel("…")
        tall.setFixedHeight(120)
        card.add(tall)
        layout.addWidget(card)
    errors = [ErrorLine() for _ in cards]  # of parts of the cards, so that they go with what is folded
    for card, error in zip(cards, errors, strict=True):
        card.add(error)
    folding = Folding(column, cards)
    whole = QWidget()
    QVBoxLayout(whole).addWidget(column)
    area = ColumnArea(whole)
    qtbot.addWidget(area)
    area.resize(300, 340)
    area.show()
    qtbot.waitUntil(lambda: any(card.folded for card in cards) and not folding._soon.isActive())
    card, error = next((card, error) for card, error in zip(cards, errors, strict=True) if card.folded)
    assert not error.isVisible()
    before = [other.folded for other in cards].count(True)
    error.set_error(InputError("epsilon must be positive"))
    qtbot.waitUntil(lambda: not card.folded and error.isVisible())
    qtbot.wait(50)
    assert error.isVisible()
    assert [other.folded for other in cards].count(True) == before - 1, "no other card gives way: the column scrolls"
    error.set_sentence("")
    qtbot.waitUntil(lambda: [other.folded for other in cards].count(True) == before)
    card, error = next((card, error) for card, error in zip(cards, errors, strict=True) if card.folded)
    error.set_sentence("3 blank cells were skipped", "small")
    qtbot.waitUntil(lambda: not card.folded and error.isVisible())
    qtbot.waitUntil(lambda: [other.folded for other in cards].count(True) == before)  # for a note, another card gives way


def folded_column(
    qtbot: QtBot, heights: dict[str, int], room: int, fixed: str = "", order: tuple[str, ...] = ()
) -> tuple[dict[str, Card], Folding]:
    """Cards of these heights in a column with room for fewer, which fold in an order; the fixed one cannot be folded."""
    column = QWidget()
    layout = ColumnLayout(column)
    cards = {name: Card(name, foldable=name != fixed) for name in heights}
    for name, card in cards.items():
        tall = QLabel("…")
        tall.setFixedHeight(heights[name])
        card.add(tall)
        layout.addWidget(card)
    layout.addStretch(1)
    folding = Folding(column, [cards[name] for name in order or cards])
    whole = QWidget()
    QVBoxLayout(whole).addWidget(column)
    area = ColumnArea(whole)
    qtbot.addWidget(area)
    area.resize(300, room)
    area.show()
    qtbot.waitUntil(lambda: bool(folding.folded) and not folding._soon.isActive())
    cards["Second" if "Second" in cards else "Large"].area = area  # type: ignore[attr-defined]  # kept as long as the cards
    return cards, folding


def test_a_card_that_must_not_fold_stays(qtbot: QtBot) -> None:
    cards, folding = folded_column(qtbot, {"Privacy": 200, "Second": 200, "Third": 100}, 400, fixed="Privacy")
    assert not cards["Privacy"].folded and cards["Second"].folded and cards["Privacy"] not in folding.folded


def test_no_card_folds_under_the_mouse(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    cards, folding = folded_column(qtbot, {"First": 150, "Second": 150, "Third": 100}, 430)
    qtbot.waitUntil(lambda: [name for name, card in cards.items() if card.folded] == ["First"])
    with monkeypatch.context() as patch:
        patch.setattr(cards["Second"], "underMouse", lambda: True)
        cards["First"].unfoldWanted.emit()
        qtbot.waitUntil(lambda: not cards["First"].folded and not folding._soon.isActive())
        assert not cards["Second"].folded and cards["Third"].folded
    QApplication.sendEvent(folding._column, QEvent(QEvent.Type.Leave))
    assert folding._soon.isActive(), "what was spared may fold once the mouse is away"


def test_what_is_opened_by_the_mouse_stays_where_it_is(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card below folds; those above it stay as they are until the mouse has left the column."""
    heights = {"First": 40, "Second": 100, "Third": 60, "Fourth": 200}
    cards, folding = folded_column(qtbot, heights, 500, order=("First", "Third", "Second", "Fourth"))
    column, (_, second, third, fourth) = folding._column, cards.values()
    layout = column.layout()
    assert isinstance(layout, ColumnLayout)
    layout.setStretchFactor(second, 1000)  # it takes what room there is

    def folded() -> list[str]:
        qtbot.waitUntil(lambda: not folding._soon.isActive())
        return [name for name, card in cards.items() if card.folded]

    assert folded() == ["First", "Third"]
    with monkeypatch.context() as patch:
        patch.setattr(column, "underMouse", lambda: True)
        before = second.height(), third.y()
        qtbot.mouseClick(third, Qt.MouseButton.LeftButton, pos=third.rect().center())
        assert folded() == ["First", "Fourth"] and (second.height(), third.y()) == before
    QApplication.sendEvent(column, QEvent(QEvent.Type.Leave))
    assert folded() == ["Fourth"] and second.height() > before[0]
    qtbot.mouseClick(fourth, Qt.MouseButton.LeftButton, pos=fourth.rect().center())
    assert folded() == ["Second"], "there is none below"


def test_nothing_stays_folded_while_there_is_room_for_it(qtbot: QtBot) -> None:
    cards, _ = folded_column(qtbot, {"Small": 30, "Large": 300, "Last": 100}, 330)
    assert cards["Large"].folded and not cards["Small"].folded, "the small one came back when the large one was folded"


def test_a_closed_card_stays_folded_where_there_is_room_until_it_is_opened(qtbot: QtBot) -> None:
    column = QWidget()
    layout, closed = ColumnLayout(column), Card("Closed", foldable=True)
    closed.closed = True
    inside = QLabel("…")
    closed.add(inside)
    layout.addWidget(closed)
    layout.addStretch(1)
    folding = Folding(column, [closed])
    whole = QWidget()
    QVBoxLayout(whole).addWidget(column)
    area = ColumnArea(whole)
    qtbot.addWidget(area)
    area.resize(300, 400)
    area.show()
    qtbot.waitUntil(lambda: closed.folded and not folding._soon.isActive())
    area.resize(300, 500)
    qtbot.wait(50)
    assert closed.folded and not inside.isVisible()
    closed.unfoldWanted.emit()
    qtbot.waitUntil(inside.isVisible)
    area.resize(300, 450)
    qtbot.wait(50)
    assert not closed.folded and closed._heading.text() == "▾ Closed"
    qtbot.mouseClick(closed, Qt.MouseButton.LeftButton, pos=closed._heading.geometry().center())
    qtbot.waitUntil(lambda: closed.folded and closed._heading.text() == "▸ Closed")
    area.resize(300, 500)
    qtbot.wait(50)
    assert closed.folded, "the user has closed it"
    area.activateWindow()
    closed.setFocus()
    qtbot.waitUntil(closed.hasFocus)
    for folded in (False, True, False):
        qtbot.keyClick(closed, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda folded=folded: closed.folded is folded and closed.hasFocus())


def test_a_folded_card_has_its_short_line_and_its_shortest_word(qtbot: QtBot) -> None:
    card = Card("Disclosure risk", foldable=True)
    card.set_word("on average 5 · drag to paint", "on average 5")
    card.set_line("Disclosure risk: at most 67 of 100 bets won", "Risk: at most 67")
    qtbot.addWidget(card)
    card.set_folded(True)
    (heading,), (word,) = card.findChildren(Heading), card.findChildren(ElidedLabel)
    for width, shown in ((700, "▸ Disclosure risk: at most 67 of 100 bets won"), (240, "▸ Risk: at most 67")):
        card.resize(width, 40)
        card.show()
        qtbot.waitUntil(lambda shown=shown: heading.shown_text() == shown)
    assert word.full_text == "on average 5" and card.accessibleName() == "Disclosure risk: at most 67 of 100 bets won"
