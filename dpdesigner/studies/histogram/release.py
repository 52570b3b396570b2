"""A histogram of real values, released once with exact noise and compared with the truth."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.arrays import Integers
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.noise import histogram
from dpdesigner.core.numbers.parsing import nearest
from dpdesigner.core.privacy import sensitivity
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sampling import Below
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.histogram.true_counts import Truth


@dataclass(frozen=True, eq=False)
class HistogramRelease:
    """One release of a histogram.

    Attributes
    ----------
    edges : ndarray
        (d,): the lower edge of each cell; the last cell is open above. Or the category of each. Read-only, as the others.
    truth, released : ndarray of int
        (d,): how many values lie in each cell, and what was released; that may be negative.
    sensitivity : Sensitivity
        Of the histogram, and why.
    cell_privacy : PrivacyLevel
        Of the geometric noise of each cell.
    """

    edges: NDArray[np.float64 | np.str_]
    truth: Integers
    released: Integers
    sensitivity: sensitivity.Sensitivity
    cell_privacy: PrivacyLevel

    @property
    def expected_error(self) -> float:
        """The expected absolute error of each cell."""
        return geometric.expected_distance(self.cell_privacy)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the table by columns; without the truth, which must not leave the house."""
        return {"category" if self.edges.dtype.kind == "U" else "from": self.edges, "released": self.released}


def release_counts(
    counts: ArrayLike,
    edges: ArrayLike,
    privacy: PrivacyLevel,
    neighbours: sensitivity.Neighbours,
    below: Below = secrets.randbelow,
) -> HistogramRelease:
    """Release the counts of a histogram once, exactly private.

    Parameters
    ----------
    counts : array_like of int
        (d,): one a cell.
    edges : array_like
        (d,): increasing lower edges, or categories, fixed beforehand and not taken from the data.
    privacy : PrivacyLevel
        Of the whole release.
    neighbours : {"add-remove", "replace"}
        What one row may do.
    below : callable
        Returns a uniform integer in [0, argument).

    Raises
    ------
    InputError
        If epsilon is 0.
    """
    truth, given = np.array(counts, dtype=np.int64), np.array(edges)
    places = given if given.dtype.kind == "U" else given.astype(float)
    released = np.array(histogram.release(truth.tolist(), privacy, neighbours, below), dtype=np.int64)
    for array in (places, truth, released):
        array.flags.writeable = False
    level = histogram.cell_privacy(privacy, neighbours)
    return HistogramRelease(places, truth, released, sensitivity.histogram(neighbours), level)


@dataclass(frozen=True, eq=False)
class Released:
    """One release of the histogram of a design."""

    design: HistogramDesign
    release: HistogramRelease

    def releases(self, design: HistogramDesign) -> bool:
        """Return whether it is a release of this design as well: another name or cost leaves it as it is."""
        mine, theirs = ((each.privacy, each.source, each.neighbours) for each in (self.design, design))
        return mine == theirs


def released(design: HistogramDesign, truth: Truth) -> Released:
    """Release what was counted for a design once, with exact noise from the system's entropy."""
    return Released(design, release_counts(truth.counts, places(design), design.privacy, design.neighbours))


def places(design: HistogramDesign) -> list[float] | list[str]:
    """Return what a table calls the cells by: their lower edges, or the categories."""
    titles = [str(design.title(cell)) for cell in range(design.size)]
    return titles if design.categories is not None else list(map(nearest, design.edges))
