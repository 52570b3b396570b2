"""[BLR] Definition 7.2, for any small mechanism on a count: the exact β of (ε, β)-distributional privacy.

S has i elements with the property and j without. Two databases of n rows are drawn from S without replacement, independently,
so that each count is hypergeometric: Pr[k] = C(i, k) C(j, n - k) / C(i + j, n). β is the probability that some output is more
than e^ε times as likely for the first count as for the second, for the S where that is largest.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, inf, log

import numpy as np

from dpdesigner.core.numbers.parsing import Number, exact, excerpt
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import mechanism, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import choice, declare, number, whole_number
from dpdesigner.studies.fields import text as text_input
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent

Rows = Sequence[Sequence[Fraction]]


class DistributionalCheck(Exhibit):
    """The exact β of a small mechanism, for the worst set S."""

    exhibit = "blr/distributional-check"
    heading = message("Distributional privacy of a mechanism")
    place = message("Definition 7.2")
    claim = message(
        "A mechanism is (ε, β)-distributionally private if, for every set S and two databases of n rows drawn from it "
        "without replacement, every output has probabilities within a factor of e^ε, except with probability β."
    )
    verdict = message("β computed exactly")
    asks = message(
        "The paper gives this definition without an example. Here the universe has 2n elements with a property and 2n "
        "without. The mechanism sees only the count of elements with the property, and every set S is tried."
    )
    must = message(
        "Two databases from the same S may differ in every row. So a differentially private mechanism may fail: its "
        "guarantee is for one row. Conversely, if a mechanism is not ε-private for two neighbours, it exceeds the "
        "ratio with probability at least 1/(n + 1)² for the S that contains the rows of both."
    )
    badge = (message("✓ every S tried in fractions"), "proved")

    shape: str = parameter(
        choice(
            ("geometric", message("geometric, between 0 and n")),
            ("typed", message("typed")),
        ),
        "geometric",
        message("Mechanism"),
        message("mechanism"),
    )
    alpha: Number = declare(
        number("1/1000", "999/1000", symbol="α", try_=("1/2", "4/5")),
        default="1/2",
        label=message("Privacy level for one row"),
        term=message("α = e^(−ε)"),
        when=lambda design: design.shape != "typed",
    )
    table: str = declare(
        text_input(),
        default="3/4 1/4; 1/2 1/2; 1/4 3/4",
        label=message("Rows for the counts 0 to n"),
        term=message("with semicolons between them"),
        when=lambda design: design.shape == "typed",
    )
    n: int = declare(
        whole_number(1, 10, symbol="n"),
        default=5,
        label=message("Rows in a database"),
        when=lambda design: design.shape != "typed",
    )
    ratio: Number = parameter(
        number(1, 10**6, scale="log", symbol="e^ε", slide=(1, 100), try_=(2, 4, 16)), 2, message("Allowed ratio e^ε")
    )

    def check(self) -> None:
        """Typed rows must be a mechanism."""
        self._rows()

    def run(self, progress: Progress = silent) -> Answer:
        """Try every S and both counts; β exactly at the allowed ratio, and for the picture at all others in double precision."""
        rows, allowed = self._rows(), exact(self.ratio)
        n = len(rows) - 1
        worst = [[_ratio(first, second) for second in rows] for first in rows]
        sets = [(i, j) for i in range(2 * n + 1) for j in range(2 * n + 1) if i + j >= n]  # of 2n elements of each sort
        best, largest = Fraction(-1), sets[0]
        for i, j in sets:
            chances = _hypergeometric(i, j, n)
            failing = sum(
                (chances[k] * chances[other] for k in range(n + 1) for other in range(n + 1) if worst[k][other] > allowed),
                Fraction(0),
            )
            if failing > best:
                best, largest = failing, (i, j)
        neighbours = max(
            (worst[k][other] for k in range(n + 1) for other in (k - 1, k + 1) if 0 <= other <= n), default=Fraction(1)
        )
        far = max(max(line) for line in worst)
        findings = {
            "value": Finding(message("β at the allowed ratio"), best, digits=6, rounding="up", state="proved"),
            "set": Finding(
                message("elements of the worst S with and without the property"),
                f"{largest[0]}, {largest[1]}" if best else message("none"),
            ),
            "neighbours": _level(message("ε for one row (differential privacy)"), neighbours),
            "all": _level(message("ε at which β is 0"), far),
            "least": Finding(message("1/(n + 1)²"), Fraction(1, (n + 1) ** 2), digits=6, state="proved"),
        }
        values = {"ratio": text(allowed), "beta": text(best, rounding="up")}
        sentence = (
            message("At e^ε = {ratio}, β is {beta}. For one row, the mechanism never exceeds this ratio.", **values)
            if neighbours <= allowed
            else message("At e^ε = {ratio}, β is {beta}. The mechanism exceeds this ratio even for one row.", **values)
        )
        top = mechanism("mechanism", message("The mechanism"), rows, float(1 / allowed), lambda i, r: text(rows[i][r]))
        return self.answer(findings, (top, self._failing(worst, sets, n, best)), sentence)

    def _rows(self) -> Rows:
        if self.shape == "typed":
            return _typed(self.table)
        alpha = exact(self.alpha)
        return [_truncated(i, self.n, alpha) for i in range(self.n + 1)]

    def _failing(self, worst: Sequence[Sequence[Fraction | float]], sets: list[tuple[int, int]], n: int, best: Fraction) -> Plot:
        ratios = np.array([[float(value) for value in line] for line in worst])
        chances = np.array([[float(chance) for chance in _hypergeometric(i, j, n)] for i, j in sets])
        steps = np.unique(ratios[np.isfinite(ratios)])
        failing = [np.einsum("sk,sl,kl->s", chances, chances, (ratios > step).astype(float)).max() for step in steps]
        end = max(float(steps[-1]), float(exact(self.ratio)), 2.0) * 1.5
        xs, ys = np.append(steps, end), np.append(failing, failing[-1])
        return Plot(
            "failing",
            message("Probability of exceeding the ratio"),
            Axis(message("allowed ratio e^ε"), scale="log"),
            Axis(message("β"), limits=(0, 1)),
            (Line(np.repeat(xs, 2)[1:], np.repeat(ys, 2)[:-1], message("worst S")),),
            (Mark(float(exact(self.ratio)), float(best)),),
            handles=(self.handle("ratio", most=end),),
        )


def _ratio(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction | float:
    """Return how many times as likely an output can be in the first row as in the second."""
    return max(inf if not below else above / below for above, below in zip(first, second, strict=True) if above)


def _level(label: str, ratio: Fraction | float) -> Finding:
    if ratio == inf:
        return Finding(label, None, note=message("none: some output is possible for one count only"))
    return Finding(label, log(ratio), digits=6, rounding="up")


def _hypergeometric(i: int, j: int, n: int) -> list[Fraction]:
    return [Fraction(comb(i, k) * comb(j, n - k), comb(i + j, n)) for k in range(n + 1)]


def _truncated(centre: int, most: int, alpha: Fraction) -> list[Fraction]:
    """Return the geometric mechanism's row: what falls outside 0..most is released as the end."""
    if not most:
        return [Fraction(1)]
    inner = [(1 - alpha) / (1 + alpha) * alpha ** abs(r - centre) for r in range(most + 1)]
    return [alpha**centre / (1 + alpha), *inner[1:-1], alpha ** (most - centre) / (1 + alpha)]


def _typed(table: str) -> Rows:
    lines = [line.split() for line in table.split(";")]
    rows: list[list[Fraction]] = []
    for place, line in enumerate(lines, 1):
        try:
            row = [exact(value) for value in line]
        except InputError:
            raise InputError(
                f"row {place} of the table must be numbers separated by spaces, got {excerpt(' '.join(line))}.", "table"
            ) from None
        if not row or min(row) < 0 or sum(row) != 1 or len(row) != len(lines[0]):
            raise InputError(
                f"row {place} of the table must be {len(lines[0])} probabilities with sum 1, got {excerpt(' '.join(line))}.",
                "table",
            )
        rows.append(row)
    if not 2 <= len(rows) <= 11:
        raise InputError(f"the table must have 2 to 11 rows, one for each count from 0 to n; got {len(rows)}.", "table")
    return rows
