"""Selection mechanisms: exponential, permute-and-flip and report-noisy-max; log probabilities and exact draws.

Exponential mechanism
---------------------
It is computed in logarithms, so that nothing overflows however large utilities and epsilon are.

F. McSherry, K. Talwar, "Mechanism Design via Differential Privacy", 2007: an option of utility u is drawn with a chance
proportional to its base measure times exp(c u). What matters are the *exponents* c (u - max u) <= 0, which are made from exact
numbers, so that a chance that a double can hold is right to a relative 1e-12.

Permute-and-flip
----------------
Ask the options in random order, and take the first whose coin of bias exp(c (u - max u)) shows heads.

R. McKenna, D. Sheldon, "Permute-and-Flip: A New Mechanism for Differentially Private Selection", 2020. An option that is asked at
a uniform time t is reached if none of those before it was taken:

    P(i) = q_i int_0^1 prod_{j != i} (1 - t q_j) dt,    q_i = exp(c (u_i - max u)).

It is the largest u + one-sided exponential noise of scale 1 / c (Z. Ding et al., "The Permute-and-Flip Mechanism is Identical to
Report-Noisy-Max with Exponential Noise", 2021). The integrand is a polynomial in t.

Report-noisy-max
----------------
Computed are the chances that each option's utility with Laplace noise is the largest.

In units of the noise's scale let option i lie g_i >= 0 below the best, and let z be how far a place lies below the best. Then

    P(i) = int f_i(z) prod_{j != i} F_j(z) dz,    f_i = exp(-|z - g_i|) / 2,    F_i = f_i for z > g_i, 1 - f_i for z < g_i.

For z < 0 the integrand is a polynomial in exp(z). Below the best, the line is cut at every g and into stretches so short that
the rule's error is below rounding; far above the second best the integrand is a plain exponential; and where the options above
have cost it a factor exp(-46) the rest does not count. (Gumbel noise would give the exponential mechanism, and one-sided
exponential noise permute-and-flip.)

Exact draws
-----------
A choice is drawn from integers and the system's entropy.

Every chance is met exactly where utilities and rate are rational. Whole chances come from Bernoulli(exp(-x)) (C. Canonne, G.
Kamath, T. Steinke, "The Discrete Gaussian for Differential Privacy", 2020). Laplace noise is drawn lazily: an exponential
variable is a whole number and a fraction whose bits are made as they are asked for (J. von Neumann, "Various Techniques Used in
Connection with Random Digits", 1951), so that the larger of two noisy utilities is known beyond doubt and nothing is ever
rounded.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpdesigner.arrays import Floats, log_shares, unit_gauss
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import nearest
from dpdesigner.core.basics.sampling import Below, bernoulli_exponential


def exponents(utilities: Sequence[Fraction] | Floats, rate: Fraction) -> Floats:
    """Return c (u - max u) for each option of a vector, or of each row of an array of doubles.

    Parameters
    ----------
    utilities : sequence of Fraction, or ndarray
        Fractions are subtracted exactly; doubles stand for themselves.
    rate : Fraction
        c, at least 0.

    Returns
    -------
    ndarray
        At most 0; the largest is 0.
    """
    if isinstance(utilities, np.ndarray):
        return np.asarray(nearest(rate) * (utilities - utilities.max(axis=-1, keepdims=True)))
    most = max(utilities)
    return np.array([nearest(rate * (utility - most)) for utility in utilities])


def exponential_logs(exponents: Floats, base: Floats | None = None) -> Floats:
    """Return the log probabilities of the exponential mechanism, which is also the argmax of u + Gumbel noise.

    Parameters
    ----------
    exponents : ndarray
        (..., k): c u, up to a common addend.
    base : ndarray, optional
        (k,): ln of the base measure of each option; 0 if not given.

    Returns
    -------
    ndarray
        (..., k).
    """
    return log_shares(exponents if base is None else exponents + base)


#: Exact for products of 39 factors, and below rounding for an exponential that falls by exp(-22) within a panel.
_PANEL_NODES = 20


def falling_rule(slope: float) -> tuple[Floats, Floats, Floats]:
    """Return nodes t in [0, 1], 1 - t, and weights for integrands like exp(-slope t) or products of few factors."""
    return _panels(max(0, math.ceil(math.log2(max(slope, 1.0) / 8))))


@lru_cache(maxsize=32)
def _panels(halvings: int) -> tuple[Floats, Floats, Floats]:
    edges = np.concatenate([[0.0], 0.5 ** np.arange(halvings, -1, -1)])
    nodes, weights = unit_gauss(_PANEL_NODES)
    left, size = edges[:-1, None], np.diff(edges)[:, None]
    rest = (1 - left - size) + size * nodes[::-1]  # the rule is symmetric, so no 1 - t is lost to cancellation
    return (left + size * nodes).ravel(), rest.ravel(), (size * weights).ravel()


#: A bias below this changes no product in doubles.
_NEGLIGIBLE = 1e-20


def permute_and_flip_logs(exponents: Floats) -> Floats:
    """Return the log probabilities of permute-and-flip.

    Parameters
    ----------
    exponents : ndarray
        (k,): c (u - max u), the largest 0.

    Returns
    -------
    ndarray
        (k,): their exponentials sum to 1; the rule's rounding is divided out.
    """
    bias = np.exp(exponents)
    felt = bias > _NEGLIGIBLE
    factors, weights = _factors(bias[felt])
    weights = weights * np.prod(factors, axis=1)
    integral = np.full(len(bias), float(weights.sum()))
    integral[felt] = weights @ (1 / factors)
    return log_shares(exponents + np.log(integral))


def chance_of_one(exponent: float, others: Floats) -> float:
    """Return the log probability of one option among others, whose exponents may exceed 0."""
    most = max(exponent, float(others.max()))
    bias = np.exp(others - most)
    factors, weights = _factors(bias[bias > _NEGLIGIBLE])
    return exponent - most + float(np.log(weights @ np.prod(factors, axis=1)))


def _factors(bias: Floats) -> tuple[Floats, Floats]:
    """Return 1 - t q for each node t of a rule and each bias q, and the weights of the nodes."""
    _, rest, weights = falling_rule(float(bias.sum()))
    # 1 - t q = (1 - q) + q (1 - t): nothing cancels where t and q are almost 1.
    return (1 - bias) + rest[:, None] * bias, weights


#: Once ln of the integrand has lost this much, the rest is negligible; an option has influence this far above itself.
_LOST = 46.0
_STRETCH, _NODES = 1.5, 16


def laplace_logs(exponents: Floats) -> Floats:
    """Return the log probability that each option has the largest utility after Laplace noise.

    Parameters
    ----------
    exponents : ndarray
        (k,): (u - max u) / scale, the largest 0.

    Returns
    -------
    ndarray
        (k,): their exponentials sum to 1; what quadrature rounds is divided out.
    """
    order = np.argsort(-exponents, kind="stable")
    logs = np.empty(len(order))
    logs[order] = exponents[order] + np.log(_integrals(-exponents[order]))
    return log_shares(logs)


def _integrals(gaps: Floats) -> Floats:
    """Return P(i) exp(g_i) for each option, with g rising from 0."""
    integrals = _above(gaps)
    start, depths, widths = _places(gaps)
    if start:  # for z in 0..start only the best option lies above, and the others have no influence
        integrals[1:] += start / 4
        integrals[0] -= math.expm1(-start) / 2
    if len(depths):
        first, others = _below(gaps[1:], depths, widths)
        integrals[0] += first
        integrals[1:] += others
    return integrals


def _above(gaps: Floats) -> Floats:
    """Return the contribution of z < 0, in t = exp(z)."""
    felt = int(np.searchsorted(gaps, _LOST))
    half = np.exp(-gaps[:felt]) / 2
    t, _, weights = falling_rule(float(half.sum()))
    factors = 1 - np.multiply.outer(t, half)
    weights = np.prod(factors, axis=1) * weights / 2
    integrals = np.full(len(gaps), float(weights.sum()))
    integrals[:felt] = weights @ (1 / factors)
    return integrals


def _below(gaps: Floats, depths: Floats, widths: Floats) -> tuple[float, Floats]:
    """Return the contribution of some places z > 0: for the best option, and for the others with their gaps."""
    felt = int(np.searchsorted(gaps, depths.max() + _LOST))
    origin = depths[0]
    ratio = np.multiply.outer(np.exp(depths - origin) / 2, np.exp(origin - gaps[:felt]))  # exp(z - g) / 2
    passed = ratio > 0.5
    ratio[passed] = 0.25 / ratio[passed]  # exp(g - z) / 2
    factors = np.where(passed, ratio, 1 - ratio)
    weights = np.prod(factors, axis=1) * widths
    integrals = np.full(len(gaps), float(weights.sum() / 4))
    integrals[:felt] = weights @ np.where(passed, ratio, 0.25 / (1 - ratio))
    return float(weights @ np.exp(-depths) / 2), integrals


def _places(gaps: Floats) -> tuple[float, Floats, Floats]:
    """The places where plain integration ends below the best, and the places below it with their weights."""
    if len(gaps) == 1:
        return math.inf, np.empty(0), np.empty(0)
    others = gaps[1:]
    start = max(0.0, float(others[0]) - _LOST - math.log(len(gaps)))
    sums, counts = np.cumsum(others), np.arange(1, len(others) + 1)
    # Having passed m of the others at depth z costs m (z + ln 2) minus the sum of their g.
    ends = (_LOST + sums) / counts - math.log(2)
    passed = int(np.argmax(ends <= np.append(others[1:], np.inf)))
    end = max(float(ends[passed]), float(others[passed]))
    if end <= start:
        return start, np.empty(0), np.empty(0)
    edges = np.unique(np.concatenate([[start], others[(others > start) & (others < end)], [end]]))
    parts = np.maximum(1, np.ceil(np.diff(edges) / _STRETCH)).astype(int)
    lengths = np.repeat(np.diff(edges) / parts, parts)
    lefts = start + np.cumsum(lengths) - lengths
    t, weights = unit_gauss(_NODES)
    return start, (lefts[:, None] + lengths[:, None] * t).ravel(), (lengths[:, None] * weights).ravel()


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
