"""[BLR] Theorem 6.9: halfspaces by projection and a net; nothing can be run at its constants, and one is too good.

The mean of m independent variables in [-1, 1] strays by alpha/4 with chance at most 2 exp(-m alpha^2/32) (Hoeffding); with 8
in place of 32 random signs at m = 64, alpha = 1/2 do so in 38 % of cases where 27 % are claimed. |U| is (4 sqrt T/gamma)^T.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesigner.core.numbers.given import Number, double, exact
from dpdesigner.studies.asked import asked, number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, points
from dpdesigner.studies.exhibits.exhibit import Exhibit
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Handle, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class Halfspaces(Exhibit):
    """Halfspaces, out of reach."""

    exhibit = "blr/halfspaces"
    heading = said("Halfspaces, out of reach")
    place = said("Theorem 6.9")
    claim = said(
        "Project to T dimensions, ask a net U of halfspaces about m sampled points: by a Chernoff bound each answer is "
        "within α except with chance 2 exp(−mα²/8), and U is small enough."
    )
    holds = False
    verdict = said("10^9505 questions; 32, not 8")
    differs = said(
        "For variables between −1 and 1 the bound is 2 exp(−mα²/32): m must be four times as large. |U| = (4√T/γ)^T "
        "stands inside the logarithm, too. ŷ must be normalised before the nearest point of the net is sought."
    )

    m: int = asked(
        whole_number(
            8,
            5000,
            symbol="m",
            slide=(8, 512),
            try_=((64, said("0.382 where 0.271 is claimed")), (256, said("four times as many"))),
        ),
        default=64,
        label=said("How many points are asked about"),
        term=said("m"),
    )
    alpha: Number = asked(
        number("1/10", 1, symbol="α", try_=(("1/2", ""),)), default="1/2", label=said("How accurate"), term=said("α")
    )
    t: int = asked(
        whole_number(
            1, 10000, symbol="T", slide=(1, 4000), try_=((3549, said("at γ = α = ½, d = 10, β = 0.05")), (2, said("a circle")))
        ),
        default=3549,
        label=said("How many dimensions are left"),
        term=said("T"),
    )
    gamma: Number = asked(number("1/10", 1, symbol="γ", try_=(("1/2", ""),)), default="1/2", label=said("Margin"), term=said("γ"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the chance for random signs exactly, both bounds, and the size of the net."""
        m, a, t, g = self.m, double(self.alpha), self.t, double(self.gamma)
        real = _strays(m, exact(self.alpha) / 4)
        claimed, right = min(1.0, 2 * math.exp(-m * a * a / 8)), min(1.0, 2 * math.exp(-m * a * a / 32))
        log_net = t * math.log10(4 * math.sqrt(t) / g)
        sizes = [8 * k for k in range(1, 65)]
        plot = Plot(
            "chernoff",
            said("How often m random signs stray by α/4"),
            Axis(said("points m")),
            Axis(said("chance"), limits=(0, 1)),
            (
                points(sizes, [_strays(size, exact(self.alpha) / 4) for size in sizes], said("really")),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 8)), said("claimed"), "rival", dashed=True),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 32)), said("right bound"), "bound", dashed=True),
            ),
            handles=(Handle(min(m, 512), said("m = {m}", m=m), "m"),),
        )
        at = [round(x) for x in geometric_places(1, 4000, 60)]
        net = Plot(
            "net",
            said("How many halfspaces the net has (powers of ten)"),
            Axis("T", scale="log"),
            Axis("log₁₀ |U|", scale="log"),
            (curve(sorted(set(at)), lambda x: x * math.log10(4 * math.sqrt(x) / g), said("(4√T/γ)^T")),),
            marks=(Mark(min(t, 4000), log_net, ""),),
        )
        findings = {
            "value": Finding(said("chance that random signs stray by α/4"), real, digits=4, rounding="up"),
            "right": Finding(said("right bound 2 exp(−mα²/32)"), right, digits=4, rounding="up"),
            "broken": Finding(said("the claimed bound is broken"), real > claimed),
            "net": Finding(said("halfspaces in the net, power of ten"), log_net, digits=5, rounding="up"),
            "runnable": Finding(said("can be run"), log_net < 7),
        }
        sentence = said(
            "Random signs stray in {real} of cases where {claimed} are claimed; the net has 10^{net} halfspaces.",
            real=f"{100 * real:.3g}\u00a0%",
            claimed=f"{100 * claimed:.3g}\u00a0%",
            net=f"{log_net:.5g}",
        )
        must = said(
            "Hoeffding’s bound for a range of 2 and a distance α/4 is 2 exp(−2m(α/4)²/4). Every halfspace of the net "
            "costs a share of ε: with 10^9505 of them no number of rows is enough in practice."
        )
        return self.answer(findings, (plot, net), sentence, must=must, printed={"value": claimed})


def _strays(m: int, distance: Fraction) -> float:
    """Return Pr[|mean of m random signs| >= distance], summed up exactly."""
    least, ways, total = distance * m, 1, 0
    for k in range(m + 1):
        if abs(2 * k - m) >= least:
            total += ways
        ways = ways * (m - k) // (k + 1)
    return float(Fraction(total, 2**m))
