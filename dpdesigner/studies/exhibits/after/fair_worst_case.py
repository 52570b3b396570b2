"""A reader without a prior who only wants to be right: the least worst-case error is that of the best fair mechanism."""

from __future__ import annotations

import numpy as np

from dpdesigner.core.audience.reader import AudienceReader
from dpdesigner.core.audience.served import serve
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.program.properties import fair_diagonal
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, points, shares, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class FairWorstCase(Exhibit):
    """The cautious reader and the fair mechanism."""

    exhibit = "after/fair-worst-case"
    heading = message("Caution and fairness agree")
    place = message("Section “The cautious reader and the fair mechanism”")
    claim = message(
        "Without a prior, the least probability of error that can be guaranteed at every count equals that of the best mechanism "
        "that tells the truth with the same probability at every count."
    )
    verdict = message("25/52 both ways at n = 5, α = 1/3")
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
            message("Error against α"),
            Axis("α", limits=(0, 1)),
            Axis(message("probability of error"), limits=(0, 1)),
            (curve(shares(150, high=exact("0.995")), lambda a: 1 - fair_diagonal(n, a), message("fair mechanism")),),
            handles=(self.handle("alpha"),),
        )
        belief = Plot(
            "prior",
            message("Least favourable prior"),
            Axis(message("count"), scale="whole"),
            Axis(message("probability")),
            (points(range(n + 1), prior, message("prior"), spikes=True),),
        )
        sentence = message(
            "The error that can be guaranteed at every count is {value}. The best fair mechanism errs with the same probability.",
            value=text(served.loss, rounding="up"),
        )
        return self.answer(findings, (belief, against), sentence)
