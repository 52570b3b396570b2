"""The smallest net for a class of queries on a tiny domain, by search: the fewest small databases near every database."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Integers
from dpdesigner.core.synthetic.classes import Queries
from dpdesigner.core.synthetic.net import Net, multisets
from dpdesigner.errors import InputError
from dpdesigner.progress import Progress, silent

MOST_DATABASES = 1500
_SECONDS = 60.0
_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class SmallestNet:
    """A net for all databases of so many rows.

    Attributes
    ----------
    counts : ndarray of int
        (databases, points).
    least : int
        No net has fewer: equal to the number of databases where the search came to its end.
    """

    counts: Integers
    least: int

    @property
    def proved(self) -> bool:
        """Whether no smaller one exists."""
        return self.least == len(self.counts)


def smallest_net(queries: Queries, rows: int, size: int, alpha: float, progress: Progress = silent) -> SmallestNet | None:
    """Return the fewest databases of at most `size` rows such that each database of `rows` rows has one within alpha.

    None where the databases of at most `size` rows are not near enough to all.

    Notes
    -----
    A set cover, solved as an integer program; its lower bound is rounded up.
    """
    points = queries.points
    near_to, among = comb(points + rows - 1, rows), sum(comb(points + many - 1, many) for many in range(1, size + 1))
    if max(near_to, among) > MOST_DATABASES:
        problem = f"the smallest net can be found among at most {MOST_DATABASES} databases"
        raise InputError(f"{problem}, got {near_to} of {rows} rows and {among} of at most {size}.", "net", "all")
    targets = multisets(points, rows)
    choices = np.vstack([multisets(points, many) for many in range(1, size + 1)])
    net = Net(queries, choices)
    near = np.array([net.errors(target) <= alpha + _TOLERANCE for target in targets])
    progress(None, "")
    if not near.any(axis=1).all():
        return None
    return _cover(near, choices)


def _cover(near: NDArray[np.bool_], choices: Integers) -> SmallestNet:
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    many = near.shape[1]
    rows = LinearConstraint(csr_matrix(near.astype(float)), 1, np.inf)
    solution = milp(
        np.ones(many),
        constraints=rows,
        bounds=Bounds(0, 1),
        integrality=np.ones(many, dtype=np.int64),
        options={"time_limit": _SECONDS},
    )
    if solution.x is None:
        chosen = _greedy(near)
        return SmallestNet(choices[chosen], 1)
    chosen = np.flatnonzero(solution.x > 0.5)
    if not near[:, chosen].any(axis=1).all():
        chosen = _greedy(near)
    bound = getattr(solution, "mip_dual_bound", None)
    return SmallestNet(choices[chosen], min(int(np.ceil((bound or 1) - 1e-6)), len(chosen)))


def _greedy(near: NDArray[np.bool_]) -> Integers:
    """A net in which each next database is near as many as possible that none was near before."""
    left, chosen = np.ones(len(near), dtype=bool), []
    while left.any():
        chosen.append(int(np.argmax(near[left].sum(axis=0))))
        left &= ~near[:, chosen[-1]]
    return np.array(chosen, dtype=np.int64)
