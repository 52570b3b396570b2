"""The pictures of a choice beside its bars: falling short, against epsilon, and what a constant really is worth."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.rule import Rule
from dpdesigner.core.numbers.parsing import nearest
from dpdesigner.core.numbers.rounding import significant
from dpdesigner.messages import message
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.panels import Axis, Handle, Line, Mark, Plot
from dpdesigner.studies.study import Progress, silent

_POINTS, _LEVELS = 241, 49
_WIDEST = 1e3  # how much more and less than the level is looked at: its root either way
_REST = 1e-3  # of the chance, where the picture of falling short ends


def falling_short(outcome: ChoiceOutcome, beside: Rule | None = None, row: int = 0) -> Plot:
    """Return how likely more than t is lost, beside the theorem's bound, which above 1 is empty."""
    rule, secret = outcome.rule, outcome.design.secret
    gaps = outcome.task.most[row, 0] - outcome.task.numbers[row]
    widest = float(gaps.max()) or 1.0
    bound_end = float(np.log(rule.crowd / _REST) / max(nearest(rule.rate), 1e-300))
    t = np.linspace(0, min(widest * 1.02, max(bound_end, widest * 0.02)), _POINTS)
    t = np.unique(np.concatenate([t, gaps[gaps <= t[-1]]]))
    lines = [Line(t, rule.chance_below(t, row), rule.title, steps=True, secret=secret)]
    if beside is not None and beside.key != rule.key:
        lines.append(Line(t, beside.chance_below(t, row), beside.title, "rival", dashed=True, steps=True, secret=secret))
    bound = rule.bound_below(t)
    lines.append(Line(t, np.minimum(bound, 1.0), message("bound"), "bound", dashed=True, secret=secret))
    unit = outcome.unit
    label = message("t, people short of the most") if unit else message("t, short of the best")
    empty = float(np.log(rule.crowd) / max(nearest(rule.rate), 1e-300))
    crowd, rate = significant(rule.crowd, 3), significant(nearest(rule.rate), 3)
    under = message(
        "Bound {crowd} e<sup>−{rate} t</sup>: empty, above 1, up to t = {empty}.",
        crowd=crowd,
        rate=rate,
        empty=significant(empty, 3),
    )
    title = message("How far short it may fall")
    return Plot("short", title, Axis(label), Axis(message("chance of more"), limits=(0.0, 1.0)), tuple(lines), under=(under,))


def constants(outcome: ChoiceOutcome) -> Plot:
    """Return the real epsilon of exp(u / Delta), called 1, between two vectors with utilities in [0, Delta]."""
    options = np.unique(np.round(np.geomspace(2, 1000, 121)))
    lines = (
        Line(options, worst_in_unit(options), message("exp(ε u/Δ), utilities in [0, Δ]")),
        Line(options, np.full(len(options), 2.0), message("over all utilities (never reached)"), "bound", dashed=True),
        Line(options, np.ones(len(options)), message("what it is called"), "rival", dashed=True),
    )
    here = float(min(max(outcome.task.options, 2), 1000))
    marks = [Mark(10.0, float(worst_in_unit(np.array([10.0]))[0]), "e^1.776")]
    if here != 10:
        value = float(worst_in_unit(np.array([here]))[0])
        marks.append(Mark(here, value, significant(value, 4), "main"))
    under = message("Where all utilities move the same way it is 1 for any number of options.")
    x = Axis(message("options"), scale="log")
    return Plot(
        "constants",
        message("What a mechanism called 1 has"),
        x,
        Axis("ε", limits=(0.9, 2.1)),
        lines,
        tuple(marks),
        under=(under,),
    )


def worst_in_unit(options: Floats) -> Floats:
    """Return 1 + ln(1 + (k - 1) e) - ln(e + k - 1): ln of the ratio of one chance for (1, 0, .., 0) and (0, 1, .., 1)."""
    return np.asarray(1 + np.log1p((options - 1) * np.e) - np.log(np.e + options - 1))


def against_epsilon(outcome: ChoiceOutcome, progress: Progress = silent) -> Plot:
    """Return how often each rule names the best, as the level changes."""
    epsilon, secret = outcome.design.epsilon, outcome.design.secret
    spread = np.sqrt(_WIDEST)
    levels = np.unique(np.append(np.geomspace(max(epsilon / spread, 1e-6), min(epsilon * spread, 1400.0), _LEVELS), epsilon))
    lines = []
    for number, rule in enumerate(outcome.rivals):
        if rule.key == "staircase":
            continue
        values = []
        for place, level in enumerate(levels.tolist()):
            progress((number + place / len(levels)) / len(outcome.rivals), rule.title)
            changed = replace(rule, rate=rule.rate * Fraction(level) / outcome.design.exact_epsilon)
            values.append(float(np.mean(changed.chance_of_best)))
        role = "main" if rule.key == outcome.design.rule else "rival"
        lines.append(Line(levels, np.array(values), rule.title, role, dashed=role == "rival", secret=secret))  # type: ignore[arg-type]
    lines.sort(key=lambda line: line.role != "main")
    handle = Handle(epsilon, message("ε = {epsilon}", epsilon=significant(epsilon, 3)), "epsilon")
    y = Axis(message("gets it right"), limits=(0.0, 1.0))
    return Plot("sweep", message("Against ε"), Axis("ε", scale="log"), y, tuple(lines), handles=(handle,))
