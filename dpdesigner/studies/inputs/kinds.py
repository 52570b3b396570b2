"""The kinds of input that a design can declare, apart from numbers and columns: how each is checked, told and written."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from typing_extensions import override

from dpdesigner.core.numbers.parsing import exact, excerpt, harmless
from dpdesigner.core.problem.prior import Prior
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.inputs.checks import json_value

T = TypeVar("T")

LONGEST_TEXT = 200
_MOST_SEEDS = 2**63


class Input(Generic[T]):
    """A kind of input: its checks, its words and its form in files."""

    symbol: str = ""  #: what it is called in formulas and in the line of the design
    optional: bool = False  #: whether it may be null in JSON, which is the same as leaving it out

    def keys(self, key: str) -> tuple[str, ...]:
        """Return the JSON keys that it may be given by, of which one is used at a time; errors name them too."""
        return (key,)

    def read(self, given: object, key: str, others: Mapping[str, Any]) -> T:
        """Return the checked value of what was given.

        Parameters
        ----------
        given : object
        key : str
            The field of the design.
        others : mapping
            The fields before it, checked.

        Raises
        ------
        InputError
            With the field that it belongs to, and where that is clear what could stand there instead.
        """
        raise NotImplementedError

    def from_json(self, key: str, value: object) -> object:
        """Return what `read` takes, for the value of one of `keys`."""
        return value

    def as_json(self, value: T, key: str) -> dict[str, Any]:
        """Return the value under its key, as it was given."""
        return {key: value}

    def text(self, value: T) -> str:
        """Return the value in words, as it was given."""
        return str(value)

    def summary(self, value: T) -> str:
        """Return the value for the design's line, which leaves the window: without what is somebody's."""
        return self.text(value)

    def identity(self, value: T) -> Hashable:
        """Return what decides whether two values are the same."""
        return cast(Hashable, value)

    def number(self, value: T) -> float | None:
        """Return the value as a double, where a difference of two makes sense."""
        return None

    def beside(self, value: T, folder: Path) -> T:
        """Return the value with its data as found in a folder by their name, if they are no longer where it says they are."""
        return value


class ChoiceInput(Input[str]):
    """One of a few, each a value and its words."""

    def __init__(self, *options: tuple[str, str], symbol: str = "") -> None:
        self.options, self.symbol = options, symbol

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        allowed = [option for option, _ in self.options]
        if not isinstance(given, str) or given not in allowed:
            raise InputError(f"{key} must be one of {', '.join(allowed)}, got {excerpt(given)}.", key)
        return given

    @override
    def text(self, value: str) -> str:
        return dict(self.options)[value]


@dataclass(frozen=True)
class TextInput(Input[str]):
    """A line of text; several spaces count as one, except in a `name` of something that is there already, such as a file."""

    longest: int = LONGEST_TEXT
    name: bool = False
    symbol: str = ""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        given = os.fspath(given) if self.name and isinstance(given, os.PathLike) else given
        if not isinstance(given, str) or len(given) > self.longest:
            got = f"{len(given)} characters" if isinstance(given, str) else excerpt(given)
            raise InputError(f"{key} must be a text of at most {self.longest} characters, got {got}.", key)
        return harmless(given.strip() if self.name else " ".join(given.split()))


@dataclass(frozen=True)
class PathInput(TextInput):
    """The location of the data, or the name of a column; left out of files if empty."""

    longest: int = 4000
    name: bool = True
    file: bool = False  #: whether it is looked for beside the project file

    @override
    def as_json(self, value: str, key: str) -> dict[str, Any]:
        return {key: value} if value else {}

    @override
    def beside(self, value: str, folder: Path) -> str:
        if not self.file:
            return value
        from dpdesigner.data.columns import relocated  # a window opens without it

        return relocated(value, folder)


class TextLike(Input[T]):
    """Something that is asked for as a line of text."""


class SeedInput(TextLike[int | None]):
    """The seed of random numbers, a whole number of at least 0; none, or an empty text: the system's entropy."""

    symbol, optional = "seed", True

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int | None:
        if given is None or (isinstance(given, str) and not given.strip()):
            return None
        value = exact(given, key)
        if value.denominator != 1 or not 0 <= value < _MOST_SEEDS:
            raise InputError(f"{key} must be empty or a whole number from 0 to 2^63 - 1, got {excerpt(given)}.", key)
        return int(value)

    @override
    def text(self, value: int | None) -> str:
        return "" if value is None else str(value)


@dataclass(frozen=True)
class DistributionInput(Input[Prior]):
    """A distribution over 0..n, by name or by its weights; over another range it is stretched.

    Attributes
    ----------
    over : int or str
        n, or the whole number among the fields before it that is n.
    """

    over: int | str
    symbol: str = ""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Prior:
        n = others[self.over] if isinstance(self.over, str) else self.over
        if isinstance(given, Prior):
            return given.rebinned(n)
        try:
            return Prior(tuple(given) if isinstance(given, list) else given, n)  # type: ignore[arg-type]  # it is checked there
        except InputError as error:
            raise InputError(str(error), key if error.field == "prior" else error.field, error.suggestion) from error

    @override
    def as_json(self, value: Prior, key: str) -> dict[str, Any]:
        return {key: json_value(value.specification)}

    @override
    def text(self, value: Prior) -> str:
        return message("{shape} over 0 to {n}", shape=value.title, n=value.n)
