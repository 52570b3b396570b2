"""The matrix view: what it says, shows and asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import pytest
from desktop import mouse
from desktop.base.test_contrast import contrast
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.plots.matrix_colour import Scale, colour_table, scale_for
from dpdesigner.desktop.plots.matrix_text import MOST_CELLS
from dpdesigner.desktop.plots.matrix_view import MatrixView
from dpdesigner.desktop.plots.plot_layer import font
from dpdesigner.errors import InputError
from dpdesigner.studies.matrices import Binding, Cells, Matrix, dense_cells, glance, pattern_source


def geometric(n: int, alpha: float = 0.5) -> np.ndarray:
    """The range-restricted geometric mechanism."""
    ends = np.full(n + 1, (1 - alpha) / (1 + alpha))
    ends[[0, -1]] = 1 / (1 + alpha)
    return alpha ** np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1))) * ends


def show(view: MatrixView, cells: Cells, **parts: Any) -> None:
    view.show_matrix(Matrix("matrix", "", cells, **parts))


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[MatrixView]:
    theme().set_scheme("light")
    widget = MatrixView()
    qtbot.addWidget(widget)
    widget.resize(460, 520)
    with qtbot.waitExposed(widget):
        widget.show()
    show(widget, dense_cells(geometric(20)), ratio_limit=2.0)
    yield widget


def pixel_of(view: MatrixView, row: int, column: int) -> QPoint:
    frame = view.figure().frame
    return QPointF(frame.x(column), frame.y(row)).toPoint()


def click(view: MatrixView, row: int, column: int) -> None:
    QTest.mouseClick(view.figure().viewport(), Qt.MouseButton.LeftButton, pos=pixel_of(view, row, column))


def hover(view: MatrixView, row: int, column: int) -> None:
    mouse.move(view.figure().viewport(), QPointF(pixel_of(view, row, column)))


def turn(view: MatrixView, row: int, column: int, notches: int) -> None:
    mouse.turn(view.figure().viewport(), QPointF(pixel_of(view, row, column)), notches)


def colour_at(view: MatrixView, row: int, column: int) -> QColor:
    return view.figure().grab().toImage().pixelColor(pixel_of(view, row, column))


def test_says_probability_odds_and_ratio(view: MatrixView) -> None:
    view.set_selected(7, 9)
    assert view.read_out() == "7 is released as 9: 0.0833 (1 in 12); ratio to next row 2.00, limit 2.00"
    assert view.accessibleDescription() == view.read_out()


def test_last_row_is_compared_with_the_one_before(view: MatrixView) -> None:
    view.set_selected(20, 20)
    assert view.read_out() == "20 is released as 20: 0.667 (67%); ratio to previous row 2.00, limit 2.00"


def test_equal_probabilities_have_the_strongest_colour_on_either_scale(view: MatrixView) -> None:
    view.set_matrix(np.eye(5))
    view.set_selected(-1, -1)
    linear = view.grab().toImage()
    view.set_log(True)
    assert view.grab().toImage() == linear


def test_says_zero_exactly_and_an_infinite_ratio(view: MatrixView) -> None:
    show(view, dense_cells([[0.0, 1.0], [0.5, 0.5]]), ratio_limit=3.0)
    view.set_selected(0, 0)
    assert view.read_out() == "0 is released as 0: 0 exactly; ratio to next row ∞, above the limit 3.00"
    view.set_matrix([[0.0, 1.0], [0.0, 1.0]])
    assert view.read_out() == "0 is released as 0: 0 exactly; next row also 0"


def test_says_fractions_and_what_doubles_cannot_hold(view: MatrixView) -> None:
    exact = [["1/48", "47/48"], ["3.1e-434", "1"]]
    show(view, dense_cells([[1 / 48, 47 / 48], [0.0, 1.0]]), texts=lambda i, r: exact[i][r])
    view.set_selected(0, 0)
    assert view.read_out().startswith("0 is released as 0: 1/48 = 0.0208 (1 in 48); ")
    view.set_selected(1, 0)
    assert view.read_out().startswith("1 is released as 0: 3.1e-434; ")


def test_columns_are_called_by_their_names(view: MatrixView) -> None:
    show(view, dense_cells([[0.5, 0.5], [0.25, 0.75]], names=("0", "6")))
    view.set_selected(1, 1)
    assert view.read_out().startswith("1 is released as 6: 0.750") and view.as_text().startswith("true\\released\t0\t6\n")
    axis = view.figure().axes.horizontal
    assert [tick.text for tick in axis.finder(-0.5, 1.5, 5)] == ["0", "6"]
    show(view, dense_cells([[0.5, 0.5], [0.25, 0.75]], names=("few", "many")))
    assert [tick.text for tick in axis.finder(-0.5, 1.5, 5)] == ["few", "many"]


def test_differences_are_signed(view: MatrixView) -> None:
    view.set_matrix([[0.25, -0.5], [0.0, 0.25]], kind="difference")
    view.set_selected(0, 0)
    assert view.read_out() == "0 is released as 0: +0.250"
    view.set_selected(0, 1)
    assert view.read_out() == "0 is released as 1: −0.500"


def test_selecting_from_outside_is_silent(view: MatrixView) -> None:
    rows, columns = QSignalSpy(view.rowSelected), QSignalSpy(view.columnSelected)
    view.set_selected(3, 4)
    assert view.selected() == (3, 4)
    assert rows.count() == columns.count() == 0


def test_click_selects_row_and_column(view: MatrixView) -> None:
    rows, columns = QSignalSpy(view.rowSelected), QSignalSpy(view.columnSelected)
    click(view, 7, 9)
    assert (rows.at(0), columns.at(0)) == ([7], [9])
    assert view.selected() == (7, 9)
    click(view, 7, 3)
    assert rows.count() == 1
    assert columns.at(1) == [3]
    assert view.selected() == (7, 3)


def test_click_beside_the_matrix_selects_nothing(view: MatrixView) -> None:
    rows = QSignalSpy(view.rowSelected)
    QTest.mouseClick(view.figure().viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert rows.count() == 0


def test_dragging_over_an_unzoomed_matrix_moves_the_selection(view: MatrixView) -> None:
    rows = QSignalSpy(view.rowSelected)
    mouse.drag(view.figure().viewport(), [QPointF(pixel_of(view, row, 2 * row)) for row in (2, 3, 5)])
    assert [rows.at(k)[0] for k in range(rows.count())] == [2, 3, 5]
    assert view.selected() == (5, 10)


def test_hover_tells_and_leaving_restores(view: MatrixView, qtbot: QtBot) -> None:
    view.set_selected(1, 1)
    with qtbot.waitSignal(view.hovered) as signal:
        hover(view, 4, 6)
    assert signal.args == [4, 6]
    assert view.read_out().startswith("4 is released as 6: ")
    view.figure().left.emit()
    assert view.read_out().startswith("1 is released as 1: ")


def test_arrow_keys_move_the_selection(view: MatrixView, qtbot: QtBot) -> None:
    view.set_selected(0, 5)
    rows, columns = QSignalSpy(view.rowSelected), QSignalSpy(view.columnSelected)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
        QTest.keyClick(view, key)
    assert view.selected() == (1, 4)
    assert [rows.at(k)[0] for k in range(rows.count())] == [1]
    assert [columns.at(k)[0] for k in range(columns.count())] == [6, 5, 4]


def test_copies_the_selection_as_text(view: MatrixView) -> None:
    view.set_matrix([[0.5, 0.5], [0.25, 0.75]])
    assert view.selection_as_text() == view.as_text() == "true\\released\t0\t1\n0\t0.5\t0.5\n1\t0.25\t0.75"
    view.set_selected(1, None)
    assert view.selection_as_text() == "true\\released\t0\t1\n1\t0.25\t0.75"
    view.set_selected(1, 0)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    both = "true\\released\t0\t1\n1\t0.25\t0.75\n\ntrue\\released\t0\n0\t0.5\n1\t0.25"
    assert QGuiApplication.clipboard().text() == both


def test_wheel_zooms_double_click_shows_all(view: MatrixView) -> None:
    plot = view.figure()
    under = plot.cell_at(QPointF(pixel_of(view, 10, 12)))
    turn(view, 10, 12, 3)
    assert plot.zoomed
    assert plot.frame.right - plot.frame.left < 21
    assert plot.cell_at(QPointF(pixel_of(view, 10, 12))) == under == (10, 12)
    assert plot.key.part == "5–15 · double click: all"
    turn(view, 10, 12, 40)
    assert plot.frame.right - plot.frame.left == pytest.approx(6)
    QTest.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.frame.area.center().toPoint())
    assert not plot.zoomed and plot.key.part == ""
    turn(view, 10, 12, -3)
    assert not plot.zoomed


def test_dragging_a_zoomed_matrix_pans_without_selecting(view: MatrixView) -> None:
    plot = view.figure()
    plot.zoom(2.0)
    view.set_selected(None, None)
    before = plot.frame
    mouse.drag(plot.viewport(), [QPointF(200, 200), QPointF(220, 210), QPointF(250, 230)])
    assert plot.frame.left < before.left and plot.frame.top < before.top
    assert view.selected() == (None, None)
    for _ in range(30):
        mouse.drag(plot.viewport(), [QPointF(100, 100), QPointF(400, 400)])
    assert (plot.frame.left, plot.frame.top) == (-0.5, -0.5)


def test_arrow_keys_bring_the_cell_into_view(view: MatrixView) -> None:
    plot = view.figure()
    view.set_selected(10, 10)
    plot.zoom(4.0)
    for _ in range(10):
        QTest.keyClick(view, Qt.Key.Key_Right)
    assert plot.frame.left < 20 < plot.frame.right


def test_zoom_stays_for_a_matrix_of_the_same_size(view: MatrixView) -> None:
    plot = view.figure()
    plot.zoom(2.0)
    kept = plot.frame.left
    view.set_matrix(geometric(20, 0.3))
    assert plot.frame.left == kept
    view.set_selected(20, 20)
    view.set_matrix(geometric(5))
    assert not plot.zoomed
    assert view.selected() == (5, 5)


def test_cells_have_their_colours_and_sharp_edges(view: MatrixView) -> None:
    matrix = np.array([[1.0, 0.0], [0.25, 0.75]])
    view.set_matrix(matrix)
    table = colour_table(view.figure().value_scale)
    for (row, column), value in np.ndenumerate(matrix):
        assert colour_at(view, row, column).getRgb()[:3] == tuple(table[int(np.ceil(255 * value)), :3])
    frame, image = view.figure().frame, view.figure().grab().toImage()
    edge = round(frame.x(0.5))
    found = {image.pixelColor(x, round(frame.y(0))).name() for x in range(edge - 4, edge + 5)}
    assert len(found) == 2


def test_zero_difference_has_the_colour_of_the_card(view: MatrixView) -> None:
    view.set_matrix([[0.5, -0.5], [0.0, 0.0]], kind="difference")
    assert colour_at(view, 1, 0) == QColor(theme().colours.card)
    assert colour_at(view, 0, 0) != colour_at(view, 0, 1)


@pytest.mark.parametrize(
    ("largest", "note"), [(0.0, "The two are equal"), (4e-11, "No difference above 1e−9"), (1e-8, ""), (0.5, "")]
)
def test_a_difference_without_colours_says_so(view: MatrixView, largest: float, note: str) -> None:
    view.set_matrix([[largest, -largest], [0.0, 0.0]], kind="difference")
    assert view.figure().marks.note == note
    view.set_matrix([[1.0, 0.0], [0.0, 1.0]])
    assert view.figure().marks.note == ""


def test_logarithmic_colours_tell_zero_from_tiny(view: MatrixView) -> None:
    view.set_matrix([[0.0, 1.0], [1e-30, 1.0]])
    assert colour_at(view, 0, 0) == QColor(theme().colours.card) != colour_at(view, 1, 0)
    view.set_log(True)
    assert view.figure().hatching.shown
    assert colour_at(view, 1, 0).getRgb()[:3] == tuple(colour_table(view.figure().value_scale)[1, :3])
    assert colour_at(view, 0, 0).lightnessF() > 0.6


def test_numbers_appear_where_they_fit(view: MatrixView) -> None:
    layer = view.figure().cells
    view.set_numbers(True)
    view.set_matrix(geometric(4))
    assert [label.text for label in layer.labels()[1]][:3] == ["0.667", "0.167", "0.0833"]
    show(view, dense_cells(geometric(4)), texts=lambda i, r: "1/3" if r else None)
    assert [label.text for label in layer.labels()[1]][:3] == ["0.667", "1/3", "1/3"]
    view.set_matrix(geometric(60))
    assert layer.labels()[1] == []
    view.set_numbers(False)
    view.set_matrix(geometric(4))
    assert layer.labels()[1] == []


def test_pattern_as_glyphs_or_colours(view: MatrixView) -> None:
    plot = view.figure()
    letters = np.full((20, 21), "d")
    view.set_pattern(pattern_source(letters))
    assert plot.key.pattern and plot.cells.pattern_as_glyphs
    view.set_matrix(geometric(100))
    letters = np.full((100, 101), "d")
    letters[40:60] = "S"
    view.set_pattern(pattern_source(letters))
    assert not plot.cells.pattern_as_glyphs
    assert colour_at(view, 10, 50) == QColor(theme().colours.accent)
    assert colour_at(view, 50, 50) == QColor(theme().colours.text)
    view.set_pattern(None)
    assert not plot.key.pattern


def test_pattern_letters_are_checked() -> None:
    assert pattern_source([["d", "Z"]]).dense.tolist() == [[Binding.DOWN, Binding.ZERO]]
    with pytest.raises(InputError, match="got 'x'"):
        pattern_source([["d", "x"]])


def test_bad_matrices_are_refused_and_change_nothing(view: MatrixView) -> None:
    view.set_selected(7, 9)
    before = view.read_out()
    for bad in ([], [[]], [1.0, 2.0], [[float("nan")]], [[float("inf"), 1.0]]):
        with pytest.raises(InputError):
            view.set_matrix(bad)
    assert view.read_out() == before


def test_a_single_count_and_nothing_at_all(view: MatrixView, qtbot: QtBot) -> None:
    show(view, dense_cells([[1.0]]), ratio_limit=2.0)
    view.set_pattern(None)
    view.set_numbers(True)
    view.set_selected(0, 0)
    view.figure().grab()
    assert view.read_out() == "0 is released as 0: 1.00"
    assert [label.text for label in view.figure().cells.labels()[1]] == ["1"]
    empty = MatrixView()
    qtbot.addWidget(empty)
    empty.set_selected(3, 4)
    empty.set_log(True)
    QTest.keyClick(empty, Qt.Key.Key_Down)
    empty.figure().grab()
    assert empty.read_out() == empty.as_text() == ""


def test_stale_is_faded_not_wiped(view: MatrixView) -> None:
    fresh = colour_at(view, 20, 20)
    view.set_stale(True)
    assert view.figure().source is not None
    assert colour_at(view, 20, 20) != fresh
    view.set_stale(False)
    assert colour_at(view, 20, 20) == fresh


def test_a_million_rows_are_asked_for_by_the_pixel(view: MatrixView) -> None:
    asked: list[tuple[int, int]] = []

    def sample(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        asked.append((len(rows), len(columns)))
        assert rows.min() >= 0 and rows.max() < 1_000_001
        return np.exp(-np.abs(rows[:, None] - columns[None, :]) / 1e4)

    show(view, Cells(1_000_001, 1_000_001, sample))
    assert max(high * wide for high, wide in asked) <= 520 * 520
    asked.clear()
    turn(view, 500_000, 500_000, 10)
    assert asked and max(high * wide for high, wide in asked) <= 520 * 520
    view.set_selected(10, 10)
    assert view.read_out().startswith("10 is released as 10: 1.00; ratio")
    with pytest.raises(InputError, match="At most 4000000 cells"):
        view.as_text()
    assert MOST_CELLS == 4_000_000


def test_restyles_when_the_theme_changes(view: MatrixView) -> None:
    light = view.figure().grab().toImage().pixelColor(1, 1)
    theme().set_scheme("dark")
    try:
        assert view.figure().grab().toImage().pixelColor(1, 1) != light
    finally:
        theme().set_scheme("light")


@given(
    values=arrays(float, st.tuples(st.integers(1, 30), st.integers(1, 30)), elements=st.floats(0, 1)),
    pixels=st.tuples(st.integers(1, 12), st.integers(1, 12)),
)
def test_no_entry_vanishes_between_two_pixels(values: np.ndarray, pixels: tuple[int, int]) -> None:
    seen = glance(dense_cells(values), (0, len(values)), (0, len(values[0])), pixels)
    assert seen.values.shape[0] <= pixels[0] and seen.values.shape[1] <= pixels[1]
    for (a, b), value in np.ndenumerate(seen.values):
        rows = slice(a * seen.row_step, (a + 1) * seen.row_step)
        assert value == values[rows, b * seen.column_step : (b + 1) * seen.column_step].max()


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40))
def test_blocks_of_differences_show_their_strongest(values: list[float]) -> None:
    seen = glance(dense_cells([values], signed=True), (0, 1), (0, len(values)), (1, 1))
    assert abs(seen.values[0, 0]) == max(map(abs, values))


@given(
    values=arrays(float, (3, 4), elements=st.floats(0, 1)),
    logarithmic=st.booleans(),
)
def test_only_zero_gets_the_colour_of_zero(values: np.ndarray, logarithmic: bool) -> None:
    scale = scale_for(values, "probability", logarithmic=logarithmic)
    found = scale.bytes_of(values)
    assert ((found == 0) == (values == 0)).all()
    order = np.argsort(values, axis=None)
    assert (np.diff(found.ravel()[order].astype(int)) >= 0).all()


def test_differences_are_coloured_symmetrically() -> None:
    scale = scale_for(np.array([[-0.2, 0.1]]), "difference")
    assert scale.bytes_of(np.array([-0.2, 0.0, 0.2])).tolist() == [1, 128, 255]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_larger_probabilities_differ_in_lightness_so_that_any_colour_vision_tells_them_apart(
    scheme: Literal["light", "dark"],
) -> None:
    theme().set_scheme(scheme)
    try:
        for logarithmic in (False, True):
            table = colour_table(Scale(logarithmic=logarithmic))[1:, :3]
            light = np.array([contrast(QColor(*shade).name(), theme().colours.card) for shade in table.tolist()])
            assert (np.diff(light) > -0.05).all()  # colours are rounded to bytes
            assert light[-1] > 7 and len(np.unique(light)) > 150
            assert light[int(255 * 0.1)] > (1.15 if logarithmic else 1.5)  # a tenth of the largest is seen
    finally:
        theme().set_scheme("light")


def test_zeros_are_transparent_on_a_logarithmic_scale_only(qapp: QApplication) -> None:
    assert colour_table(Scale(logarithmic=True))[0, 3] == 0
    assert colour_table(Scale())[0, 3] == 255


def test_no_tick_is_half_covered_by_the_label_of_the_selected_row(view: MatrixView) -> None:
    view.set_matrix(np.eye(21))
    plot, height = view.figure(), QFontMetricsF(font()).height()
    view.resize(200 + round(4 * height), round(13 * height))  # a row is less high than half a line of text
    view.set_selected(6, 6)
    row = plot.marks.label_boxes()[0]
    assert 0 < row.center().y() - plot.frame.y(5) < height / 2  # the tick of 5 would show above it
    picture, above = plot.grab().toImage(), row.adjusted(0, -0.3 * height, 0, -height).toAlignedRect()
    seen = {picture.pixel(x, y) for x in range(above.left(), above.right()) for y in range(above.top(), above.bottom())}
    assert seen == {QColor(theme().colours.card).rgb()}


def test_small_cells_have_whole_percent_and_the_key_says_so(view: MatrixView) -> None:
    layer = view.figure().cells
    view.set_numbers(True)
    show(view, dense_cells(geometric(20)))
    view.resize(520, 560)
    texts = [label.text for label in layer.labels()[1]][:7]
    assert layer.note == "in %, blank below 0.5" and texts == ["67", "17", "8", "4", "2", "1", "1"]
    assert layer.labels()[1][20].text == "", "this release is possible, but rounds to 0"
    show(view, dense_cells(geometric(20)), texts=lambda i, r: f"1/{10**9 + i + r}")
    assert layer.labels()[1] and layer.note == "in %, click a cell for its fraction" and view.numbers_fit()
    view.set_numbers(True, exact_only=True)
    assert not layer.labels()[1] and layer.note == "too small for fractions: click a cell" and view.numbers_fit()
    show(view, dense_cells(geometric(20)), texts=lambda i, r: "1/2")
    assert {label.text for label in layer.labels()[1]} == {"1/2"} and layer.note == ""
    view.set_numbers(True)
    show(view, dense_cells(np.eye(21)))
    assert [label.text for label in layer.labels()[1]][:2] == ["1", "0"] and layer.note == ""
    show(view, dense_cells(np.eye(21) - 0.00123, signed=True), kind="difference")
    assert layer.labels()[1] == []


def test_it_says_where_there_is_no_room_for_numbers(view: MatrixView) -> None:
    show(view, dense_cells(geometric(5)))
    assert view.numbers_fit() and "No room" not in view.read_out()
    show(view, dense_cells(geometric(60)))
    assert not view.numbers_fit() and view.read_out() == "No room for numbers: zoom in (wheel or +)"
