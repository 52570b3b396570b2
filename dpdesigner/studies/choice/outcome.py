"""What running a choice design gives: probabilities, the privacy that they have, and what exponential weights would cost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.noise.abstract_staircase import AbstractStaircase
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.findings import Finding, State, shown
from dpdesigner.studies.said import Said, said
from dpdesigner.studies.told import Told

Floats = NDArray[np.float64]

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class ChoiceOutcome(Told):
    """The mechanism of a choice.

    Attributes
    ----------
    design : ChoiceDesign
        What was asked; its epsilon is that of the weights.
    mechanism : AbstractStaircase
        Probabilities and the privacy that they have.
    gamma : Number
        The gamma of the mechanism: the best one, or the one chosen.
    """

    design: ChoiceDesign
    mechanism: AbstractStaircase
    gamma: Number

    proved = False

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """What is told of it, its expected cost first."""
        worst = float(self.row_costs(self.mechanism.matrix).max())
        # Costs and neighbours, which a comparison must share, whatever the weights.
        measure = (self.design.costs, self.design.neighbours)
        return {
            "value": Finding(
                said("expected cost"), self.cost, rounding="up", measure=measure, note=said("all rows equally likely")
            ),
            "epsilon": Finding(
                said("ε attained, rounded up"),
                self.attained.epsilon_above,
                digits=6,
                rounding="up",
                state="measured",
                note=self.reason,
            ),
            "weights_epsilon": Finding(said("ε of the weights"), self.design.privacy.epsilon_above, digits=6, rounding="up"),
            "sensitivity": Finding(said("Δ"), self.mechanism.sensitivity),
            "step": Finding(said("γ"), exact(self.gamma, "gamma")),
            "worst": Finding(said("cost, worst row"), worst, rounding="up", measure=measure),
            "best": Finding(said("Staircase weights"), self.cost, rounding="up", state="open", measure=measure),
            "exponential": Finding(said("Exponential weights"), self.exponential_cost, rounding="up", measure=measure),
        }

    ranking = ("best", "exponential")  #: the findings that are costs of these weights and of others

    #: The findings that are told with all their digits.
    numbers = ("sensitivity", "step", "weights_epsilon", "epsilon", "value", "worst")

    @property
    def line(self) -> Said:
        """What was asked, in one line."""
        return self.design.line

    @property
    def badge(self) -> tuple[Said, State]:
        """The privacy that the probabilities really have."""
        return said("ε = {level} in all", level=shown(self.findings["epsilon"])), "open"

    @property
    def checks(self) -> tuple[Said, ...]:
        """Nothing beside the badge."""
        return ()

    @property
    def compared(self) -> Said:
        """The one thing to know beside the costs."""
        return said("Privacy of this table: ε = {level}", level=shown(self.findings["epsilon"]))

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy that the probabilities really have: rarely that of the weights, at most twice its epsilon."""
        asked, epsilon = self.design.privacy, self.mechanism.level
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
        logs = -self.design.epsilon * self.design.numbers / period
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    @property
    def exponential_cost(self) -> float:
        """The expected cost of those weights."""
        return float(self.row_costs(self.exponential).mean())

    def row_costs(self, matrix: Floats) -> Floats:
        """Return the expected cost of each row of a table of probabilities."""
        return np.asarray((matrix * self.design.numbers).sum(axis=1))

    @property
    def reason(self) -> str:
        """One sentence on its privacy."""
        return self.mechanism.statement
