"""[Geng]: noise that may depend on the data is no better than noise that does not, seen on whole numbers.

For answers 0..n, the private mechanism whose worst mean distance over all answers is least is a linear program, of which the
noise may depend on the answer; as n grows it tends to 2 alpha/(1 - alpha^2), the mean distance of geometric noise, which does
not.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.program.adjacency_graphs import least_worst_distance
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, mechanism, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class DataIndependent(Exhibit):
    """Noise that does not depend on the data is enough."""

    exhibit = "geng/data-independent"
    heading = message("Noise need not depend on the data")
    place = message("Slides “Main Result: v_t = v”")
    claim = message(
        "Consider the union of the K_{T,n}: mechanisms whose noise is piecewise constant and periodic in the true "
        "answer t (a technical condition). Among them, a mechanism whose noise is independent of t has the least "
        "worst-case expected cost."
    )
    verdict = message("whole numbers: tends to 2α/(1−α²)")
    slow = True
    must = message(
        "Averaging a mechanism over all shifts makes it independent of t and does not raise its worst-case cost. The "
        "slides state the same for whole numbers. It is computed here on 0, …, n, where a finite range helps only at "
        "its ends."
    )

    epsilon: Number = parameter(
        number("1/2", 5, symbol="ε", try_=(("1.3862943611", message("α = 1/4")), ("0.6931471806", message("α = 1/2")))),
        "1.3862943611",
        message("How private"),
    )
    n: int = parameter(
        whole_number(1, 24, symbol="n", try_=((3, "0.4048"), (8, "0.5173"), (20, "0.5332"))),
        8,
        message("Range of the answers"),
        message("answers 0, …, n"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the programs for ranges up to n."""
        alpha = math.exp(-double(self.epsilon))
        sizes = sorted({1, 2, 3, 4, 6, 8, 11, 14, *([self.n] if self.n > 0 else [])})
        distances = {}
        for k, size in enumerate(sizes):
            progress(k / len(sizes), message("answers up to {size}", size=size))
            distances[size] = least_worst_distance(size, alpha)
        limit = 2 * alpha / (1 - alpha * alpha)
        mine = distances[self.n]
        worst = Plot(
            "worst",
            message("Least worst-case expected error"),
            Axis(message("answers 0, …, n"), scale="whole"),
            Axis(message("expected error")),
            (
                points(sizes, [distances[size].value for size in sizes], message("may depend on the answer")),
                curve((1, max(sizes)), lambda x: limit, message("geometric noise"), "rival"),
            ),
            handles=(self.handle("n"),),
        )
        chances, names = np.maximum(mine.matrix, 0), (message("true answer"), message("released"))
        matrix = mechanism("mechanism", message("The optimal mechanism"), chances, alpha, axes=names)
        findings = {
            "value": Finding(message("least worst-case expected error"), mine.value, digits=9, rounding="up"),
            "limit": Finding(message("expected error of geometric noise"), limit, digits=9, rounding="up"),
            "share": Finding(message("ratio of the two"), 100 * mine.value / limit, "%", digits=4),
        }
        sentence = message(
            "For answers from 0 to {n}, noise that may depend on the answer has a worst-case expected error {less} "
            "smaller. The gain vanishes as n grows.",
            n=self.n,
            less=f"{text(100 * (1 - mine.value / limit), 3, 'down')}%",
        )
        return self.answer(findings, (matrix, worst), sentence)
