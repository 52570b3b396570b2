"""Limits and exact values of noise that no table lists."""

from __future__ import annotations

import math

import pytest
from published_noise import DISCRETE_LN2, TRUNCATED_LAPLACE

from dpdesigner.core.noise.discrete_staircase import best_split
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import ABSOLUTE, SQUARED, PowerCost, noise_cost
from dpdesigner.core.noise.several_dimensions import vector_laplace_cost, vector_optimum
from dpdesigner.core.noise.staircase import Staircase, optimum, staircase_cost


def test_two_answers_at_large_epsilon() -> None:
    assert vector_optimum(1, 60.0, 2).gamma * math.exp(20) == pytest.approx(2 ** (1 / 3), rel=1e-6)


def test_at_ln_2() -> None:
    assert Laplace(math.log(2)).cost(ABSOLUTE) == pytest.approx(1.442695041, abs=5e-10)
    assert Laplace(math.log(2)).cost(SQUARED) == pytest.approx(4.162737, abs=1e-6)
    for sensitivity, cost in DISCRETE_LN2.items():
        assert best_split(ABSOLUTE, math.log(2), sensitivity).cost == pytest.approx(cost, rel=1e-14)


def test_truncated_laplace_may_cost_more_than_the_pure_staircase() -> None:
    assert TRUNCATED_LAPLACE[1] > optimum(ABSOLUTE, 1.0).cost


def test_laplace_in_two_dimensions_costs_two_scales() -> None:
    assert vector_laplace_cost(1, 1.0, 2) == pytest.approx(2, rel=1e-14)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.3, 1.0, 7.0, 50.0, 700.0])
@pytest.mark.parametrize(("text", "power"), [("expression:abs(x)", 1.0), ("expression:x*x", 2.0), ("expression:abs(x)**3", 3.0)])
def test_quadrature_of_a_typed_cost_is_the_closed_form(epsilon: float, text: str, power: float) -> None:
    for gamma in (0.01, 0.37, 0.5, 1.0):
        closed = float(staircase_cost(PowerCost(power), epsilon, gamma, 1.5))
        assert float(staircase_cost(noise_cost(text), epsilon, gamma, 1.5)) == pytest.approx(closed, rel=1e-10)
    assert Laplace(epsilon, 1.5).cost(noise_cost(text)) == pytest.approx(Laplace(epsilon, 1.5).cost(PowerCost(power)), rel=1e-10)


def test_the_laplace_distribution_function_stays_below_one() -> None:
    noise = Laplace(1.0)
    assert float(noise.cdf(0.5)) == pytest.approx(1 - math.exp(-0.5) / 2, rel=1e-15)
    b = math.exp(-1)
    assert float(Staircase(1.0, 0.5).cdf(0.5)) == pytest.approx(0.5 + 0.5 * (1 - b) / (1 + b), rel=1e-13)
