"""[Geng], (eps, delta): the best noise on whole numbers beside geometric, truncated Laplace and Gaussian noise, Delta = 1.

Noise p on the integers is (eps, delta)-private exactly if the sum of max(0, p(i) - e^eps p(i+1)) is at most delta, and the
same in reverse; the best even one is a linear program. Gaussian noise is scaled by its exact condition.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.noise.approximate import AnalyticGaussian, TruncatedLaplace
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.core.noise.staircase import least_absolute_cost
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.program.adjacency_graphs import best_integer_noise
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking


class EpsilonDelta(Exhibit):
    """Optimal noise with a small delta."""

    exhibit = "geng/epsilon-delta"
    heading = message("Optimal noise with a small δ")
    place = message("Slide “Future Work: (ε, δ)-differential privacy”")
    claim = message(
        "Question: the standard approach to (ε, δ)-differential privacy is to add Gaussian noise. Which noise distribution "
        "is optimal in this setting?"
    )
    verdict = message("open; 0.843 on whole numbers")
    slow = True
    asks = message(
        "The slides leave this question open. It is computed here for whole numbers and Δ = 1: at ε = 1 and δ = 1/1000 "
        "the least expected error is 0.8430. Geometric noise, the optimum for δ = 0, has 0.8509."
    )
    must = message(
        "δ allows bounded noise, whose extreme releases reveal the answer. For all others, neighbours differ by at "
        "most e^ε as before, so a small δ saves little."
    )

    epsilon: Number = parameter(
        number(
            0,
            5,
            symbol="ε",
            slide=(0, 3),
            try_=((1, message("0.84298")), ("1/10", message("6.4948 at δ = 1/100")), (0, message("δ only"))),
        ),
        "1",
        message("How private"),
    )
    delta: Number = parameter(
        number("1/1000000", "1/2", scale="log", symbol="δ", try_=("1/1000", "1/100", ("1/20", message("5 at ε = 0")))),
        "1/1000",
        message("Allowance δ"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the linear program, and compare."""
        e, delta = double(self.epsilon), double(self.delta)
        best = best_integer_noise(e, delta, progress)
        cost = noise_cost("absolute")
        rows = [Rank(message("optimal, whole numbers"), best.cost)]
        findings = {"value": Finding(message("least expected error on whole numbers"), best.cost, digits=9, rounding="up")}
        if e > 0:
            gaussian, cut, geometric = AnalyticGaussian(e, delta), TruncatedLaplace(e, delta), 1 / math.sinh(e)
            rows += [
                Rank(message("geometric, δ = 0, whole numbers"), geometric, "rival"),
                Rank(message("truncated Laplace, real numbers"), cut.cost(cost), "rival"),
                Rank(message("Gaussian, real numbers"), gaussian.cost(cost), "rival"),
            ]
            findings |= {
                "geometric": Finding(message("expected error of geometric noise, δ = 0"), geometric, digits=9, rounding="up"),
                "saved": Finding(message("saved by δ"), 100 * (1 - best.cost / geometric), "%", digits=3, rounding="down"),
                "gaussian": Finding(message("expected error of Gaussian noise"), gaussian.cost(cost), digits=8, rounding="up"),
                "sigma": Finding(message("its standard deviation"), gaussian.sigma, digits=12),
                "truncated": Finding(
                    message("expected error of truncated Laplace noise"), cut.cost(cost), digits=12, rounding="up"
                ),
                "half-width": Finding(message("its half-width"), cut.half_width, digits=12),
                "square": Finding(
                    message("its expected squared error"), cut.cost(noise_cost("squared")), digits=12, rounding="up"
                ),
                "staircase": Finding(
                    message("staircase on real numbers, δ = 0"), float(least_absolute_cost(e)), digits=9, rounding="up"
                ),
            }
        else:
            findings["uniform"] = Finding(
                message("uniform noise on the real line, 1/(4δ)"), 1 / (4 * delta), digits=8, rounding="up"
            )
        reach = next((k for k in range(len(best.chances) - 1, 0, -1) if best.chances[k] > 1e-9), 1)
        spots = range(-reach - 1, reach + 2)
        lines = [
            curve(spots, lambda i: best.chances[abs(i)] if abs(i) < len(best.chances) else 0.0, message("optimal"), spikes=True)
        ]
        if e > 0:
            places = np.linspace(-reach - 1, reach + 1, 301)
            lines.append(Line(places, AnalyticGaussian(e, delta).density(places), message("Gaussian"), "rival", dashed=True))
        sentence = message(
            "On whole numbers the least expected error is {best}{gaussian}.",
            best=text(best.cost, 5, "up"),
            gaussian=message("; geometric noise, which needs no δ, has {more}", more=text(geometric, 5, "up")) if e > 0 else "",
        )
        return self.answer(findings, (self._noise(lines), Ranking("cost", message("Expected error"), tuple(rows))), sentence)

    def _noise(self, lines: list[Line]) -> Plot:
        return Plot(
            "noise", message("Probability of each noise"), Axis(message("noise")), Axis(message("probability")), tuple(lines)
        )
