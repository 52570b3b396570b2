"""Laplace noise."""

import math

import numpy as np
import pytest
from scipy.stats import laplace as reference

from dpdesigner.core.noise import laplace, staircase
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import ABSOLUTE, SQUARED, noise_cost
from dpdesigner.errors import InputError


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, math.log(2), 1.0, 5.0])
def test_rounded_is_the_mass_between_half_integers(epsilon: float) -> None:
    mass, tail = laplace.rounded(epsilon, 12)
    exact = reference(scale=1 / epsilon)
    k = np.arange(13)
    assert mass == pytest.approx(exact.cdf(k + 0.5) - exact.cdf(k - 0.5), rel=1e-9, abs=1e-15)
    assert tail == pytest.approx(exact.sf(k - 0.5), rel=1e-13)


@pytest.mark.parametrize("epsilon", [0.5, 3.0, 700.0])
def test_rounded_sums_to_one(epsilon: float) -> None:
    mass, tail = laplace.rounded(epsilon, 300)
    assert mass[0] + 2 * mass[1:].sum() == pytest.approx(1, rel=1e-14)
    assert mass[1:].sum() == pytest.approx(tail[1], rel=1e-13)
    assert tail[0] + tail[1] == pytest.approx(1, rel=1e-15)


def test_rounded_stays_accurate_far_out() -> None:
    mass, tail = laplace.rounded(2.0, 300)
    assert tail[300] == pytest.approx(math.exp(-599) / 2, rel=1e-12)
    assert mass[300] / tail[300] == pytest.approx(1 - math.exp(-2), rel=1e-14)


def test_rounded_at_the_ends_of_epsilon() -> None:
    mass, tail = laplace.rounded(math.inf, 3)
    assert mass.tolist() == tail.tolist() == [1, 0, 0, 0]
    assert laplace.rounded(1e-12, 2)[0] == pytest.approx([5e-13] * 3, rel=1e-11)
    assert laplace.rounded(1.0, 0)[0] == pytest.approx([1 - math.exp(-0.5)])


@pytest.mark.parametrize("noise", [Laplace(1.0), Laplace(1e-6, 3.0), Laplace(700.0, 0.5), Laplace(0.3, 40.0)])
def test_distribution(noise: Laplace) -> None:
    exact = reference(scale=noise.scale)
    x = noise.scale * np.array([-9.0, -1.0, -1e-3, 0.0, 0.2, 3.0, 12.0])
    assert noise.density(x) == pytest.approx(exact.pdf(x), rel=1e-13)
    assert noise.cdf(x) == pytest.approx(exact.cdf(x), rel=1e-13)
    assert noise.tail(x) == pytest.approx(exact.sf(x), rel=1e-13)
    p = np.array([1e-200, 1e-9, 0.2, 0.5, 0.9])
    assert noise.cdf(noise.quantile(p)) == pytest.approx(p, rel=1e-12)


def test_the_cdf_is_not_the_printed_one() -> None:
    assert float(Laplace(1.0).cdf(0.5)) == pytest.approx(0.5 * (1 + (1 - math.exp(-0.5))))
    printed = 0.5 * (1 + (1 + math.exp(-0.5)))
    assert printed == pytest.approx(1.30, abs=5e-3)


@pytest.mark.parametrize(("alpha", "ratio"), [(1 / 2, 1.06066017), (1 / 100, 5.05)])
def test_the_user_of_two_counts_loses_more_than_with_the_geometric_mechanism(alpha: float, ratio: float) -> None:
    """[GRS] Section 6.1: believing in 0 and 1 alike, both read a noisy count as the nearer one."""
    epsilon = -math.log(alpha)
    wrong = float(Laplace(epsilon).tail(0.5))
    assert wrong == pytest.approx(math.sqrt(alpha) / 2, rel=1e-14)
    assert laplace.rounded(epsilon, 1)[1][1] == pytest.approx(wrong, rel=1e-14)
    assert wrong / staircase.rounded(epsilon, 0.5, 1)[1][1] == pytest.approx(ratio, rel=1e-8)
    assert laplace.rounded(epsilon, 0)[0][0] == pytest.approx(1 - math.sqrt(alpha), rel=1e-14)


def test_privacy_is_met_and_no_more() -> None:
    noise = Laplace(0.8, 2.0)
    x = np.linspace(-9, 9, 101)
    assert np.abs(noise.log_ratio(x, 1.3)).max() <= 0.8
    assert noise.log_ratio(5.0, -2.0) == pytest.approx(0.8)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.4, 5.0, 700.0])
def test_costs(epsilon: float) -> None:
    noise = Laplace(epsilon, 1.5)
    s = noise.scale
    assert noise.cost(ABSOLUTE) == pytest.approx(s, rel=1e-14)
    assert noise.cost(SQUARED) == pytest.approx(2 * s * s, rel=1e-14)
    assert noise.cost(noise_cost("power:1/2")) == pytest.approx(math.sqrt(math.pi * s) / 2, rel=1e-13)
    for one, other in (
        ("power:1/2", "expression:sqrt(abs(x))"),
        ("power:3", "expression:abs(x)**3"),
        ("drawn:0:1,3:4,4:4", "expression:1 + min(abs(x), 3)"),
        ("drawn:0:0,1:1,3:10", "expression:max(abs(x), 1 + 4.5*(abs(x) - 1))"),
    ):
        assert noise.cost(noise_cost(one)) == pytest.approx(noise.cost(noise_cost(other)), rel=1e-12)


def test_costs_that_grow_too_fast_are_infinite() -> None:
    assert Laplace(0.9).cost(noise_cost("expression:exp(abs(x)) - 1")) == math.inf
    assert Laplace(2.0).cost(noise_cost("expression:exp(abs(x)) - 1")) == pytest.approx(1, rel=1e-12)
    assert Laplace(1e-6).cost(noise_cost("power:100")) == math.inf


@pytest.mark.parametrize("bad", [(0.0, 1.0), (-1.0, 1.0), (math.nan, 1.0), (math.inf, 1.0), (1.0, 0.0), (1.0, math.inf)])
def test_bad_parameters(bad: tuple[float, float]) -> None:
    with pytest.raises(InputError):
        Laplace(*bad)
