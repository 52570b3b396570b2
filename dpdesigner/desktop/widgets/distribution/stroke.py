"""A stroke of the brush over bars: which bars it crosses, and how high it leaves them. No Qt here.

Horizontal positions are counts (bar i reaches from i - 1/2 to i + 1/2), vertical ones weights. A stroke is told where the
pointer is; between two positions it goes straight, so that it is the same however seldom the mouse reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from dpdesigner.desktop.widgets.distribution.weight_rules import Floats, Mask, Rules, Settled, settled

_DIGITS = 4  # of the highest drawn weight: finer than a pixel, and short enough to be read


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
        """Which bars were painted, an array (n + 1,)."""
        return np.asarray(self._distance < np.iinfo(np.int64).max)

    def press(self, x: float, y: float) -> Settled:
        """Put the brush down."""
        self._start = self._last = (x, y)
        return self.move(x, y)

    def move(self, x: float, y: float, *, straight: bool = False) -> Settled:
        """Draw on to a position, or, if `straight`, anew from where the brush was put down.

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
        """Paint the bars after that of `start`, up to that of `end`."""
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
    """Return the height of the line over the middle of bars; over the bar it ends in, its end."""
    (x0, y0), (x1, y1) = start, end
    last = _bar(x1)
    if _bar(x0) == last:
        return np.full(len(bars), max(y1, 0.0))
    line = y0 + (y1 - y0) * (bars - x0) / (x1 - x0)
    return np.asarray(np.maximum(np.where(bars == last, y1, line), 0.0))
