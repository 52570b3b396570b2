"""[BLR] Theorem 5.1: on a continuum no private release finds the median; on M points it takes n >= ln(p M)/eps rows.

Databases D_0, ..., D_n lead from all rows at one point to all at another; hitting the median of all-equal databases with
chance p needs M p e^(-n eps) <= 1; exactly, p <= e^(n eps)/(e^(n eps) + M - 1).
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.given import Number, double, exact
from dpdesigner.core.synthetic.sizes import median_sizes
from dpdesigner.studies.asked import number, whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Band, Handle, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class Median(Exhibit):
    """A median on a continuum."""

    exhibit = "blr/median"
    heading = said("A median on a continuum")
    place = said("Theorem 5.1")
    claim = said(
        "No ε-private mechanism, for any ε, answers median queries on every real-valued database within the 50 ± δ "
        "percentiles, δ below 50, with positive probability."
    )
    verdict = said("one index; n ≥ ln(pM)/ε")
    differs = said(
        "The databases D_i are needed for 0 ≤ i ≤ n; the proof lists 1 < i < n. On M points the same proof gives a number: "
        "n ≥ ln(pM)/ε rows, exactly ln(p(M − 1)/(1 − p))/ε, to hit the median with chance p."
    )
    must = said(
        "n replacements lead from all rows at one point to all rows at another, so a release that hits one median with "
        "probability p hits every other with probability p e^(−nε) or more. M such probabilities must sum to at most 1."
    )

    bits: int = parameter(
        whole_number(1, 999, symbol=said("bits"), slide=(1, 64), try_=((32, said("214.9 rows")), 64)),
        32,
        said("Resolution of the grid"),
        said("M = 2^bits points"),
    )
    epsilon: Number = how_private("1/10", try_=("1/10", 1))
    chance: Number = parameter(
        number("1/100", "99/100", symbol="p", try_=("1/2", "9/10")), "1/2", said("Probability of hitting the median")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both sizes, and the best chance at every n."""
        e, p, log_points = double(self.epsilon), double(self.chance), self.bits * math.log(2)
        points_ = 2.0**self.bits
        size = median_sizes(points_, e, p)
        most = max(2 * size.right, 10.0)
        plot = Plot(
            "chance",
            said("Largest probability of hitting the median"),
            Axis(said("rows n"), limits=(0, most)),
            Axis(said("probability, at most"), limits=(0, 1)),
            (
                curve(
                    np.linspace(0, most, 301),
                    lambda n: 1 / (1 + math.exp(min(math.log(points_ - 1) - n * e, 700))),
                    said("at most"),
                ),
            ),
            bands=(Band(0, size.right, said("p is out of reach")),),
            marks=(Mark(size.right, p, said("n ≥ {n}", n=f"{size.right:.1f}")),),
        )
        findings = {
            "value": Finding(said("rows needed, exactly"), size.right, digits=4),
            "stated": Finding(said("rows needed, ln(pM)/ε"), size.stated, digits=4),
            "databases": Finding(said("first index i of the databases D_i in the proof"), 0),
            "log-points": Finding(said("ln M"), log_points, digits=5),
        }
        sentence = said(
            "With fewer than {n} rows no private release hits the median of 2^{bits} points with probability {p}.",
            n=f"{size.right:.1f}",
            bits=self.bits,
            p=text(exact(self.chance)),
        )
        return self.answer(findings, (plot, self._bits(e, p)), sentence, printed={"databases": 2})

    def _bits(self, e: float, p: float) -> Plot:
        return Plot(
            "bits",
            said("Rows that are needed"),
            Axis(said("bits of the grid"), scale="whole"),
            Axis(said("rows")),
            (
                curve(range(1, max(65, self.bits + 1)), lambda b: median_sizes(2.0**b, e, p).right, said("exactly")),
                curve(range(1, max(65, self.bits + 1)), lambda b: median_sizes(2.0**b, e, p).stated, said("ln(pM)/ε"), "rival"),
            ),
            handles=(Handle(self.bits, said("{bits} bits", bits=self.bits), "bits"),),
        )
