""""""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.data.grid import LARGEST_BYTES
from dpdesigner.desktop.document import filing
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import Filing, Questions
from dpdesigner.files.project import Project, read_project, write_project
from dpdesigner.studies import registry


class Quiet(Questions):
    """Lets everything be replaced, and asks nothing."""

    def __init__(self) -> None:
        self.asked = 0

    def overwrite_changed(self, path: Path) -> str:  # type: ignore[override]
        self.asked += 1
        return "cancel"


class Desk:
    """A document with its files, and what was said of them."""

    def __init__(self) -> None:
        self.document = Document([FakeStudy(1)])
        self.questions = Quiet()
        self.filing = Filing(self.document, self.questions)
        self.refused: list[str] = []
        self.filing.refused.connect(self.refused.append)


@pytest.fixture
def desk(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    return Desk()


@pytest.fixture
def saved(desk: Desk, tmp_path: Path) -> Path:
    path = tmp_path / "work.dpd"
    write_project(path, Project((FakeStudy(1),)))
    assert desk.filing.open_path(path)
    desk.document.change(FakeStudy(2), "Two")
    return path


def test_a_pipe_and_a_folder_are_refused_and_not_waited_for(desk: Desk, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.dpd")
    (tmp_path / "folder.dpd").mkdir()
    for name in ("pipe", "folder"):
        assert not desk.filing.open_path(tmp_path / f"{name}.dpd")
        assert desk.refused.pop() == f"{tmp_path / name}.dpd is not a file that dpdesigner can open."
    assert desk.document.study == FakeStudy(1)


def test_of_a_huge_file_no_more_is_read_than_a_project_may_have(desk: Desk, tmp_path: Path) -> None:
    huge = tmp_path / "huge.dpd"
    huge.touch()
    os.truncate(huge, 500 * LARGEST_BYTES)
    assert not desk.filing.open_path(huge)
    assert desk.refused == ["huge.dpd must be at most 100 MB, got a larger file."]


def test_a_file_that_was_deleted_is_written_again(desk: Desk, saved: Path) -> None:
    saved.unlink()
    said: list[str] = []
    desk.filing.said.connect(said.append)
    assert desk.filing.save() and not desk.questions.asked
    assert said == [f"The file no longer existed and was written again: {saved}"]
    assert read_project(saved).studies == (FakeStudy(2),) and not desk.document.modified


def test_what_is_changed_while_it_is_written_is_written_too(desk: Desk, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    def meanwhile(call: Callable[[], Any]) -> Any:
        value = call()
        calls.append(call)
        if len(calls) == 2:  # the first looks whether the file is as it was
            desk.document.change(FakeStudy(3), "An answer")
        return value

    monkeypatch.setattr(filing, "waited", meanwhile)
    assert desk.filing.save() and not desk.document.modified
    assert len(calls) == 3 and read_project(saved).studies == (desk.document.study,) == (FakeStudy(3),)


def test_what_is_dropped_while_a_document_is_saved_does_not_take_its_place(
    desk: Desk, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = saved.with_name("other.dpd")
    write_project(other, Project((FakeStudy(7),)))
    go_on, opened = Event(), list[bool]()

    def drop() -> None:
        opened.append(desk.filing.open_path(other))
        go_on.set()

    def write(path: Path, project: Project) -> None:
        go_on.wait(10)
        write_project(path, project)

    monkeypatch.setattr(filing, "write_project", write)
    QTimer.singleShot(0, desk.filing, drop)
    assert desk.filing.save() and opened == [False]
    assert read_project(saved).studies == (desk.document.study,) == (FakeStudy(2),)
    assert desk.filing.open_path(other) and desk.document.study == FakeStudy(7)


def test_a_file_is_looked_at_in_another_thread(desk: Desk, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    digest = filing._digest
    monkeypatch.setattr(filing, "_digest", lambda path: threads.append(current_thread()) or digest(path))
    assert desk.filing.save() and desk.filing.open_path(saved)
    assert len(threads) == 3 and main_thread() not in threads


def test_a_folder_that_has_vanished_is_told_and_nothing_is_lost(desk: Desk, saved: Path) -> None:
    saved.unlink()
    saved.parent.rename(saved.parent.with_name("elsewhere"))
    assert not desk.filing.save()
    assert "the folder" in desk.refused[0] and "does not exist" in desk.refused[0]
    assert desk.document.modified and desk.document.study == FakeStudy(2)


def test_a_place_that_can_no_longer_be_looked_at_is_told(desk: Desk, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object, **more: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "stat", refuse)
    assert not desk.filing.save()
    assert len(desk.refused) == 1 and desk.document.modified


def test_a_file_of_another_program_in_the_place_of_ours_is_asked_about(desk: Desk, saved: Path) -> None:
    saved.write_text("something else")
    assert not desk.filing.save() and desk.questions.asked == 1
    assert saved.read_text() == "something else"


def test_a_name_that_is_too_long_is_told(desk: Desk, saved: Path) -> None:
    long = saved.with_name("n" * 300 + ".dpd")
    desk.document.mark_saved(long)
    desk.document.change(FakeStudy(3), "Three")
    assert not desk.filing.save()
    assert desk.refused[0].endswith("could not be written: the name is too long.")


def test_saving_says_that_a_design_that_was_only_looked_at_is_not_in_the_file(desk: Desk, saved: Path) -> None:
    sentences: list[str] = []
    desk.filing.said.connect(sentences.append)
    desk.document.visit(FakeStudy(9, "{Nine}"))
    assert desk.filing.save() and not desk.document.modified
    assert sentences == [f"Saved to {saved}, without “{{Nine}}”, which was viewed but not changed"]
    assert read_project(saved).studies == (FakeStudy(2),) and desk.filing.may_leave()
    desk.document.rename("nine")
    assert desk.filing.save() and sentences[1:] == [f"Saved to {saved}"]
    assert read_project(saved).studies == (FakeStudy(2), FakeStudy(9, "nine"))


def test_saving_under_another_name_keeps_the_design_that_is_looked_at(
    desk: Desk, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = saved.with_name("other.dpd")
    monkeypatch.setattr(Quiet, "path_to_save", lambda self, suggestion: other, raising=False)
    desk.document.visit(FakeStudy(9))
    assert desk.filing.save_as() and not desk.document.modified
    assert read_project(other).studies == (FakeStudy(2), FakeStudy(9)) and desk.document.study == FakeStudy(9)
    assert read_project(saved).studies == (FakeStudy(1),)
    desk.document.undo()
    assert desk.document.modified and desk.document.current.visited
    monkeypatch.setattr(Quiet, "path_to_save", lambda self, suggestion: None)
    assert not desk.filing.save_as() and desk.document.current.visited


@pytest.fixture
def asked(qtbot: QtBot) -> Iterator[list[str]]:
    """Answers every message with No; how they were worded."""
    texts: list[str] = []
    timer = QTimer(QApplication.instance())

    def refuse() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            texts.append(box.text())
            box.button(QMessageBox.StandardButton.No).click()
        elif isinstance(box, QFileDialog) and texts:
            box.reject()

    timer.timeout.connect(refuse)
    timer.start(20)
    yield texts
    timer.stop()
    timer.deleteLater()


def _name(name: str) -> None:
    dialog = next(found for found in QApplication.topLevelWidgets() if isinstance(found, QFileDialog) and found.isVisible())
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText(name)
    QTest.keyClick(field, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("name", "there", "path"), [("work", "", "work.dpd"), ("work.dpd", "", "work.dpd"), ("work", "work.dpd", "")]
)
def test_a_file_is_not_replaced_unasked_when_its_ending_is_left_out(
    qtbot: QtBot, tmp_path: Path, asked: list[str], name: str, there: str, path: str
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    if there:
        (tmp_path / there).write_text("precious")
    QTimer.singleShot(100, lambda: _name(name))
    chosen = Questions(window).path_to_save(tmp_path / "suggested.dpd")
    assert chosen == (tmp_path / path if path else None)
    assert len(asked) == bool(there)
