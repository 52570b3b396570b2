"""Editing weights as numbers: the brush, locked bars, a fixed total, and a curve with handles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpdesigner.desktop.base.translation import tr
from dpdesigner.errors import InputError

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MODERATE = 1e100
_DRAWN = 1e9  # if a weight exceeds this, or all are below its inverse, probabilities are drawn


@dataclass(frozen=True)
class Rules:
    """The constraints on editing bars: locks and the total.

    Attributes
    ----------
    locked : frozenset of int
        Counts that keep their probability.
    hold_total : bool
        Whether the bars that are not edited give or take what the edited ones take or give.
    """

    locked: frozenset[int] = frozenset()
    hold_total: bool = False

    @property
    def bind(self) -> bool:
        """Whether there are any constraints."""
        return self.hold_total or bool(self.locked)

    def mask(self, size: int) -> Mask:
        """Return which of `size` bars are locked."""
        mask = np.zeros(size, dtype=np.bool_)
        mask[[count for count in self.locked if count < size]] = True
        return mask

    def toggled(self, count: int) -> Rules:
        """Return the rules with the lock of a count toggled."""
        return replace(self, locked=self.locked ^ {count})


class Settled(NamedTuple):
    """Weights that satisfy the rules, and why an edit was not followed in full.

    Attributes
    ----------
    weights : array (n + 1,)
        A new array.
    kept : int or None
        The count that was left positive against the edit, since none other would have been.
    stuck : bool
        Whether all the probability is locked, so that nothing could change.
    """

    weights: Floats
    kept: int | None = None
    stuck: bool = False


def settled(before: Floats, drawn: Floats, touched: Mask, rules: Rules, near: float = 0.0) -> Settled:
    """Return the result of an edit.

    Parameters
    ----------
    before : array (n + 1,)
        The weights before the edit.
    drawn : array (n + 1,)
        The weights as drawn.
    touched : array (n + 1,) of bool
        Which bars the edit is about; with a held total, the others make room.
    rules : Rules
        What to keep to.
    near : float
        Where the pointer is: of all bars that could be left positive, the nearest is.

    Returns
    -------
    Settled
        Its weights are finite, at or above 0, with a positive sum.

    Notes
    -----
    Locked bars of probabilities p keep them because they are scaled with the free ones: with U the drawn weight of the
    free bars, the total becomes U / (1 - sum p), so that every free bar stays as high as it was drawn.
    """
    if not rules.bind and drawn.max() > 0:
        return Settled(np.maximum(drawn, 0.0))
    free = ~rules.mask(len(before))
    room = float(before[free].sum())
    if not room > 0:
        return Settled(before.copy(), stuck=True)
    weights = np.where(free, np.maximum(drawn, 0.0), before)
    kept = _kept_positive(weights, before, free, near)
    if rules.hold_total:
        _hold(weights, touched & free, ~touched & free, room)
    elif before[~free].any():
        _keep_locked(weights, free, room)
    return Settled(weights, kept)


def _kept_positive(weights: Floats, before: Floats, free: Mask, near: float) -> int | None:
    """If no free bar would be positive, leave the one nearest to the pointer as it was and return its count."""
    if weights[free].any():
        return None
    candidates = np.flatnonzero(free & (before > 0))
    kept = int(candidates[np.argmin(np.abs(candidates - near))])
    weights[kept] = before[kept]
    return kept


def _keep_locked(weights: Floats, free: Mask, room: float) -> None:
    """Scale the locked bars by the growth of the free ones, whose total was `room` before."""
    growth = float(weights[free].sum()) / room
    if 1 / _MODERATE < growth < _MODERATE:
        weights[~free] *= growth
    else:  # the same probabilities, but scaled into the range of doubles
        weights[free] = _weighing(weights[free], room)


def _hold(weights: Floats, edited: Mask, others: Mask, room: float) -> None:
    """Scale the unedited bars so that the free ones total `room`; scale the edited ones only if that is not enough."""
    have, rest = float(weights[edited].sum()), float(weights[others].sum())
    if rest > 0 and have < room:
        weights[others] = _weighing(weights[others], room - have)
    elif have > 0:
        weights[others] = 0.0
        weights[edited] = _weighing(weights[edited], room)


def _weighing(weights: Floats, mass: float) -> Floats:
    """Return weights scaled to a sum, computed from shares because the weights may be too small to divide by."""
    shares = weights / weights.max()
    return np.asarray(shares * (mass / float(shares.sum())))


def checked(weights: ArrayLike, texts: int | None = None) -> Floats:
    """Return weights as a new array.

    Parameters
    ----------
    weights : array (n + 1,)
        What came from outside.
    texts : int, optional
        How many texts came with them.

    Raises
    ------
    InputError
        If they are not finite numbers at or above 0 with a positive sum, or not as many as the texts.
    """
    held = np.array(weights, dtype=float)
    if held.ndim != 1 or not held.size or not np.isfinite(held).all() or held.min() < 0 or not held.any():
        words = "the weights must be a list of finite numbers at or above 0, not all 0, got an array of shape {}."
        raise InputError(words.format(held.shape), "prior")
    if texts is not None and texts != len(held):
        raise InputError(f"there must be one text per weight, {len(held)} in total, got {texts}.", "prior")
    return held


def drawable(weights: Floats, *, given: bool) -> Floats:
    """Return weights as drawn: unchanged if they were entered that way and are moderate, otherwise as probabilities."""
    if given and 1 / _DRAWN < weights.max() < _DRAWN:
        return weights
    weights = weights / weights.max()
    return np.asarray(weights / weights.sum())


def alike(first: Floats, second: Floats) -> bool:
    """Return whether two arrays of weights represent the same probabilities."""
    if len(first) != len(second):
        return False
    return np.array_equal(first, second) or bool(np.allclose(first / first.max(), second / second.max(), rtol=1e-9, atol=1e-15))


_NEGLIGIBLE = 1e-14  # of the highest bar: rounding residue of the running sums where the weight was 0


def refit(weights: Floats, quantiles: Sequence[Fraction]) -> Floats:
    """Return weights with these quantiles, a probability and a count in turn; each part between them keeps its shape.

    Raises
    ------
    InputError
        If all weights of a part are 0.
    """
    shares = np.diff([0.0, *map(float, quantiles[::2]), 1.0])
    ends = [0, *(int(count) + 1 for count in quantiles[1::2]), len(weights)]
    parts = np.add.reduceat(weights, ends[:-1])
    if not parts.all():
        raise InputError(tr("Nothing is painted on one side of these counts. Paint there first."), "prior")
    return weights * np.repeat(shares / parts, np.diff(ends))


def smoothed(before: Floats, rules: Rules) -> Settled:
    """Return weights (n + 1,) averaged with their neighbours, over two bars in each direction for every 40 there are.

    The mean is triangular, 1/4, 1/2, 1/4 for up to 80 bars; the ends reflect, so that the total stays.
    """
    size = len(before)
    width = max(2, size // 40)
    if size == 1:
        return Settled(before.copy())
    padded = np.pad(before / before.max(), width - 1, mode="symmetric")
    drawn = _mean(_mean(padded, width), width)
    drawn[drawn < _NEGLIGIBLE] = 0.0
    return settled(before, _short(drawn * before.max(), before), np.ones(size, dtype=np.bool_), rules)


def mirrored(before: Floats, rules: Rules) -> Settled:
    """Return weights (n + 1,) in reverse order; locked bars stay."""
    return settled(before, before[::-1], np.ones(len(before), dtype=np.bool_), rules)


def raised(before: Floats, low: int, high: int, by: float, rules: Rules) -> Settled:
    """Return weights with the bars `low`..`high` raised by an amount, or lowered, down to 0."""
    touched = np.zeros(len(before), dtype=np.bool_)
    touched[low : high + 1] = True
    drawn = before.copy()
    drawn[touched] = _short(np.maximum(drawn[touched] + by, 0.0), before)
    return settled(before, drawn, touched, rules, (low + high) / 2)


def replaced(before: Floats, count: int, weight: float, rules: Rules) -> Settled:
    """Return weights with the weight of one count replaced."""
    touched = np.zeros(len(before), dtype=np.bool_)
    touched[count] = True
    drawn = before.copy()
    drawn[count] = weight
    return settled(before, drawn, touched, rules, count)


def _mean(values: Floats, width: int) -> Floats:
    """Return the means of every `width` neighbours, an array shorter by `width` - 1."""
    if width <= 64:
        return np.convolve(values, np.full(width, 1.0 / width), mode="valid")
    sums = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray((sums[width:] - sums[:-width]) / width)


def _short(weights: Floats, like: Floats) -> Floats:
    """Round to six digits of the highest weight, to keep files readable."""
    return weights.round(5 - floor(log10(float(like.max()))))


_DIGITS = 4  # of the highest drawn weight: finer than a pixel, yet short enough to read


@dataclass(frozen=True)
class Brush:
    """The width and edge of a stroke.

    Attributes
    ----------
    reach : int
        Bars on either side of the pointer that are painted too.
    softness : float
        The share of the reach, 0 to 1, over which the strength fades to nothing.
    """

    reach: int = 0
    softness: float = 0.0

    @property
    def width(self) -> int:
        """Bars painted at once."""
        return 2 * self.reach + 1

    def strength(self, distance: NDArray[np.int64]) -> Floats:
        """Return how far bars at these distances (0, 1, ...) move from their old height (0) to that of the pointer (1)."""
        core = (1.0 - self.softness) * self.reach
        fade = np.clip((distance - core) / (self.reach + 1 - core), 0.0, 1.0)
        return np.asarray(0.5 * (1.0 + np.cos(np.pi * fade)))


class Stroke:
    """One stroke, from press to release.

    Every bar takes the height that the pointer had where it came closest to it.

    Parameters
    ----------
    before : array (n + 1,)
        The weights when the button was pressed.
    brush : Brush
        What paints.
    rules : Rules
        What stays.
    erasing : bool
        Whether bars are set to 0 wherever the pointer is.
    blank : bool
        Whether all bars are at 0 to begin with, where they are not painted.
    """

    def __init__(self, before: Floats, brush: Brush, rules: Rules, *, erasing: bool = False, blank: bool = False) -> None:
        self._before, self._low = before, 0.0 if blank else 1.0
        self._brush = brush
        self._rules = rules
        self.erasing = erasing  #: whether it sets bars to 0
        self._digits = _DIGITS - floor(log10(float(before.max()))) - 1
        self._drawn = before * self._low
        self._distance = np.full(len(before), np.iinfo(np.int64).max)
        self._start = self._last = (0.0, 0.0)

    @property
    def touched(self) -> Mask:
        """The bars that were painted, an array (n + 1,)."""
        return np.asarray(self._distance < np.iinfo(np.int64).max)

    def press(self, x: float, y: float) -> Settled:
        self._start = self._last = (x, y)
        return self.move(x, y)

    def move(self, x: float, y: float, *, straight: bool = False) -> Settled:
        """Continue the stroke to a position, or, if `straight`, redraw it from where the brush was put down.

        Parameters
        ----------
        x, y : float
            Where the pointer is now.
        straight : bool
            Whether the stroke so far becomes one straight line.

        Returns
        -------
        Settled
            The weights now.
        """
        if straight:
            self._drawn[:] = self._before * self._low
            self._distance[:] = np.iinfo(np.int64).max
            self._cross(self._start, self._start)
        self._cross(self._start if straight else self._last, (x, y))
        self._last = (x, y)
        return settled(self._before, self._drawn, self.touched, self._rules, x)

    def _cross(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Paint the bars after the bar of `start`, up to the bar of `end`."""
        first, last, reach = _bar(start[0]), _bar(end[0]), self._brush.reach
        first += (last > first) - (last < first)
        low, high = min(first, last), max(first, last)
        bars = np.arange(max(low - reach, 0), min(high + reach + 1, len(self._drawn)))
        nearest = np.clip(bars, low, high)
        distance = np.abs(bars - nearest)
        closest = distance <= self._distance[bars]
        bars, nearest, distance = bars[closest], nearest[closest], distance[closest]
        self._distance[bars] = distance
        goal = np.zeros(len(bars)) if self.erasing else _heights(nearest, start, end)
        old = self._before[bars] * self._low
        strength = self._brush.strength(distance)
        self._drawn[bars] = np.where(strength == 1, goal, old + strength * (goal - old)).round(self._digits)


def _bar(x: float) -> int:
    return floor(x + 0.5)


def _heights(bars: NDArray[np.int64], start: tuple[float, float], end: tuple[float, float]) -> Floats:
    """Return the height of the line over the middle of bars; over its last bar, the height of its end."""
    (x0, y0), (x1, y1) = start, end
    last = _bar(x1)
    if _bar(x0) == last:
        return np.full(len(bars), max(y1, 0.0))
    line = y0 + (y1 - y0) * (bars - x0) / (x1 - x0)
    return np.asarray(np.maximum(np.where(bars == last, y1, line), 0.0))


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
