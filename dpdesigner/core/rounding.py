"""Rounding that says which way: figures shown to users are never better than the truth."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction


def rounded_up(value: float | Fraction, digits: int) -> Decimal:
    """Return the least decimal with this many significant digits that is at least the value (exactly that, not its double)."""
    return _rounded(value, digits, ROUND_CEILING)


def rounded_down(value: float | Fraction, digits: int) -> Decimal:
    """Return the largest decimal with this many significant digits that is at most the value."""
    return _rounded(value, digits, ROUND_FLOOR)


def _rounded(value: float | Fraction, digits: int, rounding: str) -> Decimal:
    context = Context(prec=digits, rounding=rounding)
    if isinstance(value, Fraction):
        return context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return context.plus(Decimal(value))


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


def small(value: float | Fraction) -> str:
    """Return a small positive number, rounded up to one digit: ``3e−14``; 0 only where it is exactly 0."""
    if not value:
        return "0"
    return f"{rounded_up(value, 1):.0e}".replace("e+0", "").replace("-", "−")


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
