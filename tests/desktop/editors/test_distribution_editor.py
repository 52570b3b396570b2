"""The whole editor: values to the screen, intents from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from desktop import mouse
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.prior import Prior
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor, rarely_above
from dpdesigner.desktop.editors.weight_rules import Brush
from dpdesigner.errors import InputError

SIGNALS = ("changing", "changed", "cancelled", "selected", "pinRequested")


@pytest.fixture
def editor(qtbot: QtBot) -> DistributionEditor:
    theme().set_scheme("light")
    widget = DistributionEditor()
    qtbot.addWidget(widget)
    widget.resize(304, 220)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.set_distribution([1.0, 2.0, 4.0, 2.0, 1.0], texts=("1", "2", "4", "2", "1"))
    return widget


def pixel(editor: DistributionEditor, count: float, weight: float) -> QPointF:
    return QPointF(editor.plot.frame.x(count), editor.plot.frame.y(weight))


def paint(editor: DistributionEditor, *points: tuple[float, float]) -> None:
    mouse.drag(editor.plot.viewport(), [pixel(editor, *point) for point in points])


def test_showing_is_silent(editor: DistributionEditor) -> None:
    spies = [QSignalSpy(getattr(editor, name)) for name in SIGNALS]
    editor.set_distribution([1, 1, 1], spec="uniform")
    editor.set_selected(1)
    editor.plot.set_pinned([("before", np.array([0.2, 0.3, 0.5]))])
    for mode in ("curve", "table", "paint"):
        editor.set_mode(mode)
    editor.set_distribution([1, 2])
    assert [spy.count() for spy in spies] == [0] * len(spies)
    assert editor.plot.weights == pytest.approx([1 / 3, 2 / 3])


def test_weights_keep_their_scale_where_they_were_given_as_texts(editor: DistributionEditor) -> None:
    assert editor.plot.weights.tolist() == [1, 2, 4, 2, 1]
    editor.set_distribution([1e300, 3e300], texts=("1e300", "3e300"))
    assert editor.plot.weights == pytest.approx([0.25, 0.75])


def test_a_stroke_previews_and_ends_in_one_change_of_its_own_array(editor: DistributionEditor) -> None:
    changing, changed = QSignalSpy(editor.changing), QSignalSpy(editor.changed)
    paint(editor, (1, 1.0), (2, 2.0), (3, 3.0))
    assert (changing.count(), changed.count()) == (2, 1)
    weights = changed.at(0)[0]
    assert weights == pytest.approx([1, 1, 2, 3, 1], abs=0.06)
    weights[:] = 0
    assert editor.plot.weights.sum() > 0


def test_its_own_previews_coming_back_do_not_disturb_a_stroke(editor: DistributionEditor) -> None:
    def show_again(weights: np.ndarray) -> None:
        editor.set_distribution(weights.tolist(), texts=tuple(map(repr, weights.tolist())))

    editor.changing.connect(show_again)
    changed = QSignalSpy(editor.changed)
    paint(editor, (0, 1.0), (1, 3.0), (2, 3.0), (4, 3.5))
    editor.changing.disconnect(show_again)
    assert changed.count() == 1
    assert changed.at(0)[0][4] == pytest.approx(3.5, abs=0.06)


def test_other_values_end_a_stroke(editor: DistributionEditor) -> None:
    changed = QSignalSpy(editor.changed)
    view = editor.plot.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=pixel(editor, 1, 1).toPoint())
    mouse.move(view, pixel(editor, 2, 1), Qt.MouseButton.LeftButton)
    editor.set_distribution([5.0, 1.0], texts=("5", "1"))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=pixel(editor, 1, 1).toPoint())
    assert changed.count() == 0
    assert editor.plot.weights.tolist() == [5, 1]


def test_escape_previews_the_old_weights_and_cancels(editor: DistributionEditor) -> None:
    changing, cancelled = QSignalSpy(editor.changing), QSignalSpy(editor.cancelled)
    view = editor.plot.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=pixel(editor, 1, 1).toPoint())
    mouse.move(view, pixel(editor, 2, 1), Qt.MouseButton.LeftButton)
    QTest.keyClick(editor.plot, Qt.Key.Key_Escape)
    assert changing.at(changing.count() - 1)[0].tolist() == [1, 2, 4, 2, 1]
    assert cancelled.count() == 1
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=pixel(editor, 1, 1).toPoint())


def test_after_a_stroke_it_asks_back_and_a_click_opens_the_form(editor: DistributionEditor) -> None:
    editor.resize(400, 260)
    assert not editor.asking.question.isVisible()
    paint(editor, (4, 0.3), (4, 0.4))
    weights = editor.plot.weights
    odds = round(float(weights.sum() / weights[4]))
    assert odds >= 20 and editor.asking.question.isVisible()
    assert editor.asking.question.text() == f"Do you think the count is exactly 4 with probability 1 in {odds}?"
    spies = [QSignalSpy(getattr(editor, name)) for name in SIGNALS]
    editor.set_distribution(weights)  # what it asked for comes back
    QTest.mouseClick(editor.asking.question, Qt.MouseButton.LeftButton)
    assert not editor.asking.question.isVisible(), "the form has replaced it"
    assert editor.presets.isVisible() and [box.text() for box in editor.presets.boxes] == [str(round(100 - 100 / odds)), "0", "3"]
    assert [spy.count() for spy in spies] == [0] * len(spies)
    editor.presets.boxes[2].setFocus()
    editor.presets.boxes[2].selectAll()
    QTest.keyClicks(editor.presets.boxes[2], "2")
    QTest.keyClick(editor.presets.boxes[2], Qt.Key.Key_Return)
    found = spies[SIGNALS.index("changed")].at(0)[0]
    share = found[:3].sum() / found.sum()
    assert share == pytest.approx(round(100 - 100 / odds) / 100), "the number typed is true"
    for part in (slice(0, 3), slice(3, 5)):
        assert found[part] / found[part].sum() == pytest.approx(weights[part] / weights[part].sum()), "and the shape stays"
    assert editor.presets.isVisible()
    mouse.move(editor.plot.viewport(), pixel(editor, 1, 0.05))
    assert not editor.asking.question.isVisible() and editor.asking.reading.text().startswith("P(")
    editor.set_distribution([1, 1, 1, 1, 1])
    mouse.move(editor.plot.viewport(), QPointF(-9, -9))
    assert not editor.asking.question.isVisible()


def test_a_number_that_a_drawn_shape_cannot_have_is_refused(editor: DistributionEditor) -> None:
    editor.set_distribution([1, 2, 1, 0, 0])
    spy = QSignalSpy(editor.changed)
    editor.asking.answered.emit("smooth-quantiles:75%=1")
    editor.presets.boxes[2].setText("3")
    QTest.keyClick(editor.presets.boxes[2], Qt.Key.Key_Return)
    assert editor.error.text().startswith("Nothing is painted on one side of these counts") and spy.count() == 0
    editor.presets.choose("smooth-quantiles")
    assert spy.at(0)[0].startswith("smooth-quantiles:")


def test_what_is_asked_of_a_shape() -> None:
    assert rarely_above(np.array([0.5, 0.46, 0.04])) == (1, pytest.approx(0.04))
    assert rarely_above(np.array([3.0, 2.0, 2.0, 0.0])) == (1, pytest.approx(2 / 7))
    assert rarely_above(np.array([1.0, 0.0])) is None and rarely_above(np.array([1.0])) is None
    assert rarely_above(np.array([1.0, 2.0])) is None
    untouched = np.array([1.0, 5.0, *[1.0] * 28])
    assert rarely_above(untouched) is None, "nobody has drawn at the flat end"
    assert rarely_above(np.array([*untouched[:-1], 0.5])) == (27, pytest.approx(1.5 / 33.5))


def test_smooth_mirror_and_edits_that_change_nothing(editor: DistributionEditor) -> None:
    changed, changing = QSignalSpy(editor.changed), QSignalSpy(editor.changing)
    editor.smooth()
    assert changed.at(0)[0] == pytest.approx([1.25, 2.25, 3, 2.25, 1.25])
    assert changed.at(0)[1] == "Smooth prior"
    editor.mirror()
    assert changed.count() == 1
    assert changing.count() == 0


def test_the_line_above_says_what_is_under_the_mouse(editor: DistributionEditor) -> None:
    hovered = QSignalSpy(editor.hovered)
    editor.resize(900, 220)
    assert editor.asking.reading.text() == ""
    assert editor.asking.toolTip() == "Drag to paint, click to select, right-drag to erase"
    mouse.move(editor.plot.viewport(), pixel(editor, 2, 1))
    assert editor.asking.reading.text() == "P(count = 2) = 40%, P(count ≤ 2) = 70%"
    editor.plot.pointed.emit(None)
    assert hovered.at(0)[0] == 2


def test_a_click_selects_and_describes(editor: DistributionEditor) -> None:
    selected = QSignalSpy(editor.selected)
    QTest.mouseClick(editor.plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel(editor, 3, 1).toPoint())
    assert selected.at(0)[0] == 3
    assert editor.plot.bars.selected == 3
    assert editor.plot.accessibleDescription() == "count 3: 20 percent"
    QTest.keyClick(editor.plot, Qt.Key.Key_Left)
    assert editor.plot.accessibleDescription() == "count 2: 40 percent"
    editor.set_selected(None)
    assert editor.plot.accessibleDescription() == ""


def test_locks_from_keys_and_menu(editor: DistributionEditor) -> None:
    editor.resize(900, 220)
    editor.set_selected(2)
    QTest.keyClick(editor.plot, Qt.Key.Key_L)
    assert editor.plot.rules.locked == {2}
    assert editor.controls.lock.isChecked()
    paint(editor, (0, 4.0), (1, 4.0))
    assert editor.plot.weights[2] / editor.plot.weights.sum() == pytest.approx(0.4)
    QTest.keyClick(editor.plot, Qt.Key.Key_Up)
    assert editor.asking.reading.text() == "Count 2 is locked; press L to unlock it."
    assert editor.asking.reading.label.property("class") == "error"
    editor.controls.lock.trigger()
    assert editor.plot.rules.locked == frozenset()
    QTest.keyClick(editor.plot, Qt.Key.Key_L)
    editor.controls.unlock.trigger()
    assert not editor.plot.rules.bind


def test_a_held_total_keeps_the_total(editor: DistributionEditor) -> None:
    editor.controls.hold.trigger()
    paint(editor, (0, 4.0), (1, 4.0))
    assert editor.plot.weights.sum() == pytest.approx(10)
    assert editor.plot.weights[:2] == pytest.approx([4, 4], abs=0.06)
    editor.set_distribution([1, 1, 1])
    assert editor.plot.rules.hold_total


def test_another_n_lets_all_locks_go(editor: DistributionEditor) -> None:
    editor.set_selected(2)
    QTest.keyClick(editor.plot, Qt.Key.Key_L)
    editor.set_distribution([1, 1, 1, 1, 2], texts=("1", "1", "1", "1", "2"))
    assert editor.plot.rules.locked == {2}
    editor.set_distribution([1, 1, 1])
    assert editor.plot.rules.locked == frozenset()


def test_overlays_of_another_length_are_left_out(editor: DistributionEditor) -> None:
    editor.plot.set_pinned([("old", [0.5, 0.5]), ("same", [0.2] * 5)])
    assert [overlay.name for overlay in editor.plot.ghosts.overlays] == ["same"]
    editor.set_distribution([1, 1])
    assert [overlay.name for overlay in editor.plot.ghosts.overlays] == ["old"]


def test_modes_from_the_buttons(editor: DistributionEditor) -> None:
    for mode, shown in (("table", editor.table), ("curve", editor.plot), ("paint", editor.plot)):
        QTest.mouseClick(editor.controls.modes[mode], Qt.MouseButton.LeftButton)
        assert editor.stack.currentWidget() is shown
        assert editor.controls.modes[mode].isChecked()
    assert editor.plot.mode == "paint"


def test_smooth_moves_into_the_menu_where_the_row_is_narrow(editor: DistributionEditor, qtbot: QtBot) -> None:
    smooth = editor.controls.smooth
    editor.resize(200, 220)
    qtbot.waitUntil(lambda: not smooth.isVisible())
    editor.resize(700, 220)
    qtbot.waitUntil(smooth.isVisible)
    assert editor.controls.height() <= 2 * smooth.height()


def test_brush_box_and_wheel_show_the_same_brush(editor: DistributionEditor) -> None:
    box = editor.controls.brush
    box.reach.setValue(2)
    box.softness.setValue(50)
    assert editor.plot.brush == Brush(2, 0.5)
    editor.plot.brush_changed.emit(Brush(4, 0.5))
    assert (box.reach.value(), box.softness.value()) == (4, 50)


def test_another_edge_leaves_a_brush_as_wide_as_the_wheel_made_it(editor: DistributionEditor) -> None:
    editor.plot.set_brush(Brush(40))
    editor.plot.brush_changed.emit(Brush(40))
    editor.controls.brush.softness.setValue(50)
    assert editor.plot.brush == Brush(40, 0.5)


def test_a_weight_typed_beside_very_large_ones_is_on_their_scale(editor: DistributionEditor) -> None:
    editor.set_distribution([1e12, 2e12, 3e12], texts=("1e12", "2e12", "3e12"))
    editor.plot.toggle_lock(0)
    changed = QSignalSpy(editor.changed)
    editor.table.rows.typed.emit(1, "4e12")
    weights = np.array(changed.at(0)[0])
    assert weights / weights.sum() == pytest.approx([1 / 6, 5 / 6 * 4 / 7, 5 / 6 * 3 / 7])


def test_the_buttons_pin_and_read_a_column_of_counts(
    editor: DistributionEditor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("visits\n0\n3\n4\n90\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *given: (str(path), "")))
    pin, changed = QSignalSpy(editor.pinRequested), QSignalSpy(editor.changed)
    for action in editor.controls.menu.actions():
        if "Pin" in action.text():
            action.trigger()
    QTest.mouseClick(editor.controls.data, Qt.MouseButton.LeftButton)
    assert pin.count() == 1
    source = "visits, visits.csv; 1 of 4 counts above 4 taken as 4"
    assert changed.at(0) == [Prior((1, 0, 0, 1, 2), 4, source), "Prior from visits, visits.csv"]
    assert (
        editor.note.text()
        == "1 of 4 counts above 4 taken as 4. Counted without noise: do not publish this prior or any file that contains it."
    )
    path.write_text("visits\n7\n5\n4\n90\n")
    editor.open_counts(str(path))
    assert changed.count() == 1 and editor.error.text() == "3 of 4 counts are above n = 4: too many for the last bar."


def test_pasted_numbers_are_weights_or_counts(editor: DistributionEditor) -> None:
    changed = QSignalSpy(editor.changed)
    for text in ("1, 2\t3\n4 5", "0 0 3"):
        QGuiApplication.clipboard().setText(text)
        for view in (editor.plot, editor.table):
            QTest.keyClick(view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert [changed.at(k)[0] for k in range(changed.count())] == [("1", "2", "3", "4", "5")] * 2 + [(2, 0, 0, 1, 0)] * 2
    QGuiApplication.clipboard().setText("0.5 2")
    editor.paste()
    assert changed.count() == 4 and editor.error.text().startswith("Pasted text must be n + 1 = 5 weights or a column of whole")
    QGuiApplication.clipboard().setText("")
    editor.paste()
    assert changed.count() == 4
    assert editor.error.text() == "There is no text on the clipboard; copy a column of numbers first."


@pytest.mark.parametrize("bad", [[], [0.0, 0.0], [-1.0, 2.0], [float("inf")], [float("nan"), 1.0], [[1.0]]])
def test_what_is_no_distribution_is_refused_and_changes_nothing(editor: DistributionEditor, bad: list[float]) -> None:
    with pytest.raises(InputError, match="weights must be"):
        editor.set_distribution(bad)
    with pytest.raises(InputError, match="one text per weight, 2 in total, got 1"):
        editor.set_distribution([1, 2], texts=("1",))
    assert editor.plot.weights.tolist() == [1, 2, 4, 2, 1]


@pytest.mark.letters
def test_it_fits_a_narrow_column_and_large_text(editor: DistributionEditor) -> None:
    assert editor.minimumSizeHint().height() <= 15 * editor.fontMetrics().height()
    theme().set_scale(2)
    try:
        editor.resize(304, 300)
        assert editor.minimumSizeHint().width() <= 304
        assert editor.minimumSizeHint().height() <= 15 * editor.fontMetrics().height()
    finally:
        theme().set_scale(1)
