"""Presenting: full screen, controls hidden, text and plots larger, and back exactly as it was."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMainWindow, QWidget

from dpdesigner.desktop.preferences import preferences

#: How much larger text and plots are than otherwise.
ENLARGEMENT = 1.35


class Presenting(QObject):
    """Switches a window between editing and presenting."""

    changed = Signal(bool)

    def __init__(self, window: QMainWindow, hidden: Sequence[QWidget]) -> None:
        super().__init__(window)
        self._window = window
        self._hidden = hidden
        self._shown_before: list[QWidget] = []
        self._state = Qt.WindowState.WindowNoState
        self.on = False

    @Slot()
    def start(self) -> None:
        """Hide the controls and fill the screen."""
        if self.on:
            return
        self.on = True
        self._state = self._window.windowState()
        self._shown_before = [widget for widget in self._hidden if not widget.isHidden()]
        for widget in self._shown_before:
            widget.hide()
        preferences().set_enlargement(ENLARGEMENT)
        self._window.setWindowState(self._state | Qt.WindowState.WindowFullScreen)
        self.changed.emit(True)

    @Slot()
    def stop(self) -> None:
        """Bring everything back."""
        if not self.on:
            return
        self.on = False
        self._window.setWindowState(self._state)
        preferences().set_enlargement(1.0)
        for widget in self._shown_before:
            widget.show()
        self.changed.emit(False)
