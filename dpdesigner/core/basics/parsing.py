"""Numbers as users enter them: fractions, decimals and percentages, kept exactly."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import islice
from numbers import Rational, Real
from typing import Any
from unicodedata import category

from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.errors import InputError

#: What the program accepts as a number. A float stands for the shortest decimal that denotes it: 0.1 is 1/10.
Number = str | int | float | Fraction | Decimal

_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,5})?"
_NUMBER = re.compile(rf"\s*({_DECIMAL})\s*(?:/\s*({_DECIMAL})\s*)?(%)?\s*", re.ASCII)
#: Simple enough to recognise as a number, and to round to the nearest double, without a fraction.
_PLAIN = re.compile(r"-?\d{1,20}(\.\d{1,20})?", re.ASCII)
#: A number with a decimal comma; with three digits after it, it may be a whole number.
_COMMA = re.compile(r"\s*-?\d+,(?:\d{1,2}|\d{4,20})\s*", re.ASCII)
_PLAIN_DIGITS = 20  # of an end of a range; with more it is written as given
_MOST_DIGITS = 4000  # of numerator and denominator; Python raises an error when it writes more than 4300 digits as text
_MOST_BITS = 13287  # bits of a number with that many digits
_LONGEST = 1000  # characters; a hostile text must not take much time
#: Digits that some read as one number and others as several: a decimal comma, groups of three.
_UNCLEAR = re.compile(
    r"(?<![\d/])(?<!\d[.,])"
    r"(?:\d+(?:\.\d{3})*,\d+|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?)"
    r"(?![\d/]|[.,]\d)",
    re.ASCII,
)
#: Lines of numbers separated by blanks, and lines that can be read as numbers with blanks between groups of three.
_BLANKS = re.compile(rf"(?:[ ]*{_DECIMAL})+[ ]*")
_GROUPED = re.compile(r"(?:[ ]*[1-9]\d{0,2}(?: \d{3})+(?!\d))+[ ]*", re.ASCII)
_APART = ", \u00a0\u202f'’"
_IN_GROUPS = re.compile(r"\s*[1-9]\d{0,2}([ \u00a0\u2009\u202f]\d{3})+\s*", re.ASCII)
_GROUP = 3  # digits between separators
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control and direction characters, surrogates, line and paragraph separators
_SHOWN = 60  # characters of the value quoted in an error message


def plain(value: object) -> Any:
    """Return a number as a Python number: from numpy scalars and zero-dimensional arrays; a `Decimal` becomes its digits."""
    if isinstance(value, Decimal):
        return str(value)
    return value.item() if hasattr(value, "shape") and value.shape == () and hasattr(value, "item") else value


def exact(value: object, name: str = "a number", field: str | None = None) -> Fraction:
    """Return the exact rational value of a number.

    Parameters
    ----------
    value : Number
        ``"1/3"``, ``"0.2"``, ``"20%"``, ``"1e-3"``, 5, 0.2, a `Fraction`, a `Decimal` or an array of a single number.
    name : str
        What the number is, for the sentence of the error.
    field : str, optional
        The input it belongs to; the name if not given.

    Raises
    ------
    InputError
        If it is not a finite number, or one of more than 4000 digits above or below the line.
    """
    field = name if field is None else field
    if not isinstance(value, (str, int, float)):
        value = plain(value)
    if isinstance(value, str):
        return _from_text(value, name, field)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise _no_number(name, value, field)
    if isinstance(value, Rational):
        return _bounded(Fraction(int(value.numerator), int(value.denominator)), value, name, field)
    if not math.isfinite(value):
        raise InputError(f"{name} must be a finite number, got {float(value)}.", field)
    return Fraction(repr(float(value)))


def refuse_unclear(text: str, name: str, field: str) -> None:
    """Refuse a text with numbers in it that could be one number or several: ``12,50``, ``1,204``, ``1 204``.

    Numbers with nothing but blanks between them are clear unless all of them after the first of a number have three digits:
    ``12 50`` and ``5 1 204`` are lists, ``100 200`` may be 100200.

    Parameters
    ----------
    text : str
        Of a list of numbers.
    name : str
        What its numbers are, for the sentence of the error.
    field : str

    Raises
    ------
    InputError
        It says how to write each of them.
    """
    match = _UNCLEAR.search(text)
    if match is None or _has_blanks_between(text):
        return
    parts, marks = re.split(f"[.{_APART}]", match[0]), re.sub(r"\d", "", match[0])
    ones = []
    if marks[-1] in ".," and marks.count(marks[-1]) == 1:
        ones.append(f"{''.join(parts[:-1])}.{parts[-1]}")
    if all(len(part) == _GROUP for part in parts[1:]):
        ones.append("".join(parts))
    several = ", ".join(re.split(f"[{_APART}]", match[0]))
    words = f"write {' or '.join(ones)} for one number, {several} for several"
    raise InputError(f"{name} must be unambiguous, got {excerpt(match[0])}: {words}.", field)


def listed(text: str, name: str, field: str) -> list[str]:
    """Return the parts of a list separated by commas, semicolons, blanks or newlines; raises as `refuse_unclear`."""
    refuse_unclear(text, name, field)
    return [part for part in re.split(r"[,;\s]+", text) if part]


def _has_blanks_between(text: str) -> bool:
    """Whether a text is lines of blank-separated numbers, none of which can be read as one number in groups of three."""
    rows = [row for row in text.splitlines() if row.strip()]
    return all(_BLANKS.fullmatch(row) and not _GROUPED.fullmatch(row) for row in rows)


def is_number(value: object) -> bool:
    """Return whether `exact` would accept the value."""
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return True
    try:
        exact(value)
    except InputError:
        return False
    return True


def parse_integer(value: object, name: str, least: int, most: int, field: str = "") -> int:
    """Return a whole number between two bounds; errors use its name, and refer to the field of that name or to another.

    A text may have spaces between groups of three digits, as the program writes them: ``82 600``.

    Raises
    ------
    InputError
        If it is not a whole number or out of the bounds.
    """
    if type(value) is int and least <= value <= most:
        return value
    sentence = f"{name} must be a whole number between {limit(least)} and {limit(most)}, got {excerpt(value)}."
    try:
        number = exact(ungrouped(value) if isinstance(value, str) else value)
    except InputError:
        raise InputError(sentence, field or name) from None
    if number.denominator != 1 or not least <= number <= most:
        raise InputError(sentence, field or name, str(min(max(round(number), least), most)))
    return int(number)


def ungrouped(text: str) -> str:
    """Return a whole number without the spaces between its groups of three digits; any other text as it is."""
    return re.sub(r"\s", "", text) if _IN_GROUPS.fullmatch(text) else text


def place(value: object, name: str, most: int, field: str = "") -> int:
    """Return an index in 0..most as a Python integer; numpy integers are accepted.

    Raises
    ------
    InputError
        If it is no whole number or not in the range: -1 is no place, and true is none.
    """
    try:
        at = -1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]  # that is asked
    except TypeError:
        at = -1
    if not 0 <= at <= most:
        raise InputError(f"{name} must be a whole number between 0 and {limit(most)}, got {excerpt(value)}.", field or name)
    return at


def double(value: Number) -> float:
    """Return the double nearest to a number; infinite if it is too large for one."""
    plain = _PLAIN.fullmatch(value) if isinstance(value, str) else isinstance(value, float) and math.isfinite(value)
    return float(value) if plain else nearest(exact(value))


def _no_number(name: str, value: object, field: str) -> InputError:
    known = {"epsilon": "0.5, 1/3 or ln 2", "the cap": "1000", "|X|": "1000 or 1e12", "|C|": "1000 or 1e12"}
    examples = known.get(name, "12.50" if name.startswith("bid ") else "0.2, 1/3 or 20%")
    nearest_allowed = with_point(value) if isinstance(value, str) and _COMMA.fullmatch(value) else ""
    return InputError(f"{name} must be a number like {examples}, got {excerpt(value)}.", field, nearest_allowed)


def with_point(text: str) -> str:
    """Return a number with a decimal comma with a point instead, and any other text unchanged."""
    return text.strip().replace(",", ".") if _COMMA.fullmatch(text) else text


def nearest(value: Fraction) -> float:
    """Return the nearest double; infinite if the number is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _from_text(text: str, name: str, field: str) -> Fraction:
    match = _NUMBER.fullmatch(text.replace("−", "-")) if len(text) <= _LONGEST else None
    if match is None:
        raise _no_number(name, text, field)
    numerator, denominator, percent = match.groups()
    for part in (numerator, denominator or ""):
        if abs(int(part.lower().partition("e")[2] or 0)) > _MOST_DIGITS:
            raise _too_long(text, name, field)
    value = Fraction(numerator)
    if denominator is not None:
        below = Fraction(denominator)
        if not below:
            raise InputError(f"{name} must not divide by zero, got {excerpt(text)}.", field)
        value /= below
    return _bounded(value / 100 if percent else value, text, name, field)


def _bounded(value: Fraction, given: object, name: str, field: str) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise _too_long(given, name, field)
    return value


def _too_long(given: object, name: str, field: str) -> InputError:
    return InputError(f"{name} must be a number of at most {_MOST_DIGITS} digits, got {excerpt(given)}.", field)


def exact_text(value: Fraction) -> str:
    """Return a fraction as text, even with more digits than Python would convert."""
    above, below = (f"{Decimal(part):f}" for part in (value.numerator, value.denominator))
    return above if value.denominator == 1 else f"{above}/{below}"


def limit(value: object) -> str:
    """Return an end of a range in plain digits if they are few, for an error message.

    >>> limit("1e-4"), limit(10**6), limit("1/2"), limit("1e300")
    ('0.0001', '1\u202f000\u202f000', '1/2', '1e300')
    """
    try:
        digits = f"{Decimal(str(value)):f}".removesuffix(".0")
    except InvalidOperation:
        return str(value)
    if len(digits) > _PLAIN_DIGITS:
        return str(value)
    return digits if "." in digits else group_thousands(int(digits))


def excerpt(value: object) -> str:
    """Return a value as it was entered, shortened, for an error message; texts that are not numbers are quoted."""
    if isinstance(value, str) and len(value) <= _SHOWN and _NUMBER.fullmatch(value):
        return value.strip()
    if isinstance(value, str):
        whole = value if len(value) <= _SHOWN - 4 else f"{value[: _SHOWN - 7]}..."
        return cut(repr(whole)) if value.strip() else "nothing"
    try:
        text = _repr(value)
    except (ValueError, RecursionError):  # an integer of many thousand digits, or deeply nested lists
        text = f"a {type(value).__name__} that is too large to show"
    return cut(text)


def _repr(value: object) -> str:
    """Return the text of a value, or the beginning for a large one."""
    if isinstance(value, (list, tuple)) and len(value) > _SHOWN:
        return repr(value[:_SHOWN])
    if isinstance(value, dict) and len(value) > _SHOWN:
        return repr(dict(islice(value.items(), _SHOWN)))
    return repr(value)


def cut(text: object, longest: int = _SHOWN) -> str:
    """Return a text shortened to one line, without characters that move a terminal's cursor, for an error message."""
    text = str(text)
    line = harmless(" ".join(text[: 2 * longest].split()))
    return line if len(line) <= longest and len(text) <= 2 * longest else f"{line[: longest - 3].rstrip()}..."


def harmless(text: str) -> str:
    """Return a text with every invisible character, such as one that changes the writing direction, shown as its code."""
    if text.isprintable():
        return text
    return "".join(ascii(mark)[1:-1] if category(mark) in _UNSEEN else mark for mark in text)


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name, followed by a number if it is taken: the first from 2 on that makes it free."""
    return next(each for each in (name, *(f"{name} {number}" for number in range(2, 10_000))) if each not in taken)


def numbered(specs: Sequence[Any]) -> list[Any]:
    """Return things that have names, those with the name of an earlier one renamed."""
    names, made = {spec.name for spec in specs}, list[Any]()
    for spec in specs:
        taken = {each.name for each in made}
        made.append(replace(spec, name=free_name(spec.name, names | taken)) if spec.name and spec.name in taken else spec)
    return made
