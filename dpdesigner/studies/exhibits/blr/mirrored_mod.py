"""[BLR] Theorem 7.5: the mirrored mod m, which goes up and down between 0 and m - 1, has sensitivity 1.

F_3(0, ..., 8) = 0, 1, 2, 2, 1, 0, 0, 1, 2. For two databases drawn at random, Pr[|Q(D1) - Q(D2)| >= m/2] -> 1/4 + 1/(2m) (m
even), which is 1/4 + eps/4 at m = 2/eps.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Line, Plot
from dpdesigner.studies.study import Progress, silent


class MirroredMod(Exhibit):
    """A mirror hides the sum."""

    exhibit = "blr/mirrored-mod"
    heading = message("The mirrored mod hides the sum")
    place = message("Theorem 7.5")
    claim = message(
        "The mirrored mod 2/ε of a sum of bits has sensitivity 1. Two random databases differ by 1/ε or more with constant "
        "probability; then the densities of Q + Lap(1/ε) have ratio e^(−ε|Q₁ − Q₂|) = 1/e at every x."
    )
    verdict = message("≥ in place of =, then ≤ 1/e")
    differs = message(
        "The ratio is e^(−ε|Q₁ − Q₂|) only for x beyond Q₂. Elsewhere it is larger, up to e^(+ε|Q₁ − Q₂|). Since |Q₁ − "
        "Q₂| ≥ 1/ε, the second “=” should read ≤. The values beyond Q₂ still give the theorem for every ε′ below 1, "
        "but not the last line of the proof, (1, o(1)), if |Q₁ − Q₂| is exactly 1/ε."
    )
    must = message(
        "A random sum is almost uniform over the mirrored range, so two answers differ by m/2 or more with probability "
        "slightly above 1/4. Between the two values the densities cross. “D ⊂ {0,1}^n” means a vector of n bits."
    )

    m: int = parameter(
        whole_number(2, 100, symbol="m", slide=(2, 40), try_=((3, message("0, 1, 2, 2, 1, 0, …")), (4, "0.375"), (20, "0.275"))),
        4,
        message("Width of the mirrored range"),
    )
    n: int = parameter(whole_number(2, 20000, symbol="n", slide=(2, 500), try_=(100, 10000)), 100, message("Number of bits"))
    epsilon: Number = parameter(
        number("1/10", 2, symbol="ε", try_=(("1/2", message("m = 2/ε = 4")),)), "1/2", message("How private")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the distribution of the answer for random bits, and the probability that two differ by m/2 or more."""
        m, n, e = self.m, self.n, double(self.epsilon)
        law = np.bincount(mirrored(np.arange(n + 1), m), weights=_binomial(n), minlength=m)
        far = np.abs(np.subtract.outer(np.arange(m), np.arange(m))) >= m / 2
        chance = float(law @ far @ law)
        limit = 0.25 + 1 / (2 * m) if m % 2 == 0 else 0.25 - 1 / (4 * m * m)
        most = int(np.abs(np.diff(mirrored(np.arange(4 * m), m))).max())
        shown = range(min(4 * m, 60) + 1)
        picture = Plot(
            "mirror",
            message("The mirrored mod"),
            Axis(message("sum of the bits"), scale="whole"),
            Axis(message("answer"), scale="whole"),
            (curve(shown, lambda i: mirrored(np.array([i]), m)[0], "F"),),
        )
        one, other = 0.0, float(min(m - 1, max(1, m // 2)))
        gap, xs = other - one, np.linspace(-2, m + 1, 301)
        findings = {
            "value": Finding(message("probability of differing by m/2 or more"), chance, digits=6),
            "limit": Finding(message("as n grows"), limit, digits=6),
            "epsilon": Finding(message("1/4 + ε/4, at m = 2/ε"), 0.25 + e / 4, digits=6),
            "sensitivity": Finding(message("sensitivity"), most, state="proved"),
            "values": Finding(message("F for 0, …, 8"), ", ".join(map(str, mirrored(np.arange(9), m).tolist()))),
            "beyond": Finding(message("ratio at x on the side of Q₂ = {q}", q=f"{other:g}"), math.exp(-e * gap), digits=4),
            "inside": Finding(message("ratio at x half-way between"), 1.0, digits=4),
            "before": Finding(message("ratio at x on the side of Q₁ = 0"), math.exp(e * gap), digits=4),
        }
        sentence = message(
            "Two random databases differ by {half} or more with probability {share}. One bit changes the answer by at "
            "most {most}.",
            half=f"{m / 2:g}",
            share=f"{chance:.4g}",
            most=most,
        )
        return self.answer(
            findings,
            (picture, self._ratio(xs, e, one, other)),
            sentence,
            printed={"sensitivity": 1} | dict.fromkeys(("beyond", "inside", "before"), math.exp(-e * gap)),
        )

    def _ratio(self, xs: Floats, e: float, one: float, other: float) -> Plot:
        return Plot(
            "ratio",
            message("Ratio of the densities at each output"),
            Axis(message("output x")),
            Axis(message("ln (density for D₁ / density for D₂)")),
            (
                Line(xs, e * (np.abs(xs - other) - np.abs(xs - one)), message("right")),
                curve((xs[0], xs[-1]), lambda x: -e * (other - one), message("printed: −ε|Q₁ − Q₂|"), "rival"),
            ),
            bands=(Band(one, other, message("between the two")),),
        )


def mirrored(i: NDArray[np.int64], m: int) -> NDArray[np.int64]:
    """Return F_m of each sum: 0, ..., m - 1, m - 1, ..., 0, over and over."""
    place = i % (2 * m)
    return np.where(place < m, place, 2 * m - 1 - place)


def _binomial(n: int) -> NDArray[np.float64]:
    i = np.arange(n + 1)
    logs = np.array([math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in i.tolist()])
    chances = np.exp(logs - n * math.log(2))
    return np.asarray(chances / chances.sum())
