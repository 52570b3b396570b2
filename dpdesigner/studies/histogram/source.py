"""The source of the true counts of a histogram: cells or categories, and the place of the data."""

from __future__ import annotations

from typing import Literal, NamedTuple

from dpdesigner.core.noise.histogram import cell_edges

#: The treatment of rows in none of the categories, and who may know the list.
Outside = Literal["other", "refuse"]
Listed = Literal["public", "data"]


class Source(NamedTuple):
    """What is counted, and from where: designs with an equal source have the same true counts."""

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
        """How many cells there are."""
        return len(cell_edges(self.cells)) if self.categories is None else len(self.categories) + (self.outside == "other")
