"""Declared kinds in the real window, by mouse and keys: every kind of input and of panel, and not a line of their own there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import declared_all
import declared_kind
import pytest
from declared_all import ResponseDesign
from declared_kind import LaplaceDesign
from desktop import count_window, hands, mouse
from desktop.compare.test_compare_window import facts
from desktop.hands import Hands
from desktop.test_accessible_names import nameless
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.output.pictures import figure_bytes
from dpdesigner.desktop.pages.kit.declared import declared_page, portrait
from dpdesigner.desktop.pages.kit.summary import filled
from dpdesigner.desktop.pages.kit.thumbnails import sketch_of
from dpdesigner.files.project import Project, Scene, write_project
from dpdesigner.studies import registry
from dpdesigner.studies.findings import Finding

Key = Qt.Key


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Hands]]:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, declared_kind.ENTRY, declared_all.ENTRY))
    with ExitStack() as stack:

        def opened(*designs: Any, scenes: tuple[Scene, ...] = ()) -> Hands:
            write_project(tmp_path / "declared.dpd", Project(designs, scenes))
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, tmp_path / "declared.dpd"))
            user.settles()
            return user

        yield opened


def study(user: Hands) -> Any:
    return user.window.document.study


def cursor(user: Hands, name: str) -> float:
    place: float = user.plot(name).handles()[0].place
    return place


CDF = "chance of at most x against x"


def test_the_numbers_the_sentence_and_the_header(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign())
    user.reads("b = 1 · x = 0.5 · Both sides", "1.30", "0.697", "a misprint", "Distribution function")
    user.reads("At 0.5 the printed function gives 1.30, the right one 0.70.")
    assert user.find(QLabel, "Printed: 1.30").toolTip() == "1.3032653298563166"
    assert user.window.windowTitle().startswith("declared") and nameless(user.window) == []


def test_a_number_is_typed_and_taken_back(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign())
    user.write("Where, the number", " 1/4 ")
    user.reads("At 1/4 the printed function gives 1.39, the right one 0.61.")
    assert study(user).x == "1/4" and user.undo_text() == "Change x" and user.saved()["studies"][0]["x"] == "1/4"
    user.undo()
    user.reads("At 0.5 the printed")
    assert user.text("Where, the number") == "0.5" and cursor(user, CDF) == 0.5


def test_what_cannot_be_is_said_beside_it_and_mended(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign())
    user.write("How wide, the number", "0")
    assert user.errors() == ["“How wide” must be between 1/1000 and 1000, got 0."]
    assert study(user) == LaplaceDesign() and user.text("How wide, the number") == "0"
    user.press("Use 1/1000")
    user.settles()
    assert study(user).b == "1/1000" and user.errors() == []
    user.write("How wide, the number", "wide")
    assert "must be a number" in user.errors()[0]
    user.key(Key.Key_Escape)
    assert user.errors() == [] and user.text("How wide, the number") == "1/1000"


def test_a_slider_previews_and_is_one_step(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign())
    slider = user.find(GestureSlider, "How wide")
    count_window.slide(slider, 320, 450, 450)
    user.settles()
    assert float(study(user).b) == pytest.approx(10 ** (450 / 300 - 1), rel=0.03)
    assert count_window.steps(user.window) == 1 and user.undo_text() == "Change b"
    user.undo()
    slider.setFocus()
    QTest.keyClick(slider, Key.Key_PageUp)
    user.settles()
    assert float(study(user).b) > 1 and count_window.steps(user.window) == 1


def test_the_handle_is_the_input(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign())
    plot, seen = user.plot(CDF), []
    user.window.document.studyChanged.connect(lambda design: seen.append(design.x))
    user.drag(plot, 0.5, 0.8, -1.0)
    user.reads("At -1 the printed function gives -0.18, the right one 0.18.")
    assert float(seen[0]) == pytest.approx(0.8, abs=0.02) and user.undo_text() == "Change x"
    assert study(user).x == "-1" and count_window.steps(user.window) == 1
    assert user.text("Where, the number") == "-1" and cursor(user, CDF) == -1
    assert not user.sees(QLabel, "What is drawn")  # below 0 it does not matter
    user.drag(plot, -1.0, 2.03)  # caught by a number to try
    user.settles()
    assert study(user).x == "2" and user.sees(QLabel, "What is drawn")
    plot.setFocus()
    QTest.keyClick(plot, Key.Key_Left)
    user.settles()
    assert 1.8 < float(study(user).x) < 2


def test_a_choice_and_a_number_to_try(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign())
    user.press("x > 0 only")
    user.settles()
    assert user.chosen("Both sides", "x > 0 only") == ["x > 0 only"] and user.undo_text() == "Change side"
    user.press("x > 0 only")
    assert count_window.steps(user.window) == 1 and user.chosen("x > 0 only")
    user.press("2")
    user.reads("At 2 the printed")
    user.undo()
    user.undo()
    user.settles()
    assert user.chosen("Both sides", "x > 0 only") == ["Both sides"] and study(user) == LaplaceDesign()


def test_why_and_tour_and_copy(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign())
    user.press("Why?")
    user.reads("The sign before e is wrong: at this x the printed function gives 1.30, the right one 0.697.", "Lecture notes")
    page: Any = user.window.host.page
    assert [stop.title for stop in page.tour()] == ["How wide", "Where", "What is drawn", "The pictures", "Results"]
    rows = [line.split("\t") for line in user.copied().splitlines()]
    assert rows[0] == ["x", "right", "as printed"] and len(rows) == 402


def test_words_of_findings_are_escaped_in_the_explanation() -> None:
    found = {"price": Finding("price", "<b>&", state="given")}
    assert filled("It is <i>{price}</i>.\n\nSo.", found) == "<p>It is <i>&lt;b&gt;&amp;</i>.</p><p>So.</p>"


def test_every_kind_of_input(opens: Callable[..., Hands]) -> None:
    user = opens(ResponseDesign())
    user.write("How many answers, the number", "3")
    user.settles()
    assert study(user).n == 3 and study(user).prior.n == 3
    user.write("Epsilon", "1")
    user.settles()
    assert study(user).privacy.source == ("epsilon", "1")
    bars = user.find(DistributionPlot, "Prior")
    frame = bars.frame
    mouse.drag(bars.viewport(), [QPointF(frame.x(0), frame.y(0.9 * frame.top)), QPointF(frame.x(1), frame.y(0.8 * frame.top))])
    user.settles()
    assert study(user).prior.title == "drawn"
    user.write("Remark", "as it is")
    user.settles()
    assert study(user).remark == "as it is"
    user.press("Gain")
    user.settles()
    assert not user.sees(QLabel, "Remark") and study(user).shown == "gain"
    user.write("How many answers, the number", "41")
    assert user.errors() == ["“How many answers” must be at most 40 for a gain, got 41."]
    user.press("Use 40")
    user.settles()
    assert study(user).n == 40
    for _ in range(count_window.steps(user.window)):
        user.undo()
    user.settles()
    assert study(user) == ResponseDesign()


def test_counts_from_a_file_and_pasted(opens: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(ResponseDesign(3))
    table = tmp_path / "counts.csv"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(table), ""))
    editor = user.find(DistributionEditor, "Your belief")
    for text, given in (("visits\n0\n2\n2\n3\n", (1, 0, 2, 1)), ("visits\n0\n7\n", (1, 0, 0, 1))):
        table.write_text(text, "utf-8")
        user.press("Data…")
        user.waits(lambda given=given: study(user).prior.specification == given)
    user.waits(lambda: editor.note.full_text.startswith("1 of 2 counts above 3 taken as 3. ") and not user.errors())
    next(action for action in editor.controls.menu.actions() if action.text().startswith("Pin")).trigger()
    QGuiApplication.clipboard().setText("1, 2; 3 4")
    next(action for action in editor.controls.menu.actions() if action.text().startswith("Paste")).trigger()
    user.settles()
    assert study(user).prior.specification == ("1", "2", "3", "4") and user.undo_text() == "Paste prior"
    user.write("How many answers, the number", "2")
    user.settles()
    assert study(user).prior.n == 2 and user.errors() == []


def test_a_run_that_fails_says_why_and_shows_nothing_as_new(opens: Callable[..., Hands]) -> None:
    user = opens(ResponseDesign())
    user.write("How many answers, the number", "13")
    user.reads("Use 12")
    assert user.errors() == ["13 answers are too many for those who believe in luck."]
    assert "0.71429" not in user.window.header.value.text() and "computing…" not in user.said()
    page: Any = user.window.host.page
    assert page.figures() == () and page.explanation() is None
    user.press("Use 12")
    user.settles()
    assert study(user).n == 12 and user.errors() == []
    user.undo()
    user.waits(lambda: user.copied() == "")
    assert user.says("13 answers are too many for those who believe in luck.")  # wherever the focus is


def test_every_kind_of_panel_and_the_views(opens: Callable[..., Hands]) -> None:
    user = opens(ResponseDesign())
    assert user.tabs() == ["Matrix", "Loss"] and nameless(user.window) == []
    user.reads("t is 0.50.", "The diagonal", "Costs", "this: 0.71429", "True answer")
    assert user.cells("The diagonal")[0] == ["0", "0.286, kept"]
    assert user.copied().splitlines()[0] == "true\\said\t0\t1\t2\t3\t4\t5"
    user.tab("Loss")
    user.drag(user.plot("loss against t"), 0.5, 0.75)
    user.reads("t is 0.75.")
    page: Any = user.window.host.page
    assert page.view_state() == {"view": "loss", "at": pytest.approx(0.75, abs=0.005)} and count_window.steps(user.window) == 0
    assert [figure.name for figure in page.figures()] == ["loss", "ranking"]
    assert "true" not in user.copied()


def test_scenes_bring_back_the_view(opens: Callable[..., Hands]) -> None:
    scenes = (Scene(0, {"view": "loss", "at": 0.25}, "First", ""), Scene(0, {"view": "matrix"}, "Then", ""))
    user = opens(ResponseDesign(), scenes=scenes)
    user.key(Key.Key_F5)
    user.reads("t is 0.25.", "First")
    user.key(Key.Key_Right)
    user.reads("t is 0.50.", "Then")
    user.key(Key.Key_Escape)
    user.waits(lambda: user.sees(QLabel, "Remark"))


def test_designs_are_compared_by_their_findings(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign(name="One"), LaplaceDesign(2, name="Other"))
    user.window.menus.pin.trigger()
    user.window.document.select(1)
    user.settles()
    user.window.menus.compare.trigger()
    user.reads("One: b = 1, 1.30", "Distribution function")
    user.waits(lambda: facts(user.window).get("printed", ("",))[:2] == ("1.39", "1.30"))
    assert facts(user.window)["b"][:2] == ("2", "1") and facts(user.window)["What is drawn"][2] == "="
    mine = portrait(LaplaceDesign(), LaplaceDesign().run())
    told = [finding.label for finding in (*mine.inputs.values(), *mine.results.values())]
    assert told == ["b", "x", "What is drawn", "printed", "right"]
    assert mine.charts[0].title == "Distribution function" and mine.charts[0].key == "cdf"


@pytest.mark.letters
@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("design", [LaplaceDesign(), ResponseDesign()])
def test_it_exports_from_the_window_and_fits(opens: Callable[..., Hands], tmp_path: Path, design: Any, scale: float) -> None:
    from desktop.output.test_export_dialog import dialog_of, export
    from desktop.test_everything_fits import cut_off, settle

    user = opens(design)
    preferences().choose(text_scale=scale)
    settle()
    assert cut_off(user.window) == []
    dialog = dialog_of(user.window, tmp_path / "out", "csv", "json", "png")
    dialog.name.setText("it")
    export(user.qtbot, dialog, " written.")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    first = "it-cdf" if isinstance(design, LaplaceDesign) else "it-matrix"
    assert {f"{first}.csv", f"{first}.png", "it.json"} <= names
    assert json.loads((tmp_path / "out" / "it.json").read_text("utf-8"))["design"] == design.to_json()
    dialog.close()


def test_a_sketch_and_one_class_a_kind(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", (*registry.ENTRIES, declared_kind.ENTRY))
    from PySide6.QtCore import QSize

    assert not sketch_of(LaplaceDesign(), QSize(80, 60)).isNull()
    assert declared_page("laplace") is registry.entry("laplace").page_class() and declared_page("laplace").kind == "laplace"


def held(plot: Any, start: float, place: float) -> None:
    """Take a handle and drag it, without letting go."""
    figure = plot.figure()
    middle = figure.frame.area.center().y()
    points = [QPointF(figure.frame.x(x), middle) for x in (start, place)]
    QTest.mousePress(figure.viewport(), hands.LEFT, pos=points[0].toPoint())
    mouse.move(figure.viewport(), points[1], hands.LEFT)


def test_a_drag_is_given_up_with_esc(opens: Callable[..., Hands]) -> None:
    user = opens(LaplaceDesign(), ResponseDesign())
    plot = user.plot(CDF)
    held(plot, 0.5, 3.0)
    user.reads("b = 1 · x = 3")
    QTest.keyClick(plot, Key.Key_Escape)
    user.reads("b = 1 · x = 0.5", "At 0.5 the printed")
    assert cursor(user, CDF) == 0.5 and count_window.steps(user.window) == 0
    QTest.mouseRelease(plot.figure().viewport(), hands.LEFT)
    user.window.document.select(1)
    user.settles()
    user.tab("Loss")
    plot = user.plot("loss against t")
    held(plot, 0.5, 0.8)
    user.reads("t is 0.80.")
    QTest.keyClick(plot, Key.Key_Escape)
    user.reads("t is 0.50.")


def test_pictures_and_comparisons_show_nothing_secret(opens: Callable[..., Hands]) -> None:
    user = opens(ResponseDesign())
    user.tab("Loss")
    page: Any = user.window.host.page
    shown = page.figures()[0].shown
    assert figure_bytes(page.figures()[0].widget, "svg").count(b"square") and [line.name for line in shown.lines if line.secret]
    assert b">true<" not in figure_bytes(page.figures()[0].widget, "svg")
    mine = page.portrait(ResponseDesign(), {"solve": ResponseDesign().run()})
    assert [line.name for chart in mine.charts for line in chart.lines] == ["square"]
