"""Losses that rise by steps with the distance: zero-one, threshold, and those drawn with few steps.

Such a loss is the sum over steps of rises[t] wherever |i - r| > distances[t]. So the score of a reading r is what it would be
if nothing were near, less what r keeps: for each step, its rise times the posterior within its distance of r. The best reading
of an output keeps most.

How it is found in O(n log n) for all outputs:

1. Let a reading r lie so far below the output j that all it keeps is at or below j. Then alpha^|i-j| = alpha^(j-i) there, and
   what r keeps is alpha^j times a number that does not depend on j: `window_sums`, once for each step. The best such r for
   every j is a running maximum (`largest_so_far`). Likewise above.
2. Readings nearer to j than the last step are found by divide and conquer, since the best reading does not decrease in the
   output (Theorem A, THEORY.md 2).
3. The better of these is taken; among equal ones the smallest. Where next to nothing is lost, what is kept is equal for all
   that doubles can tell: there what is lost is compared, with all readings.

For zero-one the only step is at 0, and the best reading is the posterior mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.structured.filters import largest_so_far, window_sums
from dpdesigner.core.structured.losses import StructuredLoss
from dpdesigner.core.structured.monotone_search import TIE, monotone_argmin
from dpdesigner.core.structured.posteriors import DIRECT, Posteriors

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
        """From the last step on the loss is constant."""
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
        """Return the posterior modes, or what takes their place."""
        if self.distances == (0,):
            return _modes(posteriors)
        j = np.arange(posteriors.n + 1)
        below = self._one_sided(posteriors, TIE)
        above = posteriors.n - self._one_sided(posteriors.mirrored, -TIE)[::-1]

        def score(r: Integers, j: Integers) -> Floats:
            return self.score(posteriors, r, j)

        best = monotone_argmin(score, posteriors.n, self.distances[-1])
        doubtful = np.zeros(posteriors.n + 1, dtype=bool)
        for other in (above, below):
            differs = np.flatnonzero(other != best)
            here, there = (score(r[differs], j[differs]) for r in (best, other))
            # Among equal readings the smallest.
            better = np.where(other[differs] > best[differs], there * (1 + TIE) < here, there <= here * (1 + TIE))
            best[differs[better]] = other[differs[better]]
            # The filters tell apart what is kept, not what little may be lost.
            doubtful[differs] |= there < _SMALL * self.levels[-1]
        return monotone_argmin(score, posteriors.n, posteriors.n, np.where(doubtful, -1, best)) if doubtful.any() else best

    def _one_sided(self, posteriors: Posteriors, tie: float) -> Integers:
        """Return for every output j the best of the readings r that keep nothing above j: r + distances[-1] <= j; j if none."""
        most, j = self.distances[-1], np.arange(posteriors.n + 1)
        alpha = float(posteriors.powers.to_floats()[1])
        kept = np.zeros(posteriors.n + 1)
        for distance, rise in zip(self.distances, self.rises, strict=True):
            kept += rise * alpha ** (most - distance) * window_sums(posteriors.prior, alpha, distance)
        best = largest_so_far(kept, posteriors.alpha, tie)
        return np.where(j >= most, best[np.maximum(j - most, 0)], j)

    def constant(self, weights: Floats) -> int:
        """Return the reading that keeps most near it."""
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
        """Return how much more it costs to read j as r than as `best`: what one reading keeps near it and the other does not."""
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
        """Return distances at which the loss may be below a given one; see `StructuredLoss.reach`."""
        ends = np.array([-1.0, *self.distances, np.inf])
        distance = ends[np.searchsorted(np.concatenate(([0.0], self.levels)), loss)]
        return distance, distance

    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return the loss after the last step."""
        return (float(self.levels[-1]),)

    def first_reading(self, j: Integers) -> Integers:
        """Return the smallest reading without loss of a true result j."""
        return np.maximum(j - self.distances[0], 0)


def steps_of(table: Sequence[float]) -> StepLoss | None:
    """Return the loss by distance that a table gives, less its first value; None if it falls somewhere or never rises."""
    rises = np.diff(np.asarray(table, dtype=float))
    places = np.flatnonzero(rises)
    if (rises < 0).any() or not len(places):
        return None
    return StepLoss(tuple(places.tolist()), tuple(rises[places].tolist()))


def _difference(posteriors: Posteriors, a: Integers, b: Integers, j: Integers) -> Floats:
    """The posterior probability of a less that of b; what lies outside 0..n has none."""
    n = posteriors.n
    inside_a, inside_b = (a >= 0) & (a <= n), (b >= 0) & (b <= n)
    a, b = np.clip(a, 0, n), np.clip(b, 0, n)
    alone = inside_a * posteriors.probability(a, j) - inside_b * posteriors.probability(b, j)
    return np.where(inside_a & inside_b, posteriors.difference(a, b, j), alone)


def _modes(posteriors: Posteriors) -> Integers:
    """The smallest posterior mode of every output."""
    n, j = posteriors.n, np.arange(posteriors.n + 1)
    below = largest_so_far(posteriors.prior, posteriors.alpha, TIE)
    above = n - largest_so_far(posteriors.prior[::-1], posteriors.alpha, -TIE)[::-1]
    if posteriors.centre is not None:  # then j itself does not count as it does below it and above it
        below, above = np.concatenate(([0], below[:-1])), np.concatenate((above[1:], [n]))
        above = np.where(posteriors.probability(j, j) >= posteriors.probability(above, j) * (1 - TIE), j, above)
    lower, upper = posteriors.probability(below, j), posteriors.probability(above, j)
    return np.where(lower >= upper * (1 - TIE), below, above)
