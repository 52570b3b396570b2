"""Histograms, choices among a few outputs and budgets on the noise page, with mouse and keys."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.pages.noise import NoisePage
from dpdesigner.desktop.pages.noise.sensitivity_dialog import SensitivityDialog
from dpdesigner.desktop.theme import theme
from dpdesigner.desktop.widgets.histogram_plot import Bars, HistogramPlot
from dpdesigner.desktop.widgets.number_text import at_most
from dpdesigner.errors import InputError
from dpdesigner.studies.noise import NoiseStudy
from dpdesigner.studies.noise_histogram import HistogramQuery
from dpdesigner.studies.study import silent

LEFT = Qt.MouseButton.LeftButton
VISITS = HistogramQuery("0..5", "replace", "example:doctor_visits.csv", "visits")


class Window:
    """Does what the window does: takes what the page asks for, runs its jobs, shows what they give."""

    def __init__(self, page: NoisePage) -> None:
        self.page, self.study = page, NoiseStudy()
        page.changed.connect(self.change)
        page.requested.connect(self.run)
        self.show(NoiseStudy("histogram", epsilon=1))

    def change(self, study: NoiseStudy, label: str) -> None:
        assert label
        self.show(study)

    def show(self, study: NoiseStudy) -> None:
        self.study = study
        self.page.set_study(study)
        for job in self.page.jobs(study):
            self.run(job)

    def run(self, job) -> None:
        try:
            self.page.outcomes[job.name] = job.run(silent)
        except InputError as error:
            self.page.outcomes.pop(job.name, None)
            self.page.show_failure(job.name, error)
        else:
            self.page.show_outcome(job.name, self.page.outcomes[job.name])


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    page = NoisePage()
    qtbot.addWidget(page)
    page.resize(1196, 650)
    with qtbot.waitExposed(page):
        page.show()
    return Window(page)


def test_nothing_is_drawn_before_there_is_something_to_count(window: Window) -> None:
    panel = window.page._pictures.histogram
    assert panel.sentence.isVisible() and not panel.counts.isVisible() and not panel.errors.isVisible()
    window.change(NoiseStudy("histogram", epsilon=1, histogram=VISITS), "Open data")
    assert panel.counts.isVisible() and panel.errors.isVisible()
    window.change(NoiseStudy("histogram", epsilon=1), "Undo")
    assert not panel.counts.isVisible()


def press(button) -> None:
    QTest.mouseClick(button, LEFT)


def typed(box, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def test_the_example_is_released_beside_the_truth(window: Window) -> None:
    panel = window.page._pictures.histogram
    assert not panel.release.isEnabled()
    press(panel.example)
    assert window.study.histogram.path == "example:doctor_visits.csv" and panel.release.isEnabled()
    assert panel._truth.counts.sum() == 20190
    assert "Rows counted: 20\u00a0190" in panel.sentence.text()
    press(panel.release)
    wrong = panel._released.release.released - panel._truth.counts
    assert np.abs(wrong).max() < 60 and panel.release.text() == "Release again"
    assert f"wrong by {at_most(float(np.abs(wrong).mean()))} on average" in panel.sentence.text()
    press(panel.release)
    assert "2 releases of these data since the program was started: whoever sees them all sees ε = 2" in panel.sentence.text()
    cell = panel.counts.read_out(3)
    assert cell[0] == "3" and cell[1].startswith("truth: 1") and cell[2].startswith("released: 1")
    press(panel.truth)
    assert len(panel.counts.read_out(3)) == 2


def test_other_cells_of_the_same_data_are_one_more_look(window: Window) -> None:
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    panel = window.page._pictures.histogram
    press(panel.release)
    typed(window.page._inputs.query.cells, "0, 5")
    assert panel.released_bars() is None
    press(panel.release)
    assert "2 releases of these data since the program was started: whoever sees them all sees ε = 2" in panel.sentence.text()


def test_cells_that_most_rows_are_beyond_are_told(window: Window) -> None:
    panel = window.page._pictures.histogram
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    assert "last cell" not in panel.sentence.text()
    typed(window.page._inputs.query.cells, "0, 1")
    assert "in the last cell, 1 or more: other cells may tell more" in panel.sentence.text()


def test_choosing_a_histogram_opens_it_and_going_back_keeps_the_view(window: Window) -> None:
    window.show(NoiseStudy())
    card = window.page._pictures
    card.set_view("distribution")
    press(window.page._inputs.query.kinds["histogram"])
    assert card.view == "histogram"
    card.set_view("distribution")
    window.show(window.study.replace(epsilon=2))
    assert card.view == "distribution"
    press(window.page._inputs.query.kinds["integer"])
    assert card.view == "distribution" and "±" in card.sentence.text()


@pytest.fixture
def large_text() -> Iterator[None]:
    before = theme().scale
    theme().set_scale(2)
    yield
    theme().set_scale(before)


def test_nothing_is_left_out_or_covered_at_large_text(large_text: None, window: Window) -> None:
    page = window.page
    page.resize(1196, 571)
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    QApplication.processEvents()
    panel, query = page._pictures.histogram, page._inputs.query
    assert panel.errors.isVisible() and panel.errors.height() >= 200 and panel.counts.height() >= 260
    row, note = query.cells.parentWidget().parentWidget(), query.note
    assert row.height() >= row.heightForWidth(row.width()) and note.y() >= row.geometry().bottom()
    window.show(NoiseStudy(dimension=2))
    page._pictures.set_view("plane")
    QApplication.processEvents()
    assert page._pictures.plane.cut.isVisible() and page._pictures.plane.cut.height() >= 200
    page._pictures.set_view("density")
    assert page._pictures.second.height() >= 200


def test_neighbours_decide_the_sensitivity(window: Window) -> None:
    query = window.page._inputs.query
    assert "Δ = 1" in query.note.text() and window.page._costs.numbers["ε of each cell"].text() == "1.0"
    press(query.neighbours["replace"])
    assert window.study.histogram.neighbours == "replace" and "Δ = 2" in query.note.text()
    assert window.page._costs.numbers["ε of each cell"].text() == "0.5"
    assert window.page.summary().state == "open" and "histogram of 11 cells" in window.page.summary().line
    typed(query.cells, "0..500000 by 50000")
    assert len(window.study.histogram.edges) == 11
    typed(query.cells, "3, 2")
    assert "increasing" in query.error.text() and window.study.histogram.cells == "0..500000 by 50000"


def test_a_release_is_dropped_when_its_level_changes(window: Window) -> None:
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    panel = window.page._pictures.histogram
    press(panel.release)
    assert panel.released_bars() is not None
    window.show(window.study.replace(epsilon=2))
    assert panel.released_bars() is None and panel.release.text() == "Release once"


def test_counts_are_kept_only_when_asked(window: Window) -> None:
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    panel = window.page._pictures.histogram
    assert "counts" not in window.study.to_json()["histogram"] and "never the data" in panel.keeping.text()
    press(panel.keep)
    assert sum(window.study.to_json()["histogram"]["counts"]) == 20190 and "holds the true counts" in panel.keeping.text()
    press(panel.keep)
    assert window.study.histogram.counts is None


def test_a_file_is_opened_dropped_and_its_column_chosen(window: Window, tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,age,income\na,1,100\nb,2,\nc,1,5\n", "utf-8")
    panel, data = window.page._pictures.histogram, QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    assert mouse.drop(panel, QPointF(9, 9), data)
    assert (window.study.histogram.path, window.study.histogram.column) == (str(path), "age")
    assert panel._truth.counts.tolist()[:3] == [0, 2, 1]
    assert [panel.columns.itemText(k) for k in range(panel.columns.count())] == ["age", "income"]
    panel.columns.setFocus()
    QTest.keyClick(panel.columns, Qt.Key.Key_Down)
    assert window.study.histogram.column == "income" and panel._truth.outside == 1
    path.unlink()
    window.show(window.study.replace(histogram=HistogramQuery("0..3", path=str(path), column="age")))
    assert "no such file" in panel.error.text() and not panel.release.isEnabled()


def test_only_what_was_released_is_taken_away(window: Window, tmp_path) -> None:
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    with pytest.raises(InputError, match="never written"):
        window.page.write_tables(str(tmp_path), "a", ["csv"], False, silent)
    assert "histogram" not in {figure.name for figure in window.page.figures()}
    press(window.page._pictures.histogram.release)
    names = window.page.write_tables(str(tmp_path), "a", ["csv", "json"], False, silent)
    with (tmp_path / names[0]).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    released = window.page._pictures.histogram._released.release.released
    assert [int(row["released"]) for row in rows] == released.tolist() and set(rows[0]) == {"from", "released"}
    data = json.loads((tmp_path / names[1]).read_text("utf-8"))
    assert data["results"]["epsilon"] == 1 and "path" not in data["study"]["histogram"]
    figures = {figure.name: figure.widget for figure in window.page.figures()}
    assert {"histogram", "density", "density-ratio", "distribution", "epsilon", "epsilon-ratio", "costs"} == set(figures)
    with pytest.raises(InputError, match="formats must be"):
        window.page.write_tables(str(tmp_path), "a", ["xml"], False, silent)


def test_copy_takes_what_was_released_or_the_table(window: Window) -> None:
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    assert not window.page.copy()
    press(window.page._pictures.histogram.release)
    assert window.page.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    released = window.page._pictures.histogram._released.release.released
    assert lines[0] == "from\treleased" and [int(line.split("\t")[1]) for line in lines[1:]] == released.tolist()
    window.show(NoiseStudy("table"))
    assert window.page.copy() and len(QGuiApplication.clipboard().text().splitlines()) == 7
    window.show(NoiseStudy())
    window.page._pictures.set_view("budget")
    assert not window.page.copy()


def test_presenting_leaves_what_is_shown(window: Window) -> None:
    window.show(NoiseStudy("histogram", epsilon=1, histogram=VISITS))
    panel = window.page._pictures.histogram
    window.page.set_presenting(True)
    assert not panel.open.isVisible() and not panel.keep.isVisible() and panel.release.isVisible()
    press(panel.release)
    assert panel.released_bars() is not None
    window.page.set_presenting(False)
    assert panel.open.isVisible() and panel.keep.isVisible()


def test_the_calculator_takes_over_what_it_finds(window: Window) -> None:
    window.show(NoiseStudy())
    press(window.page._inputs.query.helper)
    dialog = window.page.findChild(SensitivityDialog)
    assert dialog.answer.text() == "Δ = 1"
    press(dialog.question.button(3))
    typed_bounds = ((dialog.low, "-20"), (dialog.high, "30"))
    for box, text in typed_bounds:
        box.selectAll()
        QTest.keyClicks(box, text)
    assert dialog.answer.text() == "Δ = 30"
    dialog.neighbours.button(1).click()
    assert dialog.answer.text() == "Δ = 50"
    dialog.high.selectAll()
    QTest.keyClicks(dialog.high, "-30")
    assert "must be below" in dialog.reason.text() and not dialog.take.isEnabled()
    dialog.question.button(1).click()
    assert dialog.answer.text() == "Δ = 2"
    press(dialog.take)
    assert (window.study.query, window.study.sensitivity) == ("real", "2")


def test_the_calculator_knows_means(window: Window) -> None:
    window.show(NoiseStudy())
    press(window.page._inputs.query.helper)
    dialog = window.page.findChild(SensitivityDialog)
    press(dialog.question.button(4))
    assert dialog.answer.text() == "Δ = 100/101"
    dialog.neighbours.button(1).click()
    assert dialog.answer.text() == "Δ = 1"
    dialog.rows.selectAll()
    QTest.keyClicks(dialog.rows, "30")
    assert dialog.answer.text() == "Δ = 10/3" and "how many rows" in dialog.reason.text()
    dialog.rows.selectAll()
    QTest.keyClicks(dialog.rows, "0")
    assert not dialog.take.isEnabled()
    QTest.keyClicks(dialog.rows, "\b30")
    press(dialog.take)
    assert (window.study.query, window.study.sensitivity) == ("real", "10/3")


def test_what_a_replaced_row_does_to_a_histogram_is_not_kept_for_a_number(window: Window) -> None:
    window.show(NoiseStudy("histogram", histogram=HistogramQuery(neighbours="replace")))
    assert window.study.sensitivity == 2
    for kind in ("integer", "histogram", "real", "histogram", "table"):
        press(window.page._inputs.query.kinds[kind])
        assert window.study.query == kind and window.study.sensitivity == (2 if kind in ("histogram", "table") else 1)


def test_the_calculator_leads_to_a_histogram(window: Window) -> None:
    window.show(NoiseStudy())
    press(window.page._inputs.query.helper)
    dialog = window.page.findChild(SensitivityDialog)
    dialog.question.button(2).click()
    dialog.neighbours.button(1).click()
    press(dialog.take)
    assert (window.study.query, window.study.sensitivity) == ("histogram", 2)


def test_a_table_is_edited_and_tells_its_privacy(window: Window, tmp_path) -> None:
    press(window.page._inputs.query.kinds["table"])
    card, table = window.page._pictures, window.page._pictures.table
    assert window.study.query == "table" and card.view == "table"
    assert "2ε-private in general" in card.sentence.text() and "ask for 0.5" in card.sentence.text()
    assert window.page.summary().badge.startswith("ε = 1.2")
    card.set_view("costs")
    table.grid.item(0, 5).setText("2")
    assert window.study.table.costs[0][5] == "2"
    table.grid.item(0, 5).setText("-1")
    assert "at least 0" in table.error.text() and window.study.table.costs[0][5] == "2"
    typed(table.answers, "3")
    assert len(window.study.table.costs) == 3
    typed(table.answers, "99")
    assert "between 2 and 60" in table.error.text()
    path = tmp_path / "costs.csv"
    path.write_text("0,1,1\n1,0,1\n1,1,0\n", "utf-8")
    table.read(str(path))
    assert window.study.table.costs == (("0", "1", "1"), ("1", "0", "1"), ("1", "1", "0"))
    assert "is ε-private" in card.sentence.text()
    table.read(str(tmp_path / "none.csv"))
    assert "no such file" in table.error.text()
    press(window.page._inputs.query.pairs["all"])
    assert window.study.table.neighbours == "all"
    (said,) = window.page.write_tables(str(tmp_path), "a", ["csv"], False, silent)
    name, _, verified = said.partition(": ")
    assert verified == "every row sums to exactly 1 and ε is at most 1.0, checked on the text"
    with (tmp_path / name).open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert float(rows[1][1]) == pytest.approx(window.page._answer.mechanism.matrix[0, 0], rel=1e-15)
    assert {figure.name for figure in window.page.figures()} == {"table", "costs"}


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_cost_has_room_at_any_size_of_text(window: Window, scale: float) -> None:
    window.show(NoiseStudy("table"))
    window.page.set_view_state({"view": "costs"})
    grid = window.page._pictures.table.grid
    theme().set_scale(scale)
    try:
        assert min(grid.columnWidth(k) for k in range(grid.columnCount())) >= 40 * scale
        assert min(grid.rowHeight(k) for k in range(grid.rowCount())) >= grid.fontMetrics().height()
    finally:
        theme().set_scale(1.0)


def test_a_budget_is_shared(window: Window) -> None:
    window.show(NoiseStudy(epsilon=1))
    card = window.page._pictures
    card.set_view("budget")
    alone, *shared = card.budget.bars.texts()
    assert "one answer alone" in alone and "each of 2, ε = 0.5" in shared[0] and "each of 10, ε = 0.1" in shared[-1]
    typed(card.budget.weights, "1, 1, 2")
    assert window.study.weights == ("1", "1", "2")
    texts = card.budget.bars.texts()
    assert len(texts) == 4 and "ε = 0.25" in texts[1] and "ε = 0.5" in texts[3]
    typed(card.budget.weights, "1, -1")
    assert "positive" in card.budget.note.text().lower() and len(window.study.weights) == 3
    card.budget.weights.selectAll()
    QTest.keyClick(card.budget.weights, Qt.Key.Key_Delete)
    QTest.keyClick(card.budget.weights, Qt.Key.Key_Return)
    assert window.study.weights == ()


def test_two_answers_are_a_picture(window: Window) -> None:
    window.show(NoiseStudy(epsilon=1, dimension=2))
    card, plane = window.page._pictures, window.page._pictures.plane
    assert card.view == "plane" and "for d = 2; it is conjectured" in card.sentence.text()
    plot = plane.staircase.figure()
    mouse.move(plot.viewport(), QPointF(plot.frame.x(0.25), plot.frame.y(-0.25)))
    assert "0.202 for the staircase" in card.sentence.text() and "L1 norm 0.5" in card.sentence.text()
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    assert "for d = 2; it is conjectured" in card.sentence.text()
    plane.staircase.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up):
        QTest.keyClick(plane.staircase, key)
    assert "Noise (0.200, 0.200), its L1 norm 0.400" in card.sentence.text()
    for _ in range(30):
        QTest.keyClick(plane.staircase, Qt.Key.Key_Left)
    assert "Noise (−4.00, 0.200)" in card.sentence.text()
    plane.staircase.clearFocus()
    assert "for d = 2; it is conjectured" in card.sentence.text()
    window.show(NoiseStudy(epsilon=1, dimension=3))
    assert card.view == "density"


def test_geometric_noise_is_sent_to_the_count_page(window: Window) -> None:
    sent = QSignalSpy(window.page.designRequested)
    window.show(NoiseStudy("integer", epsilon="1/2", sensitivity=1, cost="squared"))
    press(window.page._costs.send)
    design = sent.at(0)[0]
    assert (design.kind, design.privacy, design.n) == ("count", window.study.privacy, 20)
    assert design.loss.name == "squared"
    window.show(NoiseStudy(epsilon=1, gamma="1/2"))
    assert window.page._costs.send.isVisible()
    window.show(NoiseStudy(epsilon=1, gamma="0.4"))
    assert not window.page._costs.send.isVisible()
    window.page.send_to_count()
    assert sent.count() == 1


def test_the_plot_reads_cells_with_mouse_and_keys(qtbot: QtBot) -> None:
    plot = HistogramPlot()
    qtbot.addWidget(plot)
    plot.resize(400, 200)
    with qtbot.waitExposed(plot):
        plot.show()
    plot.set_cells(["a", "b", "c"], "x", "people")
    plot.set_bars([Bars("one", np.array([1.0, -2.0, 12345.0]), "quiet"), Bars("two", np.zeros(3), "accent")], 5.0)
    found = QSignalSpy(plot.cellHovered)
    figure = plot.figure()
    mouse.move(figure.viewport(), QPointF(figure.frame.x(2), figure.frame.area.center().y()))
    assert found.at(0)[0] == 2 and "12\u00a0345" in plot.accessibleDescription()
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert found.at(1)[0] == 1 and "one: −2" in plot.accessibleDescription()
    plot.show_cell(-1)
    assert found.count() == 2 and plot.accessibleDescription() == ""
    assert plot.grab().width() == 400
