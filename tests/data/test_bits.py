"""Columns of 0 and 1, and published answers: what is read, and what is refused with its line."""

from __future__ import annotations

import re

import pytest

from dpdesigner import resources
from dpdesigner.data.bits import read_answers, read_bits
from dpdesigner.errors import InputError


def test_the_votes_of_1996():
    votes = read_bits(resources.path("data", "survey_1996.csv"), "vote")
    assert len(votes) == 944 and votes.sum() == 393
    with pytest.raises(InputError, match=r"column 'age' of survey_1996.csv must contain 0 and 1 only, got 36 in row 1"):
        read_bits(resources.path("data", "survey_1996.csv"), "age")


@pytest.mark.parametrize(
    "text",
    [
        "answer,error,rows\n2,0.5,1 3\n1,0,2\n",
        "answer;error;a;b;c\n2;0.5;1;0;1\n1;0;0;1;0\n",
        "answer\terror\trows\n2\t1/2\t1 3\n1\t0\t2\n",
    ],
)
def test_both_forms_of_published_answers(tmp_path, text):
    path = tmp_path / "answers.csv"
    path.write_text(text, "utf-8")
    found = read_answers(path)
    assert found.answers.tolist() == [2, 1] and found.errors.tolist() == [0.5, 0]
    assert found.members.tolist() == [[True, False, True], [False, True, False]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "must begin with the columns answer and error"),
        ("a,b,c\n1,2,3\n", "got a, b, c"),
        ("answer,error\n1,2\n", "must begin with the columns"),
        ("answer,error,rows\n", "must contain at least one answer, got only a header"),
        ("answer,error,rows\nx,1,1\n", "line 2: an answer must be a number from -1000000 to 1000000, got 'x'"),
        ("answer,error,rows\nnan,1,1\n", "line 2: an answer must be a number"),
        ("answer,error,rows\n1,-1,1\n", "line 2: an error must be a number from 0 to 1000000, got '-1'"),
        ("answer,error,rows\n1,1,0\n", "line 2: rows must be numbers from 1 to 1000, separated by spaces, got '0'"),
        ("answer,error,rows\n1,1,1 99999\n", "line 2: rows must be numbers"),
        ("answer,error,rows\n1,1,\n", "must count at least one person"),
        ("answer,error,a,b\n1,1,0,2\n", "line 2: whether a person is counted must be 0 or 1, got '2'"),
        ("answer,error,a,b\n1,1,0\n", "line 2: a row must have 4 cells, got 3"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, sentence):
    path = tmp_path / "answers.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=re.escape(sentence)) as refused:
        read_answers(path)
    assert refused.value.field == "answers" and "\n" not in str(refused.value)


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
