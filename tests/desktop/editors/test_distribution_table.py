"""The table twin: everything by keyboard, what is typed stays as typed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.parsing import exact
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.editors.distribution_editor import DistributionEditor
from dpdesigner.desktop.editors.distribution_table import COUNT, PROBABILITY, WEIGHT

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def editor(qtbot: QtBot) -> DistributionEditor:
    theme().set_scheme("light")
    widget = DistributionEditor()
    qtbot.addWidget(widget)
    widget.resize(304, 300)
    with qtbot.waitExposed(widget):
        widget.show()
    widget.set_distribution([1 / 3, 0.2, 0.0, 0.1], texts=("1/3", "20%", "0", "0.1"))
    widget.set_mode("table")
    widget.set_selected(1)
    return widget


def test_rows_are_as_high_as_the_text(editor: DistributionEditor) -> None:
    theme().apply()
    before = editor.table.rowHeight(0)
    theme().set_scale(2.0)
    assert editor.table.rowHeight(0) > editor.table.fontMetrics().height() > 1.5 * before / 2
    theme().set_scale(1.0)
    assert editor.table.rowHeight(0) == before


def shown(editor: DistributionEditor, row: int, column: int) -> str:
    return str(editor.table.rows.index(row, column).data())


def type_text(editor: DistributionEditor, text: str) -> None:
    """Type over the current cell and press Enter."""
    QTest.keyClick(editor.table, text[0])
    field = editor.table.viewport().findChild(QLineEdit)
    QTest.keyClicks(field, text[1:])
    QTest.keyClick(field, Qt.Key.Key_Return)
    QCoreApplication.processEvents()  # Qt commits after the box has seen the key


def test_weights_stand_as_they_were_given_beside_their_probabilities(editor: DistributionEditor) -> None:
    assert [shown(editor, row, WEIGHT) for row in range(4)] == ["1/3", "20%", "0", "0.1"]
    assert [shown(editor, row, PROBABILITY) for row in range(4)] == ["52.6%", "31.6%", "0%", "15.8%"]
    assert [shown(editor, row, COUNT) for row in range(4)] == ["0", "1", "2", "3"]
    index = editor.table.rows.index(1, WEIGHT)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "count 1: weight 20%, 31.6 percent"


def test_drawn_weights_are_shown_short_and_edited_in_full(editor: DistributionEditor) -> None:
    editor.set_distribution([1.0, 2.0])
    assert shown(editor, 0, WEIGHT) == "0.333333"
    assert editor.table.rows.index(0, WEIGHT).data(Qt.ItemDataRole.EditRole) == repr(1 / 3)


@pytest.mark.parametrize("text", ["0.2", "1/7", "1e-3"])
def test_typed_numbers_stay_as_typed(editor: DistributionEditor, text: str) -> None:
    changed = QSignalSpy(editor.changed)
    type_text(editor, text)
    assert changed.count() == 1
    values, label = changed.at(0)
    assert values == ("1/3", text, "0", "0.1")
    assert label == f"Set count 1 to {text}"
    assert shown(editor, 1, WEIGHT) == text


@pytest.mark.parametrize(("column", "text"), [(WEIGHT, "20%"), (PROBABILITY, "20"), (PROBABILITY, "20%"), (PROBABILITY, "1/5")])
def test_a_percentage_is_one_and_the_others_share_the_rest(editor: DistributionEditor, column: int, text: str) -> None:
    changed, rows = QSignalSpy(editor.changed), editor.table.rows
    assert rows.setData(rows.index(1, column), text)
    values, label = changed.at(0)
    assert [exact(value) for value in values] == [Fraction(8, 13), Fraction(1, 5), 0, Fraction(12, 65)]
    assert sum(exact(value) for value in values) == 1 and values[1] == "20%" and label == "Set count 1 to 20%"
    assert shown(editor, 1, PROBABILITY) == "20%"


def test_a_share_where_nothing_could_share_the_rest(editor: DistributionEditor) -> None:
    editor.set_distribution([0, 3, 0], texts=("0", "3", "0"))
    rows = editor.table.rows
    rows.setData(rows.index(1, WEIGHT), "40%")
    assert editor.texts == ("30%", "40%", "30%"), "all others alike"
    refused = QSignalSpy(rows.refused)
    rows.setData(rows.index(1, PROBABILITY), "101")
    assert refused.at(0)[0] == "A probability must be between 0% and 100%, got 101." and editor.texts[1] == "40%"


def test_typing_replaces_what_stands_in_a_cell(editor: DistributionEditor) -> None:
    table = editor.table
    editor.set_mode("table")
    for column in (WEIGHT, PROBABILITY):
        table.setCurrentIndex(table.rows.index(2, column))
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_7)
        box = table.findChild(QLineEdit)
        assert box is not None and box.text() == "7"
        QTest.keyClick(box, Qt.Key.Key_Escape)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a third", "The weight of count 1 must be a number like 0.2, 1/3 or 20%, got 'a third'."),
        ("1/0", "The weight of count 1 must not divide by zero, got 1/0."),
        ("-0.5", "The weight of count 1 must be between 0 and 1e100, got -0.5."),
        ("1e400", "The weight of count 1 must be between 0 and 1e100, got 1e400."),
    ],
)
def test_what_is_no_weight_gets_a_sentence_and_changes_nothing(editor: DistributionEditor, text: str, sentence: str) -> None:
    changed = QSignalSpy(editor.changed)
    editor.table.rows.setData(editor.table.rows.index(1, WEIGHT), text)
    assert changed.count() == 0
    assert editor.error.text() == sentence
    assert editor.error.property("class") == "error"
    assert editor.error.isVisible()
    assert shown(editor, 1, WEIGHT) == "20%"
    editor.table.rows.setData(editor.table.rows.index(1, WEIGHT), "0.3")
    assert not editor.error.isVisible()


def test_the_last_positive_weight_stays(editor: DistributionEditor) -> None:
    editor.set_distribution([0.0, 1.0], texts=("0", "1"))
    QTest.keyClick(editor.table, Qt.Key.Key_Delete)
    assert editor.error.text() == "At least one count must stay possible, so 1 keeps its weight."
    assert editor.plot.weights.tolist() == [0, 1]


def test_delete_clears_and_the_others_keep_their_texts(editor: DistributionEditor) -> None:
    changed = QSignalSpy(editor.changed)
    QTest.keyClick(editor.table, Qt.Key.Key_Delete)
    assert changed.at(0)[0] == ("1/3", "0", "0", "0.1")


@pytest.mark.parametrize(
    ("key", "keys", "more"),
    [(Qt.Key.Key_Up, ALT, 1), (Qt.Key.Key_Down, ALT, -1), (Qt.Key.Key_Plus, None, 1), (Qt.Key.Key_Minus, None, -1)],
)
def test_steps_of_a_twentieth(editor: DistributionEditor, key: Qt.Key, keys: Qt.KeyboardModifier | None, more: int) -> None:
    changed = QSignalSpy(editor.changed)
    QTest.keyClick(editor.table, key, keys or Qt.KeyboardModifier.NoModifier)
    assert changed.count() == 1
    assert changed.at(0)[0][1] == pytest.approx(0.2 + more / 60, abs=1e-6)


def test_arrows_move_the_selection_both_ways(editor: DistributionEditor) -> None:
    selected = QSignalSpy(editor.selected)
    QTest.keyClick(editor.table, Qt.Key.Key_Down)
    assert selected.at(0)[0] == 2
    assert editor.plot.bars.selected == 2
    editor.set_selected(0)
    assert editor.table.currentIndex().row() == 0
    assert selected.count() == 1


def test_locked_counts_are_marked_and_not_changed(editor: DistributionEditor) -> None:
    changed = QSignalSpy(editor.changed)
    QTest.keyClick(editor.table, Qt.Key.Key_L)
    assert shown(editor, 1, COUNT) == "1 locked"
    editor.table.rows.setData(editor.table.rows.index(1, WEIGHT), "0.9")
    assert editor.error.text() == "Count 1 is locked; press L to unlock it."
    editor.table.rows.setData(editor.table.rows.index(0, WEIGHT), "2/3")
    assert changed.count() == 1
    weights = changed.at(0)[0]
    assert weights[1] / weights.sum() == pytest.approx(0.2 / (1 / 3 + 0.3))
    assert weights[0] == pytest.approx(2 / 3)


def test_the_line_above_reads_the_current_row(editor: DistributionEditor) -> None:
    editor.resize(900, 220)
    editor.set_selected(3)
    assert editor.asking.reading.text() == "P(count = 3) = 15.8%, P(count ≤ 3) = 100%"
