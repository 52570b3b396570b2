"""Options, utilities and readers: from text that was pasted, from the cells of a file, or counted from a column of categories.

Also what the columns of a file hold, in short, for its owner to choose one.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dpdesigner.core.basics.parsing import cut, excerpt, harmless, is_number, refuse_unclear
from dpdesigner.core.choice.utilities import MOST_OPTIONS
from dpdesigner.data.columns import changed_at, first_rows, read_texts, resolved
from dpdesigner.data.data_files import is_missing
from dpdesigner.data.grid import decimal, lines, numeric
from dpdesigner.errors import InputError

#: The columns of a file of readers.
READER_COLUMNS = ("name", "prior", "loss", "weight", "target")
_LONGEST = 200_000
_QUOTED = re.compile(r'"[^"]*"')
#: The rows that are read to say what a column holds, and the bars that show it.
ROWS_READ, _BARS = 100_000, 12


def options_of(text: str) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Read a list of options, one per line, optionally below headings: a name and a number, or a number; or numbers on one line.

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
    refuse_unclear(_QUOTED.sub("", text), "utilities", "utilities")
    options = list(lines(text, "the list"))
    if not options:
        raise InputError("the list must have one line per option, got nothing.", "utilities")
    if len(options) == 1 and len(options[0].cells) > 2:
        return None, _numbers(options[0].cells, options[0].number)
    if len(options) > 1 and _is_heading(options[0].cells[-1], options[1].cells[-1]):
        options = options[1:]
    names, utilities = [], []
    for line in options:
        *name, number = line.cells
        _numbers([number], line.number)
        names.append(" ".join(name))
        utilities.append(number)
    return (tuple(names) if all(names) else None), tuple(utilities)


def table_of(cells: Sequence[Sequence[str]]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...] | None]:
    """Read a table of utilities: databases by options; the first line may name the options, the first column the databases.

    A column of names has no number in it. The corner where both meet may hold anything.

    Returns
    -------
    (rows, names or None)

    Raises
    ------
    InputError
        If a cell is no number, or the lines are not of one length; the sentence names the line.
    """
    names = None
    body = [(number, list(row)) for number, row in enumerate(cells, 1)]
    if body and _are_names(body[0][1], body[1][1] if len(body) > 1 else ()):
        names, body = tuple(body[0][1]), body[1:]
    if body and all(row and not is_number(row[0]) for _, row in body):
        width = len(body[0][1])
        body = [(number, row[1:]) for number, row in body]
        names = names[1:] if names is not None and len(names) == width else names
    if len(body) < 2:
        raise InputError(f"a matrix of utilities must have at least two lines of numbers, got {len(body)}.", "utilities")
    width = len(body[0][1])
    for number, row in body:
        if len(row) != width:
            raise InputError(f"line {number} must have {width} numbers like the first, got {len(row)}.", "utilities")
        _numbers(row, number)
    if names is not None and len(names) != width:
        raise InputError(f"the first line must name {width} options, got {len(names)}.", "names")
    return tuple(tuple(row) for _, row in body), names


def _are_names(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a first line names options; one that begins with the name of a database may not."""
    if all(map(is_number, first)):
        return False
    return not all(map(is_number, first[1:])) or not first[0] or any(map(is_number, second[:1]))


def _is_heading(first: str, second: str) -> bool:
    """Whether a first line holds headings: it has no digit where the next line has a number."""
    return is_number(second) and not any(letter.isdecimal() for letter in first)


def _numbers(cells: Sequence[str], line: int) -> tuple[str, ...]:
    wrong = next((cell for cell in cells if not is_number(cell)), None)
    if wrong is not None:
        raise InputError(f"line {line}: a utility must be a number, got {excerpt(wrong)}.", "utilities")
    return tuple(cells)


@dataclass(frozen=True)
class CategoryCounts:
    """The counts of the categories in a column.

    Attributes
    ----------
    categories : tuple of str
    counts : tuple of int
    outside : int
        Rows in no category, empty cells among them.
    capitals : int
        How many of these differ from a category in capitals only.
    """

    categories: tuple[str, ...]
    counts: tuple[int, ...]
    outside: int
    capitals: int = 0

    @property
    def people(self) -> int:
        """The number of rows that were counted."""
        return sum(self.counts)


def count_categories(path: str, column: str, categories: tuple[str, ...] | None) -> CategoryCounts:
    """Count the categories in a column.

    Parameters
    ----------
    path, column : str
    categories : tuple of str or None
        What is counted; None: whatever is found, in order.

    Raises
    ------
    InputError
        If the file cannot be read, or there are not 2 to 1000 categories.
    """
    where = resolved(path)
    tally = _tally(where, changed_at(where), column)
    if categories is None:
        categories = tuple(sorted((text for text in tally if text), key=_order))
        if not 2 <= len(categories) <= MOST_OPTIONS:
            what = f"column {excerpt(column)} must have 2 to {MOST_OPTIONS} different values to choose from"
            raise InputError(f"{what}, got {len(categories)}.", "column")
    counts = tuple(tally.get(text, 0) for text in categories)
    others, listed = tally.keys() - set(categories), set(map(str.casefold, categories))
    capitals = sum(tally[text] for text in others if text.casefold() in listed)
    return CategoryCounts(categories, counts, sum(tally.values()) - sum(counts), capitals)


def _order(text: str) -> tuple[int, float, str]:
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text


@lru_cache(maxsize=4)
def _tally(path: Path, changed: int, column: str) -> Counter[str]:
    return Counter(read_texts(path, column))


#: Characters of one category.
LONGEST = 100
_LONGEST_TEXT = 200_000
_SEPARATORS = re.compile(r'[,;"\n]')


def categories_of(text: str) -> tuple[str, ...]:
    """Read a list of categories: one per line, or separated by commas or semicolons; quoted if one contains those.

    Returns
    -------
    tuple of str
        In their order, without surrounding blanks; empty for a text without any.

    Raises
    ------
    InputError
        As `checked_categories`; if the text is too long, or quotation marks do not enclose whole categories.
    """
    if len(text) > _LONGEST_TEXT:
        raise InputError(f"a list must have at most {_LONGEST_TEXT} characters, got {len(text)}.", "categories")
    separator = "," if "," in text or ";" not in text else ";"
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        raise InputError("the quotation marks in a list must enclose whole categories.", "categories") from None
    return checked_categories([cell.strip() for row in rows for cell in row if cell.strip()])


def categories_text(categories: Sequence[str]) -> str:
    """Return a list on one line, in the form that `categories_of` reads."""
    return ", ".join(f'"{each.replace(chr(34), 2 * chr(34))}"' if _SEPARATORS.search(each) else each for each in categories)


def checked_categories(given: Sequence[object]) -> tuple[str, ...]:
    """Return categories as texts; integers become their decimal digits.

    Raises
    ------
    InputError
        If one is empty, too long, no text or named twice.
    """
    listed = [str(each) if isinstance(each, int) and not isinstance(each, bool) else each for each in given]
    texts = [harmless(" ".join(each.split())) if isinstance(each, str) else "" for each in listed]
    for each, text in zip(listed, texts, strict=True):
        if not 0 < len(text) <= LONGEST:
            raise InputError(f"each category must be a text of 1 to {LONGEST} characters, got {excerpt(each)}.", "categories")
    if len(set(texts)) < len(texts):
        twice = next(text for place, text in enumerate(texts) if text in texts[:place])
        raise InputError(f"the list must name each category once; {excerpt(twice)} is in it twice.", "categories")
    return tuple(texts)


class Contents(NamedTuple):
    """What a column holds, for the owner of the data: nothing of it may get into a file.

    Attributes
    ----------
    rows : int
        Its cells, of which `ROWS_READ` are read at most.
    ends : (float, float) or None
        Its least and greatest number; None for texts, or if it is empty.
    others : int
        The cells of a column of numbers that hold something else.
    values : tuple of str
        The different texts, shortened, the most frequent first; empty for numbers.
    different : bool
        Whether no text is in two rows.
    bars : tuple of int
        The number of rows with each text or number, or in intervals of equal width; empty for many texts.
    """

    rows: int
    ends: tuple[float, float] | None
    others: int
    values: tuple[str, ...]
    different: bool
    bars: tuple[int, ...]


def contents_of(path: str | Path) -> dict[str, Contents]:
    """Return what each column holds, in the order of `first_rows`; raises as `all_columns`."""
    return {name: _contents(cells) for name, cells in first_rows(path, ROWS_READ).items()}


def _contents(cells: list[str]) -> Contents:
    given = [cell for cell in cells if not is_missing(cell)]
    numbers = np.array([number for cell in given if np.isfinite(number := decimal(cell))])
    if len(numbers) and any(map(numeric, given[:50])):
        different, counts = np.unique(numbers, return_counts=True)
        bars = counts if len(different) <= _BARS else np.histogram(numbers, _BARS)[0]
        ends = float(different[0]), float(different[-1])
        return Contents(len(cells), ends, len(given) - len(numbers), (), False, tuple(map(int, bars)))
    common = Counter(given).most_common()
    tallest = [number for _, number in common[:_BARS]] if len(common) <= _BARS else []
    return Contents(len(cells), None, 0, tuple(cut(text, 20) for text, _ in common), len(common) == len(given), tuple(tallest))


def readers_in(text: str, name: str) -> list[dict[str, Any]]:
    """Return the readers in a CSV text; see `readers_of`."""
    return readers_of([line.cells for line in lines(text, name)], name)


def readers_of(cells: Sequence[Sequence[str]], name: str) -> list[dict[str, Any]]:
    """Return the readers in a table with the columns name, prior, loss, weight and target; only name is required.

    Weights of a prior stand in one cell, separated by spaces. A column ``minimax`` makes cautious readers.
    """
    rows = [[cell.strip() for cell in row] for row in cells]
    if not rows:
        raise InputError(f"{name} must have a header and one line per reader; it is empty.", "readers")
    header = [cell.lower() for cell in rows[0]]
    wrong = next((cell for cell in header if cell not in (*READER_COLUMNS, "minimax", "minimax_regret")), None)
    if wrong is not None or "name" not in header:
        got = excerpt(wrong) if wrong is not None else "no column name"
        raise InputError(f"the columns of {name} must be among {', '.join(READER_COLUMNS)} and minimax, got {got}.", "readers")
    if len(rows) == 1:
        raise InputError(f"{name} must have one line per reader below its header, got none.", "readers")
    return [{key: cell for key, cell in zip(header, row, strict=False) if cell} for row in rows[1:]]
