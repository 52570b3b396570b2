from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from dpdesigner.desktop.output.report_dialog import print_illustrated
from dpdesigner.desktop.output.reports import Illustrated
from dpdesigner.errors import InputError


@pytest.fixture
def into(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A print dialog that is answered with "print to file"; the file."""
    support = pytest.importorskip("PySide6.QtPrintSupport")
    path = tmp_path / "folder" / "printed.pdf"
    path.parent.mkdir()

    class ToFile(QDialog):
        def __init__(self, printer: object, parent: QWidget) -> None:
            super().__init__(parent)
            self._printer = printer

        def exec(self) -> QDialog.DialogCode:  # type: ignore[override]
            self._printer.setOutputFileName(str(path))  # type: ignore[attr-defined]
            return QDialog.DialogCode.Accepted

    monkeypatch.setattr(support.QPrinterInfo, "availablePrinterNames", staticmethod(lambda: ["Paper"]))
    monkeypatch.setattr(support, "QPrintDialog", ToFile)
    return path


def test_a_report_is_printed_to_a_file(into: Path, qapp: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    assert print_illustrated(Illustrated("Nothing"), window) == f"Written to {into}."
    assert into.read_bytes().startswith(b"%PDF") and list(into.parent.iterdir()) == [into]


def test_a_file_that_cannot_be_printed_to_is_a_sentence(into: Path, qapp: QApplication, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    into.parent.rmdir()
    with pytest.raises(InputError, match="does not exist"):
        print_illustrated(Illustrated("Nothing"), window)
