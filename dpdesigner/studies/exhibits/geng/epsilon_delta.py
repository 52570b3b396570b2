"""[Geng], (eps, delta): the best noise on whole numbers beside truncated Laplace and Gaussian noise, Delta = 1.

Noise p on the integers is (eps, delta)-private exactly if the sum of max(0, p(i) - e^eps p(i+1)) is at most delta, and the
same the other way round; the best even one is a linear program. Gaussian noise is scaled by its exact condition.
"""

from __future__ import annotations

import numpy as np

from dpdesigner.core.cost.noise_cost import noise_cost
from dpdesigner.core.databases.whole_noise import best_whole_noise
from dpdesigner.core.noise.approximate import AnalyticGaussian, TruncatedLaplace
from dpdesigner.core.noise.staircase_powers import least_absolute_cost
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Rank, Ranking


class EpsilonDelta(Exhibit):
    """A little delta, and noise that ends."""

    exhibit = "geng/epsilon-delta"
    heading = said("A little δ, and noise that ends")
    place = said("(ε, δ)-differential privacy")
    claim = said(
        "With a small δ allowed the optimal noise changes little in cost; Gaussian noise, the usual choice for (ε, δ), "
        "is far from it."
    )
    verdict = said("0.843, where Gaussian noise costs 2.05")
    slow = True
    must = said(
        "δ pays for the two ends, where the noise stops; inside, neighbours differ by e^ε as before. Gaussian noise "
        "falls slower than that near 0 and faster far out."
    )

    epsilon: Number = parameter(
        number(
            0,
            5,
            symbol="ε",
            slide=(0, 3),
            try_=((1, said("0.84298")), ("1/10", said("6.4948 at δ = 1/100")), (0, said("δ alone"))),
        ),
        "1",
        said("How private"),
    )
    delta: Number = parameter(
        number("1/1000000", "1/2", scale="log", symbol="δ", try_=("1/1000", "1/100", ("1/20", said("5 at ε = 0")))),
        "1/1000",
        said("How likely a leak"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the linear program, and compare."""
        e, delta = double(self.epsilon), double(self.delta)
        best = best_whole_noise(e, delta, progress)
        cost = noise_cost("absolute")
        rows = [Rank(said("best on whole numbers"), best.cost)]
        findings = {"value": Finding(said("least mean distance on whole numbers"), best.cost, digits=9, rounding="up")}
        if e > 0:
            gaussian, cut = AnalyticGaussian(e, delta), TruncatedLaplace(e, delta)
            rows += [
                Rank(said("truncated Laplace"), cut.cost(cost), "rival"),
                Rank(said("staircase, δ = 0"), float(least_absolute_cost(e)), "rival"),
                Rank(said("Gaussian"), gaussian.cost(cost), "rival"),
            ]
            findings |= {
                "gaussian": Finding(said("mean distance of Gaussian noise"), gaussian.cost(cost), digits=8, rounding="up"),
                "sigma": Finding(said("its standard deviation"), gaussian.sigma, digits=12),
                "truncated": Finding(said("mean distance of truncated Laplace noise"), cut.cost(cost), digits=12, rounding="up"),
                "half-width": Finding(said("where that ends"), cut.half_width, digits=12),
                "square": Finding(
                    said("mean square of truncated Laplace noise"), cut.cost(noise_cost("squared")), digits=12, rounding="up"
                ),
                "staircase": Finding(said("staircase at δ = 0"), float(least_absolute_cost(e)), digits=9, rounding="up"),
            }
        else:
            findings["uniform"] = Finding(
                said("uniform noise on the real line, 1/(4δ)"), 1 / (4 * delta), digits=8, rounding="up"
            )
        reach = next((k for k in range(len(best.chances) - 1, 0, -1) if best.chances[k] > 1e-9), 1)
        spots = range(-reach - 1, reach + 2)
        lines = [curve(spots, lambda i: best.chances[abs(i)] if abs(i) < len(best.chances) else 0.0, said("best"), spikes=True)]
        if e > 0:
            places = np.linspace(-reach - 1, reach + 1, 301)
            lines.append(Line(places, AnalyticGaussian(e, delta).density(places), said("Gaussian"), "rival", dashed=True))
        sentence = said(
            "The best noise is off by {best} on average{gaussian}.",
            best=text(best.cost, 5, "up"),
            gaussian=said("; Gaussian noise by {more}", more=text(gaussian.cost(cost), rounding="up")) if e > 0 else "",
        )
        return self.answer(findings, (self._noise(lines), Ranking("cost", said("Mean distance"), tuple(rows))), sentence)

    def _noise(self, lines: list[Line]) -> Plot:
        return Plot("noise", said("How likely each amount of noise is"), Axis(said("noise")), Axis(said("chance")), tuple(lines))
