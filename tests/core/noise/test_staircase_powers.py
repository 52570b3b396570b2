"""The staircase under |x| and x^2, in closed form, and its limits."""

import math

import numpy as np
import pytest
from published_noise import STAIRCASE, STAIRCASE_LN2

from dpdesigner.core.noise import staircase_powers as powers

COST = (powers.absolute_cost, powers.squared_cost)
GAMMA = (powers.absolute_gamma, powers.squared_gamma)
LEAST = (powers.least_absolute_cost, powers.least_squared_cost)


@pytest.mark.parametrize("epsilon", STAIRCASE)
@pytest.mark.parametrize("m", [1, 2])
def test_published_table(epsilon: float, m: int) -> None:
    gamma, cost, ratio = STAIRCASE[epsilon][m - 1]
    assert GAMMA[m - 1](epsilon) == pytest.approx(gamma, rel=1e-9)
    assert LEAST[m - 1](epsilon) == pytest.approx(cost, rel=3e-12)
    assert math.factorial(m) / epsilon**m / LEAST[m - 1](epsilon) == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize("m", [1, 2])
def test_at_ln_2(m: int) -> None:
    gamma, cost = STAIRCASE_LN2[m - 1]
    assert GAMMA[m - 1](math.log(2)) == pytest.approx(gamma, rel=1e-14)
    assert LEAST[m - 1](math.log(2)) == pytest.approx(cost, rel=1e-14)


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.4, 3.0, 30.0, 300.0, 700.0])
def test_the_least_cost_is_the_cost_of_the_best_gamma(m: int, epsilon: float) -> None:
    gamma = GAMMA[m - 1](epsilon)
    least = COST[m - 1](epsilon, gamma)
    assert LEAST[m - 1](epsilon) == pytest.approx(float(least), rel=1e-13)
    assert (COST[m - 1](epsilon, gamma * np.array([0.5, 0.9, 1.1, 1.5])) >= least * (1 - 1e-15)).all()
    assert LEAST[m - 1](epsilon, 3.0) == pytest.approx(3.0**m * LEAST[m - 1](epsilon), rel=1e-14)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_squared_gamma_is_the_published_expression(epsilon: float) -> None:
    b = math.exp(-epsilon)
    published = -b / (1 - b) + (b - 2 * b**2 + 2 * b**4 - b**5) ** (1 / 3) / (2 ** (1 / 3) * (1 - b) ** 2)
    assert powers.squared_gamma(epsilon) == pytest.approx(published, rel=1e-10)


@pytest.mark.parametrize("m", [1, 2])
def test_gamma_0_and_gamma_1_are_the_same_noise(m: int) -> None:
    for epsilon in (1e-6, 1.0, 700.0):
        assert COST[m - 1](epsilon, 0.0) == COST[m - 1](epsilon, 1.0)


def test_towards_epsilon_0_the_gap_to_laplace_tends_to_its_limits() -> None:
    epsilon = 1e-3
    assert (1 / epsilon - powers.least_absolute_cost(epsilon)) / epsilon == pytest.approx(1 / 24, rel=1e-5)
    assert 2 / epsilon**2 - powers.least_squared_cost(epsilon) == pytest.approx(1 / 12, rel=1e-5)
    gaps = [2 / e**2 - powers.least_squared_cost(e) for e in (0.1, 0.5, 1.0, 2.0)]
    assert gaps == sorted(gaps, reverse=True)
    for m in (1, 2):
        assert powers.small_epsilon_limit(1e-2, m) == pytest.approx(LEAST[m - 1](1e-2), rel=1e-9)
        assert GAMMA[m - 1](1e-6) == pytest.approx(0.5, abs=1e-6)


def test_towards_infinity_the_costs_tend_to_their_limits() -> None:
    for m in (1, 2):
        limit = 2.0**m * math.exp(-m * (60 + math.log(m)) / (m + 1))
        assert limit == pytest.approx(LEAST[m - 1](60.0, 2.0), rel=1e-8)
    assert powers.least_absolute_cost(60.0) * math.exp(30) == pytest.approx(1, rel=1e-12)
    assert powers.least_squared_cost(90.0) * math.exp(60) == pytest.approx(2 ** (-2 / 3), rel=1e-9)
    assert powers.absolute_gamma(60.0) * math.exp(30) == pytest.approx(1, rel=1e-12)
    assert powers.squared_gamma(90.0) * math.exp(30) == pytest.approx(2 ** (-1 / 3), rel=1e-9)


def test_gamma_never_becomes_0() -> None:
    assert powers.absolute_gamma(1e5) > 0
    assert powers.squared_gamma(1e5) > 0
