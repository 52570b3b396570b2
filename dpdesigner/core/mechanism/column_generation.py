"""The optimal private mechanism from the extreme rays of the cone of private columns, generated as needed.

Every column of a private mechanism is a sum of rays of K, and a ray t is best released as the r
with the least <c_r, t>, c_r(i) = p_i l(i, r). So the linear program over the private ones is

    min sum_t y_t min_r <c_r, t>    with sum_t y_t t = 1 and y >= 0:

n + 1 rows, and 2^n rays of which few matter. It starts with the rays of the geometric mechanism, that is with the best remap of
it, solves the program over the rays it has, and asks a dynamic program for rays that the
dual w leaves negative: <c_r - w, t> < 0. When there are none, every c_r - w is in K*, and w is the certificate (THEORY.md 3). No
theorem about the loss is used: this is the answer where Theorem A does not hold, and a check where it does.

Two things keep the number of rounds small. The search is made also at a mean of the last duals, since those of single rounds
swing about. And it is made against c_r - w + eta, where eta is a tenth of what the last rays were negative by, so that rays
which hardly are, or only seem so by rounding, do not crowd out the others; when that finds nothing, eta is as small as rounding
allows.

Rays are kept from one solve to the next (`WarmColumns`), for a user changes a prior a little at a time. Where the columns
differ little or the program gets stuck, the full program is solved by HiGHS instead, and the better certified answer is
returned.

Rays
----
A column x of a private mechanism, the chances of one release for every true result, lies in K = {x >= 0 : alpha x_i <= x_{i+1}
<= x_i / alpha}. For 0 < alpha < 1 K is spanned by the vectors whose every step is one of the two extremes: 2^n of them. Scaled
so that the largest entry is 1, such a ray is alpha^e with whole exponents e_i >= 0, neighbours differing by 1. That is how rays
are kept, since it survives a change of alpha and never loses a digit. The columns of the geometric mechanism are the rays with
one peak.

A linear program over some of the rays asks which of the others would help: those with <v, x> < 0, v = c_r - w being what a
release costs less the dual. The least <v, x> over rays with x_i = 1 is found by the recursion of the certificate (THEORY.md 3),
once from each end: V_i = v_i + min(alpha V_{i+1}, V_{i+1} / alpha). Since V_{i+1} multiplies either alpha or 1 / alpha, its
sign tells which of the two, that is which way the ray steps; so a ray is traced back from its root i by signs alone. One search
gives the best ray of each column and the best through each row. If there is none, every v is in K*: w is feasible and proves
the optimum.

Linear program over rays
------------------------
It is solved by the simplex method with a dense inverse.

min sum_t y_t cost_t with sum_t y_t ray_t = 1, y >= 0: which rays of the cone of private columns
to mix, so that every true result's chances add up to 1, at the least cost. There are n + 1 rows and many more columns, so the
inverse of the basis is kept outright: a pivot is an update of rank one, and the inverse is computed anew after some dozens of
them. The dual w = cost_B B^-1 prices the rays: one with cost_t - <w, ray_t> < 0 would help.

Pricing all rays takes as long as a dozen pivots. So entering rays are taken in batches: the most promising ones are carried
along in the tableau for a while, and of them the one enters that gains most.

Rays are powers of alpha and much alike, so most bases are nearly degenerate. Ties for leaving are broken as if the right-hand
side were 1 + epsilon xi with a random xi, which rules out cycling; of rays that leave at about the same step the one with the
larger pivot does; tiny pivots are taken only where nothing else is left. Nothing here is relied upon: what it finds is repaired
and certified by `dpdesigner.core.mechanism.certificate` like any other answer.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.core.mechanism.linear_program import (
    LinearProgramAnswer,
    NotReached,
    RawAnswer,
    WarmProgram,
    certified,
    checked_costs,
    solve_linear_program,
)
from dpdesigner.core.mechanism.scores import product
from dpdesigner.progress import Progress, silent

Exponents = NDArray[np.int16]

_FLOOR = -1e200
#: Numbers of order 1 stay within doubles when they grow by this many powers of ten.
_SAFE_GROWTH = 150


def geometric_rays(rows: int) -> Exponents:
    """Return the rays alpha^|i-j| of the columns j of the geometric mechanism, (rows, rows), one in each row."""
    i = np.arange(rows)
    return np.asarray(np.abs(i[:, None] - i), dtype=np.int16)


def negative_rays(vectors: Floats, alpha: float, powers: Floats) -> Exponents:
    """Return rays x with <v, x> < 0: the most negative one found for each v, and the one through each row.

    Parameters
    ----------
    vectors : ndarray
        (n + 1, m): one v per column.
    alpha : float
        In (0, 1); at least 1e-100.
    powers : ndarray
        alpha^0, ..., alpha^(n).

    Returns
    -------
    ndarray of int
        (count, n + 1): exponents; the same ray may occur more than once. If there is none, then every v is in K* up to the
        rounding of the recursion.
    """
    rows, columns = vectors.shape
    # Both ends at once: the time depends mainly on the number of steps.
    ends = _ends(np.hstack((vectors, vectors[::-1])), alpha)
    heights = _heights(ends)
    after, before = ends[:, :columns], ends[::-1, columns:]
    largest = np.maximum(heights[:, :columns], heights[::-1, columns:])
    # Only the sign is certain far from a ray's peak: the scale there is what the peak loses by, so it is taken out.
    totals = (before + after - vectors) * powers[largest]
    roots = np.concatenate([np.arange(rows), totals.argmin(axis=0)])
    chosen = np.concatenate([totals.argmin(axis=1), np.arange(columns)])
    negative = totals[roots, chosen] < 0
    return _traced(before, after, roots[negative], chosen[negative])


def _ends(vectors: Floats, alpha: float) -> Floats:
    """Return V: the least <v, x> over the rows from i on, for rays with x_i = 1."""
    values = np.empty_like(vectors)
    value = values[-1]
    value[:] = vectors[-1]
    grown, inverse, limited = np.empty_like(value), 1 / alpha, -len(vectors) * math.log10(alpha) > _SAFE_GROWTH
    for i in range(len(vectors) - 2, -1, -1):
        shrunk = np.multiply(value, alpha, out=values[i])
        np.multiply(value, inverse, out=grown)
        np.minimum(shrunk, grown, out=shrunk)
        value = np.add(shrunk, vectors[i], out=shrunk)
        if limited:
            np.maximum(value, _FLOOR, out=value)
    return values


def _heights(values: Floats) -> Integers:
    """The number of steps of 1 / alpha by which the largest entry from row i on is above the entry in row i."""
    steps = np.where(values >= 0, -1, 1)
    heights = np.zeros(values.shape, dtype=np.int64)
    for i in range(len(values) - 1, 0, -1):
        height = np.add(heights[i], steps[i], out=heights[i - 1])
        np.maximum(height, 0, out=height)
    return heights


def _traced(before: Floats, after: Floats, roots: Integers, chosen: Integers) -> Exponents:
    """Return the rays through some roots, traced by the signs that produced their values."""
    i, ray = np.arange(len(after))[:, None], np.arange(len(roots))
    down = np.cumsum(np.where(after[:, chosen] >= 0, 1, -1), axis=0)
    up = np.cumsum(np.where(before[::-1, chosen] >= 0, 1, -1), axis=0)[::-1]
    exponents = np.where(i > roots, down - down[roots, ray], np.where(i < roots, up - up[roots, ray], 0))
    return np.ascontiguousarray((exponents - exponents.min(axis=0)).T, dtype=np.int16)


_BATCH = 40
#: Reduced costs closer to 0 than this count as 0; costs are of order 1.
_OPTIMAL = 1e-13
#: How negative a weight may become to allow a larger pivot.
_SLACK = 1e-13
#: Weights below this are raised to it when a step is estimated.
_USED_UP = 1e-15
#: Pivots below the first are used only as a last resort, one at a time; pivots below the second never.
_SAFE_PIVOT, _SMALLEST_PIVOT = 1e-6, 1e-10
#: Pivots after which the inverse is recomputed.
_REFRESH = 60


class RayProgram:
    """The program, its current basis and the resulting solution.

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
        """(rows,): y of the rays in the basis; negative only by accumulated rounding error."""
        weights = self._inverse.sum(axis=1)
        return np.asarray(weights + self._inverse @ (1 - weights @ self.rays[self.basis]))

    def extend(self, rays: Floats, costs: Floats) -> None:
        """Add rays."""
        self.rays = np.concatenate([self.rays, rays])
        self.costs = np.concatenate([self.costs, costs])

    def solve(self, report: Callable[[int], None], limit: int) -> bool:
        """Solve to the optimum over the present rays.

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
        """Pivot until no ray of the batch can enter with a sufficient pivot; return whether any did."""
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
        """Recompute the inverse, and the weights if feasible; otherwise keep the feasible weights of slightly shifted sums."""
        self._inverse = np.asarray(np.linalg.inv(self.rays[self.basis].T), dtype=float)
        self._pivots_since_refresh = 0
        self._polish()
        weights = self.weights
        if weights.min() > -_SLACK:
            self._weights = np.maximum(weights, 0.0)

    def _polish(self) -> None:
        """Compute the dual from the inverse, with one step of iterative refinement, and the tie-breaking order."""
        costs, basis = self.costs[self.basis], self.rays[self.basis]
        dual = costs @ self._inverse
        self.dual = dual + (costs - basis @ dual) @ self._inverse
        self._order = self._inverse @ self._xi


def _entering(columns: Floats, weights: Floats, reduced: Floats) -> int:
    """Return the batch's ray with the largest gain; if none gains, the one of least reduced cost."""
    # A step ends when the first weight is used up; if one is used up already, it ends at once.
    rates = (columns * (1 / np.maximum(weights, _USED_UP))[:, None]).max(axis=0)
    gains = np.where(reduced < -_OPTIMAL, -reduced / np.maximum(rates, 1e-6), -1.0)
    q = int(gains.argmax())
    return q if gains[q] > 1e-14 else int(reduced.argmin())


def _leaving(column: Floats, weights: Floats, order: Floats, smallest: float) -> int | None:
    """Return the row whose weight reaches 0 first, with near-ties broken by the largest pivot. None if that is tiny."""
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


#: Below this, powers of alpha are 0 in doubles anyway; what is private at this alpha is private at any smaller one.
_SMALLEST_ALPHA = 1e-100
_LEAST_SHIFT = 2e-14
#: With at most this many different columns of costs the full program is small, and the rays are not worth their number.
_FEW_COLUMNS = 8
#: Pivots and rays per row at which the full program is likely to be quicker; and pivots if it was quicker last time.
_PATIENCE, _CROWD, _IMPATIENCE = 100, 100, 5
#: Rays per row above which unneeded ones are dropped between solves.
_POOL = 8
#: A gap, in units of the largest cost, above which the full program is solved too.
_GOOD_GAP = 1e-8
_PAUSE = 0.02


class WarmColumns:
    """Rays kept from one solve to the next. To be used by one thread at a time.

    With other costs the last basis is feasible still; with another alpha the same patterns of steps are a good supply.
    """

    def __init__(self) -> None:
        self.exponents: Exponents = np.empty((0, 0), dtype=np.int16)
        self.basis: Integers = np.empty(0, dtype=np.int64)
        self.known: set[bytes] = set()
        self.full = WarmProgram()
        self.stuck = False

    def reset(self, rows: int) -> None:
        """Discard all rays except those of the geometric mechanism."""
        self.exponents, self.basis, self.known = geometric_rays(rows), np.arange(rows), set()
        self.new(self.exponents)

    def new(self, exponents: Exponents) -> Exponents:
        """Return the new rays without duplicates, and remember them."""
        fresh = []
        for j, key in enumerate(ray.tobytes() for ray in exponents):
            if key not in self.known:
                self.known.add(key)
                fresh.append(j)
        return np.asarray(exponents[fresh])

    def prune(self, reduced: Floats) -> None:
        """Discard rays of large reduced cost if there are many; keep those of the basis and of the geometric mechanism."""
        rows = self.exponents.shape[1]
        if len(self.exponents) <= _POOL * rows:
            return
        priority = reduced.copy()
        priority[:rows] = priority[self.basis] = -np.inf
        kept = np.sort(np.argpartition(priority, _POOL * rows // 2)[: _POOL * rows // 2])
        self.basis = np.searchsorted(kept, self.basis)
        self.exponents = self.exponents[kept]
        self.known = {ray.tobytes() for ray in self.exponents}


def solve_by_columns(
    costs: Floats, alpha: float, *, warm: WarmColumns | None = None, progress: Progress = silent
) -> LinearProgramAnswer:
    """Find an optimal private mechanism by column generation; if rounding prevents this, with HiGHS.

    Result, errors and parameters are those of `dpdesigner.core.mechanism.linear_program.solve_linear_program`, but for one.

    Parameters
    ----------
    costs, alpha, progress
        As there.
    warm : WarmColumns, optional
        Kept from an earlier call in the same thread.
    """
    start = time.perf_counter()
    costs = checked_costs(costs, alpha)
    warm = warm or WarmColumns()
    answers = []
    if len(np.unique(costs, axis=1).T) > _FEW_COLUMNS:
        search = partial(_optimum, alpha=max(alpha, _SMALLEST_ALPHA), warm=warm, report=_throttled(progress))
        with contextlib.suppress(NotReached):
            answers.append(certified(costs, alpha, search, "column generation"))
            if answers[0].gap <= _GOOD_GAP * np.abs(costs).max():
                return answers[0]
        warm.stuck = True
    answers.append(solve_linear_program(costs, alpha, warm=warm.full, progress=progress))
    return replace(min(answers, key=lambda answer: answer.gap), seconds=time.perf_counter() - start)


def _optimum(costs: Floats, alpha: float, warm: WarmColumns, report: Callable[[int], None]) -> RawAnswer:
    """Return the optimum over all rays; raises `NotReached`."""
    rows = len(costs)
    limit = rows * (_IMPATIENCE if warm.stuck else _PATIENCE)
    try:
        search = _Search(costs, alpha, warm)
        while len(warm.exponents) < _CROWD * rows and search.program.solve(report, limit):
            if not search.extend():
                return search.finish()
    except np.linalg.LinAlgError:
        pass
    warm.reset(rows)
    raise NotReached


class _Search:
    """The rounds of one solve: the program over the current rays, and where and how to search for more."""

    def __init__(self, costs: Floats, alpha: float, warm: WarmColumns) -> None:
        rows = len(costs)
        if warm.exponents.shape[1] != rows:
            warm.reset(rows)
        self.costs, self.alpha, self.warm = costs, alpha, warm
        self.powers = alpha ** np.arange(2 * rows, dtype=float)
        self.shift = _LEAST_SHIFT
        self.centre: Floats | None = None
        rays = self.powers[warm.exponents]
        prices = self.prices(rays)
        self.program = RayProgram(rays, prices, warm.basis)
        if self.program.weights.min() < -1e-12:
            self.program = RayProgram(rays, prices, np.arange(rows))

    def prices(self, rays: Floats) -> Floats:
        """Return the cost of each ray in its cheapest column."""
        return np.asarray(product(rays, self.costs).min(axis=1))

    def extend(self) -> bool:
        """Add rays whose reduced cost is negative under the program's dual; return whether there were any."""
        dual = self.program.dual
        points = [dual] if self.centre is None else [(self.centre + dual) / 2, dual]
        for shift in sorted({self.shift, _LEAST_SHIFT}, reverse=True):
            lowered = np.hstack([self.costs - (point - shift)[:, None] for point in points])
            exponents = negative_rays(lowered, self.alpha, self.powers)
            rays = self.powers[exponents]
            fresh = self.warm.new(exponents[self.prices(rays) - rays @ dual < -_LEAST_SHIFT])
            if len(fresh):
                self._add(fresh, dual)
                self.centre = points[0]
                return True
        return False

    def _add(self, fresh: Exponents, dual: Floats) -> None:
        rays = self.powers[fresh]
        prices = self.prices(rays)
        self.shift = max(_LEAST_SHIFT, 0.1 * float(((rays @ dual - prices) / rays.sum(axis=1)).max()))
        self.program.extend(rays, prices)
        self.warm.exponents = np.concatenate([self.warm.exponents, fresh])

    def finish(self) -> RawAnswer:
        """Read off the mechanism, with each basis ray in its cheapest column, and keep the rays for the next solve."""
        program, warm = self.program, self.warm
        rays = program.rays[program.basis]
        table = np.zeros_like(self.costs)
        np.add.at(table.T, (rays @ self.costs).argmin(axis=1), np.maximum(program.weights, 0)[:, None] * rays)
        warm.basis, warm.stuck = program.basis, False
        warm.prune(program.costs - program.rays @ program.dual)
        return RawAnswer(table, program.dual, program.iterations)


def _throttled(progress: Progress) -> Callable[[int], None]:
    """Return a callback that turns iteration counts into progress reports, limiting their frequency."""
    last = -_PAUSE

    def report(count: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PAUSE:
            last = now
            progress(None, f"{group_thousands(count)} iterations")

    return report
