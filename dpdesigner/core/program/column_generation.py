"""The best private mechanism from the extreme rays of the cone of private columns, made as they are needed.

Every column of a private mechanism is a sum of rays of K (`dpdesigner.core.program.rays`), and a ray t is best released as the r
with the least <c_r, t>, c_r(i) = p_i l(i, r). So the linear program over the private ones is

    min sum_t y_t min_r <c_r, t>    with sum_t y_t t = 1 and y >= 0:

n + 1 rows, and 2^n rays of which few matter. It starts with the rays of the geometric mechanism, that is with the best remap of
it, solves the program over the rays it has (`dpdesigner.core.program.ray_program`), and asks a dynamic program for rays that the
dual w leaves negative: <c_r - w, t> < 0. When there are none, every c_r - w is in K*, and w is the certificate (THEORY.md 3). No
theorem about the loss is used: this is the answer where Theorem A does not hold, and a witness where it does.

Two things keep the number of rounds small. The search is made also at a mean of the last duals, since those of single rounds
swing about. And it is made against c_r - w + eta, where eta is a tenth of what the last rays were negative by, so that rays
which hardly are, or only seem so by rounding, do not crowd out the others; when that finds nothing, eta is as small as rounding
allows.

Rays are kept from one solve to the next (`WarmColumns`), for a user changes a prior a little at a time. Where the columns
differ little or the program gets stuck, the full program is solved by HiGHS instead, and the better certified answer is
returned.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.dense.scores import product
from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.core.program.highs_program import NotReached, RawAnswer, WarmProgram
from dpdesigner.core.program.linear_program import LinearProgramAnswer, certified, checked_costs, solve_linear_program
from dpdesigner.core.program.ray_program import RayProgram
from dpdesigner.core.program.rays import Exponents, geometric_rays, negative_rays
from dpdesigner.progress import Progress, silent

#: Below this, powers of alpha are 0 to doubles anyway; what is private at it is private at anything smaller.
_SMALLEST_ALPHA = 1e-100
_LEAST_SHIFT = 2e-14
#: With at most this many different columns of costs the full program is small, and the rays are many for what they do.
_FEW_COLUMNS = 8
#: Pivots per row, and rays per row, at which the full program is likely to be quicker; and pivots when it was so the last time.
_PATIENCE, _CROWD, _IMPATIENCE = 100, 100, 5
#: Rays per row above which those that are not needed are forgotten from one solve to the next.
_POOL = 8
#: A gap, in units of the largest cost, above which the full program is asked too.
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
        """Keep nothing but the rays of the geometric mechanism."""
        self.exponents, self.basis, self.known = geometric_rays(rows), np.arange(rows), set()
        self.new(self.exponents)

    def new(self, exponents: Exponents) -> Exponents:
        """Return the rays that are not known yet, each once, and know them from now on."""
        fresh = []
        for j, key in enumerate(ray.tobytes() for ray in exponents):
            if key not in self.known:
                self.known.add(key)
                fresh.append(j)
        return np.asarray(exponents[fresh])

    def prune(self, reduced: Floats) -> None:
        """Forget the rays of large reduced cost when there are many; those of the basis and of the geometric mechanism stay."""
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
    """Find a best private mechanism by column generation; where rounding gets in its way, with HiGHS.

    Result, errors and parameters are those of `dpdesigner.core.program.linear_program.solve_linear_program`, but for one.

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
    """The optimum over all rays; raises `NotReached`."""
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
    """The rounds of one solve: the program over the rays at hand, and where and how to look for more."""

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
        """The cost of each ray in the column where it is least."""
        return np.asarray(product(rays, self.costs).min(axis=1))

    def extend(self) -> bool:
        """Add rays that the program's dual leaves negative; return whether there were any."""
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
        """Read the mechanism, each ray of the basis in the column where it costs least, and keep the rays for the next time."""
        program, warm = self.program, self.warm
        rays = program.rays[program.basis]
        table = np.zeros_like(self.costs)
        np.add.at(table.T, (rays @ self.costs).argmin(axis=1), np.maximum(program.weights, 0)[:, None] * rays)
        warm.basis, warm.stuck = program.basis, False
        warm.prune(program.costs - program.rays @ program.dual)
        return RawAnswer(table, program.dual, program.iterations)


def _throttled(progress: Progress) -> Callable[[int], None]:
    """Turn counts of iterations into reports, not too many of them."""
    last = -_PAUSE

    def report(count: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PAUSE:
            last = now
            progress(None, f"{group_thousands(count)} iterations")

    return report
