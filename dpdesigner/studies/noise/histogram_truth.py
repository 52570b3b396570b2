"""The true counts of a histogram, read from where its study says the data are, or beside its project file."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.noise.histogram import tally
from dpdesigner.data.columns import read_values, resolved
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_query import HistogramQuery


@dataclass(frozen=True, eq=False)
class Truth:
    """What is in the cells of a histogram.

    Attributes
    ----------
    query : HistogramQuery
        Whose cells.
    counts : ndarray of int
        (cells,).
    outside : int
        How many rows are in no cell: empty, or below the first edge. 0 where only counts were kept.
    """

    query: HistogramQuery
    counts: NDArray[np.int64]
    outside: int


def read_truth(query: HistogramQuery) -> Truth:
    """Count the values of a query's column; counts kept with the study are taken as they are.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    if query.counts is not None:
        return Truth(query, np.array(query.counts, dtype=np.int64), 0)
    path = resolved(query.path)
    values = _values(path, path.stat().st_mtime_ns if path.exists() else 0, query.column)
    counts = tally(values[~np.isnan(values)], [float(edge) for edge in query.edges])
    return Truth(query, counts, len(values) - int(counts.sum()))


def found_beside(study: NoiseStudy, folder: Path) -> NoiseStudy:
    """Return a study whose data are looked for in a folder, by their name, if they are no longer where it says they are.

    A project file and its data that were moved together, or to another machine, still belong together.
    """
    path = study.histogram.path
    if not path or resolved(path).exists():
        return study
    here = folder.absolute() / re.split(r"[\\/]", path)[-1]
    return study.replace(histogram=dataclasses.replace(study.histogram, path=str(here))) if here.is_file() else study


@lru_cache(maxsize=4)
def _values(path: Path, changed: int, column: str) -> NDArray[np.float64]:
    return read_values(path, column)
