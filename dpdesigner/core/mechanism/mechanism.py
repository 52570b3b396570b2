"""Mechanisms: row-stochastic matrices, rows = true result, columns = released result.

Two kinds are held: the geometric mechanism followed by a remap (`dpdesigner.core.mechanism.remapped_geometric`), and a table, for
what a linear program found.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.mechanism.repair import repair
from dpdesigner.core.numbers.decimals import context, decimal
from dpdesigner.core.numbers.parsing import place
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError

_ROW, _COLUMN = "the true result", "the release"


class Mechanism(ABC):
    """A private mechanism for a count query.

    Attributes
    ----------
    privacy : PrivacyLevel
        The level that it satisfies.
    n : int
        The largest true result.
    delta : Fraction
        What epsilon may leave uncovered.
    further : tuple of (Fraction, Fraction)
        Other alphas with what they may leave uncovered.
    """

    privacy: PrivacyLevel
    n: int
    delta: Fraction = Fraction(0)
    further: tuple[tuple[Fraction, Fraction], ...] = ()

    @property
    @abstractmethod
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), read-only."""

    @abstractmethod
    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic, exactly alpha-DP and summing to exactly 1.

        Parameters
        ----------
        alpha : Fraction
            At least the true alpha of the privacy level.
        """

    @abstractmethod
    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals, each entry rounded to `precision` significant digits."""

    def row(self, i: int) -> Floats:
        """Return what is released when the true result is i, (n + 1,)."""
        return np.asarray(self.matrix[self._row_place(i)])

    def column(self, r: int) -> Floats:
        """Return how likely the release r is for each true result, (n + 1,)."""
        return np.asarray(self.matrix[:, self._column_place(r)])

    def block(self, rows: Integers, columns: Integers) -> Floats:
        """Return the entries in some rows and columns, (len(rows), len(columns))."""
        return np.asarray(self.matrix[np.ix_(rows, columns)])

    def entry(self, i: int, r: int) -> float:
        """Return the probability of the release r when the true result is i."""
        return float(self.block(np.array([self._row_place(i)]), np.array([self._column_place(r)]))[0, 0])

    def ratio(self, i: int, r: int) -> float | None:
        """Return the probability of the release r for the true result i + 1 over that for i; None if r is never released."""
        i, r = place(i, _ROW, self.n - 1), self._column_place(r)
        before, after = self.block(np.array([i, i + 1]), np.array([r]))[:, 0]
        return float(after / before) if before > 0 else None

    @property
    def epsilon(self) -> float:
        """The privacy it really has, rounded up; 0 where every row is the same."""
        return self.privacy.epsilon_above

    @property
    def n_released(self) -> int:
        """The number of values that can be released."""
        return int((self.matrix > 0).any(axis=0).sum())

    def draw(self, i: int) -> int:
        """Release once: draw from row i exactly, from the operating system's entropy."""
        from dpdesigner.core.privacy import sampling  # late: a window opens without it

        return sampling.from_weights(self._exact[self._row_place(i)])

    def _row_place(self, i: int) -> int:
        """A true result, checked: -1 is none."""
        return place(i, _ROW, self.n)

    def _column_place(self, r: int) -> int:
        """A release, checked."""
        return place(r, _COLUMN, self.n)

    def _beliefs(self, prior: Floats) -> Floats:
        """A prior, checked for having a probability for each true result."""
        if np.shape(prior) != (self.n + 1,):
            raise InputError(f"the prior must have n + 1 = {self.n + 1} probabilities, got {np.shape(prior)}.", "prior")
        return np.asarray(prior)

    @cached_property
    def _exact(self) -> list[list[Fraction]]:
        return list(self.exact_rows(self.privacy.alpha_above))

    def posterior(self, prior: Floats, r: int) -> Floats | None:
        """Return what a user with this prior believes after the release r, (n + 1,); None if r is never released."""
        joint = self._beliefs(prior) * self.column(r)
        total = joint.sum()
        return np.asarray(joint / total) if total > 0 else None


@dataclass(frozen=True, eq=False)
class Table(Mechanism):
    """A mechanism held as a matrix: what a linear program found, repaired to be private (`dpdesigner.core.mechanism.repair`).

    Attributes
    ----------
    privacy : PrivacyLevel
    raw : ndarray
        (n + 1, n + 1): what the solver said, nearly private and nearly stochastic; never shown as it is.
    filler : int
        The column that takes up what the repaired rows lack.
    """

    privacy: PrivacyLevel
    raw: Floats
    filler: int

    @property
    def n(self) -> int:  # type: ignore[override]
        """The largest true result."""
        return len(self.raw) - 1

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), repaired, read-only."""
        entries = np.asarray(repair(self.raw, self.privacy.alpha, filler=self.filler), dtype=float)
        entries.flags.writeable = False
        return entries

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        for row in repair(self.raw, alpha, filler=self.filler):
            yield list(row)

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals; see `Mechanism.decimal_rows`."""
        rounded = context(precision)
        for row in self.exact_rows(alpha):
            yield [decimal(entry, rounded) for entry in row]


def most_moved(mine: Floats, theirs: Floats) -> float:
    """Return the largest part of the releases of one true result by which two matrices differ: max_i sum_r |x_ir - y_ir| / 2."""
    return float(np.abs(mine - theirs).sum(axis=1).max()) / 2


def expected_loss(prior: Floats, loss: Floats, matrix: Floats) -> float:
    """Return sum_i p_i sum_r x_ir l(i, r): [GRS] (1)."""
    return math.fsum(prior * np.einsum("ij,ij->i", loss, matrix))
