"""A quick sufficient test of the certificate: most of a loss matrix is never looked at again.

For a column v = c_r - w let F_i = sum_{k <= i} alpha^(i-k) v_k and B_i = sum_{k >= i} alpha^(k-i) v_k. If for some j all F_i with
i < j, all B_i with i > j and F_j + alpha B_{j+1} are at least 0, then v is in K*: it is the sum of F_i (e_i - alpha e_{i+1}) over
i < j, of B_i (e_i - alpha e_{i-1}) over i > j and of the rest at j, and each of these is at least 0 on K. The first i with a
negative F_i serves as j. It is looked for in blocks of rows only where v may be negative on average: a block passes if the least
loss in it and in the one before it, times the prior filtered so, is at least w filtered so.

Sums are charged for every rounding, and made with an alpha that is at most the true one: the cone K is larger for it, so that
what is proved for it is proved for alpha.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: From this n on the test saves time.
QUICK_FROM = 900
#: Rows of a block; a sum over one in doubles is right to within `_CHARGE`.
ROWS = 32
_CHARGE = 96 * 2.0**-53
_ALPHA_CHARGE = 8 * 2.0**-53
#: The share of the blocks' columns above which the full test is as quick.
_MOST_LOOKED_AT = 0.15


def least_in_blocks(loss: Floats) -> Floats:
    """Return the least loss of each column in each block of rows, (blocks, m)."""
    return np.stack([loss[start : start + ROWS].min(axis=0) for start in range(0, len(loss), ROWS)])


class QuickTest:
    """The test for one prior, loss and alpha.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray
        (n + 1, m).
    least : ndarray
        What `least_in_blocks` returns for the loss.
    alpha : float
        In (0, 1), within 4 units of rounding of the true one.
    """

    def __init__(self, prior: Floats, loss: Floats, least: Floats, alpha: float) -> None:
        self.prior, self.loss, self.least = prior, loss, least
        self.alpha = alpha * (1 - _ALPHA_CHARGE)
        self.powers = np.power(self.alpha, np.arange(ROWS + 1))
        self.before, self.after = self._carried()

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
        taken, given = np.maximum(dual, 0.0) + charges, np.maximum(-dual, 0.0) + shift + charges
        vectors = np.stack([_in_blocks(vector) for vector in (self.prior, taken, given)])
        looked_at = self._doubtful(vectors, self.least) | self._doubtful(vectors[:, ::-1, ::-1], self.least[::-1])[::-1]
        if looked_at.mean() > _MOST_LOOKED_AT:
            return False
        size = len(dual)
        sums = []
        for part in vectors[1:]:
            forward, backward = (_filtered(turned, self.alpha) for turned in (part, part[::-1, ::-1]))
            forward, backward = forward[:size], backward[::-1][:size]
            sums.append((forward, backward, forward + self.alpha * np.append(backward[1:], 0.0)))
        return self._search(looked_at, [limit(*pair) for pair in zip(*sums, strict=True)])

    def _search(self, looked_at: NDArray[np.bool_], limits: list[Floats]) -> bool:
        """Whether, column by column, no B is below its limit after the first F that is, where both together are not."""
        n, inside = len(self.prior) - 1, np.arange(ROWS)
        block, column = np.nonzero(looked_at)
        rows = np.minimum(ROWS * block[:, None] + inside, n)
        costs = self.loss.ravel().take(rows * self.loss.shape[1] + column[:, None]) * _in_blocks(self.prior)[block]
        kernel, after = _kernel(self.powers[:ROWS]), self.after[block, column][:, None]
        forward = costs @ kernel.T + self.powers[1:] * self.before[block, column][:, None]
        backward = costs @ kernel + self.powers[:0:-1] * after
        both = forward + self.alpha * np.hstack((backward[:, 1:], after))
        tested = zip((forward, backward, both), limits, strict=True)
        one, other, together = (sums < _in_blocks(least, -np.inf)[block] for sums, least in tested)
        turn, last = np.full(self.loss.shape[1], n + 1), np.full(self.loss.shape[1], -1)
        first = np.where(one.any(axis=1), ROWS * block + one.argmax(axis=1), n + 1)
        np.minimum.at(turn, column, first)
        np.maximum.at(last, column, np.where(other.any(axis=1), ROWS * (block + 1) - 1 - other[:, ::-1].argmax(axis=1), -1))
        turns = np.flatnonzero((first <= n) & (first == turn[column]))
        return bool((last <= turn).all() and not together[turns, first[turns] - ROWS * block[turns]].any())

    def _doubtful(self, vectors: Floats, least: Floats) -> NDArray[np.bool_]:
        """The columns of each block, (blocks, m), whose sums may be below 0 in it though they are not before it."""
        earlier = np.concatenate((np.zeros_like(vectors[:, :1]), vectors[:, :-1]), axis=1)
        kernel = _kernel(np.power(self.alpha, np.arange(2 * ROWS)))[ROWS:].T
        prior, taken, given = np.concatenate((earlier, vectors), axis=2) @ kernel
        needed = limit(taken, given)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            levels = np.where(needed > 0, needed / (prior * (1 - _CHARGE)), 0.0).max(axis=1)
        lowest = least.copy()
        np.minimum(lowest[1:], least[:-1], out=lowest[1:])
        return np.asarray(lowest < levels[:, None] * (1 + _CHARGE))

    def _carried(self) -> tuple[Floats, Floats]:
        """The filtered costs of the row before each block and of the row after it, (blocks, m) each."""
        before, after = np.zeros_like(self.least), np.zeros_like(self.least)
        starts, powers = range(0, len(self.prior), ROWS), self.powers
        last = len(starts) - 1
        for k, start in enumerate(starts):
            weights, rows = self.prior[start : start + ROWS], self.loss[start : start + ROWS]
            if k < last:
                np.matmul(weights * powers[ROWS - 1 :: -1], rows, out=before[k + 1])
            if k > 0:
                np.matmul(weights * powers[: len(weights)], rows, out=after[k - 1])
        for k in range(1, last + 1):
            before[k] += powers[ROWS] * before[k - 1]
        for k in range(last - 2, -1, -1):
            # All blocks but the last are whole.
            after[k] += powers[ROWS] * after[k + 1]
        return before, after


def _in_blocks(vector: Floats, fill: float = 0.0) -> Floats:
    """The vector as (blocks, ROWS), filled up at its end."""
    padded = np.full(-(-len(vector) // ROWS) * ROWS, fill)
    padded[: len(vector)] = vector
    return padded.reshape(-1, ROWS)


def _kernel(powers: Floats) -> Floats:
    """alpha^(t-s) for s <= t, else 0."""
    distance = np.arange(len(powers))[:, None] - np.arange(len(powers))
    return np.where(distance >= 0, powers[np.maximum(distance, 0)], 0.0)


def _filtered(blocks: Floats, alpha: float) -> Floats:
    """Sums of alpha^(i-k) x_k over k <= i, in one row, for x in blocks."""
    powers = np.power(alpha, np.arange(ROWS + 1))
    sums = blocks @ _kernel(powers[:ROWS]).T
    carry, step = 0.0, float(powers[ROWS])
    carries = []
    for end in sums[:, -1].tolist():
        carries.append(carry)
        carry = end + step * carry
    return np.asarray((sums + np.array(carries)[:, None] * powers[1:]).ravel())


def limit(taken: Floats, given: Floats, charge: float = _CHARGE) -> Floats:
    """Return what filtered costs must reach so that, with sums right to within a charge, they are at least taken less given."""
    found = taken * (1 + charge) - given * (1 - charge)
    return np.maximum(found, found * (1 + charge))
