"""What running an attack design gives: what was found, told as other outcomes are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpdesigner.core.numbers.rounding import figure, group_thousands
from dpdesigner.messages import message
from dpdesigner.studies.answer import Panel, Why
from dpdesigner.studies.attack.headlines import sentence
from dpdesigner.studies.attack.panels import panels
from dpdesigner.studies.attack.result import AttackResult
from dpdesigner.studies.findings import State, format_finding


@dataclass(frozen=True, eq=False, repr=False)
class AttackAnswer(AttackResult):
    """The result of an attack.

    Attributes
    ----------
    design : AttackDesign
    values : ndarray
        (n,): the estimate of everybody's value, in [0, 1].
    guess : ndarray of int
        (n,): the values rounded at 1/2; -1 where they say nothing.
    unsure : ndarray of bool
        (n,): whether each value lies between 1/3 and 2/3.
    wrong : float or None
        The share of guesses that are wrong, those that say nothing counted half; None where nobody here knows the secret.
    problem : Problem
        The secret, the questions and their answers.
    reconstruction : Reconstruction
        By the attacker of the design.
    private : Reconstruction or None
        The best fit to private answers to the same questions.
    findings : mapping of str to Finding
    """

    @property
    def badge(self) -> tuple[str, State]:
        """The privacy of the answers: none for bounded errors, otherwise their epsilon."""
        if not self.design.answers and self.own_epsilon[0] < math.inf:
            return message("total ε = {epsilon}", epsilon=format_finding(self.findings["epsilon"])), "open"
        return message("no privacy · ε = ∞"), "open"

    @property
    def checks(self) -> tuple[str, ...]:
        """The distance of the solution from the answers, and the composition of the private side's epsilon."""
        furthest, many = self.findings["furthest"], group_thousands(self.problem.questions.t)
        told = []
        if self.reconstruction.attacker != "least-squares" and self.problem.bound is not None:
            words = {"many": many, "furthest": format_finding(furthest), "bound": figure(float(np.max(self.problem.bound)), 3)}
            told.append(message("✓ the solution fits all {many} answers: largest error {furthest} of {bound}", **words))
        if not self.design.answers:
            told.append(
                message("✓ private answers: {t} × {epsilon}/{t} = ε {epsilon}, exactly", t=many, epsilon=self.design.epsilon)
            )
        return tuple(told)

    @property
    def note(self) -> str:
        """A short note on how the attack ran."""
        steps = {"n": group_thousands(self.reconstruction.steps), "seed": self.design.seed}
        return {
            "interior": message("linear program: {n} steps · seed {seed}", **steps),
            "vertex": message("simplex: {n} iterations · seed {seed}", **steps),
            "least-squares": message("least squares: {n} exchanges · seed {seed}", **steps),
        }[self.reconstruction.attacker]

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        return sentence(self)

    @property
    def why(self) -> Why:
        """The explanation of the attack page."""
        return Why(template="attack", help="attack")

    def panels_in(self, view: Mapping[str, Any]) -> tuple[Panel, ...]:
        """Return, in every view, the curves that were computed, and the table of everybody's value where the design tells it."""
        return panels(self)
