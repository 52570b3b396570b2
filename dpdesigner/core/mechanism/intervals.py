"""Intervals of outputs of the geometric mechanism that are read alike: their probabilities in closed form, in O(1) each.

A remap that does not decrease reads neighbouring outputs alike; a release r then is an interval first..last of outputs, and its
probability for a true result i is a geometric sum. With E(k) = 1 - alpha^k, an interval away from the ends has probability

    (E(i - first + 1) + alpha E(last - i)) / (1 + alpha)    for a true result i within it,
    alpha^d E(last - first + 1) / (1 + alpha)               at distance d outside.

What clamping adds at an end (`dpdesigner.core.mechanism.geometric`) replaces the E on that side by 1. All terms are positive, so
nothing cancels, and E is made by expm1, so that it is right as alpha tends to 1. So single entries, rows, columns and blocks of a
mechanism of any size are made when they are asked for: the ends of the intervals and their readings are all that is kept. A remap
that does decrease somewhere gives several intervals for one reading; they are kept in the order of their readings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.privacy.level import PrivacyLevel

_LARGEST_RATE = 1e6  # stands for an infinite epsilon
_VANISHING = 746.0  # exp of less than its negative is 0 in doubles


@dataclass(frozen=True, eq=False)
class Intervals:
    """The longest intervals of outputs with one reading, in the order of their readings.

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
        """Take the intervals of a remap, (n + 1,)."""
        first = np.flatnonzero(np.diff(remap, prepend=-1))
        last = np.append(first[1:], len(remap)) - 1
        reading = remap[first]
        if (np.diff(reading) < 0).any():
            order = np.argsort(reading, kind="stable")
            first, last, reading = first[order], last[order], reading[order]
        return cls(privacy, len(remap) - 1, first, last, reading)

    def of_readings(self, readings: Integers) -> tuple[Integers, Integers]:
        """Return for each reading which intervals have it: from the first number up to, not including, the second."""
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
        """Return which intervals a true result can lead to with a probability that is not 0 in doubles."""
        if self._rate * self.n <= _VANISHING:
            return np.arange(len(self.first))
        reach = _VANISHING / self._rate
        return np.flatnonzero((self.first <= i + reach) & (self.last >= i - reach))

    def around(self, k: int, nearer: float) -> slice:
        """Return the true results whose `probability` of interval k, distances less by `nearer`, is not 0 in doubles."""
        reach = _VANISHING / max(self._rate, _VANISHING / (self.n + 1)) + nearer
        return slice(max(int(self.first[k] - reach), 0), min(int(self.last[k] + reach) + 2, self.n + 1))

    def reach(self, columns: Integers) -> tuple[Integers, Integers]:
        """Return the first and the last output of some readings; n + 1 and -1 where there is none."""
        start, stop = self.of_readings(columns)
        first, last = np.full(len(columns), self.n + 1), np.full(len(columns), -1)
        used = np.flatnonzero(start < stop)
        # The intervals of one reading are in the order of their outputs.
        first[used], last[used] = self.first[start[used]], self.last[stop[used] - 1]
        return first, last

    def nearest(self, results: Integers, k: int) -> float:
        """Return how far the nearest of some true results, rising and at least one, is from an interval, 0 within."""
        place = int(np.searchsorted(results, self.first[k]))
        above = results[place] - self.last[k] if place < len(results) else math.inf
        below = self.first[k] - results[place - 1] if place else math.inf
        return float(max(min(above, below), 0))

    def largest(self, rows: Integers, row_step: int, columns: Integers, column_step: int) -> Floats:
        """Return about the largest probability of one reading in every block of true results and readings.

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
        """The probability of some intervals at their ends, as their tails below and above go on from there."""
        first, last = self.first[k], self.last[k]
        part = self._part(last - first + 1)
        tails = (np.where(last == self.n, 1.0, part), np.where(first == 0, 1.0, part))
        return tails[0] / (1 + self.privacy.alpha), tails[1] / (1 + self.privacy.alpha)

    @cached_property
    def _peak(self) -> Integers:
        """The true result that makes each interval most likely."""
        middle = (self.first + self.last) // 2
        return np.where(self.first == 0, 0, np.where(self.last == self.n, self.n, middle))

    @cached_property
    def _scores(self) -> tuple[Floats, ...]:
        """What is largest for the interval that is most likely, and for those that reach furthest down and up."""
        with np.errstate(divide="ignore"):
            down, up = (np.log(tail) for tail in self._outer(slice(None)))
        peaks = self.probability(self._peak, np.arange(len(self.first)))
        return peaks, down - self._rate * self.first, up + self._rate * self.last

    @staticmethod
    def _best(score: Floats, start: Integers, stop: Integers) -> Integers:
        """The number of the first of the largest scores in each start..stop - 1; these follow one another without a gap."""
        part = score[start[0] : stop[-1]]
        most = np.maximum.reduceat(part, start - start[0])
        good = start[0] + np.flatnonzero(part == np.repeat(most, stop - start))
        return np.asarray(good[np.searchsorted(good, start)])
