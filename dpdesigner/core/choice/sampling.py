"""Exact draws of a choice, from integers and the system's entropy.

Every chance is met exactly where utilities and rate are rational. Whole chances come from Bernoulli(exp(-x)) (C. Canonne, G.
Kamath, T. Steinke, "The Discrete Gaussian for Differential Privacy", 2020). Laplace noise is drawn lazily: an exponential
variable is a whole number and a fraction whose bits are made as they are asked for (J. von Neumann, "Various Techniques Used in
Connection with Random Digits", 1951), so that the larger of two noisy utilities is known beyond doubt and nothing is ever
rounded.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from fractions import Fraction

from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sampling import Below, bernoulli_exponential

_BITS = 32


def rational_epsilon(privacy: PrivacyLevel) -> Fraction:
    """Return a rational epsilon that never exceeds the level's and is below it by a relative 1e-15 at most."""
    if privacy.exact_epsilon is not None:
        return privacy.exact_epsilon
    return Fraction(privacy.epsilon_above) * (1 - Fraction(1, 2**50))


def draw_exponential(
    utilities: Sequence[Fraction], rate: Fraction, below: Below = secrets.randbelow, base: Sequence[int] | None = None
) -> int:
    """Return an option i with probability exactly proportional to base_i exp(rate u_i).

    Parameters
    ----------
    utilities : sequence of Fraction
    rate : Fraction
        At least 0.
    below : callable
        Returns a uniform integer in [0, argument).
    base : sequence of int, optional
        The base measure, at least 0 and not all 0; 1 each if not given.
    """
    most = max(utility for place, utility in enumerate(utilities) if base is None or base[place])
    total = len(utilities) if base is None else sum(base)

    def proposed() -> int:
        place = below(total)
        if base is not None:
            for option, weight in enumerate(base):
                place -= weight
                if place < 0:
                    return option
        return place

    return draw_accepted(proposed, lambda option: rate * (most - utilities[option]), below)


def draw_accepted(propose: Callable[[], int], cost: Callable[[int], Fraction], below: Below = secrets.randbelow) -> int:
    """Return a proposal x with probability exactly proportional to its own times exp(-cost(x)); costs are rational, >= 0."""
    while True:
        proposed = propose()
        if bernoulli_exponential(cost(proposed), below):
            return proposed


def draw_permute_and_flip(utilities: Sequence[Fraction], rate: Fraction, below: Below = secrets.randbelow) -> int:
    """Return an option by permute-and-flip: the first in random order accepted with probability exp(rate (u - max u))."""
    most, left = max(utilities), list(range(len(utilities)))
    while True:
        option = left.pop(below(len(left)))
        if bernoulli_exponential(rate * (most - utilities[option]), below):
            return option


def draw_noisy_max(utilities: Sequence[Fraction], rate: Fraction, below: Below = secrets.randbelow) -> int:
    """Return the option whose rate u + Laplace noise of scale 1 is the largest."""
    winner, best = 0, _Noisy(rate * utilities[0], below)
    for option, utility in enumerate(utilities[1:], 1):
        other = _Noisy(rate * utility, below)
        if other.exceeds(best):
            winner, best = option, other
    return winner


class _Uniform:
    """A number uniform in [0, 1), known to as many bits as have been needed."""

    def __init__(self, below: Below) -> None:
        self.bits, self.size, self._below = 0, 0, below

    def refine(self) -> None:
        self.bits = (self.bits << _BITS) + self._below(1 << _BITS)
        self.size += _BITS

    def is_less(self, other: _Uniform) -> bool:
        while True:
            for each in (self, other):
                if each.size < max(self.size, other.size) or not each.size:
                    each.refine()
            if self.size == other.size:
                if self.bits != other.bits:
                    return self.bits < other.bits
                self.refine()


class _Noisy:
    """A rational number with Laplace noise of scale 1, known as precisely as has been needed."""

    def __init__(self, value: Fraction, below: Below) -> None:
        whole, self._part = _exponential(below)
        self._sign = -1 if below(2) else 1
        self._start = value + self._sign * whole

    @property
    def _bounds(self) -> tuple[Fraction, Fraction]:
        near = self._start + self._sign * Fraction(self._part.bits, 1 << self._part.size)
        far = near + Fraction(self._sign, 1 << self._part.size)
        return min(near, far), max(near, far)

    def exceeds(self, other: _Noisy) -> bool:
        """Whether this number is larger; the two are equal with probability 0."""
        while True:
            (low, high), (least, most) = self._bounds, other._bounds
            if low >= most or high <= least:
                return low >= most
            for each in (self, other):
                each._part.refine()


def _exponential(below: Below) -> tuple[int, _Uniform]:
    """Return an exponential variable of mean 1: its whole part, and its fraction."""
    whole = 0
    while True:
        first = last = _Uniform(below)
        falling = 1
        while (following := _Uniform(below)).is_less(last):
            last, falling = following, falling + 1
        if falling % 2:
            return whole, first
        whole += 1
