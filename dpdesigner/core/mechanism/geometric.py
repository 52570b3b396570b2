"""The geometric mechanism: the true count plus two-sided geometric noise, and its range-restricted form G.

[GRS] Section 2: Pr[Z = z] = (1 - alpha) / (1 + alpha) alpha^|z|. G clamps the sum to 0..n:
G = K diag(D) with K_ij = alpha^|i-j|, D_0 = D_n = 1 / (1 + alpha) and D_j = (1 - alpha) / (1 + alpha) in between.
At alpha = 1 the limit of the clamped form is taken: 0 and n with probability 1/2 each, whatever the count.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TypeVar

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import place
from dpdesigner.core.privacy.level import PrivacyLevel

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
    """Return one row of G, (n + 1,): what is released when the true result is i."""
    return np.asarray(np.power(privacy.alpha, np.abs(np.arange(n + 1) - place(i, "the true result", n))) * weights(privacy, n))


def column(privacy: PrivacyLevel, n: int, j: int) -> Floats:
    """Return one column of G, (n + 1,): how likely j is for each true result."""
    j = place(j, "the release", n)
    return np.asarray(np.power(privacy.alpha, np.abs(np.arange(n + 1) - j)) * weights(privacy, n)[j])


def powers(alpha: Exact, n: int) -> list[Exact]:
    """Return alpha^0, ..., alpha^n: exactly, or rounded as decimals are in the context that is in force."""
    rising = [type(alpha)(1)]
    for _ in range(n):
        rising.append(rising[-1] * alpha)
    return rising
