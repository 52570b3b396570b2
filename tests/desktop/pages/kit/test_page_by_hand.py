"""The least page by hand in the real window: a widget of its own asks for designs, and all else is as on every declared page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import declared_page
import pytest
from declared_kind import LaplaceDesign
from declared_page import Square
from desktop import hands, mouse
from desktop.hands import Hands
from desktop.test_accessible_names import nameless
from desktop.test_everything_fits import cut_off, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies import registry


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, declared_page.ENTRY))
    write_project(tmp_path / "by hand.dpd", Project((LaplaceDesign(),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "by hand.dpd") as opened:
        opened.settles()
        yield opened


def pull(user: Hands, *shares: tuple[float, float]) -> None:
    square = user.find(Square, "x across, b upwards")
    user._reveal(square)
    mouse.drag(square, [QPointF(across * square.width(), (1 - up) * square.height()) for across, up in shares])


def test_a_drag_in_the_square_changes_both_in_one_step(user: Hands) -> None:
    pull(user, (0.5, 0.5), (0.6, 0.6), (0.75, 0.9))
    user.reads("b = 6.31 · x = 2")
    assert user.undo_text() == "Change x and b" and not user.errors()
    user.undo()
    user.reads("b = 1 · x = 0.5")
    assert user.undo_text() == "" and nameless(user.window) == []


def test_keys_work_and_a_drag_is_given_up(user: Hands) -> None:
    square = user.find(Square, "x across, b upwards")
    square.setFocus()
    user.key(Qt.Key.Key_Right)
    user.reads("b = 1 · x = 0.66")
    place = QPointF(10, 10)
    QTest.mousePress(square, Qt.MouseButton.LeftButton, pos=place.toPoint())
    mouse.move(square, place * 2, Qt.MouseButton.LeftButton)
    user.waits(lambda: not user.says("x = 0.66"))
    user.key(Qt.Key.Key_Escape)
    QTest.mouseRelease(square, Qt.MouseButton.LeftButton, pos=place.toPoint())
    user.reads("b = 1 · x = 0.66")


@pytest.mark.letters
def test_it_fits_with_large_text(user: Hands) -> None:
    preferences().choose(text_scale=2.0)
    settle()
    assert cut_off(user.window) == []


def test_its_panels_are_taken_away_as_tables(user: Hands, tmp_path: Path) -> None:
    export_of(LaplaceDesign()).write(tmp_path, "it", ["csv"])
    assert (tmp_path / "it-cdf.csv").is_file()
