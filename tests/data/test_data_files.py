"""Columns of Parquet, Excel, SQLite and DuckDB files: the same numbers as in a CSV file, each refusal in one sentence."""

from __future__ import annotations

import gzip
import math
import sqlite3
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import dpdesigner as dp
from dpdesigner.data import columns, data_files
from dpdesigner.errors import InputError

AGES: list[Any] = [34, 17, None, 71, 40, 41]
CITIES = ["Bern", "Basel", "", "Bern", "Chur", "Bern"]
FRAME = pd.DataFrame({"row": range(1, 7), "age": pd.array(AGES, dtype="Int64"), "city": [city or None for city in CITIES]})
ENDINGS = ("csv", "csv.gz", "parquet", "xlsx", "sqlite", "duckdb")


@pytest.fixture(params=ENDINGS)
def people(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(tmp_path / f"people.{request.param}", FRAME)


def written(path: Path, frame: pd.DataFrame, table: str = "people") -> Path:
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".sqlite":
        with sqlite3.connect(path) as opened:
            frame.to_sql(table, opened, index=False)
        opened.close()
    elif path.suffix == ".duckdb":
        with duckdb.connect(str(path)) as opened:
            opened.register("frame", frame)
            opened.execute(f"CREATE TABLE {table} AS SELECT * FROM frame")
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    else:
        frame.to_csv(path, index=False)
    return path


def test_every_kind_of_file_has_the_same_columns(people: Path) -> None:
    assert columns.text_columns(people) == ["row", "age", "city"]
    assert columns.number_columns(people) == ["age", "row"] and columns.all_columns(people) == ["age", "city", "row"]
    assert columns.holds_numbers(people, "age") and not columns.holds_numbers(people, "city")
    values = columns.read_values(people, "age")
    assert values.dtype == float and np.array_equal(values, [math.nan if age is None else age for age in AGES], equal_nan=True)
    assert columns.read_texts(people, "city") == CITIES and columns.read_counts(people, "row") == [1, 2, 3, 4, 5, 6]
    assert columns.read_texts(people, "age")[:3] == ["34", "17", ""]


def test_every_kind_of_file_refuses_in_one_sentence(people: Path) -> None:
    with pytest.raises(InputError, match=r"must have a column named 'Age'; its columns are row, age, city\.$") as refused:
        columns.read_values(people, "Age")
    assert refused.value.field == "column"
    with pytest.raises(InputError, match=rf"{people.name}, (line|row) \d: a value must be a number or empty, got 'Bern'\.$"):
        columns.read_values(people, "city")
    with pytest.raises(InputError, match=rf"none{''.join(people.suffixes)} could not be read: there is no such file"):
        columns.text_columns(people.with_name(f"none{''.join(people.suffixes)}"))
    people.write_bytes(b"\x1f\x8bPAR1 no file of any kind")
    with pytest.raises(InputError, match=r"^people[^:]*(could not be read|must be|must have)"):
        columns.text_columns(people)


def test_designs_count_them(people: Path) -> None:
    design = dp.HistogramDesign([0, 18, 65], path=people, column="age", epsilon=700)
    assert dp.release(design) == [1, 3, 1]
    named = dp.HistogramDesign(categories=["Bern", "Basel"], path=people, column="city", epsilon=700)
    assert dp.release(named) == [3, 1, 2]
    with pytest.raises(InputError, match="must have a number, got none in row 3"):
        dp.solve(dp.IntervalDesign({"path": people, "column": "age"}, epsilon=1, bits=2, method="laplace"))
    assert dp.solve(dp.AuctionDesign(path=people, column="age", cap=100, epsilon=1)).demand.bidders == 5


@pytest.mark.parametrize("ending", ["sqlite", "duckdb"])
def test_a_query_stands_for_a_column(tmp_path: Path, ending: str) -> None:
    people = written(tmp_path / f"people.{ending}", FRAME)
    assert columns.read_values(people, "SELECT age * 2 FROM people WHERE age > 40 ORDER BY age").tolist() == [82, 142]
    assert columns.read_texts(people, "with a as (select city from people) select city from a limit 2;") == ["Bern", "Basel"]
    design = dp.HistogramDesign([0, 41], path=people, column="SELECT age FROM people WHERE city = 'Bern'", epsilon=700)
    assert dp.release(design) == [1, 2]
    for query, words in (
        ("SELECT * FROM people", "must have one column as its result, got 3"),
        ("SELECT age FROM nobody", "could not be read"),
        ("SELECT 1; DROP TABLE people", "could not be read"),
        ("with x as (select 1) delete from people", "could not be read"),
    ):
        with pytest.raises(InputError, match=words):
            columns.read_values(people, query)
    assert len(columns.read_values(people, "age")) == 6


def test_a_query_reaches_no_other_file(tmp_path: Path) -> None:
    other = written(tmp_path / "other.csv", FRAME)
    people, lite = written(tmp_path / "people.duckdb", FRAME), written(tmp_path / "people.sqlite", FRAME)
    for query in (
        f"SELECT age FROM read_csv('{other}')",
        f"SELECT age FROM '{other}'",
        "SELECT content FROM read_text('/etc/hostname')",
    ):
        with pytest.raises(InputError, match="could not be read"):
            columns.read_values(people, query)
    for query in (
        "SELECT load_extension('x')",
        f"SELECT 1 FROM pragma_table_list; ATTACH '{people}' AS x",
        "SELECT writefile('x', 'y')",
    ):
        with pytest.raises(InputError, match="could not be read"):
            columns.read_values(lite, query)


def test_tables_and_sheets_are_told_apart(tmp_path: Path) -> None:
    for ending in ("sqlite", "duckdb"):
        both = written(tmp_path / f"both.{ending}", FRAME)
        written(both, FRAME.assign(age=1), "others")
        assert {"people.age", "others.age"} <= {*columns.text_columns(both)}
        assert columns.read_values(both, "others.age").tolist() == [1] * 6 != columns.read_values(both, "people.age").tolist()
    with pd.ExcelWriter(tmp_path / "both.xlsx") as writer:
        FRAME.to_excel(writer, sheet_name="People", index=False)
        FRAME.assign(age=1).to_excel(writer, sheet_name="Others", index=False)
    assert columns.text_columns(tmp_path / "both.xlsx") == ["row", "age", "city", "Others!row", "Others!age", "Others!city"]
    assert columns.read_values(tmp_path / "both.xlsx", "Others!age").tolist() == [1] * 6


def test_numbers_of_all_types_are_read(tmp_path: Path) -> None:
    whole = pd.array([2**60, None], dtype="Int64")
    frame = pd.DataFrame({"d": [Decimal("0.10"), None], "b": [True, False], "f": [0.5, None], "i": whole})
    path = tmp_path / "types.parquet"
    frame.to_parquet(path)
    assert columns.number_columns(path)[0] == "d" and columns.read_values(path, "d")[0] == 0.1
    assert columns.read_values(path, "b").tolist() == [1, 0] and columns.read_values(path, "f")[0] == 0.5
    assert columns.read_values(path, "i")[0] == 2.0**60 and columns.read_texts(path, "i") == [str(2**60), ""]
    pd.DataFrame({"x": [1.0, math.inf]}).to_parquet(path)
    with pytest.raises(InputError, match=r"types\.parquet, row 2: a value must be a number or empty, got 'inf'\.$"):
        columns.read_values(path, "x")


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "people.parquet", FRAME)
    found = data_files.find_spec
    monkeypatch.setattr(data_files, "find_spec", lambda name: None if name == "pyarrow" else found(name))
    assert ".parquet" not in data_files.readable_endings() and ".xlsx" in data_files.readable_endings()
    with pytest.raises(InputError, match=r"Parquet files need pandas and pyarrow: pip install 'dpdesigner\[data\]'; or save"):
        columns.read_values(path, "age")


def test_titles_above_the_header_of_a_sheet_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "visits.xlsx"
    rows = [["Clinic visits 2025", None], [None, None], ["ID", "visits"], [1, 4], [2, "–"], [3, "many"]]
    pd.DataFrame(rows).to_excel(path, index=False, header=False)
    assert columns.all_columns(path) == ["visits", "ID"] and columns.read_texts(path, "visits") == ["4", "–", "many"]
    with pytest.raises(InputError, match=r"visits\.xlsx, row 6: a value must be a number or empty, got 'many'\.$"):
        columns.read_values(path, "visits")
    pd.DataFrame([["a", None], [1, 2]]).to_excel(path, index=False, header=False)
    assert columns.all_columns(path)[0] == "a", "numbers are no header"
