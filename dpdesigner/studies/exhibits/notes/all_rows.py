"""[Notes] Section 1.4, reconstruction by linear programming: all but any fixed share of the rows are found as n grows.

A column that is wrong about so many people is ruled out by a random question with chance delta; (n + 1)^n (1 - delta)^t < 1
leaves no such column. One that is wrong about a single row differs by at most 1 in any answer, and fits all of them where
errors leave room.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.reconstruction.counting import least_delta, questions_needed, theorem_questions
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, geometric_places, points, text
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent

_OFF = 0.5  # what rounds to the wrong value is off by at least a half


class AllRows(Exhibit):
    """Not all rows, but nearly all."""

    exhibit = "notes/all-rows"
    heading = message("Nearly all rows, not all")
    place = message("Section 1.4")
    claim = message(
        "If O(n log² n) random subset counts are answered with error E = o(√n), rounding a solution of the linear program "
        "recovers most rows, and all rows as n → ∞."
    )
    verdict = message("all but any fixed share")
    differs = message(
        "“All” should read “all but any fixed share of the rows”. A column that is wrong in one row changes every "
        "count by at most 1, so errors of that size can never rule it out. The rounding phase should round c_i, not "
        "x_i. In the lemma, one δ must work for all columns: Pr ≥ δ, not = δ."
    )
    must = message(
        "For a random question, the counts of a wrong column and of the true one differ by about the square root of "
        "the number of wrong rows. The question rules the column out only if this difference exceeds the errors."
    )

    n: int = parameter(
        whole_number(20, 100000, symbol="n", slide=(20, 5000), try_=(100, 5000)), 1000, message("Number of people")
    )
    size: Number = parameter(
        number("1/20", 1, symbol="c", try_=("1/8", "1/4")), "1/8", message("Error bound, over √n"), message("E = c√n")
    )
    share: Number = parameter(
        number("1/1000", 1, scale="log", symbol=message("share"), try_=("1/4", "1/100")),
        "1/4",
        message("Wrong rows in a column"),
        message("share of the rows"),
    )

    def run(self, progress: Progress = silent) -> Answer:
        """Compute with what chance a question rules out a column that is wrong about so many."""
        n, bound = self.n, double(self.size) * math.sqrt(self.n)
        wrong = max(1, math.ceil(double(self.share) * n))
        delta = least_delta(wrong, _OFF, bound)
        needed = questions_needed(n, delta)
        one = 0.5 if 2 * bound < _OFF else 0.0  # off by a half where it is asked about, beside two errors of E
        spots = sorted({max(1, round(x * n)) for x in geometric_places(1 / n, 1, 60)})
        plot = Plot(
            "delta",
            message("Probability that a question rules a column out"),
            Axis(message("share of wrong rows"), scale="log"),
            Axis(message("probability δ"), limits=(0, 1)),
            (points([k / n for k in spots], [least_delta(k, _OFF, bound) for k in spots], message("at least")),),
            handles=(self.handle("share", most=1.0),),
        )
        sizes = [round(x) for x in geometric_places(50, 20000, 24)]
        counted = [
            questions_needed(m, least_delta(max(1, math.ceil(double(self.share) * m)), _OFF, double(self.size) * math.sqrt(m)))
            for m in sizes
        ]
        findings = {
            "value": Finding(
                message("probability that a question rules the column out, at least"), delta, digits=4, rounding="down"
            ),
            "needed": Finding(
                message("questions sufficient to rule out all such columns"),
                needed,
                note="" if needed else message("no number suffices"),
            ),
            "theorem": Finding(message("n log² n"), theorem_questions(n)),
            "one": Finding(message("probability of ruling out one wrong row"), one, digits=3),
            "rows": Finding(message("rows recovered as n → ∞"), message("all but any fixed share")),
        }
        sentence = message(
            "If {wrong} of {n} rows of a column are wrong, a random question rules it out with probability at least "
            "{delta}. If one row is wrong, the probability is {one}.",
            one=f"{one:g}",
            wrong=wrong,
            n=n,
            delta=text(delta, 3, "down"),
        )
        return self.answer(findings, (self._questions(sizes, counted), plot), sentence, printed={"rows": message("all rows")})

    def _questions(self, sizes: list[int], counted: list[int | None]) -> Plot:
        return Plot(
            "questions",
            message("Sufficient number of questions"),
            Axis(message("people n"), scale="log"),
            Axis(message("questions"), scale="log"),
            (
                points(sizes, [np.nan if t is None else t for t in counted], message("counting argument")),
                curve(sizes, theorem_questions, message("n log² n"), "rival"),
            ),
        )
