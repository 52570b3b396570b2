"""The choice design: any cost of giving each of finitely many outputs, and weights that follow the staircase of that cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.noise.abstract_staircase import AbstractStaircase, Pairs
from dpdesigner.core.numbers.given import Number, exact, shown
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies import registry
from dpdesigner.studies.inputs import as_json, changed, checked_gamma, checked_name, design_members, noise_level
from dpdesigner.studies.said import Said, said
from dpdesigner.studies.study import Progress, silent

Floats = NDArray[np.float64]
Costs = tuple[tuple[Number, ...], ...]
Which = Literal["next", "all"]

LARGEST_TABLE = 60
_LARGEST_COST = 10**12


def distances(size: int) -> Costs:
    """Return the costs |r - q| of the answers and outputs 0..size - 1."""
    return tuple(tuple(abs(r - q) for r in range(size)) for q in range(size))


_FIRST = distances(6)


@dataclass(frozen=True, init=False)
class ChoiceDesign:
    """What each output costs for each state of the data, and how private the weights are.

    Parameters
    ----------
    costs : sequence of sequence of Number
        Rows are states of the data, columns outputs; at least 0, at most 60 of each.
    neighbours : {"next", "all"}
        Which states are neighbours: each and the next, or all of them.
    epsilon, alpha : Number
        The privacy level of the weights, epsilon in [1e-6, 700]; at most one of the two, epsilon = 1 if none is given. The
        probabilities have at most twice that epsilon.
    gamma : "optimal" or Number
        Where in each period the weights step down.
    name : str
        What the user calls it.
    privacy : PrivacyLevel
        Instead of epsilon or alpha.

    Raises
    ------
    InputError
        If one of them cannot be used; nothing is made then.
    """

    kind: ClassVar[str] = "choice"

    costs: Costs
    neighbours: Which
    privacy: PrivacyLevel
    gamma: Number
    name: str

    def __init__(
        self,
        costs: Sequence[Sequence[Number]] = _FIRST,
        neighbours: Which = "next",
        *,
        epsilon: Number | None = None,
        alpha: Number | None = None,
        gamma: Number = "optimal",
        name: str = "",
        privacy: PrivacyLevel | None = None,
    ) -> None:
        if neighbours not in get_args(Which):
            raise InputError(f"neighbours must be next or all, got {shown(neighbours)}.", "neighbours")
        values = {
            "costs": _checked_costs(costs),
            "neighbours": neighbours,
            "privacy": noise_level(epsilon, alpha, privacy),
            "gamma": checked_gamma(gamma),
            "name": checked_name(name),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)
        self.mechanism(1)  # checks the rest

    @property
    def epsilon(self) -> float:
        """The privacy level of the weights."""
        return self.privacy.epsilon

    @property
    def line(self) -> Said:
        """What is asked, in one line: ``one of a few · 6 × 6 costs · weights with ε = 1 (α = 0.3678)``."""
        size = {"rows": len(self.costs), "columns": len(self.costs[0]), "privacy": self.privacy.words}
        return said("one of a few · {rows} × {columns} costs · weights with {privacy}", **size)

    @property
    def certain_privacy(self) -> PrivacyLevel:
        """The privacy that is certain whatever the costs: twice the epsilon of the weights."""
        if self.privacy.exact_alpha is not None:
            return PrivacyLevel.from_alpha(self.privacy.exact_alpha**2)
        return PrivacyLevel.from_epsilon(2 * (self.privacy.exact_epsilon or 0))

    @property
    def pairs(self) -> Pairs:
        """The pairs of rows that are neighbours."""
        rows = len(self.costs)
        if self.neighbours == "all":
            return tuple((i, j) for i in range(rows) for j in range(i + 1, rows))
        return tuple((i, i + 1) for i in range(rows - 1))

    def mechanism(self, gamma: Number) -> AbstractStaircase:
        """Return the mechanism with the staircase weights of a gamma."""
        return AbstractStaircase(self.costs, self.epsilon, gamma, self.pairs)

    @cached_property
    def numbers(self) -> Floats:
        """The costs as doubles, (rows, columns)."""
        return np.array([[float(exact(cost, "costs")) for cost in row] for row in self.costs])

    def replace(self, **changes: Any) -> ChoiceDesign:
        """Return a copy with some inputs changed, checked again; parameters as `ChoiceDesign`."""
        return ChoiceDesign(**changed(self, _INPUTS, changes))

    def run(self, progress: Progress = silent) -> Any:
        """Compute the probabilities and their privacy; gives a `ChoiceOutcome`."""
        return registry.run(self, progress)

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as they were given."""
        form, number = self.privacy.given
        return {
            "kind": self.kind,
            "name": self.name,
            "costs": [[cost if isinstance(cost, (int, float)) else str(cost) for cost in row] for row in self.costs],
            "neighbours": self.neighbours,
            form: as_json(number),
            "gamma": as_json(self.gamma),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ChoiceDesign:
        """Make a design from JSON values.

        Raises
        ------
        InputError
            If a key is missing or unknown, or a value cannot be used.
        """
        return cls(**design_members(cls.kind, data, _INPUTS, ("costs", "neighbours")))


_INPUTS = ("costs", "neighbours", "gamma", "name")


def _checked_costs(costs: object) -> Costs:
    if not isinstance(costs, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in costs):
        raise InputError(f"the costs must be a table of numbers, got {shown(costs)}.", "costs")
    lengths = sorted({len(row) for row in costs})
    if not 2 <= len(costs) <= LARGEST_TABLE or len(lengths) > 1 or not 2 <= lengths[0] <= LARGEST_TABLE:
        got = f"{len(costs)} rows of {' or '.join(map(str, lengths)) or 'no'} costs"
        raise InputError(f"the costs must be 2 to {LARGEST_TABLE} rows, each of as many costs, got {got}.", "costs")
    if any(exact(cost, "costs") > _LARGEST_COST for row in costs for cost in row):
        raise InputError(f"every cost must be at most {_LARGEST_COST:g}.", "costs")
    return tuple(tuple(row) for row in costs)
