"""The noise of two answers on the plane of both."""

from __future__ import annotations

from dpdesigner.core.noise.several_dimensions import VectorStaircase, vector_laplace_density
from dpdesigner.core.numbers.rounding import significant
from dpdesigner.messages import Message, message
from dpdesigner.studies.matrices import Plane, Planes
from dpdesigner.studies.noise.answer import NoiseAnswer
from dpdesigner.studies.noise.plots import density


def planes(outcome: NoiseAnswer) -> tuple[Planes, ...]:
    """Return the densities of the noise of two answers and of Laplace noise, in the same colours; nothing for other studies."""
    noise, design = outcome.noise, outcome.design
    if not isinstance(noise, VectorStaircase) or design.dimension != 2:
        return ()
    shown, epsilon, period = outcome.by_place, design.epsilon, design.period

    def staircase(x: float, y: float) -> float:
        return float(noise.density(abs(x) + abs(y)))

    def laplace(x: float, y: float) -> float:
        return float(vector_laplace_density(abs(x) + abs(y), epsilon, 2, period))

    def read(x: float, y: float) -> Message:
        return message(
            "Noise ({x}, {y}), its L1 norm {norm}: density {steps} for the staircase, {smooth} for Laplace noise.",
            x=significant(x),
            y=significant(y),
            norm=significant(abs(x) + abs(y)),
            steps=significant(staircase(x, y)),
            smooth=significant(laplace(x, y)),
        )

    steps, smooth = message("Staircase, two answers"), message("Laplace")
    both = (
        Plane("plane", steps, shown.staircase, shown.reach, shown.ends, staircase, message("staircase")),
        Plane("plane-laplace", smooth, shown.laplace, shown.reach, shown.ends, laplace, smooth),
    )
    cut = density(outcome, 0)[0]
    return (Planes("plane", message("density of two answers"), both, cut, lambda x, y: abs(x) + abs(y), read),)
