"""The best private mechanism for a count among those with certain properties at face value, such as fairness.

The properties of a mechanism x with releases 0..n, and the names that they have here: ``row`` x_rr >= x_ir (a release is
likeliest where it is true), ``row-monotone`` (each column falls away from the diagonal), ``column`` x_ii >= x_ir (the truth is
the likeliest release), ``column-monotone`` (each row falls away from the diagonal), ``fair`` (the truth is released with the same
probability everywhere), ``weak`` x_ii >= 1/(n + 1), and ``symmetric`` x_ir = x_{n-i,n-r}. Nothing is remapped: that would undo
them.

The optimum is a linear program. Its answer is solved again in fractions from the constraints that are tight; from any multipliers
follows the lower bound sum_i min_r (c - A' y)_ir + b' y, since every entry is in exactly one row sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.mechanism.adjacency_graphs import least
from dpdesigner.errors import DpDesignerError

Row = dict[int, Fraction]
Equation = tuple[Row, Fraction]

PROPERTIES = ("row", "row-monotone", "column", "column-monotone", "fair", "weak", "symmetric")

_TIGHT = 1e-8
_DENOMINATORS = (1000, 10**6, 10**9)


@dataclass(frozen=True, eq=False)
class PropertyOptimum:
    """An optimal mechanism with some properties.

    Attributes
    ----------
    value : Fraction
        Its expected loss, exactly.
    bound : Fraction
        Proved: no mechanism with these properties costs less.
    matrix : tuple of tuple of Fraction
        It is private, has the properties, and its rows sum to exactly 1.
    """

    value: Fraction
    bound: Fraction
    matrix: tuple[tuple[Fraction, ...], ...]


def best_with(costs: Sequence[Sequence[Fraction]], alpha: Fraction, properties: Sequence[str]) -> PropertyOptimum:
    """Return an optimal mechanism.

    Parameters
    ----------
    costs : sequence of sequences of Fraction
        p_i l(i, r), (n + 1, n + 1).
    alpha : Fraction
        In (0, 1].
    properties : sequence of str
        Of `PROPERTIES`.

    Raises
    ------
    DpDesignerError
        If the linear program has no answer, or that cannot be made exact.
    """
    size = len(costs)
    below = _inequalities(size, alpha, properties)
    equal: list[Equation] = [({i * size + r: Fraction(1) for r in range(size)}, Fraction(1)) for i in range(size)]
    flat = [cost for row in costs for cost in row]
    above, limits = _dense(below, size * size)
    solution = least(np.array([float(cost) for cost in flat]), above, limits, *_dense(equal, size * size))
    slack = limits - above @ solution.x
    tight = [equation for equation, room in zip(below, slack.tolist(), strict=True) if room < _TIGHT]
    zero: list[Equation] = [({place: Fraction(1)}, Fraction(0)) for place in np.flatnonzero(solution.x < _TIGHT).tolist()]
    exact = _solved([*equal, *zero, *tight], size * size)
    if exact is None or not _holds(exact, below, equal):
        raise DpDesignerError("the mechanism with these properties could not be found in fractions.")
    value = sum((cost * x for cost, x in zip(flat, exact, strict=True)), Fraction(0))
    bounds = (_bound(flat, size, below, solution.multipliers, largest) for largest in _DENOMINATORS)
    rows = tuple(tuple(exact[i * size : (i + 1) * size]) for i in range(size))
    return PropertyOptimum(value, min(max(bounds), value), rows)


def _dense(equations: list[Equation], unknowns: int) -> tuple[Floats, Floats]:
    matrix = np.zeros((len(equations), unknowns))
    for k, (row, _) in enumerate(equations):
        for place, weight in row.items():
            matrix[k, place] = float(weight)
    return matrix, np.array([float(total) for _, total in equations])


def _bound(flat: list[Fraction], size: int, below: list[Equation], multipliers: Floats, largest: int) -> Fraction:
    """Return a lower bound on the cost of every mechanism, from rounded multipliers of the inequalities."""
    reduced, total = list(flat), Fraction(0)
    for (row, limit), multiplier in zip(below, multipliers.tolist(), strict=True):
        weight = max(Fraction(multiplier).limit_denominator(largest), Fraction(0))
        if weight:
            total -= weight * limit
            for place, factor in row.items():
                reduced[place] += weight * factor
    return total + sum((min(reduced[i * size : (i + 1) * size]) for i in range(size)), Fraction(0))


def fair_diagonal(n: int, alpha: Fraction) -> Fraction:
    """Return the probability that the optimal fair mechanism for the loss 0 or 1 releases the truth, for any true result."""
    if n % 2:
        return (1 - alpha) / ((1 + alpha) * (1 - alpha ** ((n + 1) // 2)))
    return (1 - alpha) / (1 + alpha - 2 * alpha ** (n // 2 + 1))


def _inequalities(size: int, alpha: Fraction, properties: Sequence[str]) -> list[Equation]:
    """Return rows a and limits b of a x <= b."""
    made: list[Equation] = []

    def above(i: int, r: int, k: int, s: int, factor: Fraction = Fraction(1)) -> None:
        """Require x_ir >= factor x_ks."""
        made.append(({k * size + s: factor, i * size + r: Fraction(-1)}, Fraction(0)))

    for i in range(size - 1):
        for r in range(size):
            above(i, r, i + 1, r, alpha)
            above(i + 1, r, i, r, alpha)
    for i in range(size):
        for r in range(size):
            if i == r:
                continue
            toward = r + 1 if r < i else r - 1
            if "row" in properties:
                above(r, r, i, r)
            if "column" in properties:
                above(i, i, i, r)
            if "column-monotone" in properties:
                above(i, toward, i, r)
            if "row-monotone" in properties:
                above(i + 1 if i < r else i - 1, r, i, r)
            if "symmetric" in properties:
                above(i, r, size - 1 - i, size - 1 - r)
        if "symmetric" in properties and 2 * i != size - 1:
            above(i, i, size - 1 - i, size - 1 - i)
        if "weak" in properties:
            made.append(({i * size + i: Fraction(-1)}, Fraction(-1, size)))
        if "fair" in properties and i:
            above(i, i, 0, 0)
            above(0, 0, i, i)
    return made


def _solved(equations: list[Equation], unknowns: int) -> list[Fraction] | None:
    """Return the unique solution of sparse, possibly redundant linear equations; None if it is not unique or nonexistent."""
    pivots: dict[int, tuple[Row, Fraction]] = {}
    for given, value in equations:
        row, total = dict(given), value
        for place in sorted(row.keys() & pivots.keys()):
            factor = row.get(place, Fraction(0))
            if factor:
                other, right = pivots[place]
                for column, weight in other.items():
                    left = row.get(column, Fraction(0)) - factor * weight
                    if left:
                        row[column] = left
                    else:
                        row.pop(column, None)
                total -= factor * right
        if not row:
            if total:
                return None
            continue
        place = min(row)
        pivot = row[place]
        row, total = {column: weight / pivot for column, weight in row.items()}, total / pivot
        for key, (other, right) in list(pivots.items()):  # keep every pivot row free of the other pivots
            if factor := other.get(place, Fraction(0)):
                merged = dict(other)
                for column, weight in row.items():
                    left = merged.get(column, Fraction(0)) - factor * weight
                    if left:
                        merged[column] = left
                    else:
                        merged.pop(column, None)
                pivots[key] = merged, right - factor * total
        pivots[place] = row, total
    if len(pivots) < unknowns:
        return None
    return [pivots[place][1] for place in range(unknowns)]


def _holds(x: list[Fraction], below: list[Equation], equal: list[Equation]) -> bool:
    def left(row: Row) -> Fraction:
        return sum((weight * x[place] for place, weight in row.items()), Fraction(0))

    return min(x) >= 0 and all(left(row) <= limit for row, limit in below) and all(left(row) == total for row, total in equal)
