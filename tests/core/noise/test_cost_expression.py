"""Cost expressions."""

import numpy as np
import pytest

from dpdesigner.core.noise.smooth_cost import expression
from dpdesigner.errors import InputError

X = np.array([-3.0, -0.5, 0.0, 1.0, 2.5])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abs(x)", np.abs(X)),
        ("x**2 / (1 + abs(x))", X**2 / (1 + np.abs(X))),
        ("-x + +x", 0 * X),
        ("-(x > 0) + (x < 0) - (x == 0)", np.array([1.0, 1, -1, -1, -1])),
        ("7", 0 * X + 7),
        ("where(abs(x) > 2, 5, abs(x))", np.where(np.abs(X) > 2, 5, np.abs(X))),
        ("min(abs(x), 1, 2) + max(x, -x)", np.minimum(np.abs(X), 1) + np.abs(X)),
        ("floor(abs(x)) % 2 + abs(x) // 1", np.floor(np.abs(X)) % 2 + np.floor(np.abs(X))),
        ("log1p(abs(x)) + sqrt(x*x) + tanh(abs(x)) + expm1(abs(x))", None),
    ],
)
def test_values(text: str, expected: np.ndarray | None) -> None:
    got = expression(text)(X)
    if expected is None:
        size = np.abs(X)
        expected = np.log1p(size) + size + np.tanh(size) + np.expm1(size)
    assert got == pytest.approx(expected)
    assert got.shape == X.shape


def test_what_is_undefined_is_not_an_error_yet() -> None:
    assert np.isnan(expression("sqrt(x)")(X)[0])
    assert expression("exp(x)")(np.array([1e4]))[0] == np.inf
    assert expression("9**9**9")(np.array([1.0]))[0] == np.inf


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * 301,
        "y",
        "x.real",
        "x[0]",
        "__import__('os')",
        "(lambda: 1)()",
        "abs(x",
        "abs(x, 1)",
        "abs(x=x)",
        "'a'",
        "True",
        "1j",
        "x if x else 1",
        "1 < x < 2",
        "not x",
        "x; x",
        "[x]",
        "x := 3",
        "abs",
        "(" * 150 + "x" + ")" * 149,
        "~x",
        "x @ x",
        "0x" + "f" * 297,
        "x\x00",
    ],
)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(InputError) as error:
        expression(text)
    assert error.value.field == "cost"
    assert str(error.value).endswith(".")
