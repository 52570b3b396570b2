"""The true counts of a histogram, read from where its design says the data are, or beside its project file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.noise.histogram import cell_edges, tally
from dpdesigner.core.numbers.given import cut
from dpdesigner.data.columns import changed_at, read_values, resolved
from dpdesigner.errors import InputError
from dpdesigner.studies.histogram.design import Source
from dpdesigner.studies.options.counted import counted


@dataclass(frozen=True, eq=False)
class Truth:
    """What is in the cells of a histogram.

    Attributes
    ----------
    source : Source
        What was counted.
    counts : ndarray of int
        (cells,).
    outside : int
        How many rows are in no cell: empty, or below the first edge. 0 where only counts were kept, or texts are counted.
    """

    source: Source
    counts: NDArray[np.int64]
    outside: int


def read_truth(source: Source) -> Truth:
    """Count the values of a column; counts kept with the design are taken as they are.

    Raises
    ------
    InputError
        If the file cannot be read; if rows are in none of the categories and that is refused.
    """
    if source.counts is not None:
        return Truth(source, np.array(source.counts, dtype=np.int64), 0)
    if source.categories is not None:
        cells = counted(source.path, source.column, source.categories)
        if source.outside == "refuse" and cells.outside:
            problem = f"every row of {cut(source.column)} must hold one of the categories, got {cells.outside} that hold none"
            raise InputError(f"{problem}; list what is missing, or count them as any other.", "categories")
        return Truth(source, np.array((*cells.counts, cells.outside)[: source.size], dtype=np.int64), 0)
    path = resolved(source.path)
    values = _values(path, changed_at(path), source.column)
    counts = tally(values[~np.isnan(values)], [float(edge) for edge in cell_edges(source.cells)])
    return Truth(source, counts, len(values) - int(counts.sum()))


@lru_cache(maxsize=4)
def _values(path: Path, changed: int, column: str) -> NDArray[np.float64]:
    return read_values(path, column)
