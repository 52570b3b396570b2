"""Properties at face value for a reader whose errors cost by their size: each has a price."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.program.properties import PROPERTIES, best_with
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import mechanism, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import distribution, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Bars, Plot
from dpdesigner.studies.study import Progress, silent

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
        picture = mechanism(
            "fair", message("The best fair mechanism"), [[float(x) for x in row] for row in best["fair"].matrix], alpha
        )
        sentence = message(
            "Without properties the least expected loss is {none}. A fair mechanism costs {fair}.",
            none=text(free, rounding="up"),
            fair=text(best["fair"].value, rounding="up"),
        )
        return self.answer(findings, (picture, compared), sentence)
