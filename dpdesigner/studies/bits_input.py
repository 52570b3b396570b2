"""Inputs that are data: a column of 0 and 1, given by its digits or by the name of a file; a file; a table, perhaps in a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from dpdesigner.core.numbers.given import shown
from dpdesigner.core.numbers.objects import plain
from dpdesigner.data.bits import read_bits
from dpdesigner.data.columns import beside, changed_at, number_columns, resolved
from dpdesigner.data.grid import Line, lines, read_text
from dpdesigner.errors import InputError
from dpdesigner.studies.input_kinds import Input, TextLike
from dpdesigner.studies.said import said

Bits = NDArray[np.int8]
T = TypeVar("T")

FILE = "file:"  #: begins a text that names a file

_LONGEST_PATH = 4000
_BITS = re.compile(r"[01]+")


class BitsInput(Input[str]):
    """A column of 0 and 1: its digits, or ``FILE#COLUMN``; empty to draw one at random.

    Parameters
    ----------
    most : int
        How many values it may have.
    """

    def __init__(self, most: int) -> None:
        self.most = most

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        given = plain(given, "the column", key)
        given = os.fspath(given) if isinstance(given, os.PathLike) else "" if given is None else given
        if isinstance(given, (list, tuple, np.ndarray)):
            given = self._digits(np.asarray(given, dtype=object), key)
        if not isinstance(given, str) or len(given) > max(self.most, _LONGEST_PATH) or not given.isprintable():
            raise InputError(
                f"the column must be 0s and 1s, at most {self.most}, or the name of a file, got {shown(given)}.", key
            )
        if drawn_by_hand(given) and len(given) > self.most:
            raise InputError(f"the column must have at most {self.most} values, got {len(given)}.", key)
        return given.strip()

    def _digits(self, values: Any, key: str) -> str:
        if values.ndim != 1 or not 1 <= len(values) <= self.most:
            raise InputError(f"the column must be a list of 1 to {self.most} values, got shape {values.shape}.", key)
        for place, value in enumerate(values.tolist(), 1):
            if isinstance(value, str) or value not in (0, 1):
                raise InputError(f"the column must hold 0 and 1 only, got {shown(value)} in row {place}.", key)
        return "".join("1" if value else "0" for value in values.tolist())

    @override
    def text(self, value: str) -> str:
        if not value:
            return said("random")
        return said("painted") if drawn_by_hand(value) else file_of(value)[1] or said("a column of a file")

    @override
    def beside(self, value: str, folder: Path) -> str:
        path, name = ("", "") if drawn_by_hand(value) else file_of(value)
        moved = beside(path, folder)
        return value if moved == path else f"{moved}#{name}" if name else moved


class PathInput(Input[str]):
    """The name of a file; empty for none."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        given = os.fspath(given) if isinstance(given, os.PathLike) else "" if given is None else given
        if not isinstance(given, str) or len(given) > _LONGEST_PATH or not given.isprintable():
            raise InputError(f"{key} must be the name of a file, got {shown(given)}.", key)
        return given.strip()

    @override
    def text(self, value: str) -> str:
        return said("a file") if value else ""

    @override
    def beside(self, value: str, folder: Path) -> str:
        return beside(value, folder)


class TableInput(TextLike[T]):
    """Rows of numbers that may be in a file, ``"file: PATH"``."""

    @override
    def beside(self, value: T, folder: Path) -> T:
        if not isinstance(value, str) or not value.startswith(FILE):
            return value
        path = value.removeprefix(FILE).strip()
        moved = beside(path, folder)
        return value if moved == path else cast(T, f"{FILE} {moved}")


def _path(text: str) -> Path:
    return resolved(text.removeprefix(FILE).strip())


def table_lines(text: str) -> tuple[str, Iterator[Line]]:
    """Return the name of the file that a text ``"file: PATH"`` gives, and its lines."""
    path = _path(text)
    return path.name, lines(read_text(path), path.name)


def table_changed_at(text: str) -> int:
    """Return when the file that such a text gives was changed, in nanoseconds; 0 where there is none."""
    return changed_at(_path(text)) if text.startswith(FILE) else 0


def drawn_by_hand(column: str) -> bool:
    """Whether a column is given by its digits."""
    return bool(column) and _BITS.fullmatch(column) is not None


def file_of(column: str) -> tuple[str, str]:
    """Return the file and the name of the column in it, which may be empty."""
    path, mark, name = column.rpartition("#")
    return (path, name) if mark and not os.path.exists(resolved(column)) else (column, "")


def bits_of(column: str) -> Bits:
    """Return the whole column that its digits, or ``FILE#COLUMN``, give."""
    if drawn_by_hand(column):
        return np.frombuffer(column.encode(), dtype=np.uint8).astype(np.int8) - 48
    path, name = file_of(column)
    where = resolved(path)
    return _read(where, changed_at(where), name)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, name: str) -> Bits:
    if not name:
        names = number_columns(path)
        if len(names) > 1:
            raise InputError(f"the column must be named, FILE#COLUMN, one of {', '.join(names)}.", "column")
        name = names[0]
    bits = read_bits(path, name)
    bits.setflags(write=False)
    return bits
