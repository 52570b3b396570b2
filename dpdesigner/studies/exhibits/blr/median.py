"""[BLR] Theorem 5.1: on a continuum no private release finds the median; on M points it takes n >= ln(p M)/eps rows.

Databases D_0, ..., D_n lead from all rows at one point to all at another; hitting the median of all-equal databases with
chance p needs M p e^(-n eps) <= 1; exactly, p <= e^(n eps)/(e^(n eps) + M - 1).
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.core.synthetic.sample_sizes import median_sizes
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Handle, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class Median(Exhibit):
    """A median on a continuum."""

    exhibit = "blr/median"
    heading = message("A median on a continuum")
    place = message("Theorem 5.1")
    claim = message(
        "For every ε and every δ below 50, no ε-private mechanism answers median queries on all real-valued databases "
        "within the 50 ± δ percentiles with positive probability."
    )
    verdict = message("one index; n ≥ ln(pM)/ε")
    differs = message(
        "The databases D_i are needed for 0 ≤ i ≤ n; the proof lists 1 < i < n. On M points the same proof gives a "
        "number of rows: to hit the median with probability p, n ≥ ln(pM)/ε, or exactly ln(p(M − 1)/(1 − p))/ε."
    )
    must = message(
        "Replacing n rows moves all of them from one point to another. So a release that hits one median with "
        "probability p hits every other with probability at least p e^(−nε). These M probabilities sum to at most 1."
    )

    bits: int = parameter(
        whole_number(1, 999, symbol=message("bits"), slide=(1, 64), try_=((32, message("214.9 rows")), 64)),
        32,
        message("Grid points"),
        message("M = 2^bits points"),
    )
    epsilon: Number = how_private("1/10", try_=("1/10", 1))
    chance: Number = parameter(
        number("1/100", "99/100", symbol="p", try_=("1/2", "9/10")), "1/2", message("Probability of hitting the median")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both sizes, and the best chance at every n."""
        e, p, log_points = double(self.epsilon), double(self.chance), self.bits * math.log(2)
        points_ = 2.0**self.bits
        size = median_sizes(points_, e, p)
        most = max(2 * size.right, 10.0)
        plot = Plot(
            "chance",
            message("Largest probability of hitting the median"),
            Axis(message("rows n"), limits=(0, most)),
            Axis(message("probability, at most"), limits=(0, 1)),
            (
                curve(
                    np.linspace(0, most, 301),
                    lambda n: 1 / (1 + math.exp(min(math.log(points_ - 1) - n * e, 700))),
                    message("at most"),
                ),
            ),
            bands=(Band(0, size.right, message("p is out of reach")),),
            marks=(Mark(size.right, p, message("n ≥ {n}", n=f"{size.right:.1f}")),),
        )
        findings = {
            "value": Finding(message("rows needed (exact)"), size.right, digits=4),
            "stated": Finding(message("rows needed by ln(pM)/ε"), size.stated, digits=4),
            "databases": Finding(message("first index i of the databases D_i that the proof needs"), 0),
            "log-points": Finding(message("ln M"), log_points, digits=5),
        }
        sentence = message(
            "With fewer than {n} rows, no private release hits the median on 2^{bits} points with probability {p}.",
            n=f"{size.right:.1f}",
            bits=self.bits,
            p=text(exact(self.chance)),
        )
        return self.answer(findings, (plot, self._bits(e, p)), sentence, printed={"databases": 2})

    def _bits(self, e: float, p: float) -> Plot:
        return Plot(
            "bits",
            message("Rows needed"),
            Axis(message("bits of the grid"), scale="whole"),
            Axis(message("rows")),
            (
                curve(range(1, max(65, self.bits + 1)), lambda b: median_sizes(2.0**b, e, p).right, message("exactly")),
                curve(
                    range(1, max(65, self.bits + 1)), lambda b: median_sizes(2.0**b, e, p).stated, message("ln(pM)/ε"), "rival"
                ),
            ),
            handles=(Handle(self.bits, message("{bits} bits", bits=self.bits), "bits"),),
        )
