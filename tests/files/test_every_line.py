"""Whatever reads a table accounts for every line: each is read or named as not read, and nothing that is hidden is approved."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner.data.columns import read_counts, read_values
from dpdesigner.data.grid import lines
from dpdesigner.data.mechanism_tables import TableText, open_table, read_loss_matrix
from dpdesigner.data.options import options_of
from dpdesigner.errors import InputError

HIDING = [
    '#,"\n1,0\n0,1\n"\n0.5,0.5\n0.5,0.5\n',
    '"#1,0\n0,1\n"\n0.5,0.5\n0.5,0.5\n',
    '0.5,0.5\n0.5,0.5\n#,"\n1,0\n0,1\n"\n',
    '0.5,0.5\n0.5,0.5\n"#\n1,0\n0,1',
    ' "#a"","\n1,0\n0,1\n"\n0.5,0.5\n0.5,0.5\n',
]


@pytest.mark.parametrize("text", HIDING)
def test_no_quotation_mark_hides_rows(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    for read in (lambda: dp.verify(path, epsilon="0.1").passed, lambda: dp.read_table(path).epsilon <= 0.1):
        try:
            assert read() is False
        except InputError as error:
            assert "line" in str(error)
    with pytest.raises(InputError):
        read_loss_matrix(path)


@pytest.mark.parametrize("words", [{}, {"header": True}, {"labels": True}])
def test_a_header_or_a_label_ends_where_its_line_ends(words: dict[str, bool]) -> None:
    for text in ('"x\n1,0\n0,1",y\n0.5,0.5\n', 'a,0.5,0.5\n"b\nc,1,0\n",0.5,0.5\n'):
        with pytest.raises(InputError, match=r"line \d"):
            list(TableText(text, "t.csv", **words).rows())


def told_lines(table: TableText) -> list[int]:
    """The lines that are named as not read."""
    return [*table.remarks, *table.blank, *([table.header_line] if table.header else [])]


def physical(text: str) -> list[str]:
    """The lines of a text, by their ends only."""
    parts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return parts[:-1] if not parts[-1] else parts


def test_lines_read_and_lines_named_are_all_lines() -> None:
    """Random mutations of tables, against a count by hand of what each line holds."""
    dice, accepted = random.Random(24), 0
    pieces = ['"', "#", ",", "\n", "\r", "\r\n", "0.5", "1", "0", " ", "\t", ";", "'", "x", '""', '"#', "\x0b", "\u2028", "=1"]
    for _ in range(6000):
        rows = [["0.5", "0.5"] for _ in range(dice.randint(1, 5))]
        parts = [",".join(row) for row in rows] + dice.sample(["# remark", "", "a,b", '#,"', '"'], dice.randint(0, 2))
        dice.shuffle(parts)
        text = list(dice.choice(["\n", "\r\n"]).join(parts) + dice.choice(["", "\n"]))
        for _ in range(dice.randint(0, 3)):
            text.insert(dice.randrange(len(text) + 1), dice.choice(pieces))
        given = "".join(text)
        try:
            table = TableText(given, "t.csv")
            read = len(list(table.rows()))
        except InputError:
            continue
        accepted += 1
        every = physical(given)
        assert read + len(told_lines(table)) == len(every), given
        for number in table.remarks:
            assert every[number - 1].strip().lstrip('" ').startswith("#"), given
        for number in table.blank:
            assert not every[number - 1].replace('"', "").strip("\x0b\u2028 \t,;"), given
        for number in told_lines(table):
            assert str(number) in table.description or len(told_lines(table)) > 5
    assert accepted > 1000


def test_scripts_are_told_which_lines_were_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("# mine\nno,yes\n\n0.5,0.5\n# more\n0.5,0.5\n", "utf-8")
    for table in (dp.verify(path), dp.read_table(path)):
        for words in (
            "read: 2 by 2 numbers, lines 4 to 6",
            "line 2, read as the header",
            "2 comments (lines 1, 5)",
            "1 blank line (line 3)",
        ):
            assert words in table.read and words in repr(table)
    assert dp.verify([[1]]).read == ""


def test_a_column_with_decimal_commas_is_never_cut_in_two(tmp_path: Path) -> None:
    path = tmp_path / "bids.csv"
    path.write_text("bid,name\n12,50,Ann\n", "utf-8")
    for read in (lambda: read_values(path, "bid"), lambda: read_counts(path, "bid")):
        with pytest.raises(InputError, match="no more cells than line 1 \\(2\\), got 3; decimals are written with a point"):
            read()
    for text in ("bid\n12,50\n", "bid;name\n12,50;Ann\n"):  # of one column, or apart by semicolons
        path.write_text(text, "utf-8")
        assert read_values(path, "bid").tolist() == [12.5]


@pytest.mark.parametrize("text", ["Ann 12,50", "12,50\n13,20", "Ann\t-12,5\nBert\t3", "Ann 12,50\nBert 3"])
def test_options_with_decimal_commas_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="must be unambiguous"):
        options_of(text)


def test_options_with_commas_between_names_and_numbers_are_read() -> None:
    assert options_of("Ann,12.50\nBert,3") == (("Ann", "Bert"), ("12.50", "3"))
    assert options_of("Option 1, 50\nOption 2, 60") == (("Option 1", "Option 2"), ("50", "60"))
    assert options_of("1, 2, 3") == (None, ("1", "2", "3"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_devices_and_pipes_that_a_file_names_are_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    for place in (pipe, Path("/dev/null"), Path("/dev/tty"), Path("/dev/zero")):
        with pytest.raises(InputError, match=r"could not be read: it is not a regular file\.$"):
            read_values(place, "")
        with pytest.raises(InputError, match=r"not a regular file|at least one row"):
            open_table(place)


@pytest.mark.parametrize("name", ["a\0b", "x" * 3000, "x/" * 2000])
def test_a_path_that_cannot_be_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    designs = [
        {"kind": "choice", "path": name, "column": "a"},
        {"kind": "interval", "column": f"{name}#a"},
        {"kind": "auction", "path": name, "column": "a"},
        {"kind": "attack", "column": f"{name}#a"},
        {"kind": "attack", "answers": name},
        {"kind": "histogram", "path": name, "column": "a", "cells": "0..2", "epsilon": 1},
    ]
    from dpdesigner.files.export import export_of
    from dpdesigner.files.project import read_project

    for design in designs:
        file = tmp_path / "it.dpd"
        file.write_text(json_project(design), "utf-8")
        try:
            (study,) = read_project(file).studies
            found = export_of(study)
            if hasattr(found, "release"):
                found.release(1)
        except InputError as error:
            assert len(str(error)) < 400 and "\n" not in str(error)


def json_project(study: dict[str, object]) -> str:
    import json

    return json.dumps({"format": "dpdesigner", "version": 1, "studies": [study]})


@pytest.mark.parametrize("text", ["\n" * 2_100_000, "#\n" * 2_100_000, "," * 2_000_000, "\r" * 3_000_000])
def test_a_file_of_nothing_is_refused_at_once(text: str) -> None:
    with pytest.raises(InputError, match=r"must have at most 1000000 lines|must have at most 100000 cells|taken for a header"):
        TableText(text, "t.csv")


def test_a_text_may_go_over_lines_where_columns_are_read() -> None:
    rows = [line.cells for line in lines('# say "what\nname,age\n"Ann\n# Lee",7\n', "people.csv")]
    assert rows == [["name", "age"], ["Ann\n# Lee", "7"]]
