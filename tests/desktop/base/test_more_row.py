"""The menu at the end of a row of buttons."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import MoreRow


def row_of(qtbot: QtBot, *more: QPushButton) -> MoreRow:
    row = MoreRow(QPushButton("Numbers"), more=more)
    qtbot.addWidget(row)
    row.show()
    return row


def test_the_menu_offers_what_is_not_hidden_and_presses_it(qtbot: QtBot) -> None:
    binding, band = QPushButton("Binding", checkable=True), QPushButton("Band", checkable=True)
    pressed: list[bool] = []
    binding.clicked.connect(lambda on: pressed.append(on))
    band.hide()
    row = row_of(qtbot, binding, band)
    assert row.menu_button.isVisible() and not binding.isVisible() and row.menu_button.text() == "···"
    row.menu_button.menu().aboutToShow.emit()
    (action,) = row.menu_button.menu().actions()
    assert action.text() == "Binding" and action.isCheckable() and not action.isChecked()
    action.trigger()
    assert pressed == [True] and binding.isChecked()
    assert row.menu_button.text() == "Binding ▾" and row.menu_button.isChecked(), "what is on can be seen"
    band.show()
    row.menu_button.menu().aboutToShow.emit()
    assert [action.text() for action in row.menu_button.menu().actions()] == ["Binding", "Band"]


def test_there_is_no_menu_without_anything_in_it(qtbot: QtBot) -> None:
    only = QPushButton("Binding")
    row = row_of(qtbot, only)
    only.hide()
    assert not row.menu_button.isVisible()
    only.show()
    assert row.menu_button.isVisible()
