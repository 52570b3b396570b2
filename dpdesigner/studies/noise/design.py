"""The noise design: how much noise a private answer needs, the best that can be added beside Laplace.

For a real-valued query of sensitivity Delta the staircase is optimal for every even cost that grows, and for an integer query the
discrete staircase [Geng]; Laplace noise is what most others use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

from dpdesigner.core.cost.noise_cost import NoiseCost, PowerCost, noise_cost
from dpdesigner.core.noise.asked import Asked
from dpdesigner.core.noise.discrete_staircase import LARGEST_SENSITIVITY
from dpdesigner.core.noise.several_dimensions import LARGEST_DIMENSION
from dpdesigner.core.numbers.given import Number, exact, shown, whole
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies import registry
from dpdesigner.studies.inputs import as_json, changed, checked_cost, checked_gamma, checked_name, design_members, noise_level
from dpdesigner.studies.said import Said, said
from dpdesigner.studies.study import Progress, silent

Query = Literal["real", "integer"]

_LEAST_SENSITIVITY, _MOST_SENSITIVITY = Fraction(1, 10**9), 10**12
_LEAST_DELTA = Fraction(1, 10**100)
_MOST_ANSWERS = 100


@dataclass(frozen=True, init=False)
class NoiseDesign:
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
    """

    kind: ClassVar[str] = "noise"

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
        if query not in get_args(Query):
            raise InputError(f"the query must be one of {', '.join(get_args(Query))}, got {shown(query)}.", "query")
        values = {
            "query": query,
            "privacy": noise_level(epsilon, alpha, privacy),
            "sensitivity": _checked_sensitivity(sensitivity, query),
            "cost": checked_cost(cost),
            "gamma": checked_gamma(gamma),
            "dimension": _checked_dimension(dimension, query, noise_cost(cost)),
            "delta": _checked_delta(delta, query, dimension),
            "name": checked_name(name),
            "weights": _checked_weights(weights),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @property
    def epsilon(self) -> float:
        """The privacy level."""
        return self.privacy.epsilon

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
    def asked(self) -> Asked:
        """What is asked, in doubles."""
        delta = None if self.delta is None else float(exact(self.delta, "delta"))
        whole_numbers, chosen = self.query == "integer", self.chosen_gamma
        return Asked(whole_numbers, self.epsilon, self.period, self.cost, chosen, self.dimension, delta)

    @property
    def line(self) -> Said:
        """What is asked, in one line: ``real query · Δ = 1 · absolute error · ε = 1 (α = 0.3678)``."""
        query = said("integer query") if self.query == "integer" else said("real query")
        if self.dimension > 1:
            query = said("{count} real answers", count=self.dimension)
        delta = "" if self.delta is None else f" · δ = {self.delta}"
        parts = {"query": query, "period": self.sensitivity, "cost": self.cost_title, "privacy": self.privacy.words}
        return said("{query} · Δ = {period} · {cost} · {privacy}{delta}", **parts, delta=delta)

    @property
    def cost_title(self) -> str:
        """Short words for a summary; several answers cost a power of the sum of their absolute errors, never a sum of powers."""
        cost = self.noise_cost
        if self.dimension == 1 or not isinstance(cost, PowerCost):
            return cost.title
        titles = {1.0: "sum of absolute errors", 2.0: "squared sum of absolute errors"}
        return titles.get(cost.power, f"(sum of absolute errors)^{cost.power:.6g}")

    def replace(self, **changes: Any) -> NoiseDesign:
        """Return a copy with some inputs changed, checked again; parameters as `NoiseDesign`."""
        return NoiseDesign(**changed(self, _INPUTS, changes))

    def run(self, progress: Progress = silent) -> Any:
        """Compute the noise, its cost and the curves; gives a `NoiseOutcome`."""
        return registry.run(self, progress)

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as they were given."""
        form, number = self.privacy.given
        data: dict[str, Any] = {
            "kind": self.kind,
            "name": self.name,
            "query": self.query,
            form: as_json(number),
            "sensitivity": as_json(self.sensitivity),
            "cost": self.cost,
            "gamma": as_json(self.gamma),
            "dimension": self.dimension,
        }
        if self.delta is not None:
            data["delta"] = as_json(self.delta)
        if self.weights:
            data["weights"] = [as_json(weight) for weight in self.weights]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NoiseDesign:
        """Make a design from JSON values.

        Raises
        ------
        InputError
            If a key is missing or unknown, or a value cannot be used.
        """
        return cls(**design_members(cls.kind, data, _INPUTS, ("query", "sensitivity", "cost"), ("delta",)))


_INPUTS = ("query", "sensitivity", "cost", "gamma", "dimension", "delta", "name", "weights")


def _checked_sensitivity(sensitivity: Number, query: Query) -> Number:
    if query == "integer":
        whole(sensitivity, "sensitivity", 1, LARGEST_SENSITIVITY)
    elif not _LEAST_SENSITIVITY <= exact(sensitivity, "sensitivity") <= _MOST_SENSITIVITY:
        nearest_allowed = "1e12" if exact(sensitivity) > 1 else "1e-9"
        sentence = f"the sensitivity must be between 1e-9 and 1e12, got {shown(sensitivity)}."
        raise InputError(sentence, "sensitivity", nearest_allowed)
    return sensitivity


def _checked_dimension(dimension: int, query: Query, cost: NoiseCost) -> int:
    dimension = whole(dimension, "dimension", 1, LARGEST_DIMENSION)
    if dimension > 1 and query != "real":
        raise InputError(f"several dimensions are for real queries; an {query} query has 1.", "dimension")
    if dimension > 1 and not isinstance(cost, PowerCost):
        raise InputError(f"in {dimension} dimensions the cost must be absolute, squared, sum-of-squares or a power.", "cost")
    return dimension


def _checked_delta(delta: Number | None, query: Query, dimension: int) -> Number | None:
    if delta is None:
        return None
    if not _LEAST_DELTA <= exact(delta, "delta") < 1:
        usual = "1e-6" if exact(delta) < 1 else "1/2"
        raise InputError(f"delta must be between {float(_LEAST_DELTA):g} and 1, or left out, got {shown(delta)}.", "delta", usual)
    if query != "real" or dimension > 1:
        raise InputError("delta is for a single real answer; leave it out here.", "delta")
    return delta


def _checked_weights(weights: object) -> tuple[Number, ...]:
    if not isinstance(weights, (list, tuple)) or len(weights) > _MOST_ANSWERS:
        raise InputError(f"the weights must be a list of at most {_MOST_ANSWERS} numbers, got {shown(weights)}.", "weights")
    if any(exact(weight, "weights") <= 0 for weight in weights):
        raise InputError("every weight must be positive.", "weights")
    return tuple(weights)
