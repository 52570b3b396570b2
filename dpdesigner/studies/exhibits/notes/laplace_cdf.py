"""[Notes] Section 1.3: Laplace's distribution function as it is printed there, and right.

F(x) = (1/2) (1 + sgn(x) (1 - e^(-|x|/b))); the notes print 1 + e^(-|x|/b), which is above 1 for every x > 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Line, Plot
from dpdesigner.studies.study import Progress, silent


class LaplaceCdf(Exhibit):
    """Laplace distribution function."""

    exhibit = "notes/laplace-cdf"
    heading = message("Laplace’s distribution function")
    place = message("Section 1.3")
    claim = message("The cumulative distribution function of Lap(b) is ½ [1 + sgn(x) (1 + e^(−|x|/b))].")
    verdict = message("0.70, not 1.30 as printed")
    differs = message(
        "The sign before e should be −. As printed, the function is above 1 for every x > 0 and below 0 for every x < 0."
    )
    must = message(
        "A distribution function lies between 0 and 1. Integrating the density e^(−|x|/b)/2b up to x gives the minus sign."
    )

    b: Number = parameter(
        number("1/1000", 1000, scale="log", symbol="b", slide=("0.1", 10), ends=(message("narrow"), message("wide"))),
        "1",
        message("Scale"),
        message("scale b"),
    )
    x: Number = parameter(
        number(
            -100, 100, symbol="x", slide=(-4, 4), try_=(("0.5", message("printed: 1.30")), ("-1", message("printed: below 0")))
        ),
        "0.5",
        message("Where"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both functions."""
        b, x = double(self.b), double(self.x)
        right, printed = float(_chance(x, b, -1)), float(_chance(x, b, 1))
        reach = max(4.0, abs(x) * 1.1)
        places = np.linspace(-reach, reach, 401)
        plot = Plot(
            "cdf",
            message("Distribution function"),
            Axis("x", limits=(-reach, reach)),
            Axis(message("probability of at most x"), limits=(-0.6, 1.6)),
            (
                Line(places, _chance(places, b, -1), message("right")),
                Line(places, _chance(places, b, 1), message("as printed"), "rival", dashed=True),
            ),
            bands=(Band(1, 1.6, message("no probability"), along="y"), Band(-0.6, 0, along="y")),
            handles=(self.handle("x"),),
        )
        text = message(
            "At x = {x}, the printed function gives {printed}. The probability is {right}.",
            x=self.x,
            printed=f"{printed:.4g}",
            right=f"{right:.4g}",
        )
        return self.answer(
            {"value": Finding(message("probability of at most x"), right)}, (plot,), text, printed={"value": f"{printed:.5g}"}
        )


def _chance(x: ArrayLike, b: float, sign: int) -> NDArray[np.float64]:
    """Return the chance of at most x; `sign` stands before e^(-|x|/b)."""
    x = np.asarray(x, dtype=float)
    return np.asarray(0.5 * (1 + np.sign(x) * (1 + sign * np.exp(-abs(x) / b))))
