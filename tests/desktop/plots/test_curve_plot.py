"""Curves: their data, the places of their names, the cursor and the read-out."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from desktop import mouse
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.rounding import figure
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.plots.bar_painter import BarPainter
from dpdesigner.desktop.plots.curve_layer import CurveLayer
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.line_shapes import corners, place_labels, touches
from dpdesigner.desktop.plots.plot_layer import Frame, font
from dpdesigner.errors import InputError
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Handle, Landing, Line, Mark, epsilon_handle

EPSILON = np.geomspace(0.05, 5, 201)
LINES = Line(EPSILON, 4 - EPSILON / 2, "optimal", proved=True), Line(EPSILON, 5 - EPSILON / 2, "Laplace", "rival")
LOSS = Plot("loss", "Loss", Axis("ε", scale="log"), Axis("expected loss"), LINES, handles=(Handle(0.5, "ε = 1/2", "epsilon"),))


@pytest.fixture
def plot(qtbot: QtBot) -> CurvePlot:
    theme().set_scheme("light")
    widget = CurvePlot()
    qtbot.addWidget(widget)
    widget.resize(312, 180)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.show_plot(LOSS)
    return widget


def at(plot: CurvePlot, x: float) -> QPointF:
    frame = plot.figure().frame
    return QPointF(frame.x(math.log10(x)), frame.area.center().y())


def heard(spy: QSignalSpy) -> list[float]:
    """The places that a signal told of the handle for epsilon."""
    assert all(spy.at(k)[0] == "epsilon" for k in range(spy.count()))
    return [spy.at(k)[1] for k in range(spy.count())]


def place(plot: CurvePlot) -> float:
    return plot.handles()[0].place


def simple(*lines: Line, **parts: Any) -> Plot:
    return Plot("", "", **{"x": Axis(), "y": Axis(), "lines": lines, **parts})


def test_a_handle_dragged_to_the_end_stays_on_the_axis(plot: CurvePlot) -> None:
    plot.show_plot(simple(Line([0, 2.346], [0, 1]), x=Axis(limits=(0, 2.346)), handles=(Handle(1, "1", "epsilon"),)))
    moved, frame = QSignalSpy(plot.handleMoved), plot.figure().frame
    mouse.drag(plot.figure().viewport(), [QPointF(frame.x(each), frame.area.center().y()) for each in (1, 2, 2.346)])
    assert heard(moved) == [2.346]


def test_corners_of_steps_and_spikes() -> None:
    steps = Line([1, 10, 100], [0, 1, 4], steps=True)
    assert [part.tolist() for part in corners(steps)] == [[1, 10, 10, 100, 100], [0, 0, 1, 1, 4]]
    x, y = corners(Line([1, 2], [3, 4], spikes=True))
    assert x.tolist() == [1, 1, 1, 2, 2, 2] and y[[0, 1, 3, 4]].tolist() == [0, 3, 0, 4] and np.isnan(y[[2, 5]]).all()


def test_close_bars_are_an_outline_and_close_lines_of_one_height_are_not() -> None:
    layer, x = CurveLayer(), np.arange(200.0)
    layer.frame = Frame(QRectF(0, 0, 300, 100), 0, 199, 0, 3)
    for heights, outline in ((np.tile([1.0, 2.0], 100), True), (np.ones(200), False)):
        drawn = Line(x, heights, spikes=True)
        assert np.isnan(layer.pixels(drawn)).any() != outline, "lines apart have gaps"


def test_axes_fit_the_curves(plot: CurvePlot) -> None:
    frame = plot.figure().frame
    assert (frame.left, frame.right) == pytest.approx((math.log10(0.05), math.log10(5)))
    assert frame.bottom == 0 and 5 < frame.top < 5.3
    plot.show_plot(simple(*LINES, x=Axis(scale="log", limits=(0.1, 10)), y=Axis(limits=(-1, 1))))
    frame = plot.figure().frame
    assert (frame.left, frame.right, frame.bottom, frame.top) == pytest.approx((-1, 1, -1, 1))
    plot.show_plot(simple(Line([1, 2, 3], [0.0, 0.01, 100]), x=Axis(scale="log"), y=Axis(scale="log")))
    frame = plot.figure().frame
    assert (frame.bottom, frame.top) == pytest.approx((-2, 2))
    plot.show_plot(simple(Line([1, 2], [3, 3], low=[-2, 1], high=[5, 4])))
    assert plot.figure().frame.bottom == -2 and plot.figure().frame.top > 5
    plot.show_plot(simple(x=Axis(scale="log"), y=Axis(scale="log")))
    plot.figure().grab()


def test_setting_the_cursor_is_silent(plot: CurvePlot) -> None:
    moving, moved = QSignalSpy(plot.handleMoving), QSignalSpy(plot.handleMoved)
    plot.set_handles([Handle(1.0, "ε = 1", "epsilon")])
    assert place(plot) == 1.0
    assert moving.count() == moved.count() == 0
    assert plot.accessibleName() == "expected loss against ε"
    assert plot.accessibleDescription() == "ε = 1; optimal: ≈ 3.5000; Laplace: ≈ 4.5000"


def test_a_level_whose_name_holds_its_number_is_read_once() -> None:
    expected = Line([0, 4], [74937.6, 74937.6], "expected 74\u202f937", dashed=True, name_has_value=True)
    limit = Line([0, 4], [0.5, 0.5], "limit ε → 0", dashed=True)
    assert simple(expected, limit).read(1.0)[1:] == ["expected 74\u202f937", "limit ε → 0: ≈ 0.50000"]


def test_dragging_moves_the_cursor(plot: CurvePlot) -> None:
    moving, moved = QSignalSpy(plot.handleMoving), QSignalSpy(plot.handleMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), at(plot, 1.0), at(plot, 2.0)])
    assert len(heard(moved)) == 1
    assert heard(moved)[0] == heard(moving)[-1] == place(plot)
    assert heard(moved)[0] == pytest.approx(2, rel=0.02)
    assert heard(moving) == sorted(heard(moving))
    assert all(float(f"{x:.3g}") == x for x in heard(moving))


def test_a_name_stays_above_the_line_while_it_is_dragged(plot: CurvePlot) -> None:
    plot.show_plot(replace(LOSS, handles=(epsilon_handle(0.5),)))
    assert plot.handles()[0].label == "ε = 0.5"
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), at(plot, 2.0)])
    assert plot.handles()[0].label == f"ε = {figure(place(plot), 4)}" and place(plot) == pytest.approx(2, rel=0.02)
    assert epsilon_handle(0.0).label == "ε = 0" and epsilon_handle(1.0, 2.0, 3.0).label == "ε = 1", "also beyond the axis"


def test_a_handle_stays_within_its_ends_and_says_where_it_is(plot: CurvePlot) -> None:
    kept = Handle(0.5, "one row: 0.5 hours", "epsilon", ends=(0.4, 1.5), says=lambda place: f"one row: {place:g} hours")
    plot.show_plot(replace(LOSS, handles=(kept,)))
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), at(plot, 2.0)])
    assert place(plot) == 1.5 and plot.handles()[0].label == "one row: 1.5 hours"


def test_dragging_stays_on_the_axis(plot: CurvePlot) -> None:
    moved = QSignalSpy(plot.handleMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), QPointF(5000, 50)])
    assert heard(moved) == [5.0]


def test_keys_move_the_cursor(plot: CurvePlot) -> None:
    moved = QSignalSpy(plot.handleMoved)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_PageDown)
    first, second = heard(moved)
    assert first > 0.5 > second
    assert place(plot) == second


def test_a_fixed_cursor_does_not_move(plot: CurvePlot) -> None:
    plot.set_handles([Handle(0.5, "here", "epsilon", movable=False)])
    moved = QSignalSpy(plot.handleMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 0.5), at(plot, 2.0)])
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert moved.count() == 0
    assert place(plot) == 0.5


@pytest.mark.parametrize("handles", [(), (Handle(0.7, "", "epsilon", movable=False),), (Handle(0.7, "", "gamma"),)])
def test_a_handle_that_goes_away_ends_its_drag(plot: CurvePlot, handles: tuple[Handle, ...]) -> None:
    moving, moved = QSignalSpy(plot.handleMoving), QSignalSpy(plot.handleMoved)
    view, start = plot.figure().viewport(), at(plot, 0.5)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start.toPoint())
    mouse.move(view, start + QPointF(20, 0), Qt.MouseButton.LeftButton)
    plot.set_handles(handles)
    mouse.move(view, start + QPointF(40, 0), Qt.MouseButton.LeftButton)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start.toPoint())
    assert moving.count() == 1 and moved.count() == 0
    assert plot.handles() == handles


def test_a_click_without_a_move_is_no_change(plot: CurvePlot) -> None:
    moving, moved = QSignalSpy(plot.handleMoving), QSignalSpy(plot.handleMoved)
    view = plot.figure().viewport()
    for pixel in (at(plot, 0.5), at(plot, 0.5) + QPointF(4, 0), at(plot, 2.0)):
        mouse.drag(view, [pixel])
    mouse.drag(view, [at(plot, 2.0), at(plot, 2.0) + QPointF(2, 0)])  # a hand that is not quite still
    assert moving.count() == moved.count() == 0 and place(plot) == 0.5


@pytest.mark.parametrize("beside", [-4, 0, 3, 5])
def test_a_handle_keeps_where_it_was_grabbed(plot: CurvePlot, beside: int) -> None:
    moved = QSignalSpy(plot.handleMoved)
    start, end = (QPointF(round(at(plot, x).x()) + beside, 90) for x in (0.5, 2.0))
    mouse.drag(plot.figure().viewport(), [start, end])
    assert heard(moved) == [pytest.approx(2, rel=0.02)], "it did not jump to the mouse"


def test_beside_the_handle_it_comes_to_the_mouse(plot: CurvePlot) -> None:
    moved = QSignalSpy(plot.handleMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 1.5), at(plot, 2.0)])
    assert heard(moved) == [pytest.approx(2, rel=0.02)]


def test_back_where_it_was_grabbed_is_no_change(plot: CurvePlot) -> None:
    plot.set_handles([Handle(math.log(2), "ε = ln 2", "epsilon")])
    moved, cancelled = QSignalSpy(plot.handleMoved), QSignalSpy(plot.handleCancelled)
    start = at(plot, math.log(2)) + QPointF(2, 0)
    mouse.drag(plot.figure().viewport(), [start, at(plot, 2.0), start])
    assert moved.count() == 0 and cancelled.count() == 1 and place(plot) == math.log(2), "not 0.693"


def test_esc_gives_a_drag_up(plot: CurvePlot) -> None:
    moving, moved, cancelled = (QSignalSpy(signal) for signal in (plot.handleMoving, plot.handleMoved, plot.handleCancelled))
    view = plot.figure().viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=at(plot, 0.5).toPoint())
    mouse.move(view, at(plot, 1.0), Qt.MouseButton.LeftButton)
    assert place(plot) == pytest.approx(1, rel=0.02)
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert place(plot) == 0.5 and [cancelled.at(k)[0] for k in range(cancelled.count())] == ["epsilon"]
    mouse.move(view, at(plot, 2.0), Qt.MouseButton.LeftButton)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=at(plot, 2.0).toPoint())
    assert place(plot) == 0.5 and moving.count() == 1 and moved.count() == 0


def test_of_several_handles_the_nearest_is_moved(plot: CurvePlot) -> None:
    handles = Handle(0.1, "low", "low"), Handle(3.0, "fixed", "fixed", movable=False), Handle(2.0, "high", "high")
    plot.show_plot(replace(LOSS, handles=handles))
    moved = QSignalSpy(plot.handleMoved)
    mouse.drag(plot.figure().viewport(), [at(plot, 2.0), at(plot, 1.0)])
    assert moved.at(0)[0] == "high" and [handle.place for handle in plot.handles()[:2]] == [0.1, 3.0]
    assert plot.handles()[2].place == moved.at(0)[1] == pytest.approx(1, rel=0.02)


def test_axes_of_names_and_of_whole_numbers(plot: CurvePlot) -> None:
    line = Line([0, 1, 2], [3, 1, 2], spikes=True)
    for axis, texts in ((Axis(scale="names", names=("a", "b", "c")), ["a", "b", "c"]), (Axis(scale="whole"), ["0", "1", "2"])):
        plot.show_plot(simple(line, x=axis))
        frame = plot.figure().frame
        assert [tick.text for tick in plot.figure().axes.horizontal.finder(frame.left, frame.right, 9)] == texts


def test_hover_tells_exact_numbers_of_all_curves(plot: CurvePlot) -> None:
    mouse.move(plot.figure().viewport(), at(plot, 1.003))
    x = LOSS.nearest(1.003)
    lines = list(plot._handles.hover_lines)
    assert plot._handles.hovered == x
    assert lines == [f"ε = {x:.4f}", f"optimal: {4 - x / 2:.4f}", f"Laplace: {5 - x / 2:.4f}"]
    plot.figure().left.emit()
    assert plot._handles.hovered is None


def test_the_dot_is_on_the_first_curve(plot: CurvePlot) -> None:
    frame, image = plot.figure().frame, plot.figure().grab().toImage()
    assert image.pixelColor(QPointF(frame.x(math.log10(0.5)), frame.y(3.75)).toPoint()) == QColor(theme().colours.proved)


def test_the_dot_of_a_handle_is_at_a_height_of_its_own_until_it_is_moved(plot: CurvePlot) -> None:
    (handle,), x = LOSS.handles, math.log10(LOSS.handles[0].place)
    plot.show_plot(replace(LOSS, handles=(replace(handle, height=2.0),)))
    frame, image = plot.figure().frame, plot.figure().grab().toImage()
    at, line = (image.pixelColor(QPointF(frame.x(x), frame.y(y)).toPoint()) for y in (2.0, 3.75))
    assert at == QColor(theme().colours.proved) != line
    assert plot.handles()[0].moved(1.0) == handle.moved(1.0)


def test_bands_markers_and_gaps_are_painted(plot: CurvePlot) -> None:
    frame = plot.figure().frame
    inside = QPointF(frame.x(math.log10(0.1)), frame.y(0.5)).toPoint()
    before = plot.figure().grab().toImage().pixelColor(inside)
    bands = [Band(0.06, 0.2, "95%"), Band(0, 1, along="y")]
    plot.show_plot(replace(LOSS, bands=tuple(bands)))
    assert plot.figure().grab().toImage().pixelColor(inside) != before
    marks = (Mark(2.0, 1.0, "goal"), Mark(-1.0, 1.0, "nowhere on a logarithmic axis"))
    plot.show_plot(simple(*LINES, x=Axis(scale="log"), marks=marks))
    frame = plot.figure().frame
    dot = QPointF(frame.x(math.log10(2)), frame.y(1)).toPoint()
    assert plot.figure().grab().toImage().pixelColor(dot) == QColor(theme().colours.selected)
    plot.show_plot(simple(Line([1, 2, 3, 4], [1, float("nan"), 2, 3], "gap", steps=True, dashed=True)))
    plot.figure().grab()


def test_many_rings_are_thin(plot: CurvePlot) -> None:
    ink = []
    for others in (5, 150):
        x, sizes = np.linspace(0.1, 1.0, others + 1), np.append(0.2, np.full(others, 0.01))
        ring = Line(x, np.append(0.5, np.full(others, 0.9)), "real", "truth", dots=True, sizes=sizes, short=" ")
        plot.show_plot(simple(ring, x=Axis(limits=(-1.0, 1.0), ticks=()), y=Axis(limits=(0.0, 1.0), ticks=())))
        frame, image = plot.figure().frame, plot.figure().grab().toImage()
        x_pixel = round(frame.x(0.1))
        ink.append(sum(255 - image.pixelColor(x_pixel, y).lightness() for y in range(round(frame.y(0.8)), round(frame.y(0.5)))))
    assert 0 < ink[1] < 0.75 * ink[0]


def test_the_text_of_a_mark_has_a_ground_where_bars_are_behind_it(plot: CurvePlot) -> None:
    x, nowhere = np.array([0.0, 4.0]), np.full(2, np.nan)
    area = Line(x, nowhere, low=np.zeros(2), high=np.ones(2), filled=True)
    axes = {"x": Axis(limits=(0.0, 4.0), ticks=()), "y": Axis(limits=(0.0, 1.0), ticks=())}
    plot.show_plot(simple(area, marks=(Mark(1.0, 0.5, "this release"),), **axes))
    image, (box,) = plot.figure().grab().toImage(), plot._curves._layout().beside
    assert box is not None
    ground = image.pixelColor(QPointF(box.left() - 1, box.center().y()).toPoint())
    assert ground.lightness() > image.pixelColor(QPointF(box.left() - 1, box.bottom() + 8).toPoint()).lightness() + 40


@pytest.mark.letters
@pytest.mark.parametrize("place", [0.5, 1.5, 2.0, 2.4, 3.0])
def test_no_text_stands_across_a_handle(plot: CurvePlot, place: float) -> None:
    x = np.linspace(0, 4, 101)
    lines = (Line(x, 0.9 - 0.2 * x, "the first of them"), Line(x, 0.1 + 0.2 * x**0.5, "the other one", dashed=True))
    bands, marks = (Band(0.8, 1.0, "not allowed", along="y"), Band(2.2, 4.0, "here")), (Mark(place + 0.05, 0.5, "goal"),)
    plot.show_plot(simple(*lines, bands=bands, marks=marks, handles=(Handle(place, "here", "x"),)))
    plot.figure().grab()
    layer, line = plot._curves, plot.figure().frame.x(place)
    spots = [place.box for place in layer.labels() if place is not None]
    texts = [*spots, *(box for box in layer._layout().inside if box is not None), *layer._layout().beside]
    assert len(texts) == 5
    assert [box for box in texts if box.left() < line < box.right()] == []
    assert not any(a.intersects(b) for a, b in combinations(texts[:4], 2))


def test_the_line_of_a_handle_is_broken_where_a_number_stands(plot: CurvePlot) -> None:
    axes = {"x": Axis(limits=(0.0, 4.0), ticks=()), "y": Axis(limits=(0.0, 1.0), ticks=())}
    dot, far = Line(np.array([1.0]), np.array([0.5]), dots=True), Handle(3.5, "now", "x")
    plot.show_plot(simple(dot, marks=(Mark(1.0, 0.5, "0.7209"),), handles=(far,), **axes))
    before, (box,) = plot.figure().grab().toImage(), plot._curves._layout().beside
    plot.set_handles((replace(far, place=plot.figure().frame.value_x(box.center().x())),))  # as during a drag
    image, x = plot.figure().grab().toImage(), round(box.center().x())
    changed = [y for y in range(image.height()) if image.pixelColor(x, y) != before.pixelColor(x, y)]
    assert [y for y in changed if box.top() + 1 < y < box.bottom() - 1] == []
    assert min(changed) < box.top() - 5 and max(changed) > box.bottom() + 5


@pytest.mark.letters
def test_the_text_of_a_band_stands_apart_from_a_mark_and_a_line(plot: CurvePlot) -> None:
    lines = (Line([0, 10], [1.0, 1.4], "line"),)
    for marks in ((), (Mark(0.4, 9.5, "a mark"),)):
        plot.show_plot(simple(*lines, y=Axis(limits=(0, 10)), bands=(Band(0, 10, "in the band"),), marks=marks))
        layout = plot._curves._layout()
        (box,) = layout.inside
        assert box is not None and not any(map(box.intersects, layout.beside))
        assert not touches(box, [plot._curves.pixels(lines[0])])
        assert (box.left() < plot.figure().frame.area.center().x()) is not bool(marks)


@pytest.mark.letters
def test_a_small_picture_leaves_names_out_that_stand_on_lines(plot: CurvePlot) -> None:
    bars = Line(np.arange(30), np.tile([0.0, 1.0], 15), "across the bars", steps=True)
    frame, room = plot.figure().frame, QRectF(plot.rect())
    for sparing in (False, True):
        layer = CurveLayer(sparing)
        layer.set_frame(Frame(frame.area, 0, 29, 0, 1), room)
        layer.show_plot(simple(bars, marks=(Mark(5, 0.5, "a mark"),)))
        assert (layer.labels() == [None]) is sparing and (layer._layout().beside == [None]) is sparing
        layer.show_plot(simple(Line([0, 29], [0.2, 0.2], "free")))
        assert layer.labels() != [None]


@pytest.mark.letters
def test_a_low_plot_leaves_texts_out_that_stand_on_lines(plot: CurvePlot) -> None:
    bars = Line(np.arange(30), np.tile([0.0, 1.0], 15), "across the bars", steps=True)
    area, layer = plot.figure().frame.area, CurveLayer()
    for lines in (3, 5):
        low = QRectF(area.left(), area.top(), area.width(), lines * QFontMetricsF(font()).height())
        layer.set_frame(Frame(low, 0, 29, 0, 1), QRectF(plot.rect()))
        layer.show_plot(simple(bars, marks=(Mark(5, 0.5, "a mark"),)))
        assert (layer.labels() == [None]) is (lines == 3) and (layer._layout().beside == [None]) is (lines == 3)
        layer.show_plot(simple(replace(bars, dashed=True)))
        assert layer.labels() == [None], "a dashed line needs its name less than the curve"


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


def test_a_name_in_a_narrow_gap_keeps_away_from_a_curve_of_its_colour() -> None:
    x, area = np.linspace(0, 346, 50), QRectF(0, 0, 346, 120)
    lines = [np.column_stack([x, 0 * x + height]) for height in (40, 60, 81.5)]  # the gap below the middle one is wider
    sizes = [(60.0, 14.0)] * 3

    def middle(*inks: str) -> float:
        place = place_labels(lines, sizes, area, inks=inks)[1]
        assert place is not None
        return place.box.center().y()

    assert middle() > 60
    assert middle("main", "rival", "rival") < 60
    assert middle("rival", "rival", "main") > 60


def test_a_name_makes_room_for_the_stem_of_a_drawn_result(plot: CurvePlot) -> None:
    level = simple(Line(np.array([0.0, 4.0]), np.array([0.2, 0.2]), "at least", dashed=True), y=Axis(limits=(0.0, 1.0)))
    plot.show_plot(level)
    frame, (before,) = plot.figure().frame, plot._curves.labels()
    assert before is not None
    at = frame.value_x(before.box.center().x())
    plot.show_plot(replace(level, landing=Landing((at,), (0.8,), "0.8", object())))
    (after,) = plot._curves.labels()
    assert after is not None and not after.box.left() < frame.x(at) < after.box.right()


def test_a_name_between_two_curves_goes_into_a_legend_with_a_sample_of_its_line(plot: CurvePlot) -> None:
    x = np.linspace(0, 4, 50)
    lines = [Line(x, 0 * x + y, name, role, dashed=y == 0.5) for y, name, role in (
        (0.52, "the first of them", "main"), (0.5, "the dashed one", "rival"), (0.48, "the last of them", "rival")
    )]  # fmt: skip
    plot.show_plot(simple(*lines, y=Axis(limits=(0.0, 1.0)), handles=(Handle(3.6, "here", "x"),)))
    image, layer = plot.figure().grab().toImage(), plot._curves
    first, middle, last = layer.labels()
    assert first is not None and middle is not None and last is not None
    assert [place.keyed for place in (first, middle, last)] == [False, True, False]
    assert not touches(middle.box, [layer.pixels(line) for line in lines]) and plot.figure().frame.area.contains(middle.box)
    assert not middle.box.intersects(first.box) and middle.box.right() < plot.figure().frame.x(3.6)
    dash, above = ((middle.box.left() + 2, middle.box.center().y() - up) for up in (0, 5))
    shades = [image.pixelColor(QPointF(*at).toPoint()).lightness() for at in (dash, above)]
    assert abs(shades[0] - shades[1]) > 60, "the sample is painted"
    twins = [replace(line, role="rival", dashed=True) for line in lines]
    plot.show_plot(simple(*twins, y=Axis(limits=(0.0, 1.0))))
    assert not any(place.keyed for place in layer.labels() if place is not None), "a sample would not tell them apart"


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
    plot.show_plot(simple(*LINES, handles=(Handle(0.1, "", "epsilon"),)))
    moved = QSignalSpy(plot.handleMoved)
    for _ in range(3):
        QTest.keyClick(plot, Qt.Key.Key_Right)
    assert all(one < two for one, two in pairwise(heard(moved)))


@pytest.mark.letters
def test_texts_of_markers_touch_neither_each_other_nor_dots(plot: CurvePlot) -> None:
    theme().set_scale(2.0)
    plot.resize(560, 320)
    x = np.linspace(0.0, 1.0, 50)
    curve = Line(x, 0.96 + 0.4 * (x - 0.38) ** 2, "staircase")
    for other in (0.4, 0.5, 0.6):
        marks = (Mark(0.38, 0.96, "γ* = 0.3775", "main", proved=True), Mark(other, 0.97, "γ = 1/2"))
        plot.show_plot(simple(curve, marks=marks))
        first, second = plot._curves._layout().beside
        dot = plot._curves.pixel(other, 0.97)
        assert not first.intersects(second) and not first.contains(dot)
        assert all(plot.figure().frame.area.contains(box) for box in (first, second))
    theme().set_scale(1.0)


def test_the_text_of_a_mark_stays_within_the_picture_where_neither_side_has_room(plot: CurvePlot) -> None:
    plot.resize(240, 200)
    x = np.linspace(0.0, 1.0, 50)
    plot.show_plot(simple(Line(x, x), marks=(Mark(0.45, 0.9, "the best price, 76 692 at 383.5 fr"),)))
    (box,) = plot._curves._layout().beside
    assert box.left() >= plot.figure().frame.area.left()


def test_the_axis_keeps_room_for_the_labels_it_draws(plot: CurvePlot) -> None:
    styled = plot.figure()
    for high in range(80, 220, 4):
        plot.resize(312, high)
        for top in range(100, 300, 4):
            styled.set_range(-2, 1, 0, top / 100)
            assert styled.axes.left_margin(styled.frame) == styled.axes.margin, (high, top)


def test_keys_choose_among_handles_and_move_them_by_their_steps(plot: CurvePlot) -> None:
    ends = Handle(0.5, "low", "view.low", step=0.25), Handle(2.0, "high", "view.high", step=0.25)
    line = Line(np.array([0.0, 5.0]), np.array([0.0, 1.0]), "line")
    plot.show_plot(Plot("linear", "Linear", Axis("x", limits=(0.0, 5.0)), Axis("y"), (line,), handles=ends))
    moved: list[tuple[str, float]] = []
    plot.handleMoved.connect(lambda target, at: moved.append((target, at)))
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Down)
    QTest.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier)
    QTest.keyClick(plot, Qt.Key.Key_Down)
    QTest.keyClick(plot, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(plot, Qt.Key.Key_Up)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    plot.setEnabled(False)  # which ends the gesture that waits for more keys
    plot.hide()
    assert [target for target, _ in moved][:3] == ["view.low", "view.high", "view.low"]
    assert [at for _, at in moved][:3] == [0.75, 1.75, 3.25]


def test_dots_have_their_own_sizes_and_a_square_plot_one_scale(plot: CurvePlot) -> None:
    dots = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), dots=True, sizes=np.array([0.1, 0.2]))
    plot.show_plot(Plot("p", "", Axis("x"), Axis("y"), (dots,), square=True))
    frame = plot.figure().frame
    shapes = plot._curves._layout().shapes[0]
    assert isinstance(shapes, list)
    assert [round(box.width() / frame.area.height(), 3) for box in shapes] == [0.2, 0.4]
    assert (frame.x(1) - frame.x(0)) / (frame.y(0) - frame.y(1)) == pytest.approx(1, abs=0.02)


def test_a_plot_after_a_square_one_takes_all_its_room_again(plot: CurvePlot) -> None:
    dots = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), dots=True)
    wide = Plot("p", "", Axis("x", limits=(0, 10)), Axis("y", limits=(0, 1)), (dots,))
    plot.show_plot(wide)
    height = plot.figure().frame.area.height()
    plot.show_plot(replace(wide, square=True))
    assert plot.figure().frame.area.height() < 0.6 * height
    plot.show_plot(wide)
    assert plot.figure().frame.area.height() == height


def test_a_dot_that_is_pointed_at_says_what_it_is_and_its_height_is_no_value(plot: CurvePlot) -> None:
    sizes = np.array([0.05, 0.05])
    dots = Line(np.array([1.0, 5.0]), np.array([1.0, 3.0]), "rows", dots=True, sizes=sizes, texts=("one row", "three rows"))
    shown = Plot("p", "", Axis("x", limits=(0, 6)), Axis("y", limits=(0, 4)), (dots,))
    plot.show_plot(shown)
    frame = plot.figure().frame
    plot._hover(QPointF(frame.x(5) + 3, frame.y(3) - 3))
    assert list(plot._handles.hover_lines) == ["three rows"]
    plot._hover(QPointF(frame.x(3), frame.y(2)))
    assert not plot._handles.hover_lines
    assert shown.read(5.0) == ["x = 5"] and shown.public().lines[0].texts == ()
    with pytest.raises(InputError, match="There are 2 dots, got 1 texts"):
        replace(dots, texts=("one",))


def moved_in_the_plane(values: Any, which: int, where: tuple[float, float]) -> Any:
    x, y = np.split(np.array(values), 2)
    x[which], y[which] = where
    return np.concatenate([x, y])


def log_log(**parts: Any) -> Plot:
    """A curve, and two dots that are dragged in both directions, on logarithmic axes."""
    places = np.geomspace(1, 1000, 31)
    drag = Drag("design", moved_in_the_plane, lambda values, which: values.tolist(), plane=True, step=1 / 30)
    dots = Line([10, 100], [0.1, 0.01], "dots", dots=True, drags=(drag,))
    axes = Axis("n", scale="log", limits=(1, 1000)), Axis("error", scale="log", limits=(0.001, 1))
    return Plot("", "", *axes, (Line(places, 1 / places, "error"), dots), **parts)


@pytest.mark.parametrize("handles", [(), (Handle(1.5, "n", "n"),)])
def test_a_dot_is_dragged_on_logarithmic_axes_also_beside_a_handle(plot: CurvePlot, handles: tuple[Handle, ...]) -> None:
    plot.show_plot(log_log(handles=handles))
    moved, frame = QSignalSpy(plot.handleMoved), plot.figure().frame
    way = [QPointF(frame.x(x), frame.y(y)) for x, y in ((2, -2), (1.5, -1.5), (1, -0.5))]
    mouse.drag(plot.figure().viewport(), way)
    target, values = moved.at(moved.count() - 1)
    assert target == "design" and values == pytest.approx([10, 10, 0.1, 10**-0.5], rel=0.05)
    plot.show_plot(log_log(handles=handles))
    QTest.keyClick(plot, Qt.Key.Key_Up)  # the first dot, by a thirtieth of three decades
    QTest.keyClick(plot, Qt.Key.Key_Return)
    QTest.qWait(900)
    target, values = moved.at(moved.count() - 1)
    assert target == "design" and values == pytest.approx([10, 100, 0.1 * 10**0.1, 0.01], rel=1e-6)


def test_the_text_of_a_dot_is_told_on_logarithmic_axes(plot: CurvePlot) -> None:
    shown = log_log()
    plot.show_plot(replace(shown, lines=(shown.lines[0], replace(shown.lines[1], texts=("ten", "a hundred")))))
    frame = plot.figure().frame
    assert plot.hands.dot_text_at(QPointF(frame.x(2), frame.y(-2))) == (100.0, "a hundred")
    assert plot.hands.dot_text_at(QPointF(frame.x(2), frame.y(-0.5))) is None


def test_the_names_of_bars_stand_in_a_row_where_they_would_cover_bars_below_each_other(qtbot: QtBot) -> None:
    plot = CurvePlot()
    qtbot.addWidget(plot)
    bars = tuple(Bars(np.array([0.65, 0.65]), name) for name in ("one", "two", "three"))
    plot.show_plot(Plot("it", "", Axis(scale="names", names=("a", "b")), Axis(limits=(0.0, 1.0), ticks=()), bars=bars))
    plot.resize(400, 90)
    plot.show()
    painted = BarPainter(plot.plot, plot.figure().frame)
    image, empty = QImage(400, 90, QImage.Format.Format_RGB32), QColor("magenta")
    image.fill(empty)
    painter = QPainter(image)
    painted.draw_texts(painter, QRectF(0, 0, 400, 90))
    painter.end()
    written = {(x, y) for x in range(400) for y in range(90) if image.pixelColor(x, y) != empty}
    drawn = [painted.bar(series, place, 0.65) for series in range(3) for place in range(2)]
    assert written and not any(bar.adjusted(0, 1, 0, 0).contains(x, y) for x, y in written for bar in drawn)


def test_bars_behind_are_as_wide_as_all_others_and_tiles_have_gaps(qtbot: QtBot) -> None:
    plot = CurvePlot()
    qtbot.addWidget(plot)
    behind = Bars(np.array([4.0, 2.0]), "real", "rival", behind=True)
    bars = (Bars(np.array([2.0, 4.0]), "drawn", figure=2.0), Bars(np.array([1.0, 1.0]), "other"), behind)
    plot.show_plot(Plot("it", "", Axis(scale="names", names=("a", "b")), Axis(), (), bars=bars))
    plot.resize(400, 300)
    plot.show()
    painted = BarPainter(plot.plot, plot.figure().frame)
    first, second, whole = (painted.bar(series, 0, 2.0) for series in range(3))
    assert whole.left() < first.left() < first.right() == second.left() < second.right() < whole.right()
    assert first.width() == second.width() and painted.bar(0, 1, 2.0).left() - first.left() == pytest.approx(painted.pitch)
    image, bar = QImage(400, 300, QImage.Format.Format_RGB32), painted.bar(0, 1, 4.0)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painted.draw(painter, -1, False)
    painter.end()
    x, middle = round(bar.left() + 0.1 * bar.width()), round(bar.center().y())
    light = [image.pixelColor(x, y).lightness() for y in range(middle - 3, middle + 4)]
    assert max(light) > min(light) + 20, "a gap between two tiles"
