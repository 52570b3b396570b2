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
    error = ErrorLine()  # of a part of the first card, so that it goes with what is folded
    cards[0].add(error)
    folding = Folding(column, cards)
    whole = QWidget()
    QVBoxLayout(whole).addWidget(column)
    area = ColumnArea(whole)
    qtbot.addWidget(area)
    area.resize(300, 340)
    area.show()
    qtbot.waitUntil(lambda: len(folding.folded) == 2)
    first = cards[0]
    assert first.folded
    error.set_error(InputError("epsilon must be positive"))
    qtbot.waitUntil(lambda: not first.folded and error.isVisible())
    assert first not in folding.folded
    assert len(folding.folded) == 2, "another card gave way"
