"""Numbers as users give them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from core.refusals import nested, refused, short
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.basics.parsing import double, exact, excerpt, is_number, limit, listed, nearest, parse_integer
from dpdesigner.errors import InputError


@pytest.mark.parametrize(
    ("given_number", "value"),
    [
        ("1/3", Fraction(1, 3)),
        (" 1 / 3 ", Fraction(1, 3)),
        ("0.2", Fraction(1, 5)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("20%", Fraction(1, 5)),
        ("1/3 %", Fraction(1, 300)),
        ("1.5/2.5", Fraction(3, 5)),
        ("1e-3", Fraction(1, 1000)),
        ("−1e−3", Fraction(-1, 1000)),  # the minus that the program writes
        ("+2E2", Fraction(200)),
        ("-0.0", Fraction(0)),
        (-0.0, Fraction(0)),
        (0.1, Fraction(1, 10)),
        (1e-7, Fraction(1, 10**7)),
        (5e-324, Fraction(5, 10**324)),
        (7, Fraction(7)),
        (Fraction(2, 7), Fraction(2, 7)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.int64(3), Fraction(3)),
    ],
)
def test_accepts(given_number: Any, value: Fraction) -> None:
    assert exact(given_number) == value
    assert is_number(given_number)


@pytest.mark.parametrize(
    "given_number",
    [
        "",
        " ",
        "x",
        "1e",
        "e5",
        "nan",
        "inf",
        "1/2/3",
        "0x10",
        "1_000",
        "1,5",
        "12 50",
        "0 500",
        "٣",
        "1 2",
        "%",
        "--1",
        "1/0",
        "1e999999",
        "1e-999999",
        None,
        True,
        False,
        b"1",
        1j,
        {},
        [],
        (1,),
        [[1]],
        object,
        math.nan,
        math.inf,
        -math.inf,
        np.nan,
        np.bool_(True),
    ],
)
def test_refuses(given_number: Any) -> None:
    with refused("n"):
        exact(given_number, "n")
    assert not is_number(given_number)


def test_refusal_says_what_was_given() -> None:
    with refused("alpha", "alpha", "'one half'"):
        exact("one half", "alpha")


@pytest.mark.parametrize("given_number", ["9" * 1001, "x" * 10**6, "(" * 10**5, nested()], ids=short)
def test_refuses_what_is_too_long_to_show(given_number: Any) -> None:
    with refused("n"):
        exact(given_number, "n")


def test_whole_numbers() -> None:
    assert parse_integer("20", "n", 0, 20) == 20
    assert parse_integer(5.0, "n", 0, 20) == 5
    assert parse_integer("10/2", "n", 0, 20) == 5
    assert type(parse_integer(np.int64(5), "n", 0, 20)) is int


@pytest.mark.parametrize("given_number", [2.5, "5/2", -1, 21, "1e9", 10**9, 10**5000, -(10**5000), True, None], ids=short)
def test_whole_refuses(given_number: Any) -> None:
    with refused("n", "n must be"):
        parse_integer(given_number, "n", 0, 20)


def test_numpy_integers_do_not_overflow_later() -> None:
    assert exact(np.int64(2**62)) * 8 == 2**65


@given(st.fractions())
def test_fractions_survive_their_text(number: Fraction) -> None:
    assert exact(str(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_that_it_prints_as(number: float) -> None:
    assert exact(number) == Fraction(repr(number))
    assert nearest(exact(number)) == number


@given(st.text(max_size=30) | st.from_regex(r"[-+0-9./%eE ]{0,12}", fullmatch=True))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    if is_number(text):
        assert isinstance(exact(text), Fraction)
    else:
        with refused("n"):
            exact(text, "n")


PLAIN = st.from_regex(r"-?[0-9]{1,25}\.[0-9]{1,25}", fullmatch=True)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12) | PLAIN)
def test_plain_decimals_become_the_double_of_their_fraction(number: Any) -> None:
    assert double(str(number)) == nearest(exact(str(number))) and is_number(str(number))


@pytest.mark.parametrize("value", [0.1, -0.0, 1e-320, "1/3", "20%", "1e-400", 7, Fraction(1, 3), np.float64(0.3)])
def test_doubles_of_all_other_numbers(value: Any) -> None:
    assert double(value) == nearest(exact(value))


def test_nearest_beyond_doubles() -> None:
    assert nearest(Fraction(10) ** 400) == math.inf
    assert nearest(-(Fraction(10) ** 400)) == -math.inf
    assert nearest(Fraction(1, 10**400)) == 0.0


@pytest.mark.parametrize(("text", "value"), [("82\u202f600", 82_600), (" 3 000 ", 3000)])
def test_a_whole_number_may_be_in_groups_as_the_program_writes_it(text: str, value: int) -> None:
    assert parse_integer(text, "n", 1, 10**6) == value and not is_number(text)
    with pytest.raises(InputError):
        parse_integer("30 00", "n", 1, 10**6)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("12,50\n8,20\n30", "got '12,50': write 12.50 for one number, 12, 50 for several."),
        ("0,9; 0,4", "got '0,9': write 0.9 for one number, 0, 9 for several."),
        ("0,8, 0,5", "got '0,8': write 0.8 for one number, 0, 8 for several."),
        ("850; 1 204", "got '1 204': write 1204 for one number, 1, 204 for several."),
        ("100 200 300", "got '100 200 300': write 100200300 for one number, 100, 200, 300 for several."),
        ("1 204 3 500", "got '1 204': write 1204 for one number, 1, 204 for several."),
        ("1,204", "got '1,204': write 1.204 or 1204 for one number, 1, 204 for several."),
        ("1,204,000.5", "got '1,204,000.5': write 1204000.5 for one number, 1, 204, 000.5 for several."),
        ("1.484,00", "got '1.484,00': write 1484.00 for one number, 1.484, 00 for several."),
        ("5,5%", "got '5,5': write 5.5 for one number, 5, 5 for several."),
    ],
)
def test_what_could_be_one_number_or_several_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        listed(text, "bids", "bids")
    assert str(caught.value) == f"bids must be unambiguous, {words}" and caught.value.field == "bids"


#: Lists with blanks between the numbers, not all of them after the first of three digits; and groups never begin with 0.
BLANKS = ("12 50", "5 1 204", "12 500 7", "100 200 30\n4 500 60", "0 100 200", "0,100,200", "1/2 300 4")


@pytest.mark.parametrize(
    "text", ["12, 50", "10,20,30", "0.2,0.4", "12;50;200", "100\n200", "0.5 0.25\t1", "10 20 30", "1/3,20%", *BLANKS]
)
def test_what_is_clearly_a_list_is_read(text: str) -> None:
    assert len(listed(text, "bids", "bids")) == len(text.replace(",", " ").replace(";", " ").split())


@pytest.mark.parametrize(
    ("end", "text"),
    [
        ("1e-6", "0.000001"),
        (1e-9, "0.000000001"),
        (1e15, "1\u202f000\u202f000\u202f000\u202f000\u202f000"),
        (700, "700"),
        (2.0, "2"),
        ("1/2", "1/2"),
        ("1e300", "1e300"),
    ],
)
def test_an_end_of_a_range_is_written_in_plain_digits(end: Any, text: str) -> None:
    assert limit(end) == text


def test_numbers_are_quoted_as_they_are_and_texts_in_quotes() -> None:
    assert [excerpt(given) for given in ("-3", " 1e999 ", "abc", "1,5", "")] == ["-3", "1e999", "'abc'", "'1,5'", "nothing"]


def test_a_decimal_comma_suggests_a_point_unless_it_may_group_thousands() -> None:
    for text, suggestion in (("1,5", "1.5"), ("-0,25", "-0.25"), ("1,204", ""), ("abc", "")):
        with pytest.raises(InputError) as found:
            exact(text, "the cap")
        assert found.value.suggestion == suggestion
