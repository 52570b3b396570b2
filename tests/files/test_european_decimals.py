"""Files with numbers as written in Europe: what may mean two numbers is refused with the cell quoted, in every kind.

Every kind is in one of two lists, so that a new kind is refused here until it says which files it reads.
"""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from dpdesigner.cli import main

READING = ("histogram", "auction", "attack", "synthetic", "rectangle", "net", "halfspace", "inspect", "audience")
COLUMNS = READING[:5]  #: these read 1,5 between semicolons as 1.5, and 1.484,00 as 1484
CELLS = ["1,204", "1.484,00", "1 204", "1\u202f204", "1'204"]
CASES = [(kind, cell) for kind in READING for cell in CELLS if kind not in COLUMNS or cell != "1.484,00"]
CASES += [(kind, "1,5") for kind in READING if kind not in COLUMNS]


def column(folder: Path, cell: str, good: str = "3") -> dict[str, str]:
    """A file of two columns, apart by semicolons, whose third line has the cell."""
    path = folder / "people.csv"
    path.write_text("\n".join(["who;value", f"a;{good}", f"b;{cell}", f"c;{good}", ""]), "utf-8")
    return {"path": str(path), "column": "value"}


def matrix(folder: Path, cell: str, good: str = "0.5") -> str:
    path = folder / "rows.csv"
    path.write_text("\n".join([f"{good};{good}", f"{good};{cell}", f"{good};{good}", ""]), "utf-8")
    return f"file: {path}"


def reading(kind: str, folder: Path, cell: str) -> dict[str, Any]:
    where = column(folder, cell)
    axis = {"low": 0, "high": 64, "bits": 2, "epsilon": 1}
    return {
        "histogram": lambda: {"cells": "0..40 by 10", "neighbours": "add-remove", "epsilon": 1, "cost": "absolute", **where},
        "auction": lambda: {**where, "cap": 2000, "epsilon": 1},
        "attack": lambda: {"queries": 10, "column": f"{column(folder, cell, '1')['path']}#value"},
        "synthetic": lambda: {"column": where, **axis},
        "rectangle": lambda: {"first": where, "second": where, "low2": 0, "high2": 64, **axis},
        "net": lambda: {"counts": [3, 4], "size": 2, "epsilon": 1, "queries": matrix(folder, cell)},
        "halfspace": lambda: {"points": matrix(folder, cell), "epsilon": 1},
        "inspect": lambda: {"table": matrix(folder, cell)},
        "audience": lambda: {"table": matrix(folder, cell), "readers": [{"name": "A", "prior": "uniform"}]},
    }[kind]()


@pytest.mark.parametrize(("kind", "cell"), CASES)
def test_such_a_cell_is_quoted(kind: str, cell: str, tmp_path: Path) -> None:
    path = tmp_path / "it.dpd"
    study = {"kind": kind, "name": "", **reading(kind, tmp_path, cell)}
    path.write_text(json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]}), "utf-8")
    words = ["sample", str(path), "--draws", "1"] if kind == "histogram" else ["solve", str(path)]
    out, told = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(told):
        status = main(words)
    assert status == 2 and out.getvalue() == ""
    assert f"got {cell!r}" in told.getvalue()
