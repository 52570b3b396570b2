"""The staircase on any finite set of outputs."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.noise.abstract_staircase import AbstractStaircase


def exact_ratio(mechanism: AbstractStaircase, alpha: Fraction) -> Fraction:
    """The largest ratio of probabilities between neighbours for a rational alpha = exp(-epsilon)."""
    weights = [[alpha ** int(step) for step in row] for row in mechanism.steps]
    rows = [[weight / sum(row, Fraction(0)) for weight in row] for row in weights]
    return max(max(a / b, b / a) for one, other in pairwise(rows) for a, b in zip(one, other, strict=True))


def test_on_a_circle_it_is_epsilon_private() -> None:
    """The distance on a circle: every row holds the same weights, in another order."""
    costs = tuple(tuple(min((i - r) % 6, (r - i) % 6) for r in range(6)) for i in range(6))
    mechanism = AbstractStaircase(costs, 1.0)
    assert mechanism.sensitivity == 1
    assert mechanism.equal_sums
    assert mechanism.level == pytest.approx(1.0, rel=1e-13)
    assert mechanism.level >= 1.0
    assert exact_ratio(mechanism, Fraction(1, 2)) == 2


def test_a_case_that_is_worse_than_epsilon() -> None:
    """The only cheap output becomes the only dear one: its weight falls by e and the sum rises by almost e."""
    many = 200
    mechanism = AbstractStaircase(((0, *[1] * many), (1, *[0] * many)), 1.0)
    assert not mechanism.equal_sums
    assert 1.9 < mechanism.level <= 2
    assert exact_ratio(mechanism, Fraction(1, 2)) == Fraction(2 * (2 * many + 1), many + 2)


@given(
    table=st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=5),
    alpha=st.sampled_from([Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)]),
)
def test_the_level_is_exact_and_within_2_epsilon(table: list[list[int]], alpha: Fraction) -> None:
    mechanism = AbstractStaircase(tuple(map(tuple, table)), -math.log(alpha))
    ratio = exact_ratio(mechanism, alpha)
    assert mechanism.level == pytest.approx(math.log(ratio), abs=1e-12)
    assert mechanism.level >= math.log(ratio) - 1e-16
    assert ratio <= 1 / alpha**2
    assert mechanism.matrix.sum(axis=1) == pytest.approx(np.ones(len(table)))
    assert np.abs(np.diff(mechanism.steps, axis=0)).max() <= 1


def test_costs_that_do_not_depend_on_the_data() -> None:
    mechanism = AbstractStaircase(((1, 2), (1, 2)), 1.0)
    assert mechanism.level == 0
    assert mechanism.matrix == pytest.approx(np.full((2, 2), 0.5))


def test_one_database() -> None:
    assert AbstractStaircase(((1, 2),), 1.0).level == 0
