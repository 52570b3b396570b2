from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.application import make_application
from dpdesigner.desktop.main_window import MainWindow
from dpdesigner.desktop.preferences import Choices, preferences
from dpdesigner.desktop.questions import Questions
from dpdesigner.studies import registry

EVENTS = int(os.environ.get("DPDESIGNER_TEST_EVENTS", "600"))

_KEYS = [
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Tab, Qt.Key.Key_Backtab),
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_Delete, Qt.Key.Key_Home, Qt.Key.Key_End),
    *(Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_0, Qt.Key.Key_A, Qt.Key.Key_Z, Qt.Key.Key_Y, Qt.Key.Key_D, Qt.Key.Key_H),
    *(Qt.Key.Key_P, Qt.Key.Key_S, Qt.Key.Key_N, Qt.Key.Key_O, Qt.Key.Key_C, Qt.Key.Key_F2, Qt.Key.Key_F5, Qt.Key.Key_PageUp),
    Qt.Key.Key_PageDown,
]
_MODIFIERS = [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier]


class Events:
    """Random mouse, key and menu events on whatever is in front."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self._window = window
        self._chance = random.Random(seed)

    def send(self) -> None:
        kind = self._chance.random()
        if kind < 0.45:
            self._mouse()
        elif kind < 0.85:
            self._key()
        else:
            self._command()
        QApplication.processEvents()

    def _target(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._window

    def _mouse(self) -> None:
        top = self._target()
        point = QPoint(self._chance.randrange(max(1, top.width())), self._chance.randrange(max(1, top.height())))
        widget = top.childAt(point) or top
        here = widget.mapFrom(top, point)
        button = self._chance.choice([Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton])
        action = self._chance.choice([QTest.mouseClick, QTest.mouseDClick, QTest.mousePress, QTest.mouseRelease])
        action(widget, button, self._chance.choice(_MODIFIERS), here)
        if self._chance.random() < 0.5:
            QTest.mouseMove(widget, QPoint(self._chance.randrange(300), self._chance.randrange(300)))

    def _key(self) -> None:
        widget = QApplication.activePopupWidget() or QApplication.focusWidget() or self._target()
        both = _MODIFIERS[1] | _MODIFIERS[2]
        QTest.keyClick(widget, self._chance.choice(_KEYS), self._chance.choice([*_MODIFIERS, both]))

    def _command(self) -> None:
        if QApplication.activeModalWidget() is not None:
            return
        quit_action = self._window.menus.quit
        actions: list[QAction] = [action for _, action in self._window.menus.commands() if action is not quit_action]
        self._chance.choice(actions).trigger()


@pytest.mark.parametrize("seed", [1, 2])
def test_random_events_find_no_exception(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    chance = random.Random(seed)
    files = [None, tmp_path / "a.dpd", tmp_path / "b.dpd", tmp_path / "missing" / "c.dpd"]
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: chance.choice(["save", "discard", "cancel"]))
    monkeypatch.setattr(Questions, "overwrite_changed", lambda self, path: chance.choice(["overwrite", "save as", "cancel"]))
    monkeypatch.setattr(Questions, "path_to_open", lambda self, folder: chance.choice(files))
    monkeypatch.setattr(Questions, "path_to_save", lambda self, suggestion: chance.choice(files))
    make_application()
    window = MainWindow([FakeStudy(7, "Seven")])
    qtbot.addWidget(window, before_close_func=_let_go(monkeypatch))
    monkeypatch.setattr(window.commands, "export", lambda: None)
    window.show()
    events = Events(window, seed)
    for _ in range(EVENTS):
        events.send()
        if not window.isVisible():
            break
    for dialog in window.findChildren(QDialog):
        dialog.close()
    assert window.document.designs
    preferences().choose(**vars(Choices()))


def _let_go(monkeypatch: pytest.MonkeyPatch) -> object:
    def before_close(window: QWidget) -> None:
        monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")

    return before_close
