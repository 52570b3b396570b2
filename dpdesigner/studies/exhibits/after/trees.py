"""Results that form a tree: for readers who only want to be right, one release is again best."""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.program.adjacency_graphs import best_mechanism
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import mechanism, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import distribution
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

#: A centre, and three legs of two: 0; 1, 2; 3, 4; 5, 6.
_EDGES = [(0, 1), (1, 2), (0, 3), (3, 4), (0, 5), (5, 6)]
_SIZE = 7


class Trees(Exhibit):
    """One release on a tree."""

    exhibit = "after/trees"
    heading = message("Trees: one release is best again")
    place = message("Section “Trees”")
    claim = message(
        "Let the results form a tree whose degrees are at most 1 + 1/α, and let every reader minimise the probability of "
        "error. Then one release, read as the most probable result, is best for every prior."
    )
    verdict = message("13/24 at α = 1/2, gap 0")
    asks = message("The five papers treat counts, whose results form a path. Here a centre has three legs of two results each.")
    must = message(
        "The release shows each result in proportion to α to the power of its distance. On a tree, a dual solution can be "
        "read from the posterior, so a certificate exists for every prior."
    )
    badge = (message("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/2", "1/20", "1/2", try_=(("1/2", message("ε = ln 2")), ("1/3", message("ε = ln 3"))))
    prior: Prior = parameter(
        distribution(_SIZE - 1), (3, 1, 2, 1, 2, 1, 2), message("Prior: the centre, then the legs"), message("your prior")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Read the release as the most probable result, and compare it with the linear program over all mechanisms."""
        alpha, prior = exact(self.alpha), self.prior.exact
        release = tree_release(alpha)
        reads = [max(range(_SIZE), key=lambda i, j=j: (prior[i] * release[i][j], -i)) for j in range(_SIZE)]  # type: ignore[misc]
        value = 1 - sum((prior[r] * release[r][j] for j, r in enumerate(reads)), Fraction(0))
        best = best_mechanism([[p * int(i != r) for r in range(_SIZE)] for i, p in enumerate(prior)], alpha, _EDGES)
        gap = value - best.bound
        state: State = "proved" if not gap else "open"
        findings = {
            "value": Finding(message("probability of error with the one release"), value, rounding="up", state=state),
            "gap": Finding(message("above the lower bound by at most"), gap, digits=1, rounding="up", state=state),
            "bound": Finding(message("lower bound for any release"), best.bound, rounding="down", state="proved"),
            "reads": Finding(message("outputs are read as"), tuple(reads)),
        }
        belief = Plot(
            "prior",
            message("Prior over the centre (0) and the legs (1–2, 3–4, 5–6)"),
            Axis(message("result"), scale="whole"),
            Axis(message("probability")),
            (points(range(_SIZE), [float(p) for p in prior], message("prior"), spikes=True),),
        )
        picture = mechanism("release", message("The release"), [[float(x) for x in row] for row in release], alpha)
        words = (
            message("no private release errs less.")
            if not gap
            else message("the lower bound is {bound}.", bound=text(best.bound, rounding="down"))
        )
        sentence = message(
            "Read as the most probable result, the release errs with probability {value}; {words}",
            value=text(value, rounding="up"),
            words=words,
        )
        badge = self.badge if not gap else (message("computed"), "open")
        return self.answer(findings, (picture, belief), sentence, badge=badge)  # type: ignore[arg-type]


def tree_release(alpha: Fraction) -> list[list[Fraction]]:
    """Return alpha^distance times the weight of each output, by which rows sum to 1."""
    near: list[set[int]] = [set() for _ in range(_SIZE)]
    for a, b in _EDGES:
        near[a].add(b)
        near[b].add(a)
    weights = [1 - len(each) * alpha / (1 + alpha) for each in near]
    rows = []
    for start in range(_SIZE):
        distance, todo = {start: 0}, [start]
        for place in todo:
            for other in near[place] - distance.keys():
                distance[other] = distance[place] + 1
                todo.append(other)
        rows.append([alpha ** distance[r] * weights[r] for r in range(_SIZE)])
    return rows
