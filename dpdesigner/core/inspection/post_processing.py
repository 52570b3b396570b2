"""What is made of a draw of geometric noise: readings at random, and further releases that are more private.

Readings of a release are as private as the release. Several precisions come from one draw: each more private release is drawn
from the one before, and nothing more is learned of it.

G_b = G_a T with T = G_a^-1 G_b a table of chances where a <= b. So y_1 is drawn with the least private level, y_2 from y_1 by T,
and so on: whoever sees several of them learns what the least private tells. Independent draws would multiply instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import context, decimal
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.errors import InputError

Reading = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, eq=False)
class ReadGeometric(Mechanism):
    """Geometric noise whose outputs are read at random.

    Attributes
    ----------
    privacy : PrivacyLevel
    reading : tuple of tuple of Fraction
        (n + 1, m): row j has the probabilities of the readings of output j and sums to exactly 1.
    """

    privacy: PrivacyLevel
    reading: Reading

    @property
    def n(self) -> int:  # type: ignore[override]
        """The largest true result."""
        return len(self.reading) - 1

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, m), read-only."""
        entries = geometric.matrix(self.privacy, self.n) @ np.array([[float(value) for value in row] for row in self.reading])
        entries.flags.writeable = False
        return np.asarray(entries)

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        n = self.n
        powers, weights = geometric.powers(alpha, n), geometric.exact_weights(alpha, n)
        columns = [
            [(j, row[r]) for j, row in enumerate(self.reading) if row[r]] for r in range(len(self.reading[0]))
        ]  # for each reading, only the outputs that may be read as it
        for i in range(n + 1):
            outputs = [powers[abs(i - j)] * weights[j] for j in range(n + 1)]
            yield [sum((outputs[j] * share for j, share in column), Fraction(0)) for column in columns]

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals; see `Mechanism.decimal_rows`."""
        rounded = context(precision)
        for row in self.exact_rows(alpha):
            yield [decimal(entry, rounded) for entry in row]


def exact_reading(rows: list[list[Fraction | float]]) -> Reading:
    """Return probabilities as fractions, with rows that sum to exactly 1: the largest entry takes the remainder."""
    made = []
    for row in rows:
        exactly = [Fraction(value) for value in row]
        largest = max(range(len(exactly)), key=exactly.__getitem__)
        exactly[largest] = 1 - sum((value for r, value in enumerate(exactly) if r != largest), Fraction(0))
        made.append(tuple(exactly))
    return tuple(made)


def kernel(a: Fraction, b: Fraction, n: int) -> list[list[Fraction]]:
    """Return T, (n + 1, n + 1), which turns geometric noise at alpha = a into geometric noise at alpha = b.

    Raises
    ------
    InputError
        Unless 0 <= a <= b < 1.
    """
    if not 0 <= a <= b < 1:
        raise InputError(
            f"a release can only be made more private: alpha must not fall from {a} to {b}, and be below 1.", "levels"
        )
    if n == 0:
        return [[Fraction(1)]]
    if a == 0:
        weights, powers = geometric.exact_weights(b, n), geometric.powers(b, n)
        return [[powers[abs(j - r)] * weights[r] for r in range(n + 1)] for j in range(n + 1)]
    fine, coarse, powers = geometric.exact_weights(a, n), geometric.exact_weights(b, n), geometric.powers(b, n)
    rows = []
    for j in range(n + 1):
        end = j in (0, n)
        beside = (1 - a / b) * (1 if end else 1 - a * b)
        own = 1 - a * b if end else 1 + a * a - 2 * a * b
        row = [own if r == j else powers[abs(j - r)] * beside for r in range(n + 1)]
        rows.append([value / (1 - a * a) * coarse[r] / fine[j] for r, value in enumerate(row)])
    return rows


def refined(a: Fraction, b: Fraction, n: int, true: int, released: int) -> list[Fraction]:
    """Return the probabilities of a more precise release at alpha = a, after one at alpha = b >= a was published.

    Both together are as private as the more precise one alone: the pair is as if `released` had been drawn from it.

    Parameters
    ----------
    a, b : Fraction
        0 < a <= b < 1.
    n : int
    true, released : int
        The true count, and what was published.
    """
    fine = geometric.powers(a, n)
    weights = geometric.exact_weights(a, n)
    made = kernel(a, b, n)
    chances = [fine[abs(true - y)] * weights[y] * made[y][released] for y in range(n + 1)]
    total = sum(chances, Fraction(0))
    return [chance / total for chance in chances]
