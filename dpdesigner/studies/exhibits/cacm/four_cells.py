"""[CACM]: two yes-or-no columns as one column of four cells: a histogram of it answers every count about them at sensitivity 1.

With noise Lap(1/eps) in four cells the AND count has variance 2/eps^2 and each column's count 4/eps^2; asked separately,
three counts with a share of eps/3 each have 18/eps^2.
"""

from __future__ import annotations

from itertools import product

from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.studies.asked import whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars, curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class FourCells(Exhibit):
    """Four cells answer many counts."""

    exhibit = "cacm/four-cells"
    heading = said("Four cells answer many counts")
    place = said("categorical data")
    claim = said(
        "Counts about several attributes can be read off one histogram over all combinations of their values: it has "
        "sensitivity 1, and every count is a sum of its cells."
    )
    verdict = said("variance 4/ε² where three counts have 18/ε²")
    must = said(
        "A row is in one cell: all cells together cost one ε. A count over many cells adds up their noise, so that "
        "with many columns asking one by one is better again."
    )
    badge = (said("✓ proved in fractions"), "proved")

    epsilon: Number = how_private("1", try_=(1,))
    bits: int = parameter(
        whole_number(1, 6, symbol="d", try_=((2, said("four cells")), (6, said("64 cells")))),
        2,
        said("How many yes-or-no columns"),
    )
    asked_for: int = parameter(
        whole_number(1, 64, symbol="k", try_=((3, said("both, one, the other")),)), 3, said("How many counts are wanted")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the variances, a row joining or leaving."""
        e, d, k = exact(self.epsilon), self.bits, self.asked_for
        cell, column = 2 / e**2, 2 ** (d - 1) * 2 / e**2
        separate = 2 * (k / e) ** 2
        names = tuple("".join(map(str, bits)) for bits in product((0, 1), repeat=min(d, 3)))
        picture = Plot(
            "cells",
            said("The cells, and those of one column"),
            Axis(scale="names", names=names),
            Axis(said("counted")),
            (
                bars([1] * len(names), said("all cells"), "rival"),
                bars([float(name[0] == "1") for name in names], said("first column = 1")),
            ),
        )
        findings = {
            "value": Finding(said("variance of a column’s count, from cells"), column, rounding="up", state="proved"),
            "cell": Finding(said("variance of a cell (all columns at once)"), cell, rounding="up", state="proved"),
            "separate": Finding(said("variance where k counts share ε"), separate, rounding="up", state="proved"),
            "cells": Finding(said("cells"), 2**d),
        }
        sentence = said(
            "From {cells} cells a column’s count has variance {column}; asked as one of {k}, {separate}.",
            cells=2**d,
            column=text(column, rounding="up"),
            k=k,
            separate=text(separate, rounding="up"),
        )
        return self.answer(findings, (self._variance(d), picture), sentence)

    def _variance(self, d: int) -> Plot:
        wanted = range(1, 13)
        return Plot(
            "variance",
            said("Variance of a count"),
            Axis(said("counts wanted k"), scale="whole"),
            Axis(said("times 1/ε²")),
            (
                curve(wanted, lambda x: 2 * x**2, said("asked one by one"), "rival"),
                curve(wanted, lambda x: 2 ** (d - 1) * 2, said("a column’s count, from cells")),
                curve(wanted, lambda x: 2, said("a single cell"), "other"),
            ),
            handles=(self.handle("asked_for", most=12),),
        )
