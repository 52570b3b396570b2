"""[BLR] Theorem 7.3: distributional privacy implies differential privacy, by drawing two neighbours from n + 1 rows.

Both databases are drawn without replacement from the n + 1 different rows of two neighbours: each leaves one row out, so that
a given pair has probability 1/(n+1)^2, and 2/(n+1)^2 in either order; the paper prints 2/n^2. With replacement it would be
2 (n!/(n+1)^n)^2; the paper says itself, at the end of section 7, that drawing without replacement matters.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table


class Distributional(Exhibit):
    """Two neighbours by chance."""

    exhibit = "blr/distributional"
    heading = message("Two neighbours by chance")
    place = message("Theorem 7.3")
    claim = message(
        "Suppose that, for every set S, two databases of n rows drawn from S without replacement satisfy the privacy "
        "inequality except with probability β = o(1/n²). Then the mechanism is ε-private, because two given neighbours "
        "are drawn with probability 2/n²."
    )
    verdict = message("2/(n + 1)², not 2/n²")
    differs = message(
        "Each draw leaves out one of n + 1 rows, so two given neighbours are drawn with probability exactly 2/(n + "
        "1)². This has the same order, so the theorem holds."
    )
    must = message(
        "Drawing n of n + 1 different rows means leaving one out. If the probability that the inequality fails is "
        "below 1/(n + 1)², it holds for these two. The paper notes that drawing without replacement matters: with "
        "replacement the probability would be 2(n!/(n + 1)^n)², and a mechanism that tells some neighbours apart could "
        "pass."
    )
    badge = (message("✓ proved in fractions"), "proved")

    n: int = parameter(whole_number(1, 1000, symbol="n", slide=(1, 30), try_=(2, 5, 100)), 5, message("Number of rows"))

    def run(self, progress: Progress = silent) -> Answer:
        """Compute both probabilities; for few rows enumerate all draws as well."""
        n = self.n
        right = Fraction(2, (n + 1) ** 2)
        again = 2 * Fraction(math.factorial(n), (n + 1) ** n) ** 2 if n <= 150 else Fraction(0)
        log_again = math.log10(2) + 2 * (math.lgamma(n + 1) - n * math.log(n + 1)) / math.log(10)
        counted = _counted(min(n, 4))
        rows = tuple((str(m), str(_counted(m)[0]), str(Fraction(2, (m + 1) ** 2)), str(_counted(m)[1])) for m in range(1, 5))
        table = Table("counted", message("Enumerated"), ("n", message("without"), "2/(n+1)²", message("with")), rows)
        findings = {
            "value": Finding(message("probability of the two neighbours"), right, state="proved"),
            "ordered": Finding(message("in a given order"), right / 2, state="proved"),
            "counted": Finding(message("enumerated, for n = {n}", n=min(n, 4)), counted[0], state="proved"),
            "with": Finding(message("with replacement, power of ten"), log_again, digits=5),
            "with-exact": Finding(
                message("with replacement"), again if n <= 150 else None, note="" if n <= 150 else message("below 1e-100")
            ),
        }
        sentence = message(
            "The two neighbours are drawn with probability {right}; with replacement it would be 10^{log}.",
            right=text(right),
            log=f"{log_again:.3g}",
        )
        return self.answer(findings, (self._chance(), table), sentence, printed={"value": Fraction(2, n**2)})

    def _chance(self) -> Plot:
        at = range(1, 31)
        return Plot(
            "chance",
            message("Probability of drawing the two neighbours"),
            Axis(message("rows n"), scale="whole"),
            Axis(message("probability"), scale="log"),
            (
                curve(at, lambda m: 2 / (m + 1) ** 2, message("without replacement")),
                curve(at, lambda m: 2 / m**2, message("printed 2/n²"), "rival"),
                curve(
                    at,
                    lambda m: 2 * math.exp(2 * (math.lgamma(m + 1) - m * math.log(m + 1))),
                    message("with replacement"),
                    "other",
                ),
            ),
            handles=(self.handle("n", most=30),),
        )


def _counted(n: int) -> tuple[Fraction, Fraction]:
    """Return both chances by going through all draws of n from n + 1 rows; neighbours lack row 0 and row 1."""
    first, second = frozenset(range(1, n + 1)), frozenset({0, *range(2, n + 1)})
    draws = [frozenset(range(n + 1)) - {gone} for gone in range(n + 1)]
    hits = sum({one, other} == {first, second} for one, other in product(draws, draws))
    sequences = [tuple(sorted(draw)) for draw in product(range(n + 1), repeat=n)]
    ones, others = sequences.count(tuple(sorted(first))), sequences.count(tuple(sorted(second)))
    return Fraction(hits, len(draws) ** 2), Fraction(2 * ones * others, len(sequences) ** 2)
