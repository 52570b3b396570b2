"""A sentence for a moment, at the right of the status bar, where it covers nothing: one line, at most one link."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from dpdesigner.desktop.look.theme import set_class
from dpdesigner.desktop.widgets.base.announcing import announce
from dpdesigner.desktop.widgets.base.elided_label import ElidedLabel

#: How long it stays (milliseconds); the mouse on it, or the keyboard in it, holds it.
STAYS = 4000
#: So much of the status bar it may take.
MOST = 0.6


class Toast(QWidget):
    """Shows one sentence and hides itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ElidedLabel(yields=False)
        self.text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.link = QToolButton()
        set_class(self.link, "link")
        self.link.clicked.connect(self._act)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.link)
        self._action: Callable[[], object] | None = None
        self._timer = QTimer(self, singleShot=True, interval=STAYS)
        self._timer.timeout.connect(self._end)
        self.hide()

    def has_room(self, text: str) -> bool:
        """Whether it could be seen, and a sentence whole, beside what the status bar says."""
        around = self.parentWidget()
        if around is None or not around.isVisible():
            return False
        return self.text.fontMetrics().horizontalAdvance(text) <= MOST * around.width()

    def say(self, text: str, link: str = "", action: Callable[[], object] | None = None) -> None:
        """Show a sentence for four seconds, with a link that does something about it."""
        self._action = action
        self.text.set_full_text(text)
        self.link.setText(link)
        self.link.setVisible(bool(link))
        self.show()
        self._timer.start()
        announce(self, f"{text} {link}".strip())

    @Slot()
    def forget(self) -> None:
        """Take it back."""
        self._timer.stop()
        self._action = None
        self.hide()

    @Slot()
    def _end(self) -> None:
        if self.underMouse() or self.link.hasFocus():
            self._timer.start()
        else:
            self.forget()

    @Slot()
    def _act(self) -> None:
        action = self._action
        self.forget()
        if action is not None:
            action()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while the mouse is on it."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Go again."""
        if self.isVisible():
            self._timer.start()
        super().leaveEvent(event)
