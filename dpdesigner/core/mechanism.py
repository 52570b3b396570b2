"""Mechanisms: row-stochastic matrices, rows = true result, columns = released result.

Two kinds are held: the geometric mechanism followed by a remap, kept as (privacy level, remap) so that a row or column is made
when it is asked for; and a table, for what a linear program found.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import geometric, sampling
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.core.repair import repair

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Mechanism(ABC):
    """A private mechanism for a count query.

    Attributes
    ----------
    privacy : PrivacyLevel
        The level that it satisfies.
    n : int
        The largest true result.
    """

    privacy: PrivacyLevel
    n: int

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
        return np.asarray(self.matrix[i])

    def column(self, r: int) -> Floats:
        """Return how likely the release r is for each true result, (n + 1,)."""
        return np.asarray(self.matrix[:, r])

    @property
    def epsilon(self) -> float:
        """The privacy it really has, rounded up; 0 where every row is the same."""
        return self.privacy.epsilon_above

    def draw(self, i: int) -> int:
        """Release once: draw from row i exactly, from the operating system's entropy."""
        return sampling.from_weights(self._exact[i])

    @cached_property
    def _exact(self) -> list[list[Fraction]]:
        return list(self.exact_rows(self.privacy.alpha_above))

    def posterior(self, prior: Floats, r: int) -> Floats | None:
        """Return what a user with this prior believes after the release r, (n + 1,); None if r is never released."""
        joint = prior * self.column(r)
        total = joint.sum()
        return np.asarray(joint / total) if total > 0 else None


@dataclass(frozen=True)
class RemappedGeometric(Mechanism):
    """The range-restricted geometric mechanism G followed by a remap of its outputs.

    Attributes
    ----------
    privacy : PrivacyLevel
    n : int
    remap : tuple of int
        (n + 1,): output j of G is released as remap[j].
    """

    privacy: PrivacyLevel
    n: int
    remap: tuple[int, ...]

    @property
    def epsilon(self) -> float:
        """The privacy it really has: as asked, or 0 where the remap ignores the data."""
        return 0.0 if len(set(self.remap)) == 1 else self.privacy.epsilon_above

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), read-only."""
        entries = self._gather(geometric.matrix(self.privacy, self.n))
        entries.flags.writeable = False
        return entries

    def row(self, i: int) -> Floats:
        """Return what is released when the true result is i, (n + 1,), in O(n)."""
        row = geometric.row(self.privacy, self.n, i)
        return np.bincount(self.remap, weights=row, minlength=self.n + 1).astype(float, copy=False)

    def column(self, r: int) -> Floats:
        """Return how likely the release r is for each true result, (n + 1,)."""
        total = np.zeros(self.n + 1)
        for j in np.flatnonzero(np.asarray(self.remap) == r):
            total += geometric.column(self.privacy, self.n, int(j))
        return total

    def posterior(self, prior: Floats, r: int) -> Floats | None:
        """Return what a user believes after the release r, (n + 1,); right also where r is too unlikely for a double."""
        outputs, possible = np.flatnonzero(np.asarray(self.remap) == r), np.flatnonzero(prior)
        epsilon = self.privacy.epsilon
        if not outputs.size or epsilon in (0, math.inf):
            return super().posterior(prior, r)
        distances = np.abs(np.arange(self.n + 1)[:, None] - outputs)
        nearest = distances[possible].min()
        powers = np.exp(-epsilon * np.maximum(distances - nearest, 0)) * geometric.weights(self.privacy, self.n)[outputs]
        joint = prior * powers.sum(axis=1)
        return np.asarray(joint / joint.sum())

    def draw(self, i: int) -> int:
        """Release once: the count plus geometric noise, clamped and remapped; exact also where alpha is irrational."""
        noisy = i + sampling.geometric_noise(self.privacy, self.n)
        return self.remap[min(max(noisy, 0), self.n)]

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        powers, diagonal = geometric.powers(alpha, self.n), geometric.exact_weights(alpha, self.n)
        for i in range(self.n + 1):
            row = [Fraction(0)] * (self.n + 1)
            for j, r in enumerate(self.remap):
                row[r] += powers[abs(i - j)] * diagonal[j]
            yield row

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals; all terms are positive, so a few spare digits keep every entry exact to `precision`."""
        context = Context(prec=precision + 10, Emin=MIN_EMIN, Emax=MAX_EMAX)
        rounded = Context(prec=precision, Emin=MIN_EMIN, Emax=MAX_EMAX)
        ratio = geometric.decimal(alpha, context)
        powers = [Decimal(1)]
        for _ in range(self.n):
            powers.append(context.multiply(powers[-1], ratio))
        diagonal = [geometric.decimal(weight, context) for weight in geometric.exact_weights(alpha, self.n)]
        for i in range(self.n + 1):
            row = [Decimal(0)] * (self.n + 1)
            for j, r in enumerate(self.remap):
                row[r] = context.add(row[r], context.multiply(powers[abs(i - j)], diagonal[j]))
            yield [rounded.plus(entry) for entry in row]

    @cached_property
    def constraints(self) -> NDArray[np.str_]:
        """Where privacy binds between rows i and i + 1, (n, n + 1): the constraint matrix of [GRS] Section 5.

        ``"d"``: x_{i+1} = alpha x_i (the entry falls as fast as it may), ``"u"``: x_i = alpha x_{i+1}, ``"S"``: slack,
        ``"Z"``: both entries are 0. Read off the remap: a column made of the outputs lo..hi rises up to lo and falls from hi.
        """
        remap = np.asarray(self.remap)
        outputs = np.arange(self.n + 1)
        first, last = np.full(self.n + 1, self.n + 1), np.full(self.n + 1, -1)
        np.minimum.at(first, remap, outputs)
        np.maximum.at(last, remap, outputs)
        i = np.arange(self.n)[:, None]
        pattern = np.where(i >= last, "d", np.where(i + 1 <= first, "u", "S"))
        found = np.asarray(np.where(last < 0, "Z", pattern))
        found.flags.writeable = False
        return found

    def _gather(self, columns: Floats) -> Floats:
        """Add up the columns of G that are read alike."""
        remap = np.asarray(self.remap)
        entries = np.zeros_like(columns)
        if (np.diff(remap) >= 0).all():
            starts = np.flatnonzero(np.diff(remap, prepend=-1))
            entries[:, remap[starts]] = np.add.reduceat(columns, starts, axis=1)
        else:
            np.add.at(entries.T, remap, columns.T)
        return entries


@dataclass(frozen=True, eq=False)
class Table(Mechanism):
    """A mechanism held as a matrix: what a linear program found, repaired to be private (`dpdesigner.core.repair`).

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
        rounded = Context(prec=precision, Emin=MIN_EMIN, Emax=MAX_EMAX)
        for row in self.exact_rows(alpha):
            yield [geometric.decimal(entry, rounded) for entry in row]


def remap_from_constraints(constraints: NDArray[np.str_]) -> tuple[int, ...]:
    """Read the remap off a constraint matrix: [GRS] Lemma 5.11.

    Parameters
    ----------
    constraints : ndarray of str
        (n, n + 1) of ``"d"``, ``"u"``, ``"S"``, ``"Z"``.

    Returns
    -------
    tuple of int
        (n + 1,): the i-th column k_i that is not Z stands for the outputs i + S_{i-1} .. i + S_i, where S_i counts the S in the
        first i + 1 such columns.
    """
    used = np.flatnonzero(~(constraints == "Z").all(axis=0)) if len(constraints) else np.array([0])
    remap: list[int] = []
    for k in used:
        remap += [int(k)] * (1 + int((constraints[:, k] == "S").sum()))
    return tuple(remap)


def expected_loss(prior: Floats, loss: Floats, matrix: Floats) -> float:
    """Return sum_i p_i sum_r x_ir l(i, r): [GRS] (1)."""
    return math.fsum(prior * np.einsum("ij,ij->i", loss, matrix))
