"""A quiet sentence below the page that wants an answer or a look: never modal, and it covers nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from dpdesigner.desktop.theme.theme import set_class
from dpdesigner.desktop.widgets.base.labels import announce
from dpdesigner.desktop.widgets.base.layouts import row_of, sign
from dpdesigner.desktop.window.toast import Toast

#: How long a sentence stays here that needs no answer (milliseconds): it is a long one, or before an audience.
LONG = 8000


class Banner(QFrame):
    """A line between page and status bar that says one sentence, with at most one button for what can be done about it.

    Parameters
    ----------
    parent : QWidget
    toast : Toast
        What says a sentence for a moment; one that it has no room for, or that nobody would see there, is said here.
    """

    def __init__(self, parent: QWidget, toast: Toast) -> None:
        super().__init__(parent)
        self._toast = toast
        set_class(self, "notice")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = QPushButton()
        self.button.clicked.connect(self._act)
        self.close_button = sign("✕", self.tr("Dismiss"), self.tr("Dismiss"), self.hide)
        row_of(self.text, self.button, self.close_button, on=self, margins=(16, 4, 8, 4), gap=8)
        self._action: Callable[[], None] | None = None
        self._timer = QTimer(self, singleShot=True, interval=LONG)
        self._timer.timeout.connect(self.hide)
        self.hide()

    @Slot(str)
    def say(self, text: str) -> None:
        """Show a sentence for some seconds."""
        if self._toast.has_room(text):
            self._toast.say(text)
        else:
            self._show(text)
            self._timer.start()

    @Slot()
    def forget(self) -> None:
        """Take back a sentence that needs no answer."""
        if self._timer.isActive():
            self.hide()
        self._toast.forget()

    def ask(self, text: str, button: str = "", action: Callable[[], None] | None = None) -> None:
        """Show a sentence until it is dismissed, with a button that does something about it."""
        self._timer.stop()
        self._show(text, button, action)

    def _show(self, text: str, button: str = "", action: Callable[[], None] | None = None) -> None:
        self._action = action
        self.text.setText(text)
        self.setAccessibleName(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self.show()
        announce(self, self.tr("{text} Button: {button}").format(text=text, button=button) if button else text)

    @Slot()
    def _act(self) -> None:
        action, self._action = self._action, None
        self.hide()
        if action is not None:
            action()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Esc dismiss it while it has the focus."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
