"""The "Why?" panel: opens and closes by key and menu, follows what is shown, gives the focus back, says every case truly."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest
from desktop.count_window import count_and_noise
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSplitter, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.pages.kit.summary import explained, promise
from dpdesigner.desktop.window.help_window import HelpWindow
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.count.answer import CountOverview, linear_program
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign

PARITY = [["0" if (i - r) % 2 == 0 else "1" for r in range(6)] for i in range(6)]
WAIT = 10_000


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    return count_and_noise(qtbot, monkeypatch)


def count_text(design: CountDesign, exact: bool = False, lp_check: bool = False) -> str:
    outcome = solve(design, exact=exact)
    found = explained(CountOverview.of(outcome, linear_program(design) if lp_check else None))
    return found.title + found.plain + found.formula + found.sources


def test_outside_the_theorem_it_can_be_the_best_all_the_same() -> None:
    text = count_text(CountDesign(2, alpha="1/2", loss=[[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    assert "It is still the best here: the prices above prove it for this design." in text


def test_it_opens_by_key_follows_the_design_and_closes(qtbot: QtBot, window: MainWindow) -> None:
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert window.why.isVisible() and window.menus.why.isChecked() and window.why.plain.hasFocus()
    assert "wins at most 67 times in 100" in window.why.as_text() and "75 times in 100" not in window.why.as_text()
    window.document.change(CountDesign(5, alpha="1/3"), "Change epsilon")
    qtbot.waitUntil(lambda: "at most 75 times in 100" in window.why.as_text(), timeout=WAIT)
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert not window.why.isVisible() and not window.menus.why.isChecked()


def test_a_click_on_the_badge_opens_it(window: MainWindow) -> None:
    QTest.mouseClick(window.header.badge, Qt.MouseButton.LeftButton)
    assert window.why.isVisible()


def test_it_follows_to_another_page_and_stays_quiet_while_closed(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.why.trigger()
    window.document.select(1)
    qtbot.waitUntil(lambda: "Geng and Viswanath" in window.why.as_text(), timeout=WAIT)
    window.menus.why.trigger()
    before = window.why.as_text()
    window.document.select(0)
    qtbot.wait(100)
    assert window.why.as_text() == before


def test_formulas_are_one_click_away_and_all_can_be_copied(window: MainWindow) -> None:
    why = window.why
    window.menus.why.trigger()
    assert not why.formula.isVisible()
    QTest.mouseClick(why.expander, Qt.MouseButton.LeftButton)
    assert why.formula.isVisible() and "g_(ij)" in why.formula.accessibleName()
    QTest.mouseClick(why.copy_button, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Why is this the best?") and "α^(|i − j|)" in copied and "Ghosh" in copied


class Heights(QObject):
    """Notes each height that a widget is given."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.seen: list[int] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.seen.append(watched.height())
        return False


def test_it_is_placed_once_after_all_that_moves_together(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(2400, 900)
    window.menus.why.trigger()
    qtbot.waitUntil(lambda: window.why.height() == window.stage.height() - 12)
    heights = Heights(window.why)
    for height in (700, 760, 820):
        window.resize(2400, height)
    assert not heights.seen
    qtbot.waitUntil(lambda: window.why.height() == window.stage.height() - 12)
    assert len(heights.seen) == 1


def test_it_covers_the_right_and_stands_beside_where_there_is_room(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 720)
    window.menus.why.trigger()
    assert window.host.width() > 1100
    assert window.why.geometry().right() <= window.why.parentWidget().width()
    window.resize(2400, 900)
    qtbot.waitUntil(lambda: window.host.width() < 2400 - window.why.width(), timeout=WAIT)
    window.menus.why.trigger()
    qtbot.waitUntil(lambda: window.host.width() > 2400 - window.why.width(), timeout=WAIT)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_it_begins_where_a_column_begins(qtbot: QtBot, window: MainWindow, scale: float) -> None:
    window.resize(1280, 720)
    window.menus.why.trigger()
    preferences().choose(text_scale=scale)

    def begins() -> bool:
        assert window.host.page is not None
        columns = window.host.page.findChild(QSplitter)
        places = [columns.widget(place).mapTo(window, QPoint()).x() for place in (1, 2) if columns.widget(place).isVisible()]
        return window.why.mapTo(window, QPoint()).x() in places

    try:
        qtbot.waitUntil(begins, timeout=WAIT)
    finally:
        preferences().choose(text_scale=1.0)


def test_presenting_hides_it_and_brings_it_back(window: MainWindow) -> None:
    window.menus.why.trigger()
    window.presenting.start()
    assert not window.why.isVisible() and not window.menus.why.isChecked()
    window.presenting.stop()
    assert window.why.isVisible() and window.menus.why.isChecked()


def test_it_leads_on_to_the_page_of_the_help_that_fits(qtbot: QtBot, window: MainWindow) -> None:
    window.menus.why.trigger()
    QTest.mouseClick(window.why.help_button, Qt.MouseButton.LeftButton)
    found = window.findChild(HelpWindow)
    assert isinstance(found, HelpWindow) and found.isVisible() and found.current_page.name == "certificate"
    window.document.select(1)
    qtbot.waitUntil(lambda: "Geng and Viswanath" in window.why.as_text(), timeout=WAIT)
    QTest.mouseClick(window.why.help_button, Qt.MouseButton.LeftButton)
    assert found.current_page.name == "noise"
    found.close()


def test_covered_designs_name_the_theorem_and_the_rounding() -> None:
    text = count_text(CountDesign(5, alpha="1/2"), lp_check=True)
    assert "Why is this the best?" in text
    assert "(Theorem 3.1) for losses that, for each true count, grow with the distance, as yours does" in text
    assert "due to floating-point rounding" in text and "The two agree within" in text and "Outside the theorem" not in text
    wider = count_text(CountDesign(5, alpha="1/2", loss="pinball:3/4"))
    assert "(Theorem A)" in wider and "as yours does" not in wider
    exact = count_text(CountDesign(5, alpha="1/2"), exact=True)
    assert "computed in fractions" in exact and "due to floating-point rounding" not in exact
    value = solve(CountDesign(5, alpha="1/2"), exact=True).value
    assert isinstance(value, Fraction) and f"is {value} (" in exact


def test_outside_the_theorem_only_the_gap_is_claimed_until_the_program_is_done() -> None:
    design = CountDesign(5, alpha="1/2", loss=PARITY)
    open_text = count_text(design)
    assert "How near is this to the best?" in open_text and "no more than this can be saved" in open_text
    assert "Theorem 3.1" not in open_text and "Outside the theorem" in open_text
    decided = count_text(design, lp_check=True)
    assert "Why is this the best?" in decided and "found this one" in decided
    assert "for this prior and this loss only" in decided and "less than geometric + remap" in decided
    assert "due to floating-point rounding" not in decided and "geometric mechanism G" not in decided


def test_the_ends_of_the_scale_are_told_truly() -> None:
    nothing = count_text(CountDesign(4, alpha=0))
    assert "No privacy at all" in nothing and "can become certain" in nothing
    assert "releases the value that costs least there" in nothing and "adds noise" not in nothing
    total = count_text(CountDesign(4, alpha=1))
    assert "It always releases 2," in total and "does not change" in total and "restricted to 0…n" in total
    assert "no theorem is needed" in nothing and "no theorem is needed" in total
    alone = count_text(CountDesign(0, alpha="1/2"))
    assert "Only the count 0 is possible" in alone and "There is no other mechanism" in alone and "Theorem" not in alone[:600]
    weak = count_text(CountDesign(3, epsilon=40))
    assert "1 chance in 2.4e17" in weak and "very many times less likely" in weak
    parity = count_text(CountDesign(5, alpha=0, loss=PARITY))
    assert "Outside the theorem" not in parity


def test_a_huge_design_says_how_many_columns_were_tested() -> None:
    design = CountDesign(20_000, epsilon="0.1")
    outcome = solve(design)
    whole = explained(CountOverview(outcome))
    assert "all 20 001 columns checked" in whole.formula and "Theorem A covers the rest" not in whole.plain
    basis = "Theorem A; 300 of 20 001 columns checked"
    certificate = dataclasses.replace(outcome.certificate, checked=300, basis=basis)
    part = explained(CountOverview(dataclasses.replace(outcome, certificate=certificate)))
    assert "tested on 300 of the 20\u202f001 values" in part.plain and "300 of 20 001 columns checked" in part.formula


def test_no_linear_program_is_promised_where_none_is_run() -> None:
    assert "A linear program decides" in count_text(CountDesign(20, epsilon=1, loss="expression:(i-r)%3"))
    large = count_text(CountDesign(201, epsilon=1, loss="expression:(i-r)%3"))
    assert "A linear program decides" not in large and "Above n = 200 it is not computed" in large


def test_uniqueness_is_told_only_where_it_holds() -> None:
    unique = "G is the only optimum"
    assert unique in count_text(CountDesign(4, alpha="1/2", loss="zero-one"))
    assert unique not in count_text(CountDesign(4, alpha=1, loss="zero-one"))
    assert unique not in count_text(CountDesign(4, alpha="1/2", loss="absolute"))
    assert unique not in count_text(CountDesign(1, alpha="1/2", loss="zero-one", prior=["1/4", "3/4"]))


def noise_text(study: NoiseDesign | HistogramDesign) -> str:
    answer = study.run()
    found = explained(answer)
    return found.title + found.plain + found.formula + found.sources


def test_noise_is_called_best_only_where_it_is_proved() -> None:
    best = noise_text(NoiseDesign(epsilon=1))
    assert "Why is this the best noise?" in best and "no other noise added to the answer costs less" in best
    assert "sinh" in best and "Δ ε / 24" in best and "[Geng]" not in best and "(Geng and Viswanath)" not in best
    chosen = noise_text(NoiseDesign(gamma="0.9", epsilon=1))
    assert "How good is this noise?" in chosen and "You chose the position of the step" in chosen and "% more" in chosen
    assert "Δ ε / 24" not in chosen
    several = noise_text(NoiseDesign(dimension=3, epsilon=1))
    assert "How good is this noise?" in several and "conjectured, not proved here" in several and "2601.14597" in several
    assert "Geng and Viswanath prove" not in several
    two = noise_text(NoiseDesign(dimension=2, epsilon=1))
    assert "prove that for two answers" in two and "sinh" not in two


def test_integer_noise_of_sensitivity_one_is_geometric_and_as_good_as_laplace() -> None:
    one = noise_text(NoiseDesign("integer", epsilon=1))
    assert "geometric mechanism of the Count page" in one and "Laplace noise costs the same" in one
    assert "Laplace noise falls everywhere" not in one
    assert "Laplace noise falls everywhere" in noise_text(NoiseDesign(epsilon="0.1"))  # 0.4% more
    five = noise_text(NoiseDesign("integer", sensitivity=5, epsilon=1))
    assert "no other whole-number noise" in five and "geometric mechanism of the Count page" not in five
    squared = noise_text(NoiseDesign(cost="squared", epsilon=2, delta="0.01"))
    assert "Δ² / 12" in squared and "With a δ" in squared


def test_a_histogram_says_what_its_neighbours_are() -> None:
    leaving = noise_text(HistogramDesign(cells="0, 18, 65", epsilon=1))
    assert "that your row is in the data" in leaving and "If your row were left out" in leaving
    assert "each cell may use all of ε" in leaving
    assert "no whole-number noise added to the cells costs less, dependent or not" in leaving
    assert "were different" not in leaving
    replaced = noise_text(HistogramDesign(cells="0, 18, 65", neighbours="replace", epsilon=1))
    assert "If your row were different" in replaced and "may use half of ε" in replaced and "not proved" in replaced
    assert "It is not known here" in replaced and "dependent or not" not in replaced


def test_a_table_claims_the_privacy_that_it_has() -> None:
    outcome = ChoiceDesign.starting(epsilon=1, neighbours="any").run()
    found = explained(outcome)
    assert found.title == "How good is this choice?" and "It is a limit, not a rule" in found.plain
    assert promise(outcome.attained, "change") in found.plain and "e<sup>1.776</sup>" in found.plain


def test_the_proof_has_a_picture(qtbot: QtBot, window: MainWindow) -> None:
    window.document.change(CountDesign(20, epsilon="ln 2"), "Change n")
    window.why.set_open(True)
    qtbot.waitUntil(lambda: bool(window.why.formula.text()))
    assert not window.why.picture.isVisible(), "the words come first"
    window.why.expander.click()
    qtbot.waitUntil(lambda: window.why.picture.isVisible() and "equals your expected loss, 1.2064" in window.why.under.text())
    assert [line.name for line in window.why.picture.plot.lines] == ["yours", "prices"]
