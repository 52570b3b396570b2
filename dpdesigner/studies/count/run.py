"""Solving a count design in closed form: the geometric mechanism followed by the user's Bayes remap."""

from __future__ import annotations

from dpdesigner.core.count.closed_form import closed_form
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.study import Progress, silent


def run(design: CountDesign, progress: Progress = silent) -> CountOutcome:
    """Solve a count design in closed form."""
    return solve(design, progress=progress)


def run_exactly(design: CountDesign, progress: Progress = silent) -> CountOutcome:
    """Solve a count design in fractions."""
    return solve(design, exact=True, progress=progress)


def solve(design: CountDesign, exact: bool = False, progress: Progress = silent) -> CountOutcome:
    """Solve a count design in closed form; parameters and errors as `dpdesigner.core.count.closed_form.closed_form`."""
    form = closed_form(design, exact, progress)
    return CountOutcome(design, form.induced, form.value, form.certificate)
