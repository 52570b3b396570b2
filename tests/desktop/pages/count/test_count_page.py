"""The count page in its window, worked with real mouse and key events."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from desktop import mouse
from desktop.count_window import (
    LEFT,
    WAIT,
    await_answers,
    box_named,
    cells,
    click_bar,
    click_cell,
    curve_plot,
    drag_cursor,
    numbers,
    opened,
    page,
    paint,
    part,
    press_button,
    release_plot,
    sentences,
    slide,
    steps,
    undo,
    write,
)
from published import FIGURE_2, FIGURE_2_USER, fractions
from PySide6.QtCore import QCoreApplication, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.mechanism import geometric
from dpdesigner.desktop.base.controls import ViewTabs
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.loss_picker import LossPicker
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign

PAPER = CountDesign(**FIGURE_2_USER)
LOPSIDED = CountDesign(6, alpha="1/2", prior=("6", "5", "4", "3", "2", "1", "1"), loss="absolute", name="Lopsided")
OUTSIDE = CountDesign(4, alpha="1/2", prior="uniform", loss="expression:(i-r)%3", name="Cyclic")


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, getattr(request, "param", LOPSIDED)) as window:
        yield window


paper = pytest.mark.parametrize("window", [PAPER], indirect=True)
outside = pytest.mark.parametrize("window", [OUTSIDE], indirect=True)


def shown(window: MainWindow) -> CountDesign:
    study = window.document.study
    assert isinstance(study, CountDesign)
    return study


def tab(window: MainWindow, text: str) -> None:
    """Click a view's tab, or choose it in the menu of those that do not fit."""
    tabs = part(window, ViewTabs)
    button = next(found for found in tabs.findChildren(QToolButton) if found.text() == text)
    if button.isVisible():
        QTest.mouseClick(button, LEFT)
    else:
        next(action for action in tabs.findChildren(QToolButton)[-1].menu().actions() if action.text() == text).trigger()


def test_a_stroke_over_the_prior_is_one_step_and_undo_brings_everything_back(qtbot: QtBot, window: MainWindow) -> None:
    view, value = part(window, MatrixView), window.header.value.text()
    before, design = numbers(view), shown(window)
    paint(window, [(0, 0.05), (1, 0.05), (3, 0.9), (6, 0.9)])
    await_answers(qtbot, window)
    assert steps(window) == 1 and window.menus.undo.text() == "&Undo Paint prior"
    assert shown(window).prior.probabilities[0] < 0.1 < shown(window).prior.probabilities[6]
    assert window.header.value.text() != value and not np.array_equal(numbers(view), before)
    assert window.header.badge.property("state") == "proved"
    undo(window)
    await_answers(qtbot, window)
    assert shown(window) == design and window.header.value.text() == value
    assert np.array_equal(numbers(view), before)


def test_each_loss_of_the_gallery_is_chosen_by_a_click(qtbot: QtBot, window: MainWindow) -> None:
    picker, values = part(window, LossPicker), set()
    for count, (name, thumbnail) in enumerate(list(picker.thumbnails.items())[::-1], 1):
        if name in picker.tiles.seen:
            QTest.mouseClick(thumbnail, LEFT)
        else:
            picker.tile_actions[name].trigger()
        assert thumbnail.isVisibleTo(picker)
        await_answers(qtbot, window)
        assert shown(window).loss.name == name and thumbnail.isChecked() and steps(window) == count
        assert Loss(shown(window).loss.specification).title in page(window).summary().line
        assert window.header.badge.property("state") == "proved"
        values.add(window.header.value.text())
    assert len(values) >= 5


def test_dragging_the_privacy_slider_is_one_step(qtbot: QtBot, window: MainWindow) -> None:
    control, value = part(window, PrivacyControl), window.header.value.text()
    slide(control.slider, control.slider.value() + 40, control.slider.value() + 80, control.slider.value() + 120)
    await_answers(qtbot, window)
    assert steps(window) == 1 and shown(window).privacy.epsilon > 1
    assert float(window.header.value.text()) < float(value)
    undo(window)
    await_answers(qtbot, window)
    assert shown(window) == LOPSIDED and control.alpha_box.text() == "1/2"


def test_privacy_by_button_and_by_typing(qtbot: QtBot, window: MainWindow) -> None:
    control = part(window, PrivacyControl)
    press_button(control, "ln 3")
    assert shown(window).privacy.exact_alpha == Fraction(1, 3)
    write(control.epsilon_box, "1/4")
    assert shown(window).privacy.epsilon == 0.25 and steps(window) == 2
    write(control.alpha_box, "20%")
    await_answers(qtbot, window)
    assert shown(window).privacy.exact_alpha == Fraction(1, 5) and "α = 20%" in page(window).summary().line.replace("1/5", "20%")


@pytest.mark.parametrize(
    "tries",
    [
        [("Epsilon", "-1", "between 0 and"), ("Epsilon", "much", "number"), ("Alpha", "2", "between 0 and 1")],
        [("n, ", "-3", "between 0 and"), ("n, ", "1000000000", "between 0 and"), ("n, ", "2.5", "whole number")],
    ],
)
def test_bad_numbers_give_one_sentence_and_change_nothing(window: MainWindow, tries: list[tuple[str, str, str]]) -> None:
    before = numbers(part(window, MatrixView))
    for name, text, words in tries:
        write(box_named(window, name), text)
        (sentence,) = sentences(window)
        assert words in sentence and text in sentence and sentence.endswith(".")
        assert shown(window) == LOPSIDED and steps(window) == 0
        assert np.array_equal(numbers(part(window, MatrixView)), before)


@outside
def test_an_n_too_large_for_the_loss_gives_one_sentence_and_changes_nothing(window: MainWindow) -> None:
    write(box_named(window, "n, "), "20000")
    (sentence,) = (found for found in sentences(window) if "20000" in found)
    assert "must be at most" in sentence
    assert shown(window) == OUTSIDE and steps(window) == 0 and "n = 4 " in page(window).summary().line


def test_another_n_keeps_each_weight_at_its_count_and_undo_brings_it_back(qtbot: QtBot, window: MainWindow) -> None:
    write(box_named(window, "n, "), "30")
    await_answers(qtbot, window)
    prior = shown(window).prior.probabilities
    assert prior == pytest.approx([*LOPSIDED.prior.probabilities, *[0] * 24])
    assert numbers(part(window, MatrixView)).shape == (31, 31)
    undo(window)
    await_answers(qtbot, window)
    assert shown(window) == LOPSIDED and numbers(part(window, MatrixView)).shape == (7, 7)


def test_a_drawn_prior_is_the_same_after_n_changed_and_came_back(qtbot: QtBot, window: MainWindow) -> None:
    for n in ("30", "4", "6"):
        write(box_named(window, "n, "), n)
        await_answers(qtbot, window)
    assert shown(window) == LOPSIDED
    paint(window, [(2, 0.5)])
    painted = shown(window).prior.probabilities
    for n in ("30", "6"):
        write(box_named(window, "n, "), n)
        await_answers(qtbot, window)
    assert np.array_equal(shown(window).prior.probabilities, painted)


def test_presets_come_from_the_menu(qtbot: QtBot, window: MainWindow) -> None:
    actions = part(window, DistributionEditor).controls.preset_menu.actions()
    for count, action in enumerate(actions, 1):
        action.trigger()
        await_answers(qtbot, window)
        assert isinstance(shown(window).prior.specification, str) and steps(window) == count
    assert len(actions) == 8
    undo(window)
    assert str(shown(window).prior.specification).startswith("triangular")


def test_a_fraction_typed_into_the_table_stays_a_fraction(qtbot: QtBot, window: MainWindow) -> None:
    editor = part(window, DistributionEditor)
    QTest.mouseClick(editor.controls.modes["table"], LEFT)
    assert editor.table.isVisible()
    editor.set_selected(2)
    QTest.keyClicks(editor.table, "1")
    field = editor.table.viewport().findChild(QLineEdit)
    QTest.keyClicks(field, "/3")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QCoreApplication.processEvents()
    await_answers(qtbot, window)
    assert shown(window).prior.specification == ("6", "5", "1/3", "3", "2", "1", "1") and steps(window) == 1
    assert shown(window).prior.exact[2] == Fraction(1, 55)


def test_a_cell_selects_its_row_and_column_everywhere(window: MainWindow) -> None:
    view, release, editor = part(window, MatrixView), release_plot(window), part(window, DistributionEditor)
    click_cell(view, 4, 1)
    assert view.selected() == (4, 1) and view.read_out().startswith("4 is released as 1: ")
    assert editor.count == 4
    assert "releases 1" in release.accessibleDescription()
    count = next(box for box in window.findChildren(QSpinBox) if box.accessibleName() == "True count")
    assert count.value() == 4
    click_bar(release, 2)
    assert view.selected() == (4, 2)
    QTest.keyClick(count, Qt.Key.Key_Up)
    likeliest = page(window).answer.mechanism.matrix.argmax(axis=1)
    assert count.value() == 5 and view.selected() == (5, likeliest[5]) and editor.count == 5
    plot = editor.plot
    QTest.mouseClick(plot.viewport(), LEFT, pos=plot.viewport().rect().center())
    assert editor.count is not None and view.selected() == (editor.count, likeliest[editor.count])
    column = view.selected()[1]
    page(window).setFocus()
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.selected() == (editor.count, column) and steps(window) == 0


@paper
def test_the_views_show_what_their_names_say(qtbot: QtBot, window: MainWindow) -> None:
    view = part(window, MatrixView)
    await_answers(qtbot, window, "lp_check")
    outcome, lp_check = page(window).outcomes["solve"], page(window).outcomes["lp_check"]
    tab(window, "Geometric")
    assert np.allclose(numbers(view), geometric.matrix(outcome.design.privacy, 5))
    tab(window, "Remap")
    assert np.array_equal(numbers(view).argmax(axis=1), outcome.remap)
    tab(window, "LP check")
    assert np.allclose(numbers(view), lp_check.mechanism) and np.allclose(numbers(view).sum(axis=1), 1)
    tab(window, "LP minus remap")
    assert np.allclose(numbers(view), lp_check.mechanism - outcome.induced.matrix, atol=1e-12)
    tab(window, "Pattern")
    assert np.allclose(numbers(view), outcome.induced.matrix)
    tab(window, "Geometric∘Remap")
    assert np.allclose(numbers(view), outcome.induced.matrix)
    tab(window, "Optimal")
    assert np.allclose(numbers(view), outcome.induced.matrix) and view.selected() == (0, 0)


def test_two_views_stand_side_by_side_and_share_the_selection(qtbot: QtBot, window: MainWindow) -> None:
    first = part(window, MatrixView)
    (second,) = (view for view in page(window).findChildren(MatrixView) if view is not first)
    assert not second.isVisible()
    press_button(window, "Side by side")
    tab(window, "Geometric")
    assert first.isVisible() and second.isVisible()
    qtbot.waitUntil(lambda: second.figure().frame.area.width() > 50, timeout=WAIT)
    click_cell(second, 5, 2)
    assert first.selected() == second.selected() == (5, 2)
    press_button(window, "Side by side")
    assert not second.isVisible()


def test_side_by_side_numbers_and_fractions_too_wide_for_the_cells_are_read_below(qtbot: QtBot, window: MainWindow) -> None:
    window.document.change(CountDesign(30, alpha="1/2"), "Change n")
    await_answers(qtbot, window)
    press_button(window, "Side by side")
    click_cell(part(window, MatrixView), 10, 10)

    def reads(text: str) -> None:
        labels = page(window)._pictures.findChildren(QLabel)
        qtbot.waitUntil(lambda: any(label.isVisible() and label.text().startswith(text) for label in labels), timeout=WAIT)

    reads("10 is released as 10: left 0.333, right 0.333; difference: 0 exactly")
    press_button(window, "Fractions")
    reads("10 is released as 10: left 1/3, right 1/3; difference: 0 exactly")
    press_button(window, "Numbers")
    reads("No room for numbers: zoom in (wheel or +)")


@paper
def test_fractions_and_binding_of_the_papers_user(window: MainWindow) -> None:
    view = part(window, MatrixView)
    assert "limit" not in view.read_out()
    for option in ("Numbers", "Binding", "Log colour", "Fractions"):
        press_button(window, option)
    assert fractions("\n".join(" ".join(line) for line in cells(view))) == FIGURE_2
    click_cell(view, 0, 4)
    assert "1/48 = 0.0208" in view.read_out() and "limit 2.00" in view.read_out()


def test_fractions_are_offered_up_to_forty(qtbot: QtBot, window: MainWindow) -> None:
    button = next(each for each in window.findChildren(QAbstractButton) if each.text() == "Fractions")
    for n, epsilon, tip in (
        (40, "ln 2", "Exact fractions, in the cells if they fit"),
        (41, "ln 2", "Fractions are shown up to n = 40"),
        (40, "1", "α is not a fraction here"),
    ):
        window.document.change(CountDesign(n, epsilon=epsilon), "Change n")
        await_answers(qtbot, window)
        assert button.isVisible() and button.toolTip() == tip and button.isEnabled() == tip.startswith("Exact")


def test_the_posterior_of_the_selected_release(window: MainWindow) -> None:
    release = release_plot(window)
    click_cell(part(window, MatrixView), 2, 3)
    press_button(window, "Posterior")
    posterior = page(window).outcomes["solve"].induced.posterior(shown(window).prior.probabilities, 3)
    assert np.allclose(release.plot.bars[0].values, posterior)
    assert "posterior" in release.plot.read_bars(3)[0]
    press_button(window, "Posterior")
    assert "releases 3" in release.plot.read_bars(3)[0]


def test_the_posterior_becomes_the_prior(qtbot: QtBot, window: MainWindow) -> None:
    click_cell(part(window, MatrixView), 2, 3)
    posterior = page(window).outcomes["solve"].induced.posterior(shown(window).prior.probabilities, 3)
    next(action for action in window.menus.design_menu.actions() if action.text() == "Use the posterior as prior").trigger()
    await_answers(qtbot, window)
    assert np.allclose(shown(window).prior.probabilities, posterior) and steps(window) == 1
    undo(window)
    assert shown(window) == LOPSIDED


def said(window: MainWindow) -> str:
    """What all labels say, cut off or not."""
    return " ".join(getattr(label, "full_text", label.text()) for label in window.findChildren(QLabel))


def test_real_releases_are_drawn(qtbot: QtBot, window: MainWindow) -> None:
    release = release_plot(window)
    press_button(window, "Simulate once")
    qtbot.waitUntil(lambda: "Simulated: " in said(window) and ". Not to publish" in said(window), timeout=WAIT)
    press_button(window, "× 100")
    qtbot.waitUntil(lambda: " of 100 within ±1 · average error " in said(window), timeout=WAIT)
    assert (drawn := release.plot.bars[0].drawn) is not None and drawn.sum() == 100
    assert steps(window) == 0 and not window.isWindowModified()


def test_aiming_for_a_loss_moves_epsilon(qtbot: QtBot, window: MainWindow) -> None:
    target = part(window, PrivacyControl).target
    qtbot.waitUntil(target.slider.isEnabled, timeout=WAIT)
    value = target.slider.value()
    slide(target.slider, value - 20, value - 60)
    qtbot.waitUntil(lambda: steps(window) == 1, timeout=WAIT)
    await_answers(qtbot, window)
    aimed = float(target.box.text())
    assert shown(window).privacy.epsilon < 0.69
    assert float(window.header.value.text()) == pytest.approx(aimed, rel=2e-3)
    write(target.box, "0.5")
    qtbot.waitUntil(lambda: steps(window) == 2, timeout=WAIT)
    await_answers(qtbot, window)
    assert float(window.header.value.text()) == pytest.approx(0.5, rel=2e-3)
    write(target.box, "-1")
    qtbot.waitUntil(lambda: bool(sentences(window)), timeout=WAIT)
    assert steps(window) == 2 and sentences(window) == ["The expected loss cannot be below 0 for this prior and loss, got -1."]


def test_dragging_the_cursor_of_the_curve_moves_epsilon(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "curves")
    plot = curve_plot(window)
    drag_cursor(plot, 1.0, 2.0, 3.0)
    await_answers(qtbot, window)
    assert steps(window) == 1 and shown(window).privacy.epsilon == pytest.approx(3, rel=0.05)
    assert plot.handles()[0].place == pytest.approx(shown(window).privacy.epsilon, rel=1e-3)


def test_an_undo_while_the_cursor_is_dragged_leaves_it_under_the_mouse(qtbot: QtBot, window: MainWindow) -> None:
    window.document.change(shown(window).replace(alpha=0), "No privacy")
    await_answers(qtbot, window, "curves")
    window.document.change(shown(window).replace(epsilon=1), "Change epsilon")
    await_answers(qtbot, window, "curves")
    plot = curve_plot(window)
    frame, canvas = plot.figure().frame, plot.figure().viewport()
    here, there = (QPointF(frame.x(np.log10(x)), frame.area.center().y()).toPoint() for x in (1.0, 2.0))
    QTest.mousePress(canvas, LEFT, pos=here)
    mouse.move(canvas, QPointF(there), LEFT)
    while shown(window).privacy.exact_alpha != 0:  # the first takes back the drag
        window.menus.undo.trigger()
    await_answers(qtbot, window, "curves")
    QTest.mouseRelease(canvas, LEFT, pos=there)
    assert shown(window).privacy.epsilon == pytest.approx(2, rel=0.05)


def test_costs_name_the_alternatives(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "costs")
    texts = " ".join(part(window, CostBars).texts())
    for words in ("Best possible", "Rounded Laplace noise, best read", "Ignoring the data"):
        assert words in texts
    assert "Staircase" not in texts and "If fractions are allowed" not in texts  # a whole one is as good
    press_button(window, "▸ 3 more alternatives")
    texts = " ".join(part(window, CostBars).texts())
    for words in ("Geometric, face value", "Staircase noise, γ best before clamping", "Staircase noise, γ = 1/2"):
        assert words in texts
    press_button(window, "▾ Only the main alternatives")
    assert len(part(window, CostBars).texts()) == 3


def explanation(qtbot: QtBot, window: MainWindow) -> str:
    press_button(window, "Why?")
    assert window.why.isVisible() and window.menus.why.isChecked()
    text = window.why.as_text()
    QTest.keyClick(window.why.plain, Qt.Key.Key_Escape)
    assert not window.why.isVisible()
    return text


def test_why_names_the_theorem_and_the_gap(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "lp_check", "exact")
    text = explanation(qtbot, window)
    assert "Ghosh, Roughgarden and Sundararajan" in text and "Theorem 3.1" in text
    assert window.header.value.text() in text and "costs exactly that, computed in fractions" in text and "linear program" in text
    assert window.header.badge.text() == "✓ proved optimal" and "certified gap" in text
    assert "in fractions" in window.status.facts.full_text


@outside
def test_outside_the_theorem_the_linear_program_decides(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "lp_check")
    outcome, lp_check = page(window).outcomes["solve"], page(window).outcomes["lp_check"]
    assert float(lp_check.value) < float(outcome.value)
    assert np.allclose(numbers(part(window, MatrixView)), lp_check.mechanism)
    assert window.header.badge.property("state") == "proved" and "proved optimal" in window.header.badge.text()
    assert float(window.header.value.text()) == pytest.approx(float(lp_check.value), abs=1e-3)
    picker = part(window, LossPicker)
    assert "Outside Theorem A" in picker.verdict_label.text() and picker.verdict_label.isVisibleTo(picker)
    assert "Outside the theorem" in explanation(qtbot, window)
    press_button(window, "Simulate once")
    qtbot.waitUntil(lambda: "Simulated: " in said(window), timeout=WAIT)


def test_copying_gives_tab_separated_text(window: MainWindow) -> None:
    view = part(window, MatrixView)
    click_cell(view, 2, 2)
    window.menus.copy.trigger()
    assert QGuiApplication.clipboard().text() == view.selection_as_text()


def test_esc_gives_up_a_drag_of_the_curve_and_a_click_is_no_undo_step(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "curves")
    before, steps = shown(window), window.document.undo_stack.count()
    plot = curve_plot(window)
    frame, canvas = plot.figure().frame, plot.figure().viewport()
    here, there = (QPointF(frame.x(np.log10(x)), frame.area.center().y()) for x in (plot.handles()[0].place, 2.0))
    for place in (here, here + QPointF(3, 0), there):
        QTest.mouseClick(canvas, LEFT, pos=place.toPoint())
    assert shown(window) == before and window.document.undo_stack.count() == steps
    QTest.mousePress(canvas, LEFT, pos=here.toPoint())
    mouse.move(canvas, there, LEFT)
    assert shown(window).privacy.epsilon == pytest.approx(2, rel=0.05)
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert shown(window) == before and plot.handles()[0].place == pytest.approx(before.privacy.epsilon)
    QTest.mouseRelease(canvas, LEFT, pos=there.toPoint())
    assert shown(window) == before and window.document.undo_stack.count() == steps
