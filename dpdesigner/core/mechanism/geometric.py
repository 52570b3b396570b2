"""The geometric mechanism: two-sided geometric noise, its range-restricted form G, and G followed by a remap.

[GRS] Section 2: Pr[Z = z] = (1 - alpha) / (1 + alpha) alpha^|z|. G clamps the sum to 0..n:
G = K diag(D) with K_ij = alpha^|i-j|, D_0 = D_n = 1 / (1 + alpha) and D_j = (1 - alpha) / (1 + alpha) in between.
At alpha = 1 the limit of the clamped form is taken: 0 and n with probability 1/2 each, whatever the count.

Outputs that are read alike
---------------------------
Their probabilities have a closed form, in O(1) each.

A remap that does not decrease reads neighbouring outputs alike; a release r then is an interval first..last of outputs, and its
probability for a true result i is a geometric sum. With E(k) = 1 - alpha^k, an interval away from the ends has probability

    (E(i - first + 1) + alpha E(last - i)) / (1 + alpha)    for a true result i within it,
    alpha^d E(last - first + 1) / (1 + alpha)               at distance d outside.

What clamping adds at an end replaces the E on that side by 1. All terms are positive, so
nothing cancels, and E is made by expm1, so that it is right as alpha tends to 1. So single entries, rows, columns and blocks of a
mechanism of any size are made when they are asked for: the ends of the intervals and their readings are all that is kept. A remap
that does decrease somewhere gives several intervals for one reading; they are kept in the order of their readings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import LARGEST_DENSE_N
from dpdesigner.core.basics.parsing import place
from dpdesigner.core.basics.rounding import context, decimal
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.errors import InputError

Exact = TypeVar("Exact", Fraction, Decimal)


def noise(privacy: PrivacyLevel, z: int) -> float:
    """Return Pr[Z = z] of the geometric mechanism's noise on all integers; 0 at alpha = 1, where it is spread infinitely thin."""
    return privacy.one_minus_alpha / (1 + privacy.alpha) * privacy.alpha ** abs(z)


def expected_distance(privacy: PrivacyLevel) -> float:
    """Return E|Z| = 2 alpha / (1 - alpha^2) of the unclamped noise; infinite at alpha = 1."""
    spread = privacy.one_minus_alpha * (1 + privacy.alpha)
    return 2 * privacy.alpha / spread if spread else float("inf")


def weights(privacy: PrivacyLevel, n: int) -> Floats:
    """Return the diagonal D of G = K diag(D), (n + 1,)."""
    if n == 0:
        return np.ones(1)
    diagonal = np.full(n + 1, privacy.one_minus_alpha / (1 + privacy.alpha))
    diagonal[0] = diagonal[n] = 1 / (1 + privacy.alpha)
    return diagonal


def exact_weights(alpha: Fraction, n: int) -> list[Fraction]:
    """Return D in rational arithmetic."""
    if n == 0:
        return [Fraction(1)]
    end, inner = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
    return [end, *[inner] * (n - 1), end]


def matrix(privacy: PrivacyLevel, n: int) -> Floats:
    """Return the range-restricted G, (n + 1, n + 1), rows = true result, columns = released result."""
    distances = np.abs(np.arange(-n, n + 1))
    powers = np.power(privacy.alpha, distances)
    kernel = np.lib.stride_tricks.sliding_window_view(powers, n + 1)[::-1]
    return np.asarray(kernel * weights(privacy, n))


def row(privacy: PrivacyLevel, n: int, i: int) -> Floats:
    """Return one row of G, (n + 1,): the release probabilities when the true result is i."""
    return np.asarray(np.power(privacy.alpha, np.abs(np.arange(n + 1) - place(i, "the true result", n))) * weights(privacy, n))


def column(privacy: PrivacyLevel, n: int, j: int) -> Floats:
    """Return one column of G, (n + 1,): the probability of j for each true result."""
    j = place(j, "the release", n)
    return np.asarray(np.power(privacy.alpha, np.abs(np.arange(n + 1) - j)) * weights(privacy, n)[j])


def powers(alpha: Exact, n: int) -> list[Exact]:
    """Return alpha^0, ..., alpha^n: exactly, or rounded as decimals in the active context."""
    rising = [type(alpha)(1)]
    for _ in range(n):
        rising.append(rising[-1] * alpha)
    return rising


_LARGEST_RATE = 1e6  # stands for an infinite epsilon
_VANISHING = 746.0  # if x exceeds this, exp(-x) is 0 in doubles


@dataclass(frozen=True, eq=False)
class Intervals:
    """The maximal intervals of outputs with one reading, ordered by reading.

    Attributes
    ----------
    privacy : PrivacyLevel
    n : int
    first, last, reading : ndarray of int
        (k,) each: the outputs first..last are read as `reading`.
    """

    privacy: PrivacyLevel
    n: int
    first: Integers
    last: Integers
    reading: Integers

    @classmethod
    def of(cls, privacy: PrivacyLevel, remap: Integers) -> Intervals:
        """Construct the intervals of a remap, (n + 1,)."""
        first = np.flatnonzero(np.diff(remap, prepend=-1))
        last = np.append(first[1:], len(remap)) - 1
        reading = remap[first]
        if (np.diff(reading) < 0).any():
            order = np.argsort(reading, kind="stable")
            first, last, reading = first[order], last[order], reading[order]
        return cls(privacy, len(remap) - 1, first, last, reading)

    def of_readings(self, readings: Integers) -> tuple[Integers, Integers]:
        """Return the range of intervals for each reading: from the first number up to, but excluding, the second."""
        return np.searchsorted(self.reading, readings), np.searchsorted(self.reading, readings, side="right")

    def probability(self, i: Integers, k: Integers, nearer: float = 0.0) -> Floats:
        """Return the probability that the output is in interval k when the true result is i; i and k are broadcast.

        Parameters
        ----------
        i, k : ndarray of int
        nearer : float
            Distances are taken to be less by this, down to 0, so that what is far away can be compared.
        """
        below, above = self.first[k] - i, i - self.last[k]
        distance = np.maximum(np.maximum(below, above) - nearer, 0.0)
        chance = np.where(below > 0, *self._outer(k)) * np.exp(-self._rate * distance)
        inside = np.nonzero((below <= 0) & (above <= 0))
        if len(inside[0]):
            left = np.where(np.broadcast_to(self.first[k], chance.shape)[inside] == 0, 1.0, self._part(1 - below[inside]))
            right = np.where(np.broadcast_to(self.last[k], chance.shape)[inside] == self.n, 1.0, self._part(-above[inside]))
            chance[inside] = (left + self.privacy.alpha * right) / (1 + self.privacy.alpha)
        return np.asarray(chance)

    def near(self, i: int) -> Integers:
        """Return which intervals have a nonzero probability in doubles for a true result."""
        if self._rate * self.n <= _VANISHING:
            return np.arange(len(self.first))
        reach = _VANISHING / self._rate
        return np.flatnonzero((self.first <= i + reach) & (self.last >= i - reach))

    def around(self, k: int, nearer: float) -> slice:
        """Return the true results whose `probability` of interval k, distances less `nearer`, is nonzero in doubles."""
        reach = _VANISHING / max(self._rate, _VANISHING / (self.n + 1)) + nearer
        return slice(max(int(self.first[k] - reach), 0), min(int(self.last[k] + reach) + 2, self.n + 1))

    def reach(self, columns: Integers) -> tuple[Integers, Integers]:
        """Return the first and last output of each reading; n + 1 and -1 if it has none."""
        start, stop = self.of_readings(columns)
        first, last = np.full(len(columns), self.n + 1), np.full(len(columns), -1)
        used = np.flatnonzero(start < stop)
        # The intervals of one reading are in the order of their outputs.
        first[used], last[used] = self.first[start[used]], self.last[stop[used] - 1]
        return first, last

    def nearest(self, results: Integers, k: int) -> float:
        """Return the distance from interval k to the nearest of some rising true results (at least one); 0 inside it."""
        place = int(np.searchsorted(results, self.first[k]))
        above = results[place] - self.last[k] if place < len(results) else math.inf
        below = self.first[k] - results[place - 1] if place else math.inf
        return float(max(min(above, below), 0))

    def largest(self, rows: Integers, row_step: int, columns: Integers, column_step: int) -> Floats:
        """Return approximately the largest probability of one reading in every block of true results and readings.

        Parameters
        ----------
        rows, columns : ndarray of int
            The first true result and the first reading of each block.
        row_step, column_step : int
            The size of the blocks.

        Returns
        -------
        ndarray
            (len(rows), len(columns)). Looks at the most likely, the nearest and the most far-reaching readings of a block, so it
            is never 0 where an entry is not, and hardly ever less than the largest.
        """
        start, stop = np.searchsorted(self.reading, columns), np.searchsorted(self.reading, columns + column_step)
        blocks = np.zeros((len(rows), len(columns)))
        used = np.flatnonzero(stop > start)
        if not len(used):
            return blocks
        start, stop = start[used], stop[used]
        nearest = np.searchsorted(self._peak, rows + row_step // 2)[:, None]
        candidates = [self._best(score, start, stop)[None, :] for score in self._scores]
        candidates += [np.clip(nearest, start, stop - 1), np.clip(nearest - 1, start, stop - 1)]
        most = np.zeros((len(rows), len(used)))
        for k in candidates:
            i = np.clip(self._peak[k], rows[:, None], np.minimum(rows + row_step - 1, self.n)[:, None])
            near = self._rate * np.maximum(self.first[k] - i, i - self.last[k]) <= _VANISHING
            if 4 * np.count_nonzero(near) > most.size:
                np.maximum(most, self.probability(i, k), out=most)
            else:  # most of a large matrix is 0 in doubles
                most[near] = np.maximum(most[near], self.probability(i[near], np.broadcast_to(k, i.shape)[near]))
        blocks[:, used] = most
        return blocks

    @property
    def _rate(self) -> float:
        return min(self.privacy.epsilon, _LARGEST_RATE)

    def _part(self, k: Integers) -> Floats:
        """E(k) = 1 - alpha^k."""
        return np.asarray(-np.expm1(-self._rate * k))

    def _outer(self, k: Integers | slice) -> tuple[Floats, Floats]:
        """The probabilities of some intervals at their two ends, from which their lower and upper tails decay."""
        first, last = self.first[k], self.last[k]
        part = self._part(last - first + 1)
        tails = (np.where(last == self.n, 1.0, part), np.where(first == 0, 1.0, part))
        return tails[0] / (1 + self.privacy.alpha), tails[1] / (1 + self.privacy.alpha)

    @cached_property
    def _peak(self) -> Integers:
        """The true result under which each interval is most likely."""
        middle = (self.first + self.last) // 2
        return np.where(self.first == 0, 0, np.where(self.last == self.n, self.n, middle))

    @cached_property
    def _scores(self) -> tuple[Floats, ...]:
        """The score of each interval end: largest for the most likely interval, and for those that reach furthest down and up."""
        with np.errstate(divide="ignore"):
            down, up = (np.log(tail) for tail in self._outer(slice(None)))
        peaks = self.probability(self._peak, np.arange(len(self.first)))
        return peaks, down - self._rate * self.first, up + self._rate * self.last

    @staticmethod
    def _best(score: Floats, start: Integers, stop: Integers) -> Integers:
        """Return the index of the first maximum score in each range start..stop - 1; the ranges are contiguous."""
        part = score[start[0] : stop[-1]]
        most = np.maximum.reduceat(part, start - start[0])
        good = start[0] + np.flatnonzero(part == np.repeat(most, stop - start))
        return np.asarray(good[np.searchsorted(good, start)])


class _Run(NamedTuple):
    """The releases `first` to `stop` - 1, which correspond to consecutive outputs starting at `output`."""

    first: int
    stop: int
    output: int


@dataclass(frozen=True, init=False, eq=False)
class RemappedGeometric(Mechanism):
    """The range-restricted geometric mechanism G followed by a remap of its outputs.

    It is held as (privacy level, remap): entries, rows, columns, blocks, posteriors and draws are made on demand for any n.

    Parameters
    ----------
    privacy : PrivacyLevel
    n : int
    remap : sequence or ndarray of int
        (n + 1,): output j of G is released as remap[j]; held as a read-only array.
    """

    privacy: PrivacyLevel
    n: int
    remap: Integers

    def __init__(self, privacy: PrivacyLevel, n: int, remap: Sequence[int] | Integers) -> None:
        held = np.array(remap, dtype=np.int64)
        held.flags.writeable = False
        for key, value in {"privacy": privacy, "n": n, "remap": held}.items():
            object.__setattr__(self, key, value)

    @property
    def epsilon(self) -> float:
        """The attained epsilon: as specified, or 0 if the remap ignores the data."""
        return 0.0 if (self.remap == self.remap[0]).all() else self.privacy.epsilon_above

    @property
    def n_released(self) -> int:
        """The number of values that can be released."""
        return int(np.count_nonzero(np.bincount(self.remap)))

    @cached_property
    def intervals(self) -> Intervals:
        """The intervals of outputs with the same reading."""
        return Intervals.of(self.privacy, self.remap)

    @cached_property
    def matrix(self) -> Floats:
        """All entries as doubles, (n + 1, n + 1), read-only."""
        self._check_size()
        entries = self._gather(matrix(self.privacy, self.n))
        entries.flags.writeable = False
        return entries

    def row(self, i: int) -> Floats:
        """Return the release probabilities when the true result is i, (n + 1,), in O(n)."""
        i = self._row_place(i)
        near = self.intervals.near(i)
        chances = self.intervals.probability(np.array(i), near)
        return np.bincount(self.intervals.reading[near], weights=chances, minlength=self.n + 1).astype(float, copy=False)

    def column(self, r: int) -> Floats:
        """Return the probability of release r for each true result, (n + 1,), in O(n)."""
        return self.block(np.arange(self.n + 1), np.array([self._column_place(r)]))[:, 0]

    def block(self, rows: Integers, columns: Integers) -> Floats:
        """Return the entries in some rows and columns, (len(rows), len(columns)), in O(1) each."""
        first, stop = self.intervals.of_readings(columns)
        cells = np.zeros((len(rows), len(columns)))
        for step in range(int((stop - first).max(initial=0))):
            some = np.flatnonzero(first + step < stop)
            cells[:, some] += self.intervals.probability(rows[:, None], first[some] + step)
        return cells

    def posterior(self, prior: Floats, r: int) -> Floats | None:
        """Return a user's posterior after the release r, (n + 1,); correct even where r is too unlikely for a double."""
        prior, r = self._beliefs(prior), self._column_place(r)
        (first,), (stop,) = self.intervals.of_readings(np.array([r]))
        if first == stop:
            return None
        possible, members = np.flatnonzero(prior), range(first, stop)
        nearest = 0.0 if math.isinf(self.privacy.epsilon) else math.inf
        for k in members:
            nearest = min(nearest, self.intervals.nearest(possible, k))
        likely = np.zeros(self.n + 1)
        for k in members:
            some = self.intervals.around(k, nearest)
            likely[some] += self.intervals.probability(np.arange(some.start, some.stop), np.array(k), nearest)
        joint = prior * likely
        total = joint.sum()
        return np.asarray(joint / total) if total > 0 else None

    def draw(self, i: int) -> int:
        """Draw one release: the count plus geometric noise, clamped and remapped; exact even if alpha is irrational."""
        from dpdesigner.core.basics import sampling

        noisy = self._row_place(i) + sampling.geometric_noise(self.privacy, self.n)
        return int(self.remap[min(max(noisy, 0), self.n)])

    def exact_rows(self, alpha: Fraction) -> Iterator[list[Fraction]]:
        """Yield the rows in rational arithmetic; see `Mechanism.exact_rows`."""
        self._check_size()
        every, diagonal = powers(alpha, self.n), exact_weights(alpha, self.n)
        for i in range(self.n + 1):
            yield self._summed(i, every, diagonal)

    def decimal_rows(self, alpha: Fraction, precision: int) -> Iterator[list[Decimal]]:
        """Yield the rows as decimals; all terms are positive, so a few spare digits keep every entry exact to `precision`."""
        self._check_size()
        working, rounded = context(precision + 10), context(precision)
        with localcontext(working):
            every = powers(decimal(alpha, working), self.n)
        diagonal = [decimal(weight, working) for weight in exact_weights(alpha, self.n)]
        alone = self._alone
        with localcontext(working):  # columns from a single output hold the same numbers, each shifted by its place
            near = [rounded.normalize(power * diagonal[min(1, self.n)]) for power in every]
        around = [*near[:0:-1], *near]
        others = sorted({*range(self.n + 1)} - {j for run in alone for j in range(run.output, run.output + run.stop - run.first)})
        summed = sorted({int(self.remap[j]) for j in others})
        for i in range(self.n + 1):
            with localcontext(working):
                row = self._summed(i, every, diagonal, others)
            for r in summed:
                row[r] = rounded.normalize(row[r])
            for run in alone:
                start = self.n - i + run.output
                row[run.first : run.stop] = around[start : start + run.stop - run.first]
            yield row

    @property
    def _alone(self) -> list[_Run]:
        """The releases that correspond to one output each, excluding outputs 0 and n, as runs."""
        once = np.bincount(self.remap, minlength=self.n + 1)[self.remap] == 1
        runs: list[_Run] = []
        for j, r in enumerate(self.remap.tolist()):
            if not once[j] or not 0 < j < self.n:
                continue
            if runs and runs[-1].stop == r and r - runs[-1].first == j - runs[-1].output:
                runs[-1] = runs[-1]._replace(stop=r + 1)
            else:
                runs.append(_Run(r, r + 1, j))
        return runs

    def _summed(
        self, i: int, powers: Sequence[Exact], diagonal: Sequence[Exact], outputs: Sequence[int] | None = None
    ) -> list[Exact]:
        """Return a row of G, summed over entries with the same reading; for all outputs, or for some."""
        row, remap = [powers[0] - powers[0]] * (self.n + 1), self.remap.tolist()
        for j in range(self.n + 1) if outputs is None else outputs:
            row[remap[j]] += powers[abs(i - j)] * diagonal[j]
        return row

    @cached_property
    def constraints(self) -> NDArray[np.str_]:
        """The tight privacy constraints between rows i and i + 1, (n, n + 1): the constraint matrix of [GRS] Section 5.

        ``"d"``: x_{i+1} = alpha x_i (the entry falls as fast as it may), ``"u"``: x_i = alpha x_{i+1}, ``"S"``: slack, ``"Z"``:
        both 0.
        """
        self._check_size()
        differences = self.constraint_block(np.arange(self.n), np.arange(self.n + 1))
        differences.flags.writeable = False
        return differences

    def constraint_block(self, rows: Integers, columns: Integers) -> NDArray[np.str_]:
        """Return some rows and columns of `constraints`, (len(rows), len(columns)), for any n.

        Read off the remap: a column made of the outputs first..last rises up to the first and falls from the last.
        """
        first, last = self.intervals.reach(columns)
        i = rows[:, None]
        pattern = np.where(i >= last, "d", np.where(i + 1 <= first, "u", "S"))
        return np.asarray(np.where(last < 0, "Z", pattern))

    def ratio(self, i: int, r: int) -> float | None:
        """Return the probability of release r for i + 1 divided by that for i; correct even where both are below any double."""
        i, r = place(i, "the true result", self.n - 1), self._column_place(r)
        (first,), (last,) = self.intervals.reach(np.array([r]))
        alpha = self.privacy.alpha
        if alpha == 0 or last < 0 or first <= i < last:
            return super().ratio(i, r)
        return alpha if i >= last else 1 / alpha

    def _check_size(self) -> None:
        if self.n > LARGEST_DENSE_N:
            raise InputError(
                f"a mechanism is written out whole up to n = {LARGEST_DENSE_N}, got n = {self.n}; take rows or columns.", "n"
            )

    def _gather(self, columns: Floats) -> Floats:
        """Sum the columns of G that have the same reading."""
        entries = np.zeros_like(columns)
        if (np.diff(self.remap) >= 0).all():
            entries[:, self.intervals.reading] = np.add.reduceat(columns, self.intervals.first, axis=1)
        else:
            np.add.at(entries.T, self.remap, columns.T)
        return entries
