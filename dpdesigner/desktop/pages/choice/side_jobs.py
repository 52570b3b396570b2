"""What the choice page computes beside the rules: the limit, the worst neighbour, curves, draws. No widget is touched here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.choice.limit import Limit
from dpdesigner.core.numbers.rounding import significant
from dpdesigner.desktop.theme.translation import tr
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.choice.panels import against_epsilon
from dpdesigner.studies.choice.run import limit_of, released, solved
from dpdesigner.studies.panels import Plot
from dpdesigner.studies.study import Progress


@dataclass(frozen=True, eq=False)
class Limited:
    """What no rule exceeds for a design."""

    design: ChoiceDesign
    limit: Limit | None


@dataclass(frozen=True, eq=False)
class Swept:
    """The rules of a design against epsilon."""

    design: ChoiceDesign
    plot: Plot


@dataclass(frozen=True, eq=False)
class Drawn:
    """What was announced: how often each option, and the last one."""

    outcome: ChoiceOutcome
    row: int
    counts: NDArray[np.int64]
    last: int | float

    @property
    def many(self) -> int:
        """How often it was drawn."""
        return int(self.counts.sum())

    @property
    def sentence(self) -> str:
        """What was drawn, in words."""
        if self.many == 1:
            if self.outcome.design.edges is not None:
                return tr("Announced: {number}.").format(number=significant(float(self.last), 4))
            return tr("Announced: {name}.").format(name=self.outcome.names[int(np.argmax(self.counts))])
        task = self.outcome.task
        right = int(self.counts[task.numbers[self.row] == task.most[self.row]].sum())
        return tr("{right} of {many} were right.").format(right=right, many=self.many)


def limited(design: ChoiceDesign, progress: Progress) -> Limited:
    """Compute the limit."""
    return Limited(design, limit_of(solved(design, progress), progress))


def worsened(outcome: ChoiceOutcome, progress: Progress) -> ChoiceOutcome:
    """Look for the worst neighbour; the outcome keeps it."""
    outcome.rule.find_worst(progress)
    return outcome


def swept(outcome: ChoiceOutcome, progress: Progress) -> Swept:
    """Compute the rules against epsilon."""
    return Swept(outcome.design, against_epsilon(outcome, progress))


def drawn(outcome: ChoiceOutcome, row: int, many: int, progress: Progress) -> Drawn:
    """Draw so many times, exactly."""
    counts = np.zeros(outcome.task.options, dtype=np.int64)
    last: int | float = 0
    for place in range(many):
        progress(place / many, tr("drawing"))
        last = released(outcome, row)
        counts[_option(outcome, last)] += 1
    return Drawn(outcome, row, counts, last)


def _option(outcome: ChoiceOutcome, value: int | float) -> int:
    edges = outcome.design.edges
    if edges is None:
        return int(value)
    from dpdesigner.core.numbers.parsing import double

    ends = np.array([double(edge) for edge in edges])
    place = int(np.searchsorted(ends, value, side="right")) - 1
    return min(max(place, 0), len(ends) - 2)
