"""The linear program as an independent witness for a count design, and as the answer where Theorem A does not hold."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.mechanism.mechanism import Table
from dpdesigner.errors import InputError
from dpdesigner.studies.count.design import CountDesign
from dpdesigner.studies.count.found import findings_of, negligible
from dpdesigner.studies.findings import Finding
from dpdesigner.studies.study import Progress, silent

if TYPE_CHECKING:  # a window opens without them
    from dpdesigner.core.program.column_generation import WarmColumns
    from dpdesigner.core.program.linear_program import LinearProgramAnswer, WarmProgram

Floats = NDArray[np.float64]

#: Above this n the full program has more than 40 000 variables and takes minutes.
LARGEST_N = 200
#: Up to here a step of a drag is followed within a few frames.
LARGEST_FOLLOWED_N = 50


@dataclass(frozen=True, eq=False)
class Witness:
    """What the linear program says of a design.

    Attributes
    ----------
    design : CountDesign
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
    method : str
        How it was found, in words.
    """

    basis: ClassVar[str] = "dual of the linear program"

    design: CountDesign
    held: Table
    value: float
    gap: float
    repair_cost: float
    iterations: int
    seconds: float
    method: str

    @property
    def mechanism(self) -> Floats:
        """The repaired mechanism, (n + 1, n + 1), rows = true result, columns = released result."""
        return self.held.matrix

    @cached_property
    def proved(self) -> bool:
        """Whether the gap proves the mechanism optimal, up to the rounding of doubles."""
        return negligible(self.design, self.value, self.gap)

    @cached_property
    def findings(self) -> dict[str, Finding]:
        """What is told of its mechanism, the expected loss first."""
        return findings_of(self)

    @property
    def epsilon(self) -> float:
        """The privacy of the mechanism, rounded up."""
        return self.held.epsilon


class WarmWitness:
    """The linear program for one design after another, each search going on from the answer of the last.

    One is kept for as long as a page lives. It may be called from any thread; calls wait for each other, so they belong in one
    lane of the worker, the slow one. A cancelled call leaves it usable. The page's two jobs are ::

        Job("follow", lambda progress: witness.follow(design, progress), slow=True, live=True)  # n <= LARGEST_FOLLOWED_N
        Job("witness", lambda progress: witness.settle(design, progress), slow=True, live=False, title=...)

    in this order, and what either gives is shown if its ``design`` is the one whose closed form is shown.
    """

    def __init__(self) -> None:
        self._lock = Lock()

    @cached_property
    def _program(self) -> WarmProgram:
        from dpdesigner.core.program.linear_program import WarmProgram

        return WarmProgram()

    @cached_property
    def _columns(self) -> WarmColumns:
        from dpdesigner.core.program.column_generation import WarmColumns

        return WarmColumns()

    def follow(self, design: CountDesign, progress: Progress = silent) -> Witness:
        """Solve a design that differs little from the last, fast enough to keep up with the mouse.

        As `settle`, but where the full program would have to start from nothing, column generation answers. `Witness.method`
        tells, and the certificate of either answer is its own.
        """
        from dpdesigner.core.program.column_generation import solve_by_columns
        from dpdesigner.core.program.linear_program import NotReached, resume_linear_program

        with self._lock:
            costs, alpha = _costs(design), design.privacy.alpha
            if design.covered:
                with contextlib.suppress(NotReached):
                    return _witness(design, resume_linear_program(costs, alpha, self._program, progress=progress))
            return _witness(design, solve_by_columns(costs, alpha, warm=self._columns, progress=progress))

    def settle(self, design: CountDesign, progress: Progress = silent) -> Witness:
        """Solve a design; parameters, result and errors as `linear_program`."""
        from dpdesigner.core.program.column_generation import solve_by_columns
        from dpdesigner.core.program.linear_program import solve_linear_program

        with self._lock:
            costs, alpha = _costs(design), design.privacy.alpha
            if design.covered:
                return _witness(design, solve_linear_program(costs, alpha, warm=self._program, progress=progress))
            return _witness(design, solve_by_columns(costs, alpha, warm=self._columns, progress=progress))


def linear_program(design: CountDesign, progress: Progress = silent) -> Witness:
    """Solve a design by linear programming over all private tables, without using any theorem.

    Losses that Theorem A covers go to HiGHS on the full program, as an independent witness; the others, where this is the answer
    that is shown, to column generation, which is as certain (its gap is certified the same way) and much faster.

    Parameters
    ----------
    design : CountDesign
    progress : Progress
        Told the number of iterations; may cancel.

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
    return WarmWitness().settle(design, progress)


def _costs(design: CountDesign) -> Floats:
    if design.n > LARGEST_N:
        raise InputError(f"the linear program needs n of at most {LARGEST_N}, got {design.n}.", "n")
    return np.asarray(design.prior.probabilities[:, None] * design.loss.matrix(design.n))


def _witness(design: CountDesign, answer: LinearProgramAnswer) -> Witness:
    held = Table(design.privacy, answer.raw, answer.filler)
    method = f"linear program ({answer.method}), repaired to be exactly private"
    return Witness(design, held, answer.value, answer.gap, answer.repair_cost, answer.iterations, answer.seconds, method)
