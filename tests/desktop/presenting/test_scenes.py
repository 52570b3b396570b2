from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desktop.fakes import ENTRIES, FakePage, FakeStudy, OtherStudy
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.base.preferences import preferences
from dpdesigner.desktop.base.theme import theme
from dpdesigner.desktop.document.filing import Questions
from dpdesigner.desktop.presenting.presenting import OTHER, SAME, chosen_screen, enlargement, move_of
from dpdesigner.desktop.window.application import make_application
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import Project, Scene, read_project, write_project
from dpdesigner.studies import registry

WAIT = 10_000
Key, No = Qt.Key, Qt.KeyboardModifier.NoModifier
Control, Shift, Alt = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton

PROJECT = Project(
    (FakeStudy(7, "Seven"), OtherStudy(5, "Five")),
    (
        Scene(0, {"selected": 3}, "First", "It is seven."),
        Scene(1, {"selected": 1}, "Second", "It is five."),
        Scene(0, {"selected": 2}, "Third", "It is seven again."),
    ),
)


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    make_application()
    window = MainWindow([FakeStudy(1)])
    window.document.load(PROJECT, title="Talk")
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.resize(1000, 640)
    window.activateWindow()
    yield window
    window.presenting.stop()


def page(window: MainWindow) -> FakePage:
    assert isinstance(window.host.page, FakePage)
    return window.host.page


def press(window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = No) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, key, modifier)


def titles(window: MainWindow) -> list[str]:
    return [scene.title for scene in window.document.scenes]


def choose(window: MainWindow, place: int) -> None:
    """Click a scene in the strip."""
    window.menus.scenes.setChecked(True)
    shown = window.scenes_panel.list
    QTest.mouseClick(shown.viewport(), LEFT, No, shown.visualItemRect(shown.item(place)).center())


def test_a_click_shows_a_scene_and_is_no_step(window: MainWindow) -> None:
    choose(window, 1)
    assert window.document.index == 1 and page(window).selected == 1
    choose(window, 2)
    assert window.document.index == 0 and page(window).selected == 2
    page(window).selected = 9
    choose(window, 2)
    assert page(window).selected == 2, "the scene that is shown comes back by a click"
    assert window.scenes_panel.title.text() == "Third" and not window.isWindowModified()


def test_a_document_with_scenes_shows_them(window: MainWindow) -> None:
    assert window.scenes_panel.isVisible() and window.menus.scenes.isChecked()
    window.document.load(Project((FakeStudy(1),)))
    assert window.scenes_panel.isHidden() and not window.menus.scenes.isChecked()
    window.document.load(PROJECT)
    assert window.scenes_panel.isVisible()


def test_the_keyboard_reaches_the_scenes_without_showing_one(window: MainWindow) -> None:
    window.document.select(1)
    window.scenes_panel.list.setFocus(Qt.FocusReason.TabFocusReason)
    assert window.scenes_panel.list.hasFocus()
    assert window.document.index == 1 and window.scenes.index == window.scenes_panel.list.currentRow() == -1
    press(window, Key.Key_Right)
    assert window.document.index == 0 and window.scenes.index == 0


def test_the_strip_begins_with_the_first_scene_while_none_is_chosen(window: MainWindow) -> None:
    window.resize(600, 640)
    window.presenting.start()
    press(window, Key.Key_End)
    window.presenting.stop()
    assert window.scenes.index == -1
    shown = window.scenes_panel.list
    assert shown.horizontalScrollBar().maximum() > 0 and shown.visualItemRect(shown.item(0)).left() >= 0


def test_a_scene_stays_the_chosen_one_where_undo_moves_it(window: MainWindow) -> None:
    choose(window, 2)
    window.scenes.move(-1)
    window.document.undo()
    assert window.scenes.index == 2 and window.scenes_panel.title.text() == "Third"


def test_scenes_are_added_updated_and_removed_undoably(window: MainWindow) -> None:
    choose(window, 0)
    page(window).selected = 4
    page(window).setFocus()
    press(window, Key.Key_N, Control | Shift)
    assert titles(window) == ["First", "Seven", "Second", "Third"] and window.scenes.index == 1
    assert window.document.scenes[1].view == {"selected": 4}
    assert QApplication.focusWidget() is window.scenes_panel.title, "its title is typed next"
    page(window).selected = 6
    window.menus.update_scene.trigger()
    assert window.document.scenes[1].view == {"selected": 6} and window.document.scenes[1].title == "Seven"
    window.scenes_panel.list.setFocus()
    press(window, Key.Key_Delete)
    assert titles(window) == ["First", "Second", "Third"]
    for _ in range(3):
        window.document.undo()
    assert window.document.content.project == PROJECT and not window.isWindowModified()


def test_a_second_scene_of_a_design_says_that_both_follow_it(window: MainWindow) -> None:
    window.document.load(Project((FakeStudy(7, "Seven"), OtherStudy(5, "Five"))), title="Talk")
    said = lambda: window.banner.text.text() + window.status.toast.full_text  # noqa: E731
    window.menus.add_scene.trigger()
    window.document.select(1)
    window.menus.add_scene.trigger()
    assert "duplicate the design" not in said()
    window.menus.add_scene.trigger()
    assert "All scenes of a design show it as it is now. To keep another value, duplicate the design." in said()


def test_a_caption_is_typed_in_place_as_one_step(window: MainWindow) -> None:
    choose(window, 1)
    panel = window.scenes_panel
    panel.text.setFocus()
    panel.text.selectAll()
    QTest.keyClicks(panel.text, "Half of ten.")
    assert window.document.scenes[1].text == "Half of ten." and window.document.undo_stack.count() == 1
    panel.title.setFocus()
    QTest.keyClick(panel.title, Key.Key_End)
    QTest.keyClicks(panel.title, "!!")
    assert window.document.scenes[1].title == "Second!!" and window.document.undo_stack.count() == 2
    assert panel.list.item(1).text() == "2  Second!!"
    window.document.undo()
    assert panel.title.text() == "Second"
    window.document.undo()
    assert panel.text.toPlainText() == "It is five." and not window.isWindowModified()


def test_scenes_are_reordered_by_keys_and_by_dragging(window: MainWindow, qtbot: QtBot) -> None:
    choose(window, 2)
    window.scenes_panel.list.setFocus()
    press(window, Key.Key_Left, Alt)
    press(window, Key.Key_Up, Alt)
    press(window, Key.Key_Up, Alt)
    assert titles(window) == ["Third", "First", "Second"] and window.scenes.index == 0
    press(window, Key.Key_Right, Alt)
    assert titles(window) == ["First", "Third", "Second"] and window.scenes_panel.list.currentRow() == 1
    # What the list itself does at the end of a drag.
    model = window.scenes_panel.list.model()
    parent = window.scenes_panel.list.rootIndex()
    assert model.moveRow(parent, 2, parent, 0)
    qtbot.waitUntil(lambda: titles(window) == ["Second", "First", "Third"], timeout=WAIT)
    window.document.undo()
    assert [window.scenes_panel.list.item(at).text() for at in range(3)] == ["1  First", "2  Third", "3  Second"]


def test_scenes_go_and_come_with_their_design(window: MainWindow) -> None:
    window.document.select(0)
    window.document.remove()
    assert titles(window) == ["Second"] and window.document.content.project.scenes[0].design == 0
    window.document.undo()
    assert window.document.content.project == PROJECT


def test_scenes_are_saved_and_another_document_starts_without_a_chosen_one(window: MainWindow, tmp_path: Path) -> None:
    choose(window, 1)
    path = tmp_path / "talk.dpd"
    assert window.filing._write(path, "{path}")
    assert read_project(path) == PROJECT
    write_project(path, Project((FakeStudy(1),), (Scene(0),)))
    assert window.filing.open_path(path) and window.scenes.index == -1
    assert not window.menus.update_scene.isEnabled()


def test_presenting_steps_by_keys_and_comes_back_exactly(window: MainWindow) -> None:
    normal, size = theme().scale, window.geometry()
    window.document.select(1)
    page(window).selected = 8
    press(window, Key.Key_F5)
    assert window.isFullScreen() and theme().scale > normal and not window.menuBar().isVisible()
    assert window.header.scene.full_text == "First" and window.header.number.text() == "1 / 3"
    assert window.caption.isVisible() and window.caption.text.text() == "It is seven." and page(window).selected == 3
    seen = []
    for key in (Key.Key_Right, Key.Key_Space, Key.Key_PageDown, Key.Key_Left, Key.Key_Home, Key.Key_End, Key.Key_PageUp):
        press(window, key)
        seen.append(window.header.scene.full_text)
    assert seen == ["Second", "Third", "Third", "Second", "First", "Third", "Second"]
    page(window).setFocus()
    press(window, Key.Key_Right)
    assert window.header.scene.full_text == "Third", "also where the page has the focus"
    assert not window.banner.isVisible()
    press(window, Key.Key_Right)
    assert window.header.scene.full_text == "Third" and "last scene" in window.banner.text.text() and window.banner.isVisible()
    press(window, Key.Key_Left)
    assert not window.banner.isVisible()
    press(window, Key.Key_End)
    press(window, Key.Key_Right)
    press(window, Key.Key_Escape)
    assert not window.banner.isVisible()
    assert not window.isFullScreen() and theme().scale == normal and window.menuBar().isVisible()
    assert window.geometry() == size and not window.caption.isVisible() and not window.header.scene.isVisible()
    assert window.document.index == 1 and page(window).selected == 8 and window.header.name.full_text == "Five"
    assert window.document.undo_stack.count() == 0 and not window.isWindowModified() and not window.document.playing


def test_a_comparison_makes_room_while_presenting(window: MainWindow) -> None:
    window.menus.compare.setChecked(True)
    press(window, Key.Key_F5)
    assert window.host.isVisible() and not window.stage.view.isVisible()
    press(window, Key.Key_Escape)
    assert window.stage.view.isVisible()
    window.menus.compare.setChecked(False)


def test_a_reference_is_no_control_for_an_audience(window: MainWindow, qtbot: QtBot) -> None:
    window.document.pin(window.document.current.key)
    chip = window.header.result.chip
    qtbot.waitUntil(chip.isVisible, timeout=WAIT)
    press(window, Key.Key_F5)
    press(window, Key.Key_Right)
    assert chip.isHidden()
    press(window, Key.Key_Escape)
    assert chip.isVisible()


def test_presenting_from_the_chosen_scene(window: MainWindow) -> None:
    choose(window, 2)
    press(window, Key.Key_F5, Shift)
    assert window.header.number.text() == "3 / 3"
    press(window, Key.Key_Escape)
    assert window.scenes.index == 2


def test_what_is_tried_while_presenting_is_put_back_and_can_be_kept(window: MainWindow, qtbot: QtBot) -> None:
    press(window, Key.Key_F5)
    page(window).setFocus()
    press(window, Key.Key_Plus)
    assert page(window).number.text() == "8"
    press(window, Key.Key_End)
    assert page(window).number.text() == "7", "each step puts everything back"
    page(window).setFocus()
    press(window, Key.Key_Plus)
    press(window, Key.Key_Escape)
    assert page(window).number.text() == "7" and not window.isWindowModified()
    QTest.mouseClick(window.banner.button, LEFT)
    assert window.document.study == FakeStudy(8, "Seven") and window.document.undo_stack.count() == 1


def test_while_others_play_the_document_does_not_change(window: MainWindow, tmp_path: Path) -> None:
    window.menus.play.trigger()
    assert window.header.mark.isVisible() and window.menus.play.isChecked()
    page(window).setFocus()
    press(window, Key.Key_Plus)
    window.document.duplicate()
    window.document.rename("Mine")
    window.document.set_scenes((), "Remove all")
    assert len(window.document.designs) == 3 and window.document.content.project == PROJECT
    assert not window.isWindowModified() and window.document.undo_stack.count() == 0 and not window.document.unsaved
    assert window.filing._write(tmp_path / "safe.dpd", "{path}") and read_project(tmp_path / "safe.dpd") == PROJECT
    assert (
        not window.filing.open_path(tmp_path / "safe.dpd")
        and "playing" in window.banner.text.text() + window.status.toast.full_text
    )
    press(window, Key.Key_Z, Control)
    assert len(window.document.designs) == 2 and page(window).number.text() == "7" and window.document.playing
    press(window, Key.Key_Plus)
    choose(window, 1)
    choose(window, 0)
    assert page(window).number.text() == "7", "each scene puts everything back"
    window.menus.play.trigger()
    assert not window.header.mark.isVisible() and window.document.content.project == PROJECT


def test_presenting_while_others_play_ends_with_them_still_playing(window: MainWindow) -> None:
    window.menus.play.trigger()
    press(window, Key.Key_F5)
    page(window).setFocus()
    press(window, Key.Key_Plus)
    press(window, Key.Key_Escape)
    assert window.document.playing and window.header.mark.isVisible() and page(window).number.text() == "7"


def test_a_design_is_painted_once_its_answers_are_there(window: MainWindow, qtbot: QtBot) -> None:
    window.document.select(1)
    assert not window.host.updatesEnabled()
    qtbot.waitUntil(window.host.updatesEnabled, timeout=WAIT)
    assert page(window).result.text() == "10"


def test_keys_belong_to_what_has_the_focus(qtbot: QtBot) -> None:
    field, button = QLineEdit(), QPushButton()
    qtbot.addWidget(field)
    qtbot.addWidget(button)
    assert move_of(Key.Key_Right, field) is None and move_of(Key.Key_PageDown, field) == "next"
    assert move_of(Key.Key_Space, button) is None and move_of(Key.Key_Space, None) == "next"
    assert move_of(Key.Key_Up, None) == "previous" and move_of(Key.Key_A, None) is None
    assert move_of(Key.Key_Escape, field) is None and move_of(Key.Key_Escape, button) == "end"


class FakeScreen:
    def __init__(self, name: str, width: int = 1280, height: int = 720) -> None:
        self._name, self._size = name, (width, height)

    def name(self) -> str:
        return self._name

    def size(self) -> Any:
        from PySide6.QtCore import QSize

        return QSize(*self._size)


def test_the_screen_to_present_on() -> None:
    laptop, beamer, wall = (FakeScreen(name) for name in ("laptop", "beamer", "wall"))
    screens: Any = [laptop, beamer, wall]
    here: Any = laptop
    assert chosen_screen(OTHER, here, screens) is beamer
    assert chosen_screen(SAME, here, screens) is laptop
    assert chosen_screen("wall", here, screens) is wall
    assert chosen_screen("gone", here, screens) is beamer
    assert chosen_screen(OTHER, here, [here]) is laptop
    small, large = FakeScreen("a"), FakeScreen("b", 3840, 2160)
    assert enlargement(small) == 1.1 and enlargement(large) == 3.0  # type: ignore[arg-type]


def test_the_menu_offers_the_screens(window: MainWindow) -> None:
    window.menus.screens.aboutToShow.emit()
    texts = [action.text() for action in window.menus.screens.actions()]
    assert len(texts) == 2 + (len(QGuiApplication.screens()) if len(QGuiApplication.screens()) > 1 else 0)
    window.menus.screens.actions()[1].trigger()
    assert preferences().choices.screen == SAME
    preferences().choose(screen=OTHER)
