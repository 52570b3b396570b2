"""What the noise page computes in the background besides the answer itself. No widget is touched here."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpdesigner.desktop.pages.noise.meaning import Answer
from dpdesigner.studies.noise import queries as noise_queries
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.histogram_release import HistogramRelease, release_counts
from dpdesigner.studies.noise.histogram_truth import Truth
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.noise.views import views_of
from dpdesigner.studies.study import Progress


@dataclass(frozen=True)
class Draw:
    """Noise drawn for a study: one number for each answer."""

    study: NoiseStudy
    values: tuple[float, ...]
    whole: bool


def drawn(solved: NoiseOutcome) -> Draw:
    """Draw noise once: exactly for whole numbers, for simulation only otherwise."""
    if solved.split is not None:
        return Draw(solved.study, (float(solved.draws(1)[0]),), True)
    return Draw(solved.study, tuple(np.atleast_1d(solved.simulate(1, secrets.randbits(63))[0]).tolist()), False)


@dataclass(frozen=True, eq=False)
class Released:
    """One release of a study's histogram."""

    study: NoiseStudy
    release: HistogramRelease


def release(study: NoiseStudy, truth: Truth) -> Released:
    """Release counts once, with exact noise from the system's entropy."""
    edges = [float(edge) for edge in truth.query.edges]
    return Released(study, release_counts(truth.counts, edges, study.privacy, truth.query.neighbours))


def looked_at(study: NoiseStudy, view: str) -> Callable[[Progress], Answer]:
    """Return a run that computes too what only this view shows, so that it is not worked out while drawing."""

    def run(progress: Progress) -> Answer:
        found = noise_queries.run(study, progress)
        return prepared(found, view) if isinstance(found, NoiseOutcome) and view in views_of(study) else found

    return run


def prepared(found: NoiseOutcome, view: str) -> NoiseOutcome:
    """Return an outcome with what this view shows computed."""
    found.prepare(view)
    return found
