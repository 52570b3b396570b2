"""[BLR] The last step of the proof of Theorem 3.11, enumerated: exchanging a point inside and a point outside.

T is a random half, x in T, y outside. (T, x, y) and (T - x + y, y, x) are equally likely and their databases neighbours: the
average probability that a point of T is released is at most e^(2 eps) times that of a point outside.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.matrices import Matrix, dense_cells
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Exchange(Exhibit):
    """Inside and outside, exchanged."""

    exhibit = "blr/exchange"
    heading = message("Exchanging points inside and outside")
    place = message("Theorem 3.11, last step of the proof")
    claim = message(
        "T is a random half of d shattered points. Swapping x in T with y outside gives an equally likely pair and a "
        "database differing in two elements. So x is released at most e^(2ε) times as often for T."
    )
    verdict = message("all pairs, d = 4, 6, 8, 10")
    must = message(
        "Every pair occurs twice, once with x inside and once with y inside. Privacy bounds the ratio for each pair, so it "
        "bounds the ratio of the averages."
    )

    d: int = parameter(whole_number(2, 10, symbol="d", try_=(4, 6, 8, 10)), 6, message("Shattered points"), message("d, even"))
    epsilon: Number = how_private("1", try_=("1/2", 1))

    def check(self) -> None:
        """Only an even number has halves."""
        if self.d % 2:
            raise InputError(f"d must be even, got {self.d}.", "d", str(self.d - 1))

    def run(self, progress: Progress = silent) -> Answer:
        """Release a half by the exponential mechanism, and go through all halves and all pairs."""
        d, e = self.d, double(self.epsilon)
        halves = [frozenset(half) for half in combinations(range(d), d // 2)]
        place = {half: k for k, half in enumerate(halves)}
        member = np.array([[float(x in half) for x in range(d)] for half in halves])
        # A half by how many points it shares, exp(eps * shared): eps-private for neighbours that share all but one.
        weights = np.exp(e * (member @ member.T - d // 2))
        chances = weights / weights.sum(axis=1, keepdims=True)
        released = chances @ member
        inside, outside, worst, pairs, same = 0.0, 0.0, 0.0, 0, True
        for k, half in enumerate(halves):
            progress(k / len(halves))
            for x in half:
                for y in set(range(d)) - half:
                    other = place[(half - {x}) | {y}]
                    inside += released[k, x]
                    outside += released[k, y]
                    worst = max(worst, released[k, x] / released[other, x])
                    same = same and y in halves[other] and x not in halves[other]
                    pairs += 1
        inside, outside = inside / pairs, outside / pairs
        title = message("Probability that each point is released, for each half")
        shown = Matrix("released", title, dense_cells(released[:40]), message("half T"), message("point"))
        findings = {
            "value": Finding(message("triples (T, x, y) enumerated"), pairs, state="proved"),
            "halves": Finding(message("halves T"), len(halves), state="proved"),
            "paired": Finding(message("every exchange is another triple"), same),
            "ratio": Finding(message("ratio of the averages inside and outside"), inside / outside, digits=6, rounding="up"),
            "worst": Finding(message("largest ratio for a point under an exchange"), worst, digits=6, rounding="up"),
            "allowed": Finding(message("allowed: e^(2ε)"), math.exp(2 * e), digits=6),
            "error": Finding(message("average error of this release"), (1 - inside) / 2 + outside / 2, digits=5, rounding="up"),
            "least": Finding(
                message("least error, 1/(2(1 + e^(2ε)))"), 1 / (2 * (1 + math.exp(2 * e))), digits=5, rounding="down"
            ),
        }
        values = {"pairs": pairs, "ratio": text(inside / outside, rounding="up"), "allowed": f"{math.exp(2 * e):.4g}"}
        sentence = message(
            "Over {pairs} pairs, points inside are released {ratio} times as often as points outside. The limit is {allowed}.",
            **values,
        )
        return self.answer(findings, (shown, self._bound(member, d)), sentence, printed={"allowed": math.exp(2 * e)})

    def _bound(self, member: Floats, d: int) -> Plot:
        at = geometric_places(0.05, 5, 60)
        return Plot(
            "bound",
            message("Ratio of inside to outside"),
            Axis("ε", scale="log"),
            Axis(message("ratio"), scale="log"),
            (
                curve(at, lambda x: _ratio(member, d, x), message("this release")),
                curve(at, lambda x: math.exp(2 * x), message("e^(2ε)"), "bound"),
            ),
            handles=(self.handle("epsilon"),),
        )


def _ratio(member: NDArray[np.float64], d: int, e: float) -> float:
    weights = np.exp(e * (member @ member.T - d // 2))
    released = (weights / weights.sum(axis=1, keepdims=True)) @ member
    return float((released * member).sum() / (released * (1 - member)).sum())
