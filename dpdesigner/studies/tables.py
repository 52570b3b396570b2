"""Panels of text and bars: a table, a sentence, a ranking. Its role says what a bar is for; green is only what is proved."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Literal

from dpdesigner.core.numbers.rounding import figure, grouped, signed, significant
from dpdesigner.studies.findings import State
from dpdesigner.studies.said import said

#: What something drawn is for; an aid guides the eye only.
Role = Literal["main", "rival", "bound", "before", "truth", "other", "aid"]

#: From so many percent more on, how many times as much is said instead.
_TIMES = 9900


@dataclass(frozen=True)
class Table:
    """A header and rows of text, with a remark; a secret one is shown in the window only."""

    key: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    secret: bool = False

    def read(self, place: int) -> str:
        """Return a row in words."""
        return "; ".join(f"{name}: {text}" if name else text for name, text in zip(self.header, self.rows[place], strict=True))

    def as_rows(self) -> list[list[str]]:
        """Return the header and the rows, ready for a CSV file."""
        return [list(self.header), *(list(row) for row in self.rows)]


@dataclass(frozen=True)
class Sentence:
    """A sentence below or between the pictures; a secret one is shown in the window only."""

    text: str
    state: State = "given"
    secret: bool = False
    key: str = ""


@dataclass(frozen=True)
class Rank:
    """One bar of a ranking.

    Attributes
    ----------
    label : str
        What it is for.
    value : float or None
        Less is better; None while it is being computed.
    role : {"main", "rival", ...}
    proved : bool
        Whether it is proved to be the best.
    key : str
        What a click reports.
    before : float or None
        What it was when it was pinned.
    """

    label: str
    value: float | None
    role: Role = "main"
    proved: bool = False
    key: str = ""
    before: float | None = None


@dataclass(frozen=True)
class Ranking:
    """What each of several ways costs, as bars; the first is the one that the others are compared with."""

    key: str
    title: str
    rows: tuple[Rank, ...] = ()

    def value_text(self, row: Rank) -> str:
        """Return a cost to five significant digits, rounded up."""
        return said("computing…") if row.value is None else figure(row.value)

    def excess_text(self, row: Rank) -> str:
        """Return by how much a cost exceeds the first: in percent if the first is positive, else the difference.

        From a hundred times as much on it says how many times.
        """
        first = self.rows[0].value
        if row is self.rows[0] or row.value is None or first is None or not isfinite(row.value):
            return ""
        if first <= 0:
            return signed(row.value - first)
        percent = 100 * (row.value / first - 1)
        if abs(percent) < 1e-9:
            return "0 %"
        if percent >= _TIMES:
            return f"{grouped(round(row.value / first)) if percent < 1e8 else significant(row.value / first, 2)} ×"
        shown = signed(percent, 1) if abs(percent) < 1 else f"{percent:+.0f}".replace("-", "−")
        return f"{shown} %"

    def read(self, place: int) -> str:
        """Return a bar in words, such as ``Laplace: 1.240, +6 %``."""
        row = self.rows[place]
        value, excess = self.value_text(row), self.excess_text(row)
        if not excess:
            return said("{label}: {value}", label=row.label, value=value)
        return said("{label}: {value}, {excess}", label=row.label, value=value, excess=excess)

    def as_table(self) -> Table:
        """Return the bars with all digits; empty for what is not computed yet."""
        rows = tuple((row.label, "" if row.value is None else repr(float(row.value))) for row in self.rows)
        return Table(self.key, self.title, ("", self.title), rows)
