"""A scene: what is shown of one design while presenting, and what is said of it; with its form in the project file.

A view is what a page gives and takes to restore its selection. Its meaning belongs to the page, so a file's view is only
checked for being harmless: few and small JSON values. A page ignores what it does not know.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpdesigner.core.numbers.parsing import excerpt
from dpdesigner.errors import InputError
from dpdesigner.studies.inputs.kinds import members

LONGEST_TITLE, LONGEST_TEXT, LONGEST_VIEW = 200, 4000, 10_000

#: The largest number in a view: every whole number up to here is a double of its own.
_LARGEST = 2**53
_DEEPEST = 10


@dataclass(frozen=True)
class Scene:
    """One scene.

    Parameters
    ----------
    design : int
        Which design it shows: its place in a project file (from 0), its key in an open document.
    view : Mapping
        Which of the page's views is open and what is selected, as JSON values.
    title, text : str
        The caption: a few words, and one to three sentences.
    """

    design: int
    view: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the scene as JSON values."""
        return {"design": self.design, "view": dict(self.view), "title": self.title, "text": self.text}

    @classmethod
    def from_json(cls, data: object, designs: int) -> Scene:
        """Make a scene from `to_json`'s values.

        Parameters
        ----------
        data : object
        designs : int
            How many designs the file has.

        Raises
        ------
        InputError
            If it is anything else; one sentence.
        """
        given = members(data, "a scene", ("design", "view", "title", "text"))
        design = given.get("design")
        if type(design) is not int or not 0 <= design < designs:
            raise InputError(f"a scene's design must be a whole number from 0 to {designs - 1}, got {excerpt(design)}.", "design")
        title, text = _text(given, "title", LONGEST_TITLE), _text(given, "text", LONGEST_TEXT)
        return cls(design, _view(given.get("view", {})), title, text)


def _text(data: dict[str, Any], name: str, longest: int) -> str:
    text = data.get(name, "")
    if not isinstance(text, str) or len(text) > longest:
        got = f"{len(text)} characters" if isinstance(text, str) else excerpt(text)
        raise InputError(f"a scene's {name} must be text of at most {longest} characters, got {got}.", name)
    return text


def _view(view: object) -> dict[str, Any]:
    if not isinstance(view, dict):
        raise InputError(f"a scene's view must be a JSON object, got {excerpt(view)}.", "view")
    if not _small(view, _DEEPEST) or len(json.dumps(view)) > LONGEST_VIEW:
        limits = f"numbers up to 2^53, {_DEEPEST} levels and at most {LONGEST_VIEW} characters"
        raise InputError(f"a scene's view must have {limits}, got more.", "view")
    return view


def _small(value: object, levels: int) -> bool:
    """Whether a JSON value is not nested deeper, and all its numbers are finite and of a size that any page can use."""
    if isinstance(value, (dict, list)):
        inner = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_small(item, levels - 1) for item in inner)
    return not isinstance(value, (int, float)) or -_LARGEST <= value <= _LARGEST
