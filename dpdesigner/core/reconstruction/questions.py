"""The people that each question counts: random subsets, kept as bits, with the two products that attackers need.

A question is a row of A: it is answered with about the sum of x over its people, (A x)_q. Eight people are one byte, so that both
products look up sums of bytes: 20 000 people and 80 000 questions take 200 MB and about a second a product.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Floats
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

Bits = NDArray[np.uint8]

#: The most people times questions: 250 MB of bits.
LARGEST = 2_000_000_000
#: Up to this many, A is also stored in doubles: 128 MB.
LARGEST_DENSE = 16_000_000
_AT_ONCE = 400_000  # bits drawn between two reports
_BYTES_AT_ONCE = 64
#: The bits of each byte, highest bit first.
_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)


class Questions:
    """Questions, each stored as the set of people that it counts.

    Parameters
    ----------
    packed : ndarray of uint8
        (bytes, t): byte k of a question holds people 8 k to 8 k + 7, the first of them in its highest bit.
    n : int
        How many people there are.
    """

    def __init__(self, packed: Bits, n: int) -> None:
        self.n, self.t = n, packed.shape[1]
        self._packed = packed
        self._most: tuple[int, int] | None = None

    @classmethod
    def drawn(cls, n: int, t: int, seed: int, progress: Progress = silent) -> Questions:
        """Draw questions: each person in each with probability 1/2, independently; the first ones do not depend on t.

        Raises
        ------
        InputError
            If they are too many for the memory.
        """
        if n * t > LARGEST:
            most = LARGEST // n
            raise InputError(f"queries must be at most {most} for {n} people, got {t}.", "queries", str(most))
        packed = np.empty(((n + 7) // 8, t), dtype=np.uint8)
        source = np.random.PCG64(seed)
        rows = max(_AT_ONCE // n, 1)
        for at in range(0, t, rows):
            progress(at / t, "drawing questions")
            count = min(rows, t - at)
            inside = source.random_raw(count * n).view(np.int64) >= 0  # where numpy's uniform number is below 1/2
            packed[:, at : at + count] = np.packbits(inside.reshape(count, n), axis=1).T
        return cls(packed, n)

    @classmethod
    def of(cls, members: ArrayLike) -> Questions:
        """Return the questions of a matrix of truth values, (t, n)."""
        inside = np.atleast_2d(np.asarray(members, dtype=bool))
        return cls(np.ascontiguousarray(np.packbits(inside, axis=1).T), inside.shape[1])

    def first(self, many: int) -> Questions:
        """Return the first questions, this many, if there are too many to store in doubles; otherwise all."""
        return self if self.small or many >= self.t else Questions(np.ascontiguousarray(self._packed[:, :many]), self.n)

    @property
    def small(self) -> bool:
        """Whether A can be stored in doubles, as linear programs need it."""
        return bool(self.n * self.t <= LARGEST_DENSE)

    @cached_property
    def dense(self) -> Floats:
        """A, (t, n)."""
        bits = np.unpackbits(np.ascontiguousarray(self._packed.T), axis=1, count=self.n).astype(np.float64)
        bits.setflags(write=False)
        return bits

    def members(self, question: int) -> NDArray[np.bool_]:
        """Return which people are in a question, (n,)."""
        return np.unpackbits(np.ascontiguousarray(self._packed[:, question]), count=self.n).astype(bool)

    def most(self, progress: Progress = silent) -> tuple[int, int]:
        """Return the size of the largest question, and the largest number of questions about one person; cached."""
        if self._most is None:
            sizes, times = self.sums(np.ones(self.n), progress), self.votes(np.ones(self.t), progress)
            self._most = round(float(sizes.max())), round(float(times.max()))
        return self._most

    def sums(self, x: Floats, progress: Progress = silent) -> Floats:
        """Return A x, (t,)."""
        if self.small:
            return np.asarray(self.dense @ x)
        padded = np.zeros(8 * len(self._packed))
        padded[: self.n] = x
        tables = padded.reshape(-1, 8) @ _BYTES.T
        totals = np.zeros(self.t)
        for k, table in enumerate(tables):
            if k % _BYTES_AT_ONCE == 0:
                progress(None, "")
            totals += table.take(self._packed[k])
        return totals

    def votes(self, y: Floats, progress: Progress = silent) -> Floats:
        """Return A' y, (n,)."""
        if self.small:
            return np.asarray(y @ self.dense)
        votes = np.empty((len(self._packed), 8))
        for k, column in enumerate(self._packed):
            if k % _BYTES_AT_ONCE == 0:
                progress(None, "")
            votes[k] = np.bincount(column, weights=y, minlength=256) @ _BYTES
        return votes.ravel()[: self.n]
