"""The geometric mechanism against its definition."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import published
import pytest
from core import oracle
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.core.basics.level import PrivacyLevel
from dpdesigner.core.mechanism import geometric
from dpdesigner.core.mechanism.geometric import RemappedGeometric

_ALPHAS = st.fractions(0, Fraction(99, 100), max_denominator=100)


def test_published_row() -> None:
    level = PrivacyLevel.from_alpha("1/2")
    assert geometric.matrix(level, 5)[0].tolist() == [float(entry) for entry in published.GEOMETRIC_ROW]


@given(_ALPHAS, st.integers(0, 12))
def test_matrix(alpha: Fraction, n: int) -> None:
    level, truth = PrivacyLevel.from_alpha(alpha), oracle.geometric(n, alpha)
    released = geometric.matrix(level, n)
    assert released == pytest.approx(np.array(truth, dtype=float), rel=1e-14)
    for i in range(n + 1):
        assert geometric.row(level, n, i).tolist() == released[i].tolist()
        assert geometric.column(level, n, i).tolist() == released[:, i].tolist()
    kernel = [list(geometric.powers(alpha, n))[abs(i - j)] for i in range(n + 1) for j in range(n + 1)]
    exactly = [entry * geometric.exact_weights(alpha, n)[k % (n + 1)] for k, entry in enumerate(kernel)]
    assert exactly == [entry for row in truth for entry in row]


@given(_ALPHAS, st.integers(1, 12))
def test_matrix_is_the_clamped_noise(alpha: Fraction, n: int) -> None:
    """Column 0 and n collect the tails."""
    level = PrivacyLevel.from_alpha(alpha)
    tail = 60 * 100
    mass = [geometric.noise(level, z) for z in range(tail)]
    released = geometric.matrix(level, n)
    for i in range(n + 1):
        assert released[i, 0] == pytest.approx(math.fsum(mass[i:]), rel=1e-12, abs=1e-20)
        assert released[i, n] == pytest.approx(math.fsum(mass[n - i :]), rel=1e-12, abs=1e-20)
        for j in range(1, n):
            assert released[i, j] == pytest.approx(mass[abs(i - j)], rel=1e-14)


@given(_ALPHAS)
def test_noise(alpha: Fraction) -> None:
    level = PrivacyLevel.from_alpha(alpha)
    mass = np.array([geometric.noise(level, z) for z in range(-4000, 4001)])
    assert mass.sum() == pytest.approx(1) and geometric.noise(level, -3) == geometric.noise(level, 3)
    assert geometric.expected_distance(level) == pytest.approx(float(mass @ abs(np.arange(-4000, 4001))), rel=1e-9, abs=1e-15)


def test_trace() -> None:
    for n, alpha in [(1, "1/2"), (5, "1/3"), (20, "9/10")]:
        a = float(Fraction(alpha))
        expected = (2 + (n - 1) * (1 - a)) / (1 + a)
        assert np.trace(geometric.matrix(PrivacyLevel.from_alpha(alpha), n)) == pytest.approx(expected)


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_extreme_levels(n: int) -> None:
    assert (geometric.matrix(PrivacyLevel.from_alpha(0), n) == np.eye(n + 1)).all()
    assert (geometric.matrix(PrivacyLevel.from_epsilon(800), n) == np.eye(n + 1)).all()
    fair = geometric.matrix(PrivacyLevel.from_alpha(1), n)
    expected = [1.0] if n == 0 else [0.5, *[0.0] * (n - 1), 0.5]
    assert fair.tolist() == [expected] * (n + 1)
    assert geometric.noise(PrivacyLevel.from_alpha(1), 0) == 0
    assert geometric.expected_distance(PrivacyLevel.from_alpha(1)) == math.inf
    assert geometric.expected_distance(PrivacyLevel.from_alpha(0)) == 0


@pytest.mark.parametrize("epsilon", [1e-12, 1e-15, 1e-300])
def test_levels_near_absolute_privacy(epsilon: float) -> None:
    released = geometric.matrix(PrivacyLevel.from_epsilon(epsilon), 4)
    assert released.sum(axis=1) == pytest.approx(1) and released[2, 2] == pytest.approx(epsilon / 2, rel=1e-9)


def test_powers_are_exact() -> None:
    assert geometric.powers(Fraction(2, 3), 3) == [1, Fraction(2, 3), Fraction(4, 9), Fraction(8, 27)]
    assert geometric.powers(Fraction(0), 2) == [1, 0, 0]


@pytest.mark.parametrize("epsilon", [0.2, 3.0, 50.0])
@pytest.mark.parametrize("order", ["rising", "mixed"])
def test_a_row_is_what_all_intervals_give(epsilon: float, order: str) -> None:
    n = 6000
    rng = np.random.default_rng(5)
    remap = np.sort(rng.integers(0, n + 1, n + 1)) if order == "rising" else rng.integers(0, n + 1, n + 1)
    mechanism = RemappedGeometric(PrivacyLevel.from_epsilon(epsilon), n, remap)
    held = mechanism.intervals
    for i in (0, 1, 2500, n):
        every = held.probability(np.array(i), np.arange(len(held.first)))
        expected = np.bincount(held.reading, weights=every, minlength=n + 1)
        assert np.array_equal(mechanism.row(i), expected)
        assert len(held.near(i)) < len(every) or i == 2500
        assert mechanism.row(i).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.003, 0.2, 3.0])
def test_the_largest_of_blocks_is_an_entry_of_each(epsilon: float) -> None:
    n, step = 299, 23
    rng = np.random.default_rng(7)
    mechanism = RemappedGeometric(PrivacyLevel.from_epsilon(epsilon), n, np.sort(rng.integers(0, n + 1, n + 1)))
    starts = np.arange(0, n + 1, step)
    found = mechanism.intervals.largest(starts, step, starts, step)
    matrix = mechanism.matrix
    true = np.array([[matrix[i : i + step, r : r + step].max() for r in starts] for i in starts])
    assert (found <= true * (1 + 1e-12)).all()
    assert found.max() == pytest.approx(true.max())
    assert ((found > 0) == (true > 0)).all()


@pytest.mark.parametrize("epsilon", [0.003, 0.2, 3.0])
def test_what_is_too_far_away_to_matter_may_be_left_out(epsilon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    n, step = 20_000, 100
    remap = np.sort(np.random.default_rng(7).integers(0, n + 1, n + 1))
    held, starts = RemappedGeometric(PrivacyLevel.from_epsilon(epsilon), n, remap).intervals, np.arange(0, n + 1, step)
    found = held.largest(starts, step, starts, step)
    monkeypatch.setattr(geometric, "_VANISHING", np.inf)
    assert np.array_equal(held.largest(starts, step, starts, step), found) and found.any()


@pytest.mark.parametrize("epsilon", [1e-9, 0.2, 3.0, np.inf])
@pytest.mark.parametrize("believed", ["all", "a few"])
def test_a_posterior_is_what_all_results_give(epsilon: float, believed: str) -> None:
    n = 5000
    rng = np.random.default_rng(3)
    remap = np.minimum(np.arange(n + 1) // 3 * 3, n)
    geometric = (mechanism := RemappedGeometric(PrivacyLevel.from_epsilon(epsilon), n, remap)).intervals
    prior = rng.random(n + 1)
    if believed == "a few":
        prior[(np.arange(n + 1) < 900) | (np.arange(n + 1) > 1100)] = 0
    for k, r in enumerate(np.unique(remap)[::97]):
        (place,), _ = geometric.of_readings(np.array([r]))
        away = np.maximum(np.maximum(geometric.first[place] - np.arange(n + 1), np.arange(n + 1) - geometric.last[place]), 0)
        nearest = float(away[prior > 0].min())
        assert geometric.nearest(np.flatnonzero(prior), place) == nearest, k
        joint = prior * geometric.probability(np.arange(n + 1), np.array(place), 0.0 if np.isinf(epsilon) else nearest)
        found = mechanism.posterior(prior, int(r))
        assert found is None if joint.sum() == 0 else np.array_equal(found, joint / joint.sum())
