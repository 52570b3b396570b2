"""Running a choice design: the mechanism of the gamma chosen, or of the best one."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.studies.choice.design import ChoiceDesign
from dpdesigner.studies.choice.outcome import ChoiceOutcome
from dpdesigner.studies.study import Progress, silent

_MOST_GAMMAS = 64


def run(design: ChoiceDesign, progress: Progress = silent) -> ChoiceOutcome:
    """Compute the probabilities."""
    gammas = _gammas(design) if design.gamma == "optimal" else (design.gamma,)
    return min((ChoiceOutcome(design, design.mechanism(gamma), gamma) for gamma in gammas), key=lambda outcome: outcome.cost)


def _gammas(design: ChoiceDesign) -> Sequence[Number]:
    """One gamma for each way in which the weights can step: 1, and each place in the period at which a cost lies."""
    period = design.mechanism(1).sensitivity
    if not period:
        return (1,)
    places = sorted({(exact(cost, "costs") / period) % 1 for row in design.costs for cost in row} - {0})
    return (1, *places[:: len(places) // _MOST_GAMMAS + 1])
