"""What is copied has no cell that a spreadsheet would take for a formula, though users give the names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

import dpdesigner as dp
from dpdesigner.core.basics.parsing import is_number
from dpdesigner.files.project import Project, write_project

FORMULA = '=HYPERLINK("http://example.org";"x")'


def opened_with(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, folder: Path, design: Any) -> Any:
    write_project(folder / "it.dpd", Project((design,)))
    return hands.opened(qtbot, monkeypatch, folder / "it.dpd", (1280, 1000))


def cells(text: str) -> list[str]:
    return [cell for line in text.splitlines() for cell in line.split("\t")]


@pytest.mark.parametrize("name", [FORMULA, "+1+cmd", "-2+3", "@SUM(A1)"])
def test_names_of_options(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    design = dp.ChoiceDesign(utilities=[3, 1], names=[name, "b"], epsilon=1)
    with opened_with(qtbot, monkeypatch, tmp_path, design) as user:
        user.settles()
        copied = cells(user.copied())
        assert f"'{name}" in copied and name not in copied
        assert not [cell for cell in copied if cell.startswith(("=", "+", "-", "@")) and not is_number(cell)]


def test_the_name_of_a_made_up_column(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("=1+1\n" + "".join(f"{k % 16}\n" for k in range(200)), "utf-8")
    column = {"path": str(tmp_path / "ages.csv"), "column": "=1+1"}
    design = dp.IntervalDesign(column, low=0, high=16, bits=4, epsilon=1, method="laplace", seed=1)
    with opened_with(qtbot, monkeypatch, tmp_path, design) as user:
        user.settles()
        user.press("Copy")
        assert QGuiApplication.clipboard().text().splitlines()[0] == "'=1+1"
