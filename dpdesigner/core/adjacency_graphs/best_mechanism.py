"""The best private mechanism on any graph of databases, by linear programming, with a proof in fractions where that is found.

A mechanism gives each database d a distribution x_d over outputs; it is alpha-private if alpha x_dr <= x_er for neighbours d,
e. The least sum of c_dr x_dr is a linear program. From multipliers l >= 0 of the privacy constraints alone, whatever they
are, follows a lower bound: the sum over d of min_r (c + A' l)_dr; rounded to fractions they prove one exactly, and a rounded
mechanism that attains it is the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from dpdesigner.core.adjacency_graphs.solver import Edges, least, private, row_sums

Costs = Sequence[Sequence[Fraction]]
Database = tuple[int, ...]

_DENOMINATORS = (1000, 50_000, 10**6)  # to which an answer in doubles is rounded, in turn


@dataclass(frozen=True, eq=False)
class BestMechanism:
    """A best mechanism.

    Attributes
    ----------
    value : Fraction or float
        The least sum of the costs; a `Fraction` where it is proved.
    bound : Fraction
        Proved: no mechanism costs less.
    matrix : tuple of tuples
        Rows = databases; of fractions where it is proved.
    """

    value: Fraction | float
    bound: Fraction
    matrix: tuple[tuple[Fraction | float, ...], ...]

    @property
    def proved(self) -> bool:
        """Whether it is the best, in fractions."""
        return isinstance(self.value, Fraction)


def databases(people: int, values: int = 2) -> list[Database]:
    """Return all databases of so many rows with entries 0, 1, ..., values - 1."""
    return list(product(range(values), repeat=people))


def edges(rows: Sequence[Database]) -> list[tuple[int, int]]:
    """Return the pairs of databases, by their places, that differ in one row."""
    place = {row: k for k, row in enumerate(rows)}
    values = range(max(max(row) for row in rows) + 1)
    pairs = set()
    for row, k in place.items():
        for i, value in product(range(len(row)), values):
            other = place[(*row[:i], value, *row[i + 1 :])]
            if other != k:
                pairs.add((min(k, other), max(k, other)))
    return sorted(pairs)


def best_mechanism(costs: Costs, alpha: Fraction, joined: Edges) -> BestMechanism:
    """Return a mechanism of least cost.

    Parameters
    ----------
    costs : sequence of sequences of Fraction
        c_dr: rows = databases, columns = outputs.
    alpha : Fraction
        In [0, 1].
    joined : sequence of (int, int)
        The neighbours.

    Raises
    ------
    DpDesignerError
        If HiGHS finds no answer.
    """
    rows, outputs = len(costs), len(costs[0])
    constraints = private(joined, rows, float(alpha), np.eye(outputs))
    objective = np.array([[float(c) for c in row] for row in costs]).ravel()
    solution = least(objective, constraints, np.zeros(len(constraints)), row_sums(rows, outputs), np.ones(rows))
    pairs = [pair for d, e in joined for pair in ((d, e), (e, d))]
    multipliers = solution.multipliers.reshape(len(pairs), outputs)
    raw, bounds = solution.x.reshape(rows, outputs), []
    for largest in _DENOMINATORS:
        rounded = [
            [max(Fraction(weight).limit_denominator(largest), Fraction(0)) for weight in row] for row in multipliers.tolist()
        ]
        bounds.append(_bound(costs, alpha, pairs, rounded))
        matrix = [[Fraction(x).limit_denominator(largest) for x in row] for row in raw.tolist()]
        if _private(matrix, alpha, pairs):
            value = sum(
                (c * x for ours, xs in zip(costs, matrix, strict=True) for c, x in zip(ours, xs, strict=True)), Fraction(0)
            )
            if value == bounds[-1]:
                return BestMechanism(value, value, tuple(map(tuple, matrix)))
    return BestMechanism(solution.value, max(bounds), tuple(tuple(row) for row in raw.tolist()))


def _bound(costs: Costs, alpha: Fraction, pairs: Edges, multipliers: Costs) -> Fraction:
    reduced = [list(row) for row in costs]
    for (d, e), row in zip(pairs, multipliers, strict=True):
        for r, weight in enumerate(row):
            reduced[d][r] += alpha * weight
            reduced[e][r] -= weight
    return sum((min(row) for row in reduced), Fraction(0))


def _private(matrix: Costs, alpha: Fraction, pairs: Edges) -> bool:
    kept = all(alpha * x <= y for d, e in pairs for x, y in zip(matrix[d], matrix[e], strict=True))
    return kept and all(sum(row) == 1 and min(row) >= 0 for row in matrix)
