"""Columns of numbers from files, for histograms: the values of one column, whatever their kind."""

from __future__ import annotations

import math
import os
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesigner import resources
from dpdesigner.core.numbers import is_number
from dpdesigner.errors import InputError
from dpdesigner.files.grid import Line, lines, read_text

#: A path that starts like this names a file that ships with the program.
EXAMPLE = "example:"
_LOOKED_AT = 50


def resolved(path: str) -> Path:
    """Return where a file is; ``example:NAME`` is one that ships with the program."""
    if path.startswith(EXAMPLE):
        return resources.path("data", Path(path.removeprefix(EXAMPLE)).name)
    return Path(path)


def number_columns(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of the columns that hold numbers, looking at the first lines; ``""`` for a file of one unnamed column.

    Raises
    ------
    InputError
        If the file cannot be read or no column holds numbers.
    """
    name = Path(path).name
    found = list(islice(lines(read_text(path), name), _LOOKED_AT))
    if not found:
        raise InputError(f"{name} must hold at least one number, got an empty file.", "path")
    header, body = _parted(found)
    width = len(found[0].cells)
    numeric = [k for k in range(width) if any(k < len(line.cells) and is_number(line.cells[k]) for line in body)]
    if not numeric:
        raise InputError(f"{name} must have a column of numbers, got none in its first {len(found)} lines.", "path")
    return [header[k] if header else ("" if width == 1 else str(k + 1)) for k in numeric]


def read_values(path: str | os.PathLike[str], column: str) -> NDArray[np.float64]:
    """Read a column of numbers.

    Parameters
    ----------
    path : path-like
        CSV or TSV; the first line may hold the names of the columns.
    column : str
        One of `number_columns`; without names, the number of the column from 1.

    Returns
    -------
    ndarray
        (rows,): nan where a cell is empty.

    Raises
    ------
    InputError
        If the file cannot be read or a cell holds something else; the sentence names the line.
    """
    name = Path(path).name
    header, body = _parted(list(lines(read_text(path), name)))
    names = header or [""] if not body or len(body[0].cells) == 1 else header or list(map(str, range(1, len(body[0].cells) + 1)))
    if column not in names:
        raise InputError(f"{name} must have a column named {column!r}; its columns are {', '.join(names)}.", "column")
    place = names.index(column)
    return np.array([_value(line, place, name) for line in body])


def _parted(found: list[Line]) -> tuple[list[str], list[Line]]:
    """The names of the columns, if the first line has any, and the lines below."""
    if found and any(cell and not is_number(cell) for cell in found[0].cells):
        return found[0].cells, found[1:]
    return [], found


def _value(line: Line, place: int, name: str) -> float:
    cell = line.cells[place] if place < len(line.cells) else ""
    if not cell:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise InputError(f"{name}, line {line.number}: a value must be a number or empty, got {cell[:40]!r}.", "path")
    return value
