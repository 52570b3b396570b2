"""What exhibits draw with: curves, bars, mechanisms, and numbers for a sentence; curves of what is not ours are dashed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from dpdesigner.core.numbers.parsing import exact_text
from dpdesigner.messages import message
from dpdesigner.studies.findings import Finding, Rounding, format_finding
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import Line
from dpdesigner.studies.table_panels import Role

_LONGEST = 14  # characters of a fraction in a sentence
_DASHED = ("rival", "bound", "aid")


def curve(xs: Iterable[Any], of: Callable[[Any], Any], name: str = "", role: Role = "main", **looks: Any) -> Line:
    """Return the curve of a function over some places; `looks` are those of `Line`."""
    places = list(xs)
    return points(places, [of(x) for x in places], name, role, **looks)


def points(xs: Iterable[Any], ys: Iterable[Any], name: str = "", role: Role = "main", **looks: Any) -> Line:
    """Return a line through points; `looks` are those of `Line`."""
    looks = {"dashed": role in _DASHED, **looks}
    return Line(np.array([float(x) for x in xs]), np.array([float(y) for y in ys]), name, role, **looks)


def shares(parts: int = 200, low: Fraction = Fraction(0), high: Fraction = Fraction(1)) -> list[Fraction]:
    """Return so many equal steps from `low` to `high`, in fractions."""
    return [low + (high - low) * k / parts for k in range(parts + 1)]


def text(value: Fraction | float | int, digits: int = 4, rounding: Rounding = "nearest") -> str:
    """Return a number for a sentence: a fraction where it is short, else so many digits, rounded as a `Finding` is."""
    if isinstance(value, Fraction) and len(written := exact_text(value)) <= _LONGEST:
        return written
    if isinstance(value, int):
        return str(value)
    number = format_finding(Finding("", value, digits=digits, rounding=rounding))
    return number.rstrip("0").rstrip(".") if rounding == "down" and "." in number and "e" not in number else number


def bars(
    values: Iterable[Any], name: str = "", role: Role = "main", *, beside: tuple[int, int] = (0, 1), start: int = 0, **looks: Any
) -> Line:
    """Return bars over 0, 1, 2 and so on.

    Parameters
    ----------
    values : iterable of numbers
    name, role, looks
        As in `Line`.
    beside : (int, int)
        Which of how many bars they are at each place.
    start : int
        Where the first one stands.
    """
    heights = [float(value) for value in values]
    mine, many = beside
    wide = 0.8 / many
    lefts = [start + place - 0.4 + mine * wide for place in range(len(heights))]
    xs = np.array([x for left in lefts for x in (left, left + 0.94 * wide)])
    ys = np.array([y for height in heights for y in (height, 0.0)])
    return Line(xs, ys, name, role, steps=True, low=np.zeros_like(ys), high=ys, filled=True, **looks)


def grouped_bars(ours: tuple[Iterable[Any], str], theirs: tuple[Iterable[Any], str]) -> tuple[Line, Line]:
    """Return two rows of bars beside each other over 0, 1, 2 and so on, each with its name; the second is the rival."""
    return bars(*ours, beside=(0, 2)), bars(*theirs, "rival", beside=(1, 2))


def mechanism(
    key: str,
    title: str,
    chances: Any,
    alpha: Fraction | float,
    texts: Callable[[int, int], str] | None = None,
    *,
    axes: tuple[str, str] = (message("true result i"), message("released r")),
) -> Matrix:
    """Return the picture of a mechanism: rows are true results, columns what is released; `texts` has the exact chances."""
    cells = dense_cells(np.asarray(chances, dtype=float))
    return Matrix(key, title, cells, *axes, texts=texts, ratio_limit=float(1 / alpha))


def geometric_places(low: float, high: float, parts: int = 160) -> list[float]:
    """Return places from `low` to `high` in equal ratios."""
    return [float(x) for x in np.geomspace(low, high, parts + 1)]
