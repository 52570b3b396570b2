"""Ctrl+C in the terminal closes the window as its own button does."""

from __future__ import annotations

import signal

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.window.application import Interrupts


class Asking(QWidget):
    """A window that stays the first time."""

    asked = 0

    def closeEvent(self, event: QCloseEvent) -> None:
        self.asked += 1
        self.second = signal.getsignal(signal.SIGINT)
        event.setAccepted(self.asked > 1)


def test_ctrl_c_asks_and_closes_and_is_given_back(qtbot: QtBot) -> None:
    before = signal.getsignal(signal.SIGINT)
    window = Asking()
    qtbot.addWidget(window)
    window.show()
    interrupts = Interrupts(window)
    for asked, shown in ((1, True), (2, False)):
        signal.raise_signal(signal.SIGINT)  # raises nothing here
        assert window.asked == asked - 1, "the event loop closes, not whatever runs"
        qtbot.waitUntil(lambda asked=asked: window.asked == asked)
        assert window.isVisible() is shown
        assert window.second is signal.SIG_DFL, "a second one, while the window asks, ends the program"
    interrupts.stop()
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
