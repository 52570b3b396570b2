"""All vertices of the private mechanisms for a count query, in fractions, and which of them remaps of G reach ([GRS] footnote 4).

A column of a mechanism lies in the cone K: alpha x_i <= x_{i+1} <= x_i / alpha, whose extreme rays rise or fall by 1/alpha at
every step. Each vertex is a sum of at most n + 1 independent rays, shared out among the outputs, that is 1 in every row; of
those sums the vertices are the ones at which as many independent constraints are tight as there are unknowns. A mechanism is
a remap of G, perhaps a random one, exactly if (1 + alpha^2) x_i >= alpha (x_{i-1} + x_{i+1}) in every column, for all inner
rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

Column = tuple[Fraction, ...]
Columns = tuple[Column, ...]


def rays(n: int, alpha: Fraction) -> list[Column]:
    """Return the extreme rays of K, each from 1 at i = 0."""
    columns = []
    for steps in product((alpha, 1 / alpha), repeat=n):
        ray = [Fraction(1)]
        for step in steps:
            ray.append(ray[-1] * step)
        columns.append(tuple(ray))
    return columns


def vertices(n: int, outputs: int, alpha: Fraction) -> list[Columns]:
    """Return the vertices as tuples of columns, in a fixed order.

    Parameters
    ----------
    n : int
        Rows are 0..n; up to 3 it takes well under a second.
    outputs : int
    alpha : Fraction
        In (0, 1).
    """
    known = rays(n, alpha)
    kept: dict[Columns, None] = {}
    for size in range(1, n + 2):
        for chosen in combinations(known, size):
            weights = _weights(chosen, n)
            if weights is None or min(weights) <= 0:
                continue
            for places in product(range(outputs), repeat=size):
                columns = [[Fraction(0)] * (n + 1) for _ in range(outputs)]
                for ray, weight, place in zip(chosen, weights, places, strict=True):
                    columns[place] = [x + weight * y for x, y in zip(columns[place], ray, strict=True)]
                kept[tuple(map(tuple, columns))] = None
    return sorted(columns for columns in kept if _is_vertex(columns, alpha))


def derivable(columns: Columns, alpha: Fraction) -> bool:
    """Tell whether a mechanism is a remap of G, perhaps a random one."""
    square = 1 + alpha * alpha
    return all(
        square * column[i] >= alpha * (column[i - 1] + column[i + 1]) for column in columns for i in range(1, len(column) - 1)
    )


def kinds(mechanisms: Sequence[Columns]) -> list[Columns]:
    """Return one of each set of mechanisms that differ in the names of their outputs only."""
    return list({tuple(sorted(columns)): columns for columns in mechanisms}.values())


def _weights(chosen: Sequence[Column], n: int) -> list[Fraction] | None:
    """Return the one solution of sum of weight times ray = 1 in every row; None where there is none, or more than one."""
    rows = [[ray[i] for ray in chosen] + [Fraction(1)] for i in range(n + 1)]
    size = len(chosen)
    for k in range(size):
        pivot = next((i for i in range(k, n + 1) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(n + 1):
            if i != k and rows[i][k]:
                rows[i] = [value - rows[i][k] * other for value, other in zip(rows[i], rows[k], strict=True)]
    return None if any(row[-1] for row in rows[size:]) else [row[-1] for row in rows[:size]]


def _is_vertex(columns: Columns, alpha: Fraction) -> bool:
    size, m = len(columns[0]), len(columns)
    tight = [np.kron(np.ones(m), np.eye(size)[i]) for i in range(size)]
    for r, column in enumerate(columns):
        for i in range(size - 1):
            for left, right in ((alpha, -1), (-1, alpha)):
                if left * column[i] + right * column[i + 1] == 0:
                    row = np.zeros(m * size)
                    row[r * size + i], row[r * size + i + 1] = left, right
                    tight.append(row)
    return int(np.linalg.matrix_rank(np.array(tight))) == m * size
