"""Running a noise design: the best noise, its cost beside Laplace, and the curves."""

from __future__ import annotations

from dpdesigner.core.noise.best import best_noise, rival_cost
from dpdesigner.core.noise.curves import density_curves, gamma_curve
from dpdesigner.core.noise.delta import delta_alternatives, delta_curves
from dpdesigner.core.noise.sweep import epsilon_curves
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.study import Progress, silent


def run(design: NoiseDesign, progress: Progress = silent) -> NoiseOutcome:
    """Compute the noise, its cost and the curves.

    Parameters
    ----------
    design : NoiseDesign
    progress : Progress
        Told of the curves against epsilon, which take longest the first time a cost is used.
    """
    asked = design.asked
    noise, gamma, cost, least = best_noise(asked)
    return NoiseOutcome(
        design,
        gamma,
        cost,
        least,
        rival_cost(asked),
        noise,
        epsilon_curves(asked, progress),
        gamma_curve(asked),
        density_curves(asked, noise),
        delta_alternatives(asked),
        delta_curves(asked, progress),
    )
