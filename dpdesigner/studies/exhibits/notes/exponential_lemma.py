"""[Notes] Lemma in Section 1.6: weights exp(eps q) give (2 eps Dq)-differential privacy, and no less in general.

With k outputs, of which one gains Dq and all others, which lead by g Dq, lose Dq, the log ratio of the one is
ln((1 + (k - 1) e^(g s))/(1 + (k - 1) e^((g - 2) s))) with s = eps Dq; it tends to 2 s as k or g grows.
"""

from __future__ import annotations

import math

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, grouped_bars, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class ExponentialLemma(Exhibit):
    """Privacy level of weights exp(eps q)."""

    exhibit = "notes/exponential-lemma"
    heading = message("Weights exp(εq) give 2εΔq")
    place = message("Section 1.6")
    claim = message(
        "Let Δq be the largest change of a score q(d, r) between neighbours. Sampling r with density proportional to exp(ε "
        "q(d, r)) gives (2εΔq)-differential privacy."
    )
    verdict = message("2εΔq holds and is approached")
    must = message(
        "The weight of an output changes by a factor of at most e^(εΔq), and so does the sum of all weights. The "
        "probability is their quotient, so the two factors can multiply. No constant below 2 is enough."
    )
    badge = (message("✓ never above 2εΔq"), "proved")

    epsilon: Number = how_private("1/2", try_=("1/2", 1))
    sensitivity: Number = parameter(
        number("1/10", 10, scale="log", symbol="Δq", try_=(1, 2)), 1, message("Sensitivity of the score")
    )
    outputs: int = parameter(
        whole_number(2, 100000, symbol="k", slide=(2, 1000), try_=(2, 100)), 10, message("Number of outputs")
    )
    gap: Number = parameter(
        number(1, 40, symbol="g", try_=(1, 10)), 2, message("Lead of the other outputs"), message("in units of Δq")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the log ratio of these two databases with the lemma."""
        allowed = 2 * exact(self.epsilon) * exact(self.sensitivity)
        scale, k, gap = double(allowed) / 2, self.outputs, double(self.gap)
        reached = _log_ratio(k, gap, scale)
        attained = Plot(
            "attained",
            message("Privacy level of these neighbours"),
            Axis(message("lead g"), limits=(1, 12)),
            Axis(message("log ratio")),
            (
                curve([1 + j / 20 for j in range(221)], lambda g: _log_ratio(k, g, scale), message("these neighbours")),
                curve((1, 12), lambda g: 2 * scale, message("2εΔq"), "bound"),
            ),
            handles=(self.handle("gap", most=12),),
        )
        before, after = _probabilities(k, gap, 0.0, scale), _probabilities(k, gap - 1, 1.0, scale)
        names = (message("first output"), message("each other"))
        picture = Plot(
            "probabilities",
            message("Probability of the outputs"),
            Axis(scale="names", names=names),
            Axis(message("probability"), limits=(0, 1)),
            grouped_bars((before, message("one database")), (after, message("its neighbour"))),
        )
        findings = {
            "value": Finding(message("privacy level by the lemma, 2εΔq"), allowed, rounding="up", state="proved"),
            "attained": Finding(message("log ratio of these two databases"), reached, digits=9, rounding="up"),
            "share": Finding(
                message("the same, as a share of the allowed level"), 100 * reached / (2 * scale), "%", digits=4, rounding="down"
            ),
        }
        sentence = message(
            "The lemma gives {allowed}-differential privacy. These two databases attain {reached}.",
            allowed=text(allowed, rounding="up"),
            reached=text(reached, 5, "up"),
        )
        return self.answer(findings, (attained, picture), sentence, printed={"value": str(allowed)})


def _probabilities(k: int, lead: float, first: float, scale: float) -> tuple[float, float]:
    """Return the probability of the first output and of each other, whose scores are `lead`, in units of the sensitivity."""
    top = max(lead, first)
    one, other = math.exp(scale * (first - top)), math.exp(scale * (lead - top))
    total = one + (k - 1) * other
    return one / total, other / total


def _log_ratio(k: int, gap: float, scale: float) -> float:
    """Return ln of the quotient of the first output's two probabilities, at most 2 * scale."""

    def log_sum(exponent: float) -> float:
        return max(0.0, exponent) + math.log1p(math.exp(-abs(exponent)))

    most = math.log(k - 1)
    return log_sum(most + gap * scale) - log_sum(most + (gap - 2) * scale)
