"""Inputs that are lists: of numbers, texts, bids, falling demand curves; and a number above 0 that may be missing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.auction.demand import LARGEST, Curve, bid_of, checked_curve, curve_of
from dpdesigner.core.numbers.coercion import as_numbers
from dpdesigner.core.numbers.parsing import Number, double, exact, excerpt, harmless, listed, plain
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.inputs.checks import json_value
from dpdesigner.studies.inputs.kinds import Input

MOST_BIDS = 100_000
MOST_CURVES, MOST_STEPS = 1000, 20_000
_LONGEST_TEXT = 100


class Bids(tuple[Number, ...]):
    """Bids that have been checked."""


class Curves(tuple[Curve, ...]):
    """Curves that have been checked."""


_MANY = 1000  # bids are held as they are, which is quicker


@dataclass(frozen=True)
class BidsInput(Input[tuple[Number, ...]]):
    """A list of bids for one item each."""

    symbol: str = ""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Number, ...]:
        if isinstance(given, Bids):
            return given
        given = as_numbers(given, "the bids", key)
        if isinstance(given, str):
            given = listed(given, "bids", key)
        if isinstance(given, np.ndarray):
            given = given.tolist()
        if not isinstance(given, Iterable) or isinstance(given, Mapping):
            raise InputError(f"the bids must be a list of numbers, got {excerpt(given)}.", key)
        bids = list(given)
        if len(bids) > MOST_BIDS:
            raise InputError(f"there must be at most {MOST_BIDS} bids, got {len(bids)}.", key)
        return Bids(bid_of(bid, f"bid {place}", key) for place, bid in enumerate(bids, 1))

    @override
    def as_json(self, value: tuple[Number, ...], key: str) -> dict[str, Any]:
        return {key: json_value(value)} if value else {}

    @override
    def text(self, value: tuple[Number, ...]) -> str:
        return message("{count} bids", count=len(value)) if value else ""

    @override
    def identity(self, value: tuple[Number, ...]) -> Hashable:
        return value if len(value) > _MANY else tuple(map(str, value))


@dataclass(frozen=True)
class CurvesInput(Input[tuple[Curve, ...]]):
    """A list of falling demand curves.

    Each is a list of (price, quantity) in any order, a mapping of prices to quantities, or a list of what each further item is
    worth.
    """

    symbol: str = ""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Curve, ...]:
        if isinstance(given, Curves):
            return given
        if isinstance(given, str):
            given = list(filter(str.strip, given.splitlines()))
        if not isinstance(given, Sequence):
            raise InputError(f"the demand must be a list of curves, got {excerpt(given)}.", key)
        if len(given) > MOST_CURVES:
            raise InputError(f"there must be at most {MOST_CURVES} demand curves, got {len(given)}.", key)
        lines = [curve_of(curve, place) if isinstance(curve, str) else curve for place, curve in enumerate(given, 1)]
        curves = Curves(checked_curve(curve, f"curve {place}", key) for place, curve in enumerate(lines, 1))
        if (steps := sum(map(len, curves))) > MOST_STEPS:
            raise InputError(f"the demand curves must have at most {MOST_STEPS} steps together, got {steps}.", key)
        return curves

    @override
    def as_json(self, value: tuple[Curve, ...], key: str) -> dict[str, Any]:
        return {key: json_value(value)} if value else {}

    @override
    def text(self, value: tuple[Curve, ...]) -> str:
        return message("{count} demand curves", count=len(value)) if value else ""

    @override
    def identity(self, value: tuple[Curve, ...]) -> Hashable:
        return tuple(tuple((str(price), str(quantity)) for price, quantity in curve) for curve in value)


@dataclass(frozen=True)
class CapInput(Input[Number]):
    """The most that a bid may count; empty while it has not been entered."""

    symbol: str = "cap"

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        if given is None or (isinstance(given, str) and not given.strip()):
            return ""
        given = plain(given)
        value = exact(given, "the cap", key)
        if not 0 < value <= LARGEST or not double(value):
            raise InputError(f"the cap must be above 0 and at most {LARGEST:.0e}, got {excerpt(given)}.", key)
        return given.strip() if isinstance(given, str) else given  # type: ignore[return-value]  # `exact` has seen to it

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: json_value(value)}

    @override
    def text(self, value: Number) -> str:
        return message("cap {cap}", cap=value) if value != "" else message("no cap")

    @override
    def identity(self, value: Number) -> Hashable:
        return str(value)

    @override
    def number(self, value: Number) -> float | None:
        return None if value == "" else double(value)


class NumbersInput(Input[tuple[Number, ...] | None]):
    """A list of numbers, or none; to be derived from, with what is allowed."""

    @override
    def as_json(self, value: tuple[Number, ...] | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: json_value(value)}

    @override
    def text(self, value: tuple[Number, ...] | None) -> str:
        return ", ".join(map(str, value or ()))


class TextsInput(Input[tuple[str, ...] | None]):
    """A list of short texts, or none.

    Parameters
    ----------
    most : int
        How many there may be.
    numbers, once : bool
        Whether numbers are taken as texts; whether every text must be another one.
    """

    def __init__(self, most: int, numbers: bool = False, once: bool = False) -> None:
        self._most, self._numbers, self._once = most, numbers, once

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[str, ...] | None:
        if given is None:
            return None
        if self._numbers and isinstance(given, Sequence) and not isinstance(given, str):
            given = [str(each) if isinstance(each, int | float) else each for each in given]
        if not isinstance(given, Sequence) or isinstance(given, str) or not all(isinstance(text, str) for text in given):
            raise InputError(f"the {key} must be a list of texts, got {excerpt(given)}.", key)
        if not 2 <= len(given) <= self._most:
            raise InputError(f"there must be 2 to {self._most} {key}, got {len(given)}.", key)
        texts = tuple(harmless(" ".join(text.split())) for text in given)
        if (long := next((text for text in texts if len(text) > _LONGEST_TEXT), None)) is not None:
            raise InputError(f"each of the {key} must have at most {_LONGEST_TEXT} characters, got {excerpt(long)}.", key)
        if self._once and len(set(texts)) < len(texts):
            twice = next(text for text in texts if texts.count(text) > 1)
            raise InputError(f"the {key} must all be different, got {excerpt(twice)} more than once.", key)
        return texts

    @override
    def as_json(self, value: tuple[str, ...] | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: list(value)}

    @override
    def text(self, value: tuple[str, ...] | None) -> str:
        return ", ".join(value or ())
