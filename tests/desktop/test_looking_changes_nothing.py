"""Looking is no change: every page of the rail, every view of it and every exhibit leave undo and the document as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.hands import Hands, Key
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.files.project import Project, write_project

MINE = dp.NoiseDesign(name="Mine", epsilon=1)


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    write_project(tmp_path / "it.dpd", Project((MINE,)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd", (1280, 1000)) as user:
        user.settles()
        yield user


def unchanged(user: Hands) -> bool:
    document = user.window.document
    return document.undo_stack.count() == 0 and document.content.project.studies == (MINE,) and not document.modified


def open_views(user: Hands, about: str) -> None:
    user.settles()
    assert unchanged(user), about
    if any(row.accessibleName() == "Views" and row.isVisible() for row in user.window.findChildren(QWidget)):
        for view in user.tabs():
            user.tab(view)
            user.qtbot.wait(20)
            assert unchanged(user), f"{view} of {about}"


def test_every_page_and_every_view_is_opened_without_a_step(user: Hands) -> None:
    pages = [
        button.accessibleName()
        for button in user.window.findChildren(QAbstractButton)
        if button.accessibleName().endswith(" page") and button.isVisible()
    ]
    assert len(pages) >= 7
    for page in (*pages, "Noise page"):
        user.press(page)
        open_views(user, page)
    assert user.window.document.study == MINE


def test_an_exhibit_of_each_paper_and_its_views_are_opened_without_a_step(user: Hands) -> None:
    """All of them are visited, without waiting for their answers, in tests/desktop/pages/papers."""
    user.press("Papers page")
    user.settles()
    for name in {name.partition("/")[0]: name for name in reversed(dp.exhibits())}.values():
        user.window.document.visit(dp.exhibit(name))
        open_views(user, name)
    user.window.document.visit(dp.exhibit("grs/example-2.2"))
    user.key(Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert user.window.document.study.exhibit == "grs/figure-1"
    open_views(user, "the exhibit with views")
    user.press("Noise page")
    user.settles()
    assert user.window.document.study == MINE and unchanged(user)
