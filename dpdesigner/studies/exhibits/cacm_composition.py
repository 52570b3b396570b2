"""[CACM]: composition: as many private steps as a budget permits, and a line chosen by the exponential mechanism.

[CACM]: an iterative algorithm pays for every step: more steps are nearer to the end, and each is noisier.

x moves a share eta of the way to the mean, which is asked for with noise of Laplace of scale T/(n eps): after T steps the
mean square error is (1 - eta)^(2T) (x_0 - mean)^2 + 2 (T/(n eps))^2 eta^2 sum_j (1 - eta)^(2j).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.accountant import budget_of
from dpdesigner.core.basics.parsing import Number, double, exact
from dpdesigner.core.choice.mechanisms import exponential_logs, exponents
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import (
    Exhibit,
    above,
    curve,
    geometric_places,
    grouped_bars,
    how_private,
    parameter,
    points,
    study_seed,
    text,
)
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.number_inputs import EpsilonInput
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Mark
from dpdesigner.studies.study import Progress, silent


class Ledger(Exhibit):
    """Composition of as many steps as the budget permits."""

    exhibit = "cacm/ledger"
    heading = message("Steps that the budget permits")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Laplace noise and the exponential mechanism give a private interface to the data. Through it an algorithm of simple "
        "steps can run for as many steps as the privacy budget permits."
    )
    verdict = message("k steps spend kε, and no less")
    must = message(
        "Probabilities of independent answers multiply: k answers that are each e^ε times as likely are e^(kε) times "
        "as likely together. This is the composition theorem, Theorem 2.9 of [BLR]. Laplace noise attains it for "
        "answers beyond both counts."
    )
    badge = (message("✓ proved in fractions"), "proved")

    budget: Number = parameter(number("1/10", 10, symbol="B", try_=(1,)), "1", message("Privacy budget"), message("total ε"))
    epsilon: Number = parameter(
        EpsilonInput("1/100", 2, scale="log", symbol="ε", try_=("1/10", "1/4")),
        "1/10",
        message("Privacy level of a step"),
        message("ε of each step"),
    )
    k: int = parameter(whole_number(1, 100, symbol="k", slide=(1, 20), try_=(8,)), 8, message("Number of steps"))

    def run(self, progress: Progress = silent) -> Answer:
        """Add up the questions, and find the releases at which Laplace noise spends their total."""
        e, b, k = above(self.privacy), exact(self.budget), self.k
        spent, possible = k * e, int(b / e)
        attained = k * float(np.abs(Laplace(float(e)).log_ratio(np.array([-3.0, 3.0]), 1.0)).max())
        places = geometric_places(0.01, 2)
        error = Plot(
            "error",
            message("Expected error of each answer"),
            Axis(message("ε of a step"), scale="log"),
            Axis(message("expected error of a count"), scale="log"),
            (curve(places, lambda x: 1 / x, message("expected error")),),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(message("total spent, kε"), spent, rounding="up", state="proved"),
            "attained": Finding(message("spent by Laplace noise, for answers beyond both counts"), attained, digits=8),
            "left": Finding(message("remaining budget"), b - spent, state="proved"),
            "possible": Finding(message("steps that the budget permits"), possible, state="proved"),
            "error": Finding(message("expected error of each count"), 1 / budget_of(self.privacy), rounding="up", state="proved"),
        }
        sentence = message(
            "{k} steps spend ε = {spent} of a budget of {budget}{over}.",
            k=k,
            spent=text(spent, rounding="up"),
            budget=text(b),
            over=message(", more than the budget") if spent > b else "",
        )
        return self.answer(findings, (self._ledger(k, possible, b, e), error), sentence)

    def _ledger(self, k: int, possible: int, b: Fraction, e: Fraction) -> Plot:
        many = max(k, min(possible, 40), 8)
        return Plot(
            "ledger",
            message("The ledger"),
            Axis(message("step"), scale="names", names=tuple(map(str, range(1, k + 1))), limits=(-0.5, many - 0.5)),
            Axis(message("spent"), limits=(0, 1.15 * float(max(b, k * e)))),
            (curve((-0.5, many - 0.5), lambda x: b, message("budget"), "bound"),),
            bars=grouped_bars(([e * j for j in range(1, k + 1)], message("spent so far"), "main")),
        )


class IterativeBudget(Exhibit):
    """An iterative algorithm whose steps share the budget."""

    exhibit = "cacm/iterative-budget"
    heading = message("Steps share the budget")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Through the private interface, an iterative algorithm made of easily analysed steps can run for as many "
        "iterations as the privacy budget permits."
    )
    verdict = message("T steps of ε/T; more can be worse")
    must = message(
        "Each of T steps gets ε/T, so its noise grows with T. The remaining distance shrinks by a factor of 1 − η in "
        "each step. So the total error is least for an intermediate number of steps. The example, a mean, is ours."
    )

    epsilon: Number = how_private("1", try_=(1,))
    steps: int = parameter(whole_number(1, 100, symbol="T", slide=(1, 40), try_=(5, 20)), 5, message("Number of steps"))
    n: int = parameter(whole_number(10, 100000, symbol="n", slide=(10, 2000), try_=(100, 1000)), 100, message("Number of rows"))
    rate: Number = parameter(
        number("1/20", 1, symbol="η", try_=("1/2", (1, message("one full step")))), "1/2", message("Step size")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the error of every number of steps exactly; rows in [0, 1], mean 0.7, start at 0."""
        e, eta = self.privacy.epsilon, double(self.rate)
        errors = [_error(t, self.n, e, eta) for t in range(1, 101)]
        totals = [math.sqrt(bias + noise) for bias, noise in errors]
        best = 1 + int(np.argmin(totals))
        shown = range(1, 41)
        plot = Plot(
            "steps",
            message("Error after the last step"),
            Axis(message("steps T"), scale="whole"),
            Axis(message("root mean square error")),
            (
                points(shown, totals[:40], message("total")),
                points(shown, [math.sqrt(bias) for bias, _ in errors[:40]], message("remaining distance"), "rival"),
                points(shown, [math.sqrt(noise) for _, noise in errors[:40]], message("noise"), "other"),
            ),
            marks=(Mark(best, totals[best - 1], message("best")),) if best <= 40 else (),
            handles=(self.handle("steps", most=40),),
        )
        bias, noise = errors[self.steps - 1]
        findings = {
            "value": Finding(message("total ε"), above(self.privacy), rounding="up", state="proved"),
            "step": Finding(message("ε of a step"), above(self.privacy) / self.steps, rounding="up", state="proved"),
            "error": Finding(message("root mean square error"), totals[self.steps - 1], digits=4, rounding="up"),
            "bias": Finding(message("of this, remaining distance"), math.sqrt(bias), digits=4),
            "noise": Finding(message("of this, noise"), math.sqrt(noise), digits=4),
            "best": Finding(message("best number of steps"), best),
        }
        sentence = message(
            "After {steps} steps the root mean square error is {error}; the best number of steps is {best}.",
            steps=self.steps,
            error=text(totals[self.steps - 1], 3, "up"),
            best=best,
        )
        return self.answer(findings, (plot,), sentence)


def _error(steps: int, n: int, epsilon: float, eta: float) -> tuple[float, float]:
    """Return the remaining squared distance and the squared error added by noise."""
    kept = (1 - eta) ** 2
    total = sum(kept**j for j in range(steps))
    return kept**steps * 0.49, 2 * (steps / (n * epsilon)) ** 2 * eta**2 * total


class Hyperplane(Exhibit):
    """A privately chosen separating line."""

    exhibit = "cacm/hyperplane"
    heading = message("A private separating line")
    place = message("Section “When Noise Makes No Sense”")
    claim = message(
        "A line that separates two kinds of points can be chosen by the exponential mechanism. Its utility is the number of "
        "points classified correctly, so one row changes it by 1 at most, and the best line is likeliest."
    )
    symbols = message(
        "A hyperplane that classifies labelled points can be chosen by the exponential mechanism. Its utility is the number of "
        "points classified correctly, so Δu = 1, and the best classifier is the most likely."
    )
    verdict = message("best line: 23 of 26 correct")
    must = message(
        "Adding a point raises the utility of a line by 0 or 1 and lowers none, so every weight and the sum of the weights "
        "change by a factor between 1 and e^ε. Hence ε, not 2ε, here. The lines need not pass through the origin."
    )

    epsilon: Number = how_private("1", try_=("1/4", 1, 3))
    lines: int = parameter(
        whole_number(4, 60, symbol="k", try_=(24,)), 24, message("Number of directions"), message("each at k places")
    )
    seed: int = study_seed(message("Seed of the draw"))

    def run(self, progress: Progress = silent) -> Answer:
        """Score all lines on 26 fixed points, and draw one from the seed."""
        xs, ys, kind = _points()
        k, e = self.lines, self.privacy.epsilon
        angles = np.pi * np.arange(2 * k) / k
        shifts = np.linspace(-1.2, 1.2, k)
        along = np.cos(angles)[:, None] * xs + np.sin(angles)[:, None] * ys
        right = ((along[:, None, :] > shifts[None, :, None]) == kind).sum(axis=2)
        logs = exponential_logs(exponents(right.ravel().astype(float), Fraction(e)))
        chances = np.exp(logs)
        place = int(np.random.default_rng(self.seed).choice(len(chances), p=chances / chances.sum()))
        angle, shift = angles[place // k], shifts[place % k]
        best = int(right.max())
        mean, chance = float(chances @ right.ravel()), float(chances[right.ravel() == best].sum())
        at = sorted({*np.round(np.geomspace(0.05, 5, 60), 6).tolist(), e})
        means = [float(np.exp(exponential_logs(exponents(right.ravel().astype(float), Fraction(x)))) @ right.ravel()) for x in at]
        ends = _ends(angle, shift)
        picture = Plot(
            "points",
            message("The points and the chosen line"),
            Axis("x", limits=(-1.3, 1.3)),
            Axis("y", limits=(-1.3, 1.3)),
            (points([x for x, _ in ends], [y for _, y in ends], message("drawn")),),
            marks=tuple(Mark(float(x), float(y), "", "main" if one else "other") for x, y, one in zip(xs, ys, kind, strict=True)),
        )
        findings = {
            "value": Finding(
                message("points that the chosen line classifies correctly"), int(right.ravel()[place]), state="measured"
            ),
            "mean": Finding(message("expected number over all draws"), mean, digits=4, rounding="down"),
            "best": Finding(message("best of all lines tried"), best),
            "tried": Finding(message("lines tried"), right.size),
            "chance": Finding(message("probability of a best line"), chance, digits=4, rounding="down"),
        }
        sentence = message(
            "The chosen line classifies {right} of 26 points correctly. The expected number is {mean}; the best line has {best}.",
            right=int(right.ravel()[place]),
            mean=text(mean, 3, "down"),
            best=best,
        )
        return self.answer(findings, (picture, self._right(at, means, best)), sentence)

    def _right(self, at: list[float], means: list[float], best: int) -> Plot:
        return Plot(
            "right",
            message("Points classified correctly"),
            Axis("ε", scale="log"),
            Axis(message("of 26"), limits=(12, 26)),
            (points(at, means, message("expected")), curve((at[0], at[-1]), lambda x: best, message("best line"), "bound")),
            handles=(self.handle("epsilon"),),
        )


def _points() -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return 26 points of two kinds, three of them on the wrong side of every line that separates the others."""
    generator = np.random.default_rng(11)
    xs, ys = generator.uniform(-1.1, 1.1, 26), generator.uniform(-1.1, 1.1, 26)
    kind = xs * 0.8 + ys * 0.6 > 0.1
    deep = np.argsort(-np.abs(xs * 0.8 + ys * 0.6 - 0.1))[2:5]
    kind[deep] = ~kind[deep]
    return xs, ys, kind


def _ends(angle: float, shift: float) -> list[tuple[float, float]]:
    """Return two points of the line in increasing order of x."""
    cos, sin = math.cos(angle), math.sin(angle)
    ends = [(shift * cos - s * sin, shift * sin + s * cos) for s in (-3.0, 3.0)]
    return sorted(ends)
