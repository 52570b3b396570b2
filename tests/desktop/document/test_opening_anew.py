"""A document opens as it was designed, whatever was folded, opened or explained in the one before."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from desktop import count_window, hands
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.card import Card
from dpdesigner.desktop.base.gesture import GestureSlider
from dpdesigner.files.project import Project, example, read_project, write_project
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign
from dpdesigner.studies.spending import Record
from dpdesigner.studies.synthetic.design import IntervalDesign
from dpdesigner.studies.synthetic.halfspace_design import HalfspaceDesign


@pytest.mark.parametrize("stem", ["flu-cases", "small-database", "ages-and-incomes", "office-table"])
def test_a_document_opens_as_designed(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, stem: str) -> None:
    with hands.opened(qtbot, monkeypatch, example(stem).path) as user:
        user.settles()

        def folded() -> dict[str, bool]:
            page = user.window.host.page
            assert page is not None
            return {card._title: card.folded for card in page.findChildren(Card) if card.foldable and card.isVisible()}

        def open_again() -> None:
            assert user.window.filing.open_path(example(stem).path)
            user.settles()
            qtbot.wait(50)

        open_again()
        first = folded()
        assert any(first.values())
        for card in [card for card in user.window.host.page.findChildren(Card) if card.folded and card.isVisible()]:
            QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=card.header.geometry().center())
            qtbot.wait(20)
        if posterior := [button for button in user.window.findChildren(QPushButton) if button.text() == "Posterior"]:
            posterior[0].click()
        user.window.why.set_open(True)
        assert folded() != first
        open_again()
        assert folded() == first and user.window.why.isHidden()
        assert not any(button.isChecked() for button in posterior)


def test_the_header_asks_what_an_example_answers_until_something_is_changed(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hands.opened(qtbot, monkeypatch, example("flu-cases").path) as user:
        user.settles()
        line = user.window.header.line
        assert "How wrong" not in line.full_text, "a file of one’s own, though with the same design"
        assert user.window.filing.open_example(example("flu-cases"))
        user.settles()
        assert line.full_text == "How wrong is a private count of 20 pupils?"
        user.write("n, the largest count", "30")
        assert not line.full_text, "the cards show the inputs"
        user.undo()
        assert line.full_text == "How wrong is a private count of 20 pupils?"


def test_a_handle_and_a_tab_are_where_they_are_at_first(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    with hands.opened(qtbot, monkeypatch, example("hours-of-sport").path) as user:
        user.settles()
        page = user.window.host.page
        first = dict(page.view)
        page.look(share=0.0, view="cost", within=0.5)
        assert user.window.filing.open_example(example("hours-of-sport"))
        user.settles()
        assert user.window.host.page.view == first


ONCE, ASKED = "Release once (spends ε)", {"names": "age, pay", "ranges": "18 to 90, 0 to 90"}
WAYS: Any = {"column": "way", "categories": ("car", "bus"), "neighbours": "changes"}


@pytest.mark.parametrize(
    ("button", "make"),
    [
        (
            ONCE,
            lambda path: ChoiceDesign(path=path, **WAYS, epsilon="0.1"),
        ),
        (ONCE, lambda path: HistogramDesign("18, 30, 65", path=path, column="age", epsilon="0.1")),
        (
            "Release again",
            lambda path: HalfspaceDesign(f"file: {path}", **ASKED, epsilon="0.1"),
        ),
    ],
)
def test_a_file_remembers_what_was_released(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, button: str, make: Any
) -> None:
    data, path, asked, answers = tmp_path / "people.csv", tmp_path / "mine.dpd", list[str](), QMessageBox.StandardButton
    data.write_text("age,pay,way\n" + "20,30,car\n40,20,bus\n70,50,car\n" * 200, "utf-8")
    write_project(path, Project((make(str(data)),)))
    reply = [answers.Yes]
    monkeypatch.setattr(QMessageBox, "question", staticmethod(lambda *given: (asked.append(given[2]), reply[0])[1]))
    with hands.opened(qtbot, monkeypatch, path) as user:
        document, shown = user.window.document, int(button != ONCE)  # linear rules show a release at once

        def releases(count: int) -> None:
            user.reads(
                "1 release of these rows has ε = 0.1."
                if count == 1
                else f"{count} releases of these rows have ε = {count / 10:g} together."
            )

        user.settles()
        assert document.modified == bool(shown)
        if not shown:
            user.waits(lambda: user.find(QAbstractButton, button).isEnabled())
            user.press(button)
        releases(1)
        assert not asked and document.modified, "a release is no step, but the file does not know it yet"
        user.press(button)
        releases(2)
        assert "1 release of these rows has ε = 0.1. Another one would make it ε = 0.2. Release again?" in asked[-1]
        document.rename("Other")
        document.undo()
        user.settles()
        releases(2)
        user.command("File", "Save")
        assert not document.modified and len(read_project(path).releases) == 2
        made = read_project(path).releases[0].to_json()
        assert {made["data"], made["epsilon"], made["kind"]} == {"people.csv", "0.1", document.study.kind}
        document.load(Project(read_project(example("flu-cases").path).studies))
        user.settles()
        assert not user.says("of these rows")
        assert user.window.filing.open_path(path)
        user.settles()
        releases(2)
        assert not document.modified, "the release of linear rules is the one that was shown"
        reply[0] = answers.Cancel
        user.waits(user.find(QAbstractButton, button).isEnabled)
        user.press(button)
        assert "2 releases of these rows have ε = 0.2 together. Another one would make it ε = 0.3." in asked[-1]
        document.change(document.study.replace(epsilon="0.2", name="Copy"), "Change")
        document.duplicate()
        user.settles()
        user.reads(f"{2 + shown} releases of these rows have ε = {0.2 + 0.2 * shown:g} together.")
        assert user.window.recovery.flush()
        project = document.live.project
        assert len(project.releases) == 2 + shown and read_project(path).releases == project.releases[:2]


def test_a_file_that_was_released_before_is_not_released_again_by_opening_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (data := tmp_path / "opened-again.csv").write_text("age,pay\n" + "20,30\n40,20\n70,50\n" * 200, "utf-8")
    design = HalfspaceDesign(f"file: {data}", **ASKED, epsilon="0.1")
    record = Record()
    record.add(design, design.release_loss)
    write_project(path := tmp_path / "mine.dpd", Project((design,), releases=record.kept))
    with hands.opened(qtbot, monkeypatch, path) as user:
        user.reads("1 release of these rows has ε = 0.1. “Release again” makes another one.")
        user.reads("Opening a file releases nothing.")
        page = user.window.host.page
        assert page.answer is None and not page.current_summary.badge and not user.window.document.modified
        user.press("Release again")
        user.reads("2 releases of these rows have ε = 0.2 together. Do not choose by accuracy.")
        user.write("Epsilon", "0.2")
        user.reads("3 releases of these rows have ε = 0.4 together. Do not choose by accuracy.")


def test_released_counts_are_shown_again_after_opening_the_file(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (data := tmp_path / "people.csv").write_text("age\n" + "20\n" * 4173 + "40\n" * 2689 + "70\n" * 6257, "utf-8")
    design = HistogramDesign("18, 30, 65", path=str(data), column="age", epsilon="1e-4")
    write_project(path := tmp_path / "mine.dpd", Project((design,)))
    with hands.opened(qtbot, monkeypatch, path) as user:
        page = user.window.host.page

        def opens_again() -> None:
            user.command("File", "Save")
            assert not user.window.document.modified and user.window.filing.open_path(path)
            user.settles()

        user.waits(user.find(QAbstractButton, ONCE).isEnabled)
        user.press(ONCE)
        user.reads("Released: ")
        made = page.outcomes["release"].value.values
        opens_again()
        user.reads("Released: ", "These counts may be published: ε = 0.0001.")
        assert page.outcomes["release"].value.values == made and not user.window.document.modified
        user.press("Copy")
        assert [int(line.split("\t")[1]) for line in QGuiApplication.clipboard().text().splitlines()[1:]] == made
        assert not {"4173", "2689", "6257"} & set(re.findall(r"\d+", path.read_text("utf-8")))
        user.write("Epsilon", "0.5")
        opens_again()
        user.reads("released at ε = 0.0001", "1 release of these rows has ε = 0.0001.")
        assert page._results.giving.plot.plot.bars[0].values.tolist() == made
        user.press("Copy statement")
        assert "with epsilon = 0.0001 for" in QGuiApplication.clipboard().text()
        user.window.filing.new()
        user.settles()
        assert not user.says("of these rows") and not user.says("released at")


def test_every_change_that_releases_the_data_again_is_asked_about(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (data := tmp_path / "people.csv").write_text("age,way\n" + "20,a\n40,b\n70,c\n" * 200 + ",d\n" * 3, "utf-8")
    design = IntervalDesign({"path": str(data), "column": "age"}, epsilon="1", method="laplace")
    write_project(path := tmp_path / "mine.dpd", Project((design,)))
    answers, asked = QMessageBox.StandardButton, list[str]()
    reply = [answers.Cancel]
    monkeypatch.setattr(QMessageBox, "question", staticmethod(lambda *given: (asked.append(given[2]), reply[0])[1]))
    with hands.opened(qtbot, monkeypatch, path) as user:
        user.waits(lambda: bool(user.errors()))
        user.press("Leave out 3 rows")
        user.reads("1 release of these rows has ε = 1.")
        assert not asked, "the first one"
        user.write("Epsilon", "0.5")
        question = "1 release of these rows has ε = 1. Another one would make it ε = 1.5. Release again?"
        assert asked == [question] and user.window.document.study.epsilon == "1" and user.text("Epsilon") == "1"
        slider = user.find(GestureSlider, "Privacy level epsilon")
        count_window.slide(slider, before := slider.value(), before - 40, before - 80)
        assert slider.value() == before, "the handle is back"
        assert len(asked) == 2 and user.window.document.study.epsilon == "1" and not user.window.document.previewing
        user.press("a row is added or removed")
        assert len(asked) == 3 and user.find(QAbstractButton, "a row is replaced").isChecked()
        user.write("Number of cells", "256")
        assert len(asked) == 4 and user.text("Number of cells") == "1024"
        user.write("Failure probability", "0.1")
        user.settles()
        assert len(asked) == 4 and user.says("1 release of these rows"), "it draws nothing"
        user.write("To below", "60")
        user.waits(lambda: bool(user.errors()))
        assert len(asked) == 4, "refused rows are not released"
        user.waits(lambda: user.sees(QAbstractButton, "Clamp 200 rows"))
        user.press("Clamp 200 rows")
        assert len(asked) == 5 and user.window.document.study.outside == "refuse"
        reply[0] = answers.Yes
        user.press("Clamp 200 rows")
        user.reads("2 releases of these rows have ε = 2 together.")
        assert len(asked) == 6


def test_published_rows_of_an_own_database_are_asked_about_and_those_of_the_example_are_not(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, no = list[str](), QMessageBox.StandardButton.Cancel
    monkeypatch.setattr(QMessageBox, "question", staticmethod(lambda *given: (asked.append(given[2]), no)[1]))
    with hands.opened(qtbot, monkeypatch, example("small-database").path) as user:
        for many, size in (0, 3), (1, 3):
            user.settles()
            slider = user.find(GestureSlider, "Published rows")
            slider.setFocus()
            QTest.keyClick(slider, Qt.Key.Key_Left)
            user.settles()
            assert len(asked) == many and user.window.document.study.size == size
            if not many:
                user.write("Real database", "12, 30, 41, 25, 18, 9, 4, 2")
                assert user.window.document.study.seed is None, "that of the example"
        assert slider.value() == 2, "the slider is back"
