"""Text files as lines of cells: encodings, separators, size limits and line numbers, for every table that is read."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dpdesigner.core.numbers.given import cut
from dpdesigner.errors import InputError, reason

LARGEST_BYTES = 100_000_000
LARGEST_SIDE = 5000
LONGEST_PATH = 150  # characters, in a sentence

_BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class Line(NamedTuple):
    """One line that holds something: its number in the file, from 1, and its cells without surrounding blanks."""

    number: int
    cells: list[str]


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes to is empty, rather than to be waited for."""
    if sys.platform == "win32":
        return os.open(path, flags)
    handle = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    return handle


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text file in UTF-8, or in UTF-16 with a byte order mark.

    Raises
    ------
    InputError
        If it cannot be read, is larger than 100 MB or is in another encoding.
    """
    name = cut(Path(path).name)
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            data = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{cut(os.fspath(path), LONGEST_PATH)} could not be read: there is no such file.", "file") from None
    except PermissionError:
        problem = "the folder or the file may not be read"
        raise InputError(f"{cut(os.fspath(path), LONGEST_PATH)} could not be read: {problem}.", "file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{cut(os.fspath(path), LONGEST_PATH)} could not be read: {reason(error)}.", "file") from error
    if len(data) > LARGEST_BYTES:
        raise InputError(f"{name} must be at most {LARGEST_BYTES // 1_000_000} MB, got a larger file.", "file")
    encoding = next((named for mark, named in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        wrong = f"a byte of neither at position {error.start}"
        raise InputError(f"{name} must be text in UTF-8 (or UTF-16 with a byte order mark), got {wrong}.", "file") from None
    if "\0" in text:
        raise InputError(f"{name} must be a text file, got one with a zero byte at position {text.index(chr(0))}.", "file")
    return text


def lines(text: str, name: str, passed: list[int] | None = None) -> Iterator[Line]:
    """Yield the lines of a table; blank lines and lines that start with # are passed over.

    Cells are separated by tabs, semicolons, commas or blanks: by the first of these that the first line has.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for the sentence of an error.
    passed : list of int, optional
        Takes the numbers of the lines that start with #; with it, lines of blank cells are yielded too.

    Raises
    ------
    InputError
        If quotation marks do not enclose whole cells, or a cell is too long.
    """
    separator = _separator(text)
    reader = csv.reader(_text_lines(text), delimiter=separator, skipinitialspace=True, strict=True)
    while True:
        try:
            raw = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            long = f"a cell must have at most {csv.field_size_limit()} characters, got more"
            problem = long if "limit" in str(error) else "the quotation marks do not enclose whole cells"
            raise InputError(f"{name}, line {reader.line_num}: {problem}.", "file") from None
        cells = [cell.strip() for cell in raw]
        if separator == " ":
            cells = [cell for cell in cells if cell]
        if cells and cells[0].startswith("#"):
            if passed is not None:
                passed.append(reader.line_num)
        elif any(cells) or (passed is not None and len(cells) > 1):
            yield Line(reader.line_num, cells)


def _text_lines(text: str) -> Iterator[str]:
    """The lines of a text, as they end; a second copy in memory is as small as text can be."""
    return io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), "utf-8", "surrogatepass", newline="")


def _separator(text: str) -> str:
    for line in _text_lines(text):
        if line.strip() and not line.lstrip().startswith("#"):
            return next((mark for mark in "\t;," if mark in line), " ")
    return ","
