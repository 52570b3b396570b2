"""Figures are never better than the truth, and no more than what the digits say."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.basics.rounding import as_typed, figure, of_100, rounded_down, rounded_up, small, told_apart

_FRACTIONS = st.fractions(max_denominator=10**12).filter(lambda value: abs(value) < 10**15)


@given(_FRACTIONS, st.integers(1, 20))
def test_rounded_to_either_side_of_the_value(value: Fraction, digits: int) -> None:
    below, above = Fraction(rounded_down(value, digits)), Fraction(rounded_up(value, digits))
    assert below <= value <= above
    assert above - below <= max(abs(above), abs(below)) * Fraction(10) ** (1 - digits)


@given(_FRACTIONS, st.integers(1, 12))
def test_a_figure_reads_as_the_value_rounded_up(value: Fraction, digits: int) -> None:
    text = figure(value, digits)
    assert Fraction(text.replace("−", "-")) == Fraction(rounded_up(value, digits))
    assert "-" not in text and ("." not in text or text.partition("e")[0][-1] not in ".0")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(100), "100"),
        (Fraction(1200), "1200"),
        (100.0, "100"),
        (Fraction(10**6), "1e6"),
        (1234567.0, "1.2346e6"),
        (1.19423, "1.1943"),
        (0.000123451, "0.00012346"),
        (3.1e-9, "3.1e-9".replace("-", "−")),
        (-2.00001, "−2"),
        (0.30000000000000004, "0.3"),  # the double above 0.3 is taken to be 0.3
        (0.0, "0"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
    ],
)
def test_figures(value: float | Fraction, text: str) -> None:
    assert figure(value) == text


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (2.91e-14, "3e−14"), (1.5, "2"), (Fraction(1, 3), "4e−1")])
def test_small_figures(value: float | Fraction, text: str) -> None:
    assert small(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (3.0, "3"),
        (0.125, "0.125"),
        (1234, "1230"),
        (1404.2, "1400"),
        (9.6e8, "960000000"),
        (1e-9, "1e-9"),
        (1e20, "1e20"),
    ],
)
def test_a_dragged_number_is_written_as_one_types_it(value: float, text: str) -> None:
    assert as_typed(value) == text
    assert as_typed(1234.5678, 6) == "1234.57"


def test_people_of_100_are_whole_or_have_one_decimal_and_are_rounded_up() -> None:
    shares = (Fraction(2, 3), 0.67, Fraction(1, 30), Fraction(996, 1000), 0, 1e-9, Fraction(1, 1000), 0.0051)
    assert [of_100(share) for share in shares] == ["67", "67", "3.4", "99.6", "0", "< 0.1", "0.1", "0.6"]


def test_values_are_rounded_alike_with_as_many_digits_as_tell_them_apart() -> None:
    said = partial(told_apart, limit=100.0, same=1e-9)
    assert said([50.0, 80.2]) == ["50", "81"] and said([100.0, 100.0]) == ["100"] * 2 and said([99.2]) == ["99.2"]
    assert said([99.9653, 99.9973]) == ["99.966", "99.998"] and said([99.91, 99.96]) == ["99.91", "99.96"]
