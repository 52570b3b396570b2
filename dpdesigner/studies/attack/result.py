"""What an attack finds: a value for everybody, how many of them are right, and what privacy would have made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from dpdesigner.core.numbers.rounding import group_thousands, significant
from dpdesigner.core.reconstruction import counting
from dpdesigner.core.reconstruction.attack import Reconstruction
from dpdesigner.core.reconstruction.errors import geometric_epsilon, mean_error, tells_nothing
from dpdesigner.core.reconstruction.linear_programs import Ranges
from dpdesigner.core.reconstruction.problem import Problem
from dpdesigner.core.reconstruction.sweep import Curves
from dpdesigner.messages import message
from dpdesigner.studies.answer import Outcome
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.findings import Finding, State


@dataclass(frozen=True, eq=False, repr=False)
class AttackResult(Outcome):
    """What was found, and what it comes to in numbers; what was not computed is None."""

    design: AttackDesign
    problem: Problem  #: the secret, the questions and their answers
    reconstruction: Reconstruction  #: by the attacker of the design
    private: Reconstruction | None = None  #: the best fit to private answers to the same questions
    ranges: Ranges | None = None  #: what is certain of each person, of published answers
    curves: Curves | None = None  #: what was recovered in other runs

    def completed(self, **more: Any) -> Self:
        """Return it with more known."""
        return replace(self, **more)

    @property
    def values(self) -> NDArray[np.float64]:
        """The attacker's estimate of everybody's value, (n,), in [0, 1]."""
        return self.reconstruction.values

    @property
    def guess(self) -> NDArray[np.int8]:
        """The values rounded at 1/2, (n,); -1 where they say nothing."""
        return self.reconstruction.guess

    @property
    def unsure(self) -> NDArray[np.bool_]:
        """Whether each value lies between 1/3 and 2/3, (n,)."""
        return self.reconstruction.unsure

    @property
    def wrong(self) -> float | None:
        """The share of guesses that are wrong, those that say nothing counted half; None where nobody here knows the secret."""
        return None if self.problem.secret is None else self.reconstruction.wrong(self.problem.secret)

    @property
    def untold(self) -> float:
        """The chance, at most, that the mechanism that hides near half tells any truth of a random half of people."""
        return counting.tightness_failure(self.design.queries, self.design.bound, self.design.n)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings; the share of recovered people comes first."""
        return self._of_published() if self.design.answers else {**self._of_recovered(), **self._of_privacy()}

    def _of_recovered(self) -> dict[str, Finding]:
        design, posed = self.design, self.problem
        tally = self.reconstruction.tally(posed.secret)  # type: ignore[arg-type]  # known, as nothing was published
        (value, many), n = posed.commonest, design.n
        far = message("the share ζ of people with an error of 1/3 or more: {share}", share=significant(1 - tally.right / n))
        known: dict[str, Any] = {"state": "measured", "measure": n}
        truthful = Finding(message("answers equal to the true count"), posed.truthful, note=message("the others answer half"))
        return {
            **self._of_guesses(),
            "people": Finding(message("people guessed right"), tally.guessed, digits=6, **known),
            "right": Finding(message("right and certain"), tally.right, **known),
            "unsure": Finding(message("uncertain, between 1/3 and 2/3"), tally.unsure, **known),
            "wrong-sure": Finding(message("wrong and certain"), tally.wrong, **known),
            "far": Finding(message("error of 1/3 or more"), n - tally.right, note=far, **known),
            "unasked": Finding(message("right by guessing {value} for everyone", value=value), many, measure=n),
            "error": Finding(message("mean error of an answer"), posed.off, message("people"), 3, state="measured"),
            "furthest": self._furthest,
            "theorem": Finding(
                message("questions required by the theorem"), counting.theorem_questions(n), note=message("n ln² n, rounded up")
            ),
            **self._enough,
            **({"truthful": truthful} if design.error == "tightness" else {}),
            "seed": Finding(message("seed"), design.seed),
        }

    def _of_guesses(self) -> dict[str, Finding]:
        known: dict[str, Any] = {"state": "measured", "measure": self.problem.n, "share": True}
        wrong = self.wrong or 0.0
        return {
            "recovered": Finding(message("recovered"), 1 - wrong, digits=4, **known),
            "wrong": Finding(message("wrong"), wrong, digits=3, **known),
        }

    @property
    def _furthest(self) -> Finding:
        furthest = self.problem.beyond(self.reconstruction.furthest)
        return Finding(message("largest error of an answer"), furthest, digits=4, rounding="up", state="measured")

    @property
    def _enough(self) -> dict[str, Finding]:
        """The number of questions that does, beside that of the theorem, where runs were made with several."""
        if self.curves is None or self.design.noisy:
            return {}
        enough, short = self.curves.enough(self.design.n)
        note = (
            message("in every run; {t} do not", t=group_thousands(short))
            if enough
            else message("not even {t} do", t=group_thousands(short))
        )
        return {"enough": Finding(message("questions that recover 95%"), enough, state="measured", note=note)}

    def _of_privacy(self) -> dict[str, Finding]:
        design, posed = self.design, self.problem
        each = design.epsilon_in_all / design.queries
        most = posed.questions.most()[1]
        own, reason, state = self.own_epsilon
        limit = counting.most_right(posed.ones, design.epsilon_in_all)
        told = {
            "epsilon": Finding(message("ε"), most * own, digits=4, rounding="up", state=state, note=reason),
            "epsilon-each": Finding(message("ε of an answer"), own, digits=4, rounding="up", state=state),
            "epsilon-composed": Finding(
                message("total ε of all answers, composed"), design.queries * own, rounding="up", state=state
            ),
            "limit": Finding(
                message("limit for any attack on the private answers (people independent)"),
                limit, digits=3, rounding="up", state="proved", share=True,
                note=message("on average, for anyone who knows only the share of ones, at ε = {epsilon}", epsilon=design.epsilon),
            ),
        }  # fmt: skip
        if design.noisy:
            return told
        same = geometric_epsilon(posed.off)
        told["same-error"] = Finding(
            message("total ε of geometric noise with the same error"), design.queries * same, digits=3, rounding="up"
        )
        told["private-epsilon"] = Finding(
            message("total ε of the private answers"), design.epsilon_in_all, rounding="up", state="proved"
        )
        off = mean_error("geometric", 0, each)
        told["private-error"] = Finding(message("mean error of a private answer"), off, digits=4, unit=message("people"))
        if self.private is not None and posed.secret is not None:
            tally = self.private.tally(posed.secret)
            told["private-people"] = Finding(
                message("people guessed right from private answers"), tally.guessed, digits=6, state="measured"
            )
            told["private-recovered"] = Finding(
                message("recovered, privately"), 1 - self.private.wrong(posed.secret), digits=4, state="measured", share=True
            )
        return told

    @property
    def own_epsilon(self) -> tuple[float, str, State]:
        """The epsilon of each of the answers attacked, why, and how that is known."""
        design = self.design
        if design.noisy:
            reason = message(
                "for the largest number of answers that count the same person; the noise is drawn from a seed, for study only"
            )
            return design.epsilon_in_all / design.queries, reason, "given"
        if tells_nothing(design.error, design.bound, self.problem.questions.most()[0]):
            return 0.0, message("at this error the answers do not depend on the secret"), "proved"
        return math.inf, message("errors within a bound hide nothing"), "proved"

    def _of_published(self) -> dict[str, Finding]:
        posed, ranges = self.problem, self.ranges
        known = None if ranges is None else int((ranges.certain >= 0).sum())
        pending: State = "pending" if ranges is None else "proved"
        told = {
            "certain": Finding(message("people whose value is certain"), known, state=pending),
            "n": Finding(message("people"), posed.n),
            "t": Finding(message("published answers"), posed.questions.t),
            "sure": Finding(message("people for whom the inner point is certain"), int((~self.unsure).sum()), state="measured"),
            "furthest": self._furthest,
            "epsilon": Finding(message("ε"), math.inf, state="proved", note=message("errors within a bound hide nothing")),
        }
        return told if posed.secret is None else {**told, **self._of_guesses()}
