"""Decimals of any size and precision, and exact quotients of them, compared and rounded without writing them out.

1e-40000 is two short numbers; as a fraction it would be forty thousand digits. Decimals keep their exponents apart, so products,
sums and comparisons of such numbers cost what their digits cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal, Inexact
from fractions import Fraction
from typing import NamedTuple

#: Exact by construction: a result that had to be rounded would raise.
EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact])


_NEARLY = 30  # digits behind the point: a ratio that exceeds 1 by less has its excess as its logarithm, to 30 digits


def context(digits: int, rounding: str = ROUND_HALF_EVEN) -> Context:
    """Return arithmetic with so many significant digits on numbers of any size."""
    return Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)


def decimal(value: Fraction, context: Context) -> Decimal:
    """Return a fraction as a decimal, rounded by the context."""
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def exact_sum(values: Sequence[Decimal]) -> Decimal:
    """Return the exact sum, by halves: neighbours are of like size, and the sums that span many digits are few.

    >>> exact_sum([Decimal("0.1"), Decimal("1e-30"), Decimal("0.9")])
    Decimal('1.000000000000000000000000000001')
    """
    while len(values) > 1:
        odd = values[-1:] if len(values) % 2 else []
        values = [*map(EXACT.add, values[::2], values[1::2]), *odd]
    return values[0] if values else Decimal(0)


class Quotient(NamedTuple):
    """`above` over `below`, which is positive."""

    above: Decimal
    below: Decimal = Decimal(1)

    @classmethod
    def of(cls, value: Fraction) -> Quotient:
        """Return a fraction as a quotient."""
        return cls(Decimal(value.numerator), Decimal(value.denominator))

    def exceeds(self, other: Quotient) -> bool:
        """Whether it is larger than another."""
        return EXACT.multiply(self.above, other.below) > EXACT.multiply(other.above, self.below)

    def rounded(self, digits: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
        """Return the decimal with this many significant digits that it is rounded to."""
        return context(digits, rounding).divide(self.above, self.below)

    def rounded_up(self, digits: int) -> Decimal:
        """Return the least decimal with this many significant digits that is at least the quotient."""
        return self.rounded(digits, ROUND_CEILING)

    @property
    def fraction(self) -> Fraction:
        """The same, written out."""
        return Fraction(self.above) / Fraction(self.below)

    @property
    def logarithm(self) -> Decimal:
        """A decimal that is at least its logarithm, and within 1e-30 of it, relatively, for a quotient of at least 1."""
        excess = Quotient(EXACT.subtract(self.above, self.below), self.below)
        if not excess.above:
            return Decimal(0)
        lost = max(0, -excess.rounded_up(1).adjusted())
        if lost > _NEARLY:  # ln(1 + x) is at most x, and within x / 2 of it
            return excess.rounded_up(2 * _NEARLY)
        # As many digits as the excess starts behind the point, and forty more: ln(1 + x) is about x.
        up = context(lost + 40, ROUND_CEILING)
        return up.next_plus(up.ln(up.divide(self.above, self.below)))

    @property
    def logarithm_above(self) -> float:
        """A double that is at least its logarithm, and next to it, for a quotient of at least 1."""
        logarithm = self.logarithm
        nearest = float(logarithm)
        return nearest if Decimal(nearest) >= logarithm else math.nextafter(nearest, math.inf)
