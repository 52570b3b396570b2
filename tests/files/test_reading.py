"""Tables from elsewhere are read exactly, whatever their dress, and hostile ones get one sentence that names the line."""

from __future__ import annotations

import os
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesigner.data import grid
from dpdesigner.data.mechanism_tables import CORNER, TableText, open_table, parse_table, read_loss_matrix
from dpdesigner.errors import InputError

#: The first design of a run imports libraries, and machines may be busy.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

HALF = [[Decimal("0.5"), Decimal("0.5")], [Decimal("0.25"), Decimal("0.75")]]
WIDE = [[Decimal("0.5"), Decimal("0.25"), Decimal("0.25")]] * 3


@pytest.mark.parametrize(
    "text",
    [
        "0.5,0.5\n0.25,0.75\n",
        "0.5\t0.5\r\n0.25\t0.75",
        "0.5;0.5\n0.25;0.75\n",
        "  0.5   0.5\n 0.25   0.75\n",
        "# made by hand\n\n5e-1, .5\n2.5E-1,0.75\n\n",
        "true\\released,0,1\n0,0.5,0.5\n1,0.25,0.75\n",
        "data\\output,0,1\n0,0.5,0.5\n1,0.25,0.75\n",
        '"","none","one"\n"few",0.5,0.5\n"many",0.25,0.75\n',
        "says no,says yes\n0.5,0.5\n0.25,0.75\n",
        "says no,says yes\nzero,0.5,0.5\none,0.25,0.75\n",
        "zero,0.5,0.5\none,0.25,0.75\n",
        '"0.5","0.5"\n"0.25","0.75"\n',
    ],
)
def test_the_same_table_in_many_dresses(text):
    assert parse_table(text) == HALF


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0,1,2\n" + "0.5,0.25,0.25\n" * 3, {"header": True}),
        ("".join(f"{i},0.5,0.25,0.25\n" for i in range(3)), {"labels": True}),
        ("truth,0,1,2\n" + "".join(f"{i},0.5,0.25,0.25\n" for i in range(3)), {"header": True, "labels": True}),
        (",small,middle,large\n" + "".join(f"{i},0.5,0.25,0.25\n" for i in (1, 2, 5)), {"labels": True}),
    ],
)
def test_what_holds_digits_is_left_out_only_where_that_is_said(text, said):
    assert list(TableText(text, "t.csv", **said).rows()) == WIDE
    try:  # read as numbers, or refused, but not left out
        assert len([entry for row in parse_table(text) for entry in row]) > 9
    except InputError as error:
        assert "if line 1 is a header, use --header" in str(error)


FORGED = [
    "0.99/1,0.01/1",
    "½,½",
    "0x1p-1,0x1p-1",
    "100%%,0",
    "99  /  100,1/100",
    "99⁄100,1⁄100",
    ",0.99",
    "٠٫٩,٠٫١",
    "1e1_0,0",
    "p=0.9,q=0.1",
]


@pytest.mark.parametrize("row", FORGED)
def test_a_row_that_cannot_be_read_is_never_taken_for_a_header(row):
    with pytest.raises(InputError, match=r"line 1: the entry in column . must be a number"):
        parse_table(f"{row}\n0.5,0.5\n0.5,0.5\n")
    with pytest.raises(InputError, match=r"line 1: the entry in column . must be a number"):
        parse_table(f"{row}\n")


@pytest.mark.parametrize("cell", [row.partition(",")[0] for row in FORGED if row[0] != ","])
def test_a_column_that_cannot_be_read_is_never_taken_for_labels(cell):
    with pytest.raises(InputError, match="the entry in column 1 must be a number"):
        parse_table(f"{cell},0.5,0.5\n" * 3)
    with pytest.raises(InputError, match=r"the entry in column 1 must be a number|must have 3 cells|column 1"):
        parse_table(f"{CORNER},0,1\n{cell},0.5,0.5\n")


def test_lines_of_blank_cells_are_rows():
    with pytest.raises(InputError, match=r"line 2: the entry in column 1 must be a number .* got nothing\.$|use --labels"):
        parse_table("0.5,0.5\n,\n0.5,0.5\n")


def test_what_is_read_and_what_is_not_is_counted():
    table = TableText("# by hand\nwho,yes,no\none,0.5,0.5\n# more\ntwo,0.5,0.5\n", "t.csv")
    assert table.description == (
        "read: 2 by 2 numbers, lines 3 to 5; not read: line 2, read as the header (no cell contains a digit); "
        "the first column, read as labels (no cell contains a digit); 2 comments (lines 1, 4)"
    )
    assert table.data["numbers"] == 4 and table.data["remarks"] == 2 and table.data["header"]["line"] == 2
    assert TableText("0.5,0.5\n", "t.csv").description == "read: 1 by 2 numbers, line 1; not read: nothing"
    assert TableText("0.5,0.5\n", "t.csv").data == {
        "first_line": 1,
        "last_line": 1,
        "numbers": 2,
        "header": None,
        "labels": None,
        "remarks": 0,
        "remark_lines": [],
        "blank_lines": [],
    }


@pytest.mark.parametrize("cell", ["1e-50001", "1e50001", "0e-60000", "1e-99999"])
def test_numbers_far_beyond_what_export_can_write_are_refused(cell):
    with pytest.raises(InputError, match="must be within 1e±50000"):
        parse_table(f"{cell},1\n")


def test_rows_of_certainty_are_data():
    assert parse_table("0,1\n1,0\n") == [[0, 1], [1, 0]]
    assert parse_table("says no,says yes\n0,1\n1,0\n") == [[0, 1], [1, 0]]


def test_numbers_are_kept_exactly():
    rows = parse_table("1/3,50%,12.5 %,3.1e-434,0.1000000000000000000000000000000000000000001\n")
    assert rows == [[Fraction(1, 3), Fraction(1, 2), Fraction(1, 8), Decimal("3.1e-434"), Decimal("0.1" + "0" * 41 + "1")]]


@patient
@given(st.lists(st.lists(st.decimals(0, 1, allow_nan=False), min_size=2, max_size=2), min_size=1, max_size=5), st.booleans())
def test_whatever_decimals_are_written_are_read(rows, header):
    lines = [",".join(map(str, row)) for row in rows]
    if header:
        lines = ["true\\released,0,1"] + [f"{i},{line}" for i, line in enumerate(lines)]
    assert parse_table("\n".join(lines)) == rows


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path, encoding):
    path = tmp_path / "table.csv"
    path.write_text("gesagt: nein,gesägt: ja\n0.5,0.5\n0.25,0.75\n", encoding=encoding)
    assert list(open_table(path).rows()) == HALF


def test_numpy_tables(tmp_path):
    path = tmp_path / "numpy.txt"
    np.savetxt(path, np.array(HALF, dtype=float), header="a comment")
    assert list(open_table(path).rows()) == HALF


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "at least one row of numbers, got none"),
        (b"a,b\n", "at least one row of numbers, got none"),
        (b"0.5,0.5\n0.5\n", r"t.csv, line 2 must have 2 cells like line 1, got 1"),
        (b"0.5,0.5\n0.5,x\n", "t.csv, line 2: the entry in column 2 must be a number .* got 'x'"),
        (b"0.5,0.5\n\n0.5,nan\n", "line 3: .* got 'nan'"),
        (b"0.5,inf\n", "got 'inf'"),
        (b"0.5,1e999999999\n", "got '1e999999999'"),
        (b"0.5,1_0\n", "got '1_0'"),
        (b"0.5,1/0\n", "got 1/0"),
        (b"0.5;1,5\n", "got '1,5'"),
        (b"0.5,0.5,\n", "column 3 .* got nothing"),
        (b"0.5," + b"9" * 90000 + b"\n", r"got '9+\.\.\.'"),
        (b'"0.5,0.5\n', "line 1: the quotation marks do not enclose whole cells"),
        (b"9" * 200_000, "line 1: a cell must have at most 131072 characters, got more"),
        (b"\x81,1\n", "must be text in UTF-8 .* got an invalid byte at position 0"),
        (b"0.5\x00,1\n", "got one with a zero byte at position 3"),
        (b"\xff\xfe0", "must be text in UTF-8"),
        (b"0," * 5002 + b"0\n", "at most 5000 rows and columns, got more in line 1"),
        (b"1\n" * 5001, "at most 5000 rows and columns, got more in line 5001"),
    ],
)
def test_broken_and_hostile_tables(tmp_path, data, words):
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        list(open_table(path).rows())
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="there is no such file"):
        list(open_table(tmp_path / "missing.csv").rows())
    with pytest.raises(InputError, match="it is a folder"):
        list(open_table(tmp_path).rows())
    with pytest.raises(InputError, match="this name is not allowed"):
        list(open_table("a\0b").rows())
    monkeypatch.setattr(grid, "LARGEST_BYTES", 10)
    (tmp_path / "large.csv").write_text("0.5,0.5\n0.5,0.5\n")
    with pytest.raises(InputError, match="at most 0 MB, got a larger file"):
        list(open_table(tmp_path / "large.csv").rows())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_and_one_that_nobody_writes_to_is_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=r"pipe\.csv must contain at least one row of numbers, got none"):
        list(open_table(pipe).rows())
    reading, writing = os.pipe()
    os.write(writing, b"0.5,0.5\n")
    os.close(writing)
    assert list(open_table(f"/dev/fd/{reading}").rows()) == [[Decimal("0.5")] * 2]
    os.close(reading)


def test_loss_matrices_keep_their_numbers_as_given(tmp_path):
    path = tmp_path / "loss.csv"
    matrix = (("0", "1", "2.0"), ("1/3", "0", "1"), ("20%", "-1", "0"))
    rows = [",".join(row) for row in matrix]
    for first in (["", "", ""], ["0,", "1,", "2,"], ["a,", "b,", "c,"]):
        body = "\n".join(label + row for label, row in zip(first, rows, strict=True))
        for text in (body, f"i\\r,0,1,2\n{body}") if first[0] else (body, f"x,y,z\n{body}"):
            path.write_text(text)
            assert read_loss_matrix(path) == matrix
    path.write_text("3,1\n")
    with pytest.raises(InputError, match="as many columns as rows, got 1 by 2 numbers"):
        read_loss_matrix(path)
    path.write_text("0,1\n1,nan\n")
    with pytest.raises(InputError, match="line 2: the entry in column 2 must be a number"):
        read_loss_matrix(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{CORNER},0,1\n0,0.8,0.2\n2,0.5,0.5\n1,0.4,0.6\n", "must have its rows in rising order, got 2 before 1"),
        (f"{CORNER},0,1\n0,0.8,0.2\n0,0.5,0.5\n", "must have its rows in rising order, got 0 before 0"),
        (f"{CORNER},1,0\n0,0.8,0.2\n1,0.5,0.5\n", "must have its columns in rising order, got 1 before 0"),
        ("1,0\n0,0.8,0.2\n1,0.5,0.5\n", "line 2 must have 2 cells|rising order"),
        ("\uff10.5,\uff10.5\n0.25,0.75\n", "line 1: the entry in column 1 must be a number"),
        ("nan,nan\n0.25,0.75\n", "line 1: the entry in column 1 must be a number"),
        ("1,204;0,5\n1;0\n", "line 1: the entry in column 1 must be a number"),
        ("1e-999999,1\n", "line 1: the entry in column 1 must be a number"),
    ],
)
def test_no_row_is_taken_for_another_or_left_out(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_table(text)


def test_probabilities_may_have_a_decimal_comma() -> None:
    assert parse_table("0,5;,5\n1,00;0\n12,5%;87,5%\n") == [
        [Decimal("0.5")] * 2,
        [Decimal(1), Decimal(0)],
        [Decimal("0.125"), Decimal("0.875")],
    ]


def test_labels_that_rise_or_are_words_are_taken_as_they_are() -> None:
    for corner, rows in ((CORNER, ("1", "2", "5")), ("", ("none", "some", "many"))):
        text = f"{corner},small,large\n" + "".join(f"{row},0.5,0.5\n" for row in rows)
        assert parse_table(text) == [[Decimal("0.5")] * 2] * 3


def test_numbers_that_are_read_once_are_those_of_each_cell():
    """Texts that stand in several rows are read once, also when there are too many to be kept."""
    rows = [[f"0.{(7 * i * r) % 100_003:06d}{i % 3}" for r in range(400)] for i in range(400)]
    text = "\n".join(",".join(row) for row in rows)
    assert len({cell for row in rows for cell in row}) > 50_000
    assert parse_table(text) == [[Decimal(cell) for cell in row] for row in rows]
    rows[333][17] = "0.5x"
    with pytest.raises(InputError, match="line 334: the entry in column 18"):
        parse_table("\n".join(",".join(row) for row in rows))
