"""Columns of numbers from files."""

from __future__ import annotations

import numpy as np
import pytest

from dpdesigner.errors import InputError
from dpdesigner.files.values import number_columns, read_values, resolved


def test_the_shipped_example_is_read() -> None:
    path = resolved("example:doctor_visits.csv")
    assert number_columns(path) == ["visits"]
    values = read_values(path, "visits")
    assert len(values) == 20190 and values.min() == 0


def test_columns_are_chosen_by_name_or_number(tmp_path) -> None:
    named = tmp_path / "named.csv"
    named.write_text("who,age,income\na,31,1.5e3\nb,,-2\n", "utf-8")
    assert number_columns(named) == ["age", "income"]
    assert np.isnan(read_values(named, "age")[1]) and read_values(named, "income").tolist() == [1500, -2]
    plain = tmp_path / "plain.tsv"
    plain.write_text("1\t2\n3\t4\n", "utf-8")
    assert number_columns(plain) == ["1", "2"] and read_values(plain, "2").tolist() == [2, 4]
    single = tmp_path / "single.txt"
    single.write_text("1\n2\n", "utf-8")
    assert number_columns(single) == [""] and read_values(single, "").tolist() == [1, 2]


@pytest.mark.parametrize("text", ["", "name\na\nb\n"])
def test_files_without_numbers_are_refused(tmp_path, text: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError):
        number_columns(path)


def test_bad_cells_name_the_line(tmp_path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("age\n1\nold\n", "utf-8")
    with pytest.raises(InputError, match="line 3"):
        read_values(path, "age")
    with pytest.raises(InputError, match="column named"):
        read_values(path, "income")
    with pytest.raises(InputError):
        read_values(tmp_path / "none.csv", "age")
