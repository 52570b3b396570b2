"""Many exact draws at once: geometric noise and exponential-weight choices, decided by as many random bits as necessary.

Every draw compares a uniform number, bit by bit, with bounds that are certain. Sixty-four bits decide nearly always; where they
do not, more are drawn and the arithmetic gets more digits, so that each chance is met exactly whatever the privacy level.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.sampling import RUN_BITS, Below, geometric_run
from dpdesigner.errors import InputError

Words = NDArray[np.uint64]

_LIMIT = 1 << 62
_SURE = 1e-13  # relative; the logarithms and quotients of doubles here err by a hundredth of that
_FIRST_DIGITS = 60


@dataclass(frozen=True)
class Source:
    """A source of random bits.

    Attributes
    ----------
    words : callable
        ``words(k)`` returns k independent uniform 64-bit words.
    below : callable
        ``below(m)`` returns a uniform integer in [0, m).
    """

    words: Callable[[int], Words]
    below: Below


def _system_words(count: int) -> Words:
    return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)


#: The operating system's entropy, the source of everything that is released.
SYSTEM = Source(_system_words, secrets.randbelow)


def for_study(seed: int) -> Source:
    """Return reproducible bits for a seed: for study only, because anyone who knows the seed knows the noise."""
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))

    def words(count: int) -> Words:
        return generator.integers(0, 1 << 64, count, dtype=np.uint64)

    def below(bound: int) -> int:
        bits = max((bound - 1).bit_length(), 1)
        while True:
            drawn = int.from_bytes(words(-(-bits // 64)).tobytes(), "little") >> (-bits % 64)
            if drawn < bound:
                return drawn

    return Source(words, below)


def source_of(seed: int | None) -> Source:
    """Return the system's entropy, or the bits of a seed."""
    return SYSTEM if seed is None else for_study(seed)


def geometric_counts(privacy: PrivacyLevel, size: int, source: Source = SYSTEM) -> Integers:
    """Return independent K with P(K >= k) = alpha^k exactly.

    Parameters
    ----------
    privacy : PrivacyLevel
        0 < epsilon; infinite epsilon gives zeros.
    size : int
    source : Source

    Raises
    ------
    InputError
        If epsilon is 0: there is no such noise.

    Notes
    -----
    K is the whole part of -ln(U) / epsilon, U uniform in (0, 1]. A word says in which interval of length 2^-64 U lies; where both
    ends, widened by what doubles may err, have the same whole part, that is K, and else more bits decide.
    """
    if privacy.alpha == 1:
        raise InputError("epsilon must be positive to draw noise, got 0.", "epsilon")
    if privacy.exact_alpha == 0:
        return np.zeros(size, dtype=np.int64)
    words = source.words(size)
    least = _exponentials(words, 1) / privacy.epsilon * (1 - _SURE)
    with np.errstate(divide="ignore"):
        most = _exponentials(words, 0) / privacy.epsilon * (1 + _SURE)
    whole = np.floor(np.minimum(least, _LIMIT))
    unsure = np.flatnonzero(whole != np.floor(most))
    counts = whole.astype(np.int64)
    for place in unsure.tolist():
        counts[place] = geometric_run(privacy, _LIMIT, _after(int(words[place]), source))
    return counts


def geometric_noise(privacy: PrivacyLevel, size: int, source: Source = SYSTEM) -> Integers:
    """Return independent two-sided geometric noise, P(Z = z) = (1 - alpha) / (1 + alpha) alpha^|z| exactly.

    The difference of two independent K with P(K >= k) = alpha^k has this law; parameters as `geometric_counts`.
    """
    return geometric_counts(privacy, size, source) - geometric_counts(privacy, size, source)


def weighted_choice(losses: ArrayLike, privacy: PrivacyLevel, source: Source = SYSTEM) -> int:
    """Return index i with probability exactly proportional to alpha^losses_i: the exponential mechanism.

    Parameters
    ----------
    losses : array_like of int
        (k,), k >= 1.
    privacy : PrivacyLevel
        alpha of a loss of 1; infinite epsilon gives one of the least losses.
    source : Source
    """
    every = np.asarray(losses, dtype=np.int64)
    levels, place, totals = np.unique(every - every.min(), return_inverse=True, return_counts=True)
    level = _chosen_level(levels, totals, privacy, source)
    return int(np.flatnonzero(place == level)[source.below(int(totals[level]))])


def _exponentials(words: Words, above: int) -> NDArray[np.float64]:
    """Return -ln of (word + above) / 2^64, above in {0, 1}, without cancellation near 1."""
    lacking = (np.uint64(0) - words).astype(np.float64)  # 2^64 - word, but 0 for the word 0
    lacking[words == 0] = 2.0**64
    low = words.astype(np.float64) + above
    near = lacking <= 2.0**63
    near_one = -np.log1p(-np.where(near, np.maximum(lacking - above, 0.0), 0.0) / 2.0**64)
    return np.where(near, near_one, -np.log(np.where(near, 1.0, low) / 2.0**64))


def _after(word: int, source: Source) -> Below:
    """Return random bits that begin with a word already drawn."""
    first = [word]

    def below(bound: int) -> int:
        if first and bound == 1 << RUN_BITS:
            rest = RUN_BITS - 64
            return (first.pop() << rest) + source.below(1 << rest)
        return source.below(bound)

    return below


def _chosen_level(levels: Integers, totals: Integers, privacy: PrivacyLevel, source: Source) -> int:
    """The chosen one of the rising losses, whose weights are totals alpha^level."""
    if privacy.exact_alpha == 0 or len(levels) == 1:
        return 0
    weights = totals * np.exp(-privacy.epsilon * levels)
    ends = np.cumsum(weights) / weights.sum()
    word = int(source.words(1)[0])
    slack = 1e-15 * (len(levels) + privacy.epsilon * float(min(levels[-1], 800 / privacy.epsilon))) + 1e-12
    low, high = word / 2.0**64, (word + 1) / 2.0**64
    first = int(np.searchsorted(ends, low - slack, side="right"))
    if first == int(np.searchsorted(ends, high + slack, side="left")) and first < len(levels):
        return first
    return _decided_level([int(level) for level in levels], [int(total) for total in totals], privacy, word, source)


def _decided_level(levels: list[int], totals: list[int], privacy: PrivacyLevel, word: int, source: Source) -> int:
    """Return the drawn level, using as many digits and bits as necessary."""
    bits, uniform, digits = 64, word, _FIRST_DIGITS
    while True:
        below, above = (_running(levels, totals, privacy, digits, rounding) for rounding in (ROUND_FLOOR, ROUND_CEILING))
        least, most = Fraction(uniform, 1 << bits), Fraction(uniform + 1, 1 << bits)
        first = next(k for k, end in enumerate(above) if least < end / below[-1])
        last = next((k for k, end in enumerate(below) if most <= end / above[-1]), len(levels) - 1)
        if first == last:  # the end of the last one is 1
            return first
        uniform, bits, digits = (uniform << 64) + int(source.words(1)[0]), bits + 64, digits + 40


def _running(levels: list[int], totals: list[int], privacy: PrivacyLevel, digits: int, rounding: str) -> list[Fraction]:
    """Return the running sums of the weights, all rounded down or all rounded up."""
    context = Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)
    other = Context(prec=digits, rounding=ROUND_CEILING if rounding == ROUND_FLOOR else ROUND_FLOOR)
    sums, total = [], Fraction(0)
    alpha, epsilon = privacy.exact_alpha, privacy.exact_epsilon
    for level, many in zip(levels, totals, strict=True):
        if alpha is not None:
            weight = alpha**level
        else:
            rate = epsilon or Fraction(0)
            power = other.divide(Decimal(rate.numerator * level), Decimal(rate.denominator)).copy_negate()
            value = context.exp(power)  # rounded to the nearest, whatever the context says
            weight = Fraction(value.next_minus(context) if rounding == ROUND_FLOOR else value.next_plus(context))
        total += many * max(weight, Fraction(0))
        sums.append(total)
    return sums
