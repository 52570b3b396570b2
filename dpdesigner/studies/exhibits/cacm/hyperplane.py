"""[CACM]: a line that separates two kinds of points, chosen by the exponential mechanism: utility is how many it gets right.

One row that joins moves all utilities up or leaves them, so that exp(eps u) is eps-private.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.mechanisms import exponential_logs, exponents
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter, study_seed
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class Hyperplane(Exhibit):
    """A line that separates, privately."""

    exhibit = "cacm/hyperplane"
    heading = message("A private separating line")
    place = message("Section “When Noise Makes No Sense”")
    claim = message(
        "A hyperplane that classifies labelled points can be chosen by the exponential mechanism. Its utility is the "
        "number of points classified correctly, so Δu = 1, and the best classifier is the most likely."
    )
    verdict = message("Δu = 1; best line: 23 of 26 correct")
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
        k, e = self.lines, double(self.epsilon)
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
    """26 points of two kinds, three of them on the wrong side of every line that gets the others right."""
    generator = np.random.default_rng(11)
    xs, ys = generator.uniform(-1.1, 1.1, 26), generator.uniform(-1.1, 1.1, 26)
    kind = xs * 0.8 + ys * 0.6 > 0.1
    deep = np.argsort(-np.abs(xs * 0.8 + ys * 0.6 - 0.1))[2:5]
    kind[deep] = ~kind[deep]
    return xs, ys, kind


def _ends(angle: float, shift: float) -> list[tuple[float, float]]:
    """Two points of the line in rising order of x."""
    cos, sin = math.cos(angle), math.sin(angle)
    ends = [(shift * cos - s * sin, shift * sin + s * cos) for s in (-3.0, 3.0)]
    return sorted(ends)
