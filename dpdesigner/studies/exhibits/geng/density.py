"""[Geng]: the density of the staircase, with the height that the slides leave out.

f(x) = a b^k on [k, k + gamma), a b^(k+1) on [k + gamma, k + 1), even, b = e^(-eps), a = (1 - b)/(2 (gamma + b (1 - gamma)))
for Delta = 1.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.staircase import Staircase, optimal_gamma
from dpdesigner.core.noise.staircase_powers import absolute_cost
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class Density(Exhibit):
    """The best noise has steps."""

    exhibit = "geng/density"
    heading = said("The best noise has steps")
    place = said("the staircase density")
    claim = said(
        "The optimal noise has the density a(γ) on [0, γΔ), e^(−ε) a(γ) on [γΔ, Δ), and e^(−kε) times that one period "
        "further, k times; it is symmetric."
    )
    verdict = said("height a(γ) was missing")
    differs = said(
        "The slides name a(γ) and do not say what it is. It makes the density sum to 1: a(γ) = (1 − b)/(2Δ(γ + b(1 − "
        "γ))) with b = e^(−ε)."
    )
    must = said(
        "Each period is b times the one before, as privacy asks for noise shifted by Δ; within a period the density "
        "falls by that factor at once, as late or as early as is best."
    )

    epsilon: Number = how_private("1", up_to=20, slide=15, try_=(("0.6931", said("γ* = √2 − 1")), (1, said("γ* = 0.3775"))))
    gamma: Number = parameter(
        number(
            0,
            1,
            symbol="γ",
            try_=(("0.3775406688", said("the best at ε = 1")), ("1/2", said("rounds to the geometric mechanism"))),
        ),
        "0.3775406688",
        said("Where the step is"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Draw the staircase and Laplace noise, and sum the density up by its periods."""
        epsilon, gamma = double(self.epsilon), double(self.gamma)
        noise, best = Staircase(epsilon, gamma), optimal_gamma(epsilon)
        step = gamma or 1.0
        b = math.exp(-epsilon)
        height = (1 - b) / (2 * (step + b * (1 - step)))
        reach = min(max(3.0, 4 / epsilon), 12.0)
        xs, ys = noise.outline(reach)
        places = np.linspace(-reach, reach, 401)
        picture = Plot(
            "density",
            said("How likely each amount of noise is"),
            Axis(said("noise"), limits=(-reach, reach)),
            Axis(said("density")),
            (
                Line(xs, np.append(ys, ys[-1]), said("staircase"), steps=True),
                Line(places, Laplace(epsilon).density(places), said("Laplace"), "rival", dashed=True),
            ),
        )
        total = 2 * noise.height * (step + b * (1 - step)) / (1 - b)
        findings = {
            "value": Finding(said("mean distance of the noise"), float(absolute_cost(epsilon, gamma)), digits=12),
            "height": Finding(said("height a(γ)"), noise.height, digits=12),
            "total": Finding(said("sum of the density"), total, digits=12),
            "formula": Finding(said("(1 − b)/(2(γ + b(1 − γ)))"), height, digits=12),
            "best": Finding(said("best step γ*"), best, digits=10),
            "laplace": Finding(said("mean distance of Laplace noise"), 1 / epsilon, digits=6),
        }
        sentence = said(
            "Steps cost {cost} where Laplace noise costs {laplace}.",
            cost=text(float(absolute_cost(epsilon, gamma)), 5, "up"),
            laplace=text(1 / epsilon, 5, "up"),
        )
        return self.answer(findings, (picture, self._gamma(epsilon, best)), sentence, printed={"height": said("a(γ), not given")})

    def _gamma(self, epsilon: float, best: float) -> Plot:
        spots = np.linspace(0.002, 1, 200)
        return Plot(
            "gamma",
            said("What each step costs"),
            Axis("γ", limits=(0, 1)),
            Axis(said("mean distance")),
            (
                points(spots, absolute_cost(epsilon, spots), said("staircase")),
                curve((0, 1), lambda x: 1 / epsilon, said("Laplace"), "rival"),
            ),
            marks=(Mark(best, float(absolute_cost(epsilon, best)), "γ*"),),
            handles=(self.handle("gamma"),),
        )
