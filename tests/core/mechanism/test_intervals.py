"""Intervals of outputs that are read alike: what is left out as too far away is 0, and blocks keep their largest entry."""

from __future__ import annotations

import numpy as np
import pytest

from dpdesigner.core.mechanism import intervals
from dpdesigner.core.mechanism.remapped_geometric import RemappedGeometric
from dpdesigner.core.privacy.level import PrivacyLevel


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
    monkeypatch.setattr(intervals, "_VANISHING", np.inf)
    assert np.array_equal(held.largest(starts, step, starts, step), found) and found.any()


@pytest.mark.parametrize("epsilon", [1e-9, 0.2, 3.0, np.inf])
@pytest.mark.parametrize("believed", ["all", "a few"])
def test_a_posterior_is_what_all_results_give(epsilon: float, believed: str) -> None:
    n = 5000
    rng = np.random.default_rng(3)
    remap = np.minimum(np.arange(n + 1) // 3 * 3, n)
    intervals = (mechanism := RemappedGeometric(PrivacyLevel.from_epsilon(epsilon), n, remap)).intervals
    prior = rng.random(n + 1)
    if believed == "a few":
        prior[(np.arange(n + 1) < 900) | (np.arange(n + 1) > 1100)] = 0
    for k, r in enumerate(np.unique(remap)[::97]):
        (place,), _ = intervals.of_readings(np.array([r]))
        away = np.maximum(np.maximum(intervals.first[place] - np.arange(n + 1), np.arange(n + 1) - intervals.last[place]), 0)
        nearest = float(away[prior > 0].min())
        assert intervals.nearest(np.flatnonzero(prior), place) == nearest, k
        joint = prior * intervals.probability(np.arange(n + 1), np.array(place), 0.0 if np.isinf(epsilon) else nearest)
        found = mechanism.posterior(prior, int(r))
        assert found is None if joint.sum() == 0 else np.array_equal(found, joint / joint.sum())
