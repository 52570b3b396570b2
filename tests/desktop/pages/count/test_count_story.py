"""The first minute: what stands in plain words, what is pinned, what gives way where room is short, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import Mock

import numpy as np
import pytest
from desktop.count_window import (
    WAIT,
    await_answers,
    await_cards,
    box_named,
    curve_plot,
    numbers,
    offered,
    opened,
    page,
    part,
    press_button,
    undo,
    write,
)
from desktop.mouse import move
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner import resources
from dpdesigner.desktop.base.labels import ElidedLabel, ErrorLine
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.editors.weight_rules import replaced
from dpdesigner.desktop.pages.count.results_column import ReleaseCard
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import read_project
from dpdesigner.studies.count.design import CountDesign

FLU, PAINTED = (read_project(resources.path("examples", f"{stem}.dpd")).studies[0] for stem in ("flu-cases", "flu-expected"))


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, FLU) as found:
        yield found


def sentence(window: MainWindow) -> str:
    return window.header.result.sentence.text().replace("<b>", "").replace("</b>", "")


def paint(qtbot: QtBot, window: MainWindow) -> None:
    window.document.change(PAINTED, "Paint prior")
    await_answers(qtbot, window, "costs", "curves")


def test_the_tabs_of_both_steps_say_whose_the_numbers_are(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "costs")
    for view, step in (("geometric", "Step 1 of the release: add geometric noise."), ("remap", "Step 2 of the release: ")):
        page(window).look(view=view)
        qtbot.waitUntil(lambda step=step: sentence(window).startswith(step), timeout=WAIT)
        assert "the bars at the right are those of both steps" in sentence(window)
    page(window).look(view="optimal")
    qtbot.waitUntil(lambda: "wrong by about 1.2" in sentence(window), timeout=WAIT)


def test_the_sentence_follows_the_design_and_the_mouse(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "costs")
    assert "rong by about 1.2\u00a0pupils on average if your belief is right" in sentence(window) and "6%" in sentence(window)
    paint(qtbot, window)
    assert "rong by about 1.1\u00a0pupils on average if your belief is right" in sentence(window)
    assert "Nothing outside 2 to 9 is ever released" in sentence(window)
    assert "on average 5.3 · drag to paint" in [label.full_text for label in window.findChildren(ElidedLabel)]
    bars = part(window, CostBars)
    move(bars, QPointF(bars._rows[1].box.center()))
    assert sentence(window).endswith("."), "a bar that is pointed at has a tooltip instead"
    assert bars.tip(1).endswith(
        "\nLaplace noise is added, rounded and kept between 0 and max, then read optimally for your belief."
    )
    assert bars.tip(2).endswith("\nThe constant that is best for your belief.")
    move(bars, QPointF(-5, -5))
    view = part(window, MatrixView)
    view._plot.cell_hovered.emit(6, 6)
    assert view.read_out().startswith("6 is released as 6")
    assert "rong by about" in sentence(window)  # what is under the mouse stands below the matrix


def test_one_name_and_one_rounding(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "costs", "exact")
    assert window.header.value_label.text() == "expected error" and window.header.value.text() == "1.2064\u00a0pupils"
    assert part(window, CostBars).texts()[0] == "Best possible: 1.2064"
    assert part(window, PrivacyControl).target.box.text() == "1.2064"


def test_n_and_epsilon_stand_in_the_header_at_every_width(qtbot: QtBot, window: MainWindow) -> None:
    n, epsilon = box_named(window, "n, "), box_named(window, "Epsilon, the privacy level")
    for width in (1920, 1280, 1024, 960):
        window.resize(width, 640)
        QApplication.processEvents()
        for box in (n, epsilon):
            assert window.header.isAncestorOf(box) and box.isVisible() and box.x() + box.width() <= window.header.width()
        assert window.header.badge.text().startswith("✓ proved") and window.header.export.isVisible()
    assert (n.text(), epsilon.text()) == ("20", "ln 2")
    write(epsilon, "ln 3")
    assert window.document.study.privacy.exact_alpha is not None and window.document.study.privacy.exact_alpha.denominator == 3
    write(n, "10")
    assert window.document.study.n == 10
    write(epsilon, "-1")
    said = next(line for line in window.header.findChildren(ErrorLine) if line.isVisible())
    assert epsilon.property("invalid") and said.text() and not part(window, PrivacyControl).error_label.isVisible()
    window.document.change(FLU, "Other")
    assert not epsilon.property("invalid") and not said.isVisible()


def test_what_is_pinned_is_drawn_behind_what_is_painted(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "costs", "curves")
    window.menus.pin.trigger()
    editor = part(window, DistributionEditor)
    qtbot.waitUntil(lambda: bool(editor.plot.ghosts.overlays), timeout=WAIT)
    assert all(row.before is None for row in part(window, CostBars)._ranking.rows), "nothing is compared with itself"
    top = editor.plot.frame.top
    paint(qtbot, window)
    (ghost,) = editor.plot.ghosts.overlays
    assert ghost.name == "before: uniform" and np.allclose(ghost.probabilities, 1 / 21) and top != editor.plot.frame.top
    assert window.header.before.text() == "before: uniform prior, 1.2064\u00a0pupils"
    outline = part(window, ReleaseCard).plot.plot.bars[0].outline
    assert outline is not None and np.allclose(outline, FLU.run().induced.row(6))
    befores = [row.before for row in part(window, CostBars)._ranking.rows]
    assert befores == pytest.approx([1.20634927, 1.27374953, 5.23809524])
    curves = curve_plot(window)
    qtbot.waitUntil(lambda: [line.name for line in curves.plot.lines] == ["Optimal", "Rounded Laplace", "before"], timeout=WAIT)
    QTest.mouseClick(
        next(b for b in page(window)._pictures.tabs._buttons if b.text() == "Against before"), Qt.MouseButton.LeftButton
    )
    expected = PAINTED.run().induced.matrix - FLU.run().induced.matrix
    assert numbers(part(window, MatrixView)) == pytest.approx(expected, abs=1e-12)
    QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.document.reference is None and not editor.plot.ghosts.overlays, timeout=WAIT)
    assert all(row.before is None for row in part(window, CostBars)._ranking.rows)


def test_cards_fold_where_room_is_short_and_a_click_brings_them_back(qtbot: QtBot, window: MainWindow) -> None:
    inputs, meaning = page(window)._inputs, page(window)._results
    loss, costs = inputs.cards[1], meaning.costs
    assert not loss.folded and not costs.folded
    window.resize(1024, 630)
    qtbot.waitUntil(lambda: loss.folded and costs.folded, timeout=WAIT)
    assert loss._heading.text() == "▸ An error of 3 costs 3" and costs._heading.text().startswith("▸ Best possible: ")
    assert not meaning.release.folded, "the header has the costs, too"
    assert inputs.prior.plot.height() >= 120 and inputs.privacy.isVisible()

    def bottom() -> int:
        return inputs.privacy.mapTo(window, QPoint(0, inputs.privacy.height())).y()

    qtbot.waitUntil(lambda: bottom() <= window.status.mapTo(window, QPoint(0, 0)).y(), timeout=WAIT)  # not scrolled away
    QTest.mouseClick(loss, Qt.MouseButton.LeftButton, pos=QPoint(20, 12))
    qtbot.waitUntil(lambda: not loss.folded, timeout=WAIT)
    assert not inputs.privacy.folded, "how private never folds"
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: not (loss.folded or costs.folded or inputs.privacy.folded), timeout=WAIT)


def test_an_impossible_aim_says_so_and_offers_what_is_near(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window, "reach")
    target = part(window, PrivacyControl).target
    write(target.box, "0")
    qtbot.waitUntil(lambda: bool(target.message.text()), timeout=WAIT)
    assert target.message.text() == "No ε reaches 0: only the exact count does. The nearest value is 0.01."
    QTest.mouseClick(target.message.fix, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document.study != FLU, timeout=WAIT)
    await_answers(qtbot, window)
    assert float(window.header.value.text().removesuffix("\u00a0pupils")) <= 0.01 and not target.message.text()
    undo(window)
    write(target.box, "7")
    qtbot.waitUntil(lambda: bool(target.message.text()), timeout=WAIT)
    assert target.message.text() == "No ε gives 7: ignoring the data gives 5.2381."
    window.document.change(PAINTED, "Paint prior")
    assert not target.message.text(), "what it spoke of is gone"


def test_a_loss_for_another_n_offers_that_n(window: MainWindow) -> None:
    column = page(window)._inputs
    column.loss.changed.emit(tuple(tuple(abs(i - r) for r in range(4)) for i in range(4)), "Loss from file")
    line = column.cards[1].error
    assert line.text() == "A loss for n = 20 must have 21 rows and columns, got 4." and window.document.study == FLU
    press_button(window, "Set n = 3")
    assert window.document.study.n == 3 and window.document.study.loss.name == "matrix" and not line.text()


def test_only_what_is_proved_is_called_optimal(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(qtbot, monkeypatch, CountDesign(300, alpha="1/2", loss="expression:(i-r)%3")) as window:
        await_answers(qtbot, window)
        card = page(window)._pictures
        assert [button.text() for button in card.tabs._buttons][:2] == ["Best found", "Geometric"]
        qtbot.waitUntil(lambda: bool(window.header.badge.full_text), timeout=WAIT)
        badge = window.header.badge.full_text
        assert badge.startswith("within ") and badge.endswith("% of optimal")
        page(window).look(view="lp_check")
        assert "certificate is the proof" not in card._panes[0].missing.text()
        page(window).look(view="optimal", beside=True)
        assert not card._panes[0].shows and card._panes[1].shows
        told = card._comparison.text(), card._agreement.text()
        assert " is released as " in told[0] and "left" not in told[0] and told[1] == ""


def test_a_cell_that_never_happens_is_not_selected_at_the_start(qtbot: QtBot) -> None:
    from dpdesigner.desktop.pages.count.page import CountPage

    paper = read_project(resources.path("examples", "paper-user.dpd")).studies[0]
    for study in (FLU, PAINTED, paper):
        view = CountPage.starting_view(study)
        assert study.prior.probabilities[view["row"]] > 0 and study.run().induced.row(view["row"])[view["column"]] > 0
    assert [CountPage.starting_view(FLU)[key] for key in ("row", "column")] == [6, 6]
    assert CountPage.starting_view(CountDesign(40, alpha="1/2", prior="poisson:5.5"))["row"] == 5, "the most likely count"


def test_a_large_matrix_is_shown_by_its_errors(qtbot: QtBot, window: MainWindow) -> None:
    assert "Band" not in [action.text() for action in offered(window)]
    window.document.change(FLU.replace(n=120), "Set n")
    await_answers(qtbot, window, "costs")
    qtbot.waitUntil(lambda: "Band" in [action.text() for action in offered(window)], timeout=WAIT)
    press_button(window, "Band")
    view = part(window, MatrixView)
    plot, matrix = view.figure(), window.document.study.run().induced.matrix
    qtbot.waitUntil(lambda: plot.axes.horizontal.title == "released minus true", timeout=WAIT)
    band = plot.veil.band
    assert band is not None and plot.source is band.cells and 5 <= band.reach < 40
    assert plot.source.cell(40, band.reach + 3) == matrix[40, 43] and plot.source.cell(2, band.reach - 3) == 0
    errors = np.abs(np.subtract.outer(np.arange(121), np.arange(121)))
    assert matrix[errors > band.reach].max() <= 1e-3 * matrix.max()
    at = QPointF(plot.frame.x(band.reach + 3), plot.frame.y(40)).toPoint()
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert view.read_out().startswith("40 is released as 43") and view.selected() == (40, 43)
    assert page(window).view_state()["band"] is True
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.selected() == (41, 44)
    assert view.as_text().count("\n") == 121
    page(window).set_view_state({"band": False})
    qtbot.waitUntil(lambda: plot.axes.horizontal.title == "released value" and plot.veil.band is None, timeout=WAIT)
    assert plot.marks.column == 44


def test_what_is_held_for_impossible_is_veiled_and_says_so(qtbot: QtBot, window: MainWindow) -> None:
    weights = np.ones(21)
    weights[15:] = 0
    window.document.change(FLU.replace(prior=weights), "Paint prior")
    await_answers(qtbot, window, "costs")
    view = part(window, MatrixView)
    plot = view.figure()
    assert plot.veil.runs.tolist() == [[15, 21]]
    told = []
    painter = Mock(wraps=QPainter())
    painter.fontMetrics = view.fontMetrics
    painter.drawText.side_effect = lambda place, flags, words: told.append(words)
    painter.setFont.side_effect = painter.fillRect.side_effect = painter.setPen.side_effect = lambda *given: None
    plot.veil_words.draw(painter)
    assert told == ["Your prior excludes 15 to 20:\nerrors there are not counted"]
    for runs, words in (
        ([[3, 4], [15, 21]], "15 to 20 and 1 other count"),
        ([[0, 2], [4, 6], [15, 21]], "15 to 20 and 4 other counts"),
    ):
        plot.veil.runs = np.array(runs)
        plot.veil_words.draw(painter)
        assert told[-1].startswith(f"Your prior excludes {words}:")
    plot.veil.runs = np.array([[15, 21]])
    move(plot.viewport(), QPointF(plot.frame.x(12), plot.frame.y(16)))
    assert view.read_out().startswith("16 is released as 12") and view.read_out().endswith("; your prior excludes 16")
    move(plot.viewport(), QPointF(plot.frame.x(12), plot.frame.y(12)))
    assert "impossible" not in view.read_out()
    undo(window)
    qtbot.waitUntil(lambda: not len(plot.veil.runs), timeout=WAIT)


def test_an_empty_prior_loses_nothing(qtbot: QtBot, window: MainWindow) -> None:
    """One sentence, one button, and the document as it was; what is painted then is one step."""
    editor, steps = part(window, DistributionEditor), window.document.undo_stack.count()
    plot = editor.plot
    plot.commit(replaced(np.eye(1, 21, 3)[0], 3, 0.0, plot.rules), "Clear")
    assert plot.blank and sentence(window).startswith("First draw what you expect")
    question = editor.asking.question
    assert question.isVisible() and question.text() == "Nothing is painted. Restore the previous prior"
    QTest.mouseClick(question, Qt.MouseButton.LeftButton)
    assert not plot.blank and not question.isVisible() and sentence(window).startswith("The published count")
    assert window.document.undo_stack.count() == steps and window.document.study == FLU


def test_a_preset_leaves_the_privacy_open_where_it_is_narrow(qtbot: QtBot, window: MainWindow) -> None:
    """At 1024 by 640 the loss folds, and what it says then makes the column no wider."""
    inputs = page(window)._inputs
    window.resize(1024, 640)
    await_cards(qtbot, window)
    window.document.change(FLU.replace(prior="smooth-quantiles:5%=2,95%=12", loss="pinball:3/4"), "Choose")
    await_answers(qtbot, window)
    await_cards(qtbot, window)
    loss = inputs.cards[1]
    assert loss.folded and not inputs.privacy.folded and not inputs.cards[0].folded
    assert inputs.width() < 300 and inputs.prior.plot.height() >= 120
    assert loss.toolTip() == "" and "One too low costs 0.75, as much as 3 too high" in loss.accessibleName()


def test_a_slip_in_a_formula_folds_no_card(qtbot: QtBot, window: MainWindow) -> None:
    """The sentence with its button takes the place of the bet, at 1280 by 720; nothing is cut off, and nothing scrolls."""
    inputs = page(window)._inputs
    window.resize(1280, 720)
    window.document.change(FLU.replace(loss="expression:2(i-r)^2"), "Choose loss")
    await_answers(qtbot, window)
    write(inputs.loss.parameter.box, "foo(i-r)")
    await_cards(qtbot, window)
    qtbot.wait(50)
    error = inputs.loss.error_label
    assert error.isVisible() and error.fix.text() == "Use floor(i-r)" and error.rect().contains(error.fix.geometry())
    assert not any(card.folded for card in inputs.cards)
    assert all(card.height() >= card.minimumSizeHint().height() for card in inputs.cards)
    around = inputs.parentWidget()
    assert around is not None
    bottom = around.mapTo(window, QPoint(0, around.height())).y()
    assert bottom <= window.status.mapTo(window, QPoint(0, 0)).y()


def test_without_a_pin_there_is_no_difference_from_it_to_look_at(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.pin.trigger()
    paint(qtbot, window)
    page(window).look(view="before")
    qtbot.waitUntil(lambda: page(window).before is not None, timeout=WAIT)
    QTest.mouseClick(window.header.unpin, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page(window).view["view"] == "optimal", timeout=WAIT)
    assert part(window, MatrixView).read_out().startswith("6 is released as 6: 0.333")


def test_tab_comes_to_the_boxes_of_a_preset_after_the_bars(qtbot: QtBot, window: MainWindow) -> None:
    editor = page(window)._inputs.prior
    window.document.change(FLU.replace(prior="smooth-quantiles:5%=2,95%=12"), "Choose")
    await_answers(qtbot, window)
    editor.plot.setFocus()
    seen = []
    for _ in range(4):
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
        seen.append(window.focusWidget())
    assert seen == [*editor.presets.boxes, editor.controls.modes["paint"]]
    before = editor.controls.modes["paint"].grab().toImage()
    editor.plot.setFocus()
    assert editor.controls.modes["paint"].grab().toImage() != before, "the ring is seen"


def test_numbers_under_the_veil_can_be_read(qtbot: QtBot, window: MainWindow) -> None:
    paper = read_project(resources.path("examples", "paper-user.dpd")).studies[0]
    window.document.change(paper, "The paper’s user")
    await_answers(qtbot, window)
    press_button(page(window)._pictures, "Numbers")
    plot = part(window, MatrixView).figure()
    labels = plot.cells.labels()[1]
    assert len(labels) == 36 and [plot.veil.covers(row) for row in range(6)] == [False, True, False, True, False, False]
    assert {label.ink.name() for label in labels[6:12] + labels[18:24]} == {theme().colours.text.lower()}
