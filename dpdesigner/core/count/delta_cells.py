"""The universal (epsilon, delta) mechanisms for a count: Tulap noise in cells, and the chain for several levels.

The noise ([AS]: truncated-uniform-Laplace) has the density A alpha^|k| on [k - 1/2, k + 1/2) and is cut off at +-L. Between the
3n + 2 cuts k + 1/2 (k = 0..n-1), i + L and i - L (i = 0..n) nothing more can be learned from the exact place, so the cell is all
that needs to be released. In a cell the rows lo..hi are possible, and their probabilities are in the ratios alpha^|i - p|.

[AS] J. Awan, A. Slavkovic, "Differentially Private Uniformly Most Powerful Tests for Binomial Data", 2018. Whether a universal
mechanism for (epsilon, delta) was known before is not known to us. The proof is ten lines in the "Why?" panel of the Count page.
Numbers are fractions where alpha is a short one, otherwise decimals of 60 digits.

Several (epsilon, delta) at once
--------------------------------
The universal mechanism is the chain of the least of their trade-off lines.

A mechanism on 0..n with g(u) as the most that u can grow to from one count to the next has outputs in order, and its threshold
probabilities are steps of one chain phi_i+1 = g(phi_i). Between the orbits through 0, 1 and every kink of g nothing more can be
learned, so consecutive differences of these orbits are the columns of a finite table. With one level it is the table above.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.rounding import context, decimal

Exact = TypeVar("Exact", Fraction, Decimal)

DIGITS = 60
#: Decimals this close count as equal: cuts that coincide in fractions then coincide in decimals too.
_SAME = Decimal("1e-40")
#: Fractions are used up to this n, if alpha has at most this many digits.
_FRACTIONS_UP_TO, _SHORT = 200, 12


@dataclass(frozen=True)
class TulapNoise:
    """Tulap noise, in fractions or in decimals.

    Attributes
    ----------
    alpha, delta : Fraction or Decimal
        exp(-epsilon) in (0, 1], and what epsilon may leave uncovered, in (0, 1).
    height : Fraction or Decimal
        A, the density within 1/2 of 0.
    steps : int
        m: the outermost step is around +-m.
    part : Fraction or Decimal
        s in (0, 1]: how much of the outermost step there is.
    """

    alpha: Any
    delta: Any
    height: Any
    steps: int
    part: Any

    @classmethod
    def of(cls, alpha: Exact, delta: Exact) -> TulapNoise:
        """Compute height and width; for decimals, in the active context."""
        one = type(alpha)(1)
        height = (one - alpha + 2 * alpha * delta) / (one + alpha)
        inner = (one - delta) * alpha / (one + alpha)  # F(-1/2)
        if alpha == 1:
            below: Callable[[int], Exact] = lambda k: inner - k * delta  # noqa: E731
            guess = int(inner / delta)
        else:
            rest = delta * alpha / (one - alpha)
            below = lambda k: alpha**k * (inner + rest) - rest  # noqa: E731
            guess = int(_logarithm(1 + inner / rest) / -_logarithm(alpha))
        steps = max(guess - 1, 1)
        while below(steps) > _nothing(alpha):
            steps += 1
        part = below(steps - 1) / (height * alpha**steps)
        if isinstance(part, Decimal):
            doubled = (2 * part).to_integral_value()  # 2 L is whole where 2 s is: then cuts coincide
            if abs(2 * part - doubled) < _SAME and doubled:
                part = doubled / 2
        return cls(alpha, delta, height, steps, part)

    @property
    def half_width(self) -> Any:
        """L: the largest possible noise."""
        return self.steps - type(self.alpha)(1) / 2 + self.part

    def below(self, x: Any) -> Any:
        """Return F(x), the probability of at most x, for any x."""
        half = type(self.alpha)(1) / 2
        if x > half:
            return 1 - self.below(-x)
        if x >= -half:
            return self._tail(0) + self.height * (x + half)
        k = -math.floor(x + half)
        if k >= self.steps:
            reached = x + self.half_width
            return self.height * self.alpha**self.steps * reached if reached > 0 else 0 * half
        return self._tail(k) + self.height * self.alpha**k * (x + k + half)

    def _tail(self, k: int) -> Any:
        """Return F(-k - 1/2) for k below `steps`."""
        inner = (1 - self.delta) * self.alpha / (1 + self.alpha)
        if self.alpha == 1:
            return inner - k * self.delta
        rest = self.delta * self.alpha / (1 - self.alpha)
        return self.alpha**k * (inner + rest) - rest


def _nothing(alpha: Any) -> Any:
    return Fraction(0) if isinstance(alpha, Fraction) else Decimal("1e-50")


def _logarithm(value: Any) -> Any:
    if isinstance(value, Fraction):
        return math.log(value.numerator) - math.log(value.denominator)
    return value.ln()


@dataclass(frozen=True, eq=False)
class Cells:
    """The mechanism H as 3n + 1 cells, including zero-width cells between coinciding cuts, which have probability 0.

    Attributes
    ----------
    n : int
    noise : TulapNoise
    cuts : tuple
        (3n + 2,): rising, in fractions or decimals.
    low, high, peak : ndarray of int
        (3n + 1,): the rows for which a cell is possible, and the row that it is likeliest for.
    weights : tuple
        (3n + 1,): omega, the probability of a cell for the row `peak`.
    """

    n: int
    noise: TulapNoise
    cuts: tuple[Any, ...]
    low: Integers
    high: Integers
    peak: Integers
    weights: tuple[Any, ...]

    @classmethod
    def of(cls, n: int, alpha: Fraction, delta: Fraction, exact: bool | None = None) -> Cells:
        """Construct the cells.

        Parameters
        ----------
        n : int
            The largest count.
        alpha : Fraction
            In (0, 1].
        delta : Fraction
            In (0, 1).
        exact : bool, optional
            Whether in fractions; by default where that is quick.
        """
        if exact is None:
            exact = n <= _FRACTIONS_UP_TO and len(str(alpha.denominator)) <= _SHORT
        if exact:
            return cls._made(n, TulapNoise.of(alpha, delta))
        arithmetic = context(DIGITS)
        with localcontext(arithmetic):
            return cls._made(n, TulapNoise.of(decimal(alpha, arithmetic), decimal(delta, arithmetic)))

    @classmethod
    def _made(cls, n: int, noise: TulapNoise) -> Cells:
        width, half = noise.half_width, type(noise.alpha)(1) / 2
        end, middle, start = range(3)  # order of equal cuts: L is treated as slightly smaller
        cuts = [(k + half, middle, k) for k in range(n)]
        cuts += [(i + width, end, i) for i in range(n + 1)] + [(i - width, start, i) for i in range(n + 1)]
        cuts.sort()
        low, high, peak, found = [], [], [], []
        lo = p = 0
        hi = -1
        for (z, kind, _), (after, _, _) in pairwise(cuts):
            lo, hi, p = lo + (kind == end), hi + (kind == start), p + (kind == middle)
            low.append(lo)
            high.append(hi)
            peak.append(p)
            left, right = z - p, after - p
            if left >= half:  # computed from the small tail, where differences lose no digits
                left, right = -right, -left
            found.append(noise.below(right) - noise.below(left))
        lows, highs, peaks = (np.array(places, dtype=np.int64) for places in (low, high, peak))
        return cls(n, noise, tuple(cut for cut, _, _ in cuts), lows, highs, peaks, tuple(found))

    @property
    def exact(self) -> bool:
        """Whether all numbers are fractions."""
        return isinstance(self.noise.alpha, Fraction)

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.weights)

    @property
    def half_width(self) -> Any:
        """The largest noise."""
        return self.noise.half_width

    @cached_property
    def directions(self) -> Floats:
        """alpha^|i - p| where a cell is possible, otherwise 0; (3n + 1, n + 1), read-only."""
        rows = np.arange(self.n + 1)
        apart = np.abs(rows - self.peak[:, None])
        powers = np.exp(np.arange(self.n + 1) * float(_logarithm(self.noise.alpha)))
        held = np.where((rows >= self.low[:, None]) & (rows <= self.high[:, None]), powers[apart], 0.0)
        held.flags.writeable = False
        return held

    @cached_property
    def sizes(self) -> Floats:
        """omega as doubles, (3n + 1,), read-only."""
        held = np.array([float(weight) for weight in self.weights])
        held.flags.writeable = False
        return held

    @cached_property
    def matrix(self) -> Floats:
        """The probability of every cell for each count, (n + 1, 3n + 1), read-only."""
        held = np.ascontiguousarray((self.directions * self.sizes[:, None]).T)
        held.flags.writeable = False
        return held

    def rows(self, reading: Sequence[int] | Integers | None = None) -> Iterator[list[Any]]:
        """Yield the rows in fractions or decimals: by cell, or summed by the reading of each cell."""
        columns = range(len(self.weights)) if reading is None else [int(place) for place in reading]
        size = len(self.weights) if reading is None else self.n + 1
        zero = type(self.noise.alpha)(0)
        with localcontext(context(DIGITS)):
            powers = [self.noise.alpha**k for k in range(self.n + 1)]
            places = list(zip(self.low.tolist(), self.high.tolist(), self.peak.tolist(), self.weights, columns, strict=True))
            for i in range(self.n + 1):
                row = [zero] * size
                for lo, hi, p, weight, column in places:
                    if lo <= i <= hi:
                        row[column] += weight * powers[abs(i - p)]
                yield row

    def name(self, cell: int) -> str:
        """Return ``"2.5 to 3.62"``: the interval of a cell, rounded for display."""
        ends = (f"{float(cut):.4g}".replace("-", "−") for cut in self.cuts[cell : cell + 2])
        return " to ".join(ends)


#: Chains use fractions up to this n, if the denominator of every alpha has at most this many digits.
_CHAIN_FRACTIONS_UP_TO, _CHAIN_SHORT = 12, 12


class Level(NamedTuple):
    """One pair: alpha = exp(-epsilon) and the delta that epsilon does not cover."""

    alpha: Fraction
    delta: Fraction


@dataclass(frozen=True, eq=False)
class ChainCells:
    """The columns of the chain of several levels, in order: those that indicate small counts first.

    Attributes
    ----------
    n : int
    levels : tuple of Level
        Those that bind.
    columns : tuple of tuple
        Each (n + 1,): the probability of a cell for each count, in fractions or decimals.
    """

    n: int
    levels: tuple[Level, ...]
    columns: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, n: int, levels: Sequence[Level], exact: bool | None = None) -> ChainCells:
        """Construct the cells; in fractions by default where that is fast."""
        if exact is None:
            exact = n <= _CHAIN_FRACTIONS_UP_TO and all(len(str(level.alpha.denominator)) <= _CHAIN_SHORT for level in levels)
        held = binding(levels)
        if exact:
            return cls(n, held, tuple(_columns(n, [(level.alpha, level.delta) for level in held], Fraction(0))))
        arithmetic = context(DIGITS)
        with localcontext(arithmetic):
            pairs = [(decimal(level.alpha, arithmetic), decimal(level.delta, arithmetic)) for level in held]
            return cls(n, held, tuple(_columns(n, pairs, _SAME)))

    @property
    def exact(self) -> bool:
        """Whether all numbers are fractions."""
        return isinstance(self.columns[0][0], Fraction)

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.columns)

    @property
    def half_width(self) -> None:
        """None: the noise of several levels has no single width."""
        return

    @cached_property
    def matrix(self) -> Floats:
        """The probability of every cell for each count, (n + 1, cells), read-only."""
        held = np.array([[float(entry) for entry in column] for column in self.columns]).T.copy()
        held.flags.writeable = False
        return held

    @property
    def directions(self) -> Floats:
        """The columns as rows, (cells, n + 1)."""
        return self.matrix.T

    @property
    def sizes(self) -> Floats:
        """The factors of the directions: 1."""
        return np.ones(self.size)

    def rows(self, reading: Sequence[int] | Integers | None = None) -> Iterator[list[Any]]:
        """Yield the rows in fractions or decimals: by cell, or summed by the reading of each cell."""
        zero = type(self.columns[0][0])(0)
        with localcontext(context(DIGITS)):
            for i in range(self.n + 1):
                entries = [column[i] for column in self.columns]
                if reading is None:
                    yield entries
                    continue
                row = [zero] * (self.n + 1)
                for entry, place in zip(entries, reading, strict=True):
                    row[int(place)] += entry
                yield row

    def name(self, cell: int) -> str:
        """Return ``"cell 4"``."""
        return f"cell {cell}"


def binding(levels: Sequence[Level]) -> tuple[Level, ...]:
    """Return the levels that the others do not imply, without duplicates."""
    kept = list(dict.fromkeys(levels))
    for level in list(kept):
        others = [each for each in kept if each != level]
        if others:
            places = [Fraction(0), Fraction(1), *_kinks(others, Fraction(0))]  # the others are a concave line with these corners
            if all(_grown(others, u) <= u / level.alpha + level.delta for u in places):
                kept = others
    return tuple(kept)


def _grown(levels: Sequence[tuple[Any, Any]], u: Any) -> Any:
    """Return g(u): the largest probability that the next count can have if this one has probability u."""
    one = type(u)(1)
    least = one
    for alpha, delta in levels:
        least = min(least, u / alpha + delta, one - alpha * (one - delta - u))
    return least


def _kinks(levels: Sequence[tuple[Any, Any]], same: Any) -> list[Any]:
    """The points strictly between 0 and 1 at which the lowest line changes."""
    one = type(levels[0][0])(1)
    zero = one - one
    lines = [(one / alpha, delta) for alpha, delta in levels]
    lines += [(alpha, one - alpha * (one - delta)) for alpha, delta in levels]
    lines.append((zero, one))
    found: list[Any] = []
    for k, (slope, start) in enumerate(lines):
        for other, begin in lines[k + 1 :]:
            if slope == other:
                continue
            u = (begin - start) / (slope - other)
            if same < u < one - same and abs(start + slope * u - _grown(levels, u)) <= same:
                found.append(u)
    return found


def _columns(n: int, levels: Sequence[tuple[Any, Any]], same: Any) -> Iterator[tuple[Any, ...]]:
    one = type(levels[0][0])(1)
    zero = one - one
    orbits: list[tuple[Any, ...]] = [(zero,) * (n + 1), (one,) * (n + 1)]
    for v, places in ((zero, n + 1), (one, n + 1), *((kink, n) for kink in _kinks(levels, same))):  # a kink is of the step up
        for i in range(places):
            made = [v] * (n + 1)
            for j in range(i, n):
                made[j + 1] = _grown(levels, made[j])
            for j in range(i, 0, -1):
                made[j - 1] = one - _grown(levels, one - made[j])
            orbits.append(tuple(made))
    orbits.sort(key=lambda orbit: sum(orbit, zero))
    kept = [orbits[0]]
    for orbit in orbits[1:]:
        if any(abs(a - b) > same for a, b in zip(orbit, kept[-1], strict=True)):
            kept.append(orbit)
    for low, high in zip(reversed(kept[:-1]), reversed(kept[1:]), strict=True):
        yield tuple(max(b - a, zero) for a, b in zip(low, high, strict=True))
