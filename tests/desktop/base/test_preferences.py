from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base import preferences as preferences_module
from dpdesigner.desktop.base.colours import DARK
from dpdesigner.desktop.base.preferences import Choices, Preferences, preferences, settings
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.filing import MOST, forget_recent, note_recent, recent_files
from dpdesigner.desktop.window.dialogs import PreferencesDialog


@pytest.fixture(autouse=True)
def normal_afterwards(qapp: QApplication) -> Iterator[None]:
    preferences().choose(**vars(Choices()))
    yield
    preferences().choose(**vars(Choices()))


def test_choices_last_and_are_applied(qapp: QApplication) -> None:
    changes: list[None] = []
    preferences().changed.connect(lambda: changes.append(None))
    preferences().choose(scheme="dark", text_scale=1.5, reduced_motion=True)
    preferences().choose(text_scale=1.5)
    assert len(changes) == 1
    assert theme().colours is DARK and theme().scale == 1.5
    again = Preferences()
    assert again.choices == Choices("dark", 1.5, True)


@pytest.mark.parametrize(
    ("name", "value"), [("scheme", "pink"), ("text_scale", "huge"), ("text_scale", 77), ("text_scale", "nan")]
)
def test_a_broken_settings_file_gives_the_defaults(qapp: QApplication, name: str, value: object) -> None:
    settings().setValue(f"preferences/{name}", value)
    assert Preferences().choices == Choices()


def test_motion_is_reduced_where_the_system_wants_it_until_the_user_says_otherwise(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings().remove("preferences")
    monkeypatch.setattr(preferences_module, "_system_reduces_motion", lambda: True)
    assert Preferences().choices.reduced_motion
    chosen = Preferences()
    chosen.choose(text_scale=1.25)
    assert Preferences().choices.reduced_motion, "choosing something else does not decide it"
    chosen.choose(reduced_motion=False)
    assert not Preferences().choices.reduced_motion


def test_the_dialog_decides_only_what_is_changed_in_it(qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    settings().remove("preferences")
    dialog = PreferencesDialog()
    qtbot.addWidget(dialog)
    dialog.scheme.setCurrentIndex(2)
    assert settings().contains("preferences/scheme") and not settings().contains("preferences/reduced_motion")
    monkeypatch.setattr(preferences_module, "_system_reduces_motion", lambda: True)
    assert Preferences().choices.reduced_motion, "the system still decides what nobody chose"


def test_text_size_has_ends(qapp: QApplication) -> None:
    for _ in range(20):
        preferences().step_text_scale(1)
    assert theme().scale == 2.0
    for _ in range(20):
        preferences().step_text_scale(-1)
    assert theme().scale == 0.8
    preferences().step_text_scale(0)
    assert theme().scale == 1.0


def test_presenting_enlarges_as_the_screen_wants_for_now_only(qapp: QApplication) -> None:
    preferences().choose(text_scale=1.5)
    preferences().set_enlargement(2.0)
    assert theme().scale == 2.0 and Preferences().choices.text_scale == 1.5
    preferences().set_enlargement(None)
    assert theme().scale == 1.5


def test_the_dialog_changes_at_once(qtbot: QtBot) -> None:
    dialog = PreferencesDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.scheme.setFocus()
    QTest.keyClick(dialog.scheme, Qt.Key.Key_End)
    assert theme().colours is DARK
    QTest.keyClick(dialog.text_scale, Qt.Key.Key_Down)
    assert theme().scale == 1.1
    box = dialog.reduced_motion
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert preferences().choices == Choices("dark", 1.1, reduced_motion=True)


def test_recent_files_are_newest_first_and_few(qapp: QApplication, tmp_path: Path) -> None:
    paths = [tmp_path / f"{k}.dpd" for k in range(MOST + 3)]
    for path in paths:
        note_recent(path)
    note_recent(paths[5])
    assert recent_files()[:2] == [paths[5], paths[-1]] and len(recent_files()) == MOST
    forget_recent(paths[5])
    assert paths[5] not in recent_files()
    forget_recent()
    assert recent_files() == []


@pytest.mark.parametrize("text", ["", "{", "3", '{"a": 1}', "[1, 2]"])
def test_a_broken_list_of_recent_files_is_empty(qapp: QApplication, text: str) -> None:
    settings().setValue("recent/files", text)
    assert recent_files() == []
