"""Arithmetic that users type, and loss expressions: arithmetic and nothing else."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from core.refusals import refused, refused_at_once, short
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.basics import arithmetic
from dpdesigner.core.basics.arithmetic import DOUBLES, FRACTIONS, Grammar, exact_power, normalise
from dpdesigner.core.basics.loss import Loss
from dpdesigner.core.noise import smooth_cost
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
            arithmetic.evaluate(written, 5)
    else:
        assert arithmetic.evaluate(written, 5) == pytest.approx(arithmetic.evaluate(means, 5), rel=1e-15)
        assert np.array_equal(Loss(written).matrix(5), Loss(f"expression:{written}").matrix(5)), "it needs no name before it"


def test_costs_of_noise_are_read_alike() -> None:
    x = np.linspace(-3, 3, 13)
    assert np.array_equal(smooth_cost.expression("|x|^3/2 + x²")(x), np.abs(x) ** 3 / 2 + x**2)


@given(st.text(alphabet="ir|()^²+-*2x,. n<=", max_size=14))
@settings(max_examples=150, deadline=None)
def test_no_text_gets_further_than_a_sentence(text: str) -> None:
    try:
        arithmetic.evaluate(text, 3)
    except InputError as error:
        assert error.field == "loss"
        if error.suggestion:
            arithmetic.check(error.suggestion)


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
        arithmetic.check(written)
    assert caught.value.suggestion == suggested
    arithmetic.check(suggested)


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abs(i-r)", lambda i, r, n: abs(i - r)),
        ("  (i-r)**2 ", lambda i, r, n: (i - r) ** 2),
        ("where(r>i, 3, 1)*abs(i-r)", lambda i, r, n: (3 if r > i else 1) * abs(i - r)),
        ("max(i-r, 0, (r-i)/2)", lambda i, r, n: max(i - r, 0, (r - i) / 2)),
        ("min(abs(i-r), n+1-abs(i-r))", lambda i, r, n: min(abs(i - r), n + 1 - abs(i - r))),
        ("(i!=r)*1", lambda i, r, n: int(i != r)),
        ("i==r", lambda i, r, n: int(i == r)),
        ("(i>=r)+(i<=2)", lambda i, r, n: int(i >= r) + int(i <= 2)),
        ("(i+r)%2 + i//2 - -r", lambda i, r, n: (i + r) % 2 + i // 2 + r),
        ("floor(i/2)+ceil(r/2)", lambda i, r, n: i // 2 + -(-r // 2)),
        ("1", lambda i, r, n: 1),
        ("n", lambda i, r, n: n),
        ("1/4*i + 0.1*r", lambda i, r, n: i / 4 + r / 10),
        ("2**i", lambda i, r, n: 2**i),
        ("0x10", lambda i, r, n: 16),
    ],
)
def test_values(text: str, expected: object) -> None:
    assert callable(expected)
    table = [[expected(i, r, 5) for r in range(6)] for i in range(6)]
    assert arithmetic.evaluate(text, 5) == pytest.approx(np.array(table, dtype=float), rel=1e-15)
    exactly = arithmetic.evaluate_exactly(text, 5)
    assert all(isinstance(value, Fraction) for row in exactly for value in row)
    assert np.array(exactly, dtype=float) == pytest.approx(np.array(table, dtype=float), rel=1e-15)


def test_exact_numbers_are_the_decimals_written() -> None:
    assert arithmetic.evaluate_exactly("0.1*r + 1e-3", 1)[0] == [Fraction(1, 1000), Fraction(101, 1000)]


@pytest.mark.parametrize("text", ["sqrt(abs(i-r))", "exp(-i)", "log(i+1)", "(i+r)**0.5"])
def test_irrational_losses_have_doubles_only(text: str) -> None:
    assert np.isfinite(arithmetic.evaluate(text, 4)).all()
    with refused("loss"):
        arithmetic.evaluate_exactly(text, 4)


def test_a_branch_not_taken_may_be_undefined() -> None:
    """What has a value in doubles has one in fractions."""
    assert arithmetic.evaluate("where(r>0, i/r, 0)", 2)[1].tolist() == [0, 1, 0.5]
    assert arithmetic.evaluate_exactly("where(r>0, i/r, 0)", 2)[1] == [0, 1, Fraction(1, 2)]


@pytest.mark.parametrize("text", ["max(i)", "min(r)"])
def test_one_argument(text: str) -> None:
    assert arithmetic.evaluate_exactly(text, 2) == arithmetic.evaluate(text, 2).tolist()


@pytest.mark.parametrize(
    "text",
    [
        "i.__class__",
        "i.real",
        "().__class__",
        "__import__('os')",
        "os",
        "y",
        "abs.__call__(i)",
        "lambda: 1",
        "(lambda: 1)()",
        "eval('1')",
        "open('f')",
        "[i]",
        "(i, r)",
        "{i}",
        "{i: r}",
        "i[0]",
        "[x for x in i]",
        "(x for x in i)",
        "i if r else n",
        "i and r",
        "not i",
        "'a'",
        "b'a'",
        "f'{i}'",
        "'a'*10**9",
        "1j",
        "True",
        "None",
        "...",
        "(i:=3)",
        "max(*i)",
        "max(i, key=abs)",
        "abs(**n)",
        "i<<r",
        "~i",
        "i|r",
        "i&r",
        "i^",
        "i@r",
        "i in r",
        "i is r",
        "await i",
        "yield",
        "i; r",
        "i = r",
        "import os",
        "i\nr",
        "",
        " ",
        "\x00",
        "i +",
        "(i",
        "1.2.3",
        "1__0",
        "é",
        "()",
        "abs",
        "max",
        "# comment",
        "i" + "+i" * 200,
        "(" * 200 + "i" + ")" * 200,
        "Fraction(1)",
        "symtable",
        "exec",
        "i.__init__.__globals__",
        "where",
        "print(i)",
        "\ud800",
    ],
    ids=short,
)
def test_refuses_everything_else(text: str) -> None:
    with refused("loss", "loss expression"):
        arithmetic.check(text)
        arithmetic.evaluate(text, 3)


@pytest.mark.parametrize(
    "text",
    [
        "i/r",
        "1/0",
        "n//0",
        "i%0",
        "log(-1-i)",
        "log(i)",
        "sqrt(r-i-1)",
        "exp(1000*(i+1))",
        "1e999",
        "1e999-1e999",
        "9.9**999",
        "10**400*i",
        "9**9999",
        "(0-1)**0.5",
        "(0-1)**0.5*i",
        "abs(i, r, n, i)",
        "max()",
        "min()",
        "where(i)",
        "sqrt()",
        "floor(i, r, n)",
        "2**i**r**n",
        "9**99999",
        "abs+1",
        "abs(max)",
        "where(i>r, abs, max)",
    ],
    ids=short,
)
def test_refuses_what_has_no_finite_value(text: str) -> None:
    with refused("loss", "loss expression"):
        arithmetic.evaluate(text, 3)


@pytest.mark.parametrize("evaluate", ["evaluate", "evaluate_exactly"])
def test_huge_powers_cost_no_time(evaluate: str) -> None:
    texts = ["((9**9999)**9999)**9999*i", "(((i+2)**9999)**9999)**9999", "9**9**9**9", "((2**9999)**9999)**9999 > i"]
    refused_at_once("dpdesigner.core.basics.arithmetic", f"{evaluate}(text, 3)", texts)


@pytest.mark.parametrize(
    "text", ["-" * 250 + "i", "abs(" * 60 + "i" + ")" * 60, "+".join(["i"] * 140), "2**" * 60 + "1"], ids=short
)
def test_long_chains(text: str) -> None:
    """They are evaluated or refused; the depth of the text never reaches the depth of the stack."""
    for evaluate in (arithmetic.evaluate, arithmetic.evaluate_exactly):
        try:
            evaluate(text, 2)
        except InputError:
            with refused("loss"):
                evaluate(text, 2)


_LEAVES = st.sampled_from(["i", "r", "n", "0", "1", "2.5", "1e300", "0.1", "abs(i-r)"])
_EXPRESSIONS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "<", "!=", "**"]), inner).map(
            lambda t: f"({t[0]}{t[1]}{t[2]})"
        ),
        st.tuples(st.sampled_from(["abs", "sqrt", "exp", "log", "floor", "-"]), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]},{t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"where({t[0]}>0,{t[1]},{t[2]})"),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("number", ["0.12345678901234567891", "1.00000000000000000001", "1_0.5", ".5", "2.", "2.5e-30"])
def test_fractions_have_every_digit_that_was_written(number: str) -> None:
    """A double has seventeen of them."""
    written = number.replace("_", "")
    assert arithmetic.evaluate_exactly(f"{number} x", 1)[0][1] == Fraction(written)
    assert arithmetic.evaluate(f"{number} x", 1)[0, 1] == float(written)


@given(_EXPRESSIONS, st.integers(0, 3))
@settings(deadline=None, max_examples=75)
def test_any_expression_has_values_or_is_refused(text: str, n: int) -> None:
    for evaluate in (arithmetic.evaluate, arithmetic.evaluate_exactly):
        try:
            loss = evaluate(text, n)
        except Exception:
            with refused("loss", "loss"):
                evaluate(text, n)
        else:
            assert np.shape(loss) == (n + 1, n + 1)
            assert evaluate is arithmetic.evaluate_exactly or np.isfinite(np.array(loss, dtype=float)).all()


@given(st.text(max_size=40) | st.text("irn0123456789+-*/%().,<>=! absminqrtexplogwh_[]{}'\"\\@:;", max_size=40))
@settings(deadline=None, max_examples=75)
def test_any_text_is_checked_or_refused(text: str) -> None:
    try:
        arithmetic.check(text)
    except Exception:
        with refused("loss", "loss expression"):
            arithmetic.check(text)
