"""The net mechanism of [BLR], run exactly: a small database chosen by how well it answers a class of queries.

For a database D of n rows and the net of all multisets D' of m points, Pr[D'] is proportional to exp(-eps n err(D, D') / 2),
where err is the largest difference of any answer. The score n err changes by at most 1 when a row is replaced, so that this is
eps-private (the exponential mechanism).

Classes of queries on a finite set of points, as matrices: a row a query, a column a point, each entry from 0 to 1.

A query's answer on a database is the mean of its entries over the rows; counting queries have entries 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from math import comb, log, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats, Integers, log_shares
from dpdesigner.core.basics.rounding import group_thousands, short_count
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

MOST_QUERIES = 4096
_MOST_POINTS = 4096


@dataclass(frozen=True, eq=False)
class Queries:
    """A class of linear queries.

    Attributes
    ----------
    matrix : ndarray
        (queries, points), read-only.
    names : tuple of str
        Of the queries.
    """

    matrix: Floats
    names: tuple[str, ...]

    @property
    def size(self) -> int:
        """The number of queries."""
        return len(self.names)

    @property
    def points(self) -> int:
        """The number of points."""
        return int(self.matrix.shape[1])

    @property
    def counting(self) -> bool:
        """Whether every query counts the rows with a property."""
        return bool(np.isin(self.matrix, (0, 1)).all())


def queries(matrix: ArrayLike, names: Sequence[str] = ()) -> Queries:
    """Return the class of the queries in the rows of a matrix.

    Raises
    ------
    InputError
        If it is no matrix of numbers from 0 to 1.
    """
    try:
        held = np.array(matrix, dtype=float)
    except (TypeError, ValueError):
        raise InputError("the queries must be a table of numbers from 0 to 1, one row per query.", "queries") from None
    if held.ndim != 2 or not held.size:
        raise InputError("the queries must be a table with one row per query and one column per point.", "queries")
    if len(held) > MOST_QUERIES or held.shape[1] > _MOST_POINTS:
        sizes = f"{group_thousands(MOST_QUERIES)} queries on {_MOST_POINTS} points"
        raise InputError(f"there must be at most {sizes}, got {len(held)} on {held.shape[1]}.", "queries")
    if not (np.isfinite(held).all() and held.min() >= 0 and held.max() <= 1):
        raise InputError("every entry of a query must be a number from 0 to 1.", "queries")
    held.flags.writeable = False
    return Queries(held, tuple(names) or tuple(f"query {place + 1}" for place in range(len(held))))


def intervals(points: int) -> Queries:
    """Return the |X| (|X| + 1) / 2 intervals of points on a line."""
    _few(points * (points + 1) // 2)
    spans = [(low, high) for low in range(points) for high in range(low, points)]
    matrix = [[low <= point <= high for point in range(points)] for low, high in spans]
    return queries(matrix, [f"{low}" if low == high else f"{low} to {high}" for low, high in spans])


def conjunctions(bits: int, *, monotone: bool = False) -> Queries:
    """Return the conjunctions over points of this many bits: each bit 1, 0 or either; monotone ones never require a 0.

    Point k has the binary digits of k, the first bit first.
    """
    _few((2 if monotone else 3) ** bits)
    points = list(product((0, 1), repeat=bits))
    wanted = list(product((None, 1) if monotone else (None, 1, 0), repeat=bits))
    matrix = [[all(want in (None, bit) for want, bit in zip(query, point, strict=True)) for point in points] for query in wanted]
    names = ["".join("*" if want is None else str(want) for want in query) for query in wanted]
    return queries(matrix, names)


def thresholds(points: int) -> Queries:
    """Return the |X| threshold queries, each counting the points up to one of them."""
    _few(points)
    return queries(np.tril(np.ones((points, points))), [f"at most {place}" for place in range(points)])


def vc_dimension(given: Queries) -> int:
    """Return the VC dimension: the size of the largest set of points of which the queries pick out every subset.

    Raises
    ------
    InputError
        If a query is no counting query: it picks out no subset.

    Notes
    -----
    By search over sets of points; what cannot be picked out in every way is in no larger set that can.
    """
    if not given.counting:
        raise InputError("the VC dimension is that of counting queries, whose entries are 0 and 1.", "queries")
    patterns = np.unique(given.matrix.astype(np.int64), axis=0)
    shattered: set[tuple[int, ...]] = {()}
    dimension = 0
    while 2 ** (dimension + 1) <= len(patterns):
        larger = _larger(shattered, patterns, dimension + 1)
        if not larger:
            break
        shattered, dimension = larger, dimension + 1
    return dimension


def _larger(shattered: set[tuple[int, ...]], patterns: NDArray[np.int64], size: int) -> set[tuple[int, ...]]:
    larger = set()
    powers = 1 << np.arange(size)
    for chosen in shattered:
        for point in range(chosen[-1] + 1 if chosen else 0, patterns.shape[1]):
            wider = (*chosen, point)
            if all(part in shattered for part in combinations(wider, size - 1)):
                seen = np.unique(patterns[:, wider] @ powers)
                if len(seen) == 2**size:
                    larger.add(wider)
    return larger


def _few(many: int) -> None:
    if many > MOST_QUERIES:
        raise InputError(
            f"a class must have at most {group_thousands(MOST_QUERIES)} queries here, got {group_thousands(many)}.", "queries"
        )


MOST_DATABASES = 200_000
MOST_NEIGHBOURHOODS = 20_000
_ROUNDING = 1e-12
_SCALES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 100, 1000, 10**4, 10**5)


def multisets(points: int, size: int) -> Integers:
    """Return the counts of all multisets of this many points, in the order of ``combinations_with_replacement``.

    Raises
    ------
    InputError
        If there are more than 200 000.
    """
    many = comb(points + size - 1, size)
    if many > MOST_DATABASES:
        problem = f"at most {group_thousands(MOST_DATABASES)} small databases can be enumerated"
        raise InputError(f"{problem}, got {short_count(many)} with {size} of {points} points.", "size")
    chosen = np.array(list(combinations_with_replacement(range(points), size)), dtype=np.int64).reshape(many, size)
    counts = np.zeros((many, points), dtype=np.int64)
    np.add.at(counts, (np.repeat(np.arange(many), size), chosen.ravel()), 1)
    return counts


@dataclass(frozen=True, eq=False)
class Net:
    """Small databases and their answers.

    Attributes
    ----------
    queries : Queries
    counts : ndarray of int
        (databases, points).
    near : float
        Every database is within this error of one of these, for all queries at once; see `near_any`.
    """

    queries: Queries
    counts: Integers
    near: float = 1.0

    @cached_property
    def answers(self) -> Floats:
        """The answers as shares, (databases, queries)."""
        sizes = self.counts.sum(axis=1, keepdims=True)
        return np.asarray(self.counts @ self.queries.matrix.T / np.maximum(sizes, 1))

    def errors(self, database: ArrayLike) -> Floats:
        """Return the largest difference in any answer between a database (counts of points) and each database of the net."""
        whole, scale = self._whole_queries
        real, sizes = np.asarray(database, dtype=float), np.maximum(self.counts.sum(axis=1, keepdims=True), 1)
        apart = (self.counts @ whole.T) * real.sum() - sizes * (whole @ real)  # whole numbers: equal shares differ by exactly 0
        return np.asarray((abs(apart) / (sizes * real.sum() * scale)).max(axis=1))

    @cached_property
    def _whole_queries(self) -> tuple[Floats, int]:
        """The queries times a number that makes their entries whole; as they are where there is no such number."""
        matrix = self.queries.matrix
        scale = next((d for d in _SCALES if (np.round(matrix * d) / d == matrix).all()), 0)
        return (np.round(matrix * scale), scale) if scale else (matrix, 1)

    def log_chances(self, database: ArrayLike, epsilon: float) -> Floats:
        """Return the log probability of choosing each database."""
        return log_shares(-epsilon * float(np.sum(database)) * self.errors(database) / 2)

    def probabilities(self, database: ArrayLike, epsilon: float) -> Floats:
        """Return the probability of choosing each database."""
        return np.exp(self.log_chances(database, epsilon))


def full_net(queries: Queries, size: int) -> Net:
    """Return the net of all multisets of this size."""
    return Net(queries, multisets(queries.points, size), near_any(queries, size))


def near_any(queries: Queries, size: int) -> float:
    """Return an error within which every database has one of this many rows that answers all queries.

    Notes
    -----
    THEORY.md, section 7: rounding running totals for thresholds and intervals; for other queries rounding counts, or Lemma 3.7.
    """
    points, matrix = queries.points, queries.matrix
    ends = np.diff(matrix, prepend=0, append=0)
    if queries.counting and (abs(ends).sum(axis=1) <= 2).all():
        return 1 / (2 * size) if (ends[:, 1:] <= 0).all() else (1 - 1 / points) / size
    moved, sampled = (points // 2) * ((points + 1) // 2) / (points * size), sqrt(log(2 * queries.size) / (2 * size))
    rounded = 0 if any(_whole(matrix * scale) for scale in _SCALES) else 1e-6  # as in `integer_losses`
    return min(moved, sampled, 1.0) + rounded


def log_probabilities(net: Net, databases: Integers, epsilon: float, progress: Progress = silent) -> Floats:
    """Return ln Pr for each database (rows) and each database of the net (columns)."""
    logs = np.empty((len(databases), len(net.counts)))
    for place, base in enumerate(databases):
        if place % 64 == 0:
            progress(place / len(databases), "")
        logs[place] = net.log_chances(base, epsilon)
    return logs


def privacy_here(net: Net, database: ArrayLike, epsilon: float) -> float:
    """Return the largest log ratio between this database and any database with one row replaced, rounded up."""
    base = np.asarray(database, dtype=np.int64)
    near = np.array([base, *_replaced(base)])
    logs = log_probabilities(net, near, epsilon)
    return float(abs(logs[1:] - logs[0]).max(initial=0.0)) * (1 + _ROUNDING)


def privacy(net: Net, rows: int, epsilon: float, progress: Progress = silent) -> float | None:
    """Return the largest log ratio over all databases of this many rows and their neighbours, rounded up.

    None where there are more than 20 000 databases, or more than that many probabilities can be held; epsilon bounds it.
    """
    points = net.queries.points
    many = comb(points + rows - 1, rows)
    if many > MOST_NEIGHBOURHOODS or many * len(net.counts) > 2 * 10**7:
        return None
    bases = multisets(points, rows)
    places = {tuple(base): place for place, base in enumerate(bases.tolist())}
    logs = log_probabilities(net, bases, epsilon, progress)
    worst = 0.0
    for place, base in enumerate(bases):
        near = [other for each in _replaced(base) if (other := places[tuple(each.tolist())]) > place]
        if near:
            worst = max(worst, float(abs(logs[near] - logs[place]).max()))
    return worst * (1 + _ROUNDING)


def _replaced(base: Integers) -> list[Integers]:
    neighbours = []
    for out in np.flatnonzero(base).tolist():
        for into in range(len(base)):
            if into != out:
                other = base.copy()
                other[out] -= 1
                other[into] += 1
                neighbours.append(other)
    return neighbours


@dataclass(frozen=True)
class Usefulness:
    """The error bound of a release, and the exact errors of one database.

    Attributes
    ----------
    within : float
        With probability 1 - delta at least, the error of a release is at most this, whatever the database.
    best : float
        The error of the best database of the net: secret, as the next.
    exact : float
        What the error is at most with this probability.
    """

    within: float
    best: float
    exact: float


def usefulness(net: Net, database: ArrayLike, epsilon: float, delta: float) -> Usefulness:
    """Return the error of the chosen database, bounded for any database by near + (2 / (eps n)) ln(|net| / delta), and exact."""
    errors, chances = net.errors(database), net.probabilities(database, epsilon)
    order = np.argsort(errors, kind="stable")
    covered = np.cumsum(chances[order])
    place = int(np.searchsorted(covered, 1 - delta - 1e-12))
    bound = net.near + 2 / (epsilon * float(np.sum(database))) * log(len(errors) / delta)
    return Usefulness(bound, float(errors.min()), float(errors[order[min(place, len(order) - 1)]]))


def subsample_errors(queries: Queries, database: ArrayLike, size: int, draws: int, seed: int) -> Floats:
    """Return the largest error of each of this many small databases sampled from a database's rows (Lemma 3.7), for study.

    Parameters
    ----------
    queries : Queries
    database : array_like
        (points,): counts, or shares.
    size : int
        Rows of a small database, drawn with replacement.
    draws : int
    seed : int
    """
    real = np.asarray(database, dtype=float) / np.sum(database)
    drawn = np.random.default_rng(seed).multinomial(size, real, draws)
    return np.asarray(abs((drawn / size - real) @ queries.matrix.T).max(axis=1))


def integer_losses(net: Net, database: ArrayLike) -> tuple[Integers, int]:
    """Return integers L and D with n err = L / D for each database of the net; exact draws use weights exp(-eps L / (2 D)).

    Notes
    -----
    Where the entries of all queries are not whole multiples of one of the fractions below, they are rounded to six digits; the
    rounded queries move as little when a row is replaced.
    """
    matrix = net.queries.matrix
    scale = next((d for d in _SCALES if _whole(matrix * d)), 10**6)
    whole = np.round(matrix * scale).astype(np.int64)
    real = np.asarray(database, dtype=np.int64)
    rows, sizes = int(real.sum()), net.counts.sum(axis=1, keepdims=True)
    common = int(np.lcm.reduce(np.unique(sizes)))
    differences = (net.counts @ whole.T) * (common // sizes) * rows - common * (whole @ real)
    return np.abs(differences).max(axis=1), common * scale


def _whole(values: Floats) -> bool:
    return bool(np.abs(values - np.round(values)).max() < 1e-9)


MOST_CANDIDATES, _COUNTED = 1500, 10**9
_SECONDS = 60.0
_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class SmallestNet:
    """A net for all databases of this many rows.

    Attributes
    ----------
    counts : ndarray of int
        (databases, points).
    least : int
        No net has fewer: equal to the number of databases where the search came to its end.
    """

    counts: Integers
    least: int

    @property
    def proved(self) -> bool:
        """Whether no smaller net exists."""
        return self.least == len(self.counts)


def refuse_many(points: int, rows: int, size: int) -> None:
    """Refuse to look for the smallest net where there are too many databases of these rows, or of at most this size."""
    near_to, among = comb(points + rows - 1, rows), sum(comb(points + many - 1, many) for many in range(1, size + 1))
    if (many := max(near_to, among)) > MOST_CANDIDATES:
        problem = f"the smallest sufficient set is found among at most {group_thousands(MOST_CANDIDATES)} databases"
        count = group_thousands(many) if many <= _COUNTED else f"more than {group_thousands(_COUNTED)}"
        which = group_thousands(rows) if near_to == many else f"up to {size}"
        raise InputError(f"{problem}; {which} rows of {points} values have {count}.", "net", "all")


def smallest_net(queries: Queries, rows: int, size: int, alpha: float, progress: Progress = silent) -> SmallestNet | None:
    """Return the fewest databases of at most `size` rows such that every database of `rows` rows is within alpha of one.

    None where the databases of at most `size` rows are not near enough to all.

    Notes
    -----
    A set cover, solved as an integer program; its lower bound is rounded up.
    """
    points = queries.points
    refuse_many(points, rows, size)
    targets = multisets(points, rows)
    choices = np.vstack([multisets(points, many) for many in range(1, size + 1)])
    net = Net(queries, choices)
    near = np.array([net.errors(target) <= alpha + _TOLERANCE for target in targets])
    progress(None, "")
    if not near.any(axis=1).all():
        return None
    return _cover(near, choices)


def _cover(near: NDArray[np.bool_], choices: Integers) -> SmallestNet:
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    many = near.shape[1]
    rows = LinearConstraint(csr_matrix(near.astype(float)), 1, np.inf)
    solution = milp(
        np.ones(many),
        constraints=rows,
        bounds=Bounds(0, 1),
        integrality=np.ones(many, dtype=np.int64),
        options={"time_limit": _SECONDS},
    )
    if solution.x is None:
        chosen = _greedy(near)
        return SmallestNet(choices[chosen], 1)
    chosen = np.flatnonzero(solution.x > 0.5)
    if not near[:, chosen].any(axis=1).all():
        chosen = _greedy(near)
    bound = getattr(solution, "mip_dual_bound", None)
    return SmallestNet(choices[chosen], min(int(np.ceil((bound or 1) - 1e-6)), len(chosen)))


def _greedy(near: NDArray[np.bool_]) -> Integers:
    """Build a net greedily: each next database covers as many still uncovered databases as possible."""
    left, chosen = np.ones(len(near), dtype=bool), []
    while left.any():
        chosen.append(int(np.argmax(near[left].sum(axis=0))))
        left &= ~near[:, chosen[-1]]
    return np.array(chosen, dtype=np.int64)
