"""Curves: their data, the places of their names, the cursor and the read-out."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from desktop import mouse
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.look.theme import theme
from dpdesigner.desktop.widgets.plot.curve import Band, Curve, Marker, nearest_sample
from dpdesigner.desktop.widgets.plot.curve_plot import CurvePlot
from dpdesigner.desktop.widgets.plot.label_places import place_labels
from dpdesigner.errors import InputError

EPSILON = np.geomspace(0.05, 5, 201)
CURVES = [Curve("optimal", EPSILON, 4 - EPSILON / 2, "proved"), Curve("Laplace", EPSILON, 5 - EPSILON / 2)]
TITLES, LOG_X = ("ε", "expected loss"), (True, False)


@pytest.fixture
def plot(qtbot: QtBot) -> CurvePlot:
    theme().set_scheme("light")
    widget = CurvePlot()
    qtbot.addWidget(widget)
    widget.resize(312, 180)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.set_picture(CURVES, titles=TITLES, logarithmic=LOG_X)
    widget.set_cursor(0.5, "ε = 1/2")
    return widget


def at(plot: CurvePlot, x: float) -> QPointF:
    frame = plot.figure().frame
    return QPointF(frame.x(math.log10(x)), frame.area.center().y())


def heard(spy: QSignalSpy) -> list[float]:
    return [spy.at(k)[0] for k in range(spy.count())]


def test_curves_are_checked() -> None:
    for x, y in (([], []), ([1.0], [1.0, 2.0]), ([[1.0]], [[1.0]])):
        with pytest.raises(InputError, match="two lists of the same length"):
            Curve("a", x, y)
    with pytest.raises(InputError, match="rising order"):
        Curve("a", [2.0, 1.0], [0.0, 0.0])


def test_values_between_the_points() -> None:
    line, steps = Curve("a", [1, 10, 100], [0, 1, 4]), Curve("b", [1, 10, 100], [0, 1, 4], steps=True)
    assert line.at(5.5) == pytest.approx(0.5)
    assert line.at(10**1.5, logarithmic=True) == pytest.approx(2.5)
    assert [steps.at(x) for x in (1, 9.99, 10, 100)] == [0, 0, 1, 4]
    assert math.isnan(line.at(0.5)) and math.isnan(line.at(101))
    assert [part.tolist() for part in steps.points()] == [[1, 10, 10, 100, 100], [0, 0, 1, 1, 4]]
    assert nearest_sample([line], 40) == 10
    assert nearest_sample([line], 40, logarithmic=True) == 100


def test_table_joins_curves(plot: CurvePlot) -> None:
    plot.set_picture([Curve("a", [1, 2], [0.1, 1 / 3]), Curve("b", [2, 3], [5, 6])], titles=TITLES)
    header, rows = plot.as_table()
    assert header == ["ε", "a", "b"]
    assert rows == [["1.0", "0.1", ""], ["2.0", "0.3333333333333333", "5.0"], ["3.0", "", "6.0"]]


def test_axes_fit_the_curves(plot: CurvePlot) -> None:
    frame = plot.figure().frame
    assert (frame.left, frame.right) == pytest.approx((math.log10(0.05), math.log10(5)))
    assert frame.bottom == 0 and 5 < frame.top < 5.3
    plot.set_picture(CURVES, logarithmic=LOG_X, limits=((0.1, 10), (-1, 1)))
    frame = plot.figure().frame
    assert (frame.left, frame.right, frame.bottom, frame.top) == pytest.approx((-1, 1, -1, 1))
    plot.set_picture([Curve("a", [1, 2, 3], [0.0, 0.01, 100])], logarithmic=(True, True))
    frame = plot.figure().frame
    assert (frame.bottom, frame.top) == pytest.approx((-2, 2))
    plot.set_picture([], logarithmic=(True, True))
    plot.figure().grab()


def test_setting_the_cursor_is_silent(plot: CurvePlot) -> None:
    moving, moved = QSignalSpy(plot.cursorMoving), QSignalSpy(plot.cursorMoved)
    plot.set_cursor(1.0, "ε = 1")
    assert plot.cursor_place() == 1.0
    assert moving.count() == moved.count() == 0
    assert plot.accessibleName() == "expected loss against ε"
    assert plot.accessibleDescription() == "ε = 1.000; optimal: ≈ 3.5000; Laplace: ≈ 4.5000"


def test_dragging_moves_the_cursor(plot: CurvePlot) -> None:
    moving, moved = QSignalSpy(plot.cursorMoving), QSignalSpy(plot.cursorMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), at(plot, 1.0), at(plot, 2.0)])
    assert len(heard(moved)) == 1
    assert heard(moved)[0] == heard(moving)[-1] == plot.cursor_place()
    assert heard(moved)[0] == pytest.approx(2, rel=0.02)
    assert heard(moving) == sorted(heard(moving))
    assert all(float(f"{x:.3g}") == x for x in heard(moving))


def test_dragging_stays_on_the_axis(plot: CurvePlot) -> None:
    moved = QSignalSpy(plot.cursorMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), QPointF(5000, 50)])
    assert heard(moved) == [5.0]


def test_keys_move_the_cursor(plot: CurvePlot) -> None:
    moved = QSignalSpy(plot.cursorMoved)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_PageDown)
    first, second = heard(moved)
    assert first > 0.5 > second
    assert plot.cursor_place() == second


def test_a_fixed_cursor_does_not_move(plot: CurvePlot) -> None:
    plot.set_cursor(0.5, "here", movable=False)
    moved = QSignalSpy(plot.cursorMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), at(plot, 2.0)])
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert moved.count() == 0
    assert plot.cursor_place() == 0.5


@pytest.mark.parametrize(("x", "movable"), [(None, True), (0.7, False)])
def test_a_cursor_that_goes_away_ends_its_drag(plot: CurvePlot, x: float | None, movable: bool) -> None:
    moving, moved = QSignalSpy(plot.cursorMoving), QSignalSpy(plot.cursorMoved)
    view, place = plot.figure().viewport(), at(plot, 0.5)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=place.toPoint())
    plot.set_cursor(x, movable=movable)
    mouse.move(view, place + QPointF(40, 0), Qt.MouseButton.LeftButton)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert moving.count() <= 1 and moved.count() == 0
    assert plot.cursor_place() == x


def test_hover_tells_exact_numbers_of_all_curves(plot: CurvePlot) -> None:
    mouse.move(plot.figure().viewport(), at(plot, 1.003))
    x = nearest_sample([Curve("", EPSILON, EPSILON)], 1.003, logarithmic=True)
    lines = list(plot._cursor.hover_lines)
    assert plot._cursor.hovered == x
    assert lines == [f"ε = {x:.4f}", f"optimal: {4 - x / 2:.4f}", f"Laplace: {5 - x / 2:.4f}"]
    plot.figure().left.emit()
    assert plot._cursor.hovered is None


def test_the_dot_is_on_the_first_curve(plot: CurvePlot) -> None:
    frame, image = plot.figure().frame, plot.figure().grab().toImage()
    assert image.pixelColor(QPointF(frame.x(math.log10(0.5)), frame.y(3.75)).toPoint()) == QColor(theme().colours.proved)


def test_bands_markers_and_gaps_are_painted(plot: CurvePlot) -> None:
    frame = plot.figure().frame
    inside = QPointF(frame.x(math.log10(0.1)), frame.y(0.5)).toPoint()
    before = plot.figure().grab().toImage().pixelColor(inside)
    bands = [Band(0.06, 0.2, "95 %"), Band(0, 1, along="y")]
    plot.set_picture(CURVES, bands=bands, titles=TITLES, logarithmic=LOG_X)
    assert plot.figure().grab().toImage().pixelColor(inside) != before
    markers = [Marker(2.0, 1.0, "goal"), Marker(-1.0, 1.0, "nowhere on a logarithmic axis")]
    plot.set_picture(CURVES, markers=markers, logarithmic=LOG_X)
    frame = plot.figure().frame
    dot = QPointF(frame.x(math.log10(2)), frame.y(1)).toPoint()
    assert plot.figure().grab().toImage().pixelColor(dot) == QColor(theme().colours.selected)
    plot.set_picture([Curve("gap", [1, 2, 3, 4], [1, float("nan"), 2, 3], steps=True, dashed=True)])
    plot.figure().grab()


def test_names_stand_apart(plot: CurvePlot) -> None:
    boxes = [place.box for place in plot._curves.labels() if place is not None]
    assert len(boxes) == 2
    assert all(plot.figure().frame.area.contains(box) for box in boxes)
    assert not boxes[0].intersects(boxes[1])


def test_names_do_not_hop_about() -> None:
    area, x = QRectF(0, 0, 400, 300), np.linspace(0, 400, 50)
    still, moving = np.column_stack([x, 0 * x + 150]), np.column_stack([x, 250 - 0.4 * x])
    first = place_labels([still, moving], [(60.0, 12.0)] * 2, area)
    spots = [place.spot for place in first if place is not None]
    again = place_labels([still, moving - [0, 1]], [(60.0, 12.0)] * 2, area, spots)
    assert [place.spot for place in again if place is not None] == spots


@given(heights=st.lists(st.floats(0, 200), min_size=1, max_size=6), slope=st.floats(-0.5, 0.5))
def test_names_stay_inside_and_do_not_overlap_where_there_is_room(heights: list[float], slope: float) -> None:
    area = QRectF(40, 10, 400, 300)
    x = np.linspace(40, 440, 50)
    lines = [np.column_stack([x, 30 + height + slope * (x - 240) / 4]) for height in heights]
    placed = [place.box for place in place_labels(lines, [(60.0, 12.0)] * len(lines), area) if place is not None]
    assert len(placed) == len(lines)
    assert all(area.contains(box) for box in placed)
    assert not any(one.intersects(two) for k, one in enumerate(placed) for two in placed[k + 1 :])


@pytest.mark.parametrize("left", range(40, 360, 20))
def test_no_name_lies_across_a_high_and_narrow_peak(left: int) -> None:
    sides = (left, left + 24)
    line = np.array([[0, 1290], [left, 1290], [left, 5], [left + 24, 5], [left + 24, 1290], [400, 1290]], dtype=float)
    (place,) = place_labels([line], [(31.0, 14.0)], QRectF(0, 0, 400, 1300))
    assert place is not None
    assert not any(place.box.left() < side < place.box.right() for side in sides) or place.box.top() > 1290


def test_no_place_for_a_name_that_is_too_long() -> None:
    line = np.array([[0.0, 5.0], [50.0, 5.0]])
    assert place_labels([line], [(100.0, 12.0)], QRectF(0, 0, 50, 50)) == [None]
    assert place_labels([np.full((2, 2), np.nan)], [(10.0, 5.0)], QRectF(0, 0, 50, 50)) == [None]


def test_linear_axis_and_rounding(plot: CurvePlot) -> None:
    plot.set_picture(CURVES)
    plot.set_cursor(0.0)
    moved = QSignalSpy(plot.cursorMoved)
    for _ in range(3):
        QTest.keyClick(plot, Qt.Key.Key_Right)
    assert all(one < two for one, two in pairwise(heard(moved)))


@pytest.mark.letters
def test_texts_of_markers_touch_neither_each_other_nor_dots(plot: CurvePlot) -> None:
    theme().set_scale(2.0)
    plot.resize(560, 320)
    x = np.linspace(0.0, 1.0, 50)
    curve = Curve("staircase", x, 0.96 + 0.4 * (x - 0.38) ** 2, "accent")
    for other in (0.4, 0.5, 0.6):
        markers = [Marker(0.38, 0.96, "γ* = 0.3775", "proved"), Marker(other, 0.97, "γ = 1/2", "selected")]
        plot.set_picture([curve], markers=markers)
        first, second = plot._curves._beside_markers()
        dot = plot._curves.pixel(other, 0.97)
        assert not first.intersects(second) and not first.contains(dot)
        assert all(plot.figure().frame.area.contains(box) for box in (first, second))
    theme().set_scale(1.0)


def test_the_axis_keeps_room_for_the_labels_it_draws(plot: CurvePlot) -> None:
    styled = plot.figure()
    for high in range(80, 220, 4):
        plot.resize(312, high)
        for top in range(100, 300, 4):
            styled.set_range(-2, 1, 0, top / 100)
            assert styled.axes.left_margin(styled.frame) == styled.axes.margin, (high, top)
