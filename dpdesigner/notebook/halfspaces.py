"""What was released of halfspaces, read again from its file: it answers any plane, without the points."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.core.synthetic.halfspaces import MOST_COUNTS, Projections, answers
from dpdesigner.data.grid import read_text
from dpdesigner.errors import InputError

_MOST_ROWS, _MOST_DIMENSION = 10**9, 1000


class Halfspaces:
    """A structure that was taken away.

    Attributes
    ----------
    plan : Projections
    rows : int
        How many points it stands for.
    privacy : str
        What is said of it.
    published : bool
        Whether it was drawn from the system's entropy; else it is for study only.
    """

    def __init__(self, plan: Projections, counts: Floats, rows: int, privacy: str, published: bool) -> None:
        self.plan, self._counts, self.rows, self.privacy, self.published = plan, counts, rows, privacy, published

    def answer(self, direction: Any) -> float:
        """Return about what share of the points lies on the positive side of the plane across a direction."""
        return float(np.clip(np.median(answers(self.plan, self._counts, self.rows, direction)), 0.0, 1.0))

    def mean(self, direction: Any) -> float:
        """Return the mean over the projections instead of the median, as Definition 6.5 of [BLR] does."""
        return float(np.clip(np.mean(answers(self.plan, self._counts, self.rows, direction)), 0.0, 1.0))


def read_halfspaces(path: str | os.PathLike[str]) -> Halfspaces:
    """Read the structure that a halfspace design released, ``NAME-structure.json``, to ask it new queries.

    Parameters
    ----------
    path : path

    Returns
    -------
    Halfspaces
        ``.answer(direction)`` is the share on the positive side of the plane across a direction.

    Raises
    ------
    InputError
        If the file cannot be read, or holds no such structure.

    Examples
    --------
    >>> import dpdesigner as dp, tempfile
    >>> from dpdesigner.files.export.export import export_of
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = export_of(dp.HalfspaceDesign("drawn", epsilon=1, rows=2000, seed=1)).write(folder, "mine", ["json"])
    ...     released = dp.read_halfspaces(f"{folder}/mine-structure.json")
    >>> 0 <= released.answer([1, 0, 0, 0, 0]) <= 1, released.published
    (True, False)
    """
    name, text = cut(Path(path).name), read_text(path)
    try:
        data = json.loads(text)
        wanted = (("projections", 3), ("directions", 2), ("counts", 2))
        matrices, directions, counts = (_numbers(data[key], axes) for key, axes in wanted)
        rows, privacy, published = data["rows"], str(data["privacy"]), data["published"] is True
        fits = counts.shape == (len(matrices), len(directions)) and matrices.shape[1] == directions.shape[1]
        if not (fits and type(rows) is int and 0 < rows <= _MOST_ROWS and counts.size <= MOST_COUNTS):
            raise ValueError("shapes that do not fit")
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{name} must be the structure of halfspaces as export wrote it, NAME-structure.json.", "file") from None
    return Halfspaces(Projections(matrices, directions), counts, rows, privacy, published)


def _numbers(given: object, axes: int) -> Floats:
    numbers = np.array(given, dtype=float)
    if numbers.ndim != axes or not numbers.size or numbers.shape[-1] > _MOST_DIMENSION or not np.isfinite(numbers).all():
        raise ValueError("no such array")
    return numbers
