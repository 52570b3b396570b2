"""Numbers as text, as the core writes them, and chances in everyday words."""

from __future__ import annotations

from math import floor

from dpdesigner.core.numbers.rounding import at_most, brief, group_thousands, grouped, signed, significant
from dpdesigner.desktop.theme.translation import tr

__all__ = ["at_most", "brief", "chance", "group_thousands", "grouped", "in_so_many", "signed", "significant"]

_CERTAIN = 1e-12  # what a probability of 1 may lack in floating point
_NEARLY = 0.9999
_ABOUT = 0.02  # how far from a probability a simple fraction may be


def chance(probability: float) -> str:
    """Return a probability in everyday words, such as ``1 in 12`` or ``67%``; empty where words add nothing."""
    if not 0 < probability < 1 - _CERTAIN:
        return ""
    if probability > _NEARLY:
        return tr("over 99.99%")
    odds = 1 / probability
    if odds < 1.995 or (odds < 2.995 and abs(odds - round(odds)) > 0.005):
        percent = 100 * probability
        return f"{percent:.0f}%" if percent < 99.5 else f"{floor(100 * percent) / 100:g}%"
    if odds < 9.95:
        shown = f"{odds:.1f}".removesuffix(".0")
    elif odds < 1e9:
        shown = grouped(float(f"{odds:.3g}"))
    else:
        shown = brief(odds)
    return tr("1 in {count}").format(count=shown)


def in_so_many(probability: float) -> str:
    """Return a probability as a simple fraction that is about it, ``3 in 4``; near 0 and 1 as `chance` says it."""
    for many in range(2, 11):
        part = round(probability * many)
        if 0 < part < many and abs(probability - part / many) <= _ABOUT:
            return tr("{part} in {many}").format(part=part, many=many)
    return chance(probability) or f"{100 * probability:.0f}%"
