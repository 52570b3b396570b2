"""The least loss of any table that is (epsilon, delta)-private, for a loss that Theorem A covers.

The best noise has density A alpha^|k| on [k - 1/2, k + 1/2), cut at -L and L, where A = (1 - alpha + 2 alpha delta)/(1 + alpha)
and L is such that all of it is 1. Of count + noise only the cell between two cuts k + 1/2, i - L, i + L matters; a user reads
each of these cells best. Whatever the prior, no other table costs less: for any private table and any threshold, the curve of its
tail probabilities over the counts is bounded by the one that runs through the same point and falls as steeply as (epsilon, delta)
allows, and these curves are those of this noise. At delta = 0 it is geometric noise.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.inspection.optimum import optimum
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.errors import InputError

Exact = Fraction | float

_MOST_EXACT_N = 24
_MOST_STEPS = 100_000  # steps of the noise on either side
_DIGITS = 40  # most digits of alpha and delta as fractions


class _Noise:
    """The distribution function of the noise."""

    def __init__(self, alpha: Any, delta: Any) -> None:
        one = type(alpha)(1)
        self.alpha, self.height = alpha, (one - alpha + 2 * alpha * delta) / (one + alpha)
        below = (one - delta) * alpha / (one + alpha)
        #: F(-1/2), F(-3/2), …, as long as they are above 0
        self.tails = [below]
        while self.tails[-1] > 0:
            if len(self.tails) > _MOST_STEPS:
                raise InputError("delta is too small relative to epsilon for its optimum to be computed.", "delta")
            self.tails.append(self.tails[-1] - self.height * alpha ** len(self.tails))
        last = len(self.tails) - 1
        self.tails.pop()
        self.reach = last - one / 2 + self.tails[-1] / (self.height * alpha**last) if last else one / 2 * 0

    def below(self, z: Any) -> Any:
        """Return Pr[noise < z]."""
        if z > 0:
            return 1 - self.below(-z)
        if z <= -self.reach:
            return z * 0
        k = math.floor(z + type(self.alpha)(1) / 2)  # z is in [k - 1/2, k + 1/2)
        end = self.tails[-k] if -k < len(self.tails) else self.alpha * 0
        return end + (z - k + type(self.alpha)(1) / 2) * self.height * self.alpha ** (-k) if end else self._edge(z, k)

    def _edge(self, z: Any, k: int) -> Any:
        return (z + self.reach) * self.height * self.alpha ** (-k)


def cells(n: int, alpha: Any, delta: Any) -> list[list[Any]]:
    """Return the universal mechanism, (n + 1, cells): the probability of count + noise in each cell.

    Parameters
    ----------
    n : int
    alpha, delta : Fraction or float
        0 < alpha <= 1, 0 < delta < 1.
    """
    noise, half = _Noise(alpha, delta), type(alpha)(1) / 2
    cuts = sorted(
        {k + half for k in range(n)} | {i + noise.reach for i in range(n + 1)} | {i - noise.reach for i in range(n + 1)}
    )
    rows = []
    for i in range(n + 1):
        reached = [noise.below(cut - i) for cut in cuts]
        rows.append([b - a for a, b in pairwise(reached)])
    return rows


def approximate_optimum(prior: Prior, loss: Loss, privacy: PrivacyLevel, delta: Exact) -> Exact | None:
    """Return the least expected loss of any (epsilon, delta)-private table; in doubles, rounded down.

    Returns
    -------
    Fraction, float or None
        None where Theorem A does not cover the loss.
    """
    n = prior.n
    if not loss.coverage(n).covered:
        return None
    alpha: Any = privacy.exact_alpha
    if delta >= 1 or alpha == 0:
        return optimum(prior, loss, math.inf)
    if delta == 0:
        return optimum(prior, loss, 1 / alpha if alpha is not None else 1 / float(privacy.alpha_below))
    digits = 10**_DIGITS
    if n <= _MOST_EXACT_N and alpha is not None and isinstance(delta, Fraction) and delta.denominator < digits:
        try:
            losses = loss.exact_matrix(n)
        except InputError:
            losses = None
        if losses is not None:
            return _least(cells(n, alpha, delta), prior.exact, losses)
    made = _cells_in_doubles(n, float(privacy.alpha_below), float(delta) * (1 + 1e-15))
    expected = (prior.probabilities[:, np.newaxis] * made).T @ loss.matrix(n)
    return max(float(expected.min(axis=1).sum()) * (1 - 1e-12), 0.0)


def _cells_in_doubles(n: int, alpha: float, delta: float) -> Floats:
    """Return `cells` in doubles, all rows at once; each from the nearer tail, so that small probabilities keep their digits."""
    noise = _Noise(alpha, delta)
    counts, reach = np.arange(n + 1), float(noise.reach)
    cuts = np.unique(np.concatenate([counts[:-1] + 0.5, counts + reach, counts - reach]))
    steps = len(noise.tails) - 1
    heights = float(noise.height) * alpha ** np.arange(steps + 2)
    places = np.concatenate([[-reach], -np.arange(steps, -1, -1) - 0.5, [0.0]])
    values = np.concatenate([[0.0], np.array(noise.tails[::-1], dtype=float), [noise.tails[0] + heights[0] / 2]])
    kept = np.concatenate([[True], np.diff(places) > 0])
    away = cuts - counts[:, np.newaxis]
    below = np.interp(-np.abs(away), places[kept], values[kept])
    low = np.diff(below, axis=1)
    rows = np.where(away[:, 1:] <= 0, low, np.where(away[:, :-1] >= 0, -low, 1 - below[:, 1:] - below[:, :-1]))
    return np.asarray(np.maximum(rows, 0.0))


def _least(rows: list[list[Fraction]], prior: tuple[Fraction, ...], losses: list[list[Fraction]]) -> Fraction:
    total = Fraction(0)
    for column in zip(*rows, strict=True):
        joint = [(i, p * x) for i, (p, x) in enumerate(zip(prior, column, strict=True)) if p and x]
        total += min(sum((w * losses[i][r] for i, w in joint), Fraction(0)) for r in range(len(losses)))
    return total
