"""The best private mechanism by linear programming, made private in fact and judged by its own dual.

min sum_ir c_ir x_ir over row-stochastic x with alpha x_ir <= x_{i+1,r} <= x_ir / alpha ([GRS] (2)-(6), adjacent rows only), where
c_ir = p_i l(i, r). No theorem about the loss is used, so this is a witness for the closed form and the answer where that is not
the optimum. What the solver says is private only to within its tolerance: it is repaired, and what that costs is reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.dense.certificate import certified_gap
from dpdesigner.core.mechanism.repair import repair
from dpdesigner.core.program.highs_program import NotReached, RawAnswer, WarmProgram
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

#: A gap, in units of the largest cost, that leaves nothing to wish for; and one that a resumed search must not leave.
_GOOD_GAP, _RESUMED_GAP = 1e-9, 1e-8


@dataclass(frozen=True, eq=False)
class LinearProgramAnswer:
    """The answer of a linear program.

    Attributes
    ----------
    mechanism : ndarray
        (n + 1, m): repaired; private as the rationals that its doubles are, rows sum to 1 within rounding.
    raw : ndarray
        (n + 1, m): what the solver said. ``repair(raw, alpha, filler=filler)`` with a rational alpha is the mechanism exactly.
    filler : int
        The column that took up what the rows of the repaired answer lacked; the one where that costs least.
    value, raw_value : float
        The expected loss of the mechanism, and the one that the raw answer pretends to.
    dual : ndarray
        (n + 1,): the multipliers w of the rows.
    gap : float
        Certified: value - optimum <= gap.
    iterations : int
        Steps of the simplex method.
    seconds : float
        Time spent, on the wall clock.
    method : str
        ``"HiGHS"`` on the full program, or ``"column generation"``.
    """

    mechanism: Floats
    raw: Floats
    filler: int
    value: float
    raw_value: float
    dual: Floats
    gap: float
    iterations: int
    seconds: float
    method: str

    @property
    def repair_cost(self) -> float:
        """The loss added by the repair; negative if the raw answer was worse than its repair."""
        return self.value - self.raw_value


def solve_linear_program(
    costs: Floats, alpha: float, *, warm: WarmProgram | None = None, progress: Progress = silent
) -> LinearProgramAnswer:
    """Find a best private mechanism with HiGHS.

    Parameters
    ----------
    costs : ndarray
        (n + 1, m): c_ir = p_i l(i, r), of either sign.
    alpha : float
        The privacy level, in [0, 1].
    warm : WarmProgram, optional
        Kept from an earlier call in the same thread: the search goes on from the answer of that call, or starts afresh where the
        certificate finds fault with what that leads to.
    progress : Progress
        Told the number of iterations, at most fifty times a second; may raise `Cancelled`.

    Raises
    ------
    Cancelled
        If `progress` raised it.
    InputError
        If the costs are not a matrix of finite numbers or alpha is outside [0, 1].
    DpDesignerError
        If HiGHS finds no answer.
    """
    program = warm or WarmProgram()
    try:
        return resume_linear_program(costs, alpha, program, progress=progress)
    except NotReached:
        return certified(costs, alpha, _over_different_columns(program.solve, alpha, progress), "HiGHS")


def resume_linear_program(costs: Floats, alpha: float, warm: WarmProgram, *, progress: Progress = silent) -> LinearProgramAnswer:
    """Go on from the answer of an earlier call, with few steps; parameters, result and errors as `solve_linear_program`.

    Raises
    ------
    NotReached
        If there is no such answer, or the optimum is not near it, or the certificate finds fault with what HiGHS takes for it.
    """
    answer = certified(costs, alpha, _over_different_columns(warm.resume, alpha, progress), "HiGHS")
    if answer.gap > _RESUMED_GAP * np.abs(costs).max() + 1e-290:
        raise NotReached
    return answer


def _over_different_columns(
    solve: Callable[[Floats, float, Progress], RawAnswer], alpha: float, progress: Progress
) -> Callable[[Floats], RawAnswer]:
    """Leave out columns of costs that are there already."""

    def search(costs: Floats) -> RawAnswer:
        kept = np.sort(np.unique(costs, axis=1, return_index=True)[1])
        answer = solve(costs[:, kept], alpha, progress)
        table = np.zeros_like(costs)
        table[:, kept] = answer.table
        return RawAnswer(table, answer.dual, answer.iterations)

    return search


def certified(costs: Floats, alpha: float, search: Callable[[Floats], RawAnswer], method: str) -> LinearProgramAnswer:
    """Let a solver search, then repair and certify what it says.

    Parameters
    ----------
    costs, alpha
        As for `solve_linear_program`.
    search : callable
        Called with the costs scaled to be of the order of 1, unless there is nothing to search for.
    method : str
        What the answer is to say of it.

    Raises
    ------
    InputError
        If the costs are not a matrix of finite numbers or alpha is outside [0, 1].
    """
    start = time.perf_counter()
    costs = checked_costs(costs, alpha)
    scale = float(np.abs(costs).max())
    if len(costs) == 1 or alpha == 1 or scale == 0:
        answer = _constant(costs)
    else:
        answer = search(costs / scale)
        answer = replace(answer, dual=answer.dual * scale)
    return _finished(costs, alpha, answer, start, method)


def checked_costs(costs: Floats, alpha: float) -> Floats:
    """Return the costs as doubles.

    Raises
    ------
    InputError
        If they are not a matrix of finite numbers or alpha is outside [0, 1].
    """
    matrix = np.asarray(costs, dtype=float)
    if matrix.ndim != 2 or not matrix.size:
        raise InputError(f"costs must be a matrix with a row for each true result, got the shape {matrix.shape}.", "loss")
    if not np.isfinite(matrix).all():
        raise InputError("costs must be finite numbers, got one that is not.", "loss")
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha must be in [0, 1], got {alpha}.", "alpha")
    return matrix


def _finished(costs: Floats, alpha: float, answer: RawAnswer, start: float, method: str) -> LinearProgramAnswer:
    """Repair and certify what a solver said; `start` is the `time.perf_counter` at which the work began.

    Where ignoring the data costs less than the repaired answer, that is the answer; and its dual may prove more than the
    solver's, which loses its digits as alpha tends to 1.
    """
    filler = int(np.argmin((answer.table.sum(axis=1).max() - answer.table.sum(axis=1) + 1e-3) @ costs))
    mechanism = repair(answer.table, alpha, filler=filler)
    value = float(np.vdot(costs, mechanism))
    ignorant = _constant(costs)
    ignorant_value = float(np.vdot(costs, ignorant.table))
    if ignorant_value < value:
        mechanism, value, filler = ignorant.table, ignorant_value, int(ignorant.table[0].argmax())
        answer = RawAnswer(ignorant.table, answer.dual, answer.iterations)
    dual, gap = answer.dual, certified_gap(costs, answer.dual, value, alpha)
    if gap > _GOOD_GAP * np.abs(costs).max() and (other := certified_gap(costs, ignorant.dual, value, alpha)) < gap:
        dual, gap = ignorant.dual, other
    raw_value = float(np.vdot(costs, answer.table))
    seconds = time.perf_counter() - start
    return LinearProgramAnswer(mechanism, answer.table, filler, value, raw_value, dual, gap, answer.iterations, seconds, method)


def _constant(costs: Floats) -> RawAnswer:
    """The best release that ignores the data, and the dual that proves it best where nothing else is private."""
    totals = costs.sum(axis=0)
    r = int(np.argmin(totals))
    table = np.zeros_like(costs)
    table[:, r] = 1.0
    return RawAnswer(table, np.full(len(costs), totals[r] / len(costs)), 0)
