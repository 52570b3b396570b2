"""No cell of a table that is written is a formula to a spreadsheet, and what is written is read back as it was."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner.data.columns import read_texts
from dpdesigner.data.grid import guarded, unguarded
from dpdesigner.data.options import categories_of
from dpdesigner.files.export import export_of
from dpdesigner.files.tables import rows_text

FORMULAS = ["=cmd|'/c calc'!A1", "@SUM(A1)", "+1+1", "-2+3", "=1", "'=1", "''@a", "＝1", "--1", "+", "-a", "@"]
PLAIN = ["-1", "+1", "-1/3", "-1e-400", "ann", "a=b", "'tis", "O'Hara", "", "3.5 %", "-50%"]
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@pytest.mark.parametrize("text", [*FORMULAS, *PLAIN])
def test_every_text_is_read_back_as_it_was(tmp_path: Path, text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert (guarded(text) == text) == (text in PLAIN)
    for wanted in ("csv", "tsv"):
        path = tmp_path / f"t.{wanted}"
        path.write_text(rows_text([["name", "b"], [text, "x"]], wanted), "utf-8")
        (cell, _) = list(csv.reader(path.read_text("utf-8").splitlines(), delimiter="," if wanted == "csv" else "\t"))[1]
        assert not cell.strip().startswith(DANGEROUS) or text in PLAIN
        assert read_texts(path, "name") == [text.strip()]


@pytest.mark.parametrize("text", FORMULAS[:4])
def test_names_of_a_stranger_are_no_formulas_in_any_table(text: str) -> None:
    designs = [
        dp.ChoiceDesign([3, 1], names=[text, "b"], epsilon=1),
        dp.ChoiceDesign([[3, 1], [2, 1]], names=[text, "b"], neighbours="all", sensitivity=1, epsilon=1, rule="exponential"),
        dp.AuctionDesign([1, 2], cap=2, unit=text[:20], bids_are="public", epsilon=1),
    ]
    for design in designs:
        for file in export_of(design).files("t", ["csv", "tsv"]):
            for row in csv.reader(file.text.splitlines(), delimiter="\t" if file.name.endswith("tsv") else ","):
                for cell in row:
                    assert not cell.strip().startswith(("=", "@")) and (not cell.startswith(("+", "-")) or float(cell) <= 0), cell


def test_categories_that_were_guarded_are_the_same_again() -> None:
    assert categories_of(rows_text([["=a"], ["b"]], "csv"))
