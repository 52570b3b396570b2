"""In a small window and with large text, every page keeps its picture; texts and buttons give way."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.test_everything_fits import cut_off, settle
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractScrollArea, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner import save
from dpdesigner.desktop.base.controls import ButtonRow
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.pages.audience.remap_strips import RemapStripsPanel
from dpdesigner.desktop.pages.kit.panel_views import KeptSentencePanel
from dpdesigner.desktop.pages.kit.three_columns import ThreeColumns
from dpdesigner.desktop.plots.people import PeopleGrid
from dpdesigner.desktop.plots.plot_layer import LEAST_PICTURE
from dpdesigner.desktop.plots.plot_stack import PlotStack
from dpdesigner.desktop.plots.plot_style import PlotHolder
from dpdesigner.studies.exhibits.listing import exhibit
from dpdesigner.studies.registry import ENTRIES, entry

#: Width, height and text size.
SMALL = ((1024, 640, 1.0), (1280, 720, 1.5), (1024, 640, 1.25), (1024, 640, 1.5))
EXHIBITS = (
    "grs/example-2.2",
    "cacm/exponential",
    "cacm/id3-tree",
    "geng/density",
    "notes/all-rows",
    "blr/mirrored-mod",
    "after/fair-properties",
)
KINDS = [known.kind for known in ENTRIES if known.kind != "exhibit"]


def starting(name: str) -> Any:
    return exhibit(name) if "/" in name else entry(name).page_class().starting_study(name)


def seen(widget: QWidget) -> QRect:
    """The part of a widget that is not scrolled away, on the screen."""
    rect, around = QRect(widget.mapToGlobal(QPoint()), widget.size()), widget.parentWidget()
    while around is not None:
        if around.isWindow() or isinstance(around.parentWidget(), QAbstractScrollArea):
            rect = rect.intersected(QRect(around.mapToGlobal(QPoint()), around.size()))
        around = around.parentWidget()
    return rect


def heights(window: Any) -> list[int]:
    """How high the pictures in the middle of the page are, as far as they can be seen; a stack of lanes is one picture."""
    columns = window.host.page.findChild(ThreeColumns)
    middle = columns._columns[1]
    found = [
        each for each in middle.findChildren(QWidget) if isinstance(each, PlotHolder | PlotStack | PeopleGrid | RemapStripsPanel)
    ]
    lone = [each for each in found if each.isVisible() and not isinstance(each.parentWidget(), PlotStack)]
    return [seen(each).height() for each in lone if seen(each).width() > 0]


def main_lanes(window: Any) -> list[int]:
    """How high the larger one of two lanes is, as far as it can be seen."""
    stacks = [stack for stack in window.host.page.findChildren(PlotStack) if stack.isVisible() and stack.strips is not None]
    pairs = [stack for stack in stacks if len(stack.plots) == 2 and stack.strips.plots[0].room > stack.strips.plots[1].room]
    return [seen(next(iter(stack.plots.values()))).height() for stack in pairs]


def resized(window: Any, width: int, height: int) -> bool:
    """Resize a window again; it is as small as that once its parts have the new text size."""
    window.resize(width, height)
    return (window.width(), window.height()) == (width, height)


@pytest.mark.letters
@pytest.mark.parametrize("name", [*KINDS, *EXHIBITS])
def test_the_picture_stays_and_nothing_is_cut_off(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    save([starting(name)], tmp_path / "it.dpd")
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as user:
        user.waits(lambda: user.window.host.page is not None and user.window.host.page.outcomes.get("solve") is not None)
        preferences().choose(text_scale=2.0)
        settle()
        user.waits(lambda: name in EXHIBITS or not list(cut_off(user.window)))
        for width, height, scale in SMALL:
            preferences().choose(text_scale=scale)
            user.waits(partial(resized, user.window, width, height))
            user.waits(lambda: max(heights(user.window), default=0) >= LEAST_PICTURE)
            user.waits(lambda: min(main_lanes(user.window), default=LEAST_PICTURE) >= LEAST_PICTURE)
            assert (user.window.width(), user.window.height()) == (width, height)


@pytest.mark.letters
def test_texts_and_buttons_give_way_and_come_back(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    save([starting("histogram")], tmp_path / "it.dpd")
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as user:
        user.settles()
        told = user.window.findChild(KeptSentencePanel).label
        row = next(row for row in user.window.host.page.findChildren(ButtonRow) if row.isVisible())
        user.window.resize(1280, 900)
        user.waits(lambda: told.text() == told.full_text and [each.text() for each in menu(row)] == ["Store truth…"])
        preferences().choose(text_scale=1.5)
        user.window.resize(1024, 640)
        user.waits(lambda: told.text() != told.full_text)
        assert told.text().endswith("…") and told.toolTip() == told.accessibleName() == told.full_text
        assert told.height() < 2 * told.fontMetrics().height()
        user.waits(row.menu_button.isVisible)
        assert "Store truth…" in [action.text() for action in menu(row)]
        preferences().choose(text_scale=1.0)
        user.window.resize(1280, 900)
        user.waits(lambda: told.text() == told.full_text and [each.text() for each in menu(row)] == ["Store truth…"])
        assert told.toolTip() == ""


def menu(row: ButtonRow) -> list[Any]:
    row.menu_button.menu().aboutToShow.emit()
    return row.menu_button.menu().actions()


def test_a_button_in_the_menu_does_the_same(qtbot: QtBot) -> None:
    pressed: list[str] = []
    buttons = [QPushButton(text) for text in ("first", "second", "third")]
    for button in buttons:
        button.clicked.connect(partial(_note, pressed, button.text()))
    row = ButtonRow(*buttons)
    qtbot.addWidget(row)
    row.show()
    row.resize(row.sizeHint())
    assert all(button.isVisible() for button in buttons) and not row.menu_button.isVisible()
    row.resize(row.minimumSizeHint())
    assert [button.isVisible() for button in buttons] == [True, False, False] and row.menu_button.isVisible()
    assert [action.text() for action in menu(row)] == ["second", "third"]
    menu(row)[1].trigger()
    assert pressed == ["third"]
    row.offer(buttons[2], False)
    assert [action.text() for action in menu(row)] == ["second"]
    row.resize(row.sizeHint())
    assert [button.isVisible() for button in buttons] == [True, True, False] and not row.menu_button.isVisible()


def _note(pressed: list[str], text: str, checked: bool = False) -> None:
    pressed.append(text)
