"""Staircase noise."""

import math

import numpy as np
import pytest

from dpdesigner.core import staircase


@pytest.mark.parametrize("epsilon", [1e-12, 1e-6, 0.1, math.log(2), 1.0, 5.0, 40.0, 700.0])
def test_rounded_with_gamma_a_half_is_the_geometric_mechanism(epsilon: float) -> None:
    mass, tail = staircase.rounded(epsilon, 0.5, 40)
    alpha = math.exp(-epsilon)
    powers = np.array([math.exp(-epsilon * k) for k in range(41)])
    spread = -math.expm1(-epsilon) / (1 + alpha)
    assert mass == pytest.approx(spread * powers, rel=1e-14)
    assert tail == pytest.approx(powers / (1 + alpha), rel=1e-14)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("gamma", [0.0, 0.01, 0.3, 0.5, 0.8, 1.0])
def test_rounded_integrates_the_density(epsilon: float, gamma: float) -> None:
    b = math.exp(-epsilon)
    height = (1 - b) / (2 * (gamma + b * (1 - gamma)))

    def below(x: float) -> float:
        """P(0 <= X <= x)."""
        k = math.floor(x)
        part = min(x - k, gamma) + b * max(x - k - gamma, 0)
        return height * (sum(b**j for j in range(k)) * (gamma + b * (1 - gamma)) + b**k * part)

    mass, tail = staircase.rounded(epsilon, gamma, 6)
    assert mass[0] == pytest.approx(2 * below(0.5), rel=1e-12)
    assert mass[1:] == pytest.approx([below(k + 0.5) - below(k - 0.5) for k in range(1, 7)], rel=1e-9)
    assert tail[1:] == pytest.approx([0.5 - below(k - 0.5) for k in range(1, 7)], rel=1e-9)
    assert tail[0] + tail[1] == pytest.approx(1, rel=1e-15)


def test_rounded_at_the_ends_of_epsilon() -> None:
    for gamma in (0, 0.3, 1):
        mass, tail = staircase.rounded(math.inf, gamma, 3)
        assert mass.tolist() == tail.tolist() == [1, 0, 0, 0]
        assert staircase.rounded(1e-12, gamma, 2)[0] == pytest.approx([5e-13] * 3, rel=1e-11)
        assert np.isfinite(staircase.rounded(800.0, gamma, 5)[0]).all()
    assert staircase.rounded(3000.0, staircase.optimal_gamma(3000.0), 2)[0].tolist() == [1, 0, 0]


def test_rounded_keeps_the_privacy_far_out() -> None:
    mass, tail = staircase.rounded(1.5, 0.2, 400)
    assert mass[300] / mass[301] == pytest.approx(math.exp(1.5), rel=1e-12)
    assert tail[300] / tail[301] == pytest.approx(math.exp(1.5), rel=1e-12)
