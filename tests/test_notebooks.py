"""The example notebooks run from the first cell to the last, and hold no outputs."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dpdesigner
from dpdesigner import resources

NOTEBOOKS = sorted(resources.path("notebooks").glob("*.ipynb"))


def cells(path: Path, kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == kind]


def test_there_is_one_for_each_reader() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["analyst", "lecturer", "office"]
    for path in NOTEBOOKS:
        data = json.loads(path.read_text("utf-8"))
        assert data["nbformat"] == 4 and len({cell["id"] for cell in data["cells"]}) == len(data["cells"])
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in data["cells"])
        assert re.match("# ", cells(path, "markdown")[0]) and len(cells(path, "code")) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path) -> None:
    """In a process of its own, as a kernel does: each cell in turn; what its last line is worth is shown as HTML or as text."""
    script = ["names = {'__name__': '__main__'}"]
    for code in cells(path, "code"):
        *_, last = ast.parse(code).body
        lines = code.splitlines()
        shown = isinstance(last, ast.Expr)
        before, value = ("\n".join(lines[: last.lineno - 1]), "\n".join(lines[last.lineno - 1 :])) if shown else (code, "None")
        script.append(f"exec(compile({before!r}, 'cell', 'exec'), names)")
        script.append(f"value = eval(compile({value!r}, 'cell', 'eval'), names)")
        script.append("print(value._repr_html_() if hasattr(value, '_repr_html_') else repr(value))")
    environment = {**os.environ, "PYTHONPATH": str(Path(dpdesigner.__file__).parent.parent)}
    words = [sys.executable, "-c", "\n".join(script)]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=120)
    assert found.returncode == 0, found.stderr
