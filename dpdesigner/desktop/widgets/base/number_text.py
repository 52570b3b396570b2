"""Chances in everyday words."""

from __future__ import annotations

from math import floor

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.numbers.rounding import at_most, brief, counted, grouped, signed, significant

__all__ = ["at_most", "brief", "chance", "counted", "grouped", "signed", "significant"]


def chance(probability: float) -> str:
    """Return a probability in everyday words, such as ``1 in 12`` or ``67 %``; empty where words add nothing."""
    if not 0 < probability < 1:
        return ""
    odds = 1 / probability
    if odds < 1.995 or (odds < 2.995 and abs(odds - round(odds)) > 0.005):
        percent = 100 * probability
        return f"{percent:.0f} %" if percent < 99.5 else f"{floor(100 * percent) / 100:g} %"
    if odds < 9.95:
        shown = f"{odds:.1f}".removesuffix(".0")
    elif odds < 1e9:
        shown = grouped(float(f"{odds:.3g}"))
    else:
        shown = brief(odds)
    return QCoreApplication.translate("number_text", "1 in {count}").format(count=shown)
