"""[Notes]: the utopian goal, that nothing can be learned of a person that was not known without the data, cannot be reached.

Somebody knows that you earn 20 % more than the average. The average, published with Laplace noise, tells him what you earn,
whether your row is in the table or not; what your row changes is bounded by e^eps.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent

_MOST, _MEAN = 500.0, 50.0  # thousands: incomes are cut off there; the average of the others


class UtopianGoal(Exhibit):
    """Harm without taking part."""

    exhibit = "notes/utopian-goal"
    heading = said("Harm without taking part")
    place = said("on the utopian goal")
    claim = said(
        "That access to the data reveals nothing about an individual is impossible to ask: who knows how you stand to "
        "the average learns about you from any useful release, even if you are not in the data."
    )
    verdict = said("average known, you found")
    must = said(
        "The release is useful: it teaches the average. What privacy promises is that your own row adds nothing "
        "beyond e^ε to what can be learned, not that nothing can be learned."
    )

    epsilon: Number = parameter(
        number("1/100", 5, scale="log", symbol="ε", ends=(said("more private"), said("more accurate")), try_=(1,)),
        "1",
        said("How private"),
    )
    n: int = parameter(
        whole_number(10, 100000, symbol="n", slide=(10, 5000), try_=((100, said("a village")), (5000, said("a town")))),
        1000,
        said("How many people"),
    )
    more: Number = parameter(
        number(-50, 200, symbol=said("you"), slide=(-50, 100), try_=((20, said("20 % more")),)),
        "20",
        said("How you stand to the average"),
        said("% more"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Guess the income from the released average, with the row in the table and without it."""
        e, n, factor = double(self.epsilon), self.n, 1 + double(self.more) / 100
        yours = factor * _MEAN
        scale = _MOST / (n * e)
        inside = (_MEAN * (n - 1) + yours) / n
        places = np.linspace(max(0.0, yours - 12 * max(scale * factor, 1.0)), yours + 12 * max(scale * factor, 1.0), 401)
        wide = max(factor, 1e-9)
        law = Laplace(e, _MOST / n)
        away, within = (law.density(places / wide - mean) / wide for mean in (_MEAN, inside))
        picture = Plot(
            "guess",
            said("What he takes your income for"),
            Axis(said("thousands")),
            Axis(said("density")),
            (Line(places, away, said("you are not in the table")), Line(places, within, said("you are"), "rival", dashed=True)),
            marks=(Mark(yours, 0.0, said("you")),),
        )
        before = (yours**2 + (_MOST - yours) ** 2) / (2 * _MOST)  # mean distance of a guess anywhere in 0 to 500
        after = factor * scale
        ratio = math.exp(min(abs(inside - _MEAN) / scale, e))
        findings = {
            "value": Finding(said("guess off by, after the release"), after, said("thousand"), digits=4, rounding="up"),
            "before": Finding(said("guess off by, before"), before, said("thousand"), digits=4),
            "moved": Finding(said("what your row moves the average by"), abs(inside - _MEAN), said("thousand"), digits=4),
            "ratio": Finding(said("how much your row changes any chance, at most"), ratio, digits=6, rounding="up"),
            "promised": Finding(said("what ε promises, e^ε"), math.exp(e), digits=6),
        }
        sentence = said(
            "The release tells your income to within {after} thousand, whether you are in the table or not.",
            after=text(after, 3, "up"),
        )
        return self.answer(findings, (picture, self._error(before, factor, n)), sentence)

    def _error(self, before: float, factor: float, n: int) -> Plot:
        return Plot(
            "error",
            said("How far off the guess is"),
            Axis("ε", scale="log"),
            Axis(said("thousands"), scale="log"),
            (
                curve(geometric_places(0.01, 5), lambda x: factor * _MOST / (n * x), said("after the release")),
                curve(geometric_places(0.01, 5), lambda x: before, said("before"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
