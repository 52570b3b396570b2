"""[BLR] Theorem 6.9: halfspaces by m random projections and a net; it cannot be run at its parameters.

The mean of m independent variables in [-1, 1] is off by alpha/4 with probability at most 2 exp(-m alpha^2/32) (Hoeffding). The
proof has 8 in place of 32: random signs at m = 64, alpha = 1/2 break that bound (0.38, not 0.27). T = ceil(20 s^-2 ln(1/tau))
with s = gamma/4, tau = alpha/8, which is (320/gamma^2) ln(8/alpha). Scaled down (5 dimensions to 2, 16 directions, 40
projections) it runs, private, without the theorem.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.halfspaces import drawn_points, full_parameters, projections, release, share_above
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import bars, curve, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter, study_seed
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

_MOST = 7  # powers of ten of counts that could be taken


class Halfspaces(Exhibit):
    """Halfspaces, out of reach."""

    exhibit = "blr/halfspaces"
    heading = message("Halfspaces, out of reach")
    place = message("Theorem 6.9")
    claim = message(
        "Project the points to T dimensions m times, add noise to the answers for a net U of halfspaces each time, and "
        "average. If all noise is within ±1, the average noise reaches α/4 with probability at most 2 exp(−mα²/8)."
    )
    slow = True
    verdict = message("|U| inside the logarithm; 32, not 8")
    differs = message(
        "For variables in [−1, 1] the bound is 2 exp(−mα²/32); random signs exceed the printed bound. The logarithm in "
        "n must contain |U|, which is (4√T/γ)^T by Claim 6.7, not (√T/γ)^T. ŷ must be normalised before its nearest "
        "point in the net is found."
    )
    must = message(
        "Hoeffding’s bound for a range of 2 and a distance α/4 is 2 exp(−2m(α/4)²/4). Assuming only |noise| ≤ 1 gives "
        "no more; the Laplace noise itself is smaller, so a different argument may work. Every halfspace of the "
        "net uses a share of ε. With 10^9505 halfspaces, no practical number of rows is enough. The run below is "
        "scaled down and private, and its accuracy is measured. The paper answers with the mean over the projections. "
        "Here the answer is the median: in 2 dimensions projections misplace many points, which pulls the mean towards "
        "½."
    )

    m: int = parameter(
        whole_number(
            8,
            5000,
            symbol="m",
            slide=(8, 512),
            try_=((64, message("0.382, bound 0.271")), (256, message("four times as many"))),
        ),
        64,
        message("Number of projections"),
    )
    alpha: Number = parameter(number("1/10", "99/100", symbol="α", try_=("1/2",)), "1/2", message("Accuracy"))
    gamma: Number = parameter(
        number("1/10", "95/100", symbol="γ", try_=(("1/2", message("T = 3549")), ("9/10", message("easier")))),
        "1/2",
        message("Margin"),
    )

    epsilon: Number = parameter(
        number("1/10", 10, scale="log", symbol="ε", try_=("1",)), "1", message("How private"), message("ε of the small run")
    )
    seed: int = study_seed(message("Seed of points and noise"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the probability for random signs exactly, both bounds, and the parameters of the theorem."""
        m, a, g = self.m, double(self.alpha), double(self.gamma)
        full = full_parameters(g, a, double(self.epsilon))
        real = _strays(m, exact(self.alpha) / 4)
        claimed, right = min(1.0, 2 * math.exp(-m * a * a / 8)), min(1.0, 2 * math.exp(-m * a * a / 32))
        truth, answers, means = self._released(progress)
        worst = max(abs(one - other) for one, other in zip(truth, answers, strict=True))
        sizes = [8 * k for k in range(1, 65)]
        names = tuple(message("plane {k}", k=k + 1) for k in range(len(truth)))
        picture = Plot(
            "released",
            message("Share of points beyond a plane: true and released"),
            Axis(message("direction"), scale="names", names=names),
            Axis(message("share of points"), limits=(0, 1)),
            (
                bars(truth, message("true"), "truth", beside=(0, 3)),
                bars(answers, message("released (median)"), beside=(1, 3)),
                bars(means, message("mean, as in the paper"), "rival", beside=(2, 3)),
            ),
        )
        findings = {
            "value": Finding(
                message("probability that the mean of m random signs is α/4 or more"), real, digits=4, rounding="up"
            ),
            "right": Finding(message("corrected bound 2 exp(−mα²/32)"), right, digits=4, rounding="up"),
            "broken": Finding(message("the printed bound is violated"), real > claimed),
            "t": Finding(message("Theorem 6.9: dimensions T"), full.target),
            "net": Finding(message("Theorem 6.9: halfspaces |U|, power of ten"), full.log10_directions, digits=5, rounding="up"),
            "projections": Finding(
                message("Theorem 6.9: projections m"), full.projections_right, note=message("by 2 exp(−mα²/32); d = 5, β = 1/20")
            ),
            "rows": Finding(
                message("Theorem 6.9: rows n, power of ten"),
                full.log10_rows_right,
                digits=6,
                rounding="up",
                note=message("with |U| inside the logarithm"),
            ),
            "runnable": Finding(message("feasible"), full.log10_directions < _MOST),
            "true": Finding(message("small run: true share beyond plane 1"), truth[0], digits=4),
            "released": Finding(message("small run: released for plane 1 (median)"), answers[0], digits=4, state="measured"),
            "mean": Finding(message("small run: mean for plane 1"), means[0], digits=4, state="measured"),
            "off": Finding(message("small run: largest error over six planes"), worst, digits=3, rounding="up", state="measured"),
        }
        printed: dict[str, float | int] = {"value": claimed, "projections": full.projections, "rows": full.log10_rows}
        sentence = message(
            "The mean of {m} random signs is α/4 or more with probability {real}. The printed bound is {claimed}. The "
            "net has 10^{net} halfspaces.",
            m=m,
            real=f"{100 * real:.3g}%",
            claimed=f"{100 * claimed:.3g}%",
            net=math.ceil(full.log10_directions),
        )
        return self.answer(findings, (self._chernoff(sizes, a), picture), sentence, printed=printed)

    def _chernoff(self, sizes: list[int], a: float) -> Plot:
        return Plot(
            "chernoff",
            message("Probability that the mean of m random signs is α/4 or more"),
            Axis(message("projections m")),
            Axis(message("probability"), limits=(0, 1)),
            (
                points(sizes, [_strays(size, exact(self.alpha) / 4) for size in sizes], message("random signs")),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 8)), message("printed bound"), "rival"),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 32)), message("corrected bound"), "bound"),
            ),
            handles=(self.handle("m", most=512),),
        )

    def _released(self, progress: Progress) -> tuple[list[float], list[float], list[float]]:
        """Return true shares, medians and means for six planes; 20 000 points in 5 dimensions, to 2, 16 directions, 40 times."""
        progress(None, message("small run"))
        where = drawn_points(20_000, 5, double(self.gamma), 0.3, self.seed)
        plan = projections(5, 2, 16, 40, self.seed)
        made = release(where, plan, exact(self.epsilon), for_study(self.seed))
        planes = [*np.eye(5)[:1], -np.eye(5)[0], *(np.eye(5)[0] + 0.2 * np.eye(5)[k] for k in range(1, 5))]
        truth = [share_above(where, plane) for plane in planes]
        return truth, [made.answer(plane) for plane in planes], [made.mean(plane) for plane in planes]


def _strays(m: int, distance: Fraction) -> float:
    """Return Pr[|mean of m random signs| >= distance], summed up exactly."""
    least, ways, total = distance * m, 1, 0
    for k in range(m + 1):
        if abs(2 * k - m) >= least:
            total += ways
        ways = ways * (m - k) // (k + 1)
    return float(Fraction(total, 2**m))
