"""One release of a study's histogram. No widget is touched here."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesigner.files.histogram_data import Truth
from dpdesigner.studies.histogram_release import HistogramRelease, release_counts
from dpdesigner.studies.noise import NoiseStudy


@dataclass(frozen=True, eq=False)
class Released:
    """One release of a study's histogram."""

    study: NoiseStudy
    release: HistogramRelease


def release(study: NoiseStudy, truth: Truth) -> Released:
    """Release counts once, with exact noise from the system's entropy."""
    edges = [float(edge) for edge in truth.query.edges]
    return Released(study, release_counts(truth.counts, edges, study.privacy, truth.query.neighbours))
