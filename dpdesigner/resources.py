"""Paths of the files that ship with the program: icons, examples, data, fonts, templates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

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
def templates(folder: str, **options: bool) -> Environment:
    """Return the Jinja templates in a folder; an undefined name in them is an error. The options are Jinja's."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(path(folder)), undefined=StrictUndefined, **options)  # type: ignore[arg-type]
