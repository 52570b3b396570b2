"""Noise for simulation."""

import math

import numpy as np
import pytest
from scipy.stats import kstest

from dpdesigner.core.noise.noise_cost import PowerCost
from dpdesigner.core.noise.result import simulate_staircase, simulate_vector
from dpdesigner.core.noise.several_dimensions import VectorStaircase, vector_cost
from dpdesigner.core.noise.staircase import Staircase, optimal_gamma, staircase_cost

DRAWS = 1_000_000


@pytest.mark.parametrize(
    "noise",
    [Staircase(1.0, optimal_gamma(1.0)), Staircase(0.2, 0.9, 3.0), Staircase(6.0, optimal_gamma(6.0, 2)), Staircase(2.0, 0.0)],
)
def test_means_are_within_five_standard_errors(noise: Staircase) -> None:
    draws = simulate_staircase(noise, DRAWS, np.random.default_rng(11))
    moments = [float(staircase_cost(PowerCost(m), noise.epsilon, noise.gamma, noise.sensitivity)) for m in (1.0, 2.0, 4.0)]
    first, second, fourth = moments
    assert abs(draws.mean()) < 5 * math.sqrt(second / DRAWS)
    assert abs(np.abs(draws).mean() - first) < 5 * math.sqrt((second - first**2) / DRAWS)
    assert abs((draws**2).mean() - second) < 5 * math.sqrt((fourth - second**2) / DRAWS)
    assert kstest(draws[:20_000], noise.cdf).pvalue > 1e-4


def test_the_ends_of_epsilon() -> None:
    generator = np.random.default_rng(13)
    assert np.abs(simulate_staircase(Staircase(700.0, optimal_gamma(700.0)), 100, generator)).max() < 1e-100
    assert np.isfinite(simulate_staircase(Staircase(1e-6, 0.5), 100, generator)).all()


@pytest.mark.parametrize(
    ("epsilon", "gamma", "dimension"),
    [(1.0, 0.667, 2), (5.0, 0.25, 2), (0.01, 0.5, 2), (2.0, 0.6, 7), (0.04, 0.3, 10), (30.0, 0.01, 3)],
)
def test_vectors_have_the_right_norms_and_directions(epsilon: float, gamma: float, dimension: int) -> None:
    noise = VectorStaircase(epsilon, gamma, dimension, 2.0)
    draws = simulate_vector(noise, DRAWS // dimension, np.random.default_rng(17))
    norms = np.abs(draws).sum(axis=1)
    first, second = (float(vector_cost(m, epsilon, gamma, dimension, 2.0)) for m in (1, 2))
    assert abs(norms.mean() - first) < 5 * math.sqrt((second - first**2) / len(norms))
    assert np.abs(draws.mean(axis=0)).max() < 5 * math.sqrt(second / len(norms))
    assert np.abs(draws).mean(axis=0) == pytest.approx(np.full(dimension, first / dimension), rel=0.02)


def test_vectors_fall_on_each_step_as_often_as_they_should() -> None:
    noise = VectorStaircase(1.0, 0.6, 2)
    norms = np.abs(simulate_vector(noise, DRAWS, np.random.default_rng(18))).sum(axis=1)
    for low, high in ((0.0, 0.6), (0.6, 1.0), (1.0, 1.6), (3.6, 4.0)):
        share = float(noise.density((low + high) / 2)) * 2 * (high**2 - low**2)
        assert abs(((norms >= low) & (norms < high)).mean() - share) < 5 * math.sqrt(share / DRAWS)
