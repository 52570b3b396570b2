"""The table of options: what is shown, selected and typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.pages.choice.options_card import OptionLine, OptionsGrid

LINES = [OptionLine(2, "red", "9", True), OptionLine(0, "blue", "4", False), OptionLine(1, "green", "0.5", False)]


def test_places_are_those_among_all_options(qtbot: QtBot) -> None:
    grid, told = OptionsGrid(), []
    qtbot.addWidget(grid)
    for name in ("chosen", "renamed", "revalued"):
        getattr(grid, name).connect(lambda *given, name=name: told.append((name, *given)))
    grid.show_options(LINES, True, True)
    assert told == [] and grid.current is None and grid.rowCount() == 3
    assert grid.item(0, 0).font().bold() and not grid.item(1, 0).font().bold()
    grid.select(0)
    assert told == [] and grid.current == 0 and grid.currentRow() == 1
    grid.setCurrentCell(2, 1)
    grid.item(0, 1).setText(" 1/3 ")
    grid.item(1, 0).setText("navy")
    assert told == [("chosen", 1), ("revalued", 2, "1/3"), ("renamed", 0, "navy")]


def test_what_is_being_typed_is_not_written_over(qtbot: QtBot) -> None:
    grid, told = OptionsGrid(), []
    qtbot.addWidget(grid)
    grid.revalued.connect(lambda *given: told.append(given))
    grid.show_options(LINES, False, True)
    grid.show()
    assert not grid.item(0, 0).flags() & Qt.ItemFlag.ItemIsEditable
    grid.setCurrentCell(0, 1)
    grid.editItem(grid.item(0, 1))
    box = grid.findChild(QLineEdit)
    assert box is not None
    grid.show_options([LINES[1]], False, True)
    assert grid.rowCount() == 3
    box.setText("12")
    QTest.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: told == [(2, "12")])
