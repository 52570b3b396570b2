"""Files that are dropped: taken as copies everywhere, looked into before anything is asked, tables as what the user says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.hands import LEFT, Hands
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QInputDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.files.project import Project, write_project
from dpdesigner.studies import registry
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.histogram_design import HistogramDesign

COPY = Qt.DropAction.CopyAction
KINDS = [entry.kind for entry in registry.ENTRIES]
PEOPLE = "amount,vote\n" + "\n".join(f"{12 + k % 7},{k % 2}" for k in range(60))


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    write_project(tmp_path / "it.dpd", Project((NoiseDesign(name="Mine", epsilon=1),)))
    with hands.opened(qtbot, monkeypatch, tmp_path / "it.dpd") as user:
        user.settles()
        yield user


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def starting(kind: str) -> Any:
    return HistogramDesign.starting() if kind == "histogram" else registry.entry(kind).page_class().starting_study(kind)


def choose(text: str) -> None:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.text() == text)
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def verified(user: Hands, path: Path) -> bool:
    """Whether the Inspect page shows this table."""
    study = user.window.document.study
    return study.kind == "inspect" and study.to_json()["table"] == f"file: {path}"


@pytest.mark.parametrize("kind", KINDS)
def test_on_every_page_a_table_is_a_copy_and_is_taken_as_what_the_user_says(user: Hands, people: Path, kind: str) -> None:
    study = starting(kind)
    user.window.document.add(study)
    user.settles()
    page = user.window.host.page
    assert page is not None
    steps = user.window.document.undo_stack.index()
    no_card_answers_with_move(user, people)
    user.window.document.undo_stack.setIndex(steps)
    user.settles()
    assert user.window.document.study == study
    assert user.drop(user.window.rail, people) == COPY and people.read_text() == PEOPLE
    offered = [words for words, _ in page.takers()]
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    actions = [action for action in menu.actions() if not action.isSeparator()]
    assert [action.text() for action in actions] == [*offered, "A column for a new histogram", "A mechanism to verify"]
    assert user.window.document.undo_stack.index() == steps, "nothing is changed before it is chosen"
    choose("A mechanism to verify")
    assert verified(user, people)
    user.action("Edit", "Undo").trigger()  # without a display, no window has the keys after a menu has closed
    assert user.window.document.study.kind == kind
    user.settles()
    user.drop(user.window.rail, people)
    if not offered:
        return
    choose(offered[0])
    user.waits(lambda: bool(user.window.document.undo_stack.index() > steps or user.errors() or QApplication.activeModalWidget()))
    assert not verified(user, people)


def no_card_answers_with_move(user: Hands, people: Path) -> None:
    page = user.window.host.page
    assert page is not None
    takers = [widget for widget in page.findChildren(QWidget) if widget.acceptDrops() and widget.isVisible()]
    for widget in [*takers, user.window.header, user.window.rail]:
        assert user.drop(widget, people) == COPY
        if isinstance(popup := QApplication.activePopupWidget(), QMenu):
            popup.close()


def test_what_is_no_project_is_refused_before_anything_is_asked(
    user: Hands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(type(user.window.questions), "save_changes", lambda self, title: asked.append(title) or "discard")
    user.write("Sensitivity Δ", "2")
    user.settles()
    study = user.window.document.study
    (tmp_path / "wrong.dpd").write_text("no project")
    assert user.drop(user.window.header, tmp_path / "wrong.dpd") == COPY
    user.reads("wrong.dpd")
    assert not asked and user.window.document.study == study and user.window.isWindowModified()
    write_project(tmp_path / "right.dpd", Project((NoiseDesign(epsilon=2, name="Other"),)))
    user.drop(user.window.header, tmp_path / "right.dpd")
    assert asked and user.window.document.study.name == "Other"


def test_data_come_in_by_every_door(user: Hands, people: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """File > Open, a dropped file and the argument of the program lead to the question of the start page."""
    filing = user.window.filing
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(people), ""))

    def drop() -> None:
        user.drop(user.window.rail, people)
        choose("A column for a new histogram")

    for door in (user.action("File", "Open").trigger, drop, lambda: filing.open_path(people)):
        door()
        user.waits(lambda: isinstance(QApplication.activeModalWidget(), QInputDialog))
        asked = QApplication.activeModalWidget()
        assert isinstance(asked, QInputDialog) and asked.comboBoxItems() == ["amount · numbers 12 to 18", "vote · numbers 0 to 1"]
        asked.accept()
        user.waits(lambda: user.window.document.study.kind == "histogram")
        user.settles()
        document = user.window.document
        assert (document.title, document.study.name, document.study.column) == ("people", "amount", "amount")
        assert document.path is None and not document.modified
        assert filing.open_path(tmp_path / "it.dpd")
    (tmp_path / "ragged.csv").write_text("a,b\n1,2,3\n")
    assert not filing.open_path(tmp_path / "ragged.csv")
    user.reads("no more cells than line 1 (2), got 3")


def test_the_title_of_a_design_follows_its_column(user: Hands, people: Path) -> None:
    user.window.filing.open_path(people)
    user.waits(lambda: isinstance(QApplication.activeModalWidget(), QInputDialog))
    asked = QApplication.activeModalWidget()
    assert isinstance(asked, QInputDialog)
    asked.accept()
    user.waits(lambda: user.window.document.study.kind == "histogram")
    user.settles()
    box = next(box for box in user.window.findChildren(QComboBox) if box.accessibleName() == "Column to count")
    QTest.keyClicks(box, "vote")
    QTest.keyClick(box, Qt.Key.Key_Return)
    user.waits(lambda: user.window.document.study.column == "vote")
    assert user.window.document.study.name == "vote"
