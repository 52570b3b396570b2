"""The kinds of input that a design can declare, and the checks that all studies share."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, TypeVar, cast

from typing_extensions import override

from dpdesigner.core.basics.coercion import ArrayValues
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import Number, exact, excerpt, harmless, plain
from dpdesigner.core.basics.prior import Prior
from dpdesigner.errors import InputError
from dpdesigner.messages import message

_LONGEST_NAME = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def members(
    data: object, what: str, allowed: Sequence[str], needed: Sequence[str] = (), optional: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the members of a JSON object, with unchecked values.

    Parameters
    ----------
    data : object
    what : str
        What it stands for, for the sentence of an error: ``"a count design"``.
    allowed, needed : sequence of str
        The members that it may have, and those of them that it must have.
    optional : sequence of str
        Those that may be null, which is the same as leaving them out.

    Raises
    ------
    InputError
        If it is no object, or a member is unknown, missing or null.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{what} must be a JSON object, got {excerpt(data)}.", "file")
    unknown = next((key for key in data if key not in allowed), None)
    if unknown is not None:
        raise InputError(f"{what} may have {', '.join(allowed)}, got {excerpt(unknown)}.", "file")
    missing = next((key for key in needed if key not in data), None)
    if missing is not None:
        raise InputError(f"{what} must have {', '.join(needed)}, but {missing} is missing.", "file")
    null = next((key for key, value in data.items() if value is None and key not in optional), None)
    if null is not None:
        raise InputError(f"{what} must have a value for {null}, got null.", "epsilon" if null == "alpha" else null)
    return {key: value for key, value in data.items() if value is not None}


def json_value(value: Any) -> Any:
    """Return numbers, or lists of them, as entered, in JSON form."""
    if isinstance(value, ArrayValues):
        return value.tolist()
    if isinstance(value, tuple):
        return [json_value(entry) for entry in value]
    if isinstance(value, Fraction) or value == math.inf:
        return str(value)
    return plain(value)


def checked_name(name: object) -> str:
    """Return the user's name for a study, with each control character replaced by a space for files and terminals.

    Raises
    ------
    InputError
        If it is not a text of at most 200 characters.
    """
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        got = f"{len(name)} characters" if isinstance(name, str) else excerpt(name)
        raise InputError(f"the name must be a text of at most {_LONGEST_NAME} characters, got {got}.", "name")
    return _CONTROL.sub(" ", name)


def privacy_level(
    epsilon: Number | None = None, alpha: Number | None = None, privacy: PrivacyLevel | None = None
) -> PrivacyLevel | None:
    """Return the privacy level, given in one of these forms; None if it is not given.

    Raises
    ------
    InputError
        If it was given in several ways, or is no level.
    """
    if sum(given is not None for given in (epsilon, alpha, privacy)) > 1:
        raise InputError("the privacy level must be given once, as epsilon or as alpha, got it twice.", "epsilon")
    if epsilon is not None:
        return level_of("epsilon", epsilon)
    return privacy if alpha is None else level_of("alpha", alpha)


def checked_gamma(gamma: Number) -> Number:
    """Return the position in each period where noise or weights step down: ``"optimal"``, or a number from 0 to 1.

    Raises
    ------
    InputError
        If it is neither.
    """
    if gamma != "optimal" and not 0 <= exact(gamma, "gamma") <= 1:
        nearest_allowed = str(min(max(round(exact(gamma)), 0), 1))
        raise InputError(f"gamma must be optimal or between 0 and 1, got {excerpt(gamma)}.", "gamma", nearest_allowed)
    return gamma


def checked_cost(cost: object) -> str:
    """Return the cost of noise if it can be parsed; see `dpdesigner.core.noise.noise_cost.noise_cost`.

    Raises
    ------
    InputError
        If it cannot.
    """
    if not isinstance(cost, str):
        raise InputError(f"the cost must be a text like absolute, got {excerpt(cost)}.", "cost")
    from dpdesigner.core.noise.noise_cost import noise_cost  # late: a window opens without it

    noise_cost(cost)
    return cost


def level_of(form: Literal["epsilon", "alpha"], number: Number) -> PrivacyLevel:
    """Return a level, cached by number: alpha to the last digit takes as long as a small design."""
    # 0 and -0 are equal, but are shown as entered.
    return _remembered(form, number) if isinstance(number, (str, int, float)) and number else PrivacyLevel(form, number)


@lru_cache(maxsize=64, typed=True)
def _remembered(form: Literal["epsilon", "alpha"], number: Number) -> PrivacyLevel:
    return PrivacyLevel(form, number)


T = TypeVar("T")

LONGEST_TEXT = 200
_MOST_SEEDS = 2**63


class Input(Generic[T]):
    """A kind of input: its checks, its words and its form in files."""

    symbol: str = ""  #: symbol in formulas and in the line of the design
    optional: bool = False  #: whether it may be null in JSON, which is equivalent to omitting it
    counts_only: bool = False  #: whether `summary` only says how much was given, which may be told of secret inputs too

    def keys(self, key: str) -> tuple[str, ...]:
        """Return the JSON keys for this input, of which only one may be used at a time; errors also name them."""
        return (key,)

    def read(self, given: object, key: str, others: Mapping[str, Any]) -> T:
        """Return the checked value of an input.

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
        """Return the argument of `read` for the value of one of `keys`."""
        return value

    def as_json(self, value: T, key: str) -> dict[str, Any]:
        """Return the value under its key, as entered."""
        return {key: value}

    def as_public_json(self, value: T, key: str) -> dict[str, Any]:
        """Return what exported files state of the value."""
        return self.as_json(value, key)

    def text(self, value: T) -> str:
        """Return the value in words, as entered."""
        return str(value)

    def summary(self, value: T) -> str:
        """Return the value for the design's line, which leaves the window: without personal data."""
        return self.text(value)

    def identity(self, value: T) -> Hashable:
        """Return a key that is equal for equal values."""
        return cast(Hashable, value)

    def number(self, value: T) -> float | None:
        """Return the value as a double, if differences of two values make sense."""
        return None

    def beside(self, value: T, folder: Path) -> T:
        """Return the value with moved data files located by name in a folder."""
        return value


class ChoiceInput(Input[str]):
    """One of a few options, each with a value and a text."""

    def __init__(self, *options: tuple[str, str], symbol: str = "", tips: Mapping[str, str] | None = None) -> None:
        self.options, self.symbol, self.tips = options, symbol, tips or {}

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
    """A line of text; multiple spaces count as one, except in a `name` of something existing, like a file."""

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
class NameInput(TextInput):
    """The exact name of something in a file, such as a column; not written to files if empty."""

    longest: int = 4000
    name: bool = True

    @override
    def as_json(self, value: str, key: str) -> dict[str, Any]:
        return {key: value} if value else {}


class PathInput(NameInput):
    """The file of the data, which is looked up next to the project file, too; empty for none."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        return super().read("" if given is None else given, key, others)

    @override
    def text(self, value: str) -> str:
        return message("a file") if value else ""

    @override
    def beside(self, value: str, folder: Path) -> str:
        from dpdesigner.data.columns import relocated  # late: a window opens without it

        return relocated(value, folder)


#: Priors and losses that menus offer, and their meanings.
BELIEFS = (
    ("uniform", message("every count alike")),
    ("poisson:5", message("rare events, 5 on average")),
    ("binomial:1/2", message("each person counts with probability 1/2")),
    ("geometric:1/2", message("each count half as likely as the one before")),
    ("two-peak:5,14", message("around 5 or around 14")),
)
LOSSES = (
    ("absolute", message("the distance")),
    ("squared", message("the distance, squared")),
    ("zero-one", message("any error costs 1")),
    ("threshold:2", message("errors above 2 cost 1")),
    ("relative", message("the distance relative to the count")),
    ("pinball:3/4", message("too little costs 3 times as much as too much")),
)


class TextLike(Input[T]):
    """An input that is entered as a line of text; `examples` are texts that a menu offers, and their meanings."""

    examples: ClassVar[tuple[tuple[str, str], ...]] = ()


class SeedInput(TextLike[int | None]):
    """The seed of random numbers, an integer of at least 0; none, or an empty text, means the system's entropy."""

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
    """A distribution over 0..n, by name or by its weights, which stay at their counts where the range is another.

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
            return given.resized(n)
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
