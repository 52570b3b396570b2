"""Properties that a released count may have at face value: 128 sets of them have only four best scores."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.program.properties import PROPERTIES, PropertyOptimum, best_with
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import mechanism, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import choice, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Bars, Plot
from dpdesigner.studies.study import Progress, silent

#: Sets of properties, each with its words; others have the score of one of these.
SETS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("none", message("none"), message("none"), ()),
    ("weak", message("weak honesty"), message("truth at least as likely as by chance"), ("weak",)),
    ("column", message("column honesty"), message("truth is the likeliest release"), ("column",)),
    ("fair", message("fair"), message("fair"), ("fair",)),
    ("all", message("all seven"), message("all seven"), PROPERTIES),
)


def uniform_costs(n: int) -> list[list[Fraction]]:
    """Return the costs of a uniform prior and the loss 0 or 1."""
    return [[Fraction(int(i != r), n + 1) for r in range(n + 1)] for i in range(n + 1)]


class FairProperties(Exhibit):
    """Four scores of 128 sets of properties."""

    exhibit = "after/fair-properties"
    heading = message("128 sets of properties, four scores")
    place = message("Section “Properties at face value”")
    claim = message(
        "With a uniform prior and the loss 0 or 1, the best score of a mechanism with any of the 128 sets of seven properties"
        " is one of at most four: with none, weak honesty, column honesty, or fairness."
    )
    verdict = message("18/19, …, 5691/5878 at n = 6, α = 9/10")
    asks = message("The five papers let readers remap. Here the release is taken at face value and must look plausible.")
    must = message(
        "Every set of properties contains or follows from one of the four. Each score is a linear program, solved in fractions."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(2, 8, symbol="n", try_=((6, message("four scores")),)), 6, message("Number of people"))
    alpha: Number = how_private_alpha(
        "9/10", "1/4", "19/20", try_=(("9/10", message("four scores")), ("1/2", message("two scores")))
    )
    properties: str = parameter(
        choice(*((key, words) for key, _, words, _ in SETS)), "fair", message("Properties"), message("at face value")
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Solve one linear program for each of the sets."""
        n, alpha = self.n, exact(self.alpha)
        scores: dict[str, Fraction] = {}
        best: dict[str, PropertyOptimum] = {}
        for place, (key, _, _, properties) in enumerate(SETS):
            progress(place / len(SETS), key)
            best[key] = best_with(uniform_costs(n), alpha, properties)
            scores[key] = best[key].value * Fraction(n + 1, n)
        proved = all(each.value == each.bound for each in best.values())
        findings = {
            "value": Finding(message("different scores"), len(set(scores.values())), state="proved" if proved else "measured"),
            "score": Finding(message("score with the chosen properties"), scores[self.properties], rounding="up", digits=6),
            **{
                f"score-{key}": Finding(message("score: {words}", words=words), scores[key], rounding="up", digits=6)
                for key, _, words, _ in SETS
            },
        }
        compared = Plot(
            "scores",
            message("Scores; 1 is a mechanism that ignores the data"),
            Axis(scale="names", names=tuple(short for _, short, _, _ in SETS)),
            Axis(message("score"), limits=(0.0, 1.05)),
            bars=(Bars(np.array([float(scores[key]) for key, *_ in SETS]), texts=lambda value: text(value, 4, "up")),),
            selected=[key for key, *_ in SETS].index(self.properties),
        )
        chosen = best[self.properties].matrix
        picture = mechanism(
            "mechanism", message("A best mechanism with these properties"), [[float(x) for x in row] for row in chosen], alpha
        )
        sentence = message(
            "The best score with the chosen properties is {score}. Without any it is {none}.",
            score=text(scores[self.properties], 6, "up"),
            none=text(scores["none"], 6, "up"),
        )
        return self.answer(findings, (picture, compared), sentence)
