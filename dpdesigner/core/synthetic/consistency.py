"""Noisy counts of cells made into a column: cell by cell, or in a hierarchy, then consistent with the total and never negative.

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

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.cells import running_total
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise


@dataclass(frozen=True)
class Shape:
    """How the cells are counted: at each level every part is cut in so many; (128,) is cell by cell, (16, 8) two levels.

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
        """Return how many parts each level has, from the coarsest."""
        return [int(size) for size in np.cumprod(self.fans)]

    def level_privacy(self, epsilon: Fraction, touched: int) -> PrivacyLevel:
        """Return the privacy of each count: epsilon shared evenly among the levels, on each of which a row touches so many."""
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
    """Return the cells of the least squares that agree with all levels and with the total.

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
    """The sums of so many neighbours each."""
    sums: Floats = np.einsum("...ij->...i", parts.reshape(*parts.shape[:-1], -1, fan))
    return sums


def straightened(cells: ArrayLike, total: int) -> Integers:
    """Return whole counts of at least 0 with this total: the running total made to rise by isotonic regression, and rounded."""
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
    """Return a made-up column's counts, (size,), from noisy counts of the levels; the total is public, or was released before.

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
