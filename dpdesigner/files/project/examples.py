"""The example designs that ship with the program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from dpdesigner import resources


@dataclass(frozen=True)
class Example:
    """One example: a project file to open as an untitled copy.

    Attributes
    ----------
    title : str
    description : str
        One to three sentences on who the user is and what to look for.
    path : Path
    """

    title: str
    description: str
    path: Path


def examples() -> list[Example]:
    """Return the examples in the order in which they are shown; the first is the one that the program starts with."""
    listed = json.loads(resources.path("examples", "examples.json").read_text("utf-8"))
    return [Example(item["title"], item["description"], resources.path("examples", item["file"])) for item in listed]


def example(stem: str) -> Example:
    """Return the example whose file has this name, without its ending."""
    return next(known for known in examples() if known.path.stem == stem)
