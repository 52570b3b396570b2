"""Run a choice design: its rules at once, then their limits and the worst neighbour."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from dpdesigner.core.basics.parsing import exact, nearest
from dpdesigner.core.choice.mechanisms import rational_epsilon
from dpdesigner.core.choice.rule import Rule, Task, best_steps, tuned
from dpdesigner.core.choice.utilities import Utilities
from dpdesigner.data.options import count_categories
from dpdesigner.studies.choice.answer import ChoiceAnswer
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.inputs import TITLES
from dpdesigner.studies.choice.panels import OF_TABLES, PANELS
from dpdesigner.studies.study import Progress, silent

_MOST_EQUAL = 4000  # table cells up to which equal privacy is computed


def run(design: ChoiceDesign, progress: Progress = silent) -> ChoiceAnswer:
    """Compute the rules, the limit on them, and their attained privacy."""
    answer = solved(design, progress)
    if answer.task.table:
        return answer
    worst = answer.rule.find_worst(progress)
    return replace(answer, worst=worst, limit=answer.find_limit(progress) if answer.limited else None)


def solved_after(before: ChoiceAnswer | None, design: ChoiceDesign, progress: Progress = silent) -> ChoiceAnswer:
    """Compute the rules; keep the limit of an earlier answer if it is the same, as after another name or rule."""
    answer = solved(design, progress)
    return answer if before is None or before.limited_by != answer.limited_by else replace(answer, limit=before.limit)


def solved(design: ChoiceDesign, progress: Progress = silent) -> ChoiceAnswer:
    """Compute the rules; the limit and the worst neighbour are left for later."""
    utilities, names, people, outside = design.utilities, design.names, None, 0
    if utilities is None:
        tally = count_categories(design.path, design.column, design.categories)
        utilities, people, outside = Utilities.checked(tally.counts), tally.people, tally.outside
        names = names or tally.categories
    task = Task(
        utilities.numbers,
        utilities.fractions,
        design.exact_sensitivity,
        design.monotone,
        design.neighbouring if utilities.table else design.neighbours,  # type: ignore[arg-type]  # of a vector it is a word
        _base(design),
        utilities.table,
        design.edges is not None,
    )
    rules = {key: _rule(key, design, task) for key in TITLES if _has(design, key)}
    names = names or tuple(f"option {place + 1}" for place in range(task.options))
    answer = ChoiceAnswer(design, names, rules, OF_TABLES if task.table else PANELS, people, outside)
    answer.rule.compute(progress)
    if task.table and task.numbers.size <= _MOST_EQUAL:
        answer = replace(answer, equal=tuned(answer.rivals, design.epsilon, progress))
    return answer


def _has(design: ChoiceDesign, key: str) -> bool:
    """Return whether a rule applies: a base measure or interval cells allow only the exponential mechanism."""
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
    printed = {"exponential-cacm": 1 / task.delta, "exponential-notes": Fraction(1), "exponential-blr": 1 / (2 * task.delta)}
    scale = printed.get(key, 1 / design.reach)
    epsilon = design.exact_epsilon
    says = design.epsilon * (2 * nearest(task.delta) if key == "exponential-notes" else 1)
    rule = Rule(key, title, task, epsilon * scale, rational_epsilon(design.privacy) * scale, noise, says)
    return _stepped(rule, design) if steps else rule


def _stepped(rule: Rule, design: ChoiceDesign) -> Rule:
    """Return staircase weights with the chosen gamma, or for a table with the one of least average cost over its rows.

    For one vector of utilities the best gamma would depend on what is to be kept private: there it is 1.
    """
    if design.gamma != "optimal":
        return replace(rule, steps=exact(design.gamma, "gamma") or Fraction(1))
    one = not rule.task.table or rule.task.numbers.size > _MOST_EQUAL
    return replace(rule, steps=Fraction(1)) if one else best_steps(rule)
