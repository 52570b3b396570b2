"""The inputs of questions that are answered with noise, each checked with those before it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from typing_extensions import override

from dpdesigner.core.noise.best_noise import checked_delta, checked_dimension, checked_sensitivity, checked_weights
from dpdesigner.core.noise.noise_cost import noise_cost
from dpdesigner.core.noise.query import LEAST_EPSILON, MOST_EPSILON
from dpdesigner.core.numbers.parsing import Number, plain
from dpdesigner.core.privacy.level import PrivacyLevel
from dpdesigner.core.privacy.sensitivity import histogram
from dpdesigner.studies.inputs.checks import checked_cost, checked_gamma, json_value, level_within
from dpdesigner.studies.inputs.kinds import Input, TextLike
from dpdesigner.studies.inputs.numbers import PrivacyInput


class LevelInput(PrivacyInput):
    """The privacy level of noise; where a replaced row changes two cells, all cells together need twice the least epsilon."""

    def __init__(self) -> None:
        super().__init__(repr(LEAST_EPSILON), round(MOST_EPSILON))

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> PrivacyLevel:
        given = plain(given)
        level = given if isinstance(given, PrivacyLevel) else PrivacyLevel.from_epsilon(given)  # type: ignore[arg-type]
        cells = int(histogram(others["neighbours"]).value) if "neighbours" in others else 1
        return level_within(None, None, level, least=LEAST_EPSILON * cells)


class SensitivityInput(TextLike[Number]):
    """By how much one row can change the answer: a whole number for an integer query."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        return checked_sensitivity(plain(given), others["query"] == "integer")

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: json_value(value)}


class CostInput(TextLike[str]):
    """The cost of an error; see `dpdesigner.core.noise.noise_cost.noise_cost`."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        return checked_cost(given)

    @override
    def text(self, value: str) -> str:
        return noise_cost(value).title


class GammaInput(TextLike[Number]):
    """The place of the step in each period, from 0 to 1, or ``"optimal"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        return checked_gamma(plain(given))

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: json_value(value)}


class DimensionInput(TextLike[int]):
    """The number of answers that get one noise together."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int:
        cost = noise_cost(others["cost"])
        return checked_dimension(given, others["query"] == "integer", cost)  # type: ignore[arg-type]  # it is checked there


class DeltaInput(TextLike[Number | None]):
    """The delta of noise to compare with, for a single real answer; None: nothing is compared."""

    optional = True

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number | None:
        single = others["query"] == "real" and others["dimension"] == 1
        return checked_delta(plain(given), single)

    @override
    def as_json(self, value: Number | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: json_value(value)}

    @override
    def text(self, value: Number | None) -> str:
        return "" if value is None else str(value)


class WeightsInput(Input[tuple[Number, ...]]):
    """The weights by which several answers share epsilon; empty for one answer."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Number, ...]:
        return checked_weights(given)  # type: ignore[arg-type]  # it is checked there

    @override
    def as_json(self, value: tuple[Number, ...], key: str) -> dict[str, Any]:
        return {key: json_value(value)} if value else {}

    @override
    def text(self, value: tuple[Number, ...]) -> str:
        return ", ".join(map(str, value))

    @override
    def identity(self, value: tuple[Number, ...]) -> Hashable:
        return value
