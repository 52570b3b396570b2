"""[GRS] Proposition 6.2: averaging a mechanism over the databases with the same answer keeps it private and useful.

A database with f of its rows satisfying the predicate has f |D0| neighbours with the answer f - 1 and (n - f) |D1| with f +
1, D1 and D0 the values that do and do not satisfy it; each database with the answer f - 1 is met equally often, so that the
average is private.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dpdesigner.core.numbers.parsing import Number, exact
from dpdesigner.core.program.adjacency_graphs import best_mechanism, databases, edges
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import grouped_bars, mechanism
from dpdesigner.studies.exhibits.exhibit import Exhibit, how_private_alpha, parameter, study_seed
from dpdesigner.studies.fields import whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent
from dpdesigner.studies.table_panels import Table


class Proposition62(Exhibit):
    """Averaging over databases with the same count."""

    exhibit = "grs/proposition-6.2"
    heading = message("Averaging databases with equal counts")
    place = message("Proposition 6.2")
    claim = message(
        "For every user, some private mechanism that sees only the count minimises the worst expected loss over all "
        "priors on databases that agree with the user’s prior on counts. It is found by averaging over databases with "
        "the same count."
    )
    verdict = message("there are f such neighbours, not n − f")
    differs = message(
        "A database with a smaller count is made by changing one of the f(d₁) rows that satisfy the predicate; the "
        "proof says n − f(d₁) rows. The conclusion holds."
    )
    must = message(
        "All databases with count f − 1 have equally many neighbours with count f, and vice versa. So the averages "
        "over the two groups differ by a factor of at most 1/α."
    )

    people: int = parameter(whole_number(2, 4, symbol="n"), 3, message("Number of people"))
    values: int = parameter(
        whole_number(2, 3, symbol="|D|"), 2, message("Values a person can have"), message("one of them counts")
    )
    alpha: Number = how_private_alpha("1/2", "1/10", "9/10", ends=("", ""), try_=(("1/2", message("ε = ln 2")),))
    seed: int = study_seed(message("Which mechanism"))

    def check(self) -> None:
        """Refuse what would take too long."""
        if self.values == 3 and self.people > 3:
            raise InputError(f"n must be at most 3 if a person can have 3 values, got {self.people}.", "people", "3")

    def run(self, progress: Progress = silent) -> Answer:
        """Take a vertex that sees more than the count, for costs drawn from a seed, and average it."""
        n, alpha = self.people, exact(self.alpha)
        rows = databases(n, self.values)
        joined = edges(rows)
        drawn = np.random.default_rng(self.seed).integers(0, 20, (len(rows), n + 1))
        best = best_mechanism([[Fraction(int(c)) for c in row] for row in drawn], alpha, joined)
        counts = [sum(entry == 1 for entry in row) for row in rows]
        matrix = np.array([[float(x) for x in row] for row in best.matrix])
        averaged = np.array([matrix[[k for k, f in enumerate(counts) if f == i]].mean(axis=0) for i in range(n + 1)])
        over = max(float((float(alpha) * averaged[i] - averaged[j]).max()) for i in range(n) for i, j in ((i, i + 1), (i + 1, i)))
        loss = np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1)))
        worst = [max(float(matrix[k] @ loss[i]) for k, f in enumerate(counts) if f == i) for i in range(n + 1)]
        mine = [float(averaged[i] @ loss[i]) for i in range(n + 1)]
        more = max(a - b for a, b in zip(mine, worst, strict=True))
        f = counts.index(n - 1)
        below = sum(1 for d, e in joined if f in (d, e) and counts[d + e - f] == n - 2)
        above = sum(1 for d, e in joined if f in (d, e) and counts[d + e - f] == n)
        findings = {
            "value": Finding(message("privacy violation of the average, at most"), max(over, 0.0), digits=1, rounding="up"),
            "gain": Finding(message("excess loss over the worst database, at most"), max(0.0, more), digits=1, rounding="up"),
            "fewer": Finding(message("neighbours with one fewer, of f = n − 1"), below),
            "more": Finding(message("neighbours with one more, of f = n − 1"), above),
        }
        other = self.values - 1
        names = message("true count"), message("released")
        table = mechanism("averaged", message("The averaged mechanism"), averaged, alpha, axes=names)
        counted = (message("one fewer"), str(below), str((n - 1) * other)), (message("one more"), str(above), "1")
        sentence = message(
            "The average over {many} databases is private, and no count has a larger expected loss than its worst database.",
            many=len(rows),
        )
        panels = (self._loss(mine, worst), table, self._neighbours(counted))
        return self.answer(findings, panels, sentence, printed={"fewer": other})

    def _neighbours(self, rows: tuple[tuple[str, ...], ...]) -> Table:
        title = message("Neighbours of a database with count n − 1")
        return Table("neighbours", title, ("", message("counted"), message("f·|D₀|, (n−f)·|D₁|")), rows)

    def _loss(self, mine: list[float], worst: list[float]) -> Plot:
        return Plot(
            "loss",
            message("Expected error for each count"),
            Axis(message("true count"), scale="whole"),
            Axis(message("expected error")),
            grouped_bars((mine, message("averaged")), (worst, message("worst database"))),
        )
