"""Runs the tests that need no window with the lowest versions that pyproject.toml allows.

``python3 packaging/lowest.py`` works in an environment of its own in build/. Arguments are pytest's.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / "build" / "lowest-environment"
#: What a window does not change: solving, linear programs, files, the command line, notebooks.
TESTS = ("tests/core/mechanism", "tests/core/basics", "tests/files", "tests/cli", "tests/notebook", "tests/test_api.py")
#: Checkers are of today: what they say of the source does not depend on who runs it. A page is tried in a browser once.
CHECKERS = ("ruff", "mypy", "scipy-stubs", "hatchling", "playwright")


def lowest() -> list[str]:
    """Return every requirement at its lower bound, those for this Python only."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    old = sys.version_info < (3, 12)
    found = re.findall(r"\"([A-Za-z0-9-]+)>=([0-9.]+)[^\";]*(?:; python_version ([<>=]+) '3\.12')?\"", text)
    return [f"{name}=={low}" for name, low, when in found if name not in CHECKERS and when in (("", "<") if old else ("", ">="))]


def main(words: Sequence[str]) -> int:
    """Install them, run the tests, and return pytest's exit status; warnings of old libraries are none of ours."""
    python = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *lowest()], check=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    chosen = words or ["-n", "auto", *TESTS]
    return subprocess.call([str(python), "-m", "pytest", "-q", "-W", "default", *chosen], cwd=ROOT, env=environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
