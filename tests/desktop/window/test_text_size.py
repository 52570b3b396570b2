"""Larger text: every page stays in reach, the picture keeps its room, and Ctrl+0 brings everything back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.hands import Hands
from PySide6.QtWidgets import QSplitter
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.rail import RailButton
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies import registry
from dpdesigner.studies.noise.design import NoiseDesign

KINDS = [page.kinds[0] for page in registry.pages()]


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    write_project(tmp_path / "it.dpd", Project((NoiseDesign(name="First", epsilon=1),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as user:
        user.settles()
        yield user


def arranged(user: Hands) -> tuple[list[list[int]], list[str]]:
    """The widths of columns, and the cards that are folded."""
    user.qtbot.wait(150)
    user.settles()
    page = user.window.host.page
    assert page is not None
    splitters = [splitter.sizes() for splitter in page.findChildren(QSplitter) if splitter.isVisible()]
    return splitters, [card.accessibleName() for card in page.findChildren(Card) if card.isVisible() and card.folded]


@pytest.mark.parametrize("kind", KINDS)
def test_text_that_was_larger_leaves_no_trace(user: Hands, kind: str) -> None:
    user.window.document.add(registry.entry(kind).page_class().starting_study(kind))
    before = arranged(user)
    for step in range(10):
        user.window.menus.larger.trigger()
        if step % 3 == 0:
            user.qtbot.wait(30)
    assert preferences().choices.text_scale > 1.9
    user.qtbot.wait(100)
    user.window.menus.normal.trigger()

    def as_before() -> None:
        splitters, folded = arranged(user)
        assert folded == before[1]
        for now, then in zip(splitters, before[0], strict=True):  # a column may keep a few pixels of what it was pressed to
            assert all(abs(a - b) <= 24 for a, b in zip(now, then, strict=True)), (now, then)

    user.qtbot.waitUntil(as_before)


@pytest.mark.parametrize("size", [(1280, 720), (1024, 640)])
def test_every_page_is_in_reach_of_the_mouse(user: Hands, size: tuple[int, int]) -> None:
    user.window.resize(*size)
    for scale in (1.0, 1.5, 2.0):
        preferences().choose(text_scale=scale)
        user.qtbot.wait(100)
        rail = user.window.rail
        for button in rail.findChildren(RailButton):
            assert rail.rect().contains(button.mapTo(rail, button.rect().center())), f"{button.text()} at {scale}"
    preferences().choose(text_scale=1.0)
    user.qtbot.wait(100)
    assert size != (1280, 720) or not rail.button("noise").toolTip().startswith("Noise"), "the words are back"


def test_options_give_way_to_the_matrix(user: Hands) -> None:
    user.window.document.add(registry.entry("count").page_class().starting_study("count"))
    user.settles()
    matrix = next(view for view in user.window.findChildren(MatrixView) if view.isVisible())
    assert user.says("Side by side")
    preferences().choose(text_scale=1.5)
    user.window.menus.scenes.setChecked(True)
    user.qtbot.wait(500)
    user.qtbot.wait(500)
    assert matrix.height() > 300 or not user.says("Side by side")
    assert matrix.height() > 200
    user.window.menus.scenes.setChecked(False)
    preferences().choose(text_scale=1.0)
    user.waits(lambda: user.says("Side by side"))
