"""A page whose panels are made when they are seen, with a drag of two inputs, a computation beside the answer, and buttons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import declared_page
import pytest
from declared_page import BalanceDesign, Square
from desktop import hands, mouse
from desktop.hands import Hands
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document import page_host
from dpdesigner.desktop.pages.kit.declared import DeclaredPage
from dpdesigner.desktop.pages.kit.page import Page
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.window.header import Header
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies import registry

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, declared_page.BALANCE))
    write_project(tmp_path / "balance.dpd", Project((BalanceDesign(),)))
    declared_page.made.clear()
    with hands.opened(qtbot, monkeypatch, tmp_path / "balance.dpd") as opened:
        opened.settles()
        yield opened


def square(user: Hands) -> Square:
    found = user.find(Square, "left across, right upwards")
    user._reveal(found)
    return found


def at(widget: Square, left: float, right: float) -> QPointF:
    return QPointF(left / 100 * widget.width(), (1 - right / 100) * widget.height())


def page(user: Hands) -> DeclaredPage:
    shown = user.window.host.page
    assert isinstance(shown, DeclaredPage)
    return shown


def test_only_what_is_seen_is_made_and_made_again_only_when_it_changes(user: Hands) -> None:
    assert set(declared_page.made) == {"sides", "tilt"}, "nothing of the view that is closed"
    declared_page.made.clear()
    user.drag(user.plot("height"), 0.5, 0.75)
    user.waits(lambda: page(user).view["at"] > 0.7)
    assert set(declared_page.made) == {"tilt"}, "the other panel reads nothing of the view"
    declared_page.made.clear()
    user.tab("Walks")
    user.waits(lambda: "plot of walks" in declared_page.made)
    assert declared_page.made == ["walks", "plot of walks"], "asked once, drawn once"
    declared_page.made.clear()
    user.tab("Sides")
    user.tab("Walks")
    assert declared_page.made == [], "nothing has changed"


def test_a_drag_changes_both_inputs_in_one_step_and_is_given_up_with_escape(user: Hands) -> None:
    shape = square(user)
    mouse.drag(shape, [at(shape, 30, 50), at(shape, 40, 60), at(shape, 20, 80)])
    user.reads("l = 20 · r = 80", "0.800 of it is at the right.")
    assert user.undo_text() == "Change both"
    QTest.mousePress(shape, LEFT, pos=at(shape, 20, 80).toPoint())
    mouse.move(shape, at(shape, 90, 10), LEFT)
    user.reads("l = 90 · r = 10")
    user.key(Qt.Key.Key_Escape)
    QTest.mouseRelease(shape, LEFT, pos=at(shape, 90, 10).toPoint())
    user.reads("l = 20 · r = 80")
    user.undo()
    user.reads("l = 30 · r = 50")
    assert user.undo_text() == ""


def test_a_drag_that_cannot_be_is_said_beside_its_field(user: Hands) -> None:
    shape = square(user)
    mouse.drag(shape, [at(shape, 30, 50), at(shape, 0, 0)])
    user.waits(lambda: user.errors() == ["Left and right must not both be 0."])
    assert user.undo_text() == ""


def test_buttons_change_the_design_or_the_view_and_stand_where_they_belong(user: Hands) -> None:
    assert not user.find(QPushButton, "Look at the middle").isEnabled()
    page(user).look(at=0.25)
    user.press("Look at the middle")
    assert page(user).view["at"] == 0.5 and user.undo_text() == ""
    user.press("Swap")
    user.reads("l = 50 · r = 30")
    assert user.undo_text() == "Swap"
    assert user.action("Design", "Swap").shortcut().toString() == "Ctrl+Shift+W"
    user.tab("Walks")
    assert not user.sees(QPushButton, "Look at the middle") and user.sees(QPushButton, "Swap")


def test_the_view_is_kept_in_one_place(user: Hands) -> None:
    shown = page(user)
    user.tab("Walks")
    assert shown.view_state() == {"view": "walks", "at": 0.5, "style": "plain"}
    shown.look(view="sides", style="bold")
    assert user.sees(Square, "left across, right upwards"), "the tabs follow"
    shown.set_view_state({"view": "nowhere", "at": "far", "style": 3, "more": 1})
    assert shown.view_state() == {"view": "sides", "at": 0.5, "style": "plain"}
    shown.set_view_state({"view": "walks", "at": 1})
    json.dumps(dict(shown.view_state()))
    assert shown.view["view"] == "walks" and shown.view["at"] == 1
    with pytest.raises(KeyError, match="colour"):
        shown.look(colour="red")


def test_room_is_kept_for_the_pictures_before_the_first_answer(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, declared_page.BALANCE))
    shown = declared_page.BalancePage()
    qtbot.addWidget(shown)
    assert len(shown.findChildren(CurvePlot)) == 1 and len(shown.findChildren(Square)) == 1
    before = shown._pictures.minimumSizeHint()
    shown.set_study(BalanceDesign())
    shown.outcomes["solve"] = BalanceDesign().run()
    shown.show_outcome("solve", shown.outcomes["solve"])
    assert shown._pictures.minimumSizeHint().width() == before.width() and len(shown.findChildren(CurvePlot)) == 1


def test_one_change_is_one_summary_one_header_and_one_refresh_of_each_part(user: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_host, "FRAME", 20_000)  # however loaded the machine is
    shown, counts = page(user), dict.fromkeys(("summary", "header", "refresh"), 0)

    def counted(kind: type, method: str, name: str) -> None:
        real = getattr(kind, method)

        def call(*given: object) -> object:
            counts[name] += 1
            return real(*given)

        monkeypatch.setattr(kind, method, call)

    counted(DeclaredPage, "shared_out", "refresh")
    counted(Page, "summary", "summary")
    counted(Header, "set_summary", "header")
    declared_page.made.clear()
    user.write("At the left, the number", "50")
    user.reads("l = 50 · r = 50", "0.5 of it is at the right.")
    assert counts == {"summary": 1, "header": 1, "refresh": 1} and declared_page.made == ["sides", "tilt"]
    shape = square(user)
    QTest.mousePress(shape, LEFT, pos=at(shape, 50, 50).toPoint())
    mouse.move(shape, at(shape, 75, 25), LEFT)
    user.reads("l = 75 · r = 25", "0.25 of it is at the right.")
    counts.update(dict.fromkeys(counts, 0))
    mouse.move(shape, at(shape, 25, 75), LEFT)
    user.reads("l = 25 · r = 75", "0.75 of it is at the right.")
    assert counts == {"summary": 1, "header": 1, "refresh": 1}
    QTest.mouseRelease(shape, LEFT, pos=at(shape, 25, 75).toPoint())
    assert shown.design == BalanceDesign(left=25, right=75)


def test_all_panels_are_taken_away_but_what_waits_for_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, declared_page.BALANCE))
    answer = BalanceDesign().run()
    assert [panel.key for panel in answer.panels_in({})] == ["sides", "tilt"]
    assert [panel.key for panel in answer.panels_in({"view": "walks"})] == []
    export_of(BalanceDesign()).write(tmp_path, "it", ["csv"])
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == ["it-sides.csv", "it-tilt.csv"]
