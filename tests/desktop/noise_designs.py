"""Files of noise designs, and a window that opens them: shared by the tests of the noise page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from desktop import hands
from desktop.hands import Hands
from pytestqt.qtbot import QtBot

#: The columns that ship with the program.
VISITS = {"cells": "0..5", "neighbours": "replace", "path": "example:doctor_visits.csv", "column": "visits"}
#: Opens a design with these inputs, the others being as in a new one; `view` is shown at once.
Opener = Callable[..., Hands]


def noise(query: str = "real", **inputs: Any) -> dict[str, Any]:
    """A design as a project file holds it."""
    if query == "histogram":
        cells = {"cells": "0..10", "neighbours": "add-remove", **inputs.pop("histogram", {})}
        return {"kind": "histogram", "name": "A noise", "epsilon": "1", "cost": "absolute", **cells, **inputs}
    first = {"epsilon": "1", "sensitivity": 1, "cost": "absolute", "gamma": "optimal", "dimension": 1}
    return {"kind": "noise", "name": "A noise", "query": query, **first, **inputs}


@contextmanager
def opener(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Opener]:
    """Gives what opens designs of noise in a window, one or several, and closes it at the end."""
    with ExitStack() as stack:

        def opened(*designs: dict[str, Any], size: tuple[int, int] = (1280, 720), **inputs: Any) -> Hands:
            scenes = [{"design": 0, "view": inputs.pop("view")}] if "view" in inputs else []
            studies = designs or [noise(**inputs)]
            path = folder / "noise.dpd"
            data = {"format": "dpdesigner", "version": 1, "studies": studies}
            path.write_text(json.dumps({**data, "scenes": scenes} if scenes else data), "utf-8")
            user = stack.enter_context(hands.opened(qtbot, monkeypatch, path, size))
            user.settles()
            return user

        yield opened
