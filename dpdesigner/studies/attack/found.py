"""What an attack finds: a value for everybody, how many of them are right, and what privacy would have made of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from dpdesigner.core.reconstruction import counting
from dpdesigner.core.reconstruction.attack import Reconstruction
from dpdesigner.core.reconstruction.errors import geometric_epsilon, mean_error
from dpdesigner.core.reconstruction.inner_point import MARGIN
from dpdesigner.core.reconstruction.posing import Posed
from dpdesigner.core.reconstruction.programs import Ranges
from dpdesigner.core.reconstruction.runs import Curves
from dpdesigner.studies.attack.design import AttackDesign
from dpdesigner.studies.findings import Finding, State
from dpdesigner.studies.said import said
from dpdesigner.studies.told import Told


@dataclass(frozen=True, eq=False, repr=False)
class AttackFound(Told):
    """What was found, and what it comes to in numbers.

    Attributes
    ----------
    design : AttackDesign
    posed : Posed
        The secret, the questions and their answers.
    found : Reconstruction
        By the attacker of the design.
    private : Reconstruction or None
        The best fit to private answers to the same questions, where that was computed.
    ranges : Ranges or None
        What is certain of each person, of published answers.
    curves : Curves or None
        What was recovered in other runs.
    """

    design: AttackDesign
    posed: Posed
    found: Reconstruction
    private: Reconstruction | None = None
    ranges: Ranges | None = None
    curves: Curves | None = None

    def completed(self, **more: Any) -> Self:
        """Return it with more known."""
        return replace(self, **more)

    @property
    def values(self) -> NDArray[np.float64]:
        """What the attacker takes everybody's value to be, (n,), in [0, 1]."""
        return self.found.values

    @property
    def guess(self) -> NDArray[np.int8]:
        """The values rounded at 1/2, (n,); -1 where they say nothing."""
        return self.found.guess

    @property
    def unsure(self) -> NDArray[np.bool_]:
        """Whether each value lies between 1/3 and 2/3, (n,)."""
        return self.found.unsure

    @property
    def wrong(self) -> float | None:
        """The share of guesses that are wrong, those that say nothing counted half; None where nobody here knows the secret."""
        return None if self.posed.secret is None else self.found.wrong(self.posed.secret)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """What is told of it, what is recovered first."""
        return self._of_published() if self.design.answers else {**self._of_recovered(), **self._of_privacy()}

    def _of_recovered(self) -> dict[str, Finding]:
        design, posed = self.design, self.posed
        tally = self.found.tally(posed.secret)  # type: ignore[arg-type]  # known, as nothing was published
        (value, many), wrong, measure = posed.commonest, self.wrong or 0.0, design.n
        needed = counting.theorem_questions(design.n)
        return {
            "recovered": Finding(said("recovered"), 1 - wrong, digits=4, state="measured", measure=measure, share=True),
            "wrong": Finding(said("wrong"), wrong, digits=3, state="measured", measure=measure, share=True),
            "people": Finding(said("people guessed right"), tally.guessed, digits=6, state="measured", measure=measure),
            "right": Finding(said("right and sure"), tally.right, state="measured", measure=measure),
            "unsure": Finding(said("unsure, between 1/3 and 2/3"), tally.unsure, state="measured", measure=measure),
            "wrong-sure": Finding(said("wrong and sure"), tally.wrong, state="measured", measure=measure),
            "unasked": Finding(
                said("right without asking"), many, measure=measure, note=said("everyone called {value}", value=value)
            ),
            "error": Finding(said("an answer is off by, on average"), self._off, digits=3, state="measured", unit=said("people")),
            "furthest": Finding(said("furthest from an answer"), self._furthest, digits=4, rounding="up", state="measured"),
            "theorem": Finding(said("questions the theorem asks for"), needed, note=said("n ln² n, rounded up")),
            "seed": Finding(said("seed"), design.seed),
        }

    @property
    def _furthest(self) -> float:
        """How far the point is from an answer, without what answers are widened by."""
        furthest, bound = self.found.furthest, self.posed.bound
        most = math.inf if bound is None else float(np.max(bound))
        return most if most < furthest <= most + 2 * MARGIN else furthest

    @property
    def _off(self) -> float:
        """How far off the answers are on average."""
        truth = self.posed.truth
        return 0.0 if truth is None else float(np.abs(self.posed.answers - truth).mean())

    def _of_privacy(self) -> dict[str, Finding]:
        design, posed = self.design, self.posed
        each = design.epsilon_in_all / design.queries
        most = int(posed.questions.asked_of.max())
        own, reason, state = self.own_epsilon
        limit = counting.most_right(posed.ones, design.epsilon_in_all)
        told = {
            "epsilon": Finding(said("ε"), most * own, digits=4, rounding="up", state=state, note=reason),
            "epsilon-each": Finding(said("ε of an answer"), own, digits=4, rounding="up", state=state),
            "epsilon-composed": Finding(
                said("ε composed over all answers"), design.queries * own, rounding="up", state=state
            ),
            "limit": Finding(
                said("no attack gets further, on average"), limit, digits=3, rounding="up", state="proved", share=True,
                note=said("by someone who knows only the share of ones, at ε = {epsilon}", epsilon=design.epsilon),
            ),
        }  # fmt: skip
        if design.noisy:
            return told
        same = geometric_epsilon(self._off)
        told["same-error"] = Finding(
            said("ε in all of geometric noise that is as far off"), design.queries * same, digits=3, rounding="up"
        )
        told["private-epsilon"] = Finding(said("ε in all of the private answers"), design.epsilon_in_all, state="proved")
        off = mean_error("geometric", 0, each)
        told["private-error"] = Finding(said("a private answer is off by, on average"), off, digits=4, unit=said("people"))
        if self.private is not None and posed.secret is not None:
            tally = self.private.tally(posed.secret)
            told["private-people"] = Finding(said("people guessed right, privately"), tally.guessed, digits=6, state="measured")
            told["private-recovered"] = Finding(
                said("recovered, privately"), 1 - self.private.wrong(posed.secret), digits=4, state="measured", share=True
            )
        return told

    @property
    def own_epsilon(self) -> tuple[float, str, State]:
        """The epsilon of each of the answers attacked, why, and how that is known."""
        design = self.design
        if design.noisy:
            reason = said("of the most answers that count the same person; the noise here is drawn from a seed, for study only")
            return design.epsilon_in_all / design.queries, reason, "given"
        largest = float(self.posed.questions.sums(np.ones(self.posed.n)).max())
        silent = {"tightness": design.bound > largest / 2, "rounded": design.bound >= largest}.get(design.error, False)
        if silent:
            return 0.0, said("at this error the answers are the same whatever the secret is"), "proved"
        return math.inf, said("errors within a bound hide nothing"), "proved"

    def _of_published(self) -> dict[str, Finding]:
        posed, ranges = self.posed, self.ranges
        known = None if ranges is None else int((ranges.certain >= 0).sum())
        pending: State = "pending" if ranges is None else "proved"
        told = {
            "certain": Finding(said("people whose value is certain"), known, state=pending),
            "n": Finding(said("people"), posed.n),
            "t": Finding(said("published answers"), posed.questions.t),
            "sure": Finding(said("people of whom the inner point is sure"), int((~self.unsure).sum()), state="measured"),
            "furthest": Finding(said("furthest from an answer"), self._furthest, digits=4, rounding="up", state="measured"),
            "epsilon": Finding(said("ε"), math.inf, state="proved", note=said("errors within a bound hide nothing")),
        }
        if posed.secret is not None:
            wrong = self.wrong or 0.0
            told["recovered"] = Finding(said("recovered"), 1 - wrong, digits=4, state="measured", share=True)
            told["wrong"] = Finding(said("wrong"), wrong, digits=3, state="measured", share=True)
        return told
