"""Running a noise study, whatever its query is: a number, a vector, a histogram or a choice among a few outputs."""

from __future__ import annotations

from dpdesigner.studies import noise_histogram_run, noise_run, noise_table_run
from dpdesigner.studies.noise import NoiseStudy
from dpdesigner.studies.noise_histogram_outcome import HistogramOutcome
from dpdesigner.studies.noise_outcome import NoiseOutcome
from dpdesigner.studies.noise_table_outcome import TableOutcome
from dpdesigner.studies.study import Progress, silent


def run(study: NoiseStudy, progress: Progress = silent) -> NoiseOutcome | HistogramOutcome | TableOutcome:
    """Compute the noise, its cost and the curves; the mechanism, for a choice."""
    if study.query == "histogram":
        return noise_histogram_run.compute(study, study.histogram, progress)
    if study.query == "table":
        return noise_table_run.compute(study, study.table, progress)
    return noise_run.compute(study, progress)
