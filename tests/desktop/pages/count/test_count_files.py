"""Files that the count page reads: which column holds the counts, and what is said of a file that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop.count_window import await_answers, box_named, opened, page, paint, sentences, write
from desktop.hands import Hands
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.labels import ElidedLabel, ErrorLine
from dpdesigner.desktop.pages.count.inputs_column import InputsColumn
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.count_export import UNPROTECTED, CountExport
from dpdesigner.files.project import Project, dumps_project, loads_project
from dpdesigner.studies.count.design import CountDesign

DESIGN = CountDesign(3, alpha="1/2", prior="uniform", loss="absolute")


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    with opened(qtbot, monkeypatch, DESIGN) as window:
        yield window


@pytest.fixture
def pick(window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[InputsColumn]:
    path = tmp_path / "visits.csv"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *given: (str(path), "")))
    inputs = window.findChild(InputsColumn)
    assert inputs is not None
    yield inputs


def study(window: MainWindow) -> CountDesign:
    design = window.document.study
    assert isinstance(design, CountDesign)
    return design


def prior_given(window: MainWindow) -> object:
    return study(window).prior.specification


def test_a_column_of_a_file_becomes_the_prior_and_is_asked_for_where_there_are_several(
    qtbot: QtBot, window: MainWindow, pick: InputsColumn, tmp_path: Path
) -> None:
    (tmp_path / "visits.csv").write_text("patient,age,visits\na,1,0\nb,2,2\nc,3,2\n")
    pick.prior.open_counts()
    dialog = window.findChild(QInputDialog)
    assert dialog is not None and dialog.isVisible() and "visits.csv" in dialog.labelText()
    assert "Each row is one earlier count, for example of one day. One row per person? Use Histogram." in dialog.labelText()
    assert "one row per person" in pick.prior.controls.data.toolTip()
    assert dialog.comboBoxItems() == ["visits", "age"]  # the patients are no numbers, and no two have the same age
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert prior_given(window) == (1, 0, 2, 0)
    start_again(qtbot, window)

    (tmp_path / "visits.csv").write_text("1,0\n2,2\n3,2\n")  # columns without names are counted
    pick.prior.open_counts()
    dialog = window.findChild(QInputDialog)
    assert dialog is not None and dialog.comboBoxItems() == ["2", "1"]
    dialog.setTextValue("2")
    dialog.accept()
    assert prior_given(window) == (1, 0, 2, 0)
    start_again(qtbot, window)

    (tmp_path / "visits.csv").write_text("patient,visits\na,0\nb,2\n")
    pick.prior.open_counts()
    assert window.findChild(QInputDialog) is None
    assert prior_given(window) == (1, 0, 1, 0)
    start_again(qtbot, window)

    (tmp_path / "visits.csv").write_text("visits\n0\n3\n4\n90\n")
    pick.prior.open_counts()
    assert prior_given(window) == (1, 0, 0, 3)
    note = pick.prior.note
    warning = "Counted without noise: do not publish this prior or any file that contains it."
    told = f"Largest count: 90, taken from the data: not private. 2 of 4 counts above 3 taken as 3. {warning}"
    assert note.text() == told
    assert not any(line.refuses for line in pick.findChildren(ErrorLine)) and note.fix.text() == "Set n = 90"
    pick.change("Set ε", epsilon=1)
    assert note.text() == told and study(window).prior.notes == ("2 of 4 counts above 3 taken as 3",), "it stays with the prior"
    note.fix.click()
    design = study(window)
    assert design.n == 90 and [design.prior.specification[count] for count in (0, 1, 3, 4, 90)] == [1, 0, 1, 1, 1]
    assert note.text() == f"n = 90 was taken from the data: not private. {warning}"
    write(box_named(window, "n, "), "91")
    assert note.text() == warning
    write(box_named(window, "n, "), "200")
    assert note.text() == f"Largest count: 90, taken from the data: not private. {warning}" and note.fix.text() == "Set n = 90"
    note.fix.click()
    assert study(window) == design
    for _ in range(4):
        window.document.undo()
    assert note.text() == told, "the column itself was counted again, in one step"
    for _ in range(2):
        window.document.undo()
    assert not note.text()

    (tmp_path / "visits.csv").write_text("visits\n0\n8\n4\n90\n")
    pick.prior.open_counts()
    assert prior_given(window) == "uniform"
    assert pick.prior.error.text() == "3 of 4 counts are above n = 3: too many for the last bar."
    pick.prior.error.fix.click()
    assert study(window).n == 90 and study(window).prior.specification[8] == 1
    assert note.text() == f"n = 90 was taken from the data: not private. {warning}"
    (again,) = loads_project(dumps_project(Project((study(window),)))).studies
    assert again == study(window)
    pick.prior.smooth()
    assert note.text() == f"n = 90 was taken from the data: not private. {warning}", "it is not the shape that n is from"
    window.document.change(again, "Open")
    assert note.text() == f"n = 90 was taken from the data: not private. {warning}", "a file remembers it"
    assert "n = 90 was taken from the data" in CountExport.of(again).sentence
    pick.change("Choose a prior", prior="uniform")
    assert note.text() == "n = 90 was taken from the data: not private." and study(window).prior.title == "uniform", "n still is"
    (named,) = loads_project(dumps_project(Project((study(window),)))).studies
    assert named == study(window) and not CountExport.counts_data(named)
    assert CountExport.of(named).warnings == ("n = 90 was taken from the data: not private.",)
    window.document.undo()
    write(box_named(window, "n, "), "80")
    assert "taken from the data" not in note.text()
    for _ in range(4):
        window.document.undo()
    assert study(window) == DESIGN, "n and prior changed in one step"

    (tmp_path / "visits.csv").write_text("visits\n7\n2000000\n")
    pick.prior.open_counts()
    pick.prior.error.fix.click()
    assert study(window) == DESIGN and sentences(window)[0].endswith("got 2000000.")

    (tmp_path / "visits.csv").write_text("a,b\nc,d\n")
    pick.prior.open_counts()
    assert prior_given(window) == "uniform"
    assert any(sentence.startswith("visits.csv must have a column of numbers") for sentence in sentences(window))


def start_again(qtbot: QtBot, window: MainWindow) -> None:
    """Undo what was taken; the dialog that asked is gone."""
    window.document.undo()
    assert prior_given(window) == "uniform"
    qtbot.waitUntil(lambda: window.findChild(QInputDialog) is None)


def test_the_history_names_the_new_n(window: MainWindow) -> None:
    write(box_named(window, "n, "), " 30")
    assert window.document.undo_stack.undoText() == "Set n to 30"


def test_the_source_stays_with_the_prior(window: MainWindow, pick: InputsColumn, tmp_path: Path) -> None:
    """In header, card, undo and file; a column at hand is counted again.

    That of a file which is opened again says what was cut.
    """
    (tmp_path / "visits.csv").write_text("patient,visits\na,0\nb,2\n")
    pick.prior.open_counts()
    design = study(window)
    assert design.prior.source == design.prior.title == "visits, visits.csv" and "prior from visits, visits.csv" in design.line
    assert pick.cards[0].findChildren(ElidedLabel)[0].full_text == "from visits, visits.csv"
    assert window.document.undo_stack.undoText() == "Prior from visits, visits.csv"
    window.document.undo()
    assert study(window).prior.source == ""
    window.document.redo()
    kept = loads_project(dumps_project(Project((design,))))
    assert kept.studies == (design,)
    (tmp_path / "visits.csv").unlink()
    write(box_named(window, "n, "), "7")
    assert study(window).prior.source == "visits, visits.csv" and prior_given(window) == (1, 0, 1, 0, 0, 0, 0, 0)
    write(box_named(window, "n, "), "1")
    assert study(window).prior.source == "visits, visits.csv; 1 of 2 counts above 1 taken as 1" and prior_given(window) == (1, 1)
    window.document.undo()
    assert prior_given(window) == (1, 0, 1, 0, 0, 0, 0, 0)
    again = kept.studies[0]
    assert isinstance(again, CountDesign)
    assert again.replace(n=7).prior.source == "visits, visits.csv"
    shorter = again.replace(n=1)
    assert shorter.prior.source == "visits, visits.csv; 50% of the belief was above 1"
    pick.prior.set_prior(shorter.prior)
    assert pick.prior.note.text().startswith("50% of the belief was above 1. Counted without noise")
    assert shorter.prior.edited([1, 1]).source == "visits, visits.csv, edited"


def test_data_stay_in_a_prior_that_is_edited(qtbot: QtBot, window: MainWindow, pick: InputsColumn, tmp_path: Path) -> None:
    """In window, file and statement, with the warning; until something else replaces it."""
    (tmp_path / "visits.csv").write_text("visits\n0\n2\n2\n3\n")
    plot, note = pick.prior.plot, pick.prior.note
    pick.prior.open_counts()
    counted = study(window).prior

    def type_a_weight() -> None:
        pick.prior.set_mode("table")
        pick.prior.table.rows.typed.emit(1, "1/2")
        pick.prior.set_mode("paint")

    def use_the_posterior() -> None:
        await_answers(qtbot, window)
        window.menus.design_menu.aboutToShow.emit()
        next(action for action in window.menus.design_menu.actions() if action.text() == "Use the posterior as prior").trigger()

    edits = pick.prior.mirror, pick.prior.smooth, lambda: paint(window, [(0, 0.5), (1, 0.4)]), type_a_weight, use_the_posterior
    for edit in edits:
        edit()
        prior = study(window).prior
        assert prior.weights.tolist() != counted.weights.tolist() and prior.source == "visits, visits.csv, edited"
        assert "prior from visits, visits.csv, edited" in study(window).line
        assert pick.cards[0].findChildren(ElidedLabel)[0].full_text == "from visits, visits.csv, edited"
        assert note.isVisible() and note.text().startswith("Counted without noise")
        saved = loads_project(dumps_project(Project((study(window),)))).studies[0]
        assert saved == study(window) and UNPROTECTED in CountExport.of(saved).sentence
        pick.prior.mirror()
        assert study(window).prior.source == "visits, visits.csv, edited", "it is said once"
        for _ in range(2):
            window.document.undo()
        assert study(window).prior == counted and study(window).prior.source == "visits, visits.csv"
    for count in (0, 2, 3):
        plot.chosen.emit(count)
        QTest.keyClick(plot, Qt.Key.Key_Delete)
    assert plot.blank and study(window).prior.source == "visits, visits.csv, edited"
    plot.chosen.emit(1)
    QTest.keyClick(plot, Qt.Key.Key_Up)
    assert study(window).prior.title == "drawn" and not note.isVisible(), "nothing of the data is left"
    window.document.undo()
    pick.prior.presets.choose("binomial")
    assert study(window).prior.title == "binomial" and not note.isVisible()


def test_blank_cells_are_left_out_and_counted(window: MainWindow, pick: InputsColumn, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("patient,visits\na,3\nb,\nc,1\nd\n")
    pick.prior.take_counts(str(tmp_path / "visits.csv"), "visits")
    assert prior_given(window) == (0, 1, 0, 1)
    assert pick.prior.note.text().startswith("2 blank cells left out. Counted without noise")
    write(box_named(window, "n, "), "4")
    assert pick.prior.note.text().startswith("2 blank cells left out. Counted without noise"), "counted again"


def test_a_valid_column_clears_the_error_of_a_refused_one(window: MainWindow, pick: InputsColumn, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("good,bad\n3,x\n1,2\n")
    for column, refused in (("good", False), ("bad", True), ("good", False)):
        pick.prior.take_counts(str(tmp_path / "visits.csv"), column)
        assert pick.prior.error.refuses == refused


def test_undo_takes_back_a_refused_column_and_nothing_else(
    qtbot: QtBot, window: MainWindow, pick: InputsColumn, tmp_path: Path
) -> None:
    """With the mouse, and as the menu names it; then it takes back the last step again."""
    (tmp_path / "visits.csv").write_text("bad,high\n-1,9\n2,8\n")
    user = Hands(qtbot, window, tmp_path)
    write(box_named(window, "n, "), "5")
    for column in ("bad", "high"):
        pick.prior.take_counts(str(tmp_path / "visits.csv"), column)
        assert len(user.errors()) == 1 and user.undo_text() == "refused input"
        user.press("Undo refused input")
        assert not user.errors() and study(window).n == 5 and user.undo_text() == "Set n to 5"
    user.press("Undo Set n to 5")
    assert study(window) == DESIGN


def test_a_column_takes_the_place_of_an_example(window: MainWindow, pick: InputsColumn, tmp_path: Path) -> None:
    """In the title, unless that is the user's own, and as the count that is tried: the column's most likely one."""
    (tmp_path / "visits.csv").write_text("stays,visits\n3,1\n0,1\n3,2\n")
    window.document.change(DESIGN.replace(name="Flu cases in a school"), "Rename")
    page(window).look(row=3, column=3)
    pick.prior.take_counts(str(tmp_path / "visits.csv"), "visits")
    assert (study(window).name, page(window).view["row"], page(window).view["column"]) == ("visits", 1, 1)
    pick.countSelected.emit(2)
    pick.prior.smooth()
    window.document.undo()
    write(box_named(window, "n, "), "5")
    assert (study(window).name, page(window).view["row"]) == ("visits", 2), "it is the same column"
    pick.prior.take_counts(str(tmp_path / "visits.csv"), "stays")
    assert (study(window).name, page(window).view["row"]) == ("stays", 3)
    window.document.change(study(window).replace(name="Our ward"), "Rename")
    pick.prior.take_counts(str(tmp_path / "visits.csv"), "visits")
    assert (study(window).name, page(window).view["row"]) == ("Our ward", 1)


def test_columns_without_names_are_named_by_their_place(window: MainWindow, pick: InputsColumn, tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("0\n2\n3\n2\n9\n")
    pick.prior.open_counts()
    assert study(window).prior.source == "visits.csv; 1 of 5 counts above 3 taken as 3"
    pick.prior.take_counts(str(tmp_path / "visits.csv"), "")
    (tmp_path / "visits.csv").write_text("1,0\n2,2\n")
    pick.prior.take_counts(str(tmp_path / "visits.csv"), "2")
    assert study(window).prior.source == "column 2, visits.csv"


def test_data_are_opened_where_they_were_opened_last_time(
    window: MainWindow, pick: InputsColumn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By every dialog that opens data."""
    (tmp_path / "visits.csv").write_text("visits\n0\n2\n")
    folders: list[str] = []

    def choose(parent: object, title: str, folder: str, kinds: str) -> tuple[str, str]:
        folders.append(folder)
        return ("" if len(folders) > 1 else str(tmp_path / "visits.csv")), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(choose))
    press = pick.prior.controls.data.click
    press()
    press()
    pick.loss.open_matrix()
    assert folders == ["", str(tmp_path), str(tmp_path)]
