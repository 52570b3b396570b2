"""The noise for a query: its cost compared with Laplace noise, its curves, its proof, and draws for simulation only.

Floating-point draws of staircase and Laplace noise, FOR SIMULATION ONLY.

Floating-point noise must never protect real data: which doubles can come out depends on the true answer, and that alone can give
it away (Mironov 2012). The generator is numpy's, which callers seed from the operating system's entropy. Where integers allow it,
`dpdesigner.core.noise.discrete_staircase` draws exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from typing_extensions import Self

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.noise.approximate import Alternative, DeltaCurves, delta_alternatives, delta_curves
from dpdesigner.core.noise.best_noise import Noise, best_noise, rival_cost
from dpdesigner.core.noise.cost import reach
from dpdesigner.core.noise.curves import (
    DensityCurves,
    DimensionCurve,
    DistributionCurves,
    EpsilonCurves,
    GammaCurve,
    PlaneDensities,
    density_curves,
    dimension_curve,
    epsilon_curves,
    gamma_curve,
    plane_densities,
)
from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import NoiseQuery, PowerCost
from dpdesigner.core.noise.several_dimensions import VectorStaircase, is_proved
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

#: From this epsilon on a table of the steps is short.
_TABLE = 0.05


def simulate_staircase(noise: Staircase, size: int, generator: np.random.Generator) -> Floats:
    """Return staircase noise for simulation, by [Geng]'s construction from four independent variables.

    Parameters
    ----------
    noise : Staircase
        Its epsilon, gamma and sensitivity.
    size : int
        How many.
    generator : numpy.random.Generator
        The source of pseudo-randomness.

    Returns
    -------
    ndarray
        (size,): S ((1 - B) (G + gamma U) + B (G + gamma + (1 - gamma) U)) Delta with a random sign S, G geometric on 0, 1, ...,
        U uniform in [0, 1), and B = 0 with probability gamma / (gamma + (1 - gamma) b).
    """
    b = math.exp(-noise.epsilon)
    gamma = noise.gamma or 1.0
    sign = generator.choice((-1.0, 1.0), size)
    period = generator.geometric(-math.expm1(-noise.epsilon), size) - 1.0
    place = generator.random(size)
    second = generator.random(size) * (gamma + (1 - gamma) * b) >= gamma
    inside = np.where(second, gamma + (1 - gamma) * place, gamma * place)
    return np.asarray(sign * (period + inside) * noise.sensitivity)


def simulate_vector(noise: VectorStaircase, size: int, generator: np.random.Generator) -> Floats:
    """Return staircase noise for a vector query, for simulation, (size, dimension).

    Notes
    -----
    The density is a mixture of uniform densities on the L1 balls of radius (k + gamma) Delta, with weights proportional to
    b^k (k + gamma)^d. The first d of d + 1 exponential variables over their sum, with random signs, are uniform on the unit ball.
    """
    d = noise.dimension
    parts = generator.exponential(size=(size, d + 1))
    signs = generator.choice((-1.0, 1.0), (size, d))
    radius = (_balls(noise, size, generator) + noise.gamma) * noise.sensitivity
    return np.asarray(signs * parts[:, :d] / parts.sum(axis=1, keepdims=True) * radius[:, None])


def _balls(noise: VectorStaircase, size: int, generator: np.random.Generator) -> Floats:
    """Draw k with weights b^k (k + gamma)^d: from a table, or where that is long by rejection from the negative binomial.

    b^k (k + gamma)^d is at most b^k (k + 1) ... (k + d), whose sum is that of a negative binomial variable with d + 1 successes.
    """
    d, gamma = noise.dimension, noise.gamma
    if noise.epsilon >= _TABLE:
        k = np.arange(math.ceil(reach(noise.epsilon, d)) + 1.0)
        weights = np.exp(d * (np.log(k + gamma) - math.log(k[-1] + gamma)) - noise.epsilon * k)
        return np.asarray(generator.choice(k, size, p=weights / weights.sum()))
    periods = np.empty(0)
    while len(periods) < size:
        k = generator.negative_binomial(d + 1, -math.expm1(-noise.epsilon), size).astype(float)
        accepted = np.exp(d * np.log(k + gamma) - np.log(np.add.outer(np.arange(1, d + 1), k)).sum(axis=0))
        periods = np.append(periods, k[generator.random(size) < accepted])
    return periods[:size]


_SAME = 1e-9  # of a step: bounds that are nearer are the same
#: Percentages below this are rounding errors of doubles.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class NoiseResult:
    """The noise for a query.

    Attributes
    ----------
    query : NoiseQuery
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
        Noises that the delta allows, cheapest first.
    by_epsilon_with_delta : DeltaCurves or None
        Their costs.
    """

    query: NoiseQuery = field(repr=False)
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

    @classmethod
    def of(cls, query: NoiseQuery, progress: Progress = silent, **own: Any) -> Self:
        """Compute the noise, its cost and the curves.

        Parameters
        ----------
        query : NoiseQuery
        progress : callable, optional
            Told of the curves against epsilon, which take longest the first time a cost is used.
        **own
            What a class made from this one has besides.
        """
        noise, gamma, cost, least = best_noise(query)
        return cls(
            query,
            gamma,
            cost,
            least,
            rival_cost(query),
            noise,
            epsilon_curves(query, progress),
            gamma_curve(query),
            density_curves(query, noise),
            delta_alternatives(query),
            delta_curves(query, progress),
            **own,
        )

    @property
    def saved(self) -> float:
        """The saving relative to Laplace noise, in percent; nan if undefined."""
        saved = 100 * (1 - 1 / self.laplace_ratio) if self.laplace_ratio > 0 else math.nan
        return 0.0 if abs(saved) < ROUNDING else saved

    @property
    def split(self) -> int | None:
        """The split r of discrete staircase noise; None for a real query."""
        return self.noise.split if isinstance(self.noise, DiscreteStaircase) else None

    @property
    def laplace_ratio(self) -> float:
        """The cost of Laplace noise divided by that of this noise; nan if undefined."""
        return self.laplace_cost / self.cost if 0 < self.cost < math.inf else math.nan

    @property
    def laplace_extra(self) -> float:
        """The extra cost of Laplace noise, in percent."""
        return 100 * (self.laplace_ratio - 1)

    @property
    def proved(self) -> bool:
        """Whether this noise is proved to be the best for its cost."""
        return self.query.gamma is None and self.best_proved

    @property
    def best_proved(self) -> bool:
        """Whether the noise of the best gamma, chosen or not, is proved to be the best for its cost."""
        growth = self.query.noise_cost.growth
        return self.least < math.inf and self._dimension_proved and growth.bounded and growth.certain

    @property
    def _dimension_proved(self) -> bool:
        cost = self.query.noise_cost
        return is_proved(self.query.dimension, cost.power if isinstance(cost, PowerCost) else math.nan)

    @property
    def reason(self) -> str:
        """One sentence on why it is proved optimal, or why not."""
        dimension = self.query.dimension
        if self.cost == math.inf:
            return "at this epsilon the expected cost is infinite or too large to compute."
        if self.query.gamma is not None:
            return f"gamma was chosen by you; the optimal one costs {figure(self.least, 6)}."
        if not self._dimension_proved:
            return f"the staircase is conjectured, not proved here, to be optimal in {dimension} dimensions for this cost."
        if dimension > 1:
            return "the staircase is optimal in two dimensions for the sum of absolute errors."
        return self.query.noise_cost.growth.reason

    @cached_property
    def laplace(self) -> Laplace:
        """The Laplace noise for comparison; for a vector, that of each coordinate."""
        return Laplace(self.query.epsilon, self.query.period)

    @cached_property
    def rival(self) -> Laplace | DiscreteStaircase:
        """The noise that the costs are compared with: Laplace, for whole numbers discrete Laplace noise of the same scale."""
        if isinstance(self.noise, DiscreteStaircase):
            return DiscreteStaircase(self.query.epsilon / self.noise.sensitivity, 1)
        return self.laplace

    @cached_property
    def distribution(self) -> DistributionCurves | None:
        """Both distribution functions, at the same points as the densities; None for several answers."""
        if isinstance(self.noise, VectorStaircase):
            return None
        x = self.density.x
        at = np.rint(x / float(self.query.step)) if self.query.integer else x
        return DistributionCurves(x, self.noise.cdf(at), self.rival.cdf(at))

    def bounds(self, chance: float) -> tuple[float, float]:
        """Return the bounds that contain this share of a single answer's errors, and of those of the noise to compare with."""
        noise: Any = self.noise
        return float(noise.within(chance) * self.query.step), float(self.rival.within(chance) * self.query.step)

    def chances(self, bound: float) -> tuple[float, float]:
        """Return the shares of a single answer's errors within a bound, and of those of the noise to compare with."""
        noise: Any = self.noise
        beyond = math.floor(bound / float(self.query.step) + _SAME) + 1 if self.query.integer else bound
        return 1 - 2 * float(noise.tail(beyond)), 1 - 2 * float(self.rival.tail(beyond))

    @property
    def half_within(self) -> float:
        """The least bound that half of a single answer's errors are within; of several answers, a third of the sensitivity."""
        return self.bounds(0.5)[0] if self.query.dimension == 1 else self.query.period / 3

    def step_ratio(self, period: float) -> float:
        """Return the cost divided by that of noise without steps, at the sensitivity before it was rounded; nan if undefined."""
        free = best_noise(replace(self.query, integer=False, step=Fraction(1), period=period)).cost
        return self.cost / free if 0 < free < math.inf else math.nan

    @cached_property
    def by_dimension(self) -> DimensionCurve:
        """Costs against the number of answers; the cost must be a power."""
        return dimension_curve(self.query)

    @cached_property
    def by_place(self) -> PlaneDensities:
        """The densities of both noises for two answers."""
        if not isinstance(self.noise, VectorStaircase) or self.query.dimension != 2:
            raise InputError("a picture of the plane needs two dimensions.", "dimension")
        return plane_densities(self.query, self.noise)

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
