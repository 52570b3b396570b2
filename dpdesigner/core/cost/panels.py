"""A growing function on the half line as piecewise polynomials, so that its integral is known everywhere.

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
from functools import cache

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.parsing import cut
from dpdesigner.errors import InputError

Function = Callable[[Floats], Floats]

_NODES = 20
_T = np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)[::-1]
#: An odd factor, so that corners at round numbers fall inside a panel, where they are seen, and not between two.
_CUT = 0.483729411
_MOST_PENDING = 1200
_ULP = 2.0**-52
_NOTHING = 1e-290


@cache
def _to_coefficients() -> Floats:
    """Takes values at the nodes to Chebyshev coefficients; made when first wanted: costs with formulas of their own need none."""
    from numpy.polynomial import chebyshev

    fit = chebyshev.chebvander(_T, _NODES - 1) * 2 / _NODES
    fit[:, 0] /= 2
    return fit


@dataclass(frozen=True, eq=False)
class Panels:
    """Polynomials, panel by panel.

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
        """Where the function is not smooth: places, and both sides of every place towards which panels were cut far down."""
        return tuple(sorted({*self.places, *(x for bracket in _brackets(self) for x in bracket)}))


def fit(function: Function, edges: Floats, title: str) -> Panels:
    """Fit a function that does not fall.

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
        # Where all parts of a panel stay as bad as the whole, it is rounding in the function itself.
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
    """Values at the nodes of each panel, checked not to fall by more than rounding."""
    x = (left + right)[:, None] / 2 + (right - left)[:, None] / 2 * _T
    values = function(x)
    if not np.isfinite(values).all():
        wrong = x[~np.isfinite(values)][0]
        raise InputError(f"the cost {cut(title)} must be a number for every x, but is not at x = {wrong:g}.", "cost")
    # Eighth differences of a smooth function nearly vanish at this spacing; the median passes over a corner in one window.
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
    """Both sides of every place towards which the panels were cut far down: a corner or a jump lies between."""
    width = panels.right - panels.left
    narrow = (width < 2.0**-10 * panels.right)[1:-1]
    least = np.flatnonzero(narrow & (width[1:-1] <= width[:-2]) & (width[1:-1] <= width[2:])) + 1
    return list(zip(panels.left[least - 1].tolist(), panels.right[least + 1].tolist(), strict=True))


def _simplest(low: float, high: float) -> float:
    """The shortest decimal between two numbers."""
    middle = (low + high) / 2
    for digits in range(1, 18):
        short = float(f"{middle:.{digits}g}")
        if low <= short <= high:
            return short
    return middle
