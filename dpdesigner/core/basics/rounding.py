"""Numbers as text, rounded in a stated direction: figures shown to users are never better than the exact values.

Decimals of any size and precision, and exact quotients of them, compared and rounded without writing them out.

1e-40000 is two short numbers; as a fraction it would be forty thousand digits. Decimals keep their exponents apart, so products,
sums and comparisons of such numbers cost what their digits cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, Inexact
from fractions import Fraction
from typing import NamedTuple

#: Exact by construction: a result that had to be rounded would raise.
EXACT = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact])


_FEWEST = Fraction(1, 10)  # people out of 100
_NEARLY = 30  # digits after the point: if a ratio exceeds 1 by less, its logarithm equals the excess to 30 digits


def context(digits: int, rounding: str = ROUND_HALF_EVEN) -> Context:
    """Return a context with this many significant digits for numbers of any size."""
    return Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)


def decimal(value: Fraction, context: Context) -> Decimal:
    """Return a fraction as a decimal, rounded by the context."""
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def exact_sum(values: Sequence[Decimal]) -> Decimal:
    """Return the exact sum by pairwise addition: operands are of similar size, and few sums span many digits.

    >>> exact_sum([Decimal("0.1"), Decimal("1e-30"), Decimal("0.9")])
    Decimal('1.000000000000000000000000000001')
    """
    while len(values) > 1:
        odd = values[-1:] if len(values) % 2 else []
        values = [*map(EXACT.add, values[::2], values[1::2]), *odd]
    return values[0] if values else Decimal(0)


class Quotient(NamedTuple):
    """The quotient `above` / `below`, with positive `below`."""

    above: Decimal
    below: Decimal = Decimal(1)

    @classmethod
    def of(cls, value: Fraction) -> Quotient:
        """Return a fraction as a quotient."""
        return cls(Decimal(value.numerator), Decimal(value.denominator))

    def exceeds(self, other: Quotient) -> bool:
        """Whether this quotient is larger than another."""
        return EXACT.multiply(self.above, other.below) > EXACT.multiply(other.above, self.below)

    def rounded(self, digits: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
        """Return the quotient rounded to a decimal with this many significant digits."""
        return context(digits, rounding).divide(self.above, self.below)

    def rounded_up(self, digits: int) -> Decimal:
        """Return the least decimal with this many significant digits that is at least the quotient."""
        return self.rounded(digits, ROUND_CEILING)

    @property
    def fraction(self) -> Fraction:
        """The quotient as a fraction."""
        return Fraction(self.above) / Fraction(self.below)

    @property
    def logarithm(self) -> Decimal:
        """A decimal upper bound on the logarithm, within a relative 1e-30 of it, for a quotient of at least 1."""
        excess = Quotient(EXACT.subtract(self.above, self.below), self.below)
        if not excess.above:
            return Decimal(0)
        lost = max(0, -excess.rounded_up(1).adjusted())
        if lost > _NEARLY:  # ln(1 + x) is at most x, and within x / 2 of it
            return excess.rounded_up(2 * _NEARLY)
        # As many digits as the excess starts after the point, and forty more: ln(1 + x) is about x.
        up = context(lost + 40, ROUND_CEILING)
        return up.next_plus(up.ln(up.divide(self.above, self.below)))

    @property
    def logarithm_above(self) -> float:
        """The next double at or above the logarithm, for a quotient of at least 1."""
        logarithm = self.logarithm
        nearest = float(logarithm)
        return nearest if Decimal(nearest) >= logarithm else math.nextafter(nearest, math.inf)


#: A ratio of doubles that exceeds a short decimal by this little counts as that decimal.
_ROUNDING = 1e-11


def double_above(value: Fraction) -> float:
    """Return the least double that is at least a fraction."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def rounded_up(value: float | Fraction, digits: int) -> Decimal:
    """Return the least decimal with this many significant digits that is at least the exact value (not its double)."""
    return _rounded(value, digits, ROUND_CEILING)


def rounded_down(value: float | Fraction, digits: int) -> Decimal:
    """Return the largest decimal with this many significant digits that is at most the value."""
    return _rounded(value, digits, ROUND_FLOOR)


def _rounded(value: float | Fraction, digits: int, rounding: str) -> Decimal:
    working = context(digits, rounding)
    if isinstance(value, Fraction):
        return decimal(value, working)
    return working.plus(Decimal(value))


def figure(value: float | Fraction, digits: int = 5) -> str:
    """Return a loss as text, rounded up: ``1.1943``, ``0.00012346``, ``3.1e-9``; infinite as ``∞``.

    A double within its own rounding (a relative 1e-13) above a short decimal is taken to be that decimal.
    """
    if isinstance(value, float) and not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    rounded = rounded_up(value if isinstance(value, Fraction) else value - abs(value) * 1e-13, digits)
    if not rounded:
        return "0"
    exponent = rounded.adjusted()
    if -4 <= exponent < 6:
        text = f"{rounded:f}"
    else:
        mantissa, _, power = f"{rounded:e}".partition("e")
        text = f"{_trimmed(mantissa)}e{int(power)}"
    return _trimmed(text).replace("-", "−")


def told_apart(values: Sequence[float], limit: float, same: float) -> list[str]:
    """Return values rounded up, with as many digits as tell them from each other and from the limit, up to six.

    >>> told_apart([99.965, 99.997], 100.0, 1e-9)
    ['99.965', '99.997']
    """
    apart = {limit, *values}
    kept = [value for value in apart if not any(0 < other - value <= same * other for other in apart)]
    digits = next((each for each in range(2, 7) if len({figure(value, each) for value in kept}) == len(kept)), 6)
    return [figure(value, digits) for value in values]


def stated(name: str, value: float | Fraction) -> str:
    """Return a value with its name, four digits, rounded up: ``ε = 0.5`` or ``ε ≈ 0.6932``."""
    shown = figure(value, 4)
    return f"{name} {'=' if shown == figure(value, 12) else '≈'} {shown}"


def with_decimals(value: Fraction, text: str = "") -> str:
    """Return a positive fraction, with decimals rounded up where three are not exact: ``1/5``, or ``125/24 ≈ 5.21``."""
    near, text = figure(value, 3), text or str(value)
    return text if "/" not in text or Fraction(near.replace("−", "-")) == value else f"{text} ≈ {near}"


def loss_text(loss: float | Fraction, *, up: bool = True) -> str:
    """Return a loss with four decimals, or four digits below 1, rounded up or down.

    >>> loss_text(1.89566), loss_text(0.51709), loss_text(10.25), loss_text(1.89566, up=False)
    ('1.8957', '0.5171', '10.25', '1.8956')
    """
    whole = len(str(int(loss))) if 1 <= loss < math.inf else 0
    return figure(loss, 4 + whole) if up else significant(float(rounded_down(loss, 4 + whole)), 4 + whole)


def of_100(share: float | Fraction, most: int = 2) -> str:
    """Return a share as people out of 100, rounded up: whole people, or one decimal below 10 and above 99: ``67``, ``3.4``.

    With `most` = 3 digits, there is one decimal everywhere.
    """
    people = 100 * share  # a double within its own rounding above a whole number is taken to be that
    digits = 1 if people < 1 else 2 if people < 10 else share_digits(share, most)
    return "< 0.1" if 0 < people < _FEWEST else figure(people, digits)


def share_digits(share: float | Fraction, most: int = 2) -> int:
    """Return the digits of a share in percent: these, or so many more that what is less than all is not rounded up to all."""
    return most if not 0.99 < share < 1 else max(most, min(1 + math.floor(-math.log10(float(1 - share) or 1e-12)), 12))


def small(value: float | Fraction) -> str:
    """Return a small positive number, rounded up to one digit: ``3e−14``; 0 only where it is exactly 0."""
    if not value:
        return "0"
    return f"{rounded_up(value, 1):.0e}".replace("e+0", "").replace("-", "−")


def likely(chance: float) -> str:
    """Return a probability with three significant digits, one below 0.001 as ``1 in 49 300``, and below 1e-9 only a bound."""
    if 0 < chance < 1e-9:
        return "< 1 in 10⁹"
    return f"1 in {group_thousands(round(float(f'{1 / chance:.2e}')))}" if 0 < chance < 1e-3 else significant(chance)


def significant(value: float, digits: int = 3) -> str:
    """Return a number with that many significant digits, keeping trailing zeros, such as ``2.00`` or ``8.13e−7``."""
    if math.isnan(value):
        return "?"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    size = abs(float(f"{value:.{digits - 1}e}"))
    if 1e-4 <= size < 10.0**digits:
        text = f"{value:#.{digits}g}".rstrip(".")
    elif 10.0**digits <= size < 1e6:
        text = f"{value:.0f}"
    else:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    return text.replace("-", "−")


def at_most(value: float, digits: int = 3) -> str:
    """Return an upper bound for a number, formatted as by `significant`: rounded up, such as ``2.00`` or ``2.72``."""
    return significant(float(rounded_up(value - abs(value) * _ROUNDING, digits)) if math.isfinite(value) else value, digits)


def brief(value: float, digits: int = 3) -> str:
    """Return a number as briefly as this many significant digits allow, such as ``0.5`` or ``1e−7``."""
    mantissa, exponent = significant(value, digits).partition("e")[::2]
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{exponent}" if exponent else mantissa


def signed(value: float, digits: int = 3) -> str:
    """Return a number with its sign, such as ``+0.123``; zero has no sign."""
    return ("+" if value > 0 else "") + significant(value, digits)


def as_typed(value: float, digits: int = 3) -> str:
    """Return a dragged number as one would type it: ``0.125``, ``3``, ``1400``; an exponent from 1e9 on."""
    rounded = context(digits).plus(Decimal(value)).normalize()
    if not rounded:
        return "0"
    return f"{rounded:f}" if -6 <= rounded.adjusted() <= 8 else f"{rounded:e}".replace("e+", "e")


def grouped(value: float) -> str:
    """Return a number without decimals, with thin spaces between groups of three digits: ``12 300``."""
    return f"{value:,.0f}".replace(",", "\u202f")


def factor(ratio: float) -> str:
    """Return how many times as much something is, to the nearest of two digits: ``4.3``; from 100 on of three."""
    return grouped(float(f"{ratio:.3g}")) if 100 <= ratio < 1e6 else brief(ratio, 2)


def group_thousands(value: int) -> str:
    """Return a whole number, in groups of three from five digits on."""
    return grouped(value) if abs(value) >= 10_000 else str(value)


def short_count(value: int) -> str:
    """Return a whole number as `group_thousands` does, or its first three digits from 10^9 on."""
    return group_thousands(value) if value < 10**9 else figure(value, 3)


_LONG, _RAISED = 1e12, str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(power: int | str) -> str:
    """Return digits as an exponent: ``¹²``."""
    return str(power).translate(_RAISED)


def size_text(size: float) -> str:
    """Return a size rounded up, with all its digits, or with four if it is very long: ``1.235 × 10¹⁵``."""
    if size < _LONG:
        return group_thousands(math.ceil(size))
    mantissa, _, power = at_most(size, 4).partition("e")
    return f"{mantissa} × 10{raised(power)}"


def about(size: float) -> str:
    """Return a size rounded up to three digits, and below 10 000 to four: half of 1991 is 996, which half of 2000 is not."""
    return size_text(float(rounded_up(size, 3 + (size < 10_000))))


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
