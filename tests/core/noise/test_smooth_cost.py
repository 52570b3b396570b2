"""Costs given as functions."""

import math

import numpy as np
import pytest

from dpdesigner.core.noise.smooth_cost import SmoothCost, expression, fit
from dpdesigner.errors import InputError

EDGES = np.append(0.0, 0.83 * np.exp2(np.arange(-30.0, 11.0)))


def test_integrals_are_relatively_accurate_everywhere() -> None:
    panels = fit(lambda x: x**3 + x, EDGES, "cubic")
    x = np.concatenate((EDGES[1:], np.nextafter(EDGES[1:-1], 1e9), np.geomspace(1e-9, 800, 500)))
    assert panels.integral(x) == pytest.approx(x**4 / 4 + x**2 / 2, rel=1e-13)
    assert panels.integral(np.zeros(1))[0] == 0
    assert panels.corners == ()


def test_panels_have_no_gaps() -> None:
    panels = fit(lambda x: np.minimum(x, 0.7) + np.maximum(x - 11.3, 0), EDGES, "bent")
    assert panels.left[0] == 0
    assert panels.right[:-1].tolist() == panels.left[1:].tolist()
    assert panels.right[-1] == EDGES[-1]
    assert panels.corners == (0.7, 11.3)


def test_what_is_zero_up_to_a_jump_stays_exactly_zero() -> None:
    panels = fit(lambda x: np.where(x > 2, 1.0, 0.0), EDGES, "jump")
    x = np.array([1.0, 2.0, 2 + 1e-12, 3.0])
    assert panels.integral(x)[:2].tolist() == [0, 0]
    assert panels.integral(x)[2:] == pytest.approx([x[2] - 2, 1.0], rel=1e-12)


def test_many_jumps() -> None:
    panels = fit(np.floor, EDGES[EDGES < 300], "floor")
    x = np.array([0.5, 1.25, 7.0, 100.5])
    assert panels.integral(x) == pytest.approx([0, 0.25, 21, 100 * 99 / 2 + 50], rel=1e-12)


@pytest.mark.parametrize(
    ("function", "part"),
    [
        (lambda x: np.floor(1e5 * x), "corners"),
        (lambda x: np.cos(x) + 1, "falls"),
        (lambda x: np.where(x > 5, np.nan, x), "number"),
    ],
)
def test_what_does_not_fit(function: object, part: str) -> None:
    with pytest.raises(InputError, match=part):
        fit(function, EDGES, "it")  # type: ignore[arg-type]


X = np.array([0.0, 1e-200, 1e-20, 1e-6, 0.3, 1.0, 2.9, 3.0, 3.1, 17.0, 1e5, 1e12])


@pytest.mark.parametrize(
    ("text", "integral"),
    [
        ("abs(x)", lambda x: x * x / 2),
        ("sqrt(abs(x))", lambda x: x**1.5 / 1.5),
        ("abs(x)**2.5", lambda x: x**3.5 / 3.5),
        ("log1p(abs(x))", lambda x: np.where(x < 1e-3, x * x / 2 - x**3 / 6, (1 + x) * np.log1p(x) - x)),
        ("log(1 + abs(x))", lambda x: np.where(x < 1e-3, x * x / 2 - x**3 / 6, (1 + x) * np.log1p(x) - x)),
        ("min(abs(x), 3)", lambda x: np.where(x < 3, x * x / 2, 3 * x - 4.5)),
        ("where(abs(x) > 3, 5, 1)", lambda x: np.where(x > 3, 5 * x - 12, x)),
        ("1e-20 * max(abs(x) - 3, 0)**2", lambda x: 1e-20 * np.maximum(x - 3, 0) ** 3 / 3),
        ("x*x / (1 + x*x)", lambda x: np.where(x < 1e-3, x**3 / 3, x - np.arctan(x))),
    ],
)
def test_integrals(text: str, integral: object) -> None:
    cost = SmoothCost.of_expression(text)
    assert callable(integral)
    assert cost.integral(X) == pytest.approx(integral(X), rel=3e-12, abs=1e-22)
    assert cost.growth.bounded
    assert cost.title == text


@pytest.mark.parametrize("text", ["min(abs(x), 3)", "where(abs(x) > 3, 5, 1)", "abs(x) + max(abs(x) - 3, 0)**2"])
def test_corners_at_short_decimals_are_found_exactly(text: str) -> None:
    assert SmoothCost.of_expression(text).corners == (3.0,)


def test_other_corners_are_bracketed() -> None:
    cost = SmoothCost.of_expression("min(abs(x), 1/3) + max(abs(x) - sqrt(2), 0)")
    below = [corner for corner in cost.corners if corner <= 1 / 3]
    assert below[-1] == pytest.approx(1 / 3, rel=1e-8)
    assert min(abs(corner - math.sqrt(2)) for corner in cost.corners) < 1e-8
    x = np.array([0.2, 1.0, 5.0])
    exact = np.where(x < 1 / 3, x * x / 2, x / 3 - 1 / 18) + np.maximum(x - math.sqrt(2), 0) ** 2 / 2
    assert cost.integral(x) == pytest.approx(exact, rel=1e-12)


def test_smooth_costs_have_no_corners() -> None:
    for text in ("x*x", "sqrt(1 + x*x)", "log1p(abs(x))", "x**40"):
        assert SmoothCost.of_expression(text).corners == ()
    for text in ("log(1 + abs(x))", "1 - exp(-abs(x))", "sqrt(1 + x*x) - 1"):
        # Where the text itself cancels, its last digits look like steps.
        assert max(SmoothCost.of_expression(text).corners, default=0) < 1e-6


def test_steep_costs_are_relatively_accurate() -> None:
    x = np.array([1e-6, 1e-3, 0.4, 0.9, 1.1, 50.0])
    assert SmoothCost.of_expression("x**40").integral(x) == pytest.approx(x**41 / 41, rel=1e-11)


def test_growth_and_end() -> None:
    exponential = SmoothCost.of_expression("exp(abs(x) / 2) - 1")
    assert exponential.growth.bounded
    assert "e^0.5" in exponential.growth.reason
    assert exponential.end == pytest.approx(2 * 250 * math.log(10), rel=1e-6)
    assert exponential.integral(np.array([2000.0]))[0] == math.inf
    faster = SmoothCost.of_expression("exp(x*x)").growth
    assert not faster.bounded
    assert "keeps growing" in faster.reason
    assert SmoothCost.of_expression("x**20").growth.bounded


def test_a_function_of_ones_own() -> None:
    cost = SmoothCost(lambda x: np.cosh(x) - 1, "cosh")
    assert cost.integral(np.array([2.0])) == pytest.approx(math.sinh(2) - 2, rel=1e-12)
    assert cost.rise(np.array([1.0]), np.asarray(1.0)) == pytest.approx(math.cosh(2) - math.cosh(1))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("x", "even"),
        ("sqrt(x)", "even"),
        ("1e308*x", "even"),
        ("5", "rise somewhere"),
        ("-x*x", "rise somewhere"),
        ("x*x - 1", "at least 0"),
        ("1 / abs(x)", "but is not at x = 0"),
        ("log(abs(x))", "but is not at x = 0"),
        ("x*x*exp(-x*x)", "falls near x = 1."),
        ("abs(x) - 0.001*floor(abs(x)*0.1)", "falls near x = 10."),
        ("floor(abs(x))", "corners"),
        ("abs(x) * where(abs(x) > 7, 1/2, 1)", "falls near x = 7"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(text: str, part: str) -> None:
    with pytest.raises(InputError, match=part) as error:
        SmoothCost.of_expression(text)
    assert error.value.field == "cost"


COST_EXPRESSION_X = np.array([-3.0, -0.5, 0.0, 1.0, 2.5])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abs(x)", np.abs(COST_EXPRESSION_X)),
        ("x**2 / (1 + abs(x))", COST_EXPRESSION_X**2 / (1 + np.abs(COST_EXPRESSION_X))),
        ("-x + +x", 0 * COST_EXPRESSION_X),
        ("-(x > 0) + (x < 0) - (x == 0)", np.array([1.0, 1, -1, -1, -1])),
        ("7", 0 * COST_EXPRESSION_X + 7),
        ("where(abs(x) > 2, 5, abs(x))", np.where(np.abs(COST_EXPRESSION_X) > 2, 5, np.abs(COST_EXPRESSION_X))),
        ("min(abs(x), 1, 2) + max(x, -x)", np.minimum(np.abs(COST_EXPRESSION_X), 1) + np.abs(COST_EXPRESSION_X)),
        ("floor(abs(x)) % 2 + abs(x) // 1", np.floor(np.abs(COST_EXPRESSION_X)) % 2 + np.floor(np.abs(COST_EXPRESSION_X))),
        ("log1p(abs(x)) + sqrt(x*x) + tanh(abs(x)) + expm1(abs(x))", None),
    ],
)
def test_values(text: str, expected: np.ndarray | None) -> None:
    got = expression(text)(COST_EXPRESSION_X)
    if expected is None:
        size = np.abs(COST_EXPRESSION_X)
        expected = np.log1p(size) + size + np.tanh(size) + np.expm1(size)
    assert got == pytest.approx(expected)
    assert got.shape == COST_EXPRESSION_X.shape


def test_what_is_undefined_is_not_an_error_yet() -> None:
    assert np.isnan(expression("sqrt(x)")(COST_EXPRESSION_X)[0])
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
