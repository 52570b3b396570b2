"""Results that drop onto a plot: in motion, at once, one and many."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Bars, Landing, Line, tallied

WARM = (168, 81, 6)  #: the colour of the selection


@pytest.fixture(autouse=True)
def usual_motion(qapp: QApplication) -> Iterator[None]:
    preferences().choose(reduced_motion=False)
    yield
    preferences().choose(reduced_motion=False)


def plot_with(landing: Landing | None) -> Plot:
    x = np.linspace(0, 10, 11)
    return Plot("p", "p", Axis("x"), Axis("y"), (Line(x, x),), landing=landing)


@pytest.fixture
def shown(qtbot: QtBot) -> CurvePlot:
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.resize(400, 300)
    with qtbot.waitExposed(plot):
        plot.show()
    return plot


def test_a_new_result_drops_and_the_same_one_stays(qtbot: QtBot, shown: CurvePlot) -> None:
    draw = object()
    shown.show_plot(plot_with(Landing((3.0,), (3.0,), "3", draw)))
    assert not shown.landed, "it is on its way"
    qtbot.waitUntil(lambda: shown.landed)
    shown.show_plot(plot_with(Landing((3.0,), (3.0,), "3", draw)))
    assert shown.landed, "the same draw does not drop again"
    shown.show_plot(plot_with(Landing((3.0,), (3.0,), "3", object())))
    assert not shown.landed
    shown.show_plot(plot_with(None))
    assert not shown.landed


def test_without_motion_it_is_there_at_once(shown: CurvePlot) -> None:
    preferences().choose(reduced_motion=True)
    shown.show_plot(plot_with(Landing((3.0,), (3.0,), "3", object())))
    assert shown.landed


def test_the_dot_is_where_the_number_is_and_many_are_bars_of_their_density(shown: CurvePlot) -> None:
    preferences().choose(reduced_motion=True)
    warm = {WARM}

    def seen() -> list[tuple[int, int]]:
        image = shown.grab().toImage()
        places = [(x, y) for x in range(image.width()) for y in range(image.height())]
        return [(x, y) for x, y in places if image.pixelColor(x, y).getRgb()[:3] in warm]

    assert seen() == []
    shown.show_plot(plot_with(Landing((2.0,), (8.0,), of=object(), upright=False)))
    frame, spots = shown.figure().frame, np.array(seen())
    assert abs(spots[:, 0].mean() - frame.x(2.0)) < 2 and abs(spots[:, 1].mean() - frame.y(8.0)) < 2
    values, edges = [4.0, 4.5, 4.9, 9.0], np.array([3.5, 4.75, 5.25, 10.0])
    shown.show_plot(plot_with(tallied(values, edges, np.diff(edges), values)))
    assert seen() == [] and shown._landing.zValue() < shown._curves.zValue(), "bars of many are behind the curves"
    risen, area = shown._landing._risen(shown._landing.landing.boxes), shown.figure().frame.area
    assert [box.bottom() for box in risen] == [area.bottom()] * 3
    heights = np.array([box.height() for box in risen])
    assert np.allclose(heights / heights[0], np.array([0.4, 0.5, 0.25 / 4.75]) / 0.4, atol=0.05), "a density: 2, 1 and 1 of 4"


def test_its_text_stands_over_its_bar_and_beside_the_name_of_thin_marks(shown: CurvePlot) -> None:
    bars = Bars(np.array([0.1, 0.8, 0.1, 0.0, 0.0]), rival=np.array([0.1, 0.78, 0.1, 0.0, 0.0]), rival_name="other rule")
    landing = Landing((1.0,), (0.8,), "Second", object(), upright=False)

    def warm(side: int) -> int:
        image, x = shown.grab().toImage(), shown.figure().frame.x(1.0)
        return sum(
            image.pixelColor(px, py).red() - image.pixelColor(px, py).blue() > 80
            for py in range(image.height())
            for px in range(image.width())
            if side * (px - x) > 8
        )

    preferences().choose(reduced_motion=True)
    shown.show_plot(Plot("p", "p", Axis(), Axis(), bars=(bars,), landing=landing))
    assert warm(-1) > 10 and warm(1) == 0
    shown.show_plot(Plot("p", "p", Axis(), Axis(), bars=(Bars(bars.values),), landing=landing))
    assert warm(1) > 5 and warm(-1) > 5, "above its dot"


def test_nothing_that_was_drawn_leaves_the_window_with_a_picture() -> None:
    assert plot_with(Landing((3.0,), (3.0,), "3", object())).public().landing is None
    bars = Bars(np.ones(2), rival=np.array([0.0, 2.0]), rival_name="truth", rival_secret=True)
    kept = Plot("p", "p", Axis(), Axis(), bars=(bars,)).public().bars[0]
    assert kept.rival is None and kept.rival_name == "" and kept.values.tolist() == [1.0, 1.0]


def test_a_large_text_is_at_the_top_whatever_the_height_of_its_dot(shown: CurvePlot) -> None:
    preferences().choose(reduced_motion=True)

    def rows(text: str, y: float, large: bool) -> set[int]:
        shown.show_plot(plot_with(Landing((2.0,), (y,), text, object(), upright=False, large=large)))
        image, at = shown.grab().toImage(), shown.figure().frame.y(y)
        painted = {y for y in range(image.height()) for x in range(image.width()) if image.pixelColor(x, y).getRgb()[:3] == WARM}
        return {y for y in painted if abs(y - at) > 12}  # without the dot

    top = shown.figure().frame.area.top()
    for y in (3.0, 6.0):
        written = rows("B: right", y, large=True)
        assert written and top - 1 <= min(written) and max(written) < top + 30
        assert not rows("B: right", y, large=False), "beside its dot"
