"""[BLR] Theorem 3.11: how accurate a private release of d/2 shattered rows can be, with the chance of failure.

Right, with E = e^(2 eps) for neighbours by symmetric difference, e^eps where a row is replaced: alpha >= ((1 - delta) - delta
E)/ (2 (1 - delta)(1 + E)); printed 1/(4 + 16 eps) for every constant delta.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.given import Number, double
from dpdesigner.core.synthetic.sizes import least_error, least_error_stated
from dpdesigner.studies.asked import choice, number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class VcBound(Exhibit):
    """No free accuracy."""

    exhibit = "blr/vc-bound"
    heading = said("No free accuracy")
    place = said("Theorem 3.11")
    claim = said(
        "For every class of VC dimension d, no ε-private mechanism that releases databases of fewer than d/2 rows is "
        "(α, δ)-useful with α < 1/(4 + 16ε), for constant δ."
    )
    verdict = said("only for small δ")
    differs = said(
        "The proof sets the chance of failure aside. For d = 2 and one row randomised response returns the database "
        "itself in 73 % of cases at ε = 1: α = 0 for δ = 0.27. With δ kept, the bound is ((1−δ) − δE)/(2(1−δ)(1+E)), E "
        "= e^(2ε), and positive only where δ < 1/(1 + E)."
    )
    must = said(
        "A row inside and one outside exchanged give a neighbour: what is inside can be at most E times as likely "
        "as what is outside, unless the release fails, which δ allows."
    )

    epsilon: Number = how_private("1", try_=("1/10", "1/2", 1))
    delta: Number = parameter(
        number(0, "99/100", symbol="δ", slide=(0, "1/2"), try_=(0, "1/20", ("27/100", said("randomised response")))),
        "1/20",
        said("How often it may fail"),
    )
    neighbours: str = parameter(
        choice(("joins", said("by symmetric difference")), ("replace", said("a row is replaced"))),
        "joins",
        said("What neighbours are"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the bound with the chance of failure, and what randomised response does."""
        e, delta, joins = double(self.epsilon), double(self.delta), self.neighbours == "joins"
        right = least_error(e, delta, joins)
        response = 1 / (1 + math.exp(-e * (2 if joins else 1)))
        at = geometric_places(0.05, 5)
        against = Plot(
            "epsilon",
            said("Against ε"),
            Axis("ε", scale="log"),
            Axis(said("error α")),
            (
                curve(at, lambda x: least_error(x, delta, joins), said("right")),
                curve(at, least_error_stated, said("printed"), "rival"),
            ),
        )
        findings = {
            "value": Finding(said("least error α"), right, digits=5, rounding="down"),
            "without": Finding(said("least error at δ = 0"), least_error(e, 0, joins), digits=5, rounding="down"),
            "response": Finding(said("randomised response exact, in cases of"), response, digits=4, rounding="down"),
            "positive": Finding(said("says something for δ below"), 1 - response, digits=5, rounding="down"),
        }
        sentence = said(
            "At δ = {delta} the error is at least {right}; printed is {stated} for every δ.",
            delta=self.delta,
            right=text(right, rounding="down"),
            stated=f"{least_error_stated(e):.4g}",
        )
        return self.answer(
            findings, (against, self._delta(e, joins, response)), sentence, printed={"value": least_error_stated(e)}
        )

    def _delta(self, e: float, joins: bool, response: float) -> Plot:
        places = np.linspace(0, 0.5, 201)
        return Plot(
            "delta",
            said("The least error"),
            Axis(said("chance of failure δ"), limits=(0, 0.5)),
            Axis(said("error α")),
            (
                curve(places, lambda x: least_error(e, x, joins), said("right")),
                curve(places, lambda x: least_error_stated(e), said("printed, for every δ"), "rival"),
            ),
            handles=(self.handle("delta", most=0.5),),
            marks=(Mark(min(1 - response, 0.5), 0.0, said("randomised response")),),
        )
