"""Histograms of a column, as a user meets them."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from desktop import mouse
from desktop.hands import CONTROL, Hands, Key
from desktop.noise_designs import VISITS, Opener, noise
from desktop.pages.noise.test_noise_page import export, export_from
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesigner.core.basics.rounding import grouped
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.plots.bar_painter import _short_names
from dpdesigner.desktop.plots.curve_plot import CurvePlot
from dpdesigner.desktop.plots.plot_layer import LEAST_PICTURE
from dpdesigner.desktop.plots.plot_stack import PlotStack
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.noise.histogram_run import given, pair
from dpdesigner.studies.spending import RECORD

LOSE_RELEASE = Questions.lose_release  # which is answered in other tests
SIMULATED, RELEASED, ERRORS = "Simulated release", "Released counts", "Simulated − truth"


@pytest.fixture(autouse=True)
def agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Yes to every question, such as that of “Store truth…”."""
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)


def bars(user: Hands, name: str) -> CurvePlot:
    """The plot below this heading."""
    user.waits(lambda: user.sees(CurvePlot, name))
    return user.find(CurvePlot, name)


def open_column(user: Hands, path: Path, column: str) -> None:
    """Drop a file, and choose one of its columns where they are described."""
    user.drop(user.find(QAbstractButton, "Data column…"), path)
    user.waits(lambda: user.window.findChild(QInputDialog) is not None)
    dialog = user.window.findChild(QInputDialog)
    dialog.setTextValue(next(label for label in dialog.comboBoxItems() if label.startswith(f"{column} · ")))
    dialog.accept()
    user.waits(lambda: user.window.document.study.column == column)


def release(user: Hands) -> None:
    before = user.window.host.page.outcomes.get("release")
    user.press("Release once (spends ε)")
    user.waits(lambda: user.window.host.page.outcomes.get("release") is not before)
    user.reads("Released: ")


def counted(user: Hands) -> None:
    user.waits(lambda: user.find(QAbstractButton, "Release once (spends ε)").isEnabled())


def test_nothing_is_drawn_before_there_is_something_to_count(opens: Opener) -> None:
    user = opens(query="histogram")
    assert not user.says(SIMULATED) and not user.find(QAbstractButton, "Release once (spends ε)").isEnabled()
    user.press("Example")
    user.reads("Counted: 20 190", SIMULATED, ERRORS)
    assert user.undo_text() == "Open example data"
    user.undo()
    user.waits(lambda: not user.says(SIMULATED))


def test_the_example_is_released_beside_the_truth(opens: Opener) -> None:
    user = opens(query="histogram")
    user.press("Example")
    counted(user)
    release(user)
    wrong = re.search(r"average error is ([\d.]+) \(expected: [\d.]+\), the largest (\d+)", user.said())
    assert wrong is not None and 0 < float(wrong[1]) <= float(wrong[2]) < 60
    user.hover(bars(user, RELEASED), 3)
    user.reads("truth: 1", "released: 1")
    release(user)
    user.reads("These counts may be published: ε = 0.5. 2 releases of these rows have ε = 1 together.")
    user.press("Copy statement")
    assert "2 releases of these rows have ε = 1 together." in QGuiApplication.clipboard().text()
    user.press("Show truth")
    user.hover(bars(user, RELEASED), 4)
    user.waits(lambda: not user.says("truth: "))
    assert user.says("released: ")
    user.waits(lambda: not user.says("Released − truth") and not user.says("average error"))
    user.reads("Each count is within ±")


def test_an_undo_to_other_cells_keeps_the_window_whole(opens: Opener) -> None:
    user = opens(query="histogram", histogram={**VISITS, "cells": "0..13", "neighbours": "add-remove"})
    counted(user)
    release(user)
    user.press("names")
    user.waits(lambda: user.window.host.page.answer.cells == 1)
    user.undo()
    user.reads("14 whole numbers", "Released: ")


def test_before_a_release_only_a_simulation_is_shown_and_nothing_can_be_taken(opens: Opener) -> None:
    user = opens(query="histogram", histogram={**VISITS, "cells": "0..13", "neighbours": "add-remove"})
    counted(user)
    user.reads("at least 95% within ±3", "Only a release may be published: ε = 1.")
    page = user.window.host.page
    shown = bars(user, SIMULATED).plot.bars[0]
    assert shown.secret and not np.array_equal(shown.values, shown.rival) and "release" not in page.outcomes
    assert "histogram" not in [figure.name for figure in page.figures()] and user.copied() == ""
    for name in ("Save CSV…", "Copy", "Copy statement"):
        assert not user.sees(QAbstractButton, name)
    user.reads("nothing yet", "ε per row")
    user.settles()
    place = page._results.curve.geometry().topLeft()
    release(user)
    user.settles()
    assert page._results.curve.geometry().topLeft() == place, "no card moves"
    assert not np.array_equal(bars(user, RELEASED).plot.bars[0].values, shown.values), "the release has noise of its own"
    user.reads("14 whole numbers", "These counts may be published: ε = 1.", "the location of the file, not its rows")
    user.press("Copy statement")
    statement = QGuiApplication.clipboard().text()
    assert "differentially private with epsilon = 1 for one row added or removed" in statement
    assert "within ±3 of the truth with probability at least 95%" in statement
    user.press("Copy")
    header, *lines = (line.split("\t") for line in QGuiApplication.clipboard().text().splitlines())
    released_counts = page.outcomes["release"].value.release.released
    assert header == ["cell", "released", "95% bound of each", "95% bound of all"]
    assert [int(count) for _, count, *_ in lines] == released_counts.tolist()
    assert {(each, every) for *_, each, every in lines} == {("3", str(page.answer.all_within()))}


def test_nothing_is_promised_where_nothing_can_be_counted(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "staff.csv").write_text("name,age\nAnn,30\nBen,40\n")
    user = opens(query="histogram", histogram={"path": str(tmp_path / "staff.csv"), "column": "name", "cells": "0, 35"})
    user.reads("a value must be a number or empty")
    page = user.window.host.page
    assert page.current_summary.refused and not user.says("✓ private")
    user.press("names")
    user.reads("Which names do you count?")
    user.waits(lambda: not page.current_summary.refused)


def test_a_hundred_releases_are_simulated_and_stay_in_the_window(opens: Opener) -> None:
    user = opens(query="histogram", histogram={**VISITS, "cells": "0..13", "neighbours": "add-remove"})
    counted(user)
    single = bars(user, ERRORS).plot.bars[0].values
    assert single.any()
    user.press("× 100")
    user.waits(lambda: bars(user, ERRORS).plot.landing is not None)
    assert bars(user, ERRORS).plot.hint == "grey: simulated releases · at least 95% within ±3"
    assert np.array_equal(bars(user, ERRORS).plot.bars[0].values, single), "the one that is shown above"
    user.reads("100 simulated releases: ", "of the counts are within ±3.")
    page = user.window.host.page
    errors = page.outcomes["simulated"].value
    inside = re.search(r"releases: ([\d.]+)% of the counts", user.said())
    assert errors.shape == (100, 14) and inside is not None
    assert 0 <= 100 * (np.abs(errors) <= 3).mean() - float(inside[1]) < 0.1, "rounded down"
    user.waits(lambda: bars(user, ERRORS).landed)
    landing = bars(user, ERRORS).plot.landing
    left, low, right, high = landing.boxes.T
    assert (high - low == 1).all() and bars(user, ERRORS).plot.public().landing is None
    for cell in range(14):
        own = np.rint((left + right) / 2) == cell
        shares = (right - left)[own] / (right - left)[own].sum()
        assert dict(
            zip((low + 0.5)[own].astype(int).tolist(), np.rint(100 * shares).astype(int).tolist(), strict=True)
        ) == Counter(errors[:, cell].tolist())
    assert "release" not in page.outcomes and not RECORD.known("histogram") and user.copied() == ""
    assert "histogram" not in [figure.name for figure in page.figures()]
    user.write("Epsilon", "2")
    user.waits(lambda: not user.says("100 simulated releases"))


def test_what_was_understood_of_the_cells_stands_beside_them(opens: Opener) -> None:
    user = opens(query="histogram")
    user.write("Cells from", "0 to 12")
    user.reads("✓ 13 cells")
    user.write("Cells from", "0")
    user.reads("✓ 1 cell")
    user.write("Cells from", "3, 2")
    assert user.errors() and not user.says("✓ 1 cell"), "the number of cells in force is not that of what was typed"
    user.write("Cells from", "0, 1, 2-4, 5+")
    user.reads("✓ 4 cells")


def test_other_cells_of_the_same_data_are_one_more_look(opens: Opener) -> None:
    user = opens(query="histogram", histogram=VISITS)
    counted(user)
    release(user)
    user.write("Cells from", "0, 1")
    user.reads("in the last cell, 1 or more. Other cells may show more", "Release once (spends ε)")
    counted(user)
    release(user)
    user.reads("These counts may be published: ε = 1. 2 releases of these rows have ε = 2 together.")


def test_a_release_at_another_level_is_not_forgotten(opens: Opener) -> None:
    user = opens(query="histogram", histogram=VISITS)
    counted(user)
    release(user)
    user.write("Epsilon", "0.9")
    user.reads("released at ε = 1", "These counts have ε = 1. Another one would make it ε = 1.9.")
    assert not user.says("nothing yet")


def test_of_other_neighbours_it_is_said_why_the_total_is_more(opens: Opener) -> None:
    user = opens(query="histogram", histogram={**VISITS, "neighbours": "add-remove"})
    counted(user)
    release(user)
    user.press("replaced")
    user.write("Epsilon", "1/2")
    user.reads("These counts have ε = 1. Another one would make it ε = 2.5. For a replaced row, a release for added")


def test_rows_below_the_first_cell_are_missed_in_plain_sight(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("age\n" + "\n".join(map(str, [*range(18, 60), "", ""])))
    user = opens(query="histogram")
    user.write("Cells from", "20..90 by 10")
    user.drop(user.find(QAbstractButton, "Data column…"), tmp_path / "ages.csv")
    user.reads("Below 20, so in no cell: 2 rows.", "in no cell: 2 (below 20); expected error: about ")
    user.reads("no release known")
    assert user.errors() == [] and user.undo_text() == "Open data"
    user.write("Cells from", "19..89 by 10")
    user.reads("Below 19, so in no cell: 1 ")
    user.write("Cells from", "10..90 by 10")
    user.waits(lambda: not user.says("so in no cell"))


def test_marks_for_no_value_are_read_as_empty_and_named(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "stay.csv").write_text("days\n" + "\n".join(["1", "2", "n/a", "3", "–"] * 9), "utf-8")
    user = opens(query="histogram")
    user.drop(user.find(QAbstractButton, "Data column…"), tmp_path / "stay.csv")
    user.reads("Counted: 27 rows; in no cell: 18 (empty or “n/a”, “–”); expected error: about ")


def test_fractions_in_cells_of_whole_numbers_are_named(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "size.csv").write_text("m²\n" + "\n".join(["60.7", "61.2", "62"] * 9), "utf-8")
    user = opens(query="histogram")
    user.write("Cells from", "60..63")
    user.drop(user.find(QAbstractButton, "Data column…"), tmp_path / "size.csv")
    user.reads("Some values are fractions: “60” counts 60 to <61.")
    user.press("Use 60..63 by 1")
    user.waits(lambda: not user.says("Some values are fractions"))
    assert user.window.document.study.title(0) == "60 to <61"


def test_the_column_and_its_list_stay_when_next_month_comes(opens: Opener, tmp_path: Path) -> None:
    months = [tmp_path / "may.csv", tmp_path / "june.csv"]
    for path, rows in zip(months, (9, 12), strict=True):
        path.write_text("stay,ward,sex\n" + "2,Surgery,M\n1,Oncology,F\n" * rows, "utf-8")
    user = opens(query="histogram")
    open_column(user, months[0], "stay")
    user.reads("Counted: 18")

    def choose(column: str) -> None:
        box = user.find(QComboBox, "Column to count")
        box.setCurrentText(column)
        box.textActivated.emit(column)
        user.waits(lambda: user.window.document.study.column == column)

    user.write("Cells from", "1-3, 4+")
    choose("ward")
    user.write("Categories", "Surgery, Oncology")
    user.reads("Counted: 18")
    choose("ward")
    assert user.text("Categories") == "Surgery, Oncology"
    choose("sex")
    choose("stay")
    assert user.text("Cells from") == "1-3, 4+"
    choose("ward")
    assert user.text("Categories") == "Surgery, Oncology"
    user.drop(user.find(QAbstractButton, "Data column…"), months[1])
    user.reads("Counted: 24", "june.csv · ward")
    assert user.text("Categories") == "Surgery, Oncology"


def test_rows_that_differ_in_capitals_are_counted_apart_in_plain_sight(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "work.csv").write_text("work\n" + "\n".join(["Office", "office", "OFFICE ", "none"] * 9), "utf-8")
    user = opens(query="histogram")
    user.drop(user.find(QAbstractButton, "Data column…"), tmp_path / "work.csv")
    user.reads("the list is not private")
    user.write("Categories", "Office, none")
    user.reads("Differ from the list only in capitals: 18 rows.")
    user.write("Categories", "Office, office, OFFICE")
    user.waits(lambda: not user.says("only in capitals"))


def test_a_column_that_cannot_be_counted_leads_back(opens: Opener, tmp_path: Path) -> None:
    path = tmp_path / "stay.csv"
    path.write_text("stay,age\n" + "2,40\n" * 9 + "2,forty\n", "utf-8")
    user = opens(query="histogram", histogram={"path": str(path), "column": "stay", "cells": "0..6"})
    counted(user)
    release(user)
    box = user.find(QComboBox, "Column to count")
    box.textActivated.emit("age")
    user.reads("line 11: a value must be a number or empty, got 'forty'")
    user.press("Keep stay")
    user.reads("Released: ", "These counts may be published")
    assert user.window.document.study.column == "stay" and not user.says("forty")


def test_cells_that_were_taken_leave_the_level_in_sight(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "size.csv").write_text("street,m²\n" + "\n".join(f"a,{12 + k % 90}.5" for k in range(400)), "utf-8")
    user = opens(query="histogram", histogram=VISITS)
    open_column(user, tmp_path / "size.csv", "m²")
    user.settles()
    assert user.text("Cells from") == "10..100 by 5" and user.says("▸ Cost: absolute error")


def test_a_decimal_comma_in_a_level_is_mended(opens: Opener) -> None:
    user = opens(query="histogram", histogram=VISITS)
    user.write("Epsilon", "0,3")
    user.press("Use 0.3")
    user.reads("✓ private: each release has ε = 0.3")


def test_hardly_any_privacy_has_no_tick(opens: Opener) -> None:
    user = opens(query="histogram")
    user.reads("✓ private: each release has ε = 1")
    user.write("Epsilon", "50")
    user.reads("hardly any privacy: each release has ε = 50")
    assert not user.says("✓ private")


def test_a_release_stays_as_it_was_when_its_level_changes(opens: Opener, tmp_path: Path) -> None:
    user = opens(noise("histogram", histogram=VISITS), noise())
    counted(user)
    release(user)
    page = user.window.host.page
    made = page.outcomes["release"].value.release.released.tolist()

    def kept() -> None:
        user.reads("released at ε = 1")
        assert np.array_equal(page._results.giving.plot.plot.bars[0].values, made)
        user.press("Copy")
        copied = QGuiApplication.clipboard().text().splitlines()[1:]
        assert [int(line.split("\t")[1]) for line in copied] == made
        user.press("Copy statement")
        assert "with epsilon = 1 for" in QGuiApplication.clipboard().text()

    user.write("Epsilon", "2")
    user.waits(lambda: user.says("Simulated release"))
    counted(user)
    kept()
    assert user.copied() == "" and "released.csv" not in export(user, tmp_path / "none", "CSV")
    for text, name in (("CSV", "csv"), ("JSON", "json")):
        user.press("Save CSV…")
        export_from(user, tmp_path / name, text)
    with next((tmp_path / "csv").iterdir()).open(encoding="utf-8") as file:
        assert [int(row["released"]) for row in csv.DictReader(file)] == made
    data = json.loads(next((tmp_path / "json").iterdir()).read_text("utf-8"))
    assert data["findings"]["epsilon"] == 1 and "counts" not in data["design"]
    user.press("Store truth…")
    user.reads("contain the true counts")
    kept()
    user.write("Cells from", "0, 1")
    kept()
    user.command("Design", "Next design")
    user.reads("real query")
    user.command("Design", "Previous design")
    user.reads("histogram of 2 cells")
    kept()
    for _ in range(3):
        user.command("Edit", "Undo")
    user.reads("6 whole numbers", "Released: ")
    user.command("Edit", "Redo")
    kept()
    release(user)
    user.reads("6 whole numbers", "These counts may be published: ε = 2. 2 releases of these rows have ε = 3 together.")
    user.command("Edit", "Undo")
    user.reads("These counts may be published: ε = 1. 2 releases of these rows have ε = 3 together.")
    assert np.array_equal(bars(user, RELEASED).plot.bars[0].values, made)


def test_the_files_of_a_release_stay_when_the_truth_is_stored(opens: Opener, tmp_path: Path) -> None:
    user = opens(query="histogram", histogram=VISITS)
    counted(user)
    release(user)
    made = user.window.host.page.outcomes["release"].value.release.released.tolist()
    user.press("Store truth…")
    user.reads("contain the true counts")
    user.settles()
    export(user, tmp_path / "after", "CSV")
    with next((tmp_path / "after").iterdir()).open(encoding="utf-8") as file:
        assert [int(row["released"]) for row in csv.DictReader(file)] == made


def test_choosing_a_histogram_opens_it_and_going_back_keeps_the_view(opens: Opener) -> None:
    user = opens()
    user.tab("Distribution")
    user.press("Histogram")
    user.reads("Data column…")
    user.tab("Distribution")
    user.write("Epsilon", "2")
    user.settles()
    assert user.says("P(noise ≤ x) against noise")
    user.press("Whole number")
    user.settles()
    assert user.says("P(noise ≤ x) against noise", "integer query")


def test_neighbours_decide_the_sensitivity(opens: Opener) -> None:
    user = opens(query="histogram")
    assert user.says("Δ = 1", "ε of each cell: 1")
    user.press("replaced")
    user.reads("Δ = 2", "ε of each cell: 0.5", "histogram of 11 cells", "not proved")
    assert user.chosen("added or removed", "replaced") == ["replaced"]
    assert user.undo_text() == "Change the neighbours"
    user.write("Cells from", "0..500000 by 50000")
    user.settles()
    user.write("Cells from", "3, 2")
    assert any("increasing" in error for error in user.errors()) and user.undo_text() == "refused input"
    for kind, delta in (("Whole number", "Δ = 1 "), ("Histogram", "Δ = 2 "), ("Real number", "Δ = 1 ")):
        user.press(kind)
        user.settles()
        assert user.says(delta), "what a replaced row does to a histogram is not kept for a number"


def test_counts_are_kept_only_when_asked(opens: Opener) -> None:
    user = opens(query="histogram", histogram=VISITS)
    counted(user)
    assert "counts" not in user.saved()["studies"][0] and user.says("the location of the file, not its rows")
    user.press("Store truth…")
    user.reads("contain the true counts")
    assert sum(user.saved()["studies"][0]["counts"]) == 20190
    user.press("Store truth…")
    user.reads("the location of the file, not its rows")
    assert "counts" not in user.saved()["studies"][0]


def test_a_release_outlives_the_storing_of_the_truth(opens: Opener) -> None:
    user = opens(query="histogram", histogram=VISITS)
    counted(user)
    release(user)
    values = bars(user, RELEASED).plot.bars[0].values
    for told in ("contain the true counts", "the location of the file, not its rows"):
        user.press("Store truth…")
        user.reads(told, "6 whole numbers")
        assert np.array_equal(bars(user, RELEASED).plot.bars[0].values, values)
        assert user.sees(QAbstractButton, "Save CSV…") and user.says("each release has ε = 1")
    names = user.window.host.page._results.giving.plot.plot.x.names
    assert names == (*map(str, range(5)), "5+")


def test_a_file_is_dropped_and_its_column_chosen(opens: Opener, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,age,income\na,1,100\nb,2,\nc,1,5\n", "utf-8")
    user, data = opens(query="histogram"), QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    button = user.find(QAbstractButton, "Data column…")
    around: QWidget | None = button
    while around is not None and not (around.acceptDrops() and mouse.drop(around, QPointF(9, 9), data)):
        around = around.parentWidget()
    assert around is not None and around is not user.window, "the panel takes a table itself"
    user.waits(lambda: user.window.findChild(QInputDialog) is not None)
    user.window.findChild(QInputDialog).accept()  # the likeliest count is proposed
    user.reads("Counted: 3")
    assert user.items("Column to count") == ["age", "income", "name"] and user.undo_text() == "Open data"
    user.hover(bars(user, SIMULATED), 0)
    user.reads("truth: 2")
    box = user.find(QComboBox, "Column to count")
    box.setFocus()
    QTest.keyClick(box, Key.Key_Down)
    user.waits(lambda: user.undo_text() == "Choose column")
    user.reads("income")
    user.settles()  # the cells follow the column
    assert user.saved()["studies"][0]["column"] == "income"


def test_a_reopened_design_offers_the_other_columns_of_its_file(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,income\n1,3\n2,5\n", "utf-8")
    user = opens(query="histogram", histogram={"path": str(tmp_path / "people.csv"), "column": "age", "cells": "0..6"})
    user.reads("Counted: 2")
    box = user.find(QComboBox, "Column to count")
    assert user.items("Column to count") == ["age"], "the file is read when its columns are asked for"
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    user.waits(lambda: user.items("Column to count") == ["age", "income"])
    assert box.currentText() == "age"
    QTest.keyClick(box.view(), Key.Key_Down)
    QTest.keyClick(box.view(), Key.Key_Return)
    user.waits(lambda: user.undo_text() == "Choose column")
    assert user.window.document.study.column == "income"


def test_the_column_of_an_example_has_no_list(opens: Opener) -> None:
    user = opens(query="histogram", histogram=VISITS)
    user.reads("Counted: 20 190")
    assert not user.sees(QComboBox, "Column to count")


def test_a_title_that_was_set_from_a_column_follows_the_column(opens: Opener, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("id,town,age\n1,Ulm,31\n2,Jena,42\n3,Ulm,42\n", "utf-8")
    user = opens(query="histogram", histogram=VISITS)
    open_column(user, path, "age")
    user.reads("Counted: 3")
    first = user.saved()["studies"][0]
    assert first["name"] == first["column"] == "age"
    box = user.find(QComboBox, "Column to count")
    box.setFocus()
    QTest.keyClick(box, Key.Key_Down)
    user.waits(lambda: user.window.document.study.column == "town")
    assert user.saved()["studies"][0]["name"] == "town"


def test_a_database_takes_a_query_for_a_column(opens: Opener, tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("CREATE TABLE people (age INTEGER, sex TEXT)")
        opened.executemany("INSERT INTO people VALUES (?, ?)", [(1, "f"), (2, "m"), (3, "f"), (7, "m")])
        opened.commit()
    user = opens(query="histogram")
    open_column(user, path, "age")
    user.reads("Counted: 4")
    box = user.find(QComboBox, "Column to count")
    assert user.items("Column to count") == ["age", "sex"] and box.isEditable()

    def ask(query: str) -> None:
        QTest.mouseClick(box.lineEdit(), Qt.MouseButton.LeftButton)
        box.lineEdit().selectAll()
        QTest.keyClicks(box.lineEdit(), query)
        QTest.keyClick(box.lineEdit(), Key.Key_Return)

    ask("SELECT age FROM people WHERE sex = 'f'")
    user.reads("Counted: 2")
    assert user.window.document.study.column == "SELECT age FROM people WHERE sex = 'f'"
    ask("DELETE FROM people")
    user.reads("must have a column named")
    ask("SELECT sex FROM people")
    user.waits(lambda: user.window.document.study.categories is not None)
    with closing(sqlite3.connect(path)) as opened:
        assert opened.execute("SELECT count(*) FROM people").fetchone() == (4,)


def test_a_file_is_opened_and_one_that_is_gone_is_told(opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age\n1\n2\n", "utf-8")
    user = opens(query="histogram")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Data column…")
    user.reads("Counted: 2")
    path.unlink()
    user.write("Cells from", "0..3")
    user.reads("no such file")
    assert not user.find(QAbstractButton, "Release once (spends ε)").isEnabled()


def test_only_what_was_released_is_taken_away(opens: Opener, tmp_path: Path) -> None:
    user = opens(query="histogram", histogram=VISITS)
    counted(user)
    assert "never exported" in export(user, tmp_path / "before", "CSV", "JSON")
    release(user)
    copied = [line.split("\t") for line in user.copied().splitlines()]
    export(user, tmp_path / "after", "CSV", "JSON")
    files = {path.suffix: path for path in (tmp_path / "after").iterdir()}
    with files[".csv"].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert copied[0][:2] == ["cell", "released"] and copied[0] == list(rows[0])
    assert [row["cell"] for row in rows] == [*"01234", "5 or more"]
    assert [row["released"] for row in rows] == [line[1] for line in copied[1:]]
    data = json.loads(files[".json"].read_text("utf-8"))
    assert data["findings"]["epsilon"] == 1 and "path" not in data["design"]


def test_files_of_another_design_are_replaced_only_after_a_question(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "staff.csv").write_text("age\n" + "\n".join(map(str, range(20, 60))))
    ages = {"path": str(tmp_path / "staff.csv"), "column": "age", "cells": "20..60 by 10"}
    user, folder = opens(*(noise("histogram", name="", histogram=ages) for _ in range(2))), tmp_path / "out"
    for first in (True, False):
        counted(user)
        release(user)
        user.command("File", "Export")
        assert user.text("Name") == "staff-age"
        if first:
            assert "1 file written." in export_from(user, folder, "CSV")
            assert "1 file written." in export(user, folder, "CSV"), "its own file is replaced without a question"
            user.command("Design", "Next design")
            continue
        before = (folder / "staff-age-released.csv").read_text("utf-8")
        user.find(QLineEdit, "Folder").setText(str(folder))
        user.press("Export")
        user.reads("Already there: staff-age-released.csv. Press “Replace”")
        user.write("Name", "other", enter=False)
        assert user.sees(QAbstractButton, "Export") and not user.sees(QAbstractButton, "Replace")
        user.write("Name", "staff-age", enter=False)
        user.press("Export")
        assert (folder / "staff-age-released.csv").read_text("utf-8") == before
        user.press("Replace")
        user.reads("1 file written.")
        user.front().close()


def test_a_release_that_no_file_has_is_not_lost_without_a_question(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "few.csv").write_text("age\n" + "21\n" * 500 + "30\n")
    ages = {"path": str(tmp_path / "few.csv"), "column": "age", "cells": "20..30 by 10", "listed": "data"}  # in no project
    user, asked = opens(query="histogram", histogram=ages), list[str]()
    counted(user)
    release(user)
    monkeypatch.setattr(Questions, "lose_release", lambda self, names: asked.append(names))
    user.window.close()
    assert asked == ["A noise"] and user.window.isVisible()
    export(user, tmp_path / "json", "JSON")
    user.window.close()
    assert user.window.isVisible(), "that file does not have the counts"
    questions = list[str]()

    def declines(*given: Any) -> Any:
        questions.append(given[2])
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "question", staticmethod(declines))
    before = user.window.host.page.outcomes["release"]
    user.press("Release once (spends ε)")
    assert len(questions) == 1 and user.window.host.page.outcomes["release"] is before
    user.window.document.change(user.window.document.study.replace(name="Ages"), "Rename")
    user.settles()
    user.window.close()
    assert asked[-1] == "Ages", "a rename does not separate a release from its design"
    export(user, tmp_path / "csv", "CSV")
    user.window.close()
    assert len(asked) == 3 and not user.window.isVisible()


def test_a_report_has_the_release(opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "few.csv").write_text("age\n" + "21\n" * 500 + "30\n" * 500)
    ages = {"path": str(tmp_path / "few.csv"), "column": "age", "cells": "20..30 by 10"}
    user, asked = opens(query="histogram", histogram=ages), list[str]()
    counted(user)
    release(user)
    user.reads("— truth, not public")
    assert not user.says("pale: may be 0"), "no count is that small"
    monkeypatch.setattr(Questions, "lose_release", lambda self, names: asked.append(names))
    user.write("Epsilon", "2")
    report(user, tmp_path / "report")
    user.window.close()
    assert not user.window.isVisible() and not asked, "the report holds that of the earlier level"


def test_a_release_at_an_earlier_level_is_not_replaced_without_a_question(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "few.csv").write_text("age\n" + "21\n" * 500 + "30\n")
    ages = {"path": str(tmp_path / "few.csv"), "column": "age", "cells": "20..30 by 10", "listed": "data"}
    user, told, buttons = opens(query="histogram", histogram=ages), list[str](), QMessageBox.StandardButton
    replies = [buttons.Cancel, buttons.Yes]

    def replies_to(*given: Any) -> Any:
        told.append(given[2])
        return replies.pop(0)

    def stays(box: QMessageBox) -> int:
        told.append(box.informativeText())
        return buttons.Cancel.value

    monkeypatch.setattr(QMessageBox, "question", staticmethod(replies_to))
    monkeypatch.setattr(QMessageBox, "exec", stays)
    monkeypatch.setattr(Questions, "lose_release", LOSE_RELEASE)
    counted(user)
    release(user)
    first = user.window.host.page.outcomes["release"].value
    user.write("Epsilon", "2")
    user.reads("released at ε = 1")
    counted(user)
    user.press("Release once (spends ε)")
    assert len(told) == 1 and user.window.host.page.outcomes["release"].value is first
    release(user)
    assert len(told) == 2 and user.window.host.page.outcomes["release"].value is not first
    user.write("Epsilon", "3")
    user.reads("released at ε = 2")
    user.window.close()
    assert "A report or an export keeps it." in told.pop() and user.window.isVisible()
    user.press("Save CSV…")
    export_from(user, tmp_path / "csv", "CSV")
    user.window.close()
    assert len(told) == 2 and not user.window.isVisible(), "it does save them, and what was replaced is not asked about again"


def test_a_release_says_what_it_means_and_counts_that_may_be_noise_are_pale(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "few.csv").write_text("age\n" + "21\n" * 500 + "30\n")
    user = opens(query="histogram", histogram={"path": str(tmp_path / "few.csv"), "column": "age", "cells": "20..30 by 10"})
    counted(user)
    release(user)
    bound = user.window.host.page.answer.all_within()
    user.reads(
        "Each count is within ±3 of the truth in at least 95% of",
        f", all 2 at once within ±{bound}. 1 of 2 are within ±{bound} of 0, so may be 0.",
    )
    user.reads("— truth, not public · pale: may be 0")
    drawn = bars(user, RELEASED).plot.bars[0]
    assert drawn.faint and drawn.strong.tolist() == (np.abs(drawn.values) > bound).tolist() and drawn.strong[0]
    user.press("ln 2")
    user.reads("Each published count is wrong by about")


def test_a_list_that_is_called_public_after_a_release_keeps_it_in_the_picture(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "few.csv").write_text("age\n" + "21\n" * 500 + "30\n")
    ages = {"path": str(tmp_path / "few.csv"), "column": "age", "cells": "20..30 by 10", "listed": "data"}
    user = opens(query="histogram", histogram=ages)
    counted(user)
    release(user)
    made = user.window.host.page.outcomes["release"].value
    user.reads("only if the cells are public")
    user.press("Call it public")
    user.reads("proved optimal per cell", "These counts may be published: ε = 1.", "Released counts", "2 whole numbers")
    assert user.window.host.page.outcomes["release"].value is made and not user.says("Simulated release")


def report(user: Hands, folder: Path, every: bool = False) -> str:
    """Write the report as a web page; return its first page and the rest as texts."""
    user.command("File", "Report")
    user.find(QLineEdit, "Folder").setText(str(folder))
    for box in user.front().findChildren(QCheckBox):
        box.setChecked(box.text().startswith("HTML") or (every and box.text().startswith("All ")))
    user.press("Write the report")
    user.waits(lambda: any(folder.glob("*.html")) and user.find(QAbstractButton, "Write the report").isEnabled())
    user.front().close()
    (file,) = folder.glob("*.html")
    return file.read_text("utf-8")


def test_the_report_of_a_release_begins_with_it_and_never_holds_the_truth(opens: Opener, tmp_path: Path) -> None:
    user = opens(query="histogram", histogram={**VISITS, "neighbours": "add-remove"})
    counted(user)
    before, _, _ = report(user, tmp_path / "before").partition("<h3>Figures</h3>")
    assert "Released counts" not in before and "Probability of the noise" in before
    release(user)
    release(user)
    made = user.window.host.page.outcomes["release"].value.release
    front, _, rest = report(user, tmp_path / "after").partition("<h3>Figures</h3>")
    within = user.window.host.page.answer.within()
    every = f", all 6 at once within ±{user.window.host.page.answer.all_within()}."
    assert f"Each count is within ±{within} of the truth in at least 95% of releases{every}" in front
    assert every in front.partition("Privacy statement")[2]
    whole = front + rest
    assert "Released counts" in whole and not [count for count in made.released.tolist() if f"<td>{count}</td>" not in whole]
    assert f"About {grouped(int(made.released.sum()))} rows by visits. Each count" in front
    assert re.findall("<figcaption>(.*?)</figcaption>", front) == [
        f"Released counts · each ±{within}, all ±{every[-3:-1].lstrip(chr(177))} (95%)", "Expected error"
    ]  # fmt: skip
    assert "with epsilon = 1 for one row added or removed" in front and "2 releases of these rows have ε = 2 together." in front
    assert "Probability of the noise" in rest and "-released.csv" in rest and "Released − truth" not in front + rest
    shown = unquote(front + rest)
    secret = [count for count in made.truth.tolist() if count not in made.released]
    assert secret and not [count for count in secret if re.search(rf"\b{count}\b", shown)]
    assert "2 releases of these rows have ε = 2 together." in report(user, tmp_path / "again"), "a report is no release"


def test_reports_hold_the_last_release_at_its_own_level(opens: Opener, tmp_path: Path) -> None:
    first = noise("histogram", histogram={**VISITS, "neighbours": "add-remove"})
    user = opens(first, noise("integer"), {**first, "name": "Other cells", "cells": "0..3"})
    counted(user)
    release(user)
    numbers = user.window.host.page.outcomes["release"].value.release.released.tolist()
    user.write("Epsilon", "2")
    user.reads("released at ε = 1")
    shown = "Released counts, released earlier at epsilon = 1"
    front, _, rest = report(user, tmp_path / "one").partition("<h3>Figures</h3>")
    assert shown in front + rest and "with epsilon = 1 for one row" in front
    assert not [count for count in numbers if f"<td>{count}</td>" not in front + rest]
    assert "Released earlier at epsilon = 1. About " in front and " rows by visits. Each count is within ±3 of the truth" in front
    assert "A new release at epsilon = 2: Each published count is wrong by about 0.28" in front
    user.write("Epsilon", "1")
    user.window.document.select(2)
    counted(user)
    release(user)
    user.window.document.select(1)
    user.settles()
    all_of_them = report(user, tmp_path / "all", every=True)
    assert not [count for count in numbers if f"<td>{count}</td>" not in all_of_them]
    assert all_of_them.count("Each count is within ±3 of the truth") >= 2


def test_presenting_leaves_what_is_shown(opens: Opener) -> None:
    user = opens(query="histogram", histogram=VISITS)
    counted(user)
    user.key(Key.Key_F5)
    edited = ("Data column…", "Example")
    assert not any(user.sees(QAbstractButton, name) for name in edited)
    release(user)
    user.key(Key.Key_Escape)
    assert all(user.sees(QAbstractButton, name) for name in edited)


def test_an_audience_sees_the_true_counts_of_own_data_only_on_request(opens: Opener, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("c\n" + "a\n" * 3 + "b\n" * 5)
    own = {"path": str(rows), "column": "c", "categories": ["a", "b"]}
    user = opens(noise("histogram", histogram=own), noise("histogram", histogram=VISITS))
    counted(user)
    assert user.window.host.page.view["truth"]
    user.key(Key.Key_F5)
    user.waits(lambda: not user.window.host.page.view["truth"])
    assert not user.says("truth: ")
    user.press("Show truth")
    user.waits(lambda: user.says("truth"))
    user.command("Design", "Next design")
    counted(user)
    assert user.window.host.page.view["truth"]  # everybody has the data of an example
    user.key(Key.Key_Escape)
    user.settles()
    assert user.window.host.page.view["truth"]


def test_nothing_is_left_out_or_covered_at_large_text(opens: Opener) -> None:
    user = opens(noise("histogram", histogram=VISITS), noise(dimension=2), size=(1280, 720))
    counted(user)
    preferences().choose(text_scale=2.0)
    user.waits(lambda: bars(user, ERRORS).height() >= 90 and bars(user, SIMULATED).height() >= LEAST_PICTURE)
    user.command("Design", "Next design")
    user.settles()
    user.waits(lambda: user.plot("density against noise").height() >= 200)
    user.write("Answers d", "1")
    user.settles()
    user.waits(lambda: user.find(CurvePlot, "Density of the noise").height() >= 200)


def test_the_calculator_takes_over_what_it_finds(opens: Opener) -> None:
    user = opens()
    user.write("Sensitivity Δ", "7/2")
    user.press("Work out the sensitivity")
    user.reads("Δ = 7/2")
    assert user.find(QAbstractButton, "the sum of values").isChecked(), "it opens on what fits"
    first = [box for box in user.front().findChildren(QWidget) if box.accessibleName() == "lower bound"]
    assert first
    user.write("lower bound", "-20", enter=False)
    user.write("upper bound", "30", enter=False)
    user.reads("Δ = 30")
    user.press("is replaced by another")
    user.reads("Δ = 50")
    user.write("upper bound", "-30", enter=False)
    assert user.says("must be below") and not user.find(QAbstractButton, "Use it").isEnabled()
    user.press("the mean of")
    user.reads("Δ = 1")
    user.write("number of values, at least", "30", enter=False)
    user.reads("Δ = 10/3 ≈ 3.34", "A replaced value moves the mean by at most the range / 30")
    user.press("Use it")
    user.reads("real query · Δ = 10/3")
    assert user.undo_text() == "Change sensitivity"
    design = user.window.document.study
    assert design.basis.startswith(
        "Mean of at least 30 values between 0 and 100; values outside must first be cut to these bounds."
    )
    assert "Δ = 10/3 ≈ 3.34: a replaced value moves the mean by at most the range / 30." in design.basis, "whom it protects"
    user.write("Sensitivity Δ", "4")
    user.settles()
    assert not user.window.document.study.basis


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "clicked"])
def test_a_box_of_the_calculator_chooses_its_question(opens: Opener, typed: bool) -> None:
    user = opens(sensitivity=3)
    user.press("Work out the sensitivity")
    assert user.find(QAbstractButton, "the sum of values").isChecked()
    box = user.find(QWidget, "number of values, at least")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    if typed:
        user.press("the sum of values")
        QTest.keyClick(box, Key.Key_End)
        QTest.keyClicks(box, "0")
    assert user.find(QAbstractButton, "the mean of").isChecked()
    QTest.keyClick(box, Key.Key_Return)
    user.reads("real query · Δ = 1/10" if typed else "real query · Δ = 1 ")


def test_the_calculator_leads_to_a_histogram(opens: Opener) -> None:
    user = opens()
    user.press("Work out the sensitivity")
    user.press("how many are in each cell")
    user.press("is replaced by another")
    user.press("Use it")
    user.reads("histogram of 14 cells · Δ = 2")


def test_what_was_asked_comes_back_with_its_kind(opens: Opener) -> None:
    """Name, level and cost are those of the question; cells and sensitivity are those that each kind had last."""
    user = opens(noise(sensitivity="3", dimension=2, cost="squared", epsilon="1/2"), noise(query="integer", sensitivity=7))
    user.press("Histogram")
    user.reads("How do I publish a bar chart?", "Counted: 20 190 person-years", "expected error of each cell")  # the example
    assert user.undo_text() == "Change query" and user.window.document.study.name == "Visits, published"
    user.write("Cells from", "0, 18, 65")
    user.write("Epsilon", "2")
    user.reads("histogram of 3 cells")
    user.press("Whole number")
    user.reads("integer query · Δ = 3 · ε = 2 · squared error")
    user.press("Histogram")
    user.reads("histogram of 3 cells")
    user.press("Real number")
    user.reads("Δ = 3 · ε = 2 · squared error")
    user.key(Key.Key_PageDown, CONTROL)  # another design never asked for a histogram
    user.reads("integer query · Δ = 7")
    user.press("Histogram")
    user.reads("How do I publish a bar chart?")
    user.write("Epsilon", "1")
    user.reads("histogram of 14 cells · Δ = 1 · absolute error · ε = 1")


def test_undo_leads_back_through_the_kinds(opens: Opener) -> None:
    user = opens(sensitivity="5/2", delta="1e-3")
    first = user.window.document.study
    for name in ("Histogram", "Whole number", "Histogram"):
        user.press(name)
        user.settles()
    for _ in range(3):
        user.command("Edit", "Undo")
    user.settles()
    assert user.window.document.study == first
    user.reads("real query · Δ = 5/2")
    user.tab("With δ")
    assert user.text("Delta") == "1e-3" and user.chosen("Histogram", "Real number") == ["Real number"]


def test_a_cost_that_several_answers_cannot_have_leaves_one_answer(opens: Opener) -> None:
    user = opens(dimension=3)
    user.press("Histogram")
    user.press("Formula")
    user.write("Any even formula", "x**2 + abs(x)")
    user.settles()
    user.press("Real number")
    user.reads("real query · Δ = 1 · ε = 1 · x**2")
    assert user.errors() == []


def test_the_plots_read_cells_with_mouse_and_keys(qtbot: QtBot) -> None:
    answer, stack = HistogramDesign(categories=("a", "b", "c"), outside="refuse", epsilon=1).run(), PlotStack()
    qtbot.addWidget(stack)
    stack.resize(400, 300)
    with qtbot.waitExposed(stack):
        stack.show()
    stack.show_strips(pair(answer, np.array([1, 2, 12345.0]), np.array([1.3, -1.6, 12345.0])))
    counts, errors = stack.plots.values()
    figure = counts.figure()
    mouse.move(figure.viewport(), QPointF(figure.frame.x(2.0), figure.frame.area.center().y()))
    assert counts.accessibleDescription() == "c; released: 12\u202f345; truth: 12\u202f345"
    assert errors._curves.hovered == 2
    QTest.keyClick(errors, Qt.Key.Key_Right)
    QTest.keyClick(errors, Qt.Key.Key_Right)
    assert errors.accessibleDescription() == "b; error: −4"
    assert figure.frame.area.left() == errors.figure().frame.area.left()
    alone = pair(answer, None, np.array([1, 2, 4.0]))
    stack.show_strips(alone)
    assert [bars.name for bars in counts.plot.bars] == ["released"] and not errors.isVisible()
    public = alone.public()
    assert public is not None and [plot.key for plot in public.plots] == ["histogram"]


APPLICANTS = {"kind": "histogram", "name": "Applicants", "cells": "0..10", "neighbours": "add-remove", "epsilon": 1}
DEPARTMENTS = {"path": "example:admissions_1973.csv", "column": "department", "cost": "absolute"}


def test_texts_are_counted_by_a_list_that_is_typed(opens: Opener, tmp_path: Path) -> None:
    user = opens(query="histogram")
    user.press("names")
    user.reads("Type the names that may occur, without looking at the data.", "Which names do you count?")
    user.waits(lambda: not user.window.host.page.current_summary.badge)
    user.waits(lambda: not user.sees(QAbstractButton, "Release once (spends ε)"))
    user.press("Type the names…")
    user.waits(user.find(QLineEdit, "Categories").hasFocus)
    user.press("Example")
    user.reads(
        "Counted: 4 526 applicants; expected error: about 0.13% of an average cell.", "How do I publish counts by department?"
    )
    user.write("Categories", "A, B")
    user.reads("have none of the listed categories", "histogram of 3 cells")
    assert user.undo_text() == "Change categories"
    user.hover(bars(user, SIMULATED), 2)
    user.reads("any other", "truth: 3")
    user.write("Categories", "A, A")
    assert any("category once" in error for error in user.errors()) and user.window.document.study.categories == ("A", "B")
    user.write("Categories", "A, B")
    user.press("refused")
    user.reads("3008 rows hold none of them", "a value outside this list, nothing is counted")
    assert user.undo_text() == "Change categories"
    user.undo()
    counted(user)
    user.press("refused")
    user.reads("3008 rows hold none of them")
    user.key(Key.Key_F5)
    user.waits(lambda: not user.says("3008 rows"))
    user.key(Key.Key_Escape)
    user.reads("3008 rows hold none of them")
    user.press("counted")
    counted(user)
    release(user)
    assert [line.split("\t")[0] for line in user.copied().splitlines()] == ["category", "A", "B", "any other"]
    user.press("ranges")
    user.reads("histogram of 11 cells")
    user.press("names")
    user.reads("histogram of 3 cells")
    assert user.text("Categories") == "A, B"


def test_a_list_is_taken_from_the_data_only_after_a_warning(opens: Opener) -> None:
    user = opens({**APPLICANTS, **DEPARTMENTS, "categories": ["A"], "outside": "other", "listed": "public"})
    sources = user.find(QAbstractButton, "Source of the list")
    assert isinstance(sources, QToolButton)

    def choose(words: str) -> None:
        next(action for action in sources.menu().actions() if action.text().startswith(words)).trigger()

    choose("From the data")
    user.reads("This is not private.", "The list itself reveals who is in the data")
    user.press("Cancel")
    assert user.window.document.study.categories == ("A",)
    choose("From the data")
    user.press("Use the list anyway")
    user.reads("the list is not private", "The list was taken from the data", "histogram of 7 cells", "not of the list")
    user.write("Categories", "A, B, C")
    user.reads("the list is not private")
    user.press("Call it public")
    user.reads("proved optimal per cell")
    user.command("Edit", "Undo")
    user.reads("the list is not private")


def test_a_list_comes_from_a_file_that_names_each_once(opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = opens({**APPLICANTS, **DEPARTMENTS, "categories": [], "outside": "other", "listed": "public"})
    path = tmp_path / "list.txt"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    sources = user.find(QToolButton, "Source of the list")
    for text in ("A\nB\nB\n", "A\nB\nC\n"):
        path.write_text(text, "utf-8")
        sources.menu().actions()[0].trigger()
        user.settles()
        assert any("is in it twice" in error for error in user.errors()) == ("B\nB" in text)
    assert user.window.document.study.categories == ("A", "B", "C")


def test_cells_that_fit_the_data_are_offered_and_are_said_not_to_be_private(opens: Opener, tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("age\n" + "\n".join(map(str, range(18, 91))))
    user = opens(query="histogram")
    user.write("Cells from", "18 to 90 by 10")
    assert user.errors() == [] and user.text("Cells from") == "18 to 90 by 10"
    user.write("Cells from", "0..10")
    user.drop(user.find(QAbstractButton, "Data column…"), tmp_path / "ages.csv")
    user.reads("the cells are not private", "The range of the cells was taken from the data")
    assert user.text("Cells from") == "15..90 by 5", "as from the start page"
    user.write("Cells from", "0..10")
    user.reads("Most values are in the last cell or outside all cells. Cells taken from the data are not private.")
    user.press("Use 15..90 by 5")
    user.reads("the cells are not private", "The range of the cells was taken from the data")
    assert user.text("Cells from") == "15..90 by 5" and not user.says("Most values are in the last cell")
    assert user.saved()["studies"][0]["listed"] == "data"
    counted(user)
    release(user)

    def states(words: str) -> None:
        user.press("Copy statement")
        assert words in QGuiApplication.clipboard().text()

    states("the cells are taken from the data")
    user.write("Cells from", "15..90 by 5 ")
    user.settles()
    user.reads("the cells are not private")
    user.write("Cells from", "0..10")
    user.waits(lambda: not user.says("the cells are not private"))
    user.write("Cells from", "15 to 90 by 5")
    user.reads("the cells are not private")
    user.press("Call it public")
    user.waits(lambda: not user.says("the cells are not private"))
    user.reads("released at ε = 1")
    states("the cells are taken from the data")
    user.write("Cells from", "15..90 by 5")
    user.settles()
    assert user.window.document.study.listed == "public"
    user.write("Cells from", "200..300 by 50")
    user.reads("Counted: 0", "Most values are in the last cell or outside all cells")
    assert not user.says("the cells are not private")


def test_the_field_of_a_cost_that_was_chosen_can_be_typed_at_once(opens: Opener) -> None:
    user = opens()
    user.press("Any even formula in x that does not fall as |x| grows")
    user.type("x**4")
    user.key(Key.Key_Return)
    user.settles()
    assert user.window.document.study.cost == "expression:x**4"


def test_ranges_on_names_lead_back_to_the_names(opens: Opener, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("person,district\n" + "\n".join(f"{k},{'NESW'[k % 4]}" for k in range(40)), "utf-8")
    user = opens(query="histogram", histogram=VISITS)
    open_column(user, path, "district")
    user.reads("Counted: 40", "the list is not private")
    assert user.text("Categories") == "E, N, S, W", "as from the start page"
    user.press("ranges")
    user.reads("a value must be a number or empty")
    user.press("Use names")
    user.reads("Counted: 40")
    assert user.text("Categories") == "E, N, S, W"


def test_the_example_has_its_own_level_and_cost(opens: Opener) -> None:
    user = opens(query="histogram", epsilon="8", cost="squared")
    user.press("Example")
    user.reads("How do I publish a bar chart?", "1.92 person-years", "Counted: 20 190 person-years")
    study = user.window.document.study
    assert (study.cost, study.privacy.epsilon, study.name) == ("absolute", 0.5, "Visits, published")
    user.write("Epsilon", "8")
    user.reads("no error this time")
    axis = user.find(CurvePlot, ERRORS).plot.y
    assert axis.scale == "whole"


def test_many_cells_have_an_axis_instead_of_numbers(opens: Opener) -> None:
    user = opens(query="histogram", histogram={**VISITS, "cells": "0..16"})
    assert bars(user, SIMULATED).plot.y.label == "rows"
    user.write("Cells from", "0..13")
    user.waits(lambda: bars(user, SIMULATED).plot.y.label == "")  # each bar has its number


def test_names_of_many_ranges_are_where_they_begin() -> None:
    names = tuple(HistogramDesign("15..95 by 5", epsilon=1).title(cell) for cell in range(17))
    assert names[0] == "15 to <20" and _short_names(names)[::8] == ["15", "55", "95+"]
    design = HistogramDesign("15..40 by 5", epsilon=1, counts=range(6))
    small = given(design.run(), None).plot
    assert small is not None and small.x.names == ("15", "20", "25", "30", "35", "40+")
