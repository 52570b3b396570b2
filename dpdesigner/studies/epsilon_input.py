"""Asking for epsilon: as a privacy level, and as a number of its own where alpha is something else than exp(-epsilon)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, cast

import numpy as np
from typing_extensions import override

from dpdesigner.core.numbers.given import Number, exact, shown
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.errors import InputError
from dpdesigner.studies.input_kinds import Input, NumberInput
from dpdesigner.studies.said import said

LEAST_EPSILON, MOST_EPSILON = "1e-4", 700


class PrivacyInput(Input[PrivacyLevel]):
    """A privacy level, given as epsilon or as alpha.

    Parameters
    ----------
    low, high : Number
        The least and the largest epsilon that is allowed.
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
        level = given if isinstance(given, PrivacyLevel) else PrivacyLevel.from_epsilon(cast(Number, _plain(given)))
        low, high = self._ends
        epsilon = level.epsilon if level.exact_epsilon is None else level.exact_epsilon
        if not low <= epsilon <= high:
            got = shown(level.number) if level.form == "epsilon" else f"{level.epsilon:.6g}"
            raise _beyond(self.low, self.high, got, "epsilon", epsilon < low)
        return level

    def near(self, value: float) -> str:
        """Return an allowed epsilon near one that was dragged to, with few digits."""
        low, high = self._ends
        text = f"{max(value, 0.0):.3g}"
        return str(self.low) if exact(text) <= low else str(self.high) if exact(text) >= high else text

    @override
    def from_json(self, key: str, value: object) -> object:
        return PrivacyLevel(cast(Literal["epsilon", "alpha"], key), cast(Number, value))

    @override
    def as_json(self, value: PrivacyLevel, key: str) -> dict[str, Any]:
        form, number = value.given
        return {form: str(number) if isinstance(number, Fraction) or number == math.inf else number}

    @override
    def text(self, value: PrivacyLevel) -> str:
        return value.words

    @override
    def number(self, value: PrivacyLevel) -> float | None:
        return value.epsilon


class EpsilonInput(NumberInput):
    """An epsilon, also as ``"ln 2"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        given = _plain(given)
        level = PrivacyLevel.from_epsilon(cast(Number, given))
        low = exact(self.low) if level.exact_epsilon is not None else Fraction(0)
        epsilon = level.epsilon if level.exact_epsilon is None else level.exact_epsilon
        if not (low <= epsilon <= exact(self.high) and epsilon):
            raise _beyond(self.low, self.high, shown(given), key, epsilon <= low)
        return given.strip() if isinstance(given, str) else cast(Number, given)

    @override
    def number(self, value: Number) -> float:
        return PrivacyLevel.from_epsilon(value).epsilon

    @override
    def place(self, value: Number) -> float:
        return self._share(self.number(value))


def _plain(given: object) -> object:
    return given.item() if isinstance(given, np.generic) else given


def _beyond(low: Number, high: Number, got: str, key: str, below: bool) -> InputError:
    return InputError(f"epsilon must be between {low} and {high}, got {got}.", key, str(low if below else high))


def epsilon_input() -> NumberInput:
    """Return what asks for an epsilon, in designs that have an alpha of another meaning; else `asked.privacy` does."""
    ends = (said("more private"), said("more accurate"))
    return EpsilonInput(LEAST_EPSILON, MOST_EPSILON, "log", "ε", ends, (("ln 2", ""), ("1", "")), ("0.05", 10))


def epsilon_of(level: PrivacyLevel) -> Number:
    """Return a level as an epsilon: as it was given, or ``ln`` of 1 / alpha."""
    if level.form == "epsilon":
        return level.number
    alpha = level.exact_alpha or Fraction(0)
    return f"ln {1 / alpha}" if alpha else "inf"
