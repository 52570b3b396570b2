"""[CACM]: an iterative algorithm pays for every step: more steps are nearer to the end, and each is noisier.

x moves a share eta of the way to the mean, which is asked for with noise of Laplace of scale T/(n eps): after T steps the
mean square error is (1 - eta)^(2T) (x_0 - mean)^2 + 2 (T/(n eps))^2 eta^2 sum_j (1 - eta)^(2j).
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class IterativeBudget(Exhibit):
    """Steps share the budget."""

    exhibit = "cacm/iterative-budget"
    heading = message("Steps share the budget")
    place = message("Section “When Sensitivity Is Hard to Analyze”")
    claim = message(
        "Through the private interface, an iterative algorithm made of easily analysed steps can run for as many "
        "iterations as the privacy budget permits."
    )
    verdict = message("T steps of ε/T; more are not always better")
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
        e, eta = double(self.epsilon), double(self.rate)
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
            "value": Finding(message("total ε"), exact(self.epsilon), state="proved"),
            "step": Finding(message("ε of a step"), exact(self.epsilon) / self.steps, state="proved"),
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
    """Return what is left to go and what noise adds, both squared."""
    kept = (1 - eta) ** 2
    total = sum(kept**j for j in range(steps))
    return kept**steps * 0.49, 2 * (steps / (n * epsilon)) ** 2 * eta**2 * total
