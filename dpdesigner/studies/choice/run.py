"""Running a choice design: its rules at once, what limits them and equal privacy where that is asked for; and one release."""

from __future__ import annotations

import secrets
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from dpdesigner.core.choice.calibrated import tuned
from dpdesigner.core.choice.limit import Limit, limit
from dpdesigner.core.choice.rule import Rule, Task
from dpdesigner.core.choice.sampling import rational_epsilon
from dpdesigner.core.numbers.parsing import exact, nearest
from dpdesigner.core.privacy.sampling import Below
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.options.category_counts import count_categories
from dpdesigner.studies.options.rules import TITLES
from dpdesigner.studies.options.utilities import Utilities
from dpdesigner.studies.study import Progress, silent

_MOST_GAMMAS = 64
_MOST_EQUAL = 4000  # cells of a table for which equal privacy is sought

#: Into so many equal parts an interval is divided; which one is drawn says nothing of the data.
_PARTS = 2**32


def run(design: ChoiceDesign, progress: Progress = silent) -> ChoiceOutcome:
    """Compute the rules, what limits them, and their real privacy."""
    outcome = solved(design, progress)
    if outcome.task.table:
        return outcome
    outcome.rule.find_worst(progress)
    return replace(outcome, limit=limit_of(outcome, progress), limit_due=False)


def solved(design: ChoiceDesign, progress: Progress = silent) -> ChoiceOutcome:
    """Compute the rules; the limit is left to `limit_of`."""
    table, names, people, outside = design.table, design.names, None, 0
    if table is None:
        tally = count_categories(design.path, design.column, design.categories)
        table, people, outside = Utilities.checked(tally.counts), tally.people, tally.outside
        names = names or tally.categories
    task = Task(
        table.numbers,
        table.fractions,
        design.exact_sensitivity,
        design.monotone,
        design.neighbouring if table.table else design.neighbours,  # type: ignore[arg-type]  # of a vector it is a word
        _base(design),
        table.table,
        design.edges is not None,
    )
    rules = {key: _rule(key, design, task) for key in TITLES if _has(design, key)}
    names = names or tuple(f"option {place + 1}" for place in range(task.options))
    due = not task.table and task.base is None
    answer = ChoiceOutcome(design, names, rules, people, outside, limit_due=due)
    answer.rule.compute(progress)
    if task.table and task.numbers.size <= _MOST_EQUAL:
        answer = replace(answer, equal=tuned(answer.rivals, design.epsilon, progress))
    return answer


def limit_of(outcome: ChoiceOutcome, progress: Progress = silent) -> Limit | None:
    """Compute what no private rule that treats names alike exceeds; None where it would take too long."""
    task, design = outcome.task, outcome.design
    if task.table or task.base is not None:
        return None
    utilities = [float(value) for value in task.numbers[0]]
    return limit(utilities, nearest(task.delta), design.epsilon, task.neighbours, progress)  # type: ignore[arg-type]


def released(outcome: ChoiceOutcome, row: int = 0, below: Below = secrets.randbelow) -> int | float:
    """Draw once, exactly: the index of an option; for a number a place in the interval that was drawn, every one as likely."""
    option = outcome.rule.draw(row, below)
    edges = outcome.design.edges
    if edges is None:
        return option
    low, high = exact(edges[option]), exact(edges[option + 1])
    return float(low + (high - low) * Fraction(2 * below(_PARTS) + 1, 2 * _PARTS))


def _has(design: ChoiceDesign, key: str) -> bool:
    """Whether a rule can be: options with a base measure, as cells of an interval, are for the exponential mechanism only."""
    return TITLES[key][1] == "gumbel" or (design.edges is None and design.base is None)


def _base(design: ChoiceDesign) -> tuple[Fraction, ...] | None:
    weights = None if design.base is None else [exact(weight, "base") for weight in design.base]
    if design.edges is None:
        return None if weights is None else tuple(weights)
    edges = [exact(edge, "edges") for edge in design.edges]
    lengths = [high - low for low, high in pairwise(edges)]
    return tuple(lengths if weights is None else [a * b for a, b in zip(lengths, weights, strict=True)])


def _rule(key: str, design: ChoiceDesign, task: Task) -> Rule:
    title, noise, steps = TITLES[key]
    scale = {
        "exponential-cacm": 1 / task.delta,
        "exponential-notes": Fraction(1),
        "exponential-blr": 1 / (2 * task.delta),
    }.get(key, 1 / design.reach)
    epsilon = design.exact_epsilon
    says = design.epsilon * (2 * nearest(task.delta) if key == "exponential-notes" else 1)
    rule = Rule(key, title, task, epsilon * scale, rational_epsilon(design.privacy) * scale, noise, says)
    return _stepped(rule, design) if steps else rule


def _stepped(rule: Rule, design: ChoiceDesign) -> Rule:
    """Staircase weights: with the gamma chosen, or for a table with the one that costs least on average over its rows.

    For one vector of utilities the best gamma would depend on what is to be kept private: there it is 1.
    """
    if design.gamma != "optimal":
        return replace(rule, steps=exact(design.gamma, "gamma") or Fraction(1))
    task = rule.task
    if not task.table or task.numbers.size > _MOST_EQUAL:
        return replace(rule, steps=Fraction(1))
    rows = [task.exactly(row) for row in range(len(task.numbers))]
    places = sorted({(-utility / task.delta) % 1 for row in rows for utility in row} - {Fraction(0)})
    gammas = [Fraction(1), *places[:: len(places) // _MOST_GAMMAS + 1]]
    return min((replace(rule, steps=gamma) for gamma in gammas), key=lambda each: float(np.mean(each.shortfall)))
