"""Costs of noise given as functions: checked, and integrated once by piecewise polynomials.

The half line is cut at doubling distances and then cut on until a polynomial of degree 19 meets the function to rounding on each
panel; a panel that stays bad while it shrinks to nothing holds a corner or a jump. After that the integral of the cost is known
everywhere without further quadrature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from dpdesigner.core import cost_expression
from dpdesigner.errors import InputError

Floats = NDArray[np.float64]

_NODES = 20
_T = np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)[::-1]
_FIT = chebyshev.chebvander(_T, _NODES - 1).T * 2 / _NODES
_FIT[0] /= 2
_FIRST, _LAST = -960, 100
#: Odd factors, so that corners at round numbers fall inside a panel, where they are seen, and not between two.
_OFFSET, _CUT = 0.813012649813, 0.483729411
_EDGES = np.append(0.0, _OFFSET * np.exp2(np.arange(_FIRST, _LAST + 1, dtype=float)))
_MOST_PENDING = 600
#: Values beyond this count as infinite, so that nothing computed from smaller ones overflows.
_LARGEST = 1e250


@dataclass(frozen=True)
class Growth:
    """Whether sup L(T + 1) / L(T) is finite, as [Geng] asks of a cost, and one sentence why or why not."""

    bounded: bool
    reason: str


@dataclass(frozen=True, eq=False)
class _Panels:
    """Chebyshev coefficients of L on each panel; `area` is the integral of L up to each panel's left end."""

    left: Floats
    right: Floats
    integrals: Floats
    area: Floats


@dataclass(frozen=True)
class SmoothCost:
    """A cost given as a function.

    Attributes
    ----------
    function : callable
        From an array of x to an array of L(x): even, not falling in |x|, at least 0, finite near 0.
    title : str
        What to call it.

    Raises
    ------
    InputError
        If the function does not fit.
    """

    function: Callable[[Floats], Floats]
    title: str = "function"
    corners: tuple[float, ...] = field(init=False, compare=False, repr=False)
    end: float = field(init=False, compare=False, repr=False)
    _panels: _Panels = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "end", self._checked_end())
        object.__setattr__(self, "_panels", self._fitted())
        object.__setattr__(self, "corners", _corners(self._panels.left, self._panels.right))

    @classmethod
    def of_expression(cls, text: str) -> SmoothCost:
        """Make a cost from an expression in x, such as ``"x**2 / (1 + abs(x))"``."""
        return cls(cost_expression.function(text), text.strip())

    @cached_property
    def growth(self) -> Growth:
        """Found by looking at L itself: faster than exponential growth shows where the doubles end."""
        if self.end >= _EDGES[-1]:
            return Growth(True, f"L(T + 1) / L(T) stays bounded up to T = {self.end:.1g}: the staircase is optimal.")
        rates = np.diff(np.log(self.value(self.end * np.array([0.49, 0.5, 0.98, 0.99]))))[[0, 2]] / (0.01 * self.end)
        now = f"L(T + 1) / L(T) is about e^{rates[1]:.3g} at T = {self.end:.3g}"
        if rates[1] > 1.05 * rates[0]:
            return Growth(False, f"{now} and keeps growing: [Geng] does not apply.")
        return Growth(True, f"{now} and does not keep growing: the staircase is optimal if its cost is finite.")

    @cached_property
    def cuts(self) -> Floats:
        """Points between which L is a polynomial to rounding; increasing."""
        return np.append(self._panels.left[1:], self._panels.right[-1])

    def value(self, x: Floats) -> Floats:
        """Return L(x)."""
        with np.errstate(all="ignore"):
            return self.function(np.asarray(x, dtype=float))

    def rise(self, x: Floats, step: Floats) -> Floats:
        """Return L(x + step) - L(x)."""
        return np.asarray(self.value(x + step) - self.value(np.broadcast_to(x, np.broadcast_shapes(np.shape(x), np.shape(step)))))

    def integral(self, x: Floats) -> Floats:
        """Return the integral of L from 0 to x; infinite beyond the end."""
        panels = self._panels
        j = np.clip(np.searchsorted(panels.left, x, side="right") - 1, 0, len(panels.left) - 1)
        left, right = panels.left[j], panels.right[j]
        with np.errstate(over="ignore", invalid="ignore"):
            t = (2 * x - left - right) / (right - left)
            found = panels.area[j] + _clenshaw(panels.integrals[:, j], np.minimum(t, 1.0))
        return np.where(x > self.end, np.inf, found)

    def _checked_end(self) -> float:
        x = _EDGES
        values = self.value(x)
        undefined = np.isnan(values) | np.isneginf(values)
        undefined[0] |= values[0] == np.inf
        if undefined.any():
            wrong = x[np.argmax(undefined)]
            raise InputError(f"the cost {self.title[:60]} must be a number for every x, it is none at x = {wrong:g}.", "cost")
        if values[0] < 0:
            raise InputError(f"the cost must be at least 0, {self.title[:60]} is {values[0]:g} at x = 0.", "cost")
        different = ~np.isclose(values, self.value(-x), rtol=1e-10, atol=0)
        if different.any():
            wrong = min(x[different], key=lambda place: abs(place - 1))
            raise InputError(f"the cost must be even, {self.title[:60]} differs at x = {wrong:g} and {-wrong:g}.", "cost")
        if values.max() == values[0]:
            raise InputError(f"the cost must rise somewhere, {self.title[:60]} is {values[0]:g} everywhere.", "cost")
        return self._last_below(x, values)

    def _last_below(self, x: Floats, values: Floats) -> float:
        """The largest x, about, before the cost leaves the range of doubles."""
        if values[-1] <= _LARGEST:
            return float(x[-1])
        first = int(np.argmax(values > _LARGEST))
        low, high = float(x[first - 1]), float(x[first])
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if self.value(np.array([middle]))[0] <= _LARGEST else (low, middle)
        return low

    def _fitted(self) -> _Panels:
        edges = np.append(_EDGES[_EDGES < self.end], self.end)
        left, right = edges[:-1], edges[1:]
        done: list[tuple[Floats, Floats, Floats]] = []
        while len(left):
            values, rounding = self._sampled(left, right)
            coefficients = values @ _FIT.T
            tail = np.abs(coefficients[:, -3:]).max(axis=1)
            small = right - left <= 2.0**-43 * right
            good = (tail <= 1e-13 * values.max(axis=1) + 4 * rounding) | (right <= _EDGES[1])
            jump = small & ~good
            coefficients[jump] = 0
            coefficients[jump, 0] = (values[jump, -1] + values[jump, 0]) / 2
            keep = good | small
            done.append((left[keep], right[keep], coefficients[keep]))
            left, right = left[~keep], right[~keep]
            if len(left) > _MOST_PENDING:
                raise InputError(f"the cost {self.title[:60]} has too many corners or jumps to be computed.", "cost")
            middle = left + _CUT * (right - left)
            left, right = np.append(left, middle), np.append(middle, right)
        return _assembled(done)

    def _sampled(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        """Values at the nodes of each panel, checked not to fall, and how much rounding there is in them."""
        x = (left + right)[:, None] / 2 + (right - left)[:, None] / 2 * _T
        values = self.value(x)
        if not np.isfinite(values).all():
            wrong = x[~np.isfinite(values)][0]
            raise InputError(f"the cost {self.title[:60]} must be a number for every x, it is none at x = {wrong:g}.", "cost")
        # Eighth differences of a smooth function vanish at this spacing; the median passes over a corner in one window.
        even = self.value(left[:, None] + (right - left)[:, None] * np.linspace(0, 1, 65))
        differences = np.abs(np.diff(even, n=8, axis=1)[:, ::8]) / 113
        largest = values.max(axis=1)
        rounding = np.minimum(np.median(differences, axis=1), 1e-9 * largest + 2e6 * self._floor) + self._floor
        rounding += 2.0**-52 * right / (right - left) * (largest - values.min(axis=1))
        falls = np.diff(values, axis=1) < -(1e-12 * largest + 40 * rounding)[:, None]
        if falls.any():
            wrong = x[:, 1:][falls][0]
            raise InputError(f"the cost must not fall as |x| grows, {self.title[:60]} falls near x = {wrong:g}.", "cost")
        return values, rounding

    @cached_property
    def _floor(self) -> float:
        """Differences below this are rounding wherever they are met."""
        return 4e-16 * float(self.value(np.array([min(1.0, self.end)]))[0]) + 1e-290


def _assembled(done: list[tuple[Floats, Floats, Floats]]) -> _Panels:
    left, right = np.concatenate([part[0] for part in done]), np.concatenate([part[1] for part in done])
    coefficients = np.concatenate([part[2] for part in done])
    order = np.argsort(left)
    left, right, coefficients = left[order], right[order], coefficients[order]
    integrals = chebyshev.chebint(coefficients.T, lbnd=-1) * ((right - left) / 2)
    areas = chebyshev.chebval(1.0, integrals)
    return _Panels(left, right, integrals, np.append(0.0, np.cumsum(areas)[:-1]))


def _clenshaw(coefficients: Floats, t: Floats) -> Floats:
    """Evaluate sum_j coefficients[j] T_j(t), one series for each t."""
    first, second = np.zeros_like(t), np.zeros_like(t)
    for row in coefficients[:0:-1]:
        first, second = row + 2 * t * first - second, first
    return np.asarray(coefficients[0] + t * first - second)


def _corners(left: Floats, right: Floats) -> tuple[float, ...]:
    """Both sides of every place towards which the panels were cut far down: a corner or a jump lies between."""
    width = (right - left)[1:-1]
    least = np.flatnonzero((width < 2.0**-10 * right[1:-1]) & (width <= (right - left)[:-2]) & (width <= (right - left)[2:])) + 1
    return tuple(sorted({*left[least - 1].tolist(), *right[least + 1].tolist()}))
