"""The parts of a plot as data: axes, lines, bars, marks, bands and handles, and what a drag or a click on them does.

What a line is for is said by its role, a word of meaning; the painter turns roles into colours, green only where `proved`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Bools, Floats, Integers
from dpdesigner.core.basics.rounding import group_thousands, significant, stated
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.table_panels import Role

Scale = Literal["linear", "log", "whole", "names"]


@dataclass(frozen=True)
class Axis:
    """An axis of a plot.

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
    ticks : tuple of (place, text) or None
        The only ticks; None finds round ones.
    optional : bool
        Whether a low plot has no room for the title, since its heading says it.
    """

    label: str = ""
    unit: str = ""
    scale: Scale = "linear"
    names: tuple[str, ...] = ()
    limits: tuple[float, float] | None = None
    ticks: tuple[tuple[float, str], ...] | None = None
    optional: bool = False

    @property
    def title(self) -> str:
        """The label with its unit."""
        return message("{label} ({unit})", label=self.label, unit=self.unit) if self.label and self.unit else self.label

    @property
    def log(self) -> bool:
        """Whether the axis is logarithmic."""
        return self.scale == "log"

    def text(self, place: float) -> str:
        """Return a position in words: a name, or a number."""
        if self.scale == "names" and 0 <= round(place) < len(self.names):
            return self.names[round(place)]
        shares = self.ticks is not None and any(text == f"{100 * at:.6g}%" for at, text in self.ticks)
        return f"{100 * place:.4g}%" if shares else pointed_at(place, 4)


def pointed_at(value: float, digits: int) -> str:
    """Return a value under the mouse as text: whole numbers without decimals."""
    whole = float(value).is_integer() and abs(value) < 1e6
    return group_thousands(round(value)).replace("-", "−") if whole else significant(value, digits)


def _as_list(values: Floats, which: int) -> Any:
    return values.tolist()


@dataclass(frozen=True)
class Drag:
    """The target of a drag of one point or bar.

    Attributes
    ----------
    target : str
        An input of the design, ``"view.NAME"`` for a value of the view, or ``"design"`` and ``"view"`` for several at once.
    moved : callable
        ``moved(values, which, where)`` returns all values after one of them was dragged to a place; it must be pure. Bars are
        dragged along y, the points of a line along x.
    kept : callable
        ``kept(values, which)`` returns what the target takes: a value that its input reads, such as a plain float, or a mapping
        of several values; by default the list of the values.
    words : str
        What the user is doing, such as ``Change a bid``: the undo step is called so.
    step : float
        How far one press of an arrow key moves it.
    sweep : bool
        Whether the mouse goes on to the bars that it passes over.
    around : bool
        Whether the point of a line turns around (0, 0): ``where`` and its x are then an angle, 0 to 360 degrees, and nothing of
        the line itself is visible.
    plane : bool
        Whether the points of a line are dragged along both axes: the values are then all x and after them all y, and ``where``
        is a pair; `step` is a share of each axis.
    middle : int
        The point of such a line that moves all others: it can be taken anywhere between them; -1: none.
    cue : str
        Announces it next to the heading of the plot: ``drag a bid``; by default ``drag a bar`` or ``drag a dot``.
    fixed : tuple of int
        The bars that cannot be dragged.
    """

    target: str
    moved: Callable[[Floats, int, Any], Floats]
    kept: Callable[[Floats, int], Any] = _as_list
    words: str = ""
    step: float = 1.0
    sweep: bool = False
    around: bool = False
    plane: bool = False
    middle: int = -1
    cue: str = ""
    fixed: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.target or not callable(self.moved) or not callable(self.kept):
            raise InputError(f"A drag needs a target and two functions, got the target {self.target!r}.", "drag")
        if not self.step > 0:
            raise InputError(f"The step of a drag must be above 0, got {self.step!r}.", "drag")


@dataclass(frozen=True)
class Select:
    """The target of a click on one point or bar.

    Attributes
    ----------
    target : str
        As that of a `Drag`.
    kept : callable
        ``kept(which)`` returns what the target takes; by default the number itself.
    read : callable or None
        ``read(which)`` returns what is said of the point or bar that is pointed at, in place of what the lines or bars are there.
    """

    target: str
    kept: Callable[[int], Any] = int
    read: Callable[[int], str] | None = None

    def __post_init__(self) -> None:
        if not self.target or not callable(self.kept):
            raise InputError(f"A click needs a target and a function, got the target {self.target!r}.", "select")


@dataclass(frozen=True, eq=False)
class Line:
    """One named curve.

    Attributes
    ----------
    x, y : ndarray
        (k,): the points, x finite and in rising order; y may hold nan where there is a gap.
    name, role, proved : str, {"main", "rival", "bound", "before", "truth", "other", "aid"}, bool
        Written beside it; what it is for; whether it is proved to be the best: only then is it green.
    dashed, thin, steps, spikes, dots : bool
        Whether it is dashed; thin and pale; whether each y holds until the next x; whether it is drawn as upright lines up to
        the points, or as the points alone.
    low, high : ndarray or None
        (k,): between these it may lie, which is shaded.
    filled : bool
        Whether what lies between `low` and `high` is filled, as bars are, and not only shaded.
    sizes : ndarray or None
        (k,): the radius of each of its dots, as a share of the height of the plot.
    texts : tuple of str
        (k,): what is said of each of its dots that is pointed at, in the window only.
    secret, name_has_value : bool
        Whether it is shown in the window only; whether it is level and its name holds its height.
    drags, select : tuple of Drag, Select or None
        What is changed by dragging one of its points along x (a second one with the Ctrl key); what by a click on one.
    short : str
        A shorter name for the window, a blank for none; tables have the name.

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
    thin: bool = False
    steps: bool = False
    spikes: bool = False
    dots: bool = False
    low: Floats | None = None
    high: Floats | None = None
    filled: bool = False
    sizes: Floats | None = None
    texts: tuple[str, ...] = ()
    secret: bool = False
    name_has_value: bool = False
    drags: tuple[Drag, ...] = ()
    select: Select | None = None
    short: str = ""

    @property
    def shown(self) -> str:
        """The name in the window."""
        return self.short or self.name

    def __post_init__(self) -> None:
        for name in ("x", "y", "low", "high", "sizes"):
            value: ArrayLike | None = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, np.asarray(value, dtype=np.float64))
        for other in (self.y, self.low, self.high, self.sizes):
            if other is not None and (self.x.ndim != 1 or self.x.shape != other.shape or self.x.size == 0):
                shapes = f"{self.x.shape} and {other.shape}"
                raise InputError(f"A curve needs two lists of the same length, got shapes {shapes}.", "curve")
        if self.texts and len(self.texts) != len(self.x):
            raise InputError(f"There are {len(self.x)} dots, got {len(self.texts)} texts for them.", "curve")
        if (self.low is None) != (self.high is None):
            raise InputError(f"A curve lies between a low and a high one, got one of them for {self.name!r}.", "curve")
        if not np.isfinite(self.x).all() or (np.diff(self.x) < 0).any():
            raise InputError(
                f"The x of a curve must be finite and in rising order, got those of {self.name!r} otherwise.", "curve"
            )

    def at(self, x: float, *, logarithmic: bool = False) -> float:
        """Return the height at x, interpolated linearly (on a logarithmic x axis too); nan outside."""
        if not self.x[0] <= x <= self.x[-1]:
            return float("nan")
        if self.steps:
            return float(self.y[np.searchsorted(self.x, x, side="right") - 1])
        if logarithmic and self.x[0] > 0:
            return float(np.interp(np.log(x), np.log(self.x), self.y))
        return float(np.interp(x, self.x, self.y))


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars at 0, 1, 2, …, from 0 to their values.

    Attributes
    ----------
    values : ndarray
        (k,): finite.
    name : str
        Written in the picture where there are several.
    role : {"main", "rival", ...}
    proved : bool
    texts : callable or None
        ``texts(value)`` returns what is written at a bar of this value, empty for nothing. Where there are many bars, only the
        highest and the selected one have their texts; where the y axis has a title, all are only read out.
    strong : ndarray of bool or None
        (k,): whose texts are bold; None: nobody's.
    faint : bool
        Whether the others are fainter.
    rival : ndarray or None
        (k,): a thin mark across each bar, of what is compared with it.
    rival_name, rival_secret : str, bool
        Written beside the highest of these marks; whether the marks are shown in the window only.
    part, part_name : ndarray or None, str
        (k,): so much of each bar, from 0 on, is drawn full, and the rest of it pale; what that part is.
    labels : tuple of str
        (k,): written at each bar in place of what `texts` gives.
    dots : ndarray or None
        (k,): how often each was drawn: so many dots are stacked on its place, and all together are as high as 1.
    final : ndarray or None
        (k,): how often each will have been drawn once all dots have fallen; the scale is made for these. None: `dots`.
    outline : ndarray or None
        (k,): dashed steps in front of the bars, such as the bars of a design that was pinned.
    close : bool
        Whether they stand close together, as those of one distribution; only the selected one then has its text.
    secret : bool
        Whether they are shown in the window only.
    behind : bool
        Whether they stand pale behind the others at their places, and as wide as all of those.
    figure : float
        How high each of the people is of whom they are stacks; 0: plain bars.
    drags : tuple of Drag
        What is changed by dragging one of them up or down; a second one with the Ctrl key.

    Raises
    ------
    InputError
        If a list has another length than the values, or holds what cannot be drawn.
    """

    values: Floats
    name: str = ""
    role: Role = "main"
    proved: bool = False
    texts: Callable[[float], str] | None = None
    strong: Bools | None = None
    faint: bool = False
    rival: Floats | None = None
    rival_name: str = ""
    rival_secret: bool = False
    part: Floats | None = None
    part_name: str = ""
    labels: tuple[str, ...] = ()
    dots: Integers | None = None
    secret: bool = False
    drags: tuple[Drag, ...] = ()
    final: Integers | None = None
    outline: Floats | None = None
    close: bool = False
    behind: bool = False
    figure: float = 0.0

    def __post_init__(self) -> None:
        for name, kind in (
            ("values", np.float64),
            ("rival", np.float64),
            ("part", np.float64),
            ("strong", np.bool_),
            ("dots", np.int64),
            ("final", np.int64),
            ("outline", np.float64),
        ):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=kind))
        if self.values.ndim != 1 or not self.values.size or not np.isfinite(self.values).all():
            raise InputError(f"Bars need a list of finite numbers, got an array of shape {self.values.shape}.", "bars")
        if self.labels and len(self.labels) != self.size:
            raise InputError(f"There are {self.size} bars, got {len(self.labels)} labels for them.", "bars")
        for other in (self.rival, self.part, self.strong, self.dots, self.final, self.outline):
            if other is not None and other.shape != self.values.shape:
                raise InputError(f"There are {self.size} bars, got a list of shape {other.shape} for them.", "bars")
        if self.rival is not None and not np.isfinite(self.rival).all():
            raise InputError("The marks across bars must be finite numbers.", "bars")
        if self.dots is not None and self.dots.min() < 0:
            raise InputError("The number of times a bar was drawn cannot be below 0.", "bars")

    @property
    def size(self) -> int:
        """The number of bars."""
        return len(self.values)

    def looks_like(self, other: Bars) -> bool:
        """Return whether other bars look the same, whatever dragging them does."""
        words = ("name", "role", "proved", "texts", "faint", "rival_name", "labels", "close", "secret", "behind", "figure")
        numbers = ("values", "strong", "rival", "part", "dots", "final", "outline")
        return (
            bool(self.drags) == bool(other.drags)
            and all(getattr(self, name) == getattr(other, name) for name in words)
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in numbers)
        )

    def public(self) -> Bars:
        """Return the bars without marks and grips that are shown only in the window."""
        shown = replace(self, drags=()) if self.drags else self
        return replace(shown, rival=None, rival_name="") if self.rival_secret else shown

    @property
    def drawn(self) -> Integers | None:
        """The final number of draws of each bar; None if nothing is drawn."""
        counts = self.dots if self.final is None else self.final
        return counts if counts is not None and counts.any() else None

    def text(self, value: float) -> str:
        """Return a value in words."""
        return (self.texts(value) if self.texts is not None else "") or significant(value, 5)


@dataclass(frozen=True)
class Mark:
    """A dot with a text next to it, or a pointer below the axis; a secret one is shown only in the window."""

    x: float
    y: float
    text: str = ""
    role: Role = "other"
    proved: bool = False
    secret: bool = False
    pointer: bool = False


@dataclass(frozen=True, eq=False)
class Landing:
    """Newly drawn results: dots that drop onto a plot, in the colour of the selection, or grey bars of many.

    Attributes
    ----------
    x, y : tuple of float
        Where each dot comes to rest.
    text : str
        The number beside the first.
    of : object
        What they were drawn in: only results of another one drop.
    upright : bool
        Whether a line leads from a dot down to the axis.
    boxes : ndarray or None
        (k, 4): the left, lower, right, and upper end of each bar.
    bars, large : bool
        Whether the bars of the plot, or its dots with sizes, drop in place of dots of their own; whether dots and text are large.
    size, inside : float, str
        The radius of the dot as a share of the height of the plot, 0: its own; the text in it.
    """

    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()
    text: str = ""
    of: object = None
    upright: bool = True
    boxes: Floats | None = None
    bars: bool = False
    large: bool = False
    size: float = 0.0
    inside: str = ""

    def __eq__(self, other: object) -> bool:
        mine = self.x, self.y, self.text
        return isinstance(other, Landing) and self.of is other.of and mine == (other.x, other.y, other.text)


def tallied(values: ArrayLike, edges: Floats, sizes: Floats, of: object) -> Landing:
    """Return a bar for each stretch between edges, as high as the density of the values there.

    Parameters
    ----------
    values : array_like
        (n,): those outside of all edges count towards n only.
    edges : ndarray
        (k + 1,): in rising order.
    sizes : ndarray
        (k,): the length of each stretch, or what else its share is divided by.
    of : object
        As that of a `Landing`.
    """
    drawn = np.asarray(values, dtype=np.float64)
    heights = np.histogram(drawn, edges)[0] / (drawn.size * sizes)
    return Landing(of=of, boxes=np.column_stack([edges[:-1], np.zeros(len(heights)), edges[1:], heights])[heights > 0])


@dataclass(frozen=True)
class Band:
    """A shaded part of an axis with a text in it, marking where something is or is not allowed."""

    low: float
    high: float
    text: str = ""
    role: Role = "aid"
    proved: bool = False
    along: Literal["x", "y"] = "x"
    secret: bool = False
    notes: tuple[str, ...] = ()  #: further lines below the text, which may all be written beside a narrow band


@dataclass(frozen=True)
class Handle:
    """A draggable upright line: its position, the text above it, and the value that it changes.

    Attributes
    ----------
    place, height : float, float or None
        On the x axis; of its dot, until it is moved (None: on its line).
    text, name : str
        Written above it; by default its name, such as ``"ε"``, and its place, which follow a drag.
    target : str
        What dragging it changes: an input of the design, ``"epsilon"``, or something of the view, ``"view.share"``.
    movable, secret : bool
        Whether it can be dragged; whether it is shown in the window only, as marks and bands can be.
    step : float
        How far an arrow key moves it along an axis that is not logarithmic; 0: a part of the axis.
    edge : bool
        Whether it is the edge of a band: a dotted line with a grip on the axis, in the colour of the first line.
    of : int
        The line that its dot is on; it has the colour of another than the first.
    ends : tuple of float or None
        Between these it can be dragged; None: along the whole axis.
    says : callable or None
        ``says(place)`` returns its text at another place while it is dragged.
    """

    place: float
    text: str = ""
    target: str = ""
    movable: bool = True
    secret: bool = False
    step: float = 0.0
    edge: bool = False
    of: int = 0
    name: str = ""
    ends: tuple[float, float] | None = None
    height: float | None = None
    says: Callable[[float], str] | None = field(default=None, compare=False)

    @property
    def label(self) -> str:
        """The text above it; values are rounded up."""
        return self.text or (stated(self.name, self.place) if self.name else "")

    def moved(self, place: float) -> Handle:
        """Return it at another place, until its plot is drawn anew."""
        text = "" if self.name else significant(place) if self.says is None else self.says(place)
        return replace(self, place=place, height=None, text=text)


#: An axis has no room for an epsilon of 0 or without bound.
EPSILONS = 1e-9, 1e9


def epsilon_handle(epsilon: float, low: float = EPSILONS[0], high: float = EPSILONS[1]) -> Handle:
    """Return the line at the epsilon of a design, on an axis that ends at `low` and `high`."""
    place = min(max(epsilon, low), high)
    return Handle(place, "" if place == epsilon else stated("ε", epsilon), "epsilon", name="ε")


def draggable_box(
    axes: Sequence[tuple[float, float, float]], x_ends: Floats, y_ends: Floats, names: Sequence[str]
) -> tuple[Line, ...]:
    """Return a rectangle of cells that is dragged by its corners or its middle, for the owner.

    Each axis has its ends and the width of its cells; the view has the sides by their names.
    """
    steps = [width for *_, width in axes]

    def corners_of(x: Floats, y: Floats) -> Floats:
        return np.concatenate([np.insert(np.repeat(x, 2), 2, x.mean()), np.insert(np.tile(y, 2), 2, y.mean())])

    def sides(values: Floats) -> Floats:  # of all four corners, and the middle between them
        return values.reshape(2, 5)[:, [0, 4]]

    def moved(values: Floats, which: int, where: tuple[float, float]) -> Floats:
        ends = sides(values)
        if which == 2:  # by whole cells, and no further than the ends of the axes
            for end, place, (low, high, step) in zip(ends, where, axes, strict=True):
                away = round((place - end.mean()) / step) * step
                end += np.clip(away, low - end[0], high - end[1])
            return corners_of(*ends)
        for end, side, place, step in zip(ends, divmod(which - (which > 2), 2), where, steps, strict=True):
            end[side] = max(place, end[0] + step) if side else min(place, end[1] - step)
        return corners_of(*ends)

    def kept(values: Floats, which: int) -> dict[str, float]:
        return dict(zip(names, sides(values).ravel().tolist(), strict=True))

    drag = Drag(
        "view",
        moved,
        kept,
        message("Drag the rectangle"),
        steps[0] / (axes[0][1] - axes[0][0]),
        plane=True,
        middle=2,
        cue=message("drag it"),
    )
    x, (low, high) = np.repeat(x_ends, 2), (np.full(4, end) for end in y_ends)
    shape: dict[str, Any] = {"role": "other", "secret": True}
    across, above = np.split(corners_of(x_ends, y_ends), 2)
    corners = Line(across, above, dots=True, drags=(drag,), **shape)
    shade = Line(x, np.array([*y_ends, *y_ends[::-1]]), low=low, high=high, **shape)
    return shade, Line(x_ends, low[:2], **shape), corners
