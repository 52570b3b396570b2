"""[Geng], abstract setting: staircase weights on finitely many outputs are 2 eps-private, eps-private with equal sums."""

from __future__ import annotations

import numpy as np

from dpdesigner.core.noise.abstract_staircase import AbstractStaircase
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import choice, number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars_beside, curve, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent

_SIZES = (2, 3, 4, 5, 6, 8, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 400)


class AbstractSetting(Exhibit):
    """Steps for any set of outputs."""

    exhibit = "geng/abstract-setting"
    heading = said("Steps for any set of outputs")
    place = said("abstract setting")
    claim = said(
        "For any outputs and cost C(D, r), releasing r with probability proportional to the staircase f_γ(C(D, r)) is "
        "ε-differentially private."
    )
    verdict = said("2ε-private in general")
    differs = said(
        "The weight of an output changes by at most e^ε between neighbours, but the sum of the weights, by which it is "
        "divided, may change as well: 2ε in all. Where the sum is the same for all databases, as for |r − q| on the "
        "real line, it is ε."
    )
    must = said(
        "One output gets e^ε times its weight while all others lose e^ε of theirs: the sum moves with the others, "
        "and both factors multiply."
    )

    epsilon: Number = parameter(
        number(
            "1/20", 5, scale="log", symbol="ε", ends=(said("more private"), said("more accurate")), try_=((1, said("nearly 2")),)
        ),
        "1",
        said("What is asked for"),
    )
    outputs: int = parameter(
        whole_number(2, 400, symbol="k", slide=(2, 100), try_=((2, said("two outputs")), (400, said("nearly 2ε")))),
        40,
        said("How many outputs"),
    )
    sums: str = parameter(
        choice(("differ", said("sums differ")), ("equal", said("sums equal"))), "differ", said("How the costs lie")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the privacy that a table of costs really has: one output becomes good, or all shift in a ring."""
        k, epsilon = self.outputs, double(self.epsilon)
        costs = self._costs(k)
        staircase = AbstractStaircase(costs, epsilon)
        sizes = sorted({*_SIZES, k})
        levels = [AbstractStaircase(self._costs(size), epsilon).level / epsilon for size in sizes]
        plot = Plot(
            "levels",
            said("What it really spends"),
            Axis(said("outputs k"), scale="log"),
            Axis(said("times ε"), limits=(0, 2.2)),
            (
                points(sizes, levels, said("really spent")),
                curve((2, 400), lambda x: 1, said("claimed"), "rival"),
                curve((2, 400), lambda x: 2, said("most it can be"), "bound"),
            ),
            handles=(self.handle("outputs"),),
        )
        rows = np.array([row[: min(k, 12)] for row in staircase.matrix])
        seen = Plot(
            "chances",
            said("How likely each output is"),
            Axis(said("output r"), scale="whole"),
            Axis(said("chance")),
            bars_beside((rows[0], said("one database")), (rows[1], said("its neighbour"))),
        )
        findings = {
            "value": Finding(said("ε really spent"), staircase.level, digits=8, rounding="up"),
            "times": Finding(said("times what is asked for"), staircase.level / epsilon, digits=7, rounding="up"),
            "equal": Finding(said("sums of weights equal"), staircase.equal_sums),
        }
        sentence = said("Asked for ε = {epsilon}, it spends {spent}.", epsilon=self.epsilon, spent=text(staircase.level, 5, "up"))
        return self.answer(findings, (seen, plot), sentence, printed={"value": f"{epsilon:.10g}"})

    def _costs(self, k: int) -> tuple[tuple[int, ...], ...]:
        """Two databases: costs 0 for the first output and 1 for the others, and the other way round; or both a shift of one."""
        if self.sums == "differ":
            return (0, *(1,) * (k - 1)), (1, *(0,) * (k - 1))
        return (0, *(1,) * (k - 1)), (1, 0, *(1,) * (k - 2))
