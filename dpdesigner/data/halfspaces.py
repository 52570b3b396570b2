"""Released structures of halfspaces in files, for readers of the release."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import Self

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut
from dpdesigner.core.synthetic.regions import MOST_COUNTS, Projections
from dpdesigner.data.grid import read_text
from dpdesigner.errors import InputError

_MOST_ROWS, _MOST_DIMENSION, _MOST = 10**9, 1000, 2.0**53


class Structure:
    """A released halfspace structure, read from a file.

    Attributes
    ----------
    plan : Projections
    counts : ndarray
        (m, |U|).
    rows : int
        How many points it stands for.
    privacy : str
        What is said of it.
    published : bool
        Whether it was drawn from the system's entropy; else it is for study only.
    ranges : ndarray or None
        Of the columns, (d, 2), if there are any.
    columns : str
        Their names in their order, separated by commas; empty if they have none.
    """

    def __init__(self, path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
        self.path, wanted = path, (("projections", 3), ("directions", 2), ("counts", 2))
        matrices, directions, self.counts = (_numbers(data[key], axes) for key, axes in wanted)
        self.plan, self.rows = Projections(matrices, directions), data["rows"]
        self.privacy, self.published, self.columns = str(data["privacy"]), data["published"] is True, str(data.get("columns", ""))
        self.ranges = _numbers(data["ranges"], 2) if "ranges" in data else None
        fits = self.counts.shape == (len(matrices), len(directions)) and matrices.shape[1] == directions.shape[1]
        fits = fits and (self.ranges is None or self.ranges.shape == (matrices.shape[2], 2))
        few = self.counts.size <= MOST_COUNTS and abs(self.counts).max() < _MOST
        if not (fits and few and type(self.rows) is int and 0 < self.rows <= _MOST_ROWS):
            raise ValueError("shapes that do not fit")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a structure from a file, or raise an `InputError`."""
        text = read_text(path)
        try:
            return cls(path, json.loads(text))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise no_structure(path) from None


def no_structure(path: str | os.PathLike[str]) -> InputError:
    """Return the error of a file that has no structure."""
    name = cut(Path(path).name)
    right = f"{stem}-structure.json" if not (stem := Path(name).stem).endswith("-structure") else "NAME-structure.json"
    return InputError(f"{name} must be the structure of halfspaces as export wrote it, like {right}.", "file")


def is_structure(path: str | os.PathLike[str]) -> bool:
    """Return whether a file has parts of a structure, even if it is none."""
    try:
        data = json.loads(read_text(path))
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and bool({"projections", "directions", "counts"} & data.keys())


def _numbers(given: object, axes: int) -> Floats:
    numbers = np.array(given, dtype=float)
    if numbers.ndim != axes or not numbers.size or numbers.shape[-1] > _MOST_DIMENSION or not np.isfinite(numbers).all():
        raise ValueError("no such array")
    return numbers
