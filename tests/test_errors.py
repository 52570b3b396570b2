"""What is passed over is in the log, and the environment shows it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesigner.errors import InputError, passing_over
from dpdesigner.files.atomic import folder_for


def test_only_what_is_named_is_passed_over_and_the_log_has_it(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "dpdesigner"):
        with passing_over("removing a file", OSError):
            raise FileNotFoundError("gone")
        with pytest.raises(ValueError, match="other"), passing_over("removing a file", OSError):
            raise ValueError("other")
        with passing_over("removing a file", OSError):
            raise OSError
    record, wordless = caplog.records
    assert wordless.getMessage() == "removing a file: OSError"
    assert record.getMessage() == "removing a file: gone" and record.exc_info is not None


def test_a_folder_that_cannot_be_removed_again_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "dpdesigner"), pytest.raises(InputError), folder_for(tmp_path / "new") as folder:
        (folder / "of somebody else").touch()
        raise InputError("no.")
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [f"removing {tmp_path / 'new'}"]


@pytest.mark.parametrize(
    ("level", "status", "says"), [("", 0, ""), ("info", 0, ""), ("loud", 2, "DPDESIGNER_LOG must be one of debug, info,")]
)
def test_the_environment_decides_what_of_it_is_shown(level: str, status: int, says: str) -> None:
    command = [sys.executable, "-m", "dpdesigner", "--version"]
    found = subprocess.run(command, env={**os.environ, "DPDESIGNER_LOG": level}, capture_output=True, text=True)
    assert found.returncode == status and says in found.stderr and bool(found.stderr) == bool(says)
