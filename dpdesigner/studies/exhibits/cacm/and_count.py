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
    place = said("counting queries")
    claim = said(
        "How many rows have both properties is a query of sensitivity 1; the pair of counts, how many have each, has "
        "sensitivity 2: one row can change both."
    )
    verdict = said("1 and 2, for both kinds of neighbours")
    must = said("A row with both properties that leaves takes one from each count: what is summed up over the answers is 2.")
    badge = (said("✓ all pairs gone through"), "proved")

    rows: int = parameter(whole_number(1, 4, symbol="n"), 3, said("How many rows are gone through"), said("two bits each"))
    epsilon: Number = how_private("1", try_=(1,))

    def run(self, progress: Progress = silent) -> Answer:
        """Go through all pairs of neighbours, both ways."""
        e = double(self.epsilon)
        replaced, joined = sensitivities(self.rows, False), sensitivities(self.rows, True)
        names = (said("AND"), said("two counts"), said("four cells"))
        picture = Plot(
            "sensitivity",
            said("What one row changes"),
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
            "error": Finding(said("mean error of the AND count"), joined.both / e, digits=5, rounding="up"),
            "error-two": Finding(said("mean error of each of two counts"), joined.separate / e, digits=5, rounding="up"),
        }
        sentence = said(
            "One count is off by {one} on average, each of two by {two}.",
            one=text(joined.both / e, rounding="up"),
            two=text(joined.separate / e, rounding="up"),
        )
        return self.answer(findings, (picture, self._error()), sentence, printed={"value": 1, "two": 2})

    def _error(self) -> Plot:
        places = geometric_places(0.05, 5)
        return Plot(
            "error",
            said("How far off each count is"),
            Axis("ε", scale="log"),
            Axis(said("mean error of a count"), scale="log"),
            (curve(places, lambda x: 1 / x, said("one count")), curve(places, lambda x: 2 / x, said("each of two"), "rival")),
            handles=(self.handle("epsilon"),),
        )
