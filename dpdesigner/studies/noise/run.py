"""Runs a noise design: the best noise, its cost compared with Laplace noise, and the curves."""

from __future__ import annotations

from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.panels import panels_of
from dpdesigner.studies.study import Progress, silent


def run(design: NoiseDesign, progress: Progress = silent) -> NoiseAnswer:
    """Compute the noise, its cost and the curves."""
    return NoiseAnswer.of(design.noise_query, progress, design=design, panels=panels_of(design))
