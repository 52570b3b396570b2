"""Numbers as users give them: fractions, decimals and percentages, kept exactly."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from numbers import Rational, Real

from dpdesigner.errors import InputError

#: What the program accepts as a number. A float stands for the shortest decimal that denotes it: 0.1 is 1/10.
Number = str | int | float | Fraction

_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,5})?"
_NUMBER = re.compile(rf"\s*({_DECIMAL})\s*(?:/\s*({_DECIMAL})\s*)?(%)?\s*", re.ASCII)
_LONGEST = 1000  # characters; a hostile text must not cost time


def exact(value: object, name: str = "a number") -> Fraction:
    """Return the exact rational value of a number.

    Parameters
    ----------
    value : Number
        ``"1/3"``, ``"0.2"``, ``"20%"``, ``"1e-3"``, 5, 0.2 or a `Fraction`.
    name : str
        What the number is, for the sentence of the error.

    Returns
    -------
    Fraction

    Raises
    ------
    InputError
        If it is not a finite number.
    """
    if isinstance(value, str):
        return _from_text(value, name)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name} must be a number such as 0.2, 1/3 or 20%, got {_shown(value)}.", name)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not math.isfinite(value):
        raise InputError(f"{name} must be a finite number, got {float(value)}.", name)
    return Fraction(repr(float(value)))


def is_number(value: object) -> bool:
    """Tell whether `exact` would accept the value."""
    try:
        exact(value)
    except InputError:
        return False
    return True


def whole(value: object, name: str, least: int, most: int) -> int:
    """Return a whole number between two bounds.

    Raises
    ------
    InputError
        If it is not a whole number or out of the bounds.
    """
    number = exact(value, name)
    if number.denominator != 1 or not least <= number <= most:
        raise InputError(f"{name} must be a whole number between {least} and {most}, got {_shown(value)}.", name)
    return int(number)


def nearest(value: Fraction) -> float:
    """Return the nearest double; infinite if the number is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _from_text(text: str, name: str) -> Fraction:
    match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise InputError(f"{name} must be a number such as 0.2, 1/3 or 20%, got {_shown(text)}.", name)
    numerator, denominator, percent = match.groups()
    value = Fraction(numerator)
    if denominator is not None:
        below = Fraction(denominator)
        if not below:
            raise InputError(f"{name} must not divide by zero, got {_shown(text)}.", name)
        value /= below
    return value / 100 if percent else value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
