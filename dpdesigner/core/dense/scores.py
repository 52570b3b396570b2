"""Scores of all readings of the geometric mechanism's outputs: M_r(j) = sum_i p_i l(i, r) alpha^|i-j|.

The Bayes remap reads output j as the r with the least score ([GRS] Section 3); the factor that the probability of output j has
beside alpha^|i-j| is the same for all r. Down a column r of the loss the scores are two one-pole filters,

    F_j = c_j + alpha F_{j-1},    B_j = c_j + alpha B_{j+1},    M_j = F_j + B_j - c_j    with c_i = p_i l(i, r).

Run row by row that takes three passes over arrays as large as the loss. Here rows are taken in blocks: one reading of the loss
sums up each block as seen from its two ends; these sums are carried from block to block, with alpha to the length of a block; and
then the scores inside a block are one product of a small matrix of powers of alpha with the block's costs, to whose first and
last row what lies beyond has been added. No array as large as the loss is made.

Where Theorem A covers the loss (THEORY.md 2), the best reading does not decrease with the output. The scores of each block's
first output are known from the sums alone; so in the blocks only the columns between two such readings are tried.

Scores are compared, so their ratios must be right also where all of them are beyond the range of doubles: far from everything the
user believes possible. Carried sums therefore have exponents of their own (`_Scaled`), and a block has a unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats, Integers

#: Rows of a block: where all readings are tried, and where few are.
_BLOCK, _WIDE = 24, 48
#: OpenBLAS does products of up to so many multiplications in one thread.
_ONE_THREAD = 262_144
_TINY = 2.0**-300
_NOTHING = 10**9
#: Where the prior has weights below `_SMALL`, all scores are 2^_LIFT as large: doubles hold those of losses to 1e100.
_SMALL, _LIFT = 2.0**-600, 400
#: Scores closer than this, relatively, are ties; a tie goes to the smallest r. Wider than the rounding of the scores.
_TIE = 64 * 2.0**-53


def smallest_best(scores: Floats) -> tuple[Integers, Floats]:
    """The smallest best reading in each row, and the least score."""
    best = scores.argmin(axis=1)
    least = scores.take(best + np.arange(0, scores.size, scores.shape[1]))
    ties = scores <= (least + _TIE * np.abs(least))[:, None]
    return np.asarray(best if np.count_nonzero(ties) == len(ties) else ties.argmax(axis=1)), least


def _best_ranges(scores: Floats) -> tuple[list[int], list[int]]:
    """The smallest and the largest best reading in each row: terms that doubles lose may tell which of equal ones is read."""
    least = scores.min(axis=1)
    best = scores <= (least + _TIE * np.abs(least))[:, None]
    return best.argmax(axis=1).tolist(), (scores.shape[1] - 1 - best[:, ::-1].argmax(axis=1)).tolist()


class Block(NamedTuple):
    """unit * values[t, k] is the score of reading output start + t as column + k.

    Where not all readings are tried, `first` holds all scores of output `start`, and `reading` is its smallest best reading.

    The unit is 1 wherever doubles can hold the scores. Far from everything the user believes possible they cannot, and yet the
    reading there is well defined: then values are scaled up so that they can be compared, and the unit is 0 or tiny.
    """

    start: int
    column: int
    values: Floats
    unit: float
    first: Floats | None = None
    reading: int = 0


def score_blocks(prior: Floats, loss: Floats, alpha: float, monotone: bool, apart: bool = False) -> Iterator[Block]:
    """Yield the scores of all outputs, block by block, for all readings or those that `dpdesigner.core.dense.remap` tries.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray
        (n + 1, m), C-contiguous.
    alpha : float
        In [0, 1].
    monotone : bool
        The best reading does not decrease with the output.
    apart : bool
        Leave out what i = j adds.
    """
    lift = _LIFT if prior[prior > 0].min(initial=1.0) < _SMALL else 0
    prior = np.ldexp(prior, lift)
    size = _block_size(alpha, _WIDE if monotone else _BLOCK)
    kernel = np.power(alpha, np.abs(np.arange(size)[:, None] - np.arange(size)))
    np.fill_diagonal(kernel, 0.0 if apart else 1.0)
    spans = _spans(prior, loss, alpha, size)
    firsts = [span.first for span in spans] if monotone else []
    tried = _tried(np.stack(firsts)) if monotone else []
    for k, span in enumerate(spans):
        part, reading = tried[k] if tried else (slice(0, loss.shape[1]), 0)
        costs = prior[span.rows, None] * loss[span.rows, part]
        left, right = (side.at(span.unit)[part] for side in (span.before, span.after))
        costs[0] += left
        costs[-1] += right
        values = product(kernel[: len(costs), : len(costs)], costs)
        if apart:
            values[0] += left
            values[-1] += right
        unit = math.ldexp(1.0, -span.unit - lift)
        yield Block(span.rows.start, part.start, values, unit, firsts[k] if tried else None, reading)


class _Span(NamedTuple):
    """The rows of a block, what their costs come to at the first of them, and what lies before and after them, for all readings.

    The unit is the exponent in which what lies on both sides can be added to the block's own costs.
    """

    rows: slice
    total: Floats
    before: _Scaled
    after: _Scaled
    across: float  # alpha to the distance of its last row from its first
    unit: int

    @property
    def first(self) -> Floats:
        """The scores of its first output, in its unit."""
        return self.total + self.before.at(self.unit) + self.across * self.after.at(self.unit)


def _spans(prior: Floats, loss: Floats, alpha: float, size: int) -> list[_Span]:
    """The blocks, with the sums of each carried to all others."""
    powers = np.power(alpha, np.arange(size + 1))
    rows = [slice(start, min(start + size, len(prior))) for start in range(0, len(prior), size)]
    to_end, to_start = _block_sums(prior, loss, powers, size)
    steps = [float(powers[part.stop - part.start]) for part in rows]
    from_left = _carry(to_end, steps, alpha)
    from_right = _carry(to_start[::-1], steps[::-1], alpha)[::-1]
    spans = []
    for part, total, before, after in zip(rows, to_start, from_left, from_right, strict=True):
        alone = not prior[part].any()
        unit = min(before.exponent, after.exponent, before.exponent + after.exponent if alone else 0)
        spans.append(_Span(part, total, before, after, float(powers[part.stop - part.start - 1]), unit))
    return spans


def _tried(firsts: Floats) -> list[tuple[slice, int]]:
    """The readings tried in each block, and the best one of its first output; none where the best reading might decrease."""
    lows, highs = _best_ranges(firsts)
    if any(low > high for low, high in zip(lows, highs[1:], strict=False)):
        return []
    lows, highs = [*lows, firsts.shape[1] - 1], [*highs, firsts.shape[1] - 1]
    return [(slice(min(lows[k], lows[k + 1]), highs[k + 1] + 1), lows[k]) for k in range(len(firsts))]


def _block_sums(prior: Floats, loss: Floats, powers: Floats, size: int) -> tuple[list[Floats], list[Floats]]:
    """What each block's costs come to at its last row and at its first, for every reading."""
    to_end, to_start = [], []
    for start in range(0, len(prior), size):
        weights, rows = prior[start : start + size], loss[start : start + size]
        inner = powers[: len(weights)]
        # Two products with a vector: one with both takes twice the time.
        to_end.append((weights * inner[::-1]) @ rows)
        to_start.append((weights * inner) @ rows)
    return to_end, to_start


def product(kernel: Floats, costs: Floats) -> Floats:
    """Return kernel @ costs, in parts that one thread does: waiting for others costs more where the machine is busy."""
    width = max(_ONE_THREAD // max(kernel.size, 1), 1)
    if costs.shape[1] <= width:
        return kernel @ costs
    rows = np.empty((len(kernel), costs.shape[1]))
    for column in range(0, costs.shape[1], width):
        np.matmul(kernel, costs[:, column : column + width], out=rows[:, column : column + width])
    return rows


def _block_size(alpha: float, most: int) -> int:
    """The most rows a block may have without alpha^size leaving the range where scores compare."""
    return most if alpha > _TINY ** (1 / most) else max(1, int(math.log(_TINY) / math.log(max(alpha, _TINY))))


class _Scaled(NamedTuple):
    """A vector times 2^-exponent; zero vectors have the largest exponent, so that they never decide a common one."""

    vector: Floats
    exponent: int

    def at(self, exponent: int) -> Floats:
        """The vector in the unit 2^-exponent, which is no finer than its own."""
        return self.vector if exponent == self.exponent else np.ldexp(self.vector, max(exponent - self.exponent, -2000))


def _carry(sums: list[Floats], steps: list[float], alpha: float) -> list[_Scaled]:
    """What the blocks before each block add to its first row: alpha carry_k with carry_k = step_{k-1} carry_{k-1} + sum_{k-1}.

    The factor alpha comes last and by its exponent, so that a tiny weight beside a tiny alpha does not underflow.
    """
    carries = [_Scaled(np.zeros_like(sums[0]), _NOTHING)]
    for total, step in zip(sums[:-1], steps[:-1], strict=True):
        before = carries[-1]
        own = _Scaled(total, 0 if total.any() else _NOTHING)
        exponent = min(before.exponent, own.exponent)
        vector = step * before.at(exponent) + own.at(exponent)
        top = float(np.abs(vector).max())
        if 0 < top < _TINY:
            lift = -math.frexp(top)[1]
            vector, exponent = np.ldexp(vector, lift), exponent + lift
        carries.append(_Scaled(vector, exponent if top else _NOTHING))
    mantissa, power = math.frexp(alpha) if alpha < 1 else (1.0, 0)
    return [
        _Scaled(carry.vector * mantissa, carry.exponent - power if carry.exponent < _NOTHING else _NOTHING) for carry in carries
    ]
