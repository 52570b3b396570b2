"""[GRS] Example 2.1: the geometric mechanism on all integers, Pr[Z = z] = (1 - alpha)/(1 + alpha) alpha^|z|.

E|Z| = 2 alpha/(1 - alpha^2), E Z^2 = 2 alpha/(1 - alpha)^2, Pr[Z != 0] = 2 alpha/(1 + alpha), Pr[Z >= k] = alpha^k/(1 +
alpha).
"""

from __future__ import annotations

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, shares, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Plot
from dpdesigner.studies.study import Progress, silent


class Unclamped(Exhibit):
    """Noise on all whole numbers."""

    exhibit = "grs/unclamped"
    heading = message("Unclamped noise")
    place = message("Example 2.1")
    claim = message(
        "The α-geometric mechanism adds Z with Pr[Z = z] = (1−α)/(1+α) · α^|z| to the count; it is α-differentially private."
    )
    verdict = message("neighbouring ratio is exactly α")
    must = message(
        "One more person shifts the bars by one place, and each bar is α or 1/α times the next. So no ratio exceeds 1/α."
    )
    badge = (message("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/2", "1/100", "99/100", try_=(("1/2", message("ε = ln 2")),))
    k: int = parameter(whole_number(1, 50, symbol="k", slide=(1, 12)), 2, message("Size of the error"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute chances and costs in fractions."""
        a, k, places = exact(self.alpha), self.k, range(-12, 13)
        chance = {z: (1 - a) / (1 + a) * a ** abs(z) for z in range(-13, 14)}
        summed = sum((chance[z] if z in chance else (1 - a) / (1 + a) * a**z for z in range(k)), chance[0] - chance[0])
        ratios = {chance[z] / chance[z + 1] for z in range(-13, 13)}
        noise = Plot(
            "noise",
            message("Probability of each error"),
            Axis(message("error z"), scale="whole", limits=(-12.5, 12.5)),
            Axis(message("probability")),
            (curve(places, lambda z: chance[z], message("geometric noise"), spikes=True),),
            bands=(Band(k - 0.5, 12.5, message("error of k or more")),),
        )
        cost = Plot(
            "cost",
            message("Expected error against α"),
            Axis("α", limits=(0, 1)),
            Axis(message("expected error"), limits=(0, 10)),
            (
                curve(shares(100)[:96], lambda x: 2 * x / (1 - x * x), message("E|Z|")),
                curve(shares(100)[:96], lambda x: 2 * x / (1 + x), message("probability of an error"), "rival"),
            ),
            handles=(self.handle("alpha"),),
        )
        findings = {
            "value": Finding(message("expected error E|Z|"), 2 * a / (1 - a * a), state="proved"),
            "square": Finding(message("expected squared error E Z²"), 2 * a / (1 - a) ** 2, state="proved"),
            "moved": Finding(message("probability of an error, Z ≠ 0"), 1 - chance[0], state="proved"),
            "tail": Finding(message("probability of k or more"), 1 - (summed + (1 - chance[0]) / 2), state="proved"),
            "ratio": Finding(message("ratio of neighbours, at most"), max(ratios), state="proved"),
        }
        printed: dict[str, Number] = {"ratio": 1 / a}
        sentence = message(
            "The expected error is {mean}. The answer is exact with probability {never}.",
            mean=text(2 * a / (1 - a * a), rounding="up"),
            never=text(chance[0], rounding="down"),
        )
        return self.answer(findings, (noise, cost), sentence, printed=printed)
