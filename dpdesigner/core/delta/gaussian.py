"""The universal mechanism under Gaussian differential privacy: the count plus N(0, 1 / mu^2), read by thresholds.

mu-GDP says that no test can tell two neighbouring counts better apart than N(0, 1) and N(mu, 1) are told apart. It is the same as
(epsilon, delta) for every epsilon at once, with `delta_at`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.delta.reading import Dual

_FAR = 40.0  # standard deviations beyond which nothing happens
_STEPS = 110  # halvings of a range until a threshold is a double


def delta_at(mu: float, epsilon: float) -> float:
    """Return what epsilon leaves uncovered: Phi(mu / 2 - epsilon / mu) - e^epsilon Phi(-mu / 2 - epsilon / mu)."""
    from scipy.special import log_ndtr, ndtr  # late: a window opens without it

    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon + float(log_ndtr(-mu / 2 - epsilon / mu))))


def found_out(mu: float, rate: float) -> float:
    """Return how often a person is found out at most, at a rate of false alarms."""
    from scipy.special import ndtr, ndtri

    return float(ndtr(ndtri(rate) + mu))


def bet(mu: float) -> float:
    """Return how often a 50:50 bet on one person is won at most."""
    from scipy.special import ndtr

    return float(ndtr(mu / 2))


@dataclass(frozen=True, eq=False)
class GaussianCells:
    """The noise cut into what one user reads alike: thresholds and readings between them.

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
        """Whether all numbers are fractions: never."""
        return False

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.outputs)

    @property
    def half_width(self) -> None:
        """The noise has no end."""
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
        """Yield the rows as the doubles that they are, in fractions, the largest entry being what the others leave of 1."""
        places = self.outputs if reading is None else reading
        for probabilities in self.matrix:
            row = [Fraction(0)] * (self.n + 1)
            for entry, place in zip(probabilities.tolist(), places.tolist(), strict=True):
                row[place] += Fraction(entry)
            largest = max(range(len(row)), key=row.__getitem__)
            row[largest] += 1 - sum(row)
            yield row

    def name(self, cell: int) -> str:
        """``"2.5 to 3.62"``: the interval of a cell, rounded for reading."""
        ends = ["−∞", *(f"{cut:.4g}".replace("-", "−") for cut in self.cuts.tolist()), "∞"]
        return " to ".join(ends[cell : cell + 2])


@dataclass(frozen=True, eq=False)
class GaussianReading:
    """A user's reading of Gaussian noise; optimal by the domination theorem, without a certificate by number.

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
