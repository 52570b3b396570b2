"""Columns of numbers from files."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from dpdesigner import resources
from dpdesigner.data.columns import (
    all_columns,
    count_columns,
    named_bits,
    number_columns,
    read_answers,
    read_bits,
    read_counts,
    read_texts,
    read_values,
    resolved,
)
from dpdesigner.data.grid import OLDER, lines
from dpdesigner.data.options import contents_of, options_of, table_of
from dpdesigner.errors import InputError


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


def test_decimal_commas_between_semicolons_are_read_as_numbers(tmp_path) -> None:
    path = tmp_path / "hours.csv"
    path.write_text("hours;place\n1,5;a,b\n-2;c\n0,125;d\n", "utf-8")
    assert number_columns(path) == ["hours"] and read_values(path, "hours").tolist() == [1.5, -2, 0.125]
    path.write_text("1,5;2,0\n", "utf-8")
    assert number_columns(path) == ["1", "2"] and read_values(path, "2").tolist() == [2]
    path.write_text("hours;place\n1,5;a\n1,234;b\n", "utf-8")
    with pytest.raises(InputError, match="line 3: a value must be a number or empty, got '1,234'"):
        read_values(path, "hours")


def test_a_name_of_two_columns_is_refused(tmp_path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("age,visits,age\n1,2,3\n")
    assert read_values(path, "visits").tolist() == [2]
    for read in (read_values, read_counts):
        with pytest.raises(InputError, match="must have only one column named 'age', got 2") as caught:
            read(path, "age")
        assert caught.value.field == "column"


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


@pytest.mark.parametrize(("header", "end"), list(product(["", "visits\n", "\ufeffvisits\n"], ["\n", "\r\n"])))
def test_counts(tmp_path, header, end):
    path = tmp_path / "counts.csv"
    path.write_text((header + "0\n2\n\n10\n3.0\n").replace("\n", end), encoding="utf-8", newline="")
    assert read_counts(path) == [0, 2, 10, 3]


def test_a_column_is_chosen_by_name(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("age,visits\n40.5,3\n50,0\n")
    assert read_counts(path, "visits") == [3, 0]
    with pytest.raises(InputError, match="has 2 columns, so the column of counts must be named, one of age, visits"):
        read_counts(path)
    with pytest.raises(InputError, match="must have a column named 'cost'; its columns are age, visits"):
        read_counts(path, "cost")
    with pytest.raises(InputError, match=r"line 2: a count must be a whole number from 0 to 10000000, got 40\.5"):
        read_counts(path, "age")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "got an empty file"),
        ("visits\n", "got only a header"),
        ("visits\n1\n-1\n", "line 3: .* got -1"),
        ("visits\n1\nNA\n", "line 3: .* got 'NA'"),
        ("visits\n1\n1e9\n", "line 3: .* got 1e9"),
        ("visits\n1e99999\n", "line 2: .* got 1e99999"),
        ("1\n2,3\n", "line 2 could not|line 2: .* got '2,3'"),
        ("1,2\n3,4\n", "has 2 columns, .* one of 1, 2"),
    ],
)
def test_counts_that_are_none(tmp_path, text, words):
    path = tmp_path / "counts.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_counts(path)


def test_a_column_that_numbers_the_rows_comes_last(tmp_path) -> None:
    path = tmp_path / "bids.csv"
    path.write_text("id,bid\n" + "".join(f"{k},{7 * k % 5}\n" for k in range(20)), "utf-8")
    assert number_columns(path) == ["bid", "id"]
    path.write_text("bid\n0\n1\n2\n3\n4\n", "utf-8")
    assert number_columns(path) == ["bid"]


def test_a_column_that_looks_like_counts_comes_first(tmp_path) -> None:
    """Others have values that are all different, fractional or large; all can be chosen."""
    path = tmp_path / "visits.csv"
    rows = (f"{7 * k},{2000 + k % 3},{k % 4 / 4},{'' if k % 5 else k % 3},{k}\n" for k in range(20))
    path.write_text("id,year,share,visits,row\n" + "".join(rows), "utf-8")
    assert number_columns(path) == ["id", "year", "share", "visits", "row"]
    assert count_columns(path) == ["visits", "year", "share", "id", "row"]
    path.write_text("age,smokes,visits\n" + "".join(f"{20 + k // 2},{k % 2},{k % 5}\n" for k in range(20)), "utf-8")
    assert count_columns(path) == ["visits", "age", "smokes"]
    path.write_text("patient_id,caseID,paid,name,ward,file\n" + "".join(map(_patient, range(20))), "utf-8")
    assert all_columns(path) == ["paid", "ward", "name", "file", "patient_id", "caseID"]
    held = contents_of(path)
    assert [*held] == ["paid", "name", "ward", "file", "patient_id", "caseID"], "those that identify a row come last"
    assert held["ward"].values == ("w0", "w1") and held["ward"].bars == (10, 10) and held["ward"].ends is None
    assert held["name"].different and not held["name"].bars and not held["ward"].different
    assert held["paid"].ends == (0, 3) and held["paid"].bars == (5, 5, 5, 5) and held["file"].ends == (0, 133)


def test_a_column_in_short_counts_what_is_no_number(tmp_path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("age,note\n" + "".join(f"{18 + k},\n" for k in range(73)) + "old,\nn/a,\n", "utf-8")
    notes, ages = contents_of(path).values()  # ages that rise by one number the rows
    assert (ages.rows, ages.ends, ages.others, sum(ages.bars), len(ages.bars)) == (75, (18, 90), 1, 73, 12)
    assert (notes.values, notes.bars, notes.ends) == ((), (), None)


def _patient(k: int) -> str:
    return f"{k // 2},{k % 3},{k % 4},n{k},w{k % 2},{7 * k}\n"


def test_a_column_alone_in_its_file_may_have_blanks_in_its_values(tmp_path) -> None:
    path = tmp_path / "cities.csv"
    path.write_text("city\nNew York\nBern\nNew York\n", "utf-8")
    assert [line.cells for line in lines(path.read_text("utf-8"), path.name)][1:] == [["New York"], ["Bern"], ["New York"]]


def test_blank_cells_are_refused_or_replaced(tmp_path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("who,visits\na,1\nb,\nc\n", "utf-8")
    assert read_counts(path, "visits", -1) == [1, -1, -1]
    with pytest.raises(InputError, match=r"line 3: .* got nothing"):
        read_counts(path, "visits")
    path.write_text("who,visits\na,\n", "utf-8")
    with pytest.raises(InputError, match="got only blank cells"):
        read_counts(path, "visits", -1)


def test_a_file_without_numbers_shows_what_was_there_instead(tmp_path) -> None:
    path = tmp_path / "european.csv"
    path.write_text("bid;who\n€ 12.50;a\n€ 8.20;b\n", "utf-8")
    with pytest.raises(InputError, match=r"like 12\.50, got '€ 12\.50' in its first 50 lines"):
        number_columns(path)


def test_headings_and_names_of_a_pasted_list_and_a_matrix() -> None:
    assert options_of("Name\tVotes\nAnna\t4\nBert\t3\n") == (("Anna", "Bert"), ("4", "3"))
    assert options_of("Name,Votes\nAnna,4\nBert,3\n") == (("Anna", "Bert"), ("4", "3"))
    with pytest.raises(InputError, match="line 2: a utility must be a number, got 'x'"):
        options_of("Anna,4\nBert,x\n")
    for text in ("Anna,12,50\n", "12,50\n8,20\n", "Anna;1 204\nBert;3\n"):
        with pytest.raises(InputError, match="must be unambiguous"):
            options_of(text)
    numbers = (("1", "2"), ("3", "4"))
    named = [["", "a", "b"], ["db1", "1", "2"], ["db2", "3", "4"]]
    assert table_of(named) == table_of([["a", "b"], *named[1:]]) == table_of([["a", "b"], *numbers]) == (numbers, ("a", "b"))
    assert table_of(named[1:]) == (numbers, None)
    with pytest.raises(InputError, match="line 2: a utility must be a number, got 'x'"):
        table_of([["a", "b"], ["x", "1"], ["2", "3"]])


def test_the_votes_of_1996():
    votes = read_bits(resources.path("data", "survey_1996.csv"), "vote")
    assert len(votes) == 944 and votes.sum() == 393
    with pytest.raises(
        InputError, match=r"column 'age' of survey_1996.csv must contain only two values, like 0 and 1, got 36 in row 1"
    ):
        read_bits(resources.path("data", "survey_1996.csv"), "age")


@pytest.mark.parametrize(
    "text",
    [
        "answer,error,rows\n2,0.5,1 3\n1,0,2\n",
        "answer;error;a;b;c\n2;0.5;1;0;1\n1;0;0;1;0\n",
        "answer\terror\trows\n2\t1/2\t1 3\n1\t0\t2\n",
    ],
)
def test_forms_of_published_answers(tmp_path, text):
    path = tmp_path / "answers.csv"
    path.write_text(text, "utf-8")
    found = read_answers(path)
    assert found.answers.tolist() == [2, 1] and found.errors.tolist() == [0.5, 0]
    assert found.members.tolist() == [[True, False, True], [False, True, False]]


PEOPLE = "name,Region,age,sick\nAnn,North,18–24,1\nBob,South,18–24,0\nCem,North,65+,0\n"


def test_answers_by_group_count_the_people_with_these_values(tmp_path):
    path, people = tmp_path / "answers.csv", tmp_path / "people.csv"
    path.write_text("answer,error,region,age\n1,0,North,18–24\n1,0,all,18–24\n1,2,North,\n1,0,,ALL\n0,0,South,65+\n", "utf-8")
    people.write_text(PEOPLE, "utf-8")
    found = read_answers(path, people)
    counted = [[True, False, False], [True, True, False], [True, False, True], [True, True, True], [False, False, False]]
    assert found.members.tolist() == counted and found.errors.tolist() == [0, 0, 2, 0, 0]
    assert found.names == ("North, 18–24", "18–24", "North", "everybody", "South, 65+")
    assert found.people == ("Ann", "Bob", "Cem")
    path.write_text("cell,answer,error,sick\nthe sick,1,0,1\n,2,0,0\n", "utf-8")
    found = read_answers(path, people)
    assert found.members.tolist() == [[True, False, False], [False, True, True]] and found.names == ("the sick", "2")
    assert read_answers(path).members.tolist() == [[True], [False]], "without the people, a column per person"


def test_the_first_column_of_texts_names_people_if_all_differ(tmp_path):
    path, people = tmp_path / "answers.csv", tmp_path / "people.csv"
    path.write_text("answer,error,rows\n1,0,1 2\n", "utf-8")
    for text, names in ((PEOPLE, ("Ann", "Bob")), (PEOPLE.replace("Cem", "Ann"), ()), ("id,sick\n1,1\n2,0\n", ())):
        people.write_text(text, "utf-8")
        assert read_answers(path, people).people == names


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("answer,error,region,ward\n1,0,North,A\n", "people.csv must have a column named 'ward'; its columns are name, Region"),
        ("answer,error,region\n1,0,North\n1,0,Nroth\n", "line 3: nobody has region 'Nroth', only North, South."),
        ("answer,error,ward\n1,0,A\n", "people.csv has no column ward for answers.csv: choose the column of these people first."),
    ],
)
def test_a_group_that_is_not_in_the_file_of_the_people_is_refused(tmp_path, text, sentence):
    path, people = tmp_path / "answers.csv", tmp_path / "people.csv"
    path.write_text(text, "utf-8")
    people.write_text(PEOPLE, "utf-8")
    with pytest.raises(InputError, match=re.escape(sentence)):
        read_answers(path, people)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "must begin with answer,error,rows"),
        ("a,b,c\n1,2,3\n", "got a, b, c"),
        ("answer,error\n1,2\n", "then lines like 2,1,1 3 4 7, got answer, error"),
        ("answer,error,rows\n", "must contain at least one answer, got only a header"),
        ("answer,error,rows\nx,1,1\n", "line 2: an answer must be a number from -1000000 to 1000000, got 'x'"),
        ("answer,error,rows\nnan,1,1\n", "line 2: an answer must be a number"),
        ("answer,error,rows\n<3,0,1\n", "1000000, got '<3'; <3 is 1 with error 1: 0 to 2."),
        ("answer,error,rows\n1,-1,1\n", "line 2: an error must be a number from 0 to 1000000, got -1"),
        ("answer,error,rows\n1,1,0\n", "line 2: rows must be numbers from 1 to 1000, separated by spaces, got 0"),
        ("answer,error,rows\n1,1,1 99999\n", "line 2: rows must be numbers"),
        ("answer,error,rows\n1,1,\n", "must count at least one person"),
        ("answer,error,a,b\n1,1,0,2\n", "must be 0 or 1, got 2; for groups, choose the column of these people first."),
        ("answer,error,a,b\n1,1,0\n", "line 2: a row must have 4 cells, got 3"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, sentence):
    path = tmp_path / "answers.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=re.escape(sentence)) as refused:
        read_answers(path)
    assert refused.value.field == ("column" if "for groups" in sentence else "answers") and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x\n0\n1\n2\n", "got 2 in row 3"),
        ("x\n0\n\n1\n", None),
        ("a,x\n1,0\n1,\n", "got an empty cell in row 2"),
        ("x\n", "at least one"),
    ],
)
def test_other_columns_are_refused(tmp_path, text, sentence):
    path = tmp_path / "people.csv"
    path.write_text(text, "utf-8")
    if sentence is None:
        assert read_bits(path, "x").tolist() == [0, 1]
        return
    with pytest.raises(InputError, match=sentence):
        read_bits(path, "x")


@pytest.mark.parametrize(
    ("cells", "bits", "one"),
    [
        (["yes", "no", "yes"], [1, 0, 1], "yes"),
        (["nein", "Ja"], [0, 1], "Ja"),
        (["False", "True", "True"], [0, 1, 1], "True"),
        (["f", "m", "f"], [0, 1, 0], "m"),
        (["2", "1", "1"], [0, 1, 1], "1"),
        (["1", "0.0", "1"], [1, 0, 1], ""),
    ],
)
def test_of_two_values_a_yes_or_the_rarer_one_is_1(tmp_path, cells, bits, one):
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["x", *cells, ""]), "utf-8")
    found, word = named_bits(path, "x")
    assert (found.tolist(), word) == (bits, one)
    for more in ("maybe", '""'):
        path.write_text("\n".join(["x", *cells, more, "3"]), "utf-8")
        with pytest.raises(InputError):
            named_bits(path, "x")


def test_office_files_are_read_as_they_are_written(tmp_path) -> None:
    path = tmp_path / "Einkünfte.csv"
    path.write_bytes(
        "Straße;Miete\r\nMüllerweg 1;512,32\r\nAm Ring 2;1.177,24\r\nAm Ring 3;n/a\r\nAm Ring 4;–\r\n".encode("cp1252")
    )
    assert number_columns(path) == ["Miete"] and read_texts(path, "Straße")[0] == "Müllerweg 1" and str(path) in OLDER
    values = read_values(path, "Miete")
    assert values[:2].tolist() == [512.32, 1177.24] and np.isnan(values[2:]).all()
    path.write_text("Straße;Miete\nAm Ring 2;1.177\nAm Ring 3;512,32\n", "utf-8")
    with pytest.raises(InputError, match=r"line 2: a number must be unambiguous, got 1\.177 in a column with decimal commas"):
        read_values(path, "Miete")
    assert str(path) not in OLDER
    path.write_text("who;from\na;27.01.2026\n", "utf-8")
    with pytest.raises(InputError, match=r"line 2: dates cannot be ranges: add a year or month column, got '27\.01\.2026'"):
        read_values(path, "from")


@pytest.mark.parametrize("content", [b"a;b\n\xe4;\x01\n", b"a;b\nM\xc3\xbcller;\xe4\n", b"a;b\n\xe4;\x81\n"])
def test_binary_files_and_damaged_ones_are_refused(content: bytes, tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match="must be text in UTF-8"):
        read_texts(path, "a")


def test_ranges_of_ages_count_the_whole_numbers_in_them(tmp_path):
    path, people = tmp_path / "answers.csv", tmp_path / "people.csv"
    ages = ("19", "20", "29", "30", "90", "")
    people.write_text("name,age\n" + "".join(f"P{place},{age}\n" for place, age in enumerate(ages)), "utf-8")
    cells = ("20-29", "20 – 29", "20 to 29", "90+", "under 20", "<20", "over 29", "≥30", "≤ 20", "29")
    path.write_text("answer,error,age\n" + "".join(f"1,9,{cell}\n" for cell in cells), "utf-8")
    found = read_answers(path, people)
    counted = [[age for age, some in zip(ages, row, strict=True) if some] for row in found.members]
    above = ["30", "90"]
    assert counted == [["20", "29"]] * 3 + [["90"]] + [["19"]] * 2 + [above] * 2 + [["19", "20"], ["29"]]
    assert found.names[0] == "20-29"
    for text in ("age\n20.5\n", "age\nyoung\n"):  # no whole numbers: 20.5 may be 20 or 21
        people.write_text(text, "utf-8")
        with pytest.raises(InputError, match="nobody has age '20-29'"):
            read_answers(path, people)
