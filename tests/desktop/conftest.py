"""What the tests of windows get besides: a hand that is patient, since a busy machine is not a defect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.document.filing import Questions

#: How long a test waits, in milliseconds, for what must happen. Only one that fails waits as long.
PATIENCE = 60_000


def _patient(wait: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(wait)
    def patient(self: QtBot, *given: Any, timeout: int = 0, **named: Any) -> Any:
        if named.get("raising") is not False:  # what must not happen is not waited for
            timeout = max(timeout, PATIENCE)
        return wait(self, *given, timeout=timeout, **named)

    return patient


def _end(worker: Worker, window: QWidget) -> None:
    worker.stop(PATIENCE)


class PatientBot(QtBot):
    """A QtBot for which no time given by a test is too short."""

    def addWidget(self, widget: QWidget, *, before_close_func: Callable[[Any], object] | None = None) -> None:
        """Close it after the test; the threads of a window come to their end before, however busy the machine is."""
        if before_close_func is None and isinstance(worker := getattr(widget, "worker", None), Worker):
            before_close_func = partial(_end, worker)
        super().addWidget(widget, before_close_func=before_close_func)

    waitUntil = _patient(QtBot.waitUntil)
    waitSignal = _patient(QtBot.waitSignal)
    waitSignals = _patient(QtBot.waitSignals)
    waitExposed = _patient(QtBot.waitExposed)
    waitActive = _patient(QtBot.waitActive)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Close the window of a failed test without its question about unsaved changes, which nobody would answer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Questions, "save_changes", lambda self, title: "discard")
        return (yield)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """Give the patient one."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def _letters(request: pytest.FixtureRequest) -> None:
    """Skip what is about the room that texts need, where the machine has no letters to show."""
    if request.node.get_closest_marker("letters") is not None:
        request.getfixturevalue("qapp")
        if QFontMetrics(QFont("", 18)).horizontalAdvance("abcdefghijklmnopqrstuvwxyz") > 500:
            pytest.skip("this machine has no font: Qt draws boxes")


@pytest.fixture(autouse=True)
def _releases_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer the question before another release, except in tests of it."""
    monkeypatch.setattr(QMessageBox, "question", staticmethod(lambda *given: QMessageBox.StandardButton.Yes))


@pytest.fixture(autouse=True)
def _released() -> Iterator[None]:
    """Release the mouse after each test: Qt keeps a pressed button beyond the window in which it was pressed."""
    yield
    held = QGuiApplication.mouseButtons()
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
        if held & button:
            QTest.mouseRelease(QWindow(), button)
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton


@pytest.fixture(autouse=True)
def _details(request: pytest.FixtureRequest) -> None:
    """Show exact details, so that tests find all there is; those of the plain setting say so themselves."""
    if "theme" not in request.path.parts:
        request.getfixturevalue("qapp")
        preferences().choose(exact=True)


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Give what opens designs of noise in a window; see `noise_designs.opener`."""
    from desktop.noise_designs import opener

    with opener(qtbot, monkeypatch, tmp_path) as opened:
        yield opened
