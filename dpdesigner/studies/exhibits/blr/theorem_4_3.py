"""[BLR] Theorem 4.3: how many rows interval release needs; stated 36/alpha^2 times too few.

Stated (8 d/(eps alpha)) ln(8 d/(delta alpha)). The union bound at that size gives noise of 1 where alpha'^2 is needed, alpha'
= alpha/6: (288 d/(eps alpha^3)) ln(8 d/(delta alpha)), and with whole cells M = ceil(8/alpha), (36 d M/(eps alpha^2)) ln(d
M/delta).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.core.synthetic.bisection import bisect, plan_of
from dpdesigner.core.synthetic.cells import worst_interval
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.sample_sizes import bisection_size_smooth, bisection_sizes
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel
from dpdesigner.studies.exhibits.drawing import bars, curve, geometric_places
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Theorem43(Exhibit):
    """Enough data for intervals."""

    exhibit = "blr/theorem-4.3"
    heading = message("Sample size for intervals")
    place = message("Theorem 4.3")
    claim = message("ReleaseIntervals is (α, δ)-useful for databases of n ≥ (8d/(εα)) ln(8d/(δα)) rows with entries of d bits.")
    verdict = message("stated size fails in 82% of runs")
    differs = message(
        "At the stated size, the union bound over all queries allows noise of up to 1, but the proof needs α′² = "
        "α²/36: the size is 36/α² times too small. The corrected size is sufficient but very conservative; in practice "
        "far fewer rows are enough. The points must also be nearly distinct."
    )
    too_small = 36 / Fraction(3, 10) ** 2  # 36/alpha^2 at the alpha of the text
    slow, quick_picture = True, True
    must = message(
        "Each of the dM counts is released with ε/(dM), so the largest noise is about (dM/ε) ln(dM/δ) rows. This must "
        "be below α′² n, or cells do not contain about α′ n rows."
    )
    badge = (message("drawn from a seed"), "measured")

    n: int = parameter(
        whole_number(100, 5000000, symbol="n", slide=(1000, 40000), try_=((4947, message("stated size")), 10000, 20000)),
        4947,
        message("Number of rows"),
    )
    bits: int = parameter(
        whole_number(4, 20, symbol="d", try_=((20, message("as in the text")),)),
        20,
        message("Resolution of the axis"),
        message("d bits"),
    )
    alpha: Number = parameter(number("1/10", "1/2", symbol="α", try_=("3/10",)), "3/10", message("Accuracy"))
    epsilon: Number = parameter(number("1/10", 10, scale="log", symbol="ε", try_=(1,)), "1", message("How private"))
    runs: int = parameter(
        whole_number(2, 400, symbol=message("runs"), slide=(2, 100), try_=(100,)),
        12,
        message("Number of runs"),
        message("from a seed, for study only"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the sizes, and release uniform data so often at three sizes."""
        delta, e, alpha = 0.05, double(self.epsilon), double(self.alpha)
        size = bisection_sizes(self.bits, e, alpha, delta)
        smooth = bisection_size_smooth(self.bits, e, alpha, delta)
        tried = sorted({self.n, 2 * self.n, 4 * self.n})
        missed = {n: self._missed(n, progress) for n in tried}
        names = tuple(f"{n}" for n in tried)
        picture = Plot(
            "missed",
            message("Share of runs with an error above α"),
            Axis(message("rows"), scale="names", names=names),
            Axis(message("share of runs"), limits=(0, 1)),
            (
                bars([missed[n] for n in tried], message("missed")),
                curve((-0.5, len(tried) - 0.5), lambda x: delta, message("allowed: δ"), "bound"),
            ),
        )
        findings = {
            "value": Finding(message("sufficient number of rows"), math.ceil(smooth), rounding="up"),
            "cells": Finding(message("the same, with whole cells"), math.ceil(size.right), rounding="up"),
            "factor": Finding(message("ratio to the stated size, 36/α²"), 36 / exact(self.alpha) ** 2, rounding="up"),
            "missed": Finding(message("runs with n rows that missed"), 100 * missed[self.n], "%", digits=3, state="measured"),
            "missed-2": Finding(message("at 2n"), 100 * missed[2 * self.n], "%", digits=3, state="measured"),
            "missed-4": Finding(message("at 4n"), 100 * missed[4 * self.n], "%", digits=3, state="measured"),
        }
        sentence = message(
            "With {n} rows, the error exceeded α in {missed} of {runs} runs. The theorem states {stated} rows; its "
            "proof needs {right}.",
            runs=self.runs,
            n=self.n,
            missed=round(missed[self.n] * self.runs),
            stated=math.ceil(size.stated),
            right=math.ceil(smooth),
        )
        return self.answer(findings, (picture, self._sizes(e, delta)), sentence, printed={"value": math.ceil(size.stated)})

    def _sizes(self, e: float, delta: float) -> Plot:
        at = geometric_places(0.1, 0.5, 60)
        return Plot(
            "sizes",
            message("Sufficient number of rows"),
            Axis("α"),
            Axis(message("rows"), scale="log"),
            (
                curve(at, lambda x: bisection_size_smooth(self.bits, e, x, delta), message("right")),
                curve(at, lambda x: bisection_sizes(self.bits, e, x, delta).stated, message("stated"), "rival"),
            ),
            handles=(self.handle("alpha"),),
        )

    @classmethod
    def pictured(cls) -> Panel | None:
        """Return the shares of runs that miss, on a coarser axis, so that it takes no time."""
        return next(iter(cls(bits=12, runs=8).run().panels_in({})))

    def _missed(self, n: int, progress: Progress) -> float:
        plan = plan_of(self.bits, n, exact(self.epsilon), exact(self.alpha))
        generator, source, wrong = np.random.default_rng(4), for_study(4), 0
        for k in range(self.runs):
            progress(k / self.runs, message("{n} rows", n=n))
            counts = np.bincount(generator.integers(0, 1 << self.bits, n), minlength=1 << self.bits)
            wrong += abs(worst_interval(counts, bisect(counts, plan, source).counts).error) > double(self.alpha) * n
        return wrong / self.runs
