"""Expected costs by quadrature."""

import numpy as np
import pytest
from scipy.stats import norm, t

from dpdesigner.core.cost.expectation import expectation
from dpdesigner.core.cost.noise_cost import noise_cost


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
