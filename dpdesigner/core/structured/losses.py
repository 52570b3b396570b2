"""Losses whose expected value after any output is read off a few sums over the posterior: no loss matrix is needed.

After output j the posterior of the true result is q_i = p_i alpha^|i-j| up to a factor
(`dpdesigner.core.structured.posteriors`), and the score of reading r is sum_i q_i l(i, r). For three families it and the best r
need only sums of q_i and of its moments on one side of r:

- Quantile losses (absolute, pinball, relative), tau (i - r) above r and (1 - tau) (r - i) below: the score falls as long as less
  than tau of the posterior is at or below r. The best reading is the smallest r with at least that much: the tau-quantile.
- Squared loss: sum q_i (i - r)^2 = variance + (mean - r)^2. The best reading is the posterior mean, rounded.
- Losses that rise by steps with the distance (`dpdesigner.core.structured.steps`): what of the posterior is within each step.

All are covered by Theorem A (THEORY.md 2), none is negative, and none needs more than O(1) a score once the posteriors are made;
readings are found in O(n log n) at most. What is nearly equal is not found by subtraction: `excess`, which the dual is made of,
is summed over the few results between two readings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.structured.monotone_search import TIE, first_reached
from dpdesigner.core.structured.posteriors import Posteriors


class StructuredLoss(ABC):
    """A loss l(i, r) >= 0 of Theorem A, to be averaged over posteriors.

    Arrays i, r, j of results, readings and outputs have one length; what is returned has it too.
    """

    #: The loss depends on powers of |i - r| up to this one beyond `core`.
    power: int
    #: Up to this distance the loss need not be a polynomial of |i - r|.
    core: int = 0

    @abstractmethod
    def loss(self, i: Integers, r: Integers) -> Floats:
        """Return l(i, r)."""

    @abstractmethod
    def readings(self, posteriors: Posteriors) -> Integers:
        """Return the best reading of every output, (n + 1,), the smallest among equal ones."""

    @abstractmethod
    def constant(self, weights: Floats) -> int:
        """Return a best reading of all outputs alike, given the weights of the true results, (n + 1,)."""

    @abstractmethod
    def score(self, posteriors: Posteriors, r: Integers, j: Integers) -> Floats:
        """Return the posterior expected loss of reading output j as r."""

    def excess(self, posteriors: Posteriors, r: Integers, best: Integers, j: Integers) -> Floats:
        """Return how much more it costs to read j as r than as `best`."""
        return self.score(posteriors, r, j) - self.score(posteriors, best, j)

    @abstractmethod
    def reach(self, loss: Floats) -> tuple[Floats, Floats]:
        """Return the largest distances i - r and r - i, or more, at which l(i, r) may be below a given loss; -1 if at none."""

    @abstractmethod
    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return a_0, a_1, ... with l(i, r) = sum_k a_k |i - r|^k beyond `core`, for i above or below r."""

    def first_reading(self, j: Integers) -> Integers:
        """Return the smallest reading without loss of a true result j."""
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
        """Return the smallest tau-quantiles of the posteriors."""
        n = posteriors.n
        if self.tau in (0, 1):
            return np.full(n + 1, 0 if not self.tau else np.flatnonzero(posteriors.prior)[-1])
        goal = self.tau * (1 - TIE)

        def reached(r: Integers, j: Integers) -> NDArray[np.bool_]:
            lower = r < j
            enough = np.empty(len(r), dtype=bool)
            enough[lower] = posteriors.up_to(r[lower], j[lower]) >= goal
            upper = ~lower
            enough[upper] = posteriors.mirrored.up_to(n - r[upper] - 1, n - j[upper]) <= 1 - goal
            return enough

        return first_reached(reached, n)

    def constant(self, weights: Floats) -> int:
        """Return a tau-quantile of the weights."""
        sums = np.cumsum(weights)
        return int(min(np.searchsorted(sums, self.tau * sums[-1]), len(weights) - 1))

    def score(self, posteriors: Posteriors, r: Integers, j: Integers) -> Floats:
        """Return the posterior expected loss of reading output j as r."""
        return self.scale * (self.tau * posteriors.above(r, j, 1) + (1 - self.tau) * posteriors.below(r, j, 1))

    def excess(self, posteriors: Posteriors, r: Integers, best: Integers, j: Integers) -> Floats:
        """Return how much more it costs to read j as r than as `best`: between neighbours it is P(i <= the lower one) - tau."""
        more = np.empty(len(r))
        near = np.abs(r - best) <= 1
        lower = np.minimum(r, best)[near]
        more[near] = self.scale * (r - best)[near] * (posteriors.below(lower, j[near]) - self.tau)
        far = ~near
        more[far] = super().excess(posteriors, r[far], best[far], j[far])
        return more

    def reach(self, loss: Floats) -> tuple[Floats, Floats]:
        """Return distances at which the loss may be below a given one; see `StructuredLoss.reach`."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            below, above = loss / (self.scale * self.tau), loss / (self.scale * (1 - self.tau))
        return np.where(loss > 0, below + 1, -1.0), np.where(loss > 0, above + 1, -1.0)

    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return the slope on one side."""
        return 0.0, self.scale * (self.tau if upwards else 1 - self.tau)

    def first_reading(self, j: Integers) -> Integers:
        """Return the smallest reading without loss of a true result j."""
        return j if self.tau else np.zeros_like(j)


@dataclass(frozen=True)
class SquaredLoss(StructuredLoss):
    """(i - r)^2."""

    power = 2

    def loss(self, i: Integers, r: Integers) -> Floats:
        """Return l(i, r)."""
        return np.asarray(np.square((i - r).astype(float)))

    def readings(self, posteriors: Posteriors) -> Integers:
        """Return the posterior means to the nearest integer, half down."""
        mean = posteriors.mean
        j = np.arange(posteriors.n + 1)
        rounded = j + np.ceil(mean - 0.5 - TIE * np.maximum(np.abs(mean), 1)).astype(np.int64)
        return np.clip(rounded, 0, posteriors.n)

    def constant(self, weights: Floats) -> int:
        """Return the mean of the weights to the nearest integer."""
        return round(float(weights @ np.arange(len(weights)) / weights.sum()))

    def score(self, posteriors: Posteriors, r: Integers, j: Integers) -> Floats:
        """Return the posterior expected loss of reading output j as r."""
        offset = (r - j).astype(float)
        return np.maximum(posteriors.moment(2)[j] + offset * (offset - 2 * posteriors.mean[j]), 0.0)

    def excess(self, posteriors: Posteriors, r: Integers, best: Integers, j: Integers) -> Floats:
        """Return how much more it costs to read j as r than as `best`."""
        return (r - best) * ((r - j) + (best - j) - 2 * posteriors.mean[j])

    def reach(self, loss: Floats) -> tuple[Floats, Floats]:
        """Return distances at which the loss may be below a given one; see `StructuredLoss.reach`."""
        distance = np.where(loss > 0, np.sqrt(np.maximum(loss, 0.0)) + 1, -1.0)
        return distance, distance

    def tail(self, upwards: bool) -> tuple[float, ...]:
        """Return the square alone."""
        return 0.0, 0.0, 1.0
