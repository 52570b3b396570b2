"""The scores of all outputs and readings at once, and a quick test of the certificate on them, for small n.

For a column c of costs c_r(i) = p_i l(i, r) let F_i = sum_{k <= i} alpha^(i-k) c_k and A_i = sum_{k > i} alpha^(k-i) c_k. A few
products of small matrices give both for all columns: within blocks of rows by a matrix of powers of alpha, from block to block by
another. F_i + A_i is the score M(i) of the column.

The same sums test the certificate (THEORY.md 3): v = c_r - w must be in K*, that is <v, x> >= 0 for every x of the cone K of
private columns. It is if for some j all F_i(v) with i < j, all A_i(v) with i >= j and F_j(v) + A_j(v) are at least 0. For let
e_i be the unit vectors; then

    v = sum_{i < j} F_i (e_i - alpha e_{i+1}) + sum_{i >= j} A_i / alpha (e_{i+1} - alpha e_i) + (F_j + A_j) e_j,

and <e_i - alpha e_{i+1}, x> = x_i - alpha x_{i+1} >= 0 for every x in K, as are the others. F and A of w are found once, for all
columns, and compared with those of c_r. The first output read as r or higher serves as j: before it F of v does not become
negative, from it on A does not, where the remap is optimal (THEORY.md 3).

One-sided in floating point: all is computed with the double below alpha, which is at most the true alpha, so that the cone K is
larger and what is proved for it is proved for alpha; and f and a of w are raised by every rounding that the sums may carry.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.dense.scores import product, smallest_best

#: Up to this n it takes less time than block by block.
LARGEST_WHOLE = 400
#: Rows of a block.
_ROWS = 8
#: Levels nearer to 1 are told apart from the double below them only block by block.
HIGHEST_ALPHA = 1 - 2.0**-10
#: Scores below it may have lost terms.
LEAST = 1e-250

# glibc gives arrays of some ten thousand numbers back at once, so that each new one takes longer to get than to fill; once a
# larger one was freed it keeps what is smaller.
np.empty(2**18)


class FullScores:
    """F, A and the scores of one design.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray
        (n + 1, m).
    alpha : float
        In (0, 1), the double nearest to the true one.

    Attributes
    ----------
    scores : ndarray
        (n + 1, m): M_r(j), rows j.
    best : ndarray of int
        (n + 1,): the smallest best reading of each output.
    least : ndarray
        (n + 1,): the score of it.
    """

    def __init__(self, prior: Floats, loss: Floats, alpha: float) -> None:
        size, blocks = len(prior), -(-len(prior) // _ROWS)
        self._kernels = kernels(math.nextafter(alpha, 0.0), blocks, _ROWS)
        costs = _padded(loss.shape, _ROWS)
        np.multiply(loss, prior[:, None], out=costs[:size])
        before, after = self._kernels.filtered(costs)
        self._before, self._after, self.scores = before[:size], after[:size], np.add(before, after, out=costs)[:size]
        self.best, self.least = smallest_best(self.scores)

    @classmethod
    def of(cls, prior: Floats, loss: Floats, alpha: float) -> FullScores | None:
        """Make it where it saves time and doubles hold all scores, else return None."""
        if len(prior) > LARGEST_WHOLE + 1 or loss.shape[1] > LARGEST_WHOLE + 1 or not 0 < alpha < HIGHEST_ALPHA:
            return None
        whole = cls(prior, loss, alpha)
        return whole if float(np.abs(whole.least).min()) > LEAST else None

    def excess(self) -> Floats:
        """The additional loss if each output were read as a neighbour of its reading, (n + 1,)."""
        places = np.arange(0, self.scores.size, self.scores.shape[1])
        more = np.zeros(len(places))
        more[:-1] += self.scores.take(places[1:] + self.best[:-1]) - self.least[1:]
        more[1:] += self.scores.take(places[:-1] + self.best[1:]) - self.least[:-1]
        return more

    def passes(self, dual: Floats, charges: Floats, shift: float) -> bool:
        """Whether every c_r - w + shift is certainly in K*; False if it may be or may not be.

        Parameters
        ----------
        dual : ndarray
            (n + 1,): w.
        charges : ndarray
            (n + 1,): the largest |c_r(i)| of rows with a negative loss, 0 for the others.
        shift : float
        """
        before, after = self._kernels.raised(dual, charges, shift)
        if (self.least < (before + after)[:, 0]).any():
            return False
        # The turn j of a column is the first output read so or higher; at the output before that either sum will do.
        earlier = _above(self.scores.shape[1]).take(np.maximum.accumulate(self.best), axis=0)
        no_start, no_end = self._before[:-1] < before[:-1], self._after[:-1] < after[:-1]
        return not (no_start & (earlier[1:] | no_end) | (no_end > earlier[:-1])).any()


class Kernels(NamedTuple):
    """Powers of alpha: inside blocks before and after each place, to the two ends of a block, and from there to later blocks."""

    before: Floats
    after: Floats
    ends: Floats
    between: Floats

    def filtered(self, columns: Floats) -> tuple[Floats, Floats]:
        """F and A of some columns; the columns, whole blocks of rows, are overwritten."""
        blocks = columns.reshape(-1, len(self.before), columns.shape[1])
        sums = self.ends @ blocks
        earlier, later = product(self.between, sums[:, 0])[:-1], product(self.between.T, sums[:, 1])[1:]
        blocks[1:, 0] += earlier
        before = self.before @ blocks
        blocks[:-1, -1] += later
        after = self.after @ blocks
        after[:-1, -1] = later
        return before.reshape(columns.shape), after.reshape(columns.shape)

    def raised(self, dual: Floats, charges: Floats, shift: float) -> tuple[Floats, Floats]:
        """F and A of w - shift, (n + 1, 1), raised so far that computed sums of c_r which reach them do so in truth.

        With sums right to within a share g of those of sizes, that is by (2 g + 16 units) of its size and of twice the charges:
        more than all errors of both, and those of raising it.
        """
        size, height = len(dual), len(self.before)
        padded = _padded((size, 1), height)
        # In a sum one rounding for each block, three powers to within 8 units, three sums over a block and 8 more.
        charge = 2 * (32 + 3 * height + len(padded) // height) + 16
        raised = padded[:size, 0]
        np.add(np.abs(dual), 2 * charges + shift, out=raised)
        raised *= charge * 2.0**-53
        raised += dual
        raised -= shift
        before, after = self.filtered(padded)
        return before[:size], after[:size]


@lru_cache(maxsize=16)
def kernels(alpha: float, blocks: int, height: int) -> Kernels:
    """Return the kernels for so many blocks of so many rows."""
    rows, steps = np.arange(height), np.arange(blocks)
    distance, apart = rows[:, None] - rows, height * (steps[:, None] - steps)
    powers = np.power(alpha, np.arange(blocks * height + 1))
    before, after = np.where(distance >= 0, powers[abs(distance)], 0.0), np.where(distance < 0, powers[abs(distance)], 0.0)
    between = np.where(apart >= 0, powers[abs(apart + 1)], 0.0)
    return Kernels(before, after, np.vstack((before[-1], before[:, 0])), between)


@lru_cache(maxsize=4)
def _above(size: int) -> NDArray[np.bool_]:
    """Row by row, which of so many readings are above that of the row."""
    return ~np.tri(size, dtype=bool)


def _padded(shape: tuple[int, ...], height: int) -> Floats:
    """Room for so many rows, followed by zeros up to whole blocks of rows."""
    room = np.empty((-(-shape[0] // height) * height, shape[1]))
    room[shape[0] :] = 0.0
    return room
