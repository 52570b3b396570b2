"""Locks, the held total, and the bar that stays positive."""

from __future__ import annotations

import numpy as np
import pytest
from desktop.distributions import check, rules, weights
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from dpdesigner.desktop.editors.weight_rules import HandleCurve, HandleDrag, Rules, monotone_cubic, settled


@given(st.data())
def test_every_edit_leaves_a_distribution(data: st.DataObject) -> None:
    before = data.draw(weights())
    size = len(before)
    kept_to = data.draw(rules(size))
    drawn = np.array(data.draw(st.lists(st.one_of(st.just(0.0), st.floats(-1.0, 1e6)), min_size=size, max_size=size)))
    touched = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
    drawn = np.where(touched, drawn, before)
    check(before, settled(before, drawn, touched, kept_to, data.draw(st.floats(-1, size))).weights, kept_to)


def test_without_rules_the_drawing_is_taken_as_it_is() -> None:
    found = settled(np.array([1.0, 2.0]), np.array([3.0, 0.0]), np.array([True, True]), Rules())
    assert found.weights.tolist() == [3.0, 0.0]
    assert (found.kept, found.stuck) == (None, False)


def test_free_bars_stay_as_high_as_drawn_beside_a_locked_one() -> None:
    before = np.array([1.0, 1.0, 2.0])
    found = settled(before, np.array([1.0, 5.0, 2.0]), np.array([False, True, False]), Rules(frozenset({2})))
    assert found.weights.tolist() == [1.0, 5.0, 6.0]


def test_a_held_total_is_taken_from_the_others() -> None:
    found = settled(np.array([1.0, 1.0, 2.0]), np.array([2.5, 1.0, 2.0]), np.array([True, False, False]), Rules(hold_total=True))
    assert found.weights == pytest.approx([2.5, 0.5, 1.0])


def test_more_than_the_total_cannot_be_painted() -> None:
    found = settled(np.ones(3), np.array([9.0, 1.0, 1.0]), np.array([True, False, False]), Rules(hold_total=True))
    assert found.weights.tolist() == [3.0, 0.0, 0.0]


@pytest.mark.parametrize(("near", "kept"), [(0.2, 1), (3.4, 3), (9.0, 3)])
def test_erasing_everything_leaves_the_positive_bar_nearest_to_the_pointer(near: float, kept: int) -> None:
    before = np.array([0.0, 1.0, 0.0, 2.0])
    found = settled(before, np.zeros(4), np.ones(4, dtype=bool), Rules(), near)
    assert found.kept == kept
    assert found.weights.tolist() == [before[i] if i == kept else 0.0 for i in range(4)]


def test_nothing_moves_when_all_probability_is_locked() -> None:
    before = np.array([0.0, 1.0])
    found = settled(before, np.array([1.0, 1.0]), np.array([True, False]), Rules(frozenset({1})))
    assert found.stuck
    assert found.weights.tolist() == before.tolist()


def test_locks_toggle_and_ignore_counts_that_do_not_exist() -> None:
    kept_to = Rules().toggled(2).toggled(9)
    assert kept_to.mask(4).tolist() == [False, False, True, False]
    assert kept_to.toggled(2).locked == {9}
    assert not Rules().bind
    assert kept_to.bind


def test_weights_at_the_edge_of_doubles_still_make_a_distribution() -> None:
    tiny, touched = 2.2e-311, np.array([True, True])
    before = np.array([1.0, 1.0])
    check(before, settled(before, np.array([tiny, 0.0]), touched, Rules(hold_total=True)).weights, Rules(hold_total=True))
    before = np.array([tiny, 1.0])
    kept_to = Rules(frozenset({1}))
    check(before, settled(before, np.array([1e6, 1.0]), touched, kept_to).weights, kept_to)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 40)), min_size=2, max_size=9))
def test_the_interpolant_is_scipys(steps: list[tuple[int, int]]) -> None:
    x = np.cumsum([width for width, _ in steps]).astype(float)
    y = np.array([height / 4 for _, height in steps])
    at = np.linspace(x[0], x[-1], 200)
    assert np.allclose(monotone_cubic(x, y, at), PchipInterpolator(x, y)(at), atol=1e-9)


@given(weights())
def test_fits_pass_through_their_handles_and_stay_in_range(drawn: np.ndarray) -> None:
    curve = HandleCurve.fitted(drawn)
    found = curve.weights()
    assert found.shape == drawn.shape
    assert found[list(curve.places)] == pytest.approx(drawn[list(curve.places)])
    assert 0 <= found.min() <= found.max() <= drawn.max() * (1 + 1e-12)
    assert len(curve.places) <= 9


def test_smooth_shapes_are_fitted_closely_and_plain_ones_with_few_handles() -> None:
    bump = np.exp(-((np.arange(41) - 15) ** 2) / 60)
    assert np.abs(HandleCurve.fitted(bump).weights() - bump).max() <= 0.05
    assert HandleCurve.fitted(np.ones(21)).places == (0, 20)
    assert HandleCurve.fitted(np.array([3.0])).weights().tolist() == [3.0]


def test_handles_move_between_their_neighbours_and_ends_only_up_and_down() -> None:
    curve = HandleCurve((0, 5, 10), (1.0, 2.0, 1.0))
    assert curve.moved(1, 7.4, 3.0) == HandleCurve((0, 7, 10), (1.0, 3.0, 1.0))
    assert curve.moved(1, 99, -4.0) == HandleCurve((0, 9, 10), (1.0, 0.0, 1.0))
    assert curve.moved(0, 4, 0.5) == HandleCurve((0, 5, 10), (0.5, 2.0, 1.0))


def test_handles_come_and_go() -> None:
    curve = HandleCurve((0, 10), (0.0, 1.0))
    more, handle = curve.added(4.2)
    assert (more.places, handle) == ((0, 4, 10), 1)
    assert more.heights[1] == pytest.approx(float(curve.at(4)))
    assert curve.added(-3) == (curve, 0)
    assert more.removed(1) == curve
    assert curve.removed(0) == curve.removed(1) == curve


@given(st.data())
def test_every_drag_leaves_a_distribution(data: st.DataObject) -> None:
    before = data.draw(weights())
    curve = HandleCurve.fitted(before)
    kept_to = data.draw(rules(len(before)))
    drag = HandleDrag(before, curve, data.draw(st.integers(0, len(curve.places) - 1)), kept_to)
    for _ in range(3):
        found = drag.move(data.draw(st.floats(-5, 40)), data.draw(st.floats(-1, 1e6)), straight=data.draw(st.booleans()))
        check(before, found.weights, kept_to)


def test_a_straight_drag_goes_up_and_down_only() -> None:
    curve = HandleCurve((0, 5, 10), (1.0, 2.0, 1.0))
    drag = HandleDrag(curve.weights(), curve, 1, Rules())
    drag.move(8, 3.0, straight=True)
    assert drag.curve.places == (0, 5, 10)
    drag.move(8, 3.0)
    assert drag.curve.places == (0, 8, 10)
    assert curve.scaled(2.0).heights == (2.0, 4.0, 2.0)
