"""A column in cells of equal width on an axis, and noisy cell counts made consistent with the total and nonnegative.

Noisy counts of cells made into a column: cell by cell, or in a hierarchy, then consistent with the total and never negative.

Both add integer noise to counts, take the least squares that agree with the public number of rows, and straighten the running
total. With P_k the error of the running total before straightening, its range max P - min P bounds the error of every interval,
and neither straightening (isotonic regression lies between T + min P and T + max P, which both rise), nor keeping within 0..n,
nor rounding can widen it: T is whole, so rounding x to floor(x + 1/2) leaves T + floor(min P + 1/2) and T + floor(max P + 1/2)
bounds of what is made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise
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
        """The width of each cell."""
        return (self.high - self.low) / self.size

    def edge(self, k: int) -> Fraction:
        """Return the lower edge of cell k; for k = size, the upper edge of the last cell."""
        return self.low + k * self.width

    @cached_property
    def edges(self) -> Floats:
        """(size + 1,): all edges, each the double nearest to it."""
        common = self.width.denominator * self.low.denominator
        if common * max(Fraction(1), abs(self.low), abs(self.high)) < 2**53:  # all edges are integers over this exact double
            start, step = int(self.low * common), int(self.width * common)
            return np.asarray((start + step * np.arange(self.size + 1)) / common)
        return np.array([float(self.edge(k)) for k in range(self.size + 1)])

    def nearest_edge(self, value: float) -> int:
        """Return the index of the edge nearest to a number."""
        share = (value - float(self.low)) / float(self.high - self.low)
        return int(np.clip(round(share * self.size), 0, self.size))

    @cached_property
    def places(self) -> Floats:
        """(size,): the value of a synthetic row in each cell: the middle, or a whole number if the edges are whole."""
        if self.low.denominator == self.width.denominator == 1:
            return np.floor((self.edges[:-1] + self.edges[1:]) / 2)
        return (self.edges[:-1] + self.edges[1:]) / 2

    def outside(self, values: ArrayLike) -> int | None:
        """Return the index of the first value outside all cells; None if there is none."""
        numbers = np.asarray(values, dtype=float)
        wrong = np.flatnonzero(~((numbers >= self.edges[0]) & (numbers < self.edges[-1])))
        return int(wrong[0]) if len(wrong) else None

    def cells_of(self, values: ArrayLike) -> Integers:
        """Return the cell of each value; for a value outside the axis, the nearest cell."""
        numbers = np.asarray(values, dtype=float)
        return np.clip(np.searchsorted(self.edges, numbers, side="right") - 1, 0, self.size - 1)

    def counts(self, values: ArrayLike) -> Integers:
        """Return the number of values in each cell; those outside count in the nearest cell."""
        return np.bincount(self.cells_of(values), minlength=self.size).astype(np.int64)

    def values(self, counts: ArrayLike) -> Floats:
        """Return a column with these counts, in rising order."""
        return np.repeat(self.places, np.asarray(counts, dtype=np.int64))


def drawn_counts(shape: ArrayLike, rows: int, size: int) -> Integers:
    """Return (size,) counts of this many rows, distributed along the axis like bars of equal width, evenly within each.

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
    """Return the number of rows below each edge, (size + 1,)."""
    whole = np.asarray(counts, dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(whole)])


@dataclass(frozen=True)
class Query:
    """One count query: the rows in cells low to high - 1, with noise; all of it may be published."""

    low: int
    high: int
    answer: int


@dataclass(frozen=True)
class Worst:
    """The interval with the largest count error: cells low to high - 1, by `error` rows (synthetic - real)."""

    low: int
    high: int
    error: int


def worst_interval(real: ArrayLike, made: ArrayLike) -> Worst:
    """Return the interval of cells with the largest count error, from the counts in the cells.

    Notes
    -----
    The error of [a, b) is D(b) - D(a), D the difference of the running totals, so the worst lies between the greatest and the
    least value of D: all 2^bits (2^bits + 1) / 2 intervals are looked at in one pass.
    """
    return worst_of(running_total(made) - running_total(real))


def worst_of(path: Integers) -> Worst:
    """Return the interval with the largest count error, from the difference of the running totals; see `worst_interval`."""
    top, bottom = int(np.argmax(path)), int(np.argmin(path))
    if path[top] == path[bottom]:
        return Worst(0, len(path) - 1, 0)
    low, high = min(top, bottom), max(top, bottom)
    return Worst(low, high, int(path[high] - path[low]))


@dataclass(frozen=True)
class Shape:
    """The tree of cells: at each level every part is cut into this many; (128,) is cell by cell, (16, 8) two levels.

    Attributes
    ----------
    fans : tuple of int
        Their product is the number of cells.
    """

    fans: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of cells."""
        return int(np.prod(self.fans))

    def level_sizes(self) -> list[int]:
        """Return the number of parts in each level, coarsest first."""
        return [int(size) for size in np.cumprod(self.fans)]

    def level_privacy(self, epsilon: Fraction, touched: int) -> PrivacyLevel:
        """Return the privacy of each count: epsilon split evenly among levels, where a row touches `touched` counts each."""
        return PrivacyLevel.from_epsilon(epsilon / (touched * len(self.fans)))


def noisy_levels(counts: ArrayLike, shape: Shape, privacy: PrivacyLevel, source: Source = SYSTEM) -> tuple[Integers, ...]:
    """Return the counts of every level with exact integer noise."""
    totals = running_total(counts)
    sizes = shape.level_sizes()
    noise = geometric_noise(privacy, sum(sizes), source)
    parts = np.split(noise, np.cumsum(sizes)[:-1])
    real = [np.diff(totals[:: shape.size // size]) for size in sizes]
    return tuple(true + part for true, part in zip(real, parts, strict=True))


def consistent(levels: Sequence[NDArray[np.generic]], shape: Shape, total: float | NDArray[np.floating]) -> Floats:
    """Return the least-squares cells consistent with all levels and with the total.

    Parameters
    ----------
    levels : sequence of ndarray
        (..., parts) each, the coarsest first; all of the same variance.
    shape : Shape
    total : float or ndarray (...,)
        Known exactly.

    Notes
    -----
    Upwards each part is estimated from its own count and from its parts' sum, weighted by their variances; downwards what the
    parts lack of the whole is shared among them equally (Hay, Rastogi, Miklau and Suciu, 2010, for any fan-outs).
    """
    kind = np.result_type(np.float32, levels[-1].dtype) if levels[-1].dtype != np.int64 else np.dtype(float)
    estimates: list[Floats] = [np.asarray(levels[-1], dtype=kind)]
    sums: list[Floats] = []
    variance = 1.0
    for fan, own in zip(shape.fans[:0:-1], levels[-2::-1], strict=True):
        below = _summed(estimates[0], fan)
        weight = 1 / (1 + 1 / (fan * variance))
        variance = weight
        estimates.insert(0, kind.type(weight) * np.asarray(own, dtype=kind) + kind.type(1 - weight) * below)
        sums.insert(0, below)
    whole = np.asarray(total, dtype=kind)[..., np.newaxis]
    for fan, level, below in zip(shape.fans, estimates, [_summed(estimates[0], shape.fans[0]), *sums], strict=True):
        lacking = (whole - below) / kind.type(fan)
        whole = (level.reshape(*level.shape[:-1], -1, fan) + lacking[..., np.newaxis]).reshape(level.shape)
    return np.asarray(whole)


def _summed(parts: Floats, fan: int) -> Floats:
    """Return the sums of consecutive groups of `fan` parts."""
    sums: Floats = np.einsum("...ij->...i", parts.reshape(*parts.shape[:-1], -1, fan))
    return sums


def straightened(cells: ArrayLike, total: int) -> Integers:
    """Return nonnegative whole counts with this total: their running total by isotonic regression, then rounding."""
    path = np.cumsum(np.asarray(cells, dtype=float))[:-1]
    rising = np.floor(np.clip(isotonic(path), 0, total) + 0.5).astype(np.int64)
    return np.diff(np.concatenate([[0], rising, [total]]))


def isotonic(values: ArrayLike) -> Floats:
    """Return the nearest rising sequence in least squares (pool adjacent violators)."""
    means: list[float] = []
    sizes: list[int] = []
    for value in np.asarray(values, dtype=float).tolist():
        mean, size = value, 1
        while means and means[-1] >= mean:
            before, many = means.pop(), sizes.pop()
            mean, size = (before * many + mean * size) / (many + size), many + size
        means.append(mean)
        sizes.append(size)
    return np.repeat(means, sizes)


def smooth(counts: ArrayLike, shape: Shape, privacy: PrivacyLevel, total: int, source: Source = SYSTEM) -> Integers:
    """Return a synthetic column's counts, (size,), from noisy level counts; the total is public or already released.

    Parameters
    ----------
    counts : array_like of int
        (shape.size,): the real counts.
    shape : Shape
    privacy : PrivacyLevel
        Of each count; see `Shape.level_privacy`.
    total : int
        At least 0.
    source : Source
    """
    levels = noisy_levels(counts, shape, privacy, source)
    return straightened(consistent(levels, shape, float(total)), total)
