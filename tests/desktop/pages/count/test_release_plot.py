"""The distribution of the release, the posterior, and the dots of sampled releases."""

from __future__ import annotations

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.count.results_column import posterior_plot, release_plot
from dpdesigner.desktop.plots.bar_painter import BarPainter
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.errors import InputError
from dpdesigner.studies.count.jobs import Draws

ROW = np.array([0.1, 0.2, 0.4, 0.2, 0.1])


@pytest.fixture
def plot(qtbot: QtBot) -> CurvePlot:
    theme().set_scheme("light")
    widget = CurvePlot()
    qtbot.addWidget(widget)
    widget.resize(312, 120)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.show_plot(release_plot(ROW, 1))
    return widget


def chosen(plot: CurvePlot) -> list[int]:
    """What the user chooses from now on; the plot follows, as on the page."""
    places: list[int] = []

    def follow(target: str, place: int) -> None:
        assert target == "view.column"
        places.append(place)
        if plot.plot.bars[0].texts is not None:
            plot.show_plot(release_plot(ROW, place))

    plot.handleMoved.connect(follow)
    return places


def foot(plot: CurvePlot, place: int) -> QPoint:
    frame = plot.figure().frame
    return QPointF(frame.x(place), frame.area.bottom() - 3).toPoint()


def colour_at_foot(plot: CurvePlot, place: int) -> QColor:
    return plot.figure().grab().toImage().pixelColor(foot(plot, place))


def test_bars_are_blue_and_the_selected_one_warm(plot: CurvePlot) -> None:
    assert colour_at_foot(plot, 0) == QColor(theme().colours.accent)
    assert colour_at_foot(plot, 1) == QColor(theme().colours.selected)


def test_heights_are_the_probabilities(plot: CurvePlot) -> None:
    painter, bottom = BarPainter(plot.plot, plot.figure().frame, 1), plot.figure().frame.area.bottom()
    heights = [bottom - painter.bar(0, place, float(ROW[place])).top() for place in range(5)]
    assert np.allclose(np.array(heights) / heights[2], ROW / 0.4)


def test_describes_itself(plot: CurvePlot) -> None:
    assert plot.accessibleDescription() == "most likely: releases 2: 0.400 (40%); releases 1: 0.200 (1 in 5)"


def test_click_and_keys_choose_a_bar(plot: CurvePlot) -> None:
    selected = chosen(plot)
    QTest.mouseClick(plot.figure().viewport(), Qt.MouseButton.LeftButton, pos=foot(plot, 3))
    assert colour_at_foot(plot, 3) == QColor(theme().colours.selected)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(plot, key)
    assert selected == [3, 4, 3]


def test_dragging_tells_each_bar_once(plot: CurvePlot) -> None:
    selected, start = chosen(plot), QPointF(foot(plot, 2))
    mouse.drag(plot.figure().viewport(), [start, start + QPointF(2, 0), QPointF(foot(plot, 3)), QPointF(foot(plot, 4))])
    assert selected == [2, 3, 4]


def test_showing_is_silent(plot: CurvePlot) -> None:
    selected = chosen(plot)
    plot.show_plot(release_plot(ROW, 3))
    plot.show_plot(posterior_plot(ROW, ROW, 2))
    assert selected == []


def test_hover_reads_out(plot: CurvePlot) -> None:
    mouse.move(plot.figure().viewport(), QPointF(foot(plot, 2)))
    assert list(plot._handles.hover_lines) == ["releases 2: 0.400 (40%)"]
    plot.figure().left.emit()
    assert list(plot._handles.hover_lines) == []
    assert plot.accessibleDescription().startswith("most likely: releases 2")


def test_posterior_and_prior_and_the_release_below_the_axis(plot: CurvePlot) -> None:
    plot.show_plot(posterior_plot(np.full(5, 0.2), ROW, 2))
    assert plot.plot.read_bars(2) == ["count 2: prior 20%, posterior 40%"]
    assert colour_at_foot(plot, 1) == QColor(theme().colours.accent)
    frame, image = plot.figure().frame, plot.figure().grab().toImage()
    below = [image.pixelColor(round(frame.x(place)), round(frame.area.bottom()) + 4).name() for place in (2, 3)]
    assert [shade == theme().colours.selected for shade in below] == [True, False]
    muted = QColor(theme().colours.muted)
    level = [
        image.pixelColor(x, round(frame.y(0.2)) + step) for x in range(round(frame.x(2.6)), image.width() - 6) for step in (-1, 0)
    ]
    assert any(abs(shade.red() - muted.red()) < 40 and abs(shade.blue() - muted.blue()) < 40 for shade in level), "the prior"
    with pytest.raises(InputError, match="5 bars, got a list of shape"):
        posterior_plot(np.full(4, 0.25), ROW, 2)


def test_keys_work_on_the_posterior_too(plot: CurvePlot) -> None:
    plot.show_plot(posterior_plot(np.full(5, 0.2), ROW, 2))
    selected = chosen(plot)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert selected == [2, 3]


def test_dots_stand_as_high_as_their_share(plot: CurvePlot) -> None:
    values = [2] * 90 + [3] * 10
    plot.show_plot(release_plot(ROW, 1, drawn=Draws(1, values), fallen=100))
    frame = plot.figure().frame
    assert frame.top == 0.9
    image = plot.figure().grab().toImage()
    column = range(round(frame.x(1.55)), round(frame.x(2.45)))
    rows = [y for y in range(image.height()) if any(image.pixelColor(x, y) == QColor(theme().colours.accent) for x in column)]
    assert min(rows) == pytest.approx(frame.y(0.9), abs=4)
    plot.show_plot(release_plot(ROW, 1, drawn=Draws(1, values), fallen=3))
    assert plot.figure().frame.top == 0.9 and plot.plot.bars[0].dots.tolist() == [0, 0, 3, 0, 0]
    plot.show_plot(release_plot(ROW, 1))
    assert plot.figure().frame.top == 0.4


def test_one_release_lands_on_its_bar_and_its_number_stands_there(plot: CurvePlot) -> None:
    shown = release_plot(ROW, 2, drawn=Draws(1, [2]))
    assert shown.landing is not None and (shown.landing.x, shown.landing.y, shown.landing.text) == ((2.0,), (0.4,), "2")
    assert shown.bars[0].texts is None, "and not the probability"


def test_more_bars_than_pixels_keep_their_peak(plot: CurvePlot) -> None:
    row = np.full(100_000, 1e-6)
    row[70_001] = 0.9
    plot.show_plot(release_plot(row, 5))
    frame, image = plot.figure().frame, plot.figure().grab().toImage()
    x = frame.x(70_001)
    found = {image.pixelColor(round(x) + step, round(frame.y(0.45))).name() for step in (-1, 0, 1)}
    assert theme().colours.accent in found


def test_a_single_bar_and_all_zeros(plot: CurvePlot) -> None:
    plot.show_plot(release_plot(np.ones(1), 0))
    plot.figure().grab()
    plot.show_plot(release_plot(np.zeros(2)))
    plot.figure().grab()
    assert plot.accessibleDescription() == "most likely: releases 0: 0"


def test_of_very_many_bars_those_that_matter_are_shown(qtbot):
    plot = CurvePlot()
    qtbot.addWidget(plot)
    distances = np.abs(np.arange(100_001) - 30_000)
    plot.show_plot(release_plot(0.5 ** np.minimum(distances, 1000) / 3, 90_000))
    frame = plot.figure().frame
    assert 29_900 < frame.left < 29_990 and 30_010 < frame.right < 30_100
    seen = BarPainter(plot.plot, frame).seen
    assert seen.stop - seen.start == frame.right - frame.left and seen.start < 30_000 < seen.stop
    plot.grab()
    plot.show_plot(release_plot(np.full(100_001, 1e-5)))
    assert (plot.figure().frame.left, plot.figure().frame.right) == (-0.5, 100_000.5)
    row = 0.5 ** np.abs(np.arange(61) - 20)
    plot.show_plot(release_plot(row))
    assert 0 < plot.figure().frame.left < 15 and 25 < plot.figure().frame.right < 40, "wide bars for a hundred dots"
    plot.show_plot(release_plot(row, drawn=Draws(20, [20, 2]), fallen=1))
    assert plot.figure().frame.left < 2, "whatever was drawn is in view"
    plot.show_plot(release_plot(np.full(7, 1 / 7)))
    assert (plot.figure().frame.left, plot.figure().frame.right) == (-0.5, 6.5)


def test_a_small_probability_is_one_in_so_many() -> None:
    texts = release_plot(ROW, 1).bars[0].texts
    assert texts is not None
    shown = [texts(chance).replace("\N{NARROW NO-BREAK SPACE}", " ") for chance in (0.333, 2.03e-5, 1e-30, 0.0)]
    assert shown == ["0.333", "1 in 49 300", "< 1 in 10⁹", "0"]
