"""The privacy that counted, chosen and cut columns really have on tiny domains: the ratio of every atom of what is drawn.

What is drawn from the real column is told in full here: all noisy counts, or all intervals chosen with their noisy answers, or
all cuts. The made-up column is computed from that alone, so it tells no more. Laws of noise are infinite, but beyond the counts
of two neighbours the ratio of two atoms no longer changes, so that finitely many of them are all there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.logarithms import log_shares
from dpdesigner.core.synthetic.bisection import plan_of
from dpdesigner.core.synthetic.bisection_law import MOST_BITS, MOST_ROWS, exact_privacy, neighbours
from dpdesigner.core.synthetic.consistency import Shape
from dpdesigner.core.synthetic.methods import Budget, Method, shape_of
from dpdesigner.core.synthetic.quantiles import LEVELS, quantile_privacy
from dpdesigner.core.synthetic.weights import ROUNDS

_ROUNDING = 1e-12  # relative; doubles here err by a thousandth of that
_AT_ONCE = 256  # pairs of neighbours


def enumerated_privacy(bits: int, rows: int, epsilon: Fraction, shape: Shape) -> Fraction:
    """Return the largest log ratio of any noisy counts, those of all levels together, exactly.

    Notes
    -----
    Geometric noise of ratio exp(-e) gives y for the counts c and c' with log ratio e (|y - c'| - |y - c|), which is the same
    for all y below, and for all y above both: the y from -1 to rows + 1 are all there are. Cells are independent, so the
    largest ratios of each add up.
    """
    counts, one, other = neighbours(bits, rows)
    each = epsilon / (2 * len(shape.fans))
    answers, values = np.arange(-1, rows + 2), np.arange(rows + 1)
    distance = np.abs(answers[:, np.newaxis] - values)
    largest = (distance[:, np.newaxis, :] - distance[:, :, np.newaxis]).max(axis=0)  # by c and c'
    most = np.zeros(len(one), dtype=np.int64)
    for size in shape.level_sizes():
        level = counts.reshape(len(counts), size, -1).sum(axis=2)
        most += largest[level[one], level[other]].sum(axis=1)
    return each * int(most.max())


def cut_privacy(bits: int, rows: int, epsilon: Fraction, levels: int) -> float:
    """Return the largest log ratio of any way to cut the axis by quantiles, rounded up.

    Notes
    -----
    A cut of a stretch is chosen independently of those elsewhere, so the largest ratio of a stretch is that of a cut together
    with the largest ones of both parts, level by level.
    """
    counts, one, other = neighbours(bits, rows)
    size, rate = 1 << bits, quantile_privacy(epsilon, levels, 2).epsilon
    totals = np.concatenate([np.zeros((len(counts), 1), dtype=np.int64), np.cumsum(counts, axis=1)], axis=1)
    chances = {}
    for low in range(size + 1):
        for high in range(low + 2, size + 1):
            left = totals[:, low + 1 : high] - totals[:, [low]]
            chances[low, high] = log_shares(-rate * np.abs(2 * left - (totals[:, [high]] - totals[:, [low]])))
    worst = 0.0
    for first, second in ((one, other), (other, one)):
        best = {(low, high): np.zeros(len(first)) for low in range(size + 1) for high in range(low, size + 1)}
        for _ in range(levels):
            before = best
            best = dict(before)
            for (low, high), shares in chances.items():
                parts = [before[low, cut] + before[cut, high] for cut in range(low + 1, high)]
                best[low, high] = (shares[first] - shares[second] + np.stack(parts, axis=1)).max(axis=1)
        worst = max(worst, float(best[0, size].max()))
    return worst * (1 + _ROUNDING)


def chosen_privacy(bits: int, rows: int, epsilon: Fraction, rounds: int = ROUNDS) -> float:
    """Return a bound on the log ratio of all intervals chosen by multiplicative weights with their noisy answers, rounded up.

    Notes
    -----
    What is chosen in a round depends on what is made up so far, rounded: all columns of so many rows are tried for that, whether
    they can come up or not, so that the rounds' largest ratios add up to a bound. In a round it is the ratio of the chances of
    an interval, and that of the noise where its count differs.
    """
    counts, one, other = neighbours(bits, rows)
    low, high = np.triu_indices((1 << bits) + 1, 1)
    totals = np.concatenate([np.zeros((len(counts), 1), dtype=np.int64), np.cumsum(counts, axis=1)], axis=1)
    real = totals[:, high] - totals[:, low]
    choosing, counting = (float(epsilon / (share * rounds)) for share in (4, 2))
    worst = 0.0
    for made in real:  # the intervals' counts in what is made up so far
        shares = log_shares(choosing * np.abs(real - made))
        for start in range(0, len(one), _AT_ONCE):
            first, second = one[start : start + _AT_ONCE], other[start : start + _AT_ONCE]
            noise = counting * np.abs(real[first] - real[second])
            worst = max(worst, float((np.abs(shares[first] - shares[second]) + noise).max()))
    return rounds * worst * (1 + _ROUNDING)


@dataclass(frozen=True)
class Enumerated:
    """The privacy that a way really has over all databases, rounded up, and whether that is only a bound."""

    epsilon: Fraction | float
    bound: bool = False


def enumerated(method: Method, bits: int, rows: int, budget: Budget, accuracy: Fraction) -> Enumerated | None:
    """Return the privacy of a way by enumeration, where a row is replaced and domains are tiny; else None.

    Parameters
    ----------
    method : {"blr", "laplace", "hierarchy", "mwem", "quantiles"}
    bits, rows : int
    budget : Budget
    accuracy : Fraction
        alpha of bisection.
    """
    if bits > MOST_BITS or not 0 < rows <= MOST_ROWS or budget.neighbours != "replace":
        return None
    if method == "blr":
        return Enumerated(exact_privacy(plan_of(bits, rows, budget.column, accuracy)).epsilon)
    if method == "mwem":
        return Enumerated(chosen_privacy(bits, rows, budget.column), bound=True)
    if method == "quantiles":
        return Enumerated(cut_privacy(bits, rows, budget.column, LEVELS))
    shape = shape_of(method, bits)
    return None if shape is None else Enumerated(enumerated_privacy(bits, rows, budget.column, shape))
