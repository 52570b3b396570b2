"""Sensitivities: by how much one row can change the answers, in the L1 norm.

Papers differ in what one row may do: be replaced ([GRS], [Notes]) or be added or removed ([CACM]). For a count it makes no
difference; a histogram has sensitivity 1 when a row is added or removed but 2 when one is replaced, so that [CACM]'s "sensitivity
1" holds for its own notion of neighbours only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from dpdesigner.core.numbers.parsing import Number, cut, exact, excerpt
from dpdesigner.errors import InputError

#: How neighbouring databases differ.
Neighbours = Literal["add-remove", "replace"]


@dataclass(frozen=True)
class Sensitivity:
    """The L1 sensitivity of a query, and one sentence why."""

    value: Fraction
    reason: str


def count(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of a count of the rows that satisfy a condition, also one such as A AND B: 1."""
    _check(neighbours)
    return Sensitivity(Fraction(1), "one row enters the count or does not, whichever way neighbours are defined.")


def separate_counts(number: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of several counts answered together, where one row may satisfy every condition."""
    _check(neighbours)
    if number < 1:
        raise InputError(f"there must be at least one count, got {number}.", "queries")
    return Sensitivity(Fraction(number), f"one row may enter all {number} counts at once.")


def histogram(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of a histogram, whatever its number of cells."""
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
    if neighbours == "replace":
        return Sensitivity(most - least, "a replaced value can move from one bound to the other.")
    return Sensitivity(max(abs(least), abs(most)), "an added or removed value is at most this far from 0.")


def bounded_mean(low: Number, high: Number, rows: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of a mean of values clamped to two bounds.

    Parameters
    ----------
    low, high : Number
    rows : int
        How many values: known to all where one is replaced, else the fewest that there can be.
    neighbours : {"add-remove", "replace"}

    Notes
    -----
    One of n values moves the sum by at most high - low, so the mean by a part of that ([Notes], global sensitivity). An (m + 1)th
    value x moves a mean M of m >= n values by (x - M) / (m + 1).
    """
    _check(neighbours)
    width = bounded_sum(low, high, "replace").value
    if rows < 1:
        raise InputError(f"there must be at least one row, got {rows}.", "rows")
    if neighbours == "replace":
        return Sensitivity(width / rows, "a replaced value moves the sum by at most the range; the number of rows is public.")
    return Sensitivity(width / (rows + 1), "one more value moves the mean of at least n values by at most the range / (n + 1).")


def _check(neighbours: str) -> None:
    if neighbours not in ("add-remove", "replace"):
        raise InputError(f"neighbours must be add-remove or replace, got {excerpt(neighbours)}.", "neighbours")
