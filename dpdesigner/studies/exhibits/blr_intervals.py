"""[BLR] on a line: the private median, Algorithm 2 (ReleaseIntervals) as printed and corrected, and its sample size.

[BLR] Theorem 5.1: on a continuum no private release finds the median; on M points it takes n >= ln(p M)/eps rows.

Databases D_0, ..., D_n lead from all rows at one point to all at another; hitting the median of all-equal databases with
chance p needs M p e^(-n eps) <= 1; exactly, p <= e^(n eps)/(e^(n eps) + M - 1).

[BLR] Algorithm 2 (ReleaseIntervals) as printed, run without noise until it stalls, and corrected.

Printed: b starts at (2^d - a + 1)/2, whatever a is; it then moves by (2^d - a + 1)/4, /8, ..., so that it never exceeds 2^d -
a + 1. Once a is above 2^(d-1), b stays below a, and a <- Bounds[i - 1] = b goes back. Right: b starts in the middle of [a, 2^d].

[BLR] Theorem 4.3: how many rows interval release needs; stated 36/alpha^2 times too few.

Stated (8 d/(eps alpha)) ln(8 d/(delta alpha)). The union bound at that size gives noise of 1 where alpha'^2 is needed, alpha'
= alpha/6: (288 d/(eps alpha^3)) ln(8 d/(delta alpha)), and with whole cells M = ceil(8/alpha), (36 d M/(eps alpha^2)) ln(d
M/delta).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.basics.rounding import grouped
from dpdesigner.core.synthetic.bisection import bisect, next_end, plan_of
from dpdesigner.core.synthetic.cells import worst_interval
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.error_bounds import bisection_size_smooth, bisection_sizes, median_sizes
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer, Panel
from dpdesigner.studies.exhibits.exhibit import Exhibit, brief, curve, geometric_places, how_private, parameter, points, text
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Handle, Mark
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Role


class Median(Exhibit):
    """A private median on a continuum."""

    exhibit = "blr/median"
    heading = message("A median on a continuum")
    place = message("Theorem 5.1")
    claim = message(
        "No ε-private mechanism can answer median queries on all databases of real numbers, even within a wide range of "
        "percentiles, with positive probability."
    )
    symbols = message(
        "For every ε and every δ below 50, no ε-private mechanism answers median queries on all real-valued databases within "
        "the 50 ± δ percentiles with positive probability."
    )
    verdict = message("the proof leaves out three databases")
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
        """Compute both sizes, and the largest probability for every n."""
        e, p, log_points = self.privacy.epsilon, double(self.chance), self.bits * math.log(2)
        points_ = 2.0**self.bits
        size = median_sizes(points_, e, p)
        most = max(2 * size.right, 10.0)
        plot = Plot(
            "chance",
            message("Largest probability of hitting the median"),
            Axis(message("rows"), limits=(0, most)),
            Axis(message("probability, at most"), limits=(0, 1)),
            (
                curve(
                    np.linspace(0, most, 301),
                    lambda n: 1 / (1 + math.exp(min(math.log(points_ - 1) - n * e, 700))),
                    message("at most"),
                ),
            ),
            bands=(Band(0, size.right, message("too few rows")),),
            marks=(Mark(size.right, p, message("{n} rows", n=f"{size.right:.1f}")),),
        )
        findings = {
            "value": Finding(message("rows needed (exact)"), size.right, digits=4),
            "stated": Finding(message("rows needed by ln(pM)/ε"), size.stated, digits=4),
            "databases": Finding(message("first index i of the databases D_i that the proof needs"), 0),
            "log-points": Finding(message("logarithm of the number of points"), log_points, digits=5),
        }
        sentence = message(
            "With fewer than {n} rows, no private release hits the median on 2^{bits} points with probability {p}.",
            n=math.ceil(size.right),
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


class Algorithm2(Exhibit):
    """A loop that does not terminate."""

    exhibit = "blr/algorithm-2"
    heading = message("A loop that never ends")
    place = message("Algorithm 2")
    claim = message(
        "ReleaseIntervals cuts the axis into cells from left to right. For the end of each cell it searches, in halving steps, "
        "for the point where the cell holds a certain share of the rows, until the axis ends."
    )
    symbols = message(
        "ReleaseIntervals starts at a = 1 and searches from b = (2^d − a + 1)/2, in halving steps, for the b where [a, b] holds "
        "a share α′ of the rows. Then a ← b, until a reaches 2^d."
    )
    verdict = message("stalls half-way")
    differs = message(
        "The search must start in the middle of [a, 2^d]; as printed, b cannot pass 2^d − a + 1 and goes back beyond "
        "the middle. The number of cells is not limited, but privacy depends on a limit. Steps must be whole numbers "
        "and cells half-open. With k cells the output has kα′m points, not m, and a query is ε′-private, not 1/ε′ "
        "(proof of Theorem 4.2)."
    )
    slow, quick_picture = True, True
    must = message(
        "As printed, the search goes no further from the start of the axis than the length that is left. Beyond the middle this "
        "is before the last end, so the cell is empty and the next end is further back. On uniform data the end keeps jumping "
        "between two places."
    )

    bits: int = parameter(
        whole_number(4, 20, symbol="d", try_=((20, message("1 048 576 points")),)),
        20,
        message("Resolution of the axis"),
        message("d bits"),
    )
    alpha: Number = parameter(number("1/10", 1, symbol="α", try_=("3/10",)), "3/10", message("Accuracy"))
    loops: int = parameter(
        whole_number(10, 100000, symbol=message("loops"), slide=(10, 2000), try_=(200, (100000, message("some seconds")))),
        200,
        message("Limit on the outer loops"),
        message("outer loops"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Run the printed loop on uniform data without noise, and the corrected one."""
        size, share = 1 << self.bits, double(self.alpha) / 6
        path = _printed(size, share, self.loops, progress)
        plan = plan_of(self.bits, size, Fraction(1), exact(self.alpha))
        ends: list[int] = []
        while (ends[-1] if ends else 0) < size:
            ends.append(next_end(ends[-1] if ends else 0, len(ends), plan, lambda low, high: high - low >= plan.least))
        furthest = max(path)
        stalled = furthest < size
        findings = {
            "value": Finding(message("furthest point reached as printed"), furthest),
            "end": Finding(message("end of the axis"), size),
            "loops": Finding(message("outer loops as printed"), len(path) - 1),
            "last": Finding(message("last two ends"), f"{path[-2]}, {path[-1]}"),
            "stalled": Finding(message("the printed loop stalls"), stalled),
            "cells": Finding(message("cells with the correction"), len(ends)),
            "most": Finding(message("cells that privacy allows"), plan.most),
        }
        sentence = (
            message(
                "After {loops} loops the printed algorithm has reached {furthest} of {size}. Corrected, it ends with "
                "{cells} cells.",
                loops=len(path) - 1,
                furthest=grouped(furthest),
                size=grouped(size),
                cells=len(ends),
            )
            if stalled
            else message("With these inputs it ends, after {loops} loops.", loops=len(path) - 1)
        )
        return self.answer(findings, (self._path(path, size, ends),), sentence, printed={"value": size, "stalled": message("no")})

    def _path(self, path: list[int], size: int, ends: list[int]) -> Plot:
        shown = path[:60]
        return Plot(
            "path",
            message("End of the last cell, loop by loop"),
            Axis(message("loop"), scale="whole"),
            Axis(message("end of the last cell")),
            (
                points(range(len(shown)), shown, message("as printed")),
                points(range(len(ends) + 1), [0, *ends], message("corrected"), "rival"),
                curve((0, max(len(shown), len(ends))), lambda x: size, message("end of the axis"), "bound"),
            ),
        )


def _printed(size: int, share: float, loops: int, progress: Progress) -> list[int]:
    """Return a after each outer loop, rounded down, on data with one row at each of 1, ..., size, without noise."""
    a, path = 1.0, [1]
    for loop in range(loops):
        if loop % 500 == 0:
            progress(loop / loops, message("at {place}", place=path[-1]))
        b, step = (size - a + 1) / 2, (size - a + 1) / 4
        while step >= 1:
            held = max(0.0, math.floor(b) - math.ceil(a) + 1) / size
            b += -step if held > share else step
            step /= 2
        a = b
        path.append(math.floor(a))
        if a >= size:
            break
    return path


_DELTA = 0.05  # of the theorem: how often a release may miss


class Theorem43(Exhibit):
    """Sample size for intervals."""

    exhibit = "blr/theorem-4.3"
    heading = message("Sample size for intervals")
    place = message("Theorem 4.3")
    claim = message(
        "ReleaseIntervals answers every interval query within the allowed error, except with small probability, if there are "
        "enough rows. The theorem states how many."
    )
    symbols = message("ReleaseIntervals is (α, δ)-useful for databases of n ≥ (8d/(εα)) ln(8d/(δα)) rows with entries of d bits.")
    verdict = message("stated size fails in 10 of 12 runs")
    differs = message(
        "At the stated size, the union bound over all queries allows noise of up to 1, but the proof needs α′² = "
        "α²/36: the size is 36/α² times too small. The corrected size is sufficient but very conservative; in practice "
        "far fewer rows are enough. The points must also be nearly distinct."
    )
    too_small = 36 / Fraction(3, 10) ** 2  # 36/alpha^2 at the alpha of the text
    slow, quick_picture = True, True
    must = message(
        "The proof counts the noise of every step of every search. Each step gets its share of ε, so the largest noise "
        "grows with the number of steps, and it must stay far below the rows of a cell. This is what is proved to be "
        "enough; fewer rows can do."
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
    alpha: Number = parameter(number("1/10", "1/2", symbol="α", try_=("3/10",)), "3/10", message("Allowed error"))
    epsilon: Number = how_private("1", low="1/10", slide=10, try_=(1,))
    runs: int = parameter(
        whole_number(2, 400, symbol=message("runs"), slide=(2, 100), try_=(100,)),
        12,
        message("Number of runs"),
        message("from a seed, for study only"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the sizes, and release uniform data repeatedly at three sizes."""
        delta, e, alpha = _DELTA, self.privacy.epsilon, double(self.alpha)
        size = bisection_sizes(self.bits, e, alpha, delta)
        smooth = bisection_size_smooth(self.bits, e, alpha, delta)
        tried = sorted({self.n, 2 * self.n, 4 * self.n})
        errors = {n: self._errors(n, progress) for n in tried}
        missed = {n: sum(error > alpha for error in errors[n]) / self.runs for n in tried}
        picture = self._runs(errors)
        findings = {
            "value": Finding(message("sufficient number of rows"), math.ceil(smooth), rounding="up"),
            "cells": Finding(message("the same, with whole cells"), math.ceil(size.right), rounding="up"),
            "factor": Finding(message("times the stated size"), 36 / exact(self.alpha) ** 2, rounding="up"),
            "missed": Finding(message("runs that missed"), 100 * missed[self.n], "%", digits=3, state="measured"),
            "missed-2": Finding(message("with twice as many rows"), 100 * missed[2 * self.n], "%", digits=3, state="measured"),
            "missed-4": Finding(
                message("with four times as many rows"), 100 * missed[4 * self.n], "%", digits=3, state="measured"
            ),
        }
        values = {
            "n": grouped(self.n),
            "alpha": self.alpha,
            "missed": round(missed[self.n] * self.runs),
            "runs": self.runs,
            "allowed": round(1 / delta),
            "stated": grouped(math.ceil(size.stated)),
            "right": brief(findings["value"]),
            "enough": message("; in these runs {n} were enough", n=grouped(4 * self.n)) if not missed[4 * self.n] else "",
        }
        sentence = (
            message(
                "<b>With the {n} rows of the theorem, the error exceeded {alpha} of them in {missed} of {runs} runs; it allows "
                "1 in {allowed}.</b> The corrected proof asks for {right}{enough}.",
                **values,
            )
            if self.n == math.ceil(size.stated)
            else message(
                "<b>With {n} rows the error exceeded {alpha} of them in {missed} of {runs} runs.</b> The theorem asks for "
                "{stated}, the corrected proof for {right}.",
                **values,
            )
        )
        return self.answer(findings, (picture, self._sizes(e, delta)), sentence, printed={"value": math.ceil(size.stated)})

    def _runs(self, errors: dict[int, list[float]]) -> Plot:
        """Show the largest error of each run as a dot, those above alpha in another colour, for each number of rows."""
        alpha, groups = double(self.alpha), ((True, message("missed")), (False, message("useful")))
        names = tuple(
            message("{n}: {missed} of {runs}", n=grouped(n), missed=sum(error > alpha for error in each), runs=self.runs)
            for n, each in errors.items()
        )
        dots = [
            (place + 0.7 * ((k + 0.5) / self.runs - 0.5), error)
            for place, each in enumerate(errors.values())
            for k, error in enumerate(each)
        ]
        lines = []
        for beyond, name in groups:
            if chosen := [dot for dot in dots if (dot[1] > alpha) == beyond]:
                x, y = zip(*chosen, strict=True)
                role: Role = "other" if beyond else "main"
                lines.append(points(x, y, name, role, dots=True, sizes=np.full(len(x), 0.012)))
        top = 1.1 * max(alpha, *(error for _, error in dots))
        return Plot(
            "missed",
            message("Largest error of each run"),
            Axis(message("rows: runs that missed"), scale="names", names=names, limits=(-0.5, len(names) - 0.5)),
            Axis(message("error, as a share of the rows"), limits=(0, top)),
            (*lines, curve((-0.5, len(names) - 0.5), lambda x: alpha, message("allowed: {alpha}", alpha=self.alpha), "bound")),
            bands=(Band(alpha, top, message("not useful"), along="y"),),
        )

    def _sizes(self, e: float, delta: float) -> Plot:
        at = geometric_places(0.1, 0.5, 60)
        return Plot(
            "sizes",
            message("Sufficient number of rows"),
            Axis(message("allowed error α, as a share of the rows")),
            Axis(message("rows"), scale="log"),
            (
                curve(at, lambda x: bisection_size_smooth(self.bits, e, x, delta), message("corrected proof")),
                curve(at, lambda x: bisection_sizes(self.bits, e, x, delta).stated, message("as stated"), "rival"),
            ),
            handles=(self.handle("alpha"),),
        )

    @classmethod
    def pictured(cls) -> Panel | None:
        """Return the errors of fewer runs on a coarser axis, at the size that is stated for it: computed quickly."""
        design = cls(bits=12, runs=8)
        stated = bisection_sizes(design.bits, design.privacy.epsilon, double(design.alpha), _DELTA).stated
        return next(iter(design.replace(n=math.ceil(stated)).run().panels_in({})))

    def _errors(self, n: int, progress: Progress) -> list[float]:
        """Return the error of the worst interval of each run, as a share of n rows."""
        plan = plan_of(self.bits, n, budget_of(self.privacy), exact(self.alpha))
        generator, source, errors = np.random.default_rng(4), for_study(4), list[float]()
        for k in range(self.runs):
            progress(k / self.runs, message("{n} rows", n=n))
            counts = np.bincount(generator.integers(0, 1 << self.bits, n), minlength=1 << self.bits)
            errors.append(abs(worst_interval(counts, bisect(counts, plan, source).counts).error) / n)
        return errors
