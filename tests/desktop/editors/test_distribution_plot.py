"""Real mouse and keys on the bars of a distribution."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.distribution_layers import Overlay
from dpdesigner.desktop.editors.distribution_plot import DistributionPlot
from dpdesigner.desktop.editors.weight_rules import Brush, Rules

LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
PLAIN, SHIFT, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def plot(qtbot: QtBot) -> Iterator[DistributionPlot]:
    theme().set_scheme("light")
    window = QWidget()
    qtbot.addWidget(window)
    widget = DistributionPlot(window)
    widget.resize(340, 180)
    window.resize(340, 180)
    with qtbot.waitExposed(window):
        window.show()
    widget.set_weights(np.full(11, 1.0))
    yield widget


def at(plot: DistributionPlot, count: float, weight: float) -> QPointF:
    return QPointF(plot.frame.x(count), plot.frame.y(weight))


def send(
    plot: DistributionPlot, kind: QEvent.Type, position: QPointF, buttons: Qt.MouseButton, keys: Qt.KeyboardModifier
) -> None:
    button = NONE if kind == QEvent.Type.MouseMove else buttons
    held = NONE if kind == QEvent.Type.MouseButtonRelease else buttons
    far = QPointF(plot.viewport().mapToGlobal(position.toPoint()))
    QApplication.sendEvent(plot.viewport(), QMouseEvent(kind, position, far, button, held, keys))


def drag(
    plot: DistributionPlot, points: list[tuple[float, float]], button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = PLAIN
) -> None:
    """Press at the first (count, weight), move over the others, and keep the button down."""
    pixels = [at(plot, *point) for point in points]
    send(plot, QEvent.Type.MouseButtonPress, pixels[0], button, keys)
    for pixel in pixels[1:]:
        send(plot, QEvent.Type.MouseMove, pixel, button, keys)


def release(plot: DistributionPlot, count: float, weight: float, button: Qt.MouseButton = LEFT) -> None:
    send(plot, QEvent.Type.MouseButtonRelease, at(plot, count, weight), button, PLAIN)


def turn(plot: DistributionPlot, count: float, notches: int, keys: Qt.KeyboardModifier = PLAIN) -> None:
    position = at(plot, count, 0.5)
    far, phase = QPointF(plot.viewport().mapToGlobal(position.toPoint())), Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(position, far, QPoint(), QPoint(0, 120 * notches), NONE, keys, phase, False)
    QApplication.sendEvent(plot.viewport(), event)


def test_a_stroke_paints_the_bars_it_crosses_and_is_one_change(plot: DistributionPlot) -> None:
    changing, changed = QSignalSpy(plot.changing), QSignalSpy(plot.changed)
    frame = plot.frame
    drag(plot, [(2, 0.5), (4, 0.7), (7, 1.6)])
    assert plot.busy
    assert plot.frame == frame
    assert changing.count() == 2
    assert changed.count() == 0
    release(plot, 7, 1.6)
    assert changed.count() == 1
    weights, label = changed.at(0)
    assert label == "Paint prior"
    assert weights[[0, 1, 8, 9, 10]].tolist() == [1] * 5
    assert weights[2:8] == pytest.approx([0.5, 0.6, 0.7, 1.0, 1.3, 1.6], abs=0.02)
    assert not plot.busy
    assert plot.frame.top == pytest.approx(max(1.12 * weights.max(), 2.2 * weights.mean()))


def test_the_old_shape_is_a_ghost_until_release(plot: DistributionPlot) -> None:
    drag(plot, [(2, 0.5), (4, 0.7)])
    assert plot.bars.ghost is not None
    assert plot.bars.ghost.tolist() == [1] * 11
    release(plot, 4, 0.7)
    assert plot.bars.ghost is None


def test_escape_gives_a_stroke_up(plot: DistributionPlot) -> None:
    changed, cancelled = QSignalSpy(plot.changed), QSignalSpy(plot.cancelled)
    drag(plot, [(2, 0.5), (4, 0.7)])
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert cancelled.count() == 1
    assert cancelled.at(0)[0].tolist() == [1] * 11
    assert plot.weights.tolist() == [1] * 11
    release(plot, 4, 0.7)
    assert changed.count() == 0


def test_shift_draws_a_straight_line_from_the_press(plot: DistributionPlot) -> None:
    drag(plot, [(2, 0.4), (3, 2.0)])
    send(plot, QEvent.Type.MouseMove, at(plot, 6, 1.2), LEFT, SHIFT)
    assert plot.weights[2:7] == pytest.approx([0.4, 0.6, 0.8, 1.0, 1.2], abs=0.02)


def test_the_right_button_erases_and_without_moving_opens_the_menu(plot: DistributionPlot) -> None:
    changed, menu, chosen = QSignalSpy(plot.changed), QSignalSpy(plot.menu_wanted), QSignalSpy(plot.chosen)
    drag(plot, [(2, 0.5), (4, 0.7)], RIGHT)
    release(plot, 4, 0.7, RIGHT)
    assert changed.at(0)[0][:6].tolist() == [1, 1, 0, 0, 0, 1]
    assert changed.at(0)[1] == "Erase prior"
    drag(plot, [(6, 0.5)], RIGHT)
    release(plot, 6, 0.5, RIGHT)
    assert (menu.count(), menu.at(0)[0]) == (1, 6)
    assert chosen.count() == 0


def test_a_click_chooses_and_paints_nothing(plot: DistributionPlot) -> None:
    changing, chosen = QSignalSpy(plot.changing), QSignalSpy(plot.chosen)
    QTest.mouseClick(plot.viewport(), LEFT, pos=at(plot, 5, 0.5).toPoint())
    drag(plot, [(3, 0.5), (3.01, 0.51)])
    release(plot, 3.01, 0.51)
    assert [chosen.at(k)[0] for k in range(chosen.count())] == [5, 3]
    assert changing.count() == 0


def erase(plot: DistributionPlot) -> None:
    drag(plot, [(0, 0.5), (10, 0.5)], RIGHT)
    release(plot, 10, 0.5, RIGHT)


def test_erasing_everything_asks_for_nothing_and_loses_nothing(plot: DistributionPlot) -> None:
    """An empty frame, from which Esc and Undo lead back; what is painted into it is all there is."""
    changed = QSignalSpy(plot.changed)
    for key, keys in ((Qt.Key.Key_Escape, PLAIN), (Qt.Key.Key_Z, CONTROL)):
        erase(plot)
        assert plot.blank and plot.weights.tolist() == [1] * 11
        QTest.keyClick(plot, key, keys)
        assert not plot.blank
    assert changed.count() == 0
    erase(plot)
    drag(plot, [(2, 0.5), (4, 0.5)])
    release(plot, 4, 0.5)
    assert changed.count() == 1 and not plot.blank
    assert np.flatnonzero(plot.weights).tolist() == [2, 3, 4]
    erase(plot)
    plot.set_weights(np.arange(1.0, 4.0))
    assert not plot.blank


def test_keys_draw_into_what_is_empty(plot: DistributionPlot) -> None:
    plot.set_weights(np.eye(1, 11, 7)[0])
    plot.set_selected(7)
    changed = QSignalSpy(plot.changed)
    QTest.keyClick(plot, Qt.Key.Key_Delete)
    assert plot.blank and changed.count() == 0
    plot.set_selected(3)
    QTest.keyClick(plot, Qt.Key.Key_Up)
    assert not plot.blank and np.flatnonzero(plot.weights).tolist() == [3] and changed.count() == 1


def test_what_is_not_erased_in_a_stroke_keeps_its_last_bar(plot: DistributionPlot) -> None:
    plot.set_weights(np.eye(1, 11, 7)[0])
    explained = QSignalSpy(plot.explained)
    turn(plot, 7, -25)
    assert plot.weights[7] > 0
    assert explained.at(explained.count() - 1)[0] == "At least one count must stay possible, so 7 keeps its bar."


def test_locked_bars_keep_their_probability(plot: DistributionPlot) -> None:
    plot.set_rules(Rules(frozenset({4})))
    drag(plot, [(2, 2.0), (6, 2.0)])
    release(plot, 6, 2.0)
    assert plot.weights[4] / plot.weights.sum() == pytest.approx(1 / 11)


def test_values_from_outside_end_a_gesture_silently(plot: DistributionPlot) -> None:
    changed, changing = QSignalSpy(plot.changed), QSignalSpy(plot.changing)
    drag(plot, [(2, 0.5), (4, 0.7)])
    plot.set_weights(np.arange(1.0, 4.0))
    release(plot, 1, 0.7)
    assert changed.count() == 0
    assert changing.count() == 1
    assert plot.weights.tolist() == [1, 2, 3]


def test_the_wheel_scrolls_the_page_unless_the_bars_have_the_focus(plot: DistributionPlot, qtbot: QtBot) -> None:
    plot.clearFocus()
    assert not mouse.turn(plot.viewport(), at(plot, 3, 0.5), 1)
    assert plot.weights[3] == 1


def test_the_wheel_nudges_and_ends_in_one_change(plot: DistributionPlot, qtbot: QtBot) -> None:
    plot.activateWindow()
    plot.setFocus()
    qtbot.waitUntil(plot.hasFocus)
    with qtbot.waitSignal(plot.changed, timeout=5000) as waited:
        turn(plot, 3, 1)
        turn(plot, 3, 1)
    assert waited.args[0][3] == pytest.approx(1.1)
    turn(plot, 3, -1)
    changed = QSignalSpy(plot.changed)
    mouse.move(plot.viewport(), at(plot, 5, 0.5))
    assert changed.count() == 1


def test_control_and_wheel_change_the_width_of_the_brush(plot: DistributionPlot) -> None:
    told = QSignalSpy(plot.brush_changed)
    turn(plot, 3, 1, CONTROL)
    assert plot.brush.width == 3
    turn(plot, 3, -1, CONTROL)
    turn(plot, 3, -1, CONTROL)
    assert plot.brush.width == 1
    assert told.at(0)[0] == Brush(1)
    plot.set_brush(Brush(2))
    mouse.move(plot.viewport(), at(plot, 1, 0.5))
    assert plot.bars.brushed == (0, 3)


def test_a_touchpad_that_does_not_turn_leaves_the_brush_as_it_is(plot: DistributionPlot) -> None:
    told = QSignalSpy(plot.brush_changed)
    plot.set_brush(Brush(3))
    turn(plot, 3, 0, CONTROL)
    assert plot.brush == Brush(3) and told.count() == 0


def test_keys_choose_raise_clear_and_lock(plot: DistributionPlot) -> None:
    changed, chosen, lock = QSignalSpy(plot.changed), QSignalSpy(plot.chosen), QSignalSpy(plot.lock_wanted)
    plot.set_selected(3)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert [chosen.at(k)[0] for k in range(2)] == [4, 2]
    QTest.keyPress(plot, Qt.Key.Key_Up)
    QTest.keyPress(plot, Qt.Key.Key_Up)
    assert changed.count() == 0
    QTest.keyRelease(plot, Qt.Key.Key_Up)
    assert changed.at(0)[0][3] == pytest.approx(1.1)
    QTest.keyClick(plot, Qt.Key.Key_Delete)
    assert (changed.at(1)[0][3], changed.at(1)[1]) == (0, "Clear count 3")
    QTest.keyClick(plot, Qt.Key.Key_L)
    assert lock.at(0)[0] == 3


def test_hovering_points_at_bars(plot: DistributionPlot) -> None:
    pointed = QSignalSpy(plot.pointed)
    for count in (2, 2.1, 3):
        mouse.move(plot.viewport(), at(plot, count, 0.5))
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    assert [pointed.at(k)[0] for k in range(pointed.count())] == [2, 3, None]


def test_curve_handles_are_dragged_added_and_removed(plot: DistributionPlot) -> None:
    changed = QSignalSpy(plot.changed)
    plot.set_mode("curve")
    assert plot.bars.curve is not None
    assert plot.bars.curve.places == (0, 10)
    drag(plot, [(5, 0.3), (5, 0.4), (6, 2.0)])
    release(plot, 6, 2.0)
    assert plot.bars.curve.places == (0, 6, 10)
    weights, label = changed.at(0)
    assert label == "Bend prior"
    assert weights[6] == pytest.approx(2.0, abs=0.03)
    assert np.all(np.diff(weights[:7]) >= 0)
    assert np.all(np.diff(weights[6:]) <= 0)
    plot.set_weights(weights / weights.sum())
    assert plot.bars.curve.places == (0, 6, 10)
    QTest.mouseDClick(plot.viewport(), LEFT, pos=at(plot, 6, plot.bars.curve.heights[1]).toPoint())
    assert plot.bars.curve.places == (0, 10)
    assert changed.at(1)[1] == "Remove handle"
    assert np.ptp(changed.at(1)[0]) == pytest.approx(0)
    plot.set_mode("paint")
    assert plot.bars.curve is None


def test_colours_tell_selected_and_locked_bars(plot: DistributionPlot) -> None:
    plot.set_selected(2)
    plot.set_rules(Rules(frozenset({4})))
    image = plot.grab().toImage()
    assert image.pixelColor(plot.bars.bar(2).center().toPoint()) == QColor(theme().colours.selected)
    assert image.pixelColor(plot.bars.bar(3).center().toPoint()) == QColor(theme().colours.accent)
    assert image.pixelColor(plot.bars.bar(4).center().toPoint()) != QColor(theme().colours.accent)


def test_bars_stand_on_whole_pixels_with_even_gaps(plot: DistributionPlot) -> None:
    bars = [plot.bars.bar(count) for count in range(11)]
    assert all(edge == round(edge) for bar in bars for edge in (bar.left(), bar.right(), bar.top()))
    gaps = {after.left() - before.right() for before, after in pairwise(bars)}
    assert max(gaps) - min(gaps) <= 1
    plot.set_weights(np.array([1.0, 1e-9, 0.0]))
    assert [plot.bars.bar(count).height() for count in (1, 2)] == [1, 0]


def test_more_bars_than_pixels_show_peaks_and_are_painted_together(plot: DistributionPlot) -> None:
    weights = np.full(100_001, 1.0)
    weights[70_001] = 3.0
    plot.set_weights(weights)
    image, x, y = plot.grab().toImage(), round(plot.frame.x(70_001)), round(plot.frame.y(2.0))
    assert theme().colours.accent in {image.pixelColor(x + step, y).name() for step in (-1, 0, 1)}
    drag(plot, [(20_000, 2.0), (40_000, 2.0)])
    assert plot.weights[20_000:40_000] == pytest.approx(2.0, abs=0.05)
    assert plot.weights[41_000:60_000].tolist() == [1.0] * 19_000


def test_overlays_are_drawn_on_the_scale_of_the_bars(plot: DistributionPlot) -> None:
    probabilities = np.zeros(11)
    probabilities[3] = 1.0
    plot.ghosts.show_overlays([pinned := Overlay("flu season", probabilities)])
    assert plot.ghosts.text(pinned) == "flu season ↑ up to 100%"
    plot.grab()
    before = plot.frame.top
    plot.fit()
    assert plot.frame.top == before, "what is drawn beside the bars does not scale them"
    plot.grab()


def test_the_axis_is_in_percent_of_the_total(plot: DistributionPlot) -> None:
    ticks = plot.axes.vertical.finder(0.0, 2.2, 4)
    assert [(tick.text, tick.at) for tick in ticks if tick.text == "10%"] == [("10%", pytest.approx(1.1))]


def test_a_single_count_can_be_shown_and_painted(plot: DistributionPlot) -> None:
    plot.set_weights(np.array([2.0]))
    drag(plot, [(0, 1.0), (0.2, 0.2)])
    release(plot, 0.2, 0.2)
    assert plot.weights[0] == pytest.approx(0.2, abs=0.05)
    plot.set_mode("curve")
    plot.grab()


def test_hiding_gives_a_gesture_up(plot: DistributionPlot) -> None:
    cancelled = QSignalSpy(plot.cancelled)
    drag(plot, [(2, 0.5), (4, 0.7)])
    plot.hide()
    assert cancelled.count() == 1
    assert plot.weights.tolist() == [1] * 11


def test_the_focus_frame_is_for_those_who_come_by_key(plot: DistributionPlot) -> None:
    for reason, framed in ((Qt.FocusReason.TabFocusReason, True), (Qt.FocusReason.ActiveWindowFocusReason, False)):
        QApplication.sendEvent(plot, QFocusEvent(QEvent.Type.FocusIn, reason))
        assert plot.axes.focused is framed
    QApplication.sendEvent(plot, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.BacktabFocusReason))
    QTest.mouseClick(plot.viewport(), LEFT, pos=at(plot, 5, 0.5).toPoint())
    assert not plot.axes.focused


def test_labels_that_grow_in_a_stroke_have_room_and_move_no_bar(plot: DistributionPlot) -> None:
    plot.set_weights(np.full(31, 1.0))
    before = plot.frame.area.left()
    drag(plot, [(4, 0.05), (17, 0.05), (30, 0.05)])
    assert 100 * plot.weights.max() / plot.weights.sum() > 10
    assert plot.axes.left_margin(plot.frame) <= plot.axes.margin and plot.frame.area.left() == before
