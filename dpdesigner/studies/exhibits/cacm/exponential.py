"""[CACM]: the exponential mechanism with weights exp(eps u/Delta) spends up to 2 eps, not eps.

One row raises the utility of the first option by Delta and lowers all others by Delta, which before were g Delta above the
first. The log ratio of the first option is ln((1 + (k - 1) e^(g eps))/(1 + (k - 1) e^((g - 2) eps))). At g = 1, where all
utilities lie in [0, Delta], it is the most that is possible there, eps for k = 2, and tends to 2 eps as k grows; as g grows it
tends to 2 eps for every k >= 2. Where one row moves all utilities the same way, it is at most eps.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.mechanisms import exponential_logs, exponents
from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, grouped_bars, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import choice, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Exponential(Exhibit):
    """Privacy level of the exponential mechanism."""

    exhibit = "cacm/exponential"
    heading = message("The exponential mechanism")
    place = message("Section “When Noise Makes No Sense”")
    claim = message(
        "Let Δu bound the change of each utility u(D, y) when one row changes. Choosing y with probability proportional to "
        "exp(ε u(D, y)/Δu) ensures ε-differential privacy."
    )
    verdict = message("2ε in general, not ε")
    differs = message(
        "The weight of an option changes by a factor of up to e^ε, and the sum of all weights can change by e^ε in the "
        "opposite direction. Together that is 2ε, as Lemma 1.6 of [Notes] states. If a row moves all utilities in the "
        "same direction, it is ε. With weights exp(εu/2Δu) it is ε in general."
    )
    must = message(
        "One row raises the weight of the first option by a factor of e^ε and lowers all others by e^ε. The greater "
        "the total weight of the others, the closer the rise in the first option’s probability is to a factor of "
        "e^(2ε). This limit is never attained."
    )

    k: int = parameter(
        whole_number(2, 100000, symbol="k", slide=(2, 2000), try_=(2, (10, "1.776137"), (1000, "1.997651"))),
        1000,
        message("Number of options"),
    )
    gap: Number = parameter(
        number(1, 40, symbol="g", try_=((1, message("utilities within Δu")), (30, message("k = 2: 2.000")))),
        1,
        message("Lead of the other options"),
        message("in units of Δu"),
    )
    epsilon: Number = how_private("1", try_=(1,))
    moves: str = parameter(
        choice(("apart", message("first option up, others down")), ("together", message("first option up, others unchanged"))),
        "apart",
        message("Effect of one row on the utilities"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the log ratio of two neighbours, utilities in units of their sensitivity."""
        e, k = double(self.epsilon), self.k
        spent, limit = self._spent(k, e), 2 if self.moves == "apart" else 1
        sizes = sorted({*range(2, 40), *(round(x) for x in np.geomspace(40, 2000, 40)), k})
        plot = Plot(
            "spent",
            message("Privacy level of these neighbours"),
            Axis(message("options k"), scale="log"),
            Axis(message("times ε"), limits=(0, 2.2)),
            (
                points(sizes, [self._spent(size, e) / e for size in sizes], message("these neighbours")),
                curve((2, max(sizes)), lambda x: 1, message("printed: ε"), "rival"),
                curve((2, max(sizes)), lambda x: 2, message("limit 2ε"), "bound"),
            ),
            handles=(self.handle("k"),),
        )
        seen = min(k, 10)
        one, other = (np.exp(self._logs(k, e, side))[:seen] for side in (0, 1))
        chances = Plot(
            "chances",
            message("Probability of the first options"),
            Axis(message("option"), scale="whole"),
            Axis(message("probability")),
            grouped_bars((one, message("one database")), (other, message("its neighbour"))),
        )
        findings = {
            "value": Finding(message("ε between these two databases"), spent, digits=7, rounding="up"),
            "times": Finding(message("the same, divided by ε"), spent / e, digits=7, rounding="up"),
            "guaranteed": Finding(message("privacy level over all databases"), exact(self.epsilon) * limit, state="proved"),
            "half": Finding(message("these two, with weights exp(εu/2Δu)"), self._spent(k, e / 2), digits=7, rounding="up"),
        }
        sentence = message(
            "The rule is {limit}-differentially private{only}. With these {k} options, two neighbouring databases "
            "differ by ε = {spent}.",
            limit=text(exact(self.epsilon) * limit, rounding="up"),
            only=message(", not {epsilon}", epsilon=self.epsilon)
            if limit == 2
            else message(" if every row moves the utilities in this way"),
            k=k,
            spent=text(spent, 7, "up"),
        )
        return self.answer(findings, (plot, chances), sentence, printed={"guaranteed": str(exact(self.epsilon))})

    def _logs(self, k: int, e: float, side: int) -> Floats:
        if self.moves == "apart":
            utilities = np.full(k, double(self.gap) - side)
            utilities[0] = side
        else:
            utilities = np.full(k, double(self.gap))
            utilities[0] = side
        return exponential_logs(exponents(utilities, Fraction(e)))

    def _spent(self, k: int, e: float) -> float:
        return float(np.abs(self._logs(k, e, 0) - self._logs(k, e, 1)).max())
