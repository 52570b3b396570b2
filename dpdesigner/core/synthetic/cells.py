"""A column in cells: half-open parts of equal width on an axis, how many rows lie in each, and which interval comes off worst."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.errors import InputError

MOST_BITS = 20


@dataclass(frozen=True)
class Cells:
    """The 2^bits cells [low + k w, low + (k + 1) w) of an axis, w = (high - low) / 2^bits.

    Parameters
    ----------
    low, high : Fraction
        low < high.
    bits : int
        1 to 20.
    """

    low: Fraction
    high: Fraction
    bits: int

    def __post_init__(self) -> None:
        if not 1 <= self.bits <= MOST_BITS:
            raise InputError(f"there must be 2 to the 1 up to 2 to the {MOST_BITS} cells, got bits = {self.bits}.", "bits")
        if not self.low < self.high:
            raise InputError(f"low must be below high, got {float(self.low):g} and {float(self.high):g}.", "high")

    @property
    def size(self) -> int:
        """The number of cells."""
        return 1 << self.bits

    @property
    def width(self) -> Fraction:
        """Of each."""
        return (self.high - self.low) / self.size

    def edge(self, k: int) -> Fraction:
        """Return the lower edge of cell k; the upper edge of the last one for k = size."""
        return self.low + k * self.width

    @cached_property
    def edges(self) -> Floats:
        """(size + 1,): all edges, each the double nearest to it."""
        common = self.width.denominator * self.low.denominator
        if common * max(Fraction(1), abs(self.low), abs(self.high)) < 2**53:  # all are whole numbers over this, which is a double
            start, step = int(self.low * common), int(self.width * common)
            return np.asarray((start + step * np.arange(self.size + 1)) / common)
        return np.array([float(self.edge(k)) for k in range(self.size + 1)])

    def nearest_edge(self, value: float) -> int:
        """Return which edge is nearest to a number."""
        share = (value - float(self.low)) / float(self.high - self.low)
        return int(np.clip(round(share * self.size), 0, self.size))

    @cached_property
    def places(self) -> Floats:
        """(size,): the number that a made-up row of each cell gets: the middle; a whole one where edges are whole."""
        if self.low.denominator == self.width.denominator == 1:
            return np.floor((self.edges[:-1] + self.edges[1:]) / 2)
        return (self.edges[:-1] + self.edges[1:]) / 2

    def outside(self, values: ArrayLike) -> int | None:
        """Return the place of the first value in no cell; None where all are in one."""
        numbers = np.asarray(values, dtype=float)
        wrong = np.flatnonzero(~((numbers >= self.edges[0]) & (numbers < self.edges[-1])))
        return int(wrong[0]) if len(wrong) else None

    def cells_of(self, values: ArrayLike) -> Integers:
        """Return in which cell each value lies; outside the axis, the nearest one."""
        numbers = np.asarray(values, dtype=float)
        return np.clip(np.searchsorted(self.edges, numbers, side="right") - 1, 0, self.size - 1)

    def counts(self, values: ArrayLike) -> Integers:
        """Return how many values lie in each cell; those outside count in the nearest one."""
        return np.bincount(self.cells_of(values), minlength=self.size).astype(np.int64)

    def values(self, counts: ArrayLike) -> Floats:
        """Return a column with these counts, in rising order."""
        return np.repeat(self.places, np.asarray(counts, dtype=np.int64))


def drawn_counts(shape: ArrayLike, rows: int, size: int) -> Integers:
    """Return (size,) counts of so many rows that lie along the axis as a shape of bars of equal width does, even within each.

    Parameters
    ----------
    shape : array_like
        (bars,), at least 0, not all 0.
    rows : int
    size : int

    Notes
    -----
    The running total is rounded at every edge, so that no count is off by more than 1, no running total by more than 1/2, and
    the total is right.
    """
    bars = np.asarray(shape, dtype=float)
    totals = np.concatenate([[0.0], np.cumsum(bars / bars.sum())])
    below = np.interp(np.arange(size + 1) / size, np.arange(len(totals)) / (len(totals) - 1), totals / totals[-1])
    whole: Integers = np.floor(rows * below + 0.5).astype(np.int64)
    return np.diff(whole)


def running_total(counts: ArrayLike) -> Integers:
    """Return (size + 1,) how many rows lie below each edge."""
    whole = np.asarray(counts, dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(whole)])


@dataclass(frozen=True)
class Query:
    """One count that was asked: rows in cells low to high - 1, with noise; all of it may be published."""

    low: int
    high: int
    answer: int


@dataclass(frozen=True)
class Worst:
    """The interval whose count is furthest off: cells low to high - 1, by `error` rows (made up - real)."""

    low: int
    high: int
    error: int


def worst_interval(real: ArrayLike, made: ArrayLike) -> Worst:
    """Return the interval of cells whose count is furthest off, from the counts in the cells.

    Notes
    -----
    The error of [a, b) is D(b) - D(a), D the difference of the running totals, so the worst lies between the greatest and the
    least value of D: all 2^bits (2^bits + 1) / 2 intervals are looked at in one pass.
    """
    return worst_of(running_total(made) - running_total(real))


def worst_of(path: Integers) -> Worst:
    """Return the interval whose count is furthest off, from the difference of the running totals; see `worst_interval`."""
    top, bottom = int(np.argmax(path)), int(np.argmin(path))
    if path[top] == path[bottom]:
        return Worst(0, len(path) - 1, 0)
    low, high = min(top, bottom), max(top, bottom)
    return Worst(low, high, int(path[high] - path[low]))
