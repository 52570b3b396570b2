"""Lists of categories as they are typed, and as a file declares them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.data.columns import all_columns, holds_numbers
from dpdesigner.data.options import categories_of, categories_text
from dpdesigner.errors import InputError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes, no", ("yes", "no")),
        (" yes ;no;", ("yes", "no")),
        ("yes\nno, thank you\n", ("yes", "no", "thank you")),
        ('"no, thank you", yes', ("no, thank you", "yes")),
        ("0,1", ("0", "1")),
        ("a; b, c", ("a; b", "c")),
        ("new  york", ("new york",)),
        ("", ()),
        (" ,, ", ()),
    ],
)
def test_a_list_is_read(text: str, expected: tuple[str, ...]) -> None:
    assert categories_of(text) == expected


@given(st.lists(st.text("ab ,;\"'é", min_size=1, max_size=8).map(lambda text: " ".join(text.split())).filter(bool), unique=True))
def test_what_is_written_is_read_back(categories: list[str]) -> None:
    assert categories_of(categories_text(categories)) == tuple(categories)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("yes, no, yes", "must name each category once; 'yes' is in it twice"),
        ("a" * 101, "each category must be a text of 1 to 100 characters"),
        ('"yes, no', "quotation marks in a list must enclose whole categories"),
        ("a," * 200_000, "at most 200000 characters, got 400000"),
    ],
)
def test_what_is_no_list_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        categories_of(text)
    assert caught.value.field == "categories"


def test_all_columns_are_offered_those_of_numbers_first(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("party,age,answer,income\ngreen,31,yes,5\nblue,,no,7\n", "utf-8")
    assert all_columns(path) == ["age", "income", "party", "answer"]
    assert holds_numbers(path, "age") and not holds_numbers(path, "party") and not holds_numbers(path, "nothing")
    texts = tmp_path / "texts.csv"
    texts.write_text("answer\nyes\nno\n", "utf-8")
    assert all_columns(texts) == ["answer"]
