"""The noise study: how much noise a private answer needs, the best that can be added beside Laplace.

For a real-valued query of sensitivity Delta the staircase is optimal for every even cost that grows, and for an integer query the
discrete staircase [Geng]; Laplace noise is what most others use. A histogram gets integer noise in every cell, a choice among
finitely many outputs weights that follow a staircase.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, get_args

from dpdesigner.core.cost.noise_cost import NoiseCost, PowerCost, noise_cost
from dpdesigner.core.noise.discrete_staircase import LARGEST_SENSITIVITY
from dpdesigner.core.noise.several_dimensions import LARGEST_DIMENSION
from dpdesigner.core.numbers.given import Number, exact, shown, whole
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies import registry
from dpdesigner.studies.inputs import checked_name, members, privacy_level
from dpdesigner.studies.noise.choice_query import TableQuery, certain
from dpdesigner.studies.noise.histogram_query import HistogramQuery
from dpdesigner.studies.study import Progress, silent

Query = Literal["real", "integer", "histogram", "table"]

LEAST_EPSILON, MOST_EPSILON = 1e-6, 700.0
_LEAST_SENSITIVITY, _MOST_SENSITIVITY = Fraction(1, 10**9), 10**12
_LEAST_DELTA = Fraction(1, 10**100)
_MOST_ANSWERS = 100


@dataclass(frozen=True, init=False)
class NoiseStudy:
    """A query that is to be answered with noise.

    Parameters
    ----------
    query : {"real", "integer", "histogram", "table"}
        What its answers are.
    epsilon, alpha : Number
        The privacy level, epsilon in [1e-6, 700]; at most one of the two, epsilon = 1 if none is given.
    sensitivity : Number
        Delta: by how much one row can change the answer (for a vector, in the L1 norm); a whole number for an integer query.
        That of a histogram follows from what one row may do; a table's from its costs.
    cost : str
        What noise costs; see `dpdesigner.core.cost.noise_cost.noise_cost`. x has the unit of the query.
    gamma : "optimal" or Number
        Where in each period the noise steps down; for an integer query the split is the whole number nearest to gamma Delta.
    dimension : int
        1 for a single answer; more for a vector of real answers, with a power of its L1 norm or the sum of squares as cost.
    delta : Number or None
        If given, noise for (epsilon, delta) is computed for comparison; for a single real answer.
    name : str
        What the user calls the study.
    privacy : PrivacyLevel
        Instead of epsilon or alpha.
    weights : sequence of Number
        If several answers share epsilon: the weight of each. Empty for one answer.
    histogram : HistogramQuery
        Of a histogram.
    table : TableQuery
        Of a choice among finitely many outputs.

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
    histogram: HistogramQuery
    table: TableQuery

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
        histogram: HistogramQuery | None = None,
        table: TableQuery | None = None,
    ) -> None:
        _check_kinds(query, cost, histogram, table)
        histogram = histogram or HistogramQuery()
        if query != "histogram":  # counts that are not shown must not be saved
            histogram = dataclasses.replace(histogram, counts=None)
        else:
            sensitivity = int(histogram.sensitivity.value)
        values = {
            "query": query,
            "privacy": _privacy(epsilon, alpha, privacy, int(sensitivity) if query == "histogram" else 1),
            "sensitivity": _checked_sensitivity(sensitivity, query),
            "cost": cost,
            "gamma": _checked_gamma(gamma),
            "dimension": _checked_dimension(dimension, query, noise_cost(cost)),
            "delta": _checked_delta(delta, query, dimension),
            "name": checked_name(name),
            "weights": _checked_weights(weights),
            "histogram": histogram,
            "table": table or TableQuery(),
        }
        for key, value in values.items():
            object.__setattr__(self, key, value)

    @property
    def epsilon(self) -> float:
        """The privacy level."""
        return self.privacy.epsilon

    @property
    def certain_privacy(self) -> PrivacyLevel:
        """The privacy that is certain before anything is computed; of a choice among a few outputs that is twice epsilon."""
        return certain(self.privacy) if self.query == "table" else self.privacy

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

    @property
    def cost_title(self) -> str:
        """Short words for a summary; several answers cost a power of the sum of their absolute errors, never a sum of powers."""
        cost = self.noise_cost
        if self.dimension == 1 or not isinstance(cost, PowerCost):
            return cost.title
        titles = {1.0: "sum of absolute errors", 2.0: "squared sum of absolute errors"}
        return titles.get(cost.power, f"(sum of absolute errors)^{cost.power:.6g}")

    def replace(self, **changes: Any) -> NoiseStudy:
        """Return a copy with some inputs changed, checked again; parameters as `NoiseStudy`."""
        given = {key: getattr(self, key) for key in _INPUTS}
        if not {"alpha", "epsilon", "privacy"} & changes.keys():
            given["privacy"] = self.privacy
        return NoiseStudy(**{**given, **changes})

    def run(self, progress: Progress = silent) -> Any:
        """Compute the noise, its cost and the curves; gives what `dpdesigner.studies.noise.queries.run` does."""
        return registry.run(self, progress)

    def to_json(self) -> dict[str, Any]:
        """Return the inputs as JSON values, numbers as they were given."""
        form, number = self.privacy.given
        data: dict[str, Any] = {
            "kind": self.kind,
            "name": self.name,
            "query": self.query,
            form: _as_json(number),
            "sensitivity": _as_json(self.sensitivity),
            "cost": self.cost,
            "gamma": _as_json(self.gamma),
            "dimension": self.dimension,
        }
        if self.delta is not None:
            data["delta"] = _as_json(self.delta)
        if self.weights:
            data["weights"] = [_as_json(weight) for weight in self.weights]
        for key, part, first in (("histogram", self.histogram, HistogramQuery()), ("table", self.table, TableQuery())):
            if key == self.query or part != first:
                data[key] = part.to_json()
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> NoiseStudy:
        """Make a study from JSON values.

        Raises
        ------
        InputError
            If a key is missing or unknown, or a value cannot be used.
        """
        allowed = ("kind", "epsilon", "alpha", *_INPUTS)
        given = members(data, "a noise design", allowed, ("query", "sensitivity", "cost"), ("delta",))
        if not {"epsilon", "alpha"} & given.keys():
            raise InputError("a noise design must have epsilon or alpha, got neither.", "file")
        if given.pop("kind", cls.kind) != cls.kind:
            raise InputError(f"a noise design's kind must be {cls.kind!r}, got {shown(data['kind'])}.", "kind")
        for key, read in (("histogram", HistogramQuery.from_json), ("table", TableQuery.from_json)):
            if key in given:
                given[key] = read(given[key])
        study = cls(**given)
        _check_kept(study, given["sensitivity"], given.get("histogram"))
        return study


_INPUTS = ("query", "sensitivity", "cost", "gamma", "dimension", "delta", "name", "weights", "histogram", "table")


def _check_kept(study: NoiseStudy, sensitivity: Number, histogram: HistogramQuery | None) -> None:
    """Refuse what a file says and the study made of it does not."""
    if exact(sensitivity, "sensitivity") != exact(study.sensitivity):
        what = f"with neighbours {study.histogram.neighbours} the sensitivity of a histogram must be {study.sensitivity}"
        raise InputError(f"{what}, got {shown(sensitivity)}.", "sensitivity")
    if histogram is not None and histogram.counts != study.histogram.counts:
        raise InputError(f"counts can be given for the query histogram only, got them for {study.query}.", "counts")


def _check_kinds(query: object, cost: object, histogram: object, table: object) -> None:
    """Raise an `InputError` if one of these is of another kind than it must be."""
    if query not in get_args(Query):
        raise InputError(f"the query must be one of {', '.join(get_args(Query))}, got {shown(query)}.", "query")
    if not isinstance(cost, str):
        raise InputError(f"the cost must be a text such as absolute, got {shown(cost)}.", "cost")
    for part, kind, field in ((histogram, HistogramQuery, "histogram"), (table, TableQuery, "table")):
        if part is not None and not isinstance(part, kind):
            raise InputError(f"the {field} must be a {kind.__name__}, got {shown(part)}.", field)


def _privacy(epsilon: Number | None, alpha: Number | None, privacy: PrivacyLevel | None, shares: int) -> PrivacyLevel:
    level = privacy_level(epsilon, alpha, privacy) or PrivacyLevel.from_epsilon(1)
    if not shares * LEAST_EPSILON <= level.epsilon <= MOST_EPSILON:
        allowed = f"between {shares * LEAST_EPSILON:g} and {MOST_EPSILON:g}"
        nearest_allowed = MOST_EPSILON if level.epsilon > MOST_EPSILON else shares * LEAST_EPSILON
        raise InputError(f"epsilon must be {allowed} for noise, got {level.epsilon:.6g}.", "epsilon", f"{nearest_allowed:g}")
    return level


def _checked_sensitivity(sensitivity: Number, query: Query) -> Number:
    if query == "integer":
        whole(sensitivity, "sensitivity", 1, LARGEST_SENSITIVITY)
    elif not _LEAST_SENSITIVITY <= exact(sensitivity, "sensitivity") <= _MOST_SENSITIVITY:
        nearest_allowed = "1e12" if exact(sensitivity) > 1 else "1e-9"
        sentence = f"the sensitivity must be between 1e-9 and 1e12, got {shown(sensitivity)}."
        raise InputError(sentence, "sensitivity", nearest_allowed)
    return sensitivity


def _checked_gamma(gamma: Number) -> Number:
    if gamma != "optimal" and not 0 <= exact(gamma, "gamma") <= 1:
        nearest_allowed = str(min(max(round(exact(gamma)), 0), 1))
        raise InputError(f"gamma must be optimal or between 0 and 1, got {shown(gamma)}.", "gamma", nearest_allowed)
    return gamma


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


def _as_json(value: Number) -> str | int | float:
    return str(value) if isinstance(value, Fraction) else value
