"""Columns of numbers from files: counts, values, bits, and published answers. Every error names the line.

Text is read here, number by number as it is written; other files by `dpdesigner.data.data_files`.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesigner import resources
from dpdesigner.core.basics.parsing import cut, exact, excerpt, is_number
from dpdesigner.core.basics.prior import LARGEST_N
from dpdesigner.data.data_files import (
    file_columns,
    file_texts,
    file_values,
    first_cells,
    is_missing,
    kind_of,
    no_number,
    takes_queries,
)
from dpdesigner.data.grid import Line, decimal, having, lines, numeric, read_text, uniform
from dpdesigner.errors import InputError

#: A path with this prefix names a file that ships with the program.
EXAMPLE = "example:"
_LOOKED_AT = 50
_ROWS = 4  # fewest rows that show that a column numbers them
_IDENTIFIES = re.compile(r"(?i:(\b|_)id)$|[a-z]ID$")  # a name like id, patient_id or patientID
_FEW = 20  # rows with whole numbers that may all differ by chance
_SMALL = 1000  # counts of one row are below this, unlike years and postcodes


def resolved(path: str) -> Path:
    """Return the path of a file; ``example:NAME`` is one that ships with the program."""
    if path.startswith(EXAMPLE):
        return resources.path("data", Path(path.removeprefix(EXAMPLE)).name)
    return Path(path)


def relocated(path: str, folder: Path) -> str:
    """Return a path, or if no file exists there, the file of the same name in a folder."""
    here = folder.absolute() / re.split(r"[\\/]", path)[-1]
    return str(here) if path and not os.path.exists(resolved(path)) and os.path.isfile(here) else path


def changed_at(path: Path) -> int:
    """Return the modification time of a file in nanoseconds, to detect outdated reads; 0 if there is no file."""
    try:
        return path.stat().st_mtime_ns
    except (OSError, ValueError):  # the error is reported when the file is read
        return 0


def number_columns(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of the numeric columns, judged by their first lines; columns that only number the rows come last.

    Columns without names are called by their numbers, from 1; a single one ``""``.

    Raises
    ------
    InputError
        If the file cannot be read or no column holds numbers.
    """
    names, numeric = _sorts(path)
    if not any(numeric):
        problem = f"must have a column of numbers like 12.50, got {_nearly_number(path)} in its first {_LOOKED_AT} lines"
        raise InputError(f"{_name(path)} {problem}.", "path")
    running = _running(path)
    return [name for last in (False, True) for name, *kind in zip(names, numeric, running, strict=True) if kind == [True, last]]


def count_columns(path: str | os.PathLike[str]) -> list[str]:
    """Return the names as `number_columns` does, in the order of `all_columns`."""
    numbers = number_columns(path)
    return [name for name in all_columns(path) if name in numbers]


def _nearly_number(path: str | os.PathLike[str]) -> str:
    """Return the first cell that contains a digit, as an error shows it; ``none`` if there is none."""
    cells = (cell for column in _looked_at(path)[1] for cell in column)
    return next((excerpt(cell) for cell in cells if any(map(str.isdecimal, cell))), "none")


def _running(path: str | os.PathLike[str]) -> list[bool]:
    """Return for each column whether it numbers the rows: each integer is one more than the one above."""
    columns = _looked_at(path)[1]
    return [
        len(cells) >= _ROWS and cells[0].isdecimal() and cells == [str(int(cells[0]) + k) for k in range(len(cells))]
        for cells in columns
    ]


def only_column(path: str | os.PathLike[str], field: str = "column") -> str:
    """Return the name of the only column of numbers; raise as `number_columns` does, or list the names if there are several."""
    names = number_columns(path)
    if len(names) > 1:
        raise InputError(f"the column must be named, one of {cut(', '.join(names), 150)}.", field, names[0])
    return names[0]


def all_columns(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of all columns: likely counts first, then other numbers, then texts, and last what identifies a row."""
    names, columns = _looked_at(path)
    ranks = map(_rank, names, columns, _running(path))
    return [name for _, name in sorted(zip(ranks, names, strict=True), key=lambda pair: pair[0])]


def first_rows(path: str | os.PathLike[str], most: int) -> dict[str, list[str]]:
    """Return this many cells of each column, in the order of the file; a column that identifies a row comes last."""
    last = [_rank(*each) >= 5 for each in zip(*_looked_at(path), _running(path), strict=True)]
    names, columns = _looked_at(path, most)
    return {name: cells for _, name, cells in sorted(zip(last, names, columns, strict=True), key=lambda each: each[0])}


def _rank(name: str, cells: list[str], running: bool) -> float:
    """Return the place of a column among the others, judged by its name and its first cells; 5 for one that identifies rows.

    Likely counts have less than 1, those of few (visits) less than those of many (ages); 0 and 1 are no counts.
    """
    if running or _IDENTIFIES.search(name):
        return 5
    cells = [cell for cell in cells if not is_missing(cell)]
    different, numbers = len(set(cells)) == len(cells), [decimal(cell) for cell in cells]
    if not any(map(numeric, cells)):
        return 4 if different else 3
    whole = all(number % 1 == 0 for number in numbers)
    if different and whole:
        return 2 if len(cells) < _FEW else 4
    return max(numbers) / _SMALL if whole and min(numbers) >= 0 and 1 < max(numbers) < _SMALL else 1


def holds_numbers(path: str | os.PathLike[str], column: str) -> bool:
    """Return whether a column holds numbers, judged by its first lines; False for a missing column."""
    if takes_queries(path):
        try:
            return any(map(is_number, first_cells(path, column)))
        except InputError:
            return False
    return (column, True) in zip(*_sorts(path), strict=True)


def _sorts(path: str | os.PathLike[str]) -> tuple[list[str], list[bool]]:
    """Return the names of all columns, and whether each holds numbers."""
    names, columns = _looked_at(path)
    return names, [any(map(numeric, cells)) for cells in columns]


def _looked_at(path: str | os.PathLike[str], most: int = _LOOKED_AT) -> tuple[list[str], list[list[str]]]:
    """Return the names of all columns, and the first cells of each."""
    if kind_of(path) is not None:
        return (names := file_columns(path)), [first_cells(path, name, most) for name in names]
    names, below = _columns(path)
    looked_at = list(islice(below, most))
    return names, [[_cell(line, k) for line in looked_at] for k in range(len(names))]


def read_values(path: str | os.PathLike[str], column: str, *, partial: bool = False) -> NDArray[np.float64]:
    """Read a column of numbers.

    Parameters
    ----------
    path : path-like
        CSV or TSV, whose first line may hold the names of the columns; or a file of one of the `data_files.KINDS`.
    column : str
        One of `number_columns`.
    partial : bool
        Whether text is read as an empty cell, not refused.

    Returns
    -------
    ndarray
        (rows,): nan where a cell is empty.

    Raises
    ------
    InputError
        If the file cannot be read or a cell holds something else; the sentence names the line.
    """
    if kind_of(path) is not None:
        return file_values(path, column, partial=partial)
    names, below = _columns(path)
    place = _place(names, column, path)
    return np.array([_value(line, place, path, partial) for line in uniform(below, place, _name(path))])


def text_columns(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of all columns, whatever they hold; unnamed columns are numbered from 1."""
    return _columns(path)[0] if kind_of(path) is None else file_columns(path)


def check_column(path: str | os.PathLike[str], column: str) -> None:
    """Raise an error for a missing column or an unreadable file, as `read_texts` does."""
    if kind_of(path) is None:
        _place(_columns(path)[0], column, path)
    else:
        first_cells(path, column)


def read_texts(path: str | os.PathLike[str], column: str) -> list[str]:
    """Read a column of texts, for example answers to choose among; empty cells are empty texts.

    Parameters
    ----------
    path : path-like
        As for `read_values`.
    column : str
        One of `text_columns`.

    Raises
    ------
    InputError
        If the file cannot be read, or there is no such column.
    """
    if kind_of(path) is not None:
        return file_texts(path, column)
    names, below = _columns(path)
    place = _place(names, column, path)
    return [_cell(line, place) for line in below]


def read_counts(path: str | os.PathLike[str], column: str | None = None, blank: int | None = None) -> list[int]:
    """Read a column of counts, one per line.

    Parameters
    ----------
    path : path-like
        As for `read_values`.
    column : str, optional
        One of `number_columns`; needed where there are several columns.
    blank : int, optional
        Stands for blank cells; without it, they are refused.

    Raises
    ------
    InputError
        If an entry is not a whole number of at least 0 (the sentence names the line), or the column is not there.
    """
    names, below = _columns(path) if kind_of(path) is None else _as_lines(path, column)
    if column is None and len(names) > 1:
        problem = f"has {len(names)} columns, so the column of counts must be named, one of {cut(', '.join(names), 150)}"
        raise InputError(f"{_name(path)} {problem}.", "column")
    place = 0 if column is None else _place(names, column, path)
    counts = [_count(line, place, path) if blank is None or not is_missing(_cell(line, place)) else blank for line in below]
    if not set(counts) - {blank}:
        got = "blank cells" if counts else "a header"
        raise InputError(f"{_name(path)} must contain at least one count, got only {got}.", "path")
    return counts


def _as_lines(path: str | os.PathLike[str], column: str | None) -> tuple[list[str], Iterator[Line]]:
    """Return the column names of a file of another kind, and one column's values as lines of a text file."""
    names = file_columns(path)
    if column is None and len(names) > 1:
        return names, iter(())
    chosen = names[0] if column is None else column
    return [chosen], (Line(number, [cell]) for number, cell in enumerate(file_texts(path, chosen), 1))


def _columns(path: str | os.PathLike[str]) -> tuple[list[str], Iterator[Line]]:
    """Return the names of the columns, and the lines of numbers."""
    name = _name(path)
    below = lines(read_text(path), name)
    first = next(below, None)
    if first is None:
        raise InputError(f"{name} must contain at least one number, got an empty file.", "path")
    if any(cell and not numeric(cell) for cell in first.cells):
        return first.cells, _no_wider(first, below, path)
    names = [""] if len(first.cells) == 1 else [str(k) for k in range(1, len(first.cells) + 1)]
    return names, chain([first], _no_wider(first, below, path))


def _no_wider(first: Line, below: Iterator[Line], path: str | os.PathLike[str]) -> Iterator[Line]:
    """Yield the lines; refuse one with more cells than the first, because a decimal comma would change its numbers."""
    for line in below:
        if any(line.cells[len(first.cells) :]):
            problem = f"a line must have no more cells than line {first.number} ({len(first.cells)}), got {len(line.cells)}"
            raise _refusal(line, path, f"{problem}; decimals are written with a point")
        yield line


def _place(names: list[str], column: str, path: str | os.PathLike[str]) -> int:
    if column not in names:
        listed = ", ".join(names) or "a column without a name"
        raise InputError(
            f"{_name(path)} must have a column named {excerpt(column)}; its columns are {cut(listed, 150)}.", "column"
        )
    if names.count(column) > 1:
        problem = f"must have only one column named {excerpt(column)}, got {names.count(column)}"
        raise InputError(f"{_name(path)} {problem}.", "column")
    return names.index(column)


def _cell(line: Line, place: int) -> str:
    return line.cells[place] if place < len(line.cells) else ""


def _value(line: Line, place: int, path: str | os.PathLike[str], partial: bool) -> float:
    cell = _cell(line, place)
    value = math.nan if is_missing(cell) else decimal(cell)
    if partial and not math.isfinite(value):
        return math.nan
    if not math.isfinite(value) and not is_missing(cell):
        raise _refusal(line, path, no_number(cell))
    return value


def _count(line: Line, place: int, path: str | os.PathLike[str]) -> int:
    cell = _cell(line, place)
    value = decimal(cell)
    if not 0 <= value <= LARGEST_N or value != int(value):
        raise _refusal(line, path, f"a count must be a whole number from 0 to {LARGEST_N}, got {excerpt(cell)}")
    return int(value)


def _name(path: str | os.PathLike[str]) -> str:
    return cut(Path(path).name)


def _refusal(line: Line, path: str | os.PathLike[str], problem: str) -> InputError:
    where = "line" if kind_of(path) is None else "row"
    return InputError(f"{_name(path)}, {where} {line.number}: {problem}.", "path")


#: Limits for one file of published answers.
MOST_ANSWERS, MOST_PEOPLE = 20_000, 1000
_LARGEST = 10**6  # largest absolute value of an answer
_ANY = ("", "all")  # values of an attribute


def read_bits(path: str | os.PathLike[str], column: str) -> NDArray[np.int8]:
    """Read a column of 0 and 1, (rows,).

    Parameters
    ----------
    path : path-like
        CSV or TSV; the first line may hold the names of the columns.
    column : str
        One of `dpdesigner.data.columns.number_columns`.

    Raises
    ------
    InputError
        If the file cannot be read, or the column holds anything else; the sentence names the first.
    """
    values = read_values(path, column)
    wrong = np.flatnonzero((values != 0) & (values != 1))
    if len(wrong):
        value = values[wrong[0]]
        got = "an empty cell" if np.isnan(value) else f"{value:g}"
        name = f"column {excerpt(column)} of {cut(Path(path).name)}"
        raise InputError(f"{name} must contain only two values, like 0 and 1, got {got} in row {wrong[0] + 1}.", "column")
    if not len(values):
        raise InputError(f"{cut(Path(path).name)} must contain at least one row, got only a header.", "column")
    return values.astype(np.int8)


_ONES = {"1", "yes", "y", "true", "ja", "j", "oui", "sí", "si"}  # where the other value is another text


def named_bits(path: str | os.PathLike[str], column: str) -> tuple[NDArray[np.int8], str]:
    """Return a column of two values as 0 and 1, (rows,), and the value that is 1; empty where the values are 0 and 1.

    A word like yes is 1, otherwise the rarer value.

    Raises
    ------
    InputError
        As `read_bits` does, if there are more values, empty cells, or numbers that are not whole.
    """
    try:
        return read_bits(path, column), ""
    except InputError:
        counts = Counter(cells := read_texts(path, column))
        numbers = any(cell[:1].isdigit() and not cell.isdecimal() for cell in counts)  # like 1,5, which is no name of a group
        if len(counts) != 2 or "" in counts or numbers:
            raise
    one = min(counts, key=lambda cell: (cell.casefold() not in _ONES, counts[cell], cell))
    return np.array([cell == one for cell in cells], dtype=np.int8), one


def bit_columns(path: str | os.PathLike[str]) -> dict[str, bool]:
    """Return the names of all columns, those of two values first (see `named_bits`), and whether each is one of these.

    Raises
    ------
    InputError
        If the file cannot be read, or there is no such column: the sentence is about the first column of numbers.
    """

    def rank(column: str, first: list[str]) -> int:
        """Return 0 for a column of 0 and 1, 1 for one of two other values, and 2 for others."""
        if len({*first}) > 2 and not all(decimal(cell) in (0, 1) for cell in first):
            return 2
        try:
            return bool(named_bits(path, column)[1])
        except InputError:
            return 2

    ranks = sorted(((name, rank(name, first)) for name, first in zip(*_looked_at(path), strict=True)), key=lambda pair: pair[1])
    found = {name: place < 2 for name, place in ranks}
    if not any(found.values()):
        read_bits(path, number_columns(path)[0])
    return found


@dataclass(frozen=True, eq=False)
class PublishedAnswers:
    """Answers that are published or about to be.

    Attributes
    ----------
    members : ndarray of bool
        (t, n): whom each answer counts.
    answers, errors : ndarray
        (t,): what it says, and how far off that may be.
    names, people : tuple of str
        Of the answers and of the people, if they have any.
    """

    members: NDArray[np.bool_]
    answers: NDArray[np.float64]
    errors: NDArray[np.float64]
    names: tuple[str, ...] = ()
    people: tuple[str, ...] = ()


def read_answers(path: str | os.PathLike[str], people: str | os.PathLike[str] = "") -> PublishedAnswers:
    """Read published answers: one per row, with the columns ``answer``, ``error`` and the people counted.

    Parameters
    ----------
    path : path-like
        CSV or TSV with a header; a column before ``answer`` names the answers. Who is counted stands in one column ``rows``, as
        row numbers from 1 on separated by blanks; in a column of 0 and 1 for each person; or in columns that the file of the
        people has too: an answer counts everybody with these values, where an empty cell or ``all`` stands for any, and a range
        like ``20-29``, ``90+`` or ``under 20`` for the whole numbers in it.
    people : path-like, optional
        The file of the people. Its first column of texts names them if all are different.

    Raises
    ------
    InputError
        If the file cannot be read or is something else; the sentence names the line.
    """
    name = cut(Path(path).name)
    below = lines(read_text(path), name)
    heads = _heads(header := next(below, None), name)
    labelled = header is not None and len(header.cells) > len(heads)
    bare, groups = heads[2:] == ["rows"], _attributes(heads[2:], people)
    answers, errors, counted, names = list[float](), list[float](), list[list[int]](), list[str]()
    for line in below:
        if labelled:
            names.append(line.cells.pop(0) or str(len(names) + 1))
        if len(answers) == MOST_ANSWERS:
            raise InputError(f"{name} must contain at most {MOST_ANSWERS} answers, got more.", "answers")
        if len(line.cells) != len(heads):
            raise _refused(line, name, f"a row must have {len(heads)} cells, got {len(line.cells)}")
        answers.append(_number(line, name, 0, "an answer", -_LARGEST))
        errors.append(_number(line, name, 1, "an error", 0))
        counted.append(_rows(line, name) if bare else _group(line, name, groups) if groups else _flags(line, name, people, heads))
        if groups and not labelled:
            names.append(", ".join(cell for cell in line.cells[2:] if cell.lower() not in _ANY) or "everybody")
    if not answers:
        raise InputError(f"{name} must contain at least one answer, got only a header.", "answers")
    n = len(groups[heads[2]]) if groups else max(map(max, filter(None, counted)), default=0) if bare else len(heads) - 2
    if n == 0:
        raise InputError(f"{name} must count at least one person, got none in any answer.", "answers")
    members = np.zeros((len(answers), n), dtype=bool)
    for place, rows in enumerate(counted):
        members[place, [row - 1 for row in rows]] = True
    return PublishedAnswers(members, np.array(answers), np.array(errors), tuple(names), _row_names(people)[:n])


def _row_names(people: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the first column of texts of a file, if there is a file and they are all different."""
    columns = zip(*_looked_at(people), strict=True) if people else ()
    first = next((column for column, cells in columns if not any(map(numeric, cells))), None)
    names = () if first is None else tuple(read_texts(people, first))
    return names if "" not in names and len({*names}) == len(names) else ()


def _attributes(heads: list[str], people: str | os.PathLike[str]) -> dict[str, NDArray[np.str_]]:
    """Return everybody's values of each attribute; none if the file of the people has none of these columns."""
    known = {column.lower(): column for column in text_columns(people)} if people else {}
    found = {head: np.array(read_texts(people, known.get(head, head))) for head in heads} if known.keys() & {*heads} else {}
    if found and (n := len(found[heads[0]])) > MOST_PEOPLE:
        raise InputError(f"{_name(people)} must have at most {MOST_PEOPLE} rows for answers by group, got {n}.", "answers")
    return found


def _group(line: Line, name: str, groups: dict[str, NDArray[np.str_]]) -> list[int]:
    cells = line.cells[2:]
    inside = [having(cell, values) | (cell.lower() in _ANY) for cell, values in zip(cells, groups.values(), strict=True)]
    for cell, head, some in zip(cells, groups, inside, strict=True):
        if not some.any():
            raise _refused(line, name, f"nobody has {head} {excerpt(cell)}, only {cut(', '.join(np.unique(groups[head])), 80)}")
    return (np.flatnonzero(np.logical_and.reduce(inside)) + 1).tolist()


def _heads(header: Line | None, name: str) -> list[str]:
    """Return the column names in lower case: answer, error, and one or more for the people counted; without one before them."""
    cells = [] if header is None else header.cells
    heads = [cell.strip().lower() for cell in cells]
    heads = heads[1:] if heads[1:3] == ["answer", "error"] else heads
    if heads[:2] != ["answer", "error"] or len(heads) < 3:
        rows = "rows (or, for rows, attributes like region, or a column of 0 and 1 per person)"
        wanted = f"must begin with answer,error,{rows}, then lines like 2,1,1 3 4 7"
        raise InputError(f"{name} {wanted}, got {cut(', '.join(cells)) or 'an empty file'}.", "answers")
    if heads[2:] != ["rows"] and len(heads) - 2 > MOST_PEOPLE:
        raise InputError(f"{name} must be about at most {MOST_PEOPLE} people, got {len(heads) - 2}.", "answers")
    return heads


def _number(line: Line, name: str, place: int, what: str, least: int) -> float:
    try:
        value = float(exact(cell := line.cells[place], what))
    except InputError:
        value = float("nan")
    if not least <= value <= _LARGEST:
        hint = "; <3 is 1 with error 1: 0 to 2" if cell.startswith("<") else ""
        raise _refused(line, name, f"{what} must be a number from {least} to {_LARGEST}, got {excerpt(cell)}{hint}")
    return value


def _rows(line: Line, name: str) -> list[int]:
    cell = line.cells[2]
    parts = cell.split()
    if not all(re.fullmatch(r"[0-9]{1,4}", text) and 1 <= int(text) <= MOST_PEOPLE for text in parts):
        raise _refused(line, name, f"rows must be numbers from 1 to {MOST_PEOPLE}, separated by spaces, got {excerpt(cell)}")
    return [int(text) for text in parts]


def _flags(line: Line, name: str, people: str | os.PathLike[str], heads: list[str]) -> list[int]:
    if wrong := next((place for place, cell in enumerate(line.cells) if place > 1 and cell not in ("0", "1")), 0):
        first, got = "choose the column of these people first", line.cells[wrong]
        if people and not numeric(got):
            raise InputError(f"{_name(people)} has no column {cut(heads[wrong])} for {name}: {first}.", "answers")
        problem = f"whether a person is counted must be 0 or 1, got {excerpt(got)}; for groups, {first}"
        raise _refused(line, name, problem, "column")
    return [place for place, cell in enumerate(line.cells[2:], 1) if cell == "1"]


def _refused(line: Line, name: str, problem: str, field: str = "answers") -> InputError:
    return InputError(f"{name}, line {line.number}: {problem}.", field)
