"""[Geng], the proof as pictures: any private noise becomes even, falling, geometric in its periods, and at last a staircase.

Each step keeps the noise eps-private and does not raise its cost. It starts from Laplace noise about a place beside 0, on a
fine grid: mass at (k + 1/2)/N, Delta = 1.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.noise.staircase import absolute_gamma, least_absolute_cost
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import bars, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import choice, number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent

_GRID = 100  # places a period
_STAGES = ("any", "even", "falling", "geometric", "staircase")


class Lemmas(Exhibit):
    """Why a staircase is optimal."""

    exhibit = "geng/lemmas"
    heading = message("Why a staircase is optimal")
    place = message("Slides “Proof Ideas”")
    claim = message(
        "The optimal density may be taken to decrease in |x|, to decrease by exactly e^(−ε) from each period of length Δ to "
        "the next, and to be a step function in the first period."
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
        """Make each noise of the one before, and sum up what it costs."""
        e, c = double(self.epsilon), double(self.offset)
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
            Axis(message("expected error")),
            (bars(costs, message("expected error")),),
            marks=(Mark(now, costs[now], message("now")),),
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
    """The largest |ln ratio| over all shifts of at most a period, where the noise has not run into the ends of the grid."""
    logs = np.log(p)
    return max(float(np.abs(logs[shift:] - logs[:-shift]).max()) for shift in (*range(1, _GRID, 7), _GRID))
