"""[Geng]: the step of the optimal staircase, for |x| and for x^2, and its cost.

|x|: gamma* = 1/(1 + e^(eps/2)), cost 1/(2 sinh(eps/2)). x^2: gamma* = -b/(1 - b) + (b - 2 b^2 + 2 b^4 - b^5)^(1/3)/(2^(1/3)
(1 - b)^2), cost (2^(-2/3) b^(2/3) (1 + b)^(2/3) + b)/(1 - b)^2 (Delta = 1). At eps = ln 2: sqrt 2 - 1, sqrt 2; cbrt 3 - 1, 2
+ cbrt 9.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.core.noise.staircase import Optimum, absolute_gamma, optimum, squared_gamma, staircase_cost
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class GammaStar(Exhibit):
    """Place of the optimal step."""

    exhibit = "geng/gamma-star"
    heading = message("The optimal step")
    place = message("Slides “Application: L(x) = |x|” and “Application: L(x) = x²”")
    claim = message(
        "For the cost |x| the optimal step is γ* = 1/(1 + e^(ε/2)), with least expected cost Δ e^(ε/2)/(e^ε − 1). For x² "
        "both have a closed form in b = e^(−ε)."
    )
    verdict = message("γ* = 1/(1+e^(ε/2)), as printed")
    must = message(
        "A numerical search for the least cost finds the same steps. The step is near the middle for small ε. For "
        "large ε it is near 0, and nearly all noise is in a narrow bar."
    )

    epsilon: Number = how_private(
        "1",
        up_to=20,
        slide=15,
        try_=(("0.69314718056", message("√2 − 1, ∛3 − 1")), (1, message("0.37754, 0.41674")), (5, message("0.07586, 0.14448"))),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the printed formulas with a search for the least cost."""
        epsilon = double(self.epsilon)
        b = math.exp(-epsilon)
        one, two = (optimum(noise_cost(name), epsilon) for name in ("absolute", "squared"))
        printed_one = 1 / (1 + math.exp(epsilon / 2))
        printed_two = -b / (1 - b) + float(np.cbrt((b - 2 * b**2 + 2 * b**4 - b**5) / 2)) / (1 - b) ** 2
        cost_one = math.exp(epsilon / 2) / math.expm1(epsilon)
        cost_two = (2 ** (-2 / 3) * b ** (2 / 3) * (1 + b) ** (2 / 3) + b) / (1 - b) ** 2
        places = geometric_places(0.05, 15)
        steps = Plot(
            "steps",
            message("Optimal step against ε"),
            Axis("ε", scale="log"),
            Axis("γ*", limits=(0, 0.55)),
            (
                curve(places, lambda e: absolute_gamma(e), message("for |x|")),
                curve(places, lambda e: squared_gamma(e), message("for x²"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        laplace = Laplace(epsilon)
        findings = {
            "value": Finding(message("optimal step for |x|"), one.gamma, digits=10),
            "cost": Finding(message("least expected error"), one.cost, digits=12),
            "gamma-2": Finding(message("optimal step for x²"), two.gamma, digits=10),
            "cost-2": Finding(message("least expected squared error"), two.cost, digits=12),
            "ratio": Finding(
                message("Laplace noise relative to the optimum, |x|"), laplace.cost(noise_cost("absolute")) / one.cost, digits=10
            ),
            "ratio-2": Finding(
                message("Laplace noise relative to the optimum, x²"), laplace.cost(noise_cost("squared")) / two.cost, digits=10
            ),
        }
        sentence = message(
            "At ε = {epsilon} the optimal step is {one} for |x| and {two} for x².",
            epsilon=self.epsilon,
            one=f"{one.gamma:.5g}",
            two=f"{two.gamma:.5g}",
        )
        printed: dict[str, Number] = {"value": printed_one, "cost": cost_one, "gamma-2": printed_two, "cost-2": cost_two}
        return self.answer(findings, (steps, self._costs(one, two, epsilon)), sentence, printed=printed)

    def _costs(self, one: Optimum, two: Optimum, epsilon: float) -> Plot:
        spots = np.linspace(0.002, 1, 200)
        return Plot(
            "costs",
            message("Cost of each step relative to the optimum"),
            Axis("γ", limits=(0, 1)),
            Axis(message("ratio"), scale="log"),
            (
                points(spots, np.asarray(staircase_cost(noise_cost("absolute"), epsilon, spots)) / one.cost, message("|x|")),
                points(
                    spots, np.asarray(staircase_cost(noise_cost("squared"), epsilon, spots)) / two.cost, message("x²"), "rival"
                ),
            ),
            marks=(Mark(one.gamma, 1.0, "γ*"), Mark(two.gamma, 1.0, "")),
        )
