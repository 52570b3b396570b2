"""The cost of noise, an even function L(x) that does not fall as |x| grows; and the parameters of a query.

A cost is a power of |x|, a curve drawn through points, or an expression in x. [Geng] proves the staircase optimal for every such
cost with sup L(T + 1) / L(T) finite for large T; `Growth` says what is known about that.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.parsing import Number, cut, exact, excerpt, nearest
from dpdesigner.core.basics.rounding import figure
from dpdesigner.core.noise.cost import Growth, NoiseCost
from dpdesigner.core.noise.smooth_cost import SmoothCost
from dpdesigner.errors import InputError

_USAGE = "absolute, squared, sum-of-squares, power:M with M above 0, up to 100, drawn:X:Y,X:Y,..., expression:..."
_MOST_POINTS = 1000
_X = re.compile(r"(?<![A-Za-z_])x(?![A-Za-z_0-9])")
_PROVED = "the staircase is optimal for this cost (Geng and Viswanath)."


@dataclass(frozen=True)
class PowerCost(NoiseCost):
    """L(x) = |x|^power.

    Attributes
    ----------
    power : float
        In (0, 100].
    """

    power: float

    @property
    def title(self) -> str:
        """The title: absolute error, squared error or the power."""
        return {1.0: "absolute error", 2.0: "squared error"}.get(self.power, f"|x|^{self.power:.6g}")

    @property
    def growth(self) -> Growth:
        """The growth: L(T + 1) / L(T) is at most 2^power for T >= 1."""
        return Growth(True, f"L(T + 1) / L(T) is at most {figure(2.0**self.power, 4)} for T ≥ 1: {_PROVED}")

    @property
    def end(self) -> float:
        """The largest x with a finite power."""
        return float(10.0 ** min(300 / self.power, 300))

    def share(self, dimension: int) -> float:
        """Return the expected cost of several coordinates divided by E ||X||_1^power."""
        return 1.0

    def value(self, x: Floats) -> Floats:
        """Return x^power."""
        return np.asarray(np.power(x, self.power))

    def rise(self, x: Floats, step: Floats) -> Floats:
        """Return (x + step)^power - x^power without cancellation."""
        near = np.minimum(step / np.maximum(x, step / 8), 8.0)
        small = np.power(x, self.power) * np.expm1(self.power * np.log1p(near))
        return np.asarray(np.where(8 * x > step, small, np.power(x + step, self.power) - np.power(x, self.power)))

    def integral(self, x: Floats) -> Floats:
        """Return x^(power + 1) / (power + 1)."""
        return np.asarray(np.power(x, self.power + 1) / (self.power + 1))


@dataclass(frozen=True)
class SumOfSquares(PowerCost):
    """x_1^2 + ... + x_d^2; the squared error of a single answer.

    Where a density depends on the L1 norm alone, the coordinates given the norm are uniform on a simplex, with random signs: with
    E u_i^2 = 2 / (d (d + 1)) for uniform shares u of 1, E sum x_i^2 = 2 / (d + 1) E ||X||_1^2, whatever gamma is.
    """

    power: float = 2.0

    @property
    def title(self) -> str:
        """The title: the sum over the answers."""
        return "sum of squares"

    def share(self, dimension: int) -> float:
        """Return 2 / (d + 1)."""
        return 2 / (dimension + 1)


@dataclass(frozen=True)
class DrawnCost(NoiseCost):
    """Straight lines through points; the last line continues beyond the last point.

    Attributes
    ----------
    points : tuple of (x, y)
        x from 0 on, increasing; y from 0 on, not falling and not all equal.
    """

    points: tuple[tuple[float, float], ...]

    @property
    def title(self) -> str:
        """The title: the number of points, in words."""
        return f"drawn through {len(self.points)} points"

    @property
    def growth(self) -> Growth:
        """The growth: a line in the end, so the ratio tends to 1."""
        return Growth(True, f"the drawn cost continues as a straight line, so L(T + 1) / L(T) stays bounded: {_PROVED}")

    @property
    def corners(self) -> tuple[float, ...]:
        """The points where the slope changes."""
        return tuple(x for x, _ in self.points[1:])

    @property
    def end(self) -> float:
        """A bound far beyond all noise."""
        return 1e150

    @cached_property
    def slopes(self) -> Floats:
        """The slope after each point, (m,)."""
        x, y = self._arrays
        steps = np.diff(y) / np.diff(x)
        return np.append(steps, steps[-1])

    def value(self, x: Floats) -> Floats:
        """Return L(x), interpolated on the lines."""
        xs, ys = self._arrays
        j = np.searchsorted(xs, x, side="right") - 1
        return np.asarray(ys[j] + self.slopes[j] * (x - xs[j]))

    def rise(self, x: Floats, step: Floats) -> Floats:
        """Return L(x + step) - L(x)."""
        xs, _ = self._arrays
        same = np.searchsorted(xs, x, side="right") - 1
        return np.asarray(np.where(x + step <= np.append(xs[1:], np.inf)[same], self.slopes[same] * step, super().rise(x, step)))

    def integral(self, x: Floats) -> Floats:
        """Return the area under the lines."""
        xs, ys = self._arrays
        j = np.searchsorted(xs, x, side="right") - 1
        t = x - xs[j]
        return np.asarray(self._areas[j] + t * (ys[j] + self.slopes[j] * t / 2))

    @cached_property
    def _arrays(self) -> tuple[Floats, Floats]:
        across, up = np.array(self.points).T.copy()
        return across, up

    @cached_property
    def _areas(self) -> Floats:
        """The integral up to each point."""
        xs, ys = self._arrays
        return np.append(0.0, np.cumsum(np.diff(xs) * (ys[1:] + ys[:-1]) / 2))


ABSOLUTE, SQUARED = PowerCost(1.0), PowerCost(2.0)
_NAMED = {"absolute": ABSOLUTE, "squared": SQUARED, "sum-of-squares": SumOfSquares()}


@lru_cache(maxsize=64)
def noise_cost(given: str) -> NoiseCost:
    """Return the cost named by a text.

    Parameters
    ----------
    given : str
        ``"absolute"``, ``"squared"``, ``"sum-of-squares"`` (of several answers), ``"power:1.5"``, ``"drawn:0:0,1:1,3:10"``
        (straight lines through (x, y) points; (0, 0) is added if no point has x = 0), or ``"expression:x**2 / (1 + abs(x))"``.

    Raises
    ------
    InputError
        If it is none of these, or the cost falls somewhere, or is not even.
    """
    name, _, argument = given.partition(":") if isinstance(given, str) else ("", "", "")
    name = name.strip()
    if name in _NAMED and ":" not in given:
        return _NAMED[name]
    if name == "power":
        power = exact(argument, "cost")
        if not 0 < power <= 100:
            usual = "100" if power > 100 else "1"
            raise InputError(f"the power must be above 0, up to 100, got {cut(argument)}.", "cost", usual)
        return PowerCost(float(power))
    if name == "drawn":
        return _drawn(argument)
    if name == "expression":
        return SmoothCost.of_expression(argument)
    raise InputError(f"the cost must be one of {_USAGE}, got {excerpt(given)}.", "cost")


def _drawn(text: str) -> DrawnCost:
    parts = text.split(",")
    if len(parts) > _MOST_POINTS:
        raise InputError(f"a drawn cost may have at most {_MOST_POINTS} points, got {len(parts)}.", "cost")
    points: list[tuple[float, float]] = []
    for part in parts:
        across, colon, height = part.partition(":")
        if not colon:
            raise InputError(f"a drawn cost must be points X:Y with commas between, got {excerpt(part)}.", "cost")
        points.append((nearest(exact(across, "cost")), nearest(exact(height, "cost"))))
    if points[0][0] > 0:
        points.insert(0, (0.0, 0.0))
    for (x, y), (following, higher) in pairwise(points):
        if not following > x:
            raise InputError(f"the points of a drawn cost must go from left to right, got {x:g} before {following:g}.", "cost")
        if not higher >= y:
            raise InputError(f"a drawn cost must not fall, got {y:g} at x = {x:g} and {higher:g} at x = {following:g}.", "cost")
    low, high, width = points[0][1], points[-1][1], points[-1][0]
    if points[0][0] < 0 or low < 0 or not (math.isfinite(width) and high <= 1e100 and width <= 1e100):
        raise InputError("the points of a drawn cost must have x and y between 0 and 1e100.", "cost")
    if high == low:
        raise InputError("a drawn cost must rise somewhere, got the same height at every point.", "cost")
    return DrawnCost(tuple(points))


#: The range of epsilon in which noise can be computed in doubles.
LEAST_EPSILON, MOST_EPSILON = 1e-6, 700.0
#: The most answers that can share one epsilon.
MOST_ANSWERS = 100


def check_noise(epsilon: float, sensitivity: float) -> None:
    """Refuse an epsilon or a sensitivity that is invalid for noise.

    Raises
    ------
    InputError
        If one of them is not positive and finite.
    """
    if not 0 < epsilon < math.inf:
        raise InputError(f"epsilon must be positive and finite, got {epsilon}.", "epsilon")
    if not 0 < sensitivity < math.inf:
        raise InputError(f"the sensitivity must be positive and finite, got {sensitivity}.", "sensitivity")


@dataclass(frozen=True)
class NoiseQuery:
    """The requested noise.

    Attributes
    ----------
    integer : bool
        Whether answers and noise are whole numbers of steps.
    epsilon, period : float
        The privacy level, and the sensitivity Delta; for several answers in the L1 norm.
    cost : str
        As `dpdesigner.core.noise.noise_cost.noise_cost` reads it.
    gamma : float or None
        Where in each period the noise steps down; None where that is to be the best place.
    dimension : int
        How many answers get one noise together.
    delta : float or None
        By how much the probabilities of other noises may exceed what epsilon allows.
    step : Fraction
        The size of a step; the sensitivity is a multiple of it.
    """

    integer: bool
    epsilon: float
    period: float
    cost: str
    gamma: float | None = None
    dimension: int = 1
    delta: float | None = None
    step: Fraction = Fraction(1)

    @property
    def noise_cost(self) -> NoiseCost:
        """The cost of an error, L(x)."""
        return noise_cost(self.cost)

    @property
    def steps(self) -> int:
        """The sensitivity in steps."""
        return round(self.period / self.step)

    @property
    def step_cost(self) -> tuple[NoiseCost, float]:
        """The cost of an error in steps, and by what it is multiplied: a power of a multiple is a multiple of the power."""
        name, _, rest = self.cost.partition(":")
        if self.step == 1:
            return self.noise_cost, 1.0
        if isinstance(cost := self.noise_cost, PowerCost):
            return cost, float(self.step) ** cost.power
        if name == "drawn":
            points = (point.split(":") for point in rest.split(","))
            return noise_cost("drawn:" + ",".join(f"{exact(x) / self.step}:{y}" for x, y in points)), 1.0
        return noise_cost("expression:" + _X.sub(f"(x * {self.step})", rest)), 1.0

    def nearest(self, place: float) -> float:
        """Return the nearest multiple of the step, as a double; of real answers the place itself."""
        return float(round(place / self.step) * self.step) if self.integer else place

    def places(self, steps: Floats | Integers) -> Floats:
        """Return multiples of the step, each the nearest double."""
        return np.asarray(steps * float(self.step.numerator) / self.step.denominator)


def step_of(period: float) -> Decimal:
    """Return the power of ten of which a sensitivity is 10 to 100 steps, or 1000 to 10 000 to stay at most 1 while it can."""
    return Decimal(1).scaleb(min(math.floor(math.log10(period / 10)), max(math.floor(math.log10(period / 1000)), 0)))


def decimals_of(step: Fraction) -> int | None:
    """Return the number of decimals of every multiple of a step; None if they do not end."""
    return next((places for places in range(40) if 10**places % step.denominator == 0), None)


def nearest_step(answer: Number, step: Fraction) -> int:
    """Return the number of steps nearest to an answer, halves rounded up.

    So answers at most Δ apart are at most Δ / step apart, rounded up. With half to even they would not: 0.5 and 1.5 would
    become 0 and 2.
    """
    return math.floor(exact(answer, "answer") / step + Fraction(1, 2))
