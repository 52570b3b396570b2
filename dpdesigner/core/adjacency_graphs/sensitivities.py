"""Sensitivities found by going through all databases of a few rows with two bits each, and all their neighbours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement

_VALUES = ((0, 0), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True)
class Sensitivities:
    """The most that neighbours differ by, in the sum of absolute differences.

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
    """Return those of databases of so many rows, whose order does not matter.

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
