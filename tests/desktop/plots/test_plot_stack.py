"""Strips of bars and points, dragged by a real mouse and by keys, answered as a page answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.output.pictures import figure_bytes
from dpdesigner.desktop.pages.kit.summary import Figure
from dpdesigner.desktop.plots.bar_painter import BarPainter, draw_row
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_layer import draw_cells
from dpdesigner.desktop.plots.plot_stack import PlotStack
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.panels import strips
from dpdesigner.studies.panels import Fold, Plot, Strips
from dpdesigner.studies.plot_parts import Axis, Bars, Drag, Line, Select
from dpdesigner.studies.snapshot import Look, Snapshot

SCHOOLING = ChoiceDesign(
    utilities=[13, 52, 248, 187, 90, 227, 127],
    neighbours="changes",
    epsilon="0.1",
)
answer = lru_cache(ChoiceDesign.run)  # designs and answers are frozen


class Page:
    """Answers drags as a page does: with the strips of another design or of another look at it, at once."""

    def __init__(self, qtbot: QtBot, design: ChoiceDesign = SCHOOLING) -> None:
        self.stack = PlotStack()
        qtbot.addWidget(self.stack)
        self.stack.resize(532, 480)
        self.design, self.before = design, design
        self.view: dict[str, Any] = {"option": -1, "neighbour": "", "influence": True}
        self.heard: list[tuple[str, str, Any]] = []
        self.stack.moving.connect(lambda target, value: self.take("moving", target, value))
        self.stack.moved.connect(lambda target, value: self.take("moved", target, value))
        self.stack.cancelled.connect(lambda target: self.give_up(target))
        self.pressed: list[str] = []
        self.stack.pressed.connect(self.pressed.append)
        self.known = dict(self.view)
        self.show()
        with qtbot.waitExposed(self.stack):
            self.stack.show()
        self.show()

    def take(self, kind: str, target: str, value: Any) -> None:
        self.heard.append((kind, target, value))
        if target == "design":
            self.design = self.design.replace(**value)
        else:
            self.view[target.removeprefix("view.")] = value
        if kind == "moved":
            self.before, self.known = self.design, dict(self.view)
        self.show()

    def give_up(self, target: str) -> None:
        self.heard.append(("cancelled", target, None))
        self.design, self.view = self.before, dict(self.known)
        self.show()

    def show(self) -> None:
        look = Look(
            Snapshot(self.design, answer(self.design), {**self.design.view_defaults, **self.view, "rival": "", "view": "chances"})
        )
        shown = strips(look)
        plots = [replace(plot, selected=self.view["option"]) for plot in shown.plots]
        self.stack.show_strips(replace(shown, plots=tuple(plots)))

    def plot(self, key: str) -> CurvePlot:
        return self.stack.plots[key]

    def values(self, key: str) -> list[float]:
        found: list[float] = self.plot(key).plot.bars[0].values.tolist()
        return found

    def point(self, key: str, place: int, value: float) -> QPointF:
        frame = self.plot(key).figure().frame
        return QPointF(frame.x(float(place)), frame.y(value))

    def drag(self, key: str, place: int, *values: float) -> None:
        widget = self.plot(key).figure().viewport()
        QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=self.point(key, place, values[0]).toPoint())
        for value in values[1:]:  # the axis has more room once something is dragged
            mouse.move(widget, self.point(key, place, value), Qt.MouseButton.LeftButton)
        QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=self.point(key, place, values[-1]).toPoint())


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[Page]:
    theme().set_scheme("light")
    yield Page(qtbot)


def test_a_utility_is_dragged_and_the_chances_follow(page: Page) -> None:
    before = page.values("chances")
    page.drag("utilities", 3, 180, 150, 120, 120)
    assert page.values("utilities")[:3] + page.values("utilities")[4:] == [13, 52, 248, 90, 227, 127]
    assert page.values("utilities")[3] == pytest.approx(120, abs=4) and page.values("utilities")[3] % 1 == 0
    assert page.values("chances")[3] < before[3]
    kinds = [(kind, target) for kind, target, _ in page.heard]
    assert kinds[0] == ("moved", "view.option") and kinds[-1] == ("moved", "design")
    assert set(kinds[1:-1]) == {("moving", "design")}
    assert page.view["option"] == 3
    assert page.plot("ratios").plot.selected == 3


def test_a_bar_of_the_neighbour_is_dragged_and_the_other_gives_way(page: Page) -> None:
    page.drag("moves", 3, 0, 0.3, 0.9)
    assert page.values("moves")[3] == 1 and sum(page.values("moves")) == 0
    assert page.view["neighbour"].count(":") == 2 and "3:1" in page.view["neighbour"]
    assert max(map(abs, page.values("ratios"))) <= 0.1 + 1e-12


@pytest.mark.parametrize(("key", "to"), [("utilities", 100.0), ("moves", 0.9)])
def test_escape_in_the_middle_of_a_drag_gives_everything_back(page: Page, key: str, to: float) -> None:
    page.take("moved", "view.option", 3)
    before = {each: page.values(each) for each in page.stack.plots}
    plot, widget = page.plot(key), page.plot(key).figure().viewport()
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=page.point(key, 3, 0.0).toPoint())
    for share in (0.5, 1.0):
        mouse.move(widget, page.point(key, 3, share * to), Qt.MouseButton.LeftButton)
    assert page.values(key) != before[key]
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    mouse.move(widget, page.point(key, 3, to / 3), Qt.MouseButton.LeftButton)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=page.point(key, 3, to).toPoint())
    assert {each: page.values(each) for each in page.stack.plots} == before
    assert page.heard[-1][0] == "cancelled"


def test_the_axis_stays_while_a_bar_is_dragged_and_fits_afterwards(page: Page) -> None:
    plot, widget = page.plot("utilities"), page.plot("utilities").figure().viewport()
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=page.point("utilities", 2, 200).toPoint())
    mouse.move(widget, page.point("utilities", 2, 230), Qt.MouseButton.LeftButton)
    top = plot.figure().frame.top
    mouse.move(widget, page.point("utilities", 2, 60), Qt.MouseButton.LeftButton)
    assert plot.figure().frame.top == top > 248
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=page.point("utilities", 2, 60).toPoint())
    assert plot.figure().frame.top == pytest.approx(1.15 * max(page.values("utilities")))


def test_a_click_selects_and_moves_nothing(page: Page) -> None:
    page.drag("chances", 5, 0.1)
    page.drag("utilities", 4, 10)
    assert page.heard == [("moved", "view.option", 5), ("moved", "view.option", 4)]
    assert page.plot("moves").plot.selected == 4


def test_keys_select_step_and_are_told_as_actions(page: Page) -> None:
    plot = page.plot("utilities")
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert page.view["option"] == 2  # the best, to begin with
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert "187" in plot.accessibleDescription()
    QTest.keyPress(plot, Qt.Key.Key_Up)
    QTest.keyPress(plot, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert page.values("utilities")[3] == 198
    assert [kind for kind, target, _ in page.heard if target == "design"] == ["moving", "moving"]
    QTest.keyRelease(plot, Qt.Key.Key_Up)
    assert [kind for kind, target, _ in page.heard if target == "design"][-1] == "moved"
    QTest.keyClick(plot, Qt.Key.Key_Space)
    QTest.keyClick(plot, Qt.Key.Key_W)
    assert page.pressed == ["draw", "worst"]
    QTest.keyClick(plot, Qt.Key.Key_N)
    assert page.plot("moves").hasFocus()


def test_pointing_at_a_bar_points_it_out_in_every_strip(page: Page) -> None:
    mouse.move(page.plot("chances").figure().viewport(), page.point("chances", 2, 0.1))
    assert [plot._curves.hovered for plot in page.stack.plots.values()] == [2, 2, 2, 2]
    assert page.plot("chances").figure().toolTip().endswith("\nchance: 80.6%")
    assert page.plot("utilities").figure().cursor().shape() != Qt.CursorShape.OpenHandCursor
    mouse.move(page.plot("utilities").figure().viewport(), page.point("utilities", 2, 100))
    assert page.plot("utilities").figure().cursor().shape() == Qt.CursorShape.OpenHandCursor


def test_strips_are_aligned_and_stay_when_the_window_changes(page: Page) -> None:
    for width in (532, 320, 900):
        page.stack.resize(width, 480)
        frames = [plot.figure().frame for plot in page.stack.plots.values()]
        assert len({(frame.area.left(), frame.area.right(), frame.left, frame.right) for frame in frames}) == 1


def put(values: np.ndarray, which: int, where: float) -> np.ndarray:
    after = values.copy()
    after[which] = round(where)
    return after


def bar_plot(qtbot: QtBot, *bars: Bars, **more: Any) -> CurvePlot:
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.resize(420, 200)
    with qtbot.waitExposed(plot):
        plot.show()
    plot.show_plot(Plot("bars", "Bars", Axis(scale="whole"), Axis("rows"), bars=bars, **more))
    return plot


def test_a_bar_follows_the_mouse_where_the_answer_is_late_and_escape_puts_it_back(qtbot: QtBot) -> None:
    plot = bar_plot(qtbot, Bars([1, 5, 9], drags=(Drag("counts", put),)))
    frame, widget = plot.figure().frame, plot.figure().viewport()
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=QPointF(frame.x(1.0), frame.y(2)).toPoint())
    mouse.move(widget, QPointF(frame.x(1.0), frame.y(4)), Qt.MouseButton.LeftButton)
    mouse.move(widget, QPointF(frame.x(2.0), plot.figure().frame.y(7)), Qt.MouseButton.LeftButton)
    assert plot.plot.bars[0].values.tolist() == [1, 7, 9]  # no sweep: it stays with the bar it took
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.plot.bars[0].values.tolist() == [1, 5, 9]


def test_a_sweep_goes_on_to_the_bars_it_passes(qtbot: QtBot) -> None:
    plot = bar_plot(qtbot, Bars([1, 5, 9], drags=(Drag("counts", put, sweep=True),)))
    frame = plot.figure().frame
    mouse.drag(plot.figure().viewport(), [QPointF(frame.x(float(k)), frame.y(3)) for k in (0, 1, 2)])
    assert plot.plot.bars[0].values[1] == plot.plot.bars[0].values[2] == pytest.approx(3, abs=1)


def test_the_wheel_moves_the_selected_bar_once_the_keys_work_there(qtbot: QtBot) -> None:
    plot = bar_plot(qtbot, Bars([1, 5, 9], drags=(Drag("counts", put),)), selected=1, select=Select("view.cell"))
    heard: list[Any] = []
    plot.handleMoved.connect(lambda target, value: heard.append((target, value)))
    at = QPointF(plot.figure().frame.area.center())
    plot.clearFocus()
    assert not mouse.turn(plot.figure().viewport(), at, 1)
    plot.activateWindow()
    plot.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(plot.hasFocus)
    assert mouse.turn(plot.figure().viewport(), at, 2)
    qtbot.waitUntil(lambda: heard == [("counts", [1, 7, 9])])


def test_points_of_a_line_are_dragged_with_alt_for_the_second_meaning(qtbot: QtBot) -> None:
    drags = Drag("says", put), Drag("truth", put)
    line = Line([10, 20, 40], [1, 1, 1], spikes=True, drags=drags, select=Select("view.bidder", lambda k: 10 * k))
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.resize(420, 120)
    with qtbot.waitExposed(plot):
        plot.show()
    plot.show_plot(Plot("bids", "Bids", Axis(limits=(0, 50)), Axis(limits=(0, 2)), (line,), selected=0))
    heard: list[Any] = []
    plot.handleMoved.connect(lambda target, value: heard.append((target, value)))
    frame, widget = plot.figure().frame, plot.figure().viewport()
    points = [QPointF(frame.x(x), frame.y(0.5)) for x in (21.0, 24.0, 30.0)]
    mouse.drag(widget, points)
    assert heard == [("view.bidder", 10), ("says", [10, 30, 40])]  # what is dragged is selected first
    QTest.keyPress(plot, Qt.Key.Key_Alt)
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, points[2].toPoint())
    mouse.move(widget, points[0], Qt.MouseButton.LeftButton)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=points[0].toPoint())
    QTest.keyRelease(plot, Qt.Key.Key_Alt)
    assert heard[-1] == ("truth", [10, 21, 40])
    mouse.drag(widget, [QPointF(frame.x(41.0), frame.y(0.5))])
    assert heard[-1] == ("view.bidder", 20)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert heard[-1] == ("view.bidder", 10)


def test_bars_have_the_colours_of_what_they_are_for(qtbot: QtBot) -> None:
    plot = bar_plot(
        qtbot,
        Bars([4, 8, 8], "truth", "rival", strong=[False, True, True], faint=True),
        Bars([2, -4, 8], "released"),
        selected=2,
        select=Select("view.cell"),
    )
    picture, frame = plot.figure().grab().toImage(), plot.figure().frame
    painter = BarPainter(plot.plot, frame)

    def shade(series: int, place: int) -> QColor:
        value = float(plot.plot.bars[series].values[place])
        return QColor(picture.pixel(painter.bar(series, place, value).center().toPoint()))

    colours = theme().colours
    assert shade(0, 1) == QColor(colours.quiet) and shade(1, 1) == shade(1, 0) == QColor(colours.accent)
    assert shade(0, 2) == shade(1, 2) == QColor(colours.selected)
    assert shade(0, 0).lightness() > shade(0, 1).lightness()
    below = painter.bar(1, 1, -4.0)
    assert below.top() == pytest.approx(painter.zero) and below.bottom() == pytest.approx(frame.y(-4.0))


def test_of_more_bars_than_pixels_the_highest_and_the_lowest_are_seen(qtbot: QtBot) -> None:
    values = np.zeros(5000)
    values[2500], values[3000] = 1.0, -1.0
    plot = bar_plot(qtbot, Bars(values))
    picture, frame = plot.figure().grab().toImage(), plot.figure().frame
    for place, value in ((2500, 0.5), (3000, -0.5)):
        x, y = int(frame.x(float(place))), int(frame.y(value))
        seen = {QColor(picture.pixel(x + dx, y)).name() for dx in (-1, 0, 1)}
        assert QColor(theme().colours.accent).name() in seen


class Writing(QPainter):
    """Keeps the texts that are drawn, and where."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.texts: dict[str, QRectF] = {}

    def drawText(self, box: QRectF, flags: Qt.AlignmentFlag, text: str) -> None:
        self.texts[text] = box
        super().drawText(box, flags, text)


def test_thin_bars_are_an_area_with_the_chosen_one_and_thin_cells_have_numbers(qtbot: QtBot) -> None:
    image, area = QImage(420, 40, QImage.Format.Format_RGB32), QRectF(50, 0, 333, 20)
    for size, some in ((201, {"0", "100", "120", "200"}), (2001, {"0", "500", "1000", "1200", "1500", "2000"})):
        image.fill(QColor("white"))
        painter, chosen = Writing(image), 3 * size // 5
        draw_row(painter, area, np.ones(size), "accent", chosen)
        draw_cells(painter, area.translated(0, 20), [(k, k, str(k)) for k in range(size)], size, chosen)
        painter.end()
        inks = [image.pixelColor(x, 10).name() for x in range(52, 381)]
        assert set(inks) >= {theme().colours.accent, theme().colours.selected} and "#ffffff" not in inks
        assert some <= painter.texts.keys() and len(painter.texts) < 20
        assert not any(one.intersects(other) for one, other in combinations(painter.texts.values(), 2))
        assert all(area.left() <= box.left() and box.right() <= area.right() for box in painter.texts.values())


def test_texts_within_bounds_and_dots_for_draws(qtbot: QtBot) -> None:
    plot = bar_plot(qtbot, Bars([0.1, 0.6, 0.3], texts=lambda value: f"{100 * value:.0f}%", dots=[1, 6, 3], rival=[0, 0.7, 0.2]))
    assert plot.figure().frame.top == pytest.approx(0.742), "the marks lie below the end of the axis"
    assert plot.figure().grab().toImage() != bar_plot(qtbot, Bars([0.1, 0.6, 0.3])).figure().grab().toImage()


def test_bars_that_look_the_same_are_not_laid_out_again(page: Page) -> None:
    layer, calls = page.plot("moves")._curves, list[Plot]()
    shown = layer.show_plot
    layer.show_plot = lambda plot: (calls.append(plot), shown(plot))[1]  # type: ignore[method-assign]
    page.take("moving", "design", {"utilities": [13, 52, 248, 187, 91, 227, 127]})
    assert not calls and page.values("utilities")[4] == 91
    page.take("moved", "view.option", 1)
    assert [plot.selected for plot in calls] == [1]


@pytest.mark.parametrize("file_format", ["svg", "pdf", "png"])
def test_a_picture_of_bars_shows_nothing_as_selected_or_pointed_at(page: Page, file_format: str) -> None:
    page.take("moved", "view.option", 3)
    size, shown = QSize(400, 160), page.plot("utilities").plot
    plain, chosen = Figure("a", "A", replace(shown, selected=-1), size), Figure("a", "A", shown, size)
    written = [figure_bytes(figure.widget, file_format) for figure in (plain, chosen)]
    assert len(written[0]) > 500
    if file_format != "pdf":  # which holds the time
        assert written[0] == written[1]


def test_a_stack_shows_fewer_strips_after_more(qtbot: QtBot) -> None:
    stack = PlotStack()
    qtbot.addWidget(stack)
    first, second = (Plot(key, key, Axis(), Axis(), (Line([0, 1], [0, 1]),)) for key in "ab")
    stack.show_strips(Strips("s", "S", (first, second)))
    stack.show()
    stack.show_strips(Strips("s", "S", (second,)))
    assert list(stack.plots) == ["b"] and sum(plot.isVisible() for plot in stack.findChildren(CurvePlot)) == 1


@pytest.mark.parametrize("height", [400, 480, 700])
def test_the_bars_above_the_axis_are_as_high_as_those_of_the_other_strips(qtbot: QtBot, height: int) -> None:
    x = Axis("option", scale="names", names=("one", "another one"))
    made = Strips("strips", "", tuple(Plot(key, key, x, Axis(), bars=(Bars(np.array([1.0, 2.0])),)) for key in "abc"))
    stack = PlotStack()
    qtbot.addWidget(stack)
    stack.resize(500, height)
    stack.show_strips(made)
    with qtbot.waitExposed(stack):
        stack.show()
    areas = [plot.figure().frame.area.height() for plot in stack.plots.values()]
    assert max(areas) - min(areas) <= 3 and stack.plots["c"].height() > stack.plots["a"].height() + 20


def test_the_last_strips_are_shown_on_request(qtbot: QtBot) -> None:
    def shown(opened: bool) -> Strips:
        return Strips("s", "S", plots, 1, fold=Fold("Influence", 2, "view.influence", opened))

    plots = tuple(
        Plot(key, key, Axis(), Axis(), (Line([0, 1], [0, 1]),), room=room) for key, room in zip("abcd", (1, 4, 1, 1), strict=True)
    )
    stack, heard = PlotStack(), list[Any]()
    qtbot.addWidget(stack)
    stack.moved.connect(lambda target, value: heard.append((target, value)))
    stack.set_least(200)
    stack.resize(400, 400)
    stack.show_strips(shown(False))
    with qtbot.waitExposed(stack):
        stack.show()
    link = stack.findChild(QPushButton)
    assert list(stack.plots) == ["a", "b"] and stack.plots["b"].height() >= 200 > stack.plots["a"].height()
    assert link.y() > stack.plots["b"].y() and link.text() == "▸ Influence"
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    assert heard == [("view.influence", True)]
    stack.show_strips(shown(True))
    qtbot.waitUntil(lambda: stack.plots["d"].y() > stack.plots["c"].y() > link.y() > stack.plots["b"].y())
    assert list(stack.plots) == ["a", "b", "c", "d"] and link.text() == "▾ Influence" and stack.plots["b"].height() >= 200
    stack.show_strips(shown(False))
    qtbot.waitUntil(lambda: stack.height() - link.geometry().bottom() < 20)  # what is hidden again takes no room
    public = shown(False).public()
    assert public is not None and [plot.key for plot in public.plots] == ["a", "b", "c", "d"], "exports have all of them"


class Written:
    """Takes the place of a painter, and keeps the lower ends of texts."""

    def __init__(self) -> None:
        self.ends: dict[str, float] = {}

    def setFont(self, font: QFont) -> None:
        self._font = font

    def font(self) -> QFont:
        return self._font

    def setPen(self, pen: QColor) -> None:
        """Any colour will do."""

    def drawText(self, at: QPointF, text: str) -> None:
        self.ends[text] = at.y()


def test_a_percentage_stands_above_the_dots_that_were_drawn(qtbot: QtBot) -> None:
    bars = Bars([0.7, 0.2, 0.1], texts=lambda value: f"{100 * value:.0f}%", dots=[6, 4, 0], rival=[0.6, 0.45, 0.1])
    plot = bar_plot(qtbot, bars)
    shown, written = replace(plot.plot, y=Axis()), Written()
    frame = plot.figure().frame
    BarPainter(shown, frame, -1, 1.0).draw_texts(written, QRectF(plot.rect()))
    assert written.ends["20%"] < frame.y(0.45), "above the dots, and above the mark on them"
    assert frame.y(0.7) > written.ends["70%"] > frame.y(0.7) - 10
    assert frame.y(0.1) > written.ends["10%"] > frame.y(0.1) - 10
