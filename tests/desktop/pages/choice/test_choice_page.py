"""Choices among a few outputs, as a user meets them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from desktop.noise_designs import Opener
from desktop.pages.noise.test_noise_page import export
from PySide6.QtWidgets import QFileDialog, QTableWidget

from dpdesigner.desktop.look.preferences import preferences

GRID = "Costs: rows are states of the data, columns outputs"


def test_costs_of_a_choice_are_edited_and_tell_its_privacy(
    opens: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = opens()
    user.press("Choice page")
    user.reads("one of a few · 6 × 6 costs", "2ε-private in general", "ask for 0.5", "ε attained, rounded up: 1.2")
    user.tab("Costs")
    user.cell(GRID, 0, 5, "2")
    user.settles()
    assert user.cells(GRID)[0][5] == "2" and user.undo_text() == "Change a cost"
    user.cell(GRID, 0, 5, "-1")
    assert any("at least 0" in error for error in user.errors()) and user.cells(GRID)[0][5] == "2"
    user.write("Number of answers", "3")
    user.reads("3 × 3 costs")
    user.write("Number of answers", "99")
    assert any("between 2 and 60" in error for error in user.errors())
    path = tmp_path / "costs.csv"
    path.write_text("0,1,1\n1,0,1\n1,1,0\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *given: (str(path), ""))
    user.press("Open a table…")
    user.reads("is ε-private")
    assert user.cells(GRID) == [["0", "1", "1"], ["1", "0", "1"], ["1", "1", "0"]]
    path.unlink()
    user.press("Open a table…")
    assert any("no such file" in error for error in user.errors())
    user.press("every row")
    user.settles()
    assert user.chosen("the next row", "every row") == ["every row"]
    user.undo()
    user.undo()
    user.reads("3 × 3 costs")
    assert user.cells(GRID)[0] == ["0", "1", "2"]


def test_a_choice_is_taken_away_with_its_proof(opens: Opener, tmp_path: Path) -> None:
    user = opens(query="table", table={"costs": [["0", "1", "1"], ["1", "0", "1"], ["1", "1", "0"]], "neighbours": "all"})
    assert len(user.copied().splitlines()) == 4
    said = export(user, tmp_path / "out", "CSV", "SVG")
    assert "every row sums to exactly 1 and epsilon is at most 1" in said
    (table,) = (tmp_path / "out").glob("*.csv")
    rows = [list(map(float, line.split(",")[1:])) for line in table.read_text("utf-8").splitlines()[1:]]
    expected = np.where(np.eye(3, dtype=bool), 1.0, np.exp(-1)) / (1 + 2 * np.exp(-1))
    assert np.allclose(rows, expected, rtol=0.05)
    assert {path.stem.rpartition("-")[2] for path in (tmp_path / "out").glob("*.svg")} == {"table", "costs"}


def test_the_level_to_ask_for_is_told_rounded_to_the_safe_side(opens: Opener) -> None:
    table = {"costs": [["0", "1", "2"], ["1", "0", "1"], ["2", "1", "0"]], "neighbours": "next"}
    user = opens(query="table", epsilon="ln 2", table=table)
    told = re.search(r"To be sure of ε = ([\d.]+) whatever the costs, ask for ([\d.]+)\.", user.said())
    assert told is not None and float(told[1]) >= np.log(2) and float(told[2]) <= np.log(2) / 2


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_cost_has_room_at_any_size_of_text(opens: Opener, scale: float) -> None:
    user = opens(query="table")
    user.tab("Costs")
    preferences().choose(text_scale=scale)
    grid = user.find(QTableWidget, GRID)
    assert min(grid.columnWidth(k) for k in range(grid.columnCount())) >= 40 * scale
    assert min(grid.rowHeight(k) for k in range(grid.rowCount())) >= grid.fontMetrics().height()
