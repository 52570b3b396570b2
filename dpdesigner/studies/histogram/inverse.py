"""The other way round: the level at which the noise of a number, or of each cell of a histogram, costs what is aimed for."""

from __future__ import annotations

from dpdesigner.core.noise.best_noise import epsilon_for_cost
from dpdesigner.core.noise.histogram import cell_privacy
from dpdesigner.core.noise.query import NoiseQuery as Question
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.histogram.conversion import Asked
from dpdesigner.studies.histogram.design import HistogramDesign
from dpdesigner.studies.job import Aim, Job
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.study import Progress, silent

#: Between these epsilons a slider aims.
_LEAST, _MOST = 0.01, 10.0


def level_for_cost(design: Asked, target: float, progress: Progress = silent) -> PrivacyLevel:
    """Return the most private level whose expected cost is at most a target; raises as `epsilon_for_cost`."""
    if isinstance(design, HistogramDesign):
        cell = cell_privacy(design.privacy, design.neighbours).epsilon
        epsilon = epsilon_for_cost(Question(True, cell, 1.0, design.cost), target, int(design.sensitivity.value), progress)
    else:
        epsilon = epsilon_for_cost(design.noise_query, target, progress=progress)
    return PrivacyLevel.from_epsilon(f"{epsilon:f}")


def aiming(design: Asked, target: float, final: bool) -> Job:
    """Return the job that looks for the level that reaches a target."""
    return Aim.job(design, final, lambda progress: level_for_cost(design, target, progress))


def reached(noise: NoiseAnswer) -> tuple[float, list[float]]:
    """Return the cost of noise, and what the same costs at other levels."""
    curve = noise.by_epsilon
    return noise.cost, curve.staircase[(curve.epsilon >= _LEAST) & (curve.epsilon <= _MOST)].tolist()
