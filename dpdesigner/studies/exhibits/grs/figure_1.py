"""[GRS] Figure 1: the chance of each release of the geometric mechanism at one result, and its neighbours'."""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.studies.asked import whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.tables import Table

_NEAR = 6


class Figure1(Exhibit):
    """What is released when the true count is 5."""

    exhibit = "grs/figure-1"
    heading = said("What is released when the count is 5")
    place = said("Figure 1")
    claim = said("The geometric mechanism: the true result is likeliest, and each step away from it is α times as likely.")
    verdict = said("at α = 1/5 the truth in 2 of 3 cases")
    must = said(
        "One person more moves every bar one place to the right; bars beside each other differ by the factor α, as "
        "privacy allows."
    )
    badge = (said("✓ proved in fractions"), "proved")

    alpha: Number = how_private_alpha("1/5", "1/100", "99/100", try_=(("1/5", said("2/3 true")), ("1/2", said("1/3 true"))))
    count: int = parameter(whole_number(0, 100, symbol="i", slide=(0, 20)), 5, said("The true count"), said("true result i"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the chances in fractions."""
        a, i = exact(self.alpha), self.count
        places = range(i - _NEAR, i + _NEAR + 2)

        def chance(r: int, true: int) -> Fraction:
            return (1 - a) / (1 + a) * a ** abs(r - true)

        plot = Plot(
            "released",
            said("How likely each release is"),
            Axis(said("released r"), scale="whole"),
            Axis(said("chance")),
            (
                curve(places, lambda r: chance(r, i), said("count {i}", i=i), spikes=True),
                curve(places, lambda r: chance(r, i + 1), said("count {i}", i=i + 1), "rival"),
            ),
            handles=(self.handle("count"),),
        )
        rows = tuple((str(r), text(chance(r, i)), text(chance(r, i + 1))) for r in places)
        table = Table(
            "chances", said("Both chances"), (said("released"), said("count {i}", i=i), said("count {i}", i=i + 1)), rows
        )
        findings = {
            "value": Finding(said("chance of the true count"), chance(i, i), state="proved"),
            "next": Finding(said("chance of one more"), chance(i + 1, i), state="proved"),
            "both": Finding(said("chance of an error of at most 1"), chance(i, i) + 2 * chance(i + 1, i), state="proved"),
            "ratio": Finding(
                said("ratio of the two counts, at most"), max(chance(r, i) / chance(r, i + 1) for r in places), state="proved"
            ),
        }
        sentence = said(
            "The true count {i} is released in {share} of cases, {more} in {next}.",
            i=i,
            share=text(chance(i, i)),
            more=i + 1,
            next=text(chance(i + 1, i)),
        )
        printed: dict[str, Number] = {"ratio": 1 / a, "next": a * chance(i, i)}
        return self.answer(findings, (plot, table), sentence, printed=printed)
