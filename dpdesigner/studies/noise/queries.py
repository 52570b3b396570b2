"""Running a noise study, whatever its query is: a number, a vector, a histogram or a choice among a few outputs."""

from __future__ import annotations

from dpdesigner.studies.noise import choice_run as noise_table_run
from dpdesigner.studies.noise import histogram_run as noise_histogram_run
from dpdesigner.studies.noise import run as noise_run
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.study import Progress, silent


def run(study: NoiseStudy, progress: Progress = silent) -> NoiseOutcome | HistogramOutcome | TableOutcome:
    """Compute the noise, its cost and the curves; the mechanism, for a choice."""
    if study.query == "histogram":
        return noise_histogram_run.compute(study, study.histogram, progress)
    if study.query == "table":
        return noise_table_run.compute(study, study.table, progress)
    return noise_run.compute(study, progress)
