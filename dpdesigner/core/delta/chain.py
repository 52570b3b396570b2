"""The universal mechanism for several (epsilon, delta) at once: the chain of the least of their trade-off lines.

A mechanism on 0..n with g(u) as the most that u can grow to from one count to the next has outputs in order, and its threshold
probabilities are steps of one chain phi_i+1 = g(phi_i). Between the orbits through 0, 1 and every kink of g nothing more can be
learned, so consecutive differences of these orbits are the columns of a finite table. With one level it is the table of
`dpdesigner.core.delta.cells`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.delta.cells import DIGITS
from dpdesigner.core.numbers.decimals import context, decimal

#: Orbits of decimals that are nowhere further apart are one.
_SAME = Decimal("1e-40")
_FRACTIONS_UP_TO, _SHORT = 12, 12


class Level(NamedTuple):
    """One pair: alpha = exp(-epsilon) and what epsilon may leave uncovered."""

    alpha: Fraction
    delta: Fraction


@dataclass(frozen=True, eq=False)
class ChainCells:
    """The columns of the chain of several levels, in order: those that speak for small counts first.

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
        """Make the cells; in fractions by default where that is quick."""
        if exact is None:
            exact = n <= _FRACTIONS_UP_TO and all(len(str(level.alpha.denominator)) <= _SHORT for level in levels)
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
        """The noise of several levels has no one width."""
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
        """Yield the rows in fractions or decimals: of the cells, or summed by what each cell is read as."""
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

    def remade(self, levels: Sequence[Level], exact: bool) -> ChainCells:
        """Return the cells of slightly other levels."""
        return ChainCells.of(self.n, levels, exact)

    def name(self, cell: int) -> str:
        """``"cell 4"``."""
        return f"cell {cell}"


def binding(levels: Sequence[Level]) -> tuple[Level, ...]:
    """Return the levels that the others do not imply, each once."""
    kept = list(dict.fromkeys(levels))
    for level in list(kept):
        others = [each for each in kept if each != level]
        if others:
            places = [Fraction(0), Fraction(1), *_kinks(others, Fraction(0))]  # the others are a concave line with these corners
            if all(_grown(others, u) <= u / level.alpha + level.delta for u in places):
                kept = others
    return tuple(kept)


def _grown(levels: Sequence[tuple[Any, Any]], u: Any) -> Any:
    """g(u): the most that a probability u can be for the next count."""
    one = type(u)(1)
    least = one
    for alpha, delta in levels:
        least = min(least, u / alpha + delta, one - alpha * (one - delta - u))
    return least


def _kinks(levels: Sequence[tuple[Any, Any]], same: Any) -> list[Any]:
    """Where the line that is least changes, strictly between 0 and 1."""
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
