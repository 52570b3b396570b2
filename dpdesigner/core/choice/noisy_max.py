"""Report-noisy-max with Laplace noise: the chances that each option's noisy utility is the largest.

In units of the noise's scale let option i lie g_i >= 0 below the best, and let z be how far a place lies below the best. Then

    P(i) = int f_i(z) prod_{j != i} F_j(z) dz,    f_i = exp(-|z - g_i|) / 2,    F_i = f_i for z > g_i, 1 - f_i for z < g_i.

For z < 0 the integrand is a polynomial in exp(z). Below the best, the line is cut at every g and into stretches so short that
the rule's error is below rounding; far above the second best the integrand is a plain exponential; and where the options above
have cost it a factor exp(-46) the rest does not count. Gumbel noise gives the exponential mechanism, and one-sided exponential
noise permute-and-flip: they have modules of their own.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.quadrature import falling_rule
from dpdesigner.core.numbers.gauss import unit_gauss
from dpdesigner.core.numbers.logarithms import log_shares

#: Where so much of ln of the integrand is lost, nothing that is left counts; an option is felt so far above itself.
_LOST = 46.0
_STRETCH, _NODES = 1.5, 16


def laplace_logs(exponents: Floats) -> Floats:
    """Return ln of the chances of the largest noisy utility, with Laplace noise.

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
    """P(i) exp(g_i) for each option, the g rising from 0."""
    integrals = _above(gaps)
    start, depths, widths = _places(gaps)
    if start:  # for z in 0..start only the best option lies above, and the others are not felt
        integrals[1:] += start / 4
        integrals[0] -= math.expm1(-start) / 2
    if len(depths):
        first, others = _below(gaps[1:], depths, widths)
        integrals[0] += first
        integrals[1:] += others
    return integrals


def _above(gaps: Floats) -> Floats:
    """The part of z < 0, in t = exp(z)."""
    felt = int(np.searchsorted(gaps, _LOST))
    half = np.exp(-gaps[:felt]) / 2
    t, _, weights = falling_rule(float(half.sum()))
    factors = 1 - np.multiply.outer(t, half)
    weights = np.prod(factors, axis=1) * weights / 2
    integrals = np.full(len(gaps), float(weights.sum()))
    integrals[:felt] = weights @ (1 / factors)
    return integrals


def _below(gaps: Floats, depths: Floats, widths: Floats) -> tuple[float, Floats]:
    """The part of some places z > 0: for the best option, and for the others with their gaps."""
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
    """Where plain integration ends below the best, and the places below it with their weights."""
    if len(gaps) == 1:
        return math.inf, np.empty(0), np.empty(0)
    others = gaps[1:]
    start = max(0.0, float(others[0]) - _LOST - math.log(len(gaps)))
    sums, counts = np.cumsum(others), np.arange(1, len(others) + 1)
    # Having passed m of the others at depth z has cost m (z + ln 2) - sum of their g.
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
