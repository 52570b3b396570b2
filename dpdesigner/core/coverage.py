"""Whether geometric + remap is known to be optimal for a loss: Theorem A.

[GRS] Theorem 3.1 proves it for losses that, for each true result i, depend on and grow with |i - r|. The generalisation used
here: for each i the loss falls, as r grows, to a least value at m(i) and rises after it, and m(i) does not decrease in i. No
symmetry and no sign is needed. It is about releases of one of the columns made from the true result alone; proof: THEORY.md,
section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Coverage:
    """Whether Theorem A covers a loss, and one sentence why or why not."""

    covered: bool
    reason: str


def coverage_of(loss: Floats) -> Coverage:
    """Check the conditions of Theorem A on a loss matrix.

    Parameters
    ----------
    loss : ndarray
        (n + 1, m): l(i, r), rows i.

    Returns
    -------
    Coverage
    """
    n_outputs = loss.shape[1]
    first, last = _least_places(loss)
    steps = np.diff(loss, axis=1)
    columns = np.arange(n_outputs - 1)
    wrong = ((steps > 0) & (columns < first[:, None])) | ((steps < 0) & (columns >= first[:, None]))
    if wrong.any():
        i = int(np.argmax(wrong.any(axis=1)))
        return Coverage(False, f"for true count {i} the loss rises and falls again as the release grows: {_row(loss[i])}.")
    # A selection m(i) in [first, last] that never decreases exists if and only if the running largest `first` is at most `last`.
    lowest = np.maximum.accumulate(first)
    if (lowest > last).any():
        i = int(np.argmax(lowest > last))
        before = int(np.argmax(first[: i + 1] == lowest[i]))
        return Coverage(
            False, f"the best release moves down as the count grows: {lowest[i]} for count {before} but {last[i]} for count {i}."
        )
    return Coverage(
        True, "falls to its least value and rises after it: geometric + remap is optimal (Theorem A)."
    )


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


def turns_of(loss: Floats) -> Turns | None:
    """Return where the rows turn, found in the doubles themselves; None if Theorem A does not cover them."""
    if not coverage_of(loss).covered:
        return None
    first, last = _least_places(loss)
    after = np.minimum.accumulate(np.append(loss.shape[1] - 1, last[:0:-1]))[::-1]
    return Turns(np.maximum.accumulate(first), after)


def _least_places(loss: Floats) -> tuple[Integers, Integers]:
    """The first and the last column where each row is least."""
    least = loss == loss.min(axis=1, keepdims=True)
    return least.argmax(axis=1), loss.shape[1] - 1 - least[:, ::-1].argmax(axis=1)


def _row(values: Floats) -> str:
    shown = ", ".join(f"{value:.3g}" for value in values[:6])
    return f"{shown}, …" if len(values) > 6 else shown
