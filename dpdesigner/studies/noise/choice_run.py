"""Running a table study: the mechanism of the gamma chosen, or of the best one."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesigner.core.numbers.given import Number, exact
from dpdesigner.studies.noise.choice_outcome import TableOutcome
from dpdesigner.studies.noise.choice_query import TableQuery
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.study import Progress, silent

_MOST_GAMMAS = 64


def compute(study: NoiseStudy, query: TableQuery, progress: Progress = silent) -> TableOutcome:
    """Compute the mechanism of a table study."""
    if study.gamma != "optimal":
        return TableOutcome(study, query, query.mechanism(study.epsilon, study.gamma), study.gamma)
    found = [TableOutcome(study, query, query.mechanism(study.epsilon, gamma), gamma) for gamma in _gammas(query)]
    return min(found, key=lambda outcome: outcome.cost)


def _gammas(query: TableQuery) -> Sequence[Number]:
    """One gamma for each way in which the weights can step: 1, and each place in the period at which a cost lies."""
    period = query.mechanism(1.0).sensitivity
    if not period:
        return (1,)
    places = sorted({(exact(cost, "costs") / period) % 1 for row in query.costs for cost in row} - {0})
    return (1, *places[:: len(places) // _MOST_GAMMAS + 1])
