"""The linear program as an independent witness for a count design, and as the answer where Theorem A does not hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.column_generation import solve_by_columns
from dpdesigner.core.linear_program import WarmProgram, solve_linear_program
from dpdesigner.core.mechanism import Table
from dpdesigner.errors import InputError
from dpdesigner.studies.count import CountDesign
from dpdesigner.studies.study import Progress, silent

Floats = NDArray[np.float64]

#: Above this n the full program has more than 40 000 variables and takes minutes.
LARGEST_N = 200


@dataclass(frozen=True, eq=False)
class Witness:
    """What the linear program says of a design.

    Attributes
    ----------
    study : CountDesign
    held : Table
        Its mechanism, exactly private after repair.
    value : float
        The expected loss of the repaired mechanism.
    gap : float
        Certified from the solver's own dual: value - optimum <= gap.
    repair_cost : float
        What making it private cost.
    iterations : int
    seconds : float
    """

    study: CountDesign
    held: Table
    value: float
    gap: float
    repair_cost: float
    iterations: int
    seconds: float

    @property
    def mechanism(self) -> Floats:
        """The repaired mechanism, (n + 1, n + 1), rows = true result, columns = released result."""
        return self.held.matrix

    @property
    def epsilon(self) -> float:
        """The privacy of the mechanism, rounded up."""
        return self.held.epsilon


def linear_program(design: CountDesign, progress: Progress = silent, warm: WarmProgram | None = None) -> Witness:
    """Solve a design by linear programming over all private mechanisms, without using any theorem.

    Losses that Theorem A covers go to HiGHS on the full program, as an independent witness; the others, where this is the answer
    that is shown, to column generation, which is as certain (its gap is certified the same way) and much faster.

    Parameters
    ----------
    design : CountDesign
    progress : Progress
        Told the number of iterations; may cancel.
    warm : WarmProgram, optional
        A program kept from an earlier call in the same thread, to start from its answer.

    Returns
    -------
    Witness

    Raises
    ------
    InputError
        If n is above 200.
    Cancelled
        If `progress` cancels.
    """
    if design.n > LARGEST_N:
        raise InputError(f"the linear program needs n of at most {LARGEST_N}, got {design.n}.", "n")
    costs = design.prior.probabilities[:, None] * design.loss.matrix(design.n)
    if design.covered:
        answer = solve_linear_program(costs, design.privacy.alpha, warm=warm, progress=progress)
    else:
        answer = solve_by_columns(costs, design.privacy.alpha, progress=progress)
    held = Table(design.privacy, answer.raw, answer.filler)
    return Witness(design, held, answer.value, answer.gap, answer.repair_cost, answer.iterations, answer.seconds)
