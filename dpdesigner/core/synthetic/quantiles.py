"""A synthetic column from its quantiles, which the exponential mechanism finds one inside the other.

Level by level every stretch of the axis is cut at an edge with about as many of its rows on the left as on the right, chosen
with weights exp(-c |L - R|). With epsilon shared evenly among k levels, c = eps / (4 k) where a row is replaced: in one
stretch |L - R| changes by at most 2, or in two stretches by at most 1 each, so that a level is eps / k-private. Where a row joins
or leaves, one stretch changes by 1, and c = eps / (2 k).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Integers
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.bisection import spread
from dpdesigner.core.synthetic.cells import running_total
from dpdesigner.core.synthetic.draws import SYSTEM, Source, weighted_choice

LEVELS = 5


@dataclass(frozen=True, eq=False)
class Quantiles:
    """A release from quantiles: the 2^levels - 1 edges, and counts that share the rows evenly among them."""

    edges: tuple[int, ...]
    counts: Integers


def quantile_privacy(epsilon: Fraction, levels: int, touched: int) -> PrivacyLevel:
    """Return the level of the weights: eps / (2 touched levels); `touched` is 2 where a row is replaced, else 1."""
    return PrivacyLevel.from_epsilon(epsilon / (2 * touched * levels))


def from_quantiles(
    counts: ArrayLike, epsilon: Fraction, total: int, levels: int, touched: int, source: Source = SYSTEM
) -> Quantiles:
    """Release a column by 2^levels - 1 quantiles.

    Parameters
    ----------
    counts : array_like of int
        (size,): the real counts.
    epsilon : Fraction
    total : int
        The public number of rows, or what was released of it.
    levels : int
    touched : int
        2 where a row is replaced, 1 where one joins or leaves.
    source : Source

    Notes
    -----
    A stretch of one cell or none has no edge inside: it is cut where it begins, whatever is in it.
    """
    totals = running_total(counts)
    weights = quantile_privacy(epsilon, levels, touched)
    ends = [0, len(totals) - 1]
    for _ in range(levels):
        cuts = [_cut(totals, low, high, weights, source) for low, high in pairwise(ends)]
        ends = [0, *(end for pair in zip(cuts, ends[1:], strict=True) for end in pair)]
    return Quantiles(tuple(ends[1:-1]), _between(ends, total, len(totals) - 1))


def _cut(totals: Integers, low: int, high: int, weights: PrivacyLevel, source: Source) -> int:
    """An edge between low and high, in about the middle of the rows between them."""
    if high - low < 2:
        return low
    left = totals[low + 1 : high] - totals[low]
    return low + 1 + weighted_choice(np.abs(2 * left - (totals[high] - totals[low])), weights, source)


def _between(ends: list[int], total: int, size: int) -> Integers:
    """Equally many rows between one end and the next; stretches without a cell put theirs at the cell there."""
    spots = np.array(ends)
    shares = np.floor(total * np.arange(len(spots)) / (len(spots) - 1) + 0.5).astype(np.int64)
    counts = np.zeros(size, dtype=np.int64)
    for low, high, many in zip(spots[:-1].tolist(), spots[1:].tolist(), np.diff(shares).tolist(), strict=True):
        if high > low:
            counts[low:high] += spread([high - low], many, high - low)
        else:
            counts[min(low, size - 1)] += many
    return counts
