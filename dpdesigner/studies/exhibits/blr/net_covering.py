"""[BLR] Claim 6.7: a grid with step gamma/sqrt T has (2 sqrt T/gamma + 1)^T points.

With that step every point of the cube is within gamma/2 of the grid; its points are no unit vectors.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import choice, number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent


class NetCovering(Exhibit):
    """The number of points that cover a sphere."""

    exhibit = "blr/net-covering"
    heading = message("Size of a net of the sphere")
    place = message("Definition 6.6, Claim 6.7")
    claim = message(
        "Rounding each coordinate to the nearest multiple of γ/√T gives a γ-net for the unit vectors in T dimensions, and "
        "there are (√T/γ)^T such vectors."
    )
    verdict = message("(2√T/γ + 1)^T, not (√T/γ)^T")
    differs = message(
        "With step γ/√T, the grid in [−1, 1]^T has (2√T/γ + 1)^T points. Step 2γ/√T also gives a γ-net, with (√T/γ + "
        "1)^T points, close to the printed number. In Definition 6.6, the minimum should be over y in U. The grid "
        "points are not unit vectors."
    )
    must = message(
        "In each of the T directions a point is at most half a step from the grid, so its distance is at "
        "most √T · step/2. For step 2γ/√T this is γ."
    )

    gamma: Number = parameter(number("1/10", 1, symbol="γ", try_=("1/2", "1/4")), "1/2", message("Largest distance allowed"))
    t: int = parameter(
        whole_number(1, 5000, symbol="T", slide=(1, 20), try_=((2, message("drawn")), (3549, message("as for halfspaces")))),
        2,
        message("Dimensions"),
    )
    step: str = parameter(
        choice(("printed", message("γ/√T")), ("double", message("2γ/√T"))), "printed", message("Step of the grid")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Count the points, and measure the distance in two dimensions."""
        g, t = double(self.gamma), self.t
        times = 1 if self.step == "printed" else 2
        step = times * g / math.sqrt(t)
        side = 2 / step + 1
        log_points = t * math.log10(side)
        other = t * math.log10(math.sqrt(t) / g + 1)
        printed = t * math.log10(math.sqrt(t) / g)
        flat = times * g / math.sqrt(2)
        angles = np.linspace(0, 2 * math.pi, 721)
        circle = np.column_stack([np.cos(angles), np.sin(angles)])
        near = flat * np.round(circle / flat)
        far = float(np.linalg.norm(circle - near, axis=1).max())
        norms = np.linalg.norm(near, axis=1)
        used = {tuple(np.round(row, 9)) for row in near.tolist()}
        findings = {
            "value": Finding(message("points of the grid, power of ten"), log_points, digits=6, rounding="up"),
            "half": Finding(message("with step 2γ/√T, power of ten"), other, digits=6, rounding="up"),
            "far": Finding(message("in two dimensions: largest distance from the net"), far, digits=4, rounding="up"),
            "allowed": Finding(message("allowed, γ"), exact(self.gamma)),
            "shortest": Finding(
                message("in two dimensions: length of the shortest net point used"), float(norms.min()), digits=4
            ),
            "longest": Finding(message("longest"), float(norms.max()), digits=4),
        }
        sentence = message(
            "The grid has 10^{points} points; the paper states 10^{printed}. Every point of the circle is within {far} "
            "of the grid.",
            points=text(log_points, rounding="up"),
            far=text(far, 3, "up"),
            printed=f"{printed:.4g}",
        )
        return self.answer(
            findings, (self._net(flat, circle, angles, used), self._counts(g)), sentence, printed={"value": printed}
        )

    def _net(self, flat: float, circle: Floats, angles: Floats, used: set[tuple[float, ...]]) -> Plot:
        grid = np.arange(-math.floor(1 / flat + 1e-9) - 1, math.floor(1 / flat + 1e-9) + 2) * flat
        half = circle[angles <= math.pi][::-1]
        return Plot(
            "net",
            message("The net in two dimensions"),
            Axis("x", limits=(-1.5, 1.5)),
            Axis("y", limits=(-1.5, 1.5)),
            (Line(half[:, 0], half[:, 1], message("the circle")), Line(half[:, 0], -half[:, 1], "")),
            marks=tuple(
                Mark(float(x), float(y), "", "main" if (round(float(x), 9), round(float(y), 9)) in used else "aid")
                for x, y in product(grid, grid)
            ),
        )

    def _counts(self, g: float) -> Plot:
        at = range(1, 21)
        return Plot(
            "counts",
            message("Number of points (powers of ten)"),
            Axis(message("dimensions T"), scale="whole"),
            Axis("log₁₀"),
            (
                curve(at, lambda m: m * math.log10(2 * math.sqrt(m) / g + 1), message("step γ/√T")),
                curve(at, lambda m: m * math.log10(math.sqrt(m) / g + 1), message("step 2γ/√T"), "rival"),
            ),
            handles=(self.handle("t", most=20),),
        )
