"""The rows that decide whether a column of a structured loss passes the test of the certificate.

The test of column r is V_0 >= 0 with V_i = v_i + min(alpha V_{i+1}, V_{i+1} / alpha) from the last row to the first, where v =
c_r - w (THEORY.md 3). For all columns it takes O(n^2) steps; but nearly all of them are foregone. The loss grows with the
distance, so v_i >= 0 except in a window of rows about r:

- above the window all v_i are at least 0, and so is V; there the minimum is alpha V_{i+1}, so that what reaches the window is
  the plain sum of alpha^d v_i. Filters give that sum for every column at once (`dpdesigner.core.structured.filters`): the loss
  being a polynomial of the distance there, from the moments of the weights;
- within the window the recursion is run as it is, for all columns side by side;
- below the window it is enough that V at its lower end and what lies below it, summed likewise, are together at least 0.

Where the loss is constant far from r (`StepWindows`), the sums above and below are the same for every column: the recursion
itself is run once for all.

Every rounding is charged against the column: weights are lowered, alpha is taken too small for the one factor and too large for
the other, sums are lowered by what the filters may be wrong by. What passes here passes in exact arithmetic.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import accumulate

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.structured.filters import MOST_STEPS, STEP_ROUNDINGS, Side, one_sided
from dpdesigner.core.structured.losses import StructuredLoss
from dpdesigner.core.structured.scaled_numbers import Base, shifted

#: By so much more than in proportion each entry of a dual is lowered; far above what underflow can lose.
LEAST = 1e-300
_UNIT = 2.0**-53
_FLOOR = -1e200
_SMALLEST_ALPHA = 1e-290


def windows_of(weights: Floats, kind: StructuredLoss, dual: Floats, alpha: float) -> Windows:
    """Return the windows of a design; parameters as for `dpdesigner.core.structured.certificate.least_lowering`."""
    return (Windows if kind.power else StepWindows)(weights, kind, dual, alpha)


class Windows:
    """For every column the rows low..high outside of which its costs certainly are at least w, and what these rows add."""

    def __init__(self, weights: Floats, kind: StructuredLoss, dual: Floats, alpha: float) -> None:
        self.kind = kind
        self.weights = weights * (1 - 8 * _UNIT) + 0.0  # no -0.0, which would turn the sign of a dual divided by it
        self.dual = dual
        self.n = len(dual) - 1
        self.down = alpha * (1 - 8 * _UNIT)
        self.up = 0.0 if alpha < _SMALLEST_ALPHA else (1 + 8 * _UNIT) / alpha
        self.low, self.high = self._rows()
        self.lower(128 * _UNIT)

    def lower(self, lowering: float) -> None:
        """Test (1 - lowering) w from now on."""
        self.lowering = min(lowering, 1.0)
        self.margins = LEAST - self.dual * (1 - self.lowering + 4 * _UNIT)

    def passes(self, columns: Integers) -> bool:
        """Whether these columns, in order of the length of their windows, certainly pass."""
        lengths = self.high[columns] - self.low[columns] + 1
        value = self._outside(columns, upper=True)
        for step in range(int(lengths[-1])):
            first = int(np.searchsorted(lengths, step, side="right"))
            i, r = self.high[columns[first:]] - step, columns[first:]
            value[first:] = self._next(value[first:], self.margins[i] + self.weights[i] * self.kind.loss(i, r))
        return bool((value + self._outside(columns, upper=False) >= 0).all())

    def passes_alone(self, column: int) -> bool:
        """Whether one column certainly passes."""
        i = np.arange(self.low[column], self.high[column] + 1)
        entries = self.margins[i] + self.weights[i] * self.kind.loss(i, np.full(len(i), column))
        columns = np.array([column])
        value, down, up = float(self._outside(columns, upper=True)[0]), self.down, self.up or math.inf
        for entry in entries[::-1].tolist():
            value = entry + value * (down if value >= 0 else up)  # minus infinity stays, and does not pass
        return value + float(self._outside(columns, upper=False)[0]) >= 0

    def _rows(self) -> tuple[Integers, Integers]:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            levels = np.where(self.dual > 0, self.dual / self.weights * (1 + 8 * _UNIT), 0.0)
        below, above = self.kind.reach(levels)
        i = r = np.arange(self.n + 1)
        lowest = np.minimum.accumulate(np.maximum(i - below, -1.0)[::-1])[::-1]
        highest = np.maximum.accumulate(np.minimum(i + above, self.n + 1.0))
        return np.minimum(np.searchsorted(highest, r), r), np.maximum(np.searchsorted(lowest, r, side="right") - 1, r)

    def _next(self, value: Floats, entries: Floats) -> Floats:
        if not self.up:
            return entries + np.where(value < 0, _FLOOR, value * self.down)
        with np.errstate(over="ignore"):  # minus infinity is raised to the floor, infinity never wins the minimum
            return entries + np.maximum(np.minimum(self.down * value, self.up * value), _FLOOR)

    @cached_property
    def _sides(self) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
        """Sums of the weights and of the dual, from below and from above (counted from n downwards)."""
        down, order = Base.of(self.down), self.kind.power + 1
        return (
            (one_sided(self.weights, down, order), one_sided(self.dual, down, 1)),
            (one_sided(self.weights[::-1], down, order), one_sided(self.dual[::-1], down, 1)),
        )

    def _outside(self, columns: Integers, upper: bool) -> Floats:
        """At least 0 and at most what the rows beyond the window add to V at its upper end, or to the test at its lower end."""
        if upper:
            last, distance = self.n - self.high[columns] - 1, self.high[columns] + 1 - columns
        else:
            last, distance = self.low[columns] - 1, columns - self.low[columns] + 1
        least = np.zeros(len(columns))
        some = np.flatnonzero(last >= 0) if self.up else np.array([], dtype=np.int64)
        if not len(some):
            return least
        weights, dual = self._sides[upper]
        place, away = last[some], distance[some].astype(float)
        moments = weights.moments[:, place]
        sums = np.zeros((2, len(some)))
        for k, factor in enumerate(self.kind.tail(upper)):
            for m in range(k + 1):
                # The distance from r is `away` more than that from the last row; one moment more bounds the roundings.
                sums += factor * math.comb(k, m) * away ** (k - m) * moments[m : m + 2]
        costs = shifted(sums[0] - _rounding(sums[0], sums[1]), weights.exponent[place])
        charged = (1 - self.lowering) * dual.moments[0][place] + _rounding(*dual.moments[:, place])
        taken = shifted(charged, dual.exponent[place])
        least[some] = np.maximum(costs - taken - LEAST, 0.0) * (1.0 if upper else self.down)
        return least


class StepWindows(Windows):
    """The same for a loss that is constant far from r: there every column has the same entries, and V is found once for all."""

    def lower(self, lowering: float) -> None:
        """Test (1 - lowering) w from now on."""
        super().lower(lowering)
        entries = (self.margins + self.weights * self.kind.tail(True)[0]).tolist()
        down, up = self.down, self.up or math.inf
        values = accumulate(reversed(entries), lambda value, entry: entry + value * (down if value >= 0 else up), initial=0.0)
        needed = accumulate(entries, lambda need, entry: (need - entry) * (down if need <= entry else up), initial=0.0)
        #: V_i, were every loss the last one, and what V_i has to be at least for the rows above it to pass with that loss.
        self.values = np.maximum(np.fromiter(values, float, self.n + 2)[::-1], _FLOOR)
        self.needed = np.minimum(np.fromiter(needed, float, self.n + 2), -_FLOOR)

    def _rows(self) -> tuple[Integers, Integers]:
        r = np.arange(self.n + 1)
        return np.maximum(r - self.kind.core, 0), np.minimum(r + self.kind.core, self.n)

    def _outside(self, columns: Integers, upper: bool) -> Floats:
        return np.asarray(self.values[self.high[columns] + 1] if upper else -self.needed[self.low[columns]])


def _rounding(total: Floats, moment: Floats) -> Floats:
    """Bound the error of a filtered sum, given the sum of its terms times their distances; see `one_sided`."""
    return STEP_ROUNDINGS * _UNIT * (np.minimum(moment, MOST_STEPS * total) + 32 * total)
