"""Tells a focus that came with a click from one that came with a key: only the latter is outlined."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from dpdesigner.desktop.theme.theme import set_state

_CLICKED = "clicked"


class ClickFocus(QObject):
    """Marks a button that gets the focus with a click until it gets the focus with a key."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._last: QWidget | None = None
        application.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is None or new is self._last:  # another program is in front, or this one again
            return
        self._last = new
        clicked = bool(QGuiApplication.mouseButtons())
        if isinstance(new, QAbstractButton) and bool(new.property(_CLICKED)) != clicked:
            set_state(new, _CLICKED, clicked)


def outlined(button: QAbstractButton) -> bool:
    """Return whether a button that draws itself shows that it has the focus."""
    return button.hasFocus() and not button.property(_CLICKED)
