"""A made-up column, as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from desktop import hands, mouse
from desktop.hands import Hands
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QInputDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.rounding import significant
from dpdesigner.core.synthetic.regions import share_above
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.output.export_dialog import ExportDialog
from dpdesigner.desktop.pages.synthetic.page import SyntheticPage
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.landing_layer import LandingLayer
from dpdesigner.desktop.window.header import ResultLine
from dpdesigner.files.export import export_of
from dpdesigner.files.project import Project, write_project
from dpdesigner.studies.fields import KEPT_RELEASES, KeptReleases
from dpdesigner.studies.spending import RECORD
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign
from dpdesigner.studies.synthetic.net_design import NetDesign
from dpdesigner.studies.synthetic.rectangle import RectangleDesign
from dpdesigner.studies.synthetic.sizes import SizesDesign

AGES = {"path": "example:survey_1996.csv", "column": "age"}
TOTAL, OFF = "rows below against age", "synthetic − real against age"


def ages(**changes: Any) -> IntervalDesign:
    return IntervalDesign(
        **{"column": AGES, "epsilon": 1, "low": 0, "high": 128, "bits": 7, "method": "laplace", "seed": 7, **changes}
    )


SEEDED = [ages(), RectangleDesign.starting(seed=7), NetDesign.starting(seed=7)]


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Hands]]:
    with ExitStack() as stack:

        def opened(design: Any, size: tuple[int, int] = (1280, 1000)) -> Hands:  # where no card is folded
            write_project(tmp_path / "ages.dpd", Project((design,), ()))
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, tmp_path / "ages.dpd", size))
            user.settles()
            return user

        yield opened


def unfolded(user: Hands, line: str) -> Card:
    """Open a card that stays folded, by a click."""
    card = next(card for card in user.window.findChildren(Card) if card.isVisible() and line in card.accessibleName())
    assert card.folded
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(20, 12))
    user.waits(lambda: not card.folded)
    return card


def answered(user: Hands, text: str) -> None:
    """Wait patiently until the answer says so: another kind is computed anew, and another page made."""
    user.qtbot.waitUntil(lambda: user.says(text), timeout=60_000)
    user.settles()


def page(user: Hands) -> SyntheticPage:
    found: SyntheticPage = user.window.findChild(SyntheticPage)
    return found


def test_a_column_is_made_up_and_any_interval_asked_about(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    user.reads("The real column", "survey_1996.csv · age", "5.51%", "proved private · for study", "the largest.")
    user.drag(user.plot(TOTAL), user.plot(TOTAL).handles()[0].place, 20.0)
    user.waits(lambda: "Rows with age 20 to below" in user.said())
    assert user.undo_text() == ""
    user.press("Worst range")
    user.reads("the largest.")
    user.reads("Error against ε")
    user.press("× 100")
    user.reads("100 simulated releases", " of 100 within ")
    user.press("× 100")
    user.waits(lambda: "100 simulated releases" not in user.said() and page(user)._facts.paths is None)
    bars = user.find(CostBars, "Which method is best here?")
    user.waits(lambda: not any("…" in text for text in bars.texts()))
    assert bars.texts()[0].startswith("★ Cell by cell: 5.51%, 3.")
    assert bars.texts()[1].startswith("Hierarchy: 6.04%, 3.6%") and len(bars.texts()) == 4


@pytest.mark.parametrize(("picture", "which", "place"), [(TOTAL, 1, 66.0), (OFF, 0, 20.0), (TOTAL, 0, 80.0)])
def test_both_ends_of_a_dragged_interval_stay_at_the_next_release(
    opens: Callable[..., Hands], picture: str, which: int, place: float
) -> None:
    user = opens(ages())
    plot = user.plot(picture)
    ends = [handle.place for handle in plot.handles()]
    user.drag(plot, ends[which], (ends[which] + place) / 2, place)
    low, high = sorted((place, ends[1 - which]))
    told = f"Rows with age {low:g} to below {high:g}:"
    user.waits(lambda: told in user.said())
    for _ in range(3):
        before = page(user).answer
        user.press("Release again")
        user.waits(lambda before=before: page(user).answer is not before)
        user.settles()
        assert told in user.said()
    user.press("Worst range")
    user.reads("the largest.")


def test_a_dropped_end_of_the_interval_is_at_the_edge_of_a_cell(opens: Callable[..., Hands]) -> None:
    user = opens(ages().replace(bits=4))
    plot = user.plot(TOTAL)
    user.drag(plot, plot.handles()[0].place, 20.0, 21.7)
    user.settles()
    places = [handle.place for handle in plot.handles()]
    assert all(place % 8 == 0 for place in places) and 24.0 in places, places


def test_any_corner_of_the_rectangle_is_dragged_and_the_rectangle_stays_at_the_next_release(opens: Callable[..., Hands]) -> None:
    user = opens(RectangleDesign.starting(seed=7))
    plot = user.plot("income class against age")
    corners, frame = plot.plot.lines[-1], plot.figure().frame
    assert len(corners.x) == 5
    where = [QPointF(frame.x(x), frame.y(y)) for x, y in ((corners.x[1], corners.y[1]), (40.0, 24.0), (32.0, 28.0))]
    mouse.drag(plot.figure().viewport(), where)
    user.waits(lambda: page(user).view["left"] is not None)
    user.settles()
    view = dict(page(user).view)
    assert (view["left"], view["top"]) == pytest.approx((32, 28), abs=1) and view["bottom"] == corners.y[0]
    made = page(user).answer
    user.press("Release again")
    user.waits(lambda: page(user).answer is not made)
    assert page(user).view == {**view, "draws": 1} and page(user).answer.chosen(view).rows[0] == 2
    assert "draws" not in page(user).view_state()
    user.press("× 100")
    user.reads("100 simulated releases", " of 100 within ")
    user.press("× 100")
    user.waits(lambda: "100 simulated releases" not in user.said())


def test_inputs_are_changed_refused_and_undone(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    user.press("Hierarchy")
    user.settles()
    assert user.undo_text() == "Change the method" and user.window.document.study.method == "hierarchy"
    user.reads("6.04%")
    user.write("To below", "60")
    user.waits(lambda: any("must be at least 0 and below 60, or be clamped" in error for error in user.errors()))
    giving = page(user)._giving
    assert giving._word.text() == "released at ε = 1" and not giving.save.isVisible(), "an earlier release is not handed out"
    again = next(each for each in user.window.findChildren(QPushButton) if each.text() == "Release again")
    assert not again.isEnabled()
    user.press(next(each.text() for each in user.window.findChildren(QPushButton) if each.text().startswith("Clamp ")))
    user.settles()
    user.reads("Do not publish: ", " rows clamped.", "of the clamped column")
    assert giving.save.isVisible() and again.isEnabled()
    assert user.window.document.study.outside == "clamp" and not user.errors()
    user.undo()
    user.undo()
    user.settles()
    user.reads("6.04%")
    user.write("Number of cells", "21")
    assert any("between 2 and 1\u202f048\u202f576" in error for error in user.errors())


def test_a_file_with_empty_cells_gives_a_column_after_one_press(opens: Callable[..., Hands], tmp_path: Path) -> None:
    rows = [f"{20 + k % 60}" for k in range(180)] + [""] * 20
    (path := tmp_path / "people.csv").write_text("".join(f"A,{age}\n" for age in ("age", *rows)), "utf-8")
    user = opens(ages(name="Ages in a survey"))
    user.window.document.change(user.window.document.study.replace(column={"path": str(path), "column": "age"}), "Open data")
    user.waits(lambda: user.sees(QPushButton, "Leave out 20 rows"))
    user.press("Leave out 20 rows")
    user.settles()
    user.reads("20 rows without a number are left out. The number left, 180, is public.", "180 synthetic rows")
    assert not user.says("Do not publish")
    assert user.window.document.current.title == "age of people"
    assert user.undo_text() == "Leave out rows"


@pytest.mark.parametrize("kind", ["rectangle", "halfspace"])
def test_a_file_with_empty_cells_gives_two_columns_and_rules_after_one_press(
    opens: Callable[..., Hands], tmp_path: Path, kind: str
) -> None:
    rows = [f"{20 + k % 60},{k % 9}" for k in range(180)] + [",3"] * 12 + ["33,"] * 8
    (path := tmp_path / "people.csv").write_text("\n".join(["age,pay", *rows, ""]), "utf-8")
    columns = {key: {"path": str(path), "column": name} for key, name in (("first", "age"), ("second", "pay"))}
    before: Any = RectangleDesign.starting() if kind == "rectangle" else HalfspaceDesign("drawn", epsilon=1, rows=1000)
    rules = {"points": f"file: {path}", "ranges": "0 to 100, 0 to 9"}
    user = opens(before)
    user.window.document.change(before.replace(**(columns if kind == "rectangle" else rules)), "Open data")
    user.waits(lambda: user.sees(QPushButton, "Leave out 20 rows"))
    user.reads("Every row of age must have a number")
    user.press("Leave out 20 rows")
    user.settles()
    told = "Rows without a number are left out. The number left is public."
    user.reads(told if kind == "rectangle" else "Rows without a number")
    found = page(user).answer
    assert (found.real.sum() if kind == "rectangle" else found.released.rows) == 180
    assert user.undo_text() == "Leave out rows" and not user.errors()
    user.undo()
    user.waits(lambda: user.sees(QPushButton, "Leave out 20 rows"))


@pytest.mark.parametrize("question", ["A column", "Two columns", "Small database"])
def test_a_refused_input_of_one_question_disables_no_other(opens: Callable[..., Hands], question: str) -> None:
    user = opens(SyntheticPage.starting_study("sizes"))
    user.write("Target error", "lots")
    assert user.errors()
    user.press(question)
    user.waits(lambda: page(user).answer is not None and page(user).answer.design == user.window.document.study)
    user.settles()
    again = next(each for each in user.window.findChildren(QPushButton) if each.text() == "Release again")
    assert again.isVisible() and again.isEnabled() and not user.errors() and not page(user).refusing
    user.undo()
    user.settles()
    assert not user.errors() and user.text("Target error") != "lots"


def test_an_aim_gives_epsilon(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    user.write("Error to aim for", "0.02")
    user.settles()
    user.press("Find ε")
    user.waits(lambda: user.window.document.study.epsilon != 1)
    assert 2 < float(user.window.document.study.epsilon) < 4


def test_a_release_stays_until_another_is_asked_for(opens: Callable[..., Hands]) -> None:
    user = opens(ages(seed=None))
    first = page(user).outcomes["solve"].synthetic.tolist()
    user.press("Hierarchy")
    user.settles()
    user.undo()
    user.settles()
    assert page(user).outcomes["solve"].synthetic.tolist() == first
    user.press("Release again")
    user.waits(lambda: page(user).outcomes["solve"].synthetic.tolist() != first)


def test_budget_and_failures_fill_in(opens: Callable[..., Hands]) -> None:
    user = opens(ages(method="blr", error="0.3"))
    user.reads("622 754")
    user.tab("Privacy budget")
    user.reads("Queries")
    assert user.cells("Queries")[0][0] == "0"
    user.tab("Rows needed")
    user.waits(lambda: len(page(user).outcomes["solve"].facts.failing) >= 2)
    assert page(user).tabs == ("total", "histogram", "budget", "failures")
    user.press("Cell by cell")
    answered(user, "the largest.")
    assert page(user).tabs == ("total", "histogram") and page(user).view["view"] == "total", "only tabs that say something here"
    user.undo()
    user.waits(lambda: page(user).tabs == ("total", "histogram", "budget", "failures"))


def test_a_file_is_opened(opens: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(ages())
    path = tmp_path / "heights.csv"
    path.write_text("height,name\n1.5,a\n1.75,b\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    user.waits(lambda: user.window.document.study.column.column == "height")
    user.reads("height · 0 to 128")


def test_nothing_of_the_real_column_is_in_a_figure_or_on_the_clipboard(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    shown = page(user)
    assert {figure.name for figure in shown.figures()} <= {"total", "against", "alternatives"}
    copied = user.copied()
    assert "real" not in copied.splitlines()[0] and "synthetic" in copied.splitlines()[0]
    assert "worst-error" not in shown.portrait(shown.outcomes["solve"].design, shown.outcomes).results
    user.key(Qt.Key.Key_W)


def test_other_questions_are_asked_on_the_same_page(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    for button, kind, reads in (
        ("Small database", "net", "330 candidates"),
        ("Linear rules", "halfspace", "error of this rule"),
        ("Two columns", "rectangle", "1296 rectangles are within"),
        ("Sample sizes", "sizes", "all 2080 queries are answered"),
    ):
        user.press(button)
        answered(user, reads)
        assert user.window.document.study.kind == kind
    for _ in range(4):
        user.undo()
    answered(user, "the largest.")
    assert user.window.document.study == ages()


def test_the_dot_of_the_halfspaces_is_dragged_all_around(opens: Callable[..., Hands]) -> None:
    user = opens(HalfspaceDesign.starting(rows=2000, seed=3))
    plot = user.plot("second axis against first axis")
    frame = plot.figure().frame
    ways = [QPointF(frame.x(x), frame.y(y)) for x, y in ((0.87, 0.5), (-0.8, 0.6), (-0.9, -0.3), (0.0, -0.9))]
    mouse.drag(plot.figure().viewport(), ways)
    user.settles()
    assert page(user).view["angle"] == pytest.approx(270, abs=1)
    assert plot.plot.under[0].startswith("Orange if second axis < 0.") and user.undo_text() == "", "looking is no step"
    told = user.window.findChild(ResultLine).sentence.text()
    assert "any rule whose line goes through 0." in told and "Rules here use the first two of 5 columns." in user.said()
    view = page(user)._pictures.panels.views["points"]
    real, released = (number for _, number in view._figures)
    assert real.text() == f"{100 * share_above(page(user).answer.where, [0, -1, 0, 0, 0]):.1f}%" and released.isVisible()
    user.press("Worst rule")
    user.settles()
    user.press("A column")
    user.waits(lambda: "low" in page(user).view)
    user.press("Linear rules")
    user.settles()
    assert page(user).view["angle"] == page(user).answer.worst_angle, "a visit to another question keeps the rule"
    assert real.accessibleName().startswith("Real: ")


def test_a_rule_found_by_its_error_is_marked_until_it_is_turned_or_another_release_is_drawn(
    opens: Callable[..., Hands], tmp_path: Path
) -> None:
    (path := tmp_path / "money.csv").write_text("age,income\n" + "20,9\n35,30\n50,20\n77,5\n" * 400, "utf-8")
    user = opens(HalfspaceDesign.starting(points=f"file: {path}", ranges="18 to 90, 0 to 40"))
    user.settles()
    plot, caution = user.plot("income against age"), "Found by its error on your rows: not private."
    first = plot.plot.under[0]
    user.press("Worst rule")
    user.waits(lambda: caution in plot.plot.under)
    worst = plot.plot.under[0]
    user.press("× 100")
    user.settles()
    assert plot.plot.under[0] == worst
    user.press("× 100")
    plot.figure().setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left):  # by a tenth of a degree, and back
        QTest.keyClick(plot.figure(), key)
        user.settles()
        assert caution not in plot.plot.under and (plot.plot.under[0] == worst) == (key == Qt.Key.Key_Left)
    user.press("Worst rule")  # back
    user.press("Worst rule")
    user.waits(lambda: caution in plot.plot.under)
    made = page(user).answer
    user.press("Release again")
    user.waits(lambda: page(user).answer is not made)
    user.waits(lambda: caution not in plot.plot.under)
    assert plot.plot.under[0] == first, "which does not depend on the rows"


def test_a_rule_is_typed_and_refused_at_its_field(opens: Callable[..., Hands], tmp_path: Path) -> None:
    (path := tmp_path / "people.csv").write_text("age,income\n" + "20,30000\n60,20000\n70,90000\n54,5\n" * 300, "utf-8")
    user = opens(HalfspaceDesign.starting(points=f"file: {path}", ranges="18 to 90, 0 to 120000"))
    user.settles()
    assert user.text("Rule") == "income > −30\u202f000 + 1667 × age"
    user.write("Rule", "age<54")
    user.reads("Orange if age < 54.", "Real: 25.0%", "Counted as age ≤ 54: rows with exactly 54 are included.")
    assert user.text("Rule") == "age<54", "it stays as it is typed"
    user.write("Rule", "age <= 54.0")
    user.reads("Real: 50.0%")
    assert user.text("Rule") == "age <= 54.0" and not user.says("Counted as")
    points = user.plot("income against age")._curves
    assert points.opacity() == 1
    user.write("Rule", "income > 9 + 501 × age")
    assert points.opacity() < 1, "it is not the answer to what is typed"
    assert user.errors() == ["Every rule goes through the middle of the ranges (age 54, income 60\u202f000)."]
    user.press("Fix: use income > 32\u202f950 + 501 × age")
    assert not user.errors() and user.text("Rule") == "income > 32\u202f950 + 501 × age" and points.opacity() == 1
    user.write("Rule", "income > 501 × age")
    (told,) = user.errors()
    assert told.endswith("(age 54, income 60\u202f000).")
    user.press("Rules through 0")
    user.settles()
    assert not user.errors() and user.text("Rule") == "income > 501 × age" and user.text("Ranges").startswith("−90 to 90, ")
    assert not user.sees(QPushButton, "Rules through 0") and user.undo_text() == "Rules through 0"
    user.undo()
    user.settles()
    assert user.text("Ranges") == "18 to 90, 0 to 120000"
    user.write("Rule", "income > 40000")
    user.press("Set income to 0 to 80\u202f000")
    user.settles()
    assert not user.errors() and user.text("Rule") == "income > 40\u202f000" and user.text("Ranges") == "18 to 90, 0 to 80000"
    user.write("Ranges", "")
    user.waits(lambda: bool(user.errors()) and not user.sees(QLineEdit, "Rule"))  # which has no rows
    user.undo()
    user.settles()
    user.write("Rule", "age")
    assert user.errors()
    user.press("Worst rule")
    assert not user.errors()
    user.press("A column")
    user.settles()
    assert not user.sees(QLineEdit, "Rule")


def test_a_released_structure_is_opened_and_asked_without_rows(opens: Callable[..., Hands], tmp_path: Path) -> None:
    (path := tmp_path / "people.csv").write_text("age,income\n" + "20,30000\n60,20000\n70,90000\n54,5\n" * 300, "utf-8")
    design = HalfspaceDesign.starting(points=f"file: {path}", ranges="18 to 90, 0 to 120000", directions=8)
    released = export_of(design)
    released.write(tmp_path, "it", ["json"])
    user = opens(design)
    user.settles()
    user.drop(user.window.header, tmp_path / "it-structure.json")
    user.settles()
    user.reads("file: it-structure.json · ε = 1 · 4 noisy counts", "1200 rows, not here", "Counts that others released.")
    share = released.outcome.answer("age ≤ 54")
    user.write("Rule", "age < 54")
    user.reads(f"Released: {significant(100 * share, 3)}%", "Counted as age ≤ 54: rows with exactly 54 are included.", " ± ")
    assert user.window.document.path is None, "it is not overwritten with a project"
    assert not user.says("Real") and not user.says("What you give away") and not user.says("Epsilon") and not user.says("oise at")
    for button in ("Release again", "× 100", "Worst rule", "Rules through 0"):
        assert not user.sees(QPushButton, button)
    assert user.plot("income against age").plot.figures[0].label == "Released"
    user.write("Rule", "age > 50")
    assert user.errors() == ["The owner released only rules through the middle of the ranges (age 54, income 60\u202f000)."]
    user.write("Rule", "income > 501 × age")
    assert user.errors() and not user.sees(QPushButton, "Rules through 0")
    assert json.loads((tmp_path / "it.json").read_text("utf-8"))["structure"] == released.outcome.structure
    assert user.window.filing.open_path(tmp_path / "it.json"), "the plain name opens, too"
    user.settles()
    user.reads("file: it.json · ε = 1 · 4 noisy counts")
    assert user.window.filing.open_path(tmp_path / "it-structure.json")
    user.settles()
    (tmp_path / "other-structure.json").write_text(json.dumps({"counts": [[1]]}), "utf-8")
    assert not user.window.filing.open_path(tmp_path / "other-structure.json")
    user.reads("other-structure.json must be the structure of halfspaces as export wrote it, like NAME-structure.json.")
    assert user.window.document.study.kind == "halfspace" and user.says("it-structure.json")
    user.press("Invented")
    user.settles()
    assert user.says("Real") and user.window.document.study == HalfspaceDesign.starting()


def test_the_button_that_turns_to_a_rule_turns_back_when_it_is_pressed_again(opens: Callable[..., Hands]) -> None:
    user = opens(HalfspaceDesign.starting(rows=2000, seed=3))
    plot = user.plot("second axis against first axis")
    frame = plot.figure().frame
    mouse.drag(plot.figure().viewport(), [QPointF(frame.x(x), frame.y(y)) for x, y in ((0.87, 0.5), (-0.8, 0.6), (-0.9, -0.3))])
    user.settles()
    rule = plot.plot.under[0]
    user.press("Worst rule")
    user.waits(lambda: plot.plot.under[0] != rule)
    user.settles()
    user.press("Worst rule")
    user.waits(lambda: plot.plot.under[0] == rule)


def test_the_rectangle_is_moved_from_anywhere_inside(opens: Callable[..., Hands]) -> None:
    user = opens(RectangleDesign.starting(seed=7))
    page(user).look(left=32.0, right=64.0, bottom=8.0, top=20.0)
    user.settles()
    plot = user.plot("income class against age")
    frame = plot.figure().frame
    mouse.drag(plot.figure().viewport(), [QPointF(frame.x(x), frame.y(y)) for x, y in ((40.0, 11.0), (60.0, 14.0), (72.0, 15.0))])
    user.settles()
    ends = {"left": 64.0, "right": 96.0, "bottom": 12.0, "top": 24.0}
    assert {name: page(user).view[name] for name in ends} == pytest.approx(ends), "its size stays"


def test_a_box_shows_what_is_used_of_what_was_typed(opens: Callable[..., Hands]) -> None:
    user = opens(SizesDesign(1024, queries="conjunctions", epsilon=1, error="0.1"))
    for name, typed, shown in (("Yes/no columns", "12", "12"), ("Target error", "0.2", "20%"), ("Target error", "1/5", "20%")):
        box = user.find(QLineEdit, f"{name}, the number")
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, typed)
        QTest.keyClick(box, Qt.Key.Key_Return)
        user.settles()
        assert box.text() == shown and not user.errors()
    assert user.window.document.study.points == 4096 and user.window.document.study.error == "1/5"


def test_a_shortcut_takes_what_is_typed_in_a_box_as_enter_does(opens: Callable[..., Hands]) -> None:
    user = opens(RectangleDesign.starting(seed=7))
    unfolded(user, "Method: Cell by cell")
    box = user.find(QLineEdit, "Seed, the number")
    box.setFocus()
    box.selectAll()
    QTest.keyClick(box, Qt.Key.Key_Delete)
    assert box.hasFocus() and user.window.document.study.seed == 7
    made = page(user).answer
    action = next(
        each for each in user.window.findChildren(QAction) if each.shortcut().toString() == "Ctrl+R" and each.isVisible()
    )
    action.trigger()
    user.waits(lambda: page(user).answer is not made)
    user.settles()
    assert user.window.document.study.seed is None and not user.errors(), "noise from the system, and not the next seed"


def test_a_dot_is_found_by_both_coordinates(opens: Callable[..., Hands]) -> None:
    user = opens(NetDesign.starting(seed=1))
    plot = user.plot("y against worst error (%)")
    line, frame = plot.plot.lines[1], plot.figure().frame
    column = np.flatnonzero(np.isclose(line.x, line.x[len(line.x) // 2]))
    which = int(column[np.argmax(line.y[column])])  # the highest dot of its column
    at = QPointF(frame.x(line.x[which]), frame.y(line.y[which])).toPoint()
    QTest.mouseClick(plot.figure().viewport(), Qt.MouseButton.LeftButton, pos=at)
    user.reads("4 rows selected, 140 real")
    assert page(user).view["candidate"] == line.select.kept(which)["candidate"] and user.undo_text() == ""
    user.press("× 100")
    user.reads(" of 100 within ")
    QTest.mouseClick(plot.figure().viewport(), Qt.MouseButton.LeftButton, pos=at)
    user.reads("4 rows selected, 140 real")
    assert not page(user).view["many"], "the rows of a dot are shown in the place of a hundred errors"
    user.press("Release again")
    user.reads("4 rows drawn, 140 real")
    assert page(user).view["candidate"] == ""


def test_a_refused_list_of_counts_folds_nothing_and_can_be_taken_back(opens: Callable[..., Hands]) -> None:
    user = opens(SyntheticPage.starting_study("net"), (1280, 640))
    folded = [card.folded for card in user.window.findChildren(Card) if card.isVisible()]
    user.write("Real database", "12, 30, x")
    assert user.errors() == ["Each count must be a whole number from 0 to 1\u202f000\u202f000, got 'x'."]
    assert [card.folded for card in user.window.findChildren(Card) if card.isVisible()] == folded
    user.press("Fix: keep previous")
    assert not user.errors() and user.find(QLineEdit, "Real database").text() == "12, 30, 41, 25, 18, 9, 4, 1"


@pytest.mark.parametrize(("kind", "shown"), [("net", " of 100 within "), ("halfspace", "100 are too high: about")])
def test_many_releases_are_shown_and_hidden(opens: Callable[..., Hands], kind: str, shown: str) -> None:
    user = opens(SyntheticPage.starting_study(kind))
    user.press("× 100")
    user.reads(shown)
    user.press("× 100")
    user.waits(lambda: shown not in user.said())


def test_what_few_change_shares_one_folded_card_and_names_are_in_the_card_of_the_data(opens: Callable[..., Hands]) -> None:
    user = opens(SyntheticPage.starting_study("net"))
    names = user.find(QLineEdit, "Names")
    assert names.text().startswith("20s, 30s") and user.find(Card, "Real database").isAncestorOf(names)
    assert not user.sees(QLineEdit, "Seed, the number")
    card = unfolded(user, "Queries: intervals")
    user.waits(lambda: user.sees(QLineEdit, "Failure probability, the number"))
    errors = next(box for box in card.findChildren(QComboBox) if box.accessibleName() == "Measured error")
    assert errors.currentText() == "stays with you"
    errors.setFocus()
    QTest.keyClick(errors, Qt.Key.Key_Down)
    user.settles()
    assert user.window.document.study.real_errors == "published" and user.undo_text() == "Publish the measured error"
    user.reads("not private with its measured error")
    user.undo()
    user.settles()
    assert user.window.document.study.real_errors == "kept" and errors.currentText() == "stays with you"


def test_invented_rows_stay_folded_until_they_are_opened_and_how_answers_are_made_is_said(opens: Callable[..., Hands]) -> None:
    user = opens(HalfspaceDesign.starting(rows=2000, seed=3, names="income, savings"))
    assert not user.sees(QLineEdit, "Share to its right, the number")
    unfolded(user, "Directions: 16")
    user.reads("An answer is the median of 40.")
    unfolded(user, "Invented rows: 2000")
    user.waits(lambda: user.sees(QLineEdit, "Share to its right, the number"))
    user.write("Random projections, the number", "20")
    user.settles()
    assert user.window.document.study.projections == 20 and user.says("An answer is the median of 20.")
    user.write("Columns, the number", "2")
    user.waits(lambda: not user.says("Rules here use the first two"))
    assert not user.sees(QLineEdit, "Random projections, the number"), "nothing is projected"
    user.press("Invented")
    assert user.window.document.study.names == "income, savings", "only other points lose their names"


def test_the_counts_of_linear_rules_are_given_away(opens: Callable[..., Hands]) -> None:
    user = opens(HalfspaceDesign.starting(rows=2000, seed=3, projections=5, directions=4))
    user.reads("What you give away", "20 counts", "Seed 3: do not publish")
    assert page(user)._giving.save.text() == "Save JSON…"
    user.waits(lambda: user.sees(QPushButton, "Why?"))
    user.press("Copy")
    assert json.loads(QGuiApplication.clipboard().text())["counts"] == page(user).answer.released.counts.tolist()
    user.press("Copy statement")
    assert "20 noisy counts answer every rule" in QGuiApplication.clipboard().text()


def test_every_saved_release_of_the_same_rows_adds(opens: Callable[..., Hands], tmp_path: Path) -> None:
    (path := tmp_path / "rows.csv").write_text("1,2\n-1,1\n2,-1\n" * 400, "utf-8")
    user = opens(HalfspaceDesign.starting(points=f"file: {path}", directions=4))

    def saves(until: str, again: str = "") -> None:
        user.press("Save JSON…")
        dialog = next(found for found in user.window.findChildren(ExportDialog) if found.isVisible())
        dialog.folder.setText(str(tmp_path))
        go = next(button for button in dialog.findChildren(QPushButton) if button.text() == "Save")
        QTest.mouseClick(go, Qt.MouseButton.LeftButton)
        if again:  # files of another release are not replaced without a question
            user.waits(lambda: again in dialog.said.text() and go.text() == "Replace")
            QTest.mouseClick(go, Qt.MouseButton.LeftButton)
        user.waits(lambda: until in dialog.said.text())
        assert ("of these rows" in dialog.said.text()) == ("of these rows" in until)
        dialog.close()

    saves("-structure.json: give this one away; “how” in it says how to ask it")
    saves("1 file written.")  # the same release
    assert [each.suffix for each in tmp_path.iterdir() if each != path and each.suffix != ".dpd"] == [".json"]
    assert not user.says("Do not choose by accuracy")
    made = page(user).answer
    user.press("Release again")
    user.waits(lambda: page(user).answer is not made)
    user.waits(lambda: user.says("2 releases of these rows have ε = 2 together. Do not choose by accuracy."))
    saves("2 releases of these rows have ε = 2 together.", again="Already there: ")
    user.write("Epsilon", "1/2")
    user.waits(lambda: user.says("3 releases of these rows have ε = 2.5 together."))
    user.press("Invented")
    user.waits(lambda: user.says("Others can open the file here and type a rule."))


def test_releases_of_a_file_that_were_shown_add_and_are_not_to_be_chosen_by_accuracy(
    opens: Callable[..., Hands], tmp_path: Path
) -> None:
    (path := tmp_path / "money.csv").write_text("1,2\n-1,1\n2,-1\n" * 400, "utf-8")
    user = opens(HalfspaceDesign.starting(points=f"file: {path}"))
    user.reads("Others can open the file here and type a rule.")
    for told in (
        "2 releases of these rows have ε = 2 together. Do not choose by accuracy.",
        "3 releases of these rows have ε = 3 together. Do not choose by accuracy.",
    ):
        user.press("Release again")
        user.reads(told)
    user.settles()
    user.write("Epsilon", "1/2")
    user.reads("4 releases of these rows have ε = 3.5 together. Do not choose by accuracy.")
    user.undo()
    user.settles()
    user.reads("4 releases of these rows have ε = 3.5 together")  # the same one comes back
    unfolded(user, "Directions: 16")
    user.write("Directions, the number", "20")
    user.reads("5 releases of these rows have ε = 4.5 together. Do not choose by accuracy.")
    assert KEPT_RELEASES.save(page(user).answer.design) == "5 releases of these rows have ε = 4.5 together."
    user.press("Release again")
    user.reads("6 releases of these rows have ε = 5.5 together. Do not choose by accuracy.")


def test_a_narrow_header_of_linear_rules_says_only_what_can_be_asked(opens: Callable[..., Hands]) -> None:
    user = opens(HalfspaceDesign.starting(rows=2000, seed=3))
    line = user.window.findChild(ResultLine).sentence
    asked = "Anyone can ask what share of rows meets any rule whose line goes through 0."
    user.window.resize(1280, 720)
    user.waits(lambda: f"{asked}</b> Measured: wrong by up to " in line.text())
    preferences().choose(text_scale=1.5)
    user.window.resize(1024, 640)
    user.waits(lambda: "rules through 0.</b> Errors up to " in line.text() and asked not in line.text())


def test_a_power_of_two_is_typed_as_it_is_shown_or_with_its_exponent(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    assert user.says("128 cells, 1 wide") and page(user)._inputs.shown.boxes["bits"].text() == "128"
    user.write("Number of cells", "2^5")
    answered(user, "32 cells, 4 wide")
    user.write("Number of cells", "64")
    answered(user, "64 cells, 2 wide")
    user.write("Number of cells", "2^21")
    assert user.errors() == ["“Cells” must be a power of two between 2 and 1\u202f048\u202f576, got '2^21'."]
    user.write("Number of cells", "100")
    assert user.errors() == ["“Cells” must be a power of two between 2 and 1\u202f048\u202f576, got 100."]
    user.press("Use 128")
    answered(user, "128 cells, 1 wide")


def test_what_comes_late_beside_a_column_is_not_shown_as_the_answer_to_another_question(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    facts = page(user).answer.facts
    user.press("Linear rules")
    answered(user, "error of this rule")
    page(user).show_outcome("surer", (facts.synthetic, facts.bounds))
    assert page(user).answer.design == user.window.document.study
    assert user.says("error of this rule")


def test_a_column_is_painted(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    user.press("Draw one")
    user.settles()
    assert user.undo_text() == "Draw the column" and user.window.document.study.column.rows == 1000
    user.reads("drawn, 1000 rows · 0 to 128", "invented data")
    plot = next(each for each in user.window.findChildren(DistributionPlot) if each.isVisible())
    width, height = plot.viewport().width(), plot.viewport().height()
    mouse.drag(plot.viewport(), [QPointF(share * width, 0.1 * height) for share in (0.3, 0.35, 0.4, 0.45, 0.5)])
    user.settles()
    column = user.window.document.study.column
    weights = column.shape.weights
    assert weights[20:30].min() > 1.5 * weights[40:].max() and user.undo_text() == "Draw the column"
    user.write("Rows of the drawn column", "0")
    assert any("from 1 to 20" in error for error in user.errors())
    user.write("Rows of the drawn column", "5000")
    user.settles()
    user.reads("drawn, 5000 rows", "of 5000 rows")
    for _ in range(3):
        user.undo()
    user.settles()
    assert user.window.document.study == ages()
    user.reads("age · 0 to 128")


def test_the_real_error_goes_into_files_where_that_is_asked_for(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    user.press("included in files")
    user.settles()
    user.reads("not private with its measured error", "the measured error is included, which is not private")
    assert user.undo_text() == "Publish the measured error"
    user.press("stays with you")
    user.settles()
    user.reads("proved private")


def test_what_is_given_away_can_be_copied(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    user.reads("944 synthetic rows", "Seed 7: do not publish")
    user.press("Copy")
    rows = QGuiApplication.clipboard().text().split("\n")
    assert rows[0] == "age" and rows[1:-1] == [f"{value:g}" for value in page(user).outcomes["solve"].synthetic.tolist()]
    user.press("Copy statement")
    assert "epsilon = 1 for one row replaced" in QGuiApplication.clipboard().text()
    assert "really" not in QGuiApplication.clipboard().text().lower()


@pytest.mark.parametrize("leave", ["Enter", "another box", "the button", "the link"])
@pytest.mark.parametrize("design", SEEDED, ids=lambda design: design.kind)
def test_clearing_the_seed_draws_fresh_noise_to_publish(opens: Callable[..., Hands], design: Any, leave: str) -> None:
    user = opens(design)
    user.waits(lambda: page(user)._giving.isVisible())
    user.reads("Seed 7: do not publish", "proved private · for study")
    if design.kind in (closed := {"net": "Queries: intervals", "rectangle": "Method: Cell by cell"}):
        unfolded(user, closed[design.kind])
    assert page(user)._giving.save.property("class") != "main"
    made = page(user).answer
    if leave == "the link":
        user.press("Clear seed")
    else:
        user.write("Seed", "", enter=leave == "Enter")
    if leave == "another box":
        QTest.mouseClick(user.find(QLineEdit, "Epsilon"), Qt.MouseButton.LeftButton)
    elif leave == "the button":
        user.press("Release again")
    user.waits(lambda: page(user).answer is not made and page(user).answer.design.seed is None)
    user.settles()
    assert user.find(QLineEdit, "Seed").text() == "" and not user.says("do not publish")
    assert page(user)._giving.save.property("class") == "main"
    first = page(user).answer
    user.press("Release again")
    user.waits(lambda: page(user).answer is not first)
    assert page(user).answer.design.seed is None


def test_the_best_way_is_one_press_away(opens: Callable[..., Hands]) -> None:
    user = opens(ages(method="quantiles"))
    user.reads("No error bound is known for this method")
    user.press("Use best method")
    user.settles()
    user.reads("all 8256 ranges are within")
    assert user.undo_text() == "Use best method"
    assert not any(button.isVisible() for button in user.window.findChildren(QPushButton) if button.text().startswith("Use "))


def test_keys_move_either_end_by_a_cell(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    plot = user.plot(TOTAL)
    low, high = (round(handle.place) for handle in plot.handles())
    plot.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Left):
        QTest.keyClick(plot, key)
    user.waits(lambda: f"Rows with age {low + 1} to below {high - 2}:" in user.said())
    QTest.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    user.waits(lambda: f"Rows with age {low + 1} to below {high - 12}:" in user.said())
    assert "This time: within " in user.window.findChild(ResultLine).sentence.accessibleName()


def test_cards_fold_where_room_is_short_rather_than_scroll(opens: Callable[..., Hands]) -> None:
    user = opens(ages(), (1024, 640))
    user.waits(lambda: not user.sees(QPushButton, "Hierarchy") and not user.sees(QPushButton, "Draw one"))
    column = page(user)._inputs
    user.waits(lambda: column.height() <= column.parentWidget().parentWidget().height())
    card = next(card for card in user.window.findChildren(Card) if card.accessibleName().startswith("Method"))
    assert card.folded and card.accessibleName().endswith("Cell by cell") and user.sees(QLineEdit, "Epsilon")
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(20, 12))
    user.waits(lambda: user.sees(QPushButton, "Hierarchy"))
    user.press("Linear rules")
    answered(user, "error of this rule")
    user.undo()
    user.waits(lambda: user.sees(QPushButton, "Hierarchy"))


def test_the_result_is_said_in_short_where_text_is_large(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    preferences().choose(text_scale=2.0)
    user.reads("rows (5.51%) of the truth in at least 19 releases of 20.")
    assert "…" not in user.window.findChild(ResultLine).sentence.text()


def test_an_aim_that_hardly_needs_noise_is_found_too(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    user.write("Error to aim for", "0.001")
    user.settles()
    user.press("Find ε")
    user.reads("At the previous ε, 52 000 rows would be enough")
    user.waits(lambda: user.window.document.study.epsilon != 1)
    assert float(user.window.document.study.epsilon) > 10


def test_an_audience_sees_no_warning_at_the_left(opens: Callable[..., Hands]) -> None:
    user = opens(ages(real_errors="published"))
    assert user.errors()
    user.window.presenting.start()
    user.waits(lambda: not user.errors())
    user.reads("not private with its measured error")
    user.window.presenting.stop()
    user.waits(lambda: bool(user.errors()))


def test_inputs_that_belong_together_share_a_card(opens: Callable[..., Hands]) -> None:
    user = opens(RectangleDesign.starting(seed=7))
    first, second = (user.find(Card, name) for name in ("First column", "Second column"))
    boxes = {
        card: [box for box in card.findChildren(QLineEdit) if box.accessibleName().startswith("To,")] for card in (first, second)
    }
    assert [len(found) for found in boxes.values()] == [1, 1]
    user.write("To, the number", "-1")
    user.waits(lambda: any("must be above the lower end" in error for error in user.errors()))
    assert first.error.isVisible() and not second.error.isVisible()
    user.write("To, the number", "100")
    user.settles()
    assert float(user.window.document.study.high) == 100
    user.window.presenting.start()
    user.waits(lambda: not boxes[first][0].isVisible())
    assert any(label.text().endswith("age") for label in first.findChildren(QLabel) if label.isVisible())
    user.window.presenting.stop()
    user.waits(lambda: boxes[first][0].isVisible())


def test_a_click_on_what_saves_rows_makes_the_change(opens: Callable[..., Hands]) -> None:
    user = opens(SizesDesign.starting(points=1024, queries="conjunctions", method="database"))
    bars = user.find(CostBars, "What saves rows?")
    for place, changes in ((1, {"error": "1/5"}), (2, {"error": "1/5", "epsilon": "2"})):
        QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.boxes()[place].center().toPoint())
        user.settles()
        assert {key: str(getattr(user.window.document.study, key)) for key in changes} == changes
        assert user.undo_text() == "Try a change"
    user.undo()
    user.settles()
    assert user.window.document.study.epsilon == 1
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.boxes()[-1].center().toPoint())
    answered(user, "by adding noise to each count, all 59 049 queries are answered")
    assert user.window.document.study.method == "counts" and user.find(QComboBox, "Method").currentText() == "noise"


def test_the_rows_that_there_are_give_the_error_to_promise(opens: Callable[..., Hands]) -> None:
    user = opens(SizesDesign.starting(points=1024, queries="conjunctions", method="database"))
    user.reads("“How many smoke and have no dog?”")
    user.press("what error")
    assert user.sees(QLineEdit, "Failure probability, the number"), "it is asked for in each question"
    answered(user, "With 100 000 rows at ε = 1, errors are at most 8.99% of the rows (95% sure)")
    user.write("My rows, the number", "82600")
    answered(user, "errors are at most 10% of the rows (95% sure)")
    assert user.undo_text() == "Change the number of rows"
    user.press("what ε")
    answered(user, "With 82 600 rows, ε = 1 (strong privacy) is enough (95% sure)")
    user.write("My rows, the number", "300000")
    answered(user, "ε = 0.276 (")
    user.press("how many rows")
    answered(user, "82 600 rows are enough at ε = 1 (95% sure)")
    user.press("what error")
    answered(user, "With 300 000 rows at ε = 1, errors are at most")
    user.write("My rows, the number", "100")
    user.settles()
    answered(user, "100 rows are too few to be useful; 82 600 allow an error of 10% at ε = 1 (95% sure).")
    assert not user.errors()


def test_why_has_the_number_of_the_other_method(opens: Callable[..., Hands]) -> None:
    user = opens(SizesDesign(2**24, queries="conjunctions", epsilon=1, find="epsilon", rows=3_000_000))
    user.waits(lambda: user.sees(QAbstractButton, "Why?"))
    user.press("Why?")
    user.reads("as in “Small database”. Here: ε = 0.653.")


def test_another_question_shows_nothing_of_the_one_before(opens: Callable[..., Hands]) -> None:
    user = opens(ages())
    here = page(user)
    assert here._giving.isVisible()
    held = here.show_outcome
    here.show_outcome = lambda name, outcome: None if name == "solve" else held(name, outcome)  # type: ignore[method-assign]
    user.press("Linear rules")
    user.qtbot.waitUntil(lambda: user.says("Who meets the rule?", "computing…"))
    assert not here._giving.isVisible() and not user.says("Rows up to each value"), "the points are shown, and no column"
    here.show_outcome = held  # type: ignore[method-assign]
    user.undo()
    answered(user, "the largest.")
    assert here._giving.isVisible() and user.says("944 synthetic rows")


def test_the_worst_interval_is_offered_where_it_is_marked(opens: Callable[..., Hands]) -> None:
    user = opens(next(each for each in SEEDED if each.kind == "synthetic"))
    assert user.sees(QPushButton, "Worst range")
    user.tab("Histogram")
    assert not user.sees(QPushButton, "Worst range") and user.sees(QPushButton, "Release again")


@pytest.mark.parametrize("kind", ["synthetic", "rectangle"])
def test_a_failure_probability_that_cannot_be_is_refused_by_its_name(opens: Callable[..., Hands], kind: str) -> None:
    user = opens(next(each for each in SEEDED if each.kind == kind))
    if kind == "rectangle":
        card = unfolded(user, "Method: Cell by cell")
        assert card.findChildren(QComboBox)[-1].accessibleName() == "Measured error", "what few change is in this card"
    user.write("Failure probability" if kind == "synthetic" else "Failure probability, the number", "2")
    assert any("“Failure probability” must be between" in text for text in user.errors())


def test_results_come_into_view_when_they_are_unfolded(opens: Callable[..., Hands]) -> None:
    user = opens(ages(), (1280, 720))
    user.reads("Error against ε")
    card = page(user)._results.findings
    user.waits(lambda: card.folded)
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(30, 12))
    user.waits(lambda: not card.folded and card.visibleRegion().boundingRect() == card.rect())


def noise(user: Hands) -> Any:
    """Everything that was drawn."""
    return hands.everything_drawn(page(user).answer)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("synthetic", {"real_errors": "published", "delta": "0.1", "error": "0.2"}),
        ("rectangle", {"real_errors": "published", "delta": "0.1"}),
        ("net", {"names": "a, b, c, d, e, f, g, h", "real_errors": "published", "delta": "0.1", "error": "0.3"}),
        ("halfspace", {"names": "wages, wealth", "real_errors": "published"}),
    ],
)
def test_only_other_data_or_other_noise_draw_another_release(
    opens: Callable[..., Hands], tmp_path: Path, kind: str, changes: dict[str, Any]
) -> None:
    start = SyntheticPage.starting_study(kind).replace(seed=None, epsilon="0.01")
    if kind == "halfspace":
        (path := tmp_path / "money.csv").write_text("1,2\n-1,1\n2,-1\n" * 30, "utf-8")
        start = start.replace(points=f"file: {path}")
    user = opens(start)
    first = noise(user)
    for key, value in {"name": "Mine", **changes}.items():
        design = user.window.document.study.replace(**{key: value})
        page(user).changed.emit(design, "Change it")
        user.waits(lambda design=design: page(user).answer is not None and page(user).answer.design == design)
        user.settles()
        assert noise(user) == first, key
    user.press("Sample sizes")
    answered(user, "all 2080 queries are answered")
    user.undo()
    user.waits(lambda: page(user).answer is not None and page(user).answer.design == design)
    assert noise(user) == first
    for _ in range(5):  # of 330 candidates the same one may be drawn twice
        made = page(user).answer
        user.press("Release again")
        user.waits(lambda made=made: page(user).answer is not made)
        user.settles()
        if noise(user) != first:
            break
    assert noise(user) != first
    again, few = noise(user), design.replace(epsilon="0.02")
    page(user).changed.emit(few, "Change epsilon")
    user.waits(lambda: page(user).answer is not None and page(user).answer.design == few)
    assert kind == "net" or noise(user) != again
    user.undo()
    user.waits(lambda: page(user).answer is not None and page(user).answer.design == design)
    assert noise(user) == again, "the newest release comes back"


def test_the_releases_of_a_drag_push_out_no_earlier_one() -> None:
    kept, design = KeptReleases(), NetDesign.starting()
    kept.keep(found := kept.run(design))
    for place in range(30):
        other = design.replace(epsilon=1 + place)
        kept.keep(last := kept.run(other), settled=False)
    assert kept.run(design).drawn == found.drawn and kept.run(other).drawn == last.drawn
    assert [*kept._kept] == [design.noise_key] and [*kept._last] == [other.noise_key]


@pytest.mark.parametrize("design", [ages(seed=None), RectangleDesign.starting(seed=None), NetDesign.starting(seed=None)])
def test_a_release_that_is_kept_is_not_another_one(design: Any) -> None:
    kept = KeptReleases()
    RECORD.take(())
    for changes in ({}, {}, {"name": "Mine"}, {}):
        kept.keep(kept.run(design.replace(**changes)))
    assert kept.warning(design) is None
    kept.keep(kept.run(design.replace(epsilon="1/2")))
    assert str(kept.warning(design)).startswith("2 releases of these rows have ε = 1.5 together.")
    kept.forget(design)
    kept.keep(kept.run(design))
    assert str(kept.warning(design)).startswith("3 releases of these rows have ε = 2.5 together.")


def test_a_release_that_was_saved_with_its_error_stays_without_a_total() -> None:
    kept, design = KeptReleases(), NetDesign.starting(seed=None)
    RECORD.take(())
    kept.keep(kept.run(design))
    kept.save(design.replace(real_errors="published"))
    assert kept.save(design) is None
    kept.keep(kept.run(design.replace(epsilon="1/2")))
    assert str(kept.warning(design)).startswith("2 releases of these rows have ε = ∞ together.")


def test_a_file_is_chosen_and_its_header_names_the_columns(
    opens: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = opens(HalfspaceDesign.starting(rows=2000, seed=3))
    own, file = (user.find(QPushButton, text) for text in ("Invented", "File…"))
    assert own.isChecked() and not file.isChecked()
    kinds = list[str]()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (kinds.append(given[3]) or "", ""))
    user.press("File…")
    assert own.isChecked() and not file.isChecked() and kinds == ["Tables (*.csv *.tsv *.txt *.json)"]
    (path := tmp_path / "money.csv").write_text("income,savings,age\n" + "1,2,3\n-1,1,2\n2,-1,1\n" * 30, "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("File…")
    user.waits(lambda: user.window.document.study.points == f"file: {path}")
    user.waits(lambda: bool(user.errors()))
    assert (
        "Give the range of each column, like 18 to 90, 0 to 120\u202f000: all rules" in user.errors()[0]
        and page(user).current_summary.refused
    )
    user.reads("No results for these inputs.")
    assert user.said().count("Give the range of each column") == 1, "it is said once"
    assert not any(each.isVisible() for each in page(user).findChildren(CurvePlot)), "other rows are no picture of these"
    user.undo()
    user.settles()
    assert user.plot("second axis against first axis").isVisible(), "the rows before are shown again"
    user.command("Edit", "Redo")
    user.waits(lambda: bool(user.errors()))
    user.write("Ranges", "-2 to 2, -2 to 2, 0 to 3")
    user.settles()
    assert user.plot("savings against income").isVisible() and not user.errors() and file.isChecked() and not own.isChecked()
    assert not page(user).current_summary.refused, "headline and badge have their colours again"
    assert user.window.document.study.names == "income, savings, age" and user.window.document.study.seed is None
    user.write("Names", "age, debts")
    user.waits(lambda: bool(user.errors()))
    assert user.errors() == ["The file has no column 'debts'; its columns are income, savings, age."]
    user.write("Names", "age, income")
    user.settles()
    assert not user.errors() and user.window.document.study.ranges == "0 to 3, -2 to 2"
    user.press("Invented")
    user.settles()
    assert own.isChecked() and not file.isChecked() and user.window.document.study.names == ""


def test_a_small_database_that_cannot_be_found_leaves_nothing_waiting(opens: Callable[..., Hands]) -> None:
    user = opens(SyntheticPage.starting_study("net"))
    shown, again = page(user), user.find(QPushButton, "Release again")
    shown._inputs.change("Change the net", net="smallest")
    user.waits(lambda: bool(user.errors()))
    assert "1500 databases; 140 rows of 8 values have more than" in user.errors()[0]
    assert user.window.document.study.net == "all", "the answer shown stays"
    few = user.window.document.study.replace(counts=[2, 1, 1, 1], size=1, net="smallest", error="0.01")
    user.window.document.change(few, "Change the net")
    user.waits(lambda: any("net of databases of at most 1 rows" in error for error in user.errors()))
    for view in ("theory", "candidates"):
        shown.look(view=view)
        user.qtbot.wait(50)
        assert not user.says("computing…") and not again.isEnabled()


def test_nothing_is_released_or_given_away_while_an_input_is_refused(opens: Callable[..., Hands]) -> None:
    user = opens(NetDesign.starting(seed=1))
    user.settles()
    again = user.find(QPushButton, "Release again")
    user.write("Real database", "12, x")
    user.waits(lambda: not again.isEnabled())
    assert not page(user)._giving.save.isVisible() and user.says("Correct the input first.")
    user.write("Real database", "12, 30, 41")
    user.settles()
    user.waits(again.isEnabled)
    assert page(user)._giving.save.isVisible() and not user.says("Correct the input first.")


def test_while_another_release_is_computed_the_old_one_is_pale_and_not_given_away(opens: Callable[..., Hands]) -> None:
    user = opens(NetDesign.starting(seed=1))
    user.settles()
    (ball,) = [item for item in user.plot("y against worst error (%)").figure().scene().items() if isinstance(item, LandingLayer)]
    page(user).mark_stale("solve")
    assert ball.opacity() < 1 and not user.find(QPushButton, "Save CSV…").isEnabled()
    user.press("ln 3")
    user.settles()
    assert ball.opacity() == 1 and user.find(QPushButton, "Save CSV…").isEnabled()


def test_a_smallest_set_among_too_many_is_kept_with_the_error_at_its_field(opens: Callable[..., Hands]) -> None:
    user = opens(NetDesign.starting(seed=1))
    user.window.document.change(NetDesign.starting(net="smallest", seed=1), "Change the net")
    user.waits(lambda: any("smallest sufficient set is found among at most" in error for error in user.errors()))
    assert not user.find(QPushButton, "Release again").isEnabled() and not page(user)._giving.save.isVisible()
    user.undo()
    user.settles()
    assert user.window.document.study.net == "all" and not user.errors() and page(user)._giving.save.isVisible()


def test_the_question_of_sample_sizes_never_folds_and_the_better_method_is_explained(opens: Callable[..., Hands]) -> None:
    user = opens(SizesDesign(2**24, queries="conjunctions", epsilon=1, find="error", rows=4000))
    user.window.resize(1024, 640)
    user.reads("4000 rows are too few to be useful", "▸ Queries: combinations", "Up to 11 columns")
    assert user.find(QPushButton, "what error").isVisible() and not user.says("▸ I want to know")
    name = user.find(QLabel, "Method")
    assert "needs fewer rows, if both can be run" in name.parentWidget().parentWidget().toolTip()


@pytest.mark.parametrize(("design", "key"), [(ages(), "column"), (RectangleDesign.starting(seed=7), "first")])
def test_it_is_asked_which_column_of_numbers_of_a_file_is_taken(
    opens: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, design: Any, key: str
) -> None:
    user = opens(design)
    (path := tmp_path / "people.csv").write_text("name,age,income\n" + "a,24,120000\nb,20,40000\n" * 20, "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    user.waits(lambda: user.window.findChild(QInputDialog) is not None)
    dialog = user.window.findChild(QInputDialog)
    assert [label.partition(" · ")[0] for label in dialog.comboBoxItems()] == ["age", "income"]
    assert dialog.textValue().startswith("age · ") and "Only columns of numbers" in dialog.labelText()
    dialog.setTextValue(dialog.comboBoxItems()[1])
    dialog.accept()
    user.waits(lambda: getattr(user.window.document.study, key).column == "income" and bool(user.errors()))
    assert "a range taken from the data is not private" in user.errors()[0]
    user.press("Use 0 to 200000")
    user.settles()
    assert not user.errors() and user.window.document.study.high == "200000" and user.window.document.study.seed is None
