"""[Geng]: the density of the staircase, with the height that the slides do not give.

f(x) = a b^k on [k, k + gamma), a b^(k+1) on [k + gamma, k + 1), even, b = e^(-eps), a = (1 - b)/(2 (gamma + b (1 - gamma)))
for Delta = 1.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.staircase import Staircase, absolute_cost, optimal_gamma
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class Density(Exhibit):
    """The optimal noise has steps."""

    exhibit = "geng/density"
    heading = message("The optimal noise has steps")
    place = message("Slides “Main Result”")
    claim = message(
        "For costs that are symmetric and increasing in |x|, with bounded L(T+1)/L(T), the optimal noise has density a(γ) on "
        "[0, γΔ), e^(−ε)a(γ) on [γΔ, Δ), e^(−kε)f(x − kΔ) on [kΔ, (k+1)Δ), and is symmetric."
    )
    verdict = message("holds; a(γ) is not given")
    must = message(
        "Each period is b = e^(−ε) times the one before, the steepest fall that privacy allows for a shift by Δ. The "
        "slides do not give a(γ); for a total probability of 1 it is (1 − b)/(2Δ(γ + b(1 − γ)))."
    )

    epsilon: Number = how_private("1", up_to=20, slide=15, try_=(("0.6931", message("γ* = √2 − 1")), (1, message("γ* = 0.3775"))))
    gamma: Number = parameter(
        number(
            0,
            1,
            symbol="γ",
            try_=(("0.3775406688", message("optimal at ε = 1")), ("1/2", message("rounds to the geometric mechanism"))),
        ),
        "0.3775406688",
        message("Place of the step"),
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
            message("Density of the noise"),
            Axis(message("noise"), limits=(-reach, reach)),
            Axis(message("density")),
            (
                Line(xs, np.append(ys, ys[-1]), message("staircase"), steps=True),
                Line(places, Laplace(epsilon).density(places), message("Laplace"), "rival", dashed=True),
            ),
        )
        total = 2 * noise.height * (step + b * (1 - step)) / (1 - b)
        findings = {
            "value": Finding(message("expected error"), float(absolute_cost(epsilon, gamma)), digits=12),
            "height": Finding(message("height a(γ)"), noise.height, digits=12),
            "total": Finding(message("integral of the density"), total, digits=12),
            "formula": Finding(message("(1 − b)/(2(γ + b(1 − γ)))"), height, digits=12),
            "best": Finding(message("optimal step γ*"), best, digits=10),
            "laplace": Finding(message("expected error of Laplace noise"), 1 / epsilon, digits=6),
        }
        sentence = message(
            "The expected error is {cost}. With Laplace noise it is {laplace}.",
            cost=text(float(absolute_cost(epsilon, gamma)), 5, "up"),
            laplace=text(1 / epsilon, 5, "up"),
        )
        return self.answer(findings, (picture, self._gamma(epsilon, best)), sentence)

    def _gamma(self, epsilon: float, best: float) -> Plot:
        spots = np.linspace(0.002, 1, 200)
        return Plot(
            "gamma",
            message("Expected error against the place of the step"),
            Axis("γ", limits=(0, 1)),
            Axis(message("expected error")),
            (
                points(spots, absolute_cost(epsilon, spots), message("staircase")),
                curve((0, 1), lambda x: 1 / epsilon, message("Laplace"), "rival"),
            ),
            marks=(Mark(best, float(absolute_cost(epsilon, best)), "γ*"),),
            handles=(self.handle("gamma"),),
        )
