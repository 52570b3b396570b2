"""Of every kind: what is drawn belongs to the design that is shown, or is pale; and no message outlives its field."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.hands import Hands, Key
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from dpdesigner.desktop.background.queue import Worker
from dpdesigner.desktop.base.controls import ValueBox
from dpdesigner.desktop.pages.kit.editor_column import AskingColumn
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.plots.people import PeopleGrid
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies import registry
from dpdesigner.studies.exhibits.listing import exhibit
from dpdesigner.studies.noise.design import NoiseDesign

KINDS = [entry.kind for entry in registry.ENTRIES]
PICTURES: tuple[type[QWidget], ...] = (CurvePlot, CostBars, MatrixView, PeopleGrid)


def starting(kind: str) -> Any:
    return exhibit("grs/theorem-6.3") if kind == "exhibit" else registry.entry(kind).page_class().starting_study(kind)


@pytest.fixture
def pale(monkeypatch: pytest.MonkeyPatch) -> dict[QWidget, bool]:
    """Whether each picture was last told to fade."""
    told: dict[QWidget, bool] = {}
    for picture in PICTURES:

        def note(self: QWidget, on: bool, fade: Callable[[QWidget, bool], None] = picture.set_stale) -> None:  # type: ignore[attr-defined]
            told[self] = on
            fade(self, on)

        monkeypatch.setattr(picture, "set_stale", note)
    return told


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """While it is closed, no answer comes."""
    gate = threading.Event()
    gate.set()
    submit = Worker.submit

    def held(self: Worker, key: Any, call: Callable[..., Any], **how: Any) -> None:
        def late(progress: Any) -> Any:
            while not gate.wait(0.02):
                progress(None, "")
            return call(progress)

        submit(self, key, late, **how)

    monkeypatch.setattr(Worker, "submit", held)
    yield gate
    gate.set()


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Hands]]:
    with ExitStack() as stack:

        def opened(*designs: Any) -> Hands:
            write_project(tmp_path / "it.dpd", Project(designs))
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd"))
            user.settles()
            return user

        yield opened


def coloured(user: Hands, pale: dict[QWidget, bool]) -> list[str]:
    """The pictures of answers that are seen in full colour."""
    page = user.window.host.page
    assert page is not None
    asked = getattr(page, "room", page) or page
    column = asked.asking
    found = [picture for kind in PICTURES for picture in page.findChildren(kind) if picture.isVisible()]
    shown = [picture for picture in found if column is None or not column.isAncestorOf(picture)]
    return [_path(picture) for picture in shown if not pale.get(picture) and not _empty(picture)]


def _empty(picture: QWidget) -> bool:
    return isinstance(picture, CurvePlot) and not picture.plot.lines


def _path(widget: QWidget) -> str:
    around = widget.parentWidget()
    return f"{type(around).__name__} > {type(widget).__name__} {widget.accessibleName()!r}"


def changed(design: Any) -> Any:
    for changes in ({"cap": "3"}, {"n": 6}, {"epsilon": "0.31"}, {"alpha": "1/3"}, {"belief": "0.1"}, {"rows": 3000}):
        try:
            return design.replace(**changes)
        except (TypeError, ValueError):
            continue
    raise AssertionError("nothing to change")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_belongs_to_the_design_that_is_shown(
    opens: Callable[..., Hands], pale: dict[QWidget, bool], gate: threading.Event, kind: str
) -> None:
    user = opens(starting(kind), starting("count" if kind != "count" else "noise"), changed(starting(kind)))
    while_an_answer_is_late_the_one_before_is_pale(user, pale, gate)
    user.window.document.undo_stack.setIndex(0)
    user.settles()
    a_message_and_what_was_refused_go_with_another_view(user, kind)
    a_message_goes_with_its_page_and_does_not_come_back(user, pale)


def while_an_answer_is_late_the_one_before_is_pale(user: Hands, pale: dict[QWidget, bool], gate: threading.Event) -> None:
    user.qtbot.wait(100)
    gate.clear()
    user.window.document.change(changed(user.window.document.study), "Change")
    user.waits(lambda: user.window.header.result.property("state") == "stale" or user.says("computing…"))
    user.waits(lambda: coloured(user, pale) == [])
    user.qtbot.wait(100)
    assert coloured(user, pale) == []
    gate.set()
    user.settles()


def a_message_goes_with_its_page_and_does_not_come_back(user: Hands, pale: dict[QWidget, bool]) -> None:
    header = user.window.header
    boxes = [box for box in user.window.findChildren(ValueBox) if box.isVisible() and box.isEnabled() and not box.isReadOnly()]
    for box in boxes:
        if not box.isVisible():
            continue
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "many")
        QTest.keyClick(box, Key.Key_Return)
        if not user.errors():
            QTest.keyClick(box, Key.Key_Escape)
            continue
        if any(column.isAncestorOf(box) for column in user.window.findChildren(AskingColumn)):  # an input, not of a view
            assert coloured(user, pale) == [], box.accessibleName()
            assert not header.value.isEnabled() and not header.result.sentence.isEnabled(), box.accessibleName()
        for place in (2, 1, 0):
            user.window.document.select(place)
            assert user.errors() == [], f"of {box.accessibleName()!r} on design {place}"
            assert header.value.isEnabled() and header.result.sentence.isEnabled(), place
        assert box.text() != "many"


def a_message_and_what_was_refused_go_with_another_view(user: Hands, kind: str) -> None:
    if not any(row.accessibleName() == "Views" and row.isVisible() for row in user.window.findChildren(QWidget)):
        return  # there is no other view
    first, second = user.tabs()[:2]
    said = 0
    for box in [box for box in user.window.findChildren(ValueBox) if box.isVisible() and box.isEnabled()]:
        if not box.isVisible() or box.isReadOnly():
            continue
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, "many")
        QTest.keyClick(box, Key.Key_Return)
        if user.window.document.undo_stack.index():  # it was taken: a text, a file
            user.window.document.undo_stack.setIndex(0)
            user.settles()
        elif user.errors():
            said += 1
            for view in (second, first):
                user.tab(view)
                user.qtbot.wait(50)
                assert user.errors() == [], f"{box.accessibleName() if isValid(box) else ''}: {view}"
                assert not isValid(box) or box.text() != "many", box.accessibleName()
        elif isValid(box):
            QTest.keyClick(box, Key.Key_Escape)
    assert said or kind in ("exhibit", "inspect")


def test_a_message_about_several_answers_does_not_stay_on_a_histogram(
    opens: Callable[..., Hands], pale: dict[QWidget, bool]
) -> None:
    user = opens(NoiseDesign(cost="expression:x**2 / (1 + abs(x))", epsilon=1))
    user.write("Answers d", "3")
    user.waits(lambda: bool(user.errors()))
    user.qtbot.wait(300)
    assert user.window.document.study.dimension == 1 or coloured(user, pale) == []
    user.press("Histogram")
    user.settles()
    assert user.errors() == []
    user.press("Real number")
    user.qtbot.wait(300)
