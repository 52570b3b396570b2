"""The row of tabs: choosing, keys, and what happens when it is too narrow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import ViewTabs
from dpdesigner.desktop.base.theme import style_sheet, theme

#: Pixels around the text of a tab, at most.
ROOM = 30
NAMES = ("Optimal", "Geometric", "Remap", "LP check", "Difference", "Pattern")


@pytest.fixture
def tabs(qtbot: QtBot) -> ViewTabs:
    theme().set_scheme("light")
    widget = ViewTabs([(name.lower(), name, f"Show {name}") for name in NAMES])
    qtbot.addWidget(widget)
    texts = QFontMetrics(widget.font()).horizontalAdvance("".join(NAMES))
    widget.resize(texts + ROOM * len(NAMES), 30)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.setStyleSheet(style_sheet(theme().colours))  # the application has none after a test with a window
    return widget


def shown(tabs: ViewTabs) -> list[str]:
    return [button.text() for button in tabs._buttons if button.isVisible()]


def heard(spy: QSignalSpy) -> list[str]:
    return [spy.at(k)[0] for k in range(spy.count())]


@pytest.mark.letters
def test_all_fit_into_little_more_than_their_texts(tabs: ViewTabs) -> None:
    assert shown(tabs) == list(NAMES)
    assert not tabs._more.isVisible()
    for button in tabs._buttons:
        assert button.width() >= button.sizeHint().width()
        assert button.geometry().right() < tabs.width()


def test_those_beyond_the_most_are_in_the_menu(qtbot: QtBot) -> None:
    widget = ViewTabs([(name.lower(), name, "") for name in NAMES], 2)
    qtbot.addWidget(widget)
    widget.resize(2000, 30)
    with qtbot.waitExposed(widget):
        widget.show()
    assert shown(widget) == list(NAMES[:2]) and widget._more.isVisible()
    assert [action.text() for action in widget._menu.actions() if action.isVisible()] == list(NAMES[2:])


def test_clicks_choose(tabs: ViewTabs) -> None:
    chosen = QSignalSpy(tabs.chosen)
    QTest.mouseClick(tabs._buttons[2], Qt.MouseButton.LeftButton)
    assert heard(chosen) == ["remap"]
    assert tabs.current() == "remap"


def test_set_current_is_silent(tabs: ViewTabs) -> None:
    chosen = QSignalSpy(tabs.chosen)
    tabs.set_current("pattern")
    tabs.set_current("nonsense")
    assert tabs.current() == "pattern"
    assert chosen.count() == 0


def test_arrow_keys_choose(tabs: ViewTabs) -> None:
    chosen = QSignalSpy(tabs.chosen)
    tabs._buttons[0].setFocus()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(tabs._buttons[0], key)
    assert heard(chosen) == ["geometric", "remap", "geometric"]


def test_what_does_not_fit_is_in_the_menu(tabs: ViewTabs) -> None:
    tabs.resize(260, 30)
    assert 1 <= len(shown(tabs)) < len(NAMES)
    assert tabs._more.isVisible() and tabs._more.geometry().right() < 260
    offered = [action.text() for action in tabs._actions if action.isVisible()]
    assert shown(tabs) + offered == list(NAMES)
    chosen = QSignalSpy(tabs.chosen)
    tabs._actions[-1].trigger()
    assert heard(chosen) == ["pattern"]
    assert tabs._more.text() == "Pattern ▾"
    assert [action.text() for action in tabs._actions if action.isChecked()] == ["Pattern"]
    tabs.set_current("remap")
    assert [action.text() for action in tabs._actions if action.isChecked()] == ["Remap"]
    assert tabs._more.geometry().right() < 260


@pytest.mark.letters
def test_large_text_moves_tabs_into_the_menu(tabs: ViewTabs) -> None:
    theme().set_scale(2)
    try:
        assert tabs._more.isVisible()
        assert all(button.width() >= button.sizeHint().width() for button in tabs._buttons if button.isVisible())
    finally:
        theme().set_scale(1)
    assert shown(tabs) == list(NAMES)


def test_the_focus_is_seen_on_the_chosen_tab_and_on_another(tabs: ViewTabs, qtbot: QtBot) -> None:
    with qtbot.waitActive(tabs):
        tabs.activateWindow()
    for button in tabs._buttons[:2]:
        tabs.setFocus()
        button.clearFocus()
        without = button.grab().toImage()
        button.setFocus()
        assert button.grab().toImage() != without


def test_rare_views_are_in_the_menu_though_there_is_room(qtbot: QtBot) -> None:
    widget = ViewTabs([(name.lower(), name, "") for name in NAMES], most=2)
    qtbot.addWidget(widget)
    widget.resize(2000, 40)
    widget.show()
    assert shown(widget) == list(NAMES[:2]) and widget._more.text() == "More ▾"
    widget.set_current(NAMES[-1].lower())
    assert shown(widget) == list(NAMES[:2]) and widget._more.text() == f"{NAMES[-1]} ▾", "the open one is named"
