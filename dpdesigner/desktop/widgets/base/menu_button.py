"""Gives a button a menu that opens at once and leaves no mark on the button when it closes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolButton

from dpdesigner.desktop.theme.theme import set_class


def hang_menu(button: QToolButton, menu: QMenu) -> None:
    """Open a menu with a button.

    Parameters
    ----------
    button : QToolButton
        It takes the focus from the keyboard only: a click opens the menu, which has the keys while it is open.
    menu : QMenu
        What it opens.
    """
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    menu.aboutToHide.connect(partial(_leave, button))


def menu_chip(text: str, tip: str, entries: Sequence[tuple[str, Callable[[], object]]]) -> QToolButton:
    """Return a button of the class "chip" that opens a menu; each entry is its words and what it does."""
    button = QToolButton()
    menu = QMenu(button)
    set_class(button, "chip")
    button.setText(text)
    button.setToolTip(tip)
    button.setCheckable(True)
    for words, chosen in entries:
        menu.addAction(words, chosen)
    hang_menu(button, menu)
    return button


def _leave(button: QToolButton) -> None:
    """Let the button look as without the mouse, which left it while the menu had all events: Qt does not tell it."""
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    button.update()
