from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.document.recovery import shadow_folder
from dpdesigner.desktop.window.dialogs import ErrorDialog, ErrorHook
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies import registry
from dpdesigner.studies.study import Job, Progress


class Broken(QWidget):
    """Raises whenever it is painted."""

    def paintEvent(self, event: QPaintEvent) -> None:
        raise ZeroDivisionError("in a paint event")


def while_painting(window: MainWindow) -> None:
    broken = Broken(window.host.page)
    broken.resize(50, 50)
    broken.show()


def in_a_timer(window: MainWindow) -> None:
    def fail() -> None:
        raise ZeroDivisionError("in a timer")

    QTimer.singleShot(0, fail)


def in_the_background(window: MainWindow) -> None:
    def fail(progress: Progress) -> None:
        raise ZeroDivisionError("in a job")

    assert window.host.page is not None
    window.host.page.requested.emit(Job("broken", fail))


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Iterator[MainWindow]:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: None)
    hook = ErrorHook()
    hook.install()
    window = MainWindow([FakeStudy(1)])
    hook.caught.connect(window.commands.show_error)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    hook.uninstall()
    hook.deleteLater()


@pytest.mark.parametrize("defect", [while_painting, in_a_timer, in_the_background])
def test_a_defect_is_told_quietly_and_the_design_lives_on(
    qtbot: QtBot, window: MainWindow, defect: Callable[[MainWindow], None]
) -> None:
    window.document.change(FakeStudy(2), "Two")
    defect(window)
    qtbot.waitUntil(window.banner.isVisible)
    assert len(list(shadow_folder().glob("*.json"))) == 1, "the work is safe"
    assert QApplication.activeModalWidget() is None, "nobody is interrupted"
    for broken in window.findChildren(Broken):
        broken.hide()
    window.document.change(FakeStudy(3), "Three")
    window.document.undo()
    assert window.document.study == FakeStudy(2)
    qtbot.waitUntil(lambda: window.host.page is not None and window.host.page.result.text() == "4")
    QTest.mouseClick(window.banner.button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(ErrorDialog)
    assert dialog is not None and "ZeroDivisionError: in a" in dialog.details.toPlainText()
    dialog.close()
