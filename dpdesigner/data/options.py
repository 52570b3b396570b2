"""Options and tables of utilities from text: what was pasted, or the cells of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dpdesigner.core.numbers.given import is_number, shown
from dpdesigner.data.grid import lines
from dpdesigner.errors import InputError

_LONGEST = 200_000
#: The one comma of a line, between two numbers without a blank: 12,50 may be one number or two.
_DECIMAL_COMMA = re.compile(r"^(?:[^,;\t\n]*[\s;\t])?[+-]?\d+,\d+[ \t]*$", re.MULTILINE)


def options_of(text: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Read a list of options, one a line: a name and a number, or a number; or numbers on one line.

    Returns
    -------
    (names or None, utilities)

    Raises
    ------
    InputError
        If a line holds no number; the sentence names it.
    """
    if len(text) > _LONGEST:
        raise InputError(f"a list must have at most {_LONGEST} characters, got {len(text)}.", "utilities")
    if comma := _DECIMAL_COMMA.search(text):
        problem = "a number must be written with a point, or with a blank behind the comma that parts a name from a number"
        raise InputError(f"{problem}, got {shown(comma[0].strip())}.", "utilities")
    options = list(lines(text, "the list"))
    if not options:
        raise InputError("the list must have a line for each option, got nothing.", "utilities")
    if len(options) == 1 and len(options[0].cells) > 2:
        return None, _numbers(options[0].cells, options[0].number)
    names, utilities = [], []
    for line in options:
        *name, number = line.cells
        _numbers([number], line.number)
        names.append(" ".join(name))
        utilities.append(number)
    return (tuple(names) if all(names) else None), tuple(utilities)


def table_of(cells: Sequence[Sequence[str]]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...] | None]:
    """Read a table of utilities: databases by options; a first line that is not all numbers names the options.

    Returns
    -------
    (rows, names or None)

    Raises
    ------
    InputError
        If a cell is no number, or the lines are not of one length; the sentence names the line.
    """
    names = None
    body = list(enumerate(cells, 1))
    if body and not all(map(is_number, body[0][1])):
        names, body = tuple(body[0][1]), body[1:]
    if len(body) < 2:
        raise InputError(f"a matrix of utilities must have at least two lines of numbers, got {len(body)}.", "utilities")
    width = len(body[0][1])
    for number, row in body:
        if len(row) != width:
            raise InputError(f"line {number} must have {width} numbers, as the first has, got {len(row)}.", "utilities")
        _numbers(row, number)
    if names is not None and len(names) != width:
        raise InputError(f"the first line must name {width} options, got {len(names)}.", "names")
    return tuple(tuple(row) for _, row in body), names


def _numbers(cells: Sequence[str], line: int) -> tuple[str, ...]:
    wrong = next((cell for cell in cells if not is_number(cell)), None)
    if wrong is not None:
        raise InputError(f"line {line}: a utility must be a number, got {shown(wrong)}.", "utilities")
    return tuple(cells)
