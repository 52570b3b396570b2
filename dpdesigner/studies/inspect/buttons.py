"""The buttons of an inspection, and what is computed beside it: the same count released several times."""

from __future__ import annotations

import math
from typing import Any

from dpdesigner.core.inspection.again import Again, several_releases
from dpdesigner.core.numbers.parsing import exact
from dpdesigner.messages import message
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.snapshot import Action, Snapshot
from dpdesigner.studies.study import Progress, silent


def compute_again(answer: Any, progress: Progress = silent) -> list[Again]:
    """Compare the rows for 1, 2, 3, 5 and 10 releases."""
    design, alpha = answer.design, answer.design.privacy.alpha_above
    shares = exact(design.false_alarms), exact(design.base_rate)
    return several_releases(answer.profile, *shares, 1 / alpha if alpha else math.inf, progress)


def private_count(now: Snapshot) -> CountDesign:
    """Return the design of geometric noise that is as useful for the same reader."""
    answer, design = now.answer, now.design
    same = answer.findings["epsilon_same_use"].number
    return CountDesign(answer.reader.table.n, epsilon=f"{same:.5g}", prior=design.prior, loss=design.loss)


def _can_be_private(now: Snapshot) -> bool:
    same = now.answer.findings["epsilon_same_use"].number
    return same is not None and 0 < same < 700 and 1 <= now.answer.reader.table.n <= 1000


def _toggle(name: str) -> Any:
    return lambda now: {name: not now.view[name]}


WORST = Action(
    message("Worst pair"),
    lambda now: {"pair": -1, "all": False},
    message("The counts with the highest risk of detection (W)"),
    on="away",
)
ALL = Action(message("All pairs"), _toggle("all"), message("The curves of all neighbouring counts"), on="away")
LOG = Action(message("Log scale"), _toggle("linear"), message("δ on a logarithmic or a linear scale (L)"), on="away")
FRACTIONS = Action(
    message("Fractions"),
    _toggle("fractions"),
    message("The entries of the table as fractions"),
    on="reading",
    when=lambda now: now.answer.releases.exact,
)
PRIVATE = Action(
    message("Make it private…"),
    lambda now: None,
    message("Geometric noise with the same accuracy, or a table in keys"),
    when=_can_be_private,
)
