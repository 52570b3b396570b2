"""Staircase noise in several dimensions."""

import math
from itertools import pairwise

import numpy as np
import pytest
from published_noise import PLANE_GAMMA_1, SEVERAL_DIMENSIONS
from scipy.integrate import quad

from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import PowerCost
from dpdesigner.core.noise.several_dimensions import (
    VectorStaircase,
    is_proved,
    vector_cost,
    vector_laplace_cost,
    vector_laplace_density,
    vector_large_epsilon_limit,
    vector_optimum,
)
from dpdesigner.core.noise.staircase import Staircase, optimum, staircase_cost
from dpdesigner.errors import InputError


@pytest.mark.parametrize(("dimension", "epsilon"), SEVERAL_DIMENSIONS)
def test_published_costs(dimension: int, epsilon: float) -> None:
    assert vector_optimum(1, epsilon, dimension).cost == pytest.approx(SEVERAL_DIMENSIONS[dimension, epsilon], rel=3e-10)


def test_published_gamma_and_laplace() -> None:
    assert vector_optimum(1, 1.0, 2).gamma == pytest.approx(PLANE_GAMMA_1, abs=5.1e-9)
    assert vector_laplace_cost(1, 1.0, 2) == 2
    assert vector_laplace_cost(3, 1.0, 2) == 24 and vector_laplace_cost(2.5, 1.0, 2) == pytest.approx(11.631728, rel=1e-6)
    assert vector_laplace_cost(2, 0.5, 3, 2.0) == pytest.approx(16 * 3 * 4, rel=1e-13)


@pytest.mark.parametrize("power", [1.0, 2.0, 0.5, 3.7])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 30.0])
def test_one_dimension_is_the_staircase(power: float, epsilon: float) -> None:
    gammas = np.array([0.05, 0.4, 1.0])
    plain = staircase_cost(PowerCost(power), epsilon, gammas, 3.0)
    assert vector_cost(power, epsilon, gammas, 1, 3.0) == pytest.approx(plain, rel=1e-12)
    assert vector_optimum(power, epsilon, 1) == optimum(PowerCost(power), epsilon)
    noise, line = VectorStaircase(epsilon, 0.4, 1, 3.0), Staircase(epsilon, 0.4, 3.0)
    x = np.linspace(0, 20, 77)
    assert noise.density(x) == pytest.approx(line.density(x), rel=1e-12)


@pytest.mark.parametrize(("dimension", "epsilon", "gamma"), [(2, 1.0, 0.67), (2, 5.0, 0.1), (3, 0.7, 0.9), (5, 2.0, 0.5)])
def test_density_and_cost_by_shells(dimension: int, epsilon: float, gamma: float) -> None:
    """The L1 ball of radius r has volume (2 r)^d / d!, so a shell at r has 2^d r^(d-1) / (d-1)!."""
    noise = VectorStaircase(epsilon, gamma, dimension, 2.0)
    edges = np.sort(np.concatenate((np.arange(80.0 / epsilon), np.arange(80.0 / epsilon) + gamma))) * 2.0
    shell = 2.0**dimension / math.factorial(dimension - 1)
    total = first = 0.0
    for low, high in pairwise(edges):
        height = float(noise.density((low + high) / 2)) * shell
        total += height * (high**dimension - low**dimension) / dimension
        first += height * quad(lambda r: r**dimension, low, high, epsrel=1e-12)[0]
    assert total == pytest.approx(1, rel=1e-11)
    assert float(vector_cost(1, epsilon, gamma, dimension, 2.0)) == pytest.approx(first, rel=1e-11)


@pytest.mark.parametrize("dimension", [2, 3, 4, 8, 50])
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 8.0, 700.0])
def test_the_optimum_is_best_on_a_fine_grid_and_not_above_laplace(dimension: int, epsilon: float) -> None:
    best = vector_optimum(1, epsilon, dimension)
    grid = np.concatenate((np.linspace(1e-4, 1, 500), best.gamma * np.linspace(0.9, 1.1, 21)))
    costs = vector_cost(1, epsilon, np.minimum(grid, 1), dimension)
    assert best.cost <= costs.min() * (1 + 1e-13)
    assert best.cost <= vector_laplace_cost(1, epsilon, dimension) * (1 + 1e-13)


def test_laplace_density() -> None:
    x = np.array([0.0, 0.3, 5.0])
    assert vector_laplace_density(x, 2.0, 1, 3.0) == pytest.approx(Laplace(2.0, 3.0).density(x))
    plane = [Laplace(2.0, 3.0).density(a) * Laplace(2.0, 3.0).density(b) for a, b in ((0, 0), (0.1, 0.2), (4, 1))]
    assert vector_laplace_density(x, 2.0, 2, 3.0) == pytest.approx(plane)


def test_large_epsilon_limits() -> None:
    for epsilon in (60.0, 300.0):
        assert vector_optimum(1, epsilon, 2).cost == pytest.approx(2 ** (1 / 3) * math.exp(-epsilon / 3), rel=1e-7)
        for power, dimension in ((1, 1), (2, 1), (1, 2), (2, 3), (0.5, 4)):
            limit = float(vector_large_epsilon_limit(power, epsilon, dimension, 2.0))
            allowed = 1e-3 if epsilon < 100 else 1e-9
            assert vector_optimum(power, epsilon, dimension, 2.0).cost == pytest.approx(limit, rel=allowed)


def test_extremes() -> None:
    assert vector_optimum(1, 1e-6, 3).gamma == 0.5
    assert math.isfinite(vector_optimum(100, 5.0, 50).cost)
    assert vector_optimum(100, 1e-6, 50).cost == math.inf
    assert vector_laplace_cost(100, 1e-6, 50) == math.inf
    assert VectorStaircase(1.0, 0.5, 50, 1e12).height == 0


def test_what_is_proved() -> None:
    assert [is_proved(d) for d in (1, 2, 3, 10)] == [True, True, False, False]
    assert is_proved(1, 2.0) and not is_proved(2, 2.0)


@pytest.mark.parametrize(
    "bad", [(0.0, 0.5, 2, 1.0), (1.0, 0.0, 2, 1.0), (1.0, 1.5, 2, 1.0), (1.0, 0.5, 0, 1.0), (1.0, 0.5, 51, 1.0)]
)
def test_bad_parameters(bad: tuple[float, float, int, float]) -> None:
    with pytest.raises(InputError):
        VectorStaircase(*bad)
