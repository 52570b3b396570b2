"""Scores of the readings near the best ones only: enough for the remap and its certificate where Theorem A covers the loss.

What is to be found: for every output j the reading r(j) with the least score M_r(j) = sum_i p_i l(i, r) alpha^|i-j|, and a proof
that the remap is optimal. All scores are (n + 1)^2 numbers; reading the loss once is all that cannot be avoided.

1. Rows are cut into blocks. One product with two vectors of powers of alpha sums each block up as seen from its last row and from
   its first, for all columns; a small product carries these sums from block to block. That gives, for all columns, what lies
   before and after each block, and so the scores of each block's first output. It is the only reading of the whole loss.
2. Where each row of the loss falls to its least value and rises after it, with turns that do not fall (Theorem A, THEORY.md 2),
   the best reading does not decrease with the output. So the best readings of the first outputs of a block and of the next bound
   those of the outputs in between, and only these columns are gathered, filtered and compared: as many in each block.
3. The certificate (THEORY.md 3; the test is the one of `dpdesigner.core.dense.full_scores`) needs all F_i(c) >= f_i for columns
   c above the reading of i and all A_i(c) >= a_i for the others. No more than the columns next to the reading need be looked at:
   F_i does not fall in c from the largest turn of the rows up to i on, nor A_i rise up to the least turn of the rows after i. So
   each block's columns also reach one beyond these turns.

If a belief is so far from some output that many columns would be near, or doubles cannot hold the scores, `NearScores.of` returns
None, and the scores are made otherwise.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.dense.full_scores import HIGHEST_ALPHA, LEAST, Kernels, kernels
from dpdesigner.core.dense.scores import product, smallest_best
from dpdesigner.core.problem.coverage import Turns

_SHARE = 4
#: Rows of a block where there are few rows, up to how many, and where there are more: about the square root of them.
_HEIGHT, _SMALL, _GREAT_HEIGHT = 16, 400, 32


class NearScores:
    """F, A and the scores of one design, of the columns near the best readings.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray
        (n + 1, m).
    alpha : float
        In (0, 1), the double nearest to the true one.
    turns : Turns
        Of the loss.

    Attributes
    ----------
    best : ndarray of int
        (n + 1,): the smallest best reading of each output.
    least : ndarray
        (n + 1,): the score of it.
    valid : bool
        Whether the best readings rise as they should and few columns are near; else nothing else is to be used.
    """

    def __init__(self, prior: Floats, loss: Floats, alpha: float, turns: Turns) -> None:
        size, m = loss.shape
        self._height = height = _HEIGHT if size <= _SMALL else _GREAT_HEIGHT
        grid = _grid(math.nextafter(alpha, 0.0), size, m, height)
        self._kernels, blocks = grid.kernels, len(grid.places)
        padded = np.zeros((blocks, 1, height))
        padded.reshape(-1)[:size] = prior
        before, after, self._starts = self._carried(padded, loss, grid)
        last = size - height * (blocks - 1) - 1
        end = (prior[-last - 1 :] * grid.kernels.before[last, : last + 1]) @ loss[-last - 1 :] + grid.powers[last] * before[-1]
        readings, self._first = smallest_best(np.vstack((self._starts, end)))
        low = np.minimum(readings[:-1], turns.last[::height])
        # A column above all readings up to the next block is near too: for it F is needed, and with it for all further columns.
        high = np.maximum(readings[1:], np.append(turns.first[height - 1 :: height], turns.first[-1])[:blocks]) + 1
        width = int((high - low).max()) + 1
        self.valid = 0 < width <= m // _SHARE
        if not self.valid:
            return
        low = np.maximum(np.minimum(low, m - width), 0)
        columns = low[:, None] + np.arange(width)
        costs = loss.take(grid.rows + columns[:, None])
        costs *= padded.reshape(blocks, height, 1)
        later = after.take(grid.places + columns)
        costs[:, 0] += before.take(grid.places + columns)
        near_before = grid.kernels.before @ costs
        costs[:, -1] += later
        near_after = grid.kernels.after @ costs
        near_after[:, -1] = later
        self._before, self._after = near_before.reshape(-1, width)[:size], near_after.reshape(-1, width)[:size]
        self._scores = self._before + self._after
        self._local, self.least = smallest_best(self._scores)
        self._low = low.repeat(height)[:size]
        self.best = self._local + self._low
        at_starts, at_end = self.best[::height] == readings[:-1], self.best[-1] == readings[-1]
        self.valid = bool(at_starts.all() and at_end and not (self.best[1:] < self.best[:-1]).any())

    @classmethod
    def of(cls, prior: Floats, loss: Floats, alpha: float, turns: Turns) -> NearScores | None:
        """Make it where few columns are near and doubles hold all scores, else return None."""
        if not 0 < alpha < HIGHEST_ALPHA or _is_far(prior, alpha):
            return None
        near = cls(prior, loss, alpha, turns)
        return near if near.valid and float(np.abs(near.least).min()) > LEAST else None

    def excess(self) -> Floats:
        """The additional loss if each output were read as a neighbour of its reading, (n + 1,)."""
        places = np.arange(0, self._scores.size, self._scores.shape[1]) - self._low
        more = np.zeros(len(places))
        after = self._scores.take(places[1:] + self.best[:-1], mode="clip")
        # What is read so last in a block may be far from what is near in the next.
        last = self.best[self._height - 1 : -1 : self._height]
        after[self._height - 1 :: self._height] = self._starts[np.arange(1, len(self._starts)), last]
        more[:-1] += after - self.least[1:]
        more[1:] += self._scores.take(places[:-1] + self.best[1:]) - self.least[:-1]
        return more

    def passes(self, dual: Floats, charges: Floats, shift: float) -> bool:
        """Whether every c_r - w + shift is certainly in K*; False if it may be or may not be.

        Parameters
        ----------
        dual, charges, shift
            As for `dpdesigner.core.dense.full_scores.FullScores.passes`.
        """
        before, after = self._kernels.raised(dual, charges, shift)
        needed = (before + after)[:, 0]
        if (self.least < needed).any() or (self._first[:-1] < needed[:: self._height]).any():
            return False
        # The turn of a column is the first output read so or higher; at the output before that either sum will do.
        near = np.arange(self._scores.shape[1])
        above, above_next = near > self._local[:-1, None], near > (self.best[1:] - self._low[:-1])[:, None]
        no_start, no_end = self._before[:-1] < before[:-1], self._after[:-1] < after[:-1]
        return not (no_start & (above_next | no_end) | (no_end > above)).any()

    @staticmethod
    def _carried(padded: Floats, loss: Floats, grid: _Grid) -> tuple[Floats, Floats, Floats]:
        """What all rows before each block add to F at its first row, A at its last row, scores at its first, (blocks, m) each."""
        weights = grid.kernels.ends * padded
        (blocks, _, height), (size, m) = weights.shape, loss.shape
        whole = height * (blocks - 1)
        sums = np.empty((blocks, 2, m))
        np.matmul(weights[:-1], loss[:whole].reshape(-1, height, m), out=sums[:-1])
        np.matmul(weights[-1, :, : size - whole], loss[whole:], out=sums[-1])
        before, after = np.zeros((blocks, m)), np.zeros((blocks, m))
        before[1:] = product(grid.kernels.between, sums[:, 0])[:-1]
        after[:-1] = product(grid.kernels.between.T, sums[:, 1])[1:]
        return before, after, sums[:, 1] + before + grid.powers[height - 1] * after


class _Grid(NamedTuple):
    """Kernels and powers of alpha, and where in flat arrays rows, (blocks, height, 1), and blocks, (blocks, 1), begin."""

    kernels: Kernels
    powers: Floats
    rows: Integers
    places: Integers


def _is_far(prior: Floats, alpha: float) -> bool:
    """Whether the first or the last output most likely comes from a true result so far from it that many columns are near."""
    for weights in (prior, prior[::-1]):
        likely = weights * _powers(alpha, len(prior))
        distance = int(likely.argmax())
        if distance > len(prior) // _SHARE or likely[distance] < LEAST:
            return True
    return False


@lru_cache(maxsize=16)
def _powers(alpha: float, size: int) -> Floats:
    return np.asarray(np.power(alpha, np.arange(size)))


@lru_cache(maxsize=16)
def _grid(alpha: float, size: int, m: int, height: int) -> _Grid:
    blocks = -(-size // height)
    rows = np.minimum(np.arange(blocks * height), size - 1) * m
    places = np.arange(blocks)[:, None] * m
    return _Grid(kernels(alpha, blocks, height), np.power(alpha, np.arange(height)), rows.reshape(blocks, height, 1), places)
