"""[Geng]: the staircase, the noise of least expected cost: its density, its best step, and mixed powers as costs.

[Geng]: the density of the staircase, with the height that the slides do not give.

f(x) = a b^k on [k, k + gamma), a b^(k+1) on [k + gamma, k + 1), even, b = e^(-eps), a = (1 - b)/(2 (gamma + b (1 - gamma)))
for Delta = 1.

[Geng]: the step of the optimal staircase, for |x| and for x^2, and its cost.

|x|: gamma* = 1/(1 + e^(eps/2)), cost 1/(2 sinh(eps/2)). x^2: gamma* = -b/(1 - b) + (b - 2 b^2 + 2 b^4 - b^5)^(1/3)/(2^(1/3)
(1 - b)^2), cost (2^(-2/3) b^(2/3) (1 + b)^(2/3) + b)/(1 - b)^2 (Delta = 1). At eps = ln 2: sqrt 2 - 1, sqrt 2; cbrt 3 - 1, 2
+ cbrt 9.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.basics.parsing import Number, double
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.core.noise.staircase import (
    Optimum,
    Staircase,
    absolute_cost,
    absolute_gamma,
    optimal_gamma,
    optimum,
    squared_gamma,
    staircase_cost,
)
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, curve, geometric_places, how_private, parameter, points, text
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line, Mark
from dpdesigner.studies.study import Progress, silent


class Density(Exhibit):
    """The steps of the optimal noise."""

    exhibit = "geng/density"
    heading = message("The optimal noise has steps")
    place = message("Slides “Main Result”")
    claim = message(
        "For costs that grow with the size of the error, but not too fast, the optimal noise has a density like a staircase: "
        "two steps per period, and every period lower than the last by the factor that privacy allows."
    )
    symbols = message(
        "For costs that are symmetric and increasing in |x|, with bounded L(T+1)/L(T), the optimal noise has density a(γ) on "
        "[0, γΔ), e^(−ε)a(γ) on [γΔ, Δ), e^(−kε)f(x − kΔ) on [kΔ, (k+1)Δ), and is symmetric."
    )
    verdict = message("as printed; one constant is left open")
    must = message(
        "Each period is b = e^(−ε) times the one before, the steepest fall that privacy allows for a shift by Δ. The "
        "slides do not give a(γ); for a total probability of 1 it is (1 − b)/(2Δ(γ + b(1 − γ)))."
    )

    epsilon: Number = how_private("1", up_to=20, slide=15, try_=(("ln 2", message("γ* = √2 − 1")), (1, message("γ* = 0.3775"))))
    gamma: Number = parameter(
        number(
            0,
            1,
            symbol="γ",
            try_=(("0.37754", message("optimal at ε = 1")), ("1/2", message("rounds to the geometric mechanism"))),
        ),
        "0.37754",
        message("Place of the step"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Draw the staircase and Laplace noise, and sum the density over its periods."""
        epsilon, gamma = self.privacy.epsilon, double(self.gamma)
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
            "height": Finding(message("height of the middle step"), noise.height, digits=12),
            "total": Finding(message("integral of the density"), total, digits=12),
            "formula": Finding(message("the same by its formula"), height, digits=12),
            "best": Finding(message("optimal step"), best, digits=10),
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
            message("Error by place of the step"),
            Axis(message("place of the step, γ"), limits=(0, 1)),
            Axis(message("expected error")),
            (
                points(spots, absolute_cost(epsilon, spots), message("staircase")),
                curve((0, 1), lambda x: 1 / epsilon, message("Laplace"), "rival"),
            ),
            marks=(Mark(best, float(absolute_cost(epsilon, best)), message("best")),),
            handles=(self.handle("gamma"),),
        )


class GammaStar(Exhibit):
    """The position of the optimal step."""

    exhibit = "geng/gamma-star"
    heading = message("The optimal step")
    place = message("Slides “Application: L(x) = |x|” and “Application: L(x) = x²”")
    claim = message(
        "If an error costs its size, the best place of the step has a simple formula, and so has the least expected cost. Both "
        "also have a closed form if it costs its square."
    )
    symbols = message(
        "For the cost |x| the optimal step is γ* = 1/(1 + e^(ε/2)), with least expected cost Δ e^(ε/2)/(e^ε − 1). For x² both "
        "have a closed form in b = e^(−ε)."
    )
    verdict = message("from 1/2 at high privacy to 0 at low")
    must = message(
        "A numerical search for the least cost finds the same steps. The step is near the middle for small ε. For "
        "large ε it is near 0, and nearly all noise is in a narrow bar."
    )

    epsilon: Number = how_private(
        "1",
        up_to=20,
        slide=15,
        try_=(("ln 2", message("√2 − 1, ∛3 − 1")), (1, message("0.37754, 0.41674")), (5, message("0.07586, 0.14448"))),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare the printed formulas with a search for the least cost."""
        epsilon = self.privacy.epsilon
        b = math.exp(-epsilon)
        one, two = (optimum(noise_cost(name), epsilon) for name in ("absolute", "squared"))
        printed_one = 1 / (1 + math.exp(epsilon / 2))
        printed_two = -b / (1 - b) + float(np.cbrt((b - 2 * b**2 + 2 * b**4 - b**5) / 2)) / (1 - b) ** 2
        cost_one = math.exp(epsilon / 2) / math.expm1(epsilon)
        cost_two = (2 ** (-2 / 3) * b ** (2 / 3) * (1 + b) ** (2 / 3) + b) / (1 - b) ** 2
        places = geometric_places(0.05, 15)
        steps = Plot(
            "steps",
            message("Optimal step against ε"),
            Axis("ε", scale="log"),
            Axis(message("best step"), limits=(0, 0.55)),
            (
                curve(places, lambda e: absolute_gamma(e), message("absolute error")),
                curve(places, lambda e: squared_gamma(e), message("squared error"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        laplace = Laplace(epsilon)
        findings = {
            "value": Finding(message("optimal step for absolute error"), one.gamma, digits=10),
            "cost": Finding(message("least expected error"), one.cost, digits=12),
            "gamma-2": Finding(message("optimal step for squared error"), two.gamma, digits=10),
            "cost-2": Finding(message("least expected squared error"), two.cost, digits=12),
            "ratio": Finding(
                message("Laplace noise relative to the optimum, absolute error"),
                laplace.cost(noise_cost("absolute")) / one.cost,
                digits=10,
            ),
            "ratio-2": Finding(
                message("Laplace noise relative to the optimum, squared error"),
                laplace.cost(noise_cost("squared")) / two.cost,
                digits=10,
            ),
        }
        sentence = message(
            "At ε = {epsilon} the best step is after a share {one} of the period for absolute error, {two} for squared error.",
            epsilon=self.epsilon,
            one=f"{one.gamma:.5g}",
            two=f"{two.gamma:.5g}",
        )
        printed: dict[str, Number] = {"value": printed_one, "cost": cost_one, "gamma-2": printed_two, "cost-2": cost_two}
        return self.answer(findings, (steps, self._costs(one, two, epsilon)), sentence, printed=printed)

    def _costs(self, one: Optimum, two: Optimum, epsilon: float) -> Plot:
        spots = np.linspace(0.002, 1, 200)
        return Plot(
            "costs",
            message("Cost of each step relative to the optimum"),
            Axis(message("place of the step, γ"), limits=(0, 1)),
            Axis(message("ratio"), scale="log"),
            (
                points(
                    spots,
                    np.asarray(staircase_cost(noise_cost("absolute"), epsilon, spots)) / one.cost,
                    message("absolute error"),
                ),
                points(
                    spots,
                    np.asarray(staircase_cost(noise_cost("squared"), epsilon, spots)) / two.cost,
                    message("squared error"),
                    "rival",
                ),
            ),
            marks=(Mark(one.gamma, 1.0, message("best")), Mark(two.gamma, 1.0, "")),
        )


class MixedPowers(Exhibit):
    """The optimal step for other costs."""

    exhibit = "geng/mixed-powers"
    heading = message("The optimal step for other costs")
    place = message("Slide “Properties of γ*”")
    claim = message(
        "If an error costs a power of its size, or a sum of such powers, the best place of the step moves from the middle of "
        "the period, for strong privacy, to its start, for weak privacy."
    )
    symbols = message(
        "For the costs |x|^m, and for positive linear combinations of them, γ* tends to 1/2 as ε → 0 and to 0 as ε → ∞."
    )
    slow = True
    verdict = message("again from near 1/2 to near 0")
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
        message("size to the power m"),
    )
    share: Number = parameter(
        number(0, 1, symbol="w", ends=(message("only the power"), message("only absolute error"))),
        0,
        message("Weight of absolute error"),
        message("w|x| + (1−w)|x|^m"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Find the best step for the cost, at this epsilon and along a curve."""
        e, m, w = self.privacy.epsilon, self.power, double(self.share)
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
            Axis(message("best step"), limits=(0, 0.55)),
            (
                points(places, lines, message("this cost")),
                curve(places, lambda x: 1 / (1 + math.exp(x / 2)), message("absolute error"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        spots = np.linspace(0.005, 1, 120)
        costs = Plot(
            "costs",
            message("Cost of each step"),
            Axis(message("place of the step, γ"), limits=(0, 1)),
            Axis(message("expected cost")),
            (points(spots, np.asarray(staircase_cost(cost, e, spots)), message("this cost")),),
            marks=(Mark(best.gamma, best.cost, message("best")),),
        )
        findings = {
            "value": Finding(message("optimal step"), best.gamma, digits=10),
            "cost": Finding(message("least cost"), best.cost, digits=12),
            "private": Finding(message("optimal step at ε = 1/20, near 1/2"), optimum(cost, 0.05).gamma, digits=8),
            "open": Finding(message("optimal step at ε = 15, near 0"), optimum(cost, 15).gamma, digits=5),
        }
        sentence = message(
            "At ε = {epsilon} the optimal step for this cost is {gamma}.", epsilon=self.epsilon, gamma=f"{best.gamma:.6g}"
        )
        return self.answer(findings, (costs, steps), sentence)
