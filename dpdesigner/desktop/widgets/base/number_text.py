"""Numbers as text, as the core writes them, and chances in everyday words."""

from __future__ import annotations

from dpdesigner.core.numbers.rounding import at_most, brief, group_thousands, grouped, signed, significant
from dpdesigner.desktop.theme.translation import translated
from dpdesigner.studies import plain_language

__all__ = ["at_most", "brief", "chance", "group_thousands", "grouped", "signed", "significant"]


def chance(probability: float) -> str:
    """Return a probability in everyday words, such as ``1 in 12`` or ``67%``; empty where words add nothing."""
    return translated(plain_language.chance(probability))
