"""The outline of the focus belongs to the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.theme.click_focus import outlined
from dpdesigner.desktop.window.application import make_application


def test_a_click_gives_no_outline_and_a_key_does(qtbot: QtBot) -> None:
    make_application()
    around = QWidget()
    qtbot.addWidget(around)
    layout = QHBoxLayout(around)
    first, second = QPushButton("first"), QPushButton("second")
    layout.addWidget(first)
    layout.addWidget(second)
    with qtbot.waitExposed(around):
        around.show()
    around.activateWindow()
    qtbot.waitUntil(around.isActiveWindow)
    first.setFocus()
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert second.hasFocus() and not outlined(second)
    QTest.keyClick(second, Qt.Key.Key_Backtab)
    assert first.hasFocus() and outlined(first)
    QTest.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus() and outlined(second), "reached with a key, it is outlined after all"
