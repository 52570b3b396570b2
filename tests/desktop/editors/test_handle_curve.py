"""Curves through handles, against scipy's interpolant."""

from __future__ import annotations

import numpy as np
import pytest
from desktop.distributions import check, rules, weights
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from dpdesigner.desktop.editors.handle_curve import HandleCurve, HandleDrag, monotone_cubic
from dpdesigner.desktop.editors.weight_rules import Rules


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
