"""Two portraits laid side by side, line by line. No widget is touched here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dpdesigner.desktop.pages.kit.portrait import Fact, Floats, Portrait
from dpdesigner.desktop.widgets.base.number_text import signed, significant
from dpdesigner.studies.panels import Plot

#: Figures whose relative difference is below this differ by the rounding of doubles only.
_SAME = 1e-12


def _tr(text: str) -> str:
    return QCoreApplication.translate("Comparison", text)


@dataclass(frozen=True)
class Row:
    """One line: what it is, what it is in both designs, and the difference in words; a title has a label only."""

    label: str
    mine: str = ""
    theirs: str = ""
    difference: str = ""
    differs: bool = False
    title: bool = False


@dataclass(frozen=True, eq=False)
class Comparison:
    """A design and the reference.

    Parameters
    ----------
    names : (str, str)
        What the design and the reference are called.
    mine, theirs : Portrait
        What they come to.
    same : bool
        Whether the design is the reference itself.
    """

    names: tuple[str, str]
    mine: Portrait
    theirs: Portrait
    same: bool = False

    @property
    def rows(self) -> tuple[Row, ...]:
        """Inputs, then results."""
        inputs = _rows(self.mine.inputs, self.theirs.inputs)
        results = _rows(self.mine.results, self.theirs.results)
        asked, found = Row(_tr("What is asked"), title=True), Row(_tr("What comes out"), title=True)
        return (asked, *inputs, *((found, *results) if results else ()))

    @property
    def charts(self) -> tuple[tuple[Plot, Plot], ...]:
        """The charts that both have."""
        theirs = {chart.title: chart for chart in self.theirs.charts}
        return tuple((chart, theirs[chart.title]) for chart in self.mine.charts if chart.title in theirs)

    @property
    def matrices(self) -> tuple[Floats, Floats] | None:
        """Both mechanisms, where both have one."""
        if self.mine.matrix is None or self.theirs.matrix is None:
            return None
        return self.mine.matrix, self.theirs.matrix

    @property
    def headline(self) -> str:
        """How the figure compares with the reference's: ``"+10 %"``; empty where they cannot be compared."""
        if not self.mine.results or not self.theirs.results or self.same:
            return ""
        mine, theirs = self.mine.results[0], self.theirs.results[0]
        if (mine.label, mine.held) != (theirs.label, theirs.held) or mine.value is None or theirs.value is None:
            return ""
        return percent(mine.value, theirs.value) or change(mine.value, theirs.value)


def change(mine: float, theirs: float) -> str:
    """Return how far a number is from another: ``"+0.117"``, or ``"="`` where they are the same but for rounding."""
    if not math.isfinite(mine - theirs):
        return "=" if mine == theirs else "≠"
    if abs(mine - theirs) <= _SAME * max(abs(mine), abs(theirs)):
        return "="
    return signed(mine - theirs, 3)


def percent(mine: float, theirs: float) -> str:
    """Return how much more or less a number is than another, ``"+10 %"``; empty where that says nothing."""
    if change(mine, theirs) in ("=", "≠") or theirs <= 0 or mine < 0:
        return ""
    more = 100 * (mine / theirs - 1)
    if more >= 300:
        return _tr("{times} times").format(times=significant(mine / theirs, 3))
    return f"{signed(more, 2)}\u00a0%"


def _rows(mine: Sequence[Fact], theirs: Sequence[Fact]) -> list[Row]:
    others = {fact.label: fact for fact in theirs}
    rows = [_row(fact, others.pop(fact.label, None)) for fact in mine]
    return rows + [Row(fact.label, "—", fact.text, differs=True) for fact in others.values()]


def _row(mine: Fact, theirs: Fact | None) -> Row:
    if theirs is None:
        return Row(mine.label, mine.text, "—", differs=True)
    differs = (mine.text, mine.held) != (theirs.text, theirs.held)
    difference = "≠" if differs else "="
    if mine.value is not None and mine.held != theirs.held:
        return Row(mine.label, mine.text, theirs.text, "—")
    if differs and mine.value is not None and theirs.value is not None:
        difference = change(mine.value, theirs.value)
        more = percent(mine.value, theirs.value)
        difference = f"{difference}  {more}" if more else difference
    return Row(mine.label, mine.text, theirs.text, difference, difference != "=")
