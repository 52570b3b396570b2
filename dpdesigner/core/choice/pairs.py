"""Which rows of a table are neighbours, and how far apart they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesigner.arrays import Floats

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Neighbouring:
    """Which rows of a table are neighbours: each and the next, all of them, or those of a list.

    Attributes
    ----------
    which : "next", "all", or tuple of (int, int)
    rows : int
    """

    which: str | Pairs
    rows: int

    @property
    def pairs(self) -> Pairs:
        """The pairs; of "all" every one, where there are not too many."""
        if self.which == "all":
            return tuple((i, j) for i in range(self.rows) for j in range(i + 1, self.rows))
        if isinstance(self.which, str):
            return tuple((i, i + 1) for i in range(self.rows - 1))
        return self.which

    def farthest(self, values: Floats) -> Floats:
        """Return for each row by how much a value of it differs from that of a neighbour at most, (rows,)."""
        if self.which == "all":
            spread = np.maximum(values - values.min(axis=0), values.max(axis=0) - values)
            return np.asarray(spread.max(axis=1))
        distances = np.zeros(len(values))
        for i, j in self.pairs:
            far = float(np.abs(values[i] - values[j]).max())
            distances[i], distances[j] = max(distances[i], far), max(distances[j], far)
        return distances

    def same_way(self, values: Floats) -> bool:
        """Whether between neighbours all values of a row move the same way."""
        moves = (values[i] - values[j] for i, j in self.pairs)
        return all(bool((move >= 0).all() or (move <= 0).all()) for move in moves)
