"""Falling demand curves: checked, read from text and tables, written as a line each, and mended where they rise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from dpdesigner.core.numbers.parsing import Number, exact, excerpt, is_number, plain, refuse_unclear
from dpdesigner.errors import InputError

#: For each bidder (price, quantity), by rising price: so much up to this price, from above the one before.
Curve = tuple[tuple[Number, Number], ...]

_STEP = re.compile(r"\s*(\S+)\s+(?:at|@)\s+(\S+?)\s*", re.IGNORECASE)

#: No number among bids is larger.
LARGEST = 10**15
_COLUMNS = 3  # of a table: bidder, price, quantity


def curve_of(line: str, place: int) -> list[tuple[str, str]] | list[str]:
    """Read a bidder's line: ``3 at 0.20, 1 at 0.80``, or the worth of each further item: ``0.8, 0.5, 0.2``.

    Raises
    ------
    InputError
        If it is neither; the sentence names the line by its place.
    """
    refuse_unclear(line, f"curve {place}: numbers", "demand")
    parts = [part.strip() for part in re.split(r"[,;]", line) if part.strip()]
    steps = [_STEP.fullmatch(part) for part in parts]
    if any(steps):
        wrong = next((part for part, step in zip(parts, steps, strict=True) if step is None), None)
        if wrong is not None:
            raise InputError(f"curve {place}: a step must have the form 3 at 0.20, got {excerpt(wrong)}.", "demand")
        return [(step[2], step[1]) for step in steps if step is not None]
    return parts


def line_of(curve: Curve) -> str:
    """Return a curve as a line that `curve_of` reads."""
    return ", ".join(f"{quantity} at {price}" for price, quantity in curve)


def mended(curve: Curve) -> Curve:
    """Return a curve that rises as one that falls: at each price the most that is wanted at it or above."""
    points, most = list[tuple[Number, Number]](), Fraction(0)
    for price, quantity in sorted(curve, key=lambda step: -exact(step[0])):
        if exact(quantity) > most:
            most = exact(quantity)
            points.append((price, quantity))
    return tuple(reversed(points))


def fallen(text: str) -> str:
    """Return lines of curves with every curve that rises mended."""
    falls = []
    for place, line in enumerate(filter(str.strip, text.splitlines()), 1):
        steps = [(step[0], step[1]) for step in curve_of(line, place) if isinstance(step, tuple)]
        falls.append(line_of(mended(tuple(steps))) if steps else line)
    return "\n".join(falls)


def curves_of_table(cells: Sequence[Sequence[str]]) -> list[Curve]:
    """Return the curves of a table of bidder, price and quantity; the first line may hold names.

    Raises
    ------
    InputError
        If a line has other columns, or no numbers in them; the sentence names it.
    """
    points: dict[str, list[tuple[str, str]]] = {}
    for place, line in enumerate(cells, 1):
        if place == 1 and len(line) == _COLUMNS and not is_number(line[1]):
            continue
        if len(line) != _COLUMNS or not (is_number(line[1]) and is_number(line[2])):
            raise InputError(f"line {place} must be a bidder, a price and a quantity, got {excerpt(', '.join(line))}.", "demand")
        points.setdefault(line[0], []).append((line[1], line[2]))
    return [tuple(sorted(curve, key=lambda step: exact(step[0]))) for curve in points.values()]


def bid_of(value: object, name: str, key: str) -> Number:
    """Return a number of at least 0 as it was given.

    Raises
    ------
    InputError
        If it is none; it calls it by this name.
    """
    if type(value) is float and 0 <= value <= LARGEST:
        return value
    value = plain(value)
    number = exact(value, name, key)
    if not 0 <= number <= LARGEST:
        raise InputError(f"{name} must be between 0 and {LARGEST:.0e}, got {excerpt(value)}.", key)
    return value.strip() if isinstance(value, str) else value  # type: ignore[return-value]  # `exact` has seen to it


def checked_curve(given: object, name: str, key: str) -> Curve:
    """Return a curve by rising price.

    Parameters
    ----------
    given : object
        A list of (price, quantity) in any order, a mapping of prices to quantities, or a list of what each further item is worth.
    name, key : str
        What errors call it, and the field that they belong to.

    Raises
    ------
    InputError
        If it is none of these or rises; then the error's suggestion is the line of one that falls.
    """
    steps = list(given.items()) if isinstance(given, Mapping) else given
    if not isinstance(steps, Sequence | np.ndarray) or isinstance(steps, str):
        raise InputError(f"{name} must be a list of pairs (price, quantity), got {excerpt(given)}.", key)
    pairs = [step for step in steps if isinstance(step, Sequence | np.ndarray) and not isinstance(step, str)]
    if not pairs:
        return _of_worths([bid_of(worth, f"{name}: a worth", key) for worth in steps])
    if len(pairs) < len(steps) or any(len(pair) != 2 for pair in pairs):
        raise InputError(f"{name} must be a list of pairs (price, quantity), got {excerpt(given)}.", key)
    points = [(bid_of(price, f"{name}: a price", key), bid_of(most, f"{name}: a quantity", key)) for price, most in pairs]
    points.sort(key=lambda step: exact(step[0]))
    return _falling(tuple(points), name, key)


def _of_worths(worths: Sequence[Number]) -> Curve:
    """The curve of a bidder to whom each further item is worth so much: k items up to the k-th highest."""
    ordered = sorted(worths, key=lambda worth: -exact(worth))
    points: dict[Fraction, tuple[Number, Number]] = {}
    for count, worth in enumerate(ordered, 1):
        points[exact(worth)] = (worth, count)
    return tuple(reversed(points.values()))


def _falling(curve: Curve, name: str, key: str) -> Curve:
    for (low, more), (high, less) in pairwise(curve):
        if exact(low) == exact(high):
            raise InputError(
                f"{name} must have one quantity for each price, got {excerpt(more)} and {excerpt(less)} at {low}.", key
            )
        if exact(less) > exact(more):
            rise = f"{less} at {high} but {more} at {low}"
            raise InputError(f"{name} must fall as the price rises, got {rise}.", key, line_of(mended(curve)))
    return curve
