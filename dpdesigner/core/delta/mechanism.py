"""Mechanisms for a count under (epsilon, delta): the universal cells followed by a user's reading, and a table in fractions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.delta.cells import Cells
from dpdesigner.core.delta.chain import ChainCells, Level
from dpdesigner.core.delta.gaussian import GaussianCells
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.numbers.decimals import context, decimal
from dpdesigner.core.privacy.level import PrivacyLevel

#: Of delta, as a part of it: what is kept back where entries are rounded.
_SLACK = Fraction(1, 10**12)
#: An irrational alpha is rounded up to so many digits where rows are wanted in fractions.
_DIGITS = 18


@dataclass(frozen=True, eq=False)
class RemappedCells(Mechanism):
    """The universal (epsilon, delta) mechanism followed by a reading of its cells.

    Attributes
    ----------
    privacy : PrivacyLevel
    cells : Cells
    outputs : ndarray of int
        (3n + 1,): cell j is released as outputs[j].
    delta : Fraction
        What epsilon may leave uncovered.
    further : tuple of Level
        What it satisfies besides.
    """

    privacy: PrivacyLevel
    cells: Cells | ChainCells | GaussianCells
    outputs: Integers
    delta: Fraction
    further: tuple[Level, ...] = ()

    @property
    def n(self) -> int:  # type: ignore[override]
        """The largest true result."""
        return self.cells.n

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), read-only."""
        entries = np.zeros((self.n + 1, self.n + 1))
        np.add.at(entries.T, self.outputs, self.cells.matrix.T)
        entries.flags.writeable = False
        return entries

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`. A long alpha is rounded up, to more privacy."""
        if isinstance(self.cells, GaussianCells):
            yield from self.cells.rows(self.outputs)
        else:
            yield from self._remade(_short(alpha), Fraction(0), True).rows(self.outputs)

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals, made for a delta that is a little smaller; see `Mechanism.decimal_rows`."""
        rounded = context(precision)
        if isinstance(self.cells, GaussianCells):
            for row in self.cells.rows(self.outputs):
                yield [decimal(entry, rounded) for entry in row]
        else:
            for entries in self._remade(alpha, _SLACK, False).rows(self.outputs):
                yield [rounded.plus(entry) for entry in entries]

    def _remade(self, alpha: Fraction, slack: Fraction, exact: bool) -> Cells | ChainCells:
        """The cells for a little more privacy than was asked."""
        kept = self.delta * (1 - slack)
        if not isinstance(self.cells, ChainCells):
            return Cells.of(self.n, alpha, kept, exact=exact)
        factor = alpha / self.privacy.alpha_above if slack else Fraction(1)
        rest = [Level(min(Fraction(1), _short(each.alpha) * factor), each.delta * (1 - slack)) for each in self.further]
        return ChainCells.of(self.n, [Level(alpha, kept), *rest], exact=exact)


def _short(alpha: Fraction) -> Fraction:
    """An alpha of many digits rounded up, to more privacy."""
    if len(str(alpha.denominator)) <= _DIGITS:
        return alpha
    return min(Fraction(1), Fraction(-(-alpha.numerator * 10**_DIGITS // alpha.denominator), 10**_DIGITS))


@dataclass(frozen=True, eq=False)
class FractionTable(Mechanism):
    """A mechanism held in fractions: what a linear program found, repaired to be exactly private.

    Attributes
    ----------
    privacy : PrivacyLevel
    rows : tuple of tuple of Fraction
    delta : Fraction
    """

    privacy: PrivacyLevel
    rows: tuple[tuple[Fraction, ...], ...]
    delta: Fraction

    @property
    def n(self) -> int:  # type: ignore[override]
        """The largest true result."""
        return len(self.rows) - 1

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), read-only."""
        entries = np.array([[float(entry) for entry in row] for row in self.rows])
        entries.flags.writeable = False
        return entries

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        yield from map(list, self.rows)

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals; see `Mechanism.decimal_rows`."""
        rounded = context(precision)
        for row in self.rows:
            yield [decimal(entry, rounded) for entry in row]
