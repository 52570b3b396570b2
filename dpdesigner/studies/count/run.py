"""Solving a count design in closed form: the geometric mechanism followed by the user's Bayes remap."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from dpdesigner.core.count.closed_form import closed_form
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountAnswer
from dpdesigner.studies.study import Progress, silent

if TYPE_CHECKING:
    from dpdesigner.studies.count.delta import DeltaAnswer

Solved: TypeAlias = "CountAnswer | DeltaAnswer"


def run(design: CountDesign, progress: Progress = silent) -> Solved:
    """Solve a count design in closed form."""
    return solve(design, progress=progress)


def run_exactly(design: CountDesign, progress: Progress = silent) -> Solved:
    """Solve a count design in fractions."""
    return solve(design, exact=True, progress=progress)


def solve(design: CountDesign, exact: bool = False, progress: Progress = silent) -> Solved:
    """Solve a count design in closed form; parameters and errors as `dpdesigner.core.count.closed_form.closed_form`.

    A design with a delta above 0 is solved by `dpdesigner.studies.count.delta.solve_with_delta`.
    """
    if design.uncovered:
        from dpdesigner.studies.count.delta import solve_with_delta  # late: a window opens without it

        return solve_with_delta(design, exact, progress)
    return solve_in_closed_form(design, exact, progress)


def solve_in_closed_form(design: CountDesign, exact: bool = False, progress: Progress = silent) -> CountAnswer:
    """Solve a count design without regard to a delta; parameters and errors as `solve`."""
    form = closed_form(design, exact, progress)
    return CountAnswer(design, form.induced, form.value, form.certificate)
