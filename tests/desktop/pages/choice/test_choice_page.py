"""The choice page, as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from desktop import mouse
from desktop.hands import Hands
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner import resources
from dpdesigner.core.choice.limits import Limit
from dpdesigner.core.choice.utilities import moved
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.pages.choice.page import ChoicePage
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_stack import PlotStack
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.choice_export import ChoiceExport
from dpdesigner.progress import Progress
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.panels import falling_short
from dpdesigner.studies.plot_parts import Bars
from dpdesigner.studies.study import design_of

WAIT = 20_000
SCHOOLING = ChoiceDesign.starting(neighbours="changes", epsilon="0.1", name="Schooling")
SURVEY = {"path": "example:survey_1996.csv", "column": "education", "categories": list("1234567")}


class User:
    """Looks at the page and uses it."""

    def __init__(self, qtbot: QtBot, design: ChoiceDesign) -> None:
        self.qtbot, self.window = qtbot, MainWindow([design])
        qtbot.addWidget(self.window)
        self.window.resize(1280, 720)
        self.window.show()
        self.settles()

    @property
    def page(self) -> ChoicePage:
        found = self.window.host.page
        assert isinstance(found, ChoicePage)
        return found

    @property
    def design(self) -> ChoiceDesign:
        found = self.window.document.study
        assert isinstance(found, ChoiceDesign)
        return found

    @property
    def stack(self) -> PlotStack:
        return self.page._pictures.panels.views["strips"].stack

    def plot(self, key: str) -> CurvePlot:
        return self.stack.plots[key]

    def bars(self, key: str) -> Bars:
        return self.plot(key).plot.bars[0]

    @property
    def option(self) -> int:
        return self.plot("utilities").plot.selected

    @property
    def said(self) -> str:
        return self.page._pictures.panels.views["told"].label.text()

    def settles(self) -> None:
        def done() -> bool:
            return design_of(self.page.outcomes.get("solve")) == self.window.document.study

        self.qtbot.waitUntil(done, timeout=WAIT)

    def button(self, text: str) -> QPushButton:
        return next(b for b in self.page.findChildren(QPushButton) if b.text() == text and b.isVisible())

    def press(self, text: str) -> None:
        QTest.mouseClick(self.button(text), Qt.MouseButton.LeftButton)

    def take(self, text: str) -> None:
        """Choose a button that the menu with three dots offers."""
        menu = self.page._inputs.options.editing.menu_button.menu()
        menu.aboutToShow.emit()
        next(action for action in menu.actions() if action.text() == text).trigger()

    def pressed(self, text: str) -> bool:
        return self.button(text).isChecked()

    def errors(self) -> str:
        labels = [label for label in self.page.findChildren(QLabel) if label.isVisible()]
        return " ".join(label.text() for label in labels if label.property("class") == "error")

    def texts(self) -> str:
        return " ".join(label.text() for label in self.window.findChildren(QLabel))

    def point(self, key: str, option: int, height: float) -> QPoint:
        """A place in a strip: over an option, from 0, the foot of the band, to 1."""
        frame = self.plot(key).figure().frame
        return QPointF(frame.x(float(option)), frame.y(frame.bottom + height * (frame.top - frame.bottom))).toPoint()

    def drag(self, key: str, *to: tuple[int, float]) -> None:
        widget = self.plot(key).figure().viewport()
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=self.point(key, *to[0]))
        for place in to[1:]:
            mouse.move(widget, QPointF(self.point(key, *place)), Qt.MouseButton.LeftButton)
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=self.point(key, *to[-1]))

    def choose(self, bars: CostBars, key: str) -> None:
        """Click a bar of a ranking."""
        place = next(k for k in range(len(bars.boxes())) if bars.key(k) == key)
        QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.boxes()[place].center().toPoint())


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    made: list[User] = []
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")

    def opened(design: ChoiceDesign = SCHOOLING) -> User:
        made.append(User(qtbot, design))
        return made[-1]

    yield opened
    for user in made:
        user.window.close()


def test_a_count_is_dragged_and_everything_follows(opens) -> None:
    user = opens()
    told = "<b>The best option, High school, is chosen 80.6 times in 100</b>; it leads by 21 people."
    assert user.page.summary().sentence[0] == told
    assert user.page.summary().value == "80.6%" and user.page.summary().state == "proved"
    user.drag("utilities", (5, 0.9), (5, 0.6), (5, 0.3))
    user.settles()
    assert user.option == 5, "what is dragged stays selected, though another is the second best now"
    before, after = SCHOOLING.utilities, user.design.utilities
    assert after[5] < before[5] and [a for k, a in enumerate(after) if k != 5] == [b for k, b in enumerate(before) if k != 5]
    assert isinstance(after[5], int) and user.window.document.undo_stack.undoText() == "Drag a utility"
    assert float(user.page.summary().value.rstrip("%")) > 81
    user.window.document.undo_stack.undo()
    user.settles()
    assert user.design == SCHOOLING


def test_counts_of_a_file_are_not_dragged(opens) -> None:
    user = opens(ChoiceDesign(**SURVEY, epsilon="0.1"))
    inputs = user.page._inputs
    assert inputs.options.source.full_text == "survey_1996.csv · education · 944 people"
    user.drag("utilities", (5, 0.8), (5, 0.5))
    user.settles()
    assert inputs.options.source.full_text.startswith("survey_1996.csv") and user.design.path == SURVEY["path"]
    assert user.plot("utilities").plot.hint == "from the file" and not user.bars("utilities").drags
    assert not user.page._inputs.options.grid.item(0, 1).flags() & Qt.ItemFlag.ItemIsEditable
    inputs.options.add_one.click()
    user.settles()
    assert inputs.options.source.full_text.startswith("typed") and user.bars("utilities").drags


def test_the_scale_stays_while_the_highest_count_is_dragged(opens) -> None:
    user = opens()
    figure = user.plot("utilities").figure()
    frame, widget = figure.frame, figure.viewport()
    highest, top, tallest = 2, frame.top, SCHOOLING.utilities[2]
    assert tallest == max(SCHOOLING.utilities) and top > 1.1 * tallest, "there is room for a higher bar"
    start = QPointF(frame.x(2.0), frame.y(float(tallest)))
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=start.toPoint())
    up = QPointF(start.x(), start.y() - 8)
    for _ in range(3):  # the mouse rests, and the bar with it
        mouse.move(widget, up, Qt.MouseButton.LeftButton)
        user.settles()
        assert figure.frame.top == top and abs(user.design.utilities[highest] - frame.value_y(up.y())) <= 1
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=up.toPoint())
    user.settles()
    assert figure.frame.top > top and user.design.utilities[highest] < 1.15 * tallest


def test_where_room_is_short_a_card_is_one_line_and_the_level_stays(opens) -> None:
    user = opens()
    moves, privacy = user.page._inputs.moves, user.page._inputs.privacy
    assert not moves.folded
    user.window.resize(1024, 600)
    user.qtbot.waitUntil(lambda: moves.folded)
    column = user.page._inputs
    foot = privacy.mapTo(column, QPoint(0, privacy.height())).y()
    assert not privacy.folded and privacy.control.epsilon_box.isVisible() and foot <= column.parentWidget().height()
    assert "▸ changes answer · Δ = 1" in user.texts()
    QTest.mouseClick(moves, Qt.MouseButton.LeftButton)
    user.qtbot.waitUntil(lambda: not moves.folded and user.page._inputs.options.folded)
    user.window.resize(1280, 720)
    user.qtbot.waitUntil(lambda: not user.page._inputs.options.folded)


def test_a_drag_is_given_up_with_escape(opens) -> None:
    user = opens()
    widget = user.plot("utilities").figure().viewport()
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=user.point("utilities", 2, 0.9))
    mouse.move(widget, QPointF(user.point("utilities", 2, 0.2)), Qt.MouseButton.LeftButton)
    user.settles()
    QTest.keyClick(user.plot("utilities"), Qt.Key.Key_Escape)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=user.point("utilities", 2, 0.2))
    user.settles()
    assert user.design == SCHOOLING and not user.window.document.undo_stack.canUndo()


def test_the_keyboard_does_what_the_mouse_does(opens) -> None:
    user = opens()
    plot = user.plot("utilities")
    user.drag("utilities", (5, 0.3))
    for key, option, change in ((Qt.Key.Key_Up, 5, 1), (Qt.Key.Key_Left, 4, 0)):
        was = user.design.utilities
        QTest.keyClick(plot, key)
        user.settles()
        assert user.option == option
        user.qtbot.waitUntil(lambda was=was, change=change: user.design.utilities[5] - was[5] == change, timeout=WAIT)
    QTest.keyClick(plot, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    user.settles()
    user.qtbot.waitUntil(lambda: user.design.utilities[4] == 80, timeout=WAIT)
    user.settles()
    assert "2-year degree; utility: 80" in plot.accessibleDescription()
    QTest.keyClick(plot, Qt.Key.Key_N)
    assert plot.hasFocus(), "the strips of one person's influence are folded"
    QTest.keyClick(plot, Qt.Key.Key_W)
    QTest.keyClick(plot, Qt.Key.Key_N)
    moves = user.plot("moves")
    assert moves.hasFocus()
    QTest.keyClick(moves, Qt.Key.Key_Up)
    assert "4:1" in user.page.view["neighbour"]
    QTest.keyClick(moves, Qt.Key.Key_W)
    assert user.page.view["neighbour"] == ""


def test_the_neighbour_is_the_worst_or_what_is_dragged(opens) -> None:
    user = opens()
    assert [*user.stack.plots] == ["utilities", "chances"] and not user.pressed("Worst neighbour")
    user.press("▸ Influence of one person")
    assert [*user.stack.plots] == ["utilities", "chances", "moves", "ratios"] and user.pressed("Worst neighbour")
    assert user.bars("moves").values.tolist() == [0, 0, 1, 0, 0, -1, 0]
    assert np.abs(user.bars("ratios").values).max() == pytest.approx(0.09917, abs=1e-5)
    assert user.plot("ratios").plot.y.limits == pytest.approx((-0.1, 0.1))
    user.drag("moves", (0, 0.5), (0, 0.75), (0, 1.0))
    moves = user.bars("moves").values
    assert moves[0] == 1 and moves.sum() == 0 and (np.abs(user.bars("ratios").values) <= 0.1 + 1e-12).all()
    user.press("Worst neighbour")
    assert user.bars("moves").values[5] == -1
    state = user.page.view_state()
    user.page.set_view_state({**state, "neighbour": "1:1,0:-1", "view": "nowhere", "option": "x"})
    assert user.bars("moves").values.tolist()[:2] == [-1, 1] and user.page.view["view"] == "chances"
    user.page.set_view_state({"neighbour": "99:1", "influence": True})
    assert user.bars("moves").values[5] == -1, "what cannot be is the worst"
    user.press("▾ Influence of one person")
    assert [*user.stack.plots] == ["utilities", "chances"]


def test_escape_gives_the_neighbour_back(opens) -> None:
    user = opens()
    user.press("Worst neighbour")
    user.drag("moves", (4, 0.5), (4, 0.75), (4, 1.0))
    before = user.page.view["neighbour"]
    widget = user.plot("moves").figure().viewport()
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=user.point("moves", 1, 0.5))
    mouse.move(widget, QPointF(user.point("moves", 1, 1.0)), Qt.MouseButton.LeftButton)
    assert user.page.view["neighbour"] != before
    QTest.keyClick(user.plot("moves"), Qt.Key.Key_Escape)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=user.point("moves", 1, 1.0))
    assert user.page.view["neighbour"] == before != ""


def test_what_one_person_can_move() -> None:
    start = np.array([0.0, 1.0, -1.0])
    assert moved(start, 0, 1, "changes").tolist() == [1, 0, -1] and moved(start, 0, -1, "changes").tolist() == [-1, 1, 0]
    assert moved(start, 1, -1, "changes").tolist() == [1, -1, 0] or moved(start, 1, -1, "changes").sum() == 0
    assert moved(start, 1, 0.2, "changes").tolist() == start.tolist()
    assert moved(np.array([0, 1.0, 0.5]), 0, -0.4, "joins").tolist() == [-0.4, 0, 0]
    assert moved(np.array([0, 1.0, 0.5]), 0, 7, "joins").tolist() == [1, 1, 0.5]
    assert moved(start, 0, -0.257, "any").tolist() == [-0.26, 1, -1]


def test_another_name_or_rule_does_not_compute_the_limit_again(opens, monkeypatch) -> None:
    user = opens()
    user.qtbot.waitUntil(lambda: user.page.answer.limit is not None, timeout=WAIT)
    monkeypatch.setattr(ChoiceAnswer, "find_limit", lambda self, progress: pytest.fail("computed again"))
    user.page.findChild(QTableWidget, "").item(1, 0).setText("Nearly done")
    user.settles()
    user.choose(user.page.rules.bars, "exponential")
    user.settles()
    assert user.page.answer.design.names[1] == "Nearly done" and user.page.answer.limit is not None


def test_no_option_is_marked_until_the_influence_on_one_is_shown(opens) -> None:
    user = opens()
    assert user.option == -1 and user.page._inputs.options.grid.current is None and user.said == ""
    user.press("Worst neighbour")
    assert user.option == user.page._inputs.options.grid.current == 5
    assert user.said == "Bachelor’s degree: 17.20% becomes 15.58%, a factor of 1.104 (never above 1.106)."
    user.press("Worst neighbour")


def test_a_rule_is_drawn_and_the_old_one_stays_as_marks(opens) -> None:
    user = opens()
    bars = user.page.rules.bars
    assert any(text.startswith("Permute-and-flip: 80.6%") for text in bars.texts())
    assert bars.texts()[0].startswith("Upper limit")
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.boxes()[0].center().toPoint())
    assert user.design == SCHOOLING, "a limit is no rule"
    user.choose(bars, "exponential")
    user.settles()
    assert user.design.rule == "exponential" and user.page.view["rival"] == "permute-and-flip"
    assert user.page.summary().value == "71.4%" and user.window.document.undo_stack.undoText() == "Choose a rule"
    user.page.look(rival="exponential")  # as after an undo
    assert user.bars("chances").rival_name == "permute-and-flip"
    papers = user.page.papers.bars
    user.choose(papers, "exponential-cacm")
    user.settles()
    assert user.design.rule == "exponential-cacm" and "not as requested" in user.page.summary().badge
    assert "attained 0.2, stated 0.1" in papers.accessibleDescription()
    assert "exp(ε u/Δ), as printed by Dwork (2011)" in user.plot("chances").plot.hint


def test_bars_to_choose_from_are_folded_to_their_heading(opens) -> None:
    user = opens()
    user.window.resize(1280, 600)
    user.qtbot.waitUntil(lambda: user.page.papers.folded, timeout=WAIT)
    assert "▸ Formulas in papers" in user.texts()


def test_the_thin_marks_show_the_rule_that_is_chosen_in_the_menu(opens) -> None:
    user = opens()
    user.page.set_view_state({})  # as from the rail
    assert user.bars("chances").rival is None, "one rule at first"
    button = next(b for b in user.page.findChildren(QToolButton) if b.text() == "Compare ▾")
    actions = {action.text(): action for action in button.menu().actions()}
    actions["Noisy max, Laplace"].trigger()
    assert user.bars("chances").rival_name == "noisy max, Laplace" and user.page.view["rival"] == "noisy-max-laplace"
    actions["None"].trigger()
    assert user.bars("chances").rival is None
    user.page.look(view="constants")
    assert not button.isVisible()


def test_neighbours_and_sensitivity(opens) -> None:
    user = opens()
    user.press("joins or leaves")
    user.settles()
    assert user.design.neighbours == "joins" and float(user.page.summary().value.rstrip("%")) > 90
    assert "Dwork’s formula is right here" in user.texts()
    box = user.page._inputs.sensitivity
    box.enter("0")
    assert "must be above 0, got 0" in user.errors() and user.design.sensitivity == 1
    box.enter("1/2")
    user.settles()
    assert user.design.sensitivity == "1/2"
    user.press("Δ?")
    user.settles()
    assert user.design.sensitivity == 1 and not user.page._inputs.helper.isVisible()


def test_options_are_typed_pasted_added_and_removed(opens) -> None:
    user = opens()
    grid = user.page.findChild(QTableWidget, "")
    assert grid is not None and grid.rowCount() == 7
    grid.item(0, 1).setText("1/3")
    user.settles()
    assert user.design.utilities[0] == "1/3"
    grid.item(0, 1).setText("many")
    assert "must be a number" in user.errors() and grid.item(0, 1).text() != "many"
    grid.item(1, 0).setText("Nearly done")
    user.settles()
    assert user.design.names is not None and user.design.names[1] == "Nearly done"
    user.press("+")
    user.settles()
    assert len(user.design.utilities) == 8
    grid.setCurrentCell(7, 1)
    user.press("−")
    user.settles()
    assert len(user.design.utilities) == 7
    QGuiApplication.clipboard().setText("red\t4\nblue\t9\ngreen\t0.5\n")
    user.take("Paste")
    user.settles()
    assert user.design.names == ("red", "blue", "green") and user.design.utilities == ("4", "9", "0.5")
    QGuiApplication.clipboard().setText("red\tx")
    user.take("Paste")
    assert "ine 1: a utility must be a number, got 'x'" in user.errors()


def test_a_column_is_counted_and_its_list_fixed(opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("answer\nyes\nno\nyes\nperhaps\n", "utf-8")
    user = opens(dp.read(resources.path("examples", "schooling.dpd"))[0])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    user.settles()
    assert user.design.name == "answer", "the title of an example is not that of other data"
    assert user.design.path == str(path) and user.page.summary().badge == "not private yet"
    assert "A rare answer reveals" in user.texts() and not user.button("Release once (spends ε)").isEnabled()
    hands = Hands(user.qtbot, user.window, path)
    for claim in ("a 50 : 50 bet", "Disclosure risk", "very strong", "✓ ε"):
        assert not hands.says(claim), claim
    assert not hands.sees(QAbstractButton, "+"), "it would store the counts as typed ones"
    hands.press("Call it public…")
    hands.reads("Are these all the answers that anyone could give?")
    box = hands.find(QPlainTextEdit, "")
    assert not box.textCursor().hasSelection(), "the first key would erase the list"
    QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.keyClicks(box, "never")
    hands.press("Call it public")
    user.settles()
    assert user.design.categories == ("no", "perhaps", "yes", "never") and user.page.summary().state == "proved"
    hands.reads("a 50 : 50 bet", "Disclosure risk", "Private if the list does not depend on the data.")
    assert user.page.whole_text() == "" and user.page.figures() == []
    path.write_text("a,b\n1,2\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(tmp_path / "none.csv"), ""))
    user.press("Data column…")
    assert "no such file" in user.errors()


def test_of_a_private_column_a_release_is_counted_and_only_programs_are_exported(opens, tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("way\n" + "car\n" * 18 + "bus\n" * 15, "utf-8")
    data = {"path": str(tmp_path / "answers.csv"), "column": "way", "categories": ("car", "bus")}
    user = opens(ChoiceDesign(**data, neighbours="changes", epsilon="0.1"))
    hands = Hands(user.qtbot, user.window, tmp_path)
    hands.press("Release once (spends ε)")
    user.qtbot.waitUntil(lambda: "1 release of these rows has ε = 0.1." in user.said, timeout=WAIT)
    hands.press("× 100")
    user.qtbot.waitUntil(lambda: "Simulated: " in user.said, timeout=WAIT)
    hands.press("Release once (spends ε)")
    user.qtbot.waitUntil(lambda: "2 releases of these rows have ε = 0.2 together." in user.said, timeout=WAIT)
    assert "2 releases" in dict(ChoiceExport(user.page.answer, user.page.reported(user.design, ("draw",))).stated())["To publish"]
    hands.press("Export…")
    boxes = {name: hands.find(QCheckBox, name) for name in ("CSV", "PNG", "Python")}
    user.qtbot.waitUntil(lambda: not boxes["CSV"].isEnabled() and not boxes["PNG"].isEnabled(), timeout=WAIT)
    hands.reads("Tables and pictures reveal the private counts")
    hands.write("Folder", str(tmp_path / "out"))
    boxes["Python"].setChecked(True)
    QTest.mouseClick(hands.front().go, Qt.MouseButton.LeftButton)
    user.qtbot.waitUntil(lambda: "2 files written" in hands.front().said.text(), timeout=WAIT)
    assert len(list((tmp_path / "out").glob("*.py"))) == 2
    hands.press("Close")


def test_a_matrix_is_opened_and_its_rows_are_seen(opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "utilities.csv"
    path.write_text("left,middle,right\n3,0,0\n1,2,0\n0,2,2\n", "utf-8")
    user = opens()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.take("Matrix…")
    user.settles()
    assert user.design.is_table and user.design.exact_sensitivity == 2 and user.design.names == ("left", "middle", "right")
    user.page._inputs.options.rowChosen.emit(2)
    assert user.bars("utilities").values.tolist() == [0, 2, 2] and not user.stack.strips.drags
    user.page.look(view="table")
    matrix = user.page._pictures.panels.views["table"].view
    assert matrix.isVisible() and matrix.selected()[0] == 2
    matrix.rowSelected.emit(1)
    assert user.page.view["row"] == 1
    user.press("every row")
    user.settles()
    assert user.design.neighbours == "all" and user.design.exact_sensitivity == 3
    path.write_text("1,2\n3\n", "utf-8")
    user.take("Matrix…")
    assert "ine 2 must have 2 numbers" in user.errors() and user.design.neighbours == "all"
    assert {figure.name for figure in user.page.figures()} == {"table", "papers", "short", "rules"}


def test_simulating_once_and_a_hundred_times(opens, monkeypatch) -> None:
    ends, find_limit = Event(), ChoiceAnswer.find_limit

    def waits(self: ChoiceAnswer, progress: Progress) -> Limit:
        while not ends.wait(0.01):
            progress(None, "")
        return find_limit(self, progress)

    monkeypatch.setattr(ChoiceAnswer, "find_limit", waits)
    user = opens()
    user.press("Simulate once")
    user.qtbot.waitUntil(lambda: "Simulated: " in user.said, timeout=WAIT)
    user.press("× 100")
    user.qtbot.waitUntil(lambda: "of 100 right" in user.said, timeout=WAIT)
    assert user.bars("chances").dots.sum() == 100 and not ends.is_set(), "neither waits for the limit"
    ends.set()


def test_beside_the_picture_the_distance_from_the_best_has_no_bound(opens) -> None:
    user = opens()
    assert [line.name for line in user.page.short.plot.plot.lines] == ["Permute-and-flip"], (
        "and one rule, until another is chosen"
    )
    user.page.look(view="short")
    assert user.page._pictures.panels.views["short"].plot.plot.lines[-1].name == "bound"


@pytest.mark.parametrize(("epsilon", "name"), [("0.1", "Permute-and-flip"), ("1", "less than 1 in a million")])
def test_the_curve_beside_the_picture_is_seen_however_large_the_lead(epsilon: str, name: str) -> None:
    answer = ChoiceDesign([248, 100, 87], neighbours="changes", epsilon=epsilon).run()
    plot = falling_short(answer, bounded=False)
    line, top = plot.lines[0], plot.y.limits[1]
    assert line.name == name and line.x[-1] > 148
    assert line.y[0] < 1e-6 if epsilon == "1" else line.y[0] == pytest.approx(top / 1.2) and line.y[-1] < top / 20


def test_every_view_and_what_is_taken_from_it(opens) -> None:
    user = opens()
    for view in user.page.views():
        user.page.set_view_state({"view": view})
        assert user.page.view["view"] == view
    user.qtbot.waitUntil(lambda: "sweep" in user.page.outcomes or user.page.view["view"] != "sweep", timeout=WAIT)
    user.page.look(view="sweep")
    user.qtbot.waitUntil(lambda: "sweep" in user.page.outcomes, timeout=WAIT)
    user.page.look(view="chances", rival="")
    assert user.bars("chances").rival is None
    rows = user.page.whole_text().splitlines()
    assert rows[0].split("\t") == ["option", "utility", "chance", "moves by", "ln ratio"] and len(rows) == 8
    names = {"utilities", "chances", "moves", "ratios", "papers", "short", "rules"}
    assert {figure.name for figure in user.page.figures()} == names
    json.dumps(dict(user.page.view_state()))


def test_a_drawn_curve_of_a_number(opens) -> None:
    design = ChoiceDesign([0] * 20, edges=list(range(21)), rule="exponential", epsilon=1)
    user = opens(design)
    user.drag("utilities", (3, 0.0), (3, 0.5), (4, 0.9))
    user.settles()
    assert user.design.utilities[4] > 0 and user.design.edges is not None
    user.press("Simulate once")
    user.qtbot.waitUntil(lambda: "Simulated: " in user.said, timeout=WAIT)


@pytest.mark.parametrize("options", [2, 13, 60, 1000])
def test_any_number_of_options_is_painted(opens, options: int) -> None:
    values = np.random.default_rng(1).integers(0, 50, options).tolist()
    user = opens(ChoiceDesign(values, epsilon=1))
    picture = user.stack.grab().toImage()
    assert len({picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)}) > 3
    assert isinstance(user.page.findChild(QWidget), QWidget)


def test_what_cannot_be_is_taken_back_with_escape(opens) -> None:
    user = opens()
    grid = user.page.findChild(QTableWidget, "")
    grid.setFocus()
    grid.setCurrentCell(0, 1)
    grid.editItem(grid.item(0, 1))
    editor = grid.viewport().findChild(QLineEdit)
    editor.setText("many")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    user.qtbot.waitUntil(lambda: "must be a number" in user.errors(), timeout=WAIT)
    assert grid.item(0, 1).text() == "13"
    QTest.keyClick(grid, Qt.Key.Key_Escape)
    assert user.errors() == "" and user.design == SCHOOLING


def test_a_list_with_headings_is_pasted_and_begins_with_the_best(opens) -> None:
    user = opens()
    lines = "".join(f"option {k}\t{k}\n" for k in range(300))
    QGuiApplication.clipboard().setText(f"Name\tVotes\n{lines}")
    user.take("Paste")
    user.settles()
    assert len(user.design.utilities) == 300
    grid = user.page.findChild(QTableWidget, "")
    assert grid.item(0, 0).text() == "option 299" and grid.verticalScrollBar().value() == 0
    QGuiApplication.clipboard().setText("Anna;12,50\nBert;8,20")
    user.take("Paste")
    assert any("must be unambiguous, got '12,50'" in error for error in [user.errors()]) and len(user.design.utilities) == 300


def test_an_interval_is_made_and_its_edges_and_base_are_typed(opens) -> None:
    user = opens(ChoiceDesign([0, 1, 2, 1], rule="permute-and-flip", epsilon=1))
    user.take("Interval")
    user.settles()
    assert user.design.edges == (0, 1, 2, 3, 4) and user.design.rule == "exponential"
    options = user.page._inputs.options
    for box, text in ((options.edges, "0, 2, 3, 4, 10"), (options.base, "1 1 2 0.5")):
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return)
        user.settles()
    assert user.design.edges == ("0", "2", "3", "4", "10") and user.design.base == ("1", "1", "2", "0.5")
    options.edges.selectAll()
    QTest.keyClicks(options.edges, "0, 4, 2")
    QTest.keyClick(options.edges, Qt.Key.Key_Return)
    assert "increasing numbers" in user.errors() and len(user.design.edges) == 5
    options.edges.selectAll()
    QTest.keyClicks(options.edges, "0, 5, 10")
    QTest.keyClick(options.edges, Qt.Key.Key_Return)
    user.settles()
    assert user.design.edges == ("0", "5", "10") and len(user.design.utilities) == 2 and user.errors() == ""
    user.take("Interval")
    user.settles()
    assert user.design.edges is None and user.design.base is None
