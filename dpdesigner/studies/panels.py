"""What is drawn, as data: a plot of lines. Arrays and words, no widget; `tables` and `cells` have the other kinds of panel.

A study's outcome gives panels, and the same panel is painted on the page, in Compare, in an exported picture and in the report.
What a line is for is said by its role, a word of meaning; the painter turns roles into colours, green only where `proved`.
Texts are English through `said`, for the desktop to translate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.rounding import significant
from dpdesigner.errors import InputError
from dpdesigner.studies.said import said
from dpdesigner.studies.tables import Role, Table

Scale = Literal["linear", "log", "whole", "names"]


@dataclass(frozen=True)
class Axis:
    """What a plot runs along.

    Attributes
    ----------
    label, unit : str
        Its title, and what it is counted in; an axis without a label takes no room for one.
    scale : {"linear", "log", "whole", "names"}
        A logarithmic one leaves out what is not positive; whole has ticks at whole numbers only; names at 0, 1, 2, ….
    names : tuple of str
        What stands at 0, 1, 2, … on an axis of names.
    limits : (low, high) or None
        Its ends; None fits what is drawn.
    """

    label: str = ""
    unit: str = ""
    scale: Scale = "linear"
    names: tuple[str, ...] = ()
    limits: tuple[float, float] | None = None

    @property
    def title(self) -> str:
        """The label with its unit."""
        return said("{label} ({unit})", label=self.label, unit=self.unit) if self.label and self.unit else self.label

    @property
    def log(self) -> bool:
        """Whether it is logarithmic."""
        return self.scale == "log"

    def text(self, place: float) -> str:
        """Return a place in words: a name, or a number."""
        if self.scale == "names" and 0 <= round(place) < len(self.names):
            return self.names[round(place)]
        return significant(place, 4)


@dataclass(frozen=True, eq=False)
class Line:
    """One named curve.

    Attributes
    ----------
    x, y : ndarray
        (k,): the points, x finite and in rising order; y may hold nan where there is a gap.
    name : str
        Written beside it.
    role : {"main", "rival", "bound", "before", "truth", "other", "aid"}
        What it is for.
    proved : bool
        Whether it is proved to be the best: only then is it green.
    dashed, steps, spikes, dots : bool
        Whether it is dashed; whether each y holds until the next x; whether it is drawn as upright lines up to the points, or as
        the points alone.
    low, high : ndarray or None
        (k,): between these it may lie, which is shaded.
    secret : bool
        Whether it is shown in the window only.

    Raises
    ------
    InputError
        If x and y are not two lists of the same length, or x is not in rising order.
    """

    x: Floats
    y: Floats
    name: str = ""
    role: Role = "main"
    proved: bool = False
    dashed: bool = False
    steps: bool = False
    spikes: bool = False
    dots: bool = False
    low: Floats | None = None
    high: Floats | None = None
    secret: bool = False

    def __post_init__(self) -> None:
        for name in ("x", "y", "low", "high"):
            value: ArrayLike | None = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, np.asarray(value, dtype=np.float64))
        for other in (self.y, self.low, self.high):
            if other is not None and (self.x.ndim != 1 or self.x.shape != other.shape or self.x.size == 0):
                shapes = f"{self.x.shape} and {other.shape}"
                raise InputError(f"A curve needs two lists of the same length, got shapes {shapes}.", "curve")
        if (self.low is None) != (self.high is None):
            raise InputError(f"A curve lies between a low and a high one, got one of them for {self.name!r}.", "curve")
        if not np.isfinite(self.x).all() or (np.diff(self.x) < 0).any():
            raise InputError(
                f"The x of a curve must be finite and in rising order, got those of {self.name!r} otherwise.", "curve"
            )

    def at(self, x: float, *, logarithmic: bool = False) -> float:
        """Return the height at a place, straight between the points (on a logarithmic x axis too); nan outside."""
        if not self.x[0] <= x <= self.x[-1]:
            return float("nan")
        if self.steps:
            return float(self.y[np.searchsorted(self.x, x, side="right") - 1])
        if logarithmic and self.x[0] > 0:
            return float(np.interp(np.log(x), np.log(self.x), self.y))
        return float(np.interp(x, self.x, self.y))


@dataclass(frozen=True)
class Mark:
    """A dot with a text beside it; a secret one is shown in the window only."""

    x: float
    y: float
    text: str = ""
    role: Role = "other"
    proved: bool = False
    secret: bool = False


@dataclass(frozen=True)
class Band:
    """A shaded stretch of an axis, with a text in it: where something is, or is not, allowed."""

    low: float
    high: float
    text: str = ""
    role: Role = "aid"
    proved: bool = False
    along: Literal["x", "y"] = "x"
    secret: bool = False


@dataclass(frozen=True)
class Handle:
    """An upright line to be dragged: where it is, what stands above it, and what is changed by it.

    Attributes
    ----------
    place : float
        On the x axis.
    text : str
        Written above it.
    target : str
        What dragging it changes: an input of the design, ``"epsilon"``, or something of the view, ``"view.share"``.
    movable : bool
        Whether it can be dragged.
    secret : bool
        Whether it is shown in the window only, as marks and bands can be.
    step : float
        How far an arrow key moves it along an axis that is not logarithmic; 0: a part of the axis.
    """

    place: float
    text: str = ""
    target: str = ""
    movable: bool = True
    secret: bool = False
    step: float = 0.0


@dataclass(frozen=True, eq=False)
class Plot:
    """Curves over one axis.

    Attributes
    ----------
    key, title : str
        Its name in files, and its heading.
    x, y : Axis
    lines : tuple of Line
        The handles' dots are on the first one.
    marks, bands, handles : tuple
    under : tuple of str
        Up to three lines of text below it, with ``<b>``.
    room : int
        Its share of the height, beside those of what stands above and below.
    """

    key: str
    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...] = ()
    bands: tuple[Band, ...] = ()
    handles: tuple[Handle, ...] = ()
    under: tuple[str, ...] = ()
    room: int = 5

    def read(self, place: float) -> list[str]:
        """Return what the lines are at a place, each in words; ``≈`` before what lies between two points of a line."""
        texts: list[str] = [said("{label} = {value}", label=self.x.label or "x", value=self.x.text(place))]
        for line in self.lines:
            value = line.at(place, logarithmic=self.x.log)
            if not np.isnan(value):
                about = "" if line.steps or place in line.x else "≈ "
                texts.append(said("{name}: {value}", name=line.name, value=about + significant(value, 5)))
        return texts

    def nearest(self, place: float) -> float:
        """Return the x nearest to a place at which a line has a point, so that exact numbers can be told there."""
        places = np.concatenate([line.x for line in self.lines])
        if self.x.log:
            places = places[places > 0]
            return float(places[np.argmin(np.abs(np.log(places) - np.log(place)))])
        return float(places[np.argmin(np.abs(places - place))])

    def public(self) -> Plot:
        """Return what of it may leave the window."""
        return replace(
            self,
            lines=tuple(line for line in self.lines if not line.secret),
            marks=tuple(mark for mark in self.marks if not mark.secret),
            bands=tuple(band for band in self.bands if not band.secret),
            handles=tuple(handle for handle in self.handles if not handle.secret),
        )

    def as_table(self) -> Table:
        """Return a row for each x of any line, with all digits, empty where a line has no point; nothing that is secret."""
        lines = self.public().lines
        places = sorted({value for line in lines for value in line.x.tolist()})
        columns = [dict(zip(line.x.tolist(), line.y.tolist(), strict=True)) for line in lines]
        rows = [(repr(x), *(repr(column[x]) if x in column else "" for column in columns)) for x in places]
        return Table(self.key, self.title, (self.x.label or "x", *(line.name or self.y.label for line in lines)), tuple(rows))


def laid_over(mine: Plot, theirs: Plot, names: tuple[str, str], both: str) -> Plot:
    """Return the main lines and the marks of two plots of one kind in one, the second dashed.

    Parameters
    ----------
    mine, theirs : Plot
    names : (str, str)
        What their designs are called.
    both : str
        What the one line is called where they have the same.
    """
    first, second = mine.lines[0], theirs.lines[0]
    lines = [replace(first, name=names[0], role="main", proved=False, dashed=False)]
    if np.array_equal(first.x, second.x) and np.array_equal(first.y, second.y):
        lines = [replace(lines[0], name=both)]
    else:
        lines.append(replace(second, name=names[1], role="before", proved=False, dashed=True))
    marks = [replace(mark, role="main", proved=False) for mark in mine.marks]
    marks += [replace(mark, role="before", proved=False) for mark in theirs.marks]
    ends = [limits for limits in (mine.x.limits, theirs.x.limits) if limits is not None]
    limits = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None
    return replace(mine, lines=tuple(lines), marks=tuple(marks), x=replace(mine.x, limits=limits), bands=(), handles=())


def behind(plot: Plot, before: Plot) -> Plot:
    """Return a plot with the first line of an earlier one of its kind dashed behind its own, where that is another line."""
    mine, theirs = plot.lines[0], before.lines[0]
    if before.key != plot.key or mine.name != theirs.name:
        return plot
    if np.array_equal(mine.x, theirs.x) and np.array_equal(mine.y, theirs.y):
        return plot
    ghost = Line(theirs.x, theirs.y, said("before"), "before", dashed=True, secret=theirs.secret)
    return replace(plot, lines=(*plot.lines, ghost))
