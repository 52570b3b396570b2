"""Noise for numbers, as a user meets it: what is typed, pressed and dragged, and what can then be read."""

from __future__ import annotations

import csv
import json
import math
import re
import threading
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from desktop import mouse
from desktop.hands import CONTROL, LEFT, SHIFT, Hands, Key, log
from desktop.noise_designs import Opener, noise
from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLineEdit, QWidget

import dpdesigner as dp
from dpdesigner.core.noise import result as outcomes
from dpdesigner.desktop.plots.curve_plot import CurvePlot

EFFECT = "▸ Effect of one person"
KINDS = ("Real number", "Whole number", "Histogram")
COSTS = {"Size": "absolute", "Squared": "squared", "Power": "power", "Formula": "formula", "Draw": "drawn"}


def number(user: Hands, name: str) -> float:
    """What the card of exact numbers says."""
    (found,) = set(re.findall(rf"^{re.escape(name)}: (\S+)$", user.said(), re.MULTILINE))
    return float(found)


def export(user: Hands, folder: Path, *formats: str) -> str:
    """Export in these formats; return what the dialog says then."""
    user.command("File", "Export")
    return export_from(user, folder, *formats)


def export_from(user: Hands, folder: Path, *formats: str) -> str:
    """Export in these formats from the dialog that is open; return what it says then."""
    user.find(QLineEdit, "Folder").setText(str(folder))
    for box in user.front().findChildren(QCheckBox):
        box.setChecked(box.text() in formats)
    user.press("Export")
    user.waits(lambda: user.find(QAbstractButton, "Export").isEnabled())
    if user.sees(QAbstractButton, "Checks"):
        user.press("Checks")
    said = user.said()
    user.front().close()
    return said


def test_a_design_is_shown_as_it_is_and_nothing_is_changed(opens: Opener) -> None:
    given = noise(epsilon="2", sensitivity="3/2", cost="power:1.5", gamma="0.2", delta="1e-3")
    user = opens(given, noise("integer", sensitivity=5), size=(1280, 900))
    user.reads("real query · Δ = 3/2 ·", "· ε = 2 ·", "· compared with δ = 1e-3")
    assert user.chosen(*KINDS) == ["Real number"] and user.chosen(*COSTS) == ["Power"]
    boxes = {"Sensitivity": "3/2", "Answers d": "1", "A power": "1.5", "Epsilon": "2", "gamma": "0.2"}
    assert {name: user.text(name) for name in boxes} == boxes and user.chosen("Optimal γ") == []
    user.key(Key.Key_PageDown, CONTROL)
    user.reads("integer query · Δ = 5 ·")
    assert user.chosen(*KINDS) == ["Whole number"] and user.chosen("Optimal γ") == ["Optimal γ"]
    assert not user.sees(QLineEdit, "Answers d") and not user.sees(QLineEdit, "Delta, for comparison")
    assert not user.window.isWindowModified() and user.undo_text() == ""


def test_the_result_stands_below_the_header_in_plain_words(opens: Opener) -> None:
    user = opens(noise(), noise("histogram", histogram={"neighbours": "add-remove", "cells": "0..3"}))
    user.reads(
        "<b>Add staircase noise: half of the published answers are within 0.656 of the truth.</b> With "
        "Laplace noise, 4% more error."
    )
    user.press("Squared")
    root = "of the truth.</b> With Laplace noise, 4% more squared error."
    user.reads(root)  # the root of 1.9182
    user.write("Answers d", "3")
    user.reads("The error of all 3 answers together costs", "not proved optimal")
    user.write("Epsilon", "0.00001")
    user.reads("The error of all 3 answers together costs")
    user.key(Key.Key_PageDown, CONTROL)
    user.reads(
        "<b>Each published count is wrong by about 0.85 rows on average.</b> With Laplace noise, 18% more error."
    )  # 2e / (e^2 - 1)


def test_one_thing_is_wrong_with_a_level_at_a_time(opens: Opener) -> None:
    user = opens()
    for text, sentence in (
        ("0", "between 0.000001 and 700"),
        ("-1", "between 0.000001 and 700, got -1"),
        ("inf", "got 'inf'"),
    ):
        user.write("Epsilon", text)
        assert len(user.errors()) == 1 and sentence in user.errors()[0]
    user.write("Epsilon", "-1")
    user.press("Keep 1")
    assert user.errors() == [] and user.text("Epsilon") == "1"


def test_the_bound_on_the_error_is_dragged(opens: Opener) -> None:
    user = opens(noise(sensitivity="3", epsilon="2", cost="squared", unit="hours"), size=(1280, 720))
    plot = user.find(CurvePlot, "Density of the noise")
    user.reads("Add staircase noise: half of the published answers are within 0.738 hours of the truth.")
    (band,) = plot.plot.bands
    assert [str(text) for text in (band.text, *band.notes)] == ["±0.738 hours", "50%", "Laplace: 38.9%"]
    user.drag(plot, user.window.host.page.answer.half_within, 2.0)
    user.waits(lambda: user.window.host.page.view["within"] == pytest.approx(2.0, abs=0.05))
    user.drag(plot, -user.window.host.page.view["within"], -4.0)
    user.waits(lambda: user.window.host.page.view["within"] == pytest.approx(4.0, abs=0.05))
    assert user.window.host.page.view["share"] == 1.0 and user.undo_text() == "", "only what is shown has changed"
    user.drag(plot, 3.0, 7.42)
    labels = {handle.label: handle.place for handle in plot.handles()}
    assert labels["one person: +3\u00a0hours"] == 3.0, "nobody changes the answer by more"


def test_where_room_is_short_the_cost_is_one_line_and_the_level_stays(opens: Opener) -> None:
    user = opens(size=(1024, 600))
    user.reads("▸ Cost: absolute error")
    assert user.sees(QLineEdit, "Epsilon") and not user.sees(QAbstractButton, "Power")
    user.key(Key.Key_F5)
    user.waits(lambda: user.sees(QAbstractButton, "Power"))
    user.key(Key.Key_Escape)
    user.reads("▸ Cost: absolute error")


def test_numbers_are_exact_and_the_header_says_them(opens: Opener) -> None:
    user = opens()
    user.reads("real query · Δ = 1 · ε = 1 · absolute error", "0.9596", "proved optimal", "γ* = 0.3775")
    assert number(user, "γ*") == pytest.approx(0.3775406688, abs=1e-10)
    assert number(user, "Expected error") == pytest.approx(0.959517375667, abs=1e-12)
    assert number(user, "Laplace") == 1
    assert user.says("With Laplace noise, 4% more", "Laplace: 1, +4%")


@pytest.mark.parametrize(("sensitivity", "geometric"), [(1, True), (5, False)])
def test_integer_noise_at_sensitivity_one_is_geometric(opens: Opener, sensitivity: int, geometric: bool) -> None:
    user = opens(query="integer", sensitivity=sensitivity)
    assert user.says("r*: 1 · of 1" if geometric else "r*: 2 · of 5")
    assert user.says("geometric mechanism") is geometric is user.says("Laplace noise costs the same")
    assert user.sees(QAbstractButton, "Open it on the Count page") is geometric


def test_a_real_answer_is_published_in_steps(opens: Opener) -> None:
    user = opens(sensitivity="1/5", unit="hours", true_answer="38.4", cost="squared")
    user.reads("Without steps it is for simulation only: the last digits can reveal the answer.")
    user.press("Round to steps of 0.01\xa0hours")
    user.reads("real query in steps of 0.01 hours · Δ = 1/5 hours · ε = 1 · squared error", "hours²")
    user.reads("Drawn exactly. Rounding to steps of 0.01 hours, halves up, changes the answer by at most")
    assert user.undo_text() == "Round to steps" and not user.says("rounded up")
    assert [user.text(box) for box in ("Step", "True answer", "Sensitivity")] == ["0.01", "38.4", "1/5"]
    assert not user.sees(QAbstractButton, "Round to steps"), "it is done"
    user.press("Draw once")
    user.waits(lambda: re.search(r"Simulated: 38\.4 → −?\d+\.\d\d.hours\. Each real", user.said()) is not None)
    user.press("Why is this the best noise?")
    user.reads("Rounding to steps of 0.01 hours, halves up", "within each Δ = 20")
    user.write("Step", "3/20")
    user.reads("Δ is rounded up to 0.3 hours.", "The steps cost 2.3 times as much.")
    user.write("Step", "1")
    assert user.errors() == [
        "Steps must be at most Δ = 0.2, got 1. Use finer steps and round the published number: that costs no privacy."
    ]
    user.press("Use 0.1")
    user.reads("Δ = 1/5 hours")
    user.write("Step", "")
    user.reads("real query · Δ = 1/5 hours · ε = 1 · squared error", "simulation only")
    assert [user.text(box) for box in ("True answer", "Sensitivity")] == ["38.4", "1/5"]


def test_a_drawn_cost_and_the_target_stay_in_the_unit_when_answers_are_in_steps(opens: Opener) -> None:
    cost = "drawn:0:0,0.5:1,1:3"
    user = opens(sensitivity="1/2", unit="hours", cost=cost)
    before = user.text("Expected error to aim for")
    user.write("Step", "0.001")
    user.reads("real query in steps of 0.001 hours")
    study: Any = user.window.document.study
    assert study.cost == cost
    assert float(user.text("Expected error to aim for")) == pytest.approx(float(before), rel=0.01)


def test_a_refused_input_gives_way_to_the_next(opens: Opener) -> None:
    user = opens(sensitivity=3)
    user.write("Epsilon", "banana")
    assert "banana" in user.errors()[0]
    user.write("Sensitivity", "kiwi")
    (error,) = user.errors()
    assert "kiwi" in error and user.text("Epsilon") == "1"
    user.write("Answers d", "plum")
    (error,) = user.errors()
    assert "plum" in error and user.text("Sensitivity") == "3"


def test_a_chosen_gamma_is_not_called_optimal(opens: Opener) -> None:
    user = opens(gamma="1/2")
    bars = re.search(r"^Best staircase: .*$", user.said(), re.MULTILINE)
    assert bars is not None
    assert [bar.partition(":")[0] for bar in bars[0].split("; ")] == [
        "Best staircase",
        "Staircase, γ = 0.5000",
        "Laplace",
    ]
    assert user.says("not proved optimal", "geometric mechanism")


def test_each_kind_of_number_and_cost_is_chosen_and_taken_back(opens: Opener) -> None:
    user = opens()
    user.write("Sensitivity", "5/2")
    user.reads("real query · Δ = 5/2 ·")
    assert user.undo_text() == "Change sensitivity"
    user.press("Whole number")
    user.reads("integer query · Δ = 3 ·", "Probability of the noise")
    assert user.undo_text() == "Change query" and not user.sees(QLineEdit, "Step")
    user.press("Real number")
    user.reads("real query · Δ = 3 ·")
    user.write("Sensitivity", "3")
    user.press("Squared")
    user.reads("· squared error")
    assert user.chosen(*COSTS) == ["Squared"] and user.undo_text() == "Change cost"
    user.press("Power")
    user.write("A power", "3")
    user.settles()
    assert user.text("A power") == "3" and user.chosen(*COSTS) == ["Power"]
    user.write("Answers d", "2")
    user.reads("2 real answers · Δ = 3 ·")
    user.press("Set epsilon to ln 2")
    user.reads("(α = 1/2)")
    user.write("Answers d", "1")
    user.tab("With δ")
    user.write("Delta", "1e-6")
    user.reads("compared with δ = 1e-6", "proved optimal for δ = 0")
    for _ in range(12):
        user.undo()
    user.reads("real query · Δ = 1 · ε = 1 · absolute error")
    user.tab("With δ")
    assert user.undo_text() == "" and user.text("Delta") == "" and not user.window.isWindowModified()
    user.command("Edit", "Redo")
    user.reads("real query · Δ = 5/2 ·")


def test_a_formula_is_typed_and_kept_while_another_cost_is_tried(opens: Opener) -> None:
    user = opens()
    user.press("Formula")
    user.write("Any even formula", "x**4")
    user.settles()
    cost = number(user, "Expected cost")
    assert cost == pytest.approx(dp.NoiseDesign(cost="power:4", epsilon=1).run().cost, rel=1e-9)
    user.press("Size")
    user.reads("absolute error")
    user.press("Formula")
    user.settles()
    assert user.text("Any even formula") == "x**4" and number(user, "Expected cost") == cost


def test_a_cost_is_drawn(opens: Opener) -> None:
    user = opens()
    user.press("Draw")
    user.reads("drawn through")
    pencil = user.plot("Cost by distance")
    first, second, third = (pencil.point(place) for place in (1, 2, 3))
    mouse.drag(pencil, [first, second, QPointF(third.x(), first.y())])
    user.settles()
    assert user.says("drawn through 9 points", "proved optimal")
    points = user.saved()["studies"][0]["cost"].removeprefix("drawn:").split(",")
    heights = [float(point.partition(":")[2]) for point in points]
    assert len(heights) == 9 and heights == sorted(heights)
    user.undo()
    user.reads("drawn through 3 points")
    user.press("Size")
    assert not user.sees(QWidget, "Cost by distance")


def test_what_cannot_be_is_told_and_changes_nothing(opens: Opener) -> None:
    user = opens()
    for box, text, said in (
        ("Sensitivity", "-1", "ensitivity must be"),
        ("Answers d", "0", "The number of answers must be a whole number"),
        ("Epsilon", "inf", "psilon must be between"),
        ("gamma", "2", "γ” must be"),
        ("Delta", "2", "δ must be between"),
    ):
        if box == "Delta":
            user.tab("With δ")
        user.write(box, text)
        assert any(said in error for error in user.errors()), (box, user.errors())
    assert user.text("Epsilon") == "1" and not user.window.isWindowModified()
    user.press("Formula")
    user.write("Any even formula", "x")
    assert user.errors() and user.undo_text() == "refused input"
    user.write("gamma", "0.3")
    user.reads("γ = 0.3000")
    assert not any("γ” must" in error for error in user.errors()) and user.undo_text() == "Choose γ"
    user.press("Optimal γ")
    user.reads("γ* = ")
    assert user.text("gamma") == "optimal"


def test_what_was_meant_is_entered_by_a_button(opens: Opener) -> None:
    user = opens(query="integer", sensitivity=3)
    user.write("Epsilon", "1000")
    assert user.errors()
    user.press("Use 700")
    user.settles()
    assert user.text("Epsilon") == "700" and user.errors() == [] and user.undo_text() == "Set ε to 700"


def test_the_axes_say_what_is_drawn(opens: Opener) -> None:
    user = opens(noise(), noise("integer", sensitivity=3), noise(dimension=3))
    for plot, ratio in (("Density of the noise", True), ("Probability of the noise", True), ("Density of the noise", False)):
        assert user.says(plot) and user.says("▸ Effect of one person") is ratio
        user.key(Key.Key_PageDown, CONTROL)
        user.settles()


def test_the_neighbouring_answer_is_dragged_within_the_sensitivity(opens: Opener) -> None:
    user = opens()
    user.press(EFFECT)
    plot = user.find(CurvePlot, "Density of the noise")
    user.drag(plot, 1.0, 0.2, -0.4)
    away = re.search(r"One person who changes the answer by ([\d.]+) ", user.said())
    assert away is not None and float(away[1]) == pytest.approx(0.4, abs=0.02)
    user.drag(plot, -0.4, 3)
    user.reads("One person who changes the answer by 1 ")
    plot.setFocus()
    QTest.keyClick(plot, Key.Key_Left)
    assert not user.says("One person who changes the answer by 1 ")
    assert not user.window.isWindowModified(), "what is looked at is no change"


def test_no_picture_moves_while_the_sentence_below_changes(opens: Opener) -> None:
    user = opens(size=(1280, 900))  # where nothing at the left gives way
    user.press(EFFECT)
    plot, heights, said = user.find(CurvePlot, "Density of the noise"), [], []
    for places in ((1.0, 0.95, 0.9), (0.9, 0.0), (0.0, -0.9)):  # with the neighbour at 0 it is another sentence
        user.drag(plot, *places)
        QTest.qWait(20)
        heights.append(plot.height())
        said.append(user.said().count("Drag the line by up to"))
    assert said == [0, 1, 0] and heights[0] == heights[1] == heights[2]


def test_bounds_never_promise_more_than_there_is(opens: Opener) -> None:
    user = opens(epsilon="2.4", view={"view": "distribution", "chance": 0.94996})
    user.press(EFFECT)
    user.settles()
    bound = re.search(r"no answer more than eᵋ ≈ ([\d.]+) times as likely", user.said())
    assert bound is not None and float(bound[1]) == pytest.approx(math.exp(2.4), abs=0.005)
    user.tab("Distribution")
    bound = re.search(r"95% of the errors are within ±([\d.]+)", user.said())
    within = dp.NoiseDesign(epsilon="2.4").run().noise.within(0.95)
    assert bound is not None and within <= float(bound[1]) < within + 0.001
    user.key(Key.Key_F5)
    user.reads("94.9% of the errors")
    user.key(Key.Key_Escape)


def test_dragging_along_a_curve_changes_epsilon_and_gamma(opens: Opener) -> None:
    user = opens()
    assert "Cost against ε" not in user.tabs(), "the card at the right has it"
    user.drag(user.plot("expected error against ε"), 0.0, log(2))
    user.settles()
    assert float(user.text("Epsilon")) == pytest.approx(2, rel=0.03) and user.undo_text() == "Change epsilon"
    user.tab("Step width")
    best = number(user, "γ*")
    user.drag(user.plot("expected error against γ"), best, 0.25)
    user.settles()
    assert float(user.text("gamma")) == pytest.approx(0.25, abs=0.01) and user.undo_text() == "Choose γ"
    user.tab("Best step width")
    plot, before = user.plot("best γ against ε"), float(user.text("Epsilon"))
    plot.setFocus()
    QTest.keyClick(plot, Key.Key_Right)
    user.settles()
    assert float(user.text("Epsilon")) > before
    for _ in range(4):
        user.undo()
    user.settles()
    assert user.text("Epsilon") == "1" and user.text("gamma") == "optimal" and user.undo_text() == ""


def test_a_drag_that_is_given_up_leaves_everything_as_it_was(opens: Opener) -> None:
    user = opens()
    slider = user.plot("Privacy level epsilon")
    start = QPointF(slider.x_of(slider.value()), slider.height() / 2)
    QTest.mousePress(slider, LEFT, pos=start.toPoint())
    mouse.move(slider, QPointF(start.x() + 40, start.y()), LEFT)
    assert user.text("Epsilon") != "1"
    QTest.keyClick(slider, Key.Key_Escape)
    QTest.mouseRelease(slider, LEFT, pos=start.toPoint())
    user.settles()
    user.reads("ε = 1")
    assert user.text("Epsilon") == "1" and not user.window.isWindowModified()


def test_every_view_of_every_kind_of_query_is_drawn(opens: Opener) -> None:
    user = opens(
        noise(epsilon="5", cost="squared", delta="0.01"),
        noise("integer", sensitivity=7, gamma="1/2"),
        noise(dimension=3),
        noise(epsilon="1e-6"),
        noise(epsilon="700"),
        noise(epsilon="0.5", cost="expression:exp(abs(x))"),
        noise(epsilon="1e-6", dimension=3, cost="power:100"),  # costs that leave the range of doubles
        noise(sensitivity="1e12"),
    )
    for _ in range(8):
        for view in user.tabs():
            user.tab(view)
            user.settles()
            assert user.errors() == [] and user.window.grab().width() > 0
        user.key(Key.Key_PageDown, CONTROL)
        user.settles()


def test_a_far_neighbour_is_said_as_numbers_are_elsewhere(opens: Opener) -> None:
    user = opens(sensitivity="1e12")
    user.press(EFFECT)
    user.reads("One person who changes the answer by 1e12 ")


def test_costs_beyond_doubles_are_not_copied_as_numbers(opens: Opener) -> None:
    user = opens(epsilon="1e-6", dimension=3, cost="power:100")
    user.tab("Cost against d")
    rows = [line.split("\t") for line in user.copied().splitlines()[1:]]
    assert rows and not np.isfinite([float(cell) for row in rows for cell in row[1:] if cell]).any()


def test_two_answers_are_a_picture(opens: Opener) -> None:
    user = opens(dimension=2)
    assert user.says("for d = 2")
    plot = user.plot("density of two answers, staircase")
    user.hover(plot, 0.25, -0.25)
    user.reads("0.202 for the staircase", "L1 norm 0.5")
    plot.setFocus()
    for key in (Key.Key_Right, Key.Key_Up):
        QTest.keyClick(plot, key)
    user.reads("Noise (0.")
    for _ in range(40):
        QTest.keyClick(plot, Key.Key_Left)
    user.reads("Noise (−4.00,")
    user.write("Answers d", "3")
    user.reads("noise, its L1 norm")
    assert "Plane" not in user.tabs()


def test_a_budget_is_shared(opens: Opener) -> None:
    user = opens()
    user.tab("Budget")
    user.reads("one answer alone, ε = 1", "each of 2, ε = 0.5", "each of 10, ε = 0.1")
    user.write("Weights of the answers", "1, 1, 2")
    user.reads("answer 1, ε = 0.25", "answer 3, ε = 0.5")
    assert user.undo_text() == "Share the budget"
    user.write("Weights of the answers", "1, -1")
    assert any("ositive" in error for error in user.errors()) and user.undo_text() == "Share the budget"
    user.write("Weights of the answers", "")
    user.reads("each of 2, ε = 0.5")
    assert user.copied().splitlines()[1].startswith("one answer alone, ε = 1\t0.9595")


def test_noise_is_drawn_and_a_sampler_copied(opens: Opener) -> None:
    user = opens(noise(), noise("integer", sensitivity=3), noise(dimension=2))
    for exactly in (False, True):
        assert user.says("are drawn exactly") is exactly and user.says("simulation only") is not exactly
        user.command("Design", "Draw noise once")
        user.reads("It would publish the true answer ")
        drawn = re.search(r"the true answer ([+−]\s\S+)\.", user.said())
        user.waits(lambda: any(plot.landed for plot in user.window.findChildren(CurvePlot)))
        assert drawn is not None and (not exactly or re.fullmatch(r"[+−]\s\d+", drawn[1]))
        user.command("Design", "Copy a sampler in Python")
        user.reads("The sampler is on the clipboard.")
        assert "SENSITIVITY" in QGuiApplication.clipboard().text()
        user.key(Key.Key_PageDown, CONTROL)
        user.settles()
    assert not user.find(QAbstractButton, "Copy sampler").isEnabled()
    user.press("Draw once")
    user.reads("It would add ")
    assert re.search(r"It would add [^,\n ]+, [^,\n ]+ to the true answers\. ", user.said())


def test_the_true_answer_is_published_with_noise(opens: Opener) -> None:
    user = opens(noise(sensitivity=3, epsilon=2, cost="squared", unit="hours"), size=(1280, 720))
    user.write("True answer", "240")
    user.settles()
    assert user.undo_text() == "Change the true answer"
    pictures = [(plot.pos(), plot.size()) for plot in user.window.findChildren(CurvePlot) if plot.isVisible()]
    user.press("Draw once")
    user.waits(lambda: "Simulated: 240 → " in user.said())
    user.settles()
    after = [(plot.pos(), plot.size()) for plot in user.window.findChildren(CurvePlot) if plot.isVisible()]
    assert pictures == after, "no picture moves"
    published = re.search(r"Simulated: 240 → (\d+\.\d)\shours\. Each real release spends ε = 2\.", user.said())
    (plot,) = (plot for plot in user.window.findChildren(CurvePlot) if plot.plot.landing is not None)
    (noise_drawn,) = plot.plot.landing.x
    assert published is not None and float(published[1]) == round(240 + noise_drawn, 1)
    assert plot.plot.landing.text == f"240 → {published[1]}\u00a0hours"
    user.press("Whole number")
    user.write("True answer", "2.5")
    assert "must be a whole number" in user.errors()[0]
    user.undo()
    user.write("Epsilon", "0.01")
    user.reads("Too much noise at ε = 0.01", "exceed the true answer, 240")
    user.write("True answer", "")
    user.reads("Add staircase noise: ")
    user.settles()
    user.press("Draw once")
    user.reads("It would publish the true answer")


def test_the_effect_of_one_row_is_shown_on_request(opens: Opener) -> None:
    user = opens()
    assert not user.says("÷2.72")
    user.press("▸ Effect of one person")
    user.waits(lambda: user.sees(CurvePlot, "How much likelier one person makes each answer"))
    assert not user.window.isWindowModified()


def test_why_tells_the_corrections(opens: Opener) -> None:
    user = opens()
    user.press("Why is this the best noise?")
    user.reads("slides do not give the height", "wrong sign", "2ε")


def test_tables_are_written_and_read_back(opens: Opener, tmp_path: Path) -> None:
    user = opens(epsilon="2", delta="0.01")
    assert "cost-against-epsilon.csv" in export(user, tmp_path / "new", "CSV", "JSON")
    files = {path.name: path for path in (tmp_path / "new").iterdir()}
    assert len(files) == 6
    path = next(path for name, path in files.items() if name.endswith("cost-against-epsilon.csv"))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expected = dp.NoiseDesign(epsilon="2", delta="0.01").run()
    assert [float(row["least"]) for row in rows] == expected.by_epsilon.least.tolist()
    assert {row["small_limit"] for row in rows[-3:]} == {""}
    data = json.loads(next(path for path in files.values() if path.suffix == ".json").read_text("utf-8"))
    assert data["proved"] is True and data["tables"]["density"][0] == ["x", "staircase", "laplace"]


def test_copy_takes_the_curves_of_the_open_view(opens: Opener) -> None:
    user = opens()
    user.tab("Step width")
    lines = user.copied().splitlines()
    assert lines[0].split("\t") == ["γ", "staircase", "Laplace"] and len(lines) > 100


def test_presenting_hides_what_serves_editing(opens: Opener) -> None:
    user = opens()
    edited = ("Copy sampler", "Work out the sensitivity", "Optimal γ", "ln 2")
    boxes = ("Expected error to aim for", "Epsilon")
    assert all(user.sees(QAbstractButton, name) for name in edited)
    user.key(Key.Key_F5)
    assert not any(user.sees(QAbstractButton, name) for name in edited) and user.sees(QAbstractButton, "Draw once")
    assert not any(user.sees(QLineEdit, name) for name in boxes) and user.says("Privacy level epsilon")
    user.key(Key.Key_Escape)
    assert all(user.sees(QAbstractButton, name) for name in edited) and all(user.sees(QLineEdit, name) for name in boxes)


def test_a_large_screen_shows_the_cost_against_epsilon_beside_the_noise(opens: Opener) -> None:
    user = opens(size=(2600, 1440))
    user.reads("expected error against ε")
    curve = user.plot("expected error against ε")
    assert curve.height() < 850  # no plot is higher than is of use
    curve.setFocus()
    QTest.keyClick(curve, Key.Key_Right)
    user.settles()
    assert float(user.text("Epsilon")) > 1
    user.press("Histogram")
    user.waits(lambda: user.sees(CurvePlot, "person-years against ε"))  # each cell has all of ε
    user.press("replaced")
    user.waits(lambda: user.window.host.page.answer.parts == 2)
    curve = user.find(CurvePlot, "person-years against ε")
    epsilon = user.window.document.study.privacy.epsilon
    assert curve.handles()[0].place == pytest.approx(epsilon) and curve.plot.lines[0].at(
        epsilon, logarithmic=True
    ) == pytest.approx(user.window.host.page.answer.cell.cost, rel=1e-2), "a cell has half of ε"


def test_scenes_keep_what_is_looked_at(opens: Opener) -> None:
    user = opens()
    user.press(EFFECT)
    user.drag(user.find(CurvePlot, "Density of the noise"), 1.0, 0.25)
    user.key(Key.Key_N, CONTROL | SHIFT)
    user.window.setFocus()
    user.tab("Step width")
    user.command("Present", "Add scene")
    first, second = (scene["view"] for scene in user.saved()["scenes"])
    assert first["view"] == "density" and first["share"] == pytest.approx(0.25, abs=0.02) and second["view"] == "gamma"
    user.command("Present", "Start presenting")
    user.reads("Density of the noise", "One person who changes the answer by 0.2")
    user.key(Key.Key_Right)
    user.reads("expected error against γ")
    user.key(Key.Key_Escape)


def test_geometric_noise_is_sent_to_the_count_page(opens: Opener) -> None:
    user = opens(query="integer", epsilon="1/2", cost="squared")
    user.press("Open it on the Count page")
    study = user.window.document.study
    assert (study.kind, study.privacy.epsilon) == ("count", 0.5) and "squared loss · uniform prior" in study.line
    user.undo()
    user.reads("integer query · Δ = 1 · ε = 0.5 · squared error")


def test_geometric_noise_alone_is_sent_to_the_count_page(opens: Opener) -> None:
    user = opens(gamma="0.4")
    assert not user.sees(QAbstractButton, "Open it on the Count page")
    user.command("Design", "Open this noise on the Count page")
    user.reads("is the geometric mechanism")


def test_esc_takes_back_the_neighbour_and_the_bounds(opens: Opener) -> None:
    user = opens()
    user.press(EFFECT)
    for tab, name, start, end, said in (
        ("Density", "Density of the noise", 1.0, -0.9, "One person who changes the answer by 1 "),
        ("Distribution", "P(noise ≤ x) against noise", None, 0.3, "95% of the errors are within"),
    ):
        user.tab(tab)
        user.settles()
        plot = user.find(CurvePlot, name)
        frame, view = plot.figure().frame, plot.figure().viewport()
        at = [QPointF(frame.x(x), frame.area.center().y()) for x in (start or plot.handles()[0].place, end)]
        user.reads(said)
        QTest.mousePress(view, LEFT, pos=at[0].toPoint())
        mouse.move(view, at[1], LEFT)
        assert not user.says(said)
        QTest.keyClick(plot, Key.Key_Escape)
        assert user.says(said)
        QTest.mouseRelease(view, LEFT, pos=at[1].toPoint())
        assert user.says(said)


def test_what_a_view_shows_is_never_computed_while_it_is_painted(opens: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: dict[str, list[threading.Thread]] = {"plane_densities": [], "dimension_curve": []}
    for name, seen in threads.items():

        def watched(real: Any, seen: list[threading.Thread], *given: Any) -> Any:
            seen.append(threading.current_thread())
            return real(*given)

        monkeypatch.setattr(outcomes, name, partial(watched, getattr(outcomes, name), seen))
    user = opens(dimension=2, epsilon="1/2")
    page = user.window.host.page
    for here, there, tab in (("plane", "several", "Cost against d"), ("several", "plane", "Plane")):
        solved = page.outcomes["solve"]
        assert solved.ready(here) and not solved.ready(there)
        user.tab(tab)
        user.waits(lambda solved=solved, there=there: solved.ready(there))
        user.write("Epsilon", "1/4")
        user.settles()
    assert all(threads.values()) and threading.main_thread() not in [thread for seen in threads.values() for thread in seen]
