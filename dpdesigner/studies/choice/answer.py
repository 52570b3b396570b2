"""The answer of a choice: every rule, the limit on all of them, exact draws, the effect of a neighbour, and sentences."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import double, exact, nearest
from dpdesigner.core.basics.rounding import at_most, brief, significant
from dpdesigner.core.basics.sampling import Below
from dpdesigner.core.choice.limits import MOST_TABLES, Limit, Worst, limit
from dpdesigner.core.choice.rule import Rule, Task
from dpdesigner.core.choice.utilities import read_moves
from dpdesigner.messages import Message, message
from dpdesigner.studies.answer import Why
from dpdesigner.studies.base import PanelAnswer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.inputs import COMPETING, PRINTED
from dpdesigner.studies.findings import Finding, Rounding, State, format_finding
from dpdesigner.studies.snapshot import Maker
from dpdesigner.studies.spending import RECORD, so_far
from dpdesigner.studies.study import Progress, silent

_ROUNDING = 1e-12
_LARGE = 20_000  # utilities
_LITTLE = 1e-4  # a probability that is not said in hundredths
_QUICK = 30  # options whose worst neighbour is found at once
_MOST_PAIRS = 100  # up to this many table rows, the pairs are searched for a neighbour
_LEVELS = 49
_FEW = {2: message("two"), 3: message("three")}
_WIDEST = 1e3  # ratio of the largest to the smallest level in a sweep, centred on the design's level

#: The number of equal parts of an interval; the choice among them reveals nothing about the data.
_PARTS = 2**32


@dataclass(frozen=True, eq=False)
class Announced:
    """The draws: the number for each option, the last one, and how many were the best."""

    counts: Integers
    last: int | float
    right: int

    @property
    def many(self) -> int:
        """The number of draws."""
        return int(self.counts.sum())


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A neighbour of a row: the difference of each utility in units of Delta, and ln of the probabilities."""

    moves: Floats
    logs: Floats


@dataclass(frozen=True, eq=False)
class Sweep:
    """The probability that each rule chooses the best option at several levels, by rule key."""

    levels: Floats
    right: Mapping[str, Floats]


@dataclass(frozen=True, eq=False, repr=False)
class ChoiceAnswer(PanelAnswer):
    """The results of the rules of a choice.

    Attributes
    ----------
    design : ChoiceDesign
        What was asked.
    names : tuple of str
        Of the options.
    rules : mapping of str to Rule
        By their keys.
    panels : mapping of str to Maker
    people : int or None
        How many were counted.
    left_out : int
        How many rows of the data were in no category.
    limit : Limit or None
        What no rule exceeds; None while it is not computed, and where there is none.
    worst : Worst or None
        The neighbour that moves a chance most, where finding it takes a while.
    equal : mapping of str to float
        Of a table: what each competing rule costs on average when it is tuned so that its real epsilon here is the one asked.
    """

    design: ChoiceDesign
    names: tuple[str, ...]
    rules: Mapping[str, Rule]
    panels: Mapping[str, Maker] = field(default_factory=dict)
    people: int | None = None
    left_out: int = 0
    limit: Limit | None = None
    worst: Worst | None = None
    equal: Mapping[str, float] | None = None

    @property
    def rule(self) -> Rule:
        """The rule used for the draws."""
        return self.rules[self.design.rule]

    @property
    def other(self) -> Rule | None:
        """The rule with which the drawn one is compared first; None if there is no other."""
        return self.rules.get("exponential" if self.rule.noise != "gumbel" else "permute-and-flip")

    @property
    def task(self) -> Task:
        """The task: utilities and neighbours."""
        return self.rule.task

    @property
    def rivals(self) -> tuple[Rule, ...]:
        """The rules compared, each once; for a large table, where quadrature is slow, only the drawn rule and the quick one."""
        left = {"noisy-max-gumbel", "noisy-max-exponential"}
        if self.task.table and self.task.numbers.size > _LARGE:
            left |= set(COMPETING) - {"exponential", self.design.rule}
        return tuple(self.rules[key] for key in COMPETING if key in self.rules and key not in left)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """The findings: the accuracy of the rule, its privacy, then the other rules."""
        return {**self._of_rule, **self._of_others, **self._of_papers}

    def _right(self, label: Message, chance: float | Floats, **more: Any) -> Finding:
        """The probability that the best option is announced, to the nearest digit; what is not certain never as 100%."""
        right = float(np.mean(chance))
        near: Rounding = "nearest" if right < 0.999 else "down"
        told: dict[str, Any] = {"measure": self._measure, "share": True, "secret": self.design.secret, **more}
        return Finding(label, right, digits=3, rounding=near, **told)

    def _lost(self, label: Message, shortfall: float | Floats, **more: Any) -> Finding:
        """Return the finding on the shortfall of the announced option."""
        lost = float(np.mean(shortfall))
        return Finding(label, lost, digits=4, rounding="up", measure=self._measure, secret=self.design.secret, **more)

    @property
    def _of_rule(self) -> dict[str, Finding]:
        rule, secret, private = self.rule, self.design.secret, self.attained.epsilon_above
        note = message("every row equally likely") if self.task.table else ""
        proved: State = "proved" if self.proved else "open"
        fixed, utility = self.design.fixed, float(np.mean(rule.expected_utility))
        known, late = fixed and (self.task.table or self.worst_known), message("not computed yet")
        label = message("ε of each release" if self.design.secret else "ε guaranteed")
        return {
            "value": self._right(message("probability of being right"), rule.chance_of_best, state="measured", note=note),
            "epsilon": Finding(label, private if fixed else None, "", 6, "up", proved, note=self.reason),
            "epsilon-here": Finding(
                message("ε attained here, at the worst neighbour"),
                float(np.max(rule.epsilon_here)) if known else None,
                digits=6,
                rounding="up",
                state="measured",
                secret=secret,
                note="" if known else late if fixed else message("not private yet"),
            ),
            "shortfall": self._lost(message("average shortfall"), rule.shortfall, note=note),
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
            findings[f"best-{rule.key}"] = self._right(
                message("{rule}: probability of being right", rule=rule.title), rule.chance_of_best
            )
            findings[f"shortfall-{rule.key}"] = self._lost(message("{rule}: average shortfall", rule=rule.title), rule.shortfall)
        right, lost = self.task.blindly
        blind = self._right(message("Ignoring the data: probability of being right"), right)
        findings["best-blind"] = replace(blind, rounding="nearest")
        findings["shortfall-blind"] = self._lost(message("Ignoring the data: average shortfall"), lost)
        for key, cost in (self.equal or {}).items():
            label = message("{rule} calibrated to ε here: average shortfall", rule=self.rules[key].title)
            findings[f"equal-{key}"] = Finding(label, cost, digits=5, rounding="up", measure=self._measure)
        return findings

    @property
    def _of_papers(self) -> dict[str, Finding]:
        findings = {}
        for key in PRINTED:
            rule = self.rules[key]
            label = {"formula": rule.title}
            findings[f"says-{key}"] = Finding(message("{formula}: stated ε", **label), rule.says, digits=6)
            findings[f"has-{key}"] = Finding(message("{formula}: attained ε", **label), rule.epsilon, digits=6, rounding="up")
        return findings

    @property
    def _limit(self) -> Finding:
        label, limit, secret = message("limit for any rule that treats names alike"), self.limit, self.design.secret
        if limit is None or limit.chance is None:
            due = limit is None and self.limited
            note = message("computing…") if due else self.no_limit
            return Finding(label, None, state="pending" if due else "open", secret=secret, note=note)
        note = message(
            "upper limit: linear program over {tables} tables of the top {moving}",
            tables=limit.tables,
            moving=_FEW.get(limit.moving, str(limit.moving)),
        )
        return Finding(label, limit.chance, "", 3, "up", "measured", share=True, secret=secret, note=note)

    @property
    def limited_by(self) -> tuple[object, ...]:
        """All that the limit depends on."""
        return self.limited, self.task.numbers.tobytes(), self.task.delta, self.design.privacy, self.design.neighbours

    @property
    def limited(self) -> bool:
        """Whether a limit for all rules exists: only for one vector of interchangeable options."""
        return not self.task.table and self.task.base is None

    @property
    def no_limit(self) -> Message:
        """The reason why there is no limit."""
        if self.design.edges is not None or self.design.base is not None:
            return message("limit not computed: the options are not alike")
        if self.limit is not None and self.limit.tables:
            return message("limit not computed: the linear program was not solved")
        return message("limit not computed: it would take more than {most} tables", most=MOST_TABLES)

    @property
    def limit_met(self) -> bool:
        """Whether no private rule that treats names alike chooses the best more often than the drawn rule."""
        chance, limit = self.rule.chance_of_best, None if self.limit is None else self.limit.chance
        return self.proved and limit is not None and isinstance(chance, float) and chance >= limit - 1e-7

    @property
    def worst_known(self) -> bool:
        """Whether the worst neighbour is computed, or takes no time."""
        return self.rule.noise == "gumbel" or "worst" in vars(self.rule) or self.task.options <= _QUICK

    @cached_property
    def _measure(self) -> object:
        return ("choice", self.task.numbers.shape, self.task.numbers.tobytes() if self.task.numbers.size <= 10_000 else id(self))

    @property
    def proved(self) -> bool:
        """Whether the drawn rule is proved to be as private as requested."""
        return self.design.fixed and self.rule.epsilon <= self.design.epsilon * (1 + _ROUNDING)

    @property
    def attained(self) -> PrivacyLevel:
        """The privacy level that the drawn rule guarantees."""
        asked = self.design.privacy
        if abs(self.rule.epsilon / asked.epsilon - 1) < _ROUNDING:
            return asked
        return PrivacyLevel.from_epsilon(Fraction(self.rule.epsilon))

    @property
    def badge(self) -> tuple[Message, State]:
        """The badge that shows whether privacy is proved."""
        if not self.design.fixed:
            return message("not private yet"), "open"
        level = format_finding(self.findings["epsilon"])
        if self.proved:
            return message("✓ proved private · ε = {level}", level=level), "proved"
        return message("ε = {level}, not as requested", level=level), "open"

    @property
    def reason(self) -> str:
        """One sentence on the rule's privacy."""
        if not self.design.fixed:
            return message("the options were read from the data; a rare option reveals that somebody gave it.")
        words = message("differences of utilities change by at most 2Δ, so no probability changes by a factor of more than e^ε.")
        if self.task.monotone:
            words = message(
                "all utilities move in the same direction by at most Δ, so no probability changes by a factor of more than e^ε."
            )
        if self.design.secret:
            return message("{words} This holds if the list of options does not depend on the data.", words=words)
        return words

    @property
    def checks(self) -> tuple[Message, ...]:
        """The checks in the status bar."""
        level = format_finding(self.findings["epsilon"])
        sentences = [message("✓ ε = {level} over all tables", level=level)] if self.proved else []
        if (here := self.findings["epsilon-here"]).value is not None:
            sentences.append(message("✓ ε = {here} attained by this table", here=format_finding(here)))
        return tuple(sentences)

    @property
    def note(self) -> str:
        """The text at the right of the status bar."""
        return self.findings["limit"].note if "limit" in self.findings else ""

    @property
    def why(self) -> Why:
        """The explanation of the choice page."""
        return Why(template="choice", help="choice")

    @property
    def unit(self) -> str:
        """The unit of the utilities: people if they were counted, or are typed whole numbers that one person moves as counts."""
        design, shown = self.design, self.task.numbers
        typed = (
            design.neighbours in ("joins", "changes") and design.edges is None and not self.task.table and self.task.delta == 1
        )
        counts = typed and bool((shown >= 0).all() and (shown == np.round(shown)).all())
        return message("people") if self.people is not None or counts else ""

    # Additional computations -------------------------------------------------------------------------------------------

    def find_limit(self, progress: Progress = silent) -> Limit:
        """Compute the limit on private rules that treat names alike; without a probability if it would take too long."""
        task, design = self.task, self.design
        utilities = [float(value) for value in task.numbers[0]]
        found = limit(utilities, nearest(task.delta), design.epsilon, task.neighbours, progress)  # type: ignore[arg-type]
        return found or Limit(None, 0, 0)

    def sweep(self, progress: Progress = silent) -> Sweep:
        """Compute how often each rule chooses the best option, as the level changes."""
        epsilon, spread = self.design.epsilon, np.sqrt(_WIDEST)
        ends = max(epsilon / spread, 1e-6), min(epsilon * spread, 1400.0)
        levels = np.unique(np.append(np.geomspace(*ends, _LEVELS), epsilon))
        right = {}
        for number, rule in enumerate(self.rivals):
            if rule.key == "staircase":
                continue
            values = []
            for place, level in enumerate(levels.tolist()):
                progress((number + place / len(levels)) / len(self.rivals), rule.title)
                changed = replace(rule, rate=rule.rate * Fraction(level) / self.design.exact_epsilon)
                values.append(float(np.mean(changed.chance_of_best)))
            right[rule.key] = np.array(values)
        return Sweep(levels, right)

    def draw(self, row: int = 0, below: Below = secrets.randbelow) -> int | float:
        """Draw once, exactly: the index of an option, or for a number a uniform position in the drawn interval."""
        option = self.rule.draw(row, below)
        if (edges := self.design.edges) is None:
            return option
        low, high = exact(edges[option]), exact(edges[option + 1])
        return float(low + (high - low) * Fraction(2 * below(_PARTS) + 1, 2 * _PARTS))

    def announced(self, drawn: int | float) -> int | float | str:
        """Return the announcement for a drawn option: its name if it has one, or the number."""
        named = self.design.names is not None or self.design.path
        return self.names[drawn] if isinstance(drawn, int) and named else drawn

    def announce(self, row: int, many: int, progress: Progress = silent) -> Announced:
        """Draw this many times, exactly."""
        counts = np.zeros(self.task.options, dtype=np.int64)
        last: int | float = 0
        ends = None if self.design.edges is None else np.array([double(edge) for edge in self.design.edges])
        for place in range(many):
            progress(place / many, message("drawing"))
            last = self.draw(row)
            option = int(last) if ends is None else int(np.searchsorted(ends, last, side="right")) - 1
            counts[min(max(option, 0), len(counts) - 1)] += 1
        return Announced(counts, last, int(counts[self.task.numbers[row] == self.task.most[row]].sum()))

    def releases(self, drawn: Announced | None) -> Message:
        """Return the option that was released last, and all releases of the same rows; empty without one."""
        every = so_far(RECORD.of(self.design))
        if drawn is None or drawn.many > 1:
            return every
        return message("Released: {name}. {every}", name=self.names[int(drawn.last)], every=every)

    # Selection ---------------------------------------------------------------------------------------------------------

    def row(self, view: Mapping[str, Any]) -> int:
        """Return the selected row of the table."""
        return min(max(int(view["row"]), 0), len(self.task.numbers) - 1)

    def option(self, view: Mapping[str, Any]) -> int:
        """Return the selected option; by default the second best."""
        if 0 <= view["option"] < self.task.options:
            return int(view["option"])
        return int(np.argsort(-self.task.numbers[self.row(view)], kind="stable")[1])

    def marked(self, view: Mapping[str, Any]) -> int:
        """Return the option to highlight: none while none is selected and no influence is shown."""
        return self.option(view) if view["influence"] or view["option"] >= 0 or self.task.table else -1

    def neighbour(self, view: Mapping[str, Any]) -> Neighbour | None:
        """Return the dragged or else the worst neighbour; for a table, one of the row's. None until the worst is known."""
        task, row = self.task, self.row(view)
        if task.table:
            pairs = self.design.neighbouring.pairs if len(task.numbers) <= _MOST_PAIRS else ()
            other = next((b if a == row else a for a, b in pairs if row in (a, b)), min(row + 1, len(task.numbers) - 1))
            other = row - 1 if other == row and row else other
            return Neighbour((task.numbers[other] - task.numbers[row]) / float(task.delta), self.rule.logs[other])
        moves = read_moves(view["neighbour"], task.options)
        if moves is None and self.worst_known:
            word = self.design.neighbours
            moves = self.rule.worst.moves(task.options, word if word in ("changes", "joins") else "any")  # type: ignore[arg-type]
        return None if moves is None else Neighbour(moves, self.rule.at(moves).logs)

    # Text --------------------------------------------------------------------------------------------------------------

    @property
    def sentence(self) -> str:
        """The result in plain words."""
        return self.headlines()[0]

    def headlines(self, row: int = 0) -> tuple[Message, ...]:
        """Return how often the best is chosen and how far it leads, in versions from long to short."""
        rule, task = self.rule, self.task
        chances = rule.probabilities[row] if task.table else rule.probabilities
        utilities = task.numbers[row]
        order = np.argsort(-utilities, kind="stable")
        best, second = int(order[0]), int(order[1])
        right = float(chances[utilities == utilities[best]].sum())
        name = escape(self.names[best])
        if self.design.edges is not None:
            short = rule.shortfall[row] if isinstance(rule.shortfall, np.ndarray) else rule.shortfall
            told = {"name": name, "times": times(right), "short": brief(float(short), 3)}
            chosen = message("<b>The best cell, {name}, is chosen {times} times in 100</b>.")
            long = message(
                "<b>The best cell, {name}, is chosen {times} times in 100</b>; on average the utility is {short} below the best."
            )
            return message(long, **told), message(chosen, **told)
        tied = int((utilities == utilities[best]).sum())
        if tied > 1:
            words = message("<b>One of the {tied} tied for first place is chosen {times} times in 100.</b>")
            first = message(words, tied=tied, times=times(right))
        else:
            gap = brief(float(utilities[best] - utilities[second]))
            ahead = gap if not self.unit else message("1 person") if gap == "1" else message("{gap} people", gap=gap)
            told = {"name": name, "ahead": ahead, "times": times(right)}
            first = message("<b>The best option, {name}, is chosen {times} times in 100</b>; it leads by {ahead}.", **told)
        return first, message("<b>Right {times} times in 100</b>", times=times(right))

    def of_option(self, option: int, before: float, after: float) -> Message:
        """Return a neighbour's effect on a probability, in equal decimals, as a factor, and the largest possible factor."""
        level = self.rule.epsilon
        low, high = sorted((before, after))
        ratio = high / low if low > 0 else math.exp(level)
        words = message("{name}: {before} becomes {after}, a factor of {ratio} (never above {most}).")
        if high < _LITTLE:
            words = message("{name}: a factor of {ratio} (never above {most}).")
        places = max(2, 3 - math.floor(math.log10(100 * max(low, _LITTLE))))  # so that their ratio is the factor
        return message(
            words,
            name=self.names[option],
            before=f"{100 * before:.{places}f}%",
            after=f"{100 * after:.{places}f}%",
            ratio=significant(ratio, 4) if ratio < math.inf else "∞",
            most=at_most(math.exp(level), 4) if level < 300 else "∞",
        )

    @property
    def on_constants(self) -> Message:
        """A sentence on the printed constants: which holds here, and which wastes privacy."""
        monotone, delta = self.task.monotone, float(self.task.delta)
        if monotone:
            return message("Dwork’s formula is right here; that of Blum, Ligett and Roth would use only half of the ε.")
        if delta != 1:
            return message(
                "Dwork’s formula holds only if all utilities move in the same direction. The lecture notes leave Δ out of the "
                "exponent and include it in the privacy level."
            )
        return message("Dwork’s formula holds only if all utilities move together; the other two always hold.")


def times(chance: float) -> str:
    """Return a probability as times in 100, to the nearest tenth: ``80.6``, ``more than 99``, ``less than 0.01``."""
    if chance > 0.99 and percent(chance) != "100%":
        return message("more than 99")
    return percent(chance)[:-1].removesuffix(".0") if chance >= _LITTLE else message("less than 0.01")


def percent(chance: float) -> str:
    """Return a probability in percent, to the nearest tenth: ``80.6%``, ``0.16%``, ``< 0.01%``; ``100%`` only if certain."""
    if chance < _LITTLE:
        return "< 0.01%"
    if chance > 1 - 1e-12:
        return "100%"
    if chance >= 0.9995:
        return "> 99.9%"
    percents = 100 * chance
    return f"{percents:.1f}%" if percents >= 1 else f"{significant(percents, 2)}%"


def inside(title: str) -> str:
    """Return a rule's title for use inside a line; formulas and names in it stay unchanged."""
    return message("{title}", title=title[:1].lower() + title[1:])
