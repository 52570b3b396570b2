"""Smooth priors from quantiles: what was said is kept exactly, and nothing jumps."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial

from dpdesigner.core.problem.named_priors import quantiles
from dpdesigner.core.problem.prior import Prior
from dpdesigner.core.problem.smooth_quantiles import segments, smooth_quantiles

Pairs = list[Fraction]
F = Fraction


@st.composite
def said(draw: st.DrawFn) -> tuple[int, Pairs]:
    """An n and up to four quantiles over 0..n."""
    n = draw(st.integers(1, 60))
    counts = sorted(draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=4)))
    chances = st.fractions(F(1, 10**6), F(999_999, 10**6))
    shares = sorted(draw(st.sets(chances, min_size=len(counts), max_size=len(counts))))
    return n, [number for pair in zip(shares, map(F, counts), strict=True) for number in pair]


@given(said())
@settings(deadline=None)
def test_what_was_said_is_kept_exactly(given_: tuple[int, Pairs]) -> None:
    n, pairs = given_
    weights = smooth_quantiles(n, *pairs)
    assert len(weights) == n + 1 and sum(weights) == 1 and min(weights) > 0
    for chance, count in zip(pairs[::2], pairs[1::2], strict=True):
        assert sum(weights[: int(count) + 1]) == chance


@given(said())
@settings(deadline=None)
def test_densities_meet_at_the_knots_and_are_not_negative(given_: tuple[int, Pairs]) -> None:
    n, pairs = given_
    found = segments(n, pairs)
    for before, after in pairwise(found):
        assert before.right * before.cells**2 == after.left * after.cells**2 > 0
    for part in found:
        assert min(part.left, part.middle, part.right) >= 0
    for end, part in ((found[0].left, found[0]), (found[-1].right, found[-1])):
        assert end >= sum(part[1:]) / 6  # half the mean density
        assert part.left + part.right == 2 * part.middle  # a straight line


@given(said())
@settings(deadline=None)
def test_a_cell_has_the_integral_of_its_density(given_: tuple[int, Pairs]) -> None:
    """Against integrals by polynomials, in doubles."""
    n, pairs = given_
    expected, t = [], Polynomial([0.0, 1.0])
    for cells, *coefficients in segments(n, pairs):
        left, middle, right = (3 * cells**2 * float(value) for value in coefficients)
        total = cells * (left * (1 - t) ** 2 + 2 * middle * t * (1 - t) + right * t**2).integ()
        edges = np.linspace(0, 1, cells + 1)
        expected += np.diff(total(edges)).tolist()
    assert np.asarray(smooth_quantiles(n, *pairs), dtype=float) == pytest.approx(np.array(expected), rel=1e-6, abs=1e-12)


def test_a_case_by_hand() -> None:
    """5 % up to 2, 95 % up to 12, of 20: D = 1/60, 9/100, 1/160, so d = 1/40 and 3/320, with ends 1/120 and 1/320."""
    found = segments(20, [F(1, 20), F(2), F(19, 20), F(12)])
    assert [part.cells for part in found] == [3, 10, 8]
    ends = [(3 * part.cells**2 * part.left, 3 * part.cells**2 * part.right) for part in found]
    assert ends == [(F(1, 120), F(1, 40)), (F(1, 40), F(3, 320)), (F(3, 320), F(1, 320))]
    weights = smooth_quantiles(20, F(1, 20), F(2), F(19, 20), F(12))
    assert weights[0] == F(1, 90) and weights[1] == F(1, 60)  # a straight line over three cells
    top = weights.index(max(weights))
    assert top == 7 and weights[: top + 1] == sorted(weights[: top + 1]) and weights[top:] == sorted(weights[top:], reverse=True)


@pytest.mark.parametrize("n", [1, 2, 20, 2000, 2001, 300_000])
def test_priors_of_any_size(n: int) -> None:
    count = n // 3
    prior = Prior(f"smooth-quantiles:25%={count}", n)
    assert prior.probabilities[: count + 1].sum() == pytest.approx(0.25, rel=1e-12)
    assert prior.title == "smooth-quantiles" and not prior.impossible.any()


def test_old_files_keep_their_steps() -> None:
    """The name of old is as flat as it was."""
    pairs = [F(1, 20), F(3), F(19, 20), F(12)]
    assert Prior("quantiles:5%=3,95%=12", 20).exact == tuple(quantiles(20, *pairs))
    assert quantiles(20, *pairs) == [F(1, 80)] * 4 + [F(1, 10)] * 9 + [F(1, 160)] * 8
