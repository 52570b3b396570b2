"""The true counts of a histogram, read from the location in its design or its project file's folder, and their release."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from dpdesigner.arrays import Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import cut, nearest
from dpdesigner.core.basics.sampling import Below
from dpdesigner.core.basics.sensitivity import Neighbours
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.noise import discrete_staircase
from dpdesigner.core.noise.discrete_staircase import cell_edges, fitting_cells
from dpdesigner.core.noise.discrete_staircase import tally as tally_of
from dpdesigner.data.columns import changed_at, check_column, read_texts, read_values, resolved
from dpdesigner.data.data_files import cell_text, is_missing
from dpdesigner.data.options import checked_categories, count_categories
from dpdesigner.errors import InputError
from dpdesigner.studies.column_inputs import column_values

#: The treatment of rows outside all categories, and whether the list is public or taken from the data.
Outside = Literal["other", "refuse"]
Listed = Literal["public", "data"]


class Source(NamedTuple):
    """The data that are counted, and their location; designs with equal sources have the same true counts."""

    cells: str
    path: str
    column: str
    counts: tuple[int, ...] | None
    categories: tuple[str, ...] | None = None
    outside: Outside = "other"

    @property
    def is_set(self) -> bool:
        """Whether there is anything to count."""
        return bool(self.path) or self.counts is not None

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(cell_edges(self.cells)) if self.categories is None else len(self.categories) + (self.outside == "other")


@dataclass(frozen=True, eq=False)
class Truth:
    """The true counts of a histogram.

    Attributes
    ----------
    source : Source
        What was counted.
    counts : ndarray of int
        (cells,).
    outside, below : int
        How many rows are in no cell, and how many of them below the first edge; the others are empty. 0 where only counts were
        kept, or texts are counted.
    fitting : str
        Cells that hold all values, where most of them are outside these cells or in the last one; empty where these fit, or are
        not known to misfit. Made from the data: to publish them is not private.
    fractions : bool
        Whether a value is no whole number.
    marks : tuple of str
        The texts that were read as empty, like n/a.
    capitals : int
        How many rows differ from a category in capitals only.
    """

    source: Source
    counts: NDArray[np.int64]
    outside: int
    fitting: str = ""
    below: int = 0
    fractions: bool = False
    marks: tuple[str, ...] = ()
    capitals: int = 0


def read_truth(source: Source) -> Truth:
    """Count the values of a column; counts stored with the design are used unchanged.

    Raises
    ------
    InputError
        If the file cannot be read; if rows are in none of the categories and that is refused.
    """
    if source.counts is not None:
        return Truth(source, np.array(source.counts, dtype=np.int64), 0)
    if source.categories is not None:
        cells = count_categories(source.path, source.column, source.categories)
        counted = _with_others(cells.counts, cells.outside, source.outside, cut(source.column))
        return Truth(source, np.array(counted, dtype=np.int64), 0, capitals=cells.capitals)
    path = resolved(source.path)
    values = _values(path, changed_at(path), source.column)
    given, edges = values[~np.isnan(values)], [nearest(edge) for edge in cell_edges(source.cells)]
    counts = tally_of(given, edges)
    below = len(given) - int(counts.sum())
    misplaced = below + (int(counts[-1]) if len(counts) > 1 else 0)
    fitting = fitting_cells(given) if 2 * misplaced > len(given) else ""
    marks = _marks(path, changed_at(path), source.column) if len(given) < len(values) else ()
    fitting = "" if fitting == source.cells else fitting
    return Truth(source, counts, len(values) - int(counts.sum()), fitting, below, bool((given % 1).any()), marks)


def counts_of_values(values: Any, cells: str | None, categories: tuple[str, ...] | None, outside: Outside) -> tuple[int, ...]:
    """Count values given one per row: numbers in cells, or texts in categories; empty values are in no cell.

    Raises
    ------
    InputError
        If there are neither cells nor categories, a value is no number where numbers are counted, or one is in none of the
        categories and that is refused.
    """
    if categories is not None:
        tally = Counter(map(cell_text, values.tolist() if hasattr(values, "tolist") else values))
        counts = [tally.pop(category, 0) for category in categories]
        return tuple(_with_others(counts, sum(tally.values()), outside, "the values"))
    if cells is None:
        words = "values are counted in cells or categories, which must be given and not taken from the values; got neither."
        raise InputError(words, "cells")
    numbers = column_values(values, "values").doubles
    return tuple(tally_of(numbers[~np.isnan(numbers)], [nearest(edge) for edge in cell_edges(cells)]).tolist())


def _with_others(counts: Sequence[int], others: int, outside: Outside, what: str) -> list[int]:
    """Return the counts of categories, with that of all others if they have a cell."""
    if outside == "refuse" and others:
        rows = "1 row holds" if others == 1 else f"{others} rows hold"
        problem = f"every row of {what} must contain one of the categories, but {rows} none of them"
        raise InputError(f"{problem}; list what is missing, or count them as any other.", "categories")
    return [*counts, others] if outside == "other" else [*counts]


def counts_by_label(counts: Any, labels: Sequence[str], categories: tuple[str, ...] | None, outside: Outside) -> tuple[int, ...]:
    """Return labelled counts in the order of the categories, with that of all others if they have a cell."""
    by_label = dict(zip(labels, counts.values() if isinstance(counts, Mapping) else counts.tolist(), strict=True))
    listed = [by_label.pop(category, 0) for category in categories or labels]
    return tuple(_with_others(listed, sum(by_label.values()), outside, "the counts"))


def check_source(source: Source) -> None:
    """Refuse a file that cannot be read or lacks the column, without counting."""
    path = resolved(source.path)
    _check(path, changed_at(path), source.column)


@lru_cache(maxsize=16)
def _check(path: Path, changed: int, column: str) -> None:
    check_column(path, column)


def titled(column: str) -> str:
    """Return the title that a column gives a design; a query may be longer."""
    return cut(column, 200)


_MOST_NAMES = 60  # more different texts are hardly names of groups


def names_of_column(path: str, column: str) -> tuple[str, ...]:
    """Return the different texts of a column, which reveal who is in the data; none if they are too many to be listed."""
    try:
        names = count_categories(path, column, None).categories
        return checked_categories(names) if len(names) <= _MOST_NAMES else ()
    except InputError:
        return ()


def cells_of_column(path: str, column: str) -> str:
    """Return `fitting_cells` for a column of numbers, which reveal its least and largest value."""
    values = _values(resolved(path), changed_at(resolved(path)), column)
    return fitting_cells(values[~np.isnan(values)])


@lru_cache(maxsize=4)
def _values(path: Path, changed: int, column: str) -> NDArray[np.float64]:
    return read_values(path, column)


@lru_cache(maxsize=4)
def _marks(path: Path, changed: int, column: str) -> tuple[str, ...]:
    return tuple(sorted(filter(is_missing, set(read_texts(path, column)) - {""})))


@dataclass(frozen=True, eq=False)
class HistogramRelease:
    """One release of a histogram.

    Attributes
    ----------
    truth, released : ndarray of int
        (d,): how many values lie in each cell, and what was released; that may be negative. Read-only. No truth from a file.
    cell_privacy : PrivacyLevel
        Of the geometric noise of each cell.
    """

    truth: Integers | None
    released: Integers
    cell_privacy: PrivacyLevel

    @classmethod
    def of(cls, truth: Integers | None, counts: Sequence[int], privacy: PrivacyLevel, neighbours: Neighbours) -> Self:
        """Return the release of these counts at a level of all cells together."""
        released = np.array(counts, dtype=np.int64)
        released.flags.writeable = False
        return cls(truth, released, discrete_staircase.cell_privacy(privacy, neighbours))

    @property
    def expected_error(self) -> float:
        """The expected absolute error of each cell."""
        return geometric.expected_distance(self.cell_privacy)


def release_counts(
    counts: ArrayLike, privacy: PrivacyLevel, neighbours: Neighbours, below: Below = secrets.randbelow
) -> HistogramRelease:
    """Release the counts of a histogram once, exactly private; `below` returns a uniform integer in [0, argument).

    Raises
    ------
    InputError
        If epsilon is 0.
    """
    truth = np.array(counts, dtype=np.int64)
    truth.flags.writeable = False
    return HistogramRelease.of(truth, discrete_staircase.release(truth.tolist(), privacy, neighbours, below), privacy, neighbours)
