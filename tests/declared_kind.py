"""A kind whose inputs and panels are declared: Laplace's distribution function as lecture notes print it, and right."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.core.basics.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies import registry
from dpdesigner.studies.base import Answer, DeclaredDesign, Why
from dpdesigner.studies.fields import choice, declare, number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Band, Handle, Line, Mark
from dpdesigner.studies.study import Progress, silent

WHY = Why(
    message("The sign before e is wrong: at this x the printed function gives {printed}, the right one {right}."),
    formula=message("½ (1 + sgn(<i>x</i>) (1 − e<sup>−|<i>x</i>|/<i>b</i></sup>))"),
    sources=message("Lecture notes, where 1 + e stands for 1 − e."),
)


class LaplaceDesign(DeclaredDesign):
    kind: ClassVar[str] = "laplace"

    b: Number = declare(
        number("1/1000", 1000, scale="log", symbol="b", slide=("0.1", 10), ends=(message("narrow"), message("wide"))),
        default=1,
        label=message("How wide"),
        term=message("scale"),
        note=message("The noise has the density e^(−|x|/b) / 2b."),
    )
    x: Number = declare(number(-100, 100, symbol="x", slide=(-4, 4), try_=((2, ""),)), default="0.5", label=message("Where"))
    side: str = declare(
        choice(("both", message("Both sides")), ("right", message("x > 0 only"))),
        default="both",
        label=message("What is drawn"),
        when=lambda design: double(design.x) >= 0,
    )

    def run(self, progress: Progress = silent) -> Answer:
        b, x = double(self.b), double(self.x)
        right, printed = (
            Finding(message(name), float(_chance(x, b, sign)), digits=3) for name, sign in (("right", -1), ("printed", 1))
        )
        places = np.linspace(0 if self.side == "right" and x >= 0 else -4, 4, 401)
        lines = (
            Line(places, _chance(places, b, -1), message("right")),
            Line(places, _chance(places, b, 1), message("as printed"), "rival", dashed=True),
        )
        plot = Plot(
            "cdf",
            message("Distribution function"),
            Axis("x", limits=(places[0], 4.0)),
            Axis(message("chance of at most x"), limits=(-0.6, 1.6)),
            lines,
            (Mark(x, float(_chance(x, b, 1))),),
            (Band(1, 1.6, message("no probability"), along="y"),),
            (Handle(x, message("x = {x}", x=self.x), "x"),),
        )
        words = f"{_chance(x, b, 1):.2f}", f"{_chance(x, b, -1):.2f}"
        text = message("At {x} the printed function gives {one}, the right one {other}.", x=self.x, one=words[0], other=words[1])
        return Answer(self, {"printed": printed, "right": right}, (plot,), text, (message("a misprint"), "open"), why=WHY)


def _chance(x: ArrayLike, b: float, sign: int) -> NDArray[np.float64]:
    """The chance of at most x; `sign` stands before e^(−|x|/b)."""
    x = np.asarray(x, dtype=float)
    return 0.5 * (1 + np.sign(x) * (1 + sign * np.exp(-abs(x) / b)))


ENTRY = registry.Entry("laplace", "Laplace", "declared_kind:LaplaceDesign")
