"""[Notes]: an eps-private choice makes telling the truth (e^eps - 1)-dominant for utilities in [0, 1].

E u(lie) <= e^eps E u(truth) for u >= 0; for u <= 1 the gain is at most e^eps - 1, and in truth at most (e^eps - 1)/(e^eps +
1), which randomised response attains.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.given import Number, double, exact
from dpdesigner.studies.asked import number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class Truthfulness(Exhibit):
    """Lying gains little."""

    exhibit = "notes/truthfulness"
    heading = said("Lying gains little")
    place = said("on truthful mechanisms")
    claim = said(
        "If M is ε-differentially private, truth telling is (e^ε − 1)-dominant: no report of mine raises my expected "
        "utility, in [0, 1], by more than e^ε − 1."
    )
    verdict = said("at most e^ε − 1; really tanh(ε/2)")
    must = said(
        "My report changes every chance by at most e^ε: up to e^ε p, and down to no less than e^(−ε)(1 − p) for the "
        "bad outcome. Both together leave tanh(ε/2)."
    )

    epsilon: Number = parameter(
        number(
            0,
            5,
            symbol="ε",
            slide=(0, 3),
            ends=(said("more private"), said("less")),
            try_=(("1/10", said("10.5 %")), (1, "1.718")),
        ),
        "1/10",
        said("How private"),
    )
    chance: Number = parameter(
        number(0, 1, symbol="p", try_=("1/2", ("1/100", said("nearly e^ε times as much")))),
        "1/4",
        said("What the truth gets me"),
        said("chance of the good outcome"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the most that a lie can change the chance of a good outcome."""
        e, p = double(self.epsilon), double(self.chance)
        lie = _lie(p, e)
        best = math.tanh(e / 2)
        gain = Plot(
            "gain",
            said("The most that a lie can gain"),
            Axis(said("chance of the good outcome with the truth"), limits=(0, 1)),
            Axis(said("more with a lie")),
            (
                curve(np.linspace(0, 1, 201), lambda x: _lie(x, e) - x, said("at most")),
                curve((0, 1), lambda x: math.expm1(e), said("promised e^ε − 1"), "bound"),
            ),
            handles=(self.handle("chance"),),
        )
        against = Plot(
            "epsilon",
            said("What privacy promises"),
            Axis("ε", limits=(0, 3)),
            Axis(said("gain"), limits=(0, 4)),
            (
                curve(np.linspace(0, 3, 121), lambda x: math.tanh(x / 2), said("attained")),
                curve(np.linspace(0, 3, 121), math.expm1, said("e^ε − 1"), "bound"),
            ),
            marks=(Mark(min(e, 3.0), math.tanh(min(e, 3.0) / 2), ""),),
        )
        findings = {
            "value": Finding(said("promised: gain at most"), math.expm1(e), digits=6, rounding="up"),
            "gain": Finding(said("most that a lie gains here"), lie - p, digits=6, rounding="up"),
            "times": Finding(said("times as much"), lie / p if p else math.exp(e), digits=6, rounding="up"),
            "most": Finding(said("most that it gains anywhere, tanh(ε/2)"), best, digits=6, rounding="up"),
        }
        sentence = said(
            "Where the truth gets me {p}, no lie gets me more than {lie}; promised was {bound} more.",
            p=text(exact(self.chance)),
            lie=text(lie, rounding="up"),
            bound=text(math.expm1(e), rounding="up"),
        )
        return self.answer(findings, (against, gain), sentence, printed={"value": math.expm1(e)})


def _lie(p: float, e: float) -> float:
    """The largest chance that a neighbour of chance p may have: e^eps p and 1 - e^-eps (1 - p) both bound it."""
    return min(math.exp(e) * p, 1 - math.exp(-e) * (1 - p))
