"""[CACM]: a histogram has sensitivity 1 where a row is added or taken away; where a row is replaced it is 2.

Checked by going through all databases of n rows with two bits each and all their neighbours.
"""

from __future__ import annotations

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.databases.sensitivities import sensitivities
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import choice, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars_beside, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Rank, Ranking


class Histogram(Exhibit):
    """What a histogram costs."""

    exhibit = "cacm/histogram"
    heading = said("A histogram costs one ε, or two")
    place = said("histogram queries")
    claim = said(
        "A histogram has sensitivity 1, however many cells it has: noise Lap(1/ε) in each cell, for instance in eleven "
        "income classes, is enough for ε-differential privacy."
    )
    verdict = said("2 if rows are replaced")
    differs = said(
        "1 is right where a row is added or taken away, as [CACM] defines neighbours. Where a row is replaced, one cell "
        "loses and another gains: the sensitivity is 2 and the noise must be Lap(2/ε). The last of the eleven income "
        "classes is “500K or more”."
    )
    must = said(
        "Sensitivity is the most that the sum of all changes can be: a row that comes or goes touches one cell, a "
        "row that turns into another touches two."
    )
    badge = (said("✓ all pairs gone through"), "proved")

    rows: int = parameter(whole_number(1, 4, symbol="n"), 3, said("How many rows are gone through"), said("two bits each"))
    neighbours: str = parameter(
        choice(("replace", said("a row is replaced")), ("join", said("a row joins or leaves"))),
        "replace",
        said("What may change"),
        said("neighbours"),
    )
    epsilon: Number = how_private("1", try_=(1,))
    cells: int = parameter(
        whole_number(2, 50, symbol=said("cells"), try_=((11, said("income classes")), (4, said("two bits")))),
        11,
        said("How many cells"),
        said("classes"),
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
            said("ε that Lap(1/ε) in each cell spends"),
            (Rank(said("a row joins or leaves"), e), Rank(said("a row is replaced"), 2 * e, "rival")),
        )
        findings = {
            "value": Finding(said("sensitivity of the histogram"), sensitivity.histogram, state="proved"),
            "and": Finding(said("sensitivity of counting both bits (AND)"), sensitivity.both, state="proved"),
            "two": Finding(said("sensitivity of two separate counts"), sensitivity.separate, state="proved"),
            "scale": Finding(said("noise that is enough: Lap of"), scale, digits=5, rounding="up"),
            "spent": Finding(said("ε that Lap(1/ε) spends"), short * e, digits=5, rounding="up"),
            "pairs": Finding(said("pairs of neighbours gone through"), sensitivity.pairs),
        }
        sentence = said(
            "One person moves the histogram by {many}: noise of scale {scale} in every cell is enough.",
            many=sensitivity.histogram,
            scale=text(scale, rounding="up"),
        )
        return self.answer(findings, (self._cells(before, after), ranking), sentence, printed={"value": 1})

    def _cells(self, before: Floats, after: Floats) -> Plot:
        return Plot(
            "cells",
            said("What one person changes"),
            Axis(said("cell"), scale="whole"),
            Axis(said("rows")),
            bars_beside((before, said("with that row")), (after, said("changed"))),
        )
