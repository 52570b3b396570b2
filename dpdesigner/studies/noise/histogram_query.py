"""Histogram queries: how many people are in each cell, every cell released with exact integer noise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, get_args

from dpdesigner.core.numbers.given import exact, nearest, shown, whole
from dpdesigner.core.privacy import sensitivity
from dpdesigner.core.privacy.sensitivity import Neighbours
from dpdesigner.errors import InputError
from dpdesigner.studies.inputs import members

MOST_CELLS = 200
_LARGEST_COUNT = 10**12
_LONGEST = 4000
_RANGE = re.compile(r"\s*(\S+?)\s*(?:\.\.|…)\s*(\S+)(?:\s+by\s+(\S+))?\s*")


@dataclass(frozen=True)
class HistogramQuery:
    """What a histogram counts, and whose rows.

    Attributes
    ----------
    cells : str
        The lower edges of the cells, fixed beforehand and not taken from the data: ``"0, 18, 65"``, ``"0..10"`` or
        ``"0..500000 by 50000"``; the last cell is open above.
    neighbours : {"add-remove", "replace"}
        What one row may do: the sensitivity is 1 or 2.
    path, column : str
        Where the values are: a file, or ``example:NAME`` for a file that ships with the program; empty for none.
    counts : tuple of int or None
        The true counts, if the user wants them kept with the study; else only the place of the data is.

    Raises
    ------
    InputError
        If one of them cannot be used.
    """

    cells: str = "0..10"
    neighbours: Neighbours = "add-remove"
    path: str = ""
    column: str = ""
    counts: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.neighbours not in get_args(Neighbours):
            raise InputError(f"neighbours must be add-remove or replace, got {shown(self.neighbours)}.", "neighbours")
        for name in ("path", "column"):
            if not isinstance(getattr(self, name), str) or len(getattr(self, name)) > _LONGEST:
                raise InputError(f"the {name} of a histogram must be a text, got {shown(getattr(self, name))}.", name)
        if self.counts is not None:
            if len(self.counts) != len(self.edges):
                raise InputError(f"there must be one count a cell, {len(self.edges)}, got {len(self.counts)}.", "counts")
            counts = tuple(whole(count, "counts", 0, _LARGEST_COUNT) for count in self.counts)
            object.__setattr__(self, "counts", counts)
        self.edges  # noqa: B018  (checks the cells)

    @cached_property
    def edges(self) -> tuple[Fraction, ...]:
        """The lower edges of the cells, increasing."""
        return cell_edges(self.cells)

    @property
    def sensitivity(self) -> sensitivity.Sensitivity:
        """Of all cells together, and why."""
        return sensitivity.histogram(self.neighbours)

    def title(self, cell: int) -> str:
        """Return what a cell holds: ``3``, ``18 to <65``, ``65 or more``."""
        low = _text(self.edges[cell])
        if cell == len(self.edges) - 1:
            return f"{low} or more"
        if self._whole:
            return low
        return f"{low} to <{_text(self.edges[cell + 1])}"

    @cached_property
    def _whole(self) -> bool:
        edges = self.edges
        return all(edge.denominator == 1 for edge in edges) and all(b - a == 1 for a, b in pairwise(edges))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        data: dict[str, Any] = {"cells": self.cells, "neighbours": self.neighbours}
        if self.path:
            data["path"] = self.path
        if self.path or self.column:
            data["column"] = self.column
        return data if self.counts is None else {**data, "counts": list(self.counts)}

    @classmethod
    def from_json(cls, data: object) -> HistogramQuery:
        """Make one from `to_json`'s values; raises `InputError` for anything else."""
        given = members(data, "a histogram", ("cells", "neighbours", "path", "column", "counts"), (), ("counts",))
        counts = given.pop("counts", None)
        if counts is not None and not isinstance(counts, (list, tuple)):
            raise InputError(f"the counts of a histogram must be a list, got {shown(counts)}.", "file")
        return cls(**given, counts=None if counts is None else tuple(counts))


def cell_edges(text: object) -> tuple[Fraction, ...]:
    """Read the lower edges of cells; see `HistogramQuery`.

    Raises
    ------
    InputError
        If they are not increasing numbers, 1 to 200 of them.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(f"the cells must be a text such as 0..10, got {shown(text)}.", "cells")
    match = _RANGE.fullmatch(text)
    if match is None:
        edges = tuple(exact(part, "cells") for part in re.split(r"[,;\s]+", text.strip()) if part)
    else:
        low, high, step = (exact(part or "1", "cells") for part in match.groups())
        if step <= 0 or not 0 <= (high - low) / step < MOST_CELLS:
            raise InputError(f"the cells must rise in at most {MOST_CELLS} steps, got {shown(text)}.", "cells")
        edges = tuple(low + k * step for k in range(int((high - low) / step) + 1))
    if not 0 < len(edges) <= MOST_CELLS or any(a >= b for a, b in pairwise(edges)):
        raise InputError(f"the cells must be 1 to {MOST_CELLS} increasing lower edges, got {shown(text)}.", "cells")
    return edges


def _text(edge: Fraction) -> str:
    return str(edge.numerator) if edge.denominator == 1 else f"{nearest(edge):.6g}"
