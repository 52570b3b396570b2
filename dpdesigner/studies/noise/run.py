"""Running a noise study of a number or a vector: the best noise, its cost beside Laplace, and the curves."""

from __future__ import annotations

import math

from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase, best_split, discrete_laplace_cost, split_costs
from dpdesigner.core.noise.several_dimensions import VectorStaircase
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.studies.noise.costs import laplace_cost, least_cost, real_costs, split_of
from dpdesigner.studies.noise.curves import density_curves, gamma_curve
from dpdesigner.studies.noise.delta import delta_alternatives, delta_curves
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.outcome import Noise, NoiseOutcome
from dpdesigner.studies.noise.sweep import epsilon_curves
from dpdesigner.studies.study import Progress, silent


def compute(study: NoiseStudy, progress: Progress = silent) -> NoiseOutcome:
    """Run a noise study.

    Parameters
    ----------
    study : NoiseStudy
    progress : Progress
        Told of the curves against epsilon, which take longest the first time a cost is used.
    """
    noise, gamma, cost, least, laplace = _integer(study) if study.query == "integer" else _real(study)
    return NoiseOutcome(
        study,
        gamma,
        cost,
        least,
        laplace,
        noise,
        epsilon_curves(study, progress),
        gamma_curve(study),
        density_curves(study, noise),
        delta_alternatives(study),
        delta_curves(study, progress),
    )


def _integer(study: NoiseStudy) -> tuple[Noise, float, float, float, float]:
    cost, epsilon, size = study.noise_cost, study.epsilon, int(study.period)
    best = best_split(cost, epsilon, size)
    chosen = study.chosen_gamma
    split = best.split if chosen is None else split_of(chosen, size)
    value = best.cost if chosen is None else float(split_costs(cost, epsilon, size)[split - 1])
    laplace = discrete_laplace_cost(cost, epsilon, size)
    return DiscreteStaircase(epsilon, split, size), split / size, value, best.cost, laplace


def _real(study: NoiseStudy) -> tuple[Noise, float, float, float, float]:
    epsilon, period, dimension = study.epsilon, study.period, study.dimension
    best = least_cost(study.cost, epsilon, period, dimension)
    chosen = study.chosen_gamma
    gamma = best.gamma if chosen is None else chosen
    if math.isnan(gamma):
        gamma = 0.5
    value = best.cost if chosen is None else float(real_costs(study.cost, epsilon, gamma, period, dimension))
    noise: Noise = Staircase(epsilon, gamma, period)
    if dimension > 1:
        noise = VectorStaircase(epsilon, gamma or 1.0, dimension, period)
    return noise, gamma, value, best.cost, laplace_cost(study.cost, epsilon, period, dimension)
