"""The staircase under any cost."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published_noise import POWER_GAMMAS, POWERS_AT_1
from scipy.integrate import quad

from dpdesigner.core.cost.noise_cost import PowerCost, noise_cost
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.core.noise.staircase_cost import optimal_gamma, optimum, staircase_cost
from dpdesigner.core.noise.staircase_powers import (
    absolute_cost,
    absolute_gamma,
    least_absolute_cost,
    least_squared_cost,
    small_epsilon_limit,
    squared_gamma,
)

EPSILONS = [1e-6, 1e-3, 0.05, 1.0, 7.0, 40.0, 700.0]
#: The same cost written in different ways, so that it is computed by different routes.
ALIKE = [
    ("absolute", "expression:abs(x)"),
    ("squared", "expression:x*x"),
    ("power:3", "expression:abs(x)**3"),
    ("power:1/2", "expression:sqrt(abs(x))"),
    ("power:3/2", "expression:abs(x)*sqrt(abs(x))"),
    ("drawn:0:0,1:1", "absolute"),
    ("drawn:0:0,2:2,5:5,7:7", "absolute"),
    ("drawn:0:0,1:1,3:10", "expression:max(abs(x), 1 + 4.5*(abs(x) - 1))"),
    ("drawn:0:1,3:4,4:4", "expression:1 + min(abs(x), 3)"),
]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_every_route_gives_the_same_cost(one: str, other: str, epsilon: float) -> None:
    gammas = np.array([0.0, 1e-3, 0.2, 0.5, 0.9, 1.0])
    for sensitivity in (0.7, 3.0):
        costs = staircase_cost(noise_cost(one), epsilon, gammas, sensitivity)
        assert costs == pytest.approx(staircase_cost(noise_cost(other), epsilon, gammas, sensitivity), rel=1e-12)
        first, second = optimum(noise_cost(one), epsilon, sensitivity), optimum(noise_cost(other), epsilon, sensitivity)
        assert first.cost == pytest.approx(second.cost, rel=1e-12)
        assert first.gamma == pytest.approx(second.gamma, rel=1e-9)
        assert first.cost <= costs.min() * (1 + 1e-11)


@pytest.mark.parametrize("epsilon", [1e-6, 0.05, 1.0, 7.0, 700.0])
def test_the_general_optimum_meets_the_closed_forms(epsilon: float) -> None:
    nearly = 1 + 1e-13
    one, two = optimum(PowerCost(nearly), epsilon), optimum(PowerCost(2 * nearly), epsilon)
    assert one.gamma == pytest.approx(float(absolute_gamma(epsilon)), rel=1e-10)
    assert two.gamma == pytest.approx(float(squared_gamma(epsilon)), rel=1e-10)
    assert one.cost == pytest.approx(float(least_absolute_cost(epsilon)), rel=1e-10)
    assert two.cost == pytest.approx(float(least_squared_cost(epsilon)), rel=1e-10)


@pytest.mark.parametrize("epsilon", POWER_GAMMAS)
def test_published_gammas_of_powers(epsilon: float) -> None:
    assert [optimal_gamma(epsilon, m) for m in (1, 2, 3, 4)] == pytest.approx(POWER_GAMMAS[epsilon], abs=5.1e-9)


@pytest.mark.parametrize("m", POWERS_AT_1)
def test_published_costs_of_powers(m: int) -> None:
    gamma, cost = POWERS_AT_1[m]
    assert optimum(PowerCost(float(m)), 1.0) == pytest.approx((gamma, cost), rel=3e-10)


@pytest.mark.parametrize("m", [0.3, 0.5, 1.5, 2.5, 6.0])
def test_limits_of_powers(m: float) -> None:
    cost = PowerCost(m)
    small = 1e-3
    # The limit leaves out terms of relative size epsilon^(m + 2) and epsilon^4.
    allowed = 0.1 * small ** min(m + 2, 4) + 1e-13
    assert optimum(cost, small).cost == pytest.approx(float(small_epsilon_limit(small, m)), rel=allowed)
    assert optimum(cost, 200.0).cost == pytest.approx(math.exp(-m * (200 + math.log(m)) / (m + 1)), rel=1e-6)


@pytest.mark.parametrize(
    "given_cost", ["power:0.7", "power:2.5", "drawn:0:0,0.4:3,2:5,9:60", "expression:log1p(x*x)", "expression:x**4/(1+x*x)"]
)
@pytest.mark.parametrize(("epsilon", "gamma", "sensitivity"), [(0.8, 0.3, 1.0), (2.5, 0.05, 0.6), (1.2, 0.8, 2.0)])
def test_costs_against_quadrature_over_the_density(given_cost: str, epsilon: float, gamma: float, sensitivity: float) -> None:
    cost, noise = noise_cost(given_cost), Staircase(epsilon, gamma, sensitivity)
    edges, heights = noise.outline(70 / epsilon * sensitivity)
    corners = [corner for corner in cost.corners if corner < edges[-1]]
    edges = np.union1d(edges, [*corners, *[-corner for corner in corners]])
    middles = (edges[1:] + edges[:-1]) / 2
    total = 0.0
    for low, high, height in zip(edges[:-1], edges[1:], noise.density(middles), strict=True):
        if low >= 0:
            total += 2 * height * quad(lambda x: float(cost.value(np.array([x]))[0]), low, high, epsabs=0, epsrel=1e-12)[0]
    assert float(staircase_cost(cost, epsilon, gamma, sensitivity)) == pytest.approx(total, rel=1e-11)
    assert heights.max() == noise.height


@settings(max_examples=40, deadline=None)
@given(
    epsilon=st.floats(1e-3, 30),
    first=st.floats(0.01, 5),
    steps=st.lists(st.tuples(st.floats(0.01, 5), st.floats(0, 5)), max_size=4),
)
def test_the_optimum_of_a_drawn_cost_is_a_minimum(epsilon: float, first: float, steps: list[tuple[float, float]]) -> None:
    x, y = np.cumsum([(0.0, 0.0), (1.0, first), *steps], axis=0).T
    cost = noise_cost("drawn:" + ",".join(f"{a!r}:{b!r}" for a, b in zip(x.tolist(), y.tolist(), strict=True)))
    best = optimum(cost, epsilon)
    assert (staircase_cost(cost, epsilon, np.linspace(0, 1, 101)) >= best.cost * (1 - 1e-12)).all()


def test_jumps() -> None:
    """The cost 1 where |x| > 2, else 0, is P(|X| > 2)."""
    cost = noise_cost("expression:where(abs(x) > 2, 1, 0)")
    for epsilon, gamma in ((0.5, 0.3), (3.0, 0.9)):
        noise = Staircase(epsilon, gamma, 0.7)
        assert float(staircase_cost(cost, epsilon, gamma, 0.7)) == pytest.approx(2 * float(noise.tail(2.0)), rel=1e-10)


@pytest.mark.parametrize("epsilon", [5.0, 40.0, 200.0])
def test_jumps_and_corners_where_the_noise_steps(epsilon: float) -> None:
    """Costs that vanish up to 2 at sensitivity 1: what lies below 2 must not leak into them."""
    b, gammas = math.exp(-epsilon), np.array([1e-6, 0.3, 1.0])
    jump = staircase_cost(noise_cost("expression:where(abs(x) > 2, 1, 0)"), epsilon, gammas)
    assert jump == pytest.approx(b**2 * np.ones(3), rel=1e-12)
    corner = staircase_cost(noise_cost("expression:max(abs(x) - 2, 0)"), epsilon, gammas)
    assert corner == pytest.approx(b**2 * absolute_cost(epsilon, gammas), rel=1e-12)


def test_costs_that_grow_too_fast_are_infinite() -> None:
    cost = noise_cost("expression:exp(abs(x)) - 1")
    assert optimum(cost, 0.9).cost == math.inf
    assert math.isnan(optimum(cost, 0.9).gamma)
    b, g = math.exp(-2.0), 0.3
    exact = sum(2 * b**k * (math.exp(k + g) - 1 - (k + g)) for k in range(80)) * (1 - b) ** 2 / (2 * (g + b * (1 - g)))
    assert float(staircase_cost(cost, 2.0, g)) == pytest.approx(exact, rel=1e-12)
    assert optimum(noise_cost("expression:exp(x*x)"), 50.0).cost == math.inf
    assert optimum(PowerCost(100.0), 1e-6).cost == math.inf


def test_the_ends_of_epsilon() -> None:
    assert optimal_gamma(0) == 0.5
    assert optimal_gamma(math.inf) == 0.0
    assert optimal_gamma(3.0) == pytest.approx(1 / (1 + math.exp(1.5)), rel=1e-15)
    assert absolute_cost(700.0, optimal_gamma(700.0)) == pytest.approx(math.exp(-350), rel=1e-12)
