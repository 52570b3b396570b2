"""F6 walks from pane to pane; what takes long is said in the result's place, can be stopped, and goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desktop.count_window import WAIT, await_answers, opened, page, part
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.pages.kit.editor_column import PrivacyCard
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, CountDesign(20, alpha="1/2", name="Flu")) as found:
        yield found


def focused(window: MainWindow) -> QWidget:
    found = window.focusWidget()
    assert found is not None
    return found


def test_f6_walks_through_the_panes_and_back(window: MainWindow) -> None:
    seen = []
    kinds = (DistributionPlot, MatrixView, CurvePlot, CostBars, CostBars, CurvePlot)
    for _ in range(9):
        window.menus.next_pane.trigger()
        seen.append(focused(window))
    assert seen[0].accessibleName().startswith("n, ") and window.header.isAncestorOf(seen[0])
    for widget, kind in zip((seen[1], *seen[4:]), kinds, strict=True):
        assert isinstance(widget, kind)
    assert any(isinstance(card, PrivacyCard) and card.isAncestorOf(seen[3]) for card in window.findChildren(Card))
    window.menus.next_pane.trigger()
    assert focused(window) is seen[0]
    for widget in reversed(seen):
        window.menus.previous_pane.trigger()
        assert focused(window) is widget
    assert window.menus.next_pane.shortcut().toString() == "F6"


def test_f6_comes_to_a_folded_card(window: MainWindow) -> None:
    card = page(window)._inputs.cards[1]
    card.set_folded(True)
    for _ in range(3):
        window.menus.next_pane.trigger()
    assert focused(window) is card


def test_a_long_solution_is_said_can_be_stopped_and_goes_on(qtbot: QtBot, window: MainWindow) -> None:
    result, header = window.header.result, window.header
    window.document.change(window.document.study.replace(n=300_000), "Set n")
    qtbot.waitUntil(lambda: result.sentence.text().startswith("Solving"), timeout=WAIT)
    assert result.busy and result.stop.text() == "Stop" and header.badge.text() == "computing…"
    QTest.mouseClick(result.stop, Qt.MouseButton.LeftButton)
    assert result.sentence.text() == "Stopped. The page still shows the previous result."
    assert header.badge.text() == "stopped" and result.stop.text() == "Continue" and result.stop.isVisible()
    qtbot.waitUntil(lambda: not window.runner.long, timeout=WAIT)
    assert result.busy
    QTest.mouseClick(result.stop, Qt.MouseButton.LeftButton)
    assert header.badge.text() == "computing…"
    await_answers(qtbot, window)
    qtbot.waitUntil(lambda: not result.busy, timeout=WAIT)
    assert result.sentence.text().startswith("<b>The published count") and header.badge.text().startswith("✓ proved")
    assert part(window, DistributionPlot).isVisible()


def test_where_no_version_of_a_sentence_fits_the_answer_stands_alone(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window)
    result = window.header.result
    more = "The first plan promises less than all of the others together, in every column of every table. " * 3
    result.set_sentence([f"{more}{more}", f"500 rows are enough. {more}"])
    assert result.sentence.text() == "<b>500 rows are enough.</b>" and more[:40] in result.sentence.toolTip()
    result.set_sentence([f"500 rows are enough: {more}".replace(".", ",")])
    assert result.sentence.text().endswith("…")


def test_what_is_proved_does_not_say_that_it_is_being_solved(qtbot: QtBot, window: MainWindow) -> None:
    await_answers(qtbot, window)
    window.runner.long = ("costs", "lp_check")
    window.runner.working.emit("linear program", None)
    assert window.header.result.stop.text() == "Stop computing" and "olving" not in window.header.result.sentence.text()
    window.runner.long = ("solve",)
    window.runner.working.emit("computing", 0.5)
    assert window.header.result.sentence.text().endswith("Solving, 50% …")
    window.runner.idle.emit()
    assert not window.header.result.busy
