"""Costs of noise by name."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.noise.noise_cost import ABSOLUTE, SQUARED, DrawnCost, PowerCost, noise_cost
from dpdesigner.errors import InputError

X = np.array([0.0, 1e-3, 0.5, 1.0, 2.5, 40.0])


def test_names() -> None:
    assert noise_cost("absolute") is ABSOLUTE
    assert noise_cost("squared") is SQUARED
    assert noise_cost("power:3/2") == PowerCost(1.5)
    assert noise_cost("power: 50%") == PowerCost(0.5)
    assert noise_cost("drawn:1:2,3:4") == DrawnCost(((0.0, 0.0), (1.0, 2.0), (3.0, 4.0)))
    assert [noise_cost(text).title for text in ("absolute", "squared", "power:3", "drawn:1:1")] == [
        "absolute error",
        "squared error",
        "|x|^3",
        "drawn through 2 points",
    ]


@pytest.mark.parametrize("power", [0.1, 1.0, 1.7, 2.0, 5.0])
def test_powers(power: float) -> None:
    cost = PowerCost(power)
    assert cost.value(X) == pytest.approx(X**power)
    assert cost.integral(X) == pytest.approx(X ** (power + 1) / (power + 1))
    assert cost.growth.bounded
    for step in (0.3, 5.0):
        assert cost.rise(X, np.asarray(step)) == pytest.approx((X + step) ** power - X**power, rel=1e-12)


def test_rises_of_powers_far_out_do_not_cancel() -> None:
    far = np.array([1e12])
    assert PowerCost(0.5).rise(far, np.asarray(1.0)) == pytest.approx([0.5e-6], rel=1e-12)
    assert PowerCost(3.0).rise(far, np.asarray(1.0)) == pytest.approx([3e24], rel=1e-11)


def test_drawn() -> None:
    cost = noise_cost("drawn:0:1,2:3,4:3,5:7")
    assert cost.value(np.array([0.0, 1, 2, 3, 4, 4.5, 6])) == pytest.approx([1, 2, 3, 3, 3, 5, 11])
    assert cost.integral(np.array([0.0, 2, 4, 5, 6])) == pytest.approx([0, 4, 10, 15, 24])
    assert cost.rise(np.array([0.0, 1, 3, 4.5]), np.asarray(1.0)) == pytest.approx([1, 1, 0, 4])
    assert cost.corners == (2, 4, 5)
    assert cost.growth.bounded


@given(st.lists(st.tuples(st.floats(0.1, 3), st.floats(0, 3)), min_size=1, max_size=6).filter(lambda s: s[0][1] > 0))
def test_the_area_of_a_drawn_cost_grows_at_its_value(steps: list[tuple[float, float]]) -> None:
    points = np.cumsum([(0.0, 0.0), *steps], axis=0)
    cost = DrawnCost(tuple((float(x), float(y)) for x, y in points))
    x = np.linspace(0.05, points[-1, 0] + 2, 50)
    change = (cost.integral(x + 1e-6) - cost.integral(x - 1e-6)) / 2e-6
    assert change == pytest.approx(cost.value(x), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cubic",
        "absolute:2",
        "squared:",
        "power",
        "power:",
        "power:0",
        "power:-1",
        "power:101",
        "power:nan",
        "drawn:",
        "drawn:1",
        "drawn:1:1,1:2",
        "drawn:2:1,1:2",
        "drawn:1:2,2:1",
        "drawn:0:1,2:1",
        "drawn:-1:0,2:1",
        "drawn:0:-1,2:1",
        "drawn:0:0,1e200:1",
        "drawn:0:0,1:1e200",
        "drawn:0:0,1:inf",
        "drawn:" + ",".join(f"{k}:{k}" for k in range(1002)),
        "expression:",
        "expression:y",
        "expression:x",
        "expression:import os",
    ],
)
def test_what_is_no_cost_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(InputError) as error:
        noise_cost(text)
    assert error.value.field == "cost"
    assert str(error.value).endswith(".")
