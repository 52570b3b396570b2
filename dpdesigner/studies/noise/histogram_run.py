"""Running a histogram study: the noise of one cell, which all cells share."""

from __future__ import annotations

from dpdesigner.core.noise import histogram
from dpdesigner.studies.noise import run as noise_run
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.histogram_query import HistogramQuery
from dpdesigner.studies.study import Progress, silent


def compute(study: NoiseStudy, query: HistogramQuery, progress: Progress = silent) -> HistogramOutcome:
    """Compute the noise of a histogram study."""
    privacy = histogram.cell_privacy(study.privacy, query.neighbours)
    cell = study.replace(query="integer", sensitivity=1, privacy=privacy, gamma="optimal", weights=())
    return HistogramOutcome(study, query, noise_run.compute(cell, progress))
