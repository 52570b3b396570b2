"""[Geng]: as eps grows, what the staircase costs falls faster than Laplace noise.

|x|: V e^(eps/2) -> 1, Laplace 1/eps; x^2: V e^(2 eps/3) -> 2^(-2/3), Laplace 2/eps^2 (Delta = 1).
"""

from __future__ import annotations

import math

from dpdesigner.core.noise.staircase import absolute_gamma, least_absolute_cost, least_squared_cost, squared_gamma
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class LowPrivacy(Exhibit):
    """The advantage of the staircase where privacy is low."""

    exhibit = "geng/low-privacy"
    heading = message("Large gain at low privacy")
    place = message("Slides “Application: L(x) = |x|” and “Application: L(x) = x²”")
    claim = message(
        "As ε → ∞ the least expected cost is Θ(Δ e^(−ε/2)) for |x| and Θ(Δ² e^(−2ε/3)) for x². Laplace noise costs Δ/ε "
        "and 2Δ²/ε²."
    )
    verdict = message("Laplace noise: 2.42 times the optimum")
    must = message(
        "Laplace noise spreads over a width of about 1/ε. The staircase has nearly all its probability in a bar of "
        "width about e^(−ε/2)."
    )

    epsilon: Number = how_private("5", up_to=20, slide=15, try_=((5, message("2.42 times")), (10, message("14.8 times"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the least costs and their limits."""
        e = double(self.epsilon)
        one, two = float(least_absolute_cost(e)), float(least_squared_cost(e))
        places = geometric_places(0.05, 15)
        ratio = Plot(
            "ratio",
            message("Laplace noise relative to the optimum"),
            Axis("ε", scale="log"),
            Axis(message("ratio"), scale="log"),
            (
                curve(places, lambda x: 1 / x / least_absolute_cost(x), message("|x|")),
                curve(places, lambda x: 2 / x**2 / least_squared_cost(x), message("x²"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(message("Laplace noise relative to the optimum, |x|"), 1 / e / one, digits=10),
            "ratio-2": Finding(message("Laplace noise relative to the optimum, x²"), 2 / e**2 / two, digits=10),
            "cost": Finding(message("least expected error"), one, digits=12),
            "cost-2": Finding(message("least expected squared error"), two, digits=12),
            "laplace": Finding(message("expected error of Laplace noise"), 1 / e, digits=6),
            "laplace-2": Finding(message("expected squared error of Laplace noise"), 2 / e**2, digits=6),
            "rate": Finding(message("V e^(ε/2), to 1"), one * math.exp(e / 2), digits=9),
            "rate-2": Finding(message("V e^(2ε/3), to 2^(−2/3)"), two * math.exp(2 * e / 3), digits=9),
            "step": Finding(message("γ* e^(ε/2), to 1"), float(absolute_gamma(e)) * math.exp(e / 2), digits=9),
            "step-2": Finding(message("γ* e^(ε/3), to 2^(−1/3), for x²"), float(squared_gamma(e)) * math.exp(e / 3), digits=9),
        }
        sentence = message(
            "At ε = {epsilon} the expected error of Laplace noise is {times} times the optimum.",
            epsilon=self.epsilon,
            times=text(1 / e / one, rounding="down"),
        )
        printed: dict[str, Number] = {"cost": math.exp(e / 2) / math.expm1(e), "laplace": 1 / e, "laplace-2": 2 / e**2}
        return self.answer(findings, (ratio, self._limit()), sentence, printed=printed)

    def _limit(self) -> Plot:
        return Plot(
            "limit",
            message("Least cost relative to its rate"),
            Axis("ε", scale="log"),
            Axis(message("times e^(−ε/2), e^(−2ε/3)"), limits=(0, 3)),
            (
                curve(geometric_places(0.5, 15), lambda x: least_absolute_cost(x) * math.exp(x / 2), message("|x|: to 1")),
                curve(
                    geometric_places(0.5, 15),
                    lambda x: least_squared_cost(x) * math.exp(2 * x / 3),
                    message("x²: to 0.63"),
                    "rival",
                ),
            ),
        )
