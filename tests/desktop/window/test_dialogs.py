from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pyqtgraph
import pytest
from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from dpdesigner import __version__
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.document.recovery import shadow_folder
from dpdesigner.desktop.plots.plot_layer import Frame, PixelLayer
from dpdesigner.desktop.window.dialogs import MOST, AboutDialog, ErrorDialog, ErrorHook
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies import registry


@pytest.fixture
def hook(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[ErrorHook]:
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: None)
    hook = ErrorHook()
    hook.install()
    yield hook
    hook.uninstall()
    hook.deleteLater()


def fail(text: str) -> None:
    try:
        raise ZeroDivisionError(text)
    except ZeroDivisionError as error:
        sys.excepthook(type(error), error, error.__traceback__)


def test_each_defect_is_reported_once_and_not_endlessly(hook: ErrorHook, qtbot: QtBot) -> None:
    details: list[str] = []
    hook.caught.connect(details.append)
    for _ in range(5):
        fail("the same")
    assert details == [], "nothing is shown from where it was raised"
    qtbot.waitUntil(lambda: bool(details))
    assert len(details) == 1
    assert "ZeroDivisionError: the same" in details[0] and f"dpdesigner {__version__}" in details[0]
    for number in range(3 * MOST):
        fail(str(number))
    qtbot.wait(1)
    assert len(details) == MOST


def test_a_failing_report_does_not_report_itself_endlessly(hook: ErrorHook, qtbot: QtBot) -> None:
    calls: list[str] = []

    def broken(details: str) -> None:
        calls.append(details)
        fail("in the report")

    hook.caught.connect(broken)
    fail("first")
    qtbot.waitUntil(lambda: len(calls) == 2)
    qtbot.wait(5)
    assert len(calls) == 2


def test_threads_are_covered(hook: ErrorHook, qtbot: QtBot) -> None:
    def defect() -> None:
        raise LookupError("in a thread")

    with qtbot.waitSignal(hook.caught) as report:
        thread = threading.Thread(target=defect)
        thread.start()
        thread.join()
    assert report.args is not None and "in a thread" in report.args[0]


def test_an_interrupt_is_no_defect(hook: ErrorHook, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(hook.caught, wait=5):
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)


def test_the_window_keeps_the_document_and_shows_details(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    window = MainWindow([FakeStudy(1)])
    qtbot.addWidget(window)
    window.show()
    window.document.change(FakeStudy(2), "Two")
    window.commands.show_error("Traceback: the details")
    assert len(list(shadow_folder().glob("*.json"))) == 1, "the work is safe before anything is said"
    assert window.banner.isVisible() and window.document.study == FakeStudy(2)
    QTest.mouseClick(window.banner.button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(ErrorDialog)
    assert dialog is not None and dialog.isVisible() and dialog.details.toPlainText() == "Traceback: the details"
    dialog._copy()
    assert QGuiApplication.clipboard().text() == "Traceback: the details"
    dialog.close()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_about_cuts_nothing_off(qtbot: QtBot, scale: float) -> None:
    theme().set_scale(scale)
    try:
        dialog = AboutDialog()
        qtbot.addWidget(dialog)
        with qtbot.waitExposed(dialog):
            dialog.show()
        for label in dialog.findChildren(QLabel):
            assert label.height() >= max(label.heightForWidth(label.width()), label.fontMetrics().height()), label.text()
    finally:
        theme().set_scale(1)


def test_about_names_licence_and_versions(qtbot: QtBot) -> None:
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    dialog._copy()
    text = QGuiApplication.clipboard().text()
    for name in ("dpdesigner", "Python", "Qt (PySide6)", "numpy", "scipy", "pyqtgraph", "HiGHS (highspy)"):
        assert f"{name} " in text


def test_a_layer_that_fails_while_painting_is_reported_and_the_window_lives(hook: ErrorHook, qtbot: QtBot) -> None:
    class Broken(PixelLayer):
        def draw(self, painter: QPainter) -> None:
            raise ZeroDivisionError("while painting")

    details: list[str] = []
    hook.caught.connect(details.append)
    view = pyqtgraph.GraphicsView()
    layer = Broken()
    view.scene().addItem(layer)
    layer.set_frame(Frame(QRectF(0, 0, 50, 50)), QRectF(0, 0, 50, 50))
    qtbot.addWidget(view)
    view.show()
    qtbot.waitUntil(lambda: bool(details))
    assert "ZeroDivisionError: while painting" in details[0]
    assert view.grab().width() > 0, "painting goes on"
