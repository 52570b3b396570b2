"""What the views of the count page say, how wide its columns are, and what is wrong with an input."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from desktop import mouse
from desktop.count_window import (
    WAIT,
    await_answers,
    box_named,
    click_cell,
    curve_plot,
    opened,
    page,
    part,
    press_button,
    release_plot,
    sentences,
    write,
)
from PySide6.QtCore import QPoint, QPointF, QSize
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.rounding import figure
from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.plots.plot_layer import colour
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.matrices import runs_of

LOPSIDED = CountDesign(6, alpha="1/2", prior=("6", "5", "4", "3", "2", "1", "1"), loss="absolute", name="Lopsided")


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, LOPSIDED) as window:
        yield window


def hover(view: MatrixView, row: int, column: int) -> None:
    plot = view.figure()
    mouse.move(plot.viewport(), QPointF(plot.frame.x(column), plot.frame.y(row)))


def lines(root: QWidget) -> str:
    return " | ".join(label.text() for label in root.findChildren(QLabel) if label.isVisibleTo(root))


def test_the_remap_says_what_the_geometric_mechanism_says_and_a_difference_is_0_only_where_it_is(
    qtbot: QtBot, window: MainWindow
) -> None:
    await_answers(qtbot, window, "lp_check")
    page(window).look(view="difference")
    view = part(window, MatrixView)
    said = set()
    for row in range(7):
        for column in range(7):
            view.set_selected(row, column)
            value = view.cell(row, column)
            assert value is not None
            said.add(view.read_out().partition(": ")[2])
            assert ("0 exactly" in view.read_out()) == (value == 0)
    assert said <= {"0 exactly", "less than 1e−9"}
    page(window).look(view="remap")
    view, remap = part(window, MatrixView), page(window).outcomes["solve"].remap
    assert "Read 0" in lines(page(window)._pictures)
    click_cell(view, 5, 0)
    assert view.read_out() == f"a noisy count of 5 is read as {remap[5]}"
    hover(view, 1, 4)
    assert view.read_out() == f"a noisy count of 1 is read as {remap[1]}"


@pytest.mark.parametrize(
    ("epsilon", "prior", "note"),
    [
        ("0.1", "uniform", "never released: 0–4, 16–20"),
        ("2", "uniform", "each row: how likely each release is"),
        ("2", [int(count % 5 == 0) for count in range(21)], "never released: blank columns"),
    ],
)
def test_values_never_released_are_named_as_ranges(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, epsilon: str, prior: str | list[int], note: str
) -> None:
    assert runs_of([0, 1, 2, 16, 17, 20]) == ["0–2", "16–17", "20"] and runs_of([]) == []
    with opened(qtbot, monkeypatch, CountDesign(20, epsilon=epsilon, prior=prior, loss="absolute")) as window:
        await_answers(qtbot, window)
        assert part(window, MatrixView).figure().key.note == note


def test_side_by_side_fills_the_height_and_compares_in_one_line(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "lp_check")
    press_button(page(window), "Side by side")
    card = page(window)._pictures
    qtbot.waitUntil(lambda: card.second.figure().frame.area.width() > 100, timeout=WAIT)
    assert card.view.figure().frame.area.height() > 0.5 * card.height()
    hover(card.second, 2, 3)
    assert card.view.figure().marks.hovered == (2, 3)
    assert "2 is released as 3: left " in lines(card) and "difference" in lines(card)
    assert not card.view._read_out.isVisible()


def test_beside_the_optimum_is_the_mechanism_for_every_user(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "lp_check")
    shown = page(window)
    press_button(shown, "Side by side")
    left, right = (shown._pictures.panels.shown[key].cells.dense for key in ("matrix", "beside"))
    answer = shown.answer
    assert answer is not None and answer.solved.proved and answer.solved.remap.tolist() != list(range(shown.design.n + 1))
    assert np.array_equal(left, answer.solved.induced.matrix)
    assert np.array_equal(right, answer.solved.released.matrix)
    assert "the right one becomes the left one" in lines(shown._pictures)
    shown.look(view="induced")
    assert "The linear program agrees" in lines(shown._pictures)
    shown.look(view="optimal")
    shown._inputs.change("Uniform", prior="uniform")
    await_answers(qtbot, window, "lp_check")
    assert shown.answer.solved.remap.tolist() == list(range(shown.design.n + 1))
    assert "For this user they are equal: the remap changes nothing." in lines(shown._pictures)


def test_the_mean_squared_error_is_one_quantity_everywhere(qtbot: QtBot, window: MainWindow) -> None:
    shown = page(window)
    shown._inputs.change("Squared", loss="squared")
    await_answers(qtbot, window, "costs", "curves")
    summary, value = shown.summary(), figure(shown.answer.best.value)
    assert (summary.value_label, summary.value) == ("mean squared error", value)
    assert box_named(shown, "Expected error to aim for").text() == value
    assert "mean squared error" in lines(shown._results.costs) and "Mean squared error against ε" in lines(shown._results.curves)
    assert "root" not in shown.answer.findings


def test_before_the_linear_program_is_done_its_view_says_so(window: MainWindow) -> None:
    card = page(window)._pictures
    page(window).look(view="lp_check")
    for name in ("lp_check", "follow"):
        page(window).outcomes.pop(name, None)
    page(window).look()
    assert "not finished yet" in lines(card) and not card.view.isVisible()


def test_no_column_is_narrower_than_what_it_holds(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(QSize(1280, 720))
    window.history.show()
    shown = page(window)

    def wide(column: QWidget) -> bool:
        area = column.parentWidget()
        return area is not None and area.width() >= column.minimumSizeHint().width()

    for scale in (1.0, 2.0):
        preferences().choose(text_scale=scale)
        qtbot.waitUntil(lambda: wide(shown._inputs) and wide(shown._results), timeout=WAIT)
        for button in shown._pictures.findChildren(QPushButton):
            if button.isVisible():
                right = button.mapTo(shown._pictures, QPoint(button.width(), 0)).x()
                assert right <= shown._pictures.width()


def test_a_grey_word_without_room_is_left_out_whole(qtbot: QtBot) -> None:
    card = Card("What you believe after it", "a word that is much too long for the card")
    qtbot.addWidget(card)
    card.resize(240, 60)
    with qtbot.waitExposed(card):
        card.show()
    assert card._word.text() == ""
    assert card._word.toolTip() == "a word that is much too long for the card"


def test_a_wrong_n_is_outlined_and_the_button_of_ln_3_is_lit_however_it_was_given(window: MainWindow) -> None:
    box, high = box_named(window, "n, "), window.header.height()
    write(box, "-3")
    (sentence,) = sentences(window)
    assert sentence.startswith("Max must be") and box.property("invalid")
    assert window.header.height() == high and window.header.result.sentence.isHidden(), "nothing below moves"
    write(box, "8")
    assert not sentences(window) and not box.property("invalid")
    control = part(window, PrivacyControl)
    for box, text in (("Alpha", "1/3"), ("Epsilon", "ln 3"), ("Alpha", "2/6")):
        press_button(control, "ln 2")
        write(box_named(control, box), text)
        assert control.presets["ln 3"].isChecked() and not control.presets["ln 2"].isChecked()


def test_the_alternatives_have_names_and_colours_and_are_pale_while_they_are_computed(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "costs", "curves")
    image = part(window, CostBars).grab().toImage()
    seen = {image.pixelColor(x, y).rgb() for x in range(0, image.width(), 4) for y in range(image.height())}
    found = {role: colour(role).rgb() in seen for role in ("proved", "accent", "selected")}
    assert found == {"proved": True, "accent": True, "selected": False}
    shown, meaning = page(window), page(window)._results
    before = [card._word.full_text for card in (meaning.costs, meaning.curves)]
    for name in ("costs", "curves"):
        shown.mark_stale(name)
    assert [card._word.full_text for card in (meaning.costs, meaning.curves)] == ["computing…"] * 2
    for name in ("costs", "curves"):
        shown.show_outcome(name, shown.outcomes[name])
    assert [card._word.full_text for card in (meaning.costs, meaning.curves)] == before
    press_button(window, "▸ 3 more alternatives")
    texts = part(window, CostBars).texts()
    assert sum("γ = 1/2" in text for text in texts) == 1 and sum("γ best" in text for text in texts) == 1


def test_the_picture_of_a_release_names_its_axes(window: MainWindow) -> None:
    release = release_plot(window)
    axes = release.figure().axes
    assert axes._title(axes.horizontal) == ""  # the heading of the card says it
    release.figure().resize(900, 700)
    assert (axes._title(axes.horizontal), axes._title(axes.vertical)) == ("released value", "probability")
    press_button(window, "Posterior")
    assert axes._title(axes.horizontal) == "true count"


def test_an_answer_shows_anew_only_what_takes_it(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    await_answers(qtbot, window, "lp_check", "costs", "reach", "curves", "exact")
    shown, made = page(window), []
    for kind, name in (
        (MatrixView, "show_matrix"),
        (CostBars, "show_ranking"),
        (CurvePlot, "show_plot"),
        (DistributionEditor, "set_distribution"),
    ):
        monkeypatch.setattr(kind, name, lambda *given, name=name, **named: made.append(name))
    for name in ("solve", "follow", "lp_check", "costs", "reach", "curves", "exact"):
        if (outcome := shown.outcomes.get(name)) is not None:
            shown.show_outcome(name, outcome)
    shown.set_study(window.document.study)
    assert made == []
    shown.outcomes["lp_check"] = dataclasses.replace(shown.outcomes["lp_check"])
    shown.show_outcome("lp_check", shown.outcomes["lp_check"])
    assert made == []  # the linear program agrees, and its matrix is not in view
    shown.outcomes["costs"] = dataclasses.replace(shown.outcomes["costs"])
    shown.show_outcome("costs", shown.outcomes["costs"])
    assert made == ["show_ranking", "show_plot"]  # the curve goes through the losses of the card
    shown.look(view="lp_check")
    assert made == ["show_ranking", "show_plot", "show_matrix"]
    shown.outcomes["lp_check"] = dataclasses.replace(shown.outcomes["lp_check"])
    shown.show_outcome("lp_check", shown.outcomes["lp_check"])
    assert made == ["show_ranking", "show_plot", "show_matrix", "show_matrix"]


def test_the_line_of_the_curve_follows_the_design_at_once(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "curves")
    plot, design = curve_plot(window), window.document.study
    page(window).set_study(design.replace(epsilon="0.25"))
    assert plot.handles()[0].place == pytest.approx(0.25)


def test_of_a_view_state_only_what_is_there_is_taken(window: MainWindow) -> None:
    shown = page(window)
    before = shown.view_state()
    assert set(before) == {"view", "beside", "band", "row", "column"}
    shown.set_view_state({"view": "no such view", "beside": 1, "row": "2", "column": 3, "more": True})
    assert shown.view_state() == before
    shown.set_view_state({"view": "remap", "beside": True, "row": 99, "column": -4})
    assert shown.view_state() == {"view": "remap", "beside": True, "band": False, "row": 6, "column": 0}


def test_what_failed_is_no_longer_said_to_be_the_answer(window: MainWindow) -> None:
    shown = page(window)
    assert shown.explanation() is not None
    for name in list(shown.outcomes):
        shown.outcomes.pop(name)
    shown.show_failure("solve", InputError("n must be at most 5000.", "n", "5000"))
    (sentence,) = sentences(window)
    box = box_named(window, "n, ")
    assert sentence.startswith("Max must be at most 5000") and box.property("invalid")
    assert shown.explanation() is None and shown.summary().value == shown.summary().badge == ""
    press_button(window, "Use 5000")
    assert window.document.study.n == 5000
