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
from math import ceil, exp, log

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Integers
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.synthetic.cells import Query, running_total
from dpdesigner.core.synthetic.draws import SYSTEM, Source, geometric_noise

_ROUNDING = 1e-9  # of logarithms, to the safe side


@dataclass(frozen=True)
class Plan:
    """The part of bisection that is fixed without looking at the data.

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
        """The number of counts that share the budget."""
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


@dataclass(frozen=True)
class ErrorBound:
    """The error bound of Theorem 4.3, corrected: no interval is off by more than `rows`, if no cell holds more than `tied` rows.

    Attributes
    ----------
    rows : int
        floor(alpha n).
    tied : int
        floor(alpha'^2 n).
    failure : float
        Probability that the bound does not hold.
    """

    rows: int
    tied: int
    failure: float


def error_bound(plan: Plan, accuracy: Fraction, failure: float) -> ErrorBound | None:
    """Return the error bound in advance, None where there are too few rows for it.

    Notes
    -----
    Let eta = alpha'^2, |noise| <= eta n in all d M counts, and no cell with more than eta n rows. Then every part but the last
    holds between (alpha' - eta) n and (alpha' + 2 eta) n rows and the last at most that, so there are k <= M parts of n / k
    synthetic rows each. For r whole parts the real and the synthetic count differ by at most 3 eta n r (k - r) / k + alpha' n,
    and each of the two parts at the ends adds at most (alpha' + 2 eta) n. With alpha' <= 1/6 that is below 4.7 alpha' n; rounding
    adds a row.
    """
    tied = int(accuracy**2 / 36 * plan.rows)
    if tied < 1 or plan.rows < least_rows(plan, accuracy, failure):
        return None
    return ErrorBound(int(accuracy * plan.rows), tied, failure)


def least_rows(plan: Plan, accuracy: Fraction, failure: float) -> int:
    """Return the least number of rows for `error_bound`: 1 / alpha'^2, and so many that all noise is within alpha'^2 n.

    Notes
    -----
    P(|Z| > eta n) = 2 a^K / (1 + a) with K = floor(eta n) + 1 for noise of ratio a = exp(-eps'): d M times that is at most delta
    from K = ln(2 d M / ((1 + a) delta)) / eps' on.
    """
    level = plan.query.epsilon
    least = ceil((log(2 / (1 + exp(-level))) + log(plan.queries / failure) + _ROUNDING) / level)
    return ceil(max(least - 1, 1) * 36 / accuracy**2)


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
