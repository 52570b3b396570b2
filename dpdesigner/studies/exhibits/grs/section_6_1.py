"""[GRS] Section 6.1: Laplace noise against the geometric mechanism, as alpha -> 0.

Prior 1/2 on 0 and on 1: the geometric mechanism errs with alpha/(1 + alpha), Laplace noise, read again (at 1/2), with
 e^(-eps/2)/2 = sqrt(alpha)/2; the ratio (1 + alpha)/(2 sqrt alpha) grows without bound. Noise with the steps of a staircase,
rounded to whole numbers, is the geometric mechanism: its mass on [k - 1/2, k + 1/2) is (1 - alpha)/(1 + alpha) alpha^|k|.
"""

from __future__ import annotations

import math

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Section61(Exhibit):
    """Laplace noise against the geometric mechanism."""

    exhibit = "grs/section-6.1"
    heading = message("Laplace noise is not best for everyone")
    place = message("Section 6.1")
    claim = message(
        "For a prior of 1/2 on each of the results 0 and 1, the geometric mechanism has expected loss α/(1+α) and the Laplace "
        "mechanism √α/2. Their ratio tends to ∞ as α → 0."
    )
    verdict = message("holds; the loss l_err is not defined")
    differs = message(
        "The paper does not define the loss l_err. For the binary loss l_bin, and for |i − r|, which is the same on "
        "two results, both printed values are right."
    )
    must = message(
        "Laplace noise misleads when it exceeds 1/2, which has probability √α/2. Geometric noise misleads when it is at "
        "least 1, which has probability α/(1+α)."
    )

    alpha: Number = how_private_alpha(
        "1/2", "1/10000", "99/100", scale="log", try_=(("1/2", message("1.0607")), ("1/100", message("5.05")))
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both losses; Laplace's from its tail beyond 1/2."""
        a, exactly = double(self.alpha), exact(self.alpha)
        epsilon = -math.log(a)
        laplace = float(Laplace(epsilon).tail(0.5))
        best = exactly / (1 + exactly)
        rounded = float(Staircase(epsilon, 0.5).cdf(0.5) - Staircase(epsilon, 0.5).cdf(-0.5))
        alphas = [10 ** (-4 + k * (4 + math.log10(0.99)) / 200) for k in range(201)]
        ratio = Plot(
            "ratio",
            message("Laplace noise relative to the geometric mechanism"),
            Axis("α", scale="log"),
            Axis(message("ratio of losses"), limits=(0, 12)),
            (
                curve(alphas, lambda x: (1 + x) / (2 * math.sqrt(x)), message("Laplace ÷ geometric")),
                curve(alphas, lambda x: 1, message("equal"), "aid"),
            ),
            handles=(self.handle("alpha"),),
        )
        findings = {
            "value": Finding(message("Laplace noise relative to the geometric mechanism"), laplace / float(best), digits=9),
            "laplace": Finding(message("error with Laplace noise"), laplace, rounding="up"),
            "geometric": Finding(message("error with the geometric mechanism"), best, state="proved"),
            "staircase": Finding(message("staircase (γ = ½), rounded: probability of 0"), rounded),
            "geometric-zero": Finding(message("geometric: probability of 0"), (1 - exactly) / (1 + exactly), state="proved"),
            "laplace-zero": Finding(message("rounded Laplace: probability of 0"), 1 - math.sqrt(a)),
        }
        printed: dict[str, Number] = {"geometric": exactly / (1 + exactly), "laplace": math.sqrt(a) / 2}
        sentence = message(
            "With Laplace noise the error is {times} times as likely as with the geometric mechanism.",
            times=text(laplace / float(best), rounding="down"),
        )
        return self.answer(findings, (self._losses(), ratio), sentence, printed=printed)

    def _losses(self) -> Plot:
        return Plot(
            "losses",
            message("Probability of error"),
            Axis("α", limits=(0, 1)),
            Axis(message("probability of error"), limits=(0, 0.55)),
            (
                curve([k / 200 for k in range(201)], lambda x: x / (1 + x), message("geometric")),
                curve([k / 200 for k in range(201)], lambda x: math.sqrt(x) / 2, message("Laplace, read at ½"), "rival"),
            ),
        )
