"""Costs of noise given as functions: checked, and integrated once by piecewise polynomials (`dpdesigner.core.cost.panels`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.cost.cost import Growth, NoiseCost
from dpdesigner.core.cost.panels import Panels, fit
from dpdesigner.core.numbers.arithmetic import DOUBLES, Grammar
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.core.numbers.rounding import figure
from dpdesigner.errors import InputError

#: Doubling distances; the odd factor keeps corners at round numbers inside a panel.
_EDGES = np.append(0.0, 0.813012649813 * np.exp2(np.arange(-960, 101, dtype=float)))
#: Values beyond this count as infinite, so that nothing computed from smaller ones overflows.
_LARGEST = 1e250
_COST = Grammar(("x",), "cost expression", "cost", "|x|")


@lru_cache(maxsize=64)
def expression(text: str) -> Callable[[Floats], Floats]:
    """Return an expression in x, the amount of noise, as a function of an array.

    Parameters
    ----------
    text : str
        For example ``"abs(x)"``, ``"x**2 / (1 + abs(x))"`` or ``"where(abs(x) > 2, 5, abs(x))"``.

    Returns
    -------
    callable
        From an array of doubles to an array of the same shape; what is not defined is nan or infinite, without a warning.

    Raises
    ------
    InputError
        With the part that is not allowed.
    """
    evaluate = _COST.compiled(text, DOUBLES)

    def values(x: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return np.array(np.broadcast_to(np.asarray(evaluate({"x": x}), dtype=float), x.shape))

    return values


@dataclass(frozen=True)
class SmoothCost(NoiseCost):
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

    def __post_init__(self) -> None:
        self._panels  # noqa: B018  (checks the function)

    @classmethod
    def of_expression(cls, text: str) -> SmoothCost:
        """Make a cost from an expression in x, such as ``"x**2 / (1 + abs(x))"``."""
        return cls(expression(text), text.strip())

    @cached_property
    def growth(self) -> Growth:
        """Found by looking at L itself: faster than exponential growth shows where the doubles end."""
        looked = "at many test points L never falls, and L(T + 1) / L(T)"
        if self.end >= _EDGES[-1]:
            text = f"{looked} stays bounded up to T = {figure(self.end, 1)}; if this holds everywhere, the staircase is optimal."
            return Growth(True, text, certain=False)
        rates = np.diff(np.log(self.value(self.end * np.array([0.49, 0.5, 0.98, 0.99]))))[[0, 2]] / (0.01 * self.end)
        now = f"L(T + 1) / L(T) is about e^{rates[1]:.3g} at T = {figure(self.end, 3)}"
        if rates[1] > 1.05 * rates[0]:
            return Growth(False, f"{now} and keeps growing: Geng and Viswanath’s theorem does not apply.", certain=False)
        text = f"{looked} is about e^{rates[1]:.3g} at T = {figure(self.end, 3)} and does not keep growing"
        return Growth(True, f"{text}; if this holds everywhere, the staircase is optimal.", certain=False)

    @cached_property
    def end(self) -> float:
        """The largest x, about, before the cost leaves the range of doubles; that the function fits up to there is checked."""
        return self._checked_end()

    @cached_property
    def _panels(self) -> Panels:
        return fit(self.value, np.append(_EDGES[_EDGES < self.end], self.end), self.title)

    @property
    def corners(self) -> tuple[float, ...]:
        """The ends of panels at corners and jumps; increasing."""
        return self._panels.corners

    @cached_property
    def cuts(self) -> Floats:
        """Points between which L is a polynomial to rounding; increasing."""
        return np.append(self._panels.left[1:], self._panels.right[-1])

    def value(self, x: Floats) -> Floats:
        """Return L(x)."""
        with np.errstate(all="ignore"):
            return self.function(np.asarray(x, dtype=float))

    def integral(self, x: Floats) -> Floats:
        """Return the integral of L from 0 to x; infinite beyond the end."""
        return np.where(x > self.end, np.inf, self._panels.integral(np.minimum(x, self.end)))

    def _checked_end(self) -> float:
        x = _EDGES
        values = self.value(x)
        undefined = np.isnan(values) | np.isneginf(values)
        undefined[0] |= values[0] == np.inf
        if undefined.any():
            wrong = x[np.argmax(undefined)]
            raise InputError(f"the cost {cut(self.title)} must be a number for every x, but is not at x = {wrong:g}.", "cost")
        if values[0] < 0:
            raise InputError(f"the cost must be at least 0, but {cut(self.title)} is {values[0]:g} at x = 0.", "cost")
        with np.errstate(over="ignore"):  # values of opposite signs may differ by more than a double holds
            different = ~np.isclose(values, self.value(-x), rtol=1e-10, atol=0)
        if different.any():
            wrong = min(x[different], key=lambda place: abs(place - 1))
            raise InputError(f"the cost must be even, but {cut(self.title)} differs at x = {wrong:g} and {-wrong:g}.", "cost")
        if values.max() == values[0]:
            raise InputError(f"the cost must rise somewhere, but {cut(self.title)} is {values[0]:g} everywhere.", "cost")
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
