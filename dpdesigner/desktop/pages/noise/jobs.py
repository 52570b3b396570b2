"""What the noise page computes in the background besides the answer itself. No widget is touched here."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np

from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome


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


def prepared(found: NoiseOutcome, view: str) -> NoiseOutcome:
    """Return an outcome with what this view shows computed."""
    found.prepare(view)
    return found
