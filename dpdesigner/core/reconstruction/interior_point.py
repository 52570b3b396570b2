"""The interior point of all columns that fit the answers, by a primal-dual interior-point method on one thread.

Where every answer is within E_q of the truth, the columns that fit are {x in [0, 1]^n : |A x - a| <= E}. The attack takes their
analytic centre, which maximises sum log x_i + log(1 - x_i) + sum log(E_q - r_q) + log(E_q + r_q) with r = A x - a. With slacks
l = x, h = 1 - x, u = E - r, v = E + r and multipliers z > 0 it solves

    z_l l = z_h h = z_u u = z_v v = 1,   z_h - z_l + A'(z_u - z_v) = 0,

by Newton steps from x = 1/2, where u and v need not fit yet: some ten steps of one n x n system each. Where noise has no bound
there is no such set; the attack is then the column of least total absolute error, min sum |A x - a| over [0, 1]^n, by Mehrotra's
predictor and corrector, which ends in the middle of the best columns where there are several.

Both follow the field's textbooks (Boyd and Vandenberghe, Convex Optimization, 2004, chapters 10 and 11).

One thread
----------
The linear algebra of numpy and scipy has one thread while an attack runs.

Their OpenBLAS shares each product among all processors and lets each wait, busily, for the others. Where something else needs a
processor too (another window, another lane of this one), a step of a few milliseconds takes a second, and nothing can be stopped
meanwhile: measured, 7 s instead of 0.4 s for 500 people. The matrices here are small enough for one thread.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.reconstruction.counting import Questions
from dpdesigner.errors import DpDesignerError
from dpdesigner.progress import Progress, silent

#: The names that OpenBLAS's functions may have, depending on who built it.
_NAMES = tuple(f"{who}openblas_{{}}_num_threads{bits}" for who in ("scipy_", "") for bits in ("64_", ""))

_lock = Lock()
_depth = 0
_before: list[int] = []


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread; with an unsupported library, do nothing."""
    global _depth
    with _lock:
        _depth += 1
        if _depth == 1:
            _before[:] = [count() for count, _ in _libraries()]
            for _, limit in _libraries():
                limit(1)
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                for (_, limit), threads in zip(_libraries(), _before, strict=True):
                    limit(threads)


@cache
def _libraries() -> tuple[tuple[Callable[[], int], Callable[[int], object]], ...]:
    """The functions that count and limit the threads of each library that numpy and scipy bring."""
    import scipy

    libraries = []
    for package in (np, scipy):
        for path in _files(package):
            try:
                library = ctypes.CDLL(str(path))
            except OSError:
                continue
            for name in _NAMES:
                count, limit = (getattr(library, name.format(word), None) for word in ("get", "set"))
                if count is not None and limit is not None:
                    libraries.append((count, limit))
                    break
    return tuple(libraries)


def _files(package: ModuleType) -> Iterator[Path]:
    """The places where a package keeps its OpenBLAS, on Linux, macOS and Windows."""
    if package.__file__ is None:
        return
    home = Path(package.__file__).parent
    for folder in (home.parent / f"{package.__name__}.libs", home / ".dylibs"):
        yield from sorted(folder.glob("*openblas*"))


#: Receives intermediate columns.
Told = Callable[[Floats], None]

#: Answers are assumed to be off by this much (of a person) more than stated, so that the set has an interior.
MARGIN = 1e-6
_MOST = 80  # Newton steps
_ROWS = 1000  # rows of A between two reports
_BACK = 0.99  # fraction of the step to the boundary


@dataclass(frozen=True, eq=False)
class Point:
    """A computed column, and how it was computed.

    Attributes
    ----------
    values : ndarray
        (n,): in [0, 1].
    steps : int
    """

    values: Floats
    steps: int


def analytic_centre(
    questions: Questions, answers: Floats, bound: Floats | float, progress: Progress = silent, told: Told | None = None
) -> Point:
    """Return the analytic centre of the columns within the bound of the answers.

    Parameters
    ----------
    questions : Questions
    answers : ndarray
        (t,).
    bound : ndarray or float
        How far off each answer may be; at least 0. `MARGIN` is added.
    progress : Progress
    told : callable, optional
        Told the column after each step.

    Raises
    ------
    DpDesignerError
        If no interior point is found: no column fits the answers, as far as rounding can tell.
    """
    e = np.broadcast_to(np.asarray(bound, dtype=np.float64) + MARGIN, answers.shape)
    state = _Centre(questions.dense, answers, e)
    point = _followed(state, 14, progress, told)
    if point is not None:
        return point
    if float(np.max(np.abs(questions.dense @ state.x - answers) - e)) <= MARGIN:  # in the set, if not quite at its centre
        return Point(state.x, _MOST)
    raise DpDesignerError(
        "no column of 0 and 1 was found that fits the answers: they are inconsistent, or rounding errors are too large."
    )


def least_total_error(questions: Questions, answers: Floats, progress: Progress = silent, told: Told | None = None) -> Point:
    """Return the column of [0, 1]^n of least total absolute error, min sum |A x - a|; parameters as `analytic_centre`.

    Raises
    ------
    DpDesignerError
        If the method does not end, which rounding may cause.
    """
    point = _followed(_LeastError(questions.dense, answers), 18, progress, told)
    if point is None:
        raise DpDesignerError("the linear program of least total error did not converge.")
    return point


def _followed(state: _Centre | _LeastError, usual: int, progress: Progress, told: Told | None) -> Point | None:
    """Iterate a method to its end, usually after this many steps; return None if it does not end."""
    for step in range(_MOST):
        progress(min(0.95, step / usual), f"{step} steps")
        if state.ended:
            return Point(state.x, step)
        state.advance(progress)
        if told is not None:
            told(state.x)
    return None


class _Centre:
    """sum log l + log h + log u + log v with l = x, h = 1 - x, u = E - r, v = E + r, r = A x - a; multipliers z of each."""

    def __init__(self, a: Floats, answers: Floats, e: Floats) -> None:
        self.a, self.e = a, e
        self.x = np.full(a.shape[1], 0.5)
        self.r = a @ self.x - answers
        widest = np.maximum(e, np.abs(self.r).max(initial=0.0))
        self.u, self.v = np.maximum(e - self.r, widest / 2), np.maximum(e + self.r, widest / 2)
        self.zl, self.zh, self.zu, self.zv = 1 / self.x, 1 / (1 - self.x), 1 / self.u, 1 / self.v

    @property
    def _products(self) -> tuple[Floats, Floats, Floats, Floats]:
        return 1 - self.x * self.zl, 1 - (1 - self.x) * self.zh, 1 - self.u * self.zu, 1 - self.v * self.zv

    @property
    def _misses(self) -> tuple[Floats, Floats, Floats]:
        rest = self.zl - self.zh - self.a.T @ (self.zu - self.zv)
        return self.e - self.r - self.u, self.e + self.r - self.v, rest

    @property
    def ended(self) -> bool:
        pu, pv, rest = self._misses
        largest = max(1.0, *(float(z.max()) for z in (self.zl, self.zh, self.zu, self.zv)))
        off = max(float(np.abs(each).max()) for each in self._products)
        short = max(float(np.abs(each / self.e).max()) for each in (pu, pv))
        return short < 1e-9 and off < 1e-9 and float(np.abs(rest).max()) < 1e-8 * largest

    def advance(self, progress: Progress) -> None:
        """Make one Newton step, shortened to stay inside."""
        a, low, high, u, v = self.a, self.x, 1 - self.x, self.u, self.v
        zl, zh, zu, zv = self.zl, self.zh, self.zu, self.zv
        cl, ch, cu, cv = self._products
        pu, pv, rest = self._misses
        wanted = rest + cl / low - ch / high - a.T @ ((cu - zu * pu) / u - (cv - zv * pv) / v)
        dx = _solver(_normal(a, zu / u + zv / v, zl / low + zh / high, progress))(wanted)
        dr = a @ dx
        du, dv = pu - dr, pv + dr
        dl, dh, dzu, dzv = (cl - zl * dx) / low, (ch + zh * dx) / high, (cu - zu * du) / u, (cv - zv * dv) / v
        pairs = ((low, dx), (high, -dx), (u, du), (v, dv), (zl, dl), (zh, dh), (zu, dzu), (zv, dzv))
        size = min(1.0, _BACK * _reach(*pairs))
        self.x, self.u, self.v, self.r = low + size * dx, u + size * du, v + size * dv, self.r + size * dr
        self.zl, self.zh, self.zu, self.zv = zl + size * dl, zh + size * dh, zu + size * dzu, zv + size * dzv


class _LeastError:
    """min sum p + q, A x - a = p - q, p, q >= 0, 0 <= x <= 1; multipliers y of the equations in [-1, 1]."""

    def __init__(self, a: Floats, answers: Floats) -> None:
        t, n = a.shape
        self.a, self.answers = a, answers
        self.x = np.full(n, 0.5)
        r = a @ self.x - answers
        self.scale = max(1.0, float(np.abs(r).mean()) if t else 1.0)
        self.p = np.maximum(r, 0) + self.scale
        self.q = self.p - r
        self.y = np.zeros(t)
        self.zl, self.zh = np.full(n, self.scale), np.full(n, self.scale)

    @property
    def _products(self) -> tuple[Floats, Floats, Floats, Floats]:
        return self.x * self.zl, (1 - self.x) * self.zh, self.p * (1 - self.y), self.q * (1 + self.y)

    @property
    def _misses(self) -> tuple[Floats, Floats]:
        first = self.answers - self.a @ self.x + self.p - self.q
        return first, -(self.a.T @ self.y) + self.zl - self.zh

    @property
    def ended(self) -> bool:
        gap = sum(float(each.sum()) for each in self._products)
        missed = max(float(np.abs(each).max(initial=0.0)) for each in self._misses)
        return gap < 1e-8 * max(float((self.p + self.q).sum()), 1.0) and missed < 1e-7 * self.scale

    def advance(self, progress: Progress) -> None:
        """Make one step: a predictor, and a corrector that accounts for its error."""
        a, x, p, q, y = self.a, self.x, self.p, self.q, self.y
        low, high, below, above = x, 1 - x, 1 - y, 1 + y
        ll, hh, pp, qq = self._products
        first, second = self._misses
        weights = 1 / (p / below + q / above)
        solve = _solver(_normal(a, weights, self.zl / low + self.zh / high, progress))

        def direction(cl: Floats, ch: Floats, cp: Floats, cq: Floats) -> tuple[Floats, ...]:
            e = cq / above - cp / below - first
            dx = solve(second - a.T @ (weights * e) + cl / low - ch / high)
            dy = weights * (a @ dx + e)
            dp, dq = (cp + p * dy) / below, (cq - q * dy) / above
            return dx, dy, dp, dq, (cl - self.zl * dx) / low, (ch + self.zh * dx) / high

        def reach(d: tuple[Floats, ...]) -> tuple[float, float]:
            dx, dy, dp, dq, dl, dh = d
            primal = _reach((low, dx), (high, -dx), (p, dp), (q, dq))
            return primal, _reach((self.zl, dl), (self.zh, dh), (below, -dy), (above, dy))

        guess = direction(-ll, -hh, -pp, -qq)
        dx, dy, dp, dq, dl, dh = guess
        one, two = (min(1.0, each) for each in reach(guess))
        mean = sum(float(each.sum()) for each in (ll, hh, pp, qq)) / (2 * len(x) + 2 * len(y))
        after = float((low + one * dx) @ (self.zl + two * dl) + (high - one * dx) @ (self.zh + two * dh))
        after += float((p + one * dp) @ (below - two * dy) + (q + one * dq) @ (above + two * dy))
        aim = mean * max(after / (2 * len(x) + 2 * len(y)) / mean, 0.0) ** 3
        step = direction(aim - ll - dx * dl, aim - hh + dx * dh, aim - pp + dp * dy, aim - qq - dq * dy)
        one, two = (min(1.0, 0.995 * each) for each in reach(step))
        dx, dy, dp, dq, dl, dh = step
        self.x, self.p, self.q = x + one * dx, p + one * dp, q + one * dq
        self.y, self.zl, self.zh = y + two * dy, self.zl + two * dl, self.zh + two * dh


def _normal(a: Floats, weights: Floats, diagonal: Floats, progress: Progress) -> Floats:
    """Return A' W A + D, computed a few rows of A at a time."""
    normal = np.zeros((a.shape[1], a.shape[1]))
    for at in range(0, len(a), _ROWS):
        progress(None, "")
        rows = a[at : at + _ROWS] * np.sqrt(weights[at : at + _ROWS, None])
        normal += rows.T @ rows
    normal[np.diag_indices_from(normal)] += diagonal
    return normal


def _solver(matrix: Floats) -> Callable[[Floats], Floats]:
    """Return a solver for a positive definite system."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    ridge = 0.0
    for _ in range(8):
        try:
            factor: Any = cho_factor(matrix + ridge * np.eye(len(matrix)) if ridge else matrix, check_finite=False)
            return lambda wanted: np.asarray(cho_solve(factor, wanted, check_finite=False))
        except LinAlgError:  # in a thin set, rounding may make the smallest eigenvalue vanish
            ridge = max(10 * ridge, 1e-14 * float(np.trace(matrix)) / len(matrix))
    raise DpDesignerError("a system of equations could not be solved because of rounding errors.")


def _reach(*pairs: tuple[Floats, Floats]) -> float:
    """The largest step until the first of these is 0; infinite if none ever is."""
    far = np.inf
    for value, change in pairs:
        falling = change < 0
        if falling.any():
            far = min(far, float(np.min(-value[falling] / change[falling])))
    return far
