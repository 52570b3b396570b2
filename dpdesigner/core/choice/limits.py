"""Limits of a choice: the influence of one person on each option, and an upper bound for any private rule.

Influence of one person
-----------------------
Sought is the neighbouring vector of utilities that changes a probability most, for each option.

Neighbours of u are, with the sensitivity Delta:

- ``any``: every utility moves by at most Delta;
- ``changes``: one utility rises by Delta, another falls by Delta (an answer is changed);
- ``joins``: all utilities move the same way by at most Delta (a row is added or removed: monotone).

All rules here are the largest of u + independent noise whose distribution function F is log-concave. So the chance of an option
rises with its own utility and falls with every other; only differences of utilities count; and lowering another option by Delta
multiplies the chance, at every noisy value x, by F(x - u_j + Delta) / F(x - u_j), which is the larger the higher u_j is. Hence
the chance of option r is moved most by moving r alone, relative to the others, by 2 Delta (``any``) or Delta (``joins``),
either way, and for ``changes`` by moving r by Delta and the best of the others by Delta the other way: two vectors an option,
not all of them.

Upper bound for any rule
------------------------
The probability of the true best is bounded, for any private rule that treats names alike, by a linear program.

A rule that treats names alike gives permuted utilities permuted chances. For one vector of utilities alone no limit exists
(always naming its best costs nothing); what limits a rule is that a few changes lead to a vector in which another option is as
good. The program has the chances of such a rule for all vectors that move Delta at a time among the best options, the others
being left as they are, and asks for the largest chance of the true best at the vector given. Every private rule that treats
names alike satisfies its constraints, so what it finds is a limit; it is no rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.choice.mechanisms import chance_of_one, exponential_logs, laplace_logs, permute_and_flip_logs
from dpdesigner.core.mechanism.linear_program import new_solver, run
from dpdesigner.progress import Progress, silent

#: Ratios that differ by less than this count as equal.
_ALIKE = 1e-11
Neighbours = Literal["any", "changes", "joins"]
Noise = Literal["gumbel", "exponential", "laplace"]

LOGS: dict[Noise, Callable[[Floats], Floats]] = {
    "gumbel": exponential_logs,
    "exponential": permute_and_flip_logs,
    "laplace": laplace_logs,
}


@dataclass(frozen=True)
class Worst:
    """The neighbour that changes a probability most.

    Attributes
    ----------
    ratio : float
        |ln| of the ratio of that chance.
    option : int
        Whose chance it is.
    rises : bool
        Whether the option's own utility rises, or falls.
    other : int or None
        The option whose utility moves the other way, where only one does.
    """

    ratio: float
    option: int
    rises: bool
    other: int | None = None

    def moves(self, size: int, neighbours: Neighbours) -> Floats:
        """Return by how much each utility moves, in units of Delta."""
        sign = 1.0 if self.rises else -1.0
        moves = np.full(size, -sign if neighbours == "any" else 0.0)
        moves[self.option] = sign
        if self.other is not None:
            moves[self.other] = -sign
        return moves


def worst(
    noise: Noise,
    exponents: Floats,
    step: float,
    neighbours: Neighbours,
    progress: Progress = silent,
    base: Floats | None = None,
) -> Worst:
    """Return the worst neighbour of a vector.

    Parameters
    ----------
    noise : {"gumbel", "exponential", "laplace"}
        The rule, as the noise of which it is the largest: exponential mechanism, permute-and-flip, Laplace.
    exponents : ndarray
        (k,), k >= 2: utilities in units of the noise's scale, the largest 0.
    step : float
        Delta in the same units.
    neighbours : {"any", "changes", "joins"}
    progress : Progress
    base : ndarray, optional
        (k,): ln of the base measure, with "gumbel"; an option of none is never chosen, and tells nothing.
    """
    logs = LOGS[noise](exponents) if base is None else exponential_logs(exponents, base)
    best, second = np.argsort(-(exponents if base is None else logs), kind="stable")[:2].tolist()
    worst_yet = Worst(-1.0, 0, True)
    for sign in (1.0, -1.0):
        moved = _moved(noise, exponents, logs, sign * step, neighbours, (best, second), progress)
        ratios = np.abs(np.subtract(moved, logs, out=np.zeros_like(logs), where=np.isfinite(logs)))
        # If several options move equally far, the most likely of them reveals most.
        option = int(np.argmax(np.where(ratios >= ratios.max() - _ALIKE, logs, -np.inf)))
        if ratios[option] > worst_yet.ratio + (_ALIKE if logs[option] <= logs[worst_yet.option] else -_ALIKE):
            other = (second if option == best else best) if neighbours == "changes" else None
            worst_yet = Worst(float(ratios[option]), option, sign > 0, other)
    return worst_yet


def guarantee(rate_step: float, neighbours: Neighbours) -> float:
    """Return the supremum of the log ratio over all vectors: Delta in units of the scale, twice that unless monotone."""
    return rate_step if neighbours == "joins" else 2 * rate_step


def _moved(
    noise: Noise, exponents: Floats, logs: Floats, step: float, neighbours: Neighbours, two: tuple[int, int], progress: Progress
) -> Floats:
    """Return each option's log probability at the vector that changes it most, its own utility moving by the sign of step."""
    best, second = two
    if noise == "gumbel":
        chances = np.exp(logs)
        own = step if neighbours == "joins" else 2 * step
        if neighbours != "changes":
            likeliest = int(logs.argmax())
            with np.errstate(divide="ignore"):  # log 0 if the likeliest has probability 1; its rest is summed below
                rest = np.log1p(-chances)
            rest[likeliest] = np.logaddexp.reduce(np.delete(logs, likeliest))
            return np.asarray(logs + own - np.logaddexp(rest, logs + own))
        others = np.where(np.arange(len(chances)) == best, chances[second], chances[best])
        return np.asarray(logs + step - np.log1p(math.expm1(step) * chances + math.expm1(-step) * others))
    others = np.full(len(exponents), best)
    others[best] = second
    own = 2 * step if neighbours == "any" else step
    moved = np.empty(len(exponents))
    seen: dict[tuple[float, bool], float] = {}
    for option, value in enumerate(exponents.tolist()):
        alike = (value, option == best)
        if alike not in seen:
            progress((step < 0) / 2 + (option + 1) / (2 * len(moved)))
            changed = exponents.copy()
            changed[option] += own
            if neighbours == "changes":
                changed[others[option]] -= step
            seen[alike] = _chance(noise, changed, option)
        moved[option] = seen[alike]
    return moved


def _chance(noise: Noise, exponents: Floats, option: int) -> float:
    if noise == "exponential":
        return chance_of_one(float(exponents[option]), np.delete(exponents, option))
    return float(LOGS[noise](exponents - exponents.max())[option])


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
