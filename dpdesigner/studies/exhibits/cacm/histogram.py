"""[CACM]: a histogram has sensitivity 1 where a row is added or taken away; where a row is replaced it is 2.

Checked by going through all databases of n rows with two bits each and all their neighbours.
"""

from __future__ import annotations

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.privacy.sensitivity import sensitivities
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import grouped_bars, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import choice, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking


class Histogram(Exhibit):
    """Sensitivity of a histogram."""

    exhibit = "cacm/histogram"
    heading = message("Sensitivity of a histogram")
    place = message("Section “Histogram Queries”")
    claim = message(
        "Removing or adding one row changes one cell of a histogram by 1. So the sensitivity is 1 for any number of cells, and "
        "independent noise Lap(1/ε) in each cell gives ε-differential privacy."
    )
    verdict = message("1, as printed; 2 if a row is replaced")
    must = message(
        "The sensitivity is the largest total change. Adding or removing a row changes one cell. Replacing a row, the "
        "definition of neighbours in [GRS], changes two cells, so the noise must be Lap(2/ε)."
    )
    badge = (message("✓ all pairs checked"), "proved")

    rows: int = parameter(whole_number(1, 4, symbol="n"), 3, message("Rows in each database checked"), message("two bits each"))
    neighbours: str = parameter(
        choice(("join", message("a row is added or removed")), ("replace", message("a row is replaced"))),
        "join",
        message("Neighbouring databases"),
        message("neighbours"),
    )
    epsilon: Number = how_private("1", try_=(1,))
    cells: int = parameter(
        whole_number(2, 50, symbol=message("cells"), try_=((11, message("income classes")), (4, message("two bits")))),
        11,
        message("Number of cells"),
        message("classes"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Go through all pairs of neighbours, and say what noise is enough."""
        sensitivity = sensitivities(self.rows, self.neighbours == "join")
        e = double(self.epsilon)
        scale = sensitivity.histogram / e
        short = sensitivity.histogram  # how much noise Lap(1/eps) spends, in units of eps
        before = np.array([max(0, 5 - abs(k - 3)) for k in range(self.cells)], dtype=float)
        after = before.copy()
        after[min(3, self.cells - 1)] -= 1
        if self.neighbours == "replace":
            after[min(6, self.cells - 1) if self.cells > 4 else 0] += 1
        ranking = Ranking(
            "spent",
            message("Privacy level of Lap(1/ε) in each cell"),
            (Rank(message("a row is added or removed"), e), Rank(message("a row is replaced"), 2 * e, "rival")),
        )
        findings = {
            "value": Finding(message("sensitivity of the histogram"), sensitivity.histogram, state="proved"),
            "and": Finding(message("sensitivity of counting both bits (AND)"), sensitivity.both, state="proved"),
            "two": Finding(message("sensitivity of two separate counts"), sensitivity.separate, state="proved"),
            "scale": Finding(message("scale of the Laplace noise"), scale, digits=5, rounding="up"),
            "spent": Finding(message("privacy level of Lap(1/ε) in each cell"), short * e, digits=5, rounding="up"),
            "pairs": Finding(message("pairs of neighbours checked"), sensitivity.pairs),
        }
        sentence = message(
            "One row changes the histogram by at most {many}. Laplace noise of scale {scale} in every cell is enough.",
            many=sensitivity.histogram,
            scale=text(scale, rounding="up"),
        )
        return self.answer(
            findings,
            (self._cells(before, after), ranking),
            sentence,
            printed={"value": 1, "scale": 1 / e} if self.neighbours == "join" else {},
        )

    def _cells(self, before: Floats, after: Floats) -> Plot:
        return Plot(
            "cells",
            message("Change by one row"),
            Axis(message("cell"), scale="whole"),
            Axis(message("rows")),
            grouped_bars((before, message("with that row")), (after, message("changed"))),
        )
