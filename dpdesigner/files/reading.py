"""Tables from elsewhere: mechanisms to verify, loss matrices. Every refusal names the line."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from dpdesigner.core.numbers import is_number
from dpdesigner.errors import InputError
from dpdesigner.files.grid import LARGEST_SIDE, Line, lines, read_text

Entry = Decimal | Fraction

#: The first cell of the tables that this program writes.
CORNER = "true\\released"

_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?", re.ASCII)
_FRACTION = re.compile(r"([+-]?\d+) ?/ ?(\d+)", re.ASCII)
_LONGEST = 50_000  # characters; the complement of an entry of 1e-43000 has as many


def read_table(path: str | os.PathLike[str]) -> list[list[Entry]]:
    """Read a mechanism table: CSV or TSV, with or without a header row and a column of labels.

    Parameters
    ----------
    path : path-like
        Numbers may be decimals, fractions such as 1/3, or percentages; they are kept exactly.

    Returns
    -------
    list of list of Decimal or Fraction
        One list per true result, all of the same length.

    Raises
    ------
    InputError
        If the file is not such a table; the sentence names the line.
    """
    return parse_table(read_text(path), Path(path).name)


def parse_table(text: str, name: str = "the table") -> list[list[Entry]]:
    """Read a mechanism table from text; see `read_table`.

    Parameters
    ----------
    text : str
    name : str
        What to call it in the sentence of an error.
    """
    header, body = _header_and_body(text, name)
    if header is None and len(body[0].cells) > 2 and _counts_up(body[0].cells) and len(body) > 1:
        header, body = body[0], body[1:]  # 0, 1, 2, ... cannot be probabilities
    first = 1 if _has_labels(header, body) else 0
    _check_labels(header, body, first, name)
    return [[_entry(cell, name, line.number, k) for k, cell in enumerate(line.cells[first:], first + 1)] for line in body]


def read_loss_matrix(path: str | os.PathLike[str]) -> tuple[tuple[str, ...], ...]:
    """Read a square loss matrix: rows = true result, columns = released result.

    Parameters
    ----------
    path : path-like
        CSV or TSV, with or without a header row and a column of labels.

    Returns
    -------
    tuple of tuple of str
        The numbers as they stand in the file.

    Raises
    ------
    InputError
        If the file is not such a table; the sentence names the line.
    """
    name = Path(path).name
    header, body = _header_and_body(read_text(path), name)
    column = [line.cells[0] for line in body]
    labelled = header is not None or _counts_up(column) or not any(map(_looks_numeric, column))
    first = 1 if labelled and len(body[0].cells) == len(body) + 1 else 0
    if len(body[0].cells) - first != len(body):
        raise InputError(
            f"{name} must have as many columns as rows, got {len(body)} by {len(body[0].cells) - first} numbers.", "loss"
        )
    _check_labels(header, body, first, name)
    for line in body:
        for k, cell in enumerate(line.cells[first:], first + 1):
            if not is_number(cell):
                raise _bad_entry(cell, name, line.number, k)
    return tuple(tuple(line.cells[first:]) for line in body)


def _header_and_body(text: str, name: str) -> tuple[Line | None, list[Line]]:
    """The header line, if a cell of the first line (but for the label's) is not a number, and the lines below it."""
    body: list[Line] = []
    header: Line | None = None
    for line in lines(text, name):
        if header is None and not body and _is_header(line.cells):
            header = line
            continue
        if len(line.cells) > LARGEST_SIDE + 1 or len(body) >= LARGEST_SIDE:
            raise InputError(f"{name} must have at most {LARGEST_SIDE} rows and columns, got more in line {line.number}.", "file")
        if body and len(line.cells) != len(body[0].cells):
            raise InputError(
                f"{name}, line {line.number} must have {len(body[0].cells)} cells like line {body[0].number}, "
                f"got {len(line.cells)}.",
                "file",
            )
        body.append(line)
    if not body:
        raise InputError(f"{name} must hold at least one row of numbers, got none.", "file")
    return header, body


def _is_header(cells: Sequence[str]) -> bool:
    if cells[0] in ("", CORNER):
        return True
    numbers = [_looks_numeric(cell) or _is_meant_as_number(cell) for cell in cells]
    # A label before numbers is a row of data, unless they are 0, 1, 2, ...: then it is the corner of a table.
    return not any(numbers) or (not numbers[0] and len(cells) > 3 and _counts_up(cells[1:]))


def _has_labels(header: Line | None, body: Sequence[Line]) -> bool:
    first = [line.cells[0] for line in body]
    if len(body[0].cells) == 1:
        return False
    if header is not None and (header.cells[0] in ("", CORNER) or len(header.cells) == len(body[0].cells) - 1):
        return True
    if not any(_looks_numeric(cell) or _is_meant_as_number(cell) for cell in first):
        return True
    return len(first) > 2 and _counts_up(first)  # 2 cannot be a probability


def _check_labels(header: Line | None, body: Sequence[Line], first: int, name: str) -> None:
    """Refuse rows or columns whose labels are whole numbers but do not rise: they would be taken for others."""
    across = () if header is None else header.cells[len(header.cells) - len(body[0].cells) + first :]
    for what, labels in (("rows", [line.cells[0] for line in body] if first else []), ("columns", across)):
        if not all(label.isascii() and label.isdigit() and len(label) < 10 for label in labels):
            continue
        for before, after in pairwise(labels):
            if int(before) >= int(after):
                raise InputError(f"{name} must have its {what} in rising order, got {before} before {after}.", "file")


def _counts_up(cells: Sequence[str]) -> bool:
    return all(cell == str(k) for k, cell in enumerate(cells))


def _looks_numeric(cell: str) -> bool:
    plain = cell.removesuffix("%").rstrip()
    return bool(_DECIMAL.fullmatch(plain) or _FRACTION.fullmatch(plain))


def _is_meant_as_number(cell: str) -> bool:
    """Whether a cell that is refused as a number looks like one to people: full-width digits, a decimal comma, nan."""
    try:
        float(cell.removesuffix("%").replace(",", "."))
    except ValueError:
        return False
    return True


def _entry(cell: str, name: str, line: int, column: int) -> Entry:
    if len(cell) > _LONGEST:
        raise _bad_entry(cell, name, line, column)
    if _DECIMAL.fullmatch(cell):
        return Decimal(cell)
    plain = cell.removesuffix("%").rstrip()
    value: Entry
    if _DECIMAL.fullmatch(plain):
        value = Decimal(plain)
    else:
        parts = _FRACTION.fullmatch(plain)
        if parts is None or not int(Decimal(parts[2])):
            raise _bad_entry(cell, name, line, column)
        value = Fraction(int(Decimal(parts[1])), int(Decimal(parts[2])))
    return Fraction(value) / 100 if plain != cell else value


def _bad_entry(cell: str, name: str, line: int, column: int) -> InputError:
    shown = repr(cell) if len(cell) <= 40 else repr(cell[:37] + "...")
    where = f"{name}, line {line}: the entry in column {column}"
    return InputError(f"{where} must be a number such as 0.25, 1/3, 20% or 3.1e-434, got {shown}.", "file")
