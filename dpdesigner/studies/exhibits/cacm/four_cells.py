"""[CACM]: two yes-or-no columns as one column of four cells: a histogram of it answers every count about them at sensitivity 1.

With noise Lap(1/eps) in four cells the AND count has variance 2/eps^2 and each column's count 4/eps^2; asked separately,
three counts with a share of eps/3 each have 18/eps^2.
"""

from __future__ import annotations

from itertools import product

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import bars, curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class FourCells(Exhibit):
    """A histogram of four cells answers several counts."""

    exhibit = "cacm/four-cells"
    heading = message("Four cells answer several counts")
    place = message("Section “Histogram Queries”")
    claim = message(
        "For rows of two bits, the counts of the four possible values form a histogram query. Noise of order 1/ε in "
        "each of the four cells gives ε-differential privacy."
    )
    verdict = message("Lap(1/ε) in each cell, variance 2/ε²")
    must = message(
        "Each row is in exactly one cell, so all cells together spend ε once. A count over several cells adds up their "
        "noise. The comparison with separate counts, which share ε, is ours, as is the case of more than two bits."
    )
    badge = (message("✓ proved in fractions"), "proved")

    epsilon: Number = how_private("1", try_=(1,))
    bits: int = parameter(
        whole_number(1, 6, symbol="d", try_=((2, message("four cells")), (6, message("64 cells")))),
        2,
        message("Bits in a row"),
    )
    asked_for: int = parameter(
        whole_number(1, 64, symbol="k", try_=((3, message("both, one, the other")),)), 3, message("Counts asked separately")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the variances, where a row is added or removed."""
        e, d, k = exact(self.epsilon), self.bits, self.asked_for
        cell, column = 2 / e**2, 2 ** (d - 1) * 2 / e**2
        separate = 2 * (k / e) ** 2
        names = tuple("".join(map(str, bits)) for bits in product((0, 1), repeat=min(d, 3)))
        picture = Plot(
            "cells",
            message("Cells in the count of the first bit"),
            Axis(scale="names", names=names),
            Axis(message("counted")),
            (
                bars([1] * len(names), message("all cells"), "rival", beside=(1, 2)),
                bars([float(name[0] == "1") for name in names], message("first bit = 1"), beside=(0, 2)),
            ),
        )
        findings = {
            "value": Finding(message("variance of a bit’s count, from the cells"), column, rounding="up", state="proved"),
            "cell": Finding(message("variance of a cell"), cell, rounding="up", state="proved"),
            "separate": Finding(
                message("variance of its count if k separate counts share ε"), separate, rounding="up", state="proved"
            ),
            "cells": Finding(message("cells"), 2**d),
            "scale": Finding(message("scale of the noise in each cell"), 1 / e, rounding="up", state="proved"),
        }
        sentence = message(
            "From {cells} cells, the count of a bit has variance {column}. If it is one of {k} counts that share ε, "
            "the variance is {separate}.",
            cells=2**d,
            column=text(column, rounding="up"),
            k=k,
            separate=text(separate, rounding="up"),
        )
        return self.answer(findings, (self._variance(d), picture), sentence, printed={"scale": 1 / e})

    def _variance(self, d: int) -> Plot:
        wanted = range(1, 13)
        return Plot(
            "variance",
            message("Variance of a count"),
            Axis(message("counts k"), scale="whole"),
            Axis(message("times 1/ε²")),
            (
                curve(wanted, lambda x: 2 * x**2, message("asked separately"), "rival"),
                curve(wanted, lambda x: 2 ** (d - 1) * 2, message("count of a bit, from cells")),
                curve(wanted, lambda x: 2, message("a single cell"), "other"),
            ),
            handles=(self.handle("asked_for", most=12),),
        )
