"""[Notes] Section 1.3: Laplace's distribution function as it is printed there, and right.

F(x) = (1/2) (1 + sgn(x) (1 - e^(-|x|/b))); the notes print 1 + e^(-|x|/b), which is above 1 for every x > 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Line, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class LaplaceCdf(Exhibit):
    """Laplace distribution function."""

    exhibit = "notes/laplace-cdf"
    heading = said("Laplace’s distribution function")
    place = said("Section 1.3")
    claim = said("The cumulative distribution function of Lap(b) is ½ [1 + sgn(x) (1 + e^(−|x|/b))].")
    verdict = said("printed 1.30, is 0.70")
    differs = said(
        "The sign before e must be −. As printed, the function is above 1 for every x > 0 and below 0 for every x < 0."
    )
    must = said(
        "A distribution function lies between 0 and 1. Integrating the density e^(−|x|/b)/2b up to x gives the minus sign."
    )

    b: Number = parameter(
        number("1/1000", 1000, scale="log", symbol="b", slide=("0.1", 10), ends=(said("narrow"), said("wide"))),
        "1",
        said("How wide"),
        said("scale b"),
    )
    x: Number = parameter(
        number(-100, 100, symbol="x", slide=(-4, 4), try_=(("0.5", said("printed: 1.30")), ("-1", said("printed: below 0")))),
        "0.5",
        said("Where"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both functions."""
        b, x = double(self.b), double(self.x)
        right, printed = float(_chance(x, b, -1)), float(_chance(x, b, 1))
        reach = max(4.0, abs(x) * 1.1)
        places = np.linspace(-reach, reach, 401)
        plot = Plot(
            "cdf",
            said("Distribution function"),
            Axis("x", limits=(-reach, reach)),
            Axis(said("probability of at most x"), limits=(-0.6, 1.6)),
            (
                Line(places, _chance(places, b, -1), said("right")),
                Line(places, _chance(places, b, 1), said("as printed"), "rival", dashed=True),
            ),
            bands=(Band(1, 1.6, said("no probability"), along="y"), Band(-0.6, 0, along="y")),
            handles=(self.handle("x"),),
        )
        text = said(
            "At x = {x} the printed function gives {printed}; the probability is {right}.",
            x=self.x,
            printed=f"{printed:.4g}",
            right=f"{right:.4g}",
        )
        return self.answer(
            {"value": Finding(said("probability of at most x"), right)}, (plot,), text, printed={"value": f"{printed:.5g}"}
        )


def _chance(x: ArrayLike, b: float, sign: int) -> NDArray[np.float64]:
    """Return the chance of at most x; `sign` stands before e^(-|x|/b)."""
    x = np.asarray(x, dtype=float)
    return np.asarray(0.5 * (1 + np.sign(x) * (1 + sign * np.exp(-abs(x) / b))))
