"""What a net asks for that others do not: counts, and a class of queries by name, as rows or from a file."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.core.numbers.coercion import as_numbers
from dpdesigner.core.numbers.parsing import Number, double, excerpt, listed, parse_integer
from dpdesigner.core.numbers.rounding import group_thousands
from dpdesigner.core.synthetic.net import Queries, conjunctions, intervals, queries, thresholds
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.inputs.bits import FILE, TableInput, table_changed_at, table_lines
from dpdesigner.studies.inputs.kinds import TextLike

MOST_POINTS, MOST_ROWS = 64, 10**6
NAMED = ("intervals", "thresholds", "conjunctions", "monotone conjunctions")
Given = str | tuple[tuple[Number, ...], ...]


class CountsInput(TextLike[tuple[int, ...]]):
    """The number of rows of each point, as numbers in a row."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[int, ...]:
        parts = listed(given, "the counts", key) if isinstance(given, str) else as_numbers(given, "the counts", key)
        if not isinstance(parts, (Sequence, np.ndarray)) or not 2 <= len(parts) <= MOST_POINTS:
            raise InputError(f"the counts must be 2 to {MOST_POINTS} whole numbers, one per point, got {excerpt(given)}.", key)
        counts = tuple(parse_integer(part, key, 0, MOST_ROWS) for part in parts)
        if not 0 < sum(counts) <= MOST_ROWS:
            raise InputError(f"the counts must have a total of 1 to {MOST_ROWS} rows, got {sum(counts)}.", key)
        return counts

    @override
    def as_json(self, value: tuple[int, ...], key: str) -> dict[str, Any]:
        return {key: list(value)}

    @override
    def text(self, value: tuple[int, ...]) -> str:
        return ", ".join(map(str, value))

    @override
    def summary(self, value: tuple[int, ...]) -> str:
        rows, points = group_thousands(sum(value)), group_thousands(len(value))
        return message("{rows} rows at {points} points", rows=rows, points=points)


class QueriesInput(TableInput[Given]):
    """A class of queries: a name, rows of numbers from 0 to 1 parted by semicolons, or a file of them."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Given:
        points = len(others["counts"])
        value = _given(given, key)
        if not isinstance(value, str) or not value.startswith(FILE):  # which may have been moved, and is read when it is run
            build_queries(value, points)
        return value

    @override
    def as_json(self, value: Given, key: str) -> dict[str, Any]:
        return {key: value if isinstance(value, str) else [list(map(str, row)) for row in value]}

    @override
    def identity(self, value: Given) -> Hashable:
        return self.text(value)

    @override
    def text(self, value: Given) -> str:
        return value if isinstance(value, str) else "; ".join(" ".join(map(str, row)) for row in value)


def _given(given: object, key: str) -> Given:
    if isinstance(given, os.PathLike):
        given = f"{FILE} {os.fspath(given)}"
    if isinstance(given, str):
        text = " ".join(given.split())
        if text in NAMED:
            return text
        if text.startswith(FILE):
            return given.strip()  # a path may have several spaces on end
        given = [listed(row, "the queries", key) for row in text.split(";") if row.strip()]
    rows = as_numbers(given, "the queries", key)
    if isinstance(rows, np.ndarray):
        rows = rows.tolist()
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in rows):
        allowed = f"one of {', '.join(NAMED)}, rows of numbers from 0 to 1, or {FILE} and a path"
        raise InputError(f"the queries must be {allowed}, got {excerpt(given)}.", key)
    return tuple(tuple(row) for row in rows)


def build_queries(value: Given, points: int) -> Queries:
    """Return the class on so many points.

    Raises
    ------
    InputError
        If it is not of so many points, or is no class; if its file cannot be read.
    """
    return _made(value, points, table_changed_at(value) if isinstance(value, str) else 0)


@lru_cache(maxsize=16)
def _made(value: Given, points: int, changed: int) -> Queries:
    if value == "intervals":
        return intervals(points)
    if value == "thresholds":
        return thresholds(points)
    if isinstance(value, str) and not value.startswith(FILE):
        bits = (points - 1).bit_length()
        if points != 1 << bits:
            raise InputError(f"conjunctions need 2, 4, 8, … points, one for each string of bits, got {points}.", "queries")
        return conjunctions(bits, monotone=value.startswith("monotone"))
    rows = value if not isinstance(value, str) else [line.cells for line in table_lines(value)[1]]
    asked = queries([[_share(cell) for cell in row] for row in rows])
    if asked.points != points:
        raise InputError(f"a query must have one number per point ({points}), got {asked.points}.", "queries")
    return asked


def _share(cell: Number) -> float:
    try:
        return double(cell)
    except InputError:
        raise InputError(f"every entry of a query must be a number from 0 to 1, got {excerpt(cell)}.", "queries") from None
