"""Two columns at once: cells of a square grid counted with noise, and the rectangle with the worst error.

The cells are put into an order in which every square of 2^k by 2^k of them stands together, so that a hierarchy of squares is
one of stretches (`dpdesigner.core.synthetic.cells`). The error of any rectangle of the table of noisy counts, made to agree
with the total, is that of the noise alone: its worst is measured and promised. A table of rows cannot hold negative counts; the
nearest one without them (least squares) can be further off, so that of the made-up rows nothing is promised, only measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.synthetic.cells import Cells, Shape, consistent, noisy_levels
from dpdesigner.core.synthetic.draws import SYSTEM, Source
from dpdesigner.core.synthetic.error_bounds import ErrorBound, kept, quantile
from dpdesigner.progress import Progress, silent

MOST_BITS = 6  # per axis
_SEED = 20260102
_CELLS_AT_ONCE, _MOST_WORK, _MOST_DRAWS = 1 << 20, 60_000_000, 20_000


def grid_counts(first: Cells, second: Cells, x: ArrayLike, y: ArrayLike) -> Integers:
    """Return the number of pairs in each cell, (2^bits, 2^bits), with the first column on axis 0."""
    flat = np.bincount(first.cells_of(x) * second.size + second.cells_of(y), minlength=first.size * second.size)
    return flat.reshape(first.size, second.size).astype(np.int64)


@lru_cache(maxsize=8)
def order_of(bits: int) -> Integers:
    """Return, for each position in the order of squares, the index of its cell in the flattened table."""
    rows, columns = np.divmod(np.arange(1 << (2 * bits)), 1 << bits)
    key = sum(((rows >> bit) & 1) << (2 * bit + 1) | ((columns >> bit) & 1) << (2 * bit) for bit in range(bits))
    return np.argsort(key, kind="stable").astype(np.int64)


def square_shape(bits: int) -> Shape:
    """Return the hierarchy of two levels of squares, both about equally fine."""
    coarse = (bits + 1) // 2
    return Shape((4**coarse, 4 ** (bits - coarse))) if bits > coarse else Shape((4**bits,))


@dataclass(frozen=True)
class Rectangle:
    """Cells low to high - 1 of each axis, and the error of their count in rows (synthetic - real)."""

    rows: tuple[int, int]
    columns: tuple[int, int]
    error: float


def worst_rectangle(difference: ArrayLike) -> Rectangle:
    """Return the rectangle whose entries have the largest absolute sum.

    Notes
    -----
    For every pair of rows the columns' sums between them form a path, and the stretch between its greatest and its least value
    is the worst there: all rectangles are looked at by their pairs of rows.
    """
    table = np.asarray(difference, dtype=float)
    sums = np.pad(np.cumsum(np.cumsum(table, axis=0), axis=1), ((1, 0), (1, 0)))
    tops, bottoms = np.triu_indices(len(sums), 1)
    paths = sums[bottoms] - sums[tops]
    place = int(np.argmax(paths.max(axis=1) - paths.min(axis=1)))
    high, low = int(np.argmax(paths[place])), int(np.argmin(paths[place]))
    left, right = min(low, high), max(low, high)
    error = float(paths[place, right] - paths[place, left])
    return Rectangle((int(tops[place]), int(bottoms[place])), (left, max(right, left + 1)), error)


@dataclass(frozen=True, eq=False)
class SyntheticGrid:
    """A synthetic table.

    Attributes
    ----------
    table : ndarray
        The noisy counts that agree with the total; they may be negative, and any rectangle of them has the promised error.
    counts : ndarray of int
        At least 0, with the same total: the made-up rows.
    """

    table: Floats
    counts: Integers


def make_grid(counts: ArrayLike, shape: Shape, epsilon: Fraction, touched: int, source: Source = SYSTEM) -> SyntheticGrid:
    """Make a synthetic table with a public number of rows.

    Parameters
    ----------
    counts : array_like of int
        (2^bits, 2^bits): the real counts.
    shape : Shape
        Of the cells in the order of squares.
    epsilon : Fraction
    touched : int
        How many cells of a level one row can change: 2 where it is replaced.
    source : Source
    """
    real = np.asarray(counts, dtype=np.int64)
    order, total = order_of(_bits(real)), int(real.sum())
    levels = noisy_levels(real.ravel()[order], shape, shape.level_privacy(epsilon, touched), source)
    table = np.empty(real.size)
    table[order] = consistent(levels, shape, float(total))
    return SyntheticGrid(table.reshape(real.shape), integer_counts(table, total).reshape(real.shape))


def integer_counts(table: Floats, total: int) -> Integers:
    """Return the nearest non-negative integer counts with this total: by least squares, then by largest remainders."""
    falling = np.sort(table)[::-1]
    over = (np.cumsum(falling) - total) / np.arange(1, len(falling) + 1)
    kept = int(np.flatnonzero(falling > over)[-1]) if total > 0 else 0
    near = np.maximum(table - over[kept], 0.0) if total > 0 else np.zeros_like(table)
    whole = np.floor(near).astype(np.int64)
    missing = total - int(whole.sum())
    whole[np.argsort(whole - near, kind="stable")[:missing]] += 1
    return whole


def grid_error_bound(shape: Shape, bits: int, alpha: float, failure: float, progress: Progress = silent) -> ErrorBound:
    """Return the error bound in rows for every rectangle of the noisy table, in all but a share `failure` of releases."""
    pairs = (1 << bits) * ((1 << bits) + 1) // 2 * ((1 << bits) + 1)
    draws = int(np.clip(_MOST_WORK // pairs, 1000, _MOST_DRAWS))
    if not (known := kept("rectangles", shape, bits, alpha, draws)):
        known.append(_worst_of_noise(shape, bits, alpha, draws, pairs, progress))
    return quantile(np.ceil(known[0] - 1e-9), failure)


def _worst_of_noise(shape: Shape, bits: int, alpha: float, draws: int, pairs: int, progress: Progress) -> Floats:
    generator, worst = np.random.default_rng(_SEED), []
    at_once = max(_CELLS_AT_ONCE // pairs, 1)
    tops, bottoms = np.triu_indices((1 << bits) + 1, 1)
    order = order_of(bits)
    for start in range(0, draws, at_once):
        progress(start / draws, "")
        many = min(at_once, draws - start)
        levels = [_noise(alpha, (many, size), generator) for size in shape.level_sizes()]
        flat = np.empty((many, shape.size))
        flat[:, order] = consistent(levels, shape, np.zeros(many))
        tables = flat.reshape(many, 1 << bits, 1 << bits)
        sums = np.pad(np.cumsum(np.cumsum(tables, axis=1), axis=2), ((0, 0), (1, 0), (1, 0))).astype(np.float32)
        paths = sums[:, bottoms] - sums[:, tops]
        worst.append((paths.max(axis=2) - paths.min(axis=2)).max(axis=1))
    return np.sort(np.concatenate(worst)).astype(float)


def _noise(alpha: float, size: tuple[int, ...], generator: np.random.Generator) -> Floats:
    """Draw geometric noise for measuring errors, not for releasing data."""
    if alpha == 0:
        return np.zeros(size)
    one, other = (np.floor(generator.standard_exponential(size) / -np.log(alpha)) for _ in range(2))
    return np.asarray(one - other)


def _bits(table: Integers) -> int:
    return (len(table) - 1).bit_length()
