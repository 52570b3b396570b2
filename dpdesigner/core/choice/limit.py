"""An upper bound on the probability of the true best, for any private rule that treats names alike, by linear program.

A rule that treats names alike gives permuted utilities permuted chances. For one vector of utilities alone no limit exists
(always naming its best costs nothing); what limits a rule is that a few changes lead to a vector in which another option is as
good. The program has the chances of such a rule for all vectors that move Delta at a time among the best options, the others
being left as they are, and asks for the largest chance of the true best at the vector given. Every private rule that treats
names alike satisfies its constraints, so what it finds is a limit; it is no rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.neighbours import Neighbours
from dpdesigner.core.program.linear_program import new_solver, run
from dpdesigner.progress import Progress, silent

#: The linear program is not attempted for more tables than this.
MOST_TABLES = 1200
#: Above this epsilon the linear program has coefficients beyond the solver's range; the trivial bound 1 is returned instead.
_CERTAIN = 30.0
_ROUNDING = 1e-12
_UNIT = 2.0**-53
#: How many of the best options the vectors move among, and how many moves beyond the best and the last of these.
_MOVING: dict[Neighbours, int] = {"changes": 3, "joins": 2, "any": 2}
_BEYOND: dict[Neighbours, int] = {"changes": 1, "joins": 6, "any": 1}
Place = tuple[int, ...]


@dataclass(frozen=True)
class Limit:
    """The limit, and how it was computed.

    Attributes
    ----------
    chance : float or None
        No rule names the true best more often; None where HiGHS has not solved the program.
    tables, moving : int
        How many vectors the program is about, and among how many of the best options they move.
    """

    chance: float | None
    tables: int
    moving: int


def limit(
    utilities: list[float], step: float, epsilon: float, neighbours: Neighbours, progress: Progress = silent
) -> Limit | None:
    """Return the limit for a vector of utilities; None if it would need too many vectors.

    Parameters
    ----------
    utilities : list of float
        At least two.
    step : float
        Delta.
    epsilon : float
    neighbours : {"any", "changes", "joins"}
    progress : Progress
    """
    ordered = sorted(utilities, reverse=True)
    for moving in range(min(_MOVING[neighbours], len(ordered)), 1, -1):
        best, others = ordered[:moving], ordered[moving:]
        size = _move(best, step, neighbours)
        if not size:
            continue
        start = tuple(round((value - best[-1]) / size) for value in best)  # in moves
        tables = _tables(start, neighbours)
        if tables is not None:
            return Limit(_solved(tables, start, bool(others), epsilon, neighbours, progress), len(tables), moving)
    return None


def _move(best: list[float], step: float, neighbours: Neighbours) -> float:
    """Return the step, at most Delta, in which utilities move so that the best can become equal; 0 if they cannot."""
    gap = best[0] - best[1]
    if neighbours == "changes":  # by Delta exactly
        return step if all(((best[0] - other) / step).is_integer() for other in best) else 0.0
    return gap / math.ceil(gap / step) if gap else step


def _tables(start: Place, neighbours: Neighbours) -> list[Place] | None:
    """Return the vectors from just above the best to just below the last of the moving utilities, in falling order."""
    low, high = -_BEYOND[neighbours], start[0] + _BEYOND[neighbours]
    if high > 4 * MOST_TABLES:
        return None
    seen, waiting = {start}, [start]
    while waiting:
        for place, _ in _moves(waiting.pop(), neighbours):
            if place not in seen and place[0] <= high and place[-1] >= low:
                seen.add(place)
                waiting.append(place)
        if len(seen) > MOST_TABLES:
            return None
    return sorted(seen)


def _moves(place: Place, neighbours: Neighbours) -> Iterator[tuple[Place, tuple[int, ...]]]:
    """Yield the neighbours of a vector in falling order, with the previous position of each entry."""
    for signs in product((-1, 0, 1), repeat=len(place)):
        if not any(signs):
            continue
        if neighbours == "changes" and sorted(filter(None, signs)) != [-1, 1]:
            continue
        if neighbours == "joins" and sum(map(abs, signs)) != 1:
            continue
        moved = [value + sign for value, sign in zip(place, signs, strict=True)]
        order = tuple(sorted(range(len(moved)), key=moved.__getitem__, reverse=True))
        yield tuple(moved[i] for i in order), order


def _solved(
    tables: list[Place], start: Place, others: bool, epsilon: float, neighbours: Neighbours, progress: Progress
) -> float | None:
    from scipy.sparse import coo_array, vstack

    if epsilon > _CERTAIN:
        return 1.0
    width = len(start) + others  # the last entry combines all options that do not move
    number = {place: i for i, place in enumerate(tables)}
    more: list[tuple[int, int]] = []  # variables with x <= e^epsilon y
    same: list[tuple[int, int]] = []
    for place, i in number.items():
        same += [(i * width + a, i * width + a + 1) for a in range(len(place) - 1) if place[a] == place[a + 1]]
        for moved, order in _moves(place, neighbours):
            j = number.get(moved)
            if j is not None:
                more += [(i * width + order[b], j * width + b) for b in range(len(order))]
                more += [(i * width + width - 1, j * width + width - 1)] if others else []
    progress(None, "")
    size, most = len(tables) * width, float(np.nextafter(np.exp(epsilon), np.inf))
    upper = _rows(coo_array, [(x, 1.0, y, -most) for x, y in more], size)
    sums = coo_array((np.ones(size), (np.repeat(np.arange(len(tables)), width), np.arange(size))), (len(tables), size))
    equal = vstack([sums, _rows(coo_array, [(x, 1.0, y, -1.0) for x, y in same], size)]) if same else sums
    right = np.concatenate([np.ones(len(tables)), np.zeros(len(same))])
    cost = np.zeros(size)
    first = number[start] * width
    for a, value in enumerate(start):
        cost[first + a] = -1.0 if value == start[0] else 0.0
    matrix = vstack([upper, equal]).tocsr()
    lower = np.concatenate([np.full(len(more), -np.inf), right])
    ends = np.concatenate([np.zeros(len(more)), right])
    bound = _bound(cost, matrix, lower, ends, progress)
    return None if bound is None else min(1.0, _ROUNDING - bound)


def _bound(cost: Floats, matrix: Any, lower: Floats, upper: Floats, progress: Progress) -> float | None:
    """Return a lower bound on cost @ x for x in 0 to 1 with lower <= matrix @ x <= upper, as tight as HiGHS allows.

    It follows from the multipliers, whatever they are: how far HiGHS may miss the constraints plays no part, and what doubles
    round is taken off. The interior point method sometimes ends without a result where the bound is nearly -1; the simplex
    method is then asked. None if neither has multipliers.
    """
    from highspy import HighsLp, HighsModelStatus, MatrixFormat

    model = HighsLp()
    model.num_row_, model.num_col_ = len(lower), len(cost)
    model.col_cost_, model.col_lower_, model.col_upper_ = cost, np.zeros(len(cost)), np.full(len(cost), np.inf)
    model.row_lower_, model.row_upper_ = lower, upper
    rows = model.a_matrix_
    rows.format_, rows.num_row_, rows.num_col_ = MatrixFormat.kRowwise, len(lower), len(cost)
    rows.start_, rows.index_, rows.value_ = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data
    for method in ("ipm", "simplex"):
        solver = new_solver(solver=method)
        solver.passModel(model)
        run(solver, progress)
        dual = np.asarray(solver.getSolution().row_dual)
        if solver.getModelStatus() == HighsModelStatus.kOptimal and dual.shape == lower.shape and np.isfinite(dual).all():
            return _certified(cost, matrix, lower, upper, dual)
    return None


def _certified(cost: Floats, matrix: Any, lower: Floats, upper: Floats, dual: Floats) -> float:
    """Return the bound that multipliers prove, less the possible rounding error."""
    dual = np.where(np.isneginf(lower), np.minimum(dual, 0.0), dual)
    terms = 3 + int(np.bincount(matrix.indices).max())  # terms of each column sum, plus the operations on it
    rounded = terms * _UNIT * (np.abs(cost) + abs(matrix).T @ np.abs(dual))
    reduced = np.minimum(cost - matrix.T @ dual - rounded, 0.0)
    return math.fsum([*(dual * upper), *reduced]) - _UNIT * float(np.abs(dual) @ np.abs(upper))


def _rows(make: Any, entries: list[tuple[int, float, int, float]], size: int) -> Any:
    rows = np.repeat(np.arange(len(entries)), 2)
    columns = np.array([[x, y] for x, _, y, _ in entries]).ravel()
    values = np.array([[a, b] for _, a, _, b in entries]).ravel()
    return make((values, (rows, columns)), (len(entries), size))
