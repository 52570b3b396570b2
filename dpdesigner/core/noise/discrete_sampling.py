"""Exact draws of discrete staircase noise, from the operating system's entropy and with integers only.

Floating-point noise leaks through its rounding; here every probability is met exactly, also where exp(-epsilon) is irrational.
"""

from __future__ import annotations

import secrets

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sampling import Below, bernoulli_alpha, geometric_count
from dpdesigner.errors import InputError

#: So many periods, and more, are never drawn: even at epsilon = 1e-6 only with a chance below exp(-10^50).
_ENDLESS = 1 << 200


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
        size = geometric_count(privacy, _ENDLESS, below) * sensitivity + position
        negative = below(2) == 1
        if size or not negative:
            return -size if negative else size
