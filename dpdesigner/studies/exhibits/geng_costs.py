"""[Geng]: an example, the staircase against Laplace noise at high and low privacy, and the best noise with a delta.

[Geng]: as eps -> 0 Laplace noise is nearly optimal.

|x|: 1/eps - V ~ eps/24; x^2: 2/eps^2 - V = 1/12 - eps^2/720 - eps^4/18144 - ..., which falls in eps. With u = eps/2 the least
mean square is (cosh(u)^(2/3) + 1)/(4 sinh(u)^2), and the series follows.

[Geng]: as eps grows, what the staircase costs falls faster than Laplace noise.

|x|: V e^(eps/2) -> 1, Laplace 1/eps; x^2: V e^(2 eps/3) -> 2^(-2/3), Laplace 2/eps^2 (Delta = 1).

[Geng], (eps, delta): the best noise on whole numbers beside geometric, truncated Laplace and Gaussian noise, Delta = 1.

Noise p on the integers is (eps, delta)-private exactly if the sum of max(0, p(i) - e^eps p(i+1)) is at most delta, and the
same in reverse; the best even one is a linear program. Gaussian noise is scaled by its exact condition.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesigner.core.basics.parsing import Number, double
from dpdesigner.core.mechanism.adjacency_graphs import best_integer_noise
from dpdesigner.core.noise.approximate import AnalyticGaussian, TruncatedLaplace
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.core.noise.staircase import absolute_gamma, least_absolute_cost, least_squared_cost, squared_gamma
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, curve, geometric_places, grouped_bars, how_private, parameter, text
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.number_inputs import EpsilonInput
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Line
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Rank, Ranking

_AGES = (20, 35, 43, 30)
_NOISE = {-1: Fraction(1, 8), 0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 8)}


class Ages(Exhibit):
    """Four ages and one answer."""

    exhibit = "geng/ages"
    heading = message("Four ages and one answer")
    place = message("Slide “Background on Differential Privacy”")
    claim = message(
        "Among people aged 20, 35, 43 and 30, two are older than 32. For this database, a randomised mechanism releases 1, 2, "
        "3, 4 with probabilities 1/8, 1/2, 1/4, 1/8."
    )
    verdict = message("the example’s numbers agree")
    must = message(
        "The slide gives the probabilities for one database only. If the same noise is added to the count of a "
        "neighbour, some releases are possible for one database and impossible for the other. That mechanism is not "
        "ε-private for any ε."
    )

    age: int = parameter(
        whole_number(
            0, 99, symbol=message("age"), slide=(0, 60), try_=((32, message("two are older")), (42, message("one is older")))
        ),
        32,
        message("Older than"),
    )
    removed: int = parameter(
        whole_number(0, 4, symbol=message("person"), try_=((2, message("aged 35")),)),
        2,
        message("Person removed"),
        message("0: nobody"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Count, and compute the probabilities of the release for both databases."""
        older = [age > self.age for age in _AGES]
        count = sum(older)
        left = count - (self.removed > 0 and older[self.removed - 1])
        places = range(-1, 8)
        mine = [_NOISE.get(r - count, Fraction(0)) for r in places]
        theirs = [_NOISE.get(r - left, Fraction(0)) for r in places]
        impossible = sum((x for x, y in zip(mine, theirs, strict=True) if not y), Fraction(0))
        findings = {
            "value": Finding(message("people above the age"), count, state="proved"),
            "chances": Finding(
                message("probabilities of {low} to {high}", low=count - 1, high=count + 2),
                ", ".join(text(x) for x in _NOISE.values()),
            ),
            "mean": Finding(
                message("expected release"), count + sum((z * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "distance": Finding(
                message("expected error"), sum((abs(z) * p for z, p in _NOISE.items()), Fraction(0)), state="proved"
            ),
            "impossible": Finding(message("probability of a release impossible without that person"), impossible, state="proved"),
        }
        printed: dict[str, Number] = {"value": 2, "chances": "1/8, 1/2, 1/4, 1/8"} if self.age == 32 else {}
        sentence = message(
            "{count} of four people are older than {age}. The release is {count} with probability 1/2.", count=count, age=self.age
        )
        return self.answer(findings, (self._released(places, mine, theirs),), sentence, printed=printed)

    def _released(self, places: range, mine: list[Fraction], theirs: list[Fraction]) -> Plot:
        names = tuple(map(str, places))
        without = message("without person {k}", k=self.removed) if self.removed else message("with all four people")
        return Plot(
            "released",
            message("Probability of each release"),
            Axis(message("released"), scale="names", names=names),
            Axis(limits=(0, 0.68)),
            bars=grouped_bars((mine, message("with all four people"), "main"), (theirs, without, "rival")),
        )


class HighPrivacy(Exhibit):
    """The advantage of the staircase at high privacy."""

    exhibit = "geng/high-privacy"
    heading = message("Little gain at high privacy")
    place = message("Slides “Application: L(x) = |x|” and “Application: L(x) = x²”")
    claim = message(
        "As privacy gets stronger, the saving of the staircase over Laplace noise tends to 0 if an error costs its size, and "
        "stays limited if it costs its square."
    )
    symbols = message(
        "As ε → 0, the additive gap between the expected cost of Laplace noise and of the staircase tends to 0 for |x|, and is "
        "at most cΔ² for x²."
    )
    verdict = message("gap tends to 0; 1/12 if squared")
    must = message(
        "Δ/(2 sinh(ε/2)) = Δ/ε − Δε/24 + …, so the gap for |x| vanishes. For x² the gap falls from Δ²/12 as ε grows, so c = "
        "1/12 is enough. Numbers here are for Δ = 1."
    )

    epsilon: Number = how_private("1/10", up_to=20, slide=15, try_=(("1/10", message("0.0041653")), 1))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the differences, near 0 by their series to avoid subtracting two large numbers."""
        e = self.privacy.epsilon
        one, two = _saved(e), _saved_squares(e)
        places = geometric_places(0.05, 15)
        saved = Plot(
            "saved",
            message("Additive gap to Laplace noise"),
            Axis("ε", scale="log"),
            Axis(message("gap"), limits=(0, 0.1)),
            (
                curve(places, _saved_squares, message("squared error")),
                curve(places, _saved, message("absolute error"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(message("gap in the expected error"), one, digits=8),
            "per-epsilon": Finding(message("the same, divided by ε; tends to 1/24"), one / e, digits=8),
            "squares": Finding(message("gap in the squared error; tends to 1/12"), two, digits=8),
            "ratio": Finding(
                message("Laplace noise relative to the optimum, absolute error"), 1 / e / float(least_absolute_cost(e)), digits=10
            ),
            "ratio-2": Finding(
                message("Laplace noise relative to the optimum, squared error"),
                2 / e**2 / float(least_squared_cost(e)),
                digits=10,
            ),
        }
        sentence = message(
            "At ε = {epsilon}, Laplace noise has an expected error of {all}. The staircase lowers it by {one}.",
            epsilon=self.epsilon,
            one=text(one, 3, "down"),
            all=f"{1 / e:.4g}",
        )
        return self.answer(findings, (saved, self._ratio()), sentence)

    def _ratio(self) -> Plot:
        return Plot(
            "ratio",
            message("Laplace noise relative to the optimum"),
            Axis("ε", limits=(0, 3)),
            Axis(message("ratio"), limits=(0.98, 1.5)),
            (
                curve([k / 50 + 0.01 for k in range(150)], lambda x: 1 / x / least_absolute_cost(x), message("absolute error")),
                curve(
                    [k / 50 + 0.01 for k in range(150)],
                    lambda x: 2 / x**2 / least_squared_cost(x),
                    message("squared error"),
                    "rival",
                ),
            ),
        )


def _saved(e: float) -> float:
    """Return 1/eps - 1/(2 sinh(eps/2)), below 0.3 by its series (next term: 127 eps^7/154828800)."""
    if e < 0.3:
        return e / 24 - 7 * e**3 / 5760 + 31 * e**5 / 967680
    return 1 / e - float(least_absolute_cost(e))


def _saved_squares(e: float) -> float:
    """Return 2/eps^2 - V, below 0.1 by its series."""
    if e < 0.1:
        return 1 / 12 - e**2 / 720 - e**4 / 18144
    return 2 / e**2 - float(least_squared_cost(e))


class LowPrivacy(Exhibit):
    """The advantage of the staircase at low privacy."""

    exhibit = "geng/low-privacy"
    heading = message("Large gain at low privacy")
    place = message("Slides “Application: L(x) = |x|” and “Application: L(x) = x²”")
    claim = message(
        "As privacy gets weaker, the least expected cost falls exponentially in ε. The cost of Laplace noise falls only like "
        "1/ε, or 1/ε² for squared errors."
    )
    symbols = message(
        "As ε → ∞ the least expected cost is Θ(Δ e^(−ε/2)) for |x| and Θ(Δ² e^(−2ε/3)) for x². Laplace noise costs Δ/ε and "
        "2Δ²/ε²."
    )
    verdict = message("Laplace: 2.42 times the optimum")
    must = message(
        "Laplace noise spreads over a width of about 1/ε. The staircase has nearly all its probability in a bar of "
        "width about e^(−ε/2)."
    )

    epsilon: Number = how_private("5", up_to=20, slide=15, try_=((5, message("2.42 times")), (10, message("14.8 times"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the least costs and their limits."""
        e = self.privacy.epsilon
        one, two = float(least_absolute_cost(e)), float(least_squared_cost(e))
        places = geometric_places(0.05, 15)
        ratio = Plot(
            "ratio",
            message("Laplace noise relative to the optimum"),
            Axis("ε", scale="log"),
            Axis(message("ratio"), scale="log"),
            (
                curve(places, lambda x: 1 / x / least_absolute_cost(x), message("absolute error")),
                curve(places, lambda x: 2 / x**2 / least_squared_cost(x), message("squared error"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(message("Laplace noise relative to the optimum, absolute error"), 1 / e / one, digits=10),
            "ratio-2": Finding(message("Laplace noise relative to the optimum, squared error"), 2 / e**2 / two, digits=10),
            "cost": Finding(message("least expected error"), one, digits=12),
            "cost-2": Finding(message("least expected squared error"), two, digits=12),
            "laplace": Finding(message("expected error of Laplace noise"), 1 / e, digits=6),
            "laplace-2": Finding(message("expected squared error of Laplace noise"), 2 / e**2, digits=6),
            "rate": Finding(message("V e^(ε/2), to 1"), one * math.exp(e / 2), digits=9),
            "rate-2": Finding(message("V e^(2ε/3), to 2^(−2/3)"), two * math.exp(2 * e / 3), digits=9),
            "step": Finding(message("γ* e^(ε/2), to 1"), float(absolute_gamma(e)) * math.exp(e / 2), digits=9),
            "step-2": Finding(message("γ* e^(ε/3), to 2^(−1/3), for x²"), float(squared_gamma(e)) * math.exp(e / 3), digits=9),
        }
        sentence = message(
            "At ε = {epsilon} the expected error of Laplace noise is {times} times the optimum.",
            epsilon=self.epsilon,
            times=text(1 / e / one, rounding="down"),
        )
        printed: dict[str, Number] = {"cost": math.exp(e / 2) / math.expm1(e), "laplace": 1 / e, "laplace-2": 2 / e**2}
        return self.answer(findings, (ratio, self._limit()), sentence, printed=printed)

    def _limit(self) -> Plot:
        return Plot(
            "limit",
            message("Least cost relative to its rate"),
            Axis("ε", scale="log"),
            Axis(message("times e^(−ε/2), e^(−2ε/3)"), limits=(0, 3)),
            (
                curve(
                    geometric_places(0.5, 15), lambda x: least_absolute_cost(x) * math.exp(x / 2), message("absolute error: to 1")
                ),
                curve(
                    geometric_places(0.5, 15),
                    lambda x: least_squared_cost(x) * math.exp(2 * x / 3),
                    message("squared error: to 0.63"),
                    "rival",
                ),
            ),
        )


class EpsilonDelta(Exhibit):
    """Optimal noise with a small delta."""

    exhibit = "geng/epsilon-delta"
    heading = message("Optimal noise with a small δ")
    place = message("Slide “Future Work: (ε, δ)-differential privacy”")
    claim = message(
        "Question: the usual way to privacy with a small allowance δ is to add Gaussian noise. Which noise is optimal in this "
        "setting?"
    )
    symbols = message(
        "Question: the standard approach to (ε, δ)-differential privacy is to add Gaussian noise. Which noise distribution is "
        "optimal in this setting?"
    )
    verdict = message("open; error 0.843 on whole numbers")
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
        EpsilonInput(
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
        e, delta = self.privacy.epsilon, double(self.delta)
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
