"""Pictures as data: plots, and stacks of them. No widget; `table_panels` and `matrices` have the other panels.

A study's outcome gives panels, and the same panel is painted on the page, in Compare, in an exported picture and in the report.
Texts are English through `message`, for the desktop to translate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import at_most, significant
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.plot_parts import Axis, Band, Bars, Drag, Handle, Landing, Line, Mark, Select, pointed_at
from dpdesigner.studies.table_panels import Rank, Role, Table

_MOST_LISTED = 24  # points of a plot that a report lists below its figure


@dataclass(frozen=True, eq=False)
class Plot:
    """Curves and bars over one axis.

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
    bars : tuple of Bars
        As many in each; those at one place stand side by side.
    selected : int
        The place of the bars that are selected, or the point of the first line with a `select`; -1: none.
    select : Select or None
        What is changed by a click on the bars of a place.
    hint : str
        A remark at the right of its heading, followed by what can be dragged: see `captions`.
    spoken : str
        What a screen reader says of what is selected; empty: what is read there.
    landing : Landing or None
        Results that were just drawn; in the window only.
    square : bool
        Whether both axes have the same scale.
    figures : tuple of Rank
        Numbers written large at its right, or small at the left of a row, the first as its heading; in the window only.
    table : Table or None
        Files have it in place of the points.

    Raises
    ------
    InputError
        If there are more bars of one kind than of another, or more than the axis has names.
    """

    key: str
    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    bands: tuple[Band, ...] = ()
    handles: tuple[Handle, ...] = ()
    under: tuple[str, ...] = ()
    room: int = 5
    bars: tuple[Bars, ...] = ()
    selected: int = -1
    select: Select | None = None
    hint: str = ""
    spoken: str = ""
    landing: Landing | None = None
    square: bool = False
    figures: tuple[Rank, ...] = ()
    table: Table | None = None

    def __post_init__(self) -> None:
        if len({bars.size for bars in self.bars}) > 1:
            sizes = ", ".join(str(bars.size) for bars in self.bars)
            raise InputError(f"A plot needs as many bars of each kind, got {sizes}.", "plot")
        if self.bars and self.x.log:
            raise InputError("Bars need an axis that is not logarithmic.", "plot")
        if self.bars and self.x.scale == "names" and len(self.x.names) != self.places:
            raise InputError(f"There are {self.places} bars, got {len(self.x.names)} names for them.", "plot")
        places = self.places or next((len(line.x) for line in self.lines if line.select is not None), 0)
        if not -1 <= self.selected < places:
            raise InputError(f"One of {places} places can be selected, got {self.selected}.", "plot")

    def looks_like(self, other: Plot) -> bool:
        """Return whether another plot with only bars looks the same; plots with curves are not compared."""
        return (
            bool(self.bars)
            and not (self.lines or self.marks or self.handles or other.lines or other.marks or other.handles)
            and (self.x, self.y, self.bands, self.selected, self.landing)
            == (other.x, other.y, other.bands, other.selected, other.landing)
            and len(self.bars) == len(other.bars)
            and all(mine.looks_like(theirs) for mine, theirs in zip(self.bars, other.bars, strict=True))
        )

    @property
    def places(self) -> int:
        """The number of positions with bars."""
        return self.bars[0].size if self.bars else 0

    @property
    def drags(self) -> tuple[Drag, ...]:
        """The inputs that change when lines and bars are dragged."""
        return tuple(drag for drags in self._drags() for drag in drags)

    @property
    def captions(self) -> tuple[str, ...]:
        """The text at the right of the heading, then shorter ones: the hint, and what can be dragged."""
        movable = sum(handle.movable for handle in self.handles)
        if self.drags:
            cue = self.drags[0].cue or (message("drag a bar") if self.bars else message("drag a dot"))
        else:
            cue = message("drag a line") if movable > 1 else message("drag the line") if movable else ""
        if not self.hint or not cue:
            return (self.hint or cue,)
        return message("{hint} · {cue}", hint=self.hint, cue=cue), self.hint, cue

    def _drags(self) -> list[tuple[Drag, ...]]:
        return [*(line.drags for line in self.lines), *(bars.drags for bars in self.bars)]

    def read_bars(self, place: int) -> list[str]:
        """Return the bars at a position, each in words."""
        if self.select is not None and self.select.read is not None:
            return [self.select.read(place)]
        texts = [] if self.x.ticks == () else [self.x.text(place)]  # no places: what its bars are
        for bars in self.bars:
            value = bars.text(float(bars.values[place]))
            texts.append(message("{name}: {value}", name=bars.name, value=value) if bars.name else value)
            if bars.part is not None:
                texts.append(message("{name}: {value}", name=bars.part_name, value=bars.text(float(bars.part[place]))))
            if bars.rival is not None and bars.rival_name:
                rival = bars.text(float(bars.rival[place]))
                texts.append(message("{name}: {value}", name=bars.rival_name, value=rival))
        return texts

    def read(self, place: float) -> list[str]:
        """Return the values of the lines at a position in words; ``≈`` marks values between two points of a line."""
        if not self.lines and 0 <= round(place) < self.places:
            return self.read_bars(round(place))
        if self.x.ticks == self.y.ticks == () or any(drag.around for drag in self.drags):
            return []  # a picture without values
        texts: list[str] = [message("{label} = {value}", label=self.x.label or "x", value=self.x.text(place))]
        for line in self.lines:
            name = line.name or self.y.label
            if line.sizes is not None or (line.drags and not line.name) or not name:
                continue  # dots of a plane have no value at a place, and a line that is only dragged says nothing
            value = line.at(place, logarithmic=self.x.log)
            if not np.isnan(value):
                about = "" if line.steps or np.isclose(line.x, place, rtol=1e-12, atol=0).any() else "≈ "
                percent = at_most if line.role == "bound" and line.proved else significant
                shown = f"{percent(value)}%" if self.y.unit == "%" else pointed_at(value, 5)
                named = message("{name}: {value}", name=name, value=about + shown)
                texts.append(line.name if line.name_has_value else named)
        return texts

    def nearest(self, place: float) -> float:
        """Return the x nearest to a position at which a line has a point or a bar is, for exact numbers."""
        if not self.lines:
            return float(min(max(round(place), 0), max(self.places - 1, 0)))
        places = np.concatenate([line.x for line in self.lines])
        if self.x.log:
            places = places[places > 0]
            return float(places[np.argmin(np.abs(np.log(places) - np.log(place)))])
        return float(places[np.argmin(np.abs(places - place))])

    def public(self) -> Plot:
        """Return the part of the plot that may leave the window; without secret bars the axis does not tell their height."""
        fixed = self.y.limits is None or not any(bars.secret for bars in self.bars)
        return replace(
            self,
            y=self.y if fixed else replace(self.y, limits=None),
            lines=tuple(replace(line, texts=()) if line.texts else line for line in self.lines if not line.secret),
            marks=tuple(mark for mark in self.marks if not mark.secret),
            bands=tuple(band for band in self.bands if not band.secret),
            handles=tuple(handle for handle in self.handles if not handle.secret),
            bars=(bars := tuple(bars.public() for bars in self.bars if not bars.secret)),
            selected=self.selected if bars else -1,
            landing=None,
            figures=(),
        )

    def as_table(self) -> Table:
        """Return a row for each x of any line or for each bar, with all digits, empty where there is none.

        Nothing secret is in it, and no area without a line.
        """
        if self.table is not None:
            return self.table
        lines = (
            *(
                Line(np.arange(bars.size, dtype=np.float64), values, name)
                for bars in self.public().bars
                for values, name in ((bars.values, bars.name), (bars.part, bars.part_name))
                if values is not None
            ),
            *(line for line in self.public().lines if np.isfinite(line.y).any() or (line.low is None and not line.drags)),
        )
        places = sorted({value for line in lines for value in line.x.tolist()})
        columns = [dict(zip(line.x.tolist(), line.y.tolist(), strict=True)) for line in lines]
        names = self.x.names if self.x.scale == "names" and self.bars else ()
        rows = [
            (
                names[round(x)] if names and x in range(len(names)) else repr(x),
                *(repr(column[x]) if x in column else "" for column in columns),
            )
            for x in places
        ]
        x, y = (replace(axis, unit="") if axis.ticks else axis for axis in (self.x, self.y))  # the unit of its ticks
        heads = (replace(y, label=line.name or y.label) for line in lines)
        titles = (head.label if head.unit in head.label else head.title for head in heads)
        drawn = len(rows) > _MOST_LISTED or any("" in row for row in rows)
        return Table(self.key, self.title, (x.title or ("" if names else "x"), *titles), tuple(rows), drawn=drawn)


@dataclass(frozen=True)
class Fold:
    """The last strips of a stack, which are shown on request only.

    Attributes
    ----------
    title : str
        What they show.
    last : int
        How many they are.
    target : str
        What is True while they are shown: ``"view.NAME"``.
    opened : bool
    """

    title: str
    last: int
    target: str
    opened: bool


@dataclass(frozen=True, eq=False)
class Strips:
    """Plots stacked over the same axis, cause above effect.

    Attributes
    ----------
    key, title : str
    plots : tuple of Plot
        Their own keys name the pictures; each has its heading, its hint and its share of the height.
    labelled : int or None
        The plot under which the axis has its ticks or names; -1: the last; None: all.
    keys : mapping of str to str
        What other keys do: the name of a key, such as ``Space``, and of an action of the page.
    fold : Fold or None
        Which of them the window shows on request only.
    select : Select or None
        What a click on one of them changes: each is a row with heading and figures at the left, below the title of all.
    selected : int
        The row that is selected.
    table : Table or None
        What is copied before the points.

    Raises
    ------
    InputError
        If there are no plots, two of them have the same key, or their axes have different scales.
    """

    key: str
    title: str
    plots: tuple[Plot, ...]
    labelled: int | None = -1
    keys: Mapping[str, str] = field(default_factory=dict)
    fold: Fold | None = None
    select: Select | None = None
    selected: int = -1
    table: Table | None = None

    def __post_init__(self) -> None:
        names = [plot.key for plot in self.plots]
        if not names or len(set(names)) < len(names):
            raise InputError(f"Strips need plots with different keys, got {', '.join(names) or 'none'}.", "strips")
        if len({(plot.x.scale, plot.x.limits, plot.places) for plot in self.plots}) > 1:
            raise InputError("Strips need plots over the same axis: one scale, the same ends, as many bars.", "strips")
        if self.labelled is not None and not -1 <= self.labelled < len(names):
            raise InputError(f"The ticks belong to one of {len(names)} strips, got {self.labelled}.", "strips")

    @property
    def shown(self) -> tuple[Plot, ...]:
        """The plots that are not folded away."""
        return self.plots if self.fold is None or self.fold.opened else self.plots[: -self.fold.last]

    @property
    def drags(self) -> tuple[Drag, ...]:
        """The inputs that change when lines and bars are dragged."""
        return tuple(drag for plot in self.plots for drag in plot.drags)

    def public(self) -> Strips | None:
        """Return the part of the strips that may leave the window, or None."""
        plots = tuple(plot for plot in map(Plot.public, self.plots) if plot.lines or plot.bars)
        return replace(self, plots=plots, labelled=-1, fold=None) if plots else None

    def as_table(self) -> Table:
        """Return the bars or points of all plots next to each other; nothing secret."""
        shown = self.public()
        if shown is None:
            return Table(self.key, self.title, (), ())
        lines = [replace(line, name=line.name or plot.title) for plot in shown.plots for line in plot.lines]
        bars = [replace(bars, name=bars.name or plot.title) for plot in shown.plots for bars in plot.bars]
        first = shown.plots[0]
        return Plot(self.key, self.title, first.x, first.y, tuple(lines), bars=tuple(bars)).as_table()


#: Runs of columns with the same text: the first, the last, and the text.
Runs = tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, eq=False)
class ReaderRow:
    """One reader's part of the picture."""

    name: str
    loss: str  #: what an error costs
    value: str  #: the expected loss
    remark: str  #: what is known of it
    proved: bool  #: whether nothing better is possible
    cells: Runs  #: runs of outputs with the same reading, by their columns
    prior: Floats  #: (n + 1,): before the output
    belief: Floats | None  #: after it; None where the reader holds the output for impossible
    reading: int | None  #: the count that the output is read as; None where readings are no counts
    text: str  #: what the output is read as, in words
    why: str = ""  #: and why this, if a few words can say it
    chances: Floats | None = None  #: (m,): of a cautious reader, how likely each reading of this output is

    @property
    def most(self) -> float:
        """The highest bar of the prior and the belief."""
        return max(float(bars.max()) for bars in (self.prior, self.belief) if bars is not None) or 1.0


@dataclass(frozen=True, eq=False)
class RemapStrips(Strips):
    """One draw with a remap strip below it for each reader. Where strips cannot be painted, they are bar plots."""

    draw: Floats = field(default_factory=lambda: np.ones(1))  #: (outputs,): the distribution of the output at the true count
    count: int = 0  #: the true count
    released: int = 0  #: the column of the output that is looked at
    outputs: tuple[str, ...] = ()  #: what the columns are called
    rows: tuple[ReaderRow, ...] = ()
    selected: int = 0  #: the reader that is selected
    noise: bool = True  #: whether the release is geometric noise, whose output can be drawn
    old: bool = False  #: whether the output was drawn at another level or true count
    drawn: bool = False  #: whether it was drawn at these


@dataclass(frozen=True, eq=False)
class LevelRow:
    """One level's part of the picture."""

    name: str
    epsilon: str
    chances: Floats  #: (n + 1,): of its number at the true count
    given: Floats | None  #: the same given the number above; None where nothing is drawn
    got: int  #: its number; -1: none


@dataclass(frozen=True, eq=False)
class LevelStrips(Strips):
    """The levels from top to bottom, each drawn from the one above. Where that cannot be painted, they are bar plots."""

    n: int = 1
    count: int = 0  #: the true count
    rows: tuple[LevelRow, ...] = ()
    old: bool = False  #: whether the numbers were drawn at other levels or another true count
    move: Callable[[int, int], Mapping[str, Any]] = lambda row, number: {}  #: what a level's other number changes in the view


def laid_over(mine: Plot, theirs: Plot, names: tuple[str, str], both: str) -> Plot:
    """Return the main lines and the marks of two plots of one kind in a single plot, the second dashed.

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
    """Return a plot with the first line of an earlier one of its kind dashed behind its own, if the two differ."""
    if not plot.lines or not before.lines:
        return plot
    mine, theirs = plot.lines[0], before.lines[0]
    if before.key != plot.key or mine.name != theirs.name:
        return plot
    if np.array_equal(mine.x, theirs.x) and np.array_equal(mine.y, theirs.y):
        return plot
    ghost = Line(theirs.x, theirs.y, message("before"), "before", dashed=True, secret=theirs.secret)
    return replace(plot, lines=(*plot.lines, ghost))


def landed(plot: Plot, landing: Landing | None) -> Plot:
    """Return a plot with drawn results; where a bar of many is higher than the curves, the axis reaches up to it."""
    tops = np.zeros(0) if landing is None or landing.boxes is None else landing.boxes[:, 3]
    top = float(tops.max(initial=0.0))
    if plot.y.limits is None and top > max(float(np.nanmax(line.y)) for line in plot.lines):
        return replace(plot, landing=landing, y=replace(plot.y, limits=(0.0, 1.02 * top)))
    return replace(plot, landing=landing)


def epsilon_powers(ends: Sequence[float]) -> Axis:
    """Return an axis of ε from a power of 2 to another: it stays where it is under a short drag."""
    low, high = round(math.log2(min(ends))) - 1, round(math.log2(max(ends))) + 1
    return Axis("ε", scale="log", limits=(2.0**low, 2.0**high))


EpsilonDot = tuple[float, str, str, Role, tuple[Drag, ...]]


def epsilon_dots(now: float, name: str, rows: Sequence[EpsilonDot], ends: Sequence[float] = ()) -> Plot:
    """Plot dots in rows, each an ε with its text, the row's name, its role and drags; and a line at the ε of the release."""
    heights, here = range(len(rows) - 1, -1, -1), [now] if 0 < now < 700 else []
    lines, marks = list[Line](), list[Mark]()
    for height, (at, text, _, role, drags) in zip(heights, rows, strict=True):
        lines.append(Line(np.array([at]), np.array([height]), "", role, dots=True, drags=drags))
        marks.append(Mark(at, float(height), text, role))
    ticks = tuple((float(height), row[2]) for height, row in zip(heights, rows, strict=True))
    x, y = epsilon_powers([*(row[0] for row in rows), *here, *ends]), Axis("", limits=(-0.8, len(rows) - 0.4), ticks=ticks)
    return Plot("", "", x, y, tuple(lines), tuple(marks), handles=tuple(Handle(at, name, "epsilon") for at in here))
