"""The toolbar: its buttons do what the menus do, it can be put away for good, and it goes while presenting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.preferences import SCHEMES
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign


def opened(qtbot: QtBot) -> MainWindow:
    window = MainWindow([CountDesign(5, alpha="1/2")], "test")
    qtbot.addWidget(window)
    window.show()
    return window


def press(window: MainWindow, action: QAction) -> None:
    QTest.mouseClick(window.toolbar.widgetForAction(action), Qt.MouseButton.LeftButton)


def ink(window: MainWindow, action: QAction) -> set[str]:
    picture = window.toolbar.widgetForAction(action).grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def test_the_buttons_do_what_the_menus_do(qtbot: QtBot) -> None:
    window = opened(qtbot)
    undo, redo = window.menus.undo, window.menus.redo
    before, after = window.document.study, CountDesign(5, alpha="1/3")
    window.document.change(after, "Set privacy")
    press(window, undo)
    assert window.document.study == before and not undo.isEnabled()
    press(window, redo)
    assert window.document.study == after
    press(window, undo)
    buttons = window.toolbar.findChildren(QToolButton)
    named = [button for button in buttons if button.accessibleName()]
    assert len(named) == 8 and all(button.accessibleName() in button.toolTip() for button in named)
    assert "Ctrl+Z" in undo.toolTip() and not undo.isIconVisibleInMenu()


def test_it_is_put_away_for_good(qtbot: QtBot) -> None:
    window = opened(qtbot)
    assert window.toolbar.isVisible() and window.menus.toolbar.isChecked()
    window.menus.toolbar.trigger()
    assert not window.toolbar.isVisible()
    again = opened(qtbot)
    assert not again.toolbar.isVisible() and not again.menus.toolbar.isChecked()
    again.menus.toolbar.trigger()
    assert again.toolbar.isVisible()


def test_it_goes_while_presenting_and_comes_back(qtbot: QtBot) -> None:
    window = opened(qtbot)
    press(window, window.menus.present)
    assert window.presenting.on and not window.toolbar.isVisible()
    window.menus.stop_presenting.trigger()
    assert window.toolbar.isVisible()


def test_the_icons_take_the_colours_in_force(qtbot: QtBot) -> None:
    window = opened(qtbot)
    seen = []
    for scheme in SCHEMES[1:]:
        theme().set_scheme(scheme)
        seen.append(ink(window, window.menus.open))
        assert theme().colours.muted in seen[-1]
    assert theme().colours.muted not in seen[0]


def test_every_button_stays_in_the_menu_bar_at_any_size_of_text(qtbot: QtBot) -> None:
    window = opened(qtbot)
    for scale in (1.5, 2.0, 1.0):
        theme().set_scale(scale)
        qtbot.waitUntil(lambda: window.toolbar.width() == window.toolbar.sizeHint().width())
        assert window.menuBar().rect().contains(window.toolbar.geometry())


def test_a_new_design_of_every_kind_is_in_the_menu_by_its_page(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = opened(qtbot)
    monkeypatch.setattr(window.questions, "save_changes", lambda title: "discard")
    window.menus.add.aboutToShow.emit()
    actions = {action.text(): action for action in window.menus.add.actions()}
    assert {"Noise", "Noise: Histogram", "Synthetic: Sample sizes"} <= actions.keys()
    actions["Synthetic: Two columns"].trigger()
    assert window.document.study.kind == "rectangle"
