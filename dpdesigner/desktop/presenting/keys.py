"""The keys of presenting: arrows, Page Up and Down, Space, Home, End and Esc, wherever the focus is."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget

Move = Literal["next", "previous", "first", "last", "end"]

_Key = Qt.Key
_ALWAYS: dict[int, Move] = {_Key.Key_PageDown: "next", _Key.Key_PageUp: "previous"}
_OUTSIDE_FIELDS: dict[int, Move] = {
    _Key.Key_Right: "next",
    _Key.Key_Left: "previous",
    _Key.Key_Home: "first",
    _Key.Key_End: "last",
    _Key.Key_Escape: "end",
}
_FREE: dict[int, Move] = {_Key.Key_Down: "next", _Key.Key_Up: "previous"}
_FIELDS = (QLineEdit, QPlainTextEdit, QAbstractSpinBox, QComboBox)


def move_of(key: int, focus: QWidget | None) -> Move | None:
    """Return what a key does while scenes are presented, or None where it belongs to what has the focus.

    Page Up and Down (the keys of a clicker) always step; Left, Right, Home and End do outside text fields; Space does except on a
    button; Up and Down only while no control has the focus, since they work the controls.
    """
    if key in _ALWAYS:
        return _ALWAYS[key]
    if isinstance(focus, _FIELDS):
        return None
    if key in _OUTSIDE_FIELDS:
        return _OUTSIDE_FIELDS[key]
    if key == _Key.Key_Space:
        return None if isinstance(focus, QAbstractButton) else "next"
    return _FREE.get(key) if focus is None or focus.isWindow() else None


class PresentingKeys(QObject):
    """Watches the keys pressed in one window, at the control that has the focus.

    It goes with the focus rather than watch the whole application, where every event of every object, also of one that is just
    being destroyed, would pass through Python.
    """

    moved = Signal(str)  #: a `Move`

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._stepping = self._watching = False
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)

    def watch(self, stepping: bool) -> None:
        """Begin to watch; without `stepping`, only for the key that ends."""
        self.rest()
        self._stepping, self._watching = stepping, True
        self._window.installEventFilter(self)
        self._follow(None, self._window.focusWidget())

    def rest(self) -> None:
        """Watch no longer."""
        self._watching = False
        self._window.removeEventFilter(self)
        self._follow(self._window.focusWidget(), None)

    @Slot(QWidget, QWidget)
    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and old is not self._window:
            old.removeEventFilter(self)
        if self._watching and new is not None and new.window() is self._window:
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys that step, before shortcuts and controls see them."""
        if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        move = move_of(event.key(), self._window.focusWidget())
        if move is None or not (self._stepping or move == "end"):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        else:
            self.moved.emit(move)
        return True
