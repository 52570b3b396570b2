"""The example designs that ship with the program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dpdesigner import resources
from dpdesigner.errors import passed_over
from dpdesigner.studies.findings import State


@dataclass(frozen=True)
class Example:
    """One example: a project file to open as an untitled copy.

    Attributes
    ----------
    title : str
    question : str
        One short question that it answers.
    description : str
        One to three sentences on who the user is and what to look for.
    path : Path
    state : State
        How far its answer is proved: what the badge says.
    """

    title: str
    question: str
    description: str
    path: Path
    state: State = "proved"

    @cached_property
    def kind(self) -> str:
        """The kind of its first design; a count's where the file cannot be read."""
        try:
            kind: str = json.loads(self.path.read_text("utf-8"))["studies"][0]["kind"]
        except (OSError, ValueError, LookupError, TypeError) as error:
            passed_over(f"reading {self.path}", error)
            kind = "count"
        return kind


def examples() -> list[Example]:
    """Return the examples in the order in which they are shown; the first is the one that the program starts with."""
    listed = json.loads(resources.path("examples", "examples.json").read_text("utf-8"))
    return [
        Example(
            item["title"],
            item["question"],
            item["description"],
            resources.path("examples", item["file"]),
            item.get("state", "proved"),
        )
        for item in listed
    ]


def example(stem: str) -> Example:
    """Return the example whose file has this name, without its ending."""
    return next(known for known in examples() if known.path.stem == stem)
