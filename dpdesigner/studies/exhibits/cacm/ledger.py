"""[CACM]: as many private steps as a budget permits; k steps of eps each spend k eps, and Laplace noise attains it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.studies.asked import number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars, curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class Ledger(Exhibit):
    """As many steps as the budget permits."""

    exhibit = "cacm/ledger"
    heading = said("As many steps as the budget permits")
    place = said("Section “When Sensitivity Is Hard to Analyze”")
    claim = said(
        "Laplace noise and the exponential mechanism give a private interface to the data. Through it an algorithm of simple "
        "steps can run for as many steps as the privacy budget permits."
    )
    verdict = said("k steps spend kε, and no less")
    must = said(
        "Probabilities of independent noise multiply: k answers that are each e^ε times as likely are e^(kε) times as likely "
        "together. This is the composition theorem, Theorem 2.9 of [BLR]; far out, Laplace noise attains it."
    )
    badge = (said("✓ proved in fractions"), "proved")

    budget: Number = parameter(number("1/10", 10, symbol="B", try_=(1,)), "1", said("Privacy budget"), said("total ε"))
    epsilon: Number = parameter(
        number("1/100", 2, scale="log", symbol="ε", try_=("1/10", "1/4")),
        "1/10",
        said("Privacy level of a step"),
        said("ε of each step"),
    )
    k: int = parameter(whole_number(1, 100, symbol="k", slide=(1, 20), try_=(8,)), 8, said("Number of steps"))

    def run(self, progress: Progress = silent) -> Answer:
        """Add the questions up, and find the releases at which Laplace noise spends all of it."""
        e, b, k = exact(self.epsilon), exact(self.budget), self.k
        spent, possible = k * e, int(b / e)
        attained = k * float(np.abs(Laplace(float(e)).log_ratio(np.array([-3.0, 3.0]), 1.0)).max())
        places = geometric_places(0.01, 2)
        error = Plot(
            "error",
            said("Expected error of each answer"),
            Axis(said("ε of a step"), scale="log"),
            Axis(said("expected error of a count"), scale="log"),
            (curve(places, lambda x: 1 / x, said("expected error")),),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(said("total spent, kε"), spent, state="proved"),
            "attained": Finding(said("spent by Laplace noise, far from both counts"), attained, digits=8),
            "left": Finding(said("left of the budget"), b - spent, state="proved"),
            "possible": Finding(said("steps that the budget permits"), possible, state="proved"),
            "error": Finding(said("expected error of each count"), 1 / e, rounding="up", state="proved"),
        }
        sentence = said(
            "{k} steps spend {spent} of {budget}{over}.",
            k=k,
            spent=text(spent, rounding="up"),
            budget=text(b),
            over=said(", more than the budget") if spent > b else "",
        )
        return self.answer(findings, (self._ledger(k, possible, b, e), error), sentence)

    def _ledger(self, k: int, possible: int, b: Fraction, e: Fraction) -> Plot:
        many = max(k, min(possible, 40), 8) + 1
        return Plot(
            "ledger",
            said("The ledger"),
            Axis(said("step"), scale="whole"),
            Axis(said("spent")),
            (
                bars([float(e * j) for j in range(1, k + 1)], said("spent so far"), start=1),
                curve((0.5, many), lambda x: b, said("budget"), "bound"),
            ),
        )
