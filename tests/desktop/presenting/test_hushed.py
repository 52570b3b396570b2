"""Before an audience no input error is shown: neither one that was there, nor one that somebody makes while playing."""

from __future__ import annotations

import pytest
from desktop.count_window import await_answers, opened
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign


def red(window: MainWindow) -> list[str]:
    """What is said in red, and the boxes outlined in red."""
    labels = [label.text() for label in window.findChildren(QLabel) if label.property("class") == "error" and label.isVisible()]
    boxes = [box.text() for box in window.findChildren(ValueBox) if box.property("invalid") and box.isVisible()]
    return [text for text in labels + boxes if text]


def epsilon(window: MainWindow) -> ValueBox:
    return next(box for box in window.findChildren(ValueBox) if box.accessibleName() == "Epsilon" and box.isVisible())


def test_no_error_is_shown_to_the_audience(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(qtbot, monkeypatch, CountDesign(6, epsilon=1)) as window:
        await_answers(qtbot, window)
        box = epsilon(window)
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "nonsense")
        QTest.keyClick(box, Qt.Key.Key_Return)
        assert red(window) and box.text() == "nonsense"
        window.menus.present.trigger()
        assert window.presenting.on and red(window) == [] and box.text() == "1"
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "-3")
        QTest.keyClick(box, Qt.Key.Key_Return)
        assert red(window) == [] and box.text() == "1", "what somebody types is taken back"
        window.presenting.stop()
        assert red(window) == [] and not ValueBox.hushed
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "-3")
        QTest.keyClick(box, Qt.Key.Key_Return)
        assert red(window), "afterwards errors are told again"
