"""A prior through given quantiles whose bars rise and fall smoothly, in fractions.

Counts are cells (k - 1, k], so that the knots -1, q_1, ..., q_m, n part them into segments whose masses are given. In a segment
of mass M and h cells the density is a quadratic in Bernstein's form, d0 (1-t)^2 + 2 c t(1-t) + d1 t^2 with t from 0 to 1. Its
integral is (d0 + c + d1)/3 = D = M/h, the mean density, for the middle coefficient c = 3D - d0 - d1: each quantile is kept
exactly, whatever the densities d at the knots. Neighbours share theirs, so that there are no steps:

- between two segments d is the harmonic mean of their D, at most 1.5 times the lesser, so that d0 + d1 <= 3D and c >= 0;
- at both ends d = 2D - d', with d' at the segment's other knot: a straight line, which ends at D/2 or above since d' <= 1.5 D.

The cell q steps after the left knot, p = h - q - 1 before the right one, has the integral over t from q/h to (q + 1)/h, times h:

    w = [d0 (3p^2 + 3p + 1) + c (6pq + 3p + 3q + 1) + d1 (3q^2 + 3q + 1)] / (3h^2),

which is positive, and rational where the quantiles are.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

#: So many weights are made at a time in floating point.
_AT_ONCE = 1 << 17


class Segment(NamedTuple):
    """The counts after one knot up to the next: their number, and the coefficients of their density over 3h^2."""

    cells: int
    left: Fraction
    middle: Fraction
    right: Fraction


def segments(n: int, pairs: Sequence[Fraction]) -> list[Segment]:
    """Return the segments for quantiles given as p, q, p, q, ...: P(count <= q) = p, rising in (0, 1) and 0..n - 1."""
    knots = [-1, *(int(count) for count in pairs[1::2]), n]
    chances = [Fraction(0), *pairs[::2], Fraction(1)]
    lengths = [right - left for left, right in pairwise(knots)]
    means = [(above - below) / h for (below, above), h in zip(pairwise(chances), lengths, strict=True)]
    at = [min(2 * a * b / (a + b), Fraction(3, 2) * min(a, b)) for a, b in pairwise(means)]
    at = [2 * means[0] - at[0], *at, 2 * means[-1] - at[-1]]
    parts = zip(pairwise(at), means, lengths, strict=True)
    return [Segment(h, d0 / (3 * h * h), (3 * mean - d0 - d1) / (3 * h * h), d1 / (3 * h * h)) for (d0, d1), mean, h in parts]


def smooth_quantiles(n: int, *pairs: Fraction) -> list[Fraction]:
    """P(count <= q) = p for every given pair (p, q), and smooth between."""
    return [
        left * (3 * p * p + 3 * p + 1) + middle * (6 * p * q + 3 * p + 3 * q + 1) + right * (3 * q * q + 3 * q + 1)
        for cells, left, middle, right in segments(n, pairs)
        for q in range(cells)
        for p in (cells - q - 1,)
    ]


def smooth_quantiles_fast(n: int, *pairs: Fraction) -> Any:
    """The same in floating point: whole numbers below 2^53, three roundings of factors and products, two of positive sums."""
    parts = segments(n, pairs)
    starts = np.cumsum([0, *(part.cells for part in parts)])
    left, middle, right = (np.array([float(part[place]) for part in parts]) for place in (1, 2, 3))
    weights = np.empty(n + 1)
    for first in range(0, n + 1, _AT_ONCE):
        i = np.arange(first, min(first + _AT_ONCE, n + 1))
        part = np.searchsorted(starts, i, side="right") - 1
        q = i - starts[part]
        p = starts[part + 1] - i - 1
        cell = left[part] * (3 * p * (p + 1) + 1) + middle[part] * (6 * p * q + 3 * (p + q) + 1)
        weights[i] = cell + right[part] * (3 * q * (q + 1) + 1)
    return weights
