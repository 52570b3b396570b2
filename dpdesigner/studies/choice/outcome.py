"""What running a choice design gives: every rule, what limits them all, and what is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.limit import MOST_TABLES, Limit
from dpdesigner.core.choice.rule import Rule, Task
from dpdesigner.core.numbers.parsing import nearest
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Outcome, Why
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.findings import Finding, State, format_finding
from dpdesigner.studies.options.rules import COMPETING, PRINTED

_ROUNDING = 1e-12
_LARGE = 20_000  # utilities


@dataclass(frozen=True, eq=False, repr=False)
class ChoiceOutcome(Outcome):
    """The rules of a choice.

    Attributes
    ----------
    design : ChoiceDesign
        What was asked.
    names : tuple of str
        Of the options.
    rules : mapping of str to Rule
        By their keys.
    people : int or None
        How many were counted.
    left_out : int
        How many rows of the data were in no category.
    limit : Limit or None
        What no rule exceeds; None where it is not computed.
    limit_due : bool
        Whether it is still to be computed.
    equal : mapping of str to float
        Of a table: what each competing rule costs on average when it is tuned so that its real epsilon here is the one asked.
    """

    design: ChoiceDesign
    names: tuple[str, ...]
    rules: Mapping[str, Rule]
    people: int | None = None
    left_out: int = 0
    limit: Limit | None = None
    limit_due: bool = False
    equal: Mapping[str, float] | None = None

    @property
    def rule(self) -> Rule:
        """The rule that is drawn."""
        return self.rules[self.design.rule]

    def announced(self, drawn: int | float) -> int | float | str:
        """Return what is announced where an option was drawn: its name where it has one, or the number."""
        named = self.design.names is not None or self.design.path
        return self.names[drawn] if isinstance(drawn, int) and named else drawn

    @property
    def task(self) -> Task:
        """What it is about."""
        return self.rule.task

    @property
    def rivals(self) -> tuple[Rule, ...]:
        """The rules that compete, each once; of a large table, whose quadratures take long, the one drawn and the quick one."""
        left = {"noisy-max-gumbel", "noisy-max-exponential"}
        if self.task.table and self.task.numbers.size > _LARGE:
            left |= set(COMPETING) - {"exponential", self.design.rule}
        return tuple(self.rules[key] for key in COMPETING if key in self.rules and key not in left)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """What is told: how good the rule is first, then its privacy, then the others."""
        return {**self._of_rule, **self._of_others, **self._of_papers}

    def _right(self, label: Message, chance: float | Floats, **more: Any) -> Finding:
        """How often the best is announced: never told better than it is."""
        right = float(np.mean(chance))
        return Finding(label, right, digits=4, rounding="down", measure=self._measure, secret=self.design.secret, **more)

    def _lost(self, label: Message, shortfall: float | Floats, **more: Any) -> Finding:
        """By how much what is announced falls short."""
        lost = float(np.mean(shortfall))
        return Finding(label, lost, digits=4, rounding="up", measure=self._measure, secret=self.design.secret, **more)

    @property
    def _of_rule(self) -> dict[str, Finding]:
        rule, secret, private = self.rule, self.design.secret, self.attained.epsilon_above
        note = message("all rows equally likely") if self.task.table else ""
        proved: State = "proved" if self.proved else "open"
        known, utility = self.task.table or self.worst_known, float(np.mean(rule.expected_utility))
        return {
            "value": self._right(message("gets it right"), rule.chance_of_best, state="measured", note=note),
            "epsilon": Finding(message("ε guaranteed"), private, digits=6, rounding="up", state=proved, note=self.reason),
            "epsilon-here": Finding(
                message("ε here, at the worst neighbour"),
                float(np.max(rule.epsilon_here)) if known else None,
                digits=6,
                rounding="up",
                state="measured",
                secret=secret,
                note="" if known else message("not computed yet"),
            ),
            "shortfall": self._lost(message("falls short by, on average"), rule.shortfall, note=note),
            "expected-utility": Finding(
                message("expected utility"), utility, "", 6, "down", measure=self._measure, secret=secret, note=note
            ),
            "sensitivity": Finding(message("Δ"), self.task.delta),
            "rate": Finding(message("weight of a unit of utility"), nearest(rule.rate), digits=6),
        }

    @property
    def _of_others(self) -> dict[str, Finding]:
        findings = {} if self.task.table else {"limit": self._limit}
        for rule in self.rivals:
            findings[f"best-{rule.key}"] = self._right(message("{rule}: gets it right", rule=rule.title), rule.chance_of_best)
            findings[f"shortfall-{rule.key}"] = self._lost(message("{rule}: falls short by", rule=rule.title), rule.shortfall)
        right, lost = self.blindly
        findings["best-blind"] = self._right(message("Without looking: gets it right"), right)
        findings["shortfall-blind"] = self._lost(message("Without looking: falls short by"), lost)
        for key, cost in (self.equal or {}).items():
            label = message("{rule} tuned to ε here: falls short by", rule=self.rules[key].title)
            findings[f"equal-{key}"] = Finding(label, cost, digits=5, rounding="up", measure=self._measure)
        return findings

    @property
    def _of_papers(self) -> dict[str, Finding]:
        findings = {}
        for key in PRINTED:
            rule = self.rules[key]
            label = {"formula": rule.title}
            findings[f"says-{key}"] = Finding(message("{formula}: says ε", **label), rule.says, digits=6)
            findings[f"has-{key}"] = Finding(message("{formula}: has ε", **label), rule.epsilon, digits=6, rounding="up")
        return findings

    @property
    def _limit(self) -> Finding:
        label, limit, secret = message("limit for any even-handed rule"), self.limit, self.design.secret
        if limit is None or limit.chance is None:
            note = message("computing…") if self.limit_due else self.no_limit
            return Finding(label, None, state="pending" if self.limit_due else "open", secret=secret, note=note)
        note = message(
            "upper limit: linear program over {tables} tables, top {moving}", tables=limit.tables, moving=_counted(limit.moving)
        )
        return Finding(label, limit.chance, digits=4, rounding="up", state="measured", secret=secret, note=note)

    @property
    def no_limit(self) -> Message:
        """Why there is no limit."""
        if self.design.edges is not None or self.design.base is not None:
            return message("limit not computed: the options are not alike")
        if self.limit is not None:
            return message("limit not computed: the linear program was not solved")
        return message("limit not computed: it would take more than {most} tables", most=MOST_TABLES)

    @property
    def limit_met(self) -> bool:
        """Whether no private rule that treats names alike names the best more often than the rule drawn."""
        chance, limit = self.rule.chance_of_best, None if self.limit is None else self.limit.chance
        return self.proved and limit is not None and isinstance(chance, float) and chance >= limit - 1e-7

    @property
    def blindly(self) -> tuple[float, float]:
        """How often an option chosen without looking is the best, and by how much it falls short."""
        base = np.ones(self.task.options) if self.task.log_base is None else np.exp(self.task.log_base)
        chances = base / base.sum()
        hits = self.task.numbers == self.task.most
        return float((hits * chances).sum(axis=1).mean()), float(
            ((self.task.most - self.task.numbers) * chances).sum(axis=1).mean()
        )

    @property
    def worst_known(self) -> bool:
        """Whether the worst neighbour is there, or takes no time."""
        return self.rule.noise == "gumbel" or "worst" in vars(self.rule) or self.task.options <= 30

    @cached_property
    def _measure(self) -> object:
        return ("choice", self.task.numbers.shape, self.task.numbers.tobytes() if self.task.numbers.size <= 10_000 else id(self))

    @property
    def proved(self) -> bool:
        """Whether the rule drawn is proved to be as private as was asked."""
        return self.design.fixed and self.rule.epsilon <= self.design.epsilon * (1 + _ROUNDING)

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy that the rule drawn guarantees."""
        asked = self.design.privacy
        if abs(self.rule.epsilon / asked.epsilon - 1) < _ROUNDING:
            return asked
        return PrivacyLevel.from_epsilon(Fraction(self.rule.epsilon))

    @property
    def badge(self) -> tuple[Message, State]:
        """Whether privacy is proved."""
        if not self.design.fixed:
            return message("names read from the data"), "open"
        level = format_finding(self.findings["epsilon"])
        if self.proved:
            return message("✓ proved private · ε = {level}", level=level), "proved"
        return message("ε = {level}, not what was asked", level=level), "open"

    @property
    def reason(self) -> str:
        """One sentence on its privacy."""
        if not self.design.fixed:
            return message("the options were read from the data: one that hardly anybody gave would show that somebody gave it.")
        if self.task.monotone:
            return message("all utilities move the same way by at most Δ, so that no chance changes by more than e^ε.")
        return message("differences of utilities change by at most 2Δ, so that no chance changes by more than e^ε.")

    @property
    def checks(self) -> tuple[Message, ...]:
        """What the status bar says."""
        level = format_finding(self.findings["epsilon"])
        sentences = [message("✓ private over all tables: ε = {level}", level=level)] if self.proved else []
        if (here := self.findings["epsilon-here"]).value is not None:
            sentences.append(message("✓ here: {here}", here=format_finding(here)))
        return tuple(sentences)

    @property
    def note(self) -> str:
        """The status bar's right."""
        return self.findings["limit"].note if "limit" in self.findings else ""

    @property
    def why(self) -> Why:
        """The explanation of the choice page."""
        return Why(template="choice", help="choice")

    @property
    def unit(self) -> str:
        """What utilities are counted in."""
        return message("people") if self.people is not None else ""


def _counted(number: int) -> str:
    return {2: message("two"), 3: message("three")}.get(number, str(number))
