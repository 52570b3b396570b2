"""Numbers as text, rounded in a way that is said: figures shown to users are never better than the truth."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

from dpdesigner.core.numbers.decimals import context, decimal

#: A ratio of doubles so near above a short decimal is that decimal.
_ROUNDING = 1e-11


def rounded_up(value: float | Fraction, digits: int) -> Decimal:
    """Return the least decimal with this many significant digits that is at least the value (exactly that, not its double)."""
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


def small(value: float | Fraction) -> str:
    """Return a small positive number, rounded up to one digit: ``3e−14``; 0 only where it is exactly 0."""
    if not value:
        return "0"
    return f"{rounded_up(value, 1):.0e}".replace("e+0", "").replace("-", "−")


def significant(value: float, digits: int = 3) -> str:
    """Return a number to that many significant digits, trailing zeros kept, such as ``2.00`` or ``8.13e−7``."""
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
    """Return what a number does not exceed, as `significant` writes it: rounded up, such as ``2.00`` or ``2.72``."""
    return significant(float(rounded_up(value - abs(value) * _ROUNDING, digits)) if math.isfinite(value) else value, digits)


def brief(value: float, digits: int = 3) -> str:
    """Return a number in as few characters as so many significant digits allow, such as ``0.5`` or ``1e−7``."""
    mantissa, exponent = significant(value, digits).partition("e")[::2]
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{exponent}" if exponent else mantissa


def signed(value: float, digits: int = 3) -> str:
    """Return a number with its sign, such as ``+0.123``; zero has none."""
    return ("+" if value > 0 else "") + significant(value, digits)


def grouped(value: float) -> str:
    """Return a number without decimals, with thin spaces between groups of three digits: ``12 300``."""
    return f"{value:,.0f}".replace(",", "\u202f")


def group_thousands(value: int) -> str:
    """Return a whole number, from five digits on in groups of three."""
    return grouped(value) if abs(value) >= 10_000 else str(value)


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
