"""What else may lie in the folder of the shadows, and what may be wrong with the folder."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from desktop.fakes import ENTRIES, FakeStudy
from PySide6.QtCore import QLockFile
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document.recovery import Unsaved, abandoned_shadows, own_shadow, shadow_folder
from dpdesigner.desktop.window.dialogs import RecoveryDialog
from dpdesigner.errors import InputError
from dpdesigner.files.project import Project
from dpdesigner.studies import registry


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registry, "ENTRIES", ENTRIES)
    shadow_folder().mkdir(parents=True)
    return shadow_folder()


def leave(path: Path | None = None, title: str = "Work") -> Path:
    shadow = own_shadow()
    shadow.write(Unsaved(Project((FakeStudy(5),)), 0, title, path, b"", datetime(2025, 3, 4, 5, 6)))
    shadow.release()
    return shadow.file


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("time", "0001-01-01T00:00:00+23:59"),
        ("time", "2025-01-01T00:00:00+00:00"),
        ("time", "soon"),
        ("index", float("inf")),
        ("index", -(10**30)),
        ("index", [1]),
        ("title", {"a": 1}),
        ("path", 5),
        ("path", "a\0b"),
        ("seen", "xyz"),
        ("seen", 3),
        ("project", "[" * 100_000),
        ("project", ""),
        ("version", [1]),
    ],
)
def test_any_value_in_any_place_is_offered_or_passed_over(folder: Path, qtbot: QtBot, key: str, value: Any) -> None:
    leave()
    strange = leave()
    strange.write_text(json.dumps({**json.loads(strange.read_text()), key: value}))
    found = abandoned_shadows()
    assert 1 <= len(found) <= 2 and found[0][1].project.studies == (FakeStudy(5),)
    dialog = RecoveryDialog([(unsaved, b"") for _, unsaved in found])
    qtbot.addWidget(dialog)
    assert dialog.list.count() == len(found)


def test_what_is_no_ordinary_file_is_passed_over(folder: Path) -> None:
    left = leave()
    (folder / "1-deep.json").write_text("[" * 200_000)
    (folder / "1-cut.json").write_text(left.read_text()[:-20])
    for name in ("2-folder.json", "3-folder.png", "4-folder.lock", ".5-folder.json.part"):
        (folder / name).mkdir()
    os.mkfifo(folder / "6-pipe.json")
    (folder / "7-lost.json").symlink_to("nowhere")
    (folder / "8-circle.json").symlink_to("8-circle.json")
    (folder / "9-disk.json").symlink_to("/dev/zero")
    [(shadow, _)] = abandoned_shadows()
    assert shadow.file == left
    shadow.remove()
    assert len(list(folder.glob("[1-9]-*.json"))) == 7, "they stay"


def test_discarding_a_link_keeps_what_it_leads_to(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    leave().rename(kept)
    (folder / "1-link.json").symlink_to(kept)
    [(shadow, _)] = abandoned_shadows()
    shadow.remove()
    assert kept.exists() and not (folder / "1-link.json").is_symlink()


def test_a_file_whose_name_is_no_text_is_kept_safe_too(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.dpd")
    leave(path, path.stem)
    [(_, unsaved)] = abandoned_shadows()
    assert unsaved.path == path and unsaved.title == path.stem


def test_without_a_lock_nothing_is_kept_for_others_to_take(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QLockFile, "tryLock", lambda *given: False)
    with pytest.raises(InputError, match="could not be written"):
        own_shadow()
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_looked_into_holds_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> None:
    leave()

    def refuse(self: Path, pattern: str) -> list[Path]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "glob", refuse)
    assert abandoned_shadows() == []


def test_what_may_not_be_deleted_stays_without_a_word(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave()
    (folder / "1-rest.png").write_bytes(b"x")

    def refuse(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    [(shadow, _)] = abandoned_shadows()
    shadow.remove()
    assert shadow.file.exists()
