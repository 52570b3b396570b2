"""The list of costs: numbers, words, clicks and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.plots.cost_bars import CostBars
from dpdesigner.studies.table_panels import Rank, Ranking

COSTS = [
    Rank("Optimal (geometric + remap)", 1.1689, proved=True, key="optimal"),
    Rank("Geometric, face value", 1.286, key="geometric"),
    Rank("Linear program", None),
    Rank("Ignore the data", 3.84, "rival"),
]


def show(bars: CostBars, ranks: list[Rank]) -> None:
    bars.show_ranking(Ranking("costs", "cost", tuple(ranks)))


@pytest.fixture
def bars(qtbot: QtBot) -> CostBars:
    theme().set_scheme("light")
    widget = CostBars()
    qtbot.addWidget(widget)
    widget.resize(312, 240)
    with qtbot.waitExposed(widget):
        widget.show()
    show(widget, COSTS)
    return widget


def middle(bars: CostBars, place: int) -> QPoint:
    return next(QPoint(20, y) for y in range(bars.height()) if bars.place_at(QPointF(20, y)) == place) + QPoint(0, 4)


def bar_pixels(bars: CostBars, role: str) -> int:
    """The most pixels of a role's colour in one line."""
    bars.clearFocus()
    image, wanted = bars.grab().toImage(), QColor(getattr(theme().colours, role))
    lines = ([image.pixelColor(x, y) for x in range(image.width())] for y in range(image.height()))
    return max(line.count(wanted) for line in lines)


def test_says_value_and_percentage_over_the_first(bars: CostBars) -> None:
    assert bars.texts() == [
        "Optimal (geometric + remap): 1.1689",
        "Geometric, face value: 1.286, +10%",
        "Linear program: computing…",
        "Ignore the data: 3.84, 3.3 ×",
    ]
    assert bars.accessibleDescription() == "; ".join(bars.texts())


def test_bars_are_as_long_as_the_costs(bars: CostBars) -> None:
    lengths = {role: bar_pixels(bars, role) for role in ("proved", "accent", "quiet")}
    assert lengths["accent"] / lengths["proved"] == pytest.approx(1.286 / 1.1689, rel=0.05)
    assert lengths["quiet"] / lengths["proved"] == pytest.approx(3.84 / 1.1689, rel=0.05)


def test_costs_at_the_ends_of_doubles_have_bars_too(bars: CostBars) -> None:
    show(bars, [Rank("least", 2e-323, proved=True), Rank("less", 4e-323), Rank("large", 1e308, "rival")])
    assert bar_pixels(bars, "accent") == pytest.approx(2 * bar_pixels(bars, "proved"), rel=0.1)


def test_equal_and_slightly_larger_costs(bars: CostBars) -> None:
    show(bars, [Rank("one", 2.0, proved=True), Rank("two", 2.01), Rank("three", 2.0), Rank("four", 2.0004)])
    assert bars.texts() == ["one: 2", "two: 2.01, +0.5%", "three: 2, just as much", "four: 2.0004, +0.02%"]


def test_what_costs_very_much_more_is_told_in_times(bars: CostBars) -> None:
    show(bars, [Rank("one", 1.0, proved=True), Rank("two", 99.0), Rank("three", 5000.0), Rank("four", 1.56e7)])
    assert [text.rpartition(", ")[2] for text in bars.texts()[1:]] == ["99 ×", "5 000 ×", "1.6e7 ×"]


def test_no_percentage_over_an_optimum_of_zero(bars: CostBars) -> None:
    show(bars, [Rank("one", 0.0, proved=True), Rank("two", 0.123)])
    assert bars.texts() == ["one: 0", "two: 0.123, +0.123"]
    show(bars, [Rank("one", 0.0), Rank("two", 0.0)])
    bars.grab()
    assert bars.texts() == ["one: 0", "two: 0, 0"]


def test_negative_losses_are_compared_by_difference(bars: CostBars) -> None:
    show(bars, [Rank("one", -2.0), Rank("two", -1.5), Rank("three", float("inf"))])
    bars.grab()
    assert bars.texts() == ["one: −2", "two: −1.5, +0.500", "three: ∞"]


def test_a_click_chooses(bars: CostBars) -> None:
    chosen = QSignalSpy(bars.chosen)
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=middle(bars, 1))
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=middle(bars, 3))
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(20, bars.height() - 1))
    assert [chosen.at(k)[0] for k in range(chosen.count())] == ["geometric", "Ignore the data"]


def test_keys_choose(bars: CostBars) -> None:
    chosen = QSignalSpy(bars.chosen)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Up, Qt.Key.Key_Space):
        QTest.keyClick(bars, key)
    assert [chosen.at(k)[0] for k in range(chosen.count())] == ["geometric", "optimal"]
    assert bars.accessibleDescription() == bars.texts()[0]


def test_tooltip_has_all_digits(bars: CostBars) -> None:
    show(bars, [Rank("Optimal", 1.194232155316292)])
    assert bars.tip(0) == "Optimal: 1.194232155316292"


def test_height_follows_text_size_and_wrapping(bars: CostBars) -> None:
    usual = bars.heightForWidth(312)
    assert bars.heightForWidth(120) > usual
    theme().set_scale(2)
    try:
        assert bars.heightForWidth(312) > 1.8 * usual
        assert bars.minimumSizeHint().height() == bars.heightForWidth(312)
    finally:
        theme().set_scale(1)


def test_nothing_to_show_is_fine(bars: CostBars) -> None:
    show(bars, [])
    bars.grab()
    QTest.keyClick(bars, Qt.Key.Key_Down)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    assert bars.texts() == []
