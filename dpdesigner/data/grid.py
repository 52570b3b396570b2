"""Text files as lines of cells: encodings, separators, size limits and line numbers, for every table that is read."""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics.parsing import cut, double, excerpt, is_number
from dpdesigner.errors import InputError, reason

#: Endings of the files that may contain a table.
TABLE_ENDINGS = (".csv", ".tsv", ".txt")
LARGEST_BYTES = 100_000_000
LARGEST_SIDE = 5000
LONGEST_PATH = 150  # characters of a path in a message
MOST_CELLS = 100_000  # cells of a line
#: The file name that stands for standard input or standard output, where a command allows it.
STANDARD = "-"

#: The start of a line that is skipped; a quotation mark before the # does not extend it beyond the line.
_REMARK = re.compile(r'\s*"?\s*#')
#: The start of a formula in any script, even after blanks; one extra apostrophe keeps a text that starts with one intact.
_FORMULA = re.compile(r"\s*'*\s*[=+\-@＝＋－＠\t\r]")
_COMMA = re.compile(r"[-+]?(0?,\d+|\d+,(\d\d?|\d{4,})|[1-9]\d{0,2}(\.\d{3})+,\d+)", re.ASCII)
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+", re.ASCII)
#: What no text in Windows-1252 has: control characters, bytes that it lacks, and letters of UTF-8, which was damaged then.
_NO_WINDOWS = re.compile(rb"[\0-\x08\x0e-\x1f\x7f\x81\x8d\x8f\x90\x9d]|\xc3[\x80-\xbf]")
#: The tables that were read as Windows-1252, as given.
OLDER: set[str] = set()
_BYTE_ORDER_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class Line(NamedTuple):
    """A line with content: its number in the file, from 1, and its cells without surrounding blanks."""

    number: int
    cells: list[str]


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting; a pipe with no writer counts as empty."""
    if sys.platform == "win32":
        return os.open(path, flags)
    handle = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    return handle


def _may_be_read(path: str | os.PathLike[str], piped: bool) -> bool:
    """Return whether it is a regular file, or a pipe if allowed; a missing file passes, because opening it explains the error."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or (piped and stat.S_ISFIFO(mode))


def file_title(path: str | os.PathLike[str]) -> str:
    """Return the name of an input file for use in a sentence.

    >>> file_title("tables/mine.csv"), file_title("-")
    ('mine.csv', 'standard input')
    """
    return "standard input" if os.fspath(path) == STANDARD else cut(Path(path).name)


def read_text(path: str | os.PathLike[str], *, piped: bool = False) -> str:
    """Read a text file in UTF-8, or in UTF-16 with a byte order mark; a table in neither is read as Windows-1252.

    Parameters
    ----------
    path : path-like
    piped : bool
        Whether it may be a pipe, or ``-`` for standard input, as what is given to a command may be; what another file names may
        not, and no device is read.

    Raises
    ------
    InputError
        If it cannot be read, is no regular file, is larger than 100 MB or is in another encoding.
    """
    standard = piped and os.fspath(path) == STANDARD
    name = file_title(path) if standard else cut(Path(path).name)
    given = name if standard else cut(os.fspath(path), LONGEST_PATH)
    given = given if "." in given else f"the file {given}"
    try:
        if not standard and not _may_be_read(path, piped):
            raise InputError(f"{given} could not be read: it is not a regular file.", "file")
        if standard:
            data = b"" if sys.stdin is None else sys.stdin.buffer.read(LARGEST_BYTES + 1)
        else:
            with open(path, "rb", opener=_open_at_once) as file:
                data = file.read(LARGEST_BYTES + 1)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{given} could not be read: there is no such file.", "file") from None
    except PermissionError:
        problem = "you have no permission to read the folder or the file"
        raise InputError(f"{given} could not be read: {problem}.", "file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{given} could not be read: {reason(error)}.", "file") from error
    data = _expanded(data, name)
    if len(data) > LARGEST_BYTES:
        raise InputError(f"{name} must be at most {LARGEST_BYTES // 1_000_000} MB, got a larger file.", "file")
    if data.startswith(b"PK\3\4"):  # Excel and OpenDocument
        raise InputError(f"{name} must be a text file, got a spreadsheet: save its sheet as CSV.", "file")
    encoding = next((named for mark, named in _BYTE_ORDER_MARKS.items() if data.startswith(mark)), "utf-8")
    OLDER.discard(os.fspath(path))
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8" or Path(path).suffix.lower() not in TABLE_ENDINGS or _NO_WINDOWS.search(data):
            wrong = f"an invalid byte at position {error.start}"
            problem = f"must be text in UTF-8 (or UTF-16 with a byte order mark), got {wrong}"
            raise InputError(f"{name} {problem}.", "file") from None
        text = data.decode("cp1252")
        OLDER.add(os.fspath(path))
    if "\0" in text:
        raise InputError(f"{name} must be a text file, got one with a zero byte at position {text.index(chr(0))}.", "file")
    return text


def _expanded(data: bytes, name: str) -> bytes:
    """The contents of a file compressed by gzip, up to a byte more than is read; another file's bytes as they are."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as file:
            return file.read(LARGEST_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{name} could not be read: it is not a whole gzip file.", "file") from None


def lines(text: str, name: str, passed: Passed | None = None) -> Iterator[Line]:
    """Yield the lines of a table; blank lines and lines that start with # are skipped.

    Cells are separated by tabs, semicolons, commas or blanks: by the first of these that the first line has; if it
    has none, each line is one cell. A line that starts with # ends where the line ends, whatever quotation marks are in it.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for the sentence of an error.
    passed : Passed, optional
        Takes the numbers of the lines passed over. With it, every line is a row of its own: lines of blank cells are yielded too,
        and a quotation mark that encloses a line end is refused.

    Raises
    ------
    InputError
        If quotation marks do not enclose whole cells, a cell is too long, or a line has too many of them.
    """
    return _rows(_text_lines(text), _separator_of(_text_lines(text)), "'" in text, name, passed)


def _rows(text_lines: Iterator[str], separator: str, marked: bool, name: str, passed: Passed | None) -> Iterator[Line]:
    """Yield the lines of a text as `lines` does; `marked` if a cell may begin with an apostrophe."""
    source = _Source(text_lines, separator, name, passed)
    reader = csv.reader(source, delimiter=separator, skipinitialspace=True, strict=True)
    while True:
        source.begin()
        try:
            raw = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            long = f"a cell must have at most {csv.field_size_limit()} characters, got more"
            problem = long if "limit" in str(error) else "the quotation marks do not enclose whole cells"
            raise InputError(f"{name}, line {source.number}: {problem}.", "file") from None
        if passed is not None and source.number > source.first:
            problem = "a row must end on its line, got a quotation that continues on the next line"
            raise InputError(f"{name}, line {source.first}: {problem}.", "file")
        cells = list(map(str.strip, raw))
        if marked:
            cells = list(map(unguarded, cells))
        if separator == " ":
            cells = [cell for cell in cells if cell]
        if any(cells) or (passed is not None and len(cells) > 1):
            yield Line(source.number, cells)
        elif passed is not None:
            passed.blank.append(source.number)


class LineFile:
    """The lines of a table that may be larger than memory; each pass over it reads the file again.

    Parameters
    ----------
    path : path-like
        A file in UTF-8, or in UTF-16 with a byte order mark; ``-`` is standard input, which is held in memory.

    Raises
    ------
    InputError
        As `read_text` and `lines`, but for the size.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = file_title(path)
        self._path = path
        self._text = read_text(path, piped=True) if os.fspath(path) == STANDARD or not os.path.isfile(path) else None

    def __iter__(self) -> Iterator[Line]:
        if self._text is not None:
            yield from lines(self._text, self.name)
            return
        try:
            with open(self._path, "rb") as file:
                start = file.read(3)
                encoding = next((named for mark, named in _BYTE_ORDER_MARKS.items() if start.startswith(mark)), "utf-8")
            with open(self._path, encoding=encoding, newline="") as file:
                separator = _separator_of(file)
                file.seek(0)
                yield from _rows(file, separator, True, self.name, None)
        except InputError:
            raise
        except UnicodeError:
            problem = "must be text in UTF-8 (or UTF-16 with a byte order mark), got an invalid byte"
            raise InputError(f"{self.name} {problem}.", "file") from None
        except OSError as error:
            raise InputError(f"{self.name} could not be read: {reason(error)}.", "file") from error


class Passed(NamedTuple):
    """The numbers of the skipped lines: comments that start with #, and blank lines."""

    remarks: list[int]
    blank: list[int]


class _Source:
    """Numbered lines of a text for a CSV reader; lines that start with # are skipped."""

    def __init__(self, text_lines: Iterator[str], separator: str, name: str, passed: Passed | None) -> None:
        self._lines, self._separator, self._name, self._passed = text_lines, separator, name, passed
        self.number = self.first = 0

    def begin(self) -> None:
        """Mark the next line as the beginning of a row."""
        self.first = 0

    def __iter__(self) -> _Source:
        return self

    def __next__(self) -> str:
        for line in self._lines:
            self.number += 1
            if not self.first and _REMARK.match(line):
                if self._passed is not None:
                    self._passed.remarks.append(self.number)
                continue
            self.first = self.first or self.number
            if len(line) > MOST_CELLS and line.count(self._separator) >= MOST_CELLS:
                problem = f"a line must have at most {MOST_CELLS} cells, got more"
                raise InputError(f"{self._name}, line {self.number}: {problem}.", "file")
            return line
        raise StopIteration


def guarded(cell: str) -> str:
    """Return a cell for writing: an apostrophe in front keeps a spreadsheet from reading it as a formula.

    Numbers stay as they are; `lines` takes the apostrophe off again.
    """
    return f"'{cell}" if _FORMULA.match(cell) and not is_number(cell) else cell


def tabbed(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as lines of tab-separated cells, ready to paste into a spreadsheet, each cell `guarded`."""
    return "\n".join("\t".join(map(guarded, row)) for row in rows)


def unguarded(cell: str) -> str:
    """Return the original cell of one written by `guarded`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) and not is_number(cell[1:]) else cell


def _pointed(cell: str) -> str:
    """Return a number with a decimal comma, as between semicolons, with a point; three digits after it could be thousands."""
    return cell.replace(".", "").replace(",", ".") if "," in cell and _COMMA.fullmatch(cell) else cell


def numeric(cell: str) -> bool:
    """Return whether a cell is a number, with a decimal point or comma."""
    return is_number(_pointed(cell))


def decimal(cell: str) -> float:
    """Return a number; nan for any other text."""
    try:
        return double(_pointed(cell))
    except InputError:
        return math.nan


#: A range of whole numbers, like 20-29, 20–29, 20 to 29; 90+; under 20, <20; over 65, >65; ≥65, ≤19.
_RANGE = re.compile(r"(\d+)\s*(?:-|–|to)\s*(\d+)|(\d+)\s*\+|(under|over|<|>|≤|≥)\s*(\d+)", re.IGNORECASE)


def having(cell: str, values: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Return who has this value, (n,); where nobody has and all are whole numbers or empty, who is in this range: ``20-29``."""
    same, match = np.asarray(values == cell), _RANGE.fullmatch(cell.strip())
    if same.any() or match is None:
        return same
    low, high, least, sign, end = match.groups()
    numbers = np.array([decimal(value) for value in values])
    whole = (np.mod(numbers, 1) == 0) | (values == "")
    if sign is None:
        inside = (numbers >= int(low or least)) & (numbers <= (int(high) if high else math.inf))
    else:
        first = {"under": numbers < int(end), "over": numbers > int(end), "≤": numbers <= int(end), "≥": numbers >= int(end)}
        inside = first[{"<": "under", ">": "over"}.get(sign, sign.lower())]
    return np.asarray(inside & whole.all())


def uniform(rows: Iterable[Line], place: int, name: str) -> Iterator[Line]:
    """Yield lines; refuse a number like 1.204 in a column with decimal commas, where the point may separate thousands."""
    commas, pointed = False, None
    for line in rows:
        cell = line.cells[place] if place < len(line.cells) else ""
        commas = commas or ("," in cell and _COMMA.fullmatch(cell) is not None)
        if pointed is None and _THOUSANDS.fullmatch(cell):
            pointed = line
        if commas and pointed is not None:
            got = f"got {excerpt(pointed.cells[place])} in a column with decimal commas"
            raise InputError(f"{name}, line {pointed.number}: a number must be unambiguous, {got}.", "path")
        yield line


def _text_lines(text: str) -> Iterator[str]:
    """Return the lines of a text with their line endings, using as little memory as possible for the copy."""
    return io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), "utf-8", "surrogatepass", newline="")


def _separator_of(text_lines: Iterable[str]) -> str:
    for line in text_lines:
        if line.strip() and not _REMARK.match(line):
            return next((mark for mark in "\t;," if mark in line), " " if " " in line.strip() else "\t")  # one cell a line
    return ","
