"""Panels of text and bars: a table, a sentence, a ranking. The role states a bar's purpose; only proved results are green."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, Literal

from dpdesigner.core.basics.rounding import factor, figure, signed
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.findings import State

#: The role of something drawn; an aid only guides the eye.
Role = Literal["main", "rival", "bound", "before", "truth", "other", "aid"]

#: From this ratio on, a factor is given instead of a percentage.
_TIMES = 2
_SAME = 0.001  # percent below which costs count as the same: in five digits they are


@dataclass(frozen=True)
class Table:
    """A header and rows of text, with a remark; a secret one is shown only in the window, a drawn one is a figure in reports."""

    key: str
    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    secret: bool = False
    drawn: bool = field(default=False, compare=False)

    def read(self, place: int) -> str:
        """Return a row in words."""
        return "; ".join(f"{name}: {text}" if name else text for name, text in zip(self.header, self.rows[place], strict=True))

    def as_rows(self) -> list[list[str]]:
        """Return the header and the rows, ready for a CSV file."""
        return [list(self.header), *(list(row) for row in self.rows)]


@dataclass(frozen=True)
class Pairs(Table):
    """Rows of two texts; the window shows them as tiles, and a click selects one."""

    selected: int = -1
    select: Any = field(default=None, compare=False)  #: the `Select` of a click


@dataclass(frozen=True)
class Sentence:
    """A sentence below or between the pictures; a secret one is shown only in the window."""

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
        What a click reports; without one it cannot be clicked.
    before : float or None
        What it was when it was pinned.
    note : str
        A remark beside the label.
    text : str
        The value in words, where it is not to be rounded up.
    second : str
        A second number, at the right; without any, by how much it exceeds the first stands there.
    limit : bool
        Whether it is a limit of what can be had: only its outline is drawn, and a click does not choose it.
    ring : float or None
        Another value of the same thing, drawn as a ring over the bar.
    short : str
        A shorter label for the window, a blank for a bar that belongs to the one above it; tables have the label.
    """

    label: str
    value: float | None
    role: Role = "main"
    proved: bool = False
    key: str = ""
    before: float | None = None
    note: str = ""
    text: str = ""
    second: str = ""
    limit: bool = False
    ring: float | None = None
    short: str = ""

    @property
    def shown(self) -> str:
        """The label in the window."""
        return self.short or self.label


def excess_of(ratio: float) -> str:
    """Return how much more a cost is than another, from their ratio: ``+6%``, from twice as much on ``4.3 ×``."""
    percent = 100 * (ratio - 1)
    if abs(percent) < _SAME:
        return message("just as much")
    if ratio >= _TIMES:
        return f"{factor(ratio)} ×"
    shown = signed(percent, 1) if abs(percent) < 1 else f"{percent:+.0f}".replace("-", "−")
    return f"{shown}%"


@dataclass(frozen=True)
class Ranking:
    """Several methods compared as bars of their costs; the first is the baseline of the comparison.

    Attributes
    ----------
    key, title : str
    rows : tuple of Rank
    select : str
        What a click changes to the key of a bar: an input of the design, or ``"view.NAME"``; empty: nothing.
    selected : str
        The key of the bar that is selected.
    head : str
        What the second numbers are; written above them.
    ends : float or None
        The value of a bar that takes all the room; None: the largest of those that do not flatten the others.
    note : str
        A sentence below the bars.
    secret : bool
        Whether it is shown in the window only.
    instead : Ranking or None
        What pictures in files show in the place of a secret one.
    first : int
        So many bars are shown until the others are unfolded; 0: all.
    changes : mapping
        By the keys of bars, the inputs that a click changes where `select` is ``"design"``.
    """

    key: str
    title: str
    rows: tuple[Rank, ...] = ()
    select: str = ""
    selected: str = ""
    head: str = ""
    ends: float | None = None
    note: str = ""
    secret: bool = False
    instead: Ranking | None = None
    first: int = 0
    changes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False)

    def taken(self, key: str) -> Any:
        """Return what a click on a bar gives: its key, or the inputs that it changes."""
        return self.changes.get(key, key)

    def __post_init__(self) -> None:
        if self.selected and self.selected not in {row.key for row in self.rows}:
            raise InputError(f"A ranking has no bar {self.selected!r} to be selected.", "ranking")
        if self.ends is not None and not (isfinite(self.ends) and self.ends > 0):
            raise InputError(f"The longest bar of a ranking must have a value above 0, got {self.ends!r}.", "ranking")

    def remark(self, row: Rank) -> str:
        """Return what the tooltip of a bar says below its value."""
        return ""

    def full_text(self, row: Rank) -> str:
        """Return the value with all its digits, for the tooltip of a bar."""
        return self.value_text(row) if row.value is None else repr(float(row.value))

    def value_text(self, row: Rank) -> str:
        """Return the value in words, or as a cost with five significant digits, rounded up."""
        if row.text:
            return row.text
        return message("computing…") if row.value is None else figure(row.value)

    def excess_text(self, row: Rank) -> str:
        """Return the second number; if there is none, the excess of a cost over the first.

        That is in percent if the first is positive, else the difference; from twice as much on it says how many times.
        """
        if self.head or row.second:
            return row.second
        first = self.rows[0].value
        if row is self.rows[0] or row.value is None or first is None or not isfinite(row.value):
            return ""
        if first <= 0:
            return signed(row.value - first)
        return excess_of(row.value / first)

    def read(self, place: int) -> str:
        """Return a bar in words, like ``Laplace: 1.240, +6%``."""
        row = self.rows[place]
        value, excess = self.value_text(row), self.excess_text(row)
        label = row.shown.strip() or row.label
        if not excess:
            return message("{label}: {value}", label=label, value=value)
        return message("{label}: {value}, {excess}", label=label, value=value, excess=excess)

    def as_table(self) -> Table:
        """Return the bars with all digits; empty for values that are not computed yet."""
        rows = tuple((row.label, "" if row.value is None else repr(float(row.value))) for row in self.rows)
        return Table(self.key, self.title, ("", self.title), rows, drawn=True)


@dataclass(frozen=True)
class Shares(Ranking):
    """Bars as long as shares of different wholes; their numbers stand in their texts."""

    def as_table(self) -> Table:
        """Return the texts, because the values are shares."""
        return replace(super().as_table(), rows=tuple((row.label, row.text) for row in self.rows))

    def full_text(self, row: Rank) -> str:
        """Return the text, because the value is a share."""
        return row.text or super().full_text(row)
