"""The table of a reader's readings of geometric noise, which is as private as the release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.numbers.rounding import context, decimal
from dpdesigner.core.privacy.level import PrivacyLevel

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
        ]  # of each reading only the outputs that may be read so
        for i in range(n + 1):
            outputs = [powers[abs(i - j)] * weights[j] for j in range(n + 1)]
            yield [sum((outputs[j] * share for j, share in column), Fraction(0)) for column in columns]

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals; see `Mechanism.decimal_rows`."""
        rounded = context(precision)
        for row in self.exact_rows(alpha):
            yield [decimal(entry, rounded) for entry in row]


def exact_reading(rows: list[list[Fraction | float]]) -> Reading:
    """Return probabilities as fractions, each row of which sums to exactly 1: its largest entry takes what the others leave."""
    made = []
    for row in rows:
        exactly = [Fraction(value) for value in row]
        largest = max(range(len(exactly)), key=exactly.__getitem__)
        exactly[largest] = 1 - sum((value for r, value in enumerate(exactly) if r != largest), Fraction(0))
        made.append(tuple(exactly))
    return tuple(made)
