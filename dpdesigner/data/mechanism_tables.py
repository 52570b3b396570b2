"""External tables: mechanisms to verify and loss matrices. Every error names the line."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from dpdesigner.core.basics.parsing import cut, exact, excerpt, is_number
from dpdesigner.core.basics.rounding import EXACT
from dpdesigner.data.grid import LARGEST_SIDE, Line, Passed, file_title, lines, read_text
from dpdesigner.errors import InputError
from dpdesigner.messages import message

Entry = Decimal | Fraction

#: The first cell of the tables that this program writes, of mechanisms and of choices.
CORNER = "true\\released"
CORNERS = (CORNER, "data\\output")
_WRITTEN = "as written by export"


_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?", re.ASCII)
#: A probability with a decimal comma; a larger number could have been written with a comma between thousands.
_COMMA = re.compile(r"0?,\d+|1,0+|(?:\d\d?,\d+|100,0+) ?%", re.ASCII)
_LISTED = re.compile(r"-?\d{1,9}", re.ASCII)  # a count or a release in a list
_FRACTION = re.compile(r"([+-]?\d+) ?/ ?(\d+)", re.ASCII)
_MOST_LINES, _SHOWN = 1_000_000, 10
_LONGEST = 50_000  # characters, and the largest exponent: 1 minus an entry of 1e-43000 has as many digits
_FAMILIAR = re.compile(r"(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\n)+")  # a row of decimals, each on a line
_MOST_KNOWN = 50_000  # texts whose parsed numbers are cached
_MOST_KEPT = 20_000_000  # characters of the longest text whose cells are kept until the numbers are read
_MOST_TIDIED = 2_000_000  # characters
_NOTHING = ("", "-", "–", ".")  # cells for 0
_SPACE = re.compile(r"(?<=\d)[ '\u00a0\u202f](?=\d{3}(?!\d))")  # between thousands
_LONGEST_FRACTION = 9000  # characters: written fractions have at most 4300 digits in numerator and denominator


def parse_table(text: str, name: str = "the table") -> list[list[Entry]]:
    """Read a mechanism table from text; see `open_table`.

    Parameters
    ----------
    text : str
    name : str
        What to call it in the sentence of an error.
    """
    return list(TableText(text, name).rows())


def open_table(path: str | os.PathLike[str], header: bool | None = None, labels: bool | None = None) -> TableText:
    """Open a mechanism table: CSV or TSV.

    Parameters
    ----------
    path : path-like
        Numbers may be decimals, fractions such as 1/3, or percentages; they are kept exactly. A decimal comma is read too.
    header, labels : bool or None
        Whether the first line is a header, and the first column holds labels. If not given, only what says so itself is taken for
        one: the header that this program writes (then the first column holds labels), or a line or column without any digit.

    Raises
    ------
    InputError
        If the file is not such a table; the sentence names the line.
    """
    return TableText(read_text(path, piped=True), file_title(path), header, labels)


def listed_table(text: str, name: str) -> tuple[list[list[Entry]], tuple[int, ...], str] | None:
    """Return rows, releases and a description of lines of true count, release and probability; None if it is no such list."""
    found: dict[tuple[int, int], Fraction] = {}
    above = "nothing"
    for place, line in enumerate(lines(text, name)):
        cells = [cell.strip() for cell in line.cells]
        if len(cells) != 3 or not all(map(_LISTED.fullmatch, cells[:2])) or not is_number(cells[2].replace(",", ".")):
            if place or len(cells) != 3:
                return None
            above = "the header"
            continue
        i, j, p = int(cells[0]), int(cells[1]), exact(cells[2].replace(",", "."))
        if i < 0 or not 0 <= p <= 1:
            return None
        if (i, j) in found:
            raise InputError(f"{name}, line {line.number}: true count {i} has the release {j} a second time.", "table")
        found[i, j] = p
    counts, released = sorted({i for i, _ in found}), sorted({j for _, j in found})
    if (
        counts != list(range(len(counts)))
        or all(p in (0, 1) for p in found.values())
        or len(counts) < 2
        or max(len(counts), len(released)) > LARGEST_SIDE
    ):
        return None  # numbers of a plain table
    rows: list[list[Entry]] = [[found.get((i, j), Fraction(0)) for j in released] for i in counts]
    rest = len(counts) * len(released) - len(found)
    sizes = f"{len(counts)} counts by {len(released)} releases" + (f" ({rest} without a line are 0)" if rest else "")
    words = f"read: {len(found)} lines of true count, release and probability: {sizes}; not read: {above}"
    return rows, tuple(released), words


class TableText:
    """A mechanism table as text, divided into numbers, header and labels. See `open_table`; a text for them says why.

    Attributes
    ----------
    header, labels : str
        Why the first line is taken for a header, and the first column for labels; empty where they are not.
    n_rows, n_columns : int
        How many rows and columns of numbers there are.
    first, last : int
        The lines of the first and the last row of numbers.
    header_line : int
        The line of the header; 0 if there is none.
    down, across : list of str
        The labels of the rows and of the columns; empty where there are none.
    remarks, blank : list of int
        The lines that start with #, and those without anything: with these, the header and the rows every line is accounted for.
    """

    def __init__(self, text: str, name: str, header: bool | str | None = None, labels: bool | str | None = None) -> None:
        self._text, self._name = text, name
        if text.count("\n") + text.count("\r") > 2 * _MOST_LINES:
            raise InputError(f"{name} must have at most {_MOST_LINES} lines, got more.", "file")
        passed = Passed([], [])
        self.remarks, self.blank = passed
        given = lines(text, name, passed)
        top = next(given, None)
        self.header = "" if top is None else _header(top.cells, header)
        self.header_line = top.number if top is not None and self.header else 0
        column: list[str] = []
        self._kept: list[Line] | None = [] if len(text) <= _MOST_KEPT else None
        width = self.first = self.last = 0
        for line in _body(top, given, bool(self.header), name):
            width, self.first, self.last = len(line.cells), self.first or line.number, line.number
            column.append(line.cells[0])
            if self._kept is not None:
                self._kept.append(line)
        self.labels = _labels(column, labels, self.header == _WRITTEN) if width > 1 else ""
        across = top.cells[len(top.cells) - width + bool(self.labels) :] if top is not None and self.header else []
        if self.header and len(across) != width - bool(self.labels):
            got = f"{width} cells like line {self.first}, got another number"
            raise InputError(f"{name}, line {self.header_line}, which is read as a header, must have {got}.", "file")
        self.down, self.across = column if self.labels else [], across
        _check_labels(self.down, across, name)
        self.n_rows, self.n_columns = len(column), width - bool(self.labels)

    def rows(self) -> Iterator[list[Entry]]:
        """Yield the rows of numbers.

        Raises
        ------
        InputError
            If a cell is no number; the sentence names the line.
        """
        skipped = bool(self.labels)
        known: dict[str, Entry] = {}  # many rows repeat the same texts: each is parsed once
        kept, self._kept = self._kept, None  # a second pass reads the text again
        for line in lines(self._text, self._name, Passed([], [])) if kept is None else kept:
            if line.number == self.header_line:
                continue
            cells = line.cells[skipped:] if skipped else line.cells
            if len(known) > _MOST_KNOWN:
                known = {}
            unknown = [cell for cell in cells if cell not in known] if known else cells
            joined = "\n".join([*unknown, ""])
            if not unknown:
                yield list(map(known.__getitem__, cells))
            elif len(joined) < _LONGEST and _FAMILIAR.fullmatch(joined):
                known |= dict(zip(unknown, map(Decimal, unknown), strict=True))
                yield list(map(known.__getitem__, cells))
            else:
                yield [self._entry(cell, line.number, k) for k, cell in enumerate(cells, 1 + skipped)]

    @property
    def description(self) -> str:
        """A description of the parts of the file that were read, and of those skipped, with reasons."""
        read = f"lines {self.first} to {self.last}" if self.n_rows > 1 else f"line {self.first}"
        left = []
        if self.header:
            left.append(f"line {self.header_line}, read as the header ({self.header})")
        if self.labels:
            left.append(f"the first column, read as labels ({self.labels})")
        if self.remarks:
            left.append(f"{len(self.remarks)} comment{'s' if len(self.remarks) > 1 else ''} ({_places(self.remarks)})")
        if self.blank:
            left.append(f"{len(self.blank)} blank line{'s' if len(self.blank) > 1 else ''} ({_places(self.blank)})")
        return f"read: {self.n_rows} by {self.n_columns} numbers, {read}; not read: {'; '.join(left) or 'nothing'}"

    @property
    def data(self) -> dict[str, Any]:
        """The same content as JSON values."""
        return {
            "first_line": self.first,
            "last_line": self.last,
            "numbers": self.n_rows * self.n_columns,
            "header": {"line": self.header_line, "because": self.header} if self.header else None,
            "labels": {"column": 1, "because": self.labels} if self.labels else None,
            "remarks": len(self.remarks),
            "remark_lines": self.remarks,
            "blank_lines": self.blank,
        }

    def _entry(self, cell: str, line: int, column: int) -> Entry:
        entry = _entry(cell.replace(",", ".") if _COMMA.fullmatch(cell) else cell)
        if entry is None:
            hint = ""
            if line == self.first and not self.header:
                hint = f"; if line {line} is a header, use --header"
            elif column == 1:
                hint = "; if the first column contains labels, use --labels"
            raise _bad_entry(cell, self._name, line, column, hint)
        if isinstance(entry, Decimal) and abs(entry.adjusted()) > _LONGEST:
            where = f"{self._name}, line {line}: the entry in column {column}"
            raise InputError(f"{where} must be within 1e±{_LONGEST}, got {cut(cell)}.", "file")
        return entry


def removable(text: str, name: str) -> list[str]:
    """Return what of a table may be left out: its first line or column, or both, if none of the cells can be a probability."""
    top, *below = (line.cells for line in lines(text, name))
    column = [cells[0] for cells in below]

    def words(cells: Sequence[str]) -> bool:
        return all(cell.lstrip("+-").isdecimal() or not is_number(cell.replace(",", ".")) for cell in cells)

    header, labels = words(top), words(column)
    if header and labels and not is_number(top[0]) and (not top[0] or all(map(str.isdecimal, column))):
        return ["both"]
    possible = {"labels": labels and words(top[:1]), "header": header, "both": header and labels}
    return [way for way, can in possible.items() if can]


def tidied(text: str) -> tuple[str, list[str]]:
    """Return a table without titles, notes and totals, with 0 for blanks and shares for percentages and keys; and how."""
    given = text.splitlines() if len(text) < _MOST_TIDIED else []
    middle = next((line for line in given[len(given) // 2 :] if line.strip()), "")
    mark = next((mark for mark in "\t;," if mark in middle), "")
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(given, delimiter=mark or ",", skipinitialspace=True)]
    except csv.Error:
        return text, []
    rows = [[] if "".join(row).startswith("#") else row for row in rows]
    width = max((place + 1 for row in rows for place, cell in enumerate(row) if cell), default=0)
    table = [place for place, row in enumerate(rows) if sum(map(bool, row)) >= max(width - 1, 1) or any(map(_is_share, row))]
    whole_lines = len(rows) == len(given) and len({len(rows[place]) for place in table[1:]}) == 1
    if not mark or not whole_lines or table != list(range(table[0], table[-1] + 1)):
        return text, []
    corner = [""] * (len(rows[table[0]]) == width - 1)
    head, *body = ([*row, *[""] * width][:width] for row in (corner + rows[table[0]], *(rows[place] for place in table[1:])))
    said = list[str]()
    heads = not all(map(_is_share, head[1:])) or _rises(head if _is_share(head[0]) else head[1:])
    body = body if heads else [head, *body]
    if any(cell in _NOTHING for row in body for cell in row[1:]):
        body = [[row[0], *("0" if cell in _NOTHING else cell for cell in row[1:])] for row in body]
        said.append(message("empty cells are 0"))
    body = [[_SPACE.sub("", cell) for cell in row] for row in body]
    labels = [row[0] for row in body] == list(map(str, range(len(body)))) or any(_share(row[0]) is None for row in body)
    numbers = [[share for cell in row[labels:] if (share := _share(cell)) is not None] for row in body]
    if all(len(row) > 2 and row[-1] in (1, 100) and abs(sum(row) - 2 * row[-1]) <= row[-1] / 50 for row in numbers):
        head, body, numbers = head[:-1], [row[:-1] for row in body], [row[:-1] for row in numbers]
        said.append(message("without the column of totals"))
    sums = [sum(row, Fraction(0)) for row in numbers]
    whole = len(set(sums)) == 1 and all(cell.isdecimal() for row in body for cell in row[labels:])
    below = "%" if all(abs(each - 100) < 1 for each in sums) else f"/{sums[0]}" if whole and sums[0] > 1 else ""
    if below:
        body = [[*row[:labels], *(f"{cell}{below}" for cell in row[labels:])] for row in body]
        said.append(message("percentages") if below == "%" else message("of {keys} keys", keys=sums[0]))
    made = [f"# {line}" if line.strip() else line for line in given]
    for place, row in zip(table, [head, *body] if heads else body, strict=True):
        made[place] = mark.join(f'"{cell}"' if mark in cell else cell for cell in row)
    return "\n".join([*made, ""]), said


def turned(text: str, name: str) -> str:
    """Return a table with rows and columns exchanged; the same text if its lines differ in length."""
    rows = [line.cells for line in lines(text, name)]
    if len({*map(len, rows)}) != 1:
        return text
    return "\n".join(";".join(f'"{cell}"' for cell in column) for column in zip(*rows, strict=True)) + "\n"


def _rises(cells: Sequence[str]) -> bool:
    return all(_whole(cell.lstrip("+-")) for cell in cells) and all(int(a) < int(b) for a, b in pairwise(cells))


def _is_share(cell: str) -> bool:
    return is_number(cell.replace(",", ".").replace(" %", "%"))


def _share(cell: str) -> Fraction | None:
    """Return the number in a cell; None if there is none."""
    return exact(cell.replace(",", ".").replace(" %", "%")) if _is_share(cell) else None


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
    name = cut(Path(path).name)
    given = lines(read_text(path), name, Passed([], []))
    top = next(given, None)
    header = top.cells if top is not None and _heads_losses(top.cells) else None
    body = list(_body(top, given, header is not None, name))
    column = [line.cells[0] for line in body]
    labelled = header is not None or _counts_up(column) or not any(map(_holds_number, column))
    first = 1 if labelled and len(body[0].cells) == len(body) + 1 else 0
    if len(body[0].cells) - first != len(body):
        raise InputError(
            f"{name} must have as many columns as rows, got {len(body)} by {len(body[0].cells) - first} numbers.", "loss"
        )
    _check_labels(column if first else [], [] if header is None else header[len(header) - len(body) :], name)
    for line in body:
        for k, cell in enumerate(line.cells[first:], first + 1):
            if not is_number(cell):
                raise _bad_entry(cell, name, line.number, k)
    return tuple(tuple(line.cells[first:]) for line in body)


def _places(numbers: Sequence[int]) -> str:
    """Return line numbers as text, ranges by their ends: ``line 1``, ``lines 1, 4 to 9``."""
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and number == stretches[-1][-1] + 1:
            stretches[-1] = [stretches[-1][0], number]
        else:
            stretches.append([number])
    shown = [" to ".join(map(str, stretch)) for stretch in stretches[:_SHOWN]]
    more = [f"and {len(stretches) - _SHOWN} more stretches"] if len(stretches) > _SHOWN else []
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join([*shown, *more])}"


def _body(top: Line | None, below: Iterator[Line], headed: bool, name: str) -> Iterator[Line]:
    """Yield the lines of a table below its header: at least one, no more than allowed, and all of the same width."""
    first: Line | None = None
    for row, line in enumerate(below if headed or top is None else chain((top,), below)):
        if len(line.cells) > LARGEST_SIDE + 1 or row >= LARGEST_SIDE:
            raise InputError(f"{name} must have at most {LARGEST_SIDE} rows and columns, got more in line {line.number}.", "file")
        first = first or line
        if len(line.cells) != len(first.cells):
            got = f"{len(first.cells)} cells like line {first.number}, got {len(line.cells)}"
            raise InputError(f"{name}, line {line.number} must have {got}.", "file")
        yield line
    if first is None:
        raise InputError(f"{name} must contain at least one row of numbers, got none.", "file")


def _header(cells: Sequence[str], said: bool | str | None) -> str:
    """Return the reason why a first line is a header; empty if it is not."""
    if said is not None:
        return "as requested" if said is True else said or ""
    if cells[0] in CORNERS and all(_whole(cell) or not _holds_number(cell) for cell in cells[1:]):
        return _WRITTEN
    return "" if any(map(_holds_number, cells)) or not any(cells) else "no cell contains a digit"


def _labels(column: Sequence[str], said: bool | str | None, written: bool) -> str:
    """Return the reason why a first column holds labels; empty if it does not."""
    if said is not None:
        return "as requested" if said is True else said or ""
    if written and all(_whole(cell) or not _holds_number(cell) for cell in column):
        return "as its header states"
    return "" if any(map(_holds_number, column)) or not all(column) else "no cell contains a digit"


def _heads_losses(cells: Sequence[str]) -> bool:
    """Whether a first line is the header of a loss matrix: words only, or 0, 1, 2, ... after a word or an empty cell."""
    return not any(map(_holds_number, cells)) or (not _holds_number(cells[0]) and len(cells) > 2 and _counts_up(cells[1:]))


def _check_labels(down: Sequence[str], across: Sequence[str], name: str) -> None:
    """Refuse integer row or column labels that do not increase, because they would be misread."""
    for what, labels in (("rows", down), ("columns", across)):
        if not all(map(_whole, labels)):
            continue
        for before, after in pairwise(labels):
            if int(before) >= int(after):
                raise InputError(f"{name} must have its {what} in rising order, got {before} before {after}.", "file")


def _counts_up(cells: Sequence[str]) -> bool:
    return all(cell == str(k) for k, cell in enumerate(cells))


def _whole(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) < 10


def _holds_number(cell: str) -> bool:
    """Whether a cell may represent a number: it has a digit or fraction in any script, or is a word like nan."""
    if any(mark.isnumeric() for mark in cell):
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _entry(cell: str) -> Entry | None:
    """Return the number in a cell; None if it is not a readable number."""
    plain = cell.removesuffix("%").rstrip()
    if len(cell) <= _LONGEST and _DECIMAL.fullmatch(plain):
        value = Decimal(plain)
        return value if plain == cell else EXACT.scaleb(value, -2)
    parts = _FRACTION.fullmatch(plain) if len(cell) <= _LONGEST_FRACTION else None
    if parts is None or not (below := int(Decimal(parts[2]))):
        return None
    fraction = Fraction(int(Decimal(parts[1])), below)
    return fraction if plain == cell else fraction / 100


def _bad_entry(cell: str, name: str, line: int, column: int, hint: str = "") -> InputError:
    where = f"{name}, line {line}: the entry in column {column}"
    return InputError(f"{where} must be a number like 0.25, 1/3 or 20%, got {excerpt(cell)}{hint}.", "file")
