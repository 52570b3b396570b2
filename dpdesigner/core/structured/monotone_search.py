"""Searches over readings that do not decrease with the output: coarse to fine, all outputs of one fineness at a time.

Under Theorem A (THEORY.md 2) the best reading r(j) does not decrease with j. If it is known at some outputs, it is bounded at all
those in between. So it is found at every 2^k-th output first and then at ever finer steps; at each fineness the ranges that are
left add up to about n, which makes O(n log n) in all. Every fineness is one call with arrays of readings and outputs, so that
numpy does the work.

`first_reached` is for readings that a condition tells, false below r(j) and true from there on, such as quantiles: a bisection in
each range. `monotone_argmin` is for those that are only known to have the least score: every reading of the range is tried, and
among equal ones the smallest is taken. Rounding may make the readings found at two outputs fall where scores are equal; a best
one lies between them all the same.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers

#: Scores closer than this, relatively, are ties; a tie goes to the smallest reading. Wider than the rounding of the scores.
TIE = 64 * 2.0**-53
_MOST_AT_ONCE = 1 << 21


def first_reached(reached: Callable[[Integers, Integers], NDArray[np.bool_]], n: int) -> Integers:
    """Return for each j the smallest r with reached(r, j), given that r(j) does not decrease.

    Parameters
    ----------
    reached : callable
        Takes arrays r and j of equal length; false below r(j), true from it on; true at r = n.
    n : int

    Returns
    -------
    ndarray of int
        (n + 1,).
    """
    readings = np.full(n + 1, -1, dtype=np.int64)
    stride = 1 << max(n.bit_length() - 1, 0)
    while True:
        j, low, high = _between(readings, stride)
        while len(j):
            open_ = np.flatnonzero(low < high)
            if not len(open_):
                break
            middle = (low[open_] + high[open_]) // 2
            yes = reached(middle, j[open_])
            high[open_[yes]] = middle[yes]
            low[open_[~yes]] = middle[~yes] + 1
        readings[j] = low
        if stride == 1:
            return readings
        stride = max(1, stride // 32)


def monotone_argmin(score: Callable[[Integers, Integers], Floats], n: int, reach: int, known: Integers | None = None) -> Integers:
    """Return for each j the smallest r of least score within `reach` of j and 0..n, given that it does not decrease in j.

    Divide and conquer: O(n log n) scores. Safe for every loss of Theorem A, where SMAWK is not (THEORY.md, section 4).

    Parameters
    ----------
    score : callable
        Takes arrays r and j of equal length; scores are not negative.
    n : int
    reach : int
        Not negative.
    known : ndarray of int, optional
        (n + 1,): what is known already; -1 where it is not.

    Returns
    -------
    ndarray of int
        (n + 1,).
    """
    readings = np.full(n + 1, -1, dtype=np.int64) if known is None else known.copy()
    stride = 1 << max(n.bit_length() - 1, 0)
    while True:
        j, low, high = _between(readings, stride)
        low, high = np.maximum(low, j - reach), np.minimum(high, j + reach)
        ends = np.cumsum(high - low + 1)
        cuts = np.searchsorted(ends, np.arange(_MOST_AT_ONCE, ends[-1] if len(j) else 0, _MOST_AT_ONCE))
        for part in np.split(np.arange(len(j)), np.unique(cuts)):
            if len(part):
                readings[j[part]] = _argmin(score, j[part], low[part], high[part])
        if stride == 1:
            return readings
        stride //= 2


def _between(readings: Integers, stride: int) -> tuple[Integers, Integers, Integers]:
    """The multiples of stride that are not found yet, and the bounds that their neighbours set.

    Where ties or rounding made known readings fall, a best one lies between the two all the same, since both are best.
    """
    n = len(readings) - 1
    known = np.flatnonzero(readings >= 0)
    j = np.arange(0, n + 1, stride)
    j = j[readings[j] < 0]
    bounds = np.concatenate(([0], readings[known], [n]))
    place = np.searchsorted(known, j)
    return j, np.minimum(bounds[place], bounds[place + 1]), np.maximum(bounds[place], bounds[place + 1])


def _argmin(score: Callable[[Integers, Integers], Floats], j: Integers, low: Integers, high: Integers) -> Integers:
    sizes = high - low + 1
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    owner = np.repeat(np.arange(len(j)), sizes)
    r = np.arange(len(owner)) - np.repeat(starts - low, sizes)
    scores = score(r, j[owner])
    least = np.minimum.reduceat(scores, starts)
    good = np.flatnonzero(scores <= (least * (1 + TIE))[owner])
    return np.asarray(r[good[np.searchsorted(good, starts)]])
