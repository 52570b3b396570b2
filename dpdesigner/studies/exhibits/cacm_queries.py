"""[CACM]: sensitivities of counts and histograms, and the privacy loss of the exponential mechanism.

[CACM]: two yes-or-no columns as one column of four cells: a histogram of it answers every count about them at sensitivity 1.

With noise Lap(1/eps) in four cells the AND count has variance 2/eps^2 and each column's count 4/eps^2; asked separately,
three counts with a share of eps/3 each have 18/eps^2.

[CACM]: the exponential mechanism with weights exp(eps u/Delta) spends up to 2 eps, not eps.

One row raises the utility of the first option by Delta and lowers all others by Delta, which before were g Delta above the
first. The log ratio of the first option is ln((1 + (k - 1) e^(g eps))/(1 + (k - 1) e^((g - 2) eps))). At g = 1, where all
utilities lie in [0, Delta], it is the most that is possible there, eps for k = 2, and tends to 2 eps as k grows; as g grows it
tends to 2 eps for every k >= 2. Where one row moves all utilities the same way, it is at most eps.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.parsing import Number, double
from dpdesigner.core.basics.sensitivity import sensitivities
from dpdesigner.core.choice.mechanisms import exponential_logs, exponents
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import (
    Exhibit,
    above,
    curve,
    geometric_places,
    grouped_bars,
    how_private,
    parameter,
    points,
    text,
)
from dpdesigner.studies.fields import choice, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot, Strips
from dpdesigner.studies.plot_parts import Axis, Band, Bars
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking


class AndCount(Exhibit):
    """A count of one question or two."""

    exhibit = "cacm/and-count"
    heading = message("One count or two")
    place = message("Paragraph before “Histogram Queries”")
    claim = message(
        "Counting the rows in which both of two bits are 1 has sensitivity 1, although it involves two bits. Laplace noise of "
        "scale 1/ε is enough for ε-differential privacy; scale 2/ε is not needed."
    )
    verdict = message("sensitivity 1, as printed")
    must = message(
        "One row changes this count by at most 1. Two separate counts, one for each bit, could change by 2 in total, "
        "so each would need Lap(2/ε)."
    )
    badge = (message("✓ all pairs checked"), "proved")

    rows: int = parameter(whole_number(1, 4, symbol="n"), 3, message("Rows in each database checked"), message("two bits each"))
    epsilon: Number = how_private("1", try_=(1,))

    def run(self, progress: Progress = silent) -> Answer:
        """Enumerate all pairs of neighbours under both definitions."""
        e = self.privacy.epsilon
        replaced, joined = sensitivities(self.rows, False), sensitivities(self.rows, True)
        names = (message("AND"), message("two counts"), message("four cells"))
        picture = Plot(
            "sensitivity",
            message("Sensitivity"),
            Axis(scale="names", names=names),
            Axis(limits=(0, 2.6)),
            bars=grouped_bars(
                ((joined.both, joined.separate, joined.histogram), message("a row joins or leaves"), "main"),
                ((replaced.both, replaced.separate, replaced.histogram), message("a row is replaced"), "rival"),
            ),
        )
        findings = {
            "value": Finding(message("sensitivity of the AND count"), joined.both, state="proved"),
            "replaced": Finding(message("the same, if a row is replaced"), replaced.both, state="proved"),
            "two": Finding(message("sensitivity of two counts"), joined.separate, state="proved"),
            "two-replaced": Finding(message("the same, if a row is replaced"), replaced.separate, state="proved"),
            "error": Finding(message("expected error of the AND count"), joined.both / e, digits=5, rounding="up"),
            "error-two": Finding(message("expected error of each of two counts"), joined.separate / e, digits=5, rounding="up"),
        }
        sentence = message(
            "The expected error of the AND count is {one}. For each of two separate counts it is {two}.",
            one=text(joined.both / e, rounding="up"),
            two=text(joined.separate / e, rounding="up"),
        )
        return self.answer(findings, (picture, self._error()), sentence, printed={"value": 1, "error": 1 / e})

    def _error(self) -> Plot:
        places = geometric_places(0.05, 5)
        return Plot(
            "error",
            message("Expected error of a count"),
            Axis("ε", scale="log"),
            Axis(message("expected error"), scale="log"),
            (
                curve(places, lambda x: 1 / x, message("one count")),
                curve(places, lambda x: 2 / x, message("each of two"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )


class FourCells(Exhibit):
    """A histogram of four cells that answers several counts."""

    exhibit = "cacm/four-cells"
    heading = message("Four cells answer several counts")
    place = message("Section “Histogram Queries”")
    claim = message(
        "For rows of two bits, the counts of the four possible values form a histogram query. Noise of order 1/ε in "
        "each of the four cells gives ε-differential privacy."
    )
    verdict = message("noise of scale 1/ε in every cell")
    must = message(
        "Each row is in exactly one cell, so all cells together spend ε once. A count over several cells adds up their "
        "noise. The comparison with separate counts, which share ε, is ours, as is the case of more than two bits."
    )
    badge = (message("✓ proved in fractions"), "proved")

    epsilon: Number = how_private("1", try_=(1,))
    bits: int = parameter(
        whole_number(1, 6, symbol="d", try_=((2, message("four cells")), (6, message("64 cells")))), 2, message("Bits in a row")
    )
    asked_for: int = parameter(
        whole_number(1, 64, symbol="k", try_=((3, message("both, one, the other")),)), 3, message("Counts asked separately")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the variances if a row is added or removed."""
        e, d, k = budget_of(self.privacy), self.bits, self.asked_for
        cell, column = 2 / e**2, 2 ** (d - 1) * 2 / e**2
        separate = 2 * (k / e) ** 2
        names = tuple("".join(map(str, bits)) for bits in product((0, 1), repeat=min(d, 3)))
        picture = Plot(
            "cells",
            message("Cells in the count of the first bit"),
            Axis(scale="names", names=names),
            Axis(message("counted"), limits=(0, 1.3)),
            bars=grouped_bars(
                ([int(name[0] == "1") for name in names], message("first bit = 1"), "main"),
                ([1] * len(names), message("all cells"), "rival"),
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
            Axis(message("times 1/ε²"), scale="log"),
            (
                curve(wanted, lambda x: 2 * x**2, message("asked separately"), "rival"),
                curve(wanted, lambda x: 2 ** (d - 1) * 2, message("count of a bit, from cells")),
                curve(wanted, lambda x: 2, message("a single cell"), "other"),
            ),
            handles=(self.handle("asked_for", most=12),),
        )


class Histogram(Exhibit):
    """Sensitivity of a histogram."""

    exhibit = "cacm/histogram"
    heading = message("Sensitivity of a histogram")
    place = message("Section “Histogram Queries”")
    claim = message(
        "Removing or adding one row changes one cell of a histogram by 1. So the sensitivity is 1 for any number of cells, and "
        "Laplace noise of scale 1/ε in each cell gives ε-differential privacy."
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
        """Enumerate all pairs of neighbours, and find the noise that is sufficient."""
        sensitivity = sensitivities(self.rows, self.neighbours == "join")
        e = self.privacy.epsilon
        scale = sensitivity.histogram / e
        short = sensitivity.histogram  # privacy loss of Lap(1/eps), in units of eps
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
            bars=grouped_bars((before, message("with that row"), "main"), (after, message("changed"), "rival")),
        )


_OPTIONS = 10  # that are drawn


class Exponential(Exhibit):
    """Privacy level of the exponential mechanism."""

    exhibit = "cacm/exponential"
    heading = message("The exponential mechanism")
    place = message("Section “When Noise Makes No Sense”")
    claim = message(
        "Choose an option with a probability that grows exponentially with its utility, at the rate ε divided by the largest "
        "change of a utility when one row changes. This is ε-differentially private."
    )
    symbols = message(
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
        """Compute the log ratio of two neighbours, with utilities in units of their sensitivity."""
        e, k = self.privacy.epsilon, self.k
        spent, limit = self._spent(k, e), 2 if self.moves == "apart" else 1
        level = above(self.privacy) * limit
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
        findings = {
            "value": Finding(message("ε between these two databases"), spent, digits=4, rounding="up"),
            "times": Finding(message("the same, divided by ε"), spent / e, digits=4, rounding="up"),
            "guaranteed": Finding(message("privacy level over all databases"), level, rounding="up", state="proved"),
            "half": Finding(message("these two, with weights exp(εu/2Δu)"), self._spent(k, e / 2), digits=4, rounding="up"),
        }
        sentence = message(
            "The rule is {limit}-differentially private{only}. With these {k} options, two neighbouring databases "
            "differ by ε = {spent}.",
            limit=text(level, rounding="up"),
            only=message(", not {epsilon}", epsilon=self.epsilon)
            if limit == 2
            else message(" if every row moves the utilities in this way"),
            k=k,
            spent=text(spent, 4, "up"),
        )
        return self.answer(findings, (plot, self._options(k, e)), sentence, printed={"guaranteed": above(self.privacy)})

    def _options(self, k: int, e: float) -> Strips:
        """Show the probabilities of the first options in both databases, and below them how many times one is the other."""
        one, other = (self._logs(k, e, side)[:_OPTIONS] for side in (0, 1))
        names = Axis(message("option"), scale="names", names=tuple(str(place) for place in range(1, len(one) + 1)))
        ratios = np.exp(np.abs(one - other))
        top = 1.25 * max(float(ratios.max()), math.exp(e))
        chances = Plot(
            "chances",
            message("Probability of the first options"),
            names,
            Axis(limits=(0.0, 1.3 * float(np.exp(max(one.max(), other.max()))))),
            bars=(Bars(np.exp(one), message("one database")), Bars(np.exp(other), message("its neighbour"), "rival")),
        )
        changes = Plot(
            "ratios",
            message("Ratio of the two"),
            names,
            Axis(limits=(0.0, top)),
            bars=(Bars(ratios, message("ratio"), "other", texts=lambda ratio: text(ratio, 3)),),
            bands=(Band(0.0, math.exp(e), along="y"),),
            hint=message("shaded: at most e^ε = {most}", most=text(math.exp(e), 4)),
        )
        return Strips("options", message("Two databases that differ in one row"), (chances, changes))

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
