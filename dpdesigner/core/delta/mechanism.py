"""Mechanisms for a count under (epsilon, delta) or Gaussian differential privacy: universal noise with a user's remap.

The universal mechanism under Gaussian differential privacy: the count plus N(0, 1 / mu^2), read by thresholds.

mu-GDP says that no test can tell two neighbouring counts better apart than N(0, 1) and N(mu, 1) are told apart. It is the same as
(epsilon, delta) for every epsilon at once, with `delta_at`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.delta.cells import Cells, ChainCells, Level
from dpdesigner.core.delta.reading import Dual
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.numbers.rounding import context, decimal
from dpdesigner.core.privacy.level import PrivacyLevel

_FAR = 40.0  # standard deviations beyond which the probability is negligible
_STEPS = 110  # halvings of a range until a threshold is exact to a double


def delta_at(mu: float, epsilon: float) -> float:
    """Return the delta that epsilon does not cover: Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)."""
    from scipy.special import log_ndtr, ndtr  # imported late: a window opens without it

    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon + float(log_ndtr(-mu / 2 - epsilon / mu))))


def found_out(mu: float, rate: float) -> float:
    """Return the largest true positive rate of an attack on one person at a false positive rate."""
    from scipy.special import ndtr, ndtri

    return float(ndtr(ndtri(rate) + mu))


def bet(mu: float) -> float:
    """Return the largest probability of winning a 50:50 bet on one person."""
    from scipy.special import ndtr

    return float(ndtr(mu / 2))


@dataclass(frozen=True, eq=False)
class GaussianCells:
    """The noise partitioned by one user's reading: thresholds, and the readings between them.

    Attributes
    ----------
    n : int
    mu : float
    cuts : ndarray
        Rising, without the two ends at infinity.
    outputs : ndarray of int
        One more than cuts: what is read between them.
    """

    n: int
    mu: float
    cuts: Floats
    outputs: Integers

    @classmethod
    def of(cls, n: int, mu: float, prior: Floats, loss: Floats) -> GaussianCells:
        """Find a user's thresholds; for losses that Theorem A covers, whose best reading rises with the release."""
        costs = prior[:, None] * loss
        counts = np.arange(n + 1)

        def reading(z: Floats) -> Integers:
            powers = -0.5 * (mu * (z[:, None] - counts)) ** 2
            powers -= np.where(prior > 0, powers, -np.inf).max(axis=1, keepdims=True)
            scores = np.exp(powers) @ costs
            return np.asarray(scores.argmin(axis=1), dtype=np.int64)

        least, most = (int(reading(np.array([z]))[0]) for z in (-_FAR / mu, n + _FAR / mu))
        values = np.arange(least, most)
        low, high = np.full(len(values), -_FAR / mu), np.full(len(values), n + _FAR / mu)
        for _ in range(_STEPS if len(values) else 0):
            middle = (low + high) / 2
            above = reading(middle) > values
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        kept = np.flatnonzero(np.diff(high, append=np.inf) > 0)  # a value between equal thresholds is never read
        return cls(n, mu, high[kept], np.concatenate([values[kept], [most]]))

    @property
    def exact(self) -> bool:
        """Whether all numbers are fractions: always False."""
        return False

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.outputs)

    @property
    def half_width(self) -> None:
        """None: the noise is unbounded."""
        return

    @cached_property
    def matrix(self) -> Floats:
        """The probability of every cell for each count, (n + 1, cells), read-only; each from its small tail."""
        from scipy.special import ndtr

        ends = np.concatenate([[-np.inf], self.cuts, [np.inf]])
        z = self.mu * (ends - np.arange(self.n + 1)[:, None])
        left, right = z[:, :-1], z[:, 1:]
        held = np.where(left > 0, ndtr(-left) - ndtr(-right), ndtr(right) - ndtr(left))
        held.flags.writeable = False
        return held

    def rows(self, reading: Integers | None = None) -> Iterator[list[Fraction]]:
        """Yield the rows as exact fractions of their doubles, with the largest entry set so that the row sums to 1."""
        places = self.outputs if reading is None else reading
        for probabilities in self.matrix:
            row = [Fraction(0)] * (self.n + 1)
            for entry, place in zip(probabilities.tolist(), places.tolist(), strict=True):
                row[place] += Fraction(entry)
            largest = max(range(len(row)), key=row.__getitem__)
            row[largest] += 1 - sum(row)
            yield row

    def name(self, cell: int) -> str:
        """Return ``"2.5 to 3.62"``: the interval of a cell, rounded for display."""
        ends = ["−∞", *(f"{cut:.4g}".replace("-", "−") for cut in self.cuts.tolist()), "∞"]
        return " to ".join(ends[cell : cell + 2])


@dataclass(frozen=True, eq=False)
class GaussianReading:
    """A user's reading of Gaussian noise; optimal by the domination theorem, without a numerical certificate.

    Attributes
    ----------
    cells : GaussianCells
    value, gap : float
        The expected loss, and the rounding of doubles in it.
    """

    cells: GaussianCells
    value: float
    gap: float

    exact: ClassVar[bool] = False
    dual: ClassVar[Dual] = Dual((), (), (), 0.0)

    @property
    def outputs(self) -> Integers:
        """The readings between the thresholds."""
        return self.cells.outputs


def gaussian_reading(n: int, mu: float, prior: Floats, loss: Floats) -> GaussianReading:
    """Return a user's reading of Gaussian noise."""
    cells = GaussianCells.of(n, mu, prior, loss)
    paid = prior[:, None] * loss[:, cells.outputs] * cells.matrix
    value = math.fsum(paid.ravel().tolist())
    return GaussianReading(cells, value, 1e-13 * math.fsum(np.abs(paid).ravel().tolist()) + 1e-300)


#: Fraction of delta kept in reserve where entries are rounded.
_SLACK = Fraction(1, 10**12)
#: An irrational alpha is rounded up to this many digits where rows are needed as fractions.
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
        """Yield the rows as decimals, computed for a slightly smaller delta; see `Mechanism.decimal_rows`."""
        rounded = context(precision)
        if isinstance(self.cells, GaussianCells):
            for row in self.cells.rows(self.outputs):
                yield [decimal(entry, rounded) for entry in row]
        else:
            for entries in self._remade(alpha, _SLACK, False).rows(self.outputs):
                yield [rounded.plus(entry) for entry in entries]

    def _remade(self, alpha: Fraction, slack: Fraction, exact: bool) -> Cells | ChainCells:
        """Return the cells for slightly more privacy than required."""
        kept = self.delta * (1 - slack)
        if not isinstance(self.cells, ChainCells):
            return Cells.of(self.n, alpha, kept, exact=exact)
        factor = alpha / self.privacy.alpha_above if slack else Fraction(1)
        rest = [Level(min(Fraction(1), _short(each.alpha) * factor), each.delta * (1 - slack)) for each in self.further]
        return ChainCells.of(self.n, [Level(alpha, kept), *rest], exact=exact)


def _short(alpha: Fraction) -> Fraction:
    """Round an alpha of many digits up, to more privacy."""
    if len(str(alpha.denominator)) <= _DIGITS:
        return alpha
    return min(Fraction(1), Fraction(-(-alpha.numerator * 10**_DIGITS // alpha.denominator), 10**_DIGITS))


@dataclass(frozen=True, eq=False)
class FractionTable(Mechanism):
    """A mechanism stored in fractions: the solution of a linear program, repaired to be exactly private.

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
