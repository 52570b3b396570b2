"""Inputs that are data: a column of 0 and 1, as digits or by file name; a file; a table, possibly in a file; named levels."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import compress, pairwise
from pathlib import Path
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from dpdesigner.arrays import Floats
from dpdesigner.core.basics.coercion import ArrayValues, as_numbers
from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.basics.parsing import Number, double, exact, excerpt, is_number, listed, numbered
from dpdesigner.core.basics.prior import Prior
from dpdesigner.core.basics.rounding import group_thousands
from dpdesigner.data.columns import changed_at, named_bits, number_columns, relocated, resolved
from dpdesigner.data.grid import Line, lines, read_text
from dpdesigner.errors import InputError
from dpdesigner.messages import message
from dpdesigner.studies.input_kinds import BELIEFS, LOSSES, Input, TextLike, json_value
from dpdesigner.studies.number_inputs import epsilon_of

Bits = NDArray[np.int8]
T = TypeVar("T")

FILE = "file:"  #: prefix of a text that names a file
MENDED = ", mended"  #: at the end of such a text, where what rows lack of 1 is to be put on their largest entries

EXAMPLE_RANGES = "18 to 90, 0 to 120\u202f000"  #: of two columns
DRAWN = "drawn"  #: of points: invented
MOST_NUMBERS, MOST_DIMENSION = 20_000_000, 64
MANY_NUMBERS = f"{group_thousands(MOST_NUMBERS)} numbers (rows × columns)"
_MOST_ROWS, _MOST_COUNTS = 1_000_000, 100_000
_FAR = 1e100  # of a middle, in ranges: the square is finite
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
        given = as_numbers(given, "the column", key)
        given = os.fspath(given) if isinstance(given, os.PathLike) else "" if given is None else given
        if isinstance(given, (list, tuple, np.ndarray)):
            given = self._digits(np.asarray(given, dtype=object), key)
        if not isinstance(given, str) or len(given) > max(self.most, _LONGEST_PATH) or not given.isprintable():
            raise InputError(
                f"the column must be 0s and 1s, at most {self.most}, or the name of a file, got {excerpt(given)}.", key
            )
        if drawn_by_hand(given) and len(given) > self.most:
            raise InputError(f"the column must have at most {self.most} values, got {len(given)}.", key)
        return given.strip()

    def _digits(self, values: Any, key: str) -> str:
        if values.ndim != 1 or not 1 <= len(values) <= self.most:
            raise InputError(f"the column must be a list of 1 to {self.most} values, got shape {values.shape}.", key)
        for place, value in enumerate(values.tolist(), 1):
            if isinstance(value, str) or value not in (0, 1):
                raise InputError(f"the column must contain 0 and 1 only, got {excerpt(value)} in row {place}.", key)
        return "".join("1" if value else "0" for value in values.tolist())

    @override
    def text(self, value: str) -> str:
        if not value:
            return message("random")
        return message("painted") if drawn_by_hand(value) else file_of(value)[1] or message("a column of a file")

    @override
    def beside(self, value: str, folder: Path) -> str:
        path, name = ("", "") if drawn_by_hand(value) else file_of(value)
        moved = relocated(path, folder)
        return value if moved == path else f"{moved}#{name}" if name else moved


#: The separator of folders in a path, on any system.
_SEPARATOR = r"[/\\]"


class TableInput(TextLike[T]):
    """Rows of numbers that may be in a file, ``"file: PATH"``; or, as a value and a name, invented."""

    invented: ClassVar[tuple[str, str] | None] = None
    more: ClassVar[str] = ""  #: endings of other files that it takes, after those of tables

    @override
    def summary(self, value: T) -> str:
        text = self.text(value)
        return f"{FILE} {re.split(_SEPARATOR, text.removeprefix(FILE).strip())[-1]}" if text.startswith(FILE) else text

    @override
    def beside(self, value: T, folder: Path) -> T:
        if not isinstance(value, str) or not value.startswith(FILE):
            return value
        path, mended, _ = value.removeprefix(FILE).strip().partition(MENDED)
        moved = relocated(path, folder)
        return value if moved == path else cast(T, f"{FILE} {moved}{mended}")


def table_path(text: str) -> Path:
    """Return the file named in a text ``"file: PATH"``."""
    return resolved(text.removeprefix(FILE).removesuffix(MENDED).strip())


def table_lines(text: str) -> tuple[str, Iterator[Line]]:
    """Return the file name in a text ``"file: PATH"``, and the lines of the file."""
    path = table_path(text)
    return path.name, lines(read_text(path), path.name)


def table_length(text: str) -> int:
    """Return about how many lines the file named in such a text has, quickly."""
    return read_text(table_path(text)).count("\n")


def table_changed_at(text: str) -> int:
    """Return when the file named in such a text was last changed, in nanoseconds; 0 if there is none."""
    return changed_at(table_path(text)) if text.startswith(FILE) else 0


def drawn_by_hand(column: str) -> bool:
    """Return whether a column is given as digits."""
    return bool(column) and _BITS.fullmatch(column) is not None


def file_of(column: str) -> tuple[str, str]:
    """Return the file and the name of its column, which may be empty."""
    path, mark, name = column.rpartition("#")
    return (path, name) if mark and not os.path.exists(resolved(column)) else (column, "")


def bits_of(column: str) -> Bits:
    """Return the whole column from its digits or from ``FILE#COLUMN``."""
    if drawn_by_hand(column):
        return np.frombuffer(column.encode(), dtype=np.uint8).astype(np.int8) - 48
    return _of_file(column)[0]


def one_of(column: str) -> str:
    """Return ``NAME = VALUE`` for the value that is 1 in a column of two other values in a file; empty for 0 and 1."""
    one = _of_file(column)[1] if column and not drawn_by_hand(column) else ""
    return f"{file_of(column)[1]} = {one}".removeprefix(" = ") if one else ""


def _of_file(column: str) -> tuple[Bits, str]:
    path, name = file_of(column)
    where = resolved(path)
    return _read(where, changed_at(where), name)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, name: str) -> tuple[Bits, str]:
    if not name:
        names = number_columns(path)
        if len(names) > 1:
            raise InputError(f"the column must be named, FILE#COLUMN, one of {', '.join(names)}.", "column")
        name = names[0]
    bits, one = named_bits(path, name)
    bits.setflags(write=False)
    return bits, one


GEOMETRIC = "geometric:"
_LONGEST_TABLE = 100_000_000


class Rows(tuple[tuple[Number, ...], ...]):
    """Checked rows of numbers."""

    @cached_property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The rows as entered, by which they are compared."""
        return tuple(tuple(map(str, row)) for row in self)


class ReleasesInput(TableInput[str | Rows]):
    """A table of releases: rows of numbers, ``"file: PATH"``, the text of a table, or ``"geometric: N, EPSILON"``.

    Where it is optional, an empty text is none.
    """

    def __init__(self, *, optional: bool = False) -> None:
        self.optional = optional

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str | Rows:
        if self.optional and (given is None or (isinstance(given, str) and not given.strip())):
            return ""
        if isinstance(given, Rows):
            return given
        given = as_numbers(given, "the table", key)
        if isinstance(given, os.PathLike):
            given = f"{FILE} {os.fspath(given)}"
        if isinstance(given, str):
            return self._text(given, key)
        rows = given.tolist() if isinstance(given, np.ndarray) else given
        if not isinstance(rows, Sequence) or not rows or any(isinstance(row, str) or not hasattr(row, "__len__") for row in rows):
            raise InputError(f"the table must be a file, or rows of numbers, got {excerpt(given)}.", key)
        held = Rows(tuple(row.tolist() if isinstance(row, np.ndarray) else row) for row in rows)
        for i, row in enumerate(held):
            if len(row) != len(held[0]) or not row:
                allowed = f"{len(held[0])} entries like row 0" if held[0] else "at least one entry"
                raise InputError(f"row {i} of the table must have {allowed}, got {len(row)}.", key)
            for r, entry in enumerate(row):
                exact(entry, f"row {i}, column {r} of the table", key)
        return held

    def _text(self, given: str, key: str) -> str:
        text = given.strip()
        if "\n" in text:
            if len(text) > _LONGEST_TABLE:
                raise InputError(f"the table must have at most {_LONGEST_TABLE} characters, got {len(text)}.", key)
            return given
        if not text or len(text) > _LONGEST_PATH or not text.isprintable():
            raise InputError(f"the table must be the name of a file, or rows of numbers, got {excerpt(given)}.", key)
        return text if text.startswith((FILE, GEOMETRIC)) else f"{FILE} {text}"

    @override
    def as_json(self, value: str | Rows, key: str) -> dict[str, Any]:
        return {} if value == "" else {key: value if isinstance(value, str) else json_value(value)}

    @override
    def text(self, value: str | Rows) -> str:
        if isinstance(value, str):
            return message("{count} lines of text", count=value.count("\n") + 1) if "\n" in value else value
        return message("{rows} by {columns} numbers", rows=len(value), columns=len(value[0]))

    @override
    def identity(self, value: str | Rows) -> Hashable:
        return value if isinstance(value, str) else value.texts


class PointsInput(TableInput[str | ArrayValues]):
    """Points: ``"drawn"``, ``"file: PATH"`` with one point per line, or an array with one point per row."""

    counts_only = True
    invented = DRAWN, message("Invented")
    more = " *.json"  # a released structure

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str | ArrayValues:
        if isinstance(given, ArrayValues):
            return given
        if isinstance(given, os.PathLike):
            given = f"{FILE} {os.fspath(given)}"
        if isinstance(given, str):
            text = given.strip()  # a path may contain several consecutive spaces
            if text != DRAWN and not text.startswith(FILE):
                raise InputError(f"the points must be {DRAWN}, or {FILE} and a path, got {excerpt(given)}.", key, DRAWN)
            return text
        try:
            points = np.array(as_numbers(given, "the points", key), dtype=float)
        except (TypeError, ValueError):
            raise InputError(f"the points must be rows of numbers, got {excerpt(given)}.", key) from None
        return ArrayValues(checked_points(points, key)[0])

    @override
    def as_json(self, value: str | ArrayValues, key: str) -> dict[str, Any]:
        return {key: value if isinstance(value, str) else value.tolist()}

    @override
    def text(self, value: str | ArrayValues) -> str:
        return value if isinstance(value, str) else f"{len(value)} points"

    @override
    def summary(self, value: str | ArrayValues) -> str:
        return message("invented") if isinstance(value, str) and value == DRAWN else super().summary(value)

    @override
    def identity(self, value: str | ArrayValues) -> Hashable:
        return value if isinstance(value, str) else (value.numbers.shape, value.numbers.tobytes())


def checked_points(
    points: Floats, key: str = "points", ranges: Floats | None = None, names: Sequence[str] = ()
) -> tuple[Floats, Floats]:
    """Return unit-length points, as counted, and these or points with their ranges from -1 to 1.

    Values beyond a range stay as they are: a row moves a count by at most 1 wherever it is.
    """
    allowed = f"1 to {group_thousands(_MOST_ROWS)} rows of 2 to {MOST_DIMENSION} numbers"
    if points.ndim != 2 or not 1 < points.shape[1] <= MOST_DIMENSION or not 0 < len(points) <= _MOST_ROWS:
        raise InputError(f"the points must be {allowed}, got an array of shape {points.shape}.", key)
    if points.size > MOST_NUMBERS:
        raise InputError(f"there must be at most {MANY_NUMBERS}, got {group_thousands(points.size)}.", key)
    if ranges is not None:
        one_per_column(points.shape[1], ranges, names)
        points = np.clip((points - ranges.mean(axis=1)) / (np.ptp(ranges, axis=1) / 2), -_FAR, _FAR)
    elif not (some := np.isfinite(lengths := np.linalg.norm(points, axis=1)) & (lengths > 0)).all():
        raise InputError(f"every point must have a direction, got a zero vector in row {int(some.argmin()) + 1}.", key)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    units = np.asarray(points / np.where(lengths > 0, lengths, 1.0))  # one at 0 stays there
    return units, units if ranges is None else points


def table_points(text: str, ranges: Floats | None, names: Sequence[str], partial: bool = False) -> tuple[Floats, Floats]:
    """Read points from a file, from the columns with these names if it has a header; see `checked_points`.

    Rows without a number in one of these columns are left out if `partial`, and refused otherwise, with their number as the
    suggestion if the column has numbers in other rows.
    """
    name, table = table_lines(text)
    rows, header, chosen, widths, odd = [], tuple[str, ...](), list[int](), set[int](), list[tuple[str, list[bool]]]()
    for line in table:
        if line.number == 1 and (header := header_names(line.cells)):
            names = names or header
            chosen = chosen_columns(names, header)
            continue
        widths.add(len(line.cells))
        if header and widths != {len(header)}:
            raise InputError(f"{name} must have a name for each column in its first line, or no names.", "points")
        try:
            rows.append([double(line.cells[place]) for place in chosen] if header else list(map(double, line.cells)))
        except InputError as error:
            where = f"{name}, line {line.number}"
            if not header:
                raise InputError(f"{where}: {error}", "points") from None
            odd.append((where, [is_number(line.cells[place]) for place in chosen]))
    if odd and not (partial and rows):
        where, held = odd[0]
        numeric = ", ".join(compress(names, held)) if sum(held) > 1 else ""
        text = ", ".join(each for each, number in zip(names, held, strict=True) if not number)
        if rows:
            others = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
            raise InputError(f"every row of {text} must have a number, got none in {where}{others}.", "points", str(len(odd)))
        raise InputError(f"columns must have numbers, but {where} has no number in {text}.", "names", numeric)
    if len(widths) != 1:
        raise InputError(f"{name} must have one point per line, with the same number of values in each.", "points")
    points = np.array(rows)
    if ranges is None and ((points > 0).all(axis=0) | (points < 0).all(axis=0)).any():
        raise InputError(
            f"give the range of each column, like {EXAMPLE_RANGES}: all rules pass through the middle of the ranges.", "ranges"
        )
    return checked_points(points, ranges=ranges, names=names)


def header_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a first line as they can be typed: each its own, without commas; none of numbers."""
    made = list[str]()
    for place, cell in enumerate(() if all(map(is_number, cells)) else cells, 1):
        name = " ".join("".join(mark if mark.isprintable() and mark != "," else " " for mark in cell).split())
        made.append(name if name and name not in made else f"{name or 'column'} {place}")
    return tuple(made)


def chosen_columns(names: Sequence[str], header: Sequence[str]) -> list[int]:
    """Return the places of columns by their names, or raise an `InputError`."""
    if unknown := [name for name in names if name not in header]:
        told = ", ".join(header[:12]) + ", …" * (len(header) > 12)
        raise InputError(f"the file has no column {excerpt(unknown[0])}; its columns are {told}.", "names")
    return [header.index(name) for name in names]


def one_per_column(columns: int, ranges: Floats, names: Sequence[str]) -> None:
    """Refuse another number of ranges than of columns."""
    if columns != len(ranges):
        which = f" ({', '.join(names)})" if names else ""
        raise InputError(f"ranges must be one per column{which}, {columns}, got {len(ranges)}.", "ranges")


class BeliefInput(TextLike[str | tuple[Number, ...]]):
    """A prior, by name or by its weights; its range is known only once the table is."""

    examples = BELIEFS

    def __init__(self, empty: str = "") -> None:
        self.empty = empty

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str | tuple[Number, ...]:
        given = given.specification if isinstance(given, Prior) else as_numbers(given, key, key)
        if isinstance(given, str):
            text = given.strip()
            parts = listed(text, f"the weights of {key}", key) if text[:1].isdigit() else []
            if text and not parts:
                self._check(text, key)
            return tuple(parts) if len(parts) > 1 else text
        if isinstance(given, np.ndarray):
            given = given.tolist()
        if not isinstance(given, Sequence) or not given:
            raise InputError(f"{key} must be the name of a prior or a list of weights, got {excerpt(given)}.", key)
        for i, weight in enumerate(given):
            exact(weight, f"weight {i} of {key}", key)
        return tuple(given)

    def _check(self, text: str, key: str) -> None:
        """Refuse a name that is no prior over any range."""
        try:
            Prior(text, _MOST_COUNTS)
        except InputError:
            alike = [example for example, _ in self.examples if example.partition(":")[0] == text.partition(":")[0].strip()]
            known = ", ".join(alike or [example for example, _ in self.examples])
            allowed = f"written like {known}" if alike else f"one of {known}, or a list of weights"
            raise InputError(f"{key} must be {allowed}, got {excerpt(text)}.", key, alike[0] if alike else "") from None

    @override
    def as_json(self, value: str | tuple[Number, ...], key: str) -> dict[str, Any]:
        return {key: json_value(value)}

    @override
    def text(self, value: str | tuple[Number, ...]) -> str:
        return (value or self.empty) if isinstance(value, str) else ", ".join(map(str, value))

    @override
    def identity(self, value: str | tuple[Number, ...]) -> Hashable:
        return value if isinstance(value, str) else tuple(map(str, value))


class LossInput(TextLike[Loss]):
    """A loss, by name, as a formula or as a matrix."""

    examples = LOSSES

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> Loss:
        return given if isinstance(given, Loss) else Loss(as_numbers(given, "the loss", key))

    @override
    def as_json(self, value: Loss, key: str) -> dict[str, Any]:
        return {key: json_value(value.specification)}

    @override
    def text(self, value: Loss) -> str:
        return value.specification if isinstance(value.specification, str) else message("a matrix")

    @override
    def identity(self, value: Loss) -> Hashable:
        return value


class SamplingInput(TextLike[str]):
    """A share of the people, ``"1/3"``, or a number out of a total, ``"3 of 12"``; empty if everybody was counted."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> str:
        if given is None:
            return ""
        if isinstance(given, (int, float, Fraction)) and not isinstance(given, bool):
            given = str(given)
        if not isinstance(given, str):
            raise InputError(f"sampling must be a share like 1/3 or 3 of 12, got {excerpt(given)}.", key)
        text = " ".join(given.split())
        if text and " of " not in text:
            share = exact(text, "the sampled share", key)
            if not 0 < share <= 1:
                allowed = "above 0 and at most 1, or a number of people like 3 of 12"
                raise InputError(f"the sampled share must be {allowed}, got {excerpt(given)}.", key, "1/2")
        return text


MOST_LEVELS = 6
_LEVEL = re.compile(r"(?:([^:]*):)?\s*(?:([εα])\s*=?\s*)?((?:ln\s*\(?)?[\d.+-][^\s:]*|inf|∞)")  # a name, ε or α, and a number
_NO_COLON = re.compile(r"(?<![:\sεα=])(?<!\bln)\s*[\s=]\s*((?:[εα]\s*)?(?:ln\s*)?[\d.][^\s:]*)$")  # behind a missing one


@dataclass(frozen=True)
class NamedLevel:
    """A privacy level with a name for its recipients."""

    name: str
    privacy: PrivacyLevel

    def to_json(self) -> dict[str, Any]:
        """Return the level as JSON values."""
        form, number = self.privacy.source
        return {"name": self.name, form: json_value(number)} if self.name else {form: json_value(number)}

    @property
    def title(self) -> str:
        """The name, or otherwise the level."""
        return self.name or message("ε = {epsilon}", epsilon=epsilon_of(self.privacy))


class LevelsInput(TextLike[tuple[NamedLevel, ...]]):
    """Privacy levels, in any order: each an epsilon, or a mapping with a name and epsilon or alpha."""

    @override
    def read(self, given: object, key: str, others: Mapping[str, Any]) -> tuple[NamedLevel, ...]:
        given = _typed(given, key) if isinstance(given, str) else () if given is None else given
        if not isinstance(given, Sequence):
            raise InputError(f"the levels must be a list of epsilons, least private first, got {excerpt(given)}.", key)
        if len(given) > MOST_LEVELS:
            raise InputError(f"there must be at most {MOST_LEVELS} levels, got {len(given)}.", key)
        levels = tuple(each if isinstance(each, NamedLevel) else _level(each, key) for each in given)
        if (free := tuple(numbered(levels))) != levels:
            twice = next(one.name for one, other in zip(levels, free, strict=True) if one != other)
            raise InputError(f"every level must have a different name, got {excerpt(twice)} twice.", key, self.text(free))
        levels = tuple(sorted(levels, key=lambda level: level.privacy.alpha_above))
        if same := next((one.title for one, other in pairwise(levels) if one.title == other.title), ""):
            raise InputError(f"levels with the same ε must have names, got {excerpt(same)} twice.", key)
        return levels

    @override
    def as_json(self, value: tuple[NamedLevel, ...], key: str) -> dict[str, Any]:
        return {key: [level.to_json() for level in value]} if value else {}

    @override
    def text(self, value: tuple[NamedLevel, ...]) -> str:
        return ", ".join(f"{each.name}: {epsilon_of(each.privacy)}".removeprefix(": ") for each in value)

    @override
    def summary(self, value: tuple[NamedLevel, ...]) -> str:
        return "" if not value else message("1 level") if len(value) == 1 else message("{count} levels", count=len(value))

    @override
    def identity(self, value: tuple[NamedLevel, ...]) -> Hashable:
        return tuple(str(level.to_json()) for level in value)


def _typed(text: str, key: str) -> list[Any]:
    """Return the levels of a typed text, like ``staff: ln 4, public: 0.3``."""
    parts = [part.strip() for part in re.split("[,;]", text) if part.strip()]
    found = [_LEVEL.fullmatch(part) for part in parts]
    wrong = next((part for part, each in zip(parts, found, strict=True) if each is None), None)
    if wrong is not None:
        mended = ", ".join(_NO_COLON.sub(r": \1", part) for part in parts)
        sentence = f"each level must be a name, a colon and ε, like “staff: ln 4, public: 0.3”; got {excerpt(wrong)}."
        raise InputError(sentence, key, mended if mended != ", ".join(parts) else "")
    return [{"name": (each[1] or "").strip(), "alpha" if each[2] == "α" else "epsilon": each[3]} for each in found if each]


def _level(given: Any, key: str) -> NamedLevel:
    name: Any = ""
    if isinstance(given, Mapping):
        forms = [form for form in ("epsilon", "alpha") if form in given]
        if len(forms) != 1 or given.keys() - {"name", *forms}:
            raise InputError(f"a level must have a name and epsilon or alpha, got {excerpt(dict(given))}.", key)
        name, form, number = given.get("name", ""), forms[0], given[forms[0]]
    else:
        form, number = "epsilon", given
    if not isinstance(name, str):
        raise InputError(f"the name of a level must be a text, got {excerpt(name)}.", key)
    try:
        level = PrivacyLevel(form, number)  # type: ignore[arg-type]
    except InputError as error:
        raise InputError(str(error), key) from error
    if not 0 <= level.alpha_above < 1:
        raise InputError(f"the epsilon of a level must be above 0, got {excerpt(number)}.", key)
    return NamedLevel(name.strip(), level)
