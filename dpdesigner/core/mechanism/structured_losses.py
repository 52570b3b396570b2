"""Losses whose expected value follows from a few posterior sums, or that rise in steps, without a loss matrix.

After output j the posterior of the true result is q_i = p_i alpha^|i-j| up to a factor
(`dpdesigner.core.mechanism.posteriors`), and the score of reading r is sum_i q_i l(i, r). For three families it and the best r
need only sums of q_i and of its moments on one side of r:

- Quantile losses (absolute, pinball, relative), tau (i - r) above r and (1 - tau) (r - i) below: the score falls as long as less
  than tau of the posterior is at or below r. The best reading is the smallest r with at least that much: the tau-quantile.
- Squared loss: sum q_i (i - r)^2 = variance + (mean - r)^2. The best reading is the posterior mean, rounded.
- Losses that rise by steps with the distance: what of the posterior is within each step.

All are covered by Theorem A (THEORY.md 2), none is negative, and none needs more than O(1) a score once the posteriors are made;
readings are found in O(n log n) at most. What is nearly equal is not found by subtraction: `excess`, which the dual is made of,
is summed over the few results between two readings.

Search
------
Readings are searched from coarse to fine, all outputs of one fineness at a time.

Under Theorem A (THEORY.md 2) the best reading r(j) does not decrease with j. If it is known at some outputs, it is bounded at all
those in between. So it is found at every 2^k-th output first and then at ever finer steps; at each fineness the ranges that are
left add up to about n, which makes O(n log n) in all. Every fineness is one call with arrays of readings and outputs, so that
numpy does the work.

`first_reached` is for readings that a condition tells, false below r(j) and true from there on, such as quantiles: a bisection in
each range. `monotone_argmin` is for those that are only known to have the least score: every reading of the range is tried, and
among equal ones the nearest to the output is taken. Rounding may make the readings found at two outputs fall where scores are
equal; a best one lies between them all the same.

Losses in steps
---------------
These are zero-one, threshold, and those drawn with few steps.

Such a loss is the sum over steps of rises[t] wherever |i - r| > distances[t]. So the score of a reading r is what it would be
if nothing were near, less what r keeps: for each step, its rise times the posterior within its distance of r. The best reading
of an output keeps most.

How it is found in O(n log n) for all outputs:

1. Let a reading r lie so far below the output j that all it keeps is at or below j. Then alpha^|i-j| = alpha^(j-i) there, and
   what r keeps is alpha^j times a number that does not depend on j: `window_sums`, once for each step. The best such r for
   every j is a running maximum (`largest_so_far`). Likewise above.
2. Readings nearer to j than the last step are found by divide and conquer, since the best reading does not decrease in the
   output (Theorem A, THEORY.md 2).
3. The better of these is taken; among equal ones the nearest to j. Where next to nothing is lost, what is kept is equal for all
   that doubles can tell: there what is lost is compared, with all readings.

For zero-one the only step is at 0, and the best reading is the posterior mode.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.mechanism.filters import largest_so_far, window_sums
from dpdesigner.core.mechanism.posteriors import DIRECT, Posteriors
from dpdesigner.core.mechanism.scores import TIE

_MOST_AT_ONCE = 1 << 21


def first_reached(reached: Callable[[Integers, Integers], NDArray[np.bool_]], n: int) -> Integers:
    """Return for each j the smallest r with reached(r, j), for nondecreasing r(j).

    Parameters
    ----------
    reached : callable
        Takes arrays r and j of equal length; false below r(j), true from it on; true at r = n.
    n : int

    Returns
    -------
    ndarray of int
        (n + 1,).
    """
    readings = np.full(n + 1, -1, dtype=np.int64)
    stride = 1 << max(n.bit_length() - 1, 0)
    while True:
        j, low, high = _between(readings, stride)
        while len(j):
            open_ = np.flatnonzero(low < high)
            if not len(open_):
                break
            middle = (low[open_] + high[open_]) // 2
            yes = reached(middle, j[open_])
            high[open_[yes]] = middle[yes]
            low[open_[~yes]] = middle[~yes] + 1
        readings[j] = low
        if stride == 1:
            return readings
        stride = max(1, stride // 32)


def monotone_argmin(score: Callable[[Integers, Integers], Floats], n: int, reach: int, known: Integers | None = None) -> Integers:
    """Return for each j the nearest r of least score within `reach` of j and 0..n, if it is nondecreasing in j.

    Divide and conquer: O(n log n) scores. Safe for every loss of Theorem A, where SMAWK is not (THEORY.md, section 4).

    Parameters
    ----------
    score : callable
        Takes arrays r and j of equal length; scores are not negative.
    n : int
    reach : int
        Not negative.
    known : ndarray of int, optional
        (n + 1,): what is known already; -1 where it is not.

    Returns
    -------
    ndarray of int
        (n + 1,).
    """
    readings = np.full(n + 1, -1, dtype=np.int64) if known is None else known.copy()
    stride = 1 << max(n.bit_length() - 1, 0)
    while True:
        j, low, high = _between(readings, stride)
        low, high = np.maximum(low, j - reach), np.minimum(high, j + reach)
        ends = np.cumsum(high - low + 1)
        cuts = np.searchsorted(ends, np.arange(_MOST_AT_ONCE, ends[-1] if len(j) else 0, _MOST_AT_ONCE))
        for part in np.split(np.arange(len(j)), np.unique(cuts)):
            if len(part):
                readings[j[part]] = _argmin(score, j[part], low[part], high[part])
        if stride == 1:
            return readings
        stride //= 2


def _between(readings: Integers, stride: int) -> tuple[Integers, Integers, Integers]:
    """Return the multiples of stride without a known reading, and the bounds set by their neighbours.

    Where ties or rounding made known readings fall, a best one lies between the two all the same, since both are best.
    """
    n = len(readings) - 1
    known = np.flatnonzero(readings >= 0)
    j = np.arange(0, n + 1, stride)
    j = j[readings[j] < 0]
    bounds = np.concatenate(([0], readings[known], [n]))
    place = np.searchsorted(known, j)
    return j, np.minimum(bounds[place], bounds[place + 1]), np.maximum(bounds[place], bounds[place + 1])


def _argmin(score: Callable[[Integers, Integers], Floats], j: Integers, low: Integers, high: Integers) -> Integers:
    sizes = high - low + 1
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    owner = np.repeat(np.arange(len(j)), sizes)
    r = np.arange(len(owner)) - np.repeat(starts - low, sizes)
    scores = score(r, j[owner])
    least = np.minimum.reduceat(scores, starts)
    away = np.where(scores <= (least * (1 + TIE))[owner], np.abs(r - j[owner]), np.iinfo(np.int64).max)
    good = np.flatnonzero(away == np.minimum.reduceat(away, starts)[owner])
    return np.asarray(r[good[np.searchsorted(good, starts)]])


class StructuredLoss(ABC):
    """A loss l(i, r) >= 0 covered by Theorem A, to be averaged over posteriors.

    Arrays i, r, j of results, readings and outputs have one length; what is returned has it too.
    """

    #: Beyond `core`, the loss depends on powers of |i - r| up to this one.
    power: int
    #: Up to this distance the loss need not be a polynomial of |i - r|.
    core: int = 0

    @abstractmethod
    def loss(self, i: Integers, r: Integers) -> Floats:
        """Return l(i, r)."""

    @abstractmethod
    def readings(self, posteriors: Posteriors) -> Integers:
        """Return the best reading of every output, (n + 1,), in ties the nearest to the output."""

    @abstractmethod
    def constant(self, weights: Floats) -> int:
        """Return a best single reading for all outputs, given the weights of the true results, (n + 1,)."""

    @abstractmethod
    def score(self, posteriors: Posteriors, r: Integers, j: Integers) -> Floats:
        """Return the posterior expected loss of reading output j as r."""

    def excess(self, posteriors: Posteriors, r: Integers, best: Integers, j: Integers) -> Floats:
        """Return the extra loss of reading j as r instead of `best`."""
        return self.score(posteriors, r, j) - self.score(posteriors, best, j)

    @abstractmethod
    def reach(self, loss: Floats) -> tuple[Floats, Floats]:
        """Return upper bounds on the distances i - r and r - i at which l(i, r) may be below a given loss; -1 if at none."""

    @abstractmethod
    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return a_0, a_1, ... with l(i, r) = sum_k a_k |i - r|^k beyond `core`, for i above or below r."""

    def first_reading(self, j: Integers) -> Integers:
        """Return the smallest reading with no loss for a true result j."""
        return j

    def face_value(self, n: int) -> tuple[Floats, Floats]:
        """Return the losses l(i, r) by distance, (n + 1,) each: for r below i and for r above i."""
        distance = np.arange(n + 1)
        middle = np.full(n + 1, n)
        return self.loss(middle, middle - distance), self.loss(middle - distance, middle)


@dataclass(frozen=True)
class QuantileLoss(StructuredLoss):
    """scale max(tau (i - r), (1 - tau)(r - i)): pinball; tau = 1/2 and scale 2 make the absolute loss."""

    tau: float
    scale: float = 1.0
    power = 1

    def loss(self, i: Integers, r: Integers) -> Floats:
        """Return l(i, r)."""
        return np.asarray(self.scale * np.maximum(self.tau * (i - r), (1 - self.tau) * (r - i)))

    def readings(self, posteriors: Posteriors) -> Integers:
        """Return the tau-quantiles of the posteriors that are nearest to the outputs."""
        n, j = posteriors.n, np.arange(posteriors.n + 1)
        if self.tau in (0, 1):
            possible = np.flatnonzero(posteriors.prior)
            return np.asarray(np.maximum(j, possible[-1]) if self.tau else np.minimum(j, possible[0]))

        def reached(r: Integers, j: Integers, tie: float) -> NDArray[np.bool_]:
            lower, goal = r < j, self.tau * (1 + tie)
            enough = np.empty(len(r), dtype=bool)
            enough[lower] = posteriors.up_to(r[lower], j[lower]) >= goal
            upper = ~lower
            enough[upper] = posteriors.mirrored.up_to(n - r[upper] - 1, n - j[upper]) <= 1 - goal
            return enough

        least = first_reached(partial(reached, tie=-TIE), n)
        # Of equally good ones, the largest up to the output: P(i < r) is no more than tau there.
        low, high, open_ = least.copy(), least.copy(), np.flatnonzero(least < j)
        high[open_] = np.where(reached(least[open_], open_, TIE), least[open_], open_)
        while len(open_ := np.flatnonzero(low < high)):
            middle = (low[open_] + high[open_] + 1) // 2
            less = ~reached(middle - 1, open_, TIE)
            low[open_[less]], high[open_[~less]] = middle[less], middle[~less] - 1
        return low

    def constant(self, weights: Floats) -> int:
        """Return a tau-quantile of the weights."""
        sums = np.cumsum(weights)
        return int(min(np.searchsorted(sums, self.tau * sums[-1]), len(weights) - 1))

    def score(self, posteriors: Posteriors, r: Integers, j: Integers) -> Floats:
        """Return the posterior expected loss of reading output j as r."""
        return self.scale * (self.tau * posteriors.above(r, j, 1) + (1 - self.tau) * posteriors.below(r, j, 1))

    def excess(self, posteriors: Posteriors, r: Integers, best: Integers, j: Integers) -> Floats:
        """Return the extra loss of reading j as r instead of `best`: between neighbours, P(i <= the lower one) - tau."""
        more = np.empty(len(r))
        near = np.abs(r - best) <= 1
        lower = np.minimum(r, best)[near]
        more[near] = self.scale * (r - best)[near] * (posteriors.below(lower, j[near]) - self.tau)
        far = ~near
        more[far] = super().excess(posteriors, r[far], best[far], j[far])
        return more

    def reach(self, loss: Floats) -> tuple[Floats, Floats]:
        """Return distances at which the loss may be below a given loss; see `StructuredLoss.reach`."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            below, above = loss / (self.scale * self.tau), loss / (self.scale * (1 - self.tau))
        return np.where(loss > 0, below + 1, -1.0), np.where(loss > 0, above + 1, -1.0)

    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return the slope on one side."""
        return 0.0, self.scale * (self.tau if upwards else 1 - self.tau)

    def first_reading(self, j: Integers) -> Integers:
        """Return the smallest reading with no loss for a true result j."""
        return j if self.tau else np.zeros_like(j)


@dataclass(frozen=True)
class SquaredLoss(StructuredLoss):
    """(i - r)^2."""

    power = 2

    def loss(self, i: Integers, r: Integers) -> Floats:
        """Return l(i, r)."""
        return np.asarray(np.square((i - r).astype(float)))

    def readings(self, posteriors: Posteriors) -> Integers:
        """Return the posterior means rounded to the nearest integer, with halves rounded towards the output."""
        mean = posteriors.mean  # less the output
        near = np.maximum(np.ceil(np.abs(mean) - 0.5 - TIE * np.maximum(np.abs(mean), 1)), 0)
        rounded = np.arange(posteriors.n + 1) + (np.sign(mean) * near).astype(np.int64)
        return np.clip(rounded, 0, posteriors.n)

    def constant(self, weights: Floats) -> int:
        """Return the weighted mean of the true results, rounded to the nearest integer."""
        return round(float(weights @ np.arange(len(weights)) / weights.sum()))

    def score(self, posteriors: Posteriors, r: Integers, j: Integers) -> Floats:
        """Return the posterior expected loss of reading output j as r."""
        offset = (r - j).astype(float)
        return np.maximum(posteriors.moment(2)[j] + offset * (offset - 2 * posteriors.mean[j]), 0.0)

    def excess(self, posteriors: Posteriors, r: Integers, best: Integers, j: Integers) -> Floats:
        """Return the extra loss of reading j as r instead of `best`."""
        return (r - best) * ((r - j) + (best - j) - 2 * posteriors.mean[j])

    def reach(self, loss: Floats) -> tuple[Floats, Floats]:
        """Return distances at which the loss may be below a given loss; see `StructuredLoss.reach`."""
        distance = np.where(loss > 0, np.sqrt(np.maximum(loss, 0.0)) + 1, -1.0)
        return distance, distance

    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return the square alone."""
        return 0.0, 0.0, 1.0


_SMALL = 1e-3


@dataclass(frozen=True)
class StepLoss(StructuredLoss):
    """sum_t rises[t] where |i - r| > distances[t]: nothing at first, then more with the distance, then constant.

    Attributes
    ----------
    distances : tuple of int
        Rising, from 0 at the least.
    rises : tuple of float
        Positive.
    """

    distances: tuple[int, ...]
    rises: tuple[float, ...]
    power = 0

    @property
    def core(self) -> int:  # type: ignore[override]
        """The distance after the last step, from which on the loss is constant."""
        return self.distances[-1] + 1

    @property
    def levels(self) -> Floats:
        """The loss after each step."""
        return np.cumsum(self.rises)

    def loss(self, i: Integers, r: Integers) -> Floats:
        """Return l(i, r)."""
        steps = np.searchsorted(np.array(self.distances), np.abs(i - r))
        return np.asarray(np.concatenate(([0.0], self.levels))[steps])

    def readings(self, posteriors: Posteriors) -> Integers:
        """Return the posterior modes, or their analogues."""
        if self.distances == (0,):
            return _modes(posteriors)
        j = np.arange(posteriors.n + 1)
        below = self._one_sided(posteriors)
        above = posteriors.n - self._one_sided(posteriors.mirrored)[::-1]

        def score(r: Integers, j: Integers) -> Floats:
            return self.score(posteriors, r, j)

        best = monotone_argmin(score, posteriors.n, self.distances[-1])
        doubtful = np.zeros(posteriors.n + 1, dtype=bool)
        for other in (above, below):
            differs = np.flatnonzero(other != best)
            here, there = (score(r[differs], j[differs]) for r in (best, other))
            nearer = 2 * np.abs(other - j) + (other > j) < 2 * np.abs(best - j) + (best > j)  # of two equally near the smaller
            better = np.where(nearer[differs], there <= here * (1 + TIE), there * (1 + TIE) < here)
            best[differs[better]] = other[differs[better]]
            # The filters distinguish what they keep, not the little that they may lose.
            doubtful[differs] |= there < _SMALL * self.levels[-1]
        return monotone_argmin(score, posteriors.n, posteriors.n, np.where(doubtful, -1, best)) if doubtful.any() else best

    def _one_sided(self, posteriors: Posteriors) -> Integers:
        """Return each output j's best reading r with its window at or below j: r + distances[-1] <= j; j if none."""
        most, j = self.distances[-1], np.arange(posteriors.n + 1)
        alpha = float(posteriors.powers.to_floats()[1])
        kept = np.zeros(posteriors.n + 1)
        for distance, rise in zip(self.distances, self.rises, strict=True):
            kept += rise * alpha ** (most - distance) * window_sums(posteriors.prior, alpha, distance)
        best = largest_so_far(kept, posteriors.alpha, -TIE)
        return np.where(j >= most, best[np.maximum(j - most, 0)], j)

    def constant(self, weights: Floats) -> int:
        """Return the reading with the most weight near it."""
        n, r, sums = len(weights) - 1, np.arange(len(weights)), np.concatenate(([0.0], np.cumsum(weights)))
        kept = np.zeros(n + 1)
        for distance, rise in zip(self.distances, self.rises, strict=True):
            kept += rise * (sums[np.minimum(r + distance, n) + 1] - sums[np.maximum(r - distance, 0)])
        return int(kept.argmax())

    def score(self, posteriors: Posteriors, r: Integers, j: Integers) -> Floats:
        """Return the posterior expected loss of reading output j as r."""
        total = np.zeros(len(r))
        for distance, rise in zip(self.distances, self.rises, strict=True):
            below = posteriors.below(np.maximum(r - distance - 1, -1), j)
            above = posteriors.above(np.minimum(r + distance + 1, posteriors.n + 1), j)
            total += rise * (below + above)
        return total

    def excess(self, posteriors: Posteriors, r: Integers, best: Integers, j: Integers) -> Floats:
        """Return the extra loss of reading j as r instead of `best`: the mass near one reading but not near the other."""
        more = np.empty(len(r))
        gap = np.abs(r - best)
        far = gap > DIRECT
        more[far] = super().excess(posteriors, r[far], best[far], j[far])
        near = np.flatnonzero(~far)
        low, sign, total = np.minimum(r, best)[near], np.sign(r - best)[near], np.zeros(len(near))
        for step in range(int(gap[near].max()) if len(near) else 0):
            some = np.flatnonzero(gap[near] > step)
            for distance, rise in zip(self.distances, self.rises, strict=True):
                lost, won = low[some] - distance + step, low[some] + distance + 1 + step
                total[some] += rise * _difference(posteriors, lost, won, j[near][some])
        more[near] = sign * total
        return more

    def reach(self, loss: Floats) -> tuple[Floats, Floats]:
        """Return distances at which the loss may be below a given loss; see `StructuredLoss.reach`."""
        ends = np.array([-1.0, *self.distances, np.inf])
        distance = ends[np.searchsorted(np.concatenate(([0.0], self.levels)), loss)]
        return distance, distance

    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return the loss after the last step."""
        return (float(self.levels[-1]),)

    def first_reading(self, j: Integers) -> Integers:
        """Return the smallest reading with no loss for a true result j."""
        return np.maximum(j - self.distances[0], 0)


def steps_of(table: Sequence[float]) -> StepLoss | None:
    """Return the step loss of a table by distance, less its first value; None if it ever decreases or never increases."""
    rises = np.diff(np.asarray(table, dtype=float))
    places = np.flatnonzero(rises)
    if (rises < 0).any() or not len(places):
        return None
    return StepLoss(tuple(places.tolist()), tuple(rises[places].tolist()))


def _difference(posteriors: Posteriors, a: Integers, b: Integers, j: Integers) -> Floats:
    """Return the posterior probability of a minus that of b; values outside 0..n have none."""
    n = posteriors.n
    inside_a, inside_b = (a >= 0) & (a <= n), (b >= 0) & (b <= n)
    a, b = np.clip(a, 0, n), np.clip(b, 0, n)
    alone = inside_a * posteriors.probability(a, j) - inside_b * posteriors.probability(b, j)
    return np.where(inside_a & inside_b, posteriors.difference(a, b, j), alone)


def _modes(posteriors: Posteriors) -> Integers:
    """Return the posterior mode of every output that is nearest to it."""
    n, j = posteriors.n, np.arange(posteriors.n + 1)
    below = largest_so_far(posteriors.prior, posteriors.alpha, -TIE)
    above = n - largest_so_far(posteriors.prior[::-1], posteriors.alpha, -TIE)[::-1]
    if posteriors.centre is not None:  # then j itself counts differently than for results below and above it
        below, above = np.concatenate(([0], below[:-1])), np.concatenate((above[1:], [n]))
        above = np.where(posteriors.probability(j, j) >= posteriors.probability(above, j) * (1 - TIE), j, above)
    lower, upper = posteriors.probability(below, j), posteriors.probability(above, j)
    tie = np.where(j - below <= above - j, -TIE, TIE)
    return np.where(lower >= upper * (1 + tie), below, above)
