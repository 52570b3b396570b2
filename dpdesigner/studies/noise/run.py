"""Running a noise design: the best noise, its cost beside Laplace, and the curves."""

from __future__ import annotations

from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.study import Progress, silent


def run(design: NoiseDesign, progress: Progress = silent) -> NoiseOutcome:
    """Compute the noise, its cost and the curves."""
    return NoiseOutcome.of(design.noise_query, progress, design=design)
