"""Geometrically weighted sums."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm, t

from dpdesigner.core.noise.cost import expectation, reach, terms
from dpdesigner.core.noise.noise_cost import noise_cost


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_moments_of_the_normal_distribution(scale: float) -> None:
    def density(x: np.ndarray) -> np.ndarray:
        return np.asarray(norm.pdf(x, scale=scale))

    for text, moment in (("absolute", np.sqrt(2 / np.pi)), ("squared", 1.0), ("power:4", 3.0)):
        power = {"absolute": 1, "squared": 2, "power:4": 4}[text]
        assert expectation(noise_cost(text), density, 40 * scale, scale) == pytest.approx(moment * scale**power, rel=1e-13)


def test_costs_with_jumps() -> None:
    cost = noise_cost("expression:where(abs(x) > 1.3, 1, 0)")
    assert expectation(cost, norm.pdf, 40.0, 1.0) == pytest.approx(2 * norm.sf(1.3), rel=1e-13)


def test_densities_with_long_tails() -> None:
    cost = noise_cost("expression:min(abs(x), 1)")
    found = expectation(cost, lambda x: np.asarray(t.pdf(x, 3)), 1e7, 1.0)
    inside = 2 * float(np.trapezoid(np.linspace(0, 1, 20001) * t.pdf(np.linspace(0, 1, 20001), 3), dx=1 / 20000))
    assert found == pytest.approx(inside + 2 * t.sf(1.0, 3), rel=1e-8)


def eulerian_sum(power: int, b: Fraction) -> Fraction:
    """sum_k b^k k^power, exactly: (b d/db)^power of 1 / (1 - b)."""
    numerator = [Fraction(1)]
    for order in range(power):
        # With A / (1 - b)^(order + 1), one application of b d/db gives (b A' (1 - b) + (order + 1) b A) / (1 - b)^(order + 2).
        slope = [k * a for k, a in enumerate(numerator)]
        size = len(numerator) + 1
        following = [Fraction(0)] * size
        for k, a in enumerate(slope):
            following[k] += a
            following[k + 1] -= a
        for k, a in enumerate(numerator):
            following[k + 1] += (order + 1) * a
        numerator = following
    return sum((a * b**k for k, a in enumerate(numerator)), Fraction(0)) / (1 - b) ** (power + 1)


@pytest.mark.parametrize("power", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.1, 0.7, 3.0, 50.0, 700.0])
def test_powers(epsilon: float, power: int) -> None:
    found = terms(epsilon, reach(epsilon, power))
    total = math.fsum(found.weights * found.k**power)
    exact = eulerian_sum(power, Fraction(math.exp(-epsilon)))
    # b itself is rounded: near 1 that moves 1 / (1 - b).
    b_error = 2.3e-16 * (power + 1) / -math.expm1(-epsilon) if epsilon < 1 else 0
    assert total == pytest.approx(float(exact), rel=3e-14 + b_error + 3e-16 * epsilon)
    assert len(found.k) < 700


@pytest.mark.parametrize("epsilon", [1e-4, 0.03, 0.5])
def test_smooth_functions_against_every_term(epsilon: float) -> None:
    last = reach(epsilon, 2)
    k = np.arange(int(last) + 1)
    found = terms(epsilon, last)
    for function in (lambda x: np.sqrt(x + 0.3), lambda x: np.log1p(x), lambda x: 1 / (1 + x)):
        assert found.weights @ function(found.k) == pytest.approx(math.fsum(np.exp(-epsilon * k) * function(k)), rel=1e-13)


def test_corners_are_taken_one_by_one() -> None:
    epsilon, corner = 1e-3, 1000.7
    last = reach(epsilon, 1)
    k = np.arange(int(last) + 1)
    exact = math.fsum(np.exp(-epsilon * k) * np.maximum(k - corner, 0))
    found = terms(epsilon, last, (1000,))
    assert {1000.0, 1001.0} <= set(found.k[found.single])
    assert found.weights @ np.maximum(found.k - corner, 0) == pytest.approx(exact, rel=1e-13)


def test_terms_cannot_be_changed() -> None:
    with pytest.raises(ValueError):
        terms(1.0, 50.0).k[0] = 3
