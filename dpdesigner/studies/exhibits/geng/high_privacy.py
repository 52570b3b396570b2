"""[Geng]: as eps -> 0 Laplace noise is nearly optimal.

|x|: 1/eps - V ~ eps/24; x^2: 2/eps^2 - V = 1/12 - eps^2/720 - eps^4/18144 - ..., which falls in eps. With u = eps/2 the least
mean square is (cosh(u)^(2/3) + 1)/(4 sinh(u)^2), and the series follows.
"""

from __future__ import annotations

from dpdesigner.core.noise.staircase import least_absolute_cost, least_squared_cost
from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class HighPrivacy(Exhibit):
    """The advantage of the staircase where privacy is high."""

    exhibit = "geng/high-privacy"
    heading = message("Little gain at high privacy")
    place = message("Slides “Application: L(x) = |x|” and “Application: L(x) = x²”")
    claim = message(
        "As ε → 0, the additive gap between the expected cost of Laplace noise and of the staircase tends to 0 for |x|, and "
        "is at most cΔ² for x²."
    )
    verdict = message("gap Δε/24 → 0, and Δ²/12 for x²")
    must = message(
        "Δ/(2 sinh(ε/2)) = Δ/ε − Δε/24 + …, so the gap for |x| vanishes. For x² the gap falls from Δ²/12 as ε grows, so c = "
        "1/12 is enough. Numbers here are for Δ = 1."
    )

    epsilon: Number = how_private("1/10", up_to=20, slide=15, try_=(("1/10", message("0.0041653")), 1))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute the differences, near 0 by their series, since two large numbers would be subtracted."""
        e = double(self.epsilon)
        one, two = _saved(e), _saved_squares(e)
        places = geometric_places(0.05, 15)
        saved = Plot(
            "saved",
            message("Additive gap to Laplace noise"),
            Axis("ε", scale="log"),
            Axis(message("gap"), limits=(0, 0.1)),
            (
                curve(places, _saved_squares, message("x²: from 1/12 down")),
                curve(places, _saved, message("|x|: about ε/24"), "rival"),
            ),
            handles=(self.handle("epsilon"),),
        )
        findings = {
            "value": Finding(message("gap for |x|"), one, digits=8),
            "per-epsilon": Finding(message("gap for |x| over ε, tends to 1/24"), one / e, digits=8),
            "squares": Finding(message("gap for x², tends to 1/12"), two, digits=8),
            "ratio": Finding(
                message("Laplace noise relative to the optimum, |x|"), 1 / e / float(least_absolute_cost(e)), digits=10
            ),
            "ratio-2": Finding(
                message("Laplace noise relative to the optimum, x²"), 2 / e**2 / float(least_squared_cost(e)), digits=10
            ),
        }
        sentence = message(
            "At ε = {epsilon}, Laplace noise has an expected error of {all}. The staircase lowers it by {one}.",
            epsilon=self.epsilon,
            one=text(one, 3, "down"),
            all=f"{1 / e:.4g}",
        )
        return self.answer(findings, (saved, self._ratio()), sentence)

    def _ratio(self) -> Plot:
        return Plot(
            "ratio",
            message("Laplace noise relative to the optimum"),
            Axis("ε", limits=(0, 3)),
            Axis(message("ratio"), limits=(0.98, 1.5)),
            (
                curve([k / 50 + 0.01 for k in range(150)], lambda x: 1 / x / least_absolute_cost(x), message("|x|")),
                curve([k / 50 + 0.01 for k in range(150)], lambda x: 2 / x**2 / least_squared_cost(x), message("x²"), "rival"),
            ),
        )


def _saved(e: float) -> float:
    """1/eps - 1/(2 sinh(eps/2)), below 0.3 by its series (next term: 127 eps^7/154828800)."""
    if e < 0.3:
        return e / 24 - 7 * e**3 / 5760 + 31 * e**5 / 967680
    return 1 / e - float(least_absolute_cost(e))


def _saved_squares(e: float) -> float:
    """2/eps^2 - V, below 0.1 by its series."""
    if e < 0.1:
        return 1 / 12 - e**2 / 720 - e**4 / 18144
    return 2 / e**2 - float(least_squared_cost(e))
