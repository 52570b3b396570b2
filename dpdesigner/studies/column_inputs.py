"""A column of numbers as an input: from a file, from a file shipped with the program, typed, or drawn as a shape."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.arrays import Floats, Integers
from dpdesigner.core.basics.coercion import ArrayValues, as_numbers
from dpdesigner.core.basics.parsing import cut, double, exact, excerpt, nearest, parse_integer
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import group_thousands, grouped
from dpdesigner.core.synthetic.cells import Cells, drawn_counts
from dpdesigner.data.columns import EXAMPLE, changed_at, only_column, read_values, relocated, resolved
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.input_kinds import DistributionInput, Input

MOST_ROWS = 20_000_000
BARS = 64  #: bars of a drawn shape, along the whole axis
_MOST_BARS = 1024
_LONGEST = 4000


@dataclass(frozen=True)
class ColumnSpec:
    """The source of a column: a file and the name of the column, or the numbers.

    Attributes
    ----------
    path : str
        A file, or ``example:NAME`` for one that ships with the program; empty where the numbers are given.
    column : str
        Its name; empty for a single one without a name.
    values : ArrayValues or None
        The numbers.
    shape : Prior or None
        How rows that are nobody's lie along the axis of whoever asks, in bars of equal width: a column that was drawn.
    rows : int
        How many it has then.
    partial : bool
        Whether rows without a number are left out; otherwise they are refused.
    """

    path: str = ""
    column: str = ""
    values: ArrayValues | None = None
    shape: Prior | None = None
    rows: int = 0
    partial: bool = False

    @property
    def is_set(self) -> bool:
        """Whether there is a column."""
        return bool(self.path) or self.values is not None or self.drawn

    @property
    def drawn(self) -> bool:
        """Whether the column was drawn by hand, so that its rows describe no real people."""
        return self.shape is not None

    @property
    def title(self) -> str:
        """The name of the column: ``age``."""
        if self.drawn:
            return message("drawn")
        return self.column or (cut(Path(self.path).stem) if self.path else message("value"))

    @property
    def description(self) -> str:
        """The origin of the column: ``survey_1996.csv · age``, or the number of values."""
        if self.drawn:
            return message("drawn, {count} rows", count=group_thousands(self.rows))
        if self.values is not None:
            return message("{count} numbers", count=len(self.values))
        return message("{file} · {column}", file=self.file, column=self.column) if self.column else self.file

    @property
    def file(self) -> str:
        """The name of the file."""
        return cut(re.split(r"[\\/]", self.path.removeprefix(EXAMPLE))[-1])

    @property
    def changed(self) -> int:
        """The time when the column's file was last changed, in nanoseconds; 0 if there is none."""
        return changed_at(resolved(self.path)) if self.path else 0

    def numbers(self) -> Floats:
        """Return the numbers, one per row; nan where a row has none.

        Raises
        ------
        InputError
            If the file cannot be read, or has no row.
        """
        if self.values is not None:
            return self.values.doubles
        path = resolved(self.path)
        values = _read(path, self.changed, self.column, self.partial)
        if not len(values):
            raise InputError(f"{cut(path.name)} must contain at least one row, got only a header.", "column")
        return values

    def complete(self) -> Floats:
        """Return the numbers; refuse missing ones, or leave them out.

        Raises
        ------
        InputError
            As `numbers`; if a row has no number, with its place; if no row has one.
        """
        values = self.numbers()
        missing = np.flatnonzero(np.isnan(values))
        if self.partial and len(missing) < len(values):
            return values[~np.isnan(values)]
        if len(missing):
            row, many = grouped(int(missing[0]) + 1), len(missing)
            others = f" and {many - 1} more" if many > 1 else ""
            raise InputError(f"every row of {self.title} must have a number, got none in row {row}{others}.", "column")
        return values

    @property
    def incomplete(self) -> int:
        """The number of rows of a file that have no number; 0 if all are without one, or it cannot be read."""
        if not self.path:
            return 0
        try:
            missing = np.isnan(replace(self, partial=True).numbers())
        except InputError:
            return 0
        return 0 if missing.all() else int(missing.sum())

    def outside(self, cells: Cells) -> int:
        """Return the number of rows that lie in no cell of an axis."""
        values = self.complete()
        return int(((values < cells.edges[0]) | (values >= cells.edges[-1])).sum())

    def counts(self, cells: Cells, *, clamp: bool = False, field: str = "high") -> Integers:
        """Return the number of rows in each cell of an axis, read-only.

        Parameters
        ----------
        cells : Cells
        clamp : bool
            Whether rows in no cell count in the nearest one.
        field : str
            The input that an error about such a row names.

        Raises
        ------
        InputError
            As `complete`; if a row lies in no cell and may not be clamped.
        """
        return _counts(self, self.changed, cells, clamp, field)

    def inside(self, cells: Cells, field: str, hint: str = "") -> Floats:
        """Return the numbers, each of which must be in a cell of an axis or satisfy the hint; raises as `counts`."""
        values = self.complete()
        if (place := cells.outside(values)) is not None:
            low, high = nearest(cells.low), nearest(cells.high)
            many = self.outside(cells)
            others = f" and {many - 1} more outside" if many > 1 else ""
            wanted = f"every row of {self.title} must be at least {low:g} and below {high:g}{hint}"
            suggestion = "clamp" if hint else ""
            raise InputError(f"{wanted}, got {values[place]:g} in row {group_thousands(place + 1)}{others}.", field, suggestion)
        return values

    def beside(self, folder: Path) -> ColumnSpec:
        """Return a copy with a moved file located by name in a folder."""
        path = relocated(self.path, folder)
        return self if path == self.path else replace(self, path=path)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, column: str, partial: bool) -> Floats:
    values = read_values(path, column, partial=partial)
    values.flags.writeable = False
    return values


@lru_cache(maxsize=8)
def _counts(given: ColumnSpec, changed: int, cells: Cells, clamp: bool, field: str) -> Integers:
    if given.shape is not None:
        counts = drawn_counts(given.shape.probabilities, given.rows, cells.size)
    else:
        counts = cells.counts(given.complete() if clamp else given.inside(cells, field, ", or be clamped"))
    counts.flags.writeable = False
    return counts


def complete_pair(first: ColumnSpec, second: ColumnSpec) -> tuple[ColumnSpec, ColumnSpec]:
    """Return both columns with the rows that have a number in each; refuse the others, unless they are left out."""
    x, y = (replace(each, partial=True).numbers() for each in (first, second))
    if len(x) != len(y):
        raise InputError(f"both columns must have the same number of rows, got {len(x)} and {len(y)}.", "second")
    missing = np.isnan(x) | np.isnan(y)
    for field, each in (("first", first), ("second", second)):
        try:
            each.complete()
        except InputError as error:
            if each.partial or not each.path or missing.all():
                raise
            raise InputError(str(error), field, str(int(missing.sum()))) from None
    if missing.all():
        raise InputError(f"a row must have a number in {first.title} and in {second.title}, but none has.", "second")
    if not missing.any():
        return first, second
    return replace(first, values=ArrayValues(x[~missing])), replace(second, values=ArrayValues(y[~missing]))


class ColumnInput(Input[ColumnSpec]):
    """A column of numbers.

    Parameters
    ----------
    example : ColumnSpec
        What is offered to try.
    drawable : bool
        Whether it may be drawn, ``{"drawn": WEIGHTS or NAME, "rows": COUNT}``.
    """

    def __init__(self, example: ColumnSpec, drawable: bool = False) -> None:
        self.example, self.drawable = example, drawable

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> ColumnSpec:
        if isinstance(given, ColumnSpec):
            return given
        if isinstance(given, Mapping) and "drawn" in given and self.drawable:
            return _drawn(given, key)
        if isinstance(given, (str, os.PathLike)):
            return _of_file({"path": os.fspath(given)}, key)
        if isinstance(given, Mapping):
            return _of_file(given, key)
        return ColumnSpec(values=column_values(given, key))

    @override
    def as_json(self, value: ColumnSpec, key: str) -> dict[str, Any]:
        if value.values is not None:
            return {key: value.values.tolist()}
        if value.shape is not None:
            return {key: {**DistributionInput(BARS).as_json(value.shape, "drawn"), "rows": value.rows}}
        return {key: {"path": value.path, "column": value.column, **({"partial": True} if value.partial else {})}}

    @override
    def as_public_json(self, value: ColumnSpec, key: str) -> dict[str, Any]:
        """Return a drawn column, and of any other column only its name."""
        return self.as_json(value, key) if value.drawn else {key: value.title}

    @override
    def text(self, value: ColumnSpec) -> str:
        return value.description

    @override
    def beside(self, value: ColumnSpec, folder: Path) -> ColumnSpec:
        return value.beside(folder)


def _drawn(given: Mapping[Any, Any], key: str) -> ColumnSpec:
    shape = given["drawn"]
    if isinstance(shape, np.ndarray):
        shape = shape.tolist()
    named = isinstance(shape, str)
    if set(given) != {"drawn", "rows"} or not (named or (isinstance(shape, list | tuple) and 0 < len(shape) <= _MOST_BARS)):
        wanted = f"{{'drawn': a shape by name, or 1 to {_MOST_BARS} weights along the axis, 'rows': COUNT}}"
        raise InputError(f"the {key} must be {wanted}, got {excerpt(dict(given))}.", key)
    try:
        shape_drawn = Prior(shape if named else tuple(shape), (BARS if named else len(shape)) - 1)
    except InputError as error:
        raise InputError(str(error).replace("the prior", "the shape"), key, error.suggestion) from error
    return ColumnSpec(shape=shape_drawn, rows=parse_integer(given["rows"], "rows", 1, MOST_ROWS))


def _of_file(given: Mapping[Any, Any], key: str) -> ColumnSpec:
    path, column, partial = given.get("path"), given.get("column", None), given.get("partial", False)
    path = os.fspath(path) if isinstance(path, os.PathLike) else path
    names = {"path", "column", "partial"} >= set(given) and isinstance(partial, bool)
    if not (names and isinstance(path, str) and isinstance(column, str | None) and 0 < len(path) <= _LONGEST):
        wanted = "a list of numbers, or {'path': FILE, 'column': NAME}"
        raise InputError(f"the {key} must be {wanted}, got {excerpt(given)}.", key)
    if column is None:
        column = only_column(resolved(path), key)
    if len(column) > _LONGEST:
        raise InputError(f"the name of a column must have at most {_LONGEST} characters, got {len(column)}.", key)
    return ColumnSpec(path, column, partial=partial)


def column_values(given: Any, key: str) -> ArrayValues:
    """Return numbers given one per row, in any order of their labels; nan where one is missing.

    Raises
    ------
    InputError
        If a row is no number; the sentence names it.
    """
    return _numbers(as_numbers(given, "the column", key, by_place=False), key)


def _numbers(given: Any, key: str) -> ArrayValues:
    if isinstance(given, np.ndarray) and given.dtype.kind in "iufb":
        array = given.astype(float) if given.dtype.kind == "b" else given
    elif isinstance(given, Iterable):
        array = np.array([_number(value, place, key) for place, value in enumerate(given)], dtype=float)
    else:
        raise InputError(f"the {key} must be a list of numbers, got {excerpt(given)}.", key)
    if array.ndim != 1 or not 0 < len(array) <= MOST_ROWS:
        got = "none" if not array.size else f"an array of shape {array.shape}"
        allowed = grouped(MOST_ROWS)
        raise InputError(f"the {key} must have one number per row, for 1 to {allowed} rows, got {got}.", key)
    wrong = np.flatnonzero(np.isinf(array))
    if len(wrong):
        raise InputError(f"every row of the {key} must be a finite number, got {array[wrong[0]]} in row {wrong[0] + 1}.", key)
    return ArrayValues(array)


def _number(value: object, place: int, key: str) -> float:
    if value is None or (isinstance(value, float) and math.isnan(value)) or value == "":
        return math.nan
    try:
        return double(exact(value))
    except InputError:
        problem = f"every row of the {key} must be a number, got {excerpt(value)} in row {place + 1}"
        raise InputError(f"{problem}.", key) from None
