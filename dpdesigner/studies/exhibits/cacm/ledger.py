"""[CACM]: as many private steps as a budget permits; k steps of eps each spend k eps, and Laplace noise attains it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import bars, curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Ledger(Exhibit):
    """As many steps as the budget permits."""

    exhibit = "cacm/ledger"
    heading = message("As many steps as the budget permits")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Laplace noise and the exponential mechanism give a private interface to the data. Through it an algorithm of simple "
        "steps can run for as many steps as the privacy budget permits."
    )
    verdict = message("k steps spend kε, and no less")
    must = message(
        "Probabilities of independent answers multiply: k answers that are each e^ε times as likely are e^(kε) times "
        "as likely together. This is the composition theorem, Theorem 2.9 of [BLR]. Laplace noise attains it for "
        "answers beyond both counts."
    )
    badge = (message("✓ proved in fractions"), "proved")

    budget: Number = parameter(number("1/10", 10, symbol="B", try_=(1,)), "1", message("Privacy budget"), message("total ε"))
    epsilon: Number = parameter(
        number("1/100", 2, scale="log", symbol="ε", try_=("1/10", "1/4")),
        "1/10",
        message("Privacy level of a step"),
        message("ε of each step"),
    )
    k: int = parameter(whole_number(1, 100, symbol="k", slide=(1, 20), try_=(8,)), 8, message("Number of steps"))

    def run(self, progress: Progress = silent) -> Answer:
        """Add the questions up, and find the releases at which Laplace noise spends all of it."""
        e, b, k = exact(self.epsilon), exact(self.budget), self.k
        spent, possible = k * e, int(b / e)
        attained = k * float(np.abs(Laplace(float(e)).log_ratio(np.array([-3.0, 3.0]), 1.0)).max())
        places = geometric_places(0.01, 2)
        error = Plot(
            "error",
            message("Expected error of each answer"),
            Axis(message("ε of a step"), scale="log"),
            Axis(message("expected error of a count"), scale="log"),
            (curve(places, lambda x: 1 / x, message("expected error")),),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(message("total spent, kε"), spent, state="proved"),
            "attained": Finding(message("spent by Laplace noise, for answers beyond both counts"), attained, digits=8),
            "left": Finding(message("remaining budget"), b - spent, state="proved"),
            "possible": Finding(message("steps that the budget permits"), possible, state="proved"),
            "error": Finding(message("expected error of each count"), 1 / e, rounding="up", state="proved"),
        }
        sentence = message(
            "{k} steps spend ε = {spent} of a budget of {budget}{over}.",
            k=k,
            spent=text(spent, rounding="up"),
            budget=text(b),
            over=message(", more than the budget") if spent > b else "",
        )
        return self.answer(findings, (self._ledger(k, possible, b, e), error), sentence)

    def _ledger(self, k: int, possible: int, b: Fraction, e: Fraction) -> Plot:
        many = max(k, min(possible, 40), 8) + 1
        return Plot(
            "ledger",
            message("The ledger"),
            Axis(message("step"), scale="whole"),
            Axis(message("spent")),
            (
                bars([float(e * j) for j in range(1, k + 1)], message("spent so far"), start=1),
                curve((0.5, many), lambda x: b, message("budget"), "bound"),
            ),
        )
