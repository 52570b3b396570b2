"""The full linear program over all private tables, held in HiGHS and solved again from its last answer.

Only constraints between adjacent rows are kept, and they are turned into variables: neighbours in a private column are
(x_i, x_{i+1}) = u (1, alpha) + d (alpha, 1) with u, d >= 0, which are the two rays of alpha x_i <= x_{i+1} <= x_i / alpha. So the
program has 2n variables per column of the table, all just nonnegative, n - 1 equations per column that say that both pairs with
x_i in them mean the same x_i, and n + 1 equations that say that rows sum to 1. Its bases are half as large as those of the
program in x, and nothing in it degenerates as alpha tends to 0 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.program.highs import new_solver, run, status
from dpdesigner.errors import DpDesignerError
from dpdesigner.progress import Progress, silent

if TYPE_CHECKING:
    import highspy

_DUAL_SIMPLEX, _PRIMAL_SIMPLEX = 1, 4
_TOLERANCE = 1e-10
#: Methods and feasibility tolerances, each tried where the ones before it fail, as the dual simplex may for alpha almost 1.
_ATTEMPTS = (
    (_DUAL_SIMPLEX, _TOLERANCE),
    (_DUAL_SIMPLEX, 1e-9),
    (_PRIMAL_SIMPLEX, 1e-9),
    (_DUAL_SIMPLEX, 1e-8),
    (_PRIMAL_SIMPLEX, 1e-8),
    (_DUAL_SIMPLEX, 1e-7),
    (_PRIMAL_SIMPLEX, 1e-7),
)
#: What HiGHS leaves infeasible where it gives up short of its tolerances; from a basis of other costs that may be of any size.
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
    """A search that ended without the optimum, since it took too long or rounding was in its way."""


class WarmProgram:
    """A linear program that remembers where its last solve ended. To be used by one thread at a time.

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
        """Solve for one matrix of costs, from nothing.

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
        """Solve by going on from the answer of the last solve; as `solve`, but only a few steps are made.

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
        """Go on from a basis, as long as that takes few steps; right after a solve this only refines its numbers."""
        self._solver.setBasis(basis)
        return self._run(_PRIMAL_SIMPLEX, _TOLERANCE, 10 * sum(shape), progress)

    def _load(self, costs: Floats, alpha: float) -> None:
        """Put the program for these costs into the solver; only the costs are changed if the rest is there already."""
        values = _objective(costs, alpha)
        if self._loaded == (costs.shape, alpha):
            self._solver.changeColsCost(values.size, np.arange(values.size, dtype=np.int32), values)
            return
        if self._solver is None:
            self._solver = new_solver(presolve="off", solver="simplex", small_matrix_value=1e-12)
        self._solver.passModel(_model(values, alpha, *costs.shape))
        self._loaded = costs.shape, alpha

    def _run(self, strategy: int, tolerance: float, limit: int | None, progress: Progress) -> tuple[int, bool]:
        """Run the simplex method; return the number of iterations and whether there is an answer to use."""
        from highspy import HighsModelStatus, kHighsIInf

        solver = self._solver
        solver.setOptionValue("simplex_strategy", strategy)
        solver.setOptionValue("primal_feasibility_tolerance", tolerance)
        solver.setOptionValue("dual_feasibility_tolerance", tolerance)
        solver.setOptionValue("simplex_iteration_limit", kHighsIInf if limit is None else limit)
        try:
            run(solver, progress)
        except BaseException:
            self._solver = self._loaded = None  # it may go on for a while
            raise
        info = solver.getInfo()
        # Unknown: not quite within the tolerances.
        ended = solver.getModelStatus() in (HighsModelStatus.kOptimal, HighsModelStatus.kUnknown)
        usable = ended and max(info.max_primal_infeasibility, info.max_dual_infeasibility) <= _LARGEST_INFEASIBILITY
        return max(0, info.simplex_iteration_count), usable

    def _answer(self, shape: tuple[int, ...], alpha: float, iterations: int) -> RawAnswer:
        """Read the solution and keep its basis for the next time."""
        rows, columns = shape
        solution = self._solver.getSolution()
        falling, rising = np.asarray(solution.col_value).reshape(2, rows - 1, columns)
        table = np.vstack([falling[:1] + alpha * rising[:1], rising + alpha * falling])
        self._basis, self._basis_shape = self._solver.getBasis(), shape
        return RawAnswer(table, np.asarray(solution.row_dual)[-rows:], iterations)


def _objective(costs: Floats, alpha: float) -> Floats:
    """The costs of u and d, (2 * n * m,): each x_{i+1} is charged to the pair before it, x_0 to the first pair."""
    falling, rising = alpha * costs[1:], costs[1:].copy()
    falling[0] += costs[0]
    rising[0] += alpha * costs[0]
    return np.concatenate([falling.ravel(), rising.ravel()])


def _model(objective: Floats, alpha: float, rows: int, columns: int) -> highspy.HighsLp:
    """The program as sparse arrays: variables u[i, r], then d[i, r]; equations that join pairs, then the rows' sums."""
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
