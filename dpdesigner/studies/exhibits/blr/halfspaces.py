"""[BLR] Theorem 6.9: halfspaces by projection and a net; nothing can be run at its constants, and one is too good.

The mean of m independent variables in [-1, 1] strays by alpha/4 with chance at most 2 exp(-m alpha^2/32) (Hoeffding); with 8
in place of 32 random signs at m = 64, alpha = 1/2 do so in 38 % of cases where 27 % are claimed. |U| is (4 sqrt T/gamma)^T, T
= (256/ gamma^2) ln(16/alpha). Scaled down (5 dimensions to 2, 16 directions, 40 projections) it runs, private, without the
theorem.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.given import Number, double, exact
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.halfspaces import drawn_points, full_parameters, projections, release, share_above
from dpdesigner.studies.asked import number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars_beside, curve, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter, study_seed
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent

_MOST = 7  # powers of ten of counts that could be taken


class Halfspaces(Exhibit):
    """Halfspaces, out of reach."""

    exhibit = "blr/halfspaces"
    heading = said("Halfspaces, out of reach")
    place = said("Theorem 6.9")
    claim = said(
        "Project to T dimensions, ask a net U of halfspaces about m sampled points: by a Chernoff bound each answer is "
        "within α except with chance 2 exp(−mα²/8), and U is small enough."
    )
    slow = True
    verdict = said("10^9505 questions; 32, not 8")
    differs = said(
        "For variables between −1 and 1 the bound is 2 exp(−mα²/32): m must be four times as large. |U| = (4√T/γ)^T "
        "stands inside the logarithm, too. ŷ must be normalised before the nearest point of the net is sought."
    )
    must = said(
        "Hoeffding’s bound for a range of 2 and a distance α/4 is 2 exp(−2m(α/4)²/4). Every halfspace of the net "
        "costs a share of ε: with 10^9505 of them no number of rows is enough in practice."
    )

    m: int = parameter(
        whole_number(
            8,
            5000,
            symbol="m",
            slide=(8, 512),
            try_=((64, said("0.382 where 0.271 is claimed")), (256, said("four times as many"))),
        ),
        64,
        said("How many points are asked about"),
    )
    alpha: Number = parameter(number("1/10", "99/100", symbol="α", try_=("1/2",)), "1/2", said("How accurate"))
    gamma: Number = parameter(
        number("1/10", "95/100", symbol="γ", try_=(("1/2", said("T = 3549")), ("9/10", said("easier")))), "1/2", said("Margin")
    )

    epsilon: Number = parameter(
        number("1/10", 10, scale="log", symbol="ε", try_=("1",)), "1", said("How private"), said("the run, scaled down")
    )
    seed: int = study_seed(said("Which points and noise"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the chance for random signs exactly, both bounds, and the size of the net."""
        m, a, g = self.m, double(self.alpha), double(self.gamma)
        full = full_parameters(g, a, double(self.epsilon))
        real = _strays(m, exact(self.alpha) / 4)
        claimed, right = min(1.0, 2 * math.exp(-m * a * a / 8)), min(1.0, 2 * math.exp(-m * a * a / 32))
        truth, answers = self._released(progress)
        worst = max(abs(one - other) for one, other in zip(truth, answers, strict=True))
        sizes = [8 * k for k in range(1, 65)]
        names = tuple(said("plane {k}", k=k + 1) for k in range(len(truth)))
        picture = Plot(
            "released",
            said("Points beyond a plane, and what was released"),
            Axis(said("direction"), scale="names", names=names),
            Axis(said("share of the points"), limits=(0, 1)),
            bars_beside((truth, said("true")), (answers, said("released"))),
        )
        findings = {
            "value": Finding(said("chance that random signs stray by α/4"), real, digits=4, rounding="up"),
            "right": Finding(said("right bound 2 exp(−mα²/32)"), right, digits=4, rounding="up"),
            "broken": Finding(said("the claimed bound is broken"), real > claimed),
            "t": Finding(said("dimensions T at these γ and α"), full.target),
            "net": Finding(said("halfspaces in the net, power of ten"), full.log10_directions, digits=5, rounding="up"),
            "runnable": Finding(said("can be run"), full.log10_directions < _MOST),
            "true": Finding(said("scaled down: share beyond plane 1"), truth[0], digits=4),
            "released": Finding(said("scaled down: released for plane 1"), answers[0], digits=4, state="measured"),
            "off": Finding(said("scaled down: off by at most"), worst, digits=3, rounding="up", state="measured"),
        }
        sentence = said(
            "Random signs stray in {real} of cases where {claimed} are claimed; the net has 10^{net} halfspaces.",
            real=f"{100 * real:.3g}\u00a0%",
            claimed=f"{100 * claimed:.3g}\u00a0%",
            net=f"{full.log10_directions:.5g}",
        )
        return self.answer(findings, (self._chernoff(sizes, a), picture), sentence, printed={"value": claimed})

    def _chernoff(self, sizes: list[int], a: float) -> Plot:
        return Plot(
            "chernoff",
            said("How often m random signs stray by α/4"),
            Axis(said("points m")),
            Axis(said("chance"), limits=(0, 1)),
            (
                points(sizes, [_strays(size, exact(self.alpha) / 4) for size in sizes], said("really")),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 8)), said("claimed"), "rival"),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 32)), said("right bound"), "bound"),
            ),
            handles=(self.handle("m", most=512),),
        )

    def _released(self, progress: Progress) -> tuple[list[float], list[float]]:
        """Return true and released shares for six planes; 20 000 points in 5 dimensions, to 2, 16 directions, 40 times."""
        progress(None, said("scaled down"))
        where = drawn_points(20_000, 5, double(self.gamma), 0.3, self.seed)
        plan = projections(5, 2, 16, 40, self.seed)
        made = release(where, plan, exact(self.epsilon), for_study(self.seed))
        planes = [*np.eye(5)[:1], -np.eye(5)[0], *(np.eye(5)[0] + 0.2 * np.eye(5)[k] for k in range(1, 5))]
        return [share_above(where, plane) for plane in planes], [made.answer(plane) for plane in planes]


def _strays(m: int, distance: Fraction) -> float:
    """Return Pr[|mean of m random signs| >= distance], summed up exactly."""
    least, ways, total = distance * m, 1, 0
    for k in range(m + 1):
        if abs(2 * k - m) >= least:
            total += ways
        ways = ways * (m - k) // (k + 1)
    return float(Fraction(total, 2**m))
