"""A synthetic column by noisy bisection: Algorithm 2 of [BLR] (ReleaseIntervals), corrected.

The axis has 2^d cells. Beginning at a = 0, the least b is looked for whose cells a..b - 1 hold more than alpha' n rows, by
bisection over whole numbers with noisy counts; then a = b. All made-up cells get the same number of rows. With alpha' = alpha / 6
and M = ceil(8 / alpha), every count has noise of ratio exp(-eps'), eps' = eps / (d M).

Corrected against the paper: the midpoint is that of what is left to search, so that the search ends (as printed it does not);
there are at most M cells, the last takes the rest, and at most d counts for each, so that eps' d M = eps holds; bounds are whole
numbers and cells half-open; n made-up rows, not k alpha' n; every count is eps'-private, not 1/eps'.

Privacy does not depend on ties: replacing a row moves each half-open count by at most 1, however many rows share its cell
(`sensitivity`, tested on all tiny databases), and the number of counts is bounded by the design. Accuracy does: rows of one cell
cannot be parted, so a cell with more than alpha'^2 of the rows breaks the proof of Theorem 4.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Integers
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.cells import Query, running_total
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise


@dataclass(frozen=True)
class Plan:
    """What of bisection is fixed before the data are looked at.

    Attributes
    ----------
    bits : int
        d.
    rows : int
        n, public.
    most : int
        M, the most cells.
    least : int
        A noisy count of at least this many rows is one above alpha' n.
    query : PrivacyLevel
        Of one count, eps' = eps / (d M).
    """

    bits: int
    rows: int
    most: int
    least: int
    query: PrivacyLevel

    @property
    def queries(self) -> int:
        """How many counts the budget is for."""
        return self.bits * self.most


def plan_of(bits: int, rows: int, epsilon: Fraction, alpha: Fraction) -> Plan:
    """Return the plan for an epsilon and an accuracy alpha in (0, 1]."""
    most = -(-8 * alpha.denominator // alpha.numerator)
    least = int(alpha / 6 * rows) + 1
    return Plan(bits, rows, most, least, PrivacyLevel.from_epsilon(epsilon / (bits * most)))


@dataclass(frozen=True, eq=False)
class Bisected:
    """The cells that bisection made, and the counts that it asked.

    Attributes
    ----------
    ends : tuple of int
        Where each cell ends; the last at 2^bits.
    queries : tuple of Query
    """

    plan: Plan
    ends: tuple[int, ...]
    queries: tuple[Query, ...]

    @property
    def counts(self) -> Integers:
        """(2^bits,): the made-up counts, n in all."""
        return spread(self.ends, self.plan.rows, 1 << self.plan.bits)


def bisect(counts: ArrayLike, plan: Plan, source: Source = SYSTEM) -> Bisected:
    """Make cells of about alpha' n rows each, privately.

    Parameters
    ----------
    counts : array_like of int
        (2^bits,): the real counts.
    plan : Plan
    source : Source
    """
    totals, size = running_total(counts), 1 << plan.bits
    noise = iter(geometric_noise(plan.query, plan.queries, source).tolist())
    ends: list[int] = []
    asked: list[Query] = []

    def above(low: int, high: int) -> bool:
        asked.append(Query(low, high, int(totals[high] - totals[low]) + next(noise)))
        return asked[-1].answer >= plan.least

    while (ends[-1] if ends else 0) < size:
        ends.append(next_end(ends[-1] if ends else 0, len(ends), plan, above))
    return Bisected(plan, tuple(ends), tuple(asked))


def next_end(start: int, made: int, plan: Plan, above: Callable[[int, int], bool]) -> int:
    """Return where the cell that begins at `start` ends, after `made` others; ``above(low, high)`` is the noisy comparison."""
    low, high = start + 1, 1 << plan.bits
    if made == plan.most - 1:
        return high
    while low < high:
        middle = (low + high) // 2
        if above(start, middle):
            high = middle
        else:
            low = middle + 1
    return low


def spread(ends: ArrayLike, rows: int, size: int) -> Integers:
    """Return counts in `size` cells that share the rows equally among the stretches between the ends, and evenly in each."""
    bounds = np.concatenate([[0], np.asarray(ends, dtype=np.int64)])
    totals = np.interp(np.arange(size + 1), bounds, rows * np.arange(len(bounds)) / (len(bounds) - 1))
    return np.diff(np.floor(totals + 0.5)).astype(np.int64)


def sensitivity(one: ArrayLike, other: ArrayLike) -> int:
    """Return by how much the count of any half-open interval differs between two columns of counts."""
    path = running_total(one) - running_total(other)
    return int(path.max() - path.min())
