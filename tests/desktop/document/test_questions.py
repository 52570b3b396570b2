from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.document.questions import Questions


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
