"""An exact solver that shares nothing with the program: definitions written out in fractions, and a simplex over extreme rays.

The columns of an alpha-DP mechanism lie in the cone K = {x >= 0 : alpha x_i <= x_{i+1} <= x_i / alpha}. For 0 < alpha < 1 its
extreme rays are the 2^n vectors whose every step is one of the two extremes, so the best private mechanism solves
min sum_t y_t min_r <c_r, t> over rays t with sum_t y_t t = 1, y >= 0: a linear program with n + 1 rows, solved here by the
simplex method.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count, pairwise, product

Vector = list[Fraction]
Rows = Sequence[Sequence[Fraction]]


def geometric(n: int, alpha: Fraction) -> list[Vector]:
    """The range-restricted geometric mechanism, entry by entry: clamp(i + Z)."""
    if n == 0:
        return [[Fraction(1)]]
    end, inner = 1 / (1 + alpha), (1 - alpha) / (1 + alpha)
    return [[(end if j in (0, n) else inner) * alpha ** abs(i - j) for j in range(n + 1)] for i in range(n + 1)]


def best_remap(prior: Sequence[Fraction], loss: Rows, alpha: Fraction) -> tuple[Fraction, list[int]]:
    """The expected loss of the best reading of G, and for each output the nearest best reading; at alpha = 1 the smallest."""
    released = geometric(len(prior) - 1, alpha)
    value, remap = Fraction(0), []
    for j in range(len(prior)):
        costs = [sum(p * released[i][j] * loss[i][r] for i, p in enumerate(prior)) for r in range(len(loss[0]))]
        # At alpha = 1 the inner outputs never occur: any reading is as good, so they take the one that 0 takes.
        if not released[0][j] and not any(row[j] for row in released):
            costs = [sum(p * loss[i][r] for i, p in enumerate(prior)) for r in range(len(loss[0]))]
            remap.append(costs.index(min(costs)))
            continue
        value += min(costs)
        best = [r for r, cost in enumerate(costs) if cost == min(costs)]
        remap.append(best[0] if alpha == 1 else min(best, key=lambda r: abs(r - j)))
    return value, remap


def optimum(prior: Sequence[Fraction], loss: Rows, alpha: Fraction) -> Fraction:
    """The least expected loss of any alpha-DP mechanism, 0 < alpha < 1; the work doubles with n."""
    n = len(prior) - 1
    rays = []
    for steps in product((alpha, 1 / alpha), repeat=n):
        ray = [Fraction(1)]
        for step in steps:
            ray.append(ray[-1] * step)
        rays.append(ray)
    costs = [
        min(sum(p * x * loss[i][r] for i, (p, x) in enumerate(zip(prior, ray, strict=True))) for r in range(len(loss[0])))
        for ray in rays
    ]
    # The geometric mechanism is feasible: rays that rise to j and fall after it. Each has one weight that is positive.
    start = [rays.index([alpha ** (abs(i - j) - j) for i in range(n + 1)]) for j in range(n + 1)]
    return _simplex([list(column) for column in zip(*rays, strict=True)], costs, start)


def loss_of(prior: Sequence[Fraction], loss: Rows, mechanism: Rows) -> Fraction:
    """sum_i p_i sum_r x_ir l(i, r)."""
    return sum(
        (p * sum(x * c for x, c in zip(xs, cs, strict=True)) for p, xs, cs in zip(prior, mechanism, loss, strict=False)),
        Fraction(0),
    )


def is_private(mechanism: Rows, alpha: Fraction) -> bool:
    """Whether alpha x_i <= x_{i+1} and alpha x_{i+1} <= x_i in every column, and every row is a distribution."""
    rows = [list(row) for row in mechanism]
    stochastic = all(sum(row) == 1 and min(row) >= 0 for row in rows)
    return stochastic and all(
        alpha * a <= b and alpha * b <= a for upper, lower in pairwise(rows) for a, b in zip(upper, lower, strict=True)
    )


def in_dual_cone(v: Sequence[Fraction], alpha: Fraction) -> bool:
    """Whether <v, t> >= 0 for every extreme ray t of K, ray by ray (0 < alpha < 1)."""
    for steps in product((alpha, 1 / alpha), repeat=len(v) - 1):
        total, entry = v[0], Fraction(1)
        for step, coefficient in zip(steps, v[1:], strict=True):
            entry *= step
            total += coefficient * entry
        if total < 0:
            return False
    return True


def _simplex(matrix: list[Vector], costs: Vector, basis: list[int]) -> Fraction:
    """min <costs, y> with matrix y = 1, y >= 0, from a feasible basis."""
    table = [[*row, Fraction(1)] for row in matrix]
    for k, column in enumerate(basis):
        pivot = next(row for row in range(k, len(table)) if table[row][column])
        table[k], table[pivot] = table[pivot], table[k]
        _eliminate(table, k, column)
    reduced = [*costs, Fraction(0)]
    for row, column in zip(table, basis, strict=True):
        factor = reduced[column]
        reduced = [a - factor * b for a, b in zip(reduced, row, strict=True)]
    table.append(reduced)
    for pivots in count():
        # The steepest cost is quick; Bland's rule (the first negative one) cannot cycle.
        choices = [(cost if pivots < 100 else Fraction(0), j) for j, cost in enumerate(table[-1][:-1]) if cost < 0]
        if not choices:
            break
        entering = min(choices)[1]
        ratios = [(row[-1] / row[entering], basis[k], k) for k, row in enumerate(table[:-1]) if row[entering] > 0]
        leaving = min(ratios)[2]
        basis[leaving] = entering
        _eliminate(table, leaving, entering)
    return -table[-1][-1]


def _eliminate(table: list[Vector], k: int, column: int) -> None:
    """Make `column` the k-th unit vector."""
    pivot = table[k][column]
    table[k] = [entry / pivot for entry in table[k]]
    for i, row in enumerate(table):
        factor = row[column]
        if i != k and factor:
            table[i] = [a - factor * b for a, b in zip(row, table[k], strict=True)]
