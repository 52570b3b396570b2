"""An epsilon as an input that keeps its own name, where alpha is something else than exp(-epsilon)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

import numpy as np
from typing_extensions import override

from dpdesigner.core.numbers.given import Number, double
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.studies.input_kinds import NumberInput
from dpdesigner.studies.said import said

LEAST_EPSILON, MOST_EPSILON = "1e-4", 700


class EpsilonInput(NumberInput):
    """An epsilon, also as ``"ln 2"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        given = given.item() if isinstance(given, np.generic) else given
        level = PrivacyLevel.from_epsilon(cast(Number, given))
        if level.exact_epsilon is None and 0 < level.epsilon <= double(self.high):
            return cast(Number, given)
        return super().read(given, key, others)

    @override
    def number(self, value: Number) -> float:
        return PrivacyLevel.from_epsilon(value).epsilon

    @override
    def place(self, value: Number) -> float:
        return self._share(self.number(value))


def epsilon_input() -> NumberInput:
    """Return what asks for an epsilon."""
    ends = (said("more private"), said("more accurate"))
    return EpsilonInput(LEAST_EPSILON, MOST_EPSILON, "log", "ε", ends, (("ln 2", ""), ("1", "")), ("0.05", 10))


def epsilon_of(level: PrivacyLevel) -> Number:
    """Return a level as an epsilon: as it was given, or ``ln`` of 1 / alpha."""
    if level.form == "epsilon":
        return level.number
    alpha = level.exact_alpha or Fraction(0)
    return f"ln {1 / alpha}" if alpha else "inf"
