"""Selection mechanisms: exponential, permute-and-flip and report-noisy-max, as logarithms of probabilities.

The exponential mechanism in logarithms, so that nothing overflows however large utilities and epsilon are.

F. McSherry, K. Talwar, "Mechanism Design via Differential Privacy", 2007: an option of utility u is drawn with a chance
proportional to its base measure times exp(c u). What matters are the *exponents* c (u - max u) <= 0, which are made from exact
numbers, so that a chance that a double can hold is right to a relative 1e-12.

Permute-and-flip: ask the options in random order, and take the first whose coin of bias exp(c (u - max u)) shows heads.

R. McKenna, D. Sheldon, "Permute-and-Flip: A New Mechanism for Differentially Private Selection", 2020. An option that is asked at
a uniform time t is reached if none of those before it was taken:

    P(i) = q_i int_0^1 prod_{j != i} (1 - t q_j) dt,    q_i = exp(c (u_i - max u)).

It is the largest u + one-sided exponential noise of scale 1 / c (Z. Ding et al., "The Permute-and-Flip Mechanism is Identical to
Report-Noisy-Max with Exponential Noise", 2021). The integrand is a polynomial in t.

Report-noisy-max with Laplace noise: the chances that each option's noisy utility is the largest.

In units of the noise's scale let option i lie g_i >= 0 below the best, and let z be how far a place lies below the best. Then

    P(i) = int f_i(z) prod_{j != i} F_j(z) dz,    f_i = exp(-|z - g_i|) / 2,    F_i = f_i for z > g_i, 1 - f_i for z < g_i.

For z < 0 the integrand is a polynomial in exp(z). Below the best, the line is cut at every g and into stretches so short that
the rule's error is below rounding; far above the second best the integrand is a plain exponential; and where the options above
have cost it a factor exp(-46) the rest does not count. Gumbel noise gives the exponential mechanism, and one-sided exponential
noise permute-and-flip: they have modules of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.numerics import log_shares, unit_gauss
from dpdesigner.core.numbers.parsing import nearest


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
