"""Error bounds in advance: of each method on a column, and the rows that the theorems need.

`dpdesigner.core.synthetic.cells` says why the range of the noise path bounds the error of every interval, whatever the
column. Its quantile is measured on simulated noise: an order statistic, taken so high that chance makes it too low as rarely as
a normal number is 6 standard errors off, once in 10^9.

The numbers of rows that the theorems of [BLR] need, as they are stated and corrected.

[BLR] A. Blum, K. Ligett, A. Roth, "A Learning Theory Approach to Non-Interactive Database Privacy", 2008. Accuracy alpha and
failure delta are in (0, 1), epsilon is positive; all logarithms are natural.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, exp, floor, lgamma, log, log1p, log2
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import size_text
from dpdesigner.core.synthetic.cells import Shape, consistent
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Sums: TypeAlias = tuple[tuple[float, float], ...]
MOST_DIMENSION = 1000
MOST_COUNTS = 10**9  # noisy numbers that can be published
OF_COLUMNS = ("each column", "cells", "conjunctions", "monotone conjunctions")
_SUMMED = 10**6  # up to this many factors of a binomial are multiplied one by one


@dataclass(frozen=True)
class Size:
    """A sample size as a paper states it, and the correct one; both are floats, to be rounded up."""

    stated: float
    right: float


def most_cells(alpha: float) -> int:
    """Return ceil(8 / alpha) = ceil(4 / (3 alpha')), alpha' = alpha / 6: the maximum number of cells that bisection makes."""
    return ceil(8 / alpha - 1e-12)


def bisection_sizes(bits: float, epsilon: float, alpha: float, delta: float) -> Size:
    """Return the sizes of Theorem 4.3 for intervals over 2^bits points.

    Notes
    -----
    Stated is (8 d / (eps alpha)) ln(8 d / (delta alpha)). At that size the union bound over all d M queries gives |noise| <= 1
    where the proof needs alpha'^2 n (a factor 36 / alpha^2). Right, with M = ceil(8 / alpha): (36 d M / (eps alpha^2))
    ln(d M / delta). Both need points that are nearly distinct: no point may hold more than alpha'^2 of the rows.
    """
    _checked(epsilon=epsilon, alpha=alpha, delta=delta)
    d, cells = bits, most_cells(alpha)
    stated = 8 * d / (epsilon * alpha) * log(8 * d / (delta * alpha))
    return Size(stated, 36 * d * cells / (epsilon * alpha**2) * log(d * cells / delta))


def bisection_size_smooth(bits: float, epsilon: float, alpha: float, delta: float) -> float:
    """Return (288 d / (eps alpha^3)) ln(8 d / (delta alpha)): the correct `bisection_sizes` with 8 / alpha cells, unrounded."""
    _checked(epsilon=epsilon, alpha=alpha, delta=delta)
    return 288 * bits / (epsilon * alpha**3) * log(8 * bits / (delta * alpha))


@dataclass(frozen=True)
class RowsNeeded:
    """Numbers of rows that bisection needs, as integers: stated, correct, and correct with 8 / alpha cells, unrounded."""

    stated: int
    right: int
    smooth: int


def rows_needed(bits: float, epsilon: float, alpha: float, delta: float) -> RowsNeeded:
    """Return `bisection_sizes` and `bisection_size_smooth`, rounded up."""
    size, smooth = bisection_sizes(bits, epsilon, alpha, delta), bisection_size_smooth(bits, epsilon, alpha, delta)
    return RowsNeeded(ceil(size.stated), ceil(size.right), ceil(smooth))


def net_size(queries: float, alpha: float) -> Size:
    """Return the number of rows that a small database needs to answer all queries of a class within alpha (Lemma 3.7).

    Notes
    -----
    Stated is ln|C| / alpha^2: the union bound leaves a chance of failing of at most 2 / |C|, below 1 for |C| >= 3. Right for
    every class: more than ln(2 |C|) / (2 alpha^2), from Hoeffding's inequality for m rows drawn with replacement.
    """
    _checked(alpha=alpha)
    if queries < 1:
        raise InputError(f"a class must have at least one query, got {queries:g}.", "queries")
    return Size(log(queries) / alpha**2, log(2 * queries) / (2 * alpha**2))


def net_mechanism_size(log_net: float, epsilon: float, alpha: float, delta: float) -> float:
    """Return the rows that the net mechanism needs on a net of exp(log_net) databases that itself errs by alpha / 2 (Prop. 3.4).

    Notes
    -----
    The exponential mechanism with weights exp(-eps n err / 2) gives a database whose error exceeds the best of the net by t with
    chance at most |net| exp(-eps n t / 2); with t = alpha / 2 that is delta at n = (4 / (eps alpha)) (ln|net| + ln(1 / delta)).
    """
    _checked(epsilon=epsilon, alpha=alpha, delta=delta)
    return 4 / (epsilon * alpha) * (log_net + log(1 / delta))


def log_multisets(points: float, size: float) -> float:
    """Return ln C(points + size - 1, size): the log of the number of databases of that size, ignoring order."""
    if points < 1 or size < 0:
        raise InputError("there must be at least one point, and the number of rows must not be negative.", "points")
    if points + size < 1000 and points == int(points) and size == int(size):
        return log(comb(int(points + size) - 1, int(size)))
    fewer, more = sorted((size, points - 1))
    if fewer <= _SUMMED:
        k = np.arange(int(fewer), dtype=float)
        return float(np.log((more + 1 + k) / (k + 1)).sum())
    rest = log1p(fewer / more)  # sum of ln(1 + k / more), k = 1 to fewer, by Euler and Maclaurin, within 1 / (12 more)
    return fewer * log(more) + (more * rest - fewer) + (fewer + 0.5) * rest - lgamma(fewer + 1)


def class_size(points: float, queries: float, epsilon: float, alpha: float, delta: float) -> Size:
    """Return a sufficient number of rows for a class of this many queries over this many points (Cor. 3.5, Lemma 3.7, Thm 3.6).

    Notes
    -----
    Stated counts |X|^m databases of m = ln|C| / (alpha/2)^2 rows: (4 / (eps alpha)) (m ln|X| + ln(1/delta)). Right counts them
    without order, C(|X| + m - 1, m), with m the least whole number above ln(2 |C|) / (2 (alpha/2)^2).
    """
    _checked(epsilon=epsilon, alpha=alpha, delta=delta)
    rows = net_size(queries, alpha / 2)
    stated = net_mechanism_size(rows.stated * log(points), epsilon, alpha, delta)
    return Size(stated, net_mechanism_size(log_multisets(points, int(rows.right) + 1), epsilon, alpha, delta))


def noisy_counts_error(sums: Sums, epsilon: float, delta: float) -> float:
    """Return a bound, in rows, on the error of all queries answered from noisy counts of all points, except with chance delta.

    Notes
    -----
    `sums` has numbers of queries, each with the number of counts that such a query, or its complement, adds up at most.
    A replaced row changes two counts by 1, so Laplace noise of scale b = 2 / epsilon on each is epsilon-private. The number of
    rows is public, and so is the answer to the query that all rows meet: it has no noise and is left out of the sums. For
    0 < u < 1, by Chernoff's bound, the noise of m counts exceeds t = b s with chance exp(-u s) (1 - u^2)^-m on each side. This is
    least at u = s / (m + r), r = sqrt(m^2 + s^2), where it is exp(-x) (1 + x / 2m)^m with x = r - m. For one count, both sides
    together have exactly exp(-s). Returned is the t at which these chances sum to delta over all queries, rounded up (our bound).
    """
    _checked(epsilon=epsilon, delta=delta)
    return 2 / epsilon * _reach(sums, delta)


@lru_cache(maxsize=256)
def _reach(sums: Sums, delta: float) -> float:
    queries, counts = np.array(sums).T

    def kept(reach: float) -> bool:
        beyond = reach / (counts + np.hypot(counts, reach)) * reach
        chances = np.where(counts == 1, -reach, log(2) + counts * np.log1p(beyond / counts / 2) - beyond)
        return bool(np.logaddexp.reduce(np.log(queries) + chances) <= log(delta))

    low, high = 0.0, 1.0
    while not kept(high):
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if kept(middle) else (middle, high)
    return high * (1 + 1e-12)


def noisy_answers_error(queries: float, epsilon: float, delta: float) -> float:
    """Return a bound, in rows, on the error of all queries, each answered by its noisy count, except with chance delta.

    Notes
    -----
    A replaced row changes each of k counts by at most 1, so Laplace noise of scale b = k / epsilon on each is epsilon-private
    [DMNS06]. It exceeds t with chance exp(-t / b): by the union bound, b ln(k / delta) is exceeded with chance delta at most.
    """
    _checked(epsilon=epsilon, delta=delta)
    return queries / epsilon * (log(queries) - log(delta)) * (1 + 1e-12)


def least_noise(points: float, queries: QueryClass, epsilon: float, delta: float) -> tuple[bool, float, bool]:
    """Return whether noise is too much to publish, its error in rows, and whether it is on answers: of two, the better one."""
    counts = points > MOST_COUNTS, noisy_counts_error(queries.sums, epsilon, delta), False
    return min(counts, (queries.queries > MOST_COUNTS, noisy_answers_error(queries.queries, epsilon, delta), True))


def enough_rows(method: str, points: float, queries: QueryClass, epsilon: float, alpha: float, delta: float) -> float:
    """Return how many rows are enough with a synthetic "database", noise on "counts", or the "better" one; not rounded."""
    if method == "counts":
        return least_noise(points, queries, epsilon, delta)[1] / alpha
    database = class_size(points, queries.queries, epsilon, alpha, delta).right
    return database if method == "database" else min(database, enough_rows("counts", points, queries, epsilon, alpha, delta))


def least_alpha(enough: Callable[[float], bool], digits: int) -> float:
    """Return the least error with this many digits, from 0.0001% to 99%, that is `enough`; 99% if no smaller one is."""
    first = 10 ** (digits - 1)

    def alpha(place: int) -> float:
        return float(f"{first + place % (9 * first)}e{place // (9 * first) - 5 - digits}")

    return alpha(bisect_left(range(54 * first - first // 10), True, key=lambda place: enough(alpha(place))))


@dataclass(frozen=True)
class QueryClass:
    """The number of queries of a class, its VC dimension, and how many counts its queries, or ranges from one start, sum up."""

    queries: float
    dimension: int
    sums: Sums


def other_class(queries: float, dimension: int, points: float) -> QueryClass:
    """Return a class by its numbers; of dimension m it has at least 2^m queries, one for each part of m rows."""
    if dimension > (most := max(floor(log2(queries)), 1)):
        raise InputError(f"VC must be at most {most} for {size_text(queries)} queries, got {dimension}.", "dimension", str(most))
    return QueryClass(queries, dimension, ((queries, points / 2),))


def of_class_size(error: InputError, dimension: int) -> InputError:
    """Return the error of a dimension as one of the number of queries that was changed; others as they are."""
    if error.field != "dimension":
        return error
    least = size_text(2.0**dimension)
    return InputError(f"|C| must be at least {least} for VC dimension {dimension}.", "class_size", str(2**dimension))


def columns_of(points: float) -> int:
    """Return the number of yes/no columns with at least this many possible rows."""
    return max(ceil(log2(points) - 1e-12), 1)


@lru_cache(maxsize=64)
def query_class(name: str, points: float, columns: int) -> QueryClass:
    """Return a class by its name: of intervals or thresholds over so many points, or queries on so many yes/no columns.

    The queries for each column split m rows in all ways where every split is that of a column: where 2^m <= d. C(d, j) 2^j
    conjunctions (monotone: C(d, j)) name j of d columns, and each of these adds up 2^(d - j) counts. All ranges that grow from
    one point to m counts have Chernoff's bound of m counts at once: exp(u S_k) is a submartingale, and Doob's inequality bounds
    its maximum. An interval or its complement grows from one of all points on a circle, a threshold from one of two ends.
    """
    if name in ("intervals", "thresholds"):
        queries, dimension, starts = (points * (points + 1) / 2, 2, points) if name == "intervals" else (points, 1, 2.0)
        return QueryClass(queries, dimension, ((starts, points / 2),))
    if name == "cells":
        return QueryClass(2.0**columns, 1, ((2.0**columns, 1.0),))
    if name == "each column":
        return QueryClass(columns, max(columns.bit_length() - 1, 1), ((columns, 2.0**columns / 2),))
    answers = 2.0 if name == "conjunctions" else 1.0
    sums = ((comb(columns, named) * answers**named, 2.0 ** (columns - named)) for named in range(1, columns + 1))
    return QueryClass((answers + 1) ** columns, columns, tuple(sums))


def dimension_size(points: float, dimension: float, epsilon: float, alpha: float, delta: float) -> Size:
    """Return the order of the number of rows that a class of given VC dimension needs (Theorem 3.10), up to a constant factor.

    Notes
    -----
    Stated is (1 / (eps alpha^3)) (VC ln|X| ln(1/alpha) + ln(1/delta)): 1 / alpha^2 of it is the rows of a small database, which
    belongs to the term with the VC dimension only. Right: (1 / (eps alpha)) (VC ln|X| ln(1/alpha) / alpha^2 + ln(1/delta)).
    """
    _checked(epsilon=epsilon, alpha=alpha, delta=delta)
    first, second = dimension * log(points) * log(1 / alpha), log(1 / delta)
    return Size((first + second) / (epsilon * alpha**3), (first / alpha**2 + second) / (epsilon * alpha))


def dimension_rows(dimension: int, alpha: float) -> int:
    """Return a number of rows that, drawn from any database, can answer every query of a VC class within alpha (Lemma 3.8).

    Notes
    -----
    The lemma gives an order. Explicitly, by the inequality of Vapnik and Chervonenkis (1971): m rows drawn with replacement miss
    alpha on some query with chance at most 4 P(2m) exp(-m alpha^2 / 8), P(N) <= sum_{i <= VC} C(N, i) (Sauer). Its proof: a
    second sample is within alpha / 2 of the database with chance 1/2 (Chebyshev, m alpha^2 >= 2; else the bound is above 1), so
    the chance is at most twice that of both samples differing by alpha / 2; exchanging the rows of each pair at random, that is
    at most 2 exp(-m alpha^2 / 8) for each of the P(2m) ways in which queries can split both (Hoeffding). Returned is the least m
    at which it is below 1, so that such rows exist.
    """
    from scipy.special import gammaln

    _checked(alpha=alpha)
    if not 1 <= dimension <= MOST_DIMENSION:
        raise InputError(f"the VC dimension must be from 1 to {MOST_DIMENSION}, got {dimension}.", "dimension")

    def certain(rows: int) -> bool:
        parts = np.arange(min(dimension, 2 * rows) + 1)
        logs = gammaln(2 * rows + 1) - gammaln(parts + 1) - gammaln(2 * rows - parts + 1)
        return bool(log(4) + float(np.logaddexp.reduce(logs)) - rows * alpha**2 / 8 < 0)

    most = 1
    while not certain(most):
        most *= 2
    return bisect_left(range(most + 1), True, most // 2, key=certain)


@dataclass(frozen=True)
class ExplicitSizes:
    """Sizes for a class of given VC dimension with all constants: rows, the log of the number of such databases, and n."""

    rows: int
    log_databases: float
    needed: float


def explicit_sizes(points: float, dimension: int, epsilon: float, alpha: float, delta: float) -> ExplicitSizes:
    """Return the sizes of Lemma 3.8, Theorem 3.9 and Theorem 3.10 with constants, as `dimension_rows` derives them.

    Notes
    -----
    All multisets of m = `dimension_rows` (VC, alpha) rows are a net of C(|X| + m - 1, m) databases. With a net for alpha / 2 the
    mechanism needs n = (4 / (eps alpha)) (ln C(|X| + m' - 1, m') + ln(1 / delta)), m' = `dimension_rows` (VC, alpha / 2).
    """
    rows, finer = dimension_rows(dimension, alpha), dimension_rows(dimension, alpha / 2)
    needed = net_mechanism_size(log_multisets(points, finer), epsilon, alpha, delta)
    return ExplicitSizes(rows, log_multisets(points, rows), needed)


@dataclass(frozen=True)
class DimensionNet:
    """The order of the rows of a small database, and of the log of the number of such databases."""

    rows: float
    log_databases: float


def dimension_net(points: float, dimension: float, alpha: float) -> DimensionNet:
    """Return the order of a net for a class of given VC dimension (Lemma 3.8, Theorem 3.9), up to a constant factor.

    Notes
    -----
    So many rows drawn from a database answer every query of the class within alpha: VC ln(1/alpha) / alpha^2 (uniform
    convergence), and multisets of them from |X| points are |X| to that power at most.
    """
    _checked(alpha=alpha)
    rows = dimension * log(1 / alpha) / alpha**2
    return DimensionNet(rows, rows * log(points))


def least_error(epsilon: float, delta: float, symmetric: bool = True) -> float:
    """Return a lower bound on the error of any private release of all 2^d conjunctions on d bits with one row (Theorem 3.11).

    Notes
    -----
    It may fail with chance delta. Symmetric neighbours differ by one row in the symmetric difference: replacing costs 2 epsilon.
    Stated is 1 / (4 + 16 eps) for every constant delta, which is false: its proof leaves out the chance of failure. Right, with
    E = e^{2 eps} (e^eps under replacement): ((1 - delta) - delta E) / (2 (1 - delta) (1 + E)), and no bound where negative.
    """
    _checked(epsilon=epsilon)
    odds = exp(min((2 if symmetric else 1) * epsilon, 700))
    return max(0.0, ((1 - delta) - delta * odds) / (2 * (1 - delta) * (1 + odds))) if 0 <= delta < 1 else 0.0


def least_error_stated(epsilon: float) -> float:
    """Return 1 / (4 + 16 eps), as Theorem 3.11 states."""
    return 1 / (4 + 16 * epsilon)


def median_sizes(points: float, epsilon: float, chance: float) -> Size:
    """Return the rows below which no private release hits all-equal databases' median with this probability (Theorem 5.1).

    Notes
    -----
    From M chance e^{-n eps} <= 1, n >= ln(chance M) / eps (stated); exactly, chance <= e^{n eps} / (e^{n eps} + M - 1), so that
    n >= ln(chance (M - 1) / (1 - chance)) / eps.
    """
    _checked(epsilon=epsilon)
    if not 0 < chance < 1 or points <= 1:
        raise InputError(
            f"the probability must be between 0 and 1 and there must be at least two points, got {chance:g}.", "chance"
        )
    stated, right = log(chance * points), log(chance) + log(points - 1) - log(1 - chance)
    return Size(max(stated, 0.0) / epsilon, max(right, 0.0) / epsilon)


def _checked(**numbers: float) -> None:
    for name, value in numbers.items():
        if not 0 < value < (1 if name != "epsilon" else float("inf")):
            allowed = "positive" if name == "epsilon" else "between 0 and 1"
            raise InputError(f"{name} must be {allowed}, got {value:g}.", name)


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
