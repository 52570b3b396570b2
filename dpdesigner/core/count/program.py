"""The linear program over all private tables for one problem after another, each search going on from the answer of the last."""

from __future__ import annotations

import contextlib
from threading import Lock

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.count.problem import LARGEST_PROGRAM_N, Problem
from dpdesigner.core.program.column_generation import WarmColumns, solve_by_columns
from dpdesigner.core.program.highs_program import NotReached, WarmProgram
from dpdesigner.core.program.linear_program import LinearProgramAnswer, resume_linear_program, solve_linear_program
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent


class WarmSearch:
    """The linear program that keeps what it has found.

    Losses that Theorem A covers go to HiGHS on the full program, as an independent witness; the others, where this is the answer
    that is shown, to column generation, which is as certain (its gap is certified the same way) and much faster. It may be called
    from any thread; calls wait for each other. A cancelled call leaves it usable.
    """

    def __init__(self) -> None:
        self._lock, self._program, self._columns = Lock(), WarmProgram(), WarmColumns()

    def follow(self, problem: Problem, progress: Progress = silent) -> LinearProgramAnswer:
        """Solve a problem that differs little from the last, fast enough to keep up with the mouse.

        As `settle`, but where the full program would have to start from nothing, column generation answers.
        """
        with self._lock:
            costs, alpha = _costs(problem), problem.privacy.alpha
            if problem.covered:
                with contextlib.suppress(NotReached):
                    return resume_linear_program(costs, alpha, self._program, progress=progress)
            return solve_by_columns(costs, alpha, warm=self._columns, progress=progress)

    def settle(self, problem: Problem, progress: Progress = silent) -> LinearProgramAnswer:
        """Solve a problem.

        Raises
        ------
        InputError
            If n is above 200.
        Cancelled
            If `progress` cancels.
        """
        with self._lock:
            costs, alpha = _costs(problem), problem.privacy.alpha
            if problem.covered:
                return solve_linear_program(costs, alpha, warm=self._program, progress=progress)
            return solve_by_columns(costs, alpha, warm=self._columns, progress=progress)


def _costs(problem: Problem) -> Floats:
    if problem.n > LARGEST_PROGRAM_N:
        raise InputError(f"the linear program needs n of at most {LARGEST_PROGRAM_N}, got {problem.n}.", "n")
    return np.asarray(problem.prior.probabilities[:, None] * problem.loss.matrix(problem.n))
