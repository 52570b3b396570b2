"""The linear program over all private tables for one problem after another, each search going on from the answer of the last."""

from __future__ import annotations

import contextlib
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.count.problem import Problem, Report, silent
from dpdesigner.errors import InputError

if TYPE_CHECKING:  # a window opens without them
    from dpdesigner.core.program.column_generation import WarmColumns
    from dpdesigner.core.program.linear_program import LinearProgramAnswer, WarmProgram

#: Above this n the full program has more than 40 000 variables and takes minutes.
LARGEST_N = 200
#: Up to here a step of a drag is followed within a few frames.
LARGEST_FOLLOWED_N = 50


class WarmSearch:
    """The linear program that keeps what it has found.

    Losses that Theorem A covers go to HiGHS on the full program, as an independent witness; the others, where this is the answer
    that is shown, to column generation, which is as certain (its gap is certified the same way) and much faster. It may be called
    from any thread; calls wait for each other. A cancelled call leaves it usable.
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

    def follow(self, problem: Problem, progress: Report = silent) -> LinearProgramAnswer:
        """Solve a problem that differs little from the last, fast enough to keep up with the mouse.

        As `settle`, but where the full program would have to start from nothing, column generation answers.
        """
        from dpdesigner.core.program.linear_program import NotReached, resume_linear_program

        with self._lock:
            costs, alpha = _costs(problem), problem.privacy.alpha
            if problem.covered:
                with contextlib.suppress(NotReached):
                    return resume_linear_program(costs, alpha, self._program, progress=progress)
            return self._by_columns(costs, alpha, progress)

    def settle(self, problem: Problem, progress: Report = silent) -> LinearProgramAnswer:
        """Solve a problem.

        Raises
        ------
        InputError
            If n is above 200.
        Cancelled
            If `progress` cancels.
        """
        from dpdesigner.core.program.linear_program import solve_linear_program

        with self._lock:
            costs, alpha = _costs(problem), problem.privacy.alpha
            if problem.covered:
                return solve_linear_program(costs, alpha, warm=self._program, progress=progress)
            return self._by_columns(costs, alpha, progress)

    def _by_columns(self, costs: Floats, alpha: float, progress: Report) -> LinearProgramAnswer:
        from dpdesigner.core.program.column_generation import solve_by_columns

        return solve_by_columns(costs, alpha, warm=self._columns, progress=progress)


def _costs(problem: Problem) -> Floats:
    if problem.n > LARGEST_N:
        raise InputError(f"the linear program needs n of at most {LARGEST_N}, got {problem.n}.", "n")
    return np.asarray(problem.prior.probabilities[:, None] * problem.loss.matrix(problem.n))
