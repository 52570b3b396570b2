"""Classes of queries on a finite set of points, as matrices: a row a query, a column a point, each entry from 0 to 1.

A query's answer on a database is the mean of its entries over the rows; counting queries have entries 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats
from dpdesigner.errors import InputError

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
        sizes = f"{MOST_QUERIES} queries on {_MOST_POINTS} points"
        raise InputError(f"there must be at most {sizes}, got {len(held)} on {held.shape[1]}.", "queries")
    if not (np.isfinite(held).all() and held.min() >= 0 and held.max() <= 1):
        raise InputError("every entry of a query must be a number from 0 to 1.", "queries")
    held.flags.writeable = False
    return Queries(held, tuple(names) or tuple(f"query {place + 1}" for place in range(len(held))))


def intervals(points: int) -> Queries:
    """Return the |X| (|X| + 1) / 2 intervals of points in a row."""
    _few(points * (points + 1) // 2)
    spans = [(low, high) for low in range(points) for high in range(low, points)]
    matrix = [[low <= point <= high for point in range(points)] for low, high in spans]
    return queries(matrix, [f"{low}" if low == high else f"{low} to {high}" for low, high in spans])


def conjunctions(bits: int, *, monotone: bool = False) -> Queries:
    """Return the conjunctions over points of so many bits: of each bit 1, 0 or either; monotone ones leave the zeros out.

    Point k has the binary digits of k, the first bit first.
    """
    _few((2 if monotone else 3) ** bits)
    points = list(product((0, 1), repeat=bits))
    wanted = list(product((None, 1) if monotone else (None, 1, 0), repeat=bits))
    matrix = [[all(want in (None, bit) for want, bit in zip(query, point, strict=True)) for point in points] for query in wanted]
    names = ["".join("*" if want is None else str(want) for want in query) for query in wanted]
    return queries(matrix, names)


def thresholds(points: int) -> Queries:
    """Return the |X| queries that count the points up to each."""
    _few(points)
    return queries(np.tril(np.ones((points, points))), [f"at most {place}" for place in range(points)])


def vc_dimension(given: Queries) -> int:
    """Return the VC dimension: the most points of which the queries pick out every subset.

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
        raise InputError(f"a class must have at most {MOST_QUERIES} queries here, got {many}.", "queries")
