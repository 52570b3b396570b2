"""Mechanism tables in any format, plain or as the perturbation tables of statistics offices, for reading and writing.

- plain: CSV or TSV, rows = true counts, columns = releases (`dpdesigner.data.mechanism_tables`), or what is added to the count
  where the header has negative numbers and ends below the largest count; a square one with the same names down and across is a
  table for categories (PRAM), in which every two answers are neighbours;
- Tau-Argus, as the R package ptable writes it: ``i;j;p;v;p_int_ub``, a line for each true count i and release j = i + v. The
  first line whose p_int_ub is at least the key is taken, so that a probability is the difference of two p_int_ub. The largest i
  stands for all larger ones. SAS adds ``p_int_lb``;
- keyed, as the Python package cell-key-perturbation reads it: ``pcv,ckey,pvalue``: the release is count + pvalue. A count of 0
  stays 0; counts above 750 use the line ((count - 1) mod 250) + 501.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.parsing import cut, exact, excerpt
from dpdesigner.core.basics.rounding import EXACT, context, decimal, figure
from dpdesigner.data.grid import Line, lines
from dpdesigner.data.mechanism_tables import CORNERS, TableText, listed_table, removable, tidied, turned
from dpdesigner.errors import InputError
from dpdesigner.messages import message

Entry = Decimal | Fraction
Format = Literal["plain", "categories", "tau-argus", "sas", "keys"]

MOST_CELLS = 4_000_000
#: The default number of counts for which a table with noise for every count is examined.
USUAL_N = 20
_WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_TAU_ARGUS, _SAS, _KEYS = (
    ("i", "j", "p", "v", "p_int_ub"),
    ("i", "j", "p", "v", "p_int_lb", "p_int_ub"),
    ("pcv", "ckey", "pvalue"),
)
#: Beyond the last count of its own, a keyed table repeats its last 250.
_LAST_KEYED, _PERIOD = 750, 250
_DIGITS, _ROUNDING = 8, Fraction(1, 100)
#: An entry above it is no probability that was rounded.
_LARGEST = Decimal("1.001")
_LONGEST = 40  # digits of a number in a sentence


#: Whether there is a header, and whether there are labels; None if the table itself shows it.
_HEADINGS: dict[str, tuple[bool | None, bool | None]] = {
    "detect": (None, None),
    "header": (True, False),
    "labels": (False, True),
    "both": (True, True),
    "none": (False, False),
}
_DETECTED = "as detected"
TURNED = "turned"


class NotAMechanism(InputError):
    """A table that was read, but whose rows are not probability distributions."""


@dataclass(frozen=True, eq=False)
class NoiseTable:
    """A table of releases as read from a file.

    Attributes
    ----------
    format : str
    rows : list of list of Decimal or Fraction
        The probabilities, rows = true counts 0, 1, 2, ….
    labels : tuple of int
        What the columns release.
    words : str
        What was read and what was not.
    remarks : tuple of str
        What of it does not fit together, a sentence each.
    names : tuple of str
        Of the answers, in a table for categories.
    left_out : mapping of str to list of str
        Of a plain table: the cells of ``"header"`` and ``"row labels"``, if it has them.
    completed : str
        How many rows got what they lacked of 1, and how much at most; empty: none.
    rounded_to : int
        The decimals of a table that was completed and whose rows missed 1 by rounding only; 0 of others.
    """

    format: Format
    rows: list[list[Entry]]
    labels: tuple[int, ...]
    words: str
    remarks: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    completed: str = ""
    rounded_to: int = 0

    @property
    def release_names(self) -> tuple[str, ...]:
        """The header of releases that are no whole numbers; empty for others."""
        header = tuple(self.left_out.get("header", ()))
        return () if all(map(_WHOLE.fullmatch, header)) else header

    @property
    def decimals(self) -> int:
        """The most decimals of an entry; of fractions 0."""
        return max(-int(e.as_tuple().exponent) if isinstance(e, Decimal) else 0 for row in self.rows for e in row)

    @cached_property
    def wrong_sums(self) -> list[tuple[int, Fraction]]:
        """The rows that do not sum to exactly 1, and their sums."""
        sums = [(i, _sum(row)) for i, row in enumerate(self.rows)]
        return [(i, total) for i, total in sums if total != 1]

    @property
    def beyond_rounding(self) -> list[tuple[int, Fraction]]:
        """The rows with sums further from 1 than by rounding to the digits written, or by 0.01, and their sums."""
        places = [[max(-int(e.as_tuple().exponent), 0) for e in row if isinstance(e, Decimal)] for row in self.rows]
        digits = [max(each, default=0) for each in places]
        limits = [min(Fraction(len(row), 2 * 10**most), _ROUNDING) for row, most in zip(self.rows, digits, strict=True)]
        return [(i, total) for i, total in self.wrong_sums if abs(1 - total) > limits[i]]

    @property
    def neighbours(self) -> tuple[Floats, Floats]:
        """The lower and the higher of each pair of entries in neighbouring rows."""
        entries = np.array([[float(entry) for entry in row] for row in self.rows])
        return np.minimum(entries[1:], entries[:-1]), np.maximum(entries[1:], entries[:-1])

    @property
    def epsilon(self) -> str:
        """The least ε that holds for the entries, in four digits, rounded up."""
        low, high = (each[self.neighbours[1] > 0] for each in self.neighbours)
        return figure(math.log(float((high / low).max())), 4) if low.all() else "∞"

    @property
    def least_unrounded(self) -> float:
        """A lower bound on the ε of all tables that round to this one; of one that is mended or exact, ∞."""
        (low, high), half = self.neighbours, 0.5 * 10.0**-self.decimals
        known = self.wrong_sums and not self.beyond_rounding
        return math.log(max(float(((high - half) / (low + half)).max()), 1.0)) if known else math.inf

    @property
    def mended_words(self) -> str:
        """By how much the rows were mended whose sums are wrong by more than rounding; empty if none was."""
        if not self.beyond_rounding:
            return ""
        (row, total), *others = sorted(self.wrong_sums, key=lambda each: abs(1 - each[1]), reverse=True)
        words = message("Mended: row of true count {row} {added}, {count} more by up to {most}")
        words = words if others else message("Mended: row of true count {row} {added}")
        added, most = (figure(abs(1 - each), 3) for each in (total, others[0][1] if others else total))
        return message(words, row=row, added=f"{'+' if total < 1 else '−'}{added}", count=len(others), most=most)

    @property
    def text(self) -> str:
        """The table as CSV with a header and labels."""
        rows: tuple[Sequence[Any], ...] = ([CORNERS[0], *self.labels], *([i, *row] for i, row in enumerate(self.rows)))
        return "\n".join(",".join(map(str, row)) for row in rows)

    def check_entries(self) -> None:
        """Refuse an entry that is no probability. One that is hardly above 1 may be a matter of rounding: its row is then wrong.

        Raises
        ------
        NotAMechanism
            The sentence names row and column.
        """
        for i, row in enumerate(self.rows):
            low, high = min(row), max(row)
            if low < 0 or high > _LARGEST:
                wrong, allowed = (low, "must not be negative") if low < 0 else (high, "must be a probability of at most 1")
                where = f"row {i}, column {row.index(wrong)} of the table"
                raise NotAMechanism(f"{where} {allowed}, got {_text(Fraction(wrong))}.", "table")


def read_noise_table(
    text: str,
    name: str = "the table",
    n: int | None = None,
    header: bool | str | None = None,
    labels: bool | str | None = None,
) -> NoiseTable:
    """Read a table of releases in any of the formats.

    Parameters
    ----------
    text : str
    name : str
        What to call it in the sentence of an error.
    n : int, optional
        The largest count: of formats that say what happens to every count. By default 20, and of keyed tables their largest.
    header, labels : bool or str, optional
        Of a plain table, as in `TableText`.

    Raises
    ------
    InputError
        If it is none of them; the sentence names the line and the column.
    """
    top = next(lines(text, name), None)
    heading = tuple(cell.strip().lower() for cell in top.cells) if top is not None else ()
    if set(_TAU_ARGUS) <= set(heading) and "type" in heading:
        raise InputError(f"{name} must be a table for counts, got one for magnitudes: it has a column “type”.", "table")
    if heading in (_TAU_ARGUS, _SAS):
        return _read_intervals(text, name, heading, USUAL_N if n is None else n)
    if heading == _KEYS:
        return _read_keys(text, name, n)
    if near := _nearly(heading):
        allowed = "; ".join(",".join(known) for known in (_TAU_ARGUS, _SAS, _KEYS))
        raise InputError(f"{name} must have one of the headers {allowed}, got {cut(','.join(near))}.", "table")
    if not isinstance(header, bool) and (listed := listed_table(text, name)):
        return NoiseTable("plain", *listed)
    return _read_plain(text, name, header, labels)


def detected_table(text: str, name: str, n: int | None, headings: str, completed: bool) -> NoiseTable:
    """Read a table as `read_noise_table`, of which nobody says how it is written; or that its columns are the true counts.

    Raises
    ------
    InputError
        If it is none; it suggests ``"turned"`` if its columns may be the true counts, unless its rows are to be completed anyhow.
    """
    if headings in _HEADINGS and headings != "detect":
        return _plain(text, name, n, *_HEADINGS[headings])
    noise: NoiseTable | None = None
    refused: InputError | None = None
    for turn in (True,) if headings == TURNED else (None, False) if completed else (None, False, True):
        given, said = (text, []) if turn is None else tidied(text)
        try:
            found = _detected(turned(given, name) if turn else given, name, n, [*said, *([message("turned")] if turn else [])])
        except InputError as error:
            refused = refused if refused and (turn or "# " not in given) else error  # below titles, that of the table
            continue
        if headings == TURNED or not (turn or found.beyond_rounding):
            return found
        if not found.beyond_rounding and any(abs(_sum(column) - 1) > _ROUNDING for column in zip(*found.rows, strict=True)):
            problem = f"the columns of {name} sum to 1, but its rows do not. Are the columns the true counts?"
            raise InputError(problem, "headings", TURNED)
        noise = noise or (None if turn else found)
    if noise is None:
        raise refused  # type: ignore[misc]
    return noise


def _detected(text: str, name: str, n: int | None, said: Sequence[str]) -> NoiseTable:
    """Read a table whose first line and first column are left out if what is left is then a table of probabilities."""
    read, refused = list[tuple[int, NoiseTable]](), list[InputError]()
    ways = ["detect"]
    for way in ways:
        try:
            noise = _plain(text, name, n, *(value and _DETECTED for value in _HEADINGS[way]))
            noise.check_entries()
            read.append((len(noise.beyond_rounding) if noise.wrong_sums else 0, noise))
            if not read[-1][0]:
                break
        except InputError as error:
            refused.append(error)
        ways += removable(text, name) if way == "detect" else ()
    if not read:
        first = refused[-1 if ways[1:] == ["both"] else 0]  # if only both can be, that is how it is meant
        best = ways[-1] if first.field == "headings" and len(ways) > 1 else first.suggestion
        raise type(first)(str(first), first.field, best) from first
    noise = min(read, key=lambda each: each[0])[1]
    return replace(noise, words=noise.words.replace("; not read", "".join(f", {each}" for each in said) + "; not read", 1))


def _plain(text: str, name: str, n: int | None, header: bool | str | None, labels: bool | str | None) -> NoiseTable:
    try:
        return read_noise_table(text, name, n, header, labels)
    except InputError as error:
        problem, _, hint = str(error).partition("; if ")  # command-line options are of no use in a window
        if not hint:
            raise InputError(str(error), error.field if error.field == "n" else "table", error.suggestion) from error
        more, other = ("header", labels) if hint.endswith("--header.") else ("labels", header)
        raise InputError(f"{problem}.", "headings", "both" if other else more) from error


def _nearly(heading: tuple[str, ...]) -> tuple[str, ...]:
    """Return a header that has some names of a format, but not all of them in order; otherwise empty."""
    return heading if {"p_int_lb", "p_int_ub", "pcv", "ckey", "pvalue"} & set(heading) else ()


def _read_plain(text: str, name: str, header: bool | str | None, labels: bool | str | None) -> NoiseTable:
    table = TableText(text, name, header, labels)
    if table.n_rows * table.n_columns > MOST_CELLS:
        got = f"{table.n_rows} rows of {table.n_columns} columns"
        raise InputError(f"{name} must have at most {MOST_CELLS} entries to be inspected, got {got}.", "table")
    released = tuple(range(table.n_columns))
    if table.across and all(map(_WHOLE.fullmatch, table.across)):
        released = tuple(map(int, table.across))
    if (
        table.down
        and all(map(_WHOLE.fullmatch, table.down))
        and [int(label) for label in table.down] != list(range(table.n_rows))
    ):
        wrong = next(i for i, label in enumerate(table.down) if int(label) != i)
        raise InputError(
            f"{name} must have a row for each count 0, 1, 2, …, got {table.down[wrong]} in place of {wrong}.", "table"
        )
    rows = list(table.rows())
    left_out = {name: cells for name, cells in (("header", table.across), ("row labels", table.down)) if cells}
    square = table.n_rows == table.n_columns > 1 and table.down == table.across
    names = tuple(table.down) if square and not any(map(_WHOLE.fullmatch, table.down)) else ()
    if min(released) < 0 and max(released) < table.n_rows - 1 and any(map(any, rows)):  # no releases, but noise
        spread, released = _spread([{v: Fraction(p) for v, p in zip(released, row, strict=True)} for row in rows])
        words = table.description.replace("; not read", ", columns: what is added to the count; not read", 1)
        return NoiseTable("plain", spread, released, words, (), (), left_out)
    return NoiseTable("categories" if names else "plain", rows, released, table.description, (), names, left_out)


def _read_intervals(text: str, name: str, heading: tuple[str, ...], n: int) -> NoiseTable:
    """Read a table whose lines are consecutive intervals of the key for each true count."""
    body = _body(text, name, len(heading))
    noise: dict[int, dict[int, Fraction]] = {}
    remarks: list[str] = []
    last = Fraction(0)
    for line in body:
        i, j, v = (_whole(line, heading.index(column), column, name) for column in ("i", "j", "v"))
        p, upper = (_number(line, heading.index(column), column, name) for column in ("p", "p_int_ub"))
        if i < 0 or j < 0:
            raise InputError(f"{name}, line {line.number}: i and j must be counts of at least 0, got i = {i}, j = {j}.", "table")
        if i not in noise:
            if i != len(noise):
                raise InputError(
                    f"{name}, line {line.number}: i must be {len(noise)} here, with none left out, got {i}.", "table"
                )
            noise[i], last = {}, Fraction(0)
        elif i != len(noise) - 1:
            raise InputError(
                f"{name}, line {line.number}: the lines for i = {i} must be consecutive, got others between them.", "table"
            )
        if v != j - i:
            raise InputError(f"{name}, line {line.number}: v must be j - i = {j - i}, got {v}.", "table")
        if v in noise[i]:
            raise InputError(f"{name}, line {line.number}: there must be one line for i = {i}, j = {j}, got two.", "table")
        if upper < last:
            raise InputError(f"{name}, line {line.number}: p_int_ub must not fall, got {line.cells[-1]} below the last.", "table")
        if upper > 1:
            raise InputError(f"{name}, line {line.number}: p_int_ub must be at most 1, got {line.cells[-1]}.", "table")
        if "p_int_lb" in heading and (lower := _number(line, 4, "p_int_lb", name)) != last:
            remarks.append(f"p_int_lb of i = {i}, j = {j} is {_digits(lower)}, the p_int_ub before it is {_digits(last)}.")
        if p != upper - last:
            remarks.append(f"p of i = {i}, j = {j} is {_digits(p)}, the difference of its p_int_ub is {_digits(upper - last)}.")
        noise[i][v], last = upper - last, upper
    if not noise:
        raise InputError(f"{name} must contain at least one line of numbers, got none.", "table")
    spread = [noise[min(i, len(noise) - 1)] for i in range(n + 1)]
    rows, labels = _spread(spread)
    own = sum(map(len, noise.values()))
    words = f"read: {own} lines, counts 0 to {len(noise) - 1}"
    if n > len(noise) - 1:
        words += f" (counts up to {n} use the noise of {len(noise) - 1})"
    words += "; not read: the header"
    return NoiseTable("sas" if heading == _SAS else "tau-argus", rows, labels, words, tuple(remarks))


def _read_keys(text: str, name: str, n: int | None) -> NoiseTable:
    """Read a table with one line for each count and key."""
    noise: dict[int, dict[int, int]] = {}
    for line in _body(text, name, 3):
        count, key, change = (_whole(line, place, column, name) for place, column in enumerate(_KEYS))
        if count < 1 or key < 0:
            raise InputError(
                f"{name}, line {line.number}: pcv must be at least 1 and ckey at least 0, got {count}, {key}.", "table"
            )
        if key in noise.setdefault(count, {}):
            raise InputError(
                f"{name}, line {line.number}: there must be one line for pcv {count} and ckey {key}, got two.", "table"
            )
        noise[count][key] = change
    if not noise:
        raise InputError(f"{name} must contain at least one line of numbers, got none.", "table")
    largest, keys = max(noise), 1 + max(key for changes in noise.values() for key in changes)
    if keys * largest > MOST_CELLS:
        raise InputError(f"{name} must have at most {MOST_CELLS} counts times keys, got {largest} times {keys}.", "table")
    for count in range(1, largest + 1):
        changes = noise.get(count, {})
        if len(changes) < keys:
            missing = next(key for key in range(keys) if key not in changes)
            raise InputError(
                f"{name} must have a line for every pcv and ckey, got none for pcv {count} and ckey {missing}.", "table"
            )
    n = largest if n is None else n
    if n > largest and largest != _LAST_KEYED:
        raise InputError(f"{name} must have counts up to {n}, got them up to {largest}.", "n", str(largest))
    spread: list[dict[int, Fraction]] = [{0: Fraction(1)}]
    for count in range(1, n + 1):
        line_of = count if count <= largest else (count - 1) % _PERIOD + _LAST_KEYED - _PERIOD + 1
        chances: dict[int, Fraction] = {}
        for change in noise[line_of].values():
            chances[change] = chances.get(change, Fraction(0)) + Fraction(1, keys)
        spread.append(chances)
    rows, labels = _spread(spread)
    words = f"read: {sum(map(len, noise.values()))} lines for the counts 1 to {largest} and {keys} keys; not read: the header"
    return NoiseTable("keys", rows, labels, words + "; a count of 0 stays 0")


def _spread(noise: Sequence[dict[int, Fraction]]) -> tuple[list[list[Entry]], tuple[int, ...]]:
    """Return rows over all releases, from the probabilities of each change."""
    low = min(i + v for i, changes in enumerate(noise) for v, p in changes.items() if p)
    high = max(i + v for i, changes in enumerate(noise) for v, p in changes.items() if p)
    low, high = min(low, 0), max(high, len(noise) - 1)
    if (high - low + 1) * len(noise) > MOST_CELLS:
        got = f"{len(noise)} counts and {high - low + 1} releases"
        raise InputError(f"a table must have at most {MOST_CELLS} entries to be inspected, got {got}.", "n")
    rows: list[list[Entry]] = []
    for i, changes in enumerate(noise):
        row: list[Entry] = [Fraction(0)] * (high - low + 1)
        for v, p in changes.items():
            if p:
                row[i + v - low] = p
        rows.append(row)
    return rows, tuple(range(low, high + 1))


def _body(text: str, name: str, width: int) -> Iterator[Line]:
    """Yield the lines below the header, all of the same width as it."""
    below = lines(text, name)
    next(below)
    for line in below:
        if len(line.cells) != width:
            raise InputError(
                f"{name}, line {line.number} must have {width} cells like the header, got {len(line.cells)}.", "table"
            )
        yield line


def _whole(line: Line, place: int, column: str, name: str) -> int:
    if not _WHOLE.fullmatch(line.cells[place]):
        raise InputError(
            f"{name}, line {line.number}: {column} must be a whole number, got {excerpt(line.cells[place])}.", "table"
        )
    return int(line.cells[place])


def _number(line: Line, place: int, column: str, name: str) -> Fraction:
    value = exact(line.cells[place], f"{name}, line {line.number}: {column}", "table")
    if value < 0:
        raise InputError(f"{name}, line {line.number}: {column} must not be negative, got {excerpt(line.cells[place])}.", "table")
    return value


def _sum(row: Sequence[Entry]) -> Fraction:
    """The exact sum of a row; decimals are added as decimals, which is quick."""
    if set(map(type, row)) == {Decimal}:
        with localcontext(EXACT):
            return Fraction(sum(row, Decimal(0)))
    decimals, fractions = Decimal(0), Fraction(0)
    for entry in row:
        if isinstance(entry, Decimal):
            decimals = EXACT.add(decimals, entry)
        else:
            fractions += entry
    return fractions + Fraction(decimals)


def _digits(value: Fraction) -> str:
    return f"{float(value):.{_DIGITS}f}"


def mended(noise: NoiseTable, wrong: list[tuple[int, Fraction]]) -> NoiseTable:
    """Return a table in which each row's shortfall from 1 is added to its largest entry, the first of several.

    Raises
    ------
    InputError
        If an entry would be negative.
    """
    rows = [list(row) for row in noise.rows]
    for i, total in wrong:
        largest = rows[i].index(max(rows[i]))
        rows[i][largest] = Fraction(rows[i][largest]) + 1 - total
        if rows[i][largest] < 0:
            raise NotAMechanism(f"row {i} of the table must sum to about 1 to be completed, got {_text(total)}.", "table")
    row, total = max(wrong, key=lambda each: abs(1 - each[1]))
    words = message("{count} rows, each by at most {most}") if wrong[1:] else message("row {row}, by {sign}{most}")
    sign, most = "+" if total < 1 else "−", _decimal(abs(1 - total))
    told = message(words, row=row, sign=sign, count=len(wrong), most=most)
    return replace(noise, rows=rows, completed=told, rounded_to=0 if noise.beyond_rounding else noise.decimals)


def _decimal(value: Fraction) -> str:
    """A small number in three digits, without a power of ten if it has few zeros."""
    return f"{Decimal(f'{float(value):.3g}'):f}" if 1e-9 < value < 1 else figure(value, 3)


def no_mechanism(noise: NoiseTable) -> str:
    """Return the sentence that names the row furthest from the sum 1, and offers to repair all."""
    row, total = max(wrong := noise.beyond_rounding or noise.wrong_sums, key=lambda each: abs(1 - each[1]))
    named = noise.names[row] if noise.names else f"true count {row}"
    others = f", nor do {len(wrong) - 1} other rows" if len(wrong) > 2 else ", nor does another row" if len(wrong) == 2 else ""
    off = _text(abs(1 - total))
    reached = f"1 {'-' if total < 1 else '+'} {off}" if _text(total) == "1" else _text(total)
    mend = f"Add the missing {off} to" if total < 1 else f"Take the surplus {off} from"
    words = f"the row of {named} sums to {reached}, not 1{others}, so nothing can be drawn from it as written."
    return f"{words} {mend} its largest entry?"


def _text(value: Fraction) -> str:
    """A fraction as a decimal, with all its digits where these are few; else about as a decimal, or as a power of ten."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    text = f"{decimal(value, context(_LONGEST if rest == 1 else 12)).normalize():f}"
    if len(text) <= _LONGEST:
        return text if rest == 1 else f"about {text}"
    return f"{decimal(value, context(6)).normalize():g}".lower().replace("e+", "e")


def written_intervals(rows: Sequence[Sequence[int]], keys: int, sas: bool = False) -> str:
    """Return a table in K keys in the format of Tau-Argus or SAS.

    Parameters
    ----------
    rows : sequence of sequences of int
        How many keys lead to each release 0, 1, 2, …; each row sums to `keys`.
    keys : int
        K; every multiple of 1 / K must have at most 8 digits: a power of 2 up to 256, or 10 000.
    sas : bool

    Raises
    ------
    InputError
        If eight digits do not hold the multiples of 1 / K.
    """
    if (10**_DIGITS) % keys:
        allowed = "a number of keys that divides 100\u202f000\u202f000, for example 256 or 10\u202f000"
        raise InputError(f"eight digits need {allowed}, got {keys}.", "keys", "10000" if keys > 256 else "256")
    head = _SAS if sas else _TAU_ARGUS
    made = [";".join(head)]
    for i, row in enumerate(rows):
        reached = 0
        for j, count in enumerate(row):
            if count:
                before, reached = reached, reached + count
                texts = [_fixed(count, keys), str(j - i), *([_fixed(before, keys)] if sas else []), _fixed(reached, keys)]
                made.append(";".join([str(i), str(j), *texts]))
    return "\n".join(made) + "\n"


def written_keys(rows: Sequence[Sequence[int]], keys: int) -> str:
    """Return a table in K keys as lines ``pcv,ckey,pvalue``: for each count from 1 on, the releases in order.

    A count of 0 stays 0 in this format, which no private table does: the row of 0 must be all 0.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    out.write('"pcv","ckey","pvalue"\n')
    for i, row in enumerate(rows):
        if i:
            changes = [j - i for j, count in enumerate(row) for _ in range(count)]
            writer.writerows((i, key, change) for key, change in enumerate(changes))
    return out.getvalue()


def _fixed(count: int, keys: int) -> str:
    value = Fraction(count, keys) * 10**_DIGITS
    whole, part = divmod(int(value), 10**_DIGITS)
    return f"{whole}.{part:0{_DIGITS}d}"
