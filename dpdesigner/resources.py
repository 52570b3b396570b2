"""Paths of the files that ship with the program: icons, examples, data, fonts, templates."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE = Path(__file__).resolve().parent


def path(*parts: str) -> Path:
    """Return the path of a shipped file or folder.

    Parameters
    ----------
    *parts : str
        Names below the resources, such as ``"examples"``, ``"flu.dpd"``.

    Returns
    -------
    Path
        In ``dpdesigner/resources`` where the program is installed from a wheel or bundled, in ``resources`` beside the package in
        a source tree.
    """
    installed = _PACKAGE / "resources"
    return (installed if installed.is_dir() else _PACKAGE.parent / "resources").joinpath(*parts)


@cache
def listed_examples() -> list[dict[str, Any]]:
    """Return the list of the examples: file, title, question, description, and for some an answer and a state."""
    listed: list[dict[str, Any]] = json.loads(path("examples", "examples.json").read_text("utf-8"))
    return listed


@cache
def templates(folder: str, **options: bool) -> Environment:
    """Return the Jinja templates in a folder; an undefined name in them is an error. The options are Jinja's."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(path(folder)), undefined=StrictUndefined, **options)  # type: ignore[arg-type]
