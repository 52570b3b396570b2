"""Two portraits laid side by side, line by line. No widget is touched here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import signed, significant
from dpdesigner.desktop.pages.kit.summary import Portrait
from dpdesigner.desktop.theme.translation import tr, translated
from dpdesigner.studies.findings import Finding, Findings, format_finding
from dpdesigner.studies.panels import Plot

#: Figures whose relative difference is below this differ by the rounding of doubles only.
_SAME = 1e-12
#: Figures whose relative difference is below this are no reason for a warm colour.
_SLIGHT = 1e-3


@dataclass(frozen=True)
class Row:
    """One line: what it is, what it is in both designs, and the difference in words; a title has a label only.

    A slight difference is below a tenth of a percent.
    """

    label: str
    mine: str = ""
    theirs: str = ""
    difference: str = ""
    differs: bool = False
    title: bool = False
    slight: bool = False


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
        Whether the design is as it was when it was pinned.
    related : bool
        Whether their numbers mean the same.
    """

    names: tuple[str, str]
    mine: Portrait
    theirs: Portrait
    same: bool = False
    related: bool = True

    @property
    def rows(self) -> tuple[Row, ...]:
        """Inputs, then results."""
        inputs = _rows(self.mine.inputs, self.theirs.inputs)
        results = _rows(self.mine.results, self.theirs.results)
        asked, came_out = Row(tr("Inputs"), title=True), Row(tr("Results"), title=True)
        return (asked, *inputs, *((came_out, *results) if results else ()))

    @property
    def reference_summary(self) -> tuple[str, str]:
        """The other design in one line: its name, what was asked otherwise, its figure; and in short."""
        name, figures = self.names[1], list(self.theirs.results.values())[:1]
        value = [translated(format_finding(figure)) for figure in figures]
        others = [row for row in _rows(self.theirs.inputs, self.mine.inputs) if row.differs]
        asked = [_input_summary(row.label, row.mine) for row in others]
        long, short = ", ".join((*asked[:1], *value)), ", ".join(value)
        return f"{name}: {long}" if long else name, f"{name}: {short}" if short else name

    @property
    def charts(self) -> tuple[tuple[Plot, Plot], ...]:
        """The charts that both have, along the same axes."""
        theirs = {_axes(chart): chart for chart in self.theirs.charts}
        return tuple((chart, theirs[_axes(chart)]) for chart in self.mine.charts if _axes(chart) in theirs)

    @property
    def matrices(self) -> tuple[Floats, Floats] | None:
        """Both mechanisms, where both have one."""
        if self.mine.matrix is None or self.theirs.matrix is None:
            return None
        return self.mine.matrix, self.theirs.matrix

    @property
    def headline(self) -> str:
        """The figure compared with the reference's: ``"+10%"``; empty where they cannot be compared."""
        if not self.mine.results or not self.theirs.results or self.same:
            return ""
        mine, theirs = (next(iter(portrait.results.values())) for portrait in (self.mine, self.theirs))
        if (mine.label, mine.measure) != (theirs.label, theirs.measure) or mine.number is None or theirs.number is None:
            return ""
        return percent(mine.number, theirs.number) or change(mine.number, theirs.number)


def _axes(chart: Plot) -> tuple[str, str, str]:
    return chart.title, chart.x.title, chart.y.title


def _input_summary(label: str, text: str) -> str:
    """Return an input in a few words: ``ε = 1``, ``n = 20``, ``uniform prior``."""
    if "=" in text:
        return text
    return f"{label} = {text}" if text[:1].isdigit() else f"{text} {label}"


def change(mine: float, theirs: float) -> str:
    """Return how far a number is from another: ``"+0.117"``, or ``"="`` where they are the same but for rounding."""
    if not math.isfinite(mine - theirs):
        return "=" if mine == theirs else "≠"
    if abs(mine - theirs) <= _SAME * max(abs(mine), abs(theirs)):
        return "="
    return signed(mine - theirs, 3)


def percent(mine: float, theirs: float) -> str:
    """Return how much more or less a number is than another, ``"+10%"``; empty where that says nothing."""
    if change(mine, theirs) in ("=", "≠") or theirs <= 0 or mine < 0:
        return ""
    more = 100 * (mine / theirs - 1)
    if more >= 300:
        return tr("{times} times").format(times=significant(mine / theirs, 3))
    return f"{signed(more, 2)}%"


def _rows(mine: Findings, theirs: Findings) -> list[Row]:
    others = {finding.label: finding for finding in theirs.values()}
    rows = [_row(finding, others.pop(finding.label, None)) for finding in mine.values()]
    return rows + [
        Row(translated(other.label), "—", translated(format_finding(other)), differs=True) for other in others.values()
    ]


def _row(mine: Finding, theirs: Finding | None) -> Row:
    label, text = translated(mine.label), translated(format_finding(mine))
    if theirs is None:
        return Row(label, text, "—", differs=True)
    other = translated(format_finding(theirs))
    differs = (text, mine.measure) != (other, theirs.measure)
    difference = "≠" if differs else "="
    if mine.number is not None and mine.measure != theirs.measure:
        return Row(label, text, other, "—")
    if differs and mine.number is not None and theirs.number is not None:
        shares = 100 if mine.share else 1
        difference = change(shares * mine.number, shares * theirs.number)
        if mine.share or mine.unit == "%":  # a percentage of a percentage would be misread
            difference = tr("{difference} points").format(difference=difference) if difference not in ("=", "≠") else difference
        elif more := percent(mine.number, theirs.number):
            difference = f"{difference}  {more}"
        slight = abs(mine.number - theirs.number) <= _SLIGHT * max(abs(mine.number), abs(theirs.number))
        return Row(label, text, other, difference, difference != "=", slight=slight)
    return Row(label, text, other, difference, difference != "=")
