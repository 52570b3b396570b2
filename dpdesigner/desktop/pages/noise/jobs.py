"""What the noise page computes in the background besides the answer itself. No widget is touched here."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpdesigner.desktop.pages.noise.sides import Answer, Asked, side_of
from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome
from dpdesigner.studies.study import Progress


@dataclass(frozen=True)
class Draw:
    """Noise drawn for a design: one number for each answer."""

    design: NoiseDesign
    values: tuple[float, ...]
    whole: bool


def drawn(solved: NoiseOutcome) -> Draw:
    """Draw noise once: exactly for whole numbers, for simulation only otherwise."""
    if solved.split is not None:
        return Draw(solved.design, (float(solved.draws(1)[0]),), True)
    return Draw(solved.design, tuple(np.atleast_1d(solved.simulate(1, secrets.randbits(63))[0]).tolist()), False)


def looked_at(design: Asked, view: str) -> Callable[[Progress], Answer]:
    """Return a run that computes too what only this view shows, so that it is not worked out while drawing."""

    def run(progress: Progress) -> Answer:
        found: Answer = design.run(progress)
        side_of(design).look(found, view)
        return found

    return run


def prepared(found: NoiseOutcome, view: str) -> NoiseOutcome:
    """Return an outcome with what this view shows computed."""
    found.prepare(view)
    return found
