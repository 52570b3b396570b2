"""Solving a count design: in closed form, by the structure of its loss where n is large, or exactly.

The closed form is the geometric mechanism followed by the user's Bayes remap; how good it is says its own certificate.
"""

from __future__ import annotations

import math

import numpy as np

from dpdesigner.core.dense.certificate import Certificate, certify
from dpdesigner.core.dense.exact import solve_exactly
from dpdesigner.core.dense.remap import bayes_remap
from dpdesigner.core.large.memory import check_memory
from dpdesigner.core.large.remap import Structure, structured_remap
from dpdesigner.core.mechanism.remapped_geometric import RemappedGeometric
from dpdesigner.core.numbers.given import cut
from dpdesigner.core.problem.loss import LARGEST_DENSE_N
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.outcome import CountOutcome
from dpdesigner.studies.study import Progress, silent

#: Above this n a loss with structure is solved without its matrix.
LARGEST_WITH_MATRIX = 2000
#: From this n on memory is looked at: a solution in linear time holds some fifty arrays of doubles at its peak.
_MEMORY_FROM, _BYTES_A_ROW = 1_000_000, 440


def run(design: CountDesign, progress: Progress = silent) -> CountOutcome:
    """Solve a count design in closed form."""
    return solve(design, progress=progress)


def run_exactly(design: CountDesign, progress: Progress = silent) -> CountOutcome:
    """Solve a count design in fractions."""
    return solve(design, exact=True, progress=progress)


def solve(design: CountDesign, exact: bool = False, progress: Progress = silent) -> CountOutcome:
    """Solve a count design in closed form: geometric mechanism, Bayes remap, certificate.

    Losses with structure (absolute, squared, zero-one, threshold, pinball, relative, and those drawn by distance that rise by few
    steps) are solved in linear time above n = 2000: a million rows take about a second. Their certificate tests every column
    where that takes a fraction of a second, else some of them, and rests on Theorem A for the others; its `basis` says so.

    Parameters
    ----------
    design : CountDesign
    exact : bool
        Work in rational arithmetic; needs alpha, prior and loss to be rational.
    progress : Progress
        Told how far it is; may cancel.

    Returns
    -------
    CountOutcome
        For losses outside Theorem A this is still the best way to use the geometric mechanism, and the gap says how far it can
        be from the optimum; `linear_program` gives the optimum itself.

    Raises
    ------
    InputError
        If `exact` is asked of irrational inputs or of an n above 5000.
    """
    if exact:
        return _solve_exactly(design)
    if design.prior.certain is not None:
        return _solve_certain(design, design.prior.certain)
    if design.n > LARGEST_WITH_MATRIX and design.structure is not None:
        return _solve_by_structure(design, design.structure, progress)
    costs = design.costs
    remap = bayes_remap(costs.prior, costs.loss, design.privacy, monotone=design.covered, turns=costs.turns)
    certificate = certify(costs, remap.dual, remap.value, design.privacy.alpha, remap.sums)
    if certificate.gap > 1e-12 * abs(remap.value) and design.privacy.one_minus_alpha < 1e-3:
        # As alpha tends to 1 the dual above cancels; the costs of the best constant are nearly feasible there.
        constant = costs.prior * costs.loss[:, int((costs.prior @ costs.loss).argmin())]
        certificate = min(
            certificate, certify(costs, constant, remap.value, design.privacy.alpha), key=lambda candidate: candidate.gap
        )
    return CountOutcome(design, RemappedGeometric(design.privacy, design.n, remap.outputs), remap.value, certificate)


def _solve_certain(design: CountDesign, result: int) -> CountOutcome:
    """Whoever knows the count answers it whatever is released; no mechanism costs less than the least loss of that count."""
    given = design.structure if design.n > LARGEST_WITH_MATRIX else None
    if given is None:
        losses = design.loss.matrix(design.n)[result]
        answer, value = int(losses.argmin()), float(losses.min())
    else:
        answer, value = int(given.kind.first_reading(np.array([result]))[0]), given.offset
    dual = np.zeros(design.n + 1)
    dual[result] = value
    gap = math.nextafter(2.0**-51 * abs(value), math.inf) if value else 0.0  # the loss is a double within a unit of the truth
    induced = RemappedGeometric(design.privacy, design.n, np.full(design.n + 1, answer))
    return CountOutcome(design, induced, value, Certificate(dual, gap, 0.0))


def _solve_by_structure(design: CountDesign, given: Structure, progress: Progress) -> CountOutcome:
    if design.n >= _MEMORY_FROM:
        check_memory(_BYTES_A_ROW * design.n, design.n)
    progress(None, f"{design.n + 1} counts")
    remap = structured_remap(design.prior.probabilities, given, design.privacy)
    progress(0.6, "certificate")
    progress(1.0, remap.certificate.basis)
    return CountOutcome(design, RemappedGeometric(design.privacy, design.n, remap.outputs), remap.value, remap.certificate)


def _solve_exactly(design: CountDesign) -> CountOutcome:
    alpha = design.privacy.exact_alpha
    if design.n > LARGEST_DENSE_N:
        raise InputError(f"exact arithmetic needs n of at most {LARGEST_DENSE_N}, got {design.n}.", "n")
    if alpha is None:
        raise InputError(
            f"exact arithmetic needs a rational alpha, such as 1/2; exp(-{cut(design.privacy.number)}) is irrational.", "epsilon"
        )
    solution = solve_exactly(design.prior.exact, design.loss.exact_matrix(design.n), alpha)
    induced = RemappedGeometric(design.privacy, design.n, solution.outputs)
    return CountOutcome(design, induced, solution.value, solution.certificate)
