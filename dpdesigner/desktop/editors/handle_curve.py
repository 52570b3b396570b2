"""A distribution as a smooth curve through a few handles. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpdesigner.desktop.editors.weight_rules import Floats, Rules, Settled, settled

_MOST = 9  # the most handles that a fit may use
_CLOSE = 0.02  # largest error of a fit, relative to the highest bar
_SAMPLES = 1000  # bars that a fit examines


@dataclass(frozen=True)
class HandleCurve:
    """The monotone cubic curve through handles: it rises and falls only where they do.

    Attributes
    ----------
    places : tuple of int
        The counts of the handles, rising; the first is 0 and the last n.
    heights : tuple of float
        Their weights, at or above 0.
    """

    places: tuple[int, ...]
    heights: tuple[float, ...]

    @classmethod
    def fitted(cls, weights: Floats) -> HandleCurve:
        """Return a curve close to weights (n + 1,), with as few handles as possible, at most nine."""
        n = len(weights) - 1
        looked_at = np.unique(np.linspace(0, n, min(n + 1, _SAMPLES)).astype(np.int64))
        places = [0, n] if n else [0]
        while len(places) < min(_MOST, n + 1):
            error = np.abs(cls._through(places, weights).at(looked_at) - weights[looked_at])
            error[np.isin(looked_at, places)] = 0.0
            worst = int(np.argmax(error))
            if error[worst] <= _CLOSE * float(weights.max()):
                break
            places = sorted([*places, int(looked_at[worst])])
        return cls._through(places, weights)

    @classmethod
    def _through(cls, places: Sequence[int], weights: Floats) -> HandleCurve:
        return cls(tuple(places), tuple(float(weights[place]) for place in places))

    @property
    def n(self) -> int:
        """The largest count."""
        return self.places[-1]

    def at(self, x: ArrayLike) -> Floats:
        """Return the height of the curve at positions in 0..n."""
        return monotone_cubic(np.array(self.places, dtype=float), np.array(self.heights), np.asarray(x, dtype=float))

    def weights(self) -> Floats:
        """Return the height over every count, an array (n + 1,)."""
        return self.at(np.arange(self.n + 1))

    def scaled(self, factor: float) -> HandleCurve:
        """Return the curve with its heights multiplied by a factor."""
        return HandleCurve(self.places, tuple(factor * height for height in self.heights))

    def moved(self, handle: int, x: float, y: float) -> HandleCurve:
        """Return the curve with a handle at (x, y), kept between its neighbours; the two end handles only move vertically."""
        place = self.places[handle]
        if 0 < handle < len(self.places) - 1:
            place = min(max(round(x), self.places[handle - 1] + 1), self.places[handle + 1] - 1)
        return self._with(handle, [(place, max(y, 0.0))])

    def added(self, x: float) -> tuple[HandleCurve, int]:
        """Return the curve with a handle at the count nearest to `x`, and the index of that handle."""
        place = min(max(round(x), 0), self.n)
        if place in self.places:
            return self, self.places.index(place)
        after = sum(other < place for other in self.places)
        places = (*self.places[:after], place, *self.places[after:])
        heights = (*self.heights[:after], float(self.at(place)), *self.heights[after:])
        return HandleCurve(places, heights), after

    def removed(self, handle: int) -> HandleCurve:
        """Return the curve without a handle; the two end handles stay."""
        return self._with(handle, []) if 0 < handle < len(self.places) - 1 else self

    def _with(self, handle: int, points: list[tuple[int, float]]) -> HandleCurve:
        old = list(zip(self.places, self.heights, strict=True))
        new = [*old[:handle], *points, *old[handle + 1 :]]
        return HandleCurve(tuple(place for place, _ in new), tuple(height for _, height in new))


class HandleDrag:
    """One drag of a handle, from press to release.

    Parameters
    ----------
    before : array (n + 1,)
        The weights when the button was pressed.
    curve : HandleCurve
        The curve then.
    handle : int
        The handle that was taken.
    rules : Rules
        What stays.
    """

    def __init__(self, before: Floats, curve: HandleCurve, handle: int, rules: Rules) -> None:
        self._before = before
        self._rules = rules
        self._handle = handle
        self._start = curve
        self.curve = curve  #: the current curve

    def move(self, x: float, y: float, *, straight: bool = False) -> Settled:
        """Move the handle to a position; if `straight`, only vertically.

        Returns
        -------
        Settled
            The weights now.
        """
        place = float(self._start.places[self._handle])
        self.curve = self._start.moved(self._handle, place if straight else x, y)
        return shaped(self._before, self.curve, self._rules, x)


def shaped(before: Floats, curve: HandleCurve, rules: Rules, near: float = 0.0) -> Settled:
    """Return weights that follow a curve, as far as the rules allow; `near` is the position of the pointer."""
    return settled(before, curve.weights(), np.ones(len(before), dtype=np.bool_), rules, near)


def monotone_cubic(x: Floats, y: Floats, at: Floats) -> Floats:
    """Return the piecewise cubic Hermite interpolant that is monotone wherever the points are.

    Parameters
    ----------
    x, y : array (k,)
        The points, x strictly rising.
    at : array
        Where to evaluate, between the first and the last x.

    Returns
    -------
    array
        Of the shape of `at`.

    Notes
    -----
    Slopes after Fritsch and Butland: the weighted harmonic mean of the neighbouring secants, 0 at local extrema, and a
    one-sided three-point formula at the ends, limited to keep the shape.
    """
    if len(x) == 1:
        return np.full(at.shape, y[0])
    width, secant = np.diff(x), np.diff(y) / np.diff(x)
    slope = _slopes(width, secant)
    piece = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    h, t = width[piece], (at - x[piece]) / width[piece]
    rest = 1.0 - t
    heights = rest * rest * ((1 + 2 * t) * y[piece] + t * h * slope[piece])
    heights += t * t * ((3 - 2 * t) * y[piece + 1] - rest * h * slope[piece + 1])
    return np.clip(heights, np.minimum(y[piece], y[piece + 1]), np.maximum(y[piece], y[piece + 1]))


def _slopes(width: Floats, secant: Floats) -> Floats:
    if len(width) == 1:
        return np.repeat(secant, 2)
    left, right = secant[:-1], secant[1:]
    near, far = 2 * width[1:] + width[:-1], width[1:] + 2 * width[:-1]
    steady = np.sign(left) * np.sign(right) > 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inner = np.where(steady, (near + far) / (near / left + far / right), 0.0)
    ends = _end_slope(width[0], width[1], secant[0], secant[1]), _end_slope(width[-1], width[-2], secant[-1], secant[-2])
    return np.concatenate(([ends[0]], inner, [ends[1]]))


def _end_slope(near: float, far: float, secant: float, next_secant: float) -> float:
    slope = ((2 * near + far) * secant - near * next_secant) / (near + far)
    if slope * secant <= 0:
        return 0.0
    if secant * next_secant <= 0 and abs(slope) > 3 * abs(secant):
        return 3 * secant
    return slope
