"""The files opened or saved lately, newest first."""

from __future__ import annotations

import json
from pathlib import Path

from dpdesigner.desktop.theme.preferences import settings
from dpdesigner.errors import passed_over

MOST = 10
_KEY = "recent/files"


def recent_files() -> list[Path]:
    """Return the recent files, newest first."""
    try:
        names = json.loads(str(settings().value(_KEY, "[]")))
    except json.JSONDecodeError as error:
        passed_over("reading the list of recent files", error)
        return []
    return [Path(name) for name in names if isinstance(name, str)] if isinstance(names, list) else []


def note_recent(path: Path) -> None:
    """Put a file at the top of the list."""
    path = path.absolute()
    _store([path, *(other for other in recent_files() if other != path)])


def forget_recent(path: Path | None = None) -> None:
    """Take a file off the list; None takes all."""
    _store([other for other in recent_files() if path is not None and other != path.absolute()])


def _store(paths: list[Path]) -> None:
    settings().setValue(_KEY, json.dumps([str(path) for path in paths[:MOST]]))
