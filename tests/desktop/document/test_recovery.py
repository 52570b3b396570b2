from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from desktop.fakes import ENTRIES, FakeStudy, OtherStudy
from PySide6.QtCore import QSysInfo, Qt, QTimer
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document import recovery as recovery_module
from dpdesigner.desktop.document.document import Document
from dpdesigner.desktop.document.filing import Filing, Questions
from dpdesigner.desktop.document.recovery import Recovery, Shadow, Unsaved, abandoned_shadows, own_shadow, shadow_folder
from dpdesigner.desktop.window import dialogs
from dpdesigner.desktop.window.application import greet
from dpdesigner.desktop.window.dialogs import RecoveryDialog
from dpdesigner.desktop.window.help_window import HelpCommands
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.files.project import Project, Scene
from dpdesigner.studies import registry

WAIT = 10_000


@pytest.fixture(autouse=True)
def fake_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)


class Session:
    """A document with its recovery, as a window has them."""

    def __init__(self) -> None:
        self.document = Document([FakeStudy(1, "one")])
        self.filing = Filing(self.document, None, self.document)  # type: ignore[arg-type]
        self.recovery = Recovery(self.document, self.filing, self.document)


@pytest.fixture
def session(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setattr(recovery_module, "DELAY", 1)
    session = Session()
    yield session
    session.recovery.close()
    session.document.deleteLater()


def shadows() -> list[Path]:
    return sorted(shadow_folder().glob("*.json"))


def unsaved(number: int = 5, path: Path | None = None) -> Unsaved:
    return Unsaved(Project((FakeStudy(1), OtherStudy(number))), 1, "Work", path, b"\1\2", datetime(2025, 3, 4, 5, 6))


def leave(number: int = 5, path: Path | None = None) -> None:
    """Leave a shadow behind as a dead process does."""
    shadow = own_shadow()
    shadow.write(unsaved(number, path))
    shadow.release()


def test_a_shadow_keeps_everything(tmp_path: Path) -> None:
    leave(5, tmp_path / "a.dpd")
    [(shadow, found)] = abandoned_shadows()
    assert found == unsaved(5, tmp_path / "a.dpd")
    shadow.remove()
    assert abandoned_shadows() == [] and list(shadow_folder().iterdir()) == []


def test_only_unsaved_work_has_a_shadow(session: Session, qtbot: QtBot, tmp_path: Path) -> None:
    assert shadows() == []
    session.document.change(FakeStudy(2), "Two")
    qtbot.waitUntil(lambda: len(shadows()) == 1, timeout=WAIT)
    session.document.undo()
    qtbot.waitUntil(lambda: shadows() == [], timeout=WAIT)
    session.document.preview(FakeStudy(3))
    qtbot.waitUntil(lambda: len(shadows()) == 1, timeout=WAIT)
    assert Shadow(shadows()[0]).read().project.studies == (FakeStudy(3),), "a drag under way counts"
    session.document.change(FakeStudy(4), "Drag")
    session.document.mark_saved(tmp_path / "a.dpd")
    qtbot.waitUntil(lambda: shadows() == [], timeout=WAIT)


def test_a_clean_exit_leaves_nothing(session: Session) -> None:
    session.document.change(FakeStudy(2), "Two")
    assert session.recovery.flush() and len(shadows()) == 1
    session.recovery.close()
    assert list(shadow_folder().iterdir()) == []
    session.document.change(FakeStudy(3), "Three")
    assert session.recovery.flush() and list(shadow_folder().iterdir()) == [], "it is over"


def test_a_living_process_keeps_its_shadow(session: Session) -> None:
    session.document.change(FakeStudy(2), "Two")
    session.recovery.flush()
    assert abandoned_shadows() == []


def test_two_starts_do_not_get_the_same_shadow() -> None:
    leave()
    first = abandoned_shadows()
    assert len(first) == 1 and abandoned_shadows() == []
    first[0][0].release()
    assert len(abandoned_shadows()) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 99}', '{"version": 1}', '{"version": 1, "index": 0, "project": 3}'])
def test_what_is_no_shadow_is_left_alone(text: str) -> None:
    folder = shadow_folder()
    folder.mkdir(parents=True)
    (folder / "1-a.json").write_text(text)
    assert abandoned_shadows() == [] and (folder / "1-a.json").exists()


def test_leftovers_of_a_killed_write_are_tidied() -> None:
    leave()
    name = shadows()[0].name
    (shadow_folder() / f".{name}.abcdef.part").write_text("half")
    (shadow_folder() / "77-dead.lock").write_text(f"{2**22 - 1}\npython\n{QSysInfo.machineHostName()}\n")
    found = abandoned_shadows()
    assert len(found) == 1
    found[0][0].remove()
    assert list(shadow_folder().iterdir()) == []


def test_a_picture_is_kept_beside_the_shadow_and_goes_with_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(recovery_module, "DELAY", 1)
    monkeypatch.setattr(recovery_module, "IDLE", 60)
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    window = MainWindow([FakeStudy(1)])
    qtbot.addWidget(window)
    window.show()
    window.document.change(FakeStudy(2), "Two")
    window.document.start_play()
    qtbot.wait(200)
    assert list(shadow_folder().glob("*.png")) == [], "of what is kept, not of what is played"
    window.document.end_play()
    qtbot.waitUntil(lambda: len(list(shadow_folder().glob("*.png"))) == 1, timeout=WAIT)
    image = QImage.fromData(Shadow(shadows()[0]).read_picture())
    assert image.width() == recovery_module.WIDTH and image.height() > 100
    window.document.mark_saved(tmp_path / "a.dpd")
    qtbot.waitUntil(lambda: shadows() == [], timeout=WAIT)
    assert list(shadow_folder().glob("*.png")) == []
    window.close()


@pytest.mark.parametrize("picture", [b"", b"\x89PNG\r\n\x1a\n half of a picture"])
def test_a_sketch_stands_for_a_half_written_picture(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, picture: bytes) -> None:
    leave()
    Shadow(shadows()[0]).picture.write_bytes(picture)
    (shadow_folder() / f".{shadows()[0].stem}.png.abcdef.part").write_bytes(b"half")
    [(shadow, found)] = abandoned_shadows()
    sketched: list[object] = []
    monkeypatch.setattr(dialogs, "sketch_of", lambda study, size: sketched.append(study) or QPixmap(size))
    dialog = RecoveryDialog([(found, shadow.read_picture())])
    qtbot.addWidget(dialog)
    assert dialog.list.count() == 1 and not dialog.list.item(0).icon().isNull()
    assert sketched == [found.project.studies[found.index]]
    dialog.open()
    dialog.list.setFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert dialog.choice == "recover" and not dialog.isVisible()
    shadow.remove()
    assert list(shadow_folder().iterdir()) == []


def test_a_picture_without_a_shadow_is_tidied() -> None:
    leave()
    shadows()[0].with_suffix(".png").write_bytes(b"x")
    shadows()[0].unlink()
    assert abandoned_shadows() == [] and list(shadow_folder().iterdir()) == []


def test_scenes_are_recovered_and_what_is_played_is_not_kept(session: Session) -> None:
    session.document.change(FakeStudy(2), "Two")
    session.document.set_scenes([Scene(session.document.current.key, {"selected": 3}, "One", "Text")], "Add scene")
    session.document.start_play()
    session.document.change(FakeStudy(9), "Play")
    assert session.recovery.flush()
    kept = Shadow(shadows()[0]).read().project
    assert kept == Project((FakeStudy(2),), (Scene(0, {"selected": 3}, "One", "Text"),))


def test_a_folder_that_cannot_be_used_is_said_once(session: Session, qtbot: QtBot) -> None:
    shadow_folder().parent.mkdir(parents=True)
    shadow_folder().write_text("a file is in the way")
    said: list[str] = []
    session.recovery.refused.connect(said.append)
    for number in (2, 3):
        session.document.change(FakeStudy(number), "Edit")
        assert not session.recovery.flush()
    qtbot.waitUntil(lambda: bool(said), timeout=WAIT)
    assert len(said) == 1 and "must be a folder" in said[0]


@pytest.fixture
def next_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MainWindow:
    """The window of the next start after an unclean exit."""
    monkeypatch.setattr(Questions, "save_changes", lambda self, title: "discard")
    leave(5, tmp_path / "a.dpd")
    window = MainWindow([FakeStudy(1)])
    qtbot.addWidget(window)
    window.show()
    return window


def _answer(button: str) -> None:
    """Press a button of the recovery dialog once it is open."""
    dialog = next(found for found in QApplication.topLevelWidgets() if isinstance(found, RecoveryDialog) and found.isVisible())
    assert "Work" in dialog.list.item(0).text() and "2025" in dialog.list.item(0).text().replace("/25", "2025")
    QTest.mouseClick(getattr(dialog, button), Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(("button", "left"), [("recover", 0), ("discard", 0), ("later", 1)])
def test_the_window_offers_recovery(next_window: MainWindow, tmp_path: Path, button: str, left: int) -> None:
    window = next_window
    QTimer.singleShot(50, lambda: _answer(button))
    window.offer_recovery()
    if button == "recover":
        assert window.document.study == OtherStudy(5) and window.document.path == tmp_path / "a.dpd"
        assert window.isWindowModified() and window.filing.seen == b"\1\2"
        assert len(shadows()) == 1, "the new process keeps it safe now"
    else:
        assert window.document.study == FakeStudy(1)
    window.close()
    assert len(abandoned_shadows()) == left


def test_what_is_left_after_discarding_one_is_offered_again(next_window: MainWindow, tmp_path: Path) -> None:
    leave(6, tmp_path / "b.dpd")
    many: list[int] = []

    def answer(button: str) -> None:
        many.extend(found.list.count() for found in QApplication.topLevelWidgets() if isinstance(found, RecoveryDialog))
        if button == "discard":
            QTimer.singleShot(200, lambda: answer("later"))
        _answer(button)

    QTimer.singleShot(50, lambda: answer("discard"))
    next_window.offer_recovery()
    assert many[0] == 2 and many[-1] == 1 and len(abandoned_shadows()) == 1
    next_window.close()


@pytest.mark.parametrize(("button", "gallery"), [("recover", False), ("discard", True), ("later", True)])
def test_recovery_is_answered_before_the_gallery_opens(
    next_window: MainWindow, monkeypatch: pytest.MonkeyPatch, button: str, gallery: bool
) -> None:
    opened: list[str] = []

    def look() -> None:
        opened.append("recovery")
        _answer(button)

    monkeypatch.setattr(HelpCommands, "open_gallery", lambda self: opened.append("gallery"))
    QTimer.singleShot(50, look)
    greet(next_window, True)
    assert opened == ["recovery", *["gallery"] * gallery]
    next_window.close()


def test_nothing_is_offered_after_a_clean_exit(qtbot: QtBot) -> None:
    window = MainWindow([FakeStudy(1)])
    qtbot.addWidget(window)
    window.offer_recovery()
    assert window.document.study == FakeStudy(1)
