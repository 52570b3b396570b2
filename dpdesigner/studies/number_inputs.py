"""Number inputs with a slider position; epsilon; and lists of numbers, texts, bids and demand curves."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeVar, cast

import numpy as np
from typing_extensions import override

from dpdesigner.core.basics.coercion import as_numbers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.parsing import (
    Number,
    double,
    exact,
    excerpt,
    harmless,
    is_number,
    limit,
    listed,
    parse_integer,
    plain,
    with_point,
)
from dpdesigner.core.basics.rounding import as_typed
from dpdesigner.core.choice.demand import LARGEST, Curve, bid_of, checked_curve, curve_of
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.input_kinds import Input, TextLike, json_value, level_of

T = TypeVar("T")

#: Numbers to try, with a text for those where there is something to see.
Tries = Sequence[Number | tuple[Number, str]]

LEAST_EPSILON, MOST_EPSILON = "1e-4", 700
_DIGITS = 3  # digits of a number chosen with the mouse
_STEPS = 600  # steps of a slider
_ODDS = re.compile(r"^\s*(\d+)\s+in\s+(\d+)\s*$", re.ASCII)
_CAUGHT = 1 / 150  # share of the slider within which numbers to try attract the handle


class Range(Input[T]):
    """A number between two others, with a slider position.

    Parameters
    ----------
    low, high : Number
        What is allowed.
    scale : {"linear", "log"}
        Of its slider.
    symbol : str
        What formulas call it.
    ends : (str, str)
        What is said at the ends of the slider.
    try_ : sequence of Number or (Number, str)
        Values to try, with what is to be seen there.
    slide : (Number, Number), optional
        The ends of the slider, where they are not those of what is allowed. A number beyond them can be typed and is taken; the
        slider then stands at its end, and a drag leads back between them. The first is at the left, and may be the larger.
    parts : int
        A drag gives fractions with this denominator, shortened; 0: decimals.
    unset : callable, optional
        Its value from those of the other inputs, if it is left open.
    """

    def __init__(
        self,
        low: Number,
        high: Number,
        *,
        scale: Literal["linear", "log"] = "linear",
        symbol: str = "",
        ends: tuple[str, str] = ("", ""),
        try_: Tries = (),
        slide: tuple[Number, Number] | None = None,
        parts: int = 0,
        unset: Callable[[Mapping[str, Any]], Any] | None = None,
    ) -> None:
        self.low, self.high, self.scale, self.symbol, self.parts, self.unset = low, high, scale, symbol, parts, unset
        self.ends, self.try_ = ends, tuple(each if isinstance(each, tuple) else (each, "") for each in try_)
        self.slide = tuple(double(end) for end in slide or (low, high))
        if scale == "log" and min(self.slide) <= 0:
            raise ValueError("a logarithmic slider must begin above 0")

    @property
    def steps(self) -> int:
        """The number of steps of its slider."""
        return round(self.parts * abs(self.slide[1] - self.slide[0])) or _STEPS

    @override
    def text(self, value: T) -> str:
        return str(value).strip()

    @override
    def identity(self, value: T) -> Hashable:
        return self.text(value)  # 0.5 and 1/2 are written differently

    @override
    def number(self, value: T) -> float | None:
        return double(cast(Number, value))

    def place(self, value: T) -> float:
        """Return a value's slider position, from 0 to 1; values beyond an end are at that end."""
        return self._share(self.number(value) or 0.0)

    def _share(self, value: float) -> float:
        low, high = self.slide
        at = min(max(value, min(low, high)), max(low, high))
        if self.scale == "log":
            at, low, high = math.log(at), math.log(low), math.log(high)
        return (at - low) / (high - low) if high != low else 0.0

    def at(self, place: float) -> str:
        """Return the value at a slider position, rounded as a person would."""
        low, high = self.slide
        if self.scale == "log":
            return self.near(low * (high / low) ** place)
        return self.near(low + place * (high - low))

    def near(self, value: float) -> str:
        """Return an allowed number with few digits near a dragged one, snapping to the suggested numbers."""
        if (caught := self._caught(value)) is not None:
            return caught
        low, high = self._ends
        if self.parts:
            return str(Fraction(round(min(max(value, low), high) * self.parts), self.parts))
        digits = _DIGITS
        if self.scale == "linear" and value:  # equal steps, even near 0
            digits += min(math.floor(math.log10(abs(value))) - math.floor(math.log10(max(map(abs, self.slide)))), 0)
        text = f"{value:.{max(digits, 1)}g}" if digits > 0 else "0"
        return str(self.low) if float(text) <= low else str(self.high) if float(text) >= high else text

    @cached_property
    def _ends(self) -> tuple[float, float]:
        return double(self.low), double(self.high)

    @cached_property
    def _places(self) -> list[tuple[str, float]]:
        """The slider positions of the numbers to try."""
        return [(str(each), self._share(self.number(cast(T, each)) or 0.0)) for each, _ in self.try_]

    def _caught(self, value: float) -> str | None:
        here = self._share(value)
        return next((text for text, place in self._places if abs(place - here) < _CAUGHT), None)


class NumberInput(Range[Number]):
    """Any number, stored as entered: ``"1/3"`` stays a third; ``"1 in 3"`` is one."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        if given is None and self.unset is not None:
            return cast(Number, self.unset(others))
        given = plain(given)
        given = _ODDS.sub(r"\1/\2", given) if isinstance(given, str) else given
        name = self.symbol or key
        value = exact(given, name, key)
        if not exact(self.low) <= value <= exact(self.high):
            nearest = str(self.low if value < exact(self.low) else self.high)
            words = f"{name} must be between {limit(self.low)} and {limit(self.high)}, got {excerpt(given)}."
            raise InputError(words, key, nearest)
        return given.strip() if isinstance(given, str) else cast(Number, given)

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: json_value(value)}


class IntegerInput(Range[int]):
    """An integer; each slider step is a different one, even where there are many small and few large ones.

    With ``scale="log"`` the slider has as much room from 1 to 10 as from 100 000 to 1 000 000, and stops at round numbers.
    """

    @property
    @override
    def steps(self) -> int:
        return len(self._stops) - 1 if self.scale == "log" else max(min(_STEPS, round(self.slide[1] - self.slide[0])), 1)

    @cached_property
    def _stops(self) -> list[int]:
        """The position of a logarithmic slider."""
        return sorted({int(super(IntegerInput, self).at(step / _STEPS)) for step in range(_STEPS + 1)})

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
        return self._caught(value) or str(round(min(max(rounded, self._ends[0]), self._ends[1])))

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int:
        if given is None and self.unset is not None:
            return int(self.unset(others))
        return parse_integer(plain(given), self.symbol or key, int(exact(self.low)), int(exact(self.high)), key)


class PowerInput(IntegerInput):
    """The exponent of a power of two. Texts are the power, ``"128"`` or ``"2^7"``; numbers, and files, give the exponent."""

    @override
    def text(self, value: int) -> str:
        return str(1 << value)

    @override
    def near(self, value: float) -> str:
        return f"2^{super().near(value)}"

    @override
    def from_json(self, key: str, value: object) -> object:
        return f"2^{value.strip().removeprefix('2^')}" if isinstance(value, str) else value

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int:
        if not isinstance(given := plain(given), str):
            return super().read(given, key, others)
        powers = {
            str(power): exponent
            for exponent in range(int(exact(self.low)), int(exact(self.high)) + 1)
            for power in (1 << exponent, f"2^{exponent}")
        }
        if (text := given.strip()) in powers:
            return powers[text]
        sizes = [size for size in powers if size.isdecimal()]
        wanted = exact(text) if is_number(text) else None
        nearest = "" if wanted is None else min(sizes, key=lambda size: abs(int(size) - wanted))
        allowed = f"a power of two between {sizes[0]} and {limit(sizes[-1])}"
        raise InputError(f"{self.symbol or key} must be {allowed}, got {excerpt(given)}.", key, nearest)


class PrivacyInput(Input[PrivacyLevel]):
    """A privacy level, as epsilon or alpha: the only input for epsilon in a field called ``privacy``.

    Its value is a `PrivacyLevel`, which knows epsilon and alpha exactly, and how to round them; Python may give an epsilon,
    files have ``"epsilon"`` or ``"alpha"``, errors and handles name ``epsilon``. The slider goes from 0.01 to 10.

    Parameters
    ----------
    low, high : Number
        The least and the largest epsilon that is allowed; another is refused, with the nearest as the suggestion.
    """

    symbol = "ε"

    def __init__(self, low: Number = 0, high: Number = "inf") -> None:
        self.low, self.high = low, high
        self._ends = exact(low), math.inf if high == "inf" else exact(high)

    @override
    def keys(self, key: str) -> tuple[str, ...]:
        return ("epsilon", "alpha")

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> PrivacyLevel:
        level = given if isinstance(given, PrivacyLevel) else PrivacyLevel.from_epsilon(cast(Number, plain(given)))
        low, high = self._ends
        epsilon = level.epsilon if level.exact_epsilon is None else level.exact_epsilon
        if not low <= epsilon <= high:
            raise beyond(self.low, self.high, level, epsilon < low)
        return level

    def near(self, value: float) -> str:
        """Return an allowed epsilon with few digits near a dragged one."""
        low, high = self._ends
        text = as_typed(max(value, 0.0))
        return str(self.low) if exact(text) <= low else str(self.high) if exact(text) >= high else text

    @override
    def from_json(self, key: str, value: object) -> object:
        return level_of(cast(Literal["epsilon", "alpha"], key), cast(Number, plain(value)))

    @override
    def as_json(self, value: PrivacyLevel, key: str) -> dict[str, Any]:
        form, number = value.source
        return {form: json_value(number)}

    @override
    def text(self, value: PrivacyLevel) -> str:
        return value.description

    @override
    def number(self, value: PrivacyLevel) -> float | None:
        return value.epsilon


class EpsilonInput(NumberInput):
    """An epsilon, also as ``"ln 2"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        given = plain(given)
        level = PrivacyLevel.from_epsilon(cast(Number, given))
        epsilon = level.epsilon if level.exact_epsilon is None else level.exact_epsilon
        if not exact(self.low) <= epsilon <= exact(self.high):
            raise beyond(self.low, self.high, level, epsilon < exact(self.low), key)
        return given.strip() if isinstance(given, str) else cast(Number, given)

    @override
    def number(self, value: Number) -> float:
        return PrivacyLevel.from_epsilon(value).epsilon


def beyond(low: Number, high: Number, level: PrivacyLevel, below: bool, key: str = "epsilon") -> InputError:
    """Return the error of a level out of a range of epsilon, with the number that was given for it."""
    got = excerpt(level.number)
    if level.form == "alpha":
        got = f"{'∞' if level.epsilon == math.inf else f'{level.epsilon:.6g}'} (alpha = {got})"
    return InputError(f"epsilon must be between {limit(low)} and {limit(high)}, got {got}.", key, str(low if below else high))


def epsilon_input() -> NumberInput:
    """Return an input for epsilon in designs whose alpha has another meaning; other designs use `fields.privacy`."""
    ends = (message("private"), message("accurate"))
    tried = ("ln 2", ""), ("1", "")
    return EpsilonInput(LEAST_EPSILON, MOST_EPSILON, scale="log", symbol="ε", ends=ends, try_=tried, slide=("0.05", 10))


def epsilon_of(level: PrivacyLevel) -> Number:
    """Return a level as an epsilon: as entered, or ``ln`` of 1 / alpha."""
    if level.form == "epsilon":
        return level.number
    alpha = level.exact_alpha or Fraction(0)
    return f"ln {1 / alpha}" if alpha else "inf"


MOST_BIDS = 100_000
MOST_CURVES, MOST_STEPS = 1000, 20_000
_LONGEST_TEXT = 100


class Bids(tuple[Number, ...]):
    """Checked bids."""


class Curves(tuple[Curve, ...]):
    """Checked demand curves."""


_MANY = 1000  # more bids are kept as they are, which is faster


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
        return message("1 bid") if len(value) == 1 else message("{count} bids", count=len(value)) if value else ""

    @override
    def identity(self, value: tuple[Number, ...]) -> Hashable:
        return value if len(value) > _MANY else tuple(map(str, value))


@dataclass(frozen=True)
class CurvesInput(Input[tuple[Curve, ...]]):
    """A list of decreasing demand curves.

    Each is a list of (price, quantity) in any order, a mapping of prices to quantities, or a falling list of what each further
    item is worth.
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
    """The largest amount that a bid may count; empty until it is entered."""

    symbol: str = "cap"

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        if (cap := with_point(given).strip() if isinstance(given, str) else plain(given)) in (None, ""):
            return ""
        value = exact(cap, "the cap", key)
        if not 0 < value <= LARGEST or not double(value):
            wrong = "above 0" if value <= 0 else f"at most {limit(LARGEST)}"
            raise InputError(f"the cap must be {wrong}, got {excerpt(given)}.", key)
        return cap

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
    """A list of numbers, or none; a base class for inputs with further restrictions."""

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


class OptionalInput(TextLike[Number | None]):
    """A number between two others, or none; can be restricted to integers."""

    optional = True

    def __init__(self, low: Number, high: Number, symbol: str = "", whole: bool = False) -> None:
        self.low, self.high, self.symbol, self.whole = low, high, symbol, whole

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number | None:
        if given is None or (isinstance(given, str) and not given.strip()):
            return None
        given, name = plain(given), self.symbol or key
        value = exact(given, name, key)
        if not exact(self.low) <= value <= exact(self.high) or (self.whole and value.denominator != 1):
            nearest = str(min(max(round(value) if self.whole else value, exact(self.low)), exact(self.high)))
            kind = "a whole number " if self.whole else ""
            raise InputError(
                f"{name} must be {kind}between {limit(self.low)} and {limit(self.high)}, got {excerpt(given)}.", key, nearest
            )
        return int(value) if self.whole else given.strip() if isinstance(given, str) else given  # type: ignore[return-value]

    def near(self, place: float) -> Number:
        """Return what a drag to a place gives: a number of this range, a whole one if asked."""
        inside = min(max(place, float(exact(self.low))), float(exact(self.high)))
        return round(inside) if self.whole else inside

    @override
    def as_json(self, value: Number | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: json_value(value)}

    @override
    def text(self, value: Number | None) -> str:
        return "" if value is None else str(value)

    @override
    def identity(self, value: Number | None) -> Hashable:
        return str(value)

    @override
    def number(self, value: Number | None) -> float | None:
        return None if value is None else float(exact(value))
