"""After the papers: properties that a released count may have at face value, their worst cases and their costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, exact
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.inspection.readers import AudienceReader
from dpdesigner.core.inspection.release_value import serve
from dpdesigner.core.mechanism.properties import PROPERTIES, PropertyOptimum, best_with, fair_diagonal
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
from dpdesigner.studies.fields import choice, distribution, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Bars
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
    """Return the costs for a uniform prior and 0-1 loss."""
    return [[Fraction(int(i != r), n + 1) for r in range(n + 1)] for i in range(n + 1)]


class FairProperties(Exhibit):
    """Four scores of 128 sets of properties."""

    exhibit = "after/fair-properties"
    heading = message("128 sets of properties, 4 scores")
    place = message("Section “Properties at face value”")
    claim = message(
        "With a uniform prior and the loss 0 or 1, the best score of a mechanism with any of the 128 sets of seven properties"
        " is one of at most four: with none, weak honesty, column honesty, or fairness."
    )
    verdict = message("scores from 0.947 to 0.968 at n = 6")
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
        picture = mechanism("mechanism", message("A best mechanism with these properties"), chosen, alpha)
        sentence = message(
            "The best score with the chosen properties is {score}. Without any it is {none}.",
            score=text(scores[self.properties], 6, "up"),
            none=text(scores["none"], 6, "up"),
        )
        return self.answer(findings, (picture, compared), sentence)


class FairWorstCase(Exhibit):
    """The cautious reader and the fair mechanism."""

    exhibit = "after/fair-worst-case"
    heading = message("Caution and fairness agree")
    place = message("Section “The cautious reader and the fair mechanism”")
    claim = message(
        "Without a prior, the least probability of error that can be guaranteed at every count equals that of the best mechanism "
        "that tells the truth with the same probability at every count."
    )
    verdict = message("both err with probability 25/52")
    asks = message("The five papers only treat readers with a prior. The two optima are computed in different ways and compared.")
    must = message(
        "The fair mechanism guarantees its error at every count. Conversely, averaging a mechanism’s errors with the least "
        "favourable prior gives a lower bound, and for this loss it equals the fair error."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(1, 12, symbol="n", try_=((5, message("25/52")),)), 5, message("Number of people"))
    alpha: Number = how_private_alpha("1/3", "1/20", "9/10", try_=(("1/3", message("ε = ln 3")), ("1/2", message("ε = ln 2"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the cautious reader's linear program, and compare it with the diagonal in closed form."""
        n, alpha = self.n, exact(self.alpha)
        possible = tuple(Prior(tuple(int(i == count) for i in range(n + 1)), n) for count in range(n + 1))
        reader = AudienceReader("", possible, Loss("zero-one"), cautious="loss")
        served = serve(reader, PrivacyLevel("alpha", alpha), progress=progress)
        diagonal = fair_diagonal(n, alpha)
        prior = np.array([float(weight) for weight in served.least_favourable])
        findings = {
            "value": Finding(message("least worst-case error"), served.loss, rounding="up", state="proved"),
            "diagonal": Finding(
                message("probability of the truth, best fair mechanism"), diagonal, rounding="down", state="proved"
            ),
            "fair": Finding(message("error of the fair mechanism"), 1 - diagonal, rounding="up", state="proved"),
            "gap": Finding(message("gap of the certificate"), served.gap, digits=1, rounding="up"),
        }
        against = Plot(
            "against",
            message("Error by privacy"),
            Axis(TOWARDS_PRIVATE, limits=(0, 1)),
            Axis(message("probability of error"), limits=(0, 1)),
            (curve(shares(150, high=exact("0.995")), lambda a: 1 - fair_diagonal(n, a), message("fair mechanism")),),
            handles=(self.handle("alpha"),),
        )
        belief = Plot(
            "prior",
            message("Least favourable prior"),
            Axis(message("count"), scale="whole"),
            Axis(message("probability")),
            (points(range(n + 1), prior, message("prior"), spikes=True, short=" "),),
        )
        sentence = message(
            "The error that can be guaranteed at every count is {value}. The best fair mechanism errs with the same probability.",
            value=text(served.loss, rounding="up"),
        )
        return self.answer(findings, (belief, against), sentence)


_SETS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("none", message("none"), message("no property"), ()),
    ("row", message("row"), message("a release is likeliest where it is true"), ("row",)),
    ("weak", message("weak"), message("truth at least as likely as by chance"), ("weak",)),
    ("column", message("column"), message("truth is the likeliest release"), ("column",)),
    ("fair", message("fair"), message("fair: the truth equally likely everywhere"), ("fair",)),
    ("all", message("all"), message("all seven properties"), PROPERTIES),
)


class PropertyPrices(Exhibit):
    """The cost of properties."""

    exhibit = "after/property-prices"
    heading = message("The price of looking plausible")
    place = message("Section “Properties at face value”")
    claim = message(
        "If errors cost by their size, every property that a release must have at face value can raise the least expected loss. "
        "Fairness costs about 11% at n = 4 and α = 3/4."
    )
    verdict = message("fairness costs 11% more")
    asks = message("The five papers let readers remap, which undoes such properties. Here the release is taken at face value.")
    must = message(
        "Each optimum is a linear program with the property as a constraint, solved in fractions and certified by its dual."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(2, 6, symbol="n", try_=((4, message("307/280")),)), 4, message("Number of people"))
    alpha: Number = how_private_alpha("3/4", "1/4", "19/20", try_=(("3/4", message("307/280")), ("2/3", "")))
    prior: Prior = parameter(distribution("n"), "uniform", message("Prior"), message("your prior"))

    def run(self, progress: Progress = silent) -> Answer:
        """Solve a linear program for each of the properties."""
        n, alpha, prior = self.n, exact(self.alpha), self.prior.exact
        costs = [[p * abs(i - r) for r in range(n + 1)] for i, p in enumerate(prior)]
        best = {}
        for place, (key, _, _, properties) in enumerate(_SETS):
            progress(place / len(_SETS), key)
            best[key] = best_with(costs, alpha, properties)
        free = best["none"].value
        dearest = best["fair"].value / free - 1 if free else Fraction(0)
        findings = {
            "value": Finding(message("fairness costs more by"), dearest, share=True, digits=3, rounding="up"),
            **{
                f"price_{key}": Finding(
                    words, best[key].value, rounding="up", state="proved" if best[key].value == best[key].bound else "measured"
                )
                for key, _, words, _ in _SETS
            },
        }
        compared = Plot(
            "prices",
            message("Least expected loss with each property"),
            Axis(scale="names", names=tuple(short for _, short, _, _ in _SETS)),
            Axis(message("expected loss")),
            bars=(Bars(np.array([float(best[key].value) for key, *_ in _SETS]), texts=lambda value: text(value, 4, "up")),),
        )
        picture = mechanism("fair", message("The best fair mechanism"), best["fair"].matrix, alpha)
        sentence = message(
            "Without properties the least expected loss is {none}. A fair mechanism costs {fair}.",
            none=text(free, rounding="up"),
            fair=text(best["fair"].value, rounding="up"),
        )
        return self.answer(findings, (picture, compared), sentence)
