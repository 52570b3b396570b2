"""A choice among finitely many outputs: any cost of giving each of them, and weights that follow the staircase of that cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.noise.abstract_staircase import AbstractStaircase, Pairs
from dpdesigner.core.numbers.given import Number, exact, shown
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies.inputs import members

Floats = NDArray[np.float64]
Costs = tuple[tuple[Number, ...], ...]
Which = Literal["next", "all"]

LARGEST_TABLE = 60
_LARGEST_COST = 10**12


def distances(size: int) -> Costs:
    """Return the costs |r - q| of the answers and outputs 0..size - 1."""
    return tuple(tuple(abs(r - q) for r in range(size)) for q in range(size))


_FIRST = distances(6)


@dataclass(frozen=True)
class TableQuery:
    """What each output costs for each state of the data.

    Attributes
    ----------
    costs : tuple of tuple of Number
        Rows are states of the data, columns outputs; at least 0, at most 60 of each.
    neighbours : {"next", "all"}
        Which states are neighbours: each and the next, or all of them.

    Raises
    ------
    InputError
        If one of them cannot be used.
    """

    costs: Costs = _FIRST
    neighbours: Which = "next"

    def __post_init__(self) -> None:
        if self.neighbours not in get_args(Which):
            raise InputError(f"neighbours must be next or all, got {shown(self.neighbours)}.", "neighbours")
        if not isinstance(self.costs, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in self.costs):
            raise InputError(f"the costs must be a table of numbers, got {shown(self.costs)}.", "costs")
        lengths = sorted({len(row) for row in self.costs})
        if not 2 <= len(self.costs) <= LARGEST_TABLE or len(lengths) > 1 or not 2 <= lengths[0] <= LARGEST_TABLE:
            got = f"{len(self.costs)} rows of {' or '.join(map(str, lengths)) or 'no'} costs"
            raise InputError(f"the costs must be 2 to {LARGEST_TABLE} rows, each of as many costs, got {got}.", "costs")
        object.__setattr__(self, "costs", tuple(tuple(row) for row in self.costs))
        if any(exact(cost, "costs") > _LARGEST_COST for row in self.costs for cost in row):
            raise InputError(f"every cost must be at most {_LARGEST_COST:g}.", "costs")
        self.mechanism(1.0)  # checks the rest

    @property
    def pairs(self) -> Pairs:
        """The pairs of rows that are neighbours."""
        rows = len(self.costs)
        if self.neighbours == "all":
            return tuple((i, j) for i in range(rows) for j in range(i + 1, rows))
        return tuple((i, i + 1) for i in range(rows - 1))

    def mechanism(self, epsilon: float, gamma: Number = 1) -> AbstractStaircase:
        """Return the mechanism with staircase weights."""
        return AbstractStaircase(self.costs, epsilon, gamma, self.pairs)

    @cached_property
    def numbers(self) -> Floats:
        """The costs as doubles, (rows, columns)."""
        return np.array([[float(exact(cost, "costs")) for cost in row] for row in self.costs])

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        rows = [[cost if isinstance(cost, (int, float)) else str(cost) for cost in row] for row in self.costs]
        return {"costs": rows, "neighbours": self.neighbours}

    @classmethod
    def from_json(cls, data: object) -> TableQuery:
        """Make one from `to_json`'s values; raises `InputError` for anything else."""
        return cls(**members(data, "a table", ("costs", "neighbours")))


def certain(asked: PrivacyLevel) -> PrivacyLevel:
    """Return the privacy that weights of this level have whatever the costs: twice its epsilon."""
    if asked.exact_alpha is not None:
        return PrivacyLevel.from_alpha(asked.exact_alpha**2)
    return PrivacyLevel.from_epsilon(2 * (asked.exact_epsilon or 0))
