"""Noise designs of project files before version 3, when histograms and choices among a few outputs were queries of this kind.

Such a file holds the inputs of every query, also of those that are not asked. They are dropped on purpose: the three kinds have
inputs of their own now, and what a design does not ask for has no place to be shown, changed or found again in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpdesigner.core.numbers.parsing import Number, cut, exact, excerpt
from dpdesigner.core.privacy import sensitivity
from dpdesigner.errors import InputError
from dpdesigner.studies.inputs.checks import checked_gamma, members

_SHARED = ("name", "epsilon", "alpha")
_NUMBERS = ("query", "sensitivity", "cost", "gamma", "dimension", "delta", "weights")
_HISTOGRAM = ("cells", "neighbours", "path", "column", "counts")
_CHOICE = ("costs", "neighbours")
#: What a part held that a file left out.
_CELLS = {"cells": "0..10", "neighbours": "add-remove"}
_COSTS = {"costs": [[abs(r - q) for r in range(6)] for q in range(6)], "neighbours": "next"}


def of_today(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the JSON object of a design of today: of a number or a vector, of a histogram, or of a choice.

    Raises
    ------
    InputError
        If it is no such object, or holds what its query could not have; its values are checked by the kind that it becomes.
    """
    allowed = ("kind", *_SHARED, *_NUMBERS, "histogram", "table")
    given = members(data, "a noise design", allowed, ("query", "sensitivity", "cost"), ("delta",))
    query = given["query"]
    histogram = members(given.pop("histogram", {}), "a histogram", _HISTOGRAM, (), ("counts",))
    table = members(given.pop("table", {}), "a table", _CHOICE)
    if query != "histogram" and "counts" in histogram:
        raise InputError(f"counts can be given for the query histogram only, got them for {cut(str(query))}.", "counts")
    if query not in ("histogram", "table"):
        return given
    _check_single(given, query)
    shared = {key: given[key] for key in _SHARED if key in given}
    if query == "histogram":
        cells = {**_CELLS, **histogram}
        _check_sensitivity(given["sensitivity"], cells["neighbours"])
        return {"kind": "histogram", **shared, "cost": given["cost"], **cells}
    return {"kind": "choice", **shared, "gamma": given.get("gamma", "optimal"), **_COSTS, **table}


def _check_single(given: Mapping[str, Any], query: str) -> None:
    """Refuse what neither a histogram nor a choice ever had."""
    checked_gamma(given.get("gamma", "optimal"))
    if given.get("dimension", 1) != 1:
        raise InputError(f"several dimensions are for real queries; a {query} query has 1.", "dimension")
    if "delta" in given:
        raise InputError("delta is for a single real answer; leave it out here.", "delta")


def _check_sensitivity(given: Number, neighbours: Any) -> None:
    """Refuse a sensitivity that is not the histogram's."""
    if neighbours not in ("add-remove", "replace"):
        return  # refused with the other inputs
    right = int(sensitivity.histogram(neighbours).value)
    if exact(given, "sensitivity") != right:
        what = f"with neighbours {neighbours} the sensitivity of a histogram must be {right}"
        raise InputError(f"{what}, got {excerpt(given)}.", "sensitivity")
