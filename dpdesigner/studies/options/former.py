"""Choice designs of before options had utilities: a table of costs, and staircase weights called by an epsilon of their own.

The probabilities of such weights are private at twice that epsilon in general. What they gave is kept: the same table, called by
the epsilon that is certain.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpdesigner.core.numbers.parsing import exact, excerpt
from dpdesigner.errors import InputError
from dpdesigner.studies.inputs.checks import design_members, json_value, level_within

_INPUTS = ("costs", "neighbours", "gamma", "name")
_LARGEST = 10**12
_MOST = 60


def of_table(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs that such a design has now: utilities are costs with the other sign.

    Raises
    ------
    InputError
        If it is no such design, or one of its values cannot be used.
    """
    given = design_members("choice", data, _INPUTS, ("costs", "neighbours"))
    if given["neighbours"] not in ("next", "all"):
        raise InputError(f"neighbours must be next or all, got {excerpt(given['neighbours'])}.", "neighbours")
    level = level_within(given.get("epsilon"), given.get("alpha"), None)
    rows = _checked(given["costs"])
    privacy: dict[str, Any]
    if level.exact_alpha is not None:
        privacy = {"alpha": json_value(level.exact_alpha**2)}
    else:
        privacy = {"epsilon": json_value(_plain(2 * (level.exact_epsilon or Fraction(0))))}
    return {
        "utilities": [[json_value(_plain(-exact(cost, "costs"))) for cost in row] for row in rows],
        "neighbours": given["neighbours"],
        "rule": "staircase",
        "gamma": given.get("gamma", "optimal"),
        "name": given.get("name", ""),
        "sensitivity": json_value(_plain(_period(rows, given["neighbours"]) or Fraction(1))),
        **privacy,
    }


def _plain(value: Fraction) -> Fraction | int:
    return int(value) if value.denominator == 1 else value


def _checked(costs: object) -> list[list[Any]]:
    if not isinstance(costs, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in costs):
        raise InputError(f"the costs must be a table of numbers, got {excerpt(costs)}.", "costs")
    lengths = sorted({len(row) for row in costs})
    if not 2 <= len(costs) <= _MOST or len(lengths) > 1 or not 2 <= lengths[0] <= _MOST:
        got = f"{len(costs)} rows of {' or '.join(map(str, lengths)) or 'no'} costs"
        raise InputError(f"the costs must be 2 to {_MOST} rows, each of as many costs, got {got}.", "costs")
    if any(not 0 <= exact(cost, "costs") <= _LARGEST for row in costs for cost in row):
        raise InputError(f"every cost must be between 0 and {_LARGEST:g}.", "costs")
    return [list(row) for row in costs]


def _period(rows: list[list[Any]], neighbours: str) -> Fraction:
    exactly = [[exact(cost, "costs") for cost in row] for row in rows]
    pairs = [(i, j) for i in range(len(rows)) for j in range(i + 1, len(rows)) if neighbours == "all" or j == i + 1]
    return max(abs(a - b) for i, j in pairs for a, b in zip(exactly[i], exactly[j], strict=True))
