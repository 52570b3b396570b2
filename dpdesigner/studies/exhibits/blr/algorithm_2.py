"""[BLR] Algorithm 2 (ReleaseIntervals) as printed, run without noise until it stalls, and corrected.

Printed: b starts at (2^d - a + 1)/2, whatever a is; it then moves by (2^d - a + 1)/4, /8, ..., so that it never exceeds 2^d -
a + 1. Once a is above 2^(d-1), b stays below a, and a <- Bounds[i - 1] = b goes back. Right: b starts in the middle of [a, 2^d].
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.core.synthetic.bisection import next_end, plan_of
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Algorithm2(Exhibit):
    """A loop that never ends."""

    exhibit = "blr/algorithm-2"
    heading = message("A loop that never ends")
    place = message("Algorithm 2")
    claim = message(
        "ReleaseIntervals starts at a = 1 and searches from b = (2^d − a + 1)/2, in halving steps, for the b where [a, b] "
        "holds a share α′ of the rows. Then a ← b, until a reaches 2^d."
    )
    verdict = message("stalls half-way")
    differs = message(
        "The search must start in the middle of [a, 2^d]; as printed, b cannot pass 2^d − a + 1 and goes back beyond "
        "the middle. The number of cells is not limited, but privacy depends on a limit. Steps must be whole numbers "
        "and cells half-open. With k cells the output has kα′m points, not m, and a query is ε′-private, not 1/ε′ "
        "(proof of Theorem 4.2)."
    )
    slow, quick_picture = True, True
    must = message(
        "As printed, b is below (2^d − a + 1)(1/2 + 1/4 + …). Beyond the middle this is less than a, so the interval "
        "[a, b] is empty and the next a is further back. On uniform data, a keeps jumping between two places."
    )

    bits: int = parameter(
        whole_number(4, 20, symbol="d", try_=((20, message("1 048 576 points")),)),
        20,
        message("Resolution of the axis"),
        message("d bits"),
    )
    alpha: Number = parameter(number("1/10", 1, symbol="α", try_=("3/10",)), "3/10", message("Accuracy"))
    loops: int = parameter(
        whole_number(10, 100000, symbol=message("loops"), slide=(10, 2000), try_=(200, (100000, message("some seconds")))),
        200,
        message("Limit on the outer loops"),
        message("outer loops"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Run the printed loop on uniform data without noise, and the corrected one."""
        size, share = 1 << self.bits, double(self.alpha) / 6
        path = _printed(size, share, self.loops, progress)
        plan = plan_of(self.bits, size, Fraction(1), exact(self.alpha))
        ends: list[int] = []
        while (ends[-1] if ends else 0) < size:
            ends.append(next_end(ends[-1] if ends else 0, len(ends), plan, lambda low, high: high - low >= plan.least))
        furthest = max(path)
        stalled = furthest < size
        findings = {
            "value": Finding(message("furthest point reached as printed"), furthest),
            "end": Finding(message("end of the axis, 2^d"), size),
            "loops": Finding(message("outer loops as printed"), len(path) - 1),
            "last": Finding(message("last two places of a"), f"{path[-2]}, {path[-1]}"),
            "stalled": Finding(message("the printed loop stalls"), stalled),
            "cells": Finding(message("cells with the correction"), len(ends)),
            "most": Finding(message("cells that privacy allows, ⌈8/α⌉"), plan.most),
        }
        sentence = (
            message(
                "After {loops} loops the printed algorithm has reached {furthest} of {size}. Corrected, it ends with "
                "{cells} cells.",
                loops=len(path) - 1,
                furthest=furthest,
                size=size,
                cells=len(ends),
            )
            if stalled
            else message("With these inputs it ends, after {loops} loops.", loops=len(path) - 1)
        )
        return self.answer(findings, (self._path(path, size, ends),), sentence, printed={"value": size, "stalled": message("no")})

    def _path(self, path: list[int], size: int, ends: list[int]) -> Plot:
        shown = path[:60]
        return Plot(
            "path",
            message("End of the last cell, loop by loop"),
            Axis(message("loop"), scale="whole"),
            Axis(message("end of the last cell")),
            (
                points(range(len(shown)), shown, message("as printed")),
                points(range(len(ends) + 1), [0, *ends], message("corrected"), "rival"),
                curve((0, max(len(shown), len(ends))), lambda x: size, "2^d", "bound"),
            ),
        )


def _printed(size: int, share: float, loops: int, progress: Progress) -> list[int]:
    """Return a after each outer loop, rounded down, on data with one row at each of 1, ..., size, without noise."""
    a, path = 1.0, [1]
    for loop in range(loops):
        if loop % 500 == 0:
            progress(loop / loops, message("at {place}", place=path[-1]))
        b, step = (size - a + 1) / 2, (size - a + 1) / 4
        while step >= 1:
            held = max(0.0, math.floor(b) - math.ceil(a) + 1) / size
            b += -step if held > share else step
            step /= 2
        a = b
        path.append(math.floor(a))
        if a >= size:
            break
    return path
