"""The noise design: a numeric query answered privately by adding the best noise, compared with Laplace noise.

For a real-valued query of sensitivity Delta the staircase is optimal for every even cost that grows, and for an integer query the
discrete staircase [Geng]; Laplace noise is what most others use.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from typing_extensions import override

from dpdesigner.core.basics.accountant import Spent
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact, listed, parse_integer, plain
from dpdesigner.core.basics.rounding import brief, rounded_up, with_decimals
from dpdesigner.core.basics.sensitivity import histogram
from dpdesigner.core.noise.best_noise import checked_delta, checked_dimension, checked_sensitivity, checked_step, checked_weights
from dpdesigner.core.noise.cost import NoiseCost
from dpdesigner.core.noise.noise_cost import LEAST_EPSILON, MOST_EPSILON, NoiseQuery, PowerCost, noise_cost, step_of
from dpdesigner.core.noise.several_dimensions import LARGEST_DIMENSION
from dpdesigner.messages import Message, message
from dpdesigner.studies.base import DeclaredDesign, View, ViewValue
from dpdesigner.studies.fields import choice, declare, text
from dpdesigner.studies.findings import several, with_unit
from dpdesigner.studies.input_kinds import Input, NameInput, TextLike, checked_cost, checked_gamma, json_value
from dpdesigner.studies.number_inputs import OptionalInput, PrivacyInput, beyond
from dpdesigner.studies.snapshot import Action, Found, SideJob, Snapshot
from dpdesigner.studies.study import Job


class LevelInput(PrivacyInput):
    """The privacy level of noise; if a replaced row changes two cells, all cells together need twice the least epsilon."""

    def __init__(self) -> None:
        super().__init__(repr(LEAST_EPSILON), round(MOST_EPSILON))

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> PrivacyLevel:
        given = plain(given)
        level = given if isinstance(given, PrivacyLevel) else PrivacyLevel.from_epsilon(given)  # type: ignore[arg-type]
        least = LEAST_EPSILON * (int(histogram(others["neighbours"]).value) if "neighbours" in others else 1)
        if not least <= level.epsilon <= MOST_EPSILON:
            raise beyond(f"{least:g}", round(MOST_EPSILON), level, level.epsilon < least)
        return level


class SensitivityInput(TextLike[Number]):
    """The most by which one row can change the answer: an integer for an integer query."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        return checked_sensitivity(plain(given), others["query"] == "integer")

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: json_value(value)}


class CostInput(TextLike[str]):
    """The cost of an error; see `dpdesigner.core.noise.noise_cost.noise_cost`."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        return checked_cost(given)

    @override
    def text(self, value: str) -> str:
        return noise_cost(value).title


class GammaInput(TextLike[Number]):
    """The position of the step in each period, from 0 to 1, or ``"optimal"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        return checked_gamma(plain(given) if given != "" else "optimal")

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: json_value(value)}


class StepInput(OptionalInput):
    """The step between the numbers that can be published, for a single real answer; None for any real number."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number | None:
        single = others["query"] == "real" and others["dimension"] == 1
        return checked_step(super().read(given, key, others), others["sensitivity"], single)


class DimensionInput(TextLike[int]):
    """The number of answers that get joint noise."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int:
        count = parse_integer(given, "the number of answers", 1, LARGEST_DIMENSION, key)
        return checked_dimension(count, others["query"] == "integer", noise_cost(others["cost"]))


class DeltaInput(OptionalInput):
    """The delta of noise to compare with, for a single real answer without a step; None for no comparison."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number | None:
        single = others["query"] == "real" and others["dimension"] == 1 and others["step"] is None
        return checked_delta(plain(given) if given != "" else None, single)


class WeightsInput(Input[tuple[Number, ...]]):
    """The weights by which several answers share epsilon; empty for one answer."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Number, ...]:
        parts: Any = listed(given, "weights", key) if isinstance(given, str) else given
        return checked_weights(() if isinstance(given, str) and len(parts) == 1 else parts)

    @override
    def as_json(self, value: tuple[Number, ...], key: str) -> dict[str, Any]:
        return {key: json_value(value)} if value else {}

    @override
    def text(self, value: tuple[Number, ...]) -> str:
        return ", ".join(map(str, value))

    @override
    def identity(self, value: tuple[Number, ...]) -> Hashable:
        return value


Query = Literal["real", "integer"]

_QUERY = cast("Input[Query]", choice(("real", message("real")), ("integer", message("integer"))))
_SENSITIVITY: Input[Number] = SensitivityInput()
_COST: Input[str] = CostInput()
_GAMMA: Input[Number] = GammaInput()
_DIMENSION: Input[int] = DimensionInput()
_LARGEST = 10**15  # true answer, and step
_STEP: Input[Number | None] = StepInput(-_LARGEST, _LARGEST, "the step")
_DELTA: Input[Number | None] = DeltaInput(0, 1)
_WEIGHTS: Input[tuple[Number, ...]] = WeightsInput()
_TRUTH: Input[Number | None] = OptionalInput(-_LARGEST, _LARGEST, "the true answer")

#: The tab of each view with its tooltip, and the panels below it.
VIEWS: Mapping[str, View] = MappingProxyType(
    {
        view.key: view
        for view in (
            View(
                "density",
                message("Density"),
                ("density",),
                message("Probability of each amount of noise, compared with Laplace noise"),
            ),
            View(
                "distribution",
                message("Distribution"),
                ("distribution",),
                message("The distribution function, and the bounds within which most errors lie"),
            ),
            View("epsilon", message("Cost against ε"), ("epsilon", "epsilon-ratio"), tab=False),  # a card at the right has it
            View(
                "gamma",
                message("Step width"),
                ("gamma",),
                message("Expected cost against γ, the share of each step at the higher level"),
                rare=True,
            ),
            View("best", message("Best step width"), ("best",), message("The best γ against ε"), rare=True),
            View("delta", message("With δ"), ("delta",), message("Costs of (ε, δ)-private noise"), rare=True),
            View(
                "budget",
                message("Budget"),
                ("budget",),
                message("Several answers about the same people: how epsilon is shared among them"),
            ),
            View("plane", message("Plane"), ("plane",), message("The density of the noise of two answers, as a picture")),
            View(
                "several",
                message("Cost against d"),
                ("several", "several-ratio"),
                message("Expected cost against the number of answers"),
            ),
        )
    }
)
BESIDE = ("costs",)  #: the panels at the right
_FIRST, _LAST = ("density", "distribution", "budget"), ("epsilon", "gamma", "best")

#: Initially, the neighbouring answer is one sensitivity away, the bounds contain this share of the errors, and the errors are
#: counted within the bound of half of them (None). The effect of one person on the density is folded away.
LOOKS: Mapping[str, ViewValue] = MappingProxyType({"share": 1.0, "chance": 0.95, "within": None, "effect": False})

#: Computed for the open view only.
LATER = SideJob(
    "look",
    lambda answer, progress, view: answer.noise_shown.prepare(view),
    lambda now: not now.answer.noise_shown.ready(now.view["view"]),
    slow=False,
    live=True,
    reads=("view",),
)


def _draws(many: int, text: str, tip: str, command: str, shortcut: str = "", on: str = "density") -> Action:
    """Return the button that draws noise this many times: exactly for integers, otherwise for simulation only."""

    def run(now: Snapshot) -> Job:
        return Job("draw", lambda progress: Found(now.solved, now.answer.noise_shown.drawn(many)))

    number, main = lambda now: now.design.kind == "noise", bool(shortcut)
    return Action(text, run, tip, shortcut, on, command=command, presented=True, offered=number, main=main)


BUTTONS = (
    _draws(
        1,
        message("Draw once"),
        message("Draw noise once: whole numbers exactly, real numbers for simulation only"),
        message("Draw noise once"),
        "Ctrl+R",
        "density plane",
    ),
    _draws(100, message("× 100"), message("Draw noise a hundred times to see its spread"), message("Draw noise a hundred times")),
)


class NoiseDesign(DeclaredDesign):
    """A query to be answered with noise.

    Parameters
    ----------
    query : {"real", "integer"}
        What its answers are.
    epsilon, alpha : Number
        The privacy level, epsilon in [1e-6, 700]; exactly one of the two.
    sensitivity : Number
        Delta: by how much one row can change the answer (for a vector, in the L1 norm); a whole number for an integer query.
    cost : str
        What noise costs; see `dpdesigner.core.noise.noise_cost.noise_cost`. x has the unit of the query.
    gamma : "optimal" or Number
        Where in each period the noise steps down; for an integer query the split is the whole number nearest to gamma Delta.
    dimension : int
        1 for a single answer; more for a vector of real answers, with a power of its L1 norm or the sum of squares as cost.
    step : Number or None
        If given, a single real answer is rounded to a multiple of it, halves up, and gets exact noise in whole steps, from a
        sensitivity rounded up to whole steps.
    delta : Number or None
        If given, noise for (epsilon, delta) is computed for comparison; for a single real answer without a step.
    name : str
        What the user calls it.
    privacy : PrivacyLevel
        Instead of epsilon or alpha.
    unit : str
        The unit of its answers, like ``"hours"``; empty for a pure number.
    basis : str
        Why this is the sensitivity, and for which neighbours.
    weights : sequence of Number
        If several answers share epsilon: the weight of each. Empty for one answer.
    true_answer : Number or None
        The true answer, to see in the window what would be published; a whole number for an integer query. Exported files do not
        have it.

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
    views: ClassVar[tuple[View, ...]] = tuple(VIEWS[key] for key in (*_FIRST, *_LAST, "delta"))
    view_defaults: ClassVar[Mapping[str, ViewValue]] = LOOKS
    side_jobs: ClassVar[tuple[SideJob, ...]] = (LATER,)
    buttons: ClassVar[tuple[Action, ...]] = BUTTONS
    beside_views: ClassVar[tuple[str, ...]] = BESIDE
    needed: ClassVar[tuple[str, ...]] = ("sensitivity", "privacy")

    query: Query = declare(_QUERY, default="real", label=message("query"))
    privacy: PrivacyLevel = declare(LevelInput(), default=1, required=True, label=message("requested privacy"))
    sensitivity: Number = declare(_SENSITIVITY, default=1, label=message("sensitivity Δ"))
    cost: str = declare(_COST, default="absolute", label=message("cost of noise"))
    gamma: Number = declare(_GAMMA, default="optimal", label=message("requested γ"))
    dimension: int = declare(_DIMENSION, default=1, label=message("answers"))
    step: Number | None = declare(_STEP, default=None, label=message("step"), when=lambda design: design.step is not None)
    delta: Number | None = declare(_DELTA, default=None, label="δ", when=lambda design: design.delta is not None)
    unit: str = declare(text(longest=30), default="", label=message("unit"), when=lambda design: bool(design.unit))
    basis: str = declare(NameInput(600), default="", label=message("reason for Δ"), when=lambda design: bool(design.basis))
    weights: tuple[Number, ...] = declare(
        _WEIGHTS, default=(), label=message("weights of the answers"), when=lambda design: bool(design.weights)
    )
    true_answer: Number | None = declare(_TRUTH, default=None, label=message("true answer"), secret=True)

    if TYPE_CHECKING:  # epsilon or alpha instead of privacy, and numbers in any form

        def __init__(self, query: str = "real", **inputs: Any) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "views", self._own_views())

    def check(self) -> None:
        """Reject a true answer that an integer query cannot have."""
        if self.query == "integer" and self.true_answer is not None:
            parse_integer(self.true_answer, "the true answer", -_LARGEST, _LARGEST, "true_answer")

    def in_steps(self) -> NoiseDesign:
        """Return the design with a usual step for its sensitivity."""
        return self.replace(step=f"{step_of(self.period):f}", delta=None)

    def _own_views(self) -> tuple[View, ...]:
        """Return the views that apply to the design: several answers have no distribution function."""
        if self.dimension == 1:
            keys = (*_FIRST, *_LAST) if self.grid else (*_FIRST, *_LAST, "delta")
            return tuple(VIEWS[key] for key in keys)
        first = VIEWS["plane"] if self.dimension == 2 else replace(VIEWS["density"], panels=("density",))
        return first, *(VIEWS[key] for key in ("several", "epsilon", "gamma", "best"))

    @property
    def spent(self) -> Spent:
        """The privacy loss of one release: its level; delta is for comparison only."""
        return Spent(self.privacy)

    @property
    def epsilon(self) -> float:
        """The privacy level."""
        return self.privacy.epsilon

    @property
    def grid(self) -> Fraction | None:
        """The distance of the numbers that can be published: the step, 1 for an integer query; None for any real number."""
        return Fraction(1) if self.query == "integer" else None if self.step is None else exact(self.step, "step")

    @property
    def reach(self) -> Fraction:
        """The sensitivity Delta, rounded up to whole steps: that of the rounded answer."""
        delta = exact(self.sensitivity, "sensitivity")
        return math.ceil(delta / self.grid) * self.grid if self.grid else delta

    @property
    def rounding(self) -> Message:
        """The rounding of an answer to whole steps; empty without a step."""
        if not self.grid or self.step is None:
            return message("")
        half, step = f"{rounded_up(self.grid / 2, 3).normalize():f}", several(str(self.step), self.unit)
        words = message("Rounding to steps of {step}, halves up, changes the answer by at most {half}.")
        words = message(words, step=step, half=with_unit(half, self.unit))
        if self.reach == exact(self.sensitivity):
            return words
        return message("{words} Δ is rounded up to {reach}.", words=words, reach=with_unit(brief(self.period, 6), self.unit))

    @property
    def period(self) -> float:
        """The sensitivity Delta, rounded up to whole steps, as a double."""
        return float(self.reach)

    @property
    def chosen_gamma(self) -> float | None:
        """The user's gamma; None if it is to be optimal."""
        return None if self.gamma == "optimal" else float(exact(self.gamma, "gamma"))

    @property
    def noise_cost(self) -> NoiseCost:
        """The cost of an error, L(x)."""
        return noise_cost(self.cost)

    @cached_property
    def noise_query(self) -> NoiseQuery:
        """The query, in double precision."""
        delta = None if self.delta is None else float(exact(self.delta, "delta"))
        chosen, step = self.chosen_gamma, self.grid or Fraction(1)
        return NoiseQuery(bool(self.grid), self.epsilon, self.period, self.cost, chosen, self.dimension, delta, step)

    @property
    def line(self) -> Message:
        """The design in one line: ``real query · Δ = 1 · ε = 1 · absolute error``."""
        query = message("integer query") if self.query == "integer" else message("real query")
        if self.dimension > 1:
            query = message("{count} real answers", count=self.dimension)
        if self.step is not None:
            query = message("real query in steps of {step}", step=several(str(self.step), self.unit))
        delta = "" if self.delta is None else message(" · compared with δ = {delta}", delta=self.delta)
        parts = {
            "query": query,
            "period": with_unit(with_decimals(exact(self.sensitivity), str(self.sensitivity)), self.unit),
            "cost": self.cost_title,
            "privacy": self.privacy.description,
        }
        return message("{query} · Δ = {period} · {privacy} · {cost}{delta}", **parts, delta=delta)

    @property
    def cost_label(self) -> Message:
        """The name of the expected cost: an error where an error costs its size."""
        single = self._power if self.dimension == 1 else ""
        return {"1": message("expected error"), "2": message("expected squared error")}.get(single, message("expected cost"))

    @property
    def cost_unit(self) -> str:
        """The unit of the expected cost; empty where there is none."""
        squared = f"({self.unit})²" if " " in self.unit else f"{self.unit}²"
        return {"1": self.unit, "2": squared}.get(self._power, "") if self.unit else ""

    @property
    def _power(self) -> str:
        return f"{self.noise_cost.power:g}" if isinstance(self.noise_cost, PowerCost) else ""

    @property
    def cost_title(self) -> str:
        """A short phrase for a summary; several answers cost a power of the sum of absolute errors, never a sum of powers."""
        cost = self.noise_cost
        if self.dimension == 1 or not isinstance(cost, PowerCost):
            return cost.title
        titles = {1.0: "sum of absolute errors", 2.0: "squared sum of absolute errors"}
        return titles.get(cost.power, f"(sum of absolute errors)^{cost.power:.6g}")
