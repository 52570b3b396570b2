"""The jobs of a count design, one part after the other, and the results that only these jobs return."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpdesigner.core.count.closed_form import LARGEST_FOLLOWED_N, LARGEST_PROGRAM_N
from dpdesigner.core.count.costs import (
    LARGEST_OPTIMAL_N,
    cost_curves,
    epsilon_for_aim,
    optimal_curve,
    reachable_losses,
    rough_first,
)
from dpdesigner.core.count.delta_mechanism import error_at
from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.count.answer import Compared, WarmCheck, cost_table
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.result import CountAnswer
from dpdesigner.studies.count.run import Solved, level_with_delta, solve
from dpdesigner.studies.study import Aim, Job, Progress

#: Up to this n a whole matrix is kept; above it only the visible part is computed.
LARGEST_HELD = 1500

#: Up to these n the alternatives and the curves keep up with the mouse, and fractions take well under a second.
_LIVE_COSTS, _LIVE_CURVES, _EXACT = 150, 60, 120
#: The same with a delta: live updates, live updates that need a linear program, and fractions.
_LIVE_DELTA, _LIVE_DELTA_PROGRAM, _EXACT_DELTA = 100, 6, 24


@dataclass(frozen=True)
class Draws:
    """Releases drawn for a true count."""

    row: int
    values: list[int]


@dataclass(frozen=True)
class Reach:
    """The least and the largest optimal expected loss over all privacy levels."""

    design: CountDesign
    best: float
    worst: float


def jobs(design: CountDesign, view: Mapping[str, Any], session: MutableMapping[str, Any]) -> Sequence[Job]:
    """Return the jobs for a design: the closed form at once, then the linear program, costs, curves and fractions.

    The session keeps the linear program from design to design, so that a drag is followed; what is open changes nothing.
    """
    if design.uncovered:
        return _jobs_with_delta(design)
    lp_check: WarmCheck = session.setdefault("lp_check", WarmCheck())
    live, curves = design.n <= _LIVE_COSTS, message("loss against ε")
    planned = [Job("solve", partial(_solve, design), live=True)]
    if design.n <= LARGEST_FOLLOWED_N:
        planned.append(Job("follow", partial(_follow, design, lp_check), slow=True, live=True))
    planned += [
        Job("reach", lambda progress: Reach(design, *reachable_losses(design)), slow=True, live=live),
        Job("costs", partial(cost_table, design), slow=not live, live=live, title=message("costs of other methods")),
    ]
    if rough_first(design.n):
        planned.append(Job("rough", partial(cost_curves, design, rough=True), slow=True, live=False, title=curves))
    planned.append(Job("curves", partial(cost_curves, design), slow=True, live=design.n <= _LIVE_CURVES, title=curves))
    if not design.covered and design.n <= LARGEST_OPTIMAL_N:
        best = partial(optimal_curve, design)
        planned.append(Job("optimum", best, slow=True, live=False, title=message("optimum against ε")))
    if design.n <= _EXACT and design.privacy.exact_alpha is not None and design.covered:
        planned.append(Job("exact", lambda progress: _solve_exactly(design), slow=True, live=False))
    if design.n <= LARGEST_PROGRAM_N:
        settle = partial(lp_check.settle, design)
        planned.append(Job("lp_check", settle, slow=True, live=False, title=message("linear program")))
    return planned


def _jobs_with_delta(design: CountDesign) -> Sequence[Job]:
    """Return the jobs: cells and their reading, then fractions; a linear program slower than a frame does not run live."""
    quick = design.n <= (_LIVE_DELTA_PROGRAM if design.further else _LIVE_DELTA) and (
        design.covered or design.n <= _LIVE_DELTA_PROGRAM
    )
    planned = [Job("solve", partial(_solve, design), slow=not quick, live=quick, title=message("best with δ"))]
    if design.further:
        return planned
    planned.append(Job("reach", partial(_reach_with_delta, design), slow=True, live=quick))
    if design.n <= _EXACT_DELTA and design.privacy.exact_alpha is not None and design.covered:
        planned.append(Job("exact", lambda progress: _solve_exactly(design), slow=True, live=False))
    return planned


def _reach_with_delta(design: CountDesign, progress: Progress) -> Reach:
    costs = design.prior.probabilities[:, None] * design.loss.matrix(design.n)
    return Reach(design, design.least_loss, error_at(costs, design.uncovered, 0.0))


def drawing(mechanism: Mechanism, row: int, many: int) -> Job:
    """Return the job that draws real releases of a true count."""

    def draw(progress: Progress) -> Draws:
        return Draws(row, [mechanism.draw(row) for _ in range(many)])

    return Job("draw", draw)


def aiming(design: CountDesign, target: float, final: bool) -> Job:
    """Return the job that finds the most private level whose expected loss is at most a target."""
    if design.uncovered:
        return Aim.job(design, final, lambda progress: level_with_delta(design, target, progress))
    return Aim.job(design, final, lambda progress: epsilon_for_aim(design, target))


def _solve(study: CountDesign, progress: Progress) -> Solved:
    """Solve a design, and compute in advance what the window needs from every outcome."""
    outcome = solve(study, progress=progress)
    if study.n <= LARGEST_HELD:
        outcome.induced.matrix  # noqa: B018  (computed once, then kept)
    if isinstance(outcome, CountAnswer) and study.n > LARGEST_HELD:
        outcome.findings  # noqa: B018
        everywhere = np.array([0])
        for mechanism in (outcome.induced, outcome.released):
            mechanism.intervals.largest(everywhere, study.n + 1, everywhere, study.n + 1)
    return outcome


def _follow(study: CountDesign, lp_check: WarmCheck, progress: Progress) -> Compared:
    return Compared(solve(study), lp_check.follow(study, progress))


def _solve_exactly(design: CountDesign) -> Solved | None:
    """Solve a design in fractions; None if its loss is irrational."""
    try:
        return solve(design, exact=True)
    except InputError:
        return None
