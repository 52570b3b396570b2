"""Tables of a sweep: many designs as one input, and one long table of all their releases in CSV or Parquet.

Many designs as one input: a table with one design a row, a grid of values, or a project file.

A table's columns are the keys of a design's JSON object (``name``, ``kind``, ``n``, ``epsilon``, ``prior``, ``loss``, …); without
a kind it is a count. A prior's cell is a name, its weights, or ``FILE.csv#COLUMN`` for the weights in a column. A grid is
``{"base": {...}, "grid": {"epsilon": ["0.5", "1"], "n": [100, 200]}}``: every combination of what stands in its lists, laid over
what stands in its base.

One long table of a sweep, in CSV or Parquet: a line for each true result and each release of every design.

While the sweep goes on, the lines are in ``NAME.part``, in the order of the designs; each design's line in the ledger says which
part of it is its own, with a checksum. So a sweep that was stopped goes on behind the last design that is whole.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO

from dpdesigner.core.basics.parsing import cut, excerpt, is_number
from dpdesigner.data.columns import read_values
from dpdesigner.data.grid import LineFile, file_title, guarded, read_text
from dpdesigner.data.mechanism_tables import CORNER
from dpdesigner.errors import InputError, reason
from dpdesigner.files.project import SUFFIX, read

_TEXTS = ("name", "path", "column")  # may contain any text
_WEIGHTS = " ;"  # separators of the numbers of a prior in one cell


class Designs:
    """The designs of a file as JSON objects, each with its kind and a name; every pass reads the file again.

    ``len`` is their number. They are not checked further.

    Parameters
    ----------
    path : path-like
        ``.json`` is a grid, ``.dpd`` a project, anything else a table, and ``-`` a table on standard input.

    Raises
    ------
    InputError
        If the file cannot be read or holds no design.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        ending = Path(path).suffix.lower()
        self._of: Callable[[], Iterator[dict[str, Any]]]
        if ending == SUFFIX:
            studies = [study.to_json() for study in read(path)]
            self._of = lambda: iter(studies)
        elif ending == ".json":
            self._of = _grid(path)
        else:
            table, folder = LineFile(path), Path(path).parent
            self._of = lambda: _table(table, folder)
        self._count = sum(1 for _ in self._of())
        if not self._count:
            raise InputError(f"{file_title(path)} must contain at least one design, got none.", "file")

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        width = len(str(self._count))
        for k, data in enumerate(self._of(), 1):
            yield {"kind": "count", **data, "name": str(data.get("name") or f"{k:0{width}d}")}


def _grid(path: str | os.PathLike[str]) -> Callable[[], Iterator[dict[str, Any]]]:
    name = cut(Path(path).name)
    try:
        data = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} must contain JSON, got something else ({cut(error)}).", "file") from None
    if not isinstance(data, dict) or not isinstance(data.get("grid"), dict) or data.keys() - {"base", "grid"}:
        raise InputError(f'{name} must contain {{"base": {{...}}, "grid": {{"epsilon": [...]}}}}, got {excerpt(data)}.', "file")
    base, grid = data.get("base", {}), data["grid"]
    wrong = next((key for key, values in grid.items() if not isinstance(values, list) or not values), None)
    if wrong is not None or not isinstance(base, dict):
        raise InputError(f"the grid of {name} must have a list of values for {cut(wrong or 'each key')}.", "file")

    def combined() -> Iterator[dict[str, Any]]:
        for values in product(*grid.values()):
            own = dict(zip(grid, values, strict=True))
            words = "-".join(f"{key}={value}" for key, value in own.items() if isinstance(value, (str, int, float)))
            yield {**base, "name": "-".join(filter(None, (str(base.get("name", "")), words))), **own}

    return combined


def _table(table: LineFile, folder: Path) -> Iterator[dict[str, Any]]:
    below = iter(table)
    header = next(below, None)
    keys = [] if header is None else [cell.strip() for cell in header.cells]
    if len(set(keys)) != len(keys) or not all(keys) or any(map(is_number, keys)):
        problem = "must name each column once, for example name,n,epsilon,prior,loss"
        raise InputError(f"the first line of {table.name} {problem}.", "file")
    for line in below:
        if len(line.cells) != len(keys):
            got = f"{len(keys)} cells like the first, got {len(line.cells)}"
            raise InputError(f"{table.name}, line {line.number} must have {got}.", "file")
        cells = {key: cell for key, cell in zip(keys, line.cells, strict=True) if cell.strip()}
        yield {key: value_of(key, cell, folder) for key, cell in cells.items()}


def value_of(key: str, cell: str, folder: Path) -> Any:
    """Return the JSON value of a text: JSON, weights in one cell or in another file's column, or the text itself.

    Parameters
    ----------
    key : str
        Of the design's JSON object: weights are for a ``prior``.
    cell : str
    folder : path
        Where the other file is, if its path is relative.

    Raises
    ------
    InputError
        If it begins like JSON and is not, or the column cannot be read.

    Examples
    --------
    >>> value_of("prior", "1 2 3", Path()), value_of("utilities", "[3, 4]", Path()), value_of("n", "10", Path())
    (['1', '2', '3'], [3, 4], '10')
    """
    text = cell.strip()
    if text.startswith(("[", "{")):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise InputError(f"{key}, which begins with {text[0]}, must be JSON, got {excerpt(text)}.", key) from None
    if text in ("true", "false") and key not in _TEXTS:
        return text == "true"
    if key != "prior":
        return text
    file, mark, column = text.partition("#")
    if mark:
        return read_values(folder / file, column).tolist()
    for separator in _WEIGHTS:
        if separator in text:
            return [part for part in text.split(separator) if part]
    return text


COLUMNS = ("name", "true", "released", "probability")
HEADER = ",".join(COLUMNS) + "\n"
_HEADER = HEADER.encode()
_PIECE = 1 << 20


def long_lines(name: str, table: str, guard: bool = True) -> str:
    r"""Return the lines of one design in the long table.

    Parameters
    ----------
    name : str
        Of the design.
    table : str
        Its mechanism as CSV, with a header of released results and a first column of true results.
    guard : bool
        Whether a name that a spreadsheet would take for a formula gets an apostrophe.

    Examples
    --------
    >>> print(long_lines("Kent", "true\\released,0,1\n0,0.75,0.25\n1,0.25,0.75\n"), end="")
    Kent,0,0,0.75
    Kent,0,1,0.25
    Kent,1,0,0.25
    Kent,1,1,0.75
    """
    shown = io.StringIO()
    csv.writer(shown, lineterminator="").writerow([guarded(name) if guard else name])
    header, *rows = table.splitlines()
    releases = header.split(",")[1:]
    lines = []
    for row in rows:
        true, *entries = row.split(",")
        start = f"{shown.getvalue()},{true},"
        lines += [f"{start}{release},{entry}\n" for release, entry in zip(releases, entries, strict=True)]
    return "".join(lines)


def is_mechanism(table: str) -> bool:
    """Whether the text of a CSV file is a table of true and released results."""
    return table.startswith(f"{CORNER},")


class LongTable:
    """The long table of one sweep; call its methods in the order of the designs.

    Parameters
    ----------
    path : path
        Ends in ``.csv`` or ``.parquet``.

    Raises
    ------
    InputError
        If it has another ending, cannot be written, or needs pyarrow.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.check(path)
        self._target = Path(path)
        self.parquet = self._target.suffix.lower() == ".parquet"
        self._part = self._target.with_name(f"{self._target.name}.part")
        self._place = len(_HEADER)
        self._whole = True  # whether everything so far was there already
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            if not self._part.exists():
                self._restore()
            self._file: BinaryIO = open(self._part, "r+b" if self._part.exists() else "w+b")
            if self._file.read(len(_HEADER)) != _HEADER:
                self._cut(0)
                self._file.write(_HEADER)
        except OSError as error:
            raise self._problem(error) from error

    @staticmethod
    def check(path: str | os.PathLike[str]) -> None:
        """Refuse a file that cannot hold the long table; raises as the class does."""
        target = Path(path)
        ending = target.suffix.lower()
        if ending not in (".csv", ".parquet") or target.is_dir():
            raise InputError(f"the long table must be a .csv or .parquet file, got {cut(target.name) or 'nothing'}.", "file")
        if ending == ".parquet":
            _pyarrow()

    def keep(self, lines: Any) -> bool:
        """Return whether the table has the next design's lines where the ledger says; if so, keep them."""
        if not self._whole:
            return False
        try:
            place, length, checksum = lines
            self._file.seek(self._place)
            if place == self._place and hashlib.sha256(self._file.read(length)).hexdigest() == checksum:
                self._place += length
                return True
        except (OSError, TypeError, ValueError):
            pass
        self._whole = False
        return False

    def add(self, text: str) -> tuple[int, int, str]:
        """Write the next design's lines; return their position, length and checksum for the ledger."""
        data = text.encode("utf-8")
        try:
            if self._file.seek(0, os.SEEK_END) != self._place:
                self._cut(self._place)
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise self._problem(error) from error
        place, self._place, self._whole = self._place, self._place + len(data), False
        return place, len(data), hashlib.sha256(data).hexdigest()

    def finish(self) -> None:
        """Finish the table and give it its final name."""
        try:
            self._cut(self._place)
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            if self.parquet:
                made = self._part.with_name(f"{self._part.name}.new")
                _write_parquet(self._part, made)
                os.replace(made, self._target)
                self._part.unlink()
            else:
                os.replace(self._part, self._target)
        except OSError as error:
            raise self._problem(error) from error

    def close(self) -> None:
        """Close the file, leaving what was written for the next sweep."""
        self._file.close()

    def _cut(self, place: int) -> None:
        self._file.seek(place)
        self._file.truncate()

    def _restore(self) -> None:
        """Begin with the finished table of an earlier sweep."""
        if not self._target.exists():
            return
        made = self._part.with_name(f"{self._part.name}.new")
        with open(made, "wb") as file:
            for piece in _parquet_lines(self._target) if self.parquet else _pieces(self._target):
                file.write(piece)
        os.replace(made, self._part)

    def _problem(self, error: OSError) -> InputError:
        return InputError(f"{cut(self._target)} could not be written: {reason(error)}.", "file")


def _pieces(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _pyarrow() -> Any:
    try:
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError as error:
        problem = "a Parquet table needs pyarrow"
        if getattr(sys, "frozen", False):
            raise InputError(f"{problem}, which this bundle does not have; write a .csv table.", "format") from error
        raise InputError(f"{problem}: pip install 'dpdesigner[parquet]', or write a .csv table.", "format") from error
    return pyarrow


def _write_parquet(lines: Path, target: Path) -> None:
    """Write the lines as Parquet in batches: results as integers, names and probabilities as texts."""
    pa = _pyarrow()
    types = dict(zip(COLUMNS, (pa.string(), pa.int32(), pa.int32(), pa.string()), strict=True))
    schema = pa.schema(list(types.items()))
    options = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    with pa.csv.open_csv(lines, convert_options=options) as reader, pa.parquet.ParquetWriter(target, schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


def _parquet_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines that a Parquet file was made from."""
    yield _HEADER
    for batch in _pyarrow().parquet.ParquetFile(path).iter_batches():
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        yield text.getvalue().encode("utf-8")
