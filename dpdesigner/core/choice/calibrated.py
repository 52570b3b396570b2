"""Rules of a table at equal real privacy: each is tuned until the ratios of chances between neighbouring rows are e^epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from dpdesigner.core.choice.rule import Rule
from dpdesigner.progress import Progress, silent

_HALVINGS = 40
_SLOW = 400  # cells of a table for rules whose chances take quadrature


def tuned(rules: Sequence[Rule], epsilon: float, progress: Progress) -> dict[str, float]:
    """Return what each rule costs on average over the rows, less than the best, at the real epsilon asked.

    Rules whose chances do not depend on the data at all are left out.
    """
    shortfalls = {}
    for rule in rules:
        if rule.noise != "gumbel" and rule.task.numbers.size > _SLOW:
            continue
        made = at_real(rule, epsilon, progress)
        if made is not None:
            shortfalls[rule.key] = float(np.mean(made.shortfall))
    return shortfalls


def at_real(rule: Rule, epsilon: float, progress: Progress = silent) -> Rule | None:
    """Return the rule with the rate at which its real epsilon over the rows is the one asked, or a little less.

    None where no rate comes so far.
    """
    low, high = Fraction(0), rule.rate
    for _ in range(_HALVINGS):
        if _level(replace(rule, rate=high), progress) >= epsilon:
            break
        low, high = high, 2 * high
    else:
        return None
    for _ in range(_HALVINGS):
        middle = Fraction(float((low + high) / 2))
        if _level(replace(rule, rate=middle), progress) <= epsilon:
            low = middle
        else:
            high = middle
    return replace(rule, rate=low)


def _level(rule: Rule, progress: Progress) -> float:
    progress(None, rule.title)
    return float(np.max(rule.epsilon_here))
