"""Small linear programs over mechanisms: the constraints of privacy, and the one call of HiGHS, with tight tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.errors import DpDesignerError

Edges = Sequence[tuple[int, int]]

_TIGHT = 1e-10


class Least(NamedTuple):
    """The least value, where it is attained, and the multipliers of the inequalities, at least 0."""

    value: float
    x: Floats
    multipliers: Floats


def least(objective: Floats, above: Floats, limits: Floats, sums: ArrayLike, totals: Floats) -> Least:
    """Minimise ``objective @ x`` over x >= 0 with ``above @ x <= limits`` and ``sums @ x == totals``.

    Raises
    ------
    DpDesignerError
        If HiGHS finds no answer.
    """
    from scipy.optimize import linprog

    solution = linprog(
        objective,
        above,
        limits,
        np.asarray(sums),
        totals,
        method="highs",
        options={"primal_feasibility_tolerance": _TIGHT, "dual_feasibility_tolerance": _TIGHT},
    )
    if solution.status != 0 or solution.x is None or solution.fun is None:
        raise DpDesignerError(f"HiGHS found no answer: {solution.message}")
    return Least(float(solution.fun), np.asarray(solution.x), -np.asarray(solution.ineqlin.marginals))


def path(rows: int) -> list[tuple[int, int]]:
    """Return the neighbours among the results of a count query: each and the next."""
    return [(i, i + 1) for i in range(rows - 1)]


def private(joined: Edges, rows: int, alpha: float, outputs: Floats) -> Floats:
    """Return the matrix of alpha x_dr - x_er <= 0, both ways, of mechanisms (rows, all outputs) made flat.

    Parameters
    ----------
    joined : sequence of (int, int)
        The neighbours.
    rows : int
    alpha : float
    outputs : ndarray
        (private outputs, all outputs): a row of the identity for each output that is to be private.
    """
    pairs = [pair for d, e in joined for pair in ((d, e), (e, d))]
    matrix = np.zeros((len(pairs), rows))
    for k, (d, e) in enumerate(pairs):
        matrix[k, d], matrix[k, e] = alpha, -1
    return np.asarray(np.kron(matrix, outputs))


def row_sums(rows: int, outputs: int) -> Floats:
    """Return the matrix of the sums of the rows of such mechanisms."""
    return np.asarray(np.kron(np.eye(rows), np.ones(outputs)))
