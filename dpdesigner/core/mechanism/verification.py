"""Verification: whether a table is a private mechanism, decided exactly on its literal numbers.

Rows are true results, columns released results; neighbouring databases lead to neighbouring rows. A table is alpha-DP if and only
if alpha x_i <= x_{i+1} <= x_i / alpha in every column ([GRS] Section 2, 0/0 := 1), so its privacy is the largest ratio of two
neighbouring entries, infinite where a positive entry faces a zero. No entry is rounded on the way: ratios are compared by
cross-multiplication of decimals, which keep their exponents apart (`dpdesigner.core.basics.rounding`). Rows are taken one after
another, two at a time in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from operator import gt
from typing import NamedTuple, cast

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import cut
from dpdesigner.core.basics.rounding import EXACT, Quotient, exact_sum
from dpdesigner.errors import InputError

Entry = Decimal | Fraction | int | float

_SHOWN = 5
_LARGEST_EXPONENT = 100_000
_MOST_BITS = 70_000  # bits of a row's common denominator: twenty thousand digits
_MOST_NEGATIVE = 1000


class Place(NamedTuple):
    """A pair of neighbouring entries: column `column` of rows `row` and `row + 1`."""

    row: int
    column: int

    @property
    def description(self) -> str:
        """A text like ``"rows 3 and 4, column 7"``."""
        return f"rows {self.row} and {self.row + 1}, column {self.column}"


@dataclass(frozen=True)
class Verification:
    """The verified properties of a table.

    Attributes
    ----------
    n_rows, n_columns : int
    excesses : tuple of (int, Quotient)
        The rows that do not sum to exactly 1, and by how much they sum to more.
    negative : tuple of (int, int)
        The first thousand entries (row, column) below 0.
    n_negative : int
        How many there are.
    largest : Quotient or None
        The largest ratio of neighbouring entries in a column, the larger over the smaller; None where it is infinite.
    worst : Place or None
        Where it is first reached; None for a table of one row.
    infinite : tuple of Place
        The first few places where a positive entry faces a zero (or an entry is negative).
    n_infinite : int
        How many such places there are.
    """

    n_rows: int
    n_columns: int
    excesses: tuple[tuple[int, Quotient], ...]
    negative: tuple[tuple[int, int], ...]
    n_negative: int
    largest: Quotient | None
    worst: Place | None
    infinite: tuple[Place, ...]
    n_infinite: int

    @property
    def stochastic(self) -> bool:
        """Whether every row is a probability distribution: no entry below 0, every sum exactly 1."""
        return not self.excesses and not self.n_negative

    @cached_property
    def epsilon(self) -> float:
        """ln(ratio), rounded up: an upper bound on the epsilon that the table attains."""
        return math.inf if self.largest is None else self.largest.logarithm_above

    @cached_property
    def wrong_sums(self) -> tuple[tuple[int, Fraction], ...]:
        """The rows that do not sum to exactly 1, with their sums as fractions."""
        return tuple((row, 1 + excess.fraction) for row, excess in self.excesses)

    @cached_property
    def ratio(self) -> Fraction | None:
        """The largest ratio as a fraction; None if it is infinite."""
        return None if self.largest is None else self.largest.fraction

    def private(self, privacy: PrivacyLevel) -> bool:
        """Return whether every ratio of neighbouring entries is certainly within [alpha, 1 / alpha].

        Parameters
        ----------
        privacy : PrivacyLevel
            An irrational alpha is replaced by a rational bound above it, within a relative 1e-70.
        """
        if privacy.alpha_above == 0:
            return True
        return self.largest is not None and not self.largest.exceeds(Quotient.of(1 / privacy.alpha_above))

    def satisfies(self, privacy: PrivacyLevel | None) -> bool:
        """Return whether the table is exactly a mechanism with the required privacy, or with any privacy if None is required."""
        return self.stochastic and (self.largest is not None if privacy is None else self.private(privacy))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The faults of the table, one sentence each; none if it is a mechanism with a finite epsilon."""
        said = []
        if self.negative:
            said.append(f"{_count(self.n_negative, 'entry is', 'entries are')} negative: {_cells(self.negative)}.")
        if self.excesses:
            row, excess = self.excesses[0]
            direction = "more" if excess.above > 0 else "less"
            said.append(
                f"{_count(len(self.excesses), 'row does', 'rows do')} not sum to exactly 1; the first is row {row}, "
                f"{direction} than 1 by {abs(excess.rounded(3)):.3g}."
            )
        if self.n_infinite:
            places = "; ".join(place.description for place in self.infinite)
            more = ", and more" if self.n_infinite > len(self.infinite) else ""
            said.append(
                f"epsilon is infinite: a positive entry faces a zero or a negative one in {self.n_infinite} "
                f"{'place' if self.n_infinite == 1 else 'places'}: {places}{more}."
            )
        return tuple(said)


def verify_table(rows: Iterable[Sequence[Entry]], tell: Callable[[int], None] = lambda row: None) -> Verification:
    """Check a mechanism table exactly.

    Parameters
    ----------
    rows : iterable of sequence of Decimal, Fraction, int or float
        One row per true result, any number of columns; a float stands for the double itself, not for a decimal near it.
    tell : callable
        Called with the place of every row before it is checked; may raise to stop.

    Raises
    ------
    InputError
        If there are no entries, the rows differ in length, an entry is not a finite number (or one beyond 1e±100000), or the
        fractions of a row have a common denominator of more than twenty thousand digits.
    """
    seen, n_rows, columns = _Tally(), 0, 0
    for i, given in enumerate(rows):
        tell(i)
        columns = len(given) if not i else columns
        if not columns:
            break
        seen.take(i, _checked_row(given, i, columns))
        n_rows += 1
    if not columns:
        raise InputError("the table must have at least one row and one column, got none.", "table")
    return seen.verification(n_rows, columns)


class _Row(NamedTuple):
    """The entries of a row: numerators, and denominators where one of them is a fraction."""

    above: list[Decimal]
    below: list[Decimal] | None
    excess: Quotient | None  # by how much the row's sum exceeds 1; None if it is exactly 1


class _Tally:
    """The running result over the rows so far."""

    def __init__(self) -> None:
        self.excesses: list[tuple[int, Quotient]] = []
        self.negative: list[tuple[int, int]] = []
        self.n_negative = self.n_infinite = 0
        self.infinite: list[Place] = []
        self.largest = Quotient(Decimal(1))
        self.worst: Place | None = None
        self._last: _Row | None = None

    def verification(self, n_rows: int, n_columns: int) -> Verification:
        """Return the complete verification."""
        return Verification(
            n_rows=n_rows,
            n_columns=n_columns,
            excesses=tuple(self.excesses),
            negative=tuple(self.negative),
            n_negative=self.n_negative,
            largest=None if self.n_infinite else self.largest,
            worst=self.infinite[0] if self.infinite else self.worst,
            infinite=tuple(self.infinite),
            n_infinite=self.n_infinite,
        )

    def take(self, i: int, row: _Row) -> None:
        """Read row i, and compare it with the previous one."""
        if row.excess is not None:
            self.excesses.append((i, row.excess))
        if min(row.above) < 0:
            below = [(i, r) for r, entry in enumerate(row.above) if entry < 0]
            self.n_negative += len(below)
            self.negative += below[: _MOST_NEGATIVE - len(self.negative)]
        if self._last is not None:
            self._compare(i - 1, *_over_each_other(self._last, row))
        self._last = row

    def _compare(self, i: int, upper: Sequence[Decimal], lower: Sequence[Decimal]) -> None:
        multiply = EXACT.multiply
        larger, smaller = self.largest
        tops, bottoms = list(map(max, upper, lower)), list(map(min, upper, lower))
        if self.worst is not None and min(bottoms) > 0:  # in most rows no ratio exceeds those before
            if not any(map(gt, map(multiply, tops, repeat(smaller)), map(multiply, bottoms, repeat(larger)))):
                return
        for r, (a, b) in enumerate(zip(upper, lower, strict=True)):
            if a < b:
                a, b = b, a
            if b > 0:
                if self.worst is None or multiply(a, smaller) > multiply(b, larger):
                    larger, smaller, self.worst = a, b, Place(i, r)
            elif a or b:
                self.n_infinite += 1
                if self.n_infinite <= _SHOWN:
                    self.infinite.append(Place(i, r))
        self.largest = Quotient(larger, smaller)


def _over_each_other(upper: _Row, lower: _Row) -> tuple[Sequence[Decimal], Sequence[Decimal]]:
    """Return two rows with their denominators multiplied out, which leaves the ratios unchanged."""
    first = upper.above if lower.below is None else list(map(EXACT.multiply, upper.above, lower.below))
    second = lower.above if upper.below is None else list(map(EXACT.multiply, lower.above, upper.below))
    return first, second


def _checked_row(given: Sequence[Entry], i: int, columns: int) -> _Row:
    if len(given) != columns:
        raise InputError(f"every row must have {columns} entries like the first, got {len(given)} in row {i}.", "table")
    if set(map(type, given)) == {Decimal}:  # the common case: whole rows are processed at once where possible
        decimals = cast("Sequence[Decimal]", given)
        if all(map(Decimal.is_finite, decimals)) and max(map(abs, map(Decimal.adjusted, decimals))) <= _LARGEST_EXPONENT:
            total = EXACT.subtract(exact_sum(decimals), Decimal(1))
            return _Row(list(decimals), None, Quotient(total) if total else None)
    row = [Decimal(entry) if isinstance(entry, (int, float)) else entry for entry in given]
    for r, entry in enumerate(row):
        if isinstance(entry, Decimal):
            if entry.is_finite() and abs(entry.adjusted()) <= _LARGEST_EXPONENT:
                continue
        elif isinstance(entry, Fraction):
            continue
        raise InputError(
            f"every entry must be a number within 1e±{_LARGEST_EXPONENT}, got {cut(entry)} in row {i}, column {r}.", "table"
        )
    fractions = [entry for entry in row if isinstance(entry, Fraction)]
    total = EXACT.subtract(exact_sum([entry for entry in row if isinstance(entry, Decimal)]), Decimal(1))
    if not fractions:
        return _Row(row, None, Quotient(total) if total else None)  # type: ignore[arg-type]  # there are decimals only
    ratios = [Quotient.of(entry) if isinstance(entry, Fraction) else Quotient(entry) for entry in row]
    return _Row([ratio.above for ratio in ratios], [ratio.below for ratio in ratios], _excess(fractions, total, i))


def _excess(fractions: Sequence[Fraction], decimals: Decimal, i: int) -> Quotient | None:
    """The sum of fractions and decimals; None if it is 0."""
    common = 1
    for entry in fractions:
        common = math.lcm(common, entry.denominator)
        if common.bit_length() > _MOST_BITS:
            problem = "must have a common denominator of at most 20000 digits, got more"
            raise InputError(f"the fractions of row {i} {problem}.", "table")
    total = Decimal(sum(entry.numerator * (common // entry.denominator) for entry in fractions))
    total = EXACT.add(total, EXACT.multiply(decimals, Decimal(common)))
    return Quotient(total, Decimal(common)) if total else None


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _cells(cells: Sequence[tuple[int, int]]) -> str:
    first = "; ".join(f"row {row}, column {column}" for row, column in cells[:_SHOWN])
    return f"{first}; and more" if len(cells) > _SHOWN else first
