"""The inputs that only an attack has: how far off an answer may be, and numbers that may be left open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from dpdesigner.core.numbers.parsing import Number, excerpt, plain
from dpdesigner.core.reconstruction.problem import NOISES, in_roots, size_of
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.inputs.kinds import Input
from dpdesigner.studies.inputs.numbers import IntegerInput, NumberInput

LARGEST_N = 20_000


class PeopleInput(IntegerInput):
    """The number of people; 0 where that is left open."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> int:
        return 0 if given is None else super().read(given, key, others)


class OpenEpsilonInput(NumberInput):
    """An epsilon; 1 where it is left open, since it is then that of the private answers shown for comparison."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        if given is None and others["error"] in NOISES:
            raise InputError(f"answers with {others['error']} noise must have epsilon, got none.", key)
        return "1" if given is None else super().read(given, key, others)


#: Number of people.
PEOPLE = PeopleInput(1, LARGEST_N, symbol="n", slide=(50, 1000))
#: The epsilon of all answers together.
EPSILON = OpenEpsilonInput(
    "1e-4", 10**7, scale="log", symbol="ε", try_=[(epsilon, "") for epsilon in (1, 10, 30, 100, 300)], slide=("0.1", 1000)
)


class SizeInput(Input[str]):
    """Error of the answers: a number of people, or that in roots of n: ``"0.5 sqrt n"``."""

    symbol = "E"

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        given = plain(given)
        n = others.get("n") or LARGEST_N
        value = size_of(given, n, key)
        if not 0 <= value <= n:
            raise InputError(f"E must be between 0 and n = {n}, got {excerpt(given)}.", key, "0" if value < 0 else str(n))
        return str(given).strip()

    @override
    def text(self, value: str) -> str:
        share = in_roots(value)
        return value if share is None else message("{share} √n", share=share).strip()
