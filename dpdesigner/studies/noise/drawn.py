"""Noise that is drawn once, to be seen."""

from __future__ import annotations

import secrets

from dpdesigner.studies.noise.design import NoiseDesign
from dpdesigner.studies.noise.outcome import NoiseOutcome

_MOST = 4  # numbers that are told


def drawn(solved: NoiseOutcome) -> tuple[NoiseDesign, str]:
    """Draw noise once, a number for each answer: exactly for whole numbers, for simulation only otherwise."""
    if solved.split is not None:
        return solved.design, f"{solved.draws(1)[0]:+d}".replace("-", "−").replace("+0", "0")
    values = solved.simulate(1, secrets.randbits(63)).ravel().tolist()
    texts = [f"{value:+.4g}".replace("-", "−") for value in values[:_MOST]]
    return solved.design, ", ".join(texts + ["…"] * (len(values) > _MOST))
