"""The buttons of an inspection, and what is computed beside it: the same count released several times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpdesigner.core.inspection.curves import Exact
from dpdesigner.core.inspection.profile import profile
from dpdesigner.core.numbers.parsing import exact
from dpdesigner.messages import message
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.snapshot import Action, Snapshot
from dpdesigner.studies.study import Progress, silent

_MOST_ROWS = 200  # of a table that is looked at for several releases
_AGAIN = (1, 2, 3, 5, 10)


@dataclass(frozen=True)
class Again:
    """The same count released several times: how many are found out, bets won, and what epsilon does not cover."""

    releases: int
    found_out: Exact
    success: Exact
    delta: Exact


def compute_again(answer: Any, progress: Progress = silent) -> list[Again]:
    """Compare the rows for 1, 2, 3, 5 and 10 releases; what is not exact is rounded up."""
    design, table = answer.design, answer.profile.table
    group = max((abs(i - k) for i, k in answer.profile.pairs), default=1)
    rows = []
    for releases in _AGAIN if table.n < _MOST_ROWS else ():
        same = releases == answer.profile.releases
        found = answer.profile if same else profile(table, group, releases, progress, roughly=True)
        shares = found.found_out(exact(design.false_alarms)), found.success(exact(design.base_rate))
        level = design.privacy
        rows.append(Again(releases, *shares, found.delta(1 / level.alpha_above if level.alpha_above else math.inf)))
    return rows


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
    message("The counts at which most are found out (W)"),
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
    message("Geometric noise that is as useful, or a table in keys"),
    when=_can_be_private,
)
