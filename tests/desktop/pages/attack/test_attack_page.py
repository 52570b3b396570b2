"""The attack page, as a user meets it: with the mouse, the keyboard and files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from desktop import hands, mouse
from desktop.hands import CONTROL, Hands, Key
from desktop.test_accessibility_tree import targets, too_small
from desktop.test_accessible_names import nameless
from desktop.test_everything_fits import cut_off, settle
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QListWidget, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner import resources
from dpdesigner.core.reconstruction import attack as solver
from dpdesigner.core.reconstruction.problem import Curves
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.pages.kit.summary import explained
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.line_shapes import touches
from dpdesigner.desktop.plots.people import Mark, PeopleGrid
from dpdesigner.desktop.plots.people import pixmap as draw
from dpdesigner.errors import Cancelled
from dpdesigner.studies.attack import answer as attack_answer
from dpdesigner.studies.attack import run as attack_run
from dpdesigner.studies.attack.design import secret_of
from dpdesigner.studies.attack.run import attack
from dpdesigner.studies.study import Progress

Opener = Callable[..., Hands]
MAP = "Map of the secret"


@pytest.fixture
def opens(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Opener]:
    with ExitStack() as stack:

        def opened(window: tuple[int, int] = (1280, 720), **inputs: Any) -> Hands:
            path = tmp_path / "attack.dpd"
            dp.save([dp.AttackDesign(**{"n": 50, "queries": 200, "epsilon": 1, **inputs})], path)
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, path, window))
            user.settles()
            return user

        yield opened


def design(user: Hands) -> dp.AttackDesign:
    found = user.window.document.study
    assert isinstance(found, dp.AttackDesign)
    return found


def grids(user: Hands) -> list[PeopleGrid]:
    """The map of the secret, and the people of both sides."""
    page = user.window.host.page
    return [page._inputs.secret.map, page._crowds.left.grid, page._crowds.right.grid]


def test_people_are_seen_twice_and_a_line_is_dragged(opens: Opener) -> None:
    user = opens()
    user.reads("of 50", "Without privacy", "With privacy", "✓ ε proved", "no privacy · ε = ∞")
    _, left, right = grids(user)
    user.waits(lambda: right.n == 50)
    assert (left.marks == Mark.RIGHT).sum() > (right.marks == Mark.RIGHT).sum()
    plot = user.plot("recovered (%) against largest error")
    root = np.sqrt(50)
    user.drag(plot, 0.5 * root, root, 1.25 * root)
    user.settles()
    assert design(user).size == "1.25 sqrt n" and user.undo_text() == "Drag the line"
    user.undo()
    assert design(user).size == "0.5 sqrt n"
    user.drag(user.plot("recovered (%) against total ε"), hands.log(1), hands.log(30))
    user.reads("hardly any privacy")
    user.waits(lambda: not user.says("✓ ε proved"))
    user.tab("Questions")
    user.drag(user.plot("recovered (%) against questions"), hands.log(200), hands.log(400))
    user.settles()
    assert 380 <= design(user).queries <= 420
    user.tab("One question")
    user.reads("has the right number of ones, but is wrong about", "question 1")
    user.press("The next question")
    user.reads("expose", "an example guess: off by", "question 2")
    assert user.plot("off by against people in the question") is not None


def test_the_epsilon_of_the_private_answers_is_typed_above_them(opens: Opener) -> None:
    user = opens()
    box = user.find(hands.QLineEdit, "Epsilon of all answers together")
    _, left, right = grids(user)
    assert right.mapTo(user.window, right.rect().topLeft()).x() < box.mapTo(user.window, box.rect().center()).x()
    user.write("Epsilon of all answers together", "0")
    (error,) = user.errors()
    assert error.startswith("ε must be between") and user.window.host.page._crowds.right.error.isVisible()
    user.write("Epsilon of all answers together", "30")
    user.reads("hardly any privacy", "ε = 30")
    user.settles()
    assert str(design(user).epsilon) == "30" and not user.errors() and user.undo_text() == "Change epsilon"
    user.command("Design", "New questions")
    _choose_noise(user, "Laplace noise")
    assert box.mapTo(user.window, box.rect().center()).x() < left.mapTo(user.window, left.rect().topLeft()).x()
    user.write("Epsilon of all answers together", "0")
    assert user.window.host.page._inputs.error.error.isVisible() and len(user.errors()) == 1


def _choose_noise(user: Hands, kind: str) -> None:
    actions = user.window.host.page._inputs.error.noise.menu().actions()
    next(action for action in actions if action.text() == kind).trigger()
    user.settles()


def test_the_other_attackers_are_compared_in_an_audit_too(opens: Opener) -> None:
    user = opens((1280, 1000), n=None, answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    user.window.host.page._guess.click()
    user.waits(lambda: sum(bool(re.fullmatch(r"[\d.]+%", line)) for line in user.said().splitlines()) == 3)


def test_undo_and_redo_stay_in_the_open_view(opens: Opener) -> None:
    user = opens()
    user.write("Questions", "100")
    user.tab("Questions")
    user.undo()
    assert design(user).queries == 200 and user.window.host.page.view["view"] == "questions"
    user.tab("Proof")
    user.command("Edit", "Redo")
    assert design(user).queries == 100 and user.window.host.page.view["view"] == "counting"


def test_another_epsilon_keeps_the_attack_without_privacy(opens: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens()
    user.waits(lambda: user.window.host.page.answer.private is not None)
    before = user.window.host.page.answer

    def refuse(*_: object) -> None:
        raise AssertionError("the attack without privacy does not depend on ε")

    monkeypatch.setattr(attack_run, "attacked", refuse)
    user.drag(user.plot("recovered (%) against total ε"), hands.log(1), hands.log(30))
    user.reads("hardly any privacy")
    user.settles()
    user.waits(lambda: user.window.host.page.answer.private is not None)
    answer = user.window.host.page.answer
    assert answer.design == design(user) != before.design and answer.reconstruction is before.reconstruction
    assert answer.private is not None and not np.array_equal(answer.private.values, before.private.values)


def test_a_small_delta_is_seen_with_its_whole_exponent(opens: Opener) -> None:
    user = opens()
    user.tab("Proof")
    boxes = user.window.host.page.calculator.boxes
    user.write("Counting: wrong about", "2")
    user.write("Counting: E", "10")
    user.settles()
    box = boxes["delta"]
    for text in (box.text(), "1.19e−11"):
        box.setText(text)
        assert box.fontMetrics().horizontalAdvance(text) + 12 <= box.width()


def test_people_are_grey_where_guessing_is_as_good(opens: Opener) -> None:
    user = opens(epsilon="1/10", column="1" * 40 + "0" * 10)
    user.reads("recovered; limit for any attack: 40", "answers wrong by ≈ 2000: useless")
    assert not user.says("Ask only")  # of 50 people, an error of 20 is no use either
    assert grids(user)[2].grey and not grids(user)[1].grey
    user.drag(user.plot("recovered (%) against total ε"), hands.log(0.1), hands.log(1000))
    user.waits(lambda: not grids(user)[2].grey)


def test_marks_stand_at_what_was_recovered_before_other_runs_are_made(opens: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack_answer, "curves", lambda setting, known, progress, tell, places, design: Curves(design=design))
    user = opens()
    user.reads("✓ ε proved")
    answer = user.window.host.page.answer
    secret = answer.problem.secret
    of = {"recovered (%) against largest error": answer.reconstruction, "recovered (%) against total ε": answer.private}
    for name, own in of.items():
        plot = user.plot(name)
        (place,) = (handle.place for handle in plot.handles())
        assert plot.plot.lines[0].at(place) == pytest.approx(100 * (own.guess == secret).mean(), abs=1)  # ties are halves
        assert len(plot.plot.lines) > 1


def test_the_dot_stays_at_this_run_on_curves_of_several_runs(opens: Opener) -> None:
    user = opens()
    user.waits(lambda: user.plot("recovered (%) against total ε").plot.lines[0].name == "this attack, mean of 3 runs")
    user.settles()
    answer, plot = user.window.host.page.answer, user.plot("recovered (%) against total ε")
    (handle,) = plot.handles()
    assert handle.height == pytest.approx(2 * answer.private.tally(answer.problem.secret).guessed)
    assert handle.height != pytest.approx(plot.plot.lines[0].at(1.0)), "a seed whose run is not the mean"
    user.drag(plot, hands.log(1), hands.log(30))
    user.settles()
    assert plot.handles()[0].height != handle.height


def test_the_secret_is_painted_one_undo_step_a_stroke(opens: Opener) -> None:
    user = opens(column="0" * 50)
    the_map = user.find(PeopleGrid, MAP)
    cells = [the_map.cell(person).center() for person in (10, 12, 14)]
    mouse.drag(the_map, cells)
    user.settles()
    assert design(user).column == "0" * 10 + "1" * 5 + "0" * 35 and user.undo_text() == "Paint the secret"
    there = the_map.cell(12).center().toPoint()
    QTest.mousePress(the_map, Qt.MouseButton.RightButton, pos=there)
    QTest.mouseRelease(the_map, Qt.MouseButton.RightButton, pos=there)
    user.settles()
    assert design(user).column[10:15] == "11011"
    user.undo()
    assert design(user).column[10:15] == "11111"
    QTest.mousePress(the_map, Qt.MouseButton.LeftButton, pos=the_map.cell(40).center().toPoint())
    mouse.move(the_map, the_map.cell(44).center(), Qt.MouseButton.LeftButton)
    user.key(Key.Key_Escape)
    assert design(user).column[40:45] == "00000"
    the_map.setFocus()
    user.key(Key.Key_Right)
    user.key(Key.Key_Right)
    user.key(Key.Key_Space)
    user.settles()
    assert design(user).column[1] == "1"


def test_a_person_is_ringed_on_both_sides_and_read_aloud(opens: Opener) -> None:
    user = opens()
    user.reads("✓ ε proved")
    _, left, right = grids(user)
    QTest.mouseClick(left, Qt.MouseButton.LeftButton, pos=left.cell(7).center().toPoint())
    mouse.move(right, right.cell(11).center())
    secret, guess = user.window.host.page.answer.problem.secret[11], user.window.host.page.answer.private.guess[11]
    assert right.toolTip() == f"person 12: secret {secret}, guessed {guess}"
    QApplication.sendEvent(right, QEvent(QEvent.Type.Leave))
    assert right.toolTip() == ""
    asked = user.find(QLabel, "How many of ")
    QApplication.sendEvent(asked.parentWidget(), QEvent(QEvent.Type.Enter))
    assert f"of {len(left._outlined)} random people have a 1?" in asked.accessibleName()
    assert left.ringed == right.ringed == 7 and left.accessibleDescription().startswith("person 8: secret ")
    assert "guessed" in right.accessibleDescription()
    left.setFocus()
    user.key(Key.Key_Right)
    assert left.ringed == right.ringed == 8
    user.press("Attacker’s view")
    assert left.look == right.look == "seen"
    ones = int((left.values > 2 / 3).sum())
    user.reads(f"{ones} seen as 1", "seen as 0")
    (scene,) = _scenes(user)
    assert scene["person"] == 8 and scene["look"] == "seen" and scene["view"] == "error"


def _scenes(user: Hands) -> list[dict[str, Any]]:
    user.window.setFocus()
    user.key(Key.Key_N, CONTROL | hands.SHIFT)
    return [scene["view"] for scene in user.saved()["scenes"]]


def test_pointing_at_the_curve_against_epsilon_shows_one_text_with_the_names_of_the_lines(opens: Opener) -> None:
    user = opens()
    plot = user.plot("recovered (%) against total ε")
    user.waits(lambda: len(plot.plot.lines) == 3)
    names = [line.name for line in plot.plot.lines]
    assert names[0].partition(",")[0] == "this attack"  # and the number of runs, if more are done by now
    assert names[1:] == ["limit for any attack (if people are independent)", "guessing"]
    assert [line.shown for line in plot.plot.lines[::2]] == names[::2]
    user.hover(plot, hands.log(10))
    around = plot
    while around is not None:
        assert not around.toolTip(), "a second text next to the read-out"
        around = around.parentWidget()


def test_a_name_is_nearest_to_its_own_curve_or_has_a_sample_of_it(opens: Opener) -> None:
    user = opens(n=200, queries=800)
    user.waits(lambda: len(user.plot("recovered (%) against largest error").plot.lines) == 4)
    for size in ("5", "14", "20", "25.5"):
        user.write("Error E", size)
        user.waits(lambda: user.window.host.page.answer.curves is not None)
        user.settles()
        curves = user.plot("recovered (%) against largest error")._curves
        lines = [curves.pixels(line) for line in curves.plot.lines]
        for place, own in zip(curves.labels(), lines, strict=True):
            if place is not None and not place.keyed:
                wider = (place.box.adjusted(-away, -away, away, away) for away in range(100))
                box = next(box for box in wider if touches(box, [own]))
                assert not any(touches(box.adjusted(3, 3, -3, -3), [line]) for line in lines if line is not own), size


def test_everything_asked_can_be_typed(opens: Opener) -> None:
    user = opens((1280, 900))  # where no card is folded
    user.write("Error E", "1/4 sqrt n")
    user.settles()
    assert design(user).size == "1/4 sqrt n"
    user.write("Error E", "nonsense")
    assert any("like 0.5 sqrt n" in error for error in user.errors())
    user.write("Error E", "3")
    user.reads("within ±3")
    user.press("20")
    user.settles()
    assert user.text("Questions") == "20" and design(user).queries == 20
    user.write("Questions", "0")
    assert any("between 1 and" in error for error in user.errors())
    user.write("Questions", "abc")
    user.press("Keep 20")
    assert user.text("Questions") == "20" and not user.errors()
    user.press("400")
    user.settles()
    assert design(user).queries == 400 and user.chosen("50", "200", "400") == ["400"]
    user.press("Least squares")
    user.reads("least squares", "exchanges")
    user.press("Rounded")
    user.settles()
    assert design(user).error == "rounded"
    user.command("Design", "New questions")
    user.settles()
    assert design(user).seed == 8
    user.press("Interior point")
    user.write("People", "1500")
    user.reads("Least squares is used here, because the linear program would take minutes.")
    user.write("The share of ones", "30%")
    user.settles()
    assert design(user).share == "30%"


def test_noise_has_an_epsilon_and_no_bound(opens: Opener) -> None:
    user = opens((1280, 900), error="laplace", epsilon=30)
    user.reads(
        "With privacy (total ε = 30), ", "answers wrong by ≈ 6.67", "Laplace noise", "total ε = 30", "Privacy of this noise"
    )
    user.reads("Expected error of an answer")
    assert not user.says("Without privacy")
    page, plots = user.window.host.page, user.window.findChildren(CurvePlot)
    assert "Minimise" in page.explanation().formula and "centre" not in page.explanation().formula, "the program that is run"
    assert [grid.isVisible() for grid in grids(user)] == [True, True, False], "people are there once, and one curve"
    assert [plot for plot in plots if plot.isVisible()] == [page._results.cards["privacy"].plot] and page.views() == ()
    rows = {key: label.text() for key, label in page._numbers.values.items()}
    most = page.answer.problem.questions.most()[1]
    assert rows["epsilon-composed"] == "30" and rows["epsilon-each"] == "0.15" and float(rows["epsilon"]) >= 30 * most / 200
    assert not page._pictures.panels.figures(), "nor is a curve of another design copied"
    user.write("Epsilon of all answers together", "300")
    user.settles()
    assert str(design(user).epsilon) == "300"
    user.write("Epsilon of an answer", "1/4")
    user.settles()
    assert str(design(user).epsilon) == "50" and user.text("Epsilon of an answer") == "0.250"
    user.write("Epsilon of an answer", "x")
    assert any("ε of an answer must be a number" in error for error in user.errors())


@pytest.mark.parametrize("kind", ["Laplace noise", "Geometric noise"])
def test_noise_is_chosen_after_an_attack_on_bounded_errors_and_left_again(opens: Opener, kind: str) -> None:
    user = opens()
    page = user.window.host.page
    user.waits(lambda: page.answer.private is not None)
    _choose_noise(user, kind)
    user.reads("Privacy of this noise", "total ε = 1", kind)
    assert page.answer.private is None and design(user).noisy and not user.says("Without privacy")
    user.drag(user.plot("recovered (%) against total ε"), hands.log(1), hands.log(30))
    user.settles()
    user.reads("total ε = 30", "With privacy (total ε = 30)")
    assert page._numbers.values["epsilon-composed"].text() == "30"
    user.press("Uniform")
    user.settles()
    user.waits(lambda: page.answer.private is not None)
    user.reads("Without privacy", "With privacy", "no privacy · ε = ∞", "hardly any privacy")


def test_the_tight_mechanism_hides_a_column_half_1_and_no_other(opens: Opener) -> None:
    user = opens((1280, 900), n=100, queries=400, error="tightness", size="3 sqrt n")
    user.reads("0 are exact", "50 of 100")
    user.drag(user.plot("recovered (%) against largest error"), 30.0, 5.0)
    user.settles()
    assert design(user).size == "0.5 sqrt n"
    user.write("Error E", "15")
    user.write("The share of ones", "10%")
    user.settles()
    told = dp.solve(design(user)).findings["truthful"].value
    user.reads(f"{told} are exact")
    assert told > 300


def test_the_error_of_a_refused_size_goes_when_its_value_is_typed_again(opens: Opener) -> None:
    user = opens(n=40, queries=160, size="2")
    for text in ("-5", "2"):
        user.write("Error E", text, enter=False)
        user.key(Key.Key_Tab)
        assert bool(user.errors()) == (text == "-5")


def test_the_undecided_are_named_and_get_more_time(opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve, answers = solver.whole_column, tmp_path / "answers.csv"
    answers.write_text("answer,error,rows\n2,0,1 2 3\n1,0,2 3\n", "utf-8")

    def out_of_time(*given: Any, **more: Any) -> Any:
        if len(given) == 7 and given[-1] < 6:
            raise TimeoutError
        return solve(*given, **more)

    monkeypatch.setattr(solver, "whole_column", out_of_time)
    user = opens(n=None, answers=str(answers))
    user.reads("the values of at least 1 of 3 people follow. Still undecided after 1 s: 2.")
    user.press("Search longer")
    user.reads("If the 2 published counts are exact, the values of 1 of 3 people follow.", "2 open (0 or 1)")
    assert "Search longer" not in user.said() and "ndecided" not in user.said()


def test_ones_own_column_and_answers(opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(n=40, queries=160, column="01" * 20, name="Votes")
    answers = tmp_path / "answers.csv"
    answers.write_text("answer,error,rows\n2,0,1 2 3\n1,0,2 3\n", "utf-8")
    titles = list[str]()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: titles.append(given[1]) or (str(answers), ""))
    assert user.chosen("At random", "File…") == ["At random"]
    user.press("File…")
    assert titles == ["Answers: columns answer, error and rows (2,1,1 3 4 7) or groups (14,0,North)"]
    user.reads(
        "1 of 3",
        "values are certain",
        "by combining answers",
        "If the 2 published counts are exact, the values of 1 of 3 people follow.",
    )
    user.window.menus.present.trigger()
    user.reads("answers in answers.csv")
    assert not user.says("File…")
    user.window.presenting.stop()
    assert user.chosen("At random", "File…") == ["File…"]
    user.window.host.page._guess.click()
    user.reads("not private as published", "1 seen as 1", "2 open (0 or 1)")
    assert "If the error bounds always hold, no finite ε does" in user.window.host.page.explanation().plain
    user.press("Attacker’s view")
    user.reads("guesses are clear", "2 open (0 or 1)")
    user.press("Clear or unsure")
    assert design(user).tell == "numbers"
    assert too_small(targets(user.window)) == []
    user.press("Reports show everybody’s value")
    user.settles()
    assert design(user).tell == "values"
    user.press("At random")
    user.reads("With privacy")
    user.settles()
    assert design(user).column == "01" * 20 and design(user).n == 40, "the secret that was there before"
    answers.write_text("answer,error,rows\n1,0,1 2 3\n1,0,2 3\n", "utf-8")
    user.press("File…")
    user.reads("1 of the first 3 rows are 1", "recovered")
    assert design(user).tell == "numbers" and design(user).column == "01" * 20, "a secret that fits the answers stays"
    refused = tmp_path / "refused.csv"
    refused.write_text("answer,error,rows\n2,0,1\n", "utf-8")
    for shown in ("answers in answers.csv", "random questions"):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(refused), ""))
        user.press("File…")
        user.reads("In refused.csv, this answer is impossible: answer 1 says 2 of 1 people. The page still shows the " + shown)
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(answers), ""))
        user.press("At random")
        user.settles()
        assert design(user).column == "01" * 20 and design(user).n == 40 and design(user).name == "Votes"
    column = tmp_path / "people.csv"
    column.write_text("ill\n" + "1\n0\n" * 30, "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(column), ""))
    user.find(hands.QToolButton, "Data column").menu().actions()[1].trigger()
    user.settles()
    user.reads("30 of 60 are 1", "ill ▾")
    assert design(user).name == "Votes", "a title of one's own stays"
    user.write("People", "30000")
    user.press("Use 60")
    user.settles()
    assert user.errors() == [] and design(user).n == 60
    assert user.find(hands.QToolButton, "Data column").toolTip() == "people.csv · ill"
    column.write_text("ill\n1\n2\n3\n", "utf-8")
    user.find(hands.QToolButton, "Data column").menu().actions()[1].trigger()
    user.waits(lambda: any("got 2 in row 2" in error for error in user.errors()))
    user.find(hands.QToolButton, "Data column").menu().actions()[0].trigger()
    user.reads("168 of 400 random rows are 1", "vote ▾")
    assert design(user).name == "vote"
    user.press("Random")
    user.waits(lambda: design(user).name == "")


def test_a_column_that_answers_contradict_is_refused_or_put_aside_and_says_why(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, people = tmp_path / "answers.csv", tmp_path / "people.csv"
    answers.write_text("answer,error,rows\n1,0,1 2 3\n0,0,2 3\n1,0,1\n", "utf-8")
    people.write_text("ill\n1\n1\n0\n", "utf-8")
    user = opens(n=None, answers=str(answers))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(people), ""))
    user.find(hands.QToolButton, "Data column").menu().actions()[1].trigger()
    kept = "It is kept for the next answers that you open."
    user.waits(lambda: user.errors() == [f"This column does not fit answer 1: truth 2, published 1. {kept}"])
    assert design(user).column == "" and user.says("3 of 3", "Choose the column that was counted")
    user.press("At random")
    user.reads("With privacy")
    user.find(hands.QToolButton, "Data column").menu().actions()[1].trigger()
    user.reads("2 of 3 are 1")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(answers), ""))
    user.press("File…")
    user.reads("Ill does not fit answer 1: truth 2, published 1, so it was put aside.")
    answers.write_text("answer,error,rows\n2,0,1 2 3\n", "utf-8")
    user.press("File…")
    user.reads("2 of 3 are 1", "ill ▾")


def three_people(folder: Path) -> tuple[Path, Path]:
    """Write answers by region and the file of their people; return both paths."""
    answers, people = folder / "answers.csv", folder / "people.csv"
    answers.write_text("answer,error,region\n1,0,North\n0,0,South\n", "utf-8")
    people.write_text("name,region,ill\nAnn,North,1\nBob,South,0\nCem,North,0\n", "utf-8")
    return answers, people


def take_ill(user: Hands) -> None:
    """Choose the column “ill” of the people’s file, which the file dialog gives."""
    user.find(hands.QToolButton, "Data column").menu().actions()[1].trigger()
    user.reads("Which column of people.csv is the secret?")
    user.front().findChild(QComboBox).setCurrentText("ill")
    user.press("OK")


def test_a_column_chosen_in_another_audit_is_there_with_its_answers_by_group(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, people = three_people(tmp_path)
    user = opens(n=None, answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(people), ""))
    take_ill(user)
    user.waits(lambda: any("has 3 rows, but the answers count 200 people. It is kept" in error for error in user.errors()))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(answers), ""))
    user.press("File…")
    user.reads("1 of 3 are 1", "ill ▾", "the values of 1 of 3 people follow", "South: truth 0, published 0")
    exposing = user.find(QListWidget, "Answers: whom they expose")
    assert [exposing.item(row).text() for row in range(exposing.count())] == ["South: Bob", "North"]
    right = grids(user)[2]
    QTest.mouseClick(right, Qt.MouseButton.LeftButton, pos=right.cell(1).center().toPoint())
    user.reads("Bob: 0, certain: “South” counts 0 of 1")


def test_answers_that_were_refused_are_read_again_with_the_column_of_their_people(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, people = three_people(tmp_path)
    user = opens(n=None, answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    user.reads("Published answers")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(answers), ""))
    user.press("File…")
    first = "survey_1996.csv has no column region for answers.csv: choose the column of these people first."
    user.waits(lambda: bool(user.errors()))
    assert user.errors()[0].startswith(first)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(people), ""))
    take_ill(user)
    user.reads("1 of 3 are 1", "ill ▾", "the values of 1 of 3 people follow")
    assert not user.errors() and design(user).answers == str(answers)


def test_without_an_answer_the_page_and_the_noise_follow(opens: Opener, tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("answer,error,rows\n1,0,1\n0,0,2 3\n1,0,1 4 5\n", "utf-8")
    user = opens(n=None, answers=str(answers))
    user.reads("the values of 5 of 5 people follow", "Wrong by ≈ 1.92: larger than 3 of your 3 counts (0 to 1).")
    exposing = user.find(QListWidget, "Answers: whom they expose")
    assert [exposing.item(row).text() for row in range(exposing.count())] == [
        "1: row 1",
        "2: rows 2, 3",
        "3, with others: rows 4, 5",
    ]

    def tick(row: int) -> None:
        place = exposing.visualItemRect(exposing.item(row))
        QTest.mouseClick(exposing.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.left() + 8, place.center().y()))

    user.reads("✓ fits all 3 answers exactly", "only by combining answers: 2")
    tick(0)
    user.reads("Without 1 of the 3 answers, the values of 2 of 5 people still follow.", "2 of 5", "✓ fits all 2 answers exactly")
    assert not user.says("by combining") and user.undo_text() == "Leave answers out" and design(user).left_out == "1"
    user.reads("Wrong by ≈ 0.851: larger than 1 of your 2 counts (0 to 1).", "Does the framed person have a 1?")
    assert [exposing.item(row).checkState() for row in (0, 1)] == [Qt.CheckState.Unchecked, Qt.CheckState.Checked]
    tick(1)
    user.reads("Without 2 of the 3 answers, the values of 0 of 5 people still follow.")
    user.undo()
    user.reads("Without 1 of the 3 answers, the values of 2 of 5 people still follow.")
    user.waits(lambda: exposing.item(1).checkState() == Qt.CheckState.Checked)
    tick(2)
    user.reads(
        "Without 2 of the 3 answers, the values of 2 of 5 people still follow.",
        "Leave out the 2 exposing answers\n(0 values stay certain)",
    )
    user.press("Leave out the 2 exposing answers\n(0 values stay certain)")
    user.reads("Without 3 of the 3 answers, the values of 0 of 5 people still follow.")
    user.press("Put all back")
    user.reads("If the 3 published counts are exact, the values of 5 of 5 people follow")


def test_the_first_column_of_0_and_1_is_chosen_and_others_have_a_reason(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = opens()
    table = tmp_path / "people.csv"
    table.write_text("age,ward,ill,late,old\n" + "41,A,1,0,0\n38,B,0,0,1\n" * 30 + "40,A,1,2,0\n40,C,1,1,0\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(table), ""))
    user.find(hands.QToolButton, "Data column").menu().actions()[1].trigger()
    user.reads("Which column of people.csv is the secret?")
    box = user.front().findChild(QComboBox)
    offered = {box.itemText(place): box.model().item(place).isEnabled() for place in range(box.count())}
    refused = dict.fromkeys((f"{name}: more than two values" for name in ("age", "ward", "late")), False)
    assert box.currentText() == "ill" and offered == {"ill": True, "old": True, **refused}
    user.press("OK")
    user.reads("32 of 62 are 1", "ill ▾")


def test_the_secret_is_not_copied_and_the_page_explains_itself(opens: Opener) -> None:
    user = opens()
    assert user.copied().startswith('"largest error') or user.copied().startswith("largest error")
    page = user.window.host.page
    assert page is not None
    found = page.explanation()
    assert (
        found is not None
        and "<b>Privacy.</b> Without it, ε = ∞" in found.plain[:60]  # “Why?” stands next to the proved ε
        and "ε = 1/200, and all 200 together a total ε of 1." in found.plain.replace("\n", " ")
        and "<i>n</i> ln² <i>n</i> = 766 questions" in found.plain
        and "they mean <i>c</i>, the column that the linear program found" in found.sources
        and found.help == "attack"
    )
    assert len(page.tour()) == 7
    for look in ("marks", "seen"):  # who is guessed right or wrong tells everybody's value, but not how many are
        page.look(look=look)
        assert {figure.name for figure in page.figures()} == {"people", "people-private", "error", "privacy"}
    assert np.array_equal(type(page).sketched(dp.AttackDesign(column="011")).matrix, [[0, 1], [1, 0]])


@pytest.mark.parametrize("inputs", [{}, {"error": "laplace"}, {"column": "01" * 25, "n": 50}], ids=["random", "noise", "painted"])
def test_nothing_is_cut_off(opens: Opener, inputs: dict[str, Any]) -> None:
    user = opens(**inputs)
    for width, height, scale in ((1280, 720, 1.0), (1024, 640, 1.5), (1280, 720, 1.5), (1280, 720, 2.0), (2560, 1440, 2.0)):
        user.window.resize(width, height)
        preferences().choose(text_scale=scale)
        user.reads("total ε = 1")
        settle()
        assert user.says("answers wrong by ≈ ")
        assert cut_off(user.window) == [], (width, height, scale)


def test_the_offer_of_fewer_questions_keeps_its_height_where_text_is_large(opens: Opener) -> None:
    user = opens((1024, 640), n=400, queries=400)
    preferences().choose(text_scale=1.5)
    user.write("Questions", "1600")
    user.settles()
    user.reads("Ask only 20")
    settle()
    button = user.find(QPushButton, "Ask only 20")
    assert button.height() >= button.sizeHint().height()


def test_every_control_has_a_name(opens: Opener) -> None:
    user = opens()
    assert nameless(user.window) == []


def test_sliders_speak_what_they_stand_for(opens: Opener) -> None:
    user = opens()
    sliders = {slider.accessibleName(): slider for slider in user.window.findChildren(GestureSlider)}
    error, questions, share = (sliders[name] for name in ("Error of the answers", "Questions", "The share of ones"))
    said = (error.property("spoken"), questions.property("spoken"), share.property("spoken"))
    assert said == ("Error E 0.5 √people = 3.54 people", "200", "1/2")
    user.write("The share of ones", "30%")
    user.write("Questions", "400")
    user.settles()
    assert (questions.property("spoken"), share.property("spoken")) == ("400", "30%")


def test_the_slider_of_noise_speaks_epsilon(opens: Opener) -> None:
    user = opens(error="laplace", epsilon=30)
    sliders = {slider.accessibleName(): slider for slider in user.window.findChildren(GestureSlider)}
    said = sliders["Error of the answers"].property("spoken")
    assert said.startswith("Epsilon of all answers together 30 = ") and said.endswith(" per answer")


def test_buttons_that_are_there_at_times_can_be_hit_too(opens: Opener) -> None:
    user = opens()
    user.tab("One question")
    user.settles()
    settle()
    assert "Play" in [button.text() for button in user.window.findChildren(QPushButton) if button.isVisible()]
    assert too_small(targets(user.window)) == []


def test_a_card_is_folded_where_room_is_short_and_opened_with_a_click(opens: Opener) -> None:
    user = opens((1280, 660))
    before = design(user)
    settle()
    folded = next(card for card in user.window.findChildren(Card) if card.isVisible() and card.folded)
    QTest.mouseClick(folded, Qt.MouseButton.LeftButton)
    settle()
    assert not folded.folded
    user.press("Least squares" if user.sees(QPushButton, "Least squares") else "Rounded")
    user.settles()
    assert not folded.folded and design(user) != before
    user.window.resize(1280, 900)
    settle()
    assert not any(card.folded for card in user.window.findChildren(Card))


def test_the_example_folds_no_card(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(resources.path("examples", "who-voted-how.dpd"))
    with hands.opened(qtbot, monkeypatch, path) as user:
        user.settles()
        settle()
        assert not any(card.folded for card in user.window.findChildren(Card))


def test_counting_is_a_calculator(opens: Opener) -> None:
    user = opens(n=400, queries=1600, column="example:survey_1996.csv#vote")
    user.tab("Proof")
    user.reads("This proof needs 125 988 questions to expose all guesses wrong about 336 people.")
    user.reads("with probability at least 1 in 53. Of the 1600 asked here, 24 expose an example, whatever their errors.")
    assert [user.text(f"Counting: {name}") for name in ("people", "E", "questions", "wrong about", "δ")] == [
        "400",
        "10",
        "1600",
        "336",
        "0.0189",
    ]
    user.press("measured")
    user.reads("at least 1 in 67", "needs 158 638 questions")
    user.reads("It counts up to 10¹⁰⁴² guesses, in steps of 1/400. After 1600 questions, at most 10¹⁰³¹ are left on average.")
    user.write("Counting: questions", "200000")
    user.reads("On average, fewer than one of them fits all 200 000 answers.")
    user.press("formula")
    user.write("Counting: wrong about", "40")
    user.reads("At this error, the proof exposes no guesses wrong about 40 people.", "The attack may still work")
    user.write("Counting: E", "1")
    user.reads("needs 7679 questions")
    user.press("by ⅓")
    user.reads("guesses off by a third for 40 people")
    user.write("Counting: δ", "1/2")
    user.reads("with probability at least 1 in 2.")
    user.write("Counting: δ", "2")
    assert any("δ must be a number from 0 to 1, got 2" in error for error in user.errors())
    user.write("Counting: δ", "0.1")
    user.write("Counting: people", "30")
    assert any("Wrong must be at most n = 30, got 40." in error for error in user.errors())
    user.write("Counting: people", "500")
    user.reads("with probability at least 1 in 10.")
    assert not user.find(QPushButton, "measured").isEnabled()
    (scene,) = _scenes(user)
    assert scene["counting"] == {"delta": "0.1", "t": "200000", "people": "40", "bound": "1", "off": "1/3", "n": "500"}


def test_what_was_pinned_is_behind_the_curves(opens: Opener) -> None:
    user = opens(n=30, queries=60)
    user.waits(lambda: "curves" in user.window.host.page.outcomes)
    user.window.setFocus()
    user.key(Key.Key_B, CONTROL)
    user.write("Questions", "240")
    user.settles()

    def names() -> list[str]:
        return [line.name for line in user.plot("recovered (%) against largest error").plot.lines]

    user.waits(lambda: "before" in names())
    user.window.setFocus()
    user.key(Key.Key_B, CONTROL)
    user.waits(lambda: "before" not in names())


def test_keys_choose_the_view_and_the_next_seed(opens: Opener) -> None:
    user = opens()
    user.reads("✓ ε proved")
    _, left, _ = grids(user)
    left.setFocus()
    user.key(Key.Key_2)
    assert left.look == "seen" and user.chosen("Right or wrong", "Attacker’s view") == ["Attacker’s view"]
    user.key(Key.Key_1)
    assert left.look == "marks"
    user.write("Questions", "12", enter=False)
    assert user.text("Questions") == "12" and left.look == "marks"
    user.key(Key.Key_Escape)
    left.setFocus()
    user.key(Key.Key_R, CONTROL)
    user.settles()
    assert design(user).seed == 8


def test_the_number_that_does_stands_beside_the_theorems(opens: Opener) -> None:
    user = opens()
    user.waits(lambda: user.window.host.page.outcomes.get("curves") is not None)
    user.tab("Questions")
    marks = user.plot("recovered (%) against questions").plot.marks
    assert [(mark.text, mark.pointer) for mark in marks] == [("", False), ("theorem: 766", True)], "no value of the curve"
    user.reads("400 questions are enough for 95% in every run")


def test_shift_moves_sliders_ten_at_a_time_and_esc_stops_what_takes_long(opens: Opener) -> None:
    user = opens(n=400, queries=1600)
    slider = next(each for each in user.window.findChildren(GestureSlider) if each.accessibleName() == "Questions")
    slider.setFocus()
    before = slider.value()
    user.key(Key.Key_Right, hands.SHIFT)
    assert slider.value() == before + 10
    runner = user.window.runner
    user.waits(lambda: bool(runner.long))
    user.key(Key.Key_Escape)
    user.waits(lambda: not runner.long)
    assert "curves" not in user.window.host.page.outcomes


def test_curves_of_another_design_are_pale_until_new_ones_are_made(opens: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(n=40, queries=80)
    page = user.window.host.page
    user.waits(lambda: "curves" in page.outcomes and page.outcomes["curves"].design == design(user))
    errors = user.plot("recovered (%) against largest error")

    def stale() -> bool:
        return errors._curves.graphicsEffect() is not None or errors._curves.opacity() < 1

    drawn = errors.plot.lines[0].y.tolist()
    assert not stale()

    def given_up(*given: Any, **named: Any) -> Curves:
        raise Cancelled

    with monkeypatch.context() as patch:
        patch.setattr(attack_answer, "curves", given_up)
        user.write("People", "60")
        user.waits(lambda: page.answer is not None and page.answer.design.n == 60)
        user.waits(stale)
        assert errors.plot.lines[0].y.tolist() == drawn
    user.write("People", "50")
    user.waits(lambda: page.outcomes.get("curves") is not None and page.outcomes["curves"].design == design(user))
    user.waits(lambda: not stale())


def test_a_chart_that_was_pale_under_another_tab_is_not_pale_for_ever(opens: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    user, go, whole = opens(n=40, queries=80), Event(), attack_answer.curves
    page = user.window.host.page
    user.waits(lambda: page.answer.curves is not None)
    monkeypatch.setattr(attack_answer, "curves", lambda *given, **named: go.wait(60) and whole(*given, **named))
    user.write("People", "60")
    errors = user.plot("recovered (%) against largest error")
    user.waits(lambda: page.answer.design.n == 60 and errors._curves.opacity() < 1)
    user.tab("Questions")
    go.set()
    user.waits(lambda: page.answer.curves is not None)
    questions = user.plot("recovered (%) against questions")
    user.waits(lambda: questions.plot.handles[0].place == 80 and questions._curves.opacity() == 1)


def test_what_is_pinned_says_what_the_header_says(opens: Opener) -> None:
    user = opens()
    page = user.window.host.page
    portrait = page.portrait(design(user), page.outcomes)
    assert next(iter(portrait.results)) == next(iter(page.answer.findings)) == "recovered"


def test_a_longer_badge_is_not_cut_to_the_room_of_the_one_before(opens: Opener) -> None:
    user = opens()
    header, now = user.window.header, user.window.host.page.summary()
    header.set_summary(replace(now, badge="so far", state="stale"))
    header._row.activate()
    header.set_summary(now)
    assert header.badge.text() == now.badge == "no privacy · ε = ∞"


@pytest.mark.parametrize("column", ["", "example:survey_1996.csv#vote", "01" * 30], ids=["random", "file", "painted"])
def test_attack_again_asks_the_same_people_other_questions(opens: Opener, column: str) -> None:
    user = opens(n=60, queries=240, column=column)
    before = user.window.host.page.answer.problem
    user.press("New questions")
    user.settles()
    assert user.undo_text() == "New questions" and user.text("Seed") == "8"
    user.waits(lambda: user.window.host.page.answer.problem is not before)
    after = user.window.host.page.answer.problem
    assert np.array_equal(after.secret, before.secret) and np.array_equal(after.rows, before.rows)
    assert not np.array_equal(after.answers, before.answers) and not np.array_equal(after.truth, before.truth)


def test_random_draws_another_secret_at_each_press_and_a_painted_one_has_no_seed(opens: Opener) -> None:
    user = opens(column="01" * 25, n=50)
    seed = user.window.host.page._inputs.secret.seed
    assert seed.isHidden()
    user.press("Random")
    user.settles()
    assert design(user).column == "" and design(user).secret_seed == 7 and seed.isVisible()
    before = secret_of(design(user))[0]
    user.press("Random")
    user.settles()
    assert design(user).secret_seed == 8 and design(user).seed == 7 and not np.array_equal(secret_of(design(user))[0], before)
    user.write("Seed of the secret", "7")
    user.settles()
    assert np.array_equal(secret_of(design(user))[0], before)


def test_number_legend_and_badge_are_as_pale_as_their_people(opens: Opener) -> None:
    user = opens()
    crowds = user.window.host.page._crowds
    user.waits(lambda: user.window.host.page.answer.private is not None)

    def pale() -> set[bool]:
        parts = (crowds.right.figure, crowds.right.badge, crowds.right.legend, crowds.right.first.parentWidget())
        return {crowds.right.grid._pale, *(part.graphicsEffect() is not None for part in parts)}

    assert pale() == {False}
    crowds.fade(waits=True)
    assert pale() == {True}
    crowds.fade(waits=False)
    assert pale() == {False}


def test_why_and_the_proof_have_no_number_of_many_digits(opens: Opener) -> None:
    user = opens(n=400, queries=1000, size="30")
    page = user.window.host.page
    page.look(view="counting")
    user.settles()
    for text in (page.explanation().plain, *(label.text() for label in page.calculator.told)):
        assert max((len(number.replace(" ", "")) for number in re.findall(r"\d[\d ]*", text)), default=0) < 10
        assert "e12" in text or "(n + 1)" not in text


def test_attack_again_takes_new_questions_and_no_old_number_stays_in_the_header(opens: Opener) -> None:
    user = opens()
    shown, seed = user.window.host.page, design(user).seed
    before = shown.summary().sentence
    assert before[0].startswith("Without privacy, ")
    user.press("New questions")
    assert design(user).seed == seed + 1 and user.undo_text() == "New questions"
    shown.mark_stale("solve")
    now = shown.summary()
    assert (now.value, now.sentence, now.badge, now.state) == ("", (), "computing…", "stale")
    shown.look(look="seen")
    assert [grid._pale for grid in grids(user)] == [True, True, True], "another view of them is as late"
    column = shown._inputs
    told = column.secret.note, column.questions.one, *column.attackers.shares.values()
    assert all(label.graphicsEffect() is not None for label in told)
    user.settles()
    user.press("Why?")
    user.waits(lambda: user.window.why.isVisible())


def test_a_painted_secret_opens_as_the_attacker_sees_it(opens: Opener) -> None:
    user = opens(column="01" * 25, n=50)
    assert user.window.host.page.view["look"] == "seen"
    user.write("Seed", "3")
    user.settles()
    user.press("Right or wrong")
    user.write("Seed", "4")
    user.settles()
    assert user.window.host.page.view["look"] == "marks"  # the user's choice stays


def test_painting_shows_what_the_attacker_sees(opens: Opener) -> None:
    user = opens()
    assert user.window.host.page.view["look"] == "marks"
    user.press("Paint")
    user.settles()
    assert user.window.host.page.view["look"] == "seen"


def test_a_click_on_the_map_of_an_audit_rings_a_person_and_changes_nobody(opens: Opener) -> None:
    user = opens(n=None, answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    the_map, _, right = grids(user)
    before = the_map.values.copy()
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
        QTest.mouseClick(the_map, button, pos=the_map.cell(10).center().toPoint())
    user.reads("row 11: ")
    assert right.ringed == 10 and np.array_equal(the_map.values, before) and not the_map.toolTip()
    assert design(user).column == "example:survey_1996.csv#vote" and not user.errors()


def test_a_published_answer_outlines_its_people(opens: Opener) -> None:
    user = opens(n=None, answers="example:published_counts.csv")
    assert [figure.name for figure in user.window.host.page.figures()] == ["certain", "people"]
    people, members = user.window.host.page._crowds.left.grid, user.window.host.page.answer.problem.questions.members
    first = user.window.host.page.answer.problem.alone[0]  # one that exposes people alone
    assert first == 8 and people._outlined.tolist() == np.flatnonzero(members(first)).tolist() != []
    user.press("›")
    user.settles()
    assert people._outlined.tolist() == np.flatnonzero(members(first + 1)).tolist()


def test_fewer_questions_are_asked_by_a_button_with_their_error_and_undone(opens: Opener) -> None:
    user = opens(n=400, queries=1600)
    user.reads("Ask only 20: wrong by ≈ 20", "answers wrong by ≈ 1600: useless")
    user.press("Ask only 20")
    user.reads("answers wrong by ≈ 20")
    assert design(user).queries == 20 and not user.says("Ask only") and user.undo_text() == "Change the questions"
    user.undo()
    assert design(user).queries == 1600


@pytest.mark.parametrize(("queries", "view"), [(100, "questions"), (1600, "error")])
def test_with_few_questions_the_curve_of_more_is_open(opens: Opener, queries: int, view: str) -> None:
    user = opens(n=400, queries=queries, column="example:survey_1996.csv#vote")
    user.window.host.page.begin()
    assert user.window.host.page.view["view"] == view


def test_an_audit_names_the_next_step_and_a_click_on_a_certain_person_frames_the_answer_that_reveals_them(opens: Opener) -> None:
    user = opens(n=None, answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    user.reads(
        "39 of 200", "Answers: whom they expose", "Publish noisy counts instead: with total ε = 1 they are wrong by ≈ 4.97"
    )
    user.reads("Wrong by ≈ 4.97: larger than 61 of your 81 counts (0 to 19). Each person is in at most 5 of the 81 counts.")
    before = user.window.host.page.answer
    user.write("Epsilon of all answers together", "10")
    user.reads("Noise with total ε = 10 is too little: most counts stay exact.", "39 of 200")
    assert user.window.host.page.answer.ranges is before.ranges, "people are not searched again"
    exposing = user.find(QListWidget, "Answers: whom they expose")
    assert [exposing.item(place).text() for place in (0, 1)] == ["9: rows 83, 106", "37: row 64"]
    QTest.mouseClick(exposing.viewport(), Qt.MouseButton.LeftButton, pos=exposing.visualItemRect(exposing.item(1)).center())
    user.reads("Does the framed person have a 1?")
    assert not user.sees(QPushButton, "Try with privacy")
    right = grids(user)[2]
    QTest.mouseClick(right, Qt.MouseButton.LeftButton, pos=right.cell(10).center().toPoint())
    user.reads("row 11: 0, certain: answer 39 counts 0 of 5", "answer 39: truth 0, published 0")
    assert 10 in right._outlined.tolist() and len(right._outlined) == 5
    user.press("Reports show everybody’s value")
    user.settles()
    assert user.window.host.page.answer.ranges is before.ranges, "nor for what reports show"
    user.press("Leave out the 22 exposing answers\n(39 values stay certain)")
    user.reads("Without 22 of the 81 answers, the values of 39 of 200 people still follow.", "row 11: 0, certain: answers")
    user.reads("A gap can itself show what was left out")
    QTest.mouseClick(right, Qt.MouseButton.LeftButton, pos=right.cell(11).center().toPoint())
    QTest.mouseClick(right, Qt.MouseButton.LeftButton, pos=right.cell(10).center().toPoint())
    assert not user.says("answer 39") and 10 in right._outlined.tolist()
    user.press("Put all back")
    user.reads("the values of 39 of 200 people follow.", "row 11: 0, certain: answer 39 counts 0 of 5")
    QTest.mouseClick(exposing.viewport(), Qt.MouseButton.LeftButton, pos=exposing.visualItemRect(exposing.item(1)).center())
    user.waits(lambda: len(right._outlined) > 0)
    user.press("At random")
    user.waits(lambda: not len(right._outlined))  # nobody of the audit is framed any more


def test_the_headline_keeps_the_comparison_where_text_is_large(opens: Opener) -> None:
    user = opens((1024, 640))
    preferences().choose(text_scale=1.5)
    shown = user.window.solving._header.result.sentence
    user.waits(lambda: "47 of 50 people recovered from 200 questions;</b> 400 recover 95%." in shown.text())
    assert "without privacy, this attack recovers" in shown.accessibleName().lower()


@pytest.mark.parametrize("tell", ["numbers", "values"])
def test_certain_values_are_1_or_0_in_the_window_and_in_a_picture_only_if_that_is_asked_for(opens: Opener, tell: str) -> None:
    user = opens(n=None, answers="example:published_counts.csv", tell=tell)
    user.reads("5 are 1", "34 are 0", "161 open (0 or 1)")
    page = user.window.host.page
    grid, certain = page._crowds.right.grid, page.answer.ranges.certain
    for value, mark in ((1, Mark.ONE), (0, Mark.ZERO), (-1, Mark.UNSURE)):
        assert np.array_equal(grid.marks == mark, certain == value)
    drawn = {mark: draw(mark, 40.0, 1.0, False).toImage() for mark in (Mark.ONE, Mark.ZERO, Mark.RIGHT)}
    assert drawn[Mark.ONE] != drawn[Mark.ZERO] != drawn[Mark.RIGHT]
    picture = next(figure.widget for figure in page.figures() if figure.name == "certain")
    title = next(figure.title for figure in page.figures() if figure.name == "certain")
    legend = "1, 0: certain, outline: open (in file order)" if tell == "values" else "filled: certain, outline: open (sorted)"
    assert title == f"Certain values: 39 of 200 values are certain; {legend}"
    expected = grid.marks.tolist() if tell == "values" else [Mark.RIGHT] * 39 + [Mark.UNSURE] * 161
    assert picture.marks.tolist() == expected


def test_people_on_both_sides_stay_pale_while_an_input_is_refused(opens: Opener) -> None:
    user = opens()
    shown = user.window.host.page
    user.waits(lambda: shown.answer.private is not None)
    user.write("Questions", "abc")
    shown.look(look="seen")
    assert [grid._pale for grid in grids(user)[1:]] == [True, True]
    user.press("Keep 200")
    assert [grid._pale for grid in grids(user)[1:]] == [False, False]
    shown.mark_stale("solve")  # nor does an error that goes while an attack is late keep them pale after it
    shown.asking.refusing.emit(False)
    assert [grid._pale for grid in grids(user)[1:]] == [True, True]
    shown.asking.refusing.emit(True)  # an attack that finishes meanwhile does not bring the colours back
    shown.show_outcome("solve", shown.outcomes["solve"])
    assert [grid._pale for grid in grids(user)[1:]] == [True, True]
    shown.asking.refusing.emit(False)
    assert [grid._pale for grid in grids(user)[1:]] == [False, False]


def test_the_first_points_of_the_curves_come_before_the_other_attackers(opens: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Event()
    monkeypatch.setattr(attack_answer.AttackAnswer, "find_others", lambda answer, progress: {"waited": seen.wait(60)} and {})
    user = opens()
    shown = user.window.host.page

    def points() -> int:
        lines = shown._pictures.panels.panels["error"].lines
        return max((len(line.x) for line in lines if line.role == "main"), default=0)

    user.waits(lambda: points() == 7)
    assert "others" not in shown.outcomes and shown.answer.curves is None
    seen.set()
    user.waits(lambda: "others" in shown.outcomes)


@pytest.mark.parametrize("tell", ["numbers", "values"])
def test_pictures_say_how_many_are_right_and_who_only_if_that_is_asked_for(opens: Opener, tell: str) -> None:
    user = opens(tell=tell)
    page = user.window.host.page
    user.waits(lambda: page.answer.private is not None)
    pictures = [figure for figure in page.figures() if figure.name.startswith("people")]
    assert len(pictures) == 2 and [figure.title.split(":")[0] for figure in pictures] == ["Without privacy", "With privacy"]
    for figure, grid in zip(pictures, grids(user)[1:], strict=True):
        assert sorted(figure.widget.marks) == sorted(grid.marks) and grid.accessibleName() in figure.title
        assert (figure.widget is grid) == (tell == "values")
        assert tell == "values" or (figure.widget.look == "marks" and (np.diff(figure.widget.marks) >= 0).all())


def test_a_discarded_document_leaves_no_secret(opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, opened = tmp_path / "staff.csv", str(resources.path("examples", "published-tables.dpd"))
    own.write_text("sick_leave\n" + "1\n0\n" * 150, "utf-8")
    user = opens(n=300, queries=300, column=f"{own}#sick_leave", name="sick_leave", attacker="least-squares")
    user.press("Random")
    user.settles()
    user.undo()
    user.settles()
    monkeypatch.setattr(QMessageBox, "exec", lambda box: QMessageBox.StandardButton.Discard.value)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (opened, ""))
    user.command("File", "Open…")
    user.reads("published_counts.csv")
    assert design(user).column == "example:survey_1996.csv#vote" and design(user).n == 200
    user.press("At random")
    user.reads("With privacy")
    assert not design(user).answers and design(user).column == "example:survey_1996.csv#vote" and design(user).n == 200


def test_a_file_is_taken_while_other_attackers_compute(opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits, begun = Event(), Event()

    def endless(answer: Any, progress: Progress) -> dict[str, Any]:
        begun.set()
        while not waits.wait(0.01):
            progress(None)
        return {}

    monkeypatch.setattr(attack_answer.AttackAnswer, "find_others", endless)
    column = tmp_path / "people.csv"
    column.write_text("ill\n" + "1\n0\n" * 150, "utf-8")
    user = opens()
    user.waits(begun.is_set)
    user.window.host.page.takers()[0][1](str(column))
    user.waits(lambda: design(user).name == "ill")
    assert not waits.is_set() and design(user).n == 300
    waits.set()


def test_a_vertex_is_not_found_for_many_people_unless_it_is_chosen(opens: Opener) -> None:
    user = opens(n=944, queries=944)
    user.reads("not run at this size")
    user.waits(lambda: "others" in user.window.host.page.outcomes)
    assert list(user.window.host.page.outcomes["others"].value) == ["least-squares"]
    assert not opens(n=50).says("not run at this size")


def test_a_column_of_yes_and_no_is_taken_and_says_what_is_1(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = opens()
    table = tmp_path / "staff.csv"
    table.write_text("staff_no,sick_leave,sex\n" + "".join(f"{k},{'yes' if k % 3 else 'no'},{'mf'[k % 2]}\n" for k in range(60)))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(table), ""))
    user.find(hands.QToolButton, "Data column").menu().actions()[1].trigger()
    user.reads("Which column of staff.csv is the secret?")
    box = user.front().findChild(QComboBox)
    assert [box.itemText(place) for place in range(3)] == ["sick_leave", "sex", "staff_no: more than two values"]
    user.press("OK")
    user.reads("40 of 60: sick_leave = yes", "have sick_leave = yes?")


def test_the_line_of_the_error_has_its_own_number_after_other_people(opens: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens(n=100, queries=200)
    plot = user.plot("recovered (%) against largest error")
    assert [(handle.place, handle.label) for handle in plot.handles()] == [(5.0, "±5")]
    monkeypatch.setattr(attack_answer, "curves", lambda *given: Event().wait(0.5) or Curves())
    user.write("People", "400")
    assert [(handle.place, handle.label) for handle in plot.handles()] == [(10.0, "±10")]
    user.settles()


def test_more_people_than_a_column_has_are_refused_with_its_number(opens: Opener) -> None:
    user = opens(column="example:survey_1996.csv#vote")
    for many in ("5000000", "5000"):
        user.write("People", many)
        user.waits(lambda many=many: user.errors() == [f"This column has 944 people, got {many}."])
        user.press("Use 944")
        user.waits(lambda: design(user).n == 944)


def test_the_legend_adds_up_to_the_recovered_with_ties_counted_half(opens: Opener, tmp_path: Path) -> None:
    (answers := tmp_path / "answers.csv").write_text("answer,error,rows\n1,0,1 2\n1,0,3\n", "utf-8")
    user = opens(n=None, answers=str(answers), column="101")
    user.window.host.page._guess.click()
    user.reads("2 of 3", "1 seen as 1", "2 unsure: ⅓ to ⅔", "0 seen as 0")
    user.press("Right or wrong")
    user.reads("1 right", "2 ties (count half)", "0 wrong")


@pytest.mark.parametrize("own", [True, False], ids=["own data", "example"])
def test_the_sources_of_why_name_the_election_study_for_its_data_only(tmp_path: Path, own: bool) -> None:
    (answers := tmp_path / "answers.csv").write_text("answer,error,rows\n1,0,1 2\n", "utf-8")
    (people := tmp_path / "people.csv").write_text("ill\n1\n0\n", "utf-8")
    given: dict[str, Any] = (
        {"answers": answers, "column": f"{people}#ill"} if own else {"answers": "example:published_counts.csv"}
    )
    given |= {} if own else {"column": "example:survey_1996.csv#vote"}
    why = explained(attack(dp.AttackDesign(**given)))
    sources = "" if why is None else why.sources
    assert "Dinur" in sources and ("National Election Study 1996" in " ".join(sources.split())) == (not own)
    assert "answers.csv" not in sources and "people.csv" not in sources and "Corrected here" not in sources


def test_ticks_in_a_row_are_one_step_and_old_people_stay_pale_until_the_new_ones(opens: Opener, tmp_path: Path) -> None:
    (answers := tmp_path / "answers.csv").write_text("answer,error,rows\n1,0,1\n0,0,2 3\n2,0,4 5\n1,0,5 6\n", "utf-8")
    user = opens(n=None, answers=str(answers))
    user.reads("the values of 6 of 6 people follow")
    exposing, right = user.find(QListWidget, "Answers: whom they expose"), grids(user)[2]
    before = right.marks.tolist()
    for row in (0, 1):
        place = exposing.visualItemRect(exposing.item(row))
        QTest.mouseClick(exposing.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.left() + 8, place.center().y()))
        assert right._pale and right.marks.tolist() == before and design(user).left_out == ""
    user.waits(lambda: bool(design(user).left_out))
    assert right.marks.tolist() == before or not right._pale
    assert len(design(user).left_out.split()) == 2 and user.undo_text() == "Leave answers out"
    user.reads("Without 2 of the 4 answers")
    user.waits(lambda: not right._pale)
    assert right.marks.tolist() != before
    user.undo()
    user.waits(lambda: right.marks.tolist() == before and not right._pale)
    assert design(user).left_out == ""


def test_an_undo_drops_ticks_that_wait(opens: Opener, tmp_path: Path) -> None:
    (answers := tmp_path / "answers.csv").write_text("answer,error,rows\n1,0,1\n0,0,2 3\n", "utf-8")
    user = opens(n=None, answers=str(answers))
    user.reads("the values of 3 of 3 people follow")
    exposing = user.window.host.page._inputs.exposing
    user.window.host.page._inputs.leave_out("1")
    user.waits(lambda: design(user).left_out == "1")
    exposing.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert exposing._soon.isActive()
    user.undo()
    assert not exposing._soon.isActive() and design(user).left_out == ""
    user.waits(lambda: exposing.list.item(1).checkState() == Qt.CheckState.Checked)


def test_the_noise_of_an_audit_opens_as_a_noise_design(opens: Opener) -> None:
    user = opens(n=None, answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    user.reads("39 of 200", "Noisy counts instead", "Wrong by ≈ 4.97")
    noise = user.window.host.page._against.plot
    assert [(handle.place, handle.label) for handle in noise.handles()] == [(1.0, "ε = 1")]
    user.press("Design this noise")
    user.reads("Noise for 81 answers, total ε = 1")
    opened = user.window.document.study
    assert isinstance(opened, dp.NoiseDesign)
    assert (opened.query, opened.epsilon, opened.sensitivity, opened.unit) == ("integer", 0.2, 1, "people")
    user.reads("4.967")


def test_the_guess_of_an_audit_is_one_click_further(opens: Opener) -> None:
    user = opens(n=None, answers="example:published_counts.csv", column="example:survey_1996.csv#vote")
    user.reads("▸ One attack’s guess: 163 of 200 recovered")
    page = user.window.host.page
    assert not page._crowds.left.isVisible() and not page._inputs.attackers.isVisible()
    user.press("▸ One attack’s guess: 163 of 200 recovered")
    user.reads("147 right", "guessing all 0: 149")
    assert page._inputs.attackers.isVisible()
    user.press("▾ One attack’s guess")
    assert not page._crowds.left.isVisible()
    user.press("At random")
    user.waits(lambda: page._crowds.left.isVisible() and page._inputs.attackers.isVisible())
    assert not page._guess.isVisible()
