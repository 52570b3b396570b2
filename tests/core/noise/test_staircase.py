"""Staircase noise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.noise import staircase
from dpdesigner.core.noise.staircase import Staircase
from dpdesigner.errors import InputError


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


NOISES = [
    Staircase(1.0, 0.3, 2.0),
    Staircase(1e-3, 0.5),
    Staircase(3.0, 0.0),
    Staircase(3.0, 1.0),
    Staircase(12.0, 1e-3, 0.5),
    Staircase(0.7, 0.9, 40.0),
]


@pytest.mark.parametrize("noise", NOISES)
def test_distribution(noise: Staircase) -> None:
    edges, heights = noise.outline(5.3 * noise.sensitivity)
    masses = np.diff(edges) * heights
    outside = float(noise.tail(edges[-1]))
    assert masses.sum() + 2 * outside == pytest.approx(1, rel=1e-13)
    assert outside + np.cumsum(masses) == pytest.approx(noise.cdf(edges[1:]), rel=1e-12)
    assert noise.tail(edges) == pytest.approx(noise.cdf(-edges), rel=1e-15)
    assert (np.diff(edges) > 0).all()
    assert edges == pytest.approx(-edges[::-1])
    assert heights.max() == pytest.approx(noise.height)


@pytest.mark.parametrize("noise", NOISES)
def test_quantiles_invert_the_cdf(noise: Staircase) -> None:
    p = np.array([1e-200, 1e-30, 1e-5, 0.1, 0.3, 0.499, 0.5, 0.77, 1 - 1e-9])
    assert noise.cdf(noise.quantile(p)) == pytest.approx(p, rel=1e-11)
    assert noise.quantile(0.5) == 0
    assert noise.quantile([0.0, 1.0]).tolist() == [-math.inf, math.inf]


@given(
    epsilon=st.floats(1e-6, 300),
    gamma=st.floats(0, 1),
    x=st.floats(-50, 50),
    shift=st.floats(-1, 1),
)
def test_privacy_holds_between_any_answers_within_the_sensitivity(epsilon: float, gamma: float, x: float, shift: float) -> None:
    noise = Staircase(epsilon, gamma, 1.5)
    steps = int(noise.step(x - shift * 1.5) - noise.step(x))
    # |x| and |x - shift| are rounded, so a place exactly one period away may fall a rounding beyond.
    near = abs(abs(x - shift * 1.5) - abs(x)) > 1.5 * (1 - 1e-12)
    assert abs(steps) <= 1 or near
    assert float(noise.log_ratio(x, shift * 1.5)) == pytest.approx(epsilon * steps)


def test_privacy_is_tight() -> None:
    noise = Staircase(1.0, 0.3, 2.0)
    x = np.linspace(2.01, 9.0, 200)
    assert noise.log_ratio(x, 2.0) == pytest.approx(-np.ones(200))
    assert noise.log_ratio(-x, 2.0) == pytest.approx(np.ones(200))


def test_density_is_the_published_one() -> None:
    noise = Staircase(math.log(2), 0.25, 2.0)
    a = 0.5 / (2 * 2 * (0.25 + 0.5 * 0.75))
    assert noise.density([0.0, 0.49, 0.51, -1.9, 2.1, -2.6, 4.0]) == pytest.approx(a * 0.5 ** np.array([0, 0, 1, 1, 1, 2, 2]))


def test_large_and_small_epsilon() -> None:
    sharp = Staircase(700.0, float(staircase.optimal_gamma(700.0)))
    assert np.isfinite(sharp.outline(3.0)[1]).all()
    assert float(sharp.tail(0.0)) == 0.5
    flat = Staircase(1e-6, 0.5)
    assert float(flat.quantile(0.75)) == pytest.approx(math.log(2) * 1e6, rel=1e-6)


@pytest.mark.parametrize(
    ("epsilon", "gamma", "sensitivity", "field"),
    [
        (0.0, 0.5, 1.0, "epsilon"),
        (math.inf, 0.5, 1.0, "epsilon"),
        (math.nan, 0.5, 1.0, "epsilon"),
        (1.0, -0.1, 1.0, "gamma"),
        (1.0, 1.1, 1.0, "gamma"),
        (1.0, math.nan, 1.0, "gamma"),
        (1.0, 0.5, 0.0, "sensitivity"),
        (1.0, 0.5, math.inf, "sensitivity"),
    ],
)
def test_bad_parameters(epsilon: float, gamma: float, sensitivity: float, field: str) -> None:
    with pytest.raises(InputError) as error:
        Staircase(epsilon, gamma, sensitivity)
    assert error.value.field == field
