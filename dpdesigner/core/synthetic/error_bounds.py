"""Error bounds that hold before a column is looked at: the largest error of any interval, from the noise alone.

`dpdesigner.core.synthetic.cells` says why the range of the noise path bounds the error of every interval, whatever the
column. Its quantile is measured on simulated noise: an order statistic, taken so high that chance makes it too low as rarely as
a normal number is 6 standard errors off, once in 10^9.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.cells import Shape, consistent
from dpdesigner.progress import Progress, silent

MOST_DRAWS, FEW_DRAWS = 200_000, 20_000
MOST_CELLS = 1 << 20
_CELLS_AT_ONCE = 1 << 18
_FLOATS = 1e-3  # safety margin for single-precision errors in a path
_CELLS_IN_ALL, _FEW_CELLS = 80_000_000, 16_000_000
_LEAST_DRAWS, _LEAST_OF_FEW = 1000, 424  # fewer than 404 cannot ensure a bound for 19 releases in 20
_CHANCE = 9.8e-10  # probability of exceeding six standard errors
_SEARCHED_BITS, _THREE_LEVELS = 12, 9
_SEED = 20260101  # fixed, so that an error bound is the same each time it is computed


@dataclass(frozen=True)
class ErrorBound:
    """The largest error of any interval, in rows, except in a share `failure` of releases.

    Attributes
    ----------
    rows : int or None
        The range of the noise path, its ends rounded as a release's are, at that quantile; None where so few draws promise none.
    failure : float
    draws : int
        Simulated releases that it rests on; 0 where it is proved.
    tied : int or None
        The bound holds only if no cell has more rows than this; None where it holds for every column.
    """

    rows: int | None
    failure: float
    draws: int
    tied: int | None = None


def draws_for(size: int, most: int = MOST_DRAWS) -> int:
    """Return how many releases are simulated for this many cells."""
    cells, least = (_CELLS_IN_ALL, _LEAST_DRAWS) if most > FEW_DRAWS else (_FEW_CELLS, _LEAST_OF_FEW)
    return max(min(most, cells // size), least)


def noise_error_bound(
    shape: Shape,
    privacy: PrivacyLevel,
    failure: float,
    total: PrivacyLevel | None = None,
    draws: int | None = None,
    progress: Progress = silent,
) -> ErrorBound:
    """Return the error bound for noisy counts made consistent; see `dpdesigner.core.synthetic.cells`.

    Parameters
    ----------
    shape : Shape
    privacy : PrivacyLevel
        Of each count.
    failure : float
        delta in (0, 1).
    total : PrivacyLevel or None
        Of the number of rows, where it is not public but released too.
    draws : int, optional
    progress : callable
        May raise to stop.
    """
    if shape.size > MOST_CELLS:
        return ErrorBound(None, failure, 0)
    many = draws or draws_for(shape.size)
    setting = (shape, privacy.alpha, None if total is None else total.alpha, many)
    if not (known := kept(*setting)):
        known.append(_ranges(*setting, progress))
    return quantile(known[0], failure)


@lru_cache(maxsize=32)
def best_shape(bits: int) -> Shape:
    """Return the hierarchy of two or three levels with the smallest error bound, chosen without looking at the data.

    Notes
    -----
    All of two levels, the coarser part at least as fine as the other, and from 9 bits on the even ones of three, compared by the
    19th of 20 simulated ranges at epsilon = 1 under replacement; which is best hardly depends on epsilon. Beyond 12 bits the most
    even three levels are taken.
    """
    if bits < 2:
        return Shape((2,))
    if bits > _SEARCHED_BITS:
        return Shape(tuple(1 << (bits + 2 - level) // 3 for level in range(3)))
    pairs = [(top, bits - top) for top in range((bits + 1) // 2, bits)]
    triples = [
        (first, second, bits - first - second)
        for first in range(bits)
        for second in range(1, first + 1)
        if bits >= _THREE_LEVELS and 0 < bits - first - second <= second and first <= bits - first - second + 2
    ]
    shapes = [Shape(tuple(1 << part for part in parts)) for parts in (*pairs, *triples)]
    draws = int(np.clip((1 << 22) >> bits, 1000, 4000))
    return min(shapes, key=lambda shape: _at_one(shape, draws))


def _at_one(shape: Shape, draws: int) -> float:
    ranges = _ranges(shape, shape.level_privacy(Fraction(1), 2).alpha, None, draws, silent)
    return float(np.quantile(ranges, 0.95))


def quantile(ranges: Floats, failure: float) -> ErrorBound:
    """Return the smallest order statistic of sorted ranges that is, with near certainty, at least the quantile 1 - failure.

    Notes
    -----
    The r-th of N is below that quantile only if at least r of N independent ranges are, which has probability
    P(Bin(N, 1 - failure) >= r) = I_{1 - failure}(r, N - r + 1) at most: the least r with at most `_CHANCE` is taken.
    """
    from scipy.special import betainc

    many = len(ranges)
    least, most = ceil((1 - failure) * many), many + 1
    while least < most:
        r = (least + most) // 2
        if betainc(r, many - r + 1, 1 - failure) <= _CHANCE:
            most = r
        else:
            least = r + 1
    return ErrorBound(None if least > many else int(ranges[least - 1]), failure, many)


@lru_cache(maxsize=64)
def kept(*setting: object) -> list[Floats]:
    """Return the cache list for the errors simulated in a setting; empty until they have been simulated."""
    return []


def _ranges(shape: Shape, alpha: float, total: float | None, draws: int, progress: Progress) -> Floats:
    """Return the sorted ranges of this many noise paths."""
    generator = np.random.Generator(np.random.SFC64(_SEED))
    ranges = []
    at_once = max(_CELLS_AT_ONCE // shape.size, 1)
    for start in range(0, draws, at_once):
        progress(start / draws, "")
        ranges.append(_path_ranges(shape, alpha, total, min(at_once, draws - start), generator))
    return np.sort(np.concatenate(ranges))


def _path_ranges(shape: Shape, alpha: float, total: float | None, many: int, generator: np.random.Generator) -> Floats:
    levels = [_noise(alpha, (many, size), generator) for size in shape.level_sizes()]
    of_total = np.zeros(many, dtype=np.float32) if total is None else _noise(total, (many,), generator)
    if len(levels) == 1:
        path = np.cumsum(levels[0], axis=1, dtype=float)  # sums of whole numbers are exact
        path -= (path[:, -1] - of_total)[:, np.newaxis] * (np.arange(1, shape.size + 1) / shape.size)
    else:
        path = np.cumsum(consistent(levels, shape, of_total), axis=1, dtype=float)
    highest = np.floor(np.maximum(path.max(axis=1), 0) + (0.5 + _FLOATS))
    lowest = np.floor(np.minimum(path.min(axis=1), 0) + (0.5 - _FLOATS))
    return np.asarray(highest - lowest, dtype=float)


def _noise(alpha: float, size: tuple[int, ...], generator: np.random.Generator) -> NDArray[np.float32]:
    """Draw geometric noise for measuring errors, not for releasing data.

    With W uniform in (0, 1) and a sign, |Z| = floor(max(0, ln(W (1 + alpha) / 2) / ln alpha)), for P(|Z| >= k) is
    2 alpha^k / (1 + alpha) where k > 0.
    """
    if alpha == 0:
        return np.zeros(size, dtype=np.float32)
    signed = generator.integers(-(1 << 31), 1 << 31, size, dtype=np.int32).astype(np.float32)
    signed += np.float32(0.5)
    noise = np.abs(signed)
    noise *= np.float32((1 + alpha) * 2.0**-32)
    np.log(noise, out=noise)
    noise *= np.float32(1 / np.log(alpha))
    np.maximum(noise, 0, out=noise)
    np.floor(noise, out=noise)
    return np.asarray(np.copysign(noise, signed, out=noise))
