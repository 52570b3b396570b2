"""Bounds within which a share of the errors lies."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.noise.discrete_staircase import DiscreteStaircase
from dpdesigner.core.noise.laplace import Laplace
from dpdesigner.core.noise.staircase import Staircase


@given(st.floats(1e-4, 300), st.floats(0, 1), st.floats(0, 0.9999), st.floats(0.01, 1000))
def test_bounds_hold_exactly_the_share(epsilon: float, gamma: float, chance: float, sensitivity: float) -> None:
    for noise in (Staircase(epsilon, gamma, sensitivity), Laplace(epsilon, sensitivity)):
        bound = noise.within(chance)
        assert bound >= 0 and 1 - 2 * float(noise.tail(bound)) == pytest.approx(chance, abs=1e-9)


def test_known_bounds() -> None:
    assert Laplace(1.0).within(0.95) == pytest.approx(math.log(20), rel=1e-13)
    assert Laplace(0.5, 2.0).within(0.5) == pytest.approx(4 * math.log(2), rel=1e-13)
    assert Staircase(math.log(2), 1.0).within(0.5) == pytest.approx(1.0, rel=1e-13)


@pytest.mark.parametrize(("ratio", "chance", "reach"), [(19, 0.9, 0), (4, 0.9, 1), (3, 0.5, 0)])
def test_a_reach_that_has_the_chance_exactly_is_enough(ratio: int, chance: float, reach: int) -> None:
    """P(|X| > k) = 2 a^(k + 1) / (1 + a) with a = 1 / ratio: 2/20, 2/20 and 1/2."""
    assert DiscreteStaircase(math.log(ratio), 1).within(chance) == reach
