"""[CACM]: the exponential mechanism with weights exp(eps u/Delta) spends up to 2 eps, not eps.

Utilities in [0, Delta] and k options: the worst neighbours make one option good and all others bad, and the other way round;
the log ratio is 1 + ln((1 + (k - 1) e)/(e + k - 1)) for eps = 1, which tends to 2. Over all utilities the supremum is 2 for
every k >= 2. Where one row moves all utilities the same way, it is eps.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.exponential import exponential_logs, exponents
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import choice, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars_beside, curve, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class Exponential(Exhibit):
    """Choosing by chance, in proportion."""

    exhibit = "cacm/exponential"
    heading = said("Choosing by chance, in proportion")
    place = said("exponential mechanism")
    claim = said(
        "Choosing r with probability proportional to exp(ε u(x, r)/Δu), Δu the most that one row changes a utility, is "
        "ε-differentially private."
    )
    verdict = said("spends up to 2ε, not ε")
    differs = said(
        "The weight of an option changes by up to e^ε, and so may the sum of all weights, the other way: 2ε. It is ε "
        "only where one row moves all utilities the same way. With exp(εu/2Δu), as in [BLR], it is ε in general."
    )
    must = said(
        "One row makes the first option good and all others bad: its own weight rises by e^ε while the sum of the "
        "others falls by e^ε, and it is divided by that sum."
    )

    k: int = parameter(
        whole_number(2, 100000, symbol="k", slide=(2, 2000), try_=((2, said("exactly ε")), (10, "1.776137"), (1000, "1.997651"))),
        1000,
        said("How many options"),
    )
    epsilon: Number = how_private("1", try_=(1,))
    moves: str = parameter(
        choice(("apart", said("some up, some down")), ("together", said("all the same way"))),
        "apart",
        said("How a row moves the utilities"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the log ratio between two neighbours, utilities in units of their sensitivity."""
        e, k = double(self.epsilon), self.k
        spent = self._spent(k, e)
        sizes = sorted({*range(2, 40), *(round(x) for x in np.geomspace(40, 2000, 40)), k})
        plot = Plot(
            "spent",
            said("What it really spends"),
            Axis(said("options k"), scale="log"),
            Axis(said("times ε"), limits=(0, 2.2)),
            (
                points(sizes, [self._spent(size, e) / e for size in sizes], said("worst case")),
                curve((2, max(sizes)), lambda x: 1, said("printed: 1"), "rival"),
                curve((2, max(sizes)), lambda x: 2, said("most that it can be"), "bound"),
            ),
            handles=(self.handle("k"),),
        )
        seen = min(k, 10)
        one, other = (np.exp(self._logs(k, e, side))[:seen] for side in (0, 1))
        chances = Plot(
            "chances",
            said("How likely the first options are"),
            Axis(said("option"), scale="whole"),
            Axis(said("chance")),
            bars_beside((one, said("one database")), (other, said("its neighbour"))),
        )
        findings = {
            "value": Finding(said("ε really spent"), spent, digits=7, rounding="up"),
            "times": Finding(said("times what is claimed"), spent / e, digits=7, rounding="up"),
            "half": Finding(said("with exp(εu/2Δu) instead"), self._spent(k, e / 2), digits=7, rounding="up"),
        }
        sentence = said(
            "Claimed ε = {epsilon}; with {k} options it really spends {spent}.",
            epsilon=self.epsilon,
            k=k,
            spent=text(spent, 7, "up"),
        )
        return self.answer(findings, (plot, chances), sentence, printed={"value": f"{e:.10g}"})

    def _logs(self, k: int, e: float, side: int) -> Floats:
        if self.moves == "apart":
            utilities = np.full(k, float(side))
            utilities[0] = 1.0 - side
        else:
            utilities = np.linspace(0, 1, k) + side
        return exponential_logs(exponents(utilities, Fraction(e)))

    def _spent(self, k: int, e: float) -> float:
        return float(np.abs(self._logs(k, e, 0) - self._logs(k, e, 1)).max())
