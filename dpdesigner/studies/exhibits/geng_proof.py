"""[Geng]: the proof in pictures, data-dependent noise, and staircases on finitely many outputs.

[Geng]: noise that may depend on the data is no better than noise that does not, seen on whole numbers.

For answers 0..n, the private mechanism whose worst mean distance over all answers is least is a linear program, of which the
noise may depend on the answer; as n grows it tends to 2 alpha/(1 - alpha^2), the mean distance of geometric noise, which does
not.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import Number, double
from dpdesigner.core.mechanism.adjacency_graphs import least_worst_distance
from dpdesigner.core.noise.discrete_staircase import AbstractStaircase
from dpdesigner.core.noise.staircase import absolute_gamma, least_absolute_cost
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, curve, grouped_bars, how_private, mechanism, parameter, points, text
from dpdesigner.studies.fields import choice, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line
from dpdesigner.studies.study import Progress, silent

_GRID = 100  # points per period
_STAGES = ("any", "even", "falling", "geometric", "staircase")


class Lemmas(Exhibit):
    """The lemmas that prove a staircase optimal."""

    exhibit = "geng/lemmas"
    heading = message("Why a staircase is optimal")
    place = message("Slides “Proof Ideas”")
    claim = message(
        "The optimal noise may be taken to fall with the size of the error, to fall from each period to the next by exactly the "
        "factor that privacy allows, and to be a step function."
    )
    symbols = message(
        "The optimal density may be taken to decrease in |x|, to decrease by exactly e^(−ε) from each period of length Δ to the "
        "next, and to be a step function in the first period."
    )
    verdict = message("no step raises the cost")
    must = message(
        "Symmetric: average p(x) and p(−x). Decreasing: sort the values. Geometric: make each period e^(−ε) times the "
        "one before, the least that privacy allows. Staircase: the extreme shapes of a period take two values. The "
        "costs are computed for |x|."
    )

    epsilon: Number = how_private("2", up_to=20, slide=15, try_=(1, 3))
    offset: Number = parameter(
        number(0, 1, symbol="c", ends=(message("0"), message("1"))),
        "2/5",
        message("Centre of the initial noise"),
        message("Laplace about c"),
    )
    stage: str = parameter(
        choice(
            ("any", message("initial noise")),
            ("even", message("1 even")),
            ("falling", message("2 decreasing")),
            ("geometric", message("3 geometric")),
            ("staircase", message("4 staircase")),
        ),
        "geometric",
        message("Step of the proof"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Derive each noise from the one before, and add up its cost."""
        e, c = self.privacy.epsilon, double(self.offset)
        periods = max(4, math.ceil(32 / e))
        x, stages = _stages(e, c, periods)
        costs = [float(p @ np.abs(x)) for p in stages]
        spent = [_spent(p) for p in stages]
        now = _STAGES.index(self.stage)
        reach = min(3.0, periods)
        seen = np.abs(x) <= reach
        picture = Plot(
            "density",
            message("Noise before and after this step"),
            Axis(message("noise"), limits=(-reach, reach)),
            Axis(message("density")),
            (
                Line(x[seen], stages[now][seen] * _GRID, message("now")),
                Line(x[seen], stages[max(now - 1, 0)][seen] * _GRID, message("before"), "before", dashed=True),
            ),
        )
        names = (message("initial noise"), message("even"), message("decreasing"), message("geometric"), message("staircase"))
        steps = Plot(
            "costs",
            message("Expected error, step by step"),
            Axis(scale="names", names=names),
            Axis(),
            bars=grouped_bars((costs, message("expected error"), "main")),
            selected=now,
        )
        findings = {
            "value": Finding(message("expected error after this step"), costs[now], digits=6, rounding="up"),
            **{
                name: Finding(label, cost, digits=6, rounding="up")
                for name, label, cost in zip(_STAGES, names, costs, strict=True)
            },
            "least": Finding(message("least possible, Δ/(2 sinh(ε/2))"), float(least_absolute_cost(e)), digits=6),
            "spent": Finding(message("privacy level after this step, at most"), spent[now], digits=5, rounding="up"),
            "raised": Finding(
                message("increase by a step, at most"), max(0.0, max(b - a for a, b in pairwise(costs))), digits=2, rounding="up"
            ),
        }
        sentence = message(
            "The expected error falls from {first} to {last}. No step raises it.",
            first=text(costs[0], rounding="up"),
            last=text(costs[-1], rounding="up"),
        )
        return self.answer(findings, (picture, steps), sentence)


def _stages(e: float, c: float, periods: int) -> tuple[Floats, list[Floats]]:
    half = (np.arange(periods * _GRID) + 0.5) / _GRID
    x = np.concatenate([-half[::-1], half])
    start = np.exp(-e * np.abs(x - c))
    start /= start.sum()
    even = (start + start[::-1]) / 2
    falling = _mirrored(np.sort(even[len(half) :])[::-1])
    b = math.exp(-e)
    profile = np.maximum(falling[len(half) : len(half) + _GRID], b * falling[len(half)])
    geometric = _mirrored(np.concatenate([profile * b**k for k in range(periods)]))
    step = round(float(absolute_gamma(e)) * _GRID)
    two = np.where(np.arange(_GRID) < max(step, 1), 1.0, b)
    staircase = _mirrored(np.concatenate([two * b**k for k in range(periods)]))
    return x, [start, even, falling, geometric, staircase]


def _mirrored(half: Floats) -> Floats:
    both = np.concatenate([half[::-1], half])
    return np.asarray(both / both.sum())


def _spent(p: Floats) -> float:
    """Return the largest |ln ratio| over shifts of at most a period, where the noise has not reached the ends of the grid."""
    logs = np.log(p)
    return max(float(np.abs(logs[shift:] - logs[:-shift]).max()) for shift in (*range(1, _GRID, 7), _GRID))


class DataIndependent(Exhibit):
    """The sufficiency of noise that does not depend on the data."""

    exhibit = "geng/data-independent"
    heading = message("Data-independent noise suffices")
    place = message("Slides “Main Result: v_t = v”")
    claim = message(
        "Consider mechanisms whose noise is piecewise constant and periodic in the true answer (a technical condition). Among "
        "them, a mechanism whose noise does not depend on the answer has the least worst-case expected cost."
    )
    symbols = message(
        "Consider the union of the K_{T,n}: mechanisms whose noise is piecewise constant and periodic in the true answer t (a "
        "technical condition). Among them, a mechanism whose noise is independent of t has the least worst-case expected cost."
    )
    verdict = message("whole numbers: nearly geometric")
    slow = True
    must = message(
        "Averaging a mechanism over all shifts makes it independent of t and does not raise its worst-case cost. The "
        "slides state the same for whole numbers. It is computed here on 0, …, n, where a finite range helps only at "
        "its ends."
    )

    epsilon: Number = how_private("ln 4", low="1/2", up_to=5, try_=(("ln 2", message("α = 1/2")), ("ln 4", message("α = 1/4"))))
    n: int = parameter(
        whole_number(1, 24, symbol="n", try_=((3, "0.4048"), (8, "0.5173"), (20, "0.5332"))),
        8,
        message("Range of the answers"),
        message("answers 0, …, n"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the linear programs for ranges up to n."""
        alpha = self.privacy.alpha
        sizes = sorted({1, 2, 3, 4, 6, 8, 11, 14, *([self.n] if self.n > 0 else [])})
        distances = {}
        for k, size in enumerate(sizes):
            progress(k / len(sizes), message("answers up to {size}", size=size))
            distances[size] = least_worst_distance(size, alpha)
        limit = 2 * alpha / (1 - alpha * alpha)
        mine = distances[self.n]
        worst = Plot(
            "worst",
            message("Least worst-case expected error"),
            Axis(message("answers 0, …, n"), scale="whole"),
            Axis(message("expected error")),
            (
                points(sizes, [distances[size].value for size in sizes], message("dependent noise")),
                curve((1, max(sizes)), lambda x: limit, message("geometric noise"), "rival"),
            ),
            handles=(self.handle("n"),),
        )
        chances, names = np.maximum(mine.matrix, 0), (message("true answer"), message("released"))
        matrix = mechanism("mechanism", message("The optimal mechanism"), chances, alpha, axes=names)
        findings = {
            "value": Finding(message("least worst-case expected error"), mine.value, digits=9, rounding="up"),
            "limit": Finding(message("expected error of geometric noise"), limit, digits=9, rounding="up"),
            "share": Finding(message("ratio of the two"), 100 * mine.value / limit, "%", digits=4),
        }
        sentence = message(
            "For answers from 0 to {n}, noise that may depend on the answer has a worst-case expected error {less} "
            "smaller. The gain vanishes as the range grows.",
            n=self.n,
            less=f"{text(100 * (1 - mine.value / limit), 3, 'down')}%",
        )
        return self.answer(findings, (matrix, worst), sentence)


_SIZES = (2, 3, 4, 5, 6, 8, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 400)


class AbstractSetting(Exhibit):
    """Staircase weights on any set of outputs."""

    exhibit = "geng/abstract-setting"
    heading = message("A staircase on any output set")
    place = message("Slides “Extension to Abstract Setting”")
    claim = message(
        "Definition: for any set of outputs, each with a cost, make an output less likely in steps as its cost grows. For "
        "numbers and distances as costs, this is the usual staircase mechanism."
    )
    symbols = message(
        "Definition: for outputs with a base measure and a cost C(D, r) of sensitivity Δ, sample an output with the staircase "
        "distribution. On the real line with C = |r − q(D)| it is the regular staircase mechanism."
    )
    verdict = message("a definition; 2ε-private in general")
    asks = message(
        "The slides define this mechanism and state no privacy level for it. Between neighbours, the weight of an "
        "output changes by a factor of at most e^ε, and so may the sum that it is divided by: 2ε in general. If the "
        "sum is the same for all databases, as on the real line, the level is ε."
    )
    must = message(
        "Here the weight of one output rises by a factor of e^ε while all others fall by e^ε. The sum falls with the "
        "others, so the two factors multiply."
    )

    epsilon: Number = how_private("1", low="1/20", up_to=5, try_=((1, message("nearly 2")),), term=message("ε of the staircase"))
    outputs: int = parameter(
        whole_number(2, 400, symbol="k", slide=(2, 100), try_=((2, message("two outputs")), (400, message("nearly 2ε")))),
        40,
        message("Number of outputs"),
    )
    sums: str = parameter(
        choice(("differ", message("sums differ")), ("equal", message("sums equal"))),
        "differ",
        message("Costs of the two databases"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the privacy level of two rows of costs: one output becomes good, or the good one changes."""
        k, epsilon = self.outputs, self.privacy.epsilon
        costs = self._costs(k)
        staircase = AbstractStaircase(costs, epsilon)
        sizes = sorted({*_SIZES, k})
        levels = [AbstractStaircase(self._costs(size), epsilon).level / epsilon for size in sizes]
        plot = Plot(
            "levels",
            message("Privacy level"),
            Axis(message("outputs k"), scale="log"),
            Axis(message("times ε"), limits=(0, 2.2)),
            (
                points(sizes, levels, message("these costs")),
                curve((2, 400), lambda x: 1, message("ε"), "rival"),
                curve((2, 400), lambda x: 2, message("limit 2ε"), "bound"),
            ),
            handles=(self.handle("outputs"),),
        )
        rows = np.array([row[: min(k, 12)] for row in staircase.matrix])
        seen = Plot(
            "chances",
            message("Probability of each output"),
            Axis(message("output"), scale="whole"),
            Axis(message("probability")),
            bars=grouped_bars((rows[0], message("one database"), "main"), (rows[1], message("its neighbour"), "rival")),
        )
        findings = {
            "value": Finding(message("privacy level for these costs"), staircase.level, digits=8, rounding="up"),
            "times": Finding(message("the same, divided by ε"), staircase.level / epsilon, digits=7, rounding="up"),
            "equal": Finding(message("sums of weights are equal"), staircase.equal_sums),
        }
        sentence = message(
            "A staircase with ε = {epsilon} and these costs has privacy level {spent}.",
            epsilon=self.epsilon,
            spent=text(staircase.level, 5, "up"),
        )
        return self.answer(findings, (seen, plot), sentence)

    def _costs(self, k: int) -> tuple[tuple[int, ...], ...]:
        """Return the costs of two databases: 0 for the first output, 1 for others, and in reverse; or the first two swapped."""
        if self.sums == "differ":
            return (0, *(1,) * (k - 1)), (1, *(0,) * (k - 1))
        return (0, *(1,) * (k - 1)), (1, 0, *(1,) * (k - 2))
