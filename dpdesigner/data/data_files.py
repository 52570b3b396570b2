"""Columns of Parquet and Excel files and of SQLite and DuckDB databases, read with pandas if it is installed.

A column of a database is called ``TABLE.COLUMN``, or by its own name where there is one table. A query may stand in its place:
``SELECT age FROM people``. Databases are opened for reading only, and a query can reach no other file.
"""

from __future__ import annotations

import math
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpdesigner.core.basics.parsing import cut, double, excerpt, plain
from dpdesigner.errors import InputError

_QUERY = ("select ", "with ")
_MISSING = {"", "n/a", "na", "#n/a", "nan", "null", "none", "-", "–", "—", ".", "?"}
_DATE = re.compile(r"\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{4}[-./]\d{1,2}[-./]\d{1,2}.*", re.ASCII)
_LOOKED_AT = 50
_LARGEST_BYTES = 2_000_000_000
#: The actions that SQLite may perform for a query: reading only, and from no other file.
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, 33}  # 33: a recursive query


class Kind(NamedTuple):
    """A kind of file: its name, its extensions, the libraries it needs besides pandas, and how to list and read its columns."""

    name: str
    endings: tuple[str, ...]
    needs: tuple[str, ...]
    columns: Callable[[Path], list[str]]
    read: Callable[[Path, str, int | None], Any]  #: a column of the file as a Series: all of it, or its first rows

    @property
    def installed(self) -> bool:
        """Whether files of this kind can be read here."""
        return all(find_spec(each) is not None for each in ("pandas", *self.needs))


def kind_of(path: str | os.PathLike[str]) -> Kind | None:
    """Return the kind of file that a path names; None for text."""
    ending = Path(path).suffix.lower()
    return next((kind for kind in KINDS if ending in kind.endings), None)


def takes_queries(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names a database: a query with one column is then taken for the name of a column."""
    kind = kind_of(path)
    return kind is not None and kind.name in _DATABASES


def readable_kinds() -> tuple[str, ...]:
    """Return the names of the non-text kinds of files that can be read here."""
    return tuple(kind.name for kind in KINDS if kind.installed)


def readable_endings() -> tuple[str, ...]:
    """Return the non-text file extensions that can be read here."""
    return tuple(ending for kind in KINDS if kind.installed for ending in kind.endings)


def file_columns(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of the columns of a file of one of the kinds.

    Raises
    ------
    InputError
        If the file cannot be read, or what reads it is not installed.
    """
    kind, where = _opened(path)
    with _reading(where):
        names = kind.columns(where)
    if not names:
        raise InputError(f"{cut(where.name)} must contain at least one column, got none.", "path")
    return names


def first_cells(path: str | os.PathLike[str], column: str, rows: int = _LOOKED_AT) -> list[str]:
    """Return the first cells of a column as texts, to determine its type; raises as `file_columns`."""
    return list(map(cell_text, _series(path, column, rows)))


def file_texts(path: str | os.PathLike[str], column: str) -> list[str]:
    """Return a column as texts, empty for missing values; raises as `file_columns`, and if the column does not exist."""
    return list(map(cell_text, _series(path, column)))


def file_values(path: str | os.PathLike[str], column: str, *, partial: bool = False) -> NDArray[np.float64]:
    """Return a column of numbers, nan for missing ones; raises as `file_texts`, and unless `partial` for anything else."""
    series = _series(path, column)
    if series.dtype.kind in "biuf":
        values: NDArray[np.float64] = series.to_numpy(dtype=float, na_value=math.nan)
        wrong = np.flatnonzero(np.isinf(values))
    else:
        values = np.array([_double(each) for each in series], dtype=float)
        wrong = np.flatnonzero(np.isinf(values))
    if partial:
        return np.where(np.isinf(values), math.nan, values)
    if len(wrong):
        place = int(wrong[0])
        row = int(series.index[place]) + 1
        raise InputError(f"{cut(Path(path).name)}, row {row}: {no_number(cell_text(series.iloc[place]))}.", "path")
    return values


def cell_text(value: Any) -> str:
    """Return a cell as it would appear in a text file."""
    value = plain(value)
    if value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value).strip()


def is_missing(text: str) -> bool:
    """Return whether a cell among numbers stands for no value: an empty one, ``n/a``, ``–`` and other usual marks."""
    return text.casefold() in _MISSING


def no_number(text: str) -> str:
    """Return why a cell cannot be read as a number."""
    if _DATE.fullmatch(text):
        return f"dates cannot be ranges: add a year or month column, got {excerpt(text.removesuffix('T00:00:00'))}"
    return f"a value must be a number or empty, got {excerpt(text)}"


def _double(value: Any) -> float:
    """Return a number; infinity for anything else."""
    text = cell_text(value)
    try:
        return math.nan if is_missing(text) else double(str(int(value)) if isinstance(value, bool) else text)
    except InputError:
        return math.inf


def _series(path: str | os.PathLike[str], column: str, rows: int | None = None) -> Any:
    kind, where = _opened(path)
    if not (takes_queries(where) and column.lower().lstrip().startswith(_QUERY)):
        names = file_columns(where)
        if column not in names:
            listed = cut(", ".join(names), 150)
            raise InputError(f"{cut(where.name)} must have a column named {excerpt(column)}; its columns are {listed}.", "column")
    with _reading(where):
        return kind.read(where, column, rows)


def _opened(path: str | os.PathLike[str]) -> tuple[Kind, Path]:
    where = Path(path)
    kind = kind_of(where)
    if kind is None:
        raise AssertionError("a text file is read as lines")
    given = cut(os.fspath(path), 150)
    if not where.is_file():
        words = "it is not a regular file" if where.exists() else "there is no such file"
        raise InputError(f"{given} could not be read: {words}.", "file")
    if where.stat().st_size > _LARGEST_BYTES:
        raise InputError(f"{cut(where.name)} must be at most {_LARGEST_BYTES // 10**9} GB, got a larger file.", "file")
    if not kind.installed:
        words = f"{kind.name} files need {' and '.join(('pandas', *kind.needs))}: pip install 'dpdesigner[data]'"
        raise InputError(f"{given} could not be read: {words}; or save the column as CSV.", "file")
    return kind, where


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn the error of a library that cannot read a file into one sentence."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:  # each library raises its own
        words = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{cut(path.name)} could not be read: {cut(words, 150).rstrip('.')}.", "file") from error


def _parquet_columns(path: Path) -> list[str]:
    return list(import_module("pyarrow.parquet").read_schema(path).names)


def _parquet(path: Path, column: str, rows: int | None) -> Any:
    file = import_module("pyarrow.parquet").ParquetFile(path)
    with closing(file):
        if rows is None:
            table = file.read(columns=[column])
        else:
            batch = next(file.iter_batches(batch_size=rows, columns=[column]), None)
            table = file.schema_arrow.empty_table().select([column]) if batch is None else batch
    return table.column(column).to_pandas(types_mapper=_nullable().get)


@lru_cache(maxsize=1)
def _nullable() -> dict[Any, Any]:
    """Return the types that keep integers as integers when some are missing."""
    arrow, pandas = import_module("pyarrow"), import_module("pandas")
    whole = {
        getattr(arrow, kind.lower())(): pandas.api.types.pandas_dtype(kind)
        for kind in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
    }
    return {**whole, arrow.bool_(): pandas.BooleanDtype()}


@lru_cache(maxsize=2)
def _sheets(path: Path, changed: int) -> dict[str, Any]:
    frames: dict[str, Any] = import_module("pandas").read_excel(path, sheet_name=None, header=None, dtype=object)
    columns: dict[str, Any] = {}
    for place, (sheet, frame) in enumerate(frames.items()):
        wide = frame.notna().sum(axis=1) > 1
        top = int(wide.idxmax()) if wide.any() else 0
        if not all(isinstance(cell, str) for cell in frame.iloc[top].dropna()):  # titles are above words only
            top = 0
        for number, column in enumerate(frame.columns):
            name = cell_text(frame[column].iloc[top])
            if not name and frame[column].isna().all():
                continue
            name = ("" if place == 0 else f"{sheet}!") + (name or f"Unnamed: {number}")
            again = sum(known == name or known.startswith(f"{name}.") for known in columns)
            columns[f"{name}.{again}" if again else name] = frame[column].iloc[top + 1 :]  # indexed by row
    return columns


def _excel_columns(path: Path) -> list[str]:
    return list(_sheets(path, path.stat().st_mtime_ns))


def _excel(path: Path, column: str, rows: int | None) -> Any:
    return _sheets(path, path.stat().st_mtime_ns)[column].iloc[:rows]


@contextmanager
def _sqlite(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as opened:
        yield opened


def _sqlite_tables(opened: sqlite3.Connection) -> list[tuple[str, str]]:
    tables = opened.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return [(table, row[1]) for (table,) in tables for row in opened.execute(f"PRAGMA table_info({_quoted(table)})")]


def _sqlite_columns(path: Path) -> list[str]:
    with _sqlite(path) as opened:
        return list(_called(_sqlite_tables(opened)))


def _sqlite_column(path: Path, column: str, rows: int | None) -> Any:
    with _sqlite(path) as opened:
        query = _query(column, _sqlite_tables(opened), rows)
        opened.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY)
        return _only(import_module("pandas").read_sql_query(query, opened, dtype_backend="numpy_nullable"))


@contextmanager
def _duckdb(path: Path) -> Iterator[Any]:
    opened = import_module("duckdb").connect(os.fspath(path), read_only=True)
    with closing(opened):
        opened.execute("SET enable_external_access = false")
        opened.execute("SET lock_configuration = true")
        yield opened


def _duckdb_tables(opened: Any) -> list[tuple[str, str]]:
    query = "SELECT table_name, column_name FROM information_schema.columns ORDER BY table_name, ordinal_position"
    return list(opened.execute(query).fetchall())


def _duckdb_columns(path: Path) -> list[str]:
    with _duckdb(path) as opened:
        return list(_called(_duckdb_tables(opened)))


def _duckdb_column(path: Path, column: str, rows: int | None) -> Any:
    with _duckdb(path) as opened:
        frame = opened.execute(_query(column, _duckdb_tables(opened), rows)).df()
    return _only(frame.convert_dtypes())


def _called(tables: list[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return the columns of all tables by name, prefixed with the table if there are several."""
    several = len({table for table, _ in tables}) > 1
    return {f"{table}.{name}" if several else name: (table, name) for table, name in tables}


def _query(column: str, tables: list[tuple[str, str]], rows: int | None) -> str:
    query = column.strip().rstrip(";")
    if query.lower().startswith(_QUERY):
        return query if rows is None else f"SELECT * FROM ({query}) LIMIT {rows}"
    table, name = _called(tables)[column]
    return f"SELECT {_quoted(name)} FROM {_quoted(table)}" + ("" if rows is None else f" LIMIT {rows}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _only(frame: Any) -> Any:
    if len(frame.columns) != 1:
        raise InputError(f"a query must have one column as its result, got {len(frame.columns)}.", "column")
    return frame.iloc[:, 0]


_DATABASES = ("SQLite", "DuckDB")
KINDS = (
    Kind("Parquet", (".parquet", ".pq"), ("pyarrow",), _parquet_columns, _parquet),
    Kind("Excel", (".xlsx", ".xlsm"), ("openpyxl",), _excel_columns, _excel),
    Kind("SQLite", (".sqlite", ".sqlite3", ".db"), (), _sqlite_columns, _sqlite_column),
    Kind("DuckDB", (".duckdb", ".ddb"), ("duckdb",), _duckdb_columns, _duckdb_column),
)
