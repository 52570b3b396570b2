"""The optimal private mechanism by linear programming with HiGHS, repaired to be private and certified by its own dual.

min sum_ir c_ir x_ir over row-stochastic x with alpha x_ir <= x_{i+1,r} <= x_ir / alpha ([GRS] (2)-(6), adjacent rows only), where
c_ir = p_i l(i, r). No theorem about the loss is used, so this is a check of the closed form and the answer where that is not
the optimum. What the solver says is private only to within its tolerance: it is repaired, and what that costs is reported.

The full linear program over all private tables, held in HiGHS and solved again from its last answer.

Only constraints between adjacent rows are kept, and they are turned into variables: neighbours in a private column are
(x_i, x_{i+1}) = u (1, alpha) + d (alpha, 1) with u, d >= 0, which are the two rays of alpha x_i <= x_{i+1} <= x_i / alpha. So the
program has 2n variables per column of the table, all just nonnegative, n - 1 equations per column that say that both pairs with
x_i in them mean the same x_i, and n + 1 equations that say that rows sum to 1. Its bases are half as large as those of the
program in x, and nothing in it degenerates as alpha tends to 0 or 1.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.mechanism.certificate import certified_gap
from dpdesigner.core.mechanism.mechanism import repair
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.progress import Progress, silent

if TYPE_CHECKING:
    import highspy


#: Seconds between reports; also how long a cancellation can take.
_PAUSE = 0.02


def new_solver(**options: object) -> Any:
    """Return a silent HiGHS solver with these options."""
    from highspy import Highs

    class SilentHighs(Highs):
        """HiGHS without output: version 1.16 prints its version in this method, called by its constructor, unless silenced."""

        def enableCallbacks(self) -> None:
            self.setOptionValue("output_flag", False)
            cast("Any", super()).enableCallbacks()

    solver = cast("Callable[[], Any]", SilentHighs)()
    for name, value in {"output_flag": False, **options}.items():
        solver.setOptionValue(name, value)
    return solver


def run(solver: Any, progress: Progress) -> None:
    """Run HiGHS in its own thread, so that stopping does not have to wait for its infrequent interrupt checks.

    What `progress` raises is raised here; the solver, which goes on until it asks the next time, is then not to be used again.
    """
    stopped, count, failures = Event(), [0], []

    def ask(event: Any) -> None:
        count[0] = max(0, event.data_out.simplex_iteration_count, event.data_out.ipm_iteration_count)  # -1: none yet
        event.interrupt(stopped.is_set())  # HiGHS keeps the interrupt of the previous run until it is withdrawn

    def work() -> None:
        try:
            solver.run()
        except BaseException as failure:  # raised again in the waiting thread
            failures.append(failure)

    asking = (solver.cbSimplexInterrupt, solver.cbIpmInterrupt, solver.cbMipInterrupt)
    for asks in asking:
        asks.subscribe(ask)
    thread = Thread(target=work, name="HiGHS")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_PAUSE)
            progress(None, f"{group_thousands(count[0])} iterations" if count[0] else "")
    except BaseException:
        stopped.set()
        raise
    for asks in asking:
        asks.unsubscribe(ask)
    if failures:
        raise failures[0]


def status(solver: Any) -> str:
    """Return the final status of a run, in the words of HiGHS, for an error message."""
    return f"HiGHS ended with the status {solver.modelStatusToString(solver.getModelStatus())!r}."


_DUAL_SIMPLEX, _PRIMAL_SIMPLEX = 1, 4
_TOLERANCE = 1e-10
#: Methods and feasibility tolerances, tried in turn when those before fail, as the dual simplex may for alpha near 1.
_ATTEMPTS = (
    (_DUAL_SIMPLEX, _TOLERANCE),
    (_DUAL_SIMPLEX, 1e-9),
    (_PRIMAL_SIMPLEX, 1e-9),
    (_DUAL_SIMPLEX, 1e-8),
    (_PRIMAL_SIMPLEX, 1e-8),
    (_DUAL_SIMPLEX, 1e-7),
    (_PRIMAL_SIMPLEX, 1e-7),
)
#: Infeasibility accepted if HiGHS stops short of its tolerances; from a basis for other costs it may be of any size.
_LARGEST_INFEASIBILITY = 1e-6


@dataclass(frozen=True)
class RawAnswer:
    """The raw answer of the solver.

    Attributes
    ----------
    table : ndarray
        (n + 1, m): feasible only to within the solver's tolerance.
    dual : ndarray
        (n + 1,): the multipliers w of the rows' sums.
    iterations : int
    """

    table: Floats
    dual: Floats
    iterations: int


class NotReached(Exception):
    """A search that ended without the optimum, because it took too long or because of rounding errors."""


class WarmProgram:
    """A linear program that remembers its last optimal basis. For use by one thread at a time.

    A change of the costs leaves the last vertex feasible, so the primal simplex goes on from it; a small change of alpha nearly
    does. HiGHS may be wrong about the optimum when it goes on from a basis (ERGO-Code/HiGHS, issue 3194), so a resumed answer
    must be certified.
    """

    def __init__(self) -> None:
        self._solver: Any = None
        self._loaded: tuple[tuple[int, ...], float] | None = None  # the shape of the costs and alpha
        self._basis: Any = None
        self._basis_shape: tuple[int, ...] = ()

    def solve(self, costs: Floats, alpha: float, progress: Progress = silent) -> RawAnswer:
        """Solve for one matrix of costs, from scratch.

        Parameters
        ----------
        costs : ndarray
            (n + 1, m), n >= 1: what it costs, weighted with the prior, to release r where i is true. Of the order of 1.
        alpha : float
            The privacy level, in [0, 1].
        progress : Progress
            Told the number of iterations now and then. What it raises stops the solver and is raised here.

        Returns
        -------
        RawAnswer

        Raises
        ------
        DpDesignerError
            If HiGHS finds no answer even with looser tolerances.
        """
        self._load(costs, alpha)
        iterations = 0
        for strategy, tolerance in _ATTEMPTS:
            self._solver.clearSolver()
            more, optimal = self._run(strategy, tolerance, None, progress)
            iterations += more
            if optimal:
                answer = self._answer(costs.shape, alpha, iterations)
                more, optimal = self._continued(self._solver.getBasis(), costs.shape, progress)
                return self._answer(costs.shape, alpha, iterations + more) if optimal else answer
        raise DpDesignerError(f"the linear program was not solved: {status(self._solver)}")

    def resume(self, costs: Floats, alpha: float, progress: Progress = silent) -> RawAnswer:
        """Solve by continuing from the last solution, in only a few steps; otherwise as `solve`.

        Raises
        ------
        NotReached
            If there is no such answer, or no optimum within a few steps of it.
        """
        if self._basis is None or self._basis_shape != costs.shape:
            raise NotReached
        self._load(costs, alpha)
        iterations, optimal = self._continued(self._basis, costs.shape, progress)
        if not optimal:
            raise NotReached
        return self._answer(costs.shape, alpha, iterations)

    def _continued(self, basis: Any, shape: tuple[int, ...], progress: Progress) -> tuple[int, bool]:
        """Continue from a basis for a limited number of steps; right after a solve, this only refines the numbers."""
        self._solver.setBasis(basis)
        return self._run(_PRIMAL_SIMPLEX, _TOLERANCE, 10 * sum(shape), progress)

    def _load(self, costs: Floats, alpha: float) -> None:
        """Load the program for these costs into the solver; change only the costs if the rest is already loaded."""
        values = _objective(costs, alpha)
        if self._loaded == (costs.shape, alpha):
            self._solver.changeColsCost(values.size, np.arange(values.size, dtype=np.int32), values)
            return
        if self._solver is None:
            self._solver = new_solver(presolve="off", solver="simplex", small_matrix_value=1e-12)
        self._solver.passModel(_model(values, alpha, *costs.shape))
        self._loaded = costs.shape, alpha

    def _run(self, strategy: int, tolerance: float, limit: int | None, progress: Progress) -> tuple[int, bool]:
        """Run the simplex method; return the number of iterations and whether there is a usable solution."""
        from highspy import HighsModelStatus, kHighsIInf

        solver = self._solver
        solver.setOptionValue("simplex_strategy", strategy)
        solver.setOptionValue("primal_feasibility_tolerance", tolerance)
        solver.setOptionValue("dual_feasibility_tolerance", tolerance)
        solver.setOptionValue("simplex_iteration_limit", kHighsIInf if limit is None else limit)
        try:
            run(solver, progress)
        except BaseException:
            self._solver = self._loaded = None  # the old solver may keep running for a while
            raise
        info = solver.getInfo()
        # kUnknown: not quite within the tolerances.
        ended = solver.getModelStatus() in (HighsModelStatus.kOptimal, HighsModelStatus.kUnknown)
        usable = ended and max(info.max_primal_infeasibility, info.max_dual_infeasibility) <= _LARGEST_INFEASIBILITY
        return max(0, info.simplex_iteration_count), usable

    def _answer(self, shape: tuple[int, ...], alpha: float, iterations: int) -> RawAnswer:
        """Read the solution and keep its basis for the next solve."""
        rows, columns = shape
        solution = self._solver.getSolution()
        falling, rising = np.asarray(solution.col_value).reshape(2, rows - 1, columns)
        table = np.vstack([falling[:1] + alpha * rising[:1], rising + alpha * falling])
        self._basis, self._basis_shape = self._solver.getBasis(), shape
        return RawAnswer(table, np.asarray(solution.row_dual)[-rows:], iterations)


def _objective(costs: Floats, alpha: float) -> Floats:
    """Return the costs of u and d, (2 * n * m,): each x_{i+1} is charged to the pair before it, x_0 to the first pair."""
    falling, rising = alpha * costs[1:], costs[1:].copy()
    falling[0] += costs[0]
    rising[0] += alpha * costs[0]
    return np.concatenate([falling.ravel(), rising.ravel()])


def _model(objective: Floats, alpha: float, rows: int, columns: int) -> highspy.HighsLp:
    """Return the program as sparse arrays: variables u[i, r], then d[i, r]; equations joining pairs, then the row sums."""
    from highspy import HighsLp, MatrixFormat

    pairs = rows - 1
    falling = np.arange(pairs * columns, dtype=np.int32).reshape(pairs, columns)
    rising = falling + falling.size
    joints = np.stack([falling[:-1], rising[:-1], falling[1:], rising[1:]], axis=-1)
    first = np.stack([falling[:1], rising[:1]], axis=1).ravel()
    others = np.stack([falling, rising], axis=1).ravel()
    count = (pairs - 1) * columns
    model = HighsLp()
    model.num_col_, model.num_row_ = objective.size, count + rows
    model.col_cost_, model.col_lower_, model.col_upper_ = objective, np.zeros(objective.size), np.full(objective.size, np.inf)
    model.row_lower_ = model.row_upper_ = np.concatenate([np.zeros(count), np.ones(rows)])
    matrix = model.a_matrix_
    matrix.format_ = MatrixFormat.kRowwise
    matrix.num_col_, matrix.num_row_ = model.num_col_, model.num_row_
    matrix.start_ = np.concatenate([np.arange(0, 4 * count, 4), 4 * count + 2 * columns * np.arange(rows + 1)]).astype(np.int32)
    matrix.index_ = np.concatenate([joints.ravel(), first, others])
    sums = np.concatenate([np.repeat([1.0, alpha], columns), np.tile(np.repeat([alpha, 1.0], columns), pairs)])
    matrix.value_ = np.concatenate([np.tile([alpha, 1.0, -1.0, -alpha], count), sums])
    return model


#: A gap, in units of the largest cost, that is good enough; and a gap that a resumed search must not leave.
_GOOD_GAP, _RESUMED_GAP = 1e-9, 1e-8


@dataclass(frozen=True, eq=False)
class LinearProgramAnswer:
    """The result of a linear program.

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
    """Find an optimal private mechanism with HiGHS.

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
    """Continue from an earlier result, in few steps; parameters, result and errors as in `solve_linear_program`.

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
    """Return a search that leaves out duplicate columns of costs."""

    def search(costs: Floats) -> RawAnswer:
        kept = np.sort(np.unique(costs, axis=1, return_index=True)[1])
        answer = solve(costs[:, kept], alpha, progress)
        table = np.zeros_like(costs)
        table[:, kept] = answer.table
        return RawAnswer(table, answer.dual, answer.iterations)

    return search


def certified(costs: Floats, alpha: float, search: Callable[[Floats], RawAnswer], method: str) -> LinearProgramAnswer:
    """Run a solver, then repair and certify its solution.

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
        raise InputError(f"alpha must be between 0 and 1, got {alpha}.", "alpha")
    return matrix


def _finished(costs: Floats, alpha: float, answer: RawAnswer, start: float, method: str) -> LinearProgramAnswer:
    """Repair and certify a solver's solution; `start` is the `time.perf_counter` value when the work began.

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
    """Return the best release that ignores the data, and the dual that proves it optimal where nothing else is private."""
    totals = costs.sum(axis=0)
    r = int(np.argmin(totals))
    table = np.zeros_like(costs)
    table[:, r] = 1.0
    return RawAnswer(table, np.full(len(costs), totals[r] / len(costs)), 0)
