"""Verification: whether a table is a private mechanism, decided exactly on the numbers as they stand.

Rows are true results, columns released results; neighbouring databases lead to neighbouring rows. A table is alpha-DP if and only
if alpha x_i <= x_{i+1} <= x_i / alpha in every column ([GRS] Section 2, 0/0 := 1), so its privacy is the largest ratio of two
neighbouring entries, infinite where a positive entry faces a zero. No entry is rounded on the way: ratios are compared by
cross-multiplication, in decimals or, where an entry is a fraction, in integers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, Context, Decimal, Inexact
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from dpdesigner.core.privacy import PrivacyLevel
from dpdesigner.errors import InputError

Entry = Decimal | Fraction | int | float

_SHOWN = 5
_LARGEST_EXPONENT = 100_000
#: Exact by construction: a result that had to be rounded would raise.
_EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact])


class Place(NamedTuple):
    """A pair of neighbouring entries: column `column` of rows `row` and `row + 1`."""

    row: int
    column: int

    @property
    def words(self) -> str:
        """Such as ``"rows 3 and 4, column 7"``."""
        return f"rows {self.row} and {self.row + 1}, column {self.column}"


@dataclass(frozen=True)
class Verification:
    """What is true of a table.

    Attributes
    ----------
    n_rows, n_columns : int
    wrong_sums : tuple of (int, Fraction)
        The rows that do not sum to exactly 1, and what they sum to.
    negative : tuple of (int, int)
        The entries (row, column) below 0.
    ratio : Fraction or None
        The largest ratio of neighbouring entries in a column, the larger over the smaller; None where it is infinite.
    worst : Place or None
        Where it is first reached; None for a table of one row.
    infinite : tuple of Place
        The first few places where a positive entry faces a zero (or an entry is negative).
    n_infinite : int
        How many such places there are.
    epsilon : float
        ln(ratio), rounded up: the privacy that the table really has is never worse than this.
    """

    n_rows: int
    n_columns: int
    wrong_sums: tuple[tuple[int, Fraction], ...]
    negative: tuple[tuple[int, int], ...]
    ratio: Fraction | None
    worst: Place | None
    infinite: tuple[Place, ...]
    n_infinite: int
    epsilon: float

    @property
    def stochastic(self) -> bool:
        """Whether every row is a probability distribution: no entry below 0, every sum exactly 1."""
        return not self.wrong_sums and not self.negative

    def private(self, privacy: PrivacyLevel) -> bool:
        """Tell whether every ratio of neighbouring entries is certainly within [alpha, 1 / alpha].

        Parameters
        ----------
        privacy : PrivacyLevel
            An irrational alpha is replaced by a rational bound above it, within a relative 1e-70.

        Returns
        -------
        bool
        """
        if privacy.alpha_above == 0:
            return True
        return self.ratio is not None and self.ratio * privacy.alpha_above <= 1

    def satisfies(self, privacy: PrivacyLevel) -> bool:
        """Tell whether the table is a mechanism and as private as asked, both exactly."""
        return self.stochastic and self.private(privacy)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong with the table, one sentence each; none if it is a mechanism with a finite epsilon."""
        found = []
        if self.negative:
            found.append(f"{_count(len(self.negative), 'entry is', 'entries are')} negative: {_cells(self.negative)}.")
        if self.wrong_sums:
            row, total = self.wrong_sums[0]
            off = total - 1
            direction = "more" if off > 0 else "less"
            found.append(
                f"{_count(len(self.wrong_sums), 'row does', 'rows do')} not sum to exactly 1; the first is row {row}, "
                f"{direction} than 1 by {scientific(abs(off))}."
            )
        if self.n_infinite:
            shown = "; ".join(place.words for place in self.infinite)
            more = ", and more" if self.n_infinite > len(self.infinite) else ""
            found.append(
                f"epsilon is infinite: a positive entry faces a zero or a negative one in {self.n_infinite} "
                f"{'place' if self.n_infinite == 1 else 'places'}: {shown}{more}."
            )
        return tuple(found)


def verify_table(rows: Sequence[Sequence[Entry]]) -> Verification:
    """Check a mechanism table exactly.

    Parameters
    ----------
    rows : sequence of sequence of Decimal, Fraction, int or float
        One row per true result, any number of columns; a float stands for the double itself, not for a decimal near it.

    Returns
    -------
    Verification

    Raises
    ------
    InputError
        If there are no entries, the rows differ in length, or an entry is not a finite number (or one beyond 1e±100000).
    """
    if not len(rows) or not len(rows[0]):
        raise InputError("the table must have at least one row and one column, got none.", "table")
    table: list[list[Any]] = [_checked_row(rows, i) for i in range(len(rows))]
    if all(type(entry) is Decimal for row in table for entry in row):
        totals = [Fraction(_decimal_sum(row)) for row in table]
        extremes = _scan(table, _decimals_exceed)
    else:
        table = [[Fraction(entry) for entry in row] for row in table]
        totals = [_fraction_sum(row) for row in table]
        extremes = _scan(table, _fractions_exceed)
    ratio = None if extremes.n_infinite else Fraction(extremes.larger) / Fraction(extremes.smaller)
    return Verification(
        n_rows=len(table),
        n_columns=len(table[0]),
        wrong_sums=tuple((i, total) for i, total in enumerate(totals) if total != 1),
        negative=tuple((i, r) for i, row in enumerate(table) if min(row) < 0 for r, entry in enumerate(row) if entry < 0),
        ratio=ratio,
        worst=extremes.infinite[0] if extremes.infinite else extremes.worst,
        infinite=tuple(extremes.infinite),
        n_infinite=extremes.n_infinite,
        epsilon=math.inf if ratio is None else logarithm_above(ratio),
    )


def logarithm_above(ratio: Fraction) -> float:
    """Return a double that is at least ln(ratio), and next to it, for a ratio of at least 1."""
    excess = ratio - 1
    if not excess:
        return 0.0
    # As many digits as ratio - 1 starts behind the point, and forty more: ln(1 + x) is about x.
    lost = max(0, excess.denominator.bit_length() - excess.numerator.bit_length()) * 3 // 10
    context = Context(prec=lost + 40, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX)
    quotient = context.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    logarithm = context.next_plus(context.ln(quotient))
    nearest = float(logarithm)
    return nearest if Decimal(nearest) >= logarithm else math.nextafter(nearest, math.inf)


def scientific(value: Fraction) -> str:
    """Return a number with three digits, such as ``"3.14e-434"``, also where a double cannot hold it."""
    context = Context(prec=3, Emin=MIN_EMIN, Emax=MAX_EMAX)
    return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):.3g}"


class _Extremes(NamedTuple):
    """The largest finite ratio, as the pair that has it, and the infinite ones."""

    larger: Any
    smaller: Any
    worst: Place | None
    infinite: list[Place]
    n_infinite: int


def _scan(table: Sequence[Sequence[Any]], exceeds: Callable[[Any, Any, Any, Any], bool]) -> _Extremes:
    larger: Any = 1
    smaller: Any = 1
    worst: Place | None = None
    infinite: list[Place] = []
    n_infinite = 0
    for i, (upper, lower) in enumerate(pairwise(table)):
        for r, (a, b) in enumerate(zip(upper, lower, strict=True)):
            if a < b:
                a, b = b, a
            if b > 0:
                if worst is None or exceeds(a, b, larger, smaller):
                    larger, smaller, worst = a, b, Place(i, r)
            elif a or b:
                n_infinite += 1
                if n_infinite <= _SHOWN:
                    infinite.append(Place(i, r))
    return _Extremes(larger, smaller, worst, infinite, n_infinite)


def _decimals_exceed(a: Decimal, b: Decimal, larger: Decimal, smaller: Decimal) -> bool:
    """Whether a / b > larger / smaller."""
    return _EXACT.multiply(a, smaller) > _EXACT.multiply(b, larger)


def _fractions_exceed(a: Fraction, b: Fraction, larger: Fraction, smaller: Fraction) -> bool:
    """Whether a / b > larger / smaller, without the greatest common divisors that `Fraction` would take."""
    left = a.numerator * smaller.numerator * b.denominator * larger.denominator
    return left > b.numerator * larger.numerator * a.denominator * smaller.denominator


def _decimal_sum(row: Sequence[Decimal]) -> Decimal:
    total = Decimal(0)
    for entry in row:
        total = _EXACT.add(total, entry)
    return total


def _fraction_sum(row: Sequence[Fraction]) -> Fraction:
    denominator = math.lcm(*{entry.denominator for entry in row})
    return Fraction(sum(entry.numerator * (denominator // entry.denominator) for entry in row), denominator)


def _checked_row(rows: Sequence[Sequence[Entry]], i: int) -> list[Any]:
    row = rows[i]
    if len(row) != len(rows[0]):
        raise InputError(f"every row must have {len(rows[0])} entries like the first, got {len(row)} in row {i}.", "table")
    entries = [Decimal(entry) if isinstance(entry, (int, float)) else entry for entry in row]
    for r, entry in enumerate(entries):
        if isinstance(entry, Decimal):
            if entry.is_finite() and abs(entry.adjusted()) <= _LARGEST_EXPONENT:
                continue
        elif isinstance(entry, Fraction):
            continue
        raise InputError(
            f"every entry must be a number within 1e±{_LARGEST_EXPONENT}, got {str(entry)[:40]} in row {i}, column {r}.", "table"
        )
    return entries


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _cells(cells: Sequence[tuple[int, int]]) -> str:
    shown = "; ".join(f"row {row}, column {column}" for row, column in cells[:_SHOWN])
    return f"{shown}; and more" if len(cells) > _SHOWN else shown
