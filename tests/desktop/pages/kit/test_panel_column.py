"""Panels one below the other: which widgets show them, how the room is shared out, and what is said of a place in a plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.pages.kit.cards import PlotCard
from dpdesigner.desktop.pages.kit.panel_views import KeptSentencePanel, MatrixPanel, PlanesPanel, PlotPanel, view_of
from dpdesigner.desktop.pages.kit.results_column import CardColumn, PanelColumn
from dpdesigner.desktop.pages.kit.three_columns import lay_out_columns
from dpdesigner.studies.base import as_table
from dpdesigner.studies.matrices import Matrix, Plane, Planes, dense_cells, pattern_source
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line, Select
from dpdesigner.studies.table_panels import Sentence, Table


def nowhere(target: str) -> float | None:
    return None


def plot(key: str, room: int = Plot.room) -> Plot:
    return Plot(key, f"Plot {key}", Axis("x"), Axis("y"), (Line(np.array([0.0, 1.0]), np.array([0.0, 2.0]), "line"),), room=room)


def planes() -> Planes:
    both = tuple(
        Plane(key, f"Plane {key}", np.full((3, 3), weight), 4.0, (0.1, 1.0), lambda x, y, weight=weight: weight * (x + y), key)
        for key, weight in (("one", 0.5), ("two", 1.0))
    )
    return Planes("both", "both", both, plot(""), lambda x, y: abs(x) + abs(y), lambda x, y: f"at {x:g} and {y:g}")


def shown(qtbot: QtBot, **more: Any) -> PanelColumn:
    column = PanelColumn(**more)
    qtbot.addWidget(column)
    column.resize(500, 800)
    column.show()
    return column


def test_a_plot_has_the_widget_that_stood_in_its_place(qtbot: QtBot) -> None:
    column = shown(qtbot)
    column.show_panels([plot("a"), plot("b", 3)], nowhere)
    first, second = column.views.values()
    assert isinstance(first, PlotPanel) and isinstance(second, PlotPanel)
    qtbot.waitUntil(lambda: first.plot.height() > 1.3 * second.plot.height())
    assert first.heading.text() == "Plot a" and first.heading.isVisible()
    column.show_panels([plot("c")], nowhere)
    assert list(column.views.values()) == [first] and first.heading.text() == "Plot c" and not second.isVisible()
    column.show_panels([planes(), plot("b", 3)], nowhere)
    assert list(column.views)[1] == "b" and second.isVisible() and not first.isVisible()
    assert [figure.name for figure in column.figures()] == ["one", "two", "b"]


def test_one_point_is_read_in_all_planes_and_on_the_cut(qtbot: QtBot) -> None:
    column = shown(qtbot, own={"told": KeptSentencePanel})
    column.show_panels([planes(), Sentence("the view", key="told")], nowhere)
    view, told = column.views.values()
    assert isinstance(told, KeptSentencePanel)
    assert isinstance(view, PlanesPanel) and [image.accessibleName() for image in view.images] == ["both, one", "both, two"]
    view.images[0].setFocus()
    QTest.keyClick(view.images[0], Qt.Key.Key_Right)
    assert told.label.text().startswith("At ") and len(view.cut.handles()) == 1
    view.images[1].pointed.emit((1.5, -2.0))
    assert told.label.text() == "At 1.5 and -2" and view.cut.handles()[0].place == 3.5 and not view.cut.handles()[0].movable
    view.images[1].pointed.emit(None)
    assert told.label.text() == "The view" and view.cut.handles() == ()
    table = as_table(planes())
    assert table is not None and table.key == "both" and table.header == ("x", "line")


def test_tab_leads_through_what_is_put_in_later(qtbot: QtBot) -> None:
    page, column = QWidget(), PanelColumn()
    ends = [QWidget(), QWidget()]
    for end in ends:
        end.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    outer = [QWidget(), QWidget()]
    for end, around in zip(ends, outer, strict=True):
        end.setParent(around)
    lay_out_columns(page, "test-columns", (outer[0], column, outer[1]), (300, 300, 300))
    qtbot.addWidget(page)
    column.show_panels([plot("a")], nowhere)
    seen, widget = [], ends[0]
    for _ in range(60):
        widget = widget.nextInFocusChain()
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            seen.append(widget)
        if widget is ends[1]:
            break
    assert widget is ends[1] and any(column.isAncestorOf(stop) for stop in seen)


def test_the_last_column_of_a_table_is_never_cut(qtbot: QtBot) -> None:
    table = Table("many", "Many", ("a first column", "a second column", "what is last"), (("1", "2", "0.123456789"),) * 20)
    panel = view_of(Table)
    qtbot.addWidget(panel)
    panel.show_panel(table, nowhere)
    panel.show()
    grid = panel.findChild(QTableWidget)
    header = grid.horizontalHeader()

    def whole(scrolled: bool) -> bool:
        last = header.sectionSize(2) >= max(header.sectionSizeHint(2), grid.sizeHintForColumn(2))
        return last and bool(grid.horizontalScrollBar().maximum()) == scrolled and grid.verticalScrollBar().maximum() == 10

    for width, scrolled in ((600, False), (220, True), (600, False)):
        panel.resize(width, 500)
        qtbot.waitUntil(lambda wanted=scrolled: whole(wanted))


def test_a_matrix_has_its_heading_and_its_binding_constraints(qtbot: QtBot) -> None:
    column = PanelColumn()
    qtbot.addWidget(column)
    pattern = pattern_source([["d", "u"]])
    column.show_panels([Matrix("m", "The best one", dense_cells(np.eye(2)), binding=pattern)], nowhere)
    view = column.views["m"]
    assert isinstance(view, MatrixPanel) and view.heading.text() == "The best one" and not view.heading.isHidden()
    assert view.view.figure().cells.pattern is pattern
    column.said = "The best one"
    column.show_panels([Matrix("m", "The best one", dense_cells(np.eye(2)))], nowhere)
    assert view.heading.isHidden() and view.view.figure().cells.pattern is None


def test_a_row_of_a_matrix_is_chosen_once_after_the_theme_has_changed(qtbot: QtBot) -> None:
    column, chosen = PanelColumn(), list[tuple[str, object]]()
    qtbot.addWidget(column)
    column.moved.connect(lambda target, value: chosen.append((target, value)))
    column.show_panels([Matrix("m", "", dense_cells(np.eye(2)), select=Select("view.row"))], nowhere)
    theme().changed.emit()
    view = column.views["m"]
    assert isinstance(view, MatrixPanel)
    view.view.rowSelected.emit(1)
    assert chosen == [("view.row", 1)]


def test_what_waits_for_a_job_stays_pale_when_another_answer_arrives(qtbot: QtBot) -> None:
    column = CardColumn(("one", PlotCard(), 0), ("two", PlotCard(), 0))
    qtbot.addWidget(column)
    column.set_late(["one"])
    column.set_stale(True)
    column.set_stale(False)
    assert [column.cards[key]._word.full_text for key in ("one", "two")] == ["computing…", ""]
    column.set_late([])
    assert column.cards["one"]._word.full_text == ""


def test_a_plot_that_comes_back_has_the_share_of_the_room_that_it_had(qtbot: QtBot) -> None:
    column, two, one = shown(qtbot), [plot("a", 2), plot("b", 9)], [plot("c", 5)]
    column.show_panels([*two, Sentence("below", key="told")], nowhere)
    before = [column._column.stretch(place) for place in range(2)]
    column.show_panels([Sentence("alone", key="told")], nowhere)
    column.show_panels([*two, Sentence("below", key="told")], nowhere)
    assert [column._column.stretch(place) for place in range(2)] == before == [2, 9]
    column.show_panels(one, nowhere)
    assert column._column.stretch(0) == 5
