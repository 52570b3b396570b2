"""A synthetic column by noisy bisection: Algorithm 2 of [BLR], corrected, its law on tiny domains, and failure rates.

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import ceil, exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.synthetic.cells import Query, running_total
from dpdesigner.core.synthetic.draws import SYSTEM, Source, for_study, geometric_noise
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

_ROUNDING = 1e-9  # safety margin for the rounding of logarithms


@dataclass(frozen=True)
class Plan:
    """The data-independent part of bisection.

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
    """The cells that bisection produced, and its count queries.

    Attributes
    ----------
    plan : Plan
    ends : tuple of int
        Where each cell ends; the last at 2^bits.
    queries : tuple of Query
    """

    plan: Plan
    ends: tuple[int, ...]
    queries: tuple[Query, ...]

    @property
    def counts(self) -> Integers:
        """(2^bits,): the synthetic counts, n in total."""
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
    """The error bound of Theorem 4.3, corrected: no interval's error exceeds `rows` if no cell holds more than `tied` rows.

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
    """Return the error bound in advance, or None if there are too few rows for it.

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
    """Return the least number of rows for `error_bound`: 1 / alpha'^2, and enough that all noise is within alpha'^2 n.

    Notes
    -----
    P(|Z| > eta n) = 2 a^K / (1 + a) with K = floor(eta n) + 1 for noise of ratio a = exp(-eps'): d M times that is at most delta
    from K = ln(2 d M / ((1 + a) delta)) / eps' on.
    """
    level = plan.query.epsilon
    least = ceil((log(2 / (1 + exp(-level))) + log(plan.queries / failure) + _ROUNDING) / level)
    return ceil(max(least - 1, 1) * 36 / accuracy**2)


def next_end(start: int, made: int, plan: Plan, above: Callable[[int, int], bool]) -> int:
    """Return the end of the cell that begins at `start`, after `made` others; ``above(low, high)`` is the noisy comparison."""
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
    """Return counts in `size` cells that divide the rows equally among the stretches between ends, evenly within each."""
    bounds = np.concatenate([[0], np.asarray(ends, dtype=np.int64)])
    totals = np.interp(np.arange(size + 1), bounds, rows * np.arange(len(bounds)) / (len(bounds) - 1))
    return np.diff(np.floor(totals + 0.5)).astype(np.int64)


def sensitivity(one: ArrayLike, other: ArrayLike) -> int:
    """Return the largest difference in any half-open interval's count between two columns of counts."""
    path = running_total(one) - running_total(other)
    return int(path.max() - path.min())


LAW_BITS, LAW_ROWS = 3, 4
_LAW_ROUNDING = 1e-12

Database = tuple[int, ...]


def law(counts: Sequence[int], plan: Plan) -> dict[tuple[int, ...], float]:
    """Return the probability of every possible tuple of cell ends.

    Parameters
    ----------
    counts : sequence of int
        (2^bits,), bits at most 3.
    plan : Plan

    Notes
    -----
    P(count + Z >= least) for two-sided geometric Z of ratio a = exp(-eps'): a^k / (1 + a) for k = least - count > 0, and
    1 - a^(1 - k) / (1 + a) otherwise. All paths of the bisections are followed.
    """
    if plan.bits > LAW_BITS:
        raise InputError(f"the law is enumerated for at most {LAW_BITS} bits, got {plan.bits}.", "bits")
    totals = np.concatenate([[0], np.cumsum(np.asarray(counts, dtype=np.int64))]).tolist()
    chances: dict[tuple[int, ...], float] = {}
    open_: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while open_:
        ends, chance = open_.pop()
        start = ends[-1] if ends else 0
        if start == 1 << plan.bits:
            chances[ends] = chances.get(ends, 0.0) + chance
            continue
        last = len(ends) == plan.most - 1
        for end, part in _ends(start, totals, plan) if not last else [(1 << plan.bits, 1.0)]:
            open_.append(((*ends, end), chance * part))
    return dict(sorted(chances.items()))


def _ends(start: int, totals: Sequence[int], plan: Plan) -> Iterator[tuple[int, float]]:
    waiting = [(start + 1, 1 << plan.bits, 1.0)]
    while waiting:
        low, high, chance = waiting.pop()
        if low == high:
            yield low, chance
            continue
        middle = (low + high) // 2
        above = at_least(totals[middle] - totals[start], plan)
        waiting += [(low, middle, chance * above), (middle + 1, high, chance * (1 - above))]


def at_least(count: int, plan: Plan) -> float:
    """Return the probability that a noisy count is at least ``plan.least``."""
    ratio, lacking = exp(-plan.query.epsilon), plan.least - count
    return ratio**lacking / (1 + ratio) if lacking > 0 else 1 - ratio ** (1 - lacking) / (1 + ratio)


@dataclass(frozen=True)
class ExactPrivacy:
    """The largest log ratio of two neighbours' probabilities of one output, rounded up, and where it is attained."""

    epsilon: float
    output: tuple[int, ...]
    one: Database
    other: Database


def exact_privacy(plan: Plan) -> ExactPrivacy:
    """Return the attained privacy of bisection, over all databases of ``plan.rows`` rows and all their neighbours."""
    every, ones, others = neighbours(plan.bits, plan.rows)
    bases = [tuple(base) for base in every.tolist()]
    laws = [law(base, plan) for base in bases]
    worst = ExactPrivacy(0.0, (), (), ())
    for one, other in zip(ones.tolist(), others.tolist(), strict=True):
        for output, chance in laws[one].items():
            ratio = abs(log(chance / laws[other][output]))
            if ratio > worst.epsilon:
                worst = ExactPrivacy(ratio, output, bases[one], bases[other])
    return replace(worst, epsilon=worst.epsilon * (1 + _LAW_ROUNDING))


@lru_cache(maxsize=32)
def neighbours(bits: int, rows: int) -> tuple[Integers, Integers, Integers]:
    """Return the counts of all databases of this many rows in 2^bits cells, and the indices of all pairs that differ by one row.

    Returns
    -------
    counts : ndarray of int
        (databases, 2^bits).
    one, other : ndarray of int
        (pairs,): one row of `one` is replaced by another in `other`; each pair once.
    """
    if bits > LAW_BITS or not 0 < rows <= LAW_ROWS:
        allowed = f"{LAW_BITS} bits and from 1 to {LAW_ROWS} rows"
        raise InputError(f"all databases are tried for at most {allowed}, got {bits} bits and {rows} rows.", "bits")
    every = list(databases(1 << bits, rows))
    counts = np.array(every, dtype=np.int64)
    off = np.abs(counts[:, np.newaxis] - counts).sum(axis=2)
    one, other = np.nonzero(np.triu(off == 2))
    return counts, one.astype(np.int64), other.astype(np.int64)


def databases(size: int, rows: int) -> Iterator[Database]:
    """Yield the counts of every database of this many rows in this many cells, in multiset order."""
    for chosen in combinations_with_replacement(range(size), rows):
        yield tuple(np.bincount(np.array(chosen, dtype=np.int64), minlength=size).tolist())


RUNS = 60
_COLUMNS = 3  # columns, drawn anew for each point
_MOST_ROWS = 2_000_000


@dataclass(frozen=True)
class Failures:
    """The share of releases with an error above alpha, with its standard error."""

    rows: int
    share: float
    error: float


def failures(
    bits: int, rows: int, epsilon: Fraction, accuracy: Fraction, runs: int = RUNS, progress: Progress = silent
) -> Failures:
    """Repeatedly release flat columns of this many rows, and count how often an interval's error exceeds alpha."""
    plan, size = plan_of(bits, rows, epsilon, accuracy), 1 << bits
    generator, source, failed = np.random.default_rng(rows), for_study(rows), 0
    edges = np.arange(size + 1)
    for run in range(runs):
        progress(run / runs, "")
        if run % max(runs // _COLUMNS, 1) == 0:
            counts = np.bincount(generator.integers(0, size, rows), minlength=size)
            totals = running_total(counts)
        ends = np.concatenate([[0], bisect(counts, plan, source).ends])
        made = np.floor(np.interp(edges, ends, rows * np.arange(len(ends)) / (len(ends) - 1)) + 0.5)
        path = made - totals
        failed += float(path.max() - path.min()) > accuracy * rows
    share = failed / runs
    return Failures(rows, share, sqrt(max(share * (1 - share), 1 / (4 * runs)) / runs))


def row_numbers(stated: float, right: float) -> list[int]:
    """Return the numbers of rows to test, from below the stated size to where failures stop, the middle ones first."""
    low, high = max(stated / 8, 10), min(max(right, stated) * 1.2, stated * 32, _MOST_ROWS)
    grid = np.unique(np.geomspace(low, max(high, low * 2), 9).astype(int))
    order = np.argsort(abs(np.arange(len(grid)) - len(grid) // 3), kind="stable")
    return [round(stated), *(int(rows) for rows in grid[order])]
