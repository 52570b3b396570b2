"""The Bayes remap in linear time for losses with structure: no matrix is built, so n may be a million.

With weights q_i = p_i alpha^|i-j| (the posterior after output j of G, not normalised):
absolute and pinball: the smallest r with sum_{i <= r} q_i >= tau sum_i q_i, a posterior quantile;
squared: the posterior mean, rounded to the nearest integer (half down);
zero-one: the posterior mode, the smallest.
All are read off one-pole filters (`dpdesigner.core.filters`), and r(j) does not decrease in j.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core import geometric
from dpdesigner.core.filters import from_left, from_right
from dpdesigner.core.privacy import PrivacyLevel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_TIE = 64 * 2.0**-53


@dataclass(frozen=True)
class StructuredRemap:
    """A remap with its scores.

    Attributes
    ----------
    outputs : ndarray of int
        (n + 1,): output j of G is read as outputs[j].
    scores : ndarray
        (n + 1,): e_j; the expected loss is sum_j D_j e_j.
    value : float
    """

    outputs: Integers
    scores: Floats
    value: float


class Moments:
    """Sums of the posterior weights of every output on either side of any split, in O(1) each.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    alpha : float
        In (0, 1].

    Notes
    -----
    left[k][j] = sum_{i <= j} (j - i)^k p_i alpha^(j-i) and right[k][j] = sum_{i > j} (i - j)^k p_i alpha^(i-j) for k = 0, 1, 2.
    """

    def __init__(self, prior: Floats, alpha: float) -> None:
        self.alpha = alpha
        self.n = len(prior) - 1
        self.left = [from_left(prior, alpha)]
        self.right = [from_right(prior, alpha)]
        self.total = self.left[0] + self.right[0]
        for factors in ((1,), (1, 2)):
            self.left.append(self._next(self.left[0], self.left[1:], factors))
            right = [moment[::-1] for moment in self.right[1:]]
            self.right.append(self._next((self.right[0] + prior)[::-1], right, factors)[::-1])

    def _next(self, zeroth: Floats, others: list[Floats], factors: tuple[int, ...]) -> Floats:
        """The next moments from the lower ones: a step away multiplies by alpha and makes (d + 1)^k of every d^k."""
        inputs = sum((factor * moment for factor, moment in zip(factors, [zeroth, *others], strict=True)), np.zeros(self.n + 1))
        return from_left(np.concatenate(([0.0], self.alpha * inputs[:-1])), self.alpha)

    def below(self, r: Integers, j: Integers, k: int) -> Floats:
        """sum_{i <= r} (r - i)^k p_i alpha^|i-j|."""
        near = self.left[k][r] * np.power(self.alpha, np.maximum(j - r, 0))
        far = self.right[k][r] * np.power(self.alpha, np.maximum(r - j, 0))
        return np.where(r <= j, near, (-1) ** k * (self.about(r, j, k) - far))

    def above(self, r: Integers, j: Integers, k: int) -> Floats:
        """sum_{i > r} (i - r)^k p_i alpha^|i-j|."""
        near = self.left[k][r] * np.power(self.alpha, np.maximum(j - r, 0))
        far = self.right[k][r] * np.power(self.alpha, np.maximum(r - j, 0))
        return np.where(r >= j, far, self.about(r, j, k) - (-1) ** k * near)

    def about(self, r: Integers, j: Integers, k: int) -> Floats:
        """sum_i (i - r)^k p_i alpha^|i-j|."""
        offset = (j - r).astype(float)
        moments = [self.right[m][j] + (-1) ** m * self.left[m][j] for m in range(k + 1)]
        if k == 0:
            return moments[0]
        if k == 1:
            return moments[1] + offset * moments[0]
        return moments[2] + 2 * offset * moments[1] + offset**2 * moments[0]


def quantile_remap(prior: Floats, privacy: PrivacyLevel, tau: float, scale: float) -> StructuredRemap:
    """Return the remap of the pinball loss, times `scale`; tau = 1/2 and scale 2 give the absolute loss."""
    moments = Moments(prior, privacy.alpha)
    goal = tau * (1 - _TIE)

    def reached(r: Integers, j: Integers) -> NDArray[np.bool_]:
        total = moments.total[j]
        low = moments.left[0][r] * np.power(privacy.alpha, np.maximum(j - r, 0)) >= goal * total
        high = moments.right[0][r] * np.power(privacy.alpha, np.maximum(r - j, 0)) <= (1 - goal) * total
        return np.where(r < j, low, high)

    outputs = first_reached(reached, moments.n)
    j = np.arange(moments.n + 1)
    scores = scale * (tau * moments.above(outputs, j, 1) + (1 - tau) * moments.below(outputs, j, 1))
    return _finished(outputs, scores, privacy)


def mean_remap(prior: Floats, privacy: PrivacyLevel) -> StructuredRemap:
    """Return the remap of the squared loss: the posterior mean to the nearest integer, half down."""
    moments = Moments(prior, privacy.alpha)
    j = np.arange(moments.n + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = j + (moments.right[1] - moments.left[1]) / moments.total
    mean = _filled(mean)
    outputs = np.clip(np.ceil(mean - 0.5 - _TIE * np.maximum(mean, 1)), 0, moments.n).astype(np.int64)
    return _finished(outputs, moments.about(outputs, j, 2), privacy)


def mode_remap(prior: Floats, privacy: PrivacyLevel) -> StructuredRemap:
    """Return the remap of the zero-one loss: the smallest posterior mode."""
    moments = Moments(prior, privacy.alpha)
    below, above = _running_mode(prior, privacy.alpha, first=True), _running_mode(prior[::-1], privacy.alpha, first=False)
    n = moments.n
    right = n - above[0][::-1]
    take_left = below[1] >= above[1][::-1] * (1 - _TIE)
    outputs = np.where(take_left, below[0], right)
    scores = moments.total - np.where(take_left, below[1], above[1][::-1])
    return _finished(outputs, np.maximum(scores, 0.0), privacy)


def first_reached(reached: Callable[[Integers, Integers], NDArray[np.bool_]], n: int) -> Integers:
    """Return for each j the smallest r with reached(r, j), given that r(j) does not decrease; coarse to fine.

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
    found = np.full(n + 1, -1, dtype=np.int64)
    stride = 1 << max(n.bit_length() - 1, 0)
    known = np.array([], dtype=np.int64)
    while True:
        j = np.arange(0, n + 1, stride)
        j = j[found[j] < 0]
        place = np.searchsorted(known, j)
        low = np.where(place > 0, found[known[np.maximum(place - 1, 0)]] if len(known) else 0, 0)
        high = np.where(place < len(known), found[known[np.minimum(place, len(known) - 1)]] if len(known) else n, n)
        low, high = low.astype(np.int64), high.astype(np.int64)
        while (low < high).any():
            middle = (low + high) // 2
            yes = reached(middle, j)
            high, low = np.where(yes, middle, high), np.where(yes, low, np.minimum(middle + 1, high))
        found[j] = low
        if stride == 1:
            return found
        known = np.sort(np.concatenate((known, j)))
        stride = max(1, stride // 32)


def _running_mode(prior: Floats, alpha: float, first: bool) -> tuple[Integers, Floats]:
    """For every j the largest p_i alpha^(j-i) over i <= j and where it is; among equals the first or the last."""
    places, values = [], []
    place, value = 0, 0.0
    for j, weight in enumerate(prior.tolist()):
        value *= alpha
        if (weight > value * (1 + _TIE)) if first else (weight >= value * (1 - _TIE)):
            place, value = j, weight
        places.append(place)
        values.append(value)
    return np.array(places), np.array(values)


def _filled(values: Floats) -> Floats:
    """Outputs so far from the prior that their weights underflow read as the nearest one that does not."""
    good = np.flatnonzero(np.isfinite(values))
    return values if len(good) == len(values) else np.interp(np.arange(len(values)), good, values[good])


def _finished(outputs: Integers, scores: Floats, privacy: PrivacyLevel) -> StructuredRemap:
    value = math.fsum((geometric.weights(privacy, len(outputs) - 1) * scores).tolist())
    return StructuredRemap(outputs, scores, value)
