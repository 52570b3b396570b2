"""[BLR] Theorem 3.11: the least error of a private release of at most d/2 rows, with the probability of failure.

Right, with E = e^(2 eps) for neighbours by symmetric difference, e^eps where a row is replaced: alpha >= ((1 - delta) - delta
E)/ (2 (1 - delta)(1 + E)). The theorem states Omega(1/(4 + 16 eps)) for eps <= 1 and every delta bounded away from 1; its proof
ends with 1/(4 + 16 eps).
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.synthetic.sample_sizes import least_error, least_error_stated
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import choice, number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class VcBound(Exhibit):
    """No free accuracy."""

    exhibit = "blr/vc-bound"
    heading = message("No free accuracy")
    place = message("Theorem 3.11")
    claim = message(
        "Let ε ≤ 1 and let δ be bounded away from 1. If an ε-private mechanism is (α, δ)-useful for a class of VC "
        "dimension d on input databases of n ≤ d/2 rows, then α ≥ Ω(1/(4 + 16ε))."
    )
    verdict = message("only for small δ")
    differs = message(
        "The proof ignores the probability of failure. With one row, d = 2 and ε = 1, randomised response returns the "
        "database itself with probability 0.88 (0.73 if a neighbour replaces a row): α = 0 at δ = 0.12 (0.27). If δ is "
        "kept, the bound is ((1−δ) − δE)/(2(1−δ)(1+E)) with E = e^(2ε) (or e^ε), which is positive only for δ < 1/(1 + "
        "E)."
    )
    must = message(
        "Swapping a row inside with one outside gives a database that differs in two elements. So a row inside is "
        "released at most E times as often as one outside, unless the release fails, which δ allows."
    )

    epsilon: Number = how_private("1", try_=("1/10", "1/2", 1))
    delta: Number = parameter(
        number(0, "99/100", symbol="δ", slide=(0, "1/2"), try_=(0, "1/20", ("27/100", message("randomised response")))),
        "1/20",
        message("Probability of failure"),
    )
    neighbours: str = parameter(
        choice(("joins", message("by symmetric difference")), ("replace", message("a row is replaced"))),
        "joins",
        message("Neighbouring databases"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the bound with the probability of failure, and the success of randomised response."""
        e, delta, joins = double(self.epsilon), double(self.delta), self.neighbours == "joins"
        right = least_error(e, delta, joins)
        response = 1 / (1 + math.exp(-e * (2 if joins else 1)))
        at = geometric_places(0.05, 5)
        against = Plot(
            "epsilon",
            message("Against ε"),
            Axis("ε", scale="log"),
            Axis(message("error α")),
            (
                curve(at, lambda x: least_error(x, delta, joins), message("right")),
                curve([x for x in at if x <= 1], least_error_stated, message("printed, for ε ≤ 1"), "rival"),
            ),
        )
        findings = {
            "value": Finding(message("least error α"), right, digits=5, rounding="down"),
            "without": Finding(message("least error at δ = 0"), least_error(e, 0, joins), digits=5, rounding="down"),
            "response": Finding(
                message("randomised response: probability of an exact answer"), response, digits=4, rounding="down"
            ),
            "positive": Finding(message("bound is positive for δ below"), 1 - response, digits=5, rounding="down"),
        }
        values = {"delta": self.delta, "right": text(right, rounding="down")}
        sentence = message(
            "At δ = {delta}, the error is at least {right}. The paper’s proof concludes {stated} for every constant δ.",
            **values,
            stated=f"{least_error_stated(e):.4g}",
        )
        if e > 1:
            sentence = message("At δ = {delta}, the error is at least {right}. The theorem covers only ε ≤ 1.", **values)
        printed = {"value": least_error_stated(e)} if e <= 1 else {}
        return self.answer(findings, (against, self._delta(e, joins, response)), sentence, printed=printed)

    def _delta(self, e: float, joins: bool, response: float) -> Plot:
        places = np.linspace(0, 0.5, 201)
        return Plot(
            "delta",
            message("Least error"),
            Axis(message("probability of failure δ"), limits=(0, 0.5)),
            Axis(message("error α")),
            (
                curve(places, lambda x: least_error(e, x, joins), message("right")),
                *([curve(places, lambda x: least_error_stated(e), message("printed, for every δ"), "rival")] if e <= 1 else []),
            ),
            handles=(self.handle("delta", most=0.5),),
            marks=(Mark(min(1 - response, 0.5), 0.0, message("randomised response")),),
        )
