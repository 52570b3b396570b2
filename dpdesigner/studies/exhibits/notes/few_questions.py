"""[Notes] Section 1.5, the remedy: a sublinear number of questions, each answered with errors below sqrt(n).

The attack of Section 1.4 is run on t random questions whose answers have Laplace noise of scale s = c sqrt(n). The answers
together are (t/s)-private where a row is replaced: for t = o(sqrt n) questions that tends to 0 as n grows, for t = n it
is sqrt(n)/c.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.numbers.parsing import Number, double
from dpdesigner.core.reconstruction.attack import attacked
from dpdesigner.core.reconstruction.problem import noisy_answers
from dpdesigner.core.reconstruction.questions import Questions
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.drawing import curve, points
from dpdesigner.studies.exhibits.exhibit import Exhibit, parameter, study_seed
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Axis, Mark, Plot
from dpdesigner.studies.study import Progress, silent

_LARGEST = 8  # questions per person at the right end of the picture


class FewQuestions(Exhibit):
    """Few questions protect useful answers."""

    exhibit = "notes/few-questions"
    heading = message("Few questions protect useful answers")
    place = message("Section 1.5")
    claim = message(
        "If many questions are allowed, errors large enough to protect the data make a mechanism useless. Remedy: "
        "allow only a number of questions that is sublinear in the number of rows."
    )
    verdict = message("√n questions reveal little, 8n nearly all")
    must = message(
        "Errors of c√n are small compared with counts of about n/4. A few of these answers leave most rows "
        "undetermined; many determine nearly all. With Laplace noise of this scale, t answers together are "
        "t/(c√n)-private."
    )
    badge = (message("drawn from a seed"), "measured")
    slow = True

    n: int = parameter(whole_number(20, 200, symbol="n", try_=(100, 200)), 100, message("Number of people"))
    questions: int = parameter(
        whole_number(1, 1600, symbol="t", scale="log", try_=((10, message("√n")), (100, message("n")), (800, message("8n")))),
        10,
        message("Number of questions"),
    )
    size: Number = parameter(number("1/10", 2, symbol="c", try_=("1/10", "1/4")), "1/4", message("Scale of the noise, over √n"))
    seed: int = study_seed(message("Seed of people and questions"))

    def run(self, progress: Progress = silent) -> Answer:
        """Attack the first t answers, for this t and for others."""
        n, scale = self.n, double(self.size) * math.sqrt(self.n)
        sizes = sorted({max(1, round(math.sqrt(n))), n // 4, n // 2, n, 2 * n, 4 * n, _LARGEST * n, self.questions})
        secret = np.random.default_rng([self.seed, 7]).integers(0, 2, n).astype(np.int8)
        wrong = {}
        for k, many in enumerate(sizes):
            progress(k / len(sizes), message("{t} questions", t=many))
            wrong[many] = self._wrong(many, scale, secret, progress)
        mine = wrong[self.questions]
        guessing = min(secret.mean(), 1 - secret.mean())
        epsilon = self.questions / scale
        findings = {
            "value": Finding(message("rows that the attack gets wrong"), 100 * mine, "%", digits=4, state="measured"),
            "most": Finding(message("the same, from 8n questions"), 100 * wrong[_LARGEST * n], "%", digits=4, state="measured"),
            "guessing": Finding(
                message("wrong by guessing the majority value"), 100 * float(guessing), "%", digits=4, state="measured"
            ),
            "epsilon": Finding(message("privacy level of all answers together, t/(c√n)"), epsilon, digits=6, rounding="up"),
            "epsilon-most": Finding(message("the same, for 8n questions"), _LARGEST * n / scale, digits=6, rounding="up"),
            "error": Finding(message("expected error of each answer"), scale, digits=6, rounding="up"),
        }
        places = list(sizes)
        picture = Plot(
            "wrong",
            message("Rows that the attack gets wrong"),
            Axis(message("questions t"), scale="log"),
            Axis(message("share"), limits=(0, 0.6)),
            (
                points(places, [wrong[t] for t in places], message("attack")),
                curve((places[0], places[-1]), lambda t: guessing, message("majority value"), "bound"),
            ),
            marks=(Mark(n, wrong[n], message("t = n")),),
            handles=(self.handle("questions", most=float(_LARGEST * n)),),
        )
        sentence = message(
            "From {t} answers with an expected error of {error}, the attack gets {wrong} of the rows wrong. From "
            "{many} answers it gets {least} wrong.",
            t=self.questions,
            error=f"{scale:.3g}",
            wrong=f"{100 * mine:.3g}%",
            many=_LARGEST * n,
            least=f"{100 * wrong[_LARGEST * n]:.3g}%",
        )
        return self.answer(findings, (picture,), sentence)

    def _wrong(self, many: int, scale: float, secret: np.ndarray, progress: Progress) -> float:
        questions = Questions.drawn(self.n, many, self.seed)
        answers = noisy_answers("laplace", questions.sums(secret.astype(np.float64)), 1 / scale, self.seed)

        def steps(fraction: float | None, text: str = "") -> None:
            progress(None, text)

        return float(attacked(questions, answers, None, "least-squares", steps).wrong(secret))
