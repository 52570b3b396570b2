"""[Notes] Section 1.5, how large errors must be: the mechanism that says |Q|/2 wherever that is within E of the truth.

It answers within E. At E = sqrt(n)/2 the attack still succeeds; at E = sqrt(n) log(n)^1.1 no true count is released and the
attack guesses: Pr[any of t random questions deviates] <= 2 t exp(-2 E^2/n), for a random database.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.reconstruction.attack import attacked
from dpdesigner.core.reconstruction.counting import tightness_failure
from dpdesigner.core.reconstruction.problem import bounded_answers
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter, study_seed
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Plot
from dpdesigner.studies.study import Progress, silent


class Tightness(Exhibit):
    """The size of errors that protect the data."""

    exhibit = "notes/tightness"
    heading = message("How large must errors be?")
    place = message("Section 1.5")
    claim = message(
        "Return |Q|/2 if it is within E of the true count, and otherwise the true count. For a uniformly random "
        "database and E = √n (log n)^(1+η), η > 0, answers to polynomially many queries reveal almost nothing."
    )
    verdict = message("half the rows wrong at E = √n log¹·¹n")
    slow = True
    must = message(
        "In a random database, the count of a question is usually within a few √n of |Q|/2. So the answer |Q|/2 is "
        "allowed, and it reveals nothing. The notes call this mechanism useless. Here η = 1/10, and people and "
        "questions are drawn from a seed."
    )
    badge = (message("drawn from a seed"), "measured")

    n: int = parameter(whole_number(20, 200, symbol="n", try_=(100,)), 100, message("Number of people"))
    size: Number = parameter(
        number(
            "1/4",
            12,
            symbol="c",
            slide=("1/4", 6),
            try_=(
                ("1/2", message("still recovered")),
                (1, message("about a third wrong")),
                ("5.366", message("√n log(n)^1.1 at n = 100")),
            ),
        ),
        "1",
        message("Error bound, over √n"),
        message("E = c√n"),
    )
    times: int = parameter(whole_number(1, 8, symbol="t/n", try_=(4, 8)), 8, message("Questions per person"))
    seed: int = study_seed(message("Seed of people and questions"))

    def run(self, progress: Progress = silent) -> Answer:
        """Answer random questions about random people, and attack, at this error and at four others."""
        sizes = [0.5, 1.0, 2.0, 4.0]
        measured = {}
        mine = double(self.size)
        for k, c in enumerate(sorted({*sizes, mine})):
            progress(k / (len(sizes) + 1), message("errors of {c} √n", c=c))
            measured[c] = self._attacked(c, progress)
        wrong, truthful = measured[mine]
        t = self.times * self.n
        log = math.log(self.n) ** 1.1
        findings = {
            "value": Finding(message("rows that the attack gets wrong"), 100 * wrong, "%", digits=3, state="measured"),
            "truthful": Finding(message("answers equal to the true count"), 100 * truthful, "%", digits=3, state="measured"),
            "failure": Finding(
                message("probability that any answer is the true count, at most"),
                tightness_failure(t, mine * math.sqrt(self.n), self.n),
                digits=3,
                rounding="up",
            ),
            "log": Finding(message("log(n)^1.1"), log, digits=4),
            "failure-log": Finding(
                message("that probability at E = √n log(n)^1.1, at most"),
                tightness_failure(t, log * math.sqrt(self.n), self.n),
                digits=3,
                rounding="up",
            ),
        }
        sentence = message(
            "With errors up to {c} √n, the attack gets {wrong} of the rows wrong. {true} of the answers equal the true count.",
            c=self.size,
            wrong=f"{100 * wrong:.3g}%",
            true=f"{100 * truthful:.3g}%",
        )
        return self.answer(findings, (self._wrong(measured),), sentence)

    def _wrong(self, measured: dict[float, tuple[float, float]]) -> Plot:
        return Plot(
            "wrong",
            message("Rows that the attack gets wrong"),
            Axis(message("error over √n")),
            Axis(message("share"), limits=(0, 1)),
            (
                points(sorted(measured), [measured[c][0] for c in sorted(measured)], message("rows wrong")),
                points(sorted(measured), [measured[c][1] for c in sorted(measured)], message("true answers"), "rival"),
                curve((0.25, 6), lambda x: 0.5, message("guessing"), "bound"),
            ),
            handles=(self.handle("size"),),
        )

    def _attacked(self, c: float, progress: Progress) -> tuple[float, float]:
        questions = Questions.drawn(self.n, self.times * self.n, self.seed)
        secret = np.random.default_rng([self.seed, 7]).integers(0, 2, self.n).astype(np.int8)
        truth, sizes = questions.sums(secret.astype(np.float64)), questions.sums(np.ones(self.n))
        bound = c * math.sqrt(self.n)
        answers = bounded_answers("tightness", truth, sizes, bound, self.n, self.seed)

        def told(fraction: float | None, text: str = "") -> None:
            progress(None, text)

        attack = attacked(questions, answers, bound, "interior", told)
        return attack.wrong(secret), float((np.abs(truth - sizes / 2) >= bound).mean())
