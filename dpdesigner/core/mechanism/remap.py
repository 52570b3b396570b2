"""The Bayes remap: the best reading of each geometric output under a prior and a loss, in doubles and in fractions.

[GRS] Section 2.3: output j is read as r(j) = argmin_r sum_i p_i g_ij l(i, r). With G = K diag(D) the factor D_j does not
matter, so the scores are M_r(j) = sum_i p_i l(i, r) alpha^|i-j| (`dpdesigner.core.mechanism.scores`).

In fractions
------------
A gap of 0 means optimal, with nothing left to rounding. With alpha = a / b all is computed in integers over one common
denominator, which is much faster than adding fractions one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.coverage import Turns
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.mechanism import Certificate, Solution
from dpdesigner.core.mechanism.scores import FullScores, NearScores, nearest_best, read_at, score_blocks


@dataclass(frozen=True)
class Remap:
    """A remap of the outputs of G with what its certificate needs.

    Attributes
    ----------
    outputs : ndarray of int
        (n + 1,): output j of G is read as outputs[j].
    scores : ndarray
        (n + 1,): e_j, the score of the chosen reading; the expected loss is sum_j D_j e_j.
    dual : ndarray
        (n + 1,): w = K^-1 e (THEORY.md, section 3), the only dual solution that can prove this remap optimal.
    value : float
        The expected loss.
    sums : FullScores, NearScores or None
        What the scores were made of, where they were found at once: the certificate is quicker with them.
    """

    outputs: Integers
    scores: Floats
    dual: Floats
    value: float
    sums: FullScores | NearScores | None = None


def bayes_remap(prior: Floats, loss: Floats, privacy: PrivacyLevel, monotone: bool = False, turns: Turns | None = None) -> Remap:
    """Return the remap of least expected loss; of equally good readings the nearest to the output is taken.

    Parameters
    ----------
    prior : ndarray
        (n + 1,): probabilities of the true results.
    loss : ndarray
        (n + 1, m): l(i, r), C-contiguous.
    privacy : PrivacyLevel
        Of the geometric mechanism.
    monotone : bool
        The best reading does not decrease with the output, as Theorem A has it: then only readings between those of the first
        outputs of a block and of the next are tried for the others.
    turns : Turns, optional
        Of the loss, where that saves time.

    Notes
    -----
    The dual is w_i = ((1 + alpha^2) e_i - alpha (e_{i-1} + e_{i+1})) / (1 - alpha^2), which cancels badly as alpha tends to 1.
    Since K^-1 M_r = c_r, it equals c_{r(i)}(i) + alpha (delta_{i,i-1} + delta_{i,i+1}) / (1 - alpha^2), where delta_{i,k} =
    M_{r(i)}(k) - e_k >= 0 is what the reading of i would cost more at k: exact wherever neighbours are read alike.
    """
    n = len(prior) - 1
    # A level too small for a double still distinguishes near beliefs from far ones.
    alpha = max(privacy.alpha, 1e-290) if privacy.exact_alpha != 0 else 0.0
    near = None if turns is None else NearScores.of(prior, loss, alpha, turns)
    sums = near or FullScores.of(prior, loss, alpha)
    if sums is None:
        outputs, scores, excess = _by_blocks(prior, loss, alpha, monotone)
    else:
        outputs, scores, excess = sums.best, sums.least, sums.excess()
    value = float((geometric.weights(privacy, n) * scores).sum())
    spread = (1 - privacy.alpha) * (1 + privacy.alpha)
    if spread == 0 and n > 0:
        return Remap(outputs, scores, np.full(n + 1, value / (n + 1)), value)
    dual = prior * loss.take(np.arange(0, loss.size, loss.shape[1]) + outputs)
    if privacy.alpha > 0 and n > 0:
        dual += (privacy.alpha / spread) * excess
    return Remap(outputs, scores, dual, value, sums)


def _by_blocks(prior: Floats, loss: Floats, alpha: float, monotone: bool) -> tuple[Integers, Floats, Floats]:
    """Return the best readings, their scores, and the extra loss of each at its two neighbours, (n + 1,) each."""
    outputs = np.empty(len(prior), dtype=np.int64)
    scores = np.empty(len(prior))
    excess = np.zeros(len(prior))
    last = None
    for block in score_blocks(prior, loss, alpha, monotone):
        start, stop, values = block.start, block.start + len(block.values), block.values
        chosen = nearest_best(values, read_at(np.arange(start, stop), alpha) - block.column)[0]
        if block.first is not None:
            chosen[0] = block.reading - block.column
        if block.unit != 1:
            values *= block.unit
        inside = np.arange(len(values))
        outputs[start:stop], scores[start:stop] = chosen + block.column, values[inside, chosen]
        excess[start : stop - 1] += values[inside[1:], chosen[:-1]] - scores[start + 1 : stop]
        excess[start + 1 : stop] += values[inside[:-1], chosen[1:]] - scores[start : stop - 1]
        if last is not None:
            first = values[0] if block.first is None else block.first * block.unit
            excess[start - 1] += first[outputs[start - 1]] - first[outputs[start]]
            excess[start] += last.values[-1, outputs[start] - last.column] - scores[start - 1]
        last = block
    return outputs, scores, excess


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
    outputs = tuple(nearest_best(np.array(scores, dtype=object).T, read_at(range(n + 1), alpha))[0].tolist())
    unit = Fraction(1, scale * alpha.denominator**n)
    chosen = [scores[r][j] * unit for j, r in enumerate(outputs)]
    value = sum((d * e for d, e in zip(geometric.exact_weights(alpha, n), chosen, strict=True)), Fraction(0))
    dual = _dual(chosen, value, alpha)
    shift = _shift(columns, dual, scale, alpha)
    gap, basis = value - sum(dual) + (n + 1) * shift, "all columns checked in exact arithmetic"
    return Solution(outputs, value, Certificate(dual, gap, shift, len(columns), len(columns), basis))


def _scores(column: Sequence[int], alpha: Fraction) -> list[int]:
    """Return sum_i c(i) alpha^|i-j| for all j, times b^n."""
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
    """Return w = K^-1 e, using the tridiagonal inverse of K."""
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
    """Return eta >= 0 with every c_r - w + eta in K*: 0 if possible, otherwise the least to a relative 2^-40, rounded up."""
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
