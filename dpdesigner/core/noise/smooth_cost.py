"""Costs of noise given as functions: checked, and integrated once as piecewise polynomials.

Piecewise polynomials
---------------------
They make the integral of a growing function on the half line known everywhere.

The cost of noise is given as any function that does not fall, and its integral is asked for at many places. The half line is
cut at doubling distances. On each panel the function is sampled at 20 Chebyshev nodes, which gives the polynomial of degree 19
through them; if its last coefficients are as small as rounding, the panel is done, else it is cut in two and tried again. The
cut is not in the middle but at an odd factor, so that corners at round numbers fall inside a panel, where they are seen.

Where the panels shrink to nothing there is a corner or a jump. A short decimal near it, such as the 3 in min(x, 3), is then
made the end of a panel, and the fit is made again, with few panels.

What is kept of a panel is not its polynomial but the mean of the function from the left end to x, (1 / (x - a)) int_a^x f,
again in Chebyshev coefficients. The integral up to x is then the area of the panels before it plus (x - a) times the mean:
right to a few units of its own size also next to 0, where a difference of two integrals would cancel. No proof is claimed for
it: costs of noise carry no certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.arithmetic import DOUBLES, Grammar
from dpdesigner.core.basics.parsing import cut
from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.noise.cost import Growth, NoiseCost
from dpdesigner.errors import InputError

Function = Callable[[Floats], Floats]

_NODES = 20
_T = np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)[::-1]
#: An odd factor, so that corners at round numbers are inside a panel, where they are detected, not between two panels.
_CUT = 0.483729411
_MOST_PENDING = 1200
_ULP = 2.0**-52
_NOTHING = 1e-290


@cache
def _to_coefficients() -> Floats:
    """Return the matrix from nodal values to Chebyshev coefficients, computed lazily: costs with their own formulas skip it."""
    from numpy.polynomial import chebyshev

    fit = chebyshev.chebvander(_T, _NODES - 1) * 2 / _NODES
    fit[:, 0] /= 2
    return fit


@dataclass(frozen=True, eq=False)
class Panels:
    """Piecewise polynomials, one per panel.

    Attributes
    ----------
    left, right : ndarray
        (m,): the ends of each panel, without gaps.
    means : ndarray
        (20, m): Chebyshev coefficients of the mean of the function between the left end and x.
    area : ndarray
        (m,): the integral up to the left end.
    places : tuple of float
        Ends of panels that were set where a corner or a jump was suspected.
    """

    left: Floats
    right: Floats
    means: Floats
    area: Floats
    places: tuple[float, ...]

    def integral(self, x: Floats) -> Floats:
        """Return the integral from 0 to x, for x up to the end of the last panel."""
        j = np.clip(np.searchsorted(self.left, x, side="right") - 1, 0, len(self.left) - 1)
        left, right = self.left[j], self.right[j]
        along = x - left
        t = np.minimum(2 * along / (right - left) - 1, 1.0)
        coefficients = self.means[:, j]
        first, second = np.zeros_like(t), np.zeros_like(t)
        for row in coefficients[:0:-1]:
            first, second = row + 2 * t * first - second, first
        return np.asarray(self.area[j] + along * (coefficients[0] + t * first - second))

    @property
    def corners(self) -> tuple[float, ...]:
        """The places where the function is not smooth, and both sides of every place towards which panels were cut far down."""
        return tuple(sorted({*self.places, *(x for bracket in _brackets(self) for x in bracket)}))


def fit(function: Function, edges: Floats, title: str) -> Panels:
    """Fit a nondecreasing function.

    Parameters
    ----------
    function : callable
        From an array of x to an array of values, at least 0 and not falling.
    edges : ndarray
        Increasing from 0; where the panels end at first.
    title : str
        What to call the function in a sentence.

    Raises
    ------
    InputError
        If the function is not a number somewhere, falls, or has too many corners.
    """
    first = _fit(function, edges, (), title)
    places = tuple(_simplest(low, high) for low, high in _brackets(first))
    return _fit(function, edges, places, title) if places else first


def _fit(function: Function, edges: Floats, places: tuple[float, ...], title: str) -> Panels:
    edges = np.union1d(edges, np.array(places))
    left, right = edges[:-1], edges[1:]
    before, stubborn = np.full(len(left), np.inf), np.zeros(len(left), dtype=int)
    at_one = float(function(np.array([min(1.0, edges[-1])]))[0])
    done: list[tuple[Floats, Floats, Floats]] = []
    while len(left):
        values = _sampled(function, left, right, at_one, title)
        least, largest = values.min(axis=1), values.max(axis=1)
        coefficients = values @ _to_coefficients()
        tail = np.abs(coefficients[:, -3:]).max(axis=1)
        if np.isfinite(before[:1]).all():
            both = (tail > 0.02 * before).reshape(2, -1).all(axis=0)
            stubborn = np.where(np.tile(both, 2), stubborn + 1, 0)
        # If all parts of a panel fit as badly as the whole, the cause is rounding in the function itself.
        smooth = tail <= 1e-13 * largest + 4 * _ULP * right / (right - left) * (largest - least) + _NOTHING
        smooth |= (stubborn >= 2) & (tail <= 1e-9 * (largest + at_one))
        steep = (largest > 1024 * least) & (least > _NOTHING) & (right - left > right / 64)
        small = right - left <= 2.0**-43 * right
        keep = (smooth & ~steep) | small | (right <= edges[1])
        jump = keep & ~smooth
        coefficients[jump, 1:] = 0
        done.append((left[keep], right[keep], coefficients[keep]))
        if (~keep).sum() > _MOST_PENDING + len(edges):
            raise InputError(f"the cost {cut(title)} has too many corners or jumps to be computed.", "cost")
        left, right, before, stubborn = (np.tile(part[~keep], 2) for part in (left, right, tail, stubborn))
        half = len(left) // 2
        middle = left[:half] + _CUT * (right[:half] - left[:half])
        right[:half], left[half:] = middle, middle
    return _assembled(done, places)


def _sampled(function: Function, left: Floats, right: Floats, at_one: float, title: str) -> Floats:
    """Return the values at the nodes of each panel, checked not to decrease by more than rounding error."""
    x = (left + right)[:, None] / 2 + (right - left)[:, None] / 2 * _T
    values = function(x)
    if not np.isfinite(values).all():
        wrong = x[~np.isfinite(values)][0]
        raise InputError(f"the cost {cut(title)} must be a number for every x, but is not at x = {wrong:g}.", "cost")
    # Eighth differences of a smooth function nearly vanish at this spacing; the median ignores a corner in one window.
    even = function(left[:, None] + (right - left)[:, None] * np.linspace(0, 1, 65))
    noise = np.median(np.abs(np.diff(even, n=8, axis=1)[:, ::8]), axis=1) / 113
    largest = values.max(axis=1)
    rounding = np.minimum(noise, 1e-9 * (largest + at_one)) + 4e-16 * at_one
    rounding += _ULP * right / (right - left) * (largest - values.min(axis=1))
    falls = np.diff(values, axis=1) < -(1e-12 * largest + 40 * rounding + _NOTHING)[:, None]
    if falls.any():
        wrong = x[:, 1:][falls][0]
        raise InputError(f"the cost must not fall as |x| grows, but {cut(title)} falls near x = {wrong:g}.", "cost")
    return values


def _assembled(done: list[tuple[Floats, Floats, Floats]], places: tuple[float, ...]) -> Panels:
    left, right = np.concatenate([part[0] for part in done]), np.concatenate([part[1] for part in done])
    coefficients = np.concatenate([part[2] for part in done])
    order = np.argsort(left)
    left, right, coefficients = left[order], right[order], coefficients[order]
    from numpy.polynomial import chebyshev

    integrals = chebyshev.chebint(coefficients.T, lbnd=-1)
    means = (chebyshev.chebval(_T, integrals) / (1 + _T)) @ _to_coefficients()
    areas = chebyshev.chebval(1.0, integrals) * ((right - left) / 2)
    return Panels(left, right, means.T.copy(), np.append(0.0, np.cumsum(areas)[:-1]), places)


def _brackets(panels: Panels) -> list[tuple[float, float]]:
    """Return both sides of each place where the panels became very narrow: a corner or a jump lies between."""
    width = panels.right - panels.left
    narrow = (width < 2.0**-10 * panels.right)[1:-1]
    least = np.flatnonzero(narrow & (width[1:-1] <= width[:-2]) & (width[1:-1] <= width[2:])) + 1
    return list(zip(panels.left[least - 1].tolist(), panels.right[least + 1].tolist(), strict=True))


def _simplest(low: float, high: float) -> float:
    """Return the shortest decimal between two numbers."""
    middle = (low + high) / 2
    for digits in range(1, 18):
        short = float(f"{middle:.{digits}g}")
        if low <= short <= high:
            return short
    return middle


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
        """Construct a cost from an expression in x, such as ``"x**2 / (1 + abs(x))"``."""
        return cls(expression(text), text.strip())

    @cached_property
    def growth(self) -> Growth:
        """The growth, estimated from L itself: faster than exponential growth shows near the limit of doubles."""
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
        """The approximate largest x before the cost leaves the range of doubles; the fit up to there is checked."""
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
        """Return the approximate largest x before the cost leaves the range of doubles."""
        if values[-1] <= _LARGEST:
            return float(x[-1])
        first = int(np.argmax(values > _LARGEST))
        low, high = float(x[first - 1]), float(x[first])
        for _ in range(30):
            middle = (low + high) / 2
            low, high = (middle, high) if self.value(np.array([middle]))[0] <= _LARGEST else (low, middle)
        return low
