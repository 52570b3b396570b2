"""What the count page computes in the background, and what only its jobs return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpdesigner.core.mechanism import Mechanism
from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.desktop.pages.page import Job
from dpdesigner.errors import InputError
from dpdesigner.studies.count import CountDesign, CountOutcome, solve
from dpdesigner.studies.count_costs import cost_curves, cost_table, epsilon_for_loss
from dpdesigner.studies.count_witness import LARGEST_FOLLOWED_N, LARGEST_N, WarmWitness, Witness
from dpdesigner.studies.study import Progress

#: Up to here the alternatives and the curves keep up with the mouse, the fractions take well under a second.
_LIVE_COSTS, _LIVE_CURVES, _EXACT = 150, 60, 120


@dataclass(frozen=True)
class Draws:
    """Releases drawn for a true count."""

    row: int
    values: list[int]


@dataclass(frozen=True)
class Aim:
    """The level that reaches a target loss, and whether the drag that asked for it has ended."""

    study: CountDesign
    level: PrivacyLevel
    final: bool


@dataclass(frozen=True, eq=False)
class Compared:
    """The closed form and the linear program's answer for one design."""

    closed: CountOutcome
    witness: Witness

    @property
    def study(self) -> CountDesign:
        """The design."""
        return self.witness.study


def jobs_of(study: CountDesign, witness: WarmWitness, program: str) -> Sequence[Job]:
    """Return what is computed for a design: closed form at once, then the linear program, costs, curves and fractions.

    Parameters
    ----------
    study : CountDesign
    witness : WarmWitness
        Kept from design to design, so that a drag is followed.
    program : str
        What the status bar calls the linear program.
    """
    jobs = [Job("solve", study.run, live=True)]
    if study.n <= LARGEST_FOLLOWED_N:
        jobs.append(Job("follow", lambda progress: _follow(study, witness, progress), slow=True, live=True))
    jobs += [
        Job("costs", lambda progress: cost_table(study, progress), slow=True, live=study.n <= _LIVE_COSTS),
        Job("curves", lambda progress: cost_curves(study, progress), slow=True, live=study.n <= _LIVE_CURVES),
    ]
    if study.n <= _EXACT and study.privacy.exact_alpha is not None and study.covered:
        jobs.append(Job("exact", lambda progress: _solve_exactly(study), slow=True, live=False))
    if study.n <= LARGEST_N:
        jobs.append(Job("witness", lambda progress: witness.settle(study, progress), slow=True, live=False, title=program))
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


def _follow(study: CountDesign, witness: WarmWitness, progress: Progress) -> Compared:
    return Compared(solve(study), witness.follow(study, progress))


def _solve_exactly(design: CountDesign) -> CountOutcome | None:
    """Solve a design in fractions; None where its loss is irrational."""
    try:
        return solve(design, exact=True)
    except InputError:
        return None
