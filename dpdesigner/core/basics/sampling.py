"""Exact sampling from the operating system's entropy, using only integers.

Floating-point inverse sampling leaks through its rounding; here every probability is met exactly. Bernoulli(exp(-x)) for
rational x follows Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, Algorithm 1.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import lcm

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.rounding import context, decimal

#: Returns a uniform integer in [0, argument).
Below = Callable[[int], int]

#: Runs of Bernoulli(alpha) that are longer on average are drawn from this many random bits instead of step by step.
_FEW, RUN_BITS = 24, 128


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
    while below(x.denominator * k) < x.numerator:  # with probability x / k
        k += 1
    return k % 2 == 1


def bernoulli_alpha(privacy: PrivacyLevel, below: Below = secrets.randbelow) -> bool:
    """Return True with probability exactly alpha."""
    alpha, epsilon = privacy.exact_alpha, privacy.exact_epsilon
    if alpha is not None:
        return bernoulli(alpha, below)
    return epsilon is not None and bernoulli_exponential(epsilon, below)


def geometric_noise(privacy: PrivacyLevel, limit: int, below: Below = secrets.randbelow) -> int:
    """Return two-sided geometric noise, with magnitudes truncated at `limit`.

    Cutting is harmless where the noisy count is clamped to 0..n anyway and `limit` is n. A negative zero is drawn again, as in
    the discrete Laplace sampler of Canonne, Kamath and Steinke, Algorithm 2.
    """
    while True:
        magnitude = geometric_count(privacy, limit, below)
        negative = below(2) == 1
        if magnitude or not negative or not limit:
            return -magnitude if negative else magnitude


def geometric_count(privacy: PrivacyLevel, limit: int, below: Below = secrets.randbelow) -> int:
    """Return K with P(K >= k) = alpha^k exactly, truncated at `limit`: the length of a run of Bernoulli(alpha) successes."""
    if limit > _FEW and privacy.one_minus_alpha * _FEW <= 1:
        return geometric_run(privacy, limit, below)
    length = 0
    while length < limit and bernoulli_alpha(privacy, below):
        length += 1
    return length


def geometric_run(privacy: PrivacyLevel, limit: int, below: Below = secrets.randbelow) -> int:
    """Return K as `geometric_count` does, but in a few steps: the whole part of ln(U) / ln(alpha), U in (0, 1].

    As many bits of U, uniform, are drawn as decide the whole part beyond doubt, `RUN_BITS` at a time; every rounding is made
    outwards, so it is met exactly.
    """
    if privacy.exact_alpha == 1:
        return limit
    bits, uniform = 0, 0
    while True:
        bits, uniform = bits + RUN_BITS, (uniform << RUN_BITS) + below(1 << RUN_BITS)
        least_rate, most_rate = _rates(privacy, bits)
        down, up = _contexts(bits)
        scale = Decimal(1 << bits)
        nearest = down.ln(down.min(up.divide(Decimal(uniform + 1), scale), Decimal(1))).next_plus(up).copy_negate()
        least = int(down.divide(max(nearest, Decimal(0)), most_rate))
        if least >= limit:
            return limit
        if uniform:
            furthest = up.ln(down.divide(Decimal(uniform), scale)).next_minus(down).copy_negate()
            if int(up.divide(furthest, least_rate)) == least:
                return least


@lru_cache(maxsize=16)
def _rates(privacy: PrivacyLevel, bits: int) -> tuple[Decimal, Decimal]:
    """Return lower and upper bounds on -ln(alpha), as tight as this many bits need."""
    down, up = _contexts(bits)
    epsilon, alpha = privacy.exact_epsilon, privacy.exact_alpha
    if epsilon is not None:
        return decimal(epsilon, down), decimal(epsilon, up)
    if alpha is None:
        raise AssertionError("a level has a rational alpha or a rational epsilon")
    down, up = _contexts(bits, len(str(alpha.denominator)))
    above, below = up.ln(decimal(alpha, up)), down.ln(decimal(alpha, down))
    return above.next_plus(up).copy_negate(), below.next_minus(down).copy_negate()


def _contexts(bits: int, more: int = 0) -> tuple[Context, Context]:
    """Return contexts that round down and up, with enough digits that bits, not rounding, limit the precision."""
    digits = bits // 2 + more
    return context(digits, ROUND_FLOOR), context(digits, ROUND_CEILING)


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
