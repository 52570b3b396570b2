"""The rays of the cone of private columns: what is found is a ray, is negative, and is missed only where there is none."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from core.oracle import in_dual_cone
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.program.rays import _heights, geometric_rays, negative_rays


def test_the_rays_of_the_geometric_mechanism() -> None:
    assert geometric_rays(4).tolist() == [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]


@given(
    st.lists(st.lists(st.integers(-20, 20), min_size=3, max_size=3), min_size=1, max_size=7),
    st.sampled_from([Fraction(1, 2), Fraction(1, 10), Fraction(9, 10), Fraction(1, 3)]),
)
def test_a_negative_ray_is_found_exactly_where_there_is_one(vectors: list[list[int]], alpha: Fraction) -> None:
    exact = [[Fraction(entry) for entry in row] for row in vectors]
    powers = float(alpha) ** np.arange(2 * len(vectors), dtype=float)
    found = negative_rays(np.array(exact, dtype=float), float(alpha), powers)
    rounding = Fraction(1, 10**12)
    if not all(in_dual_cone([v + rounding for v in column], alpha) for column in zip(*exact, strict=True)):
        assert len(found)
    for exponents in found.tolist():
        assert min(exponents) == 0
        assert all(abs(a - b) == 1 for a, b in pairwise(exponents))
        values = [sum(v * alpha**e for v, e in zip(column, exponents, strict=True)) for column in zip(*exact, strict=True)]
        assert min(values) < rounding


@pytest.mark.parametrize("alpha", [0.5, 0.01, 1e-100])
def test_far_peaks_do_not_hide_a_near_one(alpha: float) -> None:
    vectors = np.full((60, 1), 1.0)
    vectors[30] = -1.5 if alpha < 0.1 else -3.5
    found = negative_rays(vectors, alpha, alpha ** np.arange(120, dtype=float))
    assert [abs(i - 30) for i in range(60)] in found.tolist()


def test_nothing_is_found_inside_the_dual_cone() -> None:
    found = negative_rays(np.ones((5, 3)), 0.5, 0.5 ** np.arange(10.0))
    assert found.shape == (0, 5)


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_heights_are_those_of_the_rays_that_the_signs_lead_to(falls: list[bool]) -> None:
    found = _heights(np.where(falls, 1.0, -1.0)[:, None])[:, 0].tolist()
    for i in range(len(falls)):
        levels = np.cumsum([0, *(-1 if fall else 1 for fall in falls[i + 1 :])])
        assert found[i] == levels.max()
