"""Scores of the readings of the geometric mechanism's outputs, M_r(j) = sum_i p_i l(i, r) alpha^|i-j|.

The Bayes remap reads output j as the r with the least score ([GRS] Section 3); the factor that the probability of output j has
beside alpha^|i-j| is the same for all r. Down a column r of the loss the scores are two one-pole filters,

    F_j = c_j + alpha F_{j-1},    B_j = c_j + alpha B_{j+1},    M_j = F_j + B_j - c_j    with c_i = p_i l(i, r).

Block by block, for any n: score_blocks
---------------------------------------
Run row by row the filters take three passes over arrays as large as the loss. Here rows are taken in blocks: one reading of it
sums up each block as seen from its two ends; these sums are carried from block to block, with alpha to the length of a block; and
then the scores inside a block are one product of a small matrix of powers of alpha with the block's costs, to whose first and
last row what lies beyond has been added. No array as large as the loss is made.

Where Theorem A covers the loss (THEORY.md 2), the best reading does not decrease with the output. The scores of each block's
first output are known from the sums alone; so in the blocks only the columns between two such readings are tried.

Scores are compared, so their ratios must be right also where all of them are beyond the range of doubles: far from everything the
user believes possible. Carried sums therefore have exponents of their own (`_Scaled`), and a block has a unit.

All scores at once, for small n: FullScores
-------------------------------------------
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

Scores near the best readings: NearScores
-----------------------------------------
These are enough for the remap and its certificate where Theorem A covers the loss, which is read only once.

1. Rows are cut into blocks. One product with two vectors of powers of alpha sums each block up as seen from its last row and from
   its first, for all columns; a small product carries these sums from block to block. That gives, for all columns, what lies
   before and after each block, and so the scores of each block's first output. It is the only reading of the whole loss.
2. Where each row of the loss falls to its least value and rises after it, with turns that do not fall (Theorem A, THEORY.md 2),
   the best reading does not decrease with the output. So the best readings of the first outputs of a block and of the next bound
   those of the outputs in between, and only these columns are gathered, filtered and compared: as many in each block.
3. The certificate (tested as above) needs all F_i(c) >= f_i for columns c above the reading of i and all A_i(c) >= a_i for the
   others. Only the columns next to the reading need be looked at: F_i does not fall in c from the largest turn of the rows up to
   i on, nor A_i rise up to the least turn of the rows after i. So each block's columns also reach one beyond these turns.

If a belief is so far from some output that many columns would be near, or doubles cannot hold the scores, `NearScores.of` returns
None, and the scores are made otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.coverage import Turns

#: Rows per block: if all readings are tried, and if only a few are.
_BLOCK, _WIDE = 24, 48
#: OpenBLAS computes products of up to this many multiplications in one thread.
_ONE_THREAD = 262_144
_TINY, _NOTHING = 2.0**-300, 10**9
#: If the prior has weights below `_SMALL`, all scores are scaled by 2^_LIFT: doubles hold those of losses up to 1e100.
_SMALL, _LIFT = 2.0**-600, 400
#: Scores closer than this, relatively, are ties. Wider than the rounding of the scores.
TIE = 64 * 2.0**-53


def nearest_best(scores: NDArray[Any], outputs: ArrayLike) -> tuple[Integers, NDArray[Any]]:
    """Return the best reading in each row, and the least score; of equally good ones the nearest to the row's output.

    So an output is never read as another count for the sake of a rounding error. Of two equally near the smaller is taken.
    Scores (rows, m) in doubles are equally good within rounding; others exactly. Outputs, (rows,), are columns of the scores.
    """
    best = np.asarray(scores.argmin(axis=1))
    least = scores.take(best + np.arange(0, scores.size, scores.shape[1]))
    ties = scores <= (least + (TIE * np.abs(least) if scores.dtype.kind == "f" else 0))[:, None]
    several = np.flatnonzero(np.count_nonzero(ties, axis=1) > 1)
    away = np.abs(np.arange(scores.shape[1]) - np.asarray(outputs)[several, None])
    best[several] = np.where(ties[several], away, np.iinfo(np.int64).max).argmin(axis=1)
    return best, least


def read_at(outputs: ArrayLike, alpha: Any) -> Integers:
    """Return where the readings of these outputs are to be near: at alpha = 1 the outputs say nothing, and all are read alike."""
    return np.asarray(outputs) * int(alpha < 1)


def _best_ranges(scores: Floats, outputs: Integers) -> tuple[list[int], list[int], list[int]]:
    """Return the smallest, the nearest and the largest best reading in each row, as terms lost to rounding may break ties."""
    best, least = nearest_best(scores, outputs)
    ties = scores <= (least + TIE * np.abs(least))[:, None]
    return ties.argmax(axis=1).tolist(), best.tolist(), (scores.shape[1] - 1 - ties[:, ::-1].argmax(axis=1)).tolist()


class Block(NamedTuple):
    """A block of scores: unit * values[t, k] is the score of reading output start + t as column + k.

    Where not all readings are tried, `first` holds all scores of output `start`, and `reading` is its best reading.

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
    """Yield the scores of all outputs, block by block, for all readings or those that `dpdesigner.core.mechanism.remap` tries.

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
    tried = _tried(np.stack(firsts), read_at([span.rows.start for span in spans], alpha)) if monotone else []
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
    """The rows of a block, the costs summed at its first row, and the sums before and after it, for all readings.

    The unit is the exponent in which what lies on both sides can be added to the block's own costs.
    """

    rows: slice
    total: Floats
    before: _Scaled
    after: _Scaled
    across: float  # alpha to the power of the distance from its first row to its last
    unit: int

    @property
    def first(self) -> Floats:
        """The scores of the block's first output, in the block's unit."""
        return self.total + self.before.at(self.unit) + self.across * self.after.at(self.unit)


def _spans(prior: Floats, loss: Floats, alpha: float, size: int) -> list[_Span]:
    """Return the blocks, with the sums of each carried to all others."""
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


def _tried(firsts: Floats, starts: Integers) -> list[tuple[slice, int]]:
    """Return each block's candidate readings and its first output's best reading; none if best readings might decrease."""
    lows, best, highs = _best_ranges(firsts, starts)
    if any(low > high for low, high in zip(lows, highs[1:], strict=False)):
        return []
    lows, highs = [*lows, firsts.shape[1] - 1], [*highs, firsts.shape[1] - 1]
    return [(slice(min(lows[k], lows[k + 1]), max(best[k], highs[k + 1]) + 1), best[k]) for k in range(len(firsts))]


def _block_sums(prior: Floats, loss: Floats, powers: Floats, size: int) -> tuple[list[Floats], list[Floats]]:
    """The sums of each block's costs at its last row and at its first, for every reading."""
    to_end, to_start = [], []
    for start in range(0, len(prior), size):
        weights, rows = prior[start : start + size], loss[start : start + size]
        inner = powers[: len(weights)]
        # Two products with a vector: a single product with both takes twice the time.
        to_end.append((weights * inner[::-1]) @ rows)
        to_start.append((weights * inner) @ rows)
    return to_end, to_start


def product(kernel: Floats, costs: Floats) -> Floats:
    """Return kernel @ costs in single-threaded parts, because waiting for other threads is slower on a busy machine."""
    width = max(_ONE_THREAD // max(kernel.size, 1), 1)
    if costs.shape[1] <= width:
        return kernel @ costs
    rows = np.empty((len(kernel), costs.shape[1]))
    for column in range(0, costs.shape[1], width):
        np.matmul(kernel, costs[:, column : column + width], out=rows[:, column : column + width])
    return rows


def _block_size(alpha: float, most: int) -> int:
    """Return the most rows that a block may have while alpha^size stays in the range where scores compare."""
    return most if alpha > _TINY ** (1 / most) else max(1, int(math.log(_TINY) / math.log(max(alpha, _TINY))))


class _Scaled(NamedTuple):
    """A vector times 2^-exponent; zero vectors have the largest exponent, so they never determine a common one."""

    vector: Floats
    exponent: int

    def at(self, exponent: int) -> Floats:
        """Return the vector in the unit 2^-exponent, which is no finer than its own."""
        return self.vector if exponent == self.exponent else np.ldexp(self.vector, max(exponent - self.exponent, -2000))


def _carry(sums: list[Floats], steps: list[float], alpha: float) -> list[_Scaled]:
    """Sums that the blocks before each add to its first row: alpha carry_k with carry_k = step_{k-1} carry_{k-1} + sum_{k-1}.

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


#: Up to this n, this method is faster than block by block.
LARGEST_WHOLE = 400
#: Rows per block.
_ROWS = 8
#: Levels closer to 1 can be told from the next double below them only block by block.
HIGHEST_ALPHA = 1 - 2.0**-10
#: Scores below this may have lost terms.
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
        (n + 1,): the best reading of each output.
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
        self.best, self.least = nearest_best(self.scores, np.arange(size))

    @classmethod
    def of(cls, prior: Floats, loss: Floats, alpha: float) -> FullScores | None:
        """Construct the scores if that saves time and doubles can represent them all, otherwise return None."""
        if len(prior) > LARGEST_WHOLE + 1 or loss.shape[1] > LARGEST_WHOLE + 1 or not 0 < alpha < HIGHEST_ALPHA:
            return None
        whole = cls(prior, loss, alpha)
        return whole if float(np.abs(whole.least).min()) > LEAST else None

    def excess(self) -> Floats:
        """Return the additional loss if each output were read as a neighbour of its reading, (n + 1,)."""
        places = np.arange(0, self.scores.size, self.scores.shape[1])
        more = np.zeros(len(places))
        more[:-1] += self.scores.take(places[1:] + self.best[:-1]) - self.least[1:]
        more[1:] += self.scores.take(places[:-1] + self.best[1:]) - self.least[:-1]
        return more

    def passes(self, dual: Floats, charges: Floats, shift: float) -> bool:
        """Whether every c_r - w + shift is certainly in K*; False if this is uncertain.

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
        # The turn j of a column is the first output with this reading or a higher one; at the output before it either sum works.
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
        """Return F and A of w - shift, (n + 1, 1), raised so that any computed sum of c_r that reaches them truly does.

        With sums right to within a share g of those of sizes, that is by (2 g + 16 units) of its size and of twice the charges:
        more than all errors of both, and those of raising it.
        """
        size, height = len(dual), len(self.before)
        padded = _padded((size, 1), height)
        # A sum has one rounding per block, three powers to within 8 units, three sums over a block, and 8 more.
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
    """Return the kernels for this many blocks of this many rows."""
    rows, steps = np.arange(height), np.arange(blocks)
    distance, apart = rows[:, None] - rows, height * (steps[:, None] - steps)
    powers = np.power(alpha, np.arange(blocks * height + 1))
    before, after = np.where(distance >= 0, powers[abs(distance)], 0.0), np.where(distance < 0, powers[abs(distance)], 0.0)
    between = np.where(apart >= 0, powers[abs(apart + 1)], 0.0)
    return Kernels(before, after, np.vstack((before[-1], before[:, 0])), between)


@lru_cache(maxsize=4)
def _above(size: int) -> NDArray[np.bool_]:
    """Return for each row which of `size` readings lie above the row's own."""
    return ~np.tri(size, dtype=bool)


def _padded(shape: tuple[int, ...], height: int) -> Floats:
    """Return an array with room for this many rows, zero-padded to whole blocks of rows."""
    room = np.empty((-(-shape[0] // height) * height, shape[1]))
    room[shape[0] :] = 0.0
    return room


_SHARE = 4
#: Rows per block if there are few rows, the limit of few, and rows per block if there are more: about their square root.
_HEIGHT, _FEW, _GREAT_HEIGHT = 16, 400, 32


class NearScores:
    """F, A and the scores of one design, for the columns near the best readings.

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
        (n + 1,): the best reading of each output.
    least : ndarray
        (n + 1,): the score of it.
    valid : bool
        Whether the best readings rise as they should and few columns are near; else nothing else is to be used.
    """

    def __init__(self, prior: Floats, loss: Floats, alpha: float, turns: Turns) -> None:
        size, m = loss.shape
        self._height = height = _HEIGHT if size <= _FEW else _GREAT_HEIGHT
        grid = _grid(math.nextafter(alpha, 0.0), size, m, height)
        self._kernels, blocks = grid.kernels, len(grid.places)
        padded = np.zeros((blocks, 1, height))
        padded.reshape(-1)[:size] = prior
        before, after, self._starts = self._carried(padded, loss, grid)
        last = size - height * (blocks - 1) - 1
        end = (prior[-last - 1 :] * grid.kernels.before[last, : last + 1]) @ loss[-last - 1 :] + grid.powers[last] * before[-1]
        readings, self._first = nearest_best(np.vstack((self._starts, end)), np.append(np.arange(blocks) * height, size - 1))
        low = np.minimum(readings[:-1], turns.last[::height])
        # One column above all readings up to the next block is near too: F is needed for it, and so for all further columns.
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
        self._low = low.repeat(height)[:size]
        self._local, self.least = nearest_best(self._scores, np.arange(size) - self._low)
        self.best = self._local + self._low
        at_starts, at_end = self.best[::height] == readings[:-1], self.best[-1] == readings[-1]
        self.valid = bool(at_starts.all() and at_end and not (self.best[1:] < self.best[:-1]).any())

    @classmethod
    def of(cls, prior: Floats, loss: Floats, alpha: float, turns: Turns) -> NearScores | None:
        """Construct the scores if few columns are near and doubles can represent them all, otherwise return None."""
        if not 0 < alpha < HIGHEST_ALPHA or _is_far(prior, alpha):
            return None
        near = cls(prior, loss, alpha, turns)
        return near if near.valid and float(np.abs(near.least).min()) > LEAST else None

    def excess(self) -> Floats:
        """Return the additional loss if each output were read as a neighbour of its reading, (n + 1,)."""
        places = np.arange(0, self._scores.size, self._scores.shape[1]) - self._low
        more = np.zeros(len(places))
        after = self._scores.take(places[1:] + self.best[:-1], mode="clip")
        # The last reading of a block may be far from what is near in the next block.
        last = self.best[self._height - 1 : -1 : self._height]
        after[self._height - 1 :: self._height] = self._starts[np.arange(1, len(self._starts)), last]
        more[:-1] += after - self.least[1:]
        more[1:] += self._scores.take(places[:-1] + self.best[1:]) - self.least[:-1]
        return more

    def passes(self, dual: Floats, charges: Floats, shift: float) -> bool:
        """Whether every c_r - w + shift is certainly in K*; False if this is uncertain.

        Parameters
        ----------
        dual, charges, shift
            As for `FullScores.passes`.
        """
        before, after = self._kernels.raised(dual, charges, shift)
        needed = (before + after)[:, 0]
        if (self.least < needed).any() or (self._first[:-1] < needed[:: self._height]).any():
            return False
        # The turn of a column is the first output with this reading or a higher one; at the output before it either sum works.
        near = np.arange(self._scores.shape[1])
        above, above_next = near > self._local[:-1, None], near > (self.best[1:] - self._low[:-1])[:, None]
        no_start, no_end = self._before[:-1] < before[:-1], self._after[:-1] < after[:-1]
        return not (no_start & (above_next | no_end) | (no_end > above)).any()

    @staticmethod
    def _carried(padded: Floats, loss: Floats, grid: _Grid) -> tuple[Floats, Floats, Floats]:
        """Sums over all rows before each block: F at its first row, A at its last row, scores at its first, (blocks, m) each."""
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
    """Kernels and powers of alpha, and the flat-array offsets of rows, (blocks, height, 1), and blocks, (blocks, 1)."""

    kernels: Kernels
    powers: Floats
    rows: Integers
    places: Integers


def _is_far(prior: Floats, alpha: float) -> bool:
    """Whether the first or last output most likely comes from a true result so distant that many columns are near."""
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
