"""Mechanisms for a count under (epsilon, delta) or Gaussian differential privacy, and the losses of other noise.

Mechanisms for a count under (epsilon, delta) or Gaussian differential privacy: universal noise with a user's remap.

The universal mechanism under Gaussian differential privacy: the count plus N(0, 1 / mu^2), read by thresholds.

mu-GDP says that no test can tell two neighbouring counts better apart than N(0, 1) and N(mu, 1) are told apart. It is the same as
(epsilon, delta) for every epsilon at once, with `delta_at`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import context, decimal, figure, rounded_down, rounded_up
from dpdesigner.core.count.delta_cells import Cells, ChainCells, Level
from dpdesigner.core.count.delta_reading import Dual
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

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


_LARGEST = 20  # epsilon


def error_at(costs: Floats, delta: Fraction, epsilon: float) -> float:
    """Return the expected error of the best reading of the cells.

    Parameters
    ----------
    costs : ndarray
        (n + 1, releases): the prior of each true count times the loss of each release.
    delta : Fraction
    epsilon : float
    """
    cells = Cells.of(len(costs) - 1, PrivacyLevel.from_epsilon(epsilon).alpha_above, delta, exact=False)
    return math.fsum((cells.sizes * (cells.directions @ costs).min(axis=1)).tolist())


def level_for(costs: Floats, delta: Fraction, target: float, least: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose expected error is at most a target, epsilon rounded up.

    Parameters
    ----------
    costs, delta
        As in `error_at`.
    target : float
    least : float
        The loss without privacy.
    progress : Progress

    Raises
    ------
    InputError
        If no epsilon reaches the target, or every epsilon stays below it.
    """

    def error(epsilon: float) -> float:
        progress(None)
        return error_at(costs, delta, epsilon)

    most = error(0.0)
    if target > most * (1 + 1e-4):
        words = f"With δ = {figure(delta, 4)}, no ε gives an error of {figure(target)}: ε = 0 gives {figure(most)}."
        raise InputError(words, "target", f"{rounded_down(most, 4):f}")
    if target >= most:
        return PrivacyLevel.from_epsilon(0)
    if target <= least or error(_LARGEST) > target:
        raise InputError(f"No ε up to {_LARGEST} reaches {figure(target)}.", "target", figure(error(_LARGEST)))
    low, high = 0.0, 1.0
    while error(high) > target:
        low, high = high, min(2 * high, float(_LARGEST))
    while high - low > 2e-7 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if error(middle) > target else (low, middle)
    return PrivacyLevel.from_epsilon(float(rounded_up(high, 6)))


Cumulative = Callable[[Floats], Floats]


class Rivals(NamedTuple):
    """Expected losses with other noise.

    Attributes
    ----------
    truncated_laplace : float or None
        With Laplace noise that is cut off; None for a delta above 1/2 or epsilon 0, for which there is none.
    gaussian : float or None
        With Gaussian noise of the least standard deviation that is private; None for epsilon 0.
    gaussian_sigma : float or None
        That standard deviation, rounded up.
    """

    truncated_laplace: float | None
    gaussian: float | None
    gaussian_sigma: float | None


def costs_of_noise(prior: Floats, loss: Floats, epsilon: float, delta: float) -> Rivals:
    """Return the expected losses of truncated Laplace and Gaussian noise; loss (n + 1, m) is l(i, r)."""
    if not epsilon > 0 or math.isinf(epsilon):
        return Rivals(None, None, None)
    from scipy.special import ndtr  # imported late: a window opens without them

    from dpdesigner.core.noise.approximate import AnalyticGaussian, TruncatedLaplace

    sigma = AnalyticGaussian(epsilon, delta).sigma
    gaussian = _remapped(prior, loss, lambda x: np.asarray(ndtr(x / sigma), dtype=float))
    if delta > 0.5:
        return Rivals(None, gaussian, sigma)
    width = TruncatedLaplace(epsilon, delta).half_width
    return Rivals(_remapped(prior, loss, lambda x: _truncated(x, epsilon, width)), gaussian, sigma)


def _truncated(x: Floats, epsilon: float, width: float) -> Floats:
    """Return F of Laplace noise of scale 1 / epsilon, truncated at +-width."""
    size = np.minimum(np.abs(x), width)
    below = -np.exp(-epsilon * size) * np.expm1(-epsilon * (width - size)) / (-2 * np.expm1(-epsilon * width))
    return np.asarray(np.where(x < 0, below, 1 - below))


def _remapped(prior: Floats, loss: Floats, cumulative: Cumulative) -> float:
    """Return sum_j min_r sum_i p_i P(j | i) l(i, r), with outputs clamped to 0..n."""
    n = len(prior) - 1
    steps = cumulative(np.arange(-n, n + 1, dtype=np.float64) + 0.5)  # P(noise <= k) = F(k + 1/2), k = -n..n
    apart = np.arange(n + 1)[None, :] - np.arange(n + 1)[:, None]
    reached = steps[apart + n]
    reached[:, -1] = 1.0
    chances = np.diff(reached, axis=1, prepend=0.0)
    return math.fsum((chances.T @ (prior[:, None] * loss)).min(axis=1).tolist())
