"""The answer of a noise design: the noise, its cost compared with Laplace noise, and the curves."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any, ClassVar

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.basics.rounding import figure, significant, stated
from dpdesigner.core.basics.sampling import Below
from dpdesigner.core.noise.best_noise import Budget, full_budget
from dpdesigner.core.noise.curves import bar_edges
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase, draw
from dpdesigner.core.noise.noise_cost import PowerCost, decimals_of, nearest_step, noise_cost
from dpdesigner.core.noise.result import ROUNDING, NoiseResult
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.errors import InputError
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Why
from dpdesigner.studies.base import PanelAnswer
from dpdesigner.studies.findings import Finding, State, format_finding, root_of, several, with_unit
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plain_language import about, more
from dpdesigner.studies.plot_parts import Landing, tallied
from dpdesigner.studies.snapshot import Maker

#: The computations that a view needs, made when it is opened.
_LATER = {"several": "by_dimension", "plane": "by_place"}

_WITH_DELTA = {
    "truncated-laplace": message("Truncated Laplace (ε, δ)"),
    "gaussian": message("Gaussian (ε, δ)"),
    "uniform": message("Uniform (0, δ)"),
}


_SAME = 1e-11  # percent, of doubles
_MOST, _MOST_DECIMALS = 4, 9  # numbers shown for one draw, and decimals of one


@dataclass(frozen=True, eq=False)
class Drawn:
    """Drawn noise: one row per draw, with a number for each answer; and the true answer that it is added to, if given."""

    values: Floats
    truth: Number | None = None
    decimals: int | None = 0  #: shown of what would be published; None for a fraction
    step: Fraction | None = None  #: of what would be published, if it is no real number

    @property
    def text(self) -> str:
        """The numbers of the first draw, with their signs."""
        first = self.values[0]
        digits = ".3g" if self.step is None else ".12g"
        texts = [f"{value:+{digits}}" if self.step or abs(value) < 1000 else f"{value:+.0f}" for value in first[:_MOST].tolist()]
        return ", ".join(text.replace("-", "−") for text in texts) + ", …" * (len(first) > _MOST)

    @property
    def published(self) -> str:
        """The true answer with the noise of the first draw; empty if it is not given."""
        if self.truth is None:
            return ""
        value: Any = round(float(exact(self.truth)) + float(self.values[0, 0]), self.decimals) + 0.0  # turns -0.0 into 0
        if self.step is not None:
            value = (nearest_step(self.truth, self.step) + round(float(self.values[0, 0]) / self.step)) * self.step
            if self.decimals is None:
                return str(value).replace("-", "−")
            value = Decimal(value.numerator) / value.denominator
        shown = f"{value:,.{self.decimals}f}" if abs(value) >= 10_000 else f"{value:.{self.decimals}f}"
        return shown.replace(",", "\u202f").replace("-", "−")

    def landing(self, plot: Plot) -> Landing:
        """Return the draws on the density plot: a dot, or a bar for each step; several answers at their L1 norm."""
        curve, (many, answers) = plot.lines[0], self.values.shape
        places = np.abs(self.values).sum(axis=1) if answers > 1 else self.values[:, 0]
        if many > 1:
            return tallied(places, *bar_edges(curve.x, curve.y, answers, whole=curve.spikes), self)
        text = message("adds {noise}", noise=with_unit(self.text, plot.x.unit))
        if self.published:
            text = message("{truth} → {published}", truth=self.truth, published=with_unit(self.published, plot.x.unit))
        return Landing((float(places[0]),), (curve.at(places[0]),), text, self)


def laplace_extra(extra: float, discrete: bool = False) -> Message:
    """Return the extra cost of Laplace noise, given in percent, as a short phrase."""
    noise = message("Discrete Laplace noise") if discrete else message("Laplace noise")
    if abs(extra) < ROUNDING:
        return message("{noise} costs the same", noise=noise)
    if extra < 0:
        return message("{noise} costs {percent}% less", noise=noise, percent=significant(-extra, 2))
    return message("{noise} costs {more}", noise=noise, more=more(1.0, 1 + extra / 100, digits=2))


@dataclass(frozen=True, eq=False, repr=False)
class NoiseAnswer(NoiseResult, PanelAnswer):
    """The noise of a design.

    Attributes
    ----------
    design : NoiseDesign
    cost, laplace_cost : float
        The expected cost of the noise, and that of Laplace noise.
    gamma, split : float, int or None
        Where each period of the staircase steps down, as a share of the sensitivity; of integer noise as a whole number.
    noise : Staircase, DiscreteStaircase or VectorStaircase
    panels : mapping of str to Maker
    """

    design: NoiseDesign
    panels: Mapping[str, Maker]

    @property
    def noise_shown(self) -> NoiseAnswer:
        """The noise whose curves are shown; for a histogram, that of a cell."""
        return self

    parts = 1  #: how many times the ε of this noise is spent by one release

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings, with the expected cost first."""
        own = self._own()
        return {**own, **self._others(own["value"])}

    def _own(self) -> dict[str, Finding]:
        """The findings of the noise itself, its error in the unit of the answer first."""
        state: State = "proved" if self.proved else "open"
        any_is_best = self.least == math.inf
        best = message("*") if self.design.gamma == "optimal" and not any_is_best else message("")
        equal = message("every γ is equally good") if any_is_best else ""
        step = Finding(message("γ{star}", star=best), self.gamma, digits=4, note=equal)
        if isinstance(self.noise, DiscreteStaircase):
            note = message("of {period}" if self.design.step is None else "of {period} steps", period=self.noise.sensitivity)
            step = Finding(message("r{star}", star=best), self.split, note=note)
        density, design = message("P(0)") if self.split is not None else message("density at 0"), self.design
        return {
            **root_of(self.cost, design.dimension == 1 and design.noise_cost == PowerCost(2.0), design.unit, state),
            "value": Finding(design.cost_label, self.cost, design.cost_unit, 4, "up", state, design.cost),
            "proof": Finding(message("proof"), self.verdict, state=state, note=self.reason),
            "step": step,
            "saved": Finding(message("saving over Laplace"), _number(self.saved), "%", digits=2, rounding="down"),
            "height": Finding(density, float(self.noise.height), rounding="up"),
            "epsilon": Finding(message("ε attained, rounded up"), self.attained.epsilon_above, "", 6, "up", "proved"),
        }

    def _others(self, value: Finding) -> dict[str, Finding]:
        """The costs under names of their own compared with those of other noise."""
        design, real = self.design, self.split is None
        best = message("Staircase, best γ") if real else message("Discrete staircase, best r")
        if design.dimension > 1:
            best = message("Staircase, best γ for the {cost}", cost=design.noise_cost.title)
        costs: dict[str, tuple[Message, float]] = {"best": (best, self.least)}
        if design.gamma != "optimal":
            costs["chosen"] = message("Staircase, {gamma}", gamma=self.step), self.cost
        if real:
            costs["half"] = message("Staircase, γ = 1/2"), self.by_gamma.half
        costs["laplace"] = message("Laplace") if real else message("Discrete Laplace"), self.laplace_cost
        costs.update((other.key, (_WITH_DELTA[other.key], other.cost)) for other in self.alternatives)
        states: dict[str, State] = {"best": "proved" if self.best_proved else "open", "laplace": "given"}
        return {
            key: replace(value, label=label, value=_number(cost), state=states.get(key, "open"))
            for key, (label, cost) in costs.items()
        }

    @property
    def ranking(self) -> tuple[str, ...]:
        """The keys of the findings that are costs of this noise and of others, the best first."""
        return tuple(self._others(self.findings["value"]))

    numbers = ("step", "value", "laplace", "saved", "height")  #: the findings shown with full digits
    #: Plainer names of costs, for the window.
    shorts: ClassVar[Mapping[str, Message]] = {"best": message("Best staircase")}

    @property
    def step(self) -> Message:
        """The position of the step: ``γ* = 0.3775``, or for integers ``r* = 2, Δ = 5``."""
        star = "*" if self.design.gamma == "optimal" else ""
        if isinstance(self.noise, DiscreteStaircase):
            return message("r{star} = {split}, Δ = {period}", star=star, split=self.noise.split, period=self.noise.sensitivity)
        return message("γ{star} = {gamma}", star=star, gamma=significant(self.gamma, 4))

    @property
    def verdict(self) -> Message:
        """The proved quality."""
        if not self.proved:
            return message("not proved optimal")
        return message("✓ proved optimal") if self.design.delta is None else message("✓ proved optimal for δ = 0")

    @property
    def badge(self) -> tuple[Message, State]:
        """The proved privacy and quality of what is drawn exactly; of real numbers the quality."""
        if self.split is None:
            return self.verdict, "proved" if self.proved else "open"
        return message("✓ proved private · {optimal}", optimal=message("optimal") if self.proved else self.verdict), "proved"

    @property
    def checks(self) -> tuple[Message, ...]:
        """The privacy level, and the theorem behind the noise if it is proved to be the best."""
        how = message("in exact real numbers" if self.split is None else "by construction")
        private = message("✓ private: {epsilon}, {how}", epsilon=stated("ε", self.attained.epsilon_above), how=how)
        if not self.proved:
            return (private,)
        pure = "" if self.design.delta is None else message(" and δ = 0")
        return private, message(
            "✓ optimal for {cost}{pure}: proved by Geng and Viswanath", cost=self.design.cost_title, pure=pure
        )

    @property
    def headlines(self) -> tuple[Message, ...]:
        """The expected error in plain words, and how much larger it is with Laplace noise, in versions from long to short."""
        return headlines(self, self.design.cost_label, self.design.unit, self.design.dimension)

    @property
    def within_words(self) -> Message:
        """The noise, and the bound of half of the errors, rounded up; in whole steps their share, rounded down."""
        design, whole, bound = self.design, self.split is not None, self.half_within
        bound = max(bound, float(self.query.step)) if whole else bound
        return message(
            "<b>Add {name} noise: {share} of the published answers are within {bound} of {truth}.</b>",
            name=message("geometric") if self.is_geometric else message("staircase"),
            share=f"{math.floor(100 * self.chances(bound)[0] + _SAME)}%" if whole else message("half"),
            bound=(several if design.query == "integer" else with_unit)(figure(bound, 3), escape(design.unit)),
            truth=message("the truth") if self.design.step is None else message("the rounded truth"),
        )

    @property
    def sentence(self) -> str:
        """The expected cost and the extra cost of Laplace noise in plain words."""
        return self.headlines[0]

    @property
    def note(self) -> str:
        """The reason why the noise is not proved optimal."""
        return "" if self.proved else f"{self.reason[:1].upper()}{self.reason[1:]}"

    @property
    def why(self) -> Why:
        """The explanation of the noise page."""
        return Why(template="noise", help="noise")

    @property
    def compared(self) -> Message:
        """The additional cost of Laplace noise, in a few words; empty if it is not known."""
        if not math.isfinite(self.laplace_ratio):
            infinite = self.laplace_cost == math.inf
            return message("Laplace noise has no finite cost to compare with") if infinite else message("")
        return laplace_extra(self.laplace_extra, self.split is not None)

    @property
    def attained(self) -> PrivacyLevel:
        """The attained privacy of the noise: the requested level, since the staircase uses the whole bound."""
        return self.design.privacy

    def ready(self, view: str) -> bool:
        """Return whether the contents of a view have been computed."""
        return view not in _LATER or _LATER[view] in self.__dict__

    def prepare(self, view: str) -> NoiseAnswer:
        """Compute what only this view shows, which takes longer than a frame; return the outcome itself."""
        if view in _LATER:
            getattr(self, _LATER[view])
        elif view == "budget" and self.design.dimension == 1:
            with suppress(InputError):  # reported where the budget is shown
                self.budget  # noqa: B018
        return self

    @cached_property
    def budget(self) -> Budget:
        """The shares of epsilon of several answers; raises the errors of `dpdesigner.core.noise.best_noise.shares_of`."""
        return full_budget(self.query, self.design.privacy, self.design.weights)

    @property
    def geometric(self) -> PrivacyLevel | None:
        """The level of the geometric mechanism that this noise is, or becomes when rounded; None if it is not one.

        It is for an integer query of sensitivity 1, and for a real one of sensitivity 1 with gamma = 1/2.
        """
        design = self.design
        unit = design.dimension == 1 and design.step is None and exact(design.sensitivity, "sensitivity") == 1
        half = design.gamma != "optimal" and exact(design.gamma, "gamma") == Fraction(1, 2)
        return design.privacy if unit and (design.query == "integer" or half) else None

    @property
    def is_geometric(self) -> bool:
        """Whether the noise is geometric: then the discrete staircase and discrete Laplace noise are the same."""
        return isinstance(self.noise, DiscreteStaircase) and self.noise.sensitivity == 1

    @property
    def delta_text(self) -> str:
        """The text on the cheapest noise if a delta is allowed."""
        if self.design.delta is None:
            return message("Enter a δ above to compare with (ε, δ)-private noise.")
        best, shading = self.alternatives[0], message("The background colour shows which noise is cheapest.")
        words = message("Cheapest here: {name}, at {cost} instead of {pure} for the pure staircase. {shading}")
        if self.least <= best.cost:
            words = message("None of these noises with δ = {delta} is cheaper here: the pure staircase costs {pure}. {shading}")
        other, pure = self.findings[best.key], self.findings["best"]
        told = {"name": other.label, "cost": format_finding(other), "pure": format_finding(pure)}
        return message(words, delta=self.design.delta, shading=shading, **told)

    @property
    def geometric_text(self) -> str:
        """A sentence that is shown if this noise is the geometric mechanism."""
        if self.geometric is None:
            return ""
        if self.design.query == "integer":
            return message(
                "At sensitivity 1 the staircase is the two-sided geometric mechanism of the Count page, for every cost."
            )
        return message("With Δ = 1 and γ = 1/2, rounded to whole numbers, this is the geometric mechanism of the Count page.")

    @property
    def sampling(self) -> tuple[str, ...]:
        """Sentences on how exactly the noise can be drawn, and on where it is the geometric mechanism."""
        if self.design.step is not None:
            return message("Drawn exactly."), self.design.rounding, self._step_cost
        if self.split is not None:
            return message("Whole numbers are drawn exactly."), self.geometric_text
        if self.design.dimension > 1:
            return message("For simulation only: floating-point digits can reveal the answer."), self.geometric_text
        return message("Without steps it is for simulation only: the last digits can reveal the answer."), self.geometric_text

    @property
    def _step_cost(self) -> Message:
        """The extra cost of the noise in steps, in words."""
        extra = self.step_ratio(float(exact(self.design.sensitivity)))
        return message("The steps cost {more}.", more=more(1.0, extra, digits=2)) if extra > 1 + ROUNDING else message("")

    def draws(self, size: int, below: Below = secrets.randbelow) -> tuple[int | Fraction, ...]:
        """Return exact draws of noise in whole numbers or steps, from the operating system's entropy.

        Raises
        ------
        InputError
            If the query is real, without a step: no floating-point draw is exact; see `simulate`.
        """
        if not isinstance(self.noise, DiscreteStaircase):
            raise InputError("exact draws are whole numbers; noise for a real query can only be simulated.", "query")
        noise, step = self.noise, 1 if self.design.step is None else self.query.step
        return tuple(step * draw(self.design.privacy, noise.split, noise.sensitivity, below) for _ in range(size))

    def drawn(self, many: int = 1) -> Drawn:
        """Return draws, each with a number for each answer: exact ones of integer noise, otherwise for simulation only."""
        values = self.draws(many) if self.split is not None else self.simulate(many, secrets.randbits(63))
        truth, step = self.design.true_answer if self.design.dimension == 1 else None, self.design.grid
        decimals = 0 if step is None else decimals_of(step)
        if isinstance(self.noise, Staircase):  # two digits of what most noise is within
            decimals = min(max(1 - math.floor(math.log10(self.noise.within(0.95))), 0), _MOST_DECIMALS)
        return Drawn(np.array(values, dtype=np.float64).reshape(many, -1), truth, decimals, step)


def headlines(answer: Any, label: Message, unit: str, many: int = 1) -> tuple[Message, ...]:
    """Return an expected cost in plain words and how much more Laplace noise costs, the long version first."""
    cost = answer.findings["value"]
    if cost.number is None or cost.number == math.inf:
        return (message("The cost of an error is infinite, or too large to be computed."),)
    shown, unit, power = escape(format_finding(cost)), escape(unit), noise_cost(answer.design.cost)
    ratio = answer.laplace_cost / cost.number if cost.number else math.nan
    if many > 1 and power == PowerCost(1.0):
        short = message("<b>The error of all {many} answers together is {cost} on average.</b>", many=many, cost=shown)
    elif many > 1:
        short = message("<b>The error of all {many} answers together costs {cost} on average.</b>", many=many, cost=shown)
    elif isinstance(answer, NoiseAnswer):
        short = answer.within_words
    elif power == PowerCost(2.0):
        root = with_unit(about(math.sqrt(cost.number)), unit)
        short = message("<b>Each published count is wrong by about {root} (root mean square).</b>", root=root)
    elif power == PowerCost(1.0):
        mean = with_unit(about(cost.number), unit)
        short = message("<b>Each published count is wrong by about {mean} on average.</b>", mean=mean)
    else:
        short = message("<b>Each published count has an {label} of {cost}.</b>", label=label, cost=shown)
    laplace = answer.compared
    if laplace and many == 1 and power in (PowerCost(1.0), PowerCost(2.0)) and ratio > 1 + ROUNDING:
        error = message("squared error") if power.power == 2 else message("error")
        laplace = message("With Laplace noise, {more} {error}", more=more(1.0, ratio), error=error)
    whole = (message("{short} {laplace}.", short=short, laplace=laplace),) if laplace else ()
    return *whole, short


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
