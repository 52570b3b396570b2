"""What must stay secret is in nothing that the window gives away: exports, reports, the clipboard, files; see `test_secrets`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop import hands
from desktop.hands import Hands
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot
from test_secrets import COUNTS, OTHERS, design, found, written

from dpdesigner.desktop.document.recovery import Recovery
from dpdesigner.studies.count.design import CountDesign


@pytest.fixture(autouse=True)
def agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Yes to every question, such as that of “Store truth…”."""
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)


@pytest.fixture
def user(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hands]:
    written(tmp_path / "people.csv", COUNTS)
    with hands.opened(qtbot, monkeypatch, design(tmp_path / "people.dpd", path="people.csv", column="age")) as found:
        found.reads("Counted: 13 119")
        found.settles()
        yield found


def clipboard() -> bytes:
    """Everything on the clipboard, a picture as its pixels."""
    data = QGuiApplication.clipboard().mimeData()
    given = b"".join(bytes(data.data(kind).data()) for kind in data.formats() if not kind.startswith("application/x-qt-image"))
    if data.hasImage():
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QGuiApplication.clipboard().image().save(buffer, "PNG")
        given += bytes(buffer.data().data())
    return given


def exported(user: Hands, folder: Path, *formats: str) -> dict[str, bytes]:
    """What Export writes, in these formats or in every one but those whose text cannot be read."""
    user.command("File", "Export")
    dialog = user.front()
    box = user.find(QLineEdit, "Folder")
    box.setText(str(folder))
    for format_box in dialog.findChildren(QCheckBox):
        wanted = format_box.text() in formats if formats else format_box.text() not in ("PNG", "PDF")
        format_box.setChecked(format_box.isVisible() and wanted)
    user.press("Export")
    user.waits(lambda: user.says(" written.") or bool(user.errors()))
    if user.sees(QAbstractButton, "Checks"):
        user.press("Checks")
    said = user.said()
    dialog.close()
    return {"said": said.encode(), **{path.name: path.read_bytes() for path in (folder.iterdir() if folder.exists() else ())}}


def release(user: Hands) -> None:
    user.press("Release once (spends ε)")
    user.waits(lambda: bool(user.copied()))


def test_what_is_taken_away_holds_what_was_released_and_no_secret(user: Hands, tmp_path: Path) -> None:
    assert user.copied() == ""
    release(user)
    copied = user.copied().splitlines()
    assert len(copied) == 4 and found("\n".join(copied)) == []
    given = exported(user, tmp_path / "out")
    tables = [data for name, data in given.items() if name.endswith((".csv", ".json"))]
    assert tables and copied[1].split("\t")[1].encode() in tables[0]
    assert sum(name.endswith(".svg") for name in given) >= 6
    assert {name: found(data) for name, data in given.items() if found(data)} == {}
    user.command("Edit", "Copy picture")
    assert found(clipboard()) == []
    user.press("Show truth")  # not shown
    assert found(user.copied()) == []


def test_a_released_histogram_is_among_the_pictures(user: Hands, tmp_path: Path) -> None:
    release(user)
    given = exported(user, tmp_path / "out")
    (picture,) = (data for name, data in given.items() if name.endswith("-histogram.svg"))
    assert found(picture) == []


def test_a_report_holds_no_secret(user: Hands, tmp_path: Path) -> None:
    release(user)
    user.command("File", "Report")
    user.find(QLineEdit, "Folder").setText(str(tmp_path / "report"))
    for box in user.front().findChildren(QCheckBox):
        box.setChecked(box.isVisible() and "PDF" not in box.text())
    user.press("Write")
    user.waits(lambda: len(list((tmp_path / "report").glob("*.html"))) == 2)
    user.settles()
    pages = {page.name: found(page.read_text("utf-8")) for page in (tmp_path / "report").glob("*.html")}
    assert len(pages) == 2 and not any(pages.values())  # a report and an interactive page


def test_what_is_saved_holds_the_counts_only_when_they_are_kept(user: Hands) -> None:
    user.command("Present", "Add scene")
    release(user)
    saved = user.saved()
    assert found(user.path.read_bytes()) == [] and saved["scenes"]
    user.press("Store truth…")
    user.reads("contain the true counts")
    user.saved()
    assert found(user.path.read_bytes()) == list(map(str, COUNTS))
    assert found(str(user.saved()["scenes"])) == []
    user.press("Store truth…")
    user.reads("the location of the file, not its rows")
    user.saved()
    assert found(user.path.read_bytes()) == []


def test_what_the_program_remembers_holds_no_secret(user: Hands, user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture of the window is kept beside unsaved work where the design may hold data of people."""
    monkeypatch.setattr("dpdesigner.desktop.document.recovery.IDLE", 100)
    saved = []
    monkeypatch.setattr(Recovery, "_save_picture", lambda self, image: saved.append(image))
    release(user)
    user.write("Epsilon", "2e-6")  # an unsaved change, which is kept for a recovery
    user.waits(lambda: any(user_folder.rglob("recovery/*.json")))
    user.qtbot.wait(500)
    assert not saved and not list(user_folder.rglob("recovery/*.png"))
    user.window.document.add(CountDesign(n=3, alpha="1/2"))
    user.waits(lambda: bool(saved))
    user.window.document.undo()
    user.settles()
    files = [path for path in user_folder.rglob("*") if path.is_file()]
    assert {path.name: found(path.read_bytes()) for path in files if found(path.read_bytes())} == {}


@pytest.mark.parametrize("kept", [False, True], ids=["of a column", "kept with the design"])
def test_pictures_before_a_release_do_not_depend_on_the_data(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kept: bool
) -> None:
    given = []
    for place, counts in enumerate((COUNTS, OTHERS)):
        written(tmp_path / "people.csv", counts)
        path = design(tmp_path / "people.dpd", **({"counts": counts} if kept else {"path": "people.csv", "column": "age"}))
        with hands.opened(qtbot, monkeypatch, path) as user:
            user.reads("Counted: 13 119" if place == 0 else "Counted: 5 013")
            user.settles()
            folder = tmp_path / f"out{place}"
            refused = exported(user, folder)
            assert list(refused) == ["said"] and b"Release the histogram first" in refused["said"]
            files = exported(user, folder, "SVG")
            assert sum(name.endswith(".svg") for name in files) >= 5
            user.command("Edit", "Copy picture")
            given.append({"copied": clipboard(), **{name: data for name, data in files.items() if name != "said"}})
    assert given[0].keys() == given[1].keys()
    hashes = [{name: hashlib.sha256(data).hexdigest() for name, data in files.items()} for files in given]
    assert hashes[0] == hashes[1]
