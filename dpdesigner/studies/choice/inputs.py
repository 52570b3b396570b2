"""The inputs of a choice: utilities, names, categories, neighbours, sensitivity, rule, cells; each checked with those before it.

Each refuses with one sentence: what, what is allowed, and what was given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.basics.parsing import Number, exact, excerpt, limit, nearest
from dpdesigner.core.choice.limits import Noise
from dpdesigner.core.choice.utilities import Neighbouring, Pairs, Utilities, checked_pairs, derived_sensitivity
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.input_kinds import Input, checked_gamma, json_value
from dpdesigner.studies.number_inputs import NumbersInput

_LARGEST = 10**12
_ROUNDING = 1e-9  # of the doubles in which tables are compared

#: The rules: title, noise whose maximum each takes, and whether utilities are rounded to steps.
TITLES: dict[str, tuple[str, Noise, bool]] = {
    "permute-and-flip": (message("Permute-and-flip"), "exponential", False),
    "exponential": (message("Exponential mechanism"), "gumbel", False),
    "noisy-max-laplace": (message("Noisy max, Laplace"), "laplace", False),
    "noisy-max-gumbel": (message("Noisy max, Gumbel"), "gumbel", False),
    "noisy-max-exponential": (message("Noisy max, exponential"), "exponential", False),
    "staircase": (message("Staircase weights"), "gumbel", True),
    "exponential-cacm": (message("exp(ε u/Δ), as printed by Dwork (2011)"), "gumbel", False),
    "exponential-notes": (message("exp(ε u), as printed in lecture notes"), "gumbel", False),
    "exponential-blr": (message("exp(ε u/2Δ), as printed by Blum, Ligett and Roth"), "gumbel", False),
}
#: The rules with the requested epsilon, and three as printed in their papers.
COMPETING = ("permute-and-flip", "exponential", "noisy-max-laplace", "noisy-max-gumbel", "noisy-max-exponential", "staircase")
PRINTED = ("exponential-cacm", "exponential-notes", "exponential-blr")

#: Influence of one person, by its key in files.
NEIGHBOURS = {
    "any": message("any utility may move"),
    "changes": message("one answer may change"),
    "joins": message("one may join or leave"),
    "next": message("each row and the next"),
    "all": message("all rows are neighbours"),
}


class UtilitiesInput(Input[Utilities | None]):
    """The utility of each option, or a table of utilities; None if options are counted from a column."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Utilities | None:
        return None if given is None else Utilities.checked(given)

    @override
    def as_json(self, value: Utilities | None, key: str) -> dict[str, Any]:
        return {} if value is None else {key: json_value(tuple(value))}

    @override
    def text(self, value: Utilities | None) -> str:
        if value is None:
            return message("counted")
        if value.table:
            return message("{rows} × {count} utilities", rows=len(value.rows), count=value.options)
        return ", ".join(map(str, value))


class EdgesInput(NumbersInput):
    """The edges of the intervals that a number is chosen from, increasing: one more than the utilities of a vector."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Number, ...] | None:
        if given is None:
            return None
        utilities: Utilities | None = others["utilities"]
        if utilities is None or utilities.table or not isinstance(given, Sequence) or isinstance(given, str):
            raise InputError("edges must be a list of numbers, for one vector of utilities.", key)
        values = [exact(edge, "an edge", key) for edge in given]
        if len(values) != utilities.options + 1 or any(a >= b for a, b in pairwise(values)):
            what = f"{utilities.options + 1} increasing numbers, one more than utilities"
            raise InputError(f"the edges must be {what}, got {excerpt(list(given))}.", key)
        return tuple(given)


class BaseInput(NumbersInput):
    """The base measure: a number of at least 0 for each option."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[Number, ...] | None:
        if given is None:
            return None
        utilities: Utilities | None = others["utilities"]
        options = len(others["categories"] or ()) if utilities is None else utilities.options
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != options:
            raise InputError(f"the base measure must have one number per option, {options or None}, got {excerpt(given)}.", key)
        values = [exact(weight, "a base measure", key) for weight in given]
        if min(values) < 0 or not any(values) or max(values) > _LARGEST:
            raise InputError(
                f"a base measure must be between 0 and {limit(_LARGEST)}, with at least one above 0, got {excerpt(given)}.", key
            )
        return tuple(given)


class MonotoneInput(Input[bool]):
    """Whether neighbours move all utilities in the same direction."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> bool:
        if type(given) is not bool:
            raise InputError(f"monotone must be true or false, got {excerpt(given)}.", key)
        return given

    @override
    def text(self, value: bool) -> str:
        return message("monotone") if value else message("not monotone")


class NeighboursInput(Input[str | Pairs]):
    """The influence of one person: a word, or for a table the pairs of neighbouring rows."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str | Pairs:
        given = given.tolist() if isinstance(given, np.ndarray) else given
        utilities: Utilities | None = others["utilities"]
        monotone: bool = others["monotone"]
        if utilities is not None and utilities.table:
            rows = len(utilities.rows)
            which = checked_pairs("next" if given == "joins" else given, rows)
            if monotone and not Neighbouring(which, rows).same_way(utilities.numbers):
                problem = "in a monotone table, neighbouring rows move all utilities in the same direction; these rows do not"
                raise InputError(f"{problem}.", "monotone")
            return which
        if given not in ("any", "changes", "joins"):
            raise InputError(f"neighbours must be any, changes or joins, got {excerpt(given)}.", key)
        if monotone and given == "changes":
            problem = "monotone is only for rows that join or leave: a changed answer raises one count and lowers another"
            raise InputError(f"{problem}.", "monotone")
        return "joins" if monotone else str(given)

    @override
    def as_json(self, value: str | Pairs, key: str) -> dict[str, Any]:
        return {key: json_value(value)}

    @override
    def text(self, value: str | Pairs) -> str:
        return NEIGHBOURS.get(str(value)) or message("{count} pairs of neighbours", count=len(value))


class SensitivityInput(Input[Number]):
    """Delta: the most by which one person can move a utility; for a table, at least what neighbouring rows imply."""

    symbol = "Δ"

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        utilities: Utilities | None = others["utilities"]
        table = utilities is not None and utilities.table
        least = derived_sensitivity(utilities, others["neighbours"]) if utilities is not None and table else Fraction(0)
        if given is None:
            needed = max(Fraction(1), least)
            return int(needed) if needed.denominator == 1 else str(needed)
        value = exact(given, key)
        if not 0 < value <= _LARGEST:
            what = "above 0" if value <= 0 else f"at most {limit(_LARGEST)}"
            suggestion = "1" if value <= 0 else f"{_LARGEST}"
            raise InputError(f"the sensitivity must be {what}, got {excerpt(given)}.", key, suggestion)
        if value < least * (1 - Fraction(_ROUNDING)):
            short = str(least) if len(str(least)) < 12 else f"{float(least):.6g}"
            problem = f"neighbouring rows differ by {short}, so the sensitivity must be at least as large"
            raise InputError(f"{problem}, got {excerpt(given)}.", key, str(least))
        return given  # type: ignore[return-value]  # `exact` has read it

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {key: json_value(value)}


class RuleInput(Input[str]):
    """The drawn rule; empty: permute-and-flip, or for a number the exponential mechanism."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        number = others["edges"] is not None
        if given == "":
            return "exponential" if number else "permute-and-flip"
        allowed = [rule for rule, (_, noise, _) in TITLES.items() if not number or noise == "gumbel"]
        if given not in allowed:
            raise InputError(f"the rule must be one of {', '.join(allowed)}, got {excerpt(given)}.", key)
        return str(given)

    @override
    def text(self, value: str) -> str:
        return TITLES[value][0]


class GammaInput(Input[Number]):
    """The position of the step of staircase weights within each period, from 0 to 1, or ``"optimal"``."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Number:
        return checked_gamma(given)  # type: ignore[arg-type]  # it is checked there

    @override
    def as_json(self, value: Number, key: str) -> dict[str, Any]:
        return {} if value == "optimal" else {key: json_value(value)}


def format_number(value: Fraction) -> str:
    """Return a number in its usual notation: ``1``, ``1/3``, ``0.25``."""
    text = str(value)
    return text if len(text) <= 9 else f"{nearest(value):.6g}"
