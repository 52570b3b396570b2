"""Optimal private mechanisms on any graph of neighbouring databases by linear programming, and the vertices of a count's.

Any graph of databases
----------------------
A mechanism gives each database d a distribution x_d over outputs; it is alpha-private if alpha x_dr <= x_er for neighbours d,
e. The least sum of c_dr x_dr is a linear program. From multipliers l >= 0 of the privacy constraints alone, whatever they
are, follows a lower bound: the sum over d of min_r (c + A' l)_dr; rounded to fractions they prove one exactly, and a rounded
mechanism that attains it is the best.

Noise with delta
----------------
Sought is the (eps, delta)-private noise on whole numbers of least mean distance, for sensitivity 1.

Even noise p is private exactly if sum_i max(0, p(i) - e^eps p(i + 1)) <= delta over all i; by evenness that covers the other
direction. The window is widened until the best noise ends within it.

Vertices for a count query
--------------------------
All vertices are found in fractions, and which of them remaps of G reach ([GRS] footnote 4).

A column of a mechanism lies in the cone K: alpha x_i <= x_{i+1} <= x_i / alpha, whose extreme rays rise or fall by 1/alpha at
every step. Each vertex is a sum of at most n + 1 independent rays, shared out among the outputs, that is 1 in every row; of
those sums the vertices are the ones at which as many independent constraints are tight as there are unknowns. A mechanism is
a remap of G, perhaps a random one, exactly if (1 + alpha^2) x_i >= alpha (x_{i-1} + x_{i+1}) in every column, for all inner
rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats
from dpdesigner.errors import DpDesignerError, InputError
from dpdesigner.progress import Progress

Edges = Sequence[tuple[int, int]]

_TIGHT = 1e-10


class Least(NamedTuple):
    """The least value, the minimiser, and the multipliers of the inequalities, at least 0."""

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
    """Return the neighbours among the results of a count query: each result and the next."""
    return [(i, i + 1) for i in range(rows - 1)]


def private(joined: Edges, rows: int, alpha: float, outputs: Floats) -> Floats:
    """Return the matrix of alpha x_dr - x_er <= 0, both ways, for flattened mechanisms (rows, all outputs).

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
    """Return the matrix of the row sums of these flattened mechanisms."""
    return np.asarray(np.kron(np.eye(rows), np.ones(outputs)))


Costs = Sequence[Sequence[Fraction]]
Database = tuple[int, ...]

_DENOMINATORS = (1000, 50_000, 10**6)  # tried in turn when an answer in doubles is rounded


@dataclass(frozen=True, eq=False)
class BestMechanism:
    """An optimal mechanism.

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
        """Whether the mechanism is proved optimal, in fractions."""
        return isinstance(self.value, Fraction)


def databases(people: int, values: int = 2) -> list[Database]:
    """Return all databases of this many rows with entries 0, 1, ..., values - 1."""
    return list(product(range(values), repeat=people))


def edges(rows: Sequence[Database]) -> list[tuple[int, int]]:
    """Return the pairs of databases, by index, that differ in one row."""
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


_SLACK = 1e-13  # above the least loss, so that rounding does not empty the face


@dataclass(frozen=True, eq=False)
class Face:
    """The least loss, and the least and largest value of each entry over the optimal mechanisms."""

    value: float
    low: Floats
    high: Floats


def optimal_face(n: int, alpha: float, progress: Progress) -> Face:
    """Return the range of each entry over optimal mechanisms, for a uniform prior and the loss 0 or 1.

    Parameters
    ----------
    n : int
    alpha : float
        In (0, 1].
    progress : Progress
        Told before each entry, which takes two linear programs.
    """
    size = n + 1
    constraints, sums = private(path(size), size, alpha, np.eye(size)), row_sums(size, size)
    cost = (1 - np.eye(size)).ravel() / size
    value = least(cost, constraints, np.zeros(len(constraints)), sums, np.ones(size)).value
    above, limits = np.vstack([constraints, cost]), np.append(np.zeros(len(constraints)), value + _SLACK)
    low, high = np.zeros(size * size), np.zeros(size * size)
    for entry, chosen in enumerate(np.eye(size * size)):
        progress(entry / size**2)
        low[entry] = least(chosen, above, limits, sums, np.ones(size)).value
        high[entry] = -least(-chosen, above, limits, sums, np.ones(size)).value
    return Face(value, low.reshape(size, size), high.reshape(size, size))


@dataclass(frozen=True, eq=False)
class WorstCase:
    """The least worst-case mean distance, and a mechanism that attains it."""

    value: float
    matrix: Floats


def least_worst_distance(n: int, alpha: float) -> WorstCase:
    """Return the mechanism with the least worst-case mean distance over all results; up to n = 24 takes about a second.

    Notes
    -----
    Gupte and Sundararajan: its value is that of a remap of G; as n grows it tends to 2 alpha/(1 - alpha^2).
    """
    size = n + 1
    constraints = private(path(size), size, alpha, np.eye(size))
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    costs = np.array([np.kron(np.eye(size)[i], distance[i]) for i in range(size)])
    above = np.block([[constraints, np.zeros((len(constraints), 1))], [costs, -np.ones((size, 1))]])
    sums = np.hstack([row_sums(size, size), np.zeros((size, 1))])
    objective = np.append(np.zeros(size * size), 1.0)
    solution = least(objective, above, np.zeros(len(above)), sums, np.ones(size))
    return WorstCase(solution.value, solution.x[:-1].reshape(size, size))


_FIRST = 16
#: The farthest reach of noise that is searched.
LARGEST = 200


@dataclass(frozen=True)
class IntegerNoise:
    """The probabilities of 0, 1, 2, ..., symmetric for -1, -2, ..., and the mean distance."""

    chances: tuple[float, ...]
    cost: float


def best_integer_noise(epsilon: float, delta: float, progress: Progress) -> IntegerNoise:
    """Return the noise of least E|X|.

    Parameters
    ----------
    epsilon, delta : float
        At least 0; above 0.
    progress : callable
        Told before each program; may raise to stop.

    Raises
    ------
    InputError
        If truncated Laplace noise would reach further than `LARGEST`.
    """
    needed = 1 / (2 * delta) if epsilon == 0 else math.log1p(math.expm1(epsilon) / (2 * delta)) / epsilon
    if needed > LARGEST:
        raise InputError(f"delta must be large enough for noise within ±{LARGEST}, got {delta} at epsilon = {epsilon}.", "delta")
    window = max(_FIRST, math.ceil(needed) + 2)
    while True:
        progress(None)
        noise = _within(window, epsilon, delta)
        if window >= 2 * LARGEST or sum(noise.chances[-3:]) < 1e-12:
            return noise
        window = 2 * window


def _within(window: int, epsilon: float, delta: float) -> IntegerNoise:
    size, steps = window + 1, 2 * window + 2  # p(0..window); steps is their number from -window - 1 to window + 1
    ratio = math.exp(epsilon)
    above = np.zeros((steps + 1, size + steps))
    for k in range(steps):
        i = k - window - 1
        for place, weight in ((abs(i), 1.0), (abs(i + 1), -ratio)):
            if place <= window:
                above[k, place] += weight
        above[k, size + k] = -1
    above[steps, size:] = 1
    limits = np.zeros(steps + 1)
    limits[steps] = delta
    twice = np.where(np.arange(size) > 0, 2.0, 1.0)
    sums = np.concatenate([twice, np.zeros(steps)])[None, :]
    objective = np.concatenate([twice * np.arange(size), np.zeros(steps)])
    solution = least(objective, above, limits, sums, np.ones(1))
    return IntegerNoise(tuple(solution.x[:size].tolist()), solution.value)


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
    """Return whether a mechanism is a remap of G, possibly a randomised one."""
    square = 1 + alpha * alpha
    return all(
        square * column[i] >= alpha * (column[i - 1] + column[i + 1]) for column in columns for i in range(1, len(column) - 1)
    )


def kinds(mechanisms: Sequence[Columns]) -> list[Columns]:
    """Return one of each set of mechanisms that differ only in the names of their outputs."""
    return list({tuple(sorted(columns)): columns for columns in mechanisms}.values())


def _weights(chosen: Sequence[Column], n: int) -> list[Fraction] | None:
    """Return the unique weights for which sum of weight times ray = 1 in every row; None if not unique or nonexistent."""
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
