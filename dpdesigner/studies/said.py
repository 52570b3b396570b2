"""Words that can be translated later: the studies speak English without Qt, the desktop translates what they said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Said(str):
    """A text that remembers the template it was made of and the values in it.

    Attributes
    ----------
    template : str
        The text with names in braces.
    values : dict
        What stands for the names; texts among them may be said as well.
    """

    template: str
    values: dict[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Said:
        """Make the English text."""
        text = super().__new__(cls, template.format(**values) if values else template)
        text.template, text.values = template, dict(values)
        return text

    def __reduce__(self) -> tuple[type[Said], tuple[str, dict[str, Any]]]:
        return Said, (self.template, self.values)


def said(template: str, /, **values: Any) -> Said:
    """Return a text; in templates with values, braces stand for them: ``said("error of {method}", method=...)``."""
    return Said(template, values)
