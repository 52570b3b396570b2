"""Ticks, short numbers, and the plot that all plots are made from."""

from __future__ import annotations

import pytest
from desktop import mouse
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.rounding import at_most, brief, signed, significant
from dpdesigner.desktop.base.labels import chance
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.plots.axis_layer import Axis, count_ticks, fitting_ticks, log_ticks, number_ticks, percent_ticks
from dpdesigner.desktop.plots.plot_layer import Frame, font
from dpdesigner.desktop.plots.plot_style import StyledPlot


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0813, "0.0813"), (2, "2.00"), (999.9, "1000"), (12345, "12345"), (1234567, "1.23e6"), (-0.5, "−0.500"),
     (9.9999e-5, "0.000100"), (1e-5, "1.00e−5"), (0, "0"), (float("inf"), "∞"), (float("nan"), "?")],
)  # fmt: skip
def test_significant_digits(value: float, text: str) -> None:
    assert significant(value) == text


@given(st.floats(1e-9, 1e9))
def test_what_is_not_exceeded_is_rounded_up(value: float) -> None:
    assert float(at_most(value).replace("−", "-")) >= value * (1 - 2e-11)


def test_a_ratio_of_doubles_keeps_its_digits() -> None:
    assert [at_most(2.0000000000000004), at_most(2.014), at_most(2.71828, 4)] == ["2.00", "2.02", "2.719"]


def test_brief_and_signed() -> None:
    assert [brief(value) for value in (0.5, 1e-7, 100, 0.0813)] == ["0.5", "1e−7", "100", "0.0813"]
    assert [signed(value) for value in (0.5, -0.5, 0)] == ["+0.500", "−0.500", "0"]


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.0813, "1 in 12"), (1 / 3, "1 in 3"), (0.5, "1 in 2"), (0.67, "67%"), (0.99996, "over 99.99%"), (0.22, "1 in 4.5"),
     (1e-4, "1 in 10\u202f000"), (1e-30, "1 in 1e30"), (0, ""), (1, "")],
)  # fmt: skip
def test_chances_in_words(probability: float, text: str) -> None:
    assert chance(probability) == text


def test_ticks_are_round() -> None:
    assert [tick.text for tick in count_ticks(-0.5, 20.5, 5)] == ["0", "5", "10", "15", "20"]
    assert [tick.text for tick in count_ticks(-2, 2, 5)] == ["−2", "−1", "0", "1", "2"]
    assert [tick.text for tick in percent_ticks(0, 0.132, 5)] == ["0%", "5%", "10%"]
    assert [tick.text for tick in number_ticks(0, 4.2, 5)] == ["0", "1", "2", "3", "4"]
    assert [tick.text for tick in number_ticks(-2.2, 1, 4)] == ["−2", "−1", "0", "1"]
    assert [tick.text for tick in log_ticks(-1.31, 0.7, 7)] == ["0.05", "0.1", "0.2", "0.5", "1", "2", "5"]
    assert [tick.text for tick in log_ticks(-30, 0, 6)] == ["10⁻³⁰", "10⁻²⁰", "10⁻¹⁰", "1"]
    assert [tick.text for tick in log_ticks(3, 5, 4)] == ["10³", "10⁴", "10⁵"], "one way to write large numbers"


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-3, 1e6), at_most=st.integers(1, 12))
def test_ticks_are_few_and_inside(low: float, span: float, at_most: int) -> None:
    for finder in (count_ticks, number_ticks):
        ticks = finder(low, low + span, at_most)
        assert len(ticks) <= at_most + 1
        assert all(low - 1e-6 * span <= tick.at <= low + span * (1 + 1e-6) for tick in ticks)


@given(pixels=st.floats(10, 2000), high=st.integers(1, 1_000_000))
def test_tick_labels_never_touch(pixels: float, high: int) -> None:
    ticks = fitting_ticks(count_ticks, (-0.5, high + 0.5), pixels, lambda text: 8.0 * len(text) + 8)
    places = [tick.at * pixels / (high + 1) for tick in ticks]
    for before, after, one, two in zip(places, places[1:], ticks, ticks[1:], strict=False):
        assert after - before >= 4.0 * (len(one.text) + len(two.text))


def test_a_first_label_that_moves_in_leaves_room_for_the_next_one():
    def texts(margin: float) -> list[str]:
        return [tick.text for tick in fitting_ticks(number_ticks, (0, 1), 280, lambda text: 24.0, margin)]

    assert texts(12)[:3] == ["0.0", "0.1", "0.2"] and texts(0)[:3] == ["0.0", "0.2", "0.4"]


@given(x=st.floats(-5, 5), y=st.floats(-5, 5))
def test_frame_maps_there_and_back(x: float, y: float) -> None:
    frame = Frame(QRectF(40, 10, 300, 200), left=-5, right=5, bottom=5, top=-5)
    assert frame.value_x(frame.x(x)) == pytest.approx(x, abs=1e-9)
    assert frame.value_y(frame.y(y)) == pytest.approx(y, abs=1e-9)


def make_plot(qtbot: QtBot) -> StyledPlot:
    plot = StyledPlot()
    qtbot.addWidget(plot)
    plot.resize(300, 200)
    with qtbot.waitExposed(plot):
        plot.show()
    return plot


def test_axes_and_text_size_take_their_room(qtbot: QtBot) -> None:
    theme().set_scale(1)
    plot = make_plot(qtbot)
    plot.set_axes(Axis("x"), Axis("y"))
    plot.set_range(0, 10, 0, 1000)
    area = plot.frame.area
    metrics = QFontMetricsF(font())
    assert area.left() > metrics.height() + metrics.horizontalAdvance("1000")
    assert area.bottom() < 200 - 2 * metrics.height() and area.right() <= 300
    assert plot.view_box.geometry() == area
    theme().set_scale(2)
    try:
        assert plot.frame.area.left() > 1.5 * area.left()
    finally:
        theme().set_scale(1)
    assert plot.frame.area == area


def test_cells_stay_roughly_square(qtbot: QtBot) -> None:
    plot = make_plot(qtbot)
    plot.resize(800, 200)
    plot.set_cells(10, 10)
    area = plot.frame.area
    assert area.width() == pytest.approx(1.35 * area.height(), abs=1)


def test_the_wheel_scrolls_the_page_unless_wanted(qtbot: QtBot) -> None:
    plot = make_plot(qtbot)
    turned = QSignalSpy(plot.turned)
    assert not mouse.turn(plot.viewport(), QPointF(50, 50), 1)
    plot.takes_wheel = True
    assert mouse.turn(plot.viewport(), QPointF(50, 50), 2)
    assert turned.count() == 1
    assert turned.at(0)[1] == 2


@pytest.mark.letters
def test_a_title_longer_than_the_data_are_high_is_whole(qtbot: QtBot) -> None:
    plot = make_plot(qtbot)
    plot.set_axes(Axis("x"), Axis("expected loss of all"))
    long = QFontMetricsF(font()).horizontalAdvance("expected loss of all")
    strip, lengths = range(round(QFontMetricsF(font()).height())), []
    for room in (500, 8):
        plot.resize(300, round(long) + room)
        image = plot.grab().toImage()
        ground = image.pixelColor(image.width() - 1, image.height() - 1)
        inked = [y for y in range(image.height()) if any(image.pixelColor(x, y) != ground for x in strip)]
        lengths.append(inked[-1] - inked[0])
    assert plot.frame.area.height() < long
    assert lengths[0] > 0.9 * long and lengths[1] == pytest.approx(lengths[0], abs=1)


def test_a_shown_plot_may_be_closed_and_shown_again(qtbot: QtBot) -> None:
    plot = make_plot(qtbot)
    plot.show()
    plot.close()
    plot.resize(400, 300)
    theme().set_scale(1.5)
    theme().set_scale(1.0)
    plot.show()
    assert plot.axes.scene() is plot.scene()


def test_plots_above_each_other_begin_at_the_same_pixel(qtbot: QtBot) -> None:
    both = QWidget()
    qtbot.addWidget(both)
    column = QVBoxLayout(both)
    panes = [QWidget(), QWidget()]
    plots = [StyledPlot(pane) for pane in panes]
    for pane, plot in zip(panes, plots, strict=True):
        QVBoxLayout(pane).addWidget(plot)
        column.addWidget(pane)
        plot.set_axes(Axis("x"), Axis("y", number_ticks, grid=True))
    plots[0].align_with(plots[1])
    both.resize(400, 500)
    both.show()
    for tops in ((1.0, 100_000.0), (100_000.0, 1.0), (1.0, 1.0)):
        for plot, top in zip(plots, tops, strict=True):
            plot.set_range(0, 1, 0, top)
        assert plots[0].frame.area.left() == plots[1].frame.area.left()
    plots[1].set_range(0, 1, 0, 100_000.0)
    wide = plots[0].frame.area.left()
    panes[1].hide()
    plots[0].lay_out()
    assert plots[0].frame.area.left() < wide  # alone, it takes no more than it needs
