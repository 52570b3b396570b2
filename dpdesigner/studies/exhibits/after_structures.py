"""After the papers: two counts at once, results that form a tree, and three results that are all neighbours."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.mechanism.adjacency_graphs import best_mechanism
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import (
    TOWARDS_PRIVATE,
    Exhibit,
    curve,
    how_private_alpha,
    mechanism,
    parameter,
    points,
    shares,
    text,
)
from dpdesigner.studies.fields import distribution, number
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis
from dpdesigner.studies.study import Progress, silent

_CELLS = list(product((0, 1), repeat=2))
_EDGES = [
    (a, b) for a in range(4) for b in range(a + 1, 4) if sum(x != y for x, y in zip(_CELLS[a], _CELLS[b], strict=True)) == 1
]


class Histograms(Exhibit):
    """Histograms with one draw per cell."""

    exhibit = "after/histograms"
    heading = message("Histograms: one draw per cell?")
    place = message("Section “Histograms”")
    claim = message(
        "One draw of geometric noise per cell, each remapped on its own, is best for additive losses if the beliefs about the"
        " cells are independent. If they are correlated, a joint mechanism can be better."
    )
    verdict = message("two equal bits: 1/3 together, 1/2 apart")
    asks = message(
        "Theorem 3.1 is about one count. Here two cells hold 0 or 1 person each, and the loss is the number of wrong cells."
    )
    must = message(
        "With independent beliefs, averaging any mechanism over the other cell keeps it private and its loss additive."
    )
    badge = (message("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/3", "1/20", "19/20", try_=(("1/3", message("ε = ln 3")), ("1/2", message("ε = ln 2"))))
    correlation: Number = parameter(
        number(0, 1, symbol="c", try_=((0, message("independent")), (1, message("equal")))),
        1,
        message("Correlation of the cells"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compare one draw per cell with the linear program over all mechanisms on pairs of cells."""
        alpha, c = exact(self.alpha), exact(self.correlation)
        prior = [(1 + c) / 4 if a == b else (1 - c) / 4 for a, b in _CELLS]
        wrong = [[sum(x != y for x, y in zip(true, read, strict=True)) for read in _CELLS] for true in _CELLS]
        best = best_mechanism([[p * w for w in row] for p, row in zip(prior, wrong, strict=True)], alpha, _EDGES)
        release = [[alpha ** wrong[i][j] / (1 + alpha) ** 2 for j in range(4)] for i in range(4)]
        separate = 2 * alpha / (1 + alpha)
        joint = sum(
            (
                min(sum((prior[i] * release[i][j] * wrong[i][r] for i in range(4)), Fraction(0)) for r in range(4))
                for j in range(4)
            ),
            Fraction(0),
        )
        state: State = "proved" if best.proved else "measured"
        findings = {
            "value": Finding(
                message("saved by a joint mechanism"), separate - Fraction(best.value), rounding="down", state=state
            ),
            "product": Finding(message("one draw per cell, remapped on its own"), separate, rounding="up", state="proved"),
            "read-together": Finding(message("the same draws, read together"), joint, rounding="up", state="proved"),
            "optimum": Finding(message("least possible"), best.value, rounding="down", state=state),
        }
        against = Plot(
            "against",
            message("Expected number of wrong cells by privacy"),
            Axis(TOWARDS_PRIVATE, limits=(0, 1)),
            Axis(message("wrong cells")),
            (curve(shares(), lambda a: 2 * a / (1 + a), message("one draw per cell"), "rival"),),
            handles=(self.handle("alpha"),),
        )
        picture = mechanism("joint", message("A best joint mechanism on 00, 01, 10, 11"), best.matrix, alpha)
        sentence = message(
            "One draw per cell gets {product} cells wrong on average, the best joint mechanism {optimum}.",
            product=text(separate, rounding="up"),
            optimum=text(best.value, rounding="down"),
        )
        return self.answer(findings, (picture, against), sentence)


#: A centre, and three legs of two: 0; 1, 2; 3, 4; 5, 6.
_TREES_EDGES = [(0, 1), (1, 2), (0, 3), (3, 4), (0, 5), (5, 6)]
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
    verdict = message("proved least error: 13/24 at α = 1/2")
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
        best = best_mechanism([[p * int(i != r) for r in range(_SIZE)] for i, p in enumerate(prior)], alpha, _TREES_EDGES)
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
            (points(range(_SIZE), [float(p) for p in prior], message("prior"), spikes=True, short=" "),),
        )
        picture = mechanism("release", message("The release"), release, alpha)
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
    """Return alpha^distance times the weight of each output, normalised so that rows sum to 1."""
    near: list[set[int]] = [set() for _ in range(_SIZE)]
    for a, b in _TREES_EDGES:
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


_TRIANGLE_EDGES = [(0, 1), (0, 2), (1, 2)]
_PRIORS = ((Fraction(1, 3),) * 3, (Fraction(1, 2), Fraction(1, 2), Fraction(0)))
_PAIRS = [(r, s) for r in range(3) for s in range(3)]


class Triangle(Exhibit):
    """Two readers for whom no single release is best."""

    exhibit = "after/triangle"
    heading = message("Triangle: no release is best")
    place = message("Section “Where one release is not enough”")
    claim = message(
        "Let three results all be neighbours, and let two readers minimise the probability of error, one with a uniform "
        "prior and one who excludes the third result. No private release is best for both."
    )
    verdict = message("sharing costs at least 1/20 at α = 1/3")
    asks = message(
        "For a count, whose results form a path, one release is best for all. The triangle is the smallest other graph."
    )
    must = message("Each optimum is attained, but by different mechanisms. The least sum of both losses is a linear program.")
    badge = (message("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/3", "1/20", "19/20", try_=(("1/3", message("ε = ln 3")), ("1/2", message("ε = ln 2"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Find each reader's optimum, and the least total for one release, whose outputs are pairs of readings."""
        alpha = exact(self.alpha)
        alone = [
            best_mechanism([[p * int(i != r) for r in range(3)] for i, p in enumerate(prior)], alpha, _TRIANGLE_EDGES)
            for prior in _PRIORS
        ]
        costs = [[_PRIORS[0][i] * int(r != i) + _PRIORS[1][i] * int(s != i) for r, s in _PAIRS] for i in range(3)]
        both = best_mechanism(costs, alpha, _TRIANGLE_EDGES)
        regret = Fraction(both.value) - sum(Fraction(each.value) for each in alone)
        state: State = "proved" if both.proved and all(each.proved for each in alone) else "measured"
        findings = {
            "value": Finding(message("least total regret of the two"), regret, rounding="down", state=state),
            "least_regret": Finding(message("the same by formula"), least_regret(alpha), state="proved"),
            "first": Finding(message("uniform prior, alone"), alone[0].value, rounding="down", state=state),
            "second": Finding(message("prior on two results, alone"), alone[1].value, rounding="down", state=state),
            "together": Finding(message("sum of both for one release"), both.value, rounding="down", state=state),
        }
        against = Plot(
            "against",
            message("Least total regret by privacy"),
            Axis(TOWARDS_PRIVATE, limits=(0, 1)),
            Axis(message("regret")),
            (curve(shares(), least_regret, message("two readers")),),
            handles=(self.handle("alpha"),),
        )
        used = [k for k in range(len(_PAIRS)) if any(row[k] for row in both.matrix)]
        shown = [[row[k] for k in used] for row in both.matrix]
        release = mechanism("release", message("A best release for both"), shown, alpha)
        sentence = message(
            "Any one release costs the two readers together at least {regret} more than their own best releases.",
            regret=text(regret, rounding="down"),
        )
        return self.answer(findings, (release, against), sentence)


def least_regret(alpha: Fraction) -> Fraction:
    """Return the least total regret by its formula, (1 - a) min(a / 2, 1 / 3) / ((1 + 2 a) (1 + a))."""
    return (1 - alpha) * min(alpha / 2, Fraction(1, 3)) / ((1 + 2 * alpha) * (1 + alpha))
