"""A linear program in few rows over many rays, by the simplex method with a dense inverse.

min sum_t y_t cost_t with sum_t y_t ray_t = 1, y >= 0: which rays of the cone of private columns (`dpdesigner.core.program.rays`)
to mix, so that every true result's chances add up to 1, at the least cost. There are n + 1 rows and many more columns, so the
inverse of the basis is kept outright: a pivot is an update of rank one, and the inverse is computed anew after some dozens of
them. The dual w = cost_B B^-1 prices the rays: one with cost_t - <w, ray_t> < 0 would help.

Pricing all rays takes as long as a dozen pivots. So entering rays are taken in batches: the most promising ones are carried
along in the tableau for a while, and of them the one enters that gains most.

Rays are powers of alpha and much alike, so most bases are nearly degenerate. Ties for leaving are broken as if the right-hand
side were 1 + epsilon xi with a random xi, which rules out cycling; of rays that leave at about the same step the one with the
larger pivot does; tiny pivots are taken only where nothing else is left. Nothing here is relied upon: what it finds is repaired
and certified by `dpdesigner.core.dense.certificate` like any other answer.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpdesigner.arrays import Floats, Integers

_BATCH = 40
#: Reduced costs nearer to 0 than this are 0; costs are of the order of 1.
_OPTIMAL = 1e-13
#: How far a weight may become negative for the sake of a larger pivot.
_SLACK = 1e-13
#: Weights below it are taken for it when a step is estimated.
_USED_UP = 1e-15
#: Pivots below the first are taken only where nothing else is left, one at a time; below the second never.
_SAFE_PIVOT, _SMALLEST_PIVOT = 1e-6, 1e-10
#: Pivots after which the inverse is computed anew.
_REFRESH = 60


class RayProgram:
    """The program, its current basis and what that gives.

    Parameters
    ----------
    rays : ndarray
        (count, rows): one ray in each row.
    costs : ndarray
        (count,): of the order of 1.
    basis : ndarray of int
        (rows,): indices of rays whose weights are nonnegative.

    Attributes
    ----------
    dual : ndarray
        (rows,): the multipliers w of the rows.
    iterations : int
        Pivots so far.
    """

    def __init__(self, rays: Floats, costs: Floats, basis: Integers) -> None:
        self.rays = rays
        self.costs = costs
        self.basis = basis.copy()
        self.iterations = 0
        self.dual: Floats = np.empty(0)
        self._order: Floats = np.empty(0)
        self._inverse: Floats = np.empty((0, 0))
        self._pivots_since_refresh = 0
        self._weights: Floats = np.empty(0)
        self._xi = np.random.default_rng(1).uniform(0.5, 1, rays.shape[1])
        self._refresh()
        self._weights = np.maximum(self.weights, 0.0)

    @property
    def weights(self) -> Floats:
        """(rows,): y of the rays in the basis; negative, if at all, by what rounding has grown to."""
        weights = self._inverse.sum(axis=1)
        return np.asarray(weights + self._inverse @ (1 - weights @ self.rays[self.basis]))

    def extend(self, rays: Floats, costs: Floats) -> None:
        """Add rays."""
        self.rays = np.concatenate([self.rays, rays])
        self.costs = np.concatenate([self.costs, costs])

    def solve(self, report: Callable[[int], None], limit: int) -> bool:
        """Go to the optimum over the present rays.

        Parameters
        ----------
        report : callable
            Told the number of pivots after each batch; may raise, which leaves the program as it is.
        limit : int
            The number of pivots to give up at.

        Returns
        -------
        bool
            Whether the optimum was reached.

        Raises
        ------
        numpy.linalg.LinAlgError
            If rounding made the basis singular.
        """
        smallest = _SAFE_PIVOT
        while self.iterations < limit:
            report(self.iterations)
            reduced = self.costs - self.rays @ self.dual
            reduced[self.basis] = 0.0
            best = np.argpartition(reduced, _BATCH)[:_BATCH] if len(reduced) > _BATCH else np.arange(len(reduced))
            batch = best[reduced[best] < -_OPTIMAL]
            if batch.size and self._improve(batch, reduced[batch], smallest):
                smallest = _SAFE_PIVOT
            elif batch.size and smallest == _SAFE_PIVOT:
                smallest = _SMALLEST_PIVOT
            elif self._pivots_since_refresh:
                self._refresh()
            else:
                return True
        return False

    def _improve(self, batch: Integers, reduced: Floats, smallest: float) -> bool:
        """Pivot until no ray of the batch can enter with a pivot of some size; return whether any did."""
        rows = len(self.basis)
        entering = self._inverse @ self.rays[batch].T
        tableau = np.concatenate([self._inverse, self._weights[:, None], self._order[:, None], entering], axis=1)
        columns, weights, order = tableau[:, rows + 2 :], tableau[:, rows], tableau[:, rows + 1]
        before, change = self.iterations, np.empty_like(tableau)
        while reduced.min() < -_OPTIMAL and (smallest == _SAFE_PIVOT or self.iterations == before):
            q = _entering(columns, weights, reduced)
            p = _leaving(columns[:, q], weights, order, smallest)
            if p is None:
                reduced[q] = 0.0
                continue
            row = tableau[p] / columns[p, q]
            factors = columns[:, q].copy()
            factors[p] = 0.0
            np.multiply(factors[:, None], row, out=change)
            tableau -= change
            tableau[p] = row
            np.maximum(weights, 0.0, out=weights)
            reduced -= reduced[q] * row[rows + 2 :]
            reduced[q] = 0.0
            self.basis[p] = batch[q]
            self.iterations += 1
        pivots = self.iterations - before
        self._pivots_since_refresh += pivots
        self._inverse = np.array(tableau[:, :rows])
        self._weights = np.array(weights)
        self._polish()
        if self._pivots_since_refresh > _REFRESH:
            self._refresh()
        return pivots > 0

    def _refresh(self) -> None:
        """Compute the inverse anew, and the weights if they are feasible; else keep those, of slightly shifted sums, that are."""
        self._inverse = np.asarray(np.linalg.inv(self.rays[self.basis].T), dtype=float)
        self._pivots_since_refresh = 0
        self._polish()
        weights = self.weights
        if weights.min() > -_SLACK:
            self._weights = np.maximum(weights, 0.0)

    def _polish(self) -> None:
        """The dual from the inverse, with one step of iterative refinement, and the order in which ties are broken."""
        costs, basis = self.costs[self.basis], self.rays[self.basis]
        dual = costs @ self._inverse
        self.dual = dual + (costs - basis @ dual) @ self._inverse
        self._order = self._inverse @ self._xi


def _entering(columns: Floats, weights: Floats, reduced: Floats) -> int:
    """The ray of the batch that gains most; where none gains, the one of the least reduced cost."""
    # A step ends where the first weight is used up; one that is used up already ends it at once.
    rates = (columns * (1 / np.maximum(weights, _USED_UP))[:, None]).max(axis=0)
    gains = np.where(reduced < -_OPTIMAL, -reduced / np.maximum(rates, 1e-6), -1.0)
    q = int(gains.argmax())
    return q if gains[q] > 1e-14 else int(reduced.argmin())


def _leaving(column: Floats, weights: Floats, order: Floats, smallest: float) -> int | None:
    """The row whose weight falls to 0 first; of rows that do so almost together, one of a large pivot. None if that is tiny."""
    rows = (column > _SMALLEST_PIVOT).nonzero()[0]
    if not rows.size:
        return None
    pivots, left = column.take(rows), weights.take(rows)
    tied = left / pivots <= ((left + _SLACK) / pivots).min()
    largest = pivots[tied].max()
    if largest < smallest:
        return None
    tied &= pivots >= 1e-3 * largest
    rows = rows[tied]
    return int(rows[(order.take(rows) / column.take(rows)).argmin()])
