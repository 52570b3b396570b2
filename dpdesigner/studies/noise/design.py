"""The noise design: how much noise a private answer needs, the best that can be added beside Laplace.

For a real-valued query of sensitivity Delta the staircase is optimal for every even cost that grows, and for an integer query the
discrete staircase [Geng]; Laplace noise is what most others use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, get_args

from dpdesigner.core.cost.cost import NoiseCost
from dpdesigner.core.cost.noise_cost import PowerCost, noise_cost
from dpdesigner.core.noise.query import NoiseQuery
from dpdesigner.core.noise.validation import checked_delta, checked_dimension, checked_sensitivity, checked_weights
from dpdesigner.core.numbers.parsing import Number, exact, excerpt
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.inputs.checks import checked_cost, checked_gamma, checked_name, level_within
from dpdesigner.studies.private_design import PrivateDesign

Query = Literal["real", "integer"]


@dataclass(frozen=True, init=False)
class NoiseDesign(PrivateDesign):
    """A query that is to be answered with noise.

    Parameters
    ----------
    query : {"real", "integer"}
        What its answers are.
    epsilon, alpha : Number
        The privacy level, epsilon in [1e-6, 700]; at most one of the two, epsilon = 1 if none is given.
    sensitivity : Number
        Delta: by how much one row can change the answer (for a vector, in the L1 norm); a whole number for an integer query.
    cost : str
        What noise costs; see `dpdesigner.core.cost.noise_cost.noise_cost`. x has the unit of the query.
    gamma : "optimal" or Number
        Where in each period the noise steps down; for an integer query the split is the whole number nearest to gamma Delta.
    dimension : int
        1 for a single answer; more for a vector of real answers, with a power of its L1 norm or the sum of squares as cost.
    delta : Number or None
        If given, noise for (epsilon, delta) is computed for comparison; for a single real answer.
    name : str
        What the user calls it.
    privacy : PrivacyLevel
        Instead of epsilon or alpha.
    weights : sequence of Number
        If several answers share epsilon: the weight of each. Empty for one answer.

    Raises
    ------
    InputError
        If one of them cannot be used; nothing is made then.

    Examples
    --------
    >>> import dpdesigner as dp
    >>> result = dp.solve(dp.NoiseDesign("integer", epsilon=1, sensitivity=3))
    >>> result.split, round(result.cost, 4), round(result.laplace_cost, 4)
    (2, 2.8608, 2.9452)
    """

    kind: ClassVar[str] = "noise"
    needed: ClassVar[tuple[str, ...]] = ("query", "sensitivity", "cost")
    optional: ClassVar[tuple[str, ...]] = ("delta",)

    query: Query
    privacy: PrivacyLevel
    sensitivity: Number
    cost: str
    gamma: Number
    dimension: int
    delta: Number | None
    name: str
    weights: tuple[Number, ...]

    def __init__(
        self,
        query: Query = "real",
        *,
        epsilon: Number | None = None,
        alpha: Number | None = None,
        sensitivity: Number = 1,
        cost: str = "absolute",
        gamma: Number = "optimal",
        dimension: int = 1,
        delta: Number | None = None,
        name: str = "",
        privacy: PrivacyLevel | None = None,
        weights: Sequence[Number] = (),
    ) -> None:
        if not isinstance(query, str) or query not in get_args(Query):
            raise InputError(f"the query must be one of {', '.join(get_args(Query))}, got {excerpt(query)}.", "query")
        cost = checked_cost(cost)
        several = checked_dimension(dimension, query == "integer", noise_cost(cost))
        values = {
            "query": query,
            "privacy": level_within(epsilon, alpha, privacy),
            "sensitivity": checked_sensitivity(sensitivity, query == "integer"),
            "cost": cost,
            "gamma": checked_gamma(gamma),
            "dimension": several,
            "delta": checked_delta(delta, query == "real" and several == 1),
            "name": checked_name(name),
            "weights": checked_weights(weights),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @property
    def period(self) -> float:
        """Delta as a double."""
        return float(exact(self.sensitivity, "sensitivity"))

    @property
    def chosen_gamma(self) -> float | None:
        """The gamma that the user chose; None if it is to be optimal."""
        return None if self.gamma == "optimal" else float(exact(self.gamma, "gamma"))

    @property
    def noise_cost(self) -> NoiseCost:
        """What noise costs."""
        return noise_cost(self.cost)

    @cached_property
    def noise_query(self) -> NoiseQuery:
        """What is asked, in doubles."""
        delta = None if self.delta is None else float(exact(self.delta, "delta"))
        whole_numbers, chosen = self.query == "integer", self.chosen_gamma
        return NoiseQuery(whole_numbers, self.epsilon, self.period, self.cost, chosen, self.dimension, delta)

    @property
    def line(self) -> Message:
        """What is asked, in one line: ``real query · Δ = 1 · absolute error · ε = 1 (α = 0.3678)``."""
        query = message("integer query") if self.query == "integer" else message("real query")
        if self.dimension > 1:
            query = message("{count} real answers", count=self.dimension)
        delta = "" if self.delta is None else f" · δ = {self.delta}"
        parts = {"query": query, "period": self.sensitivity, "cost": self.cost_title, "privacy": self.privacy.description}
        return message("{query} · Δ = {period} · {cost} · {privacy}{delta}", **parts, delta=delta)

    @property
    def cost_title(self) -> str:
        """Short words for a summary; several answers cost a power of the sum of their absolute errors, never a sum of powers."""
        cost = self.noise_cost
        if self.dimension == 1 or not isinstance(cost, PowerCost):
            return cost.title
        titles = {1.0: "sum of absolute errors", 2.0: "squared sum of absolute errors"}
        return titles.get(cost.power, f"(sum of absolute errors)^{cost.power:.6g}")

    @property
    def inputs(self) -> dict[str, Finding]:
        """What is asked, as it is compared with what another design asks."""
        asked = {
            "query": Finding(message("query"), message("integer") if self.query == "integer" else message("real")),
            "answers": Finding(message("answers"), str(self.dimension)),
            "sensitivity": Finding(message("sensitivity Δ"), str(self.sensitivity)),
            "cost": Finding(message("cost of noise"), self.cost_title, measure=self.cost),
            "gamma": Finding(message("γ asked"), message("the best") if self.gamma == "optimal" else str(self.gamma)),
            "privacy": Finding(message("privacy asked"), self.privacy.description),
        }
        return asked if self.delta is None else {**asked, "delta": Finding("δ", str(self.delta))}
