"""What comes after the first paint, however late that is."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesigner.desktop.background.after_paint import AFTERWARDS, AfterPaint
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign


def test_it_waits_for_the_paint(qtbot) -> None:
    called = []
    widget = QWidget()
    qtbot.addWidget(widget)
    AfterPaint(widget, lambda: called.append(widget.isVisible()))
    qtbot.wait(2 * AFTERWARDS)
    assert not called
    widget.show()
    qtbot.waitUntil(lambda: bool(called))
    widget.update()
    qtbot.wait(2 * AFTERWARDS)
    assert called == [True]


def test_the_main_window_is_painted_itself(qtbot) -> None:
    called = []
    window = MainWindow([CountDesign(5, alpha="1/2")])
    qtbot.addWidget(window)
    AfterPaint(window, lambda: called.append(True))
    window.show()
    qtbot.waitUntil(lambda: bool(called))
