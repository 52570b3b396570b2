"""What can be bid: numbers for one item each, or falling curves; checked, told, and read from text and tables."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.numbers.given import Number, double, exact, shown
from dpdesigner.errors import InputError
from dpdesigner.studies.input_kinds import Input
from dpdesigner.studies.said import said

MOST_BIDS = 100_000
MOST_CURVES, MOST_STEPS = 1000, 20_000
LARGEST = 10**15

#: For each bidder (price, quantity), by rising price: so much up to this price, from above the one before.
Curve = tuple[tuple[Number, Number], ...]


class Bids(tuple[Number, ...]):
    """Bids that have been checked."""


class Curves(tuple[Curve, ...]):
    """Curves that have been checked."""


_MANY = 1000  # bids are held as they are, which is quicker
_BETWEEN = re.compile(r"[,;\s]+")
_STEP = re.compile(r"\s*(\S+)\s+(?:at|@)\s+(\S+?)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class BidsInput(Input[tuple[Number, ...]]):
    """A list of bids for one item each."""

    symbol: str = ""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Number, ...]:
        if isinstance(given, Bids):
            return given
        if isinstance(given, str):
            given = [part for part in _BETWEEN.split(given.strip()) if part]
        if isinstance(given, np.ndarray):
            given = given.tolist()
        if not isinstance(given, Iterable) or isinstance(given, Mapping):
            raise InputError(f"the bids must be a list of numbers, got {shown(given)}.", key)
        found = list(given)
        if len(found) > MOST_BIDS:
            raise InputError(f"there must be at most {MOST_BIDS} bids, got {len(found)}.", key)
        return Bids(_checked(bid, f"bid {place}", key) for place, bid in enumerate(found, 1))

    @override
    def as_json(self, value: tuple[Number, ...], key: str) -> dict[str, Any]:
        return {key: [_plain(bid) for bid in value]} if value else {}

    @override
    def text(self, value: tuple[Number, ...]) -> str:
        return said("{count} bids", count=len(value)) if value else ""

    @override
    def held(self, value: tuple[Number, ...]) -> Hashable:
        return value if len(value) > _MANY else tuple(map(str, value))


@dataclass(frozen=True)
class CurvesInput(Input[tuple[Curve, ...]]):
    """A list of falling demand curves.

    Each is a list of (price, quantity) in any order, a mapping of prices to quantities, or a list of what each further item is worth.
    """

    symbol: str = ""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Curve, ...]:
        if isinstance(given, Curves):
            return given
        if isinstance(given, str):
            given = [curve_of(line, place) for place, line in enumerate(filter(str.strip, given.splitlines()), 1)]
        if not isinstance(given, Sequence):
            raise InputError(f"the demand must be a list of curves, got {shown(given)}.", key)
        if len(given) > MOST_CURVES:
            raise InputError(f"there must be at most {MOST_CURVES} demand curves, got {len(given)}.", key)
        found = Curves(_curve(curve, f"curve {place}", key) for place, curve in enumerate(given, 1))
        if (steps := sum(map(len, found))) > MOST_STEPS:
            raise InputError(f"the demand curves must have at most {MOST_STEPS} steps together, got {steps}.", key)
        return found

    @override
    def as_json(self, value: tuple[Curve, ...], key: str) -> dict[str, Any]:
        return {key: [[[_plain(part) for part in step] for step in curve] for curve in value]} if value else {}

    @override
    def text(self, value: tuple[Curve, ...]) -> str:
        return said("{count} demand curves", count=len(value)) if value else ""

    @override
    def held(self, value: tuple[Curve, ...]) -> Hashable:
        return tuple(tuple((str(price), str(quantity)) for price, quantity in curve) for curve in value)


@dataclass(frozen=True)
class CapInput(Input[Number]):
    """The most that a bid may count; empty while it has not been entered."""

    symbol: str = "cap"

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        if given is None or (isinstance(given, str) and not given.strip()):
            return ""
        given = given.item() if isinstance(given, np.generic) else given
        value = exact(given, "the cap", key)
        if not 0 < value <= LARGEST or not double(value):
            raise InputError(f"the cap must be above 0 and at most {LARGEST:.0e}, got {shown(given)}.", key)
        return given.strip() if isinstance(given, str) else given  # type: ignore[return-value]  # `exact` has seen to it

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: _plain(value)}

    @override
    def text(self, value: Number) -> str:
        return said("cap {cap}", cap=value) if value != "" else said("no cap")

    @override
    def held(self, value: Number) -> Hashable:
        return str(value)

    @override
    def number(self, value: Number) -> float | None:
        return None if value == "" else double(value)


def curve_of(line: str, place: int) -> list[tuple[str, str]]:
    """Read a bidder's line: ``3 at 0.20, 1 at 0.80``, or the worth of each further item: ``0.8, 0.5, 0.2``.

    Raises
    ------
    InputError
        If it is neither; the sentence names the line by its place.
    """
    parts = [part.strip() for part in re.split(r"[,;]", line) if part.strip()]
    steps = [_STEP.fullmatch(part) for part in parts]
    if any(steps):
        wrong = next((part for part, step in zip(parts, steps, strict=True) if step is None), None)
        if wrong is not None:
            raise InputError(f"curve {place}: a step must be such as 3 at 0.20, got {shown(wrong)}.", "demand")
        return [(step[2], step[1]) for step in steps if step is not None]
    return [(worth, "1") for worth in parts]


def line_of(curve: Curve) -> str:
    """Return a curve as a line that `curve_of` reads."""
    return ", ".join(f"{quantity} at {price}" for price, quantity in curve)


def mended(curve: Curve) -> Curve:
    """Return a curve that rises as one that falls: at each price the most that is wanted at it or above."""
    found, most = list[tuple[Number, Number]](), Fraction(0)
    for price, quantity in sorted(curve, key=lambda step: -exact(step[0])):
        if exact(quantity) > most:
            most = exact(quantity)
            found.append((price, quantity))
    return tuple(reversed(found))


def _checked(given: object, name: str, key: str) -> Number:
    """Return a number of at least 0 as it was given."""
    if type(given) is float and 0 <= given <= LARGEST:
        return given
    given = given.item() if isinstance(given, np.generic) else given
    value = exact(given, name, key)
    if not 0 <= value <= LARGEST:
        raise InputError(f"{name} must be between 0 and {LARGEST:.0e}, got {shown(given)}.", key)
    return given.strip() if isinstance(given, str) else given  # type: ignore[return-value]  # `exact` has seen to it


def _curve(given: object, name: str, key: str) -> Curve:
    steps = list(given.items()) if isinstance(given, Mapping) else given
    if not isinstance(steps, Sequence | np.ndarray) or isinstance(steps, str):
        raise InputError(f"{name} must be a list of pairs (price, quantity), got {shown(given)}.", key)
    pairs = [step for step in steps if isinstance(step, Sequence | np.ndarray) and not isinstance(step, str)]
    if not pairs:
        return _of_worths([_checked(worth, f"{name}: a worth", key) for worth in steps])
    if len(pairs) < len(steps) or any(len(pair) != 2 for pair in pairs):
        raise InputError(f"{name} must be a list of pairs (price, quantity), got {shown(given)}.", key)
    found = [(_checked(price, f"{name}: a price", key), _checked(most, f"{name}: a quantity", key)) for price, most in pairs]
    found.sort(key=lambda step: exact(step[0]))
    return _falling(tuple(found), name, key)


def _of_worths(worths: Sequence[Number]) -> Curve:
    """The curve of a bidder to whom each further item is worth so much: k items up to the k-th highest."""
    ordered = sorted(worths, key=lambda worth: -exact(worth))
    found: dict[Fraction, tuple[Number, Number]] = {}
    for count, worth in enumerate(ordered, 1):
        found[exact(worth)] = (worth, count)
    return tuple(reversed(found.values()))


def _falling(curve: Curve, name: str, key: str) -> Curve:
    for (low, more), (high, less) in pairwise(curve):
        if exact(low) == exact(high):
            raise InputError(f"{name} must have one quantity for each price, got {shown(more)} and {shown(less)} at {low}.", key)
        if exact(less) > exact(more):
            rise = f"{less} at {high} but {more} at {low}"
            raise InputError(f"{name} must fall as the price rises, got {rise}.", key, line_of(mended(curve)))
    return curve


def _plain(value: Number) -> str | int | float:
    return str(value) if isinstance(value, Fraction) else value
