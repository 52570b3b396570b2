from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desktop import mouse
from desktop.fakes import ENTRIES, FakePage, FakeStudy, OtherStudy
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.colours import DARK
from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.filing import Questions, recent_files
from dpdesigner.desktop.window.application import collect_garbage, make_application
from dpdesigner.desktop.window.layout import FieldUndo
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.desktop.window.palette import CommandPalette
from dpdesigner.files.project import Project, read_project, write_project
from dpdesigner.studies import registry

WAIT = 10_000
Key, No, Control = Qt.Key, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


class Answers:
    """Stands in for the modal questions."""

    def __init__(self) -> None:
        self.save: str = "discard"
        self.overwrite: str = "cancel"
        self.path: Path | None = None
        self.asked: list[str] = []

    def save_changes(self, title: str) -> str:
        self.asked.append(f"save {title}")
        return self.save

    def overwrite_changed(self, path: Path) -> str:
        self.asked.append(f"overwrite {path.name}")
        return self.overwrite

    def path_to_open(self, folder: Path) -> Path | None:
        return self.path

    def path_to_save(self, suggestion: Path) -> Path | None:
        self.asked.append(f"as {suggestion.name}")
        return self.path


@pytest.fixture(autouse=True)
def fake_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    answers = Answers()
    for name in ("save_changes", "overwrite_changed", "path_to_open", "path_to_save"):
        monkeypatch.setattr(Questions, name, lambda self, *given, name=name: getattr(answers, name)(*given))
    return answers


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, answers: Answers) -> Iterator[MainWindow]:
    make_application()
    window = MainWindow([FakeStudy(7, "Seven")], "An example")
    qtbot.addWidget(window, before_close_func=lambda _: setattr(answers, "save", "discard"))
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    yield window
    preferences().choose(scheme="system", text_scale=1.0)


def page(window: MainWindow) -> Any:
    assert isinstance(window.host.page, FakePage)
    return window.host.page


def press(window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = No) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, key, modifier)


def test_it_starts_on_a_solved_example(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page(window).result.text() == "14", timeout=WAIT)
    assert window.windowTitle() == "An example[*] — dpdesigner" and not window.isWindowModified()
    assert window.header.name.full_text == "Seven" and window.header.value.text() == "14"
    assert window.header.badge.property("state") == "proved" and window.header.badge.isVisible()
    assert window.status.facts.full_text == "✓ checked" and not window.status.bar.isVisible()
    assert window.rail.button("fake").isChecked()
    assert not window.header.others.isVisible()


def test_pages_not_shown_are_imported_meanwhile_and_made_when_shown(
    answers: Answers, qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = set[tuple[str, bool]]()
    here, found = threading.get_ident(), registry.Entry.page_class

    def page_class(entry: registry.Entry) -> Any:
        imported.add((entry.kind, threading.get_ident() == here))
        return found(entry)

    monkeypatch.setattr(registry.Entry, "page_class", page_class)
    made = MainWindow([FakeStudy(7, "Seven")])
    qtbot.addWidget(made)
    qtbot.waitUntil(lambda: ("other", False) in imported)
    assert ("other", True) not in imported
    made.close()


def test_a_drag_with_the_mouse_is_shown_solved_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    shown = page(window)
    QTest.mousePress(shown, Qt.MouseButton.LeftButton, No, QPoint(10, 10))
    for x in (20, 30, 41):
        QTest.mouseMove(shown, QPoint(x, 10))
        qtbot.waitUntil(lambda x=x: shown.result.text() == str(2 * x), timeout=WAIT)
        assert not window.isWindowModified()
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton, No, QPoint(41, 10))
    assert window.isWindowModified() and window.menus.undo.text() == "&Undo Drag number"
    press(window, Key.Key_Z, Control)
    assert shown.number.text() == "7"
    qtbot.waitUntil(lambda: shown.result.text() == "14", timeout=WAIT)
    press(window, Key.Key_Y, Control)
    assert shown.number.text() == "41"


def test_a_drag_marks_the_slow_answer_and_runs_it_at_the_end(window: MainWindow, qtbot: QtBot) -> None:
    shown = page(window)
    qtbot.waitUntil(lambda: "lp_check" in shown.outcomes, timeout=WAIT)
    shown.previewed.emit(FakeStudy(9, "Seven"))
    qtbot.waitUntil(lambda: shown.result.text() == "18", timeout=WAIT)
    assert "lp_check" in shown.stale and shown.outcomes["lp_check"] == 7
    shown.changed.emit(FakeStudy(9, "Seven"), "Drag")
    qtbot.waitUntil(lambda: shown.outcomes["lp_check"] == 9, timeout=WAIT)
    assert "lp_check" not in shown.stale


def test_escape_gives_a_drag_up(window: MainWindow, qtbot: QtBot) -> None:
    shown = page(window)
    shown.setFocus()
    shown.previewed.emit(FakeStudy(9, "Seven"))
    assert shown.number.text() == "9"
    press(window, Key.Key_Escape)
    assert shown.number.text() == "7" and window.document.undo_stack.count() == 0


def test_bad_input_is_a_sentence_and_changes_nothing(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page(window).result.text() == "14", timeout=WAIT)
    page(window).changed.emit(FakeStudy(-1, "Seven"), "Negative")
    toast = window.status.toast
    qtbot.waitUntil(toast.isVisible, timeout=WAIT)
    assert toast.full_text == "the number must be at least 0, got -1."
    assert page(window).result.text() == "14" and not window.banner.isVisible()
    qtbot.waitUntil(toast.isHidden, timeout=WAIT)


def test_the_rail_shows_and_selects_by_mouse_and_keys(window: MainWindow, qtbot: QtBot) -> None:
    first = page(window)
    first.selected = 3
    QTest.mouseClick(window.rail.button("other"), Qt.MouseButton.LeftButton)
    assert [design.study.kind for design in window.document.designs] == ["fake", "other"]
    assert page(window) is not first and window.header.name.full_text == "Other"
    assert window.windowTitle() == "Other — An example[*] — dpdesigner", "what is looked at, and the document"
    assert window.header.others.isVisible()
    window.rail.button("other").setFocus()
    first.selected = 0
    press(window, Key.Key_Up)
    press(window, Key.Key_Space)
    assert page(window) is first and window.document.index == 0
    assert first.selected == 3, "what was selected comes back with the design"
    assert window.windowTitle() == "An example[*] — dpdesigner"
    assert len(window.document.designs) == 1 and not window.rail.button("other").isChecked()
    assert not window.document.modified and not window.isWindowModified() and window.document.undo_stack.count() == 0


def test_a_page_that_was_visited_is_kept_once_something_is_changed_there(window: MainWindow) -> None:
    QTest.mouseClick(window.rail.button("other"), Qt.MouseButton.LeftButton)
    assert not window.isWindowModified()
    page(window).changed.emit(OtherStudy(8), "Eight")
    assert window.isWindowModified() and window.document.undo_stack.count() == 1
    QTest.mouseClick(window.rail.button("fake"), Qt.MouseButton.LeftButton)
    assert [design.study.kind for design in window.document.designs] == ["fake", "other"]


def test_two_designs_of_one_kind_share_a_page(window: MainWindow, qtbot: QtBot) -> None:
    shown = page(window)
    window.menus.duplicate.trigger()
    assert window.header.name.full_text == "Seven (2)" and page(window) is shown
    shown.changed.emit(FakeStudy(100, "Seven (2)"), "Hundred")
    qtbot.waitUntil(lambda: shown.result.text() == "200", timeout=WAIT)
    press(window, Key.Key_PageUp, Control)
    assert shown.number.text() == "7"
    qtbot.waitUntil(lambda: shown.result.text() == "14", timeout=WAIT)
    press(window, Key.Key_Z, Control)
    assert window.header.name.full_text == "Seven (2)" and shown.number.text() == "7"


def test_rename_by_double_click(window: MainWindow, qtbot: QtBot) -> None:
    QTest.mouseDClick(window.header.name, Qt.MouseButton.LeftButton)
    QTest.keyClicks(window.header.editor, "Flu season")
    QTest.keyClick(window.header.editor, Key.Key_Return)
    assert window.header.name.full_text == "Flu season" and window.document.study.name == "Flu season"
    press(window, Key.Key_F2)
    QTest.keyClicks(window.header.editor, "no")
    QTest.keyClick(window.header.editor, Key.Key_Escape)
    assert window.header.name.full_text == "Flu season" and window.header.name.isVisible()


def test_escape_leaves_the_name_or_a_menu_and_only_then_stops(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(window.solving, "stop", lambda: stopped.append(True))

    def escape() -> None:
        window.runner.long = ("lp_check",)
        QTest.keyClick(window.windowHandle(), Key.Key_Escape)  # as from the keyboard: announced, then sent to what has the focus

    press(window, Key.Key_F2)
    QTest.keyClicks(window.header.editor, "no")
    escape()
    assert window.header.editor.isHidden() and window.header.name.full_text == "Seven" and not stopped
    escape()
    assert stopped == [True]
    menu = window.menuBar().actions()[0].menu()
    menu.popup(window.mapToGlobal(window.rect().center()))
    assert QApplication.activePopupWidget() is menu
    escape()
    assert QApplication.activePopupWidget() is None and stopped == [True]


def test_a_design_renamed_before_an_audience_leaves_the_title_of_the_scene(window: MainWindow) -> None:
    window.header.set_scene("A scene", "1 / 2")
    press(window, Key.Key_F2)
    QTest.keyClicks(window.header.editor, "Flu season")
    QTest.keyClick(window.header.editor, Key.Key_Return)
    assert window.document.study.name == "Flu season"
    assert window.header.scene.isVisible() and not window.header.name.isVisible()


def test_save_open_and_recent(window: MainWindow, answers: Answers, tmp_path: Path) -> None:
    answers.path = tmp_path / "mine.dpd"
    page(window).changed.emit(FakeStudy(8, "Seven"), "Eight")
    press(window, Key.Key_S, Control)
    assert answers.asked == ["as An example.dpd"]
    assert read_project(answers.path).studies == (FakeStudy(8, "Seven"),)
    assert window.windowTitle() == "mine[*] — dpdesigner" and not window.isWindowModified()
    press(window, Key.Key_N, Control)
    assert window.document.path is None and page(window).number.text() == "1"
    press(window, Key.Key_O, Control)
    assert window.document.path == answers.path and page(window).number.text() == "8"
    assert recent_files() == [answers.path]
    window.menus.recent.aboutToShow.emit()
    assert window.menus.recent.actions()[0].text() == "mine.dpd"


@pytest.mark.parametrize(("answer", "left", "saved"), [("save", True, True), ("discard", True, False), ("cancel", False, False)])
def test_leaving_unsaved_work_asks(
    window: MainWindow, answers: Answers, tmp_path: Path, answer: str, left: bool, saved: bool
) -> None:
    answers.save, answers.path = answer, tmp_path / "kept.dpd"
    page(window).changed.emit(FakeStudy(8, "Seven"), "Eight")
    assert window.close() is left
    assert answers.asked[0] == "save An example" and answers.path.exists() is saved
    if not left:
        assert window.isVisible() and page(window).number.text() == "8"


@pytest.mark.parametrize("answer", ["overwrite", "cancel", "save as"])
def test_a_file_changed_by_another_program_is_not_overwritten_unasked(
    window: MainWindow, answers: Answers, tmp_path: Path, answer: str
) -> None:
    path, other = tmp_path / "mine.dpd", tmp_path / "other.dpd"
    write_project(path, Project((FakeStudy(1),)))
    assert window.filing.open_path(path)
    page(window).changed.emit(FakeStudy(2), "Two")
    write_project(path, Project((FakeStudy(99),)))
    answers.overwrite, answers.path = answer, other
    window.menus.save.trigger()
    assert "overwrite mine.dpd" in answers.asked
    assert read_project(path).studies == (FakeStudy(2 if answer == "overwrite" else 99),)
    assert other.exists() is (answer == "save as") and window.isWindowModified() is (answer == "cancel")


def test_a_file_that_cannot_be_read_or_written_gets_a_sentence(window: MainWindow, answers: Answers, tmp_path: Path) -> None:
    broken = tmp_path / "broken.dpd"
    broken.write_text("{")
    assert not window.filing.open_path(broken)
    assert "broken.dpd" in window.banner.text.text() and page(window).number.text() == "7"
    assert not window.filing.open_path(tmp_path / "missing.dpd")
    answers.path = tmp_path / "no folder" / "a.dpd"
    window.menus.save.trigger()
    assert "does not exist" in window.banner.text.text()


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    assert mouse.drop(window, QPointF(50, 50), data)


@pytest.mark.parametrize("name", ["dropped.dpd", "dropped.DPD"])
def test_dropping_a_project_opens_it(window: MainWindow, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_project(path, Project((OtherStudy(5),)))
    drop(window, path)
    assert window.document.path == path and window.document.study == OtherStudy(5)


@pytest.mark.parametrize(
    ("names", "words"),
    [(["a.png"], "not a.png."), (["a.dpd", "b.dpd"], "not 2 files."), (["a.csv", "b.csv"], "one file of data")],
)
def test_what_cannot_be_dropped_is_told(window: MainWindow, tmp_path: Path, names: list[str], words: str) -> None:
    before = window.document.content
    drop(window, *(tmp_path / name for name in names))
    assert window.banner.isVisible() and words in window.banner.text.text() and "*.dpd" in window.banner.text.text()
    assert window.document.content is before


def test_the_palette_works_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    page(window).setFocus()
    press(window, Key.Key_P, Control | Qt.KeyboardModifier.ShiftModifier)
    palette = window.findChild(CommandPalette)
    assert palette is not None
    QTest.keyClicks(palette.entry, "dblnum")
    assert palette.results.topLevelItemCount() == 1
    QTest.keyClick(palette.entry, Key.Key_Return)
    assert page(window).number.text() == "14"
    press(window, Key.Key_P, Control | Qt.KeyboardModifier.ShiftModifier)
    again = next(found for found in window.findChildren(CommandPalette) if found.isVisible())
    QTest.keyClick(again.entry, Key.Key_Down)
    assert again.results.currentIndex().row() == 1
    QTest.keyClick(again.entry, Key.Key_Escape)
    assert not again.isVisible() and QApplication.focusWidget() is page(window)


def test_the_palette_shows_what_cannot_be_used_now_and_does_nothing_else_in_its_place(window: MainWindow) -> None:
    shown = window.document.current
    window.document.add(FakeStudy(3, "Go under one"))
    window.document.undo_stack.clear()
    press(window, Key.Key_P, Control | Qt.KeyboardModifier.ShiftModifier)
    palette = window.findChild(CommandPalette)
    assert palette is not None
    QTest.keyClicks(palette.entry, "undo")
    first = palette.results.topLevelItem(0)
    assert first is not None and first.text(0) == "Undo" and first.isDisabled()
    QTest.keyClick(palette.entry, Key.Key_Return)
    assert palette.isVisible() and window.document.current is not shown
    assert "Count" not in [palette.results.topLevelItem(row).text(0) for row in range(palette.results.topLevelItemCount())]
    QTest.keyClicks(palette.entry, "qq")
    first = palette.results.topLevelItem(0)
    assert first is not None and first.text(0) == "Nothing found" and first.isDisabled()
    QTest.keyClick(palette.entry, Key.Key_Down)
    QTest.keyClick(palette.entry, Key.Key_Return)
    assert palette.isVisible()


def test_history_goes_back_by_a_click(window: MainWindow) -> None:
    for number in (8, 9, 10):
        page(window).changed.emit(FakeStudy(number, "Seven"), f"Set {number}")
    press(window, Key.Key_H, Control)
    assert window.history.isVisible()
    view = window.history.view
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, No, view.visualRect(view.model().index(1, 0)).center())
    assert page(window).number.text() == "8"


def test_presenting_hides_the_controls_and_brings_them_back(window: MainWindow) -> None:
    normal = theme().scale
    press(window, Key.Key_F5)
    assert not window.rail.isVisible() and not window.menuBar().isVisible() and not window.header.export.isVisible()
    assert page(window).presenting and theme().scale > normal and window.isFullScreen()
    page(window).setFocus()
    press(window, Key.Key_Z, Control)
    press(window, Key.Key_PageDown, Control)
    press(window, Key.Key_Escape)
    page(window).clearFocus()
    window.setFocus()
    press(window, Key.Key_Escape)
    assert window.rail.isVisible() and window.menuBar().isVisible() and window.header.export.isVisible()
    assert not page(window).presenting and theme().scale == normal and not window.isFullScreen()


def test_text_size_and_colours_change_live_and_last(window: MainWindow) -> None:
    press(window, Key.Key_Plus, Control)
    assert theme().scale == 1.1 and preferences().choices.text_scale == 1.1
    window.menus.schemes.actions()[2].trigger()
    assert theme().colours is DARK and preferences().choices.scheme == "dark"
    press(window, Key.Key_0, Control)
    assert theme().scale == 1.0


def test_undo_in_a_field_undoes_typing_first(window: MainWindow, qapp: QApplication, qtbot: QtBot) -> None:
    watcher = FieldUndo(qapp, window)
    field = QLineEdit(page(window))
    field.show()
    page(window).changed.emit(FakeStudy(8, "Seven"), "Eight")
    field.setFocus()
    QTest.keyClicks(field, "12")
    QTest.keyClick(field, Key.Key_Z, Control)
    assert field.text() == "" and page(window).number.text() == "8"
    QTest.keyClick(field, Key.Key_Z, Control)
    assert page(window).number.text() == "7"
    watcher.deleteLater()


def test_progress_and_cancel(window: MainWindow, qtbot: QtBot) -> None:
    from dpdesigner.studies.study import Job

    stopped = []

    def endless(progress: Any) -> None:
        try:
            while True:
                progress(0.25, "1 204 iterations")
        finally:
            stopped.append(True)

    page(window).requested.emit(Job("endless", endless, slow=True, live=False, title="linear program"))
    qtbot.waitUntil(window.header.result.stop.isVisible, timeout=WAIT)
    assert window.header.result.stop.text() == "Stop computing"
    qtbot.waitUntil(lambda: window.status.note.text() == "linear program: 1 204 iterations", timeout=WAIT)
    assert window.status.bar.value() == 250 and "endless" in page(window).stale
    QTest.mouseClick(window.header.result.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(stopped), timeout=WAIT)
    assert not window.status.bar.isVisible() and window.status.note.text() == "check: done"
    assert not window.header.result.stop.isVisible() and not window.header.result.busy


def test_the_layout_is_remembered_and_reset(window: MainWindow, qtbot: QtBot) -> None:
    window.showNormal()
    window.resize(700, 600)
    window.menus.history.trigger()
    window.menus.toolbar.trigger()
    window.close()
    other = MainWindow([FakeStudy(7)])
    qtbot.addWidget(other)
    other.show()
    assert (other.width(), other.height()) == (700, 600) and not other.history.isHidden() and other.toolbar.isHidden()
    other.menus.reset_layout.trigger()
    assert other.width() != 700 and other.history.isHidden() and other.toolbar.isVisible()


def test_a_strip_of_scenes_takes_no_room_from_the_next_start_without_any(window: MainWindow, qtbot: QtBot) -> None:
    window.menus.scenes.trigger()
    assert window.scenes_panel.isVisible()
    window.close()
    other = MainWindow([FakeStudy(7)])
    qtbot.addWidget(other)
    other.show()
    assert other.scenes_panel.isHidden() and not other.menus.scenes.isChecked()


def test_garbage_is_looked_for_again_once_the_window_stands() -> None:
    gc.unfreeze()
    gc.disable()
    try:
        collect_garbage()
        assert gc.isenabled() and gc.get_freeze_count() > 0
    finally:
        gc.enable()
        gc.unfreeze()
