"""Mechanisms and remaps as cells: held where that is small, asked for block by block where it is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.mechanism.geometric import RemappedGeometric
from dpdesigner.core.mechanism.mechanism import Mechanism, Table
from dpdesigner.studies.matrices import Cells, Indices, dense_cells

#: Up to this n every cell may be written as a fraction.
FRACTIONS_UP_TO = 40


def fraction_texts(mechanism: Mechanism) -> Callable[[int, int], str | None] | None:
    """Return the exact fractions of the cells, where they exist and fit."""
    alpha = mechanism.privacy.exact_alpha
    if alpha is None or isinstance(mechanism, Table) or mechanism.n > FRACTIONS_UP_TO:
        return None
    rows = list(mechanism.exact_rows(alpha))
    return lambda i, r: str(rows[i][r])


def mechanism_cells(shown: Mechanism, largest: int) -> Cells:
    """Return the probabilities of a mechanism; above this n one that is geometric is never held as a whole."""
    if shown.n <= largest or not isinstance(shown, RemappedGeometric):
        return dense_cells(shown.matrix)
    intervals = shown.intervals
    return Cells(shown.n + 1, shown.n + 1, shown.block, strongest=lambda i, high, r, wide: intervals.largest(i, high, r, wide))


def reading_cells(remap: NDArray[np.intp], largest: int) -> Cells:
    """Return 1 where an output (a row) is read as a value (a column), else 0."""
    n = len(remap) - 1

    def strongest(rows: Indices, high: int, columns: Indices, wide: int) -> Floats:
        part = remap[: rows[-1] + high]
        least, most = np.minimum.reduceat(part, rows)[:, None], np.maximum.reduceat(part, rows)[:, None]
        return ((columns + wide > least) & (columns <= most)).astype(float)

    if n <= largest:
        return dense_cells(np.eye(n + 1)[remap])
    return Cells(n + 1, n + 1, lambda i, r: (remap[i][:, None] == r).astype(float), strongest=strongest)
