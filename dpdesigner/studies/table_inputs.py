"""Tables of releases as inputs, and what goes with them: a belief about the rows, a loss, numbers that may be left out."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.numbers.given import Number, exact, shown
from dpdesigner.core.numbers.objects import plain
from dpdesigner.core.problem.loss import Loss
from dpdesigner.core.problem.prior import Prior
from dpdesigner.errors import InputError
from dpdesigner.studies.bits_input import FILE, TableInput
from dpdesigner.studies.input_kinds import TextLike
from dpdesigner.studies.inputs import json_value
from dpdesigner.studies.said import said

GEOMETRIC = "geometric:"
_LONGEST = 100_000_000
_LONGEST_PATH = 4000

Rows = tuple[tuple[Number, ...], ...]


class ReleasesInput(TableInput[str | Rows]):
    """A table of releases: rows of numbers, ``"file: PATH"``, the text of a table, or ``"geometric: N, EPSILON"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str | Rows:
        given = plain(given, "the table", key)
        if isinstance(given, os.PathLike):
            given = f"{FILE} {os.fspath(given)}"
        if isinstance(given, str):
            return self._text(given, key)
        rows = given.tolist() if isinstance(given, np.ndarray) else given
        if not isinstance(rows, Sequence) or not rows or any(isinstance(row, str) or not hasattr(row, "__len__") for row in rows):
            raise InputError(f"the table must be a file, or rows of numbers, got {shown(given)}.", key)
        held = tuple(tuple(row.tolist() if isinstance(row, np.ndarray) else row) for row in rows)
        for i, row in enumerate(held):
            if len(row) != len(held[0]) or not row:
                allowed = f"{len(held[0])} entries like row 0" if held[0] else "at least one entry"
                raise InputError(f"row {i} of the table must have {allowed}, got {len(row)}.", key)
            for r, entry in enumerate(row):
                exact(entry, f"row {i}, column {r} of the table", key)
        return held

    def _text(self, given: str, key: str) -> str:
        text = given.strip()
        if "\n" in text:
            if len(text) > _LONGEST:
                raise InputError(f"the table must have at most {_LONGEST} characters, got {len(text)}.", key)
            return given
        if not text or len(text) > _LONGEST_PATH or not text.isprintable():
            raise InputError(f"the table must be the name of a file, or rows of numbers, got {shown(given)}.", key)
        return text if text.startswith((FILE, GEOMETRIC)) else f"{FILE} {text}"

    @override
    def as_json(self, value: str | Rows, key: str) -> dict[str, Any]:
        return {key: value if isinstance(value, str) else json_value(value)}

    @override
    def text(self, value: str | Rows) -> str:
        if isinstance(value, str):
            return said("{count} lines of text", count=value.count("\n") + 1) if "\n" in value else value
        return said("{rows} by {columns} numbers", rows=len(value), columns=len(value[0]))

    @override
    def held(self, value: str | Rows) -> Hashable:
        return value if isinstance(value, str) else tuple(tuple(map(str, row)) for row in value)


class BeliefInput(TextLike[str | tuple[Number, ...]]):
    """A prior, by name or by its weights; what it is over is known with the table only."""

    def __init__(self, empty: str = "") -> None:
        self.empty = empty

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str | tuple[Number, ...]:
        given = given.given if isinstance(given, Prior) else plain(given, key, key)
        if isinstance(given, str):
            text = given.strip()
            parts = text.replace(";", " ").split() if text[:1].isdigit() else []
            return tuple(parts) if len(parts) > 1 else text
        if isinstance(given, np.ndarray):
            given = given.tolist()
        if not isinstance(given, Sequence) or not given:
            raise InputError(f"{key} must be the name of a prior or a list of weights, got {shown(given)}.", key)
        for i, weight in enumerate(given):
            exact(weight, f"weight {i} of {key}", key)
        return tuple(given)

    @override
    def as_json(self, value: str | tuple[Number, ...], key: str) -> dict[str, Any]:
        return {key: json_value(value)}

    @override
    def text(self, value: str | tuple[Number, ...]) -> str:
        return (value or self.empty) if isinstance(value, str) else " ".join(map(str, value))

    @override
    def held(self, value: str | tuple[Number, ...]) -> Hashable:
        return value if isinstance(value, str) else tuple(map(str, value))


class LossInput(TextLike[Loss]):
    """A loss, by name, as a formula or as a matrix."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Loss:
        return given if isinstance(given, Loss) else Loss(plain(given, "the loss", key))

    @override
    def as_json(self, value: Loss, key: str) -> dict[str, Any]:
        return {key: json_value(value.given)}

    @override
    def text(self, value: Loss) -> str:
        return value.given if isinstance(value.given, str) else said("a matrix")

    @override
    def held(self, value: Loss) -> Hashable:
        return value


class OptionalInput(TextLike[Number | None]):
    """A number between two others, or none; a whole one if asked."""

    optional = True

    def __init__(self, low: Number, high: Number, symbol: str = "", whole: bool = False) -> None:
        self.low, self.high, self.symbol, self.whole = low, high, symbol, whole

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number | None:
        if given is None or (isinstance(given, str) and not given.strip()):
            return None
        given = given.item() if isinstance(given, np.generic) else given
        name = self.symbol or key
        value = exact(given, name, key)
        if not exact(self.low) <= value <= exact(self.high) or (self.whole and value.denominator != 1):
            nearest = str(min(max(round(value) if self.whole else value, exact(self.low)), exact(self.high)))
            kind = "a whole number " if self.whole else ""
            raise InputError(f"{name} must be {kind}between {self.low} and {self.high}, got {shown(given)}.", key, nearest)
        return int(value) if self.whole else given.strip() if isinstance(given, str) else given  # type: ignore[return-value]

    @override
    def as_json(self, value: Number | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: json_value(value)}

    @override
    def text(self, value: Number | None) -> str:
        return "" if value is None else str(value)

    @override
    def held(self, value: Number | None) -> Hashable:
        return str(value)

    @override
    def number(self, value: Number | None) -> float | None:
        return None if value is None else float(exact(value))


class SamplingInput(TextLike[str]):
    """A share of the people, ``"1/3"``, or so many of so many, ``"3 of 12"``; empty where everybody was counted."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        if given is None:
            return ""
        if isinstance(given, (int, float, Fraction)) and not isinstance(given, bool):
            given = str(given)
        if not isinstance(given, str):
            raise InputError(f"sampling must be a share such as 1/3, or so many of so many, got {shown(given)}.", key)
        text = " ".join(given.split())
        if text and " of " not in text:
            share = exact(text, "the sampled share", key)
            if not 0 < share <= 1:
                allowed = "above 0 and at most 1, or so many people of so many, such as 3 of 12"
                raise InputError(f"the sampled share must be {allowed}, got {shown(given)}.", key, "1/2")
        return text
