"""[GRS] program (2)-(6) for one user: as printed, the index sets of (3) and (4) are swapped, and the last output is left free.

(3) x_ir - alpha x_(i+1)r >= 0 and (4) alpha x_ir - x_(i+1)r <= 0 must contain for all r in N and all i in N without n.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.dense.remap import solve_exactly
from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.program.adjacency_graphs import best_mechanism, least, path, private, row_sums
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import grouped_bars, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table


class UserLp(Exhibit):
    """One user's linear program, right and as printed."""

    exhibit = "grs/user-lp"
    heading = message("The linear program of one user")
    place = message("Section 5, program (2)–(6)")
    claim = message(
        "A user’s optimal mechanism minimises Σ p_i x_ir l(i,r) subject to (3), (4) for r ∈ N∖{n} and i ∈ N, (5) "
        "Σ_{r ∈ R} x_ir = 1, and (6) x_ir ≥ 0."
    )
    verdict = message("index sets swapped: one output unconstrained")
    differs = message(
        "The sets of i and r are swapped in (3) and (4). As printed, no constraint protects the last output, so the "
        "program can reveal the largest count, and i + 1 leaves the range. In (5), r should run over N."
    )
    must = message("The constraints link neighbouring counts i and i + 1 for every output r, so i is at most n − 1.")
    badge = (message("✓ proved optimal"), "proved")

    n: int = parameter(whole_number(1, 12, symbol="n"), 5, message("Number of people"))
    alpha: Number = how_private_alpha("1/2", "1/20", "19/20", ends=("", ""), try_=(("1/2", message("ε = ln 2")),))

    def run(self, progress: Progress = silent) -> Answer:
        """Solve the right program (uniform prior, loss 0 or 1) exactly, and the printed one, in which column n is free."""
        n, alpha = self.n, exact(self.alpha)
        prior = [Fraction(1, n + 1)] * (n + 1)
        loss = [[Fraction(i != r) for r in range(n + 1)] for i in range(n + 1)]
        exactly = solve_exactly(prior, loss, alpha)
        program = best_mechanism(
            [[p * x for x in row] for p, row in zip(prior, loss, strict=True)], alpha, [(i, i + 1) for i in range(n)]
        )
        # As printed: what the other outputs leave over is the last one's, so only their sums are bounded by 1.
        free = _free_column(n, alpha, prior)
        matrix = np.array(free[1])
        ratio = max((_ratio(*pair) for i in range(n) for pair in permutations(matrix[i : i + 2, n].tolist())), default=1.0)
        findings = {
            "value": Finding(message("least loss, corrected program"), exactly.value, rounding="up", state="proved"),
            "program": Finding(message("least loss by linear program"), program.value, rounding="up"),
            "variables": Finding(message("unknowns"), (n + 1) ** 2),
            "inequalities": Finding(message("privacy constraints"), 2 * n * (n + 1)),
            "sums": Finding(message("constraints that a row sums to 1"), n + 1),
            "ratio": Finding(message("privacy ratio of the last output, printed program"), ratio),
        }
        right = np.array([[float(x) for x in row] for row in program.matrix])
        table = Table(
            "last",
            message("The last output, row by row"),
            ("i", message("right"), message("as printed")),
            tuple((str(i), f"{right[i, n]:.4g}", f"{matrix[i, n]:.4g}") for i in range(n + 1)),
        )
        sentence = message(
            "The least expected loss is {right}. The printed program gives {free}, because it leaves one output unprotected.",
            right=text(exactly.value, rounding="up"),
            free=text(free[0], rounding="up"),
        )
        return self.answer(findings, (self._column(right, matrix, n), table), sentence, printed={"value": free[0]})

    def _column(self, right: Floats, matrix: Floats, n: int) -> Plot:
        return Plot(
            "column",
            message("Probability of the last output"),
            Axis(message("true result i"), scale="whole"),
            Axis(message("probability"), limits=(0, 1)),
            grouped_bars((right[:, n], message("right")), (matrix[:, n], message("as printed"))),
        )


def _ratio(one: float, other: float) -> float:
    return one / other if other > 1e-12 else math.inf if one > 1e-12 else 1.0


def _free_column(n: int, alpha: Fraction, prior: list[Fraction]) -> tuple[float, list[list[float]]]:
    """Return the least loss, and a mechanism, where column n is under no constraint but to be at least 0."""
    rows = n + 1
    constraints = private(path(rows), rows, float(alpha), np.eye(rows)[:n])
    cost = np.array([[float(prior[i]) * (i != r) for r in range(rows)] for i in range(rows)]).ravel()
    solution = least(cost, constraints, np.zeros(len(constraints)), row_sums(rows, rows), np.ones(rows))
    return solution.value, solution.x.reshape(rows, rows).tolist()
