"""A card that is folded for want of room unfolds when something is wrong in it, so that the error can be read."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.widgets.base.card import Card
from dpdesigner.desktop.widgets.base.column import ColumnArea, ColumnLayout
from dpdesigner.desktop.widgets.base.folding import Folding
from dpdesigner.desktop.widgets.base.sentence_label import ErrorLine
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
    error.set_error(InputError("epsilon must be positive"))
    qtbot.waitUntil(lambda: not card.folded and error.isVisible())
    qtbot.wait(50)
    assert error.isVisible()
    assert any(other.folded for other in cards), "another card gave way"
