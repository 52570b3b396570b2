"""Which colour something drawn has, by what it is for; green is only what is proved."""

from __future__ import annotations

from dpdesigner.studies.panels import Band, Bars, Line, Mark
from dpdesigner.studies.table_panels import Rank, Role

_COLOURS: dict[Role, str] = {
    "main": "accent",
    "rival": "quiet",
    "bound": "selected",
    "before": "muted",
    "truth": "text",
    "other": "selected",
    "aid": "muted",
}


def colour_role(drawn: Line | Mark | Band | Bars | Rank) -> str:
    """Return the field of the theme's colours in which it is painted."""
    return "proved" if drawn.proved else _COLOURS[drawn.role]
