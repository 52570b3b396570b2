"""The distribution of the release, the posterior, and the dots of sampled releases."""

from __future__ import annotations

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.theme.theme import theme
from dpdesigner.desktop.widgets.plot.release_plot import ReleasePlot
from dpdesigner.errors import InputError

ROW = np.array([0.1, 0.2, 0.4, 0.2, 0.1])


@pytest.fixture
def plot(qtbot: QtBot) -> ReleasePlot:
    theme().set_scheme("light")
    widget = ReleasePlot()
    qtbot.addWidget(widget)
    widget.resize(312, 120)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.set_row(ROW, 1)
    return widget


def foot(plot: ReleasePlot, place: int) -> QPoint:
    frame = plot.figure().frame
    return QPointF(frame.x(place), frame.area.bottom() - 3).toPoint()


def colour_at_foot(plot: ReleasePlot, place: int) -> QColor:
    return plot.figure().grab().toImage().pixelColor(foot(plot, place))


def test_bars_are_blue_and_the_selected_one_warm(plot: ReleasePlot) -> None:
    assert colour_at_foot(plot, 0) == QColor(theme().colours.accent)
    assert colour_at_foot(plot, 1) == QColor(theme().colours.selected)


def test_heights_are_the_probabilities(plot: ReleasePlot) -> None:
    layer, bottom = plot._bars, plot.figure().frame.area.bottom()
    heights = [bottom - layer.bar(place).top() for place in range(5)]
    assert np.allclose(np.array(heights) / heights[2], ROW / 0.4)


def test_describes_itself(plot: ReleasePlot) -> None:
    assert plot.accessibleDescription() == "most likely: releases 2: 0.400 (40%); releases 1: 0.200 (1 in 5)"


def test_click_and_keys_choose_a_bar(plot: ReleasePlot) -> None:
    selected = QSignalSpy(plot.selected)
    QTest.mouseClick(plot.figure().viewport(), Qt.MouseButton.LeftButton, pos=foot(plot, 3))
    assert colour_at_foot(plot, 3) == QColor(theme().colours.selected)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(plot, key)
    assert [selected.at(k)[0] for k in range(selected.count())] == [3, 4, 3]


def test_dragging_tells_each_bar_once(plot: ReleasePlot) -> None:
    selected = QSignalSpy(plot.selected)
    start = QPointF(foot(plot, 2))
    mouse.drag(plot.figure().viewport(), [start, start + QPointF(2, 0), QPointF(foot(plot, 3)), QPointF(foot(plot, 4))])
    assert [selected.at(k)[0] for k in range(selected.count())] == [2, 3, 4]


def test_showing_is_silent(plot: ReleasePlot) -> None:
    selected = QSignalSpy(plot.selected)
    plot.set_row(ROW, 3)
    plot.set_posterior(ROW, ROW, 2)
    assert selected.count() == 0


def test_hover_reads_out(plot: ReleasePlot) -> None:
    mouse.move(plot.figure().viewport(), QPointF(foot(plot, 2)))
    assert plot._bars.hover_lines == ["releases 2: 0.400 (40%)"]
    plot.figure().left.emit()
    assert plot._bars.hover_lines == []


def test_posterior_beside_prior(plot: ReleasePlot) -> None:
    plot.set_posterior([0.2] * 5, ROW, 2)
    assert plot.read_out(2) == "count 2: prior 20%, posterior 40%"
    assert colour_at_foot(plot, 1) == QColor(theme().colours.accent)
    with pytest.raises(InputError, match="same length, got 4 and 5"):
        plot.set_posterior([0.25] * 4, ROW, 2)
    assert plot.read_out(2) == "count 2: prior 20%, posterior 40%"


def test_keys_work_on_the_posterior_too(plot: ReleasePlot) -> None:
    plot.set_posterior([0.2] * 5, ROW, 2)
    selected = QSignalSpy(plot.selected)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert [selected.at(k)[0] for k in range(selected.count())] == [2, 3]


def test_dots_stand_as_high_as_their_share(plot: ReleasePlot) -> None:
    plot.set_draws([0, 0, 90, 10, 0])
    frame = plot.figure().frame
    assert plot._bars.top() == 0.9
    image = plot.figure().grab().toImage()
    column = range(round(frame.x(1.55)), round(frame.x(2.45)))
    rows = [y for y in range(image.height()) if any(image.pixelColor(x, y) == QColor(theme().colours.accent) for x in column)]
    assert min(rows) == pytest.approx(frame.y(0.9), abs=4)
    with pytest.raises(InputError, match="5 values, got 2"):
        plot.set_draws([1, 2])
    plot.set_draws(None)
    assert plot._bars.top() == 0.4


def test_more_bars_than_pixels_keep_their_peak(plot: ReleasePlot) -> None:
    row = np.full(100_000, 1e-6)
    row[70_001] = 0.9
    plot.set_row(row, 5)
    frame, image = plot.figure().frame, plot.figure().grab().toImage()
    x = frame.x(70_001)
    found = {image.pixelColor(round(x) + step, round(frame.y(0.45))).name() for step in (-1, 0, 1)}
    assert theme().colours.accent in found


def test_a_single_bar_and_all_zeros(plot: ReleasePlot) -> None:
    plot.set_row([1.0], 0)
    plot.figure().grab()
    plot.set_row([0.0, 0.0], None)
    plot.figure().grab()
    assert plot.accessibleDescription() == "most likely: releases 0: 0"


@pytest.mark.parametrize("bad", [[], [[0.5, 0.5]], [-0.1, 1.1], [float("nan"), 1.0]])
def test_bad_rows_are_refused(plot: ReleasePlot, bad: list[float]) -> None:
    with pytest.raises(InputError, match="Bars must be"):
        plot.set_row(bad, None)
    assert len(plot._bars.values) == 5


def test_of_very_many_bars_those_that_matter_are_shown(qtbot):
    plot = ReleasePlot()
    qtbot.addWidget(plot)
    distances = np.abs(np.arange(100_001) - 30_000)
    plot.set_row(0.5 ** np.minimum(distances, 1000) / 3, selected=90_000)
    frame = plot.figure().frame
    assert 29_900 < frame.left < 29_990 and 30_010 < frame.right < 30_100
    assert len(plot._bars.seen) == frame.right - frame.left and 30_000 in plot._bars.seen
    plot.grab()
    plot.set_row(np.full(100_001, 1e-5))
    assert (plot.figure().frame.left, plot.figure().frame.right) == (-0.5, 100_000.5)
    plot.set_row(np.full(7, 1 / 7))
    assert (plot.figure().frame.left, plot.figure().frame.right) == (-0.5, 6.5)
