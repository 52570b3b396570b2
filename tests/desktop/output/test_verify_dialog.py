"""A table is verified in the window: by menu and by dropping the file; what is found is what the command line finds."""

from __future__ import annotations

from pathlib import Path

import pytest
from desktop import mouse
from desktop.count_window import LEFT, WAIT, opened
from PySide6.QtCore import QMimeData, QPointF, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from dpdesigner.cli.verify import verify_command
from dpdesigner.desktop.output.verify_dialog import VerifyDialog
from dpdesigner.desktop.window.main_window import MainWindow
from dpdesigner.studies.count.design import CountDesign

GOOD = "2/3,1/3\n1/3,2/3\n"


def found(qtbot: QtBot, window: MainWindow) -> VerifyDialog:
    dialog = next(dialog for dialog in window.findChildren(VerifyDialog) if dialog.isVisible())
    qtbot.waitUntil(lambda: dialog.go.isEnabled() and bool(dialog.said.text()), timeout=WAIT)
    return dialog


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    assert mouse.drop(window, QPointF(50, 50), data)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.text() == "A mechanism to verify")
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


@pytest.mark.parametrize(
    ("epsilon", "text", "verdict"),
    [
        ("ln 2", GOOD, "✓ A mechanism, and as private as “A pair”."),
        ("0.1", GOOD, "A mechanism, but less private than “A pair”."),
        ("ln 2", "2/3,1/3\n1/3,1/3\n", "This is no mechanism: not every row is a distribution."),
        ("ln 2", "1,0\n0,1\n", "This is a mechanism, but not private: some release tells neighbours apart for certain."),
        ("ln 2", "1/2,1/2\n1/4,3/4\n1/4,3/4\n", "✓ A mechanism, private with ε = 0.69315."),
    ],
)
def test_a_dropped_table_is_verified(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, epsilon: str, text: str, verdict: str
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    with opened(qtbot, monkeypatch, CountDesign(1, epsilon=epsilon, name="A pair")) as window:
        drop(window, path)
        dialog = found(qtbot, window)
        assert dialog.verdict.text() == verdict
        told = verify_command(str(path), None if "private with" in verdict else epsilon, None, None, None)
        assert all(line.strip().lower() in dialog.said.text().lower() for line in told.lines[1:-1])
        dialog.reject()


def test_by_menu_with_labels_that_only_the_user_knows_of(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "labelled.csv"
    path.write_text("q1,q2\n2/3,1/3\n1/3,2/3\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    with opened(qtbot, monkeypatch, CountDesign(1, epsilon="ln 2", name="A pair")) as window:
        window.menus.verify.trigger()
        dialog = found(qtbot, window)
        assert "must be a number" in dialog.said.text() and "--header" not in dialog.said.text()
        dialog.header.click()
        qtbot.waitUntil(lambda: dialog.verdict.text().startswith("✓"), timeout=WAIT)
        dialog.reject()


def test_what_is_no_table_gets_a_sentence(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_bytes(b"\xff\xfe\x00\x01 nothing")
    with opened(qtbot, monkeypatch, CountDesign(1, epsilon="ln 2")) as window:
        drop(window, path)
        dialog = found(qtbot, window)
        assert "names.txt" in dialog.said.text() and "reads a column of counts" in dialog.said.text()
        dialog.reject()


def test_the_boxes_say_how_the_table_was_read(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "written.csv"
    path.write_text("true,says nought,says one\nnought,2/3,1/3\none,1/3,2/3\n")
    with opened(qtbot, monkeypatch, CountDesign(1, epsilon="ln 2", name="A pair")) as window:
        drop(window, path)
        dialog = found(qtbot, window)
        qtbot.waitUntil(lambda: dialog.verdict.text().startswith("✓"), timeout=WAIT)
        assert dialog.header.isChecked() and dialog.labels.isChecked()
        dialog.labels.click()
        qtbot.waitUntil(lambda: "must be a number" in dialog.said.text(), timeout=WAIT)
        dialog.reject()
