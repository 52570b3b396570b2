"""Whether geometric + remap is known to be optimal for a loss: Theorem A.

[GRS] Theorem 3.1 proves it for losses that, for each true result i, depend on and grow with |i - r|. The generalisation used
here: for each i the loss falls, as r grows, to a least value at m(i) and rises after it, and m(i) does not decrease in i. No
symmetry and no sign is needed. It is about releases of one of the columns made from the true result alone; proof: THEORY.md,
section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers

#: This many doubles stay in the processor's cache during a few operations on them.
_NEARBY = 2**17
#: For each byte of eight steps, the number of steps up to the last marked one; very negative if no step falls.
_LAST_BIT = np.array([max((8 - bit for bit in range(8) if byte >> bit & 1), default=-(2**40)) for byte in range(256)])


@dataclass(frozen=True)
class Coverage:
    """Whether Theorem A covers a loss, and one sentence of explanation."""

    covered: bool
    reason: str


class Rows(NamedTuple):
    """Properties of the rows of a loss, computed in one pass.

    Attributes
    ----------
    low, high : ndarray
        (n + 1,): the least and the largest loss of each row; nan where one of them is.
    first, last : ndarray of int
        (n + 1,): from column `first` on the row does not fall, up to column `last` it does not rise. Where `first` is at most
        `last`, the row falls to its least value and rises after it, and these are the first and the last place where it is least.
    """

    low: Floats
    high: Floats
    first: Integers
    last: Integers

    @classmethod
    def of(cls, loss: NDArray[Any], copy: Floats | None = None) -> Rows:
        """Read a loss, (n + 1, m), copying it on request, in blocks of rows that fit in the processor cache."""
        size, m = loss.shape
        rows = cls(np.empty(size), np.empty(size), np.empty(size, np.int64), np.empty(size, np.int64))
        step = max(_NEARBY // m, 1)
        falls = np.empty((min(step, size), m), bool)
        for start in range(0, size, step):
            part = slice(start, min(start + step, size))
            values = loss[part]
            if copy is not None:
                copy[part] = values
                values = copy[part]
            rows._read(part, values, falls[: len(values)])
        return rows

    def _read(self, part: slice, values: Floats, falls: NDArray[np.bool_]) -> None:
        """Read some rows, with a buffer for whether each step to the next column falls."""
        m, flat = values.shape[1], values.reshape(-1)
        # Reading all rows as one takes a third of the time; the step from a row to the next is set as needed.
        np.less(flat[1:], flat[:-1], out=falls.reshape(-1)[:-1])
        falls[:, -1] = False
        first = values.argmin(axis=1)
        places = first + np.arange(0, flat.size, m)
        low, high = flat.take(places), np.maximum(values[:, 0], values[:, -1])
        # Most losses fall at every step before a minimum and at none after it, and rise right after it.
        rising = (first == m - 1) | (flat.take(places + 1, mode="clip") > low)
        if rising.all() and (falls.argmin(axis=1) == first).all() and np.count_nonzero(falls) == first.sum():
            last = first
        else:
            rises = np.empty_like(falls)
            np.greater(flat[1:], flat[:-1], out=rises.reshape(-1)[:-1])
            rises[:, -1] = True
            last, first = rises.argmax(axis=1), _after_last(falls)
            if (first > last).any():
                values.max(axis=1, out=high)
        self.low[part], self.high[part], self.first[part], self.last[part] = low, high, first, last

    def coverage(self, loss: Floats) -> Coverage:
        """Check the conditions of Theorem A for the loss."""
        # A non-decreasing selection m(i) in [first, last] exists exactly if the running maximum of `first` is at most `last`.
        lowest = np.maximum.accumulate(self.first)
        if not (lowest > self.last).any():
            return Coverage(True, "falls to its least value and rises after it: geometric + remap is optimal (Theorem A).")
        wrong = self.first > self.last
        if wrong.any():
            i = int(np.argmax(wrong))
            return Coverage(False, f"for true count {i}, a release farther from the best one can cost less: {_row(loss[i])}.")
        i = int(np.argmax(lowest > self.last))
        before = int(np.argmax(self.first[: i + 1] == lowest[i]))
        moved = f"{lowest[i]} for count {before} but {self.last[i]} for count {i}"
        return Coverage(False, f"the best release moves down as the count grows: {moved}.")

    def turns(self, m: int) -> Turns:
        """Return the columns where the rows turn; Theorem A must cover the loss."""
        after = np.minimum.accumulate(np.append(m - 1, self.last[:0:-1]))[::-1]
        return Turns(np.maximum.accumulate(self.first), after)


class Turns(NamedTuple):
    """The columns between which the rows of a Theorem A loss turn from falling to rising.

    Attributes
    ----------
    first : ndarray of int
        (n + 1,): from this column on no row up to i falls.
    last : ndarray of int
        (n + 1,): up to this column no row after i rises.
    """

    first: Integers
    last: Integers


def _after_last(marked: NDArray[np.bool_]) -> Integers:
    """Return the index after the last mark in each row, or 0 if there is none, scanning eight entries at once."""
    bits = np.packbits(marked, axis=1)
    byte = bits.shape[1] - 1 - (bits[:, ::-1] != 0).argmax(axis=1)
    return np.asarray(np.maximum(8 * byte + _LAST_BIT[bits[np.arange(len(bits)), byte]], 0))


def _row(values: Floats) -> str:
    shown = ", ".join(f"{value:.3g}" for value in values[:6])
    return f"{shown}, …" if len(values) > 6 else shown
