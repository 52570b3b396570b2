"""What noise costs when a delta is allowed: the alternatives at the current epsilon, and against epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.noise_cost import noise_cost
from dpdesigner.core.noise.approximate import AnalyticGaussian, ApproximateNoise, TruncatedLaplace, UniformNoise
from dpdesigner.core.noise.curves import Curves
from dpdesigner.core.noise.query import NoiseQuery
from dpdesigner.core.noise.sweep import epsilon_grid
from dpdesigner.progress import Progress, silent

Key = Literal["truncated-laplace", "gaussian", "uniform"]


@dataclass(frozen=True)
class Alternative:
    """One kind of (epsilon, delta)-private noise.

    Attributes
    ----------
    key : str
        ``"truncated-laplace"``, ``"gaussian"`` (analytic) or ``"uniform"`` (for
        epsilon = 0).
    noise : ApproximateNoise
        Its density.
    cost : float
        Its expected cost.
    width : float
        Half its range; for the Gaussian its standard deviation.
    """

    key: Key
    noise: ApproximateNoise
    cost: float
    width: float


@dataclass(frozen=True, eq=False)
class DeltaCurves(Curves):
    """Costs against epsilon at one delta; nan where there is no such noise.

    Attributes
    ----------
    epsilon : ndarray
        (m,): in equal ratios, the same as those of `EpsilonCurves`.
    truncated_laplace, gaussian, uniform : ndarray
        (m,) each; `uniform` does not depend on epsilon.
    """

    epsilon: Floats
    truncated_laplace: Floats
    gaussian: Floats
    uniform: Floats


def delta_alternatives(asked: NoiseQuery) -> tuple[Alternative, ...]:
    """Return the noises that the delta allows, cheapest first; none without one."""
    if asked.delta is None:
        return ()
    others = _alternatives(asked.cost, asked.epsilon, asked.delta, asked.period)
    return tuple(sorted(others, key=lambda alternative: alternative.cost))


def delta_curves(asked: NoiseQuery, progress: Progress = silent) -> DeltaCurves | None:
    """Return the costs of the alternatives against epsilon; None without a delta."""
    if asked.delta is None:
        return None
    epsilons = epsilon_grid(asked.epsilon)
    costs: dict[Key, Floats] = {key: np.full(len(epsilons), np.nan) for key in ("truncated-laplace", "gaussian", "uniform")}
    for j, epsilon in enumerate(epsilons.tolist()):
        progress(j / len(epsilons), "costs with delta")
        for alternative in _alternatives(asked.cost, epsilon, asked.delta, asked.period):
            costs[alternative.key][j] = alternative.cost
    return DeltaCurves(epsilons, costs["truncated-laplace"], costs["gaussian"], costs["uniform"])


@lru_cache(maxsize=2048)
def _alternatives(text: str, epsilon: float, delta: float, period: float) -> tuple[Alternative, ...]:
    cost = noise_cost(text)
    gaussian, uniform = AnalyticGaussian(epsilon, delta, period), UniformNoise.cheapest(cost, delta, period)
    others = [
        Alternative("gaussian", gaussian, gaussian.cost(cost), gaussian.sigma),
        Alternative("uniform", uniform, uniform.cost(cost), uniform.half_width),
    ]
    if delta <= 0.5:
        truncated = TruncatedLaplace(epsilon, delta, period)
        others.append(Alternative("truncated-laplace", truncated, truncated.cost(cost), truncated.half_width))
    return tuple(others)
