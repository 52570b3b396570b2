"""The net mechanism of [BLR], run exactly: a database is chosen from all small ones by how well it answers a class of queries.

For a database D of n rows and the net of all multisets D' of m points, Pr[D'] is proportional to exp(-eps n err(D, D') / 2),
where err is the largest difference of any answer. The score n err changes by at most 1 when a row is replaced, so that this is
eps-private (the exponential mechanism).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, log

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.numbers.logarithms import log_shares
from dpdesigner.core.synthetic.classes import Queries
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

MOST_DATABASES = 200_000
MOST_NEIGHBOURHOODS = 20_000
_ROUNDING = 1e-12


def multisets(points: int, size: int) -> Integers:
    """Return the counts of all multisets of so many points, in the order of ``combinations_with_replacement``.

    Raises
    ------
    InputError
        If there are more than 200 000.
    """
    many = comb(points + size - 1, size)
    if many > MOST_DATABASES:
        raise InputError(
            f"at most {MOST_DATABASES} small databases can be enumerated, got {many} with {size} of {points} points.",
            "size",
        )
    chosen = np.array(list(combinations_with_replacement(range(points), size)), dtype=np.int64).reshape(many, size)
    counts = np.zeros((many, points), dtype=np.int64)
    np.add.at(counts, (np.repeat(np.arange(many), size), chosen.ravel()), 1)
    return counts


@dataclass(frozen=True, eq=False)
class Net:
    """Small databases and their answers.

    Attributes
    ----------
    queries : Queries
    counts : ndarray of int
        (databases, points).
    """

    queries: Queries
    counts: Integers

    @cached_property
    def answers(self) -> Floats:
        """(databases, queries): as shares."""
        sizes = self.counts.sum(axis=1, keepdims=True)
        return np.asarray(self.counts @ self.queries.matrix.T / np.maximum(sizes, 1))

    def errors(self, database: ArrayLike) -> Floats:
        """Return the largest difference of any answer between a database (counts of points) and each of the net."""
        real = np.asarray(database, dtype=float)
        return np.asarray(abs(self.answers - self.queries.matrix @ (real / real.sum())).max(axis=1))

    def log_chances(self, database: ArrayLike, epsilon: float) -> Floats:
        """Return ln of the probability with which each is chosen."""
        return log_shares(-epsilon * float(np.sum(database)) * self.errors(database) / 2)

    def probabilities(self, database: ArrayLike, epsilon: float) -> Floats:
        """Return with which probability each is chosen."""
        return np.exp(self.log_chances(database, epsilon))


def full_net(queries: Queries, size: int) -> Net:
    """Return the net of all multisets of so many points."""
    return Net(queries, multisets(queries.points, size))


def log_probabilities(net: Net, databases: Integers, epsilon: float, progress: Progress = silent) -> Floats:
    """Return ln Pr for each database (rows) and each of the net (columns)."""
    logs = np.empty((len(databases), len(net.counts)))
    for place, base in enumerate(databases):
        if place % 64 == 0:
            progress(place / len(databases), "")
        logs[place] = net.log_chances(base, epsilon)
    return logs


def privacy_here(net: Net, database: ArrayLike, epsilon: float) -> float:
    """Return the largest log ratio between this database and one with a row replaced, rounded up."""
    base = np.asarray(database, dtype=np.int64)
    near = np.array([base, *_replaced(base)])
    logs = log_probabilities(net, near, epsilon)
    return float(abs(logs[1:] - logs[0]).max(initial=0.0)) * (1 + _ROUNDING)


def privacy(net: Net, rows: int, epsilon: float, progress: Progress = silent) -> float | None:
    """Return the largest log ratio over all databases of so many rows and their neighbours, rounded up.

    None where there are more than 20 000 databases, or more than that many probabilities can be held; epsilon bounds it.
    """
    points = net.queries.points
    many = comb(points + rows - 1, rows)
    if many > MOST_NEIGHBOURHOODS or many * len(net.counts) > 2 * 10**7:
        return None
    bases = multisets(points, rows)
    places = {tuple(base): place for place, base in enumerate(bases.tolist())}
    logs = log_probabilities(net, bases, epsilon, progress)
    worst = 0.0
    for place, base in enumerate(bases):
        near = [other for each in _replaced(base) if (other := places[tuple(each.tolist())]) > place]
        if near:
            worst = max(worst, float(abs(logs[near] - logs[place]).max()))
    return worst * (1 + _ROUNDING)


def _replaced(base: Integers) -> list[Integers]:
    neighbours = []
    for out in np.flatnonzero(base).tolist():
        for into in range(len(base)):
            if into != out:
                other = base.copy()
                other[out] -= 1
                other[into] += 1
                neighbours.append(other)
    return neighbours


@dataclass(frozen=True)
class Usefulness:
    """The bound of Property 3.4 for a release, next to the exact values.

    Attributes
    ----------
    best : float
        The error of the best database of the net.
    within : float
        What the error stays below with chance 1 - delta at least: best + (2 / (eps n)) ln(|net| / delta).
    exact : float
        What it really stays within with that chance.
    """

    best: float
    within: float
    exact: float


def usefulness(net: Net, database: ArrayLike, epsilon: float, delta: float) -> Usefulness:
    """Return how useful the chosen database is, bounded and exactly."""
    errors, chances = net.errors(database), net.probabilities(database, epsilon)
    order = np.argsort(errors, kind="stable")
    covered = np.cumsum(chances[order])
    place = int(np.searchsorted(covered, 1 - delta - 1e-12))
    rows, best = float(np.sum(database)), float(errors.min())
    bound = best + 2 / (epsilon * rows) * log(len(errors) / delta)
    return Usefulness(best, bound, float(errors[order[min(place, len(order) - 1)]]))


def subsample_errors(queries: Queries, database: ArrayLike, size: int, draws: int, seed: int) -> Floats:
    """Return the largest error of each of so many small databases drawn from a database's rows (Lemma 3.7), for study.

    Parameters
    ----------
    queries : Queries
    database : array_like
        (points,): counts, or shares.
    size : int
        Rows of a small database, drawn with replacement.
    draws : int
    seed : int
    """
    real = np.asarray(database, dtype=float) / np.sum(database)
    drawn = np.random.default_rng(seed).multinomial(size, real, draws)
    return np.asarray(abs((drawn / size - real) @ queries.matrix.T).max(axis=1))


def integer_losses(net: Net, database: ArrayLike) -> tuple[Integers, int]:
    """Return whole numbers L and D such that n err = L / D for each of the net: what an exact draw weighs by exp(-eps L / (2 D)).

    Notes
    -----
    Where the entries of all queries are not whole multiples of one of the fractions below, they are rounded to six digits; the
    rounded queries move as little when a row is replaced.
    """
    matrix = net.queries.matrix
    scale = next((d for d in (1, 2, 3, 4, 5, 6, 8, 10, 12, 100, 1000, 10**4, 10**5) if _whole(matrix * d)), 10**6)
    whole = np.round(matrix * scale).astype(np.int64)
    real = np.asarray(database, dtype=np.int64)
    rows, sizes = int(real.sum()), net.counts.sum(axis=1, keepdims=True)
    common = int(np.lcm.reduce(np.unique(sizes)))
    differences = (net.counts @ whole.T) * (common // sizes) * rows - common * (whole @ real)
    return np.abs(differences).max(axis=1), common * scale


def _whole(values: Floats) -> bool:
    return bool(np.abs(values - np.round(values)).max() < 1e-9)
