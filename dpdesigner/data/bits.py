"""Columns of 0 and 1 from files, and tables of published answers. Every refusal names the line."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.numbers.parsing import cut, exact, excerpt
from dpdesigner.data.columns import read_values
from dpdesigner.data.grid import Line, lines, read_text
from dpdesigner.errors import InputError

#: Of one file of published answers.
MOST_ANSWERS, MOST_PEOPLE = 20_000, 1000
_LARGEST = 10**6  # of an answer


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
        raise InputError(f"{name} must contain 0 and 1 only, got {got} in row {wrong[0] + 1}.", "column")
    if not len(values):
        raise InputError(f"{cut(Path(path).name)} must contain at least one row, got only a header.", "column")
    return values.astype(np.int8)


@dataclass(frozen=True, eq=False)
class PublishedAnswers:
    """Answers that somebody has published, or is about to.

    Attributes
    ----------
    members : ndarray of bool
        (t, n): whom each answer counts.
    answers, errors : ndarray
        (t,): what it says, and how far off that may be.
    """

    members: NDArray[np.bool_]
    answers: NDArray[np.float64]
    errors: NDArray[np.float64]


def read_answers(path: str | os.PathLike[str]) -> PublishedAnswers:
    """Read published answers: a row an answer, with the columns ``answer``, ``error`` and who is counted.

    Parameters
    ----------
    path : path-like
        CSV or TSV with a header. Who is counted stands either in one column ``rows``, as row numbers from 1 on separated by
        blanks, or in a column of 0 and 1 for each person.

    Raises
    ------
    InputError
        If the file cannot be read or is something else; the sentence names the line.
    """
    name = cut(Path(path).name)
    below = lines(read_text(path), name)
    heads = _heads(next(below, None), name)
    numbered = heads[2:] == ["rows"]
    answers: list[float] = []
    errors: list[float] = []
    counted: list[list[int]] = []
    for line in below:
        if len(answers) == MOST_ANSWERS:
            raise InputError(f"{name} must contain at most {MOST_ANSWERS} answers, got more.", "answers")
        if len(line.cells) != len(heads):
            raise _refused(line, name, f"a row must have {len(heads)} cells, got {len(line.cells)}")
        answers.append(_number(line, name, 0, "an answer", -_LARGEST))
        errors.append(_number(line, name, 1, "an error", 0))
        counted.append(_rows(line, name) if numbered else _flags(line, name))
    if not answers:
        raise InputError(f"{name} must contain at least one answer, got only a header.", "answers")
    n = max((max(rows, default=0) for rows in counted), default=0) if numbered else len(heads) - 2
    if n == 0:
        raise InputError(f"{name} must count at least one person, got none in any answer.", "answers")
    members = np.zeros((len(answers), n), dtype=bool)
    for place, rows in enumerate(counted):
        members[place, [row - 1 for row in rows]] = True
    return PublishedAnswers(members, np.array(answers), np.array(errors))


def _heads(header: Line | None, name: str) -> list[str]:
    """The names of the columns in small letters: answer, error, and one or more that say who is counted."""
    cells = [] if header is None else header.cells
    heads = [cell.strip().lower() for cell in cells]
    if heads[:2] != ["answer", "error"] or len(heads) < 3:
        wanted = "must begin with the columns answer and error, then rows or one column of 0 and 1 for each person"
        raise InputError(f"{name} {wanted}, got {cut(', '.join(cells)) or 'an empty file'}.", "answers")
    if heads[2:] != ["rows"] and len(heads) - 2 > MOST_PEOPLE:
        raise InputError(f"{name} must be about at most {MOST_PEOPLE} people, got {len(heads) - 2}.", "answers")
    return heads


def _number(line: Line, name: str, place: int, what: str, least: int) -> float:
    try:
        value = float(exact(line.cells[place], what))
    except InputError:
        value = float("nan")
    if not least <= value <= _LARGEST:
        raise _refused(line, name, f"{what} must be a number from {least} to {_LARGEST}, got {excerpt(line.cells[place])}")
    return value


def _rows(line: Line, name: str) -> list[int]:
    cell = line.cells[2]
    parts = cell.split()
    if not all(re.fullmatch(r"[0-9]{1,4}", text) and 1 <= int(text) <= MOST_PEOPLE for text in parts):
        raise _refused(line, name, f"rows must be numbers from 1 to {MOST_PEOPLE}, separated by spaces, got {excerpt(cell)}")
    return [int(text) for text in parts]


def _flags(line: Line, name: str) -> list[int]:
    wrong = next((cell for cell in line.cells[2:] if cell not in ("0", "1")), None)
    if wrong is not None:
        raise _refused(line, name, f"whether a person is counted must be 0 or 1, got {excerpt(wrong)}")
    return [place for place, cell in enumerate(line.cells[2:], 1) if cell == "1"]


def _refused(line: Line, name: str, problem: str) -> InputError:
    return InputError(f"{name}, line {line.number}: {problem}.", "answers")
