"""Real releases on the count page: one, a hundred that fall, stopped, at once, and before an audience."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from desktop.count_window import WAIT, await_answers, click_cell, opened, page, part, press_button
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.core.mechanism.mechanism import Table
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.loss_picker import LossPicker
from dpdesigner.desktop.editors.privacy_control import PrivacyControl
from dpdesigner.desktop.pages.count.results_column import ReleaseCard
from dpdesigner.desktop.pages.kit.cards import RiskCard
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign

DESIGN = CountDesign(6, alpha="1/2", prior=("6", "5", "4", "3", "2", "1", "1"), loss="absolute")


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, DESIGN) as window:
        yield window
        preferences().choose(reduced_motion=False)


def lying(window: MainWindow) -> int:
    draws = part(window, ReleaseCard).plot.plot.bars[0].dots
    return 0 if draws is None else int(draws.sum())


def fall(window: MainWindow, times: int) -> None:
    """Let the clock of the animation tick, without waiting for it."""
    card = part(window, ReleaseCard)
    card.falling.setInterval(10_000_000)
    for _ in range(times):
        card.falling.timeout.emit()


def test_a_hundred_fall_one_by_one_on_a_scale_that_stays(qtbot: QtBot, window: MainWindow) -> None:
    card = part(window, ReleaseCard)
    press_button(window, "× 100")
    qtbot.waitUntil(card.falling.isActive, timeout=WAIT)
    fall(window, 1)
    first, top = lying(window), card.plot.figure().frame.top
    assert 1 <= first < 100
    fall(window, 10)
    assert lying(window) == first + 10 and card.plot.figure().frame.top == top
    near = sum(abs(value - card._row) <= 1 for value in card._drawn.values[: first + 10])
    assert card._word.full_text.startswith(f"{near} of {first + 10} within ±1 · average error ")
    fall(window, 100 - first - 10)
    assert lying(window) == 100 and not card.falling.isActive() and card._said[1].endswith(" of 100 within ±1")
    assert card._often.text() == "× 100"


def test_stop_leaves_what_has_fallen(qtbot: QtBot, window: MainWindow) -> None:
    card = part(window, ReleaseCard)
    press_button(window, "× 100")
    qtbot.waitUntil(card.falling.isActive, timeout=WAIT)
    fall(window, 5)
    before = lying(window)
    press_button(window, "Stop")
    assert not card.falling.isActive() and lying(window) == before and f" of {before} " in card._said[0]
    assert card._often.text() == "× 100"


def test_with_reduced_motion_all_are_there_at_once(qtbot: QtBot, window: MainWindow) -> None:
    preferences().choose(reduced_motion=True)
    card = part(window, ReleaseCard)
    press_button(window, "× 100")
    qtbot.waitUntil(lambda: lying(window) == 100, timeout=WAIT)
    assert not card.falling.isActive() and card._often.text() == "× 100"


def test_another_row_takes_the_dots_away(qtbot: QtBot, window: MainWindow) -> None:
    card = part(window, ReleaseCard)
    press_button(window, "× 100")
    qtbot.waitUntil(card.falling.isActive, timeout=WAIT)
    click_cell(part(window, MatrixView), 5, 5)
    assert not card.falling.isActive() and lying(window) == 0 and not card._word.full_text
    assert "Releases within ±1: " in card.count.toolTip()


def test_one_release_is_selected_and_moves_the_posterior(qtbot: QtBot, window: MainWindow) -> None:
    card = part(window, ReleaseCard)
    press_button(window, "Posterior")
    assert card._word.full_text == "outline: prior"
    press_button(window, "Simulate once")
    qtbot.waitUntil(lambda: "Simulated: " in "".join(card._said), timeout=WAIT)
    assert card._drawn is not None
    (released,) = card._drawn.values
    assert part(window, MatrixView).selected()[1] == released
    answer = page(window).answer
    assert answer is not None
    assert np.allclose(card.plot.plot.bars[0].values, answer.mechanism.posterior(DESIGN.prior.probabilities, released))


def test_nothing_is_released_from_the_mechanism_before(qtbot: QtBot, window: MainWindow) -> None:
    card = part(window, ReleaseCard)
    page(window).changed.emit(CountDesign(3000, alpha="1/2"), "Change n")
    press_button(window, "Simulate once")
    assert page(window).drawing(1) is None and page(window).answer.design == DESIGN
    await_answers(qtbot, window)
    assert page(window).outcomes.get("draw") is None and card._drawn is None and not card._said
    press_button(window, "Simulate once")
    qtbot.waitUntil(lambda: "Simulated: " in "".join(card._said), timeout=WAIT)


def test_a_count_of_a_larger_design_is_typed_while_its_mechanism_is_computed(qtbot: QtBot, window: MainWindow) -> None:
    count = part(window, ReleaseCard).count
    page(window).changed.emit(CountDesign(3000, alpha="1/2"), "Change n")
    assert page(window).answer.design == DESIGN
    count.setFocus()
    count.selectAll()
    QTest.keyClicks(count, "15")
    await_answers(qtbot, window)
    assert count.text() == "15"  # the mechanism that arrives leaves the digits alone
    QTest.keyClicks(count, "00")
    QTest.keyClick(count, Qt.Key.Key_Return)
    assert page(window).view["row"] == 1500 and count.value() == 1500


def test_a_delta_does_not_wait_for_the_curves_without_it(qtbot: QtBot, window: MainWindow) -> None:
    page(window).mark_stale("curves")
    assert page(window)._results.curves._word.full_text == "computing…"
    page(window).changed.emit(DESIGN.replace(delta="0.01"), "Add δ")
    await_answers(qtbot, window)
    assert page(window)._results.curves._word.full_text == "found out, of 100"


def test_a_mechanism_that_ignores_the_data_has_no_disclosure_risk(qtbot: QtBot, window: MainWindow) -> None:
    page(window).changed.emit(CountDesign(1, alpha="1/2", prior=("9", "1")), "Change the prior")
    await_answers(qtbot, window)
    control, risk = part(window, PrivacyControl), part(window, RiskCard)
    assert control.odds_label.text() == "The mechanism shown has ε = 0. A 50\u00a0:\u00a050 bet on one row does not change."
    assert [text for text in risk.bars.texts() if "50:50" in text] == ["50:50 bets won: 50"]


def test_before_an_audience_only_pictures_slider_and_large_buttons_stay(qtbot: QtBot, window: MainWindow) -> None:
    card, picker, control = part(window, ReleaseCard), part(window, LossPicker), part(window, PrivacyControl)
    editor, height = part(window, DistributionEditor), card._once.height()
    window.presenting.start()
    qtbot.waitUntil(lambda: card._once.height() >= 1.3 * height, timeout=WAIT)
    assert not editor.controls.isVisible() and not picker.more.isVisible() and not control.epsilon_box.isVisible()
    assert [name for name, thumbnail in picker.thumbnails.items() if thumbnail.isVisible()] == ["absolute"]
    assert control.slider.isVisible() and editor.plot.isVisible() and not page(window)._inputs._n.isVisible()
    preferences().choose(reduced_motion=True)
    QTest.mouseClick(next(b for b in card.findChildren(QPushButton) if b.text() == "× 100"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: lying(window) == 100, timeout=WAIT)
    window.presenting.stop()
    qtbot.waitUntil(lambda: editor.controls.isVisible() and control.epsilon_box.isVisible(), timeout=WAIT)
    assert len(picker.tiles.seen) >= 3 and picker.more.isVisible() and page(window)._inputs._n.isVisible()
    assert card._once.minimumHeight() == 0


def test_a_selection_of_a_larger_design_waits_for_its_mechanism(window: MainWindow) -> None:
    card = part(window, ReleaseCard)
    card.set_mechanism(DESIGN, Table(DESIGN.privacy, np.full((7, 7), 1 / 7), 0))
    press_button(window, "Posterior")
    card.set_selected(3, 2)
    before = card._heading.text()
    card.set_selected(9, 8)
    assert card._heading.text() == before
    card.set_selected(3, 4)
    assert card._heading.text() != before


def test_another_true_count_brings_its_most_probable_release_also_after_another_one_was_chosen(
    qtbot: QtBot, window: MainWindow
) -> None:
    card, matrix = part(window, ReleaseCard), page(window).answer.mechanism
    assert page(window).view["column"] == matrix.row(page(window).view["row"]).argmax()
    for row in (5, 0):
        card.count.setValue(row)
        assert (page(window).view["row"], page(window).view["column"]) == (row, matrix.row(row).argmax())
    part(window, DistributionEditor).selected.emit(4)
    assert (page(window).view["row"], page(window).view["column"]) == (4, matrix.row(4).argmax())
    chosen = next(column for column in range(7) if column != matrix.row(4).argmax())
    card.columnSelected.emit(chosen)
    card.count.setValue(2)
    assert (page(window).view["row"], page(window).view["column"]) == (2, matrix.row(2).argmax())
    card.columnSelected.emit(chosen)
    card.posterior.setChecked(True)
    part(window, DistributionEditor).selected.emit(3)
    assert (page(window).view["row"], page(window).view["column"]) == (3, chosen), "a posterior stays that of its release"
