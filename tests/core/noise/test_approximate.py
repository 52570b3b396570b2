"""Noise for (epsilon, delta)-differential privacy."""

import math

import numpy as np
import pytest
from published_noise import GAUSSIAN, TRUNCATED_LAPLACE, TRUNCATED_LAPLACE_SMALL
from scipy.integrate import quad
from scipy.special import erfcx
from scipy.stats import norm

from dpdesigner.core.noise.approximate import AnalyticGaussian, TruncatedLaplace, UniformNoise
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.noise_cost import ABSOLUTE, SQUARED, noise_cost
from dpdesigner.core.noise.staircase import optimum
from dpdesigner.errors import InputError


def test_published_truncated_laplace() -> None:
    half_width, absolute, squared = TRUNCATED_LAPLACE
    noise = TruncatedLaplace(1.0, 1e-3)
    assert noise.half_width == pytest.approx(half_width, rel=1e-12)
    assert noise.cost(ABSOLUTE) == pytest.approx(absolute, rel=1e-12)
    assert noise.cost(SQUARED) == pytest.approx(squared, rel=1e-11)
    assert TruncatedLaplace(0.1, 1e-5).cost(ABSOLUTE) == pytest.approx(TRUNCATED_LAPLACE_SMALL, rel=1e-12)
    assert noise.cost(ABSOLUTE) > optimum(ABSOLUTE, 1.0).cost


@pytest.mark.parametrize("delta", GAUSSIAN)
def test_published_gaussian(delta: float) -> None:
    assert AnalyticGaussian(1.0, delta).sigma == pytest.approx(GAUSSIAN[delta], rel=1e-11)
    assert AnalyticGaussian(1.0, delta, 3.0).sigma == pytest.approx(3 * GAUSSIAN[delta], rel=1e-11)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-5), (1.0, 1e-3), (2.0, 0.2), (0.5, 0.5)])
def test_truncated_laplace_spends_exactly_delta(epsilon: float, delta: float) -> None:
    noise = TruncatedLaplace(epsilon, delta, 2.0)
    width = noise.half_width

    def excess(x: float) -> float:
        return max(float(noise.density(x)) - math.exp(epsilon) * float(noise.density(x - 2.0)) * (1 + 1e-12), 0.0)

    spent = quad(excess, -width, 2.0 - width, epsrel=1e-10)[0]
    inside = np.linspace(2.0 - width + 1e-9, width - 1e-9, 1001)
    assert spent == pytest.approx(delta, rel=1e-9)
    assert max(excess(x) for x in inside) == 0
    assert 2 * quad(lambda x: float(noise.density(x)), 0, width)[0] == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-5), (1.0, 1e-3), (3.0, 0.2), (1e-3, 0.9)])
def test_the_gaussian_spends_exactly_delta(epsilon: float, delta: float) -> None:
    noise = AnalyticGaussian(epsilon, delta, 2.0)
    s = noise.sigma
    spent = norm.cdf(1 / s - epsilon * s / 2) - math.exp(epsilon) * norm.cdf(-1 / s - epsilon * s / 2)
    assert spent <= delta * (1 + 1e-13)
    assert spent == pytest.approx(delta, rel=1e-9)
    assert noise.density([0.0, s]) == pytest.approx(norm.pdf([0.0, s], scale=s))


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 700.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-3, 0.4])
def test_costs_by_quadrature(epsilon: float, delta: float) -> None:
    noises = [TruncatedLaplace(epsilon, delta, 1.5), AnalyticGaussian(epsilon, delta, 1.5), UniformNoise(delta, 1.5)]
    for noise in noises:
        for one, other in (("absolute", "abs(x)"), ("squared", "x*x"), ("power:5/2", "abs(x)**2.5")):
            general = noise.cost(noise_cost(f"expression:{other}"))
            assert noise.cost(noise_cost(one)) == pytest.approx(general, rel=1e-12)
        corner = noise.cost(noise_cost("drawn:0:0,1:1,2:1"))
        assert corner == pytest.approx(noise.cost(noise_cost("expression:min(abs(x), 1)")), rel=1e-11)
        assert corner <= 1


def test_uniform_noise() -> None:
    noise = UniformNoise(0.1, 2.0)
    assert (noise.half_width, noise.atom) == (10.0, 0.0)
    assert noise.cost(ABSOLUTE) == pytest.approx(2 / (4 * 0.1), rel=1e-14)
    assert float(noise.density(9.9)) * 2.0 == pytest.approx(0.1)
    mixed = UniformNoise(0.75, 2.0)
    assert (mixed.half_width, mixed.atom) == (2.0, 0.5)
    assert mixed.cost(ABSOLUTE) == pytest.approx(2.0 * (1 - 0.75), rel=1e-14)
    assert mixed.cost(noise_cost("drawn:0:1,1:2")) == pytest.approx(0.5 * 1 + 0.5 * 2)


@pytest.mark.parametrize("cost", ["absolute", "squared", "power:1/2", "power:3"])
@pytest.mark.parametrize("delta", [0.2, 0.4, 0.55, 0.65, 0.8])
def test_uniform_noise_has_the_best_atom(cost: str, delta: float) -> None:
    power = float(noise_cost(cost).value(np.array([4.0]))[0])
    noise = UniformNoise.cheapest(noise_cost(cost), delta, 2.0)
    assert noise.atom + (1 - noise.atom) * 2.0 / (2 * noise.half_width) == pytest.approx(delta, rel=1e-12)
    atoms = np.linspace(0, delta, 2001)[:-1]
    widths = (1 - atoms) * 2.0 / (2 * (delta - atoms))
    m = np.log2(power) / 2
    others = (1 - atoms) * widths**m / (m + 1)
    assert noise.cost(noise_cost(cost)) <= others.min() * (1 + 1e-12)
    assert noise.cost(noise_cost(cost)) == pytest.approx(others.min(), rel=1e-5)


@pytest.mark.parametrize("delta", [1e-12, 1.5e-5, 0.3])
@pytest.mark.parametrize("epsilon", [1e-6, 2e-6, 4e-6, 1e-4, 0.1])
def test_the_gaussian_is_private_for_tiny_epsilon_too(epsilon: float, delta: float) -> None:
    s = AnalyticGaussian(epsilon, delta).sigma
    t, w = 0.5 / s, epsilon * s
    x, weights = np.polynomial.legendre.leggauss(40)
    places = w + t * x  # delta = phi(w - t) (R(w - t) - R(w + t)), R the ratio of tail and density, R' = x R - 1
    ratio = math.sqrt(math.pi / 2) * erfcx(places / math.sqrt(2))
    spent = norm.pdf(w - t) * t * float(weights @ (1 - places * ratio))
    assert spent <= delta * (1 + 2e-12)
    assert spent == pytest.approx(delta, rel=1e-6)


def test_towards_delta_0_truncated_laplace_is_laplace() -> None:
    assert TruncatedLaplace(0.7, 1e-300).cost(ABSOLUTE) == pytest.approx(Laplace(0.7).cost(ABSOLUTE), rel=1e-12)
    assert TruncatedLaplace(0.7, 1e-300).cost(noise_cost("expression:exp(abs(x)) - 1")) == math.inf


@pytest.mark.parametrize("bad", [(0.0, 0.1, 1.0), (math.inf, 0.1, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0, 1.0), (1.0, 0.1, 0.0)])
def test_bad_parameters(bad: tuple[float, float, float]) -> None:
    with pytest.raises(InputError):
        TruncatedLaplace(*bad)
    with pytest.raises(InputError):
        AnalyticGaussian(*bad)


def test_truncated_laplace_refuses_large_delta() -> None:
    with pytest.raises(InputError, match="1/2"):
        TruncatedLaplace(1.0, 0.6)
    with pytest.raises(InputError):
        UniformNoise(1.0)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(1e-6, 1.0), (0.3, 2.0), (1e-6, 1e12)])
def test_truncated_laplace_of_high_powers(epsilon: float, sensitivity: float) -> None:
    noise = TruncatedLaplace(epsilon, 0.5, sensitivity)
    width = noise.half_width * epsilon / sensitivity
    share, _ = quad(lambda u: u**100 * math.exp(-u * width), 0, 1, epsabs=0, epsrel=1e-12)
    with np.errstate(over="ignore"):
        true = float(np.float64(noise.half_width) ** 100) * share * width / -math.expm1(-width)
    assert noise.cost(noise_cost("power:100")) == pytest.approx(true, rel=1e-10)
