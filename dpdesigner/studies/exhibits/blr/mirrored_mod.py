"""[BLR] Theorem 7.5: the mirrored mod m, which goes up and down between 0 and m - 1, has sensitivity 1.

F_3(0, ..., 8) = 0, 1, 2, 2, 1, 0, 0, 1, 2. For two databases drawn at random, Pr[|Q(D1) - Q(D2)| >= m/2] -> 1/4 + 1/(2m) (m
even), which is 1/4 + eps/4 at m = 2/eps.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Line, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class MirroredMod(Exhibit):
    """A mirror hides the sum."""

    exhibit = "blr/mirrored-mod"
    heading = said("A mirror hides the sum")
    place = said("Theorem 7.5")
    claim = said(
        "The mirrored mod m of the sum of n bits has sensitivity 1; noise makes it ε-private: Pr[A(D₁) = x] = "
        "e^(−ε|Q(D₁) − Q(D₂)|) Pr[A(D₂) = x]. Yet random databases differ by m/2 or more."
    )
    verdict = said("≤ for =, outside a gap")
    differs = said(
        "The ratio is e^(−ε|…|) only for outputs x that do not lie between the two values, and within the gap it is ≤, "
        "not =. “D ⊂ {0,1}^n” means a vector of n bits."
    )
    must = said(
        "A random sum lands anywhere in the mirror, evenly: two answers are m/2 apart in a quarter of cases and a "
        "little more. Between the two values the densities cross."
    )

    m: int = parameter(
        whole_number(2, 100, symbol="m", slide=(2, 40), try_=((3, said("0, 1, 2, 2, 1, 0, …")), (4, "0.375"), (20, "0.275"))),
        4,
        said("How wide the mirror is"),
    )
    n: int = parameter(whole_number(2, 20000, symbol="n", slide=(2, 500), try_=(100, 10000)), 100, said("How many bits"))
    epsilon: Number = parameter(number("1/10", 2, symbol="ε", try_=(("1/2", said("m = 2/ε = 4")),)), "1/2", said("How private"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the law of the answer for random bits, and the chance that two differ by m/2 or more."""
        m, n, e = self.m, self.n, double(self.epsilon)
        law = np.bincount(mirrored(np.arange(n + 1), m), weights=_binomial(n), minlength=m)
        far = np.abs(np.subtract.outer(np.arange(m), np.arange(m))) >= m / 2
        chance = float(law @ far @ law)
        limit = 0.25 + 1 / (2 * m) if m % 2 == 0 else 0.25 - 1 / (4 * m * m)
        most = int(np.abs(np.diff(mirrored(np.arange(4 * m), m))).max())
        shown = range(min(4 * m, 60) + 1)
        picture = Plot(
            "mirror",
            said("The mirrored mod"),
            Axis(said("sum of the bits"), scale="whole"),
            Axis(said("answer"), scale="whole"),
            (curve(shown, lambda i: mirrored(np.array([i]), m)[0], "F"),),
        )
        one, other = 0.0, float(min(m - 1, max(1, m // 2)))
        middle, xs = (one + other) / 2, np.linspace(-2, m + 1, 301)
        findings = {
            "value": Finding(said("chance to differ by m/2 or more"), chance, digits=6),
            "limit": Finding(said("as n grows"), limit, digits=6),
            "epsilon": Finding(said("1/4 + ε/4, at m = 2/ε"), 0.25 + e / 4, digits=6),
            "sensitivity": Finding(said("sensitivity"), most, state="proved"),
            "values": Finding(said("F for 0, …, 8"), ", ".join(map(str, mirrored(np.arange(9), m).tolist()))),
            "inside": Finding(
                said("ε spent half way between the two"),
                e * abs(abs(middle - other) - abs(middle - one)),
                digits=3,
                rounding="up",
            ),
        }
        sentence = said(
            "Two random databases differ by {half} or more in {share} of cases, though one bit moves the answer by {most}.",
            half=f"{m / 2:g}",
            share=f"{100 * chance:.4g}\u00a0%",
            most=most,
        )
        return self.answer(
            findings,
            (picture, self._ratio(xs, e, one, other)),
            sentence,
            printed={"sensitivity": 1, "inside": f"{e * (other - one):.6g}"},
        )

    def _ratio(self, xs: Floats, e: float, one: float, other: float) -> Plot:
        return Plot(
            "ratio",
            said("How the two releases compare"),
            Axis(said("output x")),
            Axis(said("ln of the ratio")),
            (
                Line(xs, e * (np.abs(xs - other) - np.abs(xs - one)), said("right")),
                curve((xs[0], xs[-1]), lambda x: e * (other - one), said("printed: ε|Q(D₁) − Q(D₂)|"), "rival"),
            ),
            bands=(Band(one, other, said("between the two")),),
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
