"""Curves as data: what a curve plot shows, and what can be asked of it without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.errors import InputError

Floats = NDArray[np.float64]


class Curve:
    """One named curve.

    Parameters
    ----------
    name : str
        Written beside the curve.
    x, y : array (k,)
        The points, x in rising order; y may hold nan where the curve has a gap.
    colour_role : str
        A field of the theme's colours.
    dashed : bool
        Whether the line is dashed.
    steps : bool
        Whether each y holds until the next x (a staircase), instead of straight lines between the points.

    Raises
    ------
    InputError
        If x and y are not two lists of the same length, or x is not in rising order.
    """

    upright: ClassVar[bool] = False  #: whether it is drawn as upright lines up to the points

    def __init__(
        self,
        name: str,
        x: ArrayLike,
        y: ArrayLike,
        colour_role: str = "accent",
        dashed: bool = False,
        steps: bool = False,
    ) -> None:
        self.name = name
        self.x: Floats = np.asarray(x, dtype=float)
        self.y: Floats = np.asarray(y, dtype=float)
        self.colour_role = colour_role
        self.dashed = dashed
        self.steps = steps
        if self.x.ndim != 1 or self.x.shape != self.y.shape or self.x.size == 0:
            shapes = f"{self.x.shape} and {self.y.shape}"
            raise InputError(f"A curve needs two lists of the same length, got shapes {shapes}.", "curve")
        if not np.isfinite(self.x).all() or (np.diff(self.x) < 0).any():
            raise InputError(f"The x of a curve must be finite and in rising order, got those of {name!r} otherwise.", "curve")

    def at(self, x: float, *, logarithmic: bool = False) -> float:
        """Return the height at a place, straight between the points (on a logarithmic x axis too); nan outside."""
        if not self.x[0] <= x <= self.x[-1]:
            return float("nan")
        if self.steps:
            return float(self.y[np.searchsorted(self.x, x, side="right") - 1])
        if logarithmic and self.x[0] > 0:
            return float(np.interp(np.log(x), np.log(self.x), self.y))
        return float(np.interp(x, self.x, self.y))

    def points(self) -> tuple[Floats, Floats]:
        """Return the corners of the line: the points, with two for each step of a staircase."""
        if not self.steps:
            return self.x, self.y
        return np.repeat(self.x, 2)[1:], np.repeat(self.y, 2)[:-1]


@dataclass(frozen=True)
class Marker:
    """A dot with a text beside it."""

    x: float
    y: float
    text: str = ""
    colour_role: str = "selected"


@dataclass(frozen=True)
class Band:
    """A shaded stretch of an axis, with a text in it: where something is, or is not, allowed."""

    low: float
    high: float
    text: str = ""
    colour_role: str = "muted"
    along: Literal["x", "y"] = "x"


def nearest_sample(curves: Sequence[Curve], x: float, *, logarithmic: bool = False) -> float:
    """Return the x nearest to a place at which one of the curves has a point, so that exact numbers can be told there."""
    found = np.concatenate([curve.x for curve in curves])
    if logarithmic:
        found = found[found > 0]
        return float(found[np.argmin(np.abs(np.log(found) - np.log(x)))])
    return float(found[np.argmin(np.abs(found - x))])


def table_of(curves: Sequence[Curve], x_title: str) -> tuple[list[str], list[list[str]]]:
    """Return curves as a table, ready for a CSV file.

    Parameters
    ----------
    curves : sequence of Curve
        They need not share their x.
    x_title : str
        Header of the first column.

    Returns
    -------
    header : list of str
        The x title and the names.
    rows : list of list of str
        One per x of any curve, with all digits; empty where a curve has no point.
    """
    places = sorted({value for curve in curves for value in curve.x.tolist()})
    columns = [dict(zip(curve.x.tolist(), curve.y.tolist(), strict=True)) for curve in curves]
    rows = [[repr(x), *(repr(column[x]) if x in column else "" for column in columns)] for x in places]
    return [x_title, *(curve.name for curve in curves)], rows


def axis_ends(
    fixed: tuple[float, float] | None, parts: Sequence[Floats], logarithmic: bool, *, from_zero: bool
) -> tuple[float, float]:
    """Return the ends of an axis, in decimal logarithms if it is logarithmic.

    Parameters
    ----------
    fixed : (float, float), optional
        The ends asked for; if None, they fit the values.
    parts : sequence of array
        The values to be seen.
    logarithmic : bool
        Whether the axis is logarithmic; values that are not positive then do not count.
    from_zero : bool
        Whether a linear axis includes zero, with a little room beyond the values.

    Returns
    -------
    (float, float)
        The lower end and a higher one.
    """
    values = np.concatenate([np.zeros(0), *parts]) if fixed is None else np.asarray(fixed, dtype=float)
    values = values[np.isfinite(values) & ((values > 0) | (not logarithmic))]
    if logarithmic:
        values = np.log10(values)
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if fixed is None and from_zero and not logarithmic:
        low, high = min(low, 0.0), max(high, 0.0)
        high += 0.04 * (high - low)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
