"""Loss expressions: arithmetic and nothing else."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from core.refusals import refused, refused_at_once, short
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesigner.core.problem import expression
from dpdesigner.errors import InputError


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
    assert expression.evaluate(text, 5) == pytest.approx(np.array(table, dtype=float), rel=1e-15)
    exactly = expression.evaluate_exactly(text, 5)
    assert all(isinstance(value, Fraction) for row in exactly for value in row)
    assert np.array(exactly, dtype=float) == pytest.approx(np.array(table, dtype=float), rel=1e-15)


def test_exact_numbers_are_the_decimals_written() -> None:
    assert expression.evaluate_exactly("0.1*r + 1e-3", 1)[0] == [Fraction(1, 1000), Fraction(101, 1000)]


@pytest.mark.parametrize("text", ["sqrt(abs(i-r))", "exp(-i)", "log(i+1)", "(i+r)**0.5"])
def test_irrational_losses_have_doubles_only(text: str) -> None:
    assert np.isfinite(expression.evaluate(text, 4)).all()
    with refused("loss"):
        expression.evaluate_exactly(text, 4)


def test_a_branch_not_taken_may_be_undefined() -> None:
    """What has a value in doubles has one in fractions."""
    assert expression.evaluate("where(r>0, i/r, 0)", 2)[1].tolist() == [0, 1, 0.5]
    assert expression.evaluate_exactly("where(r>0, i/r, 0)", 2)[1] == [0, 1, Fraction(1, 2)]


@pytest.mark.parametrize("text", ["max(i)", "min(r)"])
def test_one_argument(text: str) -> None:
    assert expression.evaluate_exactly(text, 2) == expression.evaluate(text, 2).tolist()


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
        expression.check(text)
        expression.evaluate(text, 3)


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
        expression.evaluate(text, 3)


@pytest.mark.parametrize("evaluate", ["evaluate", "evaluate_exactly"])
def test_huge_powers_cost_no_time(evaluate: str) -> None:
    texts = ["((9**9999)**9999)**9999*i", "(((i+2)**9999)**9999)**9999", "9**9**9**9", "((2**9999)**9999)**9999 > i"]
    refused_at_once("dpdesigner.core.problem.expression", f"{evaluate}(text, 3)", texts)


@pytest.mark.parametrize(
    "text", ["-" * 250 + "i", "abs(" * 60 + "i" + ")" * 60, "+".join(["i"] * 140), "2**" * 60 + "1"], ids=short
)
def test_long_chains(text: str) -> None:
    """They are evaluated or refused; the depth of the text never reaches the depth of the stack."""
    for evaluate in (expression.evaluate, expression.evaluate_exactly):
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
    assert expression.evaluate_exactly(f"{number} x", 1)[0][1] == Fraction(written)
    assert expression.evaluate(f"{number} x", 1)[0, 1] == float(written)


@given(_EXPRESSIONS, st.integers(0, 3))
@settings(deadline=None, max_examples=150)
def test_any_expression_has_values_or_is_refused(text: str, n: int) -> None:
    for evaluate in (expression.evaluate, expression.evaluate_exactly):
        try:
            loss = evaluate(text, n)
        except Exception:
            with refused("loss", "loss"):
                evaluate(text, n)
        else:
            assert np.shape(loss) == (n + 1, n + 1)
            assert np.isfinite(np.array(loss, dtype=float)).all() or evaluate is expression.evaluate_exactly


@given(st.text(max_size=40) | st.text("irn0123456789+-*/%().,<>=! absminqrtexplogwh_[]{}'\"\\@:;", max_size=40))
@settings(deadline=None, max_examples=150)
def test_any_text_is_checked_or_refused(text: str) -> None:
    try:
        expression.check(text)
    except Exception:
        with refused("loss", "loss expression"):
            expression.check(text)
