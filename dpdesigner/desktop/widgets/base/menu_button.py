"""Gives a button a menu that opens at once and leaves no mark on the button when it closes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QToolButton


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


def _leave(button: QToolButton) -> None:
    """Let the button look as without the mouse, which left it while the menu had all events: Qt does not tell it."""
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    button.update()
