"""What running a table study gives: probabilities, the privacy that they have, and what exponential weights would cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.noise.abstract_staircase import AbstractStaircase
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.noise.choice_query import TableQuery
from dpdesigner.studies.noise.design import NoiseStudy

Floats = NDArray[np.float64]

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class TableOutcome:
    """The mechanism of a table study.

    Attributes
    ----------
    study : NoiseStudy
        What was asked; its epsilon is that of the weights.
    query : TableQuery
        Its table.
    mechanism : AbstractStaircase
        Probabilities and the privacy that they have.
    gamma : Number
        The gamma of the mechanism: the best one, or the one chosen.
    """

    study: NoiseStudy
    query: TableQuery
    mechanism: AbstractStaircase
    gamma: Number

    proved = False

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy that the probabilities really have: rarely that of the weights, at most twice its epsilon."""
        asked, epsilon = self.study.privacy, self.mechanism.level
        if self.mechanism.equal_sums and epsilon >= asked.epsilon * (1 - _ROUNDING):
            return asked  # the weights sum to the same for every row, which makes this certain without rounding
        return PrivacyLevel.from_epsilon(epsilon)

    @property
    def cost(self) -> float:
        """The expected cost, every row being equally likely."""
        return float(self.row_costs(self.mechanism.matrix).mean())

    @property
    def exponential(self) -> Floats:
        """The probabilities of exponential weights exp(-epsilon C / Delta), which promise the same 2 epsilon."""
        period = float(self.mechanism.sensitivity) or 1.0
        logs = -self.study.epsilon * self.query.numbers / period
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    @property
    def exponential_cost(self) -> float:
        """The expected cost of those weights."""
        return float(self.row_costs(self.exponential).mean())

    def row_costs(self, matrix: Floats) -> Floats:
        """Return the expected cost of each row of a table of probabilities."""
        return np.asarray((matrix * self.query.numbers).sum(axis=1))

    @property
    def reason(self) -> str:
        """One sentence on its privacy."""
        return self.mechanism.statement

    def facts(self) -> dict[str, Any]:
        """Return the results as JSON values."""
        return {
            "rows": len(self.query.costs),
            "columns": len(self.query.costs[0]),
            "sensitivity": float(self.mechanism.sensitivity),
            "gamma": float(exact(self.gamma, "gamma")),
            "cost": self.cost,
            "exponential_cost": self.exponential_cost,
            "weights_epsilon": self.study.privacy.epsilon_above,
            "epsilon": self.mechanism.level,
            "proved": self.proved,
            "reason": self.reason,
        }
