"""The best reading of the cells of the universal (epsilon, delta) mechanism, its dual, and the best table outside Theorem A.

For every prior and every Theorem A loss no (epsilon, delta)-private mechanism costs less. A stranger need not believe that: a
dual solution (w, y+, y-) is tested for every release by one recursion, and its value is a bound for all such mechanisms.

The optimal (epsilon, delta)-private table for a loss outside Theorem A, and the exact delta of any table.

Variables are x[i, r] and, for each pair of neighbouring rows in both orders, s[i, r] >= x[i, r] - x[i+1, r] / alpha with
sum_r s[i, r] <= delta. The dual solution of the program is tested as that of the cells is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.count.delta_cells import Cells, ChainCells
from dpdesigner.errors import InputError

AnyCells: TypeAlias = Cells | ChainCells

_UNIT = 2.0**-53
_TINY = 1e-300
#: A shift above this fraction of the largest number is examined more closely.
_COARSE = 1e-12
#: Above this n, the dual is not solved in fractions, which would take seconds.
LARGEST_EXACT_N = 40


@dataclass(frozen=True, eq=False)
class Dual:
    """A feasible dual solution: every (epsilon, delta)-private mechanism costs at least sum w - delta sum (y+ + y-).

    Attributes
    ----------
    prices : tuple
        (n + 1,): w.
    rising, falling : tuple
        (n,) each: y+ and y-, what delta costs at each step, upwards and downwards; of several levels (levels, n).
    shift : float or Fraction
        By how much w is lowered and y+ and y- are raised to pass the test of every release; 0 for fractions.
    """

    prices: tuple[Any, ...]
    rising: tuple[Any, ...]
    falling: tuple[Any, ...]
    shift: float | Fraction


@dataclass(frozen=True, eq=False)
class CellReading:
    """The best reading of every cell.

    Attributes
    ----------
    cells : Cells or ChainCells
    outputs : ndarray of int
        One for each cell: cell j is released as outputs[j].
    value : float or Fraction
        The expected loss.
    gap : float or Fraction
        The expected loss is at most this much above that of any (epsilon, delta)-private mechanism; rounded up.
    dual : Dual
    """

    cells: AnyCells
    outputs: Integers
    value: float | Fraction
    gap: float | Fraction
    dual: Dual

    @property
    def exact(self) -> bool:
        """Whether the proof is in fractions."""
        return isinstance(self.gap, Fraction)


def best_reading(cells: AnyCells, prior: Floats, loss: Floats) -> CellReading:
    """Return the best reading of cells in doubles, with its certified gap; loss (n + 1, m) is l(i, r)."""
    costs = prior[:, None] * loss
    scores = cells.directions @ costs
    possible = cells.directions @ prior > 0
    outputs = _settled(scores.argmin(axis=1), possible)
    least = scores[np.arange(len(scores)), outputs]
    value = math.fsum(cells.sizes * least)
    if isinstance(cells, ChainCells):
        levels, dual = [(float(level.alpha), float(level.delta)) for level in cells.levels], _chain_dual(cells, least)
    else:
        levels, dual = [(float(cells.noise.alpha), float(cells.noise.delta))], _solved_dual(cells, least)
    bound, shift = certified(costs, dual, levels)
    spread = float(np.abs(costs).max(axis=1).sum())
    rounding = (64 + 8 * len(prior)) * _UNIT * (abs(value) if costs.min() >= 0 else spread) + 4 * _UNIT * abs(value)
    gap = math.nextafter(max(value - bound, 0.0) + rounding, math.inf)
    w, *paid = dual
    rising, falling = (tuple(part.tolist() if len(levels) > 1 else part[0].tolist()) for part in paid)
    return CellReading(cells, outputs, value, gap, Dual(tuple(w.tolist()), rising, falling, shift))


def exact_reading(cells: Cells, prior: Sequence[Fraction], loss: Sequence[Sequence[Fraction]]) -> CellReading:
    """Return the best reading in fractions; gap 0 for every Theorem A loss.

    Raises
    ------
    ArithmeticError
        If the dual solution is not feasible, as it may be outside Theorem A.
    """
    alpha, delta, n = cells.noise.alpha, cells.noise.delta, cells.n
    powers = [alpha**k for k in range(n + 1)]
    costs = [[p * entry for entry in row] for p, row in zip(prior, loss, strict=True)]
    readings, least, possible = [], [], []
    for lo, hi, p in zip(cells.low.tolist(), cells.high.tolist(), cells.peak.tolist(), strict=True):
        weights = [(i, powers[abs(i - p)]) for i in range(lo, hi + 1)]
        scores = [sum((v * costs[i][r] for i, v in weights), Fraction(0)) for r in range(len(loss[0]))]
        readings.append(min(range(len(scores)), key=scores.__getitem__))
        least.append(scores[readings[-1]])
        possible.append(any(prior[i] for i in range(lo, hi + 1)))
    outputs = _settled(np.array(readings), np.array(possible))
    value = sum((w * cost for w, cost in zip(cells.weights, least, strict=True)), Fraction(0))
    dual = _exact_dual(cells, least)
    if (bound := _exact_bound(costs, dual, alpha, delta)) is None:
        raise ArithmeticError("the dual solution of this loss is not feasible")
    w, rising, falling = map(tuple, dual)
    return CellReading(cells, outputs, value, value - bound, Dual(w, rising, falling, Fraction(0)))


def _settled(outputs: Integers, possible: Any) -> Integers:
    """Read each cell that is impossible under the prior like the cell before it, or initially like the first possible one."""
    held, last = np.array(outputs, dtype=np.int64), None
    for j in range(len(held)):
        if not possible[j] and last is not None:
            held[j] = last
        last = held[j] if possible[j] or last is not None else None
    if (known := np.flatnonzero(possible)).size:
        held[: known[0]] = held[known[0]]
    held.flags.writeable = False
    return held


def _system(cells: Cells) -> list[tuple[int, int, int]]:
    return list(zip(cells.low.tolist(), cells.high.tolist(), cells.peak.tolist(), strict=True))


def _solved_dual(cells: Cells, least: Floats) -> tuple[Floats, Floats, Floats]:
    """Return w, y+ and y- from the square system with one equation per cell."""
    n, v = cells.n, cells.directions
    matrix = np.zeros((3 * n + 1, 3 * n + 1))
    matrix[:, : n + 1] = v
    for j, (lo, hi, _) in enumerate(_system(cells)):
        if lo > 0:
            matrix[j, n + 1 + n + lo - 1] = -v[j, lo]
        if hi < n:
            matrix[j, n + 1 + hi] = -v[j, hi]
    try:
        solution = np.linalg.solve(matrix, least)
    except np.linalg.LinAlgError:  # never observed; the test below decides in any case
        solution = np.linalg.lstsq(matrix, least, rcond=None)[0]
    w, rising, falling = solution[: n + 1], solution[n + 1 : 2 * n + 1], solution[2 * n + 1 :]
    return np.asarray(w), np.maximum(rising, 0.0)[None, :], np.maximum(falling, 0.0)[None, :]


def _chain_dual(cells: ChainCells, least: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the dual for several levels, of minimal size where it is not unique."""
    n, x = cells.n, cells.directions
    parts = [x]
    for rises in (True, False):
        for level in cells.levels:
            ratio = 1 / float(level.alpha)
            apart = x[:, :-1] - ratio * x[:, 1:] if rises else x[:, 1:] - ratio * x[:, :-1]
            parts.append(-np.where(apart > _UNIT * 64 * x[:, :-1], apart, 0.0) if rises else -np.maximum(apart, 0.0))
    solution = np.linalg.lstsq(np.hstack(parts), least, rcond=None)[0]
    steps = np.maximum(solution[n + 1 :], 0.0).reshape(2, len(cells.levels), n)
    return np.asarray(solution[: n + 1]), steps[0], steps[1]


def certified(costs: Floats, dual: tuple[Floats, Floats, Floats], levels: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return a lower bound on every private mechanism's loss, rounded down, and the shift that makes every release pass.

    Parameters
    ----------
    costs : ndarray
        (n + 1, m): p_i l(i, r).
    dual : three of ndarray
        w (n + 1,), y+ and y- (levels, n) each, which are not negative.
    levels : sequence of (float, float)
        alpha and delta of every level.
    """
    w, rising, falling = dual
    size = float((np.abs(w) + np.abs(costs).max(axis=1)).max()) + _TINY
    alphas = [alpha for alpha, _ in levels]
    shift, failed = 64 * _UNIT * size, 0.0
    while not _passes(costs, w, rising, falling, alphas, shift):
        failed, shift = shift, shift * 4
        if shift > 8 * size:
            return float(np.minimum(costs.min(axis=1), 0.0).sum()), shift
    for _ in range(16 if shift > _COARSE * size else 0):  # reduce a large shift as far as possible
        middle = math.sqrt(failed * shift)
        if _passes(costs, w, rising, falling, alphas, middle):
            shift = middle
        else:
            failed = middle
    paid = [float((up + down).sum()) + 2 * len(up) * shift for up, down in zip(rising, falling, strict=True)]
    charged = math.fsum(delta * part for (_, delta), part in zip(levels, paid, strict=True))
    sums = float(np.abs(w).sum()) + sum(paid)
    bound = float(w.sum()) - len(w) * shift - charged * (1 + 8 * _UNIT) - 64 * _UNIT * sums
    return math.nextafter(bound, -math.inf), shift


def _passes(costs: Floats, w: Floats, rising: Floats, falling: Floats, alphas: Sequence[float], shift: float) -> bool:
    """Whether every release r certainly satisfies its dual constraint.

    With v = c_r - w and V_i = v_i + the least over ratios t of t V_i+1 + sum y+_i (1 - t / alpha)+ + y-_i (t - 1 / alpha)+:
    V_0 >= 0, and the sum of y-_i and V_i+1 is not negative. The least is at 0, at an alpha or at a 1 / alpha.
    """
    n = len(w) - 1
    kinks = [(ratio * (1 - 8 * _UNIT), ratio * (1 + 8 * _UNIT)) for a in alphas for ratio in (a, 1 / a)]
    inverse = [1 / a for a in alphas]
    margin = 4 * _UNIT * (np.abs(w) + shift)
    v = costs * (1 - 4 * _UNIT * np.sign(costs)) - (w - shift + margin)[:, None]
    value = v[n]
    up, down = rising + shift, falling + shift
    covered = [
        sum(up[k] * max(1 - ratio * inverse[k], 0.0) + down[k] * max(ratio - inverse[k], 0.0) for k in range(len(alphas)))
        for ratio, _ in kinks
    ]
    none, most = up.sum(axis=0), down.sum(axis=0)
    with np.errstate(over="ignore"):
        for i in range(n - 1, -1, -1):
            if (most[i] + value < 0).any():
                return False
            least = np.full_like(value, none[i])
            for (low, high), paid in zip(kinks, covered, strict=True):
                least = np.minimum(least, np.minimum(value * low, value * high) + paid[i] * (1 - 64 * _UNIT))
            value = v[i] + least - 4 * _UNIT * np.abs(least)
    return bool((value >= 0).all())


def _exact_dual(cells: Cells, least: Sequence[Fraction]) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    n, alpha = cells.n, cells.noise.alpha
    rows = []
    for (lo, hi, p), right in zip(_system(cells), least, strict=True):
        row = [Fraction(0)] * (3 * n + 1)
        for i in range(lo, hi + 1):
            row[i] = alpha ** abs(i - p)
        if lo > 0:
            row[2 * n + 1 + lo - 1] = -row[lo]
        if hi < n:
            row[n + 1 + hi] = -row[hi]
        rows.append([*row, right])
    solution = _eliminated(rows)
    return solution[: n + 1], solution[n + 1 : 2 * n + 1], solution[2 * n + 1 :]


def _eliminated(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve a square system by fraction-free elimination (Bareiss)."""
    size = len(rows)
    whole: list[list[int]] = []
    for row in rows:
        common = math.lcm(*(entry.denominator for entry in row))
        whole.append([int(entry * common) for entry in row])
    before = 1
    for k in range(size):
        pivot = next((i for i in range(k, size) if whole[i][k]), None)
        if pivot is None:
            raise ZeroDivisionError("the system has no single solution")
        whole[k], whole[pivot] = whole[pivot], whole[k]
        head = whole[k]
        for i in range(k + 1, size):
            mine, factor = whole[i], whole[i][k]
            if factor:
                rest = [(head[k] * mine[c] - factor * head[c]) // before for c in range(k + 1, size + 1)]
            else:
                rest = [head[k] * entry // before for entry in mine[k + 1 :]]
            whole[i] = [0] * (k + 1) + rest
        before = head[k]
    solution = [Fraction(0)] * size
    for k in range(size - 1, -1, -1):
        known = sum((whole[k][c] * solution[c] for c in range(k + 1, size) if whole[k][c]), Fraction(0))
        solution[k] = (whole[k][size] - known) / whole[k][k]
    return solution


def _exact_bound(
    costs: Sequence[Sequence[Fraction]],
    dual: tuple[Sequence[Fraction], Sequence[Fraction], Sequence[Fraction]],
    alpha: Fraction,
    delta: Fraction,
) -> Fraction | None:
    """Return the value of the dual; None if it is not feasible."""
    w, rising, falling = dual
    n = len(w) - 1
    if min((*rising, *falling), default=0) < 0:
        return None
    for r in range(len(costs[0])):
        value = costs[n][r] - w[n]
        for i in range(n - 1, -1, -1):
            if falling[i] + value < 0:
                return None
            value = costs[i][r] - w[i] + min(rising[i], alpha * value, value / alpha)
        if value < 0:
            return None
    return sum(w, Fraction(0)) - delta * (sum(rising, Fraction(0)) + sum(falling, Fraction(0)))


class Uncovered(NamedTuple):
    """The delta that epsilon does not cover, and the rows where it occurs.

    Attributes
    ----------
    delta : Fraction
        Exactly.
    row, neighbour : int
        The first pair for which it is that much: sum over releases of (x[row] - t x[neighbour])+.
    """

    delta: Fraction
    row: int = 0
    neighbour: int = 0


def uncovered(rows: Sequence[Sequence[Decimal | Fraction]], ratio: Fraction) -> Uncovered:
    """Return the delta of a table at the ratio t = e^epsilon, over all neighbouring rows in both orders.

    Parameters
    ----------
    rows : sequence of sequence of Decimal or Fraction
        Row i is of the true result i.
    ratio : Fraction
        At least 1; a ratio below the true one gives a delta that is certainly not too small.
    """
    worst = Uncovered(Fraction(0), 0, min(1, len(rows) - 1))
    above, below = ratio.numerator, ratio.denominator
    weights, units = zip(*map(_whole, rows), strict=True)
    for i in range(len(rows) - 1):
        unit = math.lcm(units[i], units[i + 1])
        upper = [weight * (unit // units[i]) for weight in weights[i]]
        lower = [weight * (unit // units[i + 1]) for weight in weights[i + 1]]
        for mine, theirs, row, neighbour in ((upper, lower, i, i + 1), (lower, upper, i + 1, i)):
            excess = sum(over for p, q in zip(mine, theirs, strict=True) if (over := p * below - q * above) > 0)
            if excess * worst.delta.denominator > worst.delta.numerator * unit * below:
                worst = Uncovered(Fraction(excess, unit * below), row, neighbour)
    return worst


def _whole(row: Sequence[Decimal | Fraction]) -> tuple[list[int], int]:
    """Return a row as whole numbers over one denominator."""
    ratios = [entry.as_integer_ratio() for entry in row]
    unit = math.lcm(*(below for _, below in ratios))
    return [above * (unit // below) for above, below in ratios], unit


#: Above this n the program takes seconds.
LARGEST_PROGRAM_N = 60

_GRID = 2**60  # entries are rounded to this before they are repaired


class ProgramTable(NamedTuple):
    """The solution of the linear program.

    Attributes
    ----------
    rows : tuple of tuple of Fraction
        Summing to exactly 1 and exactly (epsilon, delta)-private.
    value, gap : float
        The expected loss of these rows, and how far above the optimum that is at most, rounded up.
    iterations : int
    """

    rows: tuple[tuple[Fraction, ...], ...]
    value: float
    gap: float
    iterations: int


def solve_program(prior: Floats, loss: Floats, alpha: Fraction, delta: Fraction) -> ProgramTable:
    """Solve the linear program.

    Parameters
    ----------
    prior : ndarray
        (n + 1,).
    loss : ndarray
        (n + 1, n + 1): l(i, r).
    alpha, delta : Fraction
        An alpha that is not below the true one.

    Raises
    ------
    InputError
        If HiGHS finds no solution, or n is above 60.
    """
    from scipy.optimize import linprog  # imported late: a window opens without it
    from scipy.sparse import coo_matrix, hstack, kron
    from scipy.sparse import identity as eye

    side = len(prior)
    n = side - 1
    if n > LARGEST_PROGRAM_N:
        raise InputError(f"the linear program with delta is solved for n of at most {LARGEST_PROGRAM_N}, got {n}.", "n")
    costs = prior[:, None] * loss
    entries, slacks = side * side, n * side
    matrix, limits = _privacy_rows(side, float(alpha), float(delta))
    blocks: Any = hstack([kron(eye(side), np.ones((1, side))), coo_matrix((side, 2 * slacks))])
    sums = blocks.tocsr()
    objective = np.concatenate([costs.ravel(), np.zeros(2 * slacks)])
    more = {"A_ub": matrix, "b_ub": limits} if n else {}
    found: Any = linprog(objective, A_eq=sums, b_eq=np.ones(side), bounds=(0, None), method="highs", **more)
    if found.x is None:
        raise InputError(f"the linear program found no solution ({found.message}).", "epsilon")
    rows = _repaired(found.x[:entries].reshape(side, side), costs, alpha, delta)
    value = math.fsum((np.array([[float(entry) for entry in row] for row in rows]) * costs).ravel().tolist())
    w = found.eqlin.marginals
    paid = -found.ineqlin.marginals[2 * slacks :] if n else np.zeros(0)
    rising, falling = np.maximum(paid[:n], 0.0)[None, :], np.maximum(paid[n:], 0.0)[None, :]
    bound, _ = certified(costs, (w, rising, falling), [(float(alpha), float(delta))])
    rounding = 16 * 2.0**-53 * side * float(np.abs(costs).max(axis=1).sum())
    gap = math.nextafter(max(value - bound, 0.0) + rounding, math.inf)
    return ProgramTable(rows, value, gap, int(found.nit))


def _privacy_rows(side: int, alpha: float, delta: float) -> tuple[Any, Floats]:
    """Return rows and limits: s[i, r] is at least what epsilon does not cover, with sums of at most delta, in both orders."""
    from scipy.sparse import coo_matrix, hstack, kron, vstack
    from scipy.sparse import identity as eye

    n = side - 1
    entries, slacks, places = side * side, n * side, np.arange(n)
    first: Any = coo_matrix((np.ones(n), (places, places)), shape=(n, side))
    second: Any = coo_matrix((np.ones(n), (places, places + 1)), shape=(n, side))
    columns: Any = eye(side)
    rise, fall = kron(first - second / alpha, columns), kron(second - first / alpha, columns)
    total = kron(eye(n), np.ones((1, side))) if n else coo_matrix((0, 0))
    nothing, unused = coo_matrix((slacks, slacks)), coo_matrix((n, slacks))
    rows = [
        hstack([rise, -eye(slacks), nothing]),
        hstack([fall, nothing, -eye(slacks)]),
        hstack([coo_matrix((n, entries)), total, unused]),
        hstack([coo_matrix((n, entries)), unused, total]),
    ]
    stacked: Any = vstack(rows)
    return stacked.tocsr(), np.concatenate([np.zeros(2 * slacks), np.full(2 * n, delta)])


def _repaired(raw: Floats, costs: Floats, alpha: Fraction, delta: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    """Return rows rounded to a grid that sum to 1 and are exactly private, mixed with the best constant if delta is exceeded."""
    rows = []
    for row in np.maximum(raw, 0.0):
        whole = [int(entry * _GRID) for entry in row.tolist()]
        total = sum(whole)
        rows.append([Fraction(entry, total) for entry in whole])
    found = uncovered(rows, 1 / alpha).delta
    allowed = delta * (1 - Fraction(1, 10**12))
    if found > allowed:
        kept, constant = allowed / found, int(costs.sum(axis=0).argmin())
        rows = [[kept * entry + (1 - kept) * (r == constant) for r, entry in enumerate(row)] for row in rows]
    return tuple(map(tuple, rows))
