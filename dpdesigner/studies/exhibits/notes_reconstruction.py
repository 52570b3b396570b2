"""[Notes] Sections 1.4 and 1.5: reconstruction by linear programming, few questions, and the necessary size of errors.

[Notes] Section 1.5, the remedy: a sublinear number of questions, each answered with errors below sqrt(n).

The attack of Section 1.4 is run on t random questions whose answers have Laplace noise of scale s = c sqrt(n). The answers
together are (t/s)-private where a row is replaced: for t = o(sqrt n) questions that tends to 0 as n grows, for t = n it
is sqrt(n)/c.

[Notes] Section 1.5, how large errors must be: the mechanism that says |Q|/2 wherever that is within E of the truth.

It answers within E. At E = sqrt(n)/2 the attack still succeeds; at E = sqrt(n) log(n)^1.1 no true count is released and the
attack guesses: Pr[any of t random questions deviates] <= 2 t exp(-2 E^2/n), for a random database.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.basics.parsing import Number, double
from dpdesigner.core.reconstruction.attack import attacked
from dpdesigner.core.reconstruction.counting import Questions, least_delta, questions_needed, theorem_questions, tightness_failure
from dpdesigner.core.reconstruction.problem import bounded_answers, noisy_answers
from dpdesigner.messages import message
from dpdesigner.studies.base import Answer
from dpdesigner.studies.exhibits.exhibit import Exhibit, curve, geometric_places, parameter, points, study_seed, text
from dpdesigner.studies.fields import number, whole_number
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.plot_parts import Axis, Mark
from dpdesigner.studies.study import Progress, silent

_OFF = 0.5  # a value that rounds wrongly has an error of at least a half


class AllRows(Exhibit):
    """Reconstruction of nearly all rows, but not all."""

    exhibit = "notes/all-rows"
    heading = message("Nearly all rows, not all")
    place = message("Section 1.4")
    claim = message(
        "Ask for the counts of many random groups. If all errors are far below the square root of the number of people, a "
        "linear program recovers most rows from the answers, and all rows as the data grow."
    )
    symbols = message(
        "If O(n log² n) random subset counts are answered with error E = o(√n), rounding a solution of the linear program "
        "recovers most rows, and all rows as n → ∞."
    )
    verdict = message("one wrong row can stay hidden")
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
        """Compute the probability that a question rules out a column with this many errors."""
        n, bound = self.n, double(self.size) * math.sqrt(self.n)
        wrong = max(1, math.ceil(double(self.share) * n))
        delta = least_delta(wrong, _OFF, bound)
        needed = questions_needed(n, delta)
        one = 0.5 if 2 * bound < _OFF else 0.0  # an error of a half in one queried value, against two errors of E
        spots = sorted({max(1, round(x * n)) for x in geometric_places(1 / n, 1, 60)})
        plot = Plot(
            "delta",
            message("Probability of ruling out a column"),
            Axis(message("share of wrong rows"), scale="log"),
            Axis(message("probability"), limits=(0, 1)),
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


_LARGEST = 8  # questions per person at the right end of the picture


class FewQuestions(Exhibit):
    """Protection of useful answers by asking few questions."""

    exhibit = "notes/few-questions"
    heading = message("Few questions, useful answers")
    place = message("Section 1.5")
    claim = message(
        "If many questions are allowed, errors large enough to protect the data make a mechanism useless. Remedy: allow only a "
        "number of questions that grows more slowly than the number of rows."
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
        """Attack the first t answers, for this t and several others."""
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


class Tightness(Exhibit):
    """The size of errors that protects the data."""

    exhibit = "notes/tightness"
    heading = message("How large must errors be?")
    place = message("Section 1.5")
    claim = message(
        "Answer each question with half the number of people asked about if that is nearly the true count, otherwise with the "
        "true count. If errors may be somewhat above √n for n people, even very many answers reveal almost nothing."
    )
    symbols = message(
        "Return |Q|/2 if it is within E of the true count, and otherwise the true count. For a uniformly random database and E "
        "= √n (log n)^(1+η), η > 0, answers to polynomially many queries reveal almost nothing."
    )
    verdict = message("√n log¹·¹n hides half the rows")
    slow = True
    must = message(
        "In a random database, the true count is usually near half the number of people asked about. So this half is an "
        "allowed answer, and it reveals nothing. The notes call this mechanism useless. Here η = 1/10, and people and "
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
        """Answer random questions about random people, and attack them at this error and at four others."""
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
            "With errors up to {c} times √n, the attack gets {wrong} of the rows wrong. {true} of the answers equal the true "
            "count.",
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
