"""A sentence for a moment, at the right of the status bar, where it covers nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.widgets.base.labels import ElidedLabel, announce

#: How long it stays (milliseconds); the mouse on it holds it.
STAYS = 4000
#: So much of the status bar it may take.
MOST = 0.6


class Toast(ElidedLabel):
    """Shows one sentence and hides itself."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, yields=False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._timer = QTimer(self, singleShot=True, interval=STAYS)
        self._timer.timeout.connect(self._end)
        self.hide()

    def has_room(self, text: str) -> bool:
        """Whether it could be seen, and a sentence whole, beside what the status bar says."""
        around = self.parentWidget()
        if around is None or not around.isVisible():
            return False
        return self.fontMetrics().horizontalAdvance(text) <= MOST * around.width()

    def say(self, text: str) -> None:
        """Show a sentence for four seconds."""
        self.set_full_text(text)
        self.show()
        self._timer.start()
        announce(self, text)

    @Slot()
    def forget(self) -> None:
        """Take it back."""
        self._timer.stop()
        self.hide()

    @Slot()
    def _end(self) -> None:
        if self.underMouse():
            self._timer.start()
        else:
            self.hide()
