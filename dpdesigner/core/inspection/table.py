"""A numeric table of releases: rows are the true counts 0..n, columns the releases; in whole numbers, or in doubles.

An exact table holds each row as whole numbers over their sum, so that every probability is a fraction and every comparison of two
rows is one of whole numbers. Larger tables hold doubles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import exact, excerpt, parse_integer
from dpdesigner.errors import InputError

#: A table is held in whole numbers unless both its entries and its positive entries exceed this number.
MOST_EXACT = 20_000
_MOST_PEOPLE = 5000  # of a population that is sampled

Weights = NDArray[Any]


@dataclass(frozen=True, eq=False)
class ReleaseTable:
    """A table of release probabilities.

    Attributes
    ----------
    weights : ndarray
        (rows, columns), at least 0: whole numbers of Python (dtype object), or doubles.
    totals : tuple of int, or of float
        What each row sums to: the denominators; 1.0 for doubles.
    labels : tuple of int
        What each column releases.
    names : tuple of str
        What releases that are no whole numbers are called; empty for others.
    """

    weights: Weights
    totals: tuple[Any, ...]
    labels: tuple[int, ...]
    names: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """The largest true count."""
        return len(self.weights) - 1

    @property
    def outputs(self) -> tuple[str, ...]:
        """The value that each column releases, as text."""
        return self.names or tuple(map(str, self.labels))

    @property
    def exact(self) -> bool:
        """Whether the table is stored in whole numbers."""
        return self.weights.dtype == object

    @cached_property
    def doubles(self) -> Floats:
        """The probabilities as doubles, (rows, columns), read-only."""
        if not self.exact:
            return self.weights
        values = np.array([[_double(w, total) for w in row] for row, total in zip(self.weights, self.totals, strict=True)])
        values.flags.writeable = False
        return values

    def in_doubles(self) -> ReleaseTable:
        """Return the same table stored in doubles."""
        return ReleaseTable(self.doubles, (1.0,) * len(self.totals), self.labels)

    @cached_property
    def common(self) -> tuple[Weights, Any]:
        """The weights over a common denominator, and that denominator; for doubles, the weights and 1.0."""
        if not self.exact:
            return self.weights, 1.0
        scale = math.lcm(*self.totals)
        factors = np.array([scale // total for total in self.totals], dtype=object)
        return self.weights * factors[:, np.newaxis], scale

    def probability(self, i: int, place: int) -> Fraction | float:
        """Return the probability of the release in a column, for a true count."""
        if self.exact:
            return Fraction(self.weights[i, place], self.totals[i])
        return float(self.weights[i, place])

    def mixed(self, mixing: Sequence[Sequence[Fraction]]) -> ReleaseTable:
        """Return the table whose rows are mixtures of the rows of this one: the product of two matrices.

        Parameters
        ----------
        mixing : sequence of sequences of Fraction
            Each sums to 1.
        """
        if not self.exact:
            chances = np.array([[float(chance) for chance in row] for row in mixing])
            mixed = chances @ self.weights
            return ReleaseTable(mixed / mixed.sum(axis=1, keepdims=True), (1.0,) * len(mixed), self.labels)
        weights, scale = self.common
        rows, totals = [], []
        for row in mixing:
            below = math.lcm(*(chance.denominator for chance in row))
            whole_row = np.array([int(chance * below) for chance in row], dtype=object) @ weights
            shared = math.gcd(*whole_row.tolist())
            rows.append(whole_row // shared)
            totals.append(below * scale // shared)
        return ReleaseTable(np.array(rows, dtype=object), tuple(totals), self.labels)


def exact_table(
    rows: Sequence[Sequence[Fraction | Decimal]], labels: Sequence[int] | None = None, names: tuple[str, ...] = ()
) -> ReleaseTable:
    """Return a table of exact numbers; every row must sum to 1.

    Parameters
    ----------
    rows : sequence of sequences of Fraction or Decimal
    labels : sequence of int, optional
        What the columns release; by default 0, 1, 2, ….
    names : tuple of str
        As of a `ReleaseTable`.
    """
    labels = tuple(range(len(rows[0]))) if labels is None else tuple(labels)
    if sum(len(row) for row in rows) > MOST_EXACT and sum(1 for row in rows for entry in row if entry) > MOST_EXACT:
        doubles = np.array([list(map(float, row)) for row in rows])
        doubles.flags.writeable = False
        return ReleaseTable(doubles, (1.0,) * len(rows), labels, names)
    weights, totals = [], []
    for row in rows:
        ratios = [entry.as_integer_ratio() for entry in row]
        total = math.lcm(*(below for _, below in ratios))
        weights.append([above * (total // below) for above, below in ratios])
        totals.append(total)
    return ReleaseTable(np.array(weights, dtype=object), tuple(totals), labels, names)


def binomial(n: int, chance: Fraction) -> list[Fraction]:
    """Return the binomial probabilities of 0..n for n people, each kept with this probability."""
    above, below = chance.numerator, chance.denominator
    rest = below - above
    return [Fraction(math.comb(n, j) * above**j * rest ** (n - j), below**n) for j in range(n + 1)]


def sampled(table: ReleaseTable, sampling: str) -> ReleaseTable:
    """Return the table for the whole population when only a sample was counted.

    Parameters
    ----------
    table : ReleaseTable
    sampling : str
        ``"1/3"``: every person is in the sample with this chance, and the table keeps its size. ``"3 of 12"``: so many of so many
        people, drawn without replacement; the table must have 3 + 1 rows and gets 12 + 1. Empty: everybody was counted.

    Raises
    ------
    InputError
        If it is neither, or the table has another number of rows.
    """
    if not sampling:
        return table
    drawn, _, people = sampling.partition(" of ")
    if people:
        try:
            size = parse_integer(drawn, "the sample", 1, _MOST_PEOPLE)
            everybody = parse_integer(people, "the size of the population", size, _MOST_PEOPLE)
        except InputError as error:
            raise InputError(str(error), "sampling", f"{table.n} of {max(table.n, 12)}") from error
        if table.n != size:
            problem = f"a sample of {size} needs a table of {size} + 1 rows"
            raise InputError(f"{problem}, got {table.n + 1} rows.", "sampling", f"{table.n} of {max(everybody, table.n)}")
        ways = math.comb(everybody, size)
        rows = [
            [Fraction(math.comb(i, j) * math.comb(everybody - i, size - j), ways) for j in range(size + 1)]
            for i in range(everybody + 1)
        ]
        return table.mixed(rows)
    chance = exact(sampling, "the sampled share", "sampling")
    if not 0 < chance <= 1:
        allowed = "above 0 and at most 1, or a number of people like 3 of 12"
        raise InputError(f"the sampled share must be {allowed}, got {excerpt(sampling)}.", "sampling", "1/2")
    return table.mixed([[*binomial(i, chance), *[Fraction(0)] * (table.n - i)] for i in range(table.n + 1)])


def _double(above: int, below: int) -> float:
    return above / below if above else 0.0
