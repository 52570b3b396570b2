"""What is being edited on the count page never folds, and what is typed goes where it was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.hands import CONTROL, LEFT, Hands, Key
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.count.design import CountDesign


@pytest.fixture(params=[(1280, 720), (1024, 640)])
def user(request: pytest.FixtureRequest, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    path = tmp_path / "it.dpd"
    write_project(path, Project((CountDesign(20, alpha="1/2", prior="uniform", loss="absolute", name="Flu"),)))
    with hands.opened(qtbot, monkeypatch, path, request.param) as user:
        user.settles()
        yield user


def choose(user: Hands, text: str) -> None:
    """Choose what a menu of the page offers; a card that is folded is unfolded first."""
    page = user.window.host.page
    assert page is not None
    menu = next(menu for menu in page.findChildren(QMenu) if text in [action.text() for action in menu.actions()])
    card: QWidget | None = menu
    while card is not None and not isinstance(card, Card):
        card = card.parentWidget()
    if isinstance(card, Card) and card.folded:
        QTest.mouseClick(card, LEFT)
    next(action for action in menu.actions() if action.text() == text).trigger()
    user.qtbot.wait(50)


def focused(user: Hands) -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_a_formula_that_was_chosen_is_typed_at_once_and_leaves_the_prior_alone(user: Hands) -> None:
    choose(user, "From quantiles…")
    box = focused(user)
    assert isinstance(box, QLineEdit) and box.accessibleName() == "certainty" and box.isVisible()
    user.settles()
    user.key(Key.Key_B, CONTROL)  # pinned, so that room is short
    before = user.window.document.study.prior
    choose(user, "Expression")
    user.type("2*abs(i-r) + (r<i)")
    box = focused(user)
    assert isinstance(box, QLineEdit) and box.isVisible() and box.text() == "2*abs(i-r) + (r<i)"
    user.settles()
    assert box.isVisible() and box.hasFocus(), "what is being typed in never folds"
    user.key(Key.Key_Return)
    user.settles()
    study = user.window.document.study
    assert study.prior == before and study.loss.specification == "expression:2*abs(i-r) + (r<i)"
    assert box.isVisible()


def test_a_card_with_an_error_does_not_fold(user: Hands) -> None:
    choose(user, "Expression")
    user.type("many")
    user.key(Key.Key_Return)
    user.waits(lambda: user.errors() == ["'many' is not understood."])
    page = user.window.host.page
    assert page is not None
    for _ in range(2):
        for card in page.findChildren(Card):
            if card.isVisible() and card.folded:
                QTest.mouseClick(card, LEFT)
                user.qtbot.wait(50)
                assert user.errors() == ["'many' is not understood."]
