"""Arithmetic as people write it comes to the same numbers as arithmetic as Python has it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.noise import smooth_cost
from dpdesigner.core.numbers.arithmetic import DOUBLES, FRACTIONS, Grammar, exact_power, normalise
from dpdesigner.core.problem import expression
from dpdesigner.core.problem.loss import Loss
from dpdesigner.errors import InputError


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("|i-r|", "abs(i-r)"),
        ("(i-r)^2", "(i-r)**2"),
        ("2(i-r)^2", "2*(i-r)**2"),
        ("x²", "(i-r)**2"),
        ("x", "abs(i-r)"),
        ("|i−r|³/2", "abs(i-r)**3/2"),
        ("||i-r|-1|", "abs(abs(i-r)-1)"),
        ("2|i-r||i+1|", "2*abs(i-r)*abs(i+1)"),
        ("|max(i, r) - |i - r||", "abs(max(i,r)-abs(i-r))"),
        ("(1+i)|i-r|", "(1+i)*abs(i-r)"),
        ("where(r>i, 3, 1)|i-r|", "where(r>i,3,1)*abs(i-r)"),
        ("3 × x ÷ 2", "3*abs(i-r)/2"),
        ("ir + 2n", "i*r + 2*n"),
        ("ln(1+x)", "log(1+abs(i-r))"),
        ("(r ≤ i)x + 3·(r > i)x", "where(r<=i,1,3)*abs(i-r)"),
        ("x10", None),
        ("2 3", None),
        ("i in r", None),
    ],
)
def test_a_loss_as_it_is_written(written: str, means: str | None) -> None:
    if means is None:
        with pytest.raises(InputError):
            expression.evaluate(written, 5)
    else:
        assert expression.evaluate(written, 5) == pytest.approx(expression.evaluate(means, 5), rel=1e-15)
        assert np.array_equal(Loss(written).matrix(5), Loss(f"expression:{written}").matrix(5)), "it needs no name before it"


def test_costs_of_noise_are_read_alike() -> None:
    x = np.linspace(-3, 3, 13)
    assert np.array_equal(smooth_cost.expression("|x|^3/2 + x²")(x), np.abs(x) ** 3 / 2 + x**2)


@given(st.text(alphabet="ir|()^²+-*2x,. n<=", max_size=14))
@settings(max_examples=300, deadline=None)
def test_no_text_gets_further_than_a_sentence(text: str) -> None:
    try:
        expression.evaluate(text, 3)
    except InputError as error:
        assert error.field == "loss"
        if error.suggestion:
            expression.check(error.suggestion)


@pytest.mark.parametrize("text", ["abs(i-r)", "where(r>i, 3, 1)*abs(i-r)", "1e-3*i", "0x10", "2**i", "i//2 != r%2", "1_000*i"])
def test_what_was_understood_before_stays_as_it_is(text: str) -> None:
    assert normalise(text, ("i", "r", "n", "x"), ("abs", "where")) == text


@pytest.mark.parametrize(
    ("written", "suggested"),
    [
        ("l(i, r) = |i-r|", "|i-r|"),
        ("ABS(I-R)", "abs(i-r)"),
        ("abs(i-r", "abs(i-r)"),
        ("(i-r))^2", "(i-r)^2"),
        ("|i-r", "|i-r|"),
        ("0,5(i-r)^2", "0.5(i-r)^2"),
        ("(i-r) squared", "(i-r) ^2"),
        ("abss(i-r)", "abs(i-r)"),
        ("if(r>i, 3, 1)*x", "where(r>i, 3, 1)*x"),
        ("x^", "x"),
        ("what?", "|i-r|"),
    ],
)
def test_what_is_not_understood_is_mended(written: str, suggested: str) -> None:
    with pytest.raises(InputError) as caught:
        expression.check(written)
    assert caught.value.suggestion == suggested
    expression.check(suggested)


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
