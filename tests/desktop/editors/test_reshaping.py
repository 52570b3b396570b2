"""Smoothing, mirroring, raising and replacing bars."""

from __future__ import annotations

import numpy as np
import pytest
from desktop.distributions import check, rules, weights
from hypothesis import given
from hypothesis import strategies as st

from dpdesigner.desktop.editors.weight_rules import Rules, mirrored, raised, replaced, smoothed


@given(st.data())
def test_every_edit_leaves_a_distribution(data: st.DataObject) -> None:
    before = data.draw(weights())
    last = len(before) - 1
    kept_to = data.draw(rules(len(before)))
    low, high = sorted(data.draw(st.tuples(st.integers(0, last), st.integers(0, last))))
    check(before, smoothed(before, kept_to).weights, kept_to)
    check(before, mirrored(before, kept_to).weights, kept_to)
    check(before, raised(before, low, high, data.draw(st.floats(-1e6, 1e6)), kept_to).weights, kept_to)
    check(before, replaced(before, low, data.draw(st.floats(0, 1e6)), kept_to).weights, kept_to)


def test_smoothing_averages_neighbours_and_reflects_at_the_ends() -> None:
    assert smoothed(np.array([4.0, 0, 0, 0, 8]), Rules()).weights == pytest.approx([3, 1, 0, 2, 6])
    assert smoothed(np.array([3.0]), Rules()).weights.tolist() == [3.0]
    assert smoothed(np.array([1.0, 3.0]), Rules()).weights == pytest.approx([1.5, 2.5])


@pytest.mark.parametrize("size", [30, 400, 5000])
def test_smoothing_keeps_the_total_and_adds_no_dust(size: int) -> None:
    before = np.zeros(size)
    before[size // 3] = 2.0
    after = smoothed(before, Rules()).weights
    reach = max(2, size // 40)
    assert after.sum() == pytest.approx(2.0, rel=1e-3)
    assert np.flatnonzero(after).tolist() == list(range(size // 3 - reach + 1, size // 3 + reach))


def test_mirroring_twice_changes_nothing_and_locked_bars_stay() -> None:
    before = np.array([1.0, 2.0, 4.0])
    once = mirrored(before, Rules()).weights
    assert once.tolist() == [4, 2, 1]
    assert mirrored(once, Rules()).weights.tolist() == before.tolist()
    share = mirrored(before, Rules(frozenset({0}))).weights
    assert share[0] / share.sum() == pytest.approx(1 / 7)


def test_raising_stops_at_zero_and_at_the_last_positive_bar() -> None:
    assert raised(np.ones(3), 1, 1, 0.25, Rules()).weights.tolist() == [1, 1.25, 1]
    assert raised(np.ones(3), 0, 1, -5, Rules()).weights.tolist() == [0, 0, 1]
    found = raised(np.array([0.0, 1.0]), 1, 1, -5, Rules())
    assert (found.kept, found.weights.tolist()) == (1, [0, 1])


def test_replacing_takes_the_weight_as_it_is() -> None:
    assert replaced(np.ones(2), 0, 1 / 3, Rules()).weights[0] == 1 / 3
