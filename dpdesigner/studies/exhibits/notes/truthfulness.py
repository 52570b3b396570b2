"""[Notes] Section 1.7: an eps-private choice makes telling the truth (e^eps - 1)-dominant for utilities in [0, 1].

E u(lie) <= e^eps E u(truth) for u >= 0; for u <= 1 the gain is at most e^eps - 1, and in truth at most (e^eps - 1)/(e^eps +
1), which randomised response attains.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class Truthfulness(Exhibit):
    """A lie gains little."""

    exhibit = "notes/truthfulness"
    heading = message("A lie gains little")
    place = message("Section 1.7")
    claim = message(
        "Under ε-differential privacy, the truth is (e^ε − 1)-dominant for utilities in [0, 1]: no misreport gains "
        "more than e^ε − 1. For utilities u ≥ 0, it changes the expected utility by a factor of at most e^ε."
    )
    verdict = message("e^ε − 1 holds; tanh(ε/2) is attained")
    must = message(
        "A misreport raises the probability p of the good outcome to at most e^ε p, and lowers that of the bad outcome "
        "to at least e^(−ε)(1 − p). Together the two limits allow a gain of at most tanh(ε/2)."
    )

    epsilon: Number = parameter(
        number(
            0,
            5,
            symbol="ε",
            slide=(0, 3),
            ends=(message("more private"), message("less")),
            try_=(("1/10", message("bound 10.5%")), (1, message("bound 1.718"))),
        ),
        "1/10",
        message("How private"),
    )
    chance: Number = parameter(
        number(0, 1, symbol="p", try_=("1/2", ("1/100", message("factor near e^ε")))),
        "1/4",
        message("Expected utility of the truth"),
        message("probability of the good outcome"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the largest change of the probability of a good outcome by a misreport."""
        e, p = double(self.epsilon), double(self.chance)
        lie = _lie(p, e)
        best = math.tanh(e / 2)
        gain = Plot(
            "gain",
            message("Largest gain of a lie"),
            Axis(message("probability of the good outcome with the truth"), limits=(0, 1)),
            Axis(message("gain of a lie")),
            (
                curve(np.linspace(0, 1, 201), lambda x: _lie(x, e) - x, message("at most")),
                curve((0, 1), lambda x: math.expm1(e), message("bound e^ε − 1"), "bound"),
            ),
            handles=(self.handle("chance"),),
        )
        against = Plot(
            "epsilon",
            message("Bound and largest gain"),
            Axis("ε", limits=(0, 3)),
            Axis(message("gain"), limits=(0, 4)),
            (
                curve(np.linspace(0, 3, 121), lambda x: math.tanh(x / 2), message("attained")),
                curve(np.linspace(0, 3, 121), math.expm1, message("e^ε − 1"), "bound"),
            ),
            marks=(Mark(min(e, 3.0), math.tanh(min(e, 3.0) / 2), ""),),
        )
        findings = {
            "value": Finding(message("bound of the lemma: gain at most"), math.expm1(e), digits=6, rounding="up"),
            "gain": Finding(message("largest gain of a lie here"), lie - p, digits=6, rounding="up"),
            "times": Finding(
                message("factor by which the expected utility rises, at most"),
                lie / p if p else math.exp(e),
                digits=6,
                rounding="up",
            ),
            "factor": Finding(message("bound of that factor"), math.exp(e), digits=6, rounding="up"),
            "most": Finding(message("largest gain for any p, tanh(ε/2)"), best, digits=6, rounding="up"),
        }
        sentence = message(
            "If the truth earns {p} on average, no lie earns more than {lie}. The lemma allows {bound} more than {p}.",
            p=text(exact(self.chance)),
            lie=text(lie, rounding="up"),
            bound=text(math.expm1(e), rounding="up"),
        )
        return self.answer(findings, (against, gain), sentence, printed={"value": math.expm1(e), "factor": math.exp(e)})


def _lie(p: float, e: float) -> float:
    """The largest chance that a neighbour of chance p may have: e^eps p and 1 - e^-eps (1 - p) both bound it."""
    return min(math.exp(e) * p, 1 - math.exp(-e) * (1 - p))
