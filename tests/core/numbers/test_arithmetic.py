"""The one evaluator behind loss and cost expressions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpdesigner.core.numbers.arithmetic import DOUBLES, FRACTIONS, Grammar, exact_power
from dpdesigner.errors import InputError

GRAMMAR = Grammar(("a", "b"), "test expression", "box", "|a|")


@pytest.mark.parametrize("text", ["a + 2*b", "min(a, b) - max(a)", "where(a > b, a // 2, b % 2)", "-(a == 1) / 4 + 0.1", "a**2"])
def test_both_arithmetics_agree(text: str) -> None:
    exactly, doubles = (GRAMMAR.compiled(text, arithmetic) for arithmetic in (FRACTIONS, DOUBLES))
    for a, b in ((1, 2), (5, 3), (0, 0)):
        found = exactly({"a": Fraction(a), "b": Fraction(b)})
        assert isinstance(found, Fraction)
        assert float(doubles({"a": np.float64(a), "b": np.array([float(b)])})[()].item()) == pytest.approx(float(found))


def test_a_branch_that_is_not_taken_may_be_irrational() -> None:
    evaluate = GRAMMAR.compiled("where(a > 1, a, sqrt(a) / b)", FRACTIONS)
    assert evaluate({"a": Fraction(2), "b": Fraction(0)}) == 2
    with pytest.raises(OverflowError, match="not rational"):
        evaluate({"a": Fraction(1), "b": Fraction(1)})


def test_sentences_name_the_expression_and_its_part() -> None:
    for text, words in (("a.b", "got 'a.b'"), ("c", "a, b, numbers"), ("1e999", "must be arithmetic"), ("", "1 to 300")):
        with pytest.raises(InputError, match=r"^the test expression") as error:
            GRAMMAR.compiled(text, DOUBLES)
        assert words in str(error.value) and error.value.field == "box"


def test_powers_are_kept_small() -> None:
    assert exact_power(Fraction(2, 3), Fraction(3)) == Fraction(8, 27)
    with pytest.raises(OverflowError):
        exact_power(Fraction(9), Fraction(9**9))
    with pytest.raises(OverflowError):
        exact_power(0.5, Fraction(2))


def test_fractions_do_not_grow_without_end() -> None:
    evaluate = GRAMMAR.compiled("*".join(["(a + 1/97)**999"] * 18), FRACTIONS)
    with pytest.raises(OverflowError, match="too many digits"):
        evaluate({"a": Fraction(1, 3)})


@pytest.mark.parametrize(
    "text",
    ["9**9**9**9", "(" * 99 + "a" + ")" * 99, "-" * 290 + "a", "a**" * 99 + "a", "exp(exp(exp(exp(99))))"],
)
def test_what_is_huge_or_deep_ends_at_once(text: str) -> None:
    with np.errstate(all="ignore"):
        assert np.shape(GRAMMAR.compiled(text, DOUBLES)({"a": np.ones(3)})) in ((), (3,))


@pytest.mark.parametrize(
    "text",
    ["a.real", "().__class__", "[a] * 9", "'a' * 9", "a if b else 1", "(a := 3)", "f'{a}'", "not a", "1j"],
)
def test_nothing_but_arithmetic_is_reached(text: str) -> None:
    with pytest.raises(InputError, match="may use a, b, numbers"):
        GRAMMAR.compiled(text, DOUBLES)
