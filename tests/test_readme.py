"""README.md: short, its commands and its Python run as they stand there, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from dpdesigner.cli import main

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [line.split("  ")[0].split() for line in TEXT.splitlines() if line.startswith("dpdesigner ") and "  " in line]


def test_it_is_short_and_shows_two_pictures() -> None:
    assert len(TEXT.split()) <= 600
    assert len(re.findall(r"!\[", TEXT)) == 2
    assert len(PYTHON) == 1 and len([line for line in PYTHON[0].splitlines() if line]) <= 11 and len(COMMANDS) == 6


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/benchmarks/README.md"])
def test_links_lead_to_files(document: str) -> None:
    path = ROOT / document
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
        assert (path.parent / link).is_file(), link


def test_the_code_and_the_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(PYTHON[0], "README.md", "exec"), names)
    printed = re.findall(r"^(\S.*?)  # (\d\.\d+|\[.*?\]|True)", PYTHON[0], re.MULTILINE)
    assert len(printed) == 3
    for code, comment in printed:
        value = eval(code, names)
        assert str(value.tolist() if comment.startswith("[") else value).startswith(comment), code
    for command in COMMANDS:
        if len(command) > 2:  # the others open the window
            assert main(command[1:]) == 0, command
    assert (tmp_path / "tables").is_dir() and '"remap": [' in capsys.readouterr().out
