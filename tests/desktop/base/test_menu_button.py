"""Buttons with a menu: nothing of it is left on them when it has closed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import hang_menu


def test_a_click_opens_the_menu_and_leaves_neither_focus_nor_hover(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    box, button = QLineEdit(), QToolButton()
    menu = QMenu(button)
    menu.addAction("Uniform")
    for widget in (box, button):
        layout = root.layout() or QVBoxLayout(root)
        layout.addWidget(widget)
    hang_menu(button, menu)
    with qtbot.waitExposed(root):
        root.show()
    box.setFocus()
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    opened: list[bool] = []

    def close() -> None:
        opened.append(menu.isVisible())
        QTest.keyClick(menu, Qt.Key.Key_Escape)

    QTimer.singleShot(50, close)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    qtbot.waitUntil(lambda: bool(opened) and not menu.isVisible())
    assert opened == [True]
    assert not button.underMouse() and not button.hasFocus()
    QApplication.processEvents()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
