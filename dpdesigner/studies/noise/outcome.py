"""What running a noise design gives: the noise, its cost beside Laplace, and the curves."""

from __future__ import annotations

import math
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.noise.best import Noise
from dpdesigner.core.noise.curves import (
    DensityCurves,
    DistributionCurves,
    GammaCurve,
    PlaneDensities,
    plane_densities,
    plane_density,
)
from dpdesigner.core.noise.delta import Alternative, DeltaCurves
from dpdesigner.core.noise.discrete_sampling import draw
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.several_dimensions import VectorStaircase, is_proved
from dpdesigner.core.noise.simulation import simulate_staircase, simulate_vector
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.noise.sweep import DimensionCurve, EpsilonCurves, dimension_curve
from dpdesigner.core.numbers.given import exact
from dpdesigner.core.numbers.rounding import figure, significant
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sampling import Below
from dpdesigner.errors import InputError
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.noise.budget import Budget, budget
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.said import Said, said

Floats = NDArray[np.float64]


#: What is computed for a view once it is opened.
_LATER = {"several": "by_dimension", "plane": "by_place"}
#: Percentages below this are rounding errors of doubles.
_ROUNDING = 1e-9

_WITH_DELTA = {
    "truncated-laplace": said("Truncated Laplace (ε, δ)"),
    "gaussian": said("Gaussian (ε, δ)"),
    "uniform": said("Uniform (0, δ)"),
}


def laplace_extra(extra: float) -> Said:
    """Return in a few words how much more Laplace noise costs, given that in percent."""
    if abs(extra) < _ROUNDING:
        return said("Laplace costs the same here")
    if extra < 0:
        return said("Laplace costs {percent} % less here", percent=significant(-extra, 2))
    if extra >= 300:
        return said("Laplace costs {ratio} times as much here", ratio=significant(1 + extra / 100, 3))
    return said("Laplace costs {percent} % more here", percent=significant(extra, 2))


@dataclass(frozen=True, eq=False)
class NoiseOutcome:
    """The noise of a design.

    Attributes
    ----------
    design : NoiseDesign
        What was asked.
    gamma : float
        The gamma of the noise: the best one, or the one chosen; for an integer query its split over the sensitivity.
    cost : float
        The expected cost of the noise; infinite where it diverges or leaves the range in which the cost can be computed.
    least : float
        The cost of the best gamma; `cost` unless another was chosen.
    laplace_cost : float
        The expected cost of Laplace noise, of discrete Laplace noise for an integer query.
    noise : Staircase, DiscreteStaircase or VectorStaircase
        The noise itself: density or mass, and what else it can tell.
    by_epsilon, by_gamma : EpsilonCurves, GammaCurve
        Costs.
    density : DensityCurves
        Both densities.
    alternatives : tuple of Alternative
        Noises that the design's delta allows, cheapest first.
    by_epsilon_with_delta : DeltaCurves or None
        Their costs.
    """

    design: NoiseDesign
    gamma: float
    cost: float
    least: float
    laplace_cost: float
    noise: Noise
    by_epsilon: EpsilonCurves = field(repr=False)
    by_gamma: GammaCurve = field(repr=False)
    density: DensityCurves = field(repr=False)
    alternatives: tuple[Alternative, ...]
    by_epsilon_with_delta: DeltaCurves | None = field(repr=False)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """What is told of it, its expected cost first."""
        return {**self._own(), **self._others()}

    def _own(self) -> dict[str, Finding]:
        """What it is and what is known of it."""
        state: State = "proved" if self.proved else "open"
        best = said("*") if self.design.gamma == "optimal" else said("")
        step = Finding(said("γ{star}", star=best), self.gamma, digits=4)
        if self.split is not None:
            note = said("of {period}", period=self.design.sensitivity)
            step = Finding(said("r{star}", star=best), self.split, note=note)
        verdict, _ = self.badge
        density = said("P(0)") if self.split is not None else said("density at 0")
        return {
            "value": Finding(said("expected cost"), self.cost, rounding="up", state=state, measure=self.design.cost),
            "proof": Finding(said("proof"), verdict, state=state, note=self.reason),
            "step": step,
            "saved": Finding(said("saved beside Laplace"), _number(self.saved), unit="%", digits=2),
            "height": Finding(density, float(self.noise.height), rounding="up"),
            "epsilon": Finding(
                said("ε attained, rounded up"), self.attained.epsilon_above, digits=6, rounding="up", state="proved"
            ),
        }

    def _others(self) -> dict[str, Finding]:
        """What it costs under names of its own beside what others cost."""
        design, real = self.design, self.design.query == "real"
        best = said("Staircase, best γ") if real else said("Discrete staircase, best r")
        if design.dimension > 1:
            best = said("Staircase, best γ for the {cost}", cost=design.noise_cost.title)
        costs: dict[str, tuple[Said, float]] = {"best": (best, self.least)}
        if design.gamma != "optimal":
            costs["chosen"] = said("Staircase, {gamma}", gamma=self.step), self.cost
        if real:
            costs["half"] = said("Staircase, γ = 1/2"), self.by_gamma.half
        costs["laplace"] = said("Laplace") if real else said("Discrete Laplace"), self.laplace_cost
        costs.update((other.key, (_WITH_DELTA[other.key], other.cost)) for other in self.alternatives)
        states: dict[str, State] = {"best": "proved" if self.best_proved else "open", "laplace": "given"}
        return {
            key: Finding(label, _number(cost), rounding="up", state=states.get(key, "open"), measure=design.cost)
            for key, (label, cost) in costs.items()
        }

    @property
    def ranking(self) -> tuple[str, ...]:
        """The findings that are costs of this noise and of others, the best first."""
        return tuple(self._others())

    numbers = ("step", "value", "laplace", "saved", "height")  #: the findings that are told with all their digits

    @property
    def line(self) -> Said:
        """What was asked, in one line."""
        return self.design.line

    @property
    def step(self) -> Said:
        """Where the noise steps down: ``γ* = 0.3775``, or for whole numbers ``r* = 2, Δ = 5``."""
        star = "*" if self.design.gamma == "optimal" else ""
        if isinstance(self.noise, DiscreteStaircase):
            return said("r{star} = {split}, Δ = {period}", star=star, split=self.noise.split, period=self.noise.sensitivity)
        return said("γ{star} = {gamma}", star=star, gamma=significant(self.gamma, 4))

    @property
    def badge(self) -> tuple[Said, State]:
        """How good it is known to be."""
        return (said("✓ proved optimal"), "proved") if self.proved else (said("not proved optimal"), "open")

    @property
    def checks(self) -> tuple[Said, ...]:
        """Where it steps down, and how much more Laplace noise costs."""
        return tuple(filter(None, (self.step, self.compared)))

    @property
    def compared(self) -> Said:
        """How much more Laplace noise costs, in a few words; empty where that is not known."""
        if not math.isfinite(self.laplace_ratio):
            infinite = self.laplace_cost == math.inf
            return said("Laplace noise has no finite cost to compare with") if infinite else said("")
        return laplace_extra(self.laplace_extra)

    @property
    def saved(self) -> float:
        """How many percent of the cost of Laplace noise are saved; nan where that is not a number."""
        saved = 100 * (1 - 1 / self.laplace_ratio) if self.laplace_ratio > 0 else math.nan
        return 0.0 if abs(saved) < _ROUNDING else saved

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy that the noise has: all that was asked for, since the staircase uses the whole bound."""
        return self.design.privacy

    @property
    def split(self) -> int | None:
        """The split r of discrete staircase noise; None for a real query."""
        return self.noise.split if isinstance(self.noise, DiscreteStaircase) else None

    @property
    def laplace_ratio(self) -> float:
        """How many times the cost of this noise Laplace noise costs; nan where that is not a number."""
        return self.laplace_cost / self.cost if 0 < self.cost < math.inf else math.nan

    @property
    def laplace_extra(self) -> float:
        """By how many percent Laplace noise costs more."""
        return 100 * (self.laplace_ratio - 1)

    @property
    def proved(self) -> bool:
        """Whether this noise is proved to be the best for its cost."""
        return self.design.gamma == "optimal" and self.best_proved

    @property
    def best_proved(self) -> bool:
        """Whether the noise of the best gamma, chosen or not, is proved to be the best for its cost."""
        growth = self.design.noise_cost.growth
        return self.least < math.inf and self._dimension_proved and growth.bounded and growth.certain

    @property
    def _dimension_proved(self) -> bool:
        cost = self.design.noise_cost
        return is_proved(self.design.dimension, cost.power if isinstance(cost, PowerCost) else math.nan)

    @property
    def reason(self) -> str:
        """One sentence: why it is proved to be the best, or why not."""
        dimension = self.design.dimension
        if self.cost == math.inf:
            return "the expected cost is infinite, or too large to be computed, at this epsilon."
        if self.design.gamma != "optimal":
            return f"gamma was chosen; the best one costs {figure(self.least, 6)}."
        if not self._dimension_proved:
            return f"the staircase is conjectured, not proved here, to be optimal in {dimension} dimensions for this cost."
        if dimension > 1:
            return "the staircase is optimal in two dimensions for the sum of absolute errors."
        return self.design.noise_cost.growth.reason

    @cached_property
    def laplace(self) -> Laplace:
        """The Laplace noise beside it; for a vector, of each coordinate."""
        return Laplace(self.design.epsilon, self.design.period)

    @cached_property
    def rival(self) -> Laplace | DiscreteStaircase:
        """The noise that the costs are compared with: Laplace, for whole numbers discrete Laplace noise of the same scale."""
        if isinstance(self.noise, DiscreteStaircase):
            return DiscreteStaircase(self.design.epsilon / self.noise.sensitivity, 1)
        return self.laplace

    @cached_property
    def distribution(self) -> DistributionCurves | None:
        """Both distribution functions, where the densities are; None for several answers."""
        if isinstance(self.noise, VectorStaircase):
            return None
        x = self.density.x
        return DistributionCurves(x, self.noise.cdf(x), self.rival.cdf(x))

    @cached_property
    def by_dimension(self) -> DimensionCurve:
        """Costs against the number of answers; the cost must be a power."""
        return dimension_curve(self.design.asked)

    @cached_property
    def by_place(self) -> PlaneDensities:
        """Both densities of the noise of two answers."""
        if not isinstance(self.noise, VectorStaircase) or self.design.dimension != 2:
            raise InputError("a picture of the plane needs two dimensions.", "dimension")
        return plane_densities(self.design.asked, self.noise)

    def ready(self, view: str) -> bool:
        """Tell whether what a view shows is computed."""
        return view not in _LATER or _LATER[view] in self.__dict__

    def prepare(self, view: str) -> None:
        """Compute what only this view shows; it takes longer than a frame."""
        if view in _LATER:
            getattr(self, _LATER[view])
        elif view == "budget" and self.design.dimension == 1:
            with suppress(InputError):  # said where the budget is shown
                self.budget  # noqa: B018

    @cached_property
    def budget(self) -> Budget:
        """What epsilon gives several answers; raises as `dpdesigner.studies.noise.budget.budget_shares`."""
        return budget(self.design)

    @property
    def geometric(self) -> PrivacyLevel | None:
        """The privacy level of the geometric mechanism that this noise is, or becomes when rounded; None if it is not.

        It is for an integer query of sensitivity 1, and for a real one of sensitivity 1 with gamma = 1/2.
        """
        design = self.design
        unit = design.dimension == 1 and exact(design.sensitivity, "sensitivity") == 1
        half = design.gamma != "optimal" and exact(design.gamma, "gamma") == Fraction(1, 2)
        return design.privacy if unit and (design.query == "integer" or half) else None

    def plane(self, periods: float = 3.0, size: int = 129) -> Floats:
        """Return the density of noise for two answers on a square of that many sensitivities to each side, (size, size)."""
        if not isinstance(self.noise, VectorStaircase) or self.design.dimension != 2:
            raise InputError("a picture of the plane needs two dimensions.", "dimension")
        return plane_density(self.noise, periods * self.design.period, size)

    def draws(self, size: int, below: Below = secrets.randbelow) -> tuple[int, ...]:
        """Return exact draws of integer noise, from the operating system's entropy.

        Raises
        ------
        InputError
            If the query is real: no floating-point draw is exact; see `simulate`.
        """
        if not isinstance(self.noise, DiscreteStaircase):
            raise InputError("exact draws are whole numbers; noise for a real query can only be simulated.", "query")
        noise = self.noise
        return tuple(draw(self.design.privacy, noise.split, noise.sensitivity, below) for _ in range(size))

    def simulate(self, size: int, seed: int) -> Floats:
        """Return noise for real answers FOR SIMULATION ONLY: floating-point noise does not protect real data.

        It comes from numpy's generator; callers seed that from the operating system's entropy.

        Returns
        -------
        ndarray
            (size,), for a vector (size, dimension).
        """
        generator = np.random.default_rng(seed)
        if isinstance(self.noise, VectorStaircase):
            return simulate_vector(self.noise, size, generator)
        if not isinstance(self.noise, Staircase):
            raise InputError("noise is simulated for real answers; whole numbers are drawn exactly.", "query")
        return simulate_staircase(self.noise, size, generator)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
