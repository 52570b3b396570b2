"""[Geng]: for costs that are powers of |x|, or mixtures, the optimal step goes from 1/2 (eps -> 0) to 0 (eps -> inf)."""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.core.noise.staircase import optimum, staircase_cost
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class MixedPowers(Exhibit):
    """The step for other costs."""

    exhibit = "geng/mixed-powers"
    heading = message("The optimal step for other costs")
    place = message("Slide “Properties of γ*”")
    claim = message(
        "For the costs |x|^m, and for positive linear combinations of them, γ* tends to 1/2 as ε → 0 and to 0 as ε → ∞."
    )
    slow = True
    verdict = message("γ* falls from near 1/2 to near 0")
    must = message(
        "For ε near 0, many periods have nearly the same probability, and a step in the middle is best. For large ε "
        "only the first period matters, and an early step leaves little probability beyond it."
    )

    epsilon: Number = how_private(
        "1", up_to=20, slide=15, try_=(("1/20", message("near 1/2")), (1, message("m = 3: 0.4191")), (15, message("near 0")))
    )
    power: int = parameter(
        whole_number(1, 6, symbol="m", try_=((1, message("distance")), (2, message("square")), (3, message("cube")))),
        3,
        message("Cost of errors"),
        message("|x|^m"),
    )
    share: Number = parameter(
        number(0, 1, symbol="w", ends=(message("only |x|^m"), message("only |x|"))),
        0,
        message("Weight of |x|"),
        message("w|x| + (1−w)|x|^m"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Find the best step for the cost, at this epsilon and along a curve."""
        e, m, w = double(self.epsilon), self.power, double(self.share)
        cost = noise_cost(f"power:{m}" if w == 0 else f"expression:{w!r}*abs(x)+{1 - w!r}*abs(x)**{m}")
        best = optimum(cost, e)
        places = geometric_places(0.05, 15, 16)
        lines = []
        for k, place in enumerate(places):
            progress(k / len(places))
            lines.append(optimum(cost, place).gamma)
        steps = Plot(
            "steps",
            message("Optimal step against ε"),
            Axis("ε", scale="log"),
            Axis("γ*", limits=(0, 0.55)),
            (
                points(places, lines, message("this cost")),
                curve(places, lambda x: 1 / (1 + math.exp(x / 2)), message("|x|"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        spots = np.linspace(0.005, 1, 120)
        costs = Plot(
            "costs",
            message("Cost of each step"),
            Axis("γ", limits=(0, 1)),
            Axis(message("expected cost")),
            (points(spots, np.asarray(staircase_cost(cost, e, spots)), message("this cost")),),
            marks=(Mark(best.gamma, best.cost, "γ*"),),
        )
        findings = {
            "value": Finding(message("optimal step γ*"), best.gamma, digits=10),
            "cost": Finding(message("least cost"), best.cost, digits=12),
            "private": Finding(message("optimal step at ε = 1/20, near 1/2"), optimum(cost, 0.05).gamma, digits=8),
            "open": Finding(message("optimal step at ε = 15, near 0"), optimum(cost, 15).gamma, digits=5),
        }
        sentence = message(
            "At ε = {epsilon} the optimal step for this cost is {gamma}.", epsilon=self.epsilon, gamma=f"{best.gamma:.6g}"
        )
        return self.answer(findings, (costs, steps), sentence)
