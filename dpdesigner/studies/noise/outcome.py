"""What running a noise study gives: the noise, its cost beside Laplace, and the curves."""

from __future__ import annotations

import math
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.noise.discrete_sampling import draw
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.several_dimensions import VectorStaircase, is_proved
from dpdesigner.core.noise.simulation import simulate_staircase, simulate_vector
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.numbers.given import exact
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sampling import Below
from dpdesigner.errors import InputError
from dpdesigner.studies.noise.budget import Budget, budget
from dpdesigner.studies.noise.curves import (
    DensityCurves,
    DistributionCurves,
    GammaCurve,
    PlaneDensities,
    plane_densities,
    plane_density,
)
from dpdesigner.studies.noise.delta import Alternative, DeltaCurves
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.sweep import DimensionCurve, EpsilonCurves, dimension_curve

Floats = NDArray[np.float64]
Noise = Staircase | DiscreteStaircase | VectorStaircase

#: What is computed for a view once it is opened.
_LATER = {"several": "by_dimension", "plane": "by_place"}


@dataclass(frozen=True, eq=False)
class NoiseOutcome:
    """The noise of a study.

    Attributes
    ----------
    study : NoiseStudy
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
        Noises that the study's delta allows, cheapest first.
    by_epsilon_with_delta : DeltaCurves or None
        Their costs.
    """

    study: NoiseStudy
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

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy that the noise has: all that was asked for, since the staircase uses the whole bound."""
        return self.study.privacy

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
        return self.study.gamma == "optimal" and self.best_proved

    @property
    def best_proved(self) -> bool:
        """Whether the noise of the best gamma, chosen or not, is proved to be the best for its cost."""
        growth = self.study.noise_cost.growth
        return self.least < math.inf and self._dimension_proved and growth.bounded and growth.certain

    @property
    def _dimension_proved(self) -> bool:
        cost = self.study.noise_cost
        return is_proved(self.study.dimension, cost.power if isinstance(cost, PowerCost) else math.nan)

    @property
    def reason(self) -> str:
        """One sentence: why it is proved to be the best, or why not."""
        dimension = self.study.dimension
        if self.cost == math.inf:
            return "the expected cost is infinite, or too large to be computed, at this epsilon."
        if self.study.gamma != "optimal":
            return f"gamma was chosen; the best one costs {figure(self.least, 6)}."
        if not self._dimension_proved:
            return f"the staircase is conjectured, not proved here, to be optimal in {dimension} dimensions for this cost."
        if dimension > 1:
            return "the staircase is optimal in two dimensions for the sum of absolute errors."
        return self.study.noise_cost.growth.reason

    @cached_property
    def laplace(self) -> Laplace:
        """The Laplace noise beside it; for a vector, of each coordinate."""
        return Laplace(self.study.epsilon, self.study.period)

    @cached_property
    def rival(self) -> Laplace | DiscreteStaircase:
        """The noise that the costs are compared with: Laplace, for whole numbers discrete Laplace noise of the same scale."""
        if isinstance(self.noise, DiscreteStaircase):
            return DiscreteStaircase(self.study.epsilon / self.noise.sensitivity, 1)
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
        return dimension_curve(self.study)

    @cached_property
    def by_place(self) -> PlaneDensities:
        """Both densities of the noise of two answers."""
        if not isinstance(self.noise, VectorStaircase) or self.study.dimension != 2:
            raise InputError("a picture of the plane needs two dimensions.", "dimension")
        return plane_densities(self.study, self.noise)

    def ready(self, view: str) -> bool:
        """Tell whether what a view shows is computed."""
        return view not in _LATER or _LATER[view] in self.__dict__

    def prepare(self, view: str) -> None:
        """Compute what only this view shows; it takes longer than a frame."""
        if view in _LATER:
            getattr(self, _LATER[view])
        elif view == "budget" and self.study.dimension == 1:
            with suppress(InputError):  # said where the budget is shown
                self.budget  # noqa: B018

    @cached_property
    def budget(self) -> Budget:
        """What epsilon gives several answers; raises as `dpdesigner.studies.noise.budget.budget_shares`."""
        return budget(self.study)

    @property
    def geometric(self) -> PrivacyLevel | None:
        """The privacy level of the geometric mechanism that this noise is, or becomes when rounded; None if it is not.

        It is for an integer query of sensitivity 1, and for a real one of sensitivity 1 with gamma = 1/2.
        """
        study = self.study
        unit = study.dimension == 1 and exact(study.sensitivity, "sensitivity") == 1
        half = study.gamma != "optimal" and exact(study.gamma, "gamma") == Fraction(1, 2)
        return study.privacy if unit and (study.query == "integer" or half) else None

    def plane(self, periods: float = 3.0, size: int = 129) -> Floats:
        """Return the density of noise for two answers on a square of that many sensitivities to each side, (size, size)."""
        if not isinstance(self.noise, VectorStaircase) or self.study.dimension != 2:
            raise InputError("a picture of the plane needs two dimensions.", "dimension")
        return plane_density(self.noise, periods * self.study.period, size)

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
        return tuple(draw(self.study.privacy, noise.split, noise.sensitivity, below) for _ in range(size))

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

    def facts(self) -> dict[str, Any]:
        """Return the results as JSON values; what is infinite or no number is None."""
        numbers = {
            "gamma": self.gamma,
            "cost": self.cost,
            "least_cost": self.least,
            "laplace_cost": self.laplace_cost,
            "laplace_ratio": self.laplace_ratio,
        }
        facts: dict[str, Any] = _json(numbers)
        if self.split is not None:
            facts["split"] = self.split
        if self.alternatives:
            facts["with_delta"] = {found.key: _json({"cost": found.cost, "width": found.width}) for found in self.alternatives}
        return {**facts, "proved": self.proved, "reason": self.reason}


def _json(numbers: dict[str, float]) -> dict[str, float | None]:
    return {key: value if math.isfinite(value) else None for key, value in numbers.items()}
