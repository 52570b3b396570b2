"""Laplace noise."""

import math

import numpy as np
import pytest
from scipy.stats import laplace as reference

from dpdesigner.core import laplace


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
