"""[GRS] Theorem 6.1: for the uniform prior and the loss 0 or 1 only G is best, so that every universal mechanism is G renamed.

The least loss is 1 - (2 + (n - 1)(1 - alpha))/((1 + alpha)(n + 1)); the optimal face is one point, by linear programs over it.
"""

from __future__ import annotations

from fractions import Fraction

from dpdesigner.core.numbers.parsing import Number, double, exact
from dpdesigner.core.numbers.rounding import small
from dpdesigner.core.program.adjacency_graphs import optimal_face
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, mechanism, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Theorem61(Exhibit):
    """Only one mechanism is best for everyone."""

    exhibit = "grs/theorem-6.1"
    heading = message("Only G is best for everyone")
    place = message("Theorem 6.1")
    claim = message(
        "Let x be α-private with range 0, …, n. If every user has a remap of x that is optimal among oblivious α-private "
        "mechanisms with that range, a permutation of the outputs turns x into the α-geometric mechanism."
    )
    verdict = message("G with range 0, …, n; α < 1")
    differs = message(
        "The conclusion should read p ∘ x = G, the geometric mechanism restricted to 0, …, n: x has n + 1 outputs, but "
        "the outputs of x^G are all integers. Also, α must be below 1: at α = 1 every mechanism that ignores the data "
        "is optimal."
    )
    slow = True

    n: int = parameter(whole_number(1, 6, symbol="n"), 3, message("Number of people"))
    alpha: Number = how_private_alpha("1/2", "1/10", 1, try_=(("1/2", message("no freedom")), (1, message("many"))))

    def run(self, progress: Progress = silent) -> Answer:
        """Find the least and the largest value of every entry over the optimal face."""
        n, alpha = self.n, exact(self.alpha)
        closed = 1 - (2 + (n - 1) * (1 - alpha)) / ((1 + alpha) * (n + 1))
        face = optimal_face(n, double(self.alpha), progress)
        wide = float((face.high - face.low).max())
        findings = {
            "value": Finding(message("range of an entry over all optimal mechanisms"), wide, digits=1, rounding="up"),
            "loss": Finding(message("least loss"), closed, rounding="up", state="proved"),
            "program": Finding(message("least loss by linear program"), face.value, digits=10),
            "outputs": Finding(message("outputs of the mechanism in the conclusion"), message("0, …, n")),
        }
        title = message("The only optimal mechanism") if wide < 1e-7 else message("A mixture of optimal mechanisms")
        picture = mechanism("middle", title, (face.low + face.high) / 2, double(self.alpha))
        printed: dict[str, Number] = {"outputs": message("all integers")}
        sentence = (
            message(
                "All optimal mechanisms for a uniform prior and binary loss agree, entry by entry, within {wide}.",
                wide=small(max(wide, 1e-16)),
            )
            if wide < 1e-7
            else message(
                "At α = {alpha} optimal mechanisms differ by up to {wide} in an entry.",
                alpha=self.alpha,
                wide=text(wide, 3, "up"),
            )
        )
        must = message(
            "The proof uses the user with a uniform prior and binary loss, for whom only G is optimal. Another optimal "
            "mechanism would differ from G in some entry; {many} linear programs look for one.",
            many=2 * (n + 1) ** 2,
        )
        return self.answer(findings, (picture, self._sizes(alpha)), sentence, printed=printed, must=must)

    def _sizes(self, alpha: Fraction) -> Plot:
        reach = range(1, 21)
        return Plot(
            "sizes",
            message("Least loss against n"),
            Axis(message("people n"), scale="whole"),
            Axis(message("probability of error"), limits=(0, 1)),
            (curve(reach, lambda m: 1 - (2 + (m - 1) * (1 - alpha)) / ((1 + alpha) * (m + 1)), message("least loss")),),
            handles=(self.handle("n"),),
        )
