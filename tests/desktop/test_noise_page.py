"""The noise page: a study is shown, mouse and keys ask for others, and the curves are written."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.pages.noise import NoisePage
from dpdesigner.desktop.pages.noise.meaning import bars
from dpdesigner.desktop.theme import theme
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.studies.noise import NoiseStudy
from dpdesigner.studies.noise_table import TableQuery
from dpdesigner.studies.study import silent

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(qtbot: QtBot) -> NoisePage:
    theme().set_scheme("light")
    widget = NoisePage()
    qtbot.addWidget(widget)
    widget.resize(1196, 650)
    with qtbot.waitExposed(widget):
        widget.show()
    show(widget, NoiseStudy())
    return widget


def show(page: NoisePage, study: NoiseStudy) -> None:
    """Do what the window does with a study: show its inputs, run its job, show the outcome."""
    page.set_study(study)
    for job in page.jobs(study):
        page.outcomes[job.name] = job.run(silent)
        page.show_outcome(job.name, page.outcomes[job.name])


def asked(spy: QSignalSpy) -> NoiseStudy:
    assert spy.count() > 0
    return spy.at(spy.count() - 1)[0]


def typed(box, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def test_sentences_never_promise_more_than_there_is(page: NoisePage) -> None:
    pictures = page._pictures
    assert "no output is more than e^ε = 2.719 times as likely" in pictures.sentence.text()
    show(page, NoiseStudy(epsilon="2.4"))
    pictures.set_view("distribution")
    assert pictures.sentence.text().startswith("95 % of the errors")
    bound = float(pictures.sentence.text().partition("±")[2].partition(";")[0])
    assert page._solved.noise.within(0.95) <= bound < page._solved.noise.within(0.95) + 0.001
    pictures.set_chance(0.94996)
    assert pictures.sentence.text().startswith("94.9 %")
    table = TableQuery(((0, 1, 2), (1, 0, 1), (2, 1, 0)))
    show(page, NoiseStudy("table", epsilon="ln 2", table=table))
    assert "To be sure of ε = 0.694 whatever the costs, ask for 0.346." in pictures.sentence.text()


def test_costs_that_leave_the_range_of_doubles_are_shown(page: NoisePage) -> None:
    show(page, NoiseStudy(epsilon="1e-6", dimension=3, cost="power:100"))
    page._pictures.set_view("several")
    assert not np.isfinite(page._pictures.pictures("several")[1].curves[0].y).any()


def test_a_far_neighbour_is_said_as_numbers_are_elsewhere(page: NoisePage) -> None:
    show(page, NoiseStudy(sensitivity="1e12"))
    assert page._pictures.pictures("density")[0].text == "neighbouring answer: +6e11"
    assert page._pictures.sentence.text().startswith("With the true answer 6e11 away")


def test_no_picture_moves_while_the_sentence_below_changes(page: NoisePage) -> None:
    pictures, heights = page._pictures, []
    for share in (0.6, 0.0, -0.6):  # with the neighbour at 0 the sentence is shorter
        pictures.set_share(share)
        QTest.qWait(20)
        heights.append((pictures.first.height(), len(pictures.sentence.text())))
    assert heights[1][1] < heights[0][1] - 60
    assert heights[0][0] == heights[1][0] == heights[2][0]


def pixel(plot, x: float) -> QPointF:
    frame = plot.figure().frame
    return QPointF(frame.x(x), frame.area.center().y())


def test_a_study_is_shown_and_nothing_is_asked(page: NoisePage) -> None:
    changed, previewed = QSignalSpy(page.changed), QSignalSpy(page.previewed)
    show(page, NoiseStudy(epsilon=2, sensitivity="3/2", cost="power:1.5", gamma="0.2", delta="1e-3"))
    inputs = page._inputs
    assert inputs.query.kinds["real"].isChecked() and not inputs.query.kinds["integer"].isChecked()
    assert (inputs.query.sensitivity.text(), inputs.query.dimension.text(), inputs.delta.text()) == ("3/2", "1", "1e-3")
    assert inputs.cost.buttons["power"].isChecked() and inputs.cost.box.text() == "1.5"
    assert inputs.privacy.epsilon_box.text() == "2"
    assert page._pictures.gamma_box.text() == "0.2" and not page._pictures.optimal.isChecked()
    show(page, NoiseStudy("integer", sensitivity=5))
    assert inputs.query.kinds["integer"].isChecked() and not inputs.query.dimension.isVisible() and not inputs.delta.isVisible()
    assert page._pictures.optimal.isChecked()
    assert changed.count() == previewed.count() == 0


def test_numbers_are_exact_and_the_header_says_them(page: NoisePage) -> None:
    numbers = page._costs.numbers
    assert float(numbers["γ*"].text()) == pytest.approx(0.3775406688, abs=1e-10)
    assert float(numbers["staircase costs"].text()) == pytest.approx(0.959517375667, abs=1e-12)
    assert numbers["Laplace costs"].text() == "1.0"
    assert page._costs.sentence.text() == "Laplace costs 4.2 % more here"
    assert page._costs.bars.texts()[-1] == "Laplace: 1, +4 %"
    summary = page.summary()
    assert summary.line == "real query · Δ = 1 · absolute error · ε = 1 (α = 0.3678)"
    assert (summary.value, summary.state) == ("0.95952", "proved")
    assert summary.facts == ("γ* = 0.3775", "Laplace costs 4.2 % more here")
    page.mark_stale("solve")
    assert page.summary().state == "stale"


def test_the_axes_say_what_is_drawn(page: NoisePage) -> None:
    assert page._pictures.first.accessibleName() == "density against noise"
    show(page, NoiseStudy("integer", sensitivity=3))
    assert page._pictures.first.accessibleName() == "probability against noise"
    assert page._pictures.second.isVisible()
    show(page, NoiseStudy(dimension=3))
    assert page._pictures.first.accessibleName() == "density against noise, its L1 norm"
    assert not page._pictures.second.isVisible()


def test_a_chosen_gamma_is_not_called_optimal(page: NoisePage) -> None:
    show(page, NoiseStudy(gamma="1/2"))
    assert page.summary().state == "open"
    labels = [text.partition(":")[0] for text in page._costs.bars.texts()]
    assert labels == ["Staircase, best γ", "Staircase, γ = 0.5000", "Staircase, γ = 1/2", "Laplace"]
    assert "geometric mechanism" in page._costs.geometric.text()


def test_integer_noise_at_sensitivity_one_is_geometric(page: NoisePage) -> None:
    show(page, NoiseStudy("integer", sensitivity=1))
    assert "geometric mechanism" in page._costs.geometric.text()
    assert page._costs.numbers["r*"].text() == "1 of 1"
    assert page._costs.sentence.text() == "Laplace costs the same here"
    show(page, NoiseStudy("integer", sensitivity=5))
    assert page._costs.geometric.text() == "" and page._costs.numbers["r*"].text() == "2 of 5"


def test_boxes_and_buttons_ask(page: NoisePage) -> None:
    spy = QSignalSpy(page.changed)
    typed(page._inputs.query.sensitivity, "5/2")
    assert asked(spy).sensitivity == "5/2" and spy.at(0)[1] == "Change sensitivity"
    show(page, asked(spy))
    QTest.mouseClick(page._inputs.query.kinds["integer"], LEFT)
    assert (asked(spy).query, asked(spy).sensitivity) == ("integer", 3)
    show(page, asked(spy))
    QTest.mouseClick(page._inputs.query.kinds["real"], LEFT)
    assert asked(spy).query == "real"
    show(page, asked(spy))
    QTest.mouseClick(page._inputs.cost.buttons["squared"], LEFT)
    assert asked(spy).cost == "squared"
    show(page, asked(spy))
    QTest.mouseClick(page._inputs.cost.buttons["power"], LEFT)
    show(page, asked(spy))
    typed(page._inputs.cost.box, "3")
    assert asked(spy).cost == "power:3"
    show(page, asked(spy))
    typed(page._inputs.query.dimension, "2")
    assert asked(spy).dimension == 2
    QTest.mouseClick(page._inputs.privacy.presets["ln 2"], LEFT)
    assert asked(spy).privacy.alpha == 0.5
    typed(page._inputs.delta, "1e-6")
    assert asked(spy).delta == "1e-6"


def test_the_sum_of_squares_is_offered_for_several_answers(page: NoisePage) -> None:
    spy, button = QSignalSpy(page.changed), page._inputs.cost.buttons["sum-of-squares"]
    show(page, NoiseStudy(cost="squared"))
    assert button.isHidden()
    show(page, NoiseStudy(cost="squared", dimension=2))
    assert not button.isHidden() and not button.isChecked()
    QTest.mouseClick(button, LEFT)
    assert asked(spy).cost == "sum-of-squares"
    show(page, asked(spy))
    assert button.isChecked() and bars(asked(spy).run())[0].label == "Staircase, best γ for the sum of squares"
    show(page, asked(spy).replace(dimension=1))
    assert not button.isHidden() and button.isChecked()  # as the file says, until another cost is chosen


def test_a_cost_is_drawn(page: NoisePage) -> None:
    changed, previewed = QSignalSpy(page.changed), QSignalSpy(page.previewed)
    QTest.mouseClick(page._inputs.cost.buttons["drawn"], LEFT)
    show(page, asked(changed))
    pencil = page._inputs.cost.pencil
    assert pencil.isVisible() and pencil.texts[:4] == ("0", "1", "5.5", "10")
    mouse.drag(pencil, [pencil.point(1), pencil.point(2), QPointF(pencil.point(3).x(), pencil.point(1).y())])
    assert previewed.count() > 0 and changed.count() == 2
    heights = [float(point.partition(":")[2]) for point in asked(changed).cost.removeprefix("drawn:").split(",")]
    assert len(heights) == 9 and heights == sorted(heights)
    show(page, asked(changed))
    assert page.summary().state == "proved"
    show(page, NoiseStudy())
    assert not pencil.isVisible()


def test_what_cannot_be_is_told_and_changes_nothing(page: NoisePage) -> None:
    spy = QSignalSpy(page.changed)
    typed(page._inputs.query.sensitivity, "-1")
    assert "sensitivity must be" in page._inputs.query.error.text()
    typed(page._inputs.privacy.epsilon_box, "inf")
    assert "Epsilon must be between" in page._inputs._level.error.text()
    assert page._inputs.privacy.epsilon_box.text() == "1"
    QTest.mouseClick(page._inputs.cost.buttons["expression"], LEFT)
    show(page, asked(spy))
    typed(page._inputs.cost.box, "x")
    assert "at least 0" in page._inputs.cost.error_label.text() or "even" in page._inputs.cost.error_label.text()
    typed(page._pictures.gamma_box, "2")
    assert "Gamma must be" in page._pictures.error.text()
    assert page._inputs.cost.plot.accessibleName() == "L(x) against x"
    assert spy.count() == 1
    typed(page._pictures.gamma_box, "0.3")
    assert asked(spy).gamma == "0.3" and page._pictures.error.text() == ""
    QTest.mouseClick(page._pictures.optimal, LEFT)
    assert asked(spy).gamma == "optimal"


def test_dragging_the_neighbouring_answer_stays_within_the_sensitivity(page: NoisePage) -> None:
    card, changed = page._pictures, QSignalSpy(page.changed)
    plot = card.first
    mouse.drag(plot.figure().viewport(), [pixel(plot, 0.6), pixel(plot, 0.2), pixel(plot, -0.4)])
    assert card.shift == pytest.approx(-0.4, abs=0.02)
    assert page.view_state() == {"view": "density", "share": card.share, "chance": 0.95}
    mouse.drag(plot.figure().viewport(), [pixel(plot, 0), pixel(plot, 3)])
    assert card.shift == 1.0 == plot.cursor_place()
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert card.shift < 1
    page.set_view_state({"view": "gamma", "share": 0.25, "else": 1})
    assert (card.view, card.share) == ("gamma", 0.25)
    assert changed.count() == 0


def test_dragging_along_a_curve_changes_epsilon_and_gamma(page: NoisePage) -> None:
    card, changed, previewed = page._pictures, QSignalSpy(page.changed), QSignalSpy(page.previewed)
    QTest.mouseClick(card.tabs._buttons[2], LEFT)
    assert card.view == "epsilon"
    mouse.drag(card.first.figure().viewport(), [pixel(card.first, 0.0), pixel(card.first, math.log10(2))])
    assert asked(previewed).epsilon == pytest.approx(2, rel=0.03) == asked(changed).epsilon
    mouse.drag(card.second.figure().viewport(), [pixel(card.second, 0.0), pixel(card.second, math.log10(5))])
    assert asked(changed).epsilon == pytest.approx(5, rel=0.03)
    card.set_view("gamma")
    mouse.drag(card.first.figure().viewport(), [pixel(card.first, 0.5), pixel(card.first, 0.25)])
    assert asked(previewed).chosen_gamma == pytest.approx(0.25, abs=0.01) == asked(changed).chosen_gamma
    card.set_view("best")
    QTest.keyClick(card.first, Qt.Key.Key_Right)
    assert asked(changed).epsilon > 1


def test_every_view_of_every_kind_of_query_is_drawn(page: NoisePage) -> None:
    studies = [
        NoiseStudy(epsilon=5, cost="squared", delta="0.01"),
        NoiseStudy("integer", sensitivity=7, gamma="1/2"),
        NoiseStudy(dimension=3),
        NoiseStudy(epsilon="1e-6"),
        NoiseStudy(epsilon=700),
        NoiseStudy(epsilon="0.5", cost="expression:exp(abs(x))"),
    ]
    for study in studies:
        show(page, study)
        for view in ("density", "epsilon", "gamma", "best", "delta"):
            page._pictures.set_view(view)
            assert page._pictures.sentence.text()
            assert all(figure.widget.grab().width() > 0 for figure in page.figures())


def test_noise_is_drawn_and_the_sampler_copied(page: NoisePage) -> None:
    wanted = QSignalSpy(page.requested)
    for study in (NoiseStudy(), NoiseStudy("integer", sensitivity=3)):
        show(page, study)
        QTest.mouseClick(page._costs.draw, LEFT)
        job = wanted.at(wanted.count() - 1)[0]
        page.show_outcome(job.name, job.run(silent))
        assert page._costs._drawn.text().startswith("drawn: ")
        QTest.mouseClick(page._costs.sampler, LEFT)
        assert "SENSITIVITY" in QGuiApplication.clipboard().text()
    show(page, NoiseStudy(dimension=2))
    assert not page._costs.sampler.isEnabled()
    QTest.mouseClick(page._costs.draw, LEFT)
    job = wanted.at(wanted.count() - 1)[0]
    page.show_outcome(job.name, job.run(silent))
    assert page._costs._drawn.text().count(",") == 1


def test_why_tells_the_corrections(page: NoisePage) -> None:
    asked = QSignalSpy(page.whyRequested)
    QTest.mouseClick(next(button for button in page.findChildren(QPushButton) if button.text() == "Why?"), LEFT)
    assert asked.count() == 1
    text = page.explanation().sources
    assert "missing on the authors’ slides" in text and "wrong sign" in text and "2ε" in text


def test_tables_are_written_and_read_back(page: NoisePage, tmp_path) -> None:
    show(page, NoiseStudy(epsilon=2, delta="0.01"))
    outcome = page.outcomes["solve"]
    names = page.write_tables(str(tmp_path / "new"), "a/b", ["csv", "json"], False, silent)
    assert len(names) == 6 and sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(names)
    path = next(path for path in (tmp_path / "new").iterdir() if path.name.endswith("cost-against-epsilon.csv"))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["least"]) for row in rows] == outcome.by_epsilon.least.tolist()
    assert {row["small_limit"] for row in rows[-3:]} == {""}
    data = json.loads(next(path for path in (tmp_path / "new").iterdir() if path.suffix == ".json").read_text("utf-8"))
    assert NoiseStudy.from_json(data["study"]) == outcome.study and data["results"]["proved"] is True
    assert data["tables"]["density"][0] == ["x", "staircase", "laplace"]


def test_copy_takes_the_curves_of_the_open_view(page: NoisePage) -> None:
    page._pictures.set_view("gamma")
    assert page.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == ["γ", "staircase", "Laplace"] and len(lines) > 100


def test_nothing_to_export_before_the_first_answer(qtbot: QtBot, tmp_path) -> None:
    widget = NoisePage()
    qtbot.addWidget(widget)
    assert widget.summary().line == ""
    with pytest.raises(InputError, match="nothing to export"):
        widget.write_tables(str(tmp_path), "a", ["csv"], False, silent)


def test_a_failure_is_told_beside_its_control(page: NoisePage) -> None:
    failed, said = QSignalSpy(page.exportFailed), QSignalSpy(page.message)
    page.mark_stale("solve")
    page.outcomes.pop("solve")
    page.show_failure("solve", InputError("the cost must be smaller.", "cost"))
    assert page._inputs.cost.error_label.text() == "The cost must be smaller."
    assert page.summary().line and not page.summary().badge
    page.show_failure("solve", DpDesignerError("too much."))
    assert said.at(0)[0] == "too much."
    page.show_failure("export", InputError("the disk is full.", "file"))
    assert failed.count() == 1


def test_presenting_hides_what_serves_editing(page: NoisePage) -> None:
    page.set_presenting(True)
    assert not page._pictures.gamma_box.isVisible() and not page._costs.sampler.isVisible()
    assert page._costs.draw.isVisible()
    page.set_presenting(False)
    assert page._pictures.gamma_box.isVisible() and page._costs.sampler.isVisible()


def test_a_large_screen_shows_the_cost_against_epsilon_beside_the_noise(qtbot: QtBot, page: NoisePage) -> None:
    curve, column, cost = page._costs.curve, page._costs, page._inputs._costs
    assert not curve.isVisible()
    page.resize(2400, 1340)
    qtbot.waitUntil(curve.isVisible)
    assert curve.cursor_place() == pytest.approx(1)
    assert cost.height() < 700 and curve.height() < 850 < column.height()  # no plot is higher than is of use
    changed = QSignalSpy(page.changed)
    curve.setFocus()
    QTest.keyClick(curve, Qt.Key.Key_Right)
    assert asked(changed).epsilon > 1
    show(page, NoiseStudy("table"))
    assert not curve.isVisible()
