"""The kinds of input that a design can declare: how each is checked, told, written and moved by a slider."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar, cast

import numpy as np
from typing_extensions import override

from dpdesigner.core.numbers.given import Number, double, exact, harmless, shown
from dpdesigner.core.problem.prior import Prior
from dpdesigner.errors import InputError
from dpdesigner.studies.said import said

T = TypeVar("T")

#: Numbers to try, those at which something is to be seen with its words.
Tries = Sequence[Number | tuple[Number, str]]

LONGEST_TEXT = 200
_MOST_SEEDS = 2**63
_DIGITS = 3  # of a number chosen with the mouse
_STEPS = 600  # of a slider
_CAUGHT = 1 / 150  # so near, as a share of the slider, numbers to try catch what is dragged


class Input(Generic[T]):
    """What can be asked for: how a value of this kind is checked, told and written."""

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

    def held(self, value: T) -> Hashable:
        """Return what decides whether two values are the same."""
        return cast(Hashable, value)

    def number(self, value: T) -> float | None:
        """Return the value as a double, where a difference of two makes sense."""
        return None


class Range(Input[T]):
    """A number between two others, with a place on a slider."""

    def __init__(
        self,
        low: Number,
        high: Number,
        scale: Literal["linear", "log"],
        symbol: str,
        ends: tuple[str, str],
        try_: Tries,
        slide: tuple[Number, Number] | None,
    ) -> None:
        self.low, self.high, self.scale, self.symbol = low, high, scale, symbol
        self.ends, self.try_ = ends, tuple(each if isinstance(each, tuple) else (each, "") for each in try_)
        self.slide = tuple(double(end) for end in slide or (low, high))
        if scale == "log" and self.slide[0] <= 0:
            raise ValueError("a logarithmic slider must begin above 0")

    @property
    def steps(self) -> int:
        """How many steps its slider has."""
        return _STEPS

    @override
    def text(self, value: T) -> str:
        return str(value).strip()

    @override
    def held(self, value: T) -> Hashable:
        return self.text(value)  # 0.5 and 1/2 are not told nor written alike

    @override
    def number(self, value: T) -> float | None:
        return double(cast(Number, value))

    def place(self, value: T) -> float:
        """Return where on the slider a value is, from 0 to 1; what is beyond an end is at that end."""
        return self._share(double(cast(Number, value)))

    def _share(self, value: float) -> float:
        low, high = self.slide
        at = min(max(value, low), high)
        if self.scale == "log":
            at, low, high = math.log(at), math.log(low), math.log(high)
        return (at - low) / (high - low) if high > low else 0.0

    def at(self, place: float) -> str:
        """Return the value at a place of the slider, rounded as a person would."""
        low, high = self.slide
        if self.scale == "log":
            return self.near(low * (high / low) ** place)
        return self.near(low + place * (high - low))

    def near(self, value: float) -> str:
        """Return an allowed number near one that was dragged to, with few digits; numbers to try catch it."""
        if (caught := self._caught(value)) is not None:
            return caught
        low, high = double(self.low), double(self.high)
        digits = _DIGITS
        if self.scale == "linear" and value:  # steps of the same size, also near 0
            digits += min(math.floor(math.log10(abs(value))) - math.floor(math.log10(max(map(abs, self.slide)))), 0)
        text = f"{value:.{max(digits, 1)}g}" if digits > 0 else "0"
        return str(self.low) if float(text) <= low else str(self.high) if float(text) >= high else text

    def _caught(self, value: float) -> str | None:
        near = (each for each, _ in self.try_ if abs(self._share(double(each)) - self._share(value)) < _CAUGHT)
        return next(map(str, near), None)


class NumberInput(Range[Number]):
    """Any number, kept as it was given."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        given = given.item() if isinstance(given, np.generic) else given
        name = self.symbol or key
        value = exact(given, name, key)
        if not exact(self.low) <= value <= exact(self.high):
            nearest = str(self.low if value < exact(self.low) else self.high)
            raise InputError(f"{name} must be between {self.low} and {self.high}, got {shown(given)}.", key, nearest)
        return given.strip() if isinstance(given, str) else cast(Number, given)

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: str(value) if isinstance(value, Fraction) else value}


class WholeInput(Range[int]):
    """A whole number; each step of its slider is another one, also where many are small and few are large."""

    @property
    @override
    def steps(self) -> int:
        return len(self._stops) - 1 if self.scale == "log" else max(min(_STEPS, round(self.slide[1] - self.slide[0])), 1)

    @cached_property
    def _stops(self) -> list[int]:
        """Where a logarithmic slider stands."""
        return sorted({int(super(WholeInput, self).at(step / _STEPS)) for step in range(_STEPS + 1)})

    @override
    def place(self, value: int) -> float:
        if self.scale != "log":
            return super().place(value)
        return min(bisect_left(self._stops, value) / max(self.steps, 1), 1.0)

    @override
    def at(self, place: float) -> str:
        return str(self._stops[round(place * self.steps)]) if self.scale == "log" else super().at(place)

    @override
    def near(self, value: float) -> str:
        rounded = float(f"{value:.{_DIGITS}g}") if self.scale == "log" else value
        return self._caught(value) or str(round(min(max(rounded, double(self.low)), double(self.high))))

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int:
        given = given.item() if isinstance(given, np.generic) else given
        name, low, high = self.symbol or key, int(exact(self.low)), int(exact(self.high))
        value = exact(given, name, key)
        if value.denominator != 1 or not low <= value <= high:
            nearest = str(min(max(round(value), low), high))
            raise InputError(f"{name} must be a whole number between {low} and {high}, got {shown(given)}.", key, nearest)
        return int(value)


@dataclass(frozen=True)
class ChoiceInput(Input[str]):
    """One of a few, each with its words."""

    options: tuple[tuple[str, str], ...]
    symbol: str = ""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        allowed = [option for option, _ in self.options]
        if not isinstance(given, str) or given not in allowed:
            raise InputError(f"{key} must be one of {', '.join(allowed)}, got {shown(given)}.", key)
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
        if not isinstance(given, str) or len(given) > self.longest:
            got = f"{len(given)} characters" if isinstance(given, str) else shown(given)
            raise InputError(f"{key} must be a text of at most {self.longest} characters, got {got}.", key)
        return harmless(given.strip() if self.name else " ".join(given.split()))


class TextLike(Input[T]):
    """Something that is asked for as a line of text."""


class SeedInput(TextLike[int | None]):
    """The seed of random numbers, a whole number of at least 0; none, or an empty text: the system's entropy."""

    symbol, optional = "seed", True

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int | None:
        if given is None or (isinstance(given, str) and not given.strip()):
            return None
        value = exact(given.item() if isinstance(given, np.generic) else given, key)
        if value.denominator != 1 or not 0 <= value < _MOST_SEEDS:
            raise InputError(f"{key} must be empty or a whole number from 0 to 2^63 - 1, got {shown(given)}.", key)
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
        given = value.given
        if isinstance(given, tuple):
            return {key: [str(weight) if isinstance(weight, Fraction) else weight for weight in given]}
        return {key: given if isinstance(given, str) else given.tolist()}

    @override
    def text(self, value: Prior) -> str:
        return said("{shape} over 0 to {n}", shape=value.title, n=value.n)
