"""[Geng], abstract setting: staircase weights on finitely many outputs are 2 eps-private; eps-private if their sums are equal."""

from __future__ import annotations

import numpy as np

from dpdesigner.core.noise.discrete_staircase import AbstractStaircase
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, grouped_bars, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import choice, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

_SIZES = (2, 3, 4, 5, 6, 8, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 400)


class AbstractSetting(Exhibit):
    """Staircase weights on any set of outputs."""

    exhibit = "geng/abstract-setting"
    heading = message("The staircase on any set of outputs")
    place = message("Slides “Extension to Abstract Setting”")
    claim = message(
        "Definition: for outputs with a base measure and a cost C(D, r) of sensitivity Δ, sample an output with the "
        "staircase distribution. On the real line with C = |r − q(D)| it is the regular staircase mechanism."
    )
    verdict = message("a definition; 2ε-private in general")
    asks = message(
        "The slides define this mechanism and state no privacy level for it. Between neighbours, the weight of an "
        "output changes by a factor of at most e^ε, and so may the sum that it is divided by: 2ε in general. If the "
        "sum is the same for all databases, as on the real line, the level is ε."
    )
    must = message(
        "Here the weight of one output rises by a factor of e^ε while all others fall by e^ε. The sum falls with the "
        "others, so the two factors multiply."
    )

    epsilon: Number = parameter(
        number(
            "1/20",
            5,
            scale="log",
            symbol="ε",
            ends=(message("more private"), message("more accurate")),
            try_=((1, message("nearly 2")),),
        ),
        "1",
        message("ε of the staircase"),
    )
    outputs: int = parameter(
        whole_number(2, 400, symbol="k", slide=(2, 100), try_=((2, message("two outputs")), (400, message("nearly 2ε")))),
        40,
        message("Number of outputs"),
    )
    sums: str = parameter(
        choice(("differ", message("sums differ")), ("equal", message("sums equal"))),
        "differ",
        message("Costs of the two databases"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the privacy level of two rows of costs: one output becomes good, or the good one moves."""
        k, epsilon = self.outputs, double(self.epsilon)
        costs = self._costs(k)
        staircase = AbstractStaircase(costs, epsilon)
        sizes = sorted({*_SIZES, k})
        levels = [AbstractStaircase(self._costs(size), epsilon).level / epsilon for size in sizes]
        plot = Plot(
            "levels",
            message("Privacy level"),
            Axis(message("outputs k"), scale="log"),
            Axis(message("times ε"), limits=(0, 2.2)),
            (
                points(sizes, levels, message("these costs")),
                curve((2, 400), lambda x: 1, message("ε"), "rival"),
                curve((2, 400), lambda x: 2, message("limit 2ε"), "bound"),
            ),
            handles=(self.handle("outputs"),),
        )
        rows = np.array([row[: min(k, 12)] for row in staircase.matrix])
        seen = Plot(
            "chances",
            message("Probability of each output"),
            Axis(message("output r"), scale="whole"),
            Axis(message("probability")),
            grouped_bars((rows[0], message("one database")), (rows[1], message("its neighbour"))),
        )
        findings = {
            "value": Finding(message("privacy level for these costs"), staircase.level, digits=8, rounding="up"),
            "times": Finding(message("the same, divided by ε"), staircase.level / epsilon, digits=7, rounding="up"),
            "equal": Finding(message("sums of weights are equal"), staircase.equal_sums),
        }
        sentence = message(
            "A staircase with ε = {epsilon} and these costs has privacy level {spent}.",
            epsilon=self.epsilon,
            spent=text(staircase.level, 5, "up"),
        )
        return self.answer(findings, (seen, plot), sentence)

    def _costs(self, k: int) -> tuple[tuple[int, ...], ...]:
        """Costs of two databases: 0 for the first output and 1 for the others, and in reverse; or the first two exchanged."""
        if self.sums == "differ":
            return (0, *(1,) * (k - 1)), (1, *(0,) * (k - 1))
        return (0, *(1,) * (k - 1)), (1, 0, *(1,) * (k - 2))
