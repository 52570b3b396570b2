"""The optimal (epsilon, delta)-private table for a loss outside Theorem A, and the exact delta of any table.

Variables are x[i, r] and, for each pair of neighbouring rows in both orders, s[i, r] >= x[i, r] - x[i+1, r] / alpha with
sum_r s[i, r] <= delta. The dual solution of the program is tested as that of the cells is (`dpdesigner.core.delta.reading`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.delta.reading import certified
from dpdesigner.errors import InputError


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
