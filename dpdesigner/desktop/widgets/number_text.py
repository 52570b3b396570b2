"""Short texts for numbers: significant digits, chances, differences."""

from __future__ import annotations

from math import floor, isfinite, isinf, isnan

from PySide6.QtCore import QCoreApplication

from dpdesigner.core.rounding import rounded_up

#: A ratio of doubles so near above a short decimal is that decimal.
_ROUNDING = 1e-11


def significant(value: float, digits: int = 3) -> str:
    """Return a number to that many significant digits, trailing zeros kept, such as ``2.00`` or ``8.13e−7``."""
    if isnan(value):
        return "?"
    if isinf(value):
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
    return significant(float(rounded_up(value - abs(value) * _ROUNDING, digits)) if isfinite(value) else value, digits)


def brief(value: float) -> str:
    """Return a number in as few characters as three significant digits allow, such as ``0.5`` or ``1e−7``."""
    mantissa, exponent = significant(value).partition("e")[::2]
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{exponent}" if exponent else mantissa


def signed(value: float, digits: int = 3) -> str:
    """Return a number with its sign, such as ``+0.123``; zero has none."""
    return ("+" if value > 0 else "") + significant(value, digits)


def chance(probability: float) -> str:
    """Return a probability in everyday words, such as ``1 in 12`` or ``67 %``; empty where words add nothing."""
    if not 0 < probability < 1:
        return ""
    odds = 1 / probability
    if odds < 1.995 or (odds < 2.995 and abs(odds - round(odds)) > 0.005):
        percent = 100 * probability
        return f"{percent:.0f} %" if percent < 99.5 else f"{floor(100 * percent) / 100:g} %"
    if odds < 9.95:
        shown = f"{odds:.1f}".removesuffix(".0")
    elif odds < 1e9:
        shown = grouped(float(f"{odds:.3g}"))
    else:
        shown = brief(odds)
    return QCoreApplication.translate("number_text", "1 in {count}").format(count=shown)


def grouped(value: float) -> str:
    """Return a number without decimals, its thousands apart, such as ``12 300``."""
    return f"{value:,.0f}".replace(",", "\u00a0")


def counted(value: int) -> str:
    """Return a whole number, its thousands apart from 10 000 on."""
    return grouped(value) if abs(value) >= 10_000 else str(value)
