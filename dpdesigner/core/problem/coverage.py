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

#: So many doubles stay near the processor while a few things are asked of them.
_NEARBY = 2**17
#: By a byte of eight steps, how many there are up to the last one that is marked; where none is, no step falls at all.
_LAST_BIT = np.array([max((8 - bit for bit in range(8) if byte >> bit & 1), default=-(2**40)) for byte in range(256)])


@dataclass(frozen=True)
class Coverage:
    """Whether Theorem A covers a loss, and one sentence why or why not."""

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
        """Read a loss, (n + 1, m), and copy it where that is asked for, so many rows at a time as stay near the processor."""
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
        """Read some rows, with room for whether the step from each place to the next falls."""
        m, flat = values.shape[1], values.reshape(-1)
        # All rows as one take a third of the time; the step from a row to the next falls and rises as is needed.
        np.less(flat[1:], flat[:-1], out=falls.reshape(-1)[:-1])
        falls[:, -1] = False
        first = values.argmin(axis=1)
        places = first + np.arange(0, flat.size, m)
        low, high = flat.take(places), np.maximum(values[:, 0], values[:, -1])
        # Most losses fall at every step before a least place and at none after it, and rise at once from there.
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
        """Check the conditions of Theorem A on the loss that was read."""
        # A selection m(i) in [first, last] that never decreases exists just where the running largest `first` is at most `last`.
        lowest = np.maximum.accumulate(self.first)
        if not (lowest > self.last).any():
            return Coverage(True, "falls to its least value and rises after it: geometric + remap is optimal (Theorem A).")
        wrong = self.first > self.last
        if wrong.any():
            i = int(np.argmax(wrong))
            return Coverage(False, f"for true count {i}, the loss rises and then falls as the release grows: {_row(loss[i])}.")
        i = int(np.argmax(lowest > self.last))
        before = int(np.argmax(self.first[: i + 1] == lowest[i]))
        moved = f"{lowest[i]} for count {before} but {self.last[i]} for count {i}"
        return Coverage(False, f"the best release moves down as the count grows: {moved}.")

    def turns(self, m: int) -> Turns:
        """Return where the rows turn; Theorem A must cover them."""
        after = np.minimum.accumulate(np.append(m - 1, self.last[:0:-1]))[::-1]
        return Turns(np.maximum.accumulate(self.first), after)


class Turns(NamedTuple):
    """Between which columns the rows of a loss of Theorem A turn from falling to rising.

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
    """The place after the last that is marked, row by row; 0 where none is. Eight are looked at at once."""
    bits = np.packbits(marked, axis=1)
    byte = bits.shape[1] - 1 - (bits[:, ::-1] != 0).argmax(axis=1)
    return np.asarray(np.maximum(8 * byte + _LAST_BIT[bits[np.arange(len(bits)), byte]], 0))


def _row(values: Floats) -> str:
    shown = ", ".join(f"{value:.3g}" for value in values[:6])
    return f"{shown}, …" if len(values) > 6 else shown
