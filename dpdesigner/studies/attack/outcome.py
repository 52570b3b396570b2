"""What running an attack design gives: what was found, told as other outcomes are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpdesigner.core.numbers.rounding import counted, figure
from dpdesigner.studies.answer import Panel, Why
from dpdesigner.studies.attack.found import AttackFound
from dpdesigner.studies.attack.panels import panels
from dpdesigner.studies.attack.words import sentence
from dpdesigner.studies.findings import State, shown
from dpdesigner.studies.said import said


@dataclass(frozen=True, eq=False, repr=False)
class AttackOutcome(AttackFound):
    """What was found, in words and panels."""

    @property
    def badge(self) -> tuple[str, State]:
        """That such answers have no privacy; else the epsilon that they have."""
        if not self.design.answers and self.own_epsilon[0] < math.inf:
            return said("ε = {epsilon} in all", epsilon=shown(self.findings["epsilon"])), "open"
        return said("no privacy · ε = ∞"), "open"

    @property
    def checks(self) -> tuple[str, ...]:
        """How far the point found is from the answers, and what the private side's epsilon is made of."""
        furthest, many = self.findings["furthest"], counted(self.posed.questions.t)
        told = []
        if self.found.attacker != "least-squares" and self.posed.bound is not None:
            words = {"many": many, "furthest": shown(furthest), "bound": figure(float(np.max(self.posed.bound)), 3)}
            told.append(said("✓ the point found keeps all {many} answers: furthest {furthest} of {bound}", **words))
        if not self.design.answers:
            told.append(said("✓ privately: {t} × {epsilon}/{t} = ε {epsilon}, exactly", t=many, epsilon=self.design.epsilon))
        return tuple(told)

    @property
    def note(self) -> str:
        """How the attack went."""
        steps = {"n": counted(self.found.steps), "seed": self.design.seed}
        return {
            "interior": said("linear program: {n} steps · seed {seed}", **steps),
            "vertex": said("simplex: {n} iterations · seed {seed}", **steps),
            "least-squares": said("least squares: {n} exchanges · seed {seed}", **steps),
        }[self.found.attacker]

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
