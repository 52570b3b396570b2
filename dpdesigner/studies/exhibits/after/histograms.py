"""Two counts at once: separate noise is best if the beliefs about them are independent, and not otherwise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.program.adjacency_graphs import best_mechanism
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, mechanism, shares, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import number
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

_CELLS = list(product((0, 1), repeat=2))
_EDGES = [
    (a, b) for a in range(4) for b in range(a + 1, 4) if sum(x != y for x, y in zip(_CELLS[a], _CELLS[b], strict=True)) == 1
]


class Histograms(Exhibit):
    """One draw per cell."""

    exhibit = "after/histograms"
    heading = message("Histograms: one draw per cell?")
    place = message("Section “Histograms”")
    claim = message(
        "One draw of geometric noise per cell, each remapped on its own, is best for additive losses if the beliefs about the"
        " cells are independent. If they are correlated, a joint mechanism can be better."
    )
    verdict = message("1/2 against 1/3 for two equal bits")
    asks = message(
        "Theorem 3.1 is about one count. Here two cells hold 0 or 1 person each, and the loss is the number of wrong cells."
    )
    must = message(
        "With independent beliefs, averaging any mechanism over the other cell keeps it private and its loss additive."
    )
    badge = (message("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/3", "1/20", "19/20", try_=(("1/3", message("ε = ln 3")), ("1/2", message("ε = ln 2"))))
    correlation: Number = parameter(
        number(0, 1, symbol="c", try_=((0, message("independent")), (1, message("equal")))),
        1,
        message("Correlation of the cells"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare one draw per cell with the linear program over all mechanisms on pairs of cells."""
        alpha, c = exact(self.alpha), exact(self.correlation)
        prior = [(1 + c) / 4 if a == b else (1 - c) / 4 for a, b in _CELLS]
        wrong = [[sum(x != y for x, y in zip(true, read, strict=True)) for read in _CELLS] for true in _CELLS]
        best = best_mechanism([[p * w for w in row] for p, row in zip(prior, wrong, strict=True)], alpha, _EDGES)
        release = [[alpha ** wrong[i][j] / (1 + alpha) ** 2 for j in range(4)] for i in range(4)]
        separate = 2 * alpha / (1 + alpha)
        joint = sum(
            (
                min(sum((prior[i] * release[i][j] * wrong[i][r] for i in range(4)), Fraction(0)) for r in range(4))
                for j in range(4)
            ),
            Fraction(0),
        )
        state: State = "proved" if best.proved else "measured"
        findings = {
            "value": Finding(
                message("saved by a joint mechanism"), separate - Fraction(best.value), rounding="down", state=state
            ),
            "product": Finding(message("one draw per cell, remapped on its own"), separate, rounding="up", state="proved"),
            "read-together": Finding(message("the same draws, read together"), joint, rounding="up", state="proved"),
            "optimum": Finding(message("least possible"), best.value, rounding="down", state=state),
        }
        against = Plot(
            "against",
            message("Expected number of wrong cells against α"),
            Axis("α", limits=(0, 1)),
            Axis(message("wrong cells")),
            (curve(shares(), lambda a: 2 * a / (1 + a), message("one draw per cell"), "rival"),),
            handles=(self.handle("alpha"),),
        )
        picture = mechanism(
            "joint", message("A best joint mechanism on 00, 01, 10, 11"), [[float(x) for x in row] for row in best.matrix], alpha
        )
        sentence = message(
            "One draw per cell gets {product} cells wrong on average, the best joint mechanism {optimum}.",
            product=text(separate, rounding="up"),
            optimum=text(best.value, rounding="down"),
        )
        return self.answer(findings, (picture, against), sentence)
