"""[CACM]: counting the rows that have both of two properties has sensitivity 1; asking for both counts has 2."""

from __future__ import annotations

from dpdesigner.core.databases.sensitivities import sensitivities
from dpdesigner.core.numbers.given import Number, double
from dpdesigner.studies.asked import whole_number
from dpdesigner.studies.declared import Answer
from dpdesigner.studies.exhibits.drawing import bars_beside, curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.said import said
from dpdesigner.studies.study import Progress, silent


class AndCount(Exhibit):
    """One question or two."""

    exhibit = "cacm/and-count"
    heading = said("One question or two")
    place = said("Paragraph before “Histogram Queries”")
    claim = said(
        "Counting the rows in which both of two bits are 1 has sensitivity 1, although it involves two bits. Noise Lap(1/ε) is "
        "enough for ε-differential privacy; Lap(2/ε) is not needed."
    )
    verdict = said("sensitivity 1, as printed")
    must = said(
        "One row changes this one count by at most 1. Two separate counts, of each bit, would change by 2 in total, so they "
        "need Lap(2/ε) each."
    )
    badge = (said("✓ all pairs checked"), "proved")

    rows: int = parameter(whole_number(1, 4, symbol="n"), 3, said("Rows in each database checked"), said("two bits each"))
    epsilon: Number = how_private("1", try_=(1,))

    def run(self, progress: Progress = silent) -> Answer:
        """Go through all pairs of neighbours, both ways."""
        e = double(self.epsilon)
        replaced, joined = sensitivities(self.rows, False), sensitivities(self.rows, True)
        names = (said("AND"), said("two counts"), said("four cells"))
        picture = Plot(
            "sensitivity",
            said("Sensitivity"),
            Axis(scale="names", names=names),
            Axis(said("sensitivity"), limits=(0, 2.4)),
            bars_beside(
                ((joined.both, joined.separate, joined.histogram), said("joins or leaves")),
                ((replaced.both, replaced.separate, replaced.histogram), said("replaced")),
            ),
        )
        findings = {
            "value": Finding(said("sensitivity of the AND count"), joined.both, state="proved"),
            "replaced": Finding(said("the same, where a row is replaced"), replaced.both, state="proved"),
            "two": Finding(said("sensitivity of two counts"), joined.separate, state="proved"),
            "two-replaced": Finding(said("the same, where a row is replaced"), replaced.separate, state="proved"),
            "error": Finding(said("expected error of the AND count"), joined.both / e, digits=5, rounding="up"),
            "error-two": Finding(said("expected error of each of two counts"), joined.separate / e, digits=5, rounding="up"),
        }
        sentence = said(
            "The expected error of the AND count is {one}; each of two separate counts has {two}.",
            one=text(joined.both / e, rounding="up"),
            two=text(joined.separate / e, rounding="up"),
        )
        return self.answer(findings, (picture, self._error()), sentence, printed={"value": 1, "error": 1 / e})

    def _error(self) -> Plot:
        places = geometric_places(0.05, 5)
        return Plot(
            "error",
            said("Expected error of a count"),
            Axis("ε", scale="log"),
            Axis(said("expected error"), scale="log"),
            (curve(places, lambda x: 1 / x, said("one count")), curve(places, lambda x: 2 / x, said("each of two"), "rival")),
            handles=(self.handle("epsilon"),),
        )
