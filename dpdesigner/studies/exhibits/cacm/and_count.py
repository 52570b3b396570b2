"""[CACM]: counting the rows that have both of two properties has sensitivity 1; asking for both counts has 2."""

from __future__ import annotations

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.privacy.sensitivity import sensitivities
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, grouped_bars, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class AndCount(Exhibit):
    """One question or two."""

    exhibit = "cacm/and-count"
    heading = message("One count or two")
    place = message("Paragraph before “Histogram Queries”")
    claim = message(
        "Counting the rows in which both of two bits are 1 has sensitivity 1, although it involves two bits. Noise Lap(1/ε) is "
        "enough for ε-differential privacy; Lap(2/ε) is not needed."
    )
    verdict = message("sensitivity 1, as printed")
    must = message(
        "One row changes this count by at most 1. Two separate counts, one for each bit, could change by 2 in total, "
        "so each would need Lap(2/ε)."
    )
    badge = (message("✓ all pairs checked"), "proved")

    rows: int = parameter(whole_number(1, 4, symbol="n"), 3, message("Rows in each database checked"), message("two bits each"))
    epsilon: Number = how_private("1", try_=(1,))

    def run(self, progress: Progress = silent) -> Answer:
        """Go through all pairs of neighbours, both ways."""
        e = double(self.epsilon)
        replaced, joined = sensitivities(self.rows, False), sensitivities(self.rows, True)
        names = (message("AND"), message("two counts"), message("four cells"))
        picture = Plot(
            "sensitivity",
            message("Sensitivity"),
            Axis(scale="names", names=names),
            Axis(message("sensitivity"), limits=(0, 2.4)),
            grouped_bars(
                ((joined.both, joined.separate, joined.histogram), message("joins or leaves")),
                ((replaced.both, replaced.separate, replaced.histogram), message("replaced")),
            ),
        )
        findings = {
            "value": Finding(message("sensitivity of the AND count"), joined.both, state="proved"),
            "replaced": Finding(message("the same, if a row is replaced"), replaced.both, state="proved"),
            "two": Finding(message("sensitivity of two counts"), joined.separate, state="proved"),
            "two-replaced": Finding(message("the same, if a row is replaced"), replaced.separate, state="proved"),
            "error": Finding(message("expected error of the AND count"), joined.both / e, digits=5, rounding="up"),
            "error-two": Finding(message("expected error of each of two counts"), joined.separate / e, digits=5, rounding="up"),
        }
        sentence = message(
            "The expected error of the AND count is {one}. For each of two separate counts it is {two}.",
            one=text(joined.both / e, rounding="up"),
            two=text(joined.separate / e, rounding="up"),
        )
        return self.answer(findings, (picture, self._error()), sentence, printed={"value": 1, "error": 1 / e})

    def _error(self) -> Plot:
        places = geometric_places(0.05, 5)
        return Plot(
            "error",
            message("Expected error of a count"),
            Axis("ε", scale="log"),
            Axis(message("expected error"), scale="log"),
            (
                curve(places, lambda x: 1 / x, message("one count")),
                curve(places, lambda x: 2 / x, message("each of two"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
