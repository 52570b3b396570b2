"""Sensitivities: the largest change of the answers by one row, in the L1 norm, stated or computed on small databases.

Papers differ in what one row may do: be replaced ([GRS], [Notes]) or be added or removed ([CACM]). For a count it makes no
difference; a histogram has sensitivity 1 when a row is added or removed but 2 when one is replaced, so that [CACM]'s "sensitivity
1" holds for its own notion of neighbours only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Literal

from dpdesigner.core.basics.parsing import Number, cut, exact, excerpt
from dpdesigner.errors import InputError

#: How neighbouring databases differ.
Neighbours = Literal["add-remove", "replace"]


@dataclass(frozen=True)
class Sensitivity:
    """The L1 sensitivity of a query, a sentence of explanation, and the query with the conditions under which it holds."""

    value: Fraction
    reason: str
    query: str = ""


def count(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of a count of rows that satisfy a condition, including one such as A AND B: 1."""
    _check(neighbours)
    return Sensitivity(Fraction(1), "one row enters the count or does not, whichever way neighbours are defined.", "One count.")


def separate_counts(number: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of several counts answered together, where one row may satisfy every condition."""
    _check(neighbours)
    if number < 1:
        raise InputError(f"there must be at least one count, got {number}.", "queries")
    return Sensitivity(Fraction(number), f"one row may enter all {number} counts at once.", f"{number} counts.")


def histogram(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of a histogram with any number of cells."""
    _check(neighbours)
    if neighbours == "replace":
        return Sensitivity(Fraction(2), "a replaced row leaves one cell and enters another.")
    return Sensitivity(Fraction(1), "an added or removed row changes one cell by one.")


def bounded_sum(low: Number, high: Number, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of a sum of values between two bounds."""
    _check(neighbours)
    least, most = exact(low, "low"), exact(high, "high")
    if not least < most:
        raise InputError(f"the lower bound must be below the upper one, got {cut(low)} and {cut(high)}.", "low")
    query = f"Sum of values between {low} and {high}; values outside must first be cut to these bounds."
    if neighbours == "replace":
        return Sensitivity(most - least, "a replaced value can move from one bound to the other.", query)
    return Sensitivity(max(abs(least), abs(most)), "an added or removed value is at most this far from 0.", query)


def bounded_mean(low: Number, high: Number, rows: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of a mean of values clamped to two bounds.

    Parameters
    ----------
    low, high : Number
    rows : int
        At least how many values there are, before one is removed.
    neighbours : {"add-remove", "replace"}

    Notes
    -----
    One of m >= n values moves the sum by at most high - low, so the mean by a part of that ([Notes], global sensitivity). Where
    x is removed and the others have the mean M, the mean moves by (x - M) / m; where one is added, by a part of m + 1.
    """
    _check(neighbours)
    width = bounded_sum(low, high, "replace").value
    if rows < 1:
        raise InputError(f"there must be at least one row, got {rows}.", "rows")
    change = "a replaced value" if neighbours == "replace" else "an added or removed value"
    return Sensitivity(
        width / rows,
        f"{change} moves the mean by at most the range / {rows}.",
        f"Mean of at least {rows} values between {low} and {high}; values outside must first be cut to these bounds.",
    )


def _check(neighbours: str) -> None:
    if neighbours not in ("add-remove", "replace"):
        raise InputError(f"neighbours must be add-remove or replace, got {excerpt(neighbours)}.", "neighbours")


_VALUES = ((0, 0), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True)
class Sensitivities:
    """The largest differences between neighbours, as sums of absolute differences.

    Attributes
    ----------
    both, separate, histogram : int
        Of the count of rows with both bits, of the counts of each bit, and of the counts in the four cells.
    pairs : int
        How many pairs were gone through.
    """

    both: int
    separate: int
    histogram: int
    pairs: int


def sensitivities(rows: int, joins: bool) -> Sensitivities:
    """Return the sensitivities over databases of this many rows, whose order does not matter.

    Parameters
    ----------
    rows : int
        At least 1.
    joins : bool
        Whether neighbours have a row more or less; else a row is replaced.
    """
    most, pairs = [0, 0, 0], 0
    for database in combinations_with_replacement(_VALUES, rows):
        cells = Counter(database)
        for gone in set(database):
            for come in [None] if joins else [value for value in _VALUES if value != gone]:
                other = cells - Counter([gone]) + Counter([] if come is None else [come])
                pairs += 1
                for k, count in enumerate((_both, _separate, _histogram)):
                    most[k] = max(most[k], sum(abs(a - b) for a, b in zip(count(cells), count(other), strict=True)))
    return Sensitivities(most[0], most[1], most[2], pairs)


def _both(cells: Counter[tuple[int, int]]) -> tuple[int, ...]:
    return (cells[1, 1],)


def _separate(cells: Counter[tuple[int, int]]) -> tuple[int, ...]:
    return cells[1, 0] + cells[1, 1], cells[0, 1] + cells[1, 1]


def _histogram(cells: Counter[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(cells[value] for value in _VALUES)
