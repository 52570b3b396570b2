"""The same question asked in another way: what stays and what has to change when the kind of a query does."""

from __future__ import annotations

import math

from dpdesigner.core.cost.noise_cost import PowerCost
from dpdesigner.core.numbers.given import exact
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.noise.design import NoiseStudy
from dpdesigner.studies.noise.outcome import NoiseOutcome

#: The Count page starts from this many rows.
_ROWS = 20


def converted(study: NoiseStudy, query: str) -> NoiseStudy:
    """Return a study of another kind of query.

    A sensitivity between two whole numbers becomes the larger one where whole numbers are asked for. That of a histogram belongs
    to its cells, so a number that is asked for instead starts from that of a count.
    """
    if query == study.query:
        return study
    if study.query == "histogram" and query != "table":
        study = study.replace(query="real", sensitivity=1)
    if query == "integer":
        sensitivity = max(math.ceil(exact(study.sensitivity, "sensitivity")), 1)
        return study.replace(query=query, sensitivity=sensitivity, dimension=1, delta=None)
    if query == "real":
        return study.replace(query=query)
    changes = {"gamma": "optimal"} if query == "histogram" else {}
    return study.replace(query=query, dimension=1, delta=None, weights=(), **changes)


def as_count(outcome: NoiseOutcome) -> CountDesign | None:
    """Return the design of the Count page whose noise this is; None where it is not the geometric mechanism."""
    privacy = outcome.geometric
    if privacy is None:
        return None
    cost = outcome.study.noise_cost
    loss = (
        {1.0: "absolute", 2.0: "squared"}.get(cost.power, f"power:{cost.power:g}") if isinstance(cost, PowerCost) else "absolute"
    )
    return CountDesign(_ROWS, privacy=privacy, prior="uniform", loss=loss, name=outcome.study.name)
