"""A column of numbers as an input: of a file, of one that ships with the program, or the numbers themselves."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from typing_extensions import override

from dpdesigner.arrays import Floats
from dpdesigner.core.numbers.given import cut, double, exact, shown
from dpdesigner.core.numbers.held import Held
from dpdesigner.core.numbers.objects import plain
from dpdesigner.data.columns import EXAMPLE, number_columns, read_values, resolved
from dpdesigner.errors import InputError
from dpdesigner.studies.input_kinds import Input
from dpdesigner.studies.said import said

MOST_ROWS = 20_000_000
_LONGEST = 4000


@dataclass(frozen=True)
class GivenColumn:
    """Where a column is: a file with the name of the column, or the numbers.

    Attributes
    ----------
    path : str
        A file, or ``example:NAME`` for one that ships with the program; empty where the numbers are given.
    column : str
        Its name; empty for a single one without a name.
    values : Held or None
        The numbers.
    """

    path: str = ""
    column: str = ""
    values: Held | None = None

    @property
    def known(self) -> bool:
        """Whether there is a column at all."""
        return bool(self.path) or self.values is not None

    @property
    def title(self) -> str:
        """What the column is called: ``age``."""
        return self.column or (cut(Path(self.path).stem) if self.path else said("value"))

    @property
    def words(self) -> str:
        """Where it is from: ``survey_1996.csv · age``, or how many numbers."""
        if self.values is not None:
            return said("{count} numbers", count=len(self.values))
        name = cut(re.split(r"[\\/]", self.path.removeprefix(EXAMPLE))[-1])
        return said("{file} · {column}", file=name, column=self.column) if self.column else name

    def numbers(self) -> Floats:
        """Return the numbers, one a row; nan where a row has none.

        Raises
        ------
        InputError
            If the file cannot be read, or has no row.
        """
        if self.values is not None:
            return self.values.doubles
        path = resolved(self.path)
        found = _read(path, path.stat().st_mtime_ns if path.exists() else 0, self.column)
        if not len(found):
            raise InputError(f"{cut(path.name)} must hold at least one row, got only a header.", "column")
        return found

    def complete(self) -> Floats:
        """Return the numbers, of which none may be missing.

        Raises
        ------
        InputError
            As `numbers`; if a row has no number, with its place.
        """
        found = self.numbers()
        missing = np.flatnonzero(np.isnan(found))
        if len(missing):
            row, many = f"{int(missing[0]) + 1:,}".replace(",", " "), len(missing)
            others = f" and {many - 1} more" if many > 1 else ""
            raise InputError(f"every row of {self.title} must have a number, got none in row {row}{others}.", "column")
        return found

    def beside(self, folder: Path) -> GivenColumn:
        """Return it as found in a folder by its file's name, if it is no longer where it was."""
        if not self.path or resolved(self.path).exists():
            return self
        here = folder.absolute() / re.split(r"[\\/]", self.path)[-1]
        return GivenColumn(str(here), self.column) if here.is_file() else self


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, column: str) -> Floats:
    found = read_values(path, column)
    found.flags.writeable = False
    return found


class ColumnInput(Input[GivenColumn]):
    """A column of numbers.

    Parameters
    ----------
    example : GivenColumn
        What is offered to try.
    """

    def __init__(self, example: GivenColumn) -> None:
        self.example = example

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> GivenColumn:
        if isinstance(given, GivenColumn):
            return given
        if isinstance(given, (str, os.PathLike)):
            return _of_file({"path": os.fspath(given)}, key)
        if isinstance(given, Mapping):
            return _of_file(given, key)
        return GivenColumn(values=_numbers(plain(given, "the column", key), key))

    @override
    def as_json(self, value: GivenColumn, key: str) -> dict[str, Any]:
        if value.values is not None:
            return {key: value.values.tolist()}
        return {key: {"path": value.path, "column": value.column}}

    @override
    def text(self, value: GivenColumn) -> str:
        return value.words

    @override
    def held(self, value: GivenColumn) -> Hashable:
        return value


def _of_file(given: Mapping[Any, Any], key: str) -> GivenColumn:
    path, column = given.get("path"), given.get("column", None)
    names = {"path", "column"} >= set(given)
    if not (names and isinstance(path, str) and isinstance(column, str | None) and 0 < len(path) <= _LONGEST):
        wanted = "a list of numbers, or {'path': FILE, 'column': NAME}"
        raise InputError(f"the {key} must be {wanted}, got {shown(given)}.", key)
    if column is None:
        found = number_columns(resolved(path))
        if len(found) > 1:
            raise InputError(f"the column must be named, one of {cut(', '.join(found), 150)}.", key, found[0])
        column = found[0]
    if len(column) > _LONGEST:
        raise InputError(f"the name of a column must have at most {_LONGEST} characters, got {len(column)}.", key)
    return GivenColumn(path, column)


def _numbers(given: Any, key: str) -> Held:
    if isinstance(given, np.ndarray) and given.dtype.kind in "iufb":
        array = given.astype(float) if given.dtype.kind == "b" else given
    elif isinstance(given, Iterable):
        array = np.array([_number(value, place, key) for place, value in enumerate(given)], dtype=float)
    else:
        raise InputError(f"the {key} must be a list of numbers, got {shown(given)}.", key)
    if array.ndim != 1 or not 0 < len(array) <= MOST_ROWS:
        got = "none" if not array.size else f"an array of shape {array.shape}"
        allowed = f"{MOST_ROWS:,}".replace(",", " ")
        raise InputError(f"the {key} must have one number a row, 1 to {allowed} rows, got {got}.", key)
    wrong = np.flatnonzero(np.isinf(array))
    if len(wrong):
        raise InputError(f"every row of the {key} must be a finite number, got {array[wrong[0]]} in row {wrong[0] + 1}.", key)
    return Held(array)


def _number(value: object, place: int, key: str) -> float:
    if value is None or (isinstance(value, float) and math.isnan(value)) or value == "":
        return math.nan
    try:
        return double(exact(value))
    except InputError:
        problem = f"every row of the {key} must be a number, got {shown(value)} in row {place + 1}"
        raise InputError(f"{problem}.", key) from None
