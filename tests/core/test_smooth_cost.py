"""Costs given as functions."""

import math

import numpy as np
import pytest

from dpdesigner.core.smooth_cost import SmoothCost
from dpdesigner.errors import InputError

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
def test_corners_are_bracketed(text: str) -> None:
    low, high = SmoothCost.of_expression(text).corners
    assert 3 * (1 - 1e-2) < low < 3 < high < 3 * (1 + 1e-2)


def test_smooth_costs_have_no_corners() -> None:
    for text in ("x*x", "sqrt(1 + x*x)", "log(1 + abs(x))", "1 - exp(-abs(x))"):
        assert SmoothCost.of_expression(text).corners == ()


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
        ("5", "rise somewhere"),
        ("-x*x", "rise somewhere"),
        ("x*x - 1", "at least 0"),
        ("1 / abs(x)", "none at x = 0"),
        ("log(abs(x))", "none at x = 0"),
        ("x*x*exp(-x*x)", "falls near x = 1."),
        ("abs(x) - 0.001*floor(abs(x)*0.1)", "corners"),
        ("floor(abs(x))", "corners"),
        ("abs(x) * where(abs(x) > 7, 1/2, 1)", "falls near x = 7"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(text: str, part: str) -> None:
    with pytest.raises(InputError, match=part) as error:
        SmoothCost.of_expression(text)
    assert error.value.field == "cost"
