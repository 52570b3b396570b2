"""What a screen reader is told: sentences of the banner, the chosen command of the palette; and nothing where none listens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base import labels as announcing
from dpdesigner.desktop.base.labels import announce
from dpdesigner.desktop.base.layouts import scrolling
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.window import palette as command_palette
from dpdesigner.desktop.window import status
from dpdesigner.desktop.window.palette import CommandPalette
from dpdesigner.desktop.window.status import Banner, Toast


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    parent = QWidget()
    parent.resize(800, 600)
    qtbot.addWidget(parent)
    parent.show()
    return parent


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    for module in (status, status, command_palette):
        monkeypatch.setattr(module, "announce", lambda widget, sentence: said.append(sentence))
    return said


def test_the_banner_is_read_out_with_its_button(parent: QWidget, said: list[str]) -> None:
    banner_shown = Banner(parent, Toast(parent))
    banner_shown.say("Saved.")
    banner_shown.ask("Something is wrong.", "Details…", banner_shown.hide)
    assert said == ["Saved.", "Something is wrong. Button: Details…"]


def test_the_chosen_command_is_read_out(parent: QWidget, said: list[str]) -> None:
    actions = [("Edit", QAction(name, parent)) for name in ("Undo", "Redo")]
    palette = CommandPalette(actions, parent)
    said.clear()
    QTest.keyClick(palette.entry, Qt.Key.Key_Down)
    assert said == ["Redo, Edit"]


def test_a_sentence_becomes_an_announcement_only_where_something_listens(
    parent: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[str] = []
    monkeypatch.setattr(announcing.QAccessible, "updateAccessibility", lambda event: events.append(event.message()))
    monkeypatch.setattr(announcing.QAccessible, "isActive", lambda: False)
    announce(parent, "Copied.")
    monkeypatch.setattr(announcing.QAccessible, "isActive", lambda: True)
    announce(parent, "")
    announce(parent, "Copied.")
    assert events == ["Copied."]
    assert QAccessible is announcing.QAccessible


def test_columns_take_no_focus_of_their_own(parent: QWidget) -> None:
    area = scrolling(QWidget())
    area.setParent(parent)
    assert area.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_palette_is_as_high_as_what_it_found(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(1280, 720)
    parent.show()
    actions = [("Edit", QAction(f"Command {number}", parent)) for number in range(40)]
    palette = CommandPalette(actions, parent)
    highest = palette.height()
    QTest.keyClicks(palette.entry, "39")
    assert palette.results.topLevelItemCount() == 1
    assert palette.entry.height() < palette.height() < highest / 4
    row = palette.results.visualItemRect(palette.results.topLevelItem(0))
    assert palette.results.viewport().rect().contains(row)
    QTest.keyClick(palette.entry, Qt.Key.Key_Backspace)
    QTest.keyClick(palette.entry, Qt.Key.Key_Backspace)
    assert palette.height() == highest


def test_the_palette_grows_and_shrinks_with_the_text(qtbot: QtBot) -> None:
    theme().apply()
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(2560, 720)
    parent.show()
    palette = CommandPalette([("Edit", QAction(f"Command {number}", parent)) for number in range(3)], parent)
    before = palette.geometry()
    theme().set_scale(2.0)
    assert palette.width() > 1.8 * before.width() and palette.height() > 1.4 * before.height()
    assert palette.results.height() >= 3 * palette.fontMetrics().height()
    theme().set_scale(1.0)
    assert palette.geometry() == before
