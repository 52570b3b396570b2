"""[BLR] Section 6: halfspaces by random projections and a net, infeasible at the paper's parameters.

[BLR] Theorem 6.3 (Johnson and Lindenstrauss, with random signs): a projection to T dimensions keeps lengths.

Entries +-1/sqrt T: E|Ax|^2 = |x|^2. T >= 20 s^-2 ln(1/tau) gives Pr[| |Ax|^2 - |x|^2 | >= s |x|^2] <= tau for 0 < s, tau < 1/2,
that is tau = exp(-T s^2/20). It follows from the sharper 2 exp(-(s^2 - s^3) T/4), which is not in the paper: for s < 1/2 that is
at most 2 exp(-T s^2/8), and tau < 1/2 means T s^2 > 20 ln 2, where 2 exp(-T s^2/8) < exp(-T s^2/20).

[BLR] Theorem 6.9: halfspaces by m random projections and a net; it cannot be run at its parameters.

The mean of m independent variables in [-1, 1] is off by alpha/4 with probability at most 2 exp(-m alpha^2/32) (Hoeffding). The
proof has 8 in place of 32: random signs at m = 64, alpha = 1/2 break that bound (0.38, not 0.27). T = ceil(20 s^-2 ln(1/tau))
with s = gamma/4, tau = alpha/8, which is (320/gamma^2) ln(8/alpha). Scaled down (5 dimensions to 2, 16 directions, 40
projections) it runs, private, without the theorem.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.basics.rounding import grouped, raised
from dpdesigner.core.synthetic.draws import for_study
from dpdesigner.core.synthetic.regions import drawn_points, full_parameters, projections, release, share_above
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import (
    Exhibit,
    curve,
    geometric_places,
    grouped_bars,
    how_private,
    parameter,
    points,
    study_seed,
    text,
)
from dpdesigner.studies.fields import choice, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Line, Mark
from dpdesigner.studies.study import Progress, silent


class NetCovering(Exhibit):
    """The number of points that cover a sphere."""

    exhibit = "blr/net-covering"
    heading = message("Size of a net of the sphere")
    place = message("Definition 6.6, Claim 6.7")
    claim = message(
        "Rounding each coordinate to a fine enough grid moves no unit vector by more than a chosen distance. The paper states "
        "how many grid points this takes."
    )
    symbols = message(
        "Rounding each coordinate to the nearest multiple of γ/√T gives a γ-net for the unit vectors in T dimensions, and there "
        "are (√T/γ)^T such vectors."
    )
    verdict = message("more points than printed")
    differs = message(
        "With step γ/√T, the grid in [−1, 1]^T has (2√T/γ + 1)^T points. Step 2γ/√T also gives a γ-net, with (√T/γ + "
        "1)^T points, close to the printed number. In Definition 6.6, the minimum should be over y in U. The grid "
        "points are not unit vectors."
    )
    must = message(
        "In each of the T directions a point is at most half a step from the grid, so its distance is at "
        "most √T · step/2. For step 2γ/√T this is γ."
    )

    gamma: Number = parameter(number("1/10", 1, symbol="γ", try_=("1/2", "1/4")), "1/2", message("Largest distance allowed"))
    t: int = parameter(
        whole_number(1, 5000, symbol="T", slide=(1, 20), try_=((2, message("drawn")), (3549, message("as for halfspaces")))),
        2,
        message("Dimensions"),
    )
    step: str = parameter(
        choice(("printed", message("γ/√T")), ("double", message("2γ/√T"))), "printed", message("Step of the grid")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Count the points, and measure the distance in two dimensions."""
        g, t = double(self.gamma), self.t
        times = 1 if self.step == "printed" else 2
        step = times * g / math.sqrt(t)
        side = 2 / step + 1
        log_points = t * math.log10(side)
        other = t * math.log10(math.sqrt(t) / g + 1)
        printed = t * math.log10(math.sqrt(t) / g)
        flat = times * g / math.sqrt(2)
        angles = np.linspace(0, 2 * math.pi, 721)
        circle = np.column_stack([np.cos(angles), np.sin(angles)])
        near = flat * np.round(circle / flat)
        far = float(np.linalg.norm(circle - near, axis=1).max())
        norms = np.linalg.norm(near, axis=1)
        used = {tuple(np.round(row, 9)) for row in near.tolist()}
        findings = {
            "value": Finding(message("points of the grid, power of ten"), log_points, digits=6, rounding="up"),
            "half": Finding(message("with step 2γ/√T, power of ten"), other, digits=6, rounding="up"),
            "far": Finding(message("in two dimensions: largest distance from the net"), far, digits=4, rounding="up"),
            "allowed": Finding(message("allowed, γ"), exact(self.gamma)),
            "shortest": Finding(
                message("in two dimensions: length of the shortest net point used"), float(norms.min()), digits=4
            ),
            "longest": Finding(message("longest"), float(norms.max()), digits=4),
        }
        sentence = message(
            "The grid has 10^{points} points; the paper states 10^{printed}. Every point of the circle is within {far} "
            "of the grid.",
            points=text(log_points, rounding="up"),
            far=text(far, 3, "up"),
            printed=f"{printed:.4g}",
        )
        return self.answer(
            findings, (self._net(flat, circle, angles, used), self._counts(g)), sentence, printed={"value": printed}
        )

    def _net(self, flat: float, circle: Floats, angles: Floats, used: set[tuple[float, ...]]) -> Plot:
        grid = np.arange(-math.floor(1 / flat + 1e-9) - 1, math.floor(1 / flat + 1e-9) + 2) * flat
        half = circle[angles <= math.pi][::-1]
        return Plot(
            "net",
            message("The net in two dimensions"),
            Axis("x", limits=(-1.5, 1.5)),
            Axis("y", limits=(-1.5, 1.5)),
            (Line(half[:, 0], half[:, 1], message("the circle")), Line(half[:, 0], -half[:, 1], "")),
            marks=tuple(
                Mark(float(x), float(y), "", "main" if (round(float(x), 9), round(float(y), 9)) in used else "aid")
                for x, y in product(grid, grid)
            ),
        )

    def _counts(self, g: float) -> Plot:
        at = range(1, 21)
        return Plot(
            "counts",
            message("Number of points (powers of ten)"),
            Axis(message("dimensions T"), scale="whole"),
            Axis("log₁₀"),
            (
                curve(at, lambda m: m * math.log10(2 * math.sqrt(m) / g + 1), message("step γ/√T")),
                curve(at, lambda m: m * math.log10(math.sqrt(m) / g + 1), message("step 2γ/√T"), "rival"),
            ),
            handles=(self.handle("t", most=20),),
        )


class JohnsonLindenstrauss(Exhibit):
    """Preservation of lengths in fewer dimensions."""

    exhibit = "blr/johnson-lindenstrauss"
    heading = message("Lengths in fewer dimensions")
    place = message("Theorem 6.3, Corollary 6.4")
    claim = message(
        "A random projection to enough dimensions changes the squared length of a vector noticeably only with small "
        "probability. The number of dimensions that is enough does not depend on how many there were before."
    )
    symbols = message(
        "Let ς and τ be between 0 and 1/2, and T ≥ 20 ς⁻² ln(1/τ). For every x, a random T × d matrix with entries ±1/√T "
        "changes |x|² by ς|x|² or more with probability at most τ."
    )
    verdict = message("fails less often than the bound")
    slow = True
    must = message(
        "Every coordinate of the projected vector is a sum with random signs, and the errors of the squared coordinates average "
        "out. The paper answers halfspaces, which are linear rules, after such projections."
    )
    badge = (message("drawn from a seed"), "measured")

    t: int = parameter(
        whole_number(1, 400, symbol="T", slide=(1, 400), try_=(20, 100, 400)), 100, message("Dimensions after the projection")
    )
    d: int = parameter(whole_number(2, 1000, symbol="d", slide=(2, 400)), 200, message("Dimensions before"))
    zeta: Number = parameter(number("1/20", "1/2", symbol="ς", try_=("2/5", "1/4")), "2/5", message("Allowed relative error"))
    seed: int = study_seed(message("Seed of the matrices"))

    def run(self, progress: Progress = silent) -> Answer:
        """Draw matrices from the seed, and measure the length of one vector and the product of two."""
        t, d, z = self.t, self.d, double(self.zeta)
        generator = np.random.default_rng(self.seed)
        x, y = generator.standard_normal((2, d))
        x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
        draws = max(200, min(4000, 20_000_000 // (t * d)))
        lengths, products = np.empty(draws), np.empty(draws)
        for k in range(draws):
            if k % 50 == 0:
                progress(k / draws)
            signs = generator.integers(0, 2, (t, d), dtype=np.int8) * 2.0 - 1.0
            ax, ay = signs @ x / math.sqrt(t), signs @ y / math.sqrt(t)
            lengths[k], products[k] = ax @ ax, ax @ ay
        promised, least = math.exp(-t * z * z / 20), _least(z)
        covered = z < 0.5 and t >= least
        outside = message("only from {least} dimensions on", least=least) if z < 0.5 else message("only for errors below 1/2")
        bound, twice = (promised, min(1.0, 2 * promised)) if covered else (outside, outside)
        far, apart = float((np.abs(lengths - 1) >= z).mean()), float((np.abs(products - float(x @ y)) >= z).mean())
        mean = float(lengths.mean())
        findings = {
            "value": Finding(message("failures that the theorem allows"), bound, digits=3, rounding="up", share=True),
            "measured": Finding(message("measured in the projections drawn"), far, digits=4, state="measured", share=True),
            "covered": Finding(message("the theorem covers these values"), covered),
            "least": Finding(message("dimensions from which it does"), least),
            "mean": Finding(message("mean squared length after the projection"), mean, digits=4, state="measured"),
            "product": Finding(message("inner products as wrong, measured"), apart, digits=4, state="measured", share=True),
            "product-promised": Finding(message("bound for inner products"), twice, digits=5, rounding="up", share=True),
            "sharper": Finding(
                message("sharper bound, not in the paper"),
                _sharper(t, z),
                digits=5,
                rounding="up",
                share=True,
                note=message("2 exp(−(ς² − ς³)T/4)"),
            ),
            "wrong-scale": Finding(message("mean squared length with entries ±1/T"), mean / t, digits=4, state="measured"),
            "draws": Finding(message("matrices drawn"), draws),
        }
        changed = message(
            "<b>{far} of {draws} random projections from {d} to {t} dimensions change a squared length by {z}% or more.</b>",
            draws=grouped(draws),
            d=d,
            t=t,
            far=grouped(round(far * draws)),
            z=f"{100 * z:.4g}",
        )
        limit = (
            message("The theorem allows {promised}%.", promised=text(100 * promised, 3, "up"))
            if covered
            else message("The theorem says nothing here: it needs an error below 1/2 and {least} dimensions.", least=least)
        )
        sentence = message("{changed} {limit}", changed=changed, limit=limit)
        panels = self._lengths(lengths, draws, z), self._bound(far, t, z)
        return self.answer(findings, panels, sentence, printed={"value": promised} if covered else {}, formula=True)

    def _lengths(self, lengths: Floats, draws: int, z: float) -> Plot:
        counts, edges = np.histogram(lengths, np.linspace(0, 2, 41))
        return Plot(
            "lengths",
            message("What happens to a vector of length 1"),
            Axis(message("squared length after the projection"), limits=(0, 2)),
            Axis(message("share of the projections")),
            (Line(edges[:-1], counts / draws, "", steps=True, low=np.zeros(40), high=counts / draws),),
            bands=(Band(0, 1 - z, message("too short")), Band(1 + z, 2, message("too long"))),
        )

    def _bound(self, far: float, t: int, z: float) -> Plot:
        """Show both bounds, the paper's where its theorem holds."""
        at = geometric_places(10, 400, 80)
        covered = [] if z >= 0.5 or _least(z) >= 400 else geometric_places(_least(z), 400, 40)
        lines = [curve(at, lambda m: _sharper(m, z), message("sharper bound"), "other")]
        if len(covered):
            lines.append(curve(covered, lambda m: math.exp(-m * z * z / 20), message("by the theorem"), "bound"))
        return Plot(
            "bound",
            message("Probability of failure"),
            Axis(message("dimensions after the projection"), scale="log", limits=(10, 400)),
            Axis(message("probability"), limits=(0, 1)),
            tuple(lines),
            marks=(Mark(max(t, 10), far, message("measured")),),
            handles=(self.handle("t", least=10),),
        )


def _least(z: float) -> int:
    """Return the least T that the theorem covers: τ < 1/2."""
    return math.floor(20 * math.log(2) / z**2) + 1


def _sharper(t: float, z: float) -> float:
    return min(1.0, 2 * math.exp(-(z * z - z**3) * t / 4))


_MOST = 7  # counts up to ten to this power are feasible


class Halfspaces(Exhibit):
    """Halfspaces with infeasible parameters."""

    exhibit = "blr/halfspaces"
    heading = message("Halfspaces, out of reach")
    place = message("Theorem 6.9")
    claim = message(
        "Project the points at random to few dimensions, answer all halfspaces of a net with noise, and average over many "
        "projections. Then the average noise is rarely large."
    )
    symbols = message(
        "Project the points to T dimensions m times, add noise to the answers for a net U of halfspaces each time, and average. "
        "If all noise is within ±1, the average noise reaches α/4 with probability at most 2 exp(−mα²/8)."
    )
    slow = True
    verdict = message("bound and row count are too small")
    differs = message(
        "For variables in [−1, 1] the bound is 2 exp(−mα²/32); random signs exceed the printed bound. The logarithm in "
        "n must contain |U|, which is (4√T/γ)^T by Claim 6.7, not (√T/γ)^T. ŷ must be normalised before its nearest "
        "point in the net is found."
    )
    must_below = False
    must = message(
        "Hoeffding’s bound for a range of 2 and a distance α/4 is 2 exp(−2m(α/4)²/4). Assuming only |noise| ≤ 1 gives "
        "no more; the Laplace noise itself is smaller, so a different argument may work. Every halfspace of the "
        "net uses a share of ε. With 10⁹⁵⁰⁵ halfspaces, no practical number of rows is enough. The run shown is "
        "scaled down and private, and its accuracy is measured. The paper answers with the mean over the projections. "
        "Here the answer is the median: in 2 dimensions projections misplace many points, which pulls the mean towards "
        "½."
    )

    m: int = parameter(
        whole_number(
            8, 5000, symbol="m", slide=(8, 512), try_=((64, message("0.382, bound 0.271")), (256, message("four times as many")))
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

    epsilon: Number = how_private("1", low="1/10", slide=10, try_=(1,), term=message("ε of the small run"))
    seed: int = study_seed(message("Seed of points and noise"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the probability for random signs exactly, both bounds, and the parameters of the theorem."""
        m, a, g = self.m, double(self.alpha), double(self.gamma)
        full = full_parameters(g, a, self.privacy.epsilon)
        real = _strays(m, exact(self.alpha) / 4)
        claimed, right = min(1.0, 2 * math.exp(-m * a * a / 8)), min(1.0, 2 * math.exp(-m * a * a / 32))
        truth, answers, means = self._released(progress)
        worst = max(abs(one - other) for one, other in zip(truth, answers, strict=True))
        sizes = [8 * k for k in range(1, 65)]
        names = tuple(message("plane {k}", k=k + 1) for k in range(len(truth)))
        picture = Plot(
            "released",
            message("A small run: share of points beyond a plane"),
            Axis(message("direction"), scale="names", names=names),
            Axis(message("share of points"), limits=(0, 1)),
            bars=grouped_bars(
                (truth, message("true"), "truth"),
                (answers, message("released (median)"), "main"),
                (means, message("mean, as in the paper"), "rival"),
            ),
        )
        findings = {
            "value": Finding(message("probability of a large mean of random signs"), real, digits=4, rounding="up"),
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
            "The mean of {m} random signs is {share} or more with probability {real}. The printed bound is {claimed}. The "
            "net has 10{net} halfspaces.",
            share=text(exact(self.alpha) / 4),
            m=m,
            real=f"{100 * real:.3g}%",
            claimed=f"{100 * claimed:.3g}%",
            net=raised(math.ceil(full.log10_directions)),
        )
        return self.answer(findings, (self._chernoff(sizes, a), picture), sentence, printed=printed)

    def _chernoff(self, sizes: list[int], a: float) -> Plot:
        return Plot(
            "chernoff",
            message("Probability of a large mean"),
            Axis(message("projections")),
            Axis(message("probability"), limits=(0, 1)),
            (
                points(sizes, [_strays(size, exact(self.alpha) / 4) for size in sizes], message("signs")),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 8)), message("printed"), "rival"),
                curve(sizes, lambda x: min(1.0, 2 * math.exp(-x * a * a / 32)), message("corrected"), "bound"),
            ),
            handles=(self.handle("m", most=512),),
        )

    def _released(self, progress: Progress) -> tuple[list[float], list[float], list[float]]:
        """Return true shares, medians and means for six planes; 20 000 points in 5 dimensions, to 2, 16 directions, 40 times."""
        progress(None, message("small run"))
        where = drawn_points(20_000, 5, double(self.gamma), 0.3, self.seed)
        plan = projections(5, 2, 16, 40, self.seed)
        made = release(where, plan, budget_of(self.privacy), for_study(self.seed))
        planes = [*np.eye(5)[:1], -np.eye(5)[0], *(np.eye(5)[0] + 0.2 * np.eye(5)[k] for k in range(1, 5))]
        truth = [share_above(where, plane) for plane in planes]
        return truth, [made.answer(plane) for plane in planes], [made.mean(plane) for plane in planes]


def _strays(m: int, distance: Fraction) -> float:
    """Return Pr[|mean of m random signs| >= distance], summed exactly."""
    least, ways, total = distance * m, 1, 0
    for k in range(m + 1):
        if abs(2 * k - m) >= least:
            total += ways
        ways = ways * (m - k) // (k + 1)
    return float(Fraction(total, 2**m))
