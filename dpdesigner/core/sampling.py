"""Exact sampling from the operating system's entropy, with integers only.

Floating-point inverse sampling leaks through its rounding; here every probability is met exactly. Bernoulli(exp(-x)) for
rational x follows Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, Algorithm 1.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from dpdesigner.core.privacy import PrivacyLevel

#: Returns a uniform integer in [0, argument).
Below = Callable[[int], int]


def bernoulli(probability: Fraction, below: Below = secrets.randbelow) -> bool:
    """Return True with exactly this probability."""
    return below(probability.denominator) < probability.numerator


def bernoulli_exponential(x: Fraction, below: Below = secrets.randbelow) -> bool:
    """Return True with probability exactly exp(-x), for rational x >= 0."""
    while x > 1:
        if not bernoulli_exponential(Fraction(1), below):
            return False
        x -= 1
    k = 1
    while bernoulli(x / k, below):
        k += 1
    return k % 2 == 1


def bernoulli_alpha(privacy: PrivacyLevel, below: Below = secrets.randbelow) -> bool:
    """Return True with probability exactly alpha."""
    alpha, epsilon = privacy.exact_alpha, privacy.exact_epsilon
    if alpha is not None:
        return bernoulli(alpha, below)
    return epsilon is not None and bernoulli_exponential(epsilon, below)


def geometric_noise(privacy: PrivacyLevel, limit: int, below: Below = secrets.randbelow) -> int:
    """Return two-sided geometric noise, with magnitudes above `limit` cut down to it.

    Cutting is harmless where the noisy count is clamped to 0..n anyway and `limit` is n, and it bounds the work at alpha near 1.
    A magnitude is a run of successes of Bernoulli(alpha); a negative zero is drawn again, as in the discrete Laplace sampler of
    Canonne, Kamath and Steinke, Algorithm 2.
    """
    while True:
        magnitude = 0
        while magnitude < limit and bernoulli_alpha(privacy, below):
            magnitude += 1
        negative = below(2) == 1
        if magnitude or not negative or not limit:
            return -magnitude if negative else magnitude


def from_weights(weights: Sequence[Fraction], below: Below = secrets.randbelow) -> int:
    """Return an index with probability exactly proportional to its weight."""
    common = lcm(*(weight.denominator for weight in weights))
    whole = [weight.numerator * (common // weight.denominator) for weight in weights]
    left = below(sum(whole))
    for index, weight in enumerate(whole):
        left -= weight
        if left < 0:
            return index
    raise AssertionError("the weights sum to more than was drawn")
