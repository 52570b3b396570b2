"""A document opens as it was designed, whatever was folded, opened or explained in the one before."""

from __future__ import annotations

import pytest
from desktop import hands
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.files.project import example


@pytest.mark.parametrize("stem", ["flu-cases", "small-database", "ages-and-incomes", "office-table"])
def test_a_document_opens_as_designed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, stem: str) -> None:
    with hands.opened(qtbot, monkeypatch, example(stem).path) as user:
        user.settles()

        def folded() -> dict[str, bool]:
            page = user.window.host.page
            assert page is not None
            return {card._title: card.folded for card in page.findChildren(Card) if card.foldable and card.isVisible()}

        def open_again() -> None:
            assert user.window.filing.open_path(example(stem).path)
            user.settles()
            qtbot.wait(50)

        open_again()
        first = folded()
        assert any(first.values())
        for card in [card for card in user.window.host.page.findChildren(Card) if card.folded and card.isVisible()]:
            QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=card.header.geometry().center())
            qtbot.wait(20)
        if posterior := [button for button in user.window.findChildren(QPushButton) if button.text() == "Posterior"]:
            posterior[0].click()
        user.window.why.set_open(True)
        assert folded() != first
        open_again()
        assert folded() == first and user.window.why.isHidden()
        assert not any(button.isChecked() for button in posterior)


def test_the_header_asks_what_an_example_answers_until_something_is_changed(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hands.opened(qtbot, monkeypatch, example("flu-cases").path) as user:
        user.settles()
        line = user.window.header.line
        assert "How wrong" not in line.full_text, "a file of one’s own, though with the same design"
        assert user.window.filing.open_example(example("flu-cases"))
        user.settles()
        assert line.full_text == "How wrong is a private count of 20 pupils?"
        user.write("n, the largest count", "30")
        assert not line.full_text, "the cards show the inputs"
        user.undo()
        assert line.full_text == "How wrong is a private count of 20 pupils?"


def test_a_handle_and_a_tab_are_where_they_are_at_first(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with hands.opened(qtbot, monkeypatch, example("hours-of-sport").path) as user:
        user.settles()
        page = user.window.host.page
        first = dict(page.view)
        page.look(share=0.0, view="cost", within=0.5)
        assert user.window.filing.open_example(example("hours-of-sport"))
        user.settles()
        assert user.window.host.page.view == first
