"""Three results that are all neighbours: no one release is best for two readers."""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.program.adjacency_graphs import best_mechanism
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, mechanism, shares, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

_EDGES = [(0, 1), (0, 2), (1, 2)]
_PRIORS = ((Fraction(1, 3),) * 3, (Fraction(1, 2), Fraction(1, 2), Fraction(0)))
_PAIRS = [(r, s) for r in range(3) for s in range(3)]


class Triangle(Exhibit):
    """Two readers that no single release serves best."""

    exhibit = "after/triangle"
    heading = message("No single release is best for both readers")
    place = message("Section “Where one release is not enough”")
    claim = message(
        "Let three results all be neighbours, and let two readers minimise the probability of error, one with a uniform "
        "prior and one who excludes the third result. No private release is best for both."
    )
    verdict = message("least total regret 1/20 at α = 1/3")
    asks = message(
        "For a count, whose results form a path, one release is best for all. The triangle is the smallest other graph."
    )
    must = message("Each optimum is attained, but by different mechanisms. The least sum of both losses is a linear program.")
    badge = (message("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/3", "1/20", "19/20", try_=(("1/3", message("ε = ln 3")), ("1/2", message("ε = ln 2"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Find each reader's optimum, and the least sum of both for one release, whose outputs are pairs of readings."""
        alpha = exact(self.alpha)
        alone = [
            best_mechanism([[p * int(i != r) for r in range(3)] for i, p in enumerate(prior)], alpha, _EDGES) for prior in _PRIORS
        ]
        costs = [[_PRIORS[0][i] * int(r != i) + _PRIORS[1][i] * int(s != i) for r, s in _PAIRS] for i in range(3)]
        both = best_mechanism(costs, alpha, _EDGES)
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
            message("Least total regret against α"),
            Axis("α", limits=(0, 1)),
            Axis(message("regret")),
            (curve(shares(), least_regret, message("two readers")),),
            handles=(self.handle("alpha"),),
        )
        used = [k for k in range(len(_PAIRS)) if any(row[k] for row in both.matrix)]
        release = mechanism(
            "release", message("A best release for both"), [[float(row[k]) for k in used] for row in both.matrix], alpha
        )
        sentence = message(
            "Any one release costs the two readers together at least {regret} more than their own best releases.",
            regret=text(regret, rounding="down"),
        )
        return self.answer(findings, (release, against), sentence)


def least_regret(alpha: Fraction) -> Fraction:
    """Return the least total regret by its formula, (1 - a) min(a / 2, 1 / 3) / ((1 + 2 a) (1 + a))."""
    return (1 - alpha) * min(alpha / 2, Fraction(1, 3)) / ((1 + 2 * alpha) * (1 + alpha))
