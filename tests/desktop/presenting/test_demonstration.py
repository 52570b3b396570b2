"""The demonstration over somebody's work: keys lead through it, nothing below hears of them, and all is as it was afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from desktop.count_window import WAIT, await_answers, await_cards, opened
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.presenting.demonstration import Notes
from dpdesigner.desktop.presenting.story_stage import Stage
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign

Key, NO, CONTROL = Qt.Key, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    for question in ("save_changes", "path_to_save", "path_to_open"):
        monkeypatch.setattr(Questions, question, lambda *_: pytest.fail("it asks nothing"))
    with opened(qtbot, monkeypatch, CountDesign(6, epsilon=1, name="Mine")) as window:
        await_answers(qtbot, window)
        yield window
        window.demonstration.stop()
        window.document.undo_stack.setClean()


def begin(qtbot: QtBot, window: MainWindow) -> Stage:
    window.menus.demonstration.trigger()
    qtbot.waitUntil(lambda: window.demonstration.on, timeout=WAIT)
    stage = window.demonstration.stage
    assert stage is not None
    return stage


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = NO) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key, modifiers)


def test_it_covers_unsaved_work_and_gives_it_back_untouched(qtbot: QtBot, window: MainWindow) -> None:
    window.document.change(CountDesign(7, epsilon=1, name="Mine"), "Change n")
    await_answers(qtbot, window, "lp_check")
    qtbot.waitUntil(lambda: not window.runner._waits and window.status.bar.isHidden(), timeout=WAIT)  # curves of this design too
    await_cards(qtbot, window)
    before, content, view = window.grab().toImage(), window.document.content, dict(window.host.views())
    state, place = window.windowState(), window.geometry()
    stage = begin(qtbot, window)
    assert stage.geometry() == window.rect() and window.isWindowModified()
    steps = sum(len(scene.steps) for scene in window.demonstration._scenes)
    seen = {stage.caption}
    for _ in range(steps + 3):
        press(Key.Key_Right)
        seen.add(stage.caption)
        if stage.form.start.isVisible():
            break
    assert len(seen) == steps == 20
    for key, modifiers in (
        (Key.Key_Z, CONTROL),
        (Key.Key_N, CONTROL),
        (Key.Key_S, CONTROL),
        (Key.Key_F5, NO),
        (Key.Key_Delete, NO),
    ):
        press(key, modifiers)
    assert window.document.content is content and not window.presenting.on
    press(Key.Key_Escape)
    assert not window.demonstration.on and window.document.content is content and window.isWindowModified()
    assert (window.windowState(), window.geometry(), dict(window.host.views())) == (state, place, view)
    assert window.menuBar().isEnabled() and window.document.undo_stack.count() == 1
    qtbot.waitUntil(lambda: window.grab().toImage() == before, timeout=WAIT)


def test_keys_and_clicks_lead_through_it(qtbot: QtBot, window: MainWindow) -> None:
    stage = begin(qtbot, window)
    seen = []
    for key in (Key.Key_Right, Key.Key_Space, Key.Key_PageDown, Key.Key_Left, Key.Key_Home, Key.Key_Left):
        press(key)
        seen.append((stage.scene, stage.step))
    assert seen == [(0, 1), (1, 0), (1, 1), (1, 0), (0, 0), (0, 0)]
    press(Key.Key_Right)
    press(Key.Key_Right)
    press(Key.Key_Left)
    assert (stage.scene, stage.step) == (0, 1), "back to how the scene before was left"
    QTest.mouseClick(stage, Qt.MouseButton.LeftButton, pos=stage.rect().center())
    assert (stage.scene, stage.step) == (1, 0)
    QTest.mouseClick(stage, Qt.MouseButton.RightButton, pos=stage.rect().center())
    assert (stage.scene, stage.step) == (0, 1)
    scale = stage.sheet_rect.width() / 1280
    dot = QPoint(round(stage.sheet_rect.left() + (69 + 30 * 6) * scale), round(stage.sheet_rect.top() + 646 * scale))
    QTest.mouseClick(stage, Qt.MouseButton.LeftButton, pos=dot)
    assert (stage.scene, stage.step) == (6, 0) and "12" in stage.caption


def test_a_file_dropped_on_the_stage_is_not_opened_below(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begin(qtbot, window)
    monkeypatch.setattr(window.filing, "open_path", lambda path: pytest.fail(f"{path} was opened"))
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "other.dpd"))])
    how = (Qt.DropAction.CopyAction, files, Qt.MouseButton.LeftButton, NO)
    for event in (QDragEnterEvent(QPoint(300, 300), *how), QDropEvent(QPointF(300, 300), *how)):
        event.ignore()
        QApplication.sendEvent(window.windowHandle(), event)
        assert not event.isAccepted()


def test_every_step_shows_something_new_in_every_theme(qtbot: QtBot, window: MainWindow) -> None:
    stage = begin(qtbot, window)
    try:
        for scheme, contrast in (("light", "normal"), ("dark", "normal"), ("light", "high")):
            theme().set_scheme(scheme)  # type: ignore[arg-type]
            theme().set_contrast(contrast)  # type: ignore[arg-type]
            pictures: list[QImage] = []
            for place, scene in enumerate(window.demonstration._scenes):
                for step in range(len(scene.steps)):
                    stage.show_step(place, step)
                    pictures.append(stage.grab().toImage())
            assert all(one != other for one, other in pairwise(pictures))
            assert stage.accessibleName() == "Your turn" and "next to your own work" in stage.accessibleDescription()
    finally:
        theme().set_contrast("system")
        theme().set_scheme("system")


def test_start_makes_a_design_beside_the_users_own(qtbot: QtBot, window: MainWindow) -> None:
    stage = begin(qtbot, window)
    press(Key.Key_End)
    form = stage.form
    assert form.start.isVisible() and form.largest.hasFocus()
    press(Key.Key_Left)
    assert stage.scene == 7, "the left arrow steps back from a field that is unchanged"
    press(Key.Key_Right)
    QTest.keyClicks(form.largest, "thirty")
    press(Key.Key_Return)
    assert window.demonstration.on and form.problem.startswith("The largest count must be") and form.largest.hasFocus()
    form.largest.selectAll()
    QTest.keyClicks(form.largest, "30")
    assert form.problem == ""
    press(Key.Key_Tab)
    assert form.expected.hasFocus()
    QTest.keyClicks(form.expected, "45")
    press(Key.Key_Return)
    assert form.problem == "The expected count must be between 0 and 30, got 45." and len(window.document.designs) == 1
    QTest.keyClicks(form.expected, "10")
    press(Key.Key_Tab)
    press(Key.Key_Space)
    assert not window.demonstration.on and len(window.document.designs) == 2
    study = window.document.study
    assert isinstance(study, CountDesign) and (study.n, study.prior.specification) == (30, "binomial:1/3")
    assert window.document.designs[0].title == "Mine" and window.document.current.title == "My count"
    assert window.host.page is not None and window.host.page.view["row"] == 10, "the true count shown is the one expected"
    window.menus.undo.trigger()
    assert len(window.document.designs) == 1


@pytest.mark.parametrize(("largest", "expected", "prior"), [("20", "0", "binomial:1/40"), ("20", "20", "binomial:39/40")])
def test_who_expects_an_end_is_not_taken_for_certain(
    qtbot: QtBot, window: MainWindow, largest: str, expected: str, prior: str
) -> None:
    form = begin(qtbot, window).form
    form.largest.setText(largest)
    form.expected.setText(expected)
    assert form.design().prior.specification == prior


def test_n_opens_the_notes_on_the_last_scene_too_where_there_are_fields(qtbot: QtBot, window: MainWindow) -> None:
    stage = begin(qtbot, window)
    press(Key.Key_End)
    qtbot.waitUntil(stage.form.largest.isVisible)
    stage.form.largest.setFocus()
    before = stage.form.largest.text()
    QTest.keyClick(stage.form.largest, Key.Key_N)
    assert stage.form.largest.text() == before and stage.form.problem == ""
    assert window.demonstration.notes is not None


def test_the_narrators_notes_lead_and_tell_the_time(qtbot: QtBot, window: MainWindow) -> None:
    stage = begin(qtbot, window)
    press(Key.Key_N)
    notes = window.demonstration.notes
    assert isinstance(notes, Notes) and notes.isVisible()
    assert "Scene 1 of 9, step 1 of 2" in notes.place.text() and stage.caption in notes.caption.text()
    assert notes.note.text().startswith("Say who is in the story")
    QTest.mouseClick(notes.forward, Qt.MouseButton.LeftButton)
    assert (stage.scene, stage.step) == (0, 1) and notes.next.text() == "Then: A promise to every pupil"
    QTest.keyClick(notes, Key.Key_Right)
    assert (stage.scene, stage.step) == (1, 0) and notes.planned == 45
    assert notes.about_time(40) == "0:40 of 5:00" and notes.about_time(75) == "1:15 of 5:00 · 30 s behind"
    assert not notes.back.hasFocus() and notes.focusPolicy() == Qt.FocusPolicy.StrongFocus
    QTest.keyClick(notes, Key.Key_Escape)
    assert window.demonstration.on and window.demonstration.notes is None, "Esc closes the notes alone"
    press(Key.Key_Escape)
    assert not window.demonstration.on


def test_the_stage_goes_with_the_window(qtbot: QtBot, window: MainWindow) -> None:
    stage = begin(qtbot, window)
    window.resize(1024, 640)
    qtbot.waitUntil(lambda: stage.geometry() == window.rect())
    window.demonstration.start()
    assert window.demonstration.stage is stage, "it is given once at a time"


def test_a_stage_that_the_system_closes_gives_the_window_back(qtbot: QtBot, window: MainWindow) -> None:
    stage = begin(qtbot, window)
    assert not window.menuBar().isEnabled()
    stage.close()
    assert not window.demonstration.on and window.menuBar().isEnabled()
    begin(qtbot, window)
