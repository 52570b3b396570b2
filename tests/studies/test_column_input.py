"""A column as an input: files, examples and numbers; what is refused, in which sentence."""

import os
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

import dpdesigner as dp
from dpdesigner.core.synthetic.cells import Cells
from dpdesigner.errors import InputError
from dpdesigner.studies.base import DeclaredDesign
from dpdesigner.studies.column_inputs import ColumnSpec
from dpdesigner.studies.fields import column, declare, seed
from dpdesigner.studies.synthetic.rectangle import real_table

AGES = ColumnSpec("example:survey_1996.csv", "age")


class ColumnDesign(DeclaredDesign):
    kind: ClassVar[str] = "column"

    column: ColumnSpec = declare(column(AGES), default=AGES, label="The column")
    seed: int | None = declare(seed(), default=None, label="Seed")


def test_an_example_is_read():
    design = ColumnDesign()
    values = design.column.complete()
    assert len(values) == 944 and design.line == "survey_1996.csv · age"
    assert ColumnDesign.from_json(design.to_json()) == design
    assert ColumnDesign({"path": "example:survey_1996.csv", "column": "vote"}).column.title == "vote"


def test_numbers_are_held():
    design = ColumnDesign([3, "1/2", 2.5], seed="7")
    assert design.column.complete().tolist() == [3, 0.5, 2.5] and design.seed == 7
    assert design == ColumnDesign(np.array([3, 0.5, 2.5]), 7) != ColumnDesign([3, 0.5, 2], 7)
    assert hash(design) == hash(ColumnDesign.from_json(design.to_json()))
    assert ColumnDesign(range(3)).column.complete().tolist() == [0, 1, 2]
    assert design.line == "3 numbers · seed = 7" and ColumnDesign([1], "").seed is None


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "one number per row, for 1 to 20 000 000 rows, got none"),
        ([1, "x"], "must be a number, got 'x' in row 2"),
        ([1, float("inf")], "must be a number"),
        (np.array([1, np.inf]), "must be a finite number, got inf in row 2"),
        (np.zeros((2, 2)), "shape"),
        (5, "must be a list of numbers, got 5"),
        ({"path": 3}, "must be a list of numbers, or"),
        ({"path": "a.csv", "rows": 1}, "must be a list of numbers, or"),
        ({"path": "example:survey_1996.csv"}, "must be named, one of age, education"),
    ],
)
def test_what_is_no_column_is_refused(given, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        ColumnDesign(given)
    assert caught.value.field == "column"


def test_rows_without_a_number_are_told(tmp_path):
    with pytest.raises(InputError, match="got none in row 2 and 1 more"):
        ColumnDesign([1, None, float("nan")]).column.complete()
    file = tmp_path / "ages.csv"
    file.write_text("age,sex\n31,1\n,2\n", "utf-8")
    with pytest.raises(InputError, match="every row of age must have a number, got none in row 2"):
        ColumnSpec(str(file), "age").complete()
    file.write_text("age\n", "utf-8")
    with pytest.raises(InputError, match="must contain at least one"):
        ColumnSpec(str(file), "age").complete()


def test_a_file_that_was_moved_is_found_beside(tmp_path):
    (tmp_path / "ages.csv").write_text("31\n", "utf-8")
    assert ColumnSpec("/gone/ages.csv", "").beside(tmp_path).complete().tolist() == [31]
    assert ColumnSpec("/gone/other.csv", "").beside(tmp_path).path == "/gone/other.csv"


@pytest.mark.parametrize("given", [-1, 1.5, "a", 2**63])
def test_a_seed_is_a_whole_number(given):
    with pytest.raises(InputError):
        ColumnDesign([1], given)


def test_a_file_that_has_changed_is_counted_again(tmp_path):
    file = tmp_path / "ages.csv"
    design = dp.RectangleDesign({"path": str(file), "column": "a"}, second={"path": str(file), "column": "b"}, bits=1, epsilon=1)
    for rows, when in ((1, 1), (3, 2)):
        file.write_text("a,b\n" + "31,5\n" * rows, "utf-8")
        os.utime(file, ns=(when, when))
        assert ColumnSpec(str(file), "a").counts(Cells(Fraction(0), Fraction(128), 1)).sum() == rows
        assert real_table(design).sum() == rows
