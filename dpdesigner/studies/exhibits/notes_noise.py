"""[Notes] Sections 1.2 and 1.3: no release guarantees that nothing is learned; the Laplace distribution function.

[Notes] Section 1.3: Laplace's distribution function as it is printed there, and right.

F(x) = (1/2) (1 + sgn(x) (1 - e^(-|x|/b))); the notes print 1 + e^(-|x|/b), which is above 1 for every x > 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.core.basics.parsing import Number, double
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, curve, geometric_places, how_private, parameter, text
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Line, Mark
from dpdesigner.studies.study import Progress, silent

_MOST, _MEAN = 500.0, 50.0  # thousands: cap of the incomes; average of the others


class UtopianGoal(Exhibit):
    """Harm to people who are not in the data."""

    exhibit = "notes/utopian-goal"
    heading = message("Harm without taking part")
    place = message("Section 1.2")
    claim = message(
        "No useful release can guarantee that nothing is learned about an individual. If someone knows how your income "
        "compares with the average, the average reveals it, even if you are not in the data."
    )
    verdict = message("the average reveals your income")
    must = message(
        "A useful release reveals the average. Differential privacy guarantees only that your own row changes the "
        "probability of any release by a factor of at most e^ε."
    )

    epsilon: Number = how_private("1", up_to=5, try_=(1,))
    n: int = parameter(
        whole_number(10, 100000, symbol="n", slide=(10, 5000), try_=((100, message("a village")), (5000, message("a town")))),
        1000,
        message("Number of people"),
    )
    more: Number = parameter(
        number(-50, 200, symbol=message("you"), slide=(-50, 100), try_=((20, message("20% more")),)),
        "20",
        message("Your income relative to the average"),
        message("% more"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Guess the income from the released average, with and without the row in the table."""
        e, n, factor = self.privacy.epsilon, self.n, 1 + double(self.more) / 100
        yours = factor * _MEAN
        scale = _MOST / (n * e)
        inside = (_MEAN * (n - 1) + yours) / n
        places = np.linspace(max(0.0, yours - 12 * max(scale * factor, 1.0)), yours + 12 * max(scale * factor, 1.0), 401)
        wide = max(factor, 1e-9)
        law = Laplace(e, _MOST / n)
        away, within = (law.density(places / wide - mean) / wide for mean in (_MEAN, inside))
        picture = Plot(
            "guess",
            message("An outsider’s guess of your income"),
            Axis(message("thousands")),
            Axis(message("density")),
            (
                Line(places, away, message("you are not in the table")),
                Line(places, within, message("you are in the table"), "rival", dashed=True),
            ),
            marks=(Mark(yours, 0.0, message("your income")),),
        )
        before = (yours**2 + (_MOST - yours) ** 2) / (2 * _MOST)  # mean distance of a uniform guess in 0 to 500
        after = factor * scale
        ratio = math.exp(min(abs(inside - _MEAN) / scale, e))
        findings = {
            "value": Finding(
                message("expected error of the guess, after the release"), after, message("thousand"), digits=4, rounding="up"
            ),
            "before": Finding(message("expected error of the guess, before"), before, message("thousand"), digits=4),
            "moved": Finding(message("change of the average by your row"), abs(inside - _MEAN), message("thousand"), digits=4),
            "ratio": Finding(
                message("factor by which your row changes any probability, at most"), ratio, digits=6, rounding="up"
            ),
            "promised": Finding(message("limit from privacy, e^ε"), math.exp(e), digits=6, rounding="up"),
        }
        sentence = message(
            "After the release, the guess of your income has an expected error of {after} thousand, whether or not you "
            "are in the table.",
            after=text(after, 3, "up"),
        )
        return self.answer(findings, (picture, self._error(before, factor, n)), sentence)

    def _error(self, before: float, factor: float, n: int) -> Plot:
        return Plot(
            "error",
            message("Expected error of the guess"),
            Axis("ε", scale="log"),
            Axis(message("thousands"), scale="log"),
            (
                curve(geometric_places(0.01, 5), lambda x: factor * _MOST / (n * x), message("after the release")),
                curve(geometric_places(0.01, 5), lambda x: before, message("before"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )


class LaplaceCdf(Exhibit):
    """The Laplace distribution function."""

    exhibit = "notes/laplace-cdf"
    heading = message("Laplace’s distribution function")
    place = message("Section 1.3")
    claim = message("The probability that Laplace noise of scale b is at most x is ½ [1 + sgn(x) (1 + e^(−|x|/b))].")
    verdict = message("a sign error: 0.70, not 1.30")
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
        """Compute both distribution functions."""
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
    """Return the probability of at most x; `sign` is the sign of e^(-|x|/b)."""
    x = np.asarray(x, dtype=float)
    return np.asarray(0.5 * (1 + np.sign(x) * (1 + sign * np.exp(-abs(x) / b))))
