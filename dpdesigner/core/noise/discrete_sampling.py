"""Exact draws of discrete staircase noise, from the operating system's entropy and with integers only.

Floating-point noise leaks through its rounding; here every probability is met exactly, also where exp(-epsilon) is irrational.
"""

from __future__ import annotations

import secrets
from fractions import Fraction

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sampling import Below, bernoulli_alpha, bernoulli_exponential
from dpdesigner.errors import InputError


def draw(privacy: PrivacyLevel, split: int, sensitivity: int, below: Below = secrets.randbelow) -> int:
    """Return one value of discrete staircase noise.

    Parameters
    ----------
    privacy : PrivacyLevel
        Its epsilon must be positive; infinite epsilon gives no noise.
    split, sensitivity : int
        r and Delta, 1 <= r <= Delta.
    below : callable
        Returns a uniform integer in [0, argument).

    Raises
    ------
    InputError
        If epsilon is 0: no such noise exists.

    Notes
    -----
    |X| = K Delta + J with K geometric and J in 0..Delta - 1, where a J from the split on is kept with probability alpha only; a
    negative zero is drawn again, so that zero does not count twice.
    """
    if privacy.alpha == 1:
        raise InputError("epsilon must be positive to draw noise, got 0.", "epsilon")
    if privacy.exact_alpha == 0:
        return 0
    while True:
        position = below(sensitivity)
        if position >= split and not bernoulli_alpha(privacy, below):
            continue
        size = geometric_count(privacy, below) * sensitivity + position
        negative = below(2) == 1
        if size or not negative:
            return -size if negative else size


def geometric_count(privacy: PrivacyLevel, below: Below = secrets.randbelow) -> int:
    """Return K with P(K >= k) = alpha^k exactly, alpha < 1.

    Notes
    -----
    For rational epsilon = p / q the number of unit steps of exp(-1 / q) is drawn as q V + U, with V the run length of
    Bernoulli(exp(-1)) and U in 0..q - 1 kept with probability exp(-U / q), and divided by p: a few draws however small epsilon is
    (Canonne, Kamath and Steinke 2020, Algorithm 2).
    """
    epsilon = privacy.exact_epsilon
    if epsilon is None:
        count = 0
        while bernoulli_alpha(privacy, below):
            count += 1
        return count
    p, q = epsilon.numerator, epsilon.denominator
    while True:
        start = below(q)
        if bernoulli_exponential(Fraction(start, q), below):
            break
    runs = 0
    while bernoulli_exponential(Fraction(1), below):
        runs += 1
    return (q * runs + start) // p
