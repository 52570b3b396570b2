"""Sensitivities: by how much one row can change the answers, in the L1 norm.

Papers differ in what one row may do: be replaced ([GRS], [Notes]) or be added or removed ([CACM]). For a count it makes no
difference; a histogram has sensitivity 1 when a row is added or removed but 2 when one is replaced, so that [CACM]'s "sensitivity
1" holds for its own notion of neighbours only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal, TypeVar

from dpdesigner.core.numbers import Number, exact
from dpdesigner.errors import InputError

#: How neighbouring databases differ.
Neighbours = Literal["add-remove", "replace"]
Row = TypeVar("Row")

_LARGEST_SEARCH = 200_000


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
        raise InputError(f"the lower bound must be below the upper one, got {low} and {high}.", "low")
    if neighbours == "replace":
        return Sensitivity(most - least, "a replaced value can move from one bound to the other.")
    return Sensitivity(max(abs(least), abs(most)), "an added or removed value is at most this far from 0.")


def together(parts: Sequence[Sensitivity]) -> Sensitivity:
    """Return the L1 sensitivity of a vector of queries on the same rows: at most the sum."""
    if not parts:
        raise InputError("a vector query needs at least one part, got none.", "queries")
    return Sensitivity(sum((part.value for part in parts), Fraction(0)), "one row may change every part by its most.")


def largest_change(
    query: Callable[[tuple[Row, ...]], Sequence[int]], domain: Sequence[Row], n: int, neighbours: Neighbours
) -> int:
    """Find the sensitivity of a whole-number query on small databases by trying every pair of neighbours.

    Parameters
    ----------
    query : callable
        From a tuple of rows to its answers.
    domain : sequence
        Every value that a row can have.
    n : int
        How many rows; with ``"add-remove"`` the neighbour has one fewer.
    neighbours : {"add-remove", "replace"}
        How neighbours differ.

    Raises
    ------
    InputError
        If there are too many databases to try.
    """
    _check(neighbours)
    if n < 1 or len(domain) ** n * n * len(domain) > _LARGEST_SEARCH:
        raise InputError(f"{len(domain)} values in {n} rows make too many databases to try.", "n")
    largest = 0
    for rows in product(domain, repeat=n):
        answer = query(rows)
        for place in range(n):
            rest = rows[:place], rows[place + 1 :]
            others = [(*rest[0], row, *rest[1]) for row in domain] if neighbours == "replace" else [rest[0] + rest[1]]
            for other in others:
                largest = max(largest, sum(abs(a - b) for a, b in zip(answer, query(other), strict=True)))
    return largest


def _check(neighbours: str) -> None:
    if neighbours not in ("add-remove", "replace"):
        raise InputError(f"neighbours must be add-remove or replace, got {str(neighbours)[:40]!r}.", "neighbours")
