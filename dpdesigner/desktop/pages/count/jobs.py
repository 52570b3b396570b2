"""What the count page computes in the background, and what only its jobs return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from dpdesigner.core.mechanism.mechanism import Mechanism
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies.count.answer import Compared
from dpdesigner.studies.count.costs import cost_curves, cost_table, epsilon_for_loss, reachable_losses, rough_first
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.count.run import solve
from dpdesigner.studies.count.witness import LARGEST_FOLLOWED_N, LARGEST_N, WarmWitness
from dpdesigner.studies.job import Job
from dpdesigner.studies.study import Progress

#: Up to this n a matrix is held as a whole, above it only what is in view is computed.
LARGEST_HELD = 1500

#: Up to here the alternatives and the curves keep up with the mouse, the fractions take well under a second.
_LIVE_COSTS, _LIVE_CURVES, _EXACT = 150, 60, 120


class Titles(NamedTuple):
    """What the status bar calls the jobs that may take long."""

    program: str = ""
    costs: str = ""
    curves: str = ""


@dataclass(frozen=True)
class Draws:
    """Releases drawn for a true count."""

    row: int
    values: list[int]


@dataclass(frozen=True)
class Aim:
    """The level that reaches a target loss, and whether the drag that asked for it has ended."""

    design: CountDesign
    level: PrivacyLevel
    final: bool


@dataclass(frozen=True)
class Reach:
    """The least and the largest optimal expected loss over all privacy levels."""

    design: CountDesign
    best: float
    worst: float


def jobs_of(study: CountDesign, witness: WarmWitness, titles: Titles) -> Sequence[Job]:
    """Return what is computed for a design: closed form at once, then the linear program, costs, curves and fractions.

    Parameters
    ----------
    study : CountDesign
    witness : WarmWitness
        Kept from design to design, so that a drag is followed.
    titles : Titles
        What the status bar calls those that may take long.
    """
    jobs = [Job("solve", partial(_solve, study), live=True)]
    if study.n <= LARGEST_FOLLOWED_N:
        jobs.append(Job("follow", lambda progress: _follow(study, witness, progress), slow=True, live=True))
    jobs += [
        Job("reach", lambda progress: Reach(study, *reachable_losses(study)), slow=True, live=study.n <= _LIVE_COSTS),
        Job("costs", partial(cost_table, study), slow=True, live=study.n <= _LIVE_COSTS, title=titles.costs),
    ]
    if rough_first(study.n):
        jobs.append(Job("rough", partial(cost_curves, study, rough=True), slow=True, live=False, title=titles.curves))
    jobs.append(Job("curves", partial(cost_curves, study), slow=True, live=study.n <= _LIVE_CURVES, title=titles.curves))
    if study.n <= _EXACT and study.privacy.exact_alpha is not None and study.covered:
        jobs.append(Job("exact", lambda progress: _solve_exactly(study), slow=True, live=False))
    if study.n <= LARGEST_N:
        jobs.append(Job("witness", lambda progress: witness.settle(study, progress), slow=True, live=False, title=titles.program))
    return jobs


def drawing(mechanism: Mechanism, row: int, many: int) -> Job:
    """Return the job that draws real releases of a true count."""

    def draw(progress: Progress) -> Draws:
        return Draws(row, [mechanism.draw(row) for _ in range(many)])

    return Job("draw", draw)


def aiming(design: CountDesign, target: float, final: bool) -> Job:
    """Return the job that looks for the most private level whose expected loss is at most a target."""

    def aim(progress: Progress) -> Aim:
        return Aim(design, epsilon_for_loss(design, target), final)

    return Job("target", aim, live=True)


def _solve(study: CountDesign, progress: Progress) -> CountOutcome:
    """Solve a design, and compute also what the window asks of every outcome, so that it need not wait then."""
    outcome = solve(study, progress=progress)
    if study.n <= LARGEST_HELD:
        outcome.induced.matrix  # noqa: B018  (computed once, then kept)
    if study.n > LARGEST_HELD:
        outcome.findings  # noqa: B018
        everywhere = np.array([0])
        for mechanism in (outcome.induced, outcome.released):
            mechanism.intervals.largest(everywhere, study.n + 1, everywhere, study.n + 1)
    return outcome


def _follow(study: CountDesign, witness: WarmWitness, progress: Progress) -> Compared:
    return Compared(solve(study), witness.follow(study, progress))


def _solve_exactly(design: CountDesign) -> CountOutcome | None:
    """Solve a design in fractions; None where its loss is irrational."""
    try:
        return solve(design, exact=True)
    except InputError:
        return None
