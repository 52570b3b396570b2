"""The optimal mechanism and its certificate in rational arithmetic: gap 0 means optimal, with nothing left to rounding.

The same computation as `dpdesigner.core.dense.remap` and `dpdesigner.core.dense.certificate` with alpha = a / b, all in integers
over one common denominator, which is much faster than adding fractions one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.certificate import Certificate, Solution


def solve_exactly(prior: Sequence[Fraction], loss: Sequence[Sequence[Fraction]], alpha: Fraction) -> Solution:
    """Return the Bayes remap of G, its expected loss and its certificate.

    Parameters
    ----------
    prior : sequence of Fraction
        (n + 1,).
    loss : sequence of sequences of Fraction
        (n + 1, m): l(i, r).
    alpha : Fraction
        In [0, 1].
    """
    n = len(prior) - 1
    scale = lcm(*(p.denominator for p in prior)) * lcm(*(value.denominator for row in loss for value in row))
    columns = [[int(p * value * scale) for p, value in zip(prior, column, strict=True)] for column in zip(*loss, strict=True)]
    scores = [_scores(column, alpha) for column in columns]
    outputs = tuple(min(range(len(columns)), key=lambda r: scores[r][j]) for j in range(n + 1))
    unit = Fraction(1, scale * alpha.denominator**n)
    chosen = [scores[r][j] * unit for j, r in enumerate(outputs)]
    value = sum((d * e for d, e in zip(geometric.exact_weights(alpha, n), chosen, strict=True)), Fraction(0))
    dual = _dual(chosen, value, alpha)
    shift = _shift(columns, dual, scale, alpha)
    gap, basis = value - sum(dual) + (n + 1) * shift, "all columns checked in exact arithmetic"
    return Solution(outputs, value, Certificate(dual, gap, shift, len(columns), len(columns), basis))


def _scores(column: Sequence[int], alpha: Fraction) -> list[int]:
    """sum_i c(i) alpha^|i-j| for all j, times b^n."""
    a, b = alpha.numerator, alpha.denominator
    n = len(column) - 1
    powers = [1]
    for _ in range(n):
        powers.append(powers[-1] * b)
    scores, total = [], 0
    for j, cost in enumerate(column):
        total = a * total + cost * powers[j]
        scores.append(total * powers[n - j])
    total = 0
    for j in range(n - 1, -1, -1):
        total = a * (total + column[j + 1] * powers[n - j - 1])
        scores[j] += total * powers[j]
    return scores


def _dual(chosen: Sequence[Fraction], value: Fraction, alpha: Fraction) -> tuple[Fraction, ...]:
    """w = K^-1 e, by the tridiagonal inverse of K."""
    n = len(chosen) - 1
    if n == 0:
        return tuple(chosen)
    if alpha == 1:
        return (value / (n + 1),) * (n + 1)
    square = alpha * alpha
    padded = [Fraction(0), *chosen, Fraction(0)]
    middle = [1 + (square if 0 < i < n else 0) for i in range(n + 1)]
    return tuple((middle[i] * padded[i + 1] - alpha * (padded[i] + padded[i + 2])) / (1 - square) for i in range(n + 1))


def _shift(columns: Sequence[Sequence[int]], dual: Sequence[Fraction], scale: int, alpha: Fraction) -> Fraction:
    """An eta >= 0 with every c_r - w + eta in K*: 0 where the test passes, else the least to a relative 2^-40, rounded up."""
    shift = Fraction(0)
    for column in columns:
        if _passes(column, dual, scale, alpha, shift):
            continue
        low, high = shift, max(w - Fraction(cost, scale) for cost, w in zip(column, dual, strict=True))
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if _passes(column, dual, scale, alpha, middle) else (middle, high)
        shift = high
    return shift


def _passes(column: Sequence[int], dual: Sequence[Fraction], scale: int, alpha: Fraction, shift: Fraction) -> bool:
    """Whether c - w + eta is in K*, in integers: V_i times (a b)^(n - i) throughout."""
    a, b = alpha.numerator, alpha.denominator
    dual = [w - shift for w in dual] if shift else dual
    common = lcm(scale, *(w.denominator for w in dual))
    lowered = [w.numerator * (common // w.denominator) for w in dual]
    differences = [cost * (common // scale) - w for cost, w in zip(column, lowered, strict=True)]
    if a == 0:
        return min(differences) >= 0
    total, power = 0, 1
    for difference in reversed(differences):
        total = difference * power + total * (a * a if total >= 0 else b * b)
        power *= a * b
    return total >= 0
