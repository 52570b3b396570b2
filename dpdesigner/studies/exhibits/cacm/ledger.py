"""[CACM]: composition: questions of eps each, together k eps; Laplace noise attains it."""

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
    """Questions add up."""

    exhibit = "cacm/ledger"
    heading = said("Questions add up")
    place = said("composition")
    claim = said(
        "Any k mechanisms that are ε-differentially private are kε-differentially private together, whatever they are "
        "and however each question depends on the answers before."
    )
    verdict = said("kε, and no less")
    must = said(
        "Chances multiply: k releases that each are e^ε times as likely are e^(kε) times as likely together. "
        "Laplace noise far from both counts attains it every time."
    )
    badge = (said("✓ proved in fractions"), "proved")

    budget: Number = parameter(number("1/10", 10, symbol="B", try_=(1,)), "1", said("What may be spent in all"), said("budget"))
    epsilon: Number = parameter(
        number("1/100", 2, scale="log", symbol="ε", try_=("1/10", "1/4")), "1/10", said("What a question costs"), said("ε each")
    )
    k: int = parameter(whole_number(1, 100, symbol="k", slide=(1, 20), try_=(8,)), 8, said("How many were asked"))

    def run(self, progress: Progress = silent) -> Answer:
        """Add the questions up, and find the releases at which Laplace noise spends all of it."""
        e, b, k = exact(self.epsilon), exact(self.budget), self.k
        spent, possible = k * e, int(b / e)
        attained = k * float(np.abs(Laplace(float(e)).log_ratio(np.array([-3.0, 3.0]), 1.0)).max())
        places = geometric_places(0.01, 2)
        error = Plot(
            "error",
            said("How far off each answer is"),
            Axis(said("ε of a question"), scale="log"),
            Axis(said("mean error of a count"), scale="log"),
            (curve(places, lambda x: 1 / x, said("mean error")),),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(said("spent in all, kε"), spent, state="proved"),
            "attained": Finding(said("spent by Laplace noise, far out"), attained, digits=8),
            "left": Finding(said("left of the budget"), b - spent, state="proved"),
            "possible": Finding(said("questions the budget allows"), possible, state="proved"),
            "error": Finding(said("mean error of each count"), 1 / e, rounding="up", state="proved"),
        }
        sentence = said(
            "{k} questions spend {spent} of {budget}{over}.",
            k=k,
            spent=text(spent, rounding="up"),
            budget=text(b),
            over=said(": more than there is") if spent > b else "",
        )
        return self.answer(
            findings, (self._ledger(k, possible, b, e), error), sentence, printed={"value": spent, "attained": float(spent)}
        )

    def _ledger(self, k: int, possible: int, b: Fraction, e: Fraction) -> Plot:
        many = max(k, min(possible, 40), 8) + 1
        return Plot(
            "ledger",
            said("The ledger"),
            Axis(said("question"), scale="whole"),
            Axis(said("spent")),
            (
                bars([float(e * j) for j in range(1, k + 1)], said("spent so far"), start=1),
                curve((0.5, many), lambda x: b, said("budget"), "bound"),
            ),
        )
