"""Lazily translated messages: the studies use English without Qt, and the desktop translates their messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_MARKUP = re.compile(r"</?[a-z]+>")


class Message(str):
    """A text that remembers its template and the values in it.

    Attributes
    ----------
    template : str
        The text with names in braces.
    values : dict
        What stands for the names; texts among them may be said as well.
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Message:
        """Make the English text."""
        text = super().__new__(cls, template.format(**values) if values else template)
        text.template, text.values = template, dict(values)
        return text

    def __reduce__(self) -> tuple[type[Message], tuple[str, dict[str, Any]]]:
        return Message, (self.template, self.values)


def message(template: str, /, **values: Any) -> Message:
    """Return a text; in templates with values, braces mark them: ``message("error of {method}", method=...)``."""
    return Message(template, values)


def without_markup(text: str) -> str:
    """Return a sentence without the tags of its bold parts."""
    return _MARKUP.sub("", text)
