"""The true counts of a histogram, read from where its study says the data are. No widget is touched here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.histogram import tally
from dpdesigner.files.values import read_values, resolved
from dpdesigner.studies.histogram_release import HistogramRelease, release_counts
from dpdesigner.studies.noise import NoiseStudy
from dpdesigner.studies.noise_histogram import HistogramQuery


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


@dataclass(frozen=True, eq=False)
class Released:
    """One release of a study's histogram."""

    study: NoiseStudy
    release: HistogramRelease


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


def release(study: NoiseStudy, truth: Truth) -> Released:
    """Release counts once, with exact noise from the system's entropy."""
    edges = [float(edge) for edge in truth.query.edges]
    return Released(study, release_counts(truth.counts, edges, study.privacy, truth.query.neighbours))


@lru_cache(maxsize=4)
def _values(path: Path, changed: int, column: str) -> NDArray[np.float64]:
    return read_values(path, column)
